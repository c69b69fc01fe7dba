"""The rules of judging, in the order they are asked; the first that knows an answer gives it.

A rule is a function of the criterion, its type and the note. What no rule knows is decided by the
closed world: a detailed note would tell of a disease, a drug or an operation the patient has had,
but not of every test and measurement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trialyst.ctgov.criteria import CriterionKind
from trialyst.folding import fold
from trialyst.matching.judging.lexicon import Syndrome, meaning
from trialyst.matching.judging.matches import Matches, find_matches
from trialyst.matching.judging.result import Applicability, Verdict
from trialyst.matching.judging.statement import ReadStatement, WantedSex
from trialyst.matching.judging.view import NoteView, Sighting

__all__ = ["Case", "Decision", "decide"]

_FEW = 4
_TRAILING = 3
"""Words of content behind a condition that only describe it."""
_BEFORE = 2
"""Words before a condition that tell which kind of it is meant."""
_LEADING = 16
"""Letters within which an age opens a criterion."""
_FERTILE = (11.0, 56.0)
_WOMANLY = ("pregnancy", "lactation", "contraception")
_ADMINISTRATIVE = ("consent", "willing")
_MEASURED = ("laboratory", "score", "body_size", "lung_function", "heart_rhythm", "vital", "test")


@dataclass(frozen=True, slots=True)
class Case:
    """What a rule looks at."""

    statement: ReadStatement
    exclusion: bool
    view: NoteView
    matches: Matches


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict with the rule that gave it and what it rests on."""

    rule: str
    verdict: Verdict
    reason: str
    sightings: tuple[Sighting, ...] = ()
    applicability: Applicability = Applicability.APPLIES


def decide(statement: ReadStatement, kind: CriterionKind, view: NoteView) -> Decision:
    """Judge a criterion against a note."""
    case = Case(
        statement, kind is CriterionKind.EXCLUSION, view, find_matches(statement, view)
    )
    for rule in _RULES:
        decision = rule(case)
        if decision is not None:
            return decision
    return _closed_world(case)


def _consent(case: Case) -> Decision | None:
    """Consent and willingness: what the note says of them, else to be confirmed."""
    statement, view = case.statement, case.view
    if not statement.speaks_of(*_ADMINISTRATIVE) or statement.speaks_of("contraception"):
        return None
    if statement.demographic or statement.speaks_of("group"):
        return None
    if statement.ages and statement.ages[0].start < _LEADING:
        return None
    if view.consent is None:
        return Decision(
            "consent",
            Verdict.UNKNOWN,
            "Consent and willingness are to be confirmed with the patient.",
            applicability=Applicability.ADMINISTRATIVE,
        )
    verdict = Verdict.NOT_MET if case.exclusion else Verdict.MET
    return Decision(
        "consent",
        verdict,
        "The note says that the patient consents and will comply.",
        (_whole(view.consent.number, view.consent.start, view.consent.end),),
        Applicability.ADMINISTRATIVE,
    )


def _age_and_sex(case: Case) -> Decision | None:
    """Age and sex, where the criterion asks for nothing else."""
    statement, view = case.statement, case.view
    if not statement.demographic:
        return None
    checks: list[bool] = []
    if statement.ages:
        if view.years is None:
            return Decision("age", Verdict.UNKNOWN, "The note does not tell the age.")
        checks.append(any(ages.holds(view.years) for ages in statement.ages))
    if statement.sex in (WantedSex.FEMALE, WantedSex.MALE):
        if view.sex is None:
            return Decision("sex", Verdict.UNKNOWN, "The note does not tell the sex.")
        checks.append(statement.sex == view.sex)
    met = all(checks)
    return Decision(
        "age" if statement.ages else "sex",
        Verdict.MET if met else Verdict.NOT_MET,
        f"The patient is {_described(view)}, which {'fits' if met else 'does not fit'}.",
        _age_place(view),
    )


def _age_beside(case: Case) -> Decision | None:
    """An age outside of the range an inclusion criterion asks for beside other things."""
    statement, view = case.statement, case.view
    if case.exclusion or not statement.ages or view.years is None:
        return None
    if any(ages.holds(view.years) for ages in statement.ages):
        return None
    return Decision(
        "age beside",
        Verdict.NOT_MET,
        f"The patient is {_described(view)}, outside of the age asked for.",
        _age_place(view),
    )


def _other_sex(case: Case) -> Decision | None:
    """A criterion about women for a man, and the other way round."""
    statement, view = case.statement, case.view
    if view.sex is None:
        return None
    womanly = statement.speaks_of(*_WOMANLY) and statement.sex is not WantedSex.MALE
    wanted = WantedSex.FEMALE if womanly else statement.sex
    if wanted not in (WantedSex.FEMALE, WantedSex.MALE) or wanted == view.sex:
        return None
    if _PARTNER.search(statement.lowered):
        return None
    if not case.exclusion and not womanly and _ASKS_FOR_SEX.search(statement.lowered):
        return Decision(
            "other sex",
            Verdict.NOT_MET,
            f"The criterion asks for another sex; the patient is {_described(view)}.",
            _age_place(view),
        )
    return Decision(
        "other sex",
        Verdict.UNKNOWN,
        f"The criterion does not concern this patient, who is {_described(view)}.",
        (),
        Applicability.NOT_APPLICABLE,
    )


def _pregnancy(case: Case) -> Decision | None:
    """Pregnancy, nursing and contraception of a woman: only what the note says."""
    statement, view = case.statement, case.view
    if not statement.speaks_of(*_WOMANLY):
        return None
    if view.pregnant is not None and view.pregnancy_place and _only_pregnancy(statement):
        wanted = case.exclusion or not statement.speaks_of("test", "negated")
        verdict = Verdict.MET if view.pregnant == wanted else Verdict.NOT_MET
        told = "is pregnant" if view.pregnant else "is not pregnant"
        return Decision(
            "pregnancy told", verdict, f"The note says that the patient {told}.",
            (view.pregnancy_place,),
        )
    years = view.years
    young_or_old = years is not None and not _FERTILE[0] <= years <= _FERTILE[1]
    return Decision(
        "pregnancy",
        Verdict.UNKNOWN,
        "The note does not tell of pregnancy, nursing or contraception.",
        (),
        Applicability.NOT_APPLICABLE if young_or_old else Applicability.APPLIES,
    )


def _only_pregnancy(statement: ReadStatement) -> bool:
    return statement.speaks_of("pregnancy") and len(statement.contents) <= _FEW


def _limits(case: Case) -> Decision | None:
    """Measured values the note gives."""
    statement, view = case.statement, case.view
    results = [
        (limit.holds(reading.value), reading)
        for limit in statement.limits
        for reading in view.readings.get(limit.quantity, ())[-1:]
    ]
    if not results or _CHANGE.search(statement.lowered):
        return None
    met = [reading for holds, reading in results if holds]
    unmet = [reading for holds, reading in results if not holds]
    told = met or unmet
    places = tuple(_whole(item.sentence, item.start, item.end) for item in told)
    every = len({limit.quantity for limit in statement.limits}) == 1 and len(
        statement.contents
    ) <= 8
    name = f"{told[0].quantity} is {told[0].value:g}"
    if met and (every or case.exclusion or statement.speaks_of("choice", "list")):
        return Decision("limit", Verdict.MET, f"The note's {name}.", places)
    if unmet and not met and every:
        return Decision("limit", Verdict.NOT_MET, f"The note's {name}.", places)
    return None


def _holds(case: Case) -> Decision | None:
    """A thing the criterion names and the note shows, with nothing more asked."""
    statement, matches = case.statement, case.matches
    if statement.denies or not (matches.held or matches.has_name or matches.share >= 0.5):
        return None
    if case.exclusion and not _plainly_excludes(statement):
        return _unsure(case)
    for piece in dict.fromkeys((statement, *_alternatives(case))):
        found = case.matches if piece is statement else find_matches(piece, case.view)
        part = Case(piece, case.exclusion, case.view, found)
        if _fits(part):
            rule, verdict = ("excluded" if case.exclusion else "holds"), Verdict.MET
            return Decision(rule, verdict, _what(part), _places(part))
    return _unsure(case)


def _alternatives(case: Case) -> tuple[ReadStatement, ...]:
    """Give the parts of which one is enough; what qualifies the whole list forbids taking one."""
    statement = case.statement
    if not statement.speaks_of("list", "choice"):
        return (statement,)
    if case.exclusion:
        return statement.parts
    if statement.speaks_of("list") and len(statement.contents) <= _LONGEST_LIST:
        return statement.parts
    qualified = statement.speaks_of("window", "chronic", "drug_use", "drug_name", "test")
    return (statement,) if qualified or len(statement.contents) > _LONGEST else statement.parts


_PARTLY = 0.45
_PERMITS = re.compile(r"\b(?:allowed|permitted|unless|required to|must|eligible|may|if|stable dose)\b")
_LONGEST_LIST = 24
_LONGEST = 9
"""Words of content beyond which a criterion is no plain list of alternatives."""


def _unsure(case: Case) -> Decision | None:
    statement, matches = case.statement, case.matches
    if not case.exclusion or not statement.speaks_of("severity"):
        return None
    if len(matches.residue) <= 1 and matches.held and len(statement.contents) <= 4:
        return Decision("severity", Verdict.UNKNOWN, "", _places(case))
    return None


def _fits(case: Case) -> bool:
    """Whether what the note has is what the criterion, or a part of it, asks for."""
    statement, matches = case.statement, case.matches
    if not statement.contents or statement.denies or "negativ" in statement.lowered:
        return False
    if statement.speaks_of("window", "chronic", "planned"):
        return False
    if case.exclusion and not matches.has_name and _IN_THE_PAST.search(statement.lowered):
        return False
    if not case.exclusion or matches.residue:
        if statement.speaks_of("drug_name") or _DRUG_USE.search(statement.lowered):
            return False
    if case.exclusion and statement.speaks_of("procedure", "drug_name"):
        return False
    affirmed = any(sighting.standing == "has" for _, sighting in matches.words)
    if not matches.residue and (affirmed or matches.has_name):
        if statement.speaks_of("comparison", "number") and not matches.held:
            return False
        if len(statement.contents) > 1:
            return True
    if statement.speaks_of(*(_UNTOLD if case.exclusion else _DEMANDS)):
        return False
    if not matches.residue and (matches.has_name or len(statement.tokens) > _HEADING):
        return not case.exclusion or matches.has_name or bool(matches.held)
    special = [shown for shown in matches.held if not shown.syndrome.general]
    return len(matches.residue) <= _TRAILING and any(
        not _is_qualified(shown.syndrome, statement, matches) for shown in special
    )


def _is_qualified(syndrome: Syndrome, statement: ReadStatement, matches: Matches) -> bool:
    """Whether words that the note does not have stand before a condition: a kind of it is meant."""
    match = syndrome.named.search(statement.lowered)
    before = statement.lowered[: match.start() if match else 0]
    words = fold(before)[-_BEFORE:]
    return any(meaning(word) in matches.residue for word in words)


def _plainly_excludes(statement: ReadStatement) -> bool:
    """Whether an exclusion criterion names a thing without a condition on it.

    A trial of a disease excludes kinds and causes of it; those are not the disease itself.
    """
    if statement.speaks_of(
        "severity", "window", "chronic", "comparison", "score", "allergy", "study", "planned",
        "contraindication",
    ):
        return False
    return _CONDITIONAL.search(statement.lowered) is None


def _what(case: Case) -> str:
    held = case.matches.held
    name = held[0].syndrome.name if held else "what is asked for"
    return f"The note shows {name}."


def _denied(case: Case) -> Decision | None:
    """A thing the note expressly denies."""
    statement, matches = case.statement, case.matches
    if statement.denies or not matches.denies_name or matches.held:
        return None
    places = tuple(item.sighting for item in matches.named if item.sighting.standing == "denied")
    if case.exclusion:
        return Decision("denied", Verdict.NOT_MET, "The note denies it.", places)
    if not matches.residue and not statement.speaks_of("list", "choice", "number"):
        return Decision("denied", Verdict.NOT_MET, "The note denies it.", places)
    return None


def _denial(case: Case) -> Decision | None:
    """Criteria that begin with a denial."""
    statement, matches = case.statement, case.matches
    if not statement.denies:
        return None
    if case.exclusion:
        if statement.syndromes and not matches.held and not statement.speaks_of("ability"):
            return Decision("not shown", Verdict.UNKNOWN, "", _places(case))
        return None
    if statement.speaks_of("history", "drug_use", "procedure") and not statement.speaks_of(
        "test", "laboratory", "window", "planned"
    ):
        if not matches.held or any(s.syndrome.general for s in matches.held):
            return Decision("never told", Verdict.MET, "", _places(case))
    return None


def _measured(case: Case) -> Decision | None:
    """A measurement the note does not give."""
    statement = case.statement
    if not statement.speaks_of("laboratory", "body_size", "lung_function"):
        return None
    if not statement.speaks_of("comparison"):
        return None
    if case.exclusion and statement.speaks_of("severity", "history", "infection", "viral", "active"):
        return None
    if case.exclusion and _NAMED_STATE.search(statement.lowered):
        return None
    return Decision("measured", Verdict.UNKNOWN, "The note does not give the value.")


def _grown_up(case: Case) -> Decision | None:
    """Drinking, smoking or serving in the army for a child."""
    years = case.view.years
    if years is None or years >= 14 or not case.statement.speaks_of("substance", "group"):
        return None
    if not case.exclusion or case.statement.speaks_of("drug_use", "planned"):
        return None
    if re.search(r"foster|child", case.statement.lowered):
        return None
    return Decision("child", Verdict.UNKNOWN, "", (), Applicability.NOT_APPLICABLE)


def _opinion(case: Case) -> Decision | None:
    if not case.statement.speaks_of("opinion"):
        return None
    if case.exclusion and case.statement.speaks_of("other", "illness", "ability"):
        return Decision("opinion", Verdict.UNKNOWN, "", (), Applicability.ADMINISTRATIVE)
    return None


_CONDITIONAL = re.compile(
    r"\b(?:other than|another|not related|unrelated|due to|caused by|secondary to|related to"
    r"|because of|resistan\w+|refractory|interfer\w+|preclud\w+|prevent\w*|limit\w*|except\w*"
    r"|unless|if|may|complicat\w+|without|other|extra-\w+|that|which|involving|family|contact|exposure)\b"
)
_CHANGE = re.compile(r"\b(?:decrease|drop|change|reduction|increase|rise|fall)s?\b (?:of|in)\b")
_PARTNER = re.compile(r"\bpartners?\b|\bcaregiver|\bmothers? (?:of|with|who)|\bspouse")
_ASKS_FOR_SEX = re.compile(
    r"^\W*(?:\d+[.)]\s*)?(?:(?:all|healthy|adult|pregnant|postmenopausal|premenopausal|patients?"
    r"|subjects?|participants?|must|be|is|are|who|a|the)\s+)*(?:males?|females?|m[ae]n|wom[ae]n|boys"
    r"|girls)\b(?!\s*:|\s+(?:patients? )?(?:must|should|of child|with child|agree|will))"
)
_NAMED_STATE = re.compile(r"\bknown\b|impair|insufficien|failure|disease|dysfunction|disorder|h[ae]+moly")
_UNDERGOING = re.compile(
    r"^\W*(?:\d+[.)]\s*)?(?:the )?(?:(?:patients?|subjects?|participants?|individuals?|those)\s+)?"
    r"(?:(?:who|that|have|has|had|are|is|were|been|being|must|be|currently|previously)\s+)*"
    r"(?:undergo\w*|underwent|scheduled|treated|taking|receiv\w+|(?:the )?use of|using|on |maintenance"
    r"|administered)\b"
)


def _untold_therapy(case: Case) -> Decision | None:
    """A treatment an inclusion criterion asks for and the note does not tell of."""
    statement, matches = case.statement, case.matches
    if case.exclusion or statement.denies or statement.speaks_of("ability", "suspected"):
        return None
    if not statement.speaks_of("drug_use", "drug_name", "procedure"):
        return None
    if not _UNDERGOING.match(statement.lowered) or matches.share > _PARTLY:
        return None
    if _PERMITS.search(statement.lowered) or len(statement.contents) > _LONGEST_LIST:
        return None
    return Decision("untold therapy", Verdict.NOT_MET, "", _places(case))


def _places(case: Case) -> tuple[Sighting, ...]:
    found = [item.sighting for item in case.matches.named]
    for shown in case.matches.held:
        found.extend(sighting for sighting, _ in case.view.findings(shown.syndrome))
    return tuple(found)


_DEMANDS = (
    "test", "laboratory", "lung_function", "score", "imaging", "drug_name", "ability", "opinion",
    "practical", "language", "negated",
)  # fmt: skip
_UNTOLD = ("ability", "opinion", "practical", "language")
_HEADING = 2
"""Words of which a heading such as `Renal` has no more."""
_IN_THE_PAST = re.compile(r"\b(?:history of|prior|previous|past)\b")
_DRUG_USE = re.compile(
    r"(?<!-)\b(?:taking|use of|treat\w*|therap\w+|receiv\w+|medications?|drugs?|dos(?:e|age)s?)\b"
)

_RULES: Sequence[Callable[[Case], Decision | None]] = (
    _consent,
    _age_and_sex,
    _age_beside,
    _other_sex,
    _pregnancy,
    _limits,
    _grown_up,
    _opinion,
    _denial,
    _holds,
    _denied,
    _measured,
    _untold_therapy,
)


def _closed_world(case: Case) -> Decision:
    return Decision("default", Verdict.NOT_MET if case.exclusion else Verdict.UNKNOWN, "")


def _whole(sentence: int, start: int, end: int) -> Sighting:
    return Sighting(sentence, start, end, "has")


def _age_place(view: NoteView) -> tuple[Sighting, ...]:
    return () if view.age_place is None else (view.age_place,)


def _described(view: NoteView) -> str:
    years = "of unknown age" if view.years is None else f"{view.years:.3g} years old"
    return years if view.sex is None else f"{view.sex.lower()}, {years}"
