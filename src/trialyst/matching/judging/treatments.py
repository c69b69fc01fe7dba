"""Rules about treatments and denials: what a note would tell if it had been so."""

from __future__ import annotations

import re

from trialyst.folding import fold
from trialyst.matching.judging.case import Case, Decision, places
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.lexicon import meaning
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.view import NoteView, Sighting
from trialyst.matching.patient import FactKind

__all__ = ["is_so_given", "judge_denial", "judge_taken_drugs", "judge_untold_treatment"]

_PARTLY = 0.45
_SURGERY = re.compile(
    r"\bsurg|\boperati(?:on|ve)\b|\w{3,}ectomy\b|\w{3,}plasty\b|\brepair\b|\bbypass\b"
)
_LONGEST = 24
_PERMITS = re.compile(
    r"\b(?:allowed|permitted|unless|required to|must|eligible|may|if|stable dose)\b"
)
_ASKED_OF_ALL = re.compile(r"\W*(?:\d+[.)]\s*)?(?:no(?:ne)?\b|.{0,24}\bmust not\b)")
"""Among exclusions `No prior surgery` may be what is forbidden or what is asked for."""
_NOT_OF_TAKING = (
    "allergy", "contraindication", "study", "except", "opinion", "planned", "substance",
)  # fmt: skip
_DOSE = re.compile(r"[<>\u2264\u2265]|\bmore than\b|\bgreater than\b|\bat least\b|\bmg\b")
_UNDERGOING = re.compile(
    r"^\W*(?:\d+[.)]\s*)?(?:the )?(?:(?P<who>(?:[\w-]+ ){0,5}?)"
    r"(?:patients?|subjects?|participants?|individuals?|those|adults?|children|women|men)\s+)?"
    r"(?:(?:who|that|have|has|had|are|is|were|been|being|must|be|currently|previously)\s+)*"
    r"(?:undergo\w*|underwent|scheduled|treated|taking|receiv\w+|(?:the )?use of|using|on "
    r"|maintenance|administered|(?:admitted|hospitali[sz]ed"
    r"|referred) for (?:[\w-]+ ){0,5}?surgery)\b"
)


_BEFORE_IT = gated(
    r"\b(?:prior to|before|until|while|after) (?:receiv\w+|tak\w+|start\w*|initiat\w+"
    r"|(?:the )?use of)"
)
"""A drug that only dates what the criterion speaks of."""
_BODILY = re.compile(
    r"\binject|\bintraven|\biv\b|\bintra-?(?:mus|art|les)|\bsystemic|\boral|\binfusion"
)
_INJECTED = re.compile(r"\b(?:intravenous|iv|injected|injectable|infused) (?!.*\bor(?:al)?\b)")
_SWALLOWED = re.compile(r"\b(?:oral(?:ly)?|tablets?|by mouth|po)\b")
_OTHER_DRUG = gated(r"\bcalcium[- ](?:channel|antagonist)|\banabolic\b")
"""What shares a word with a drug that is another."""
_NEAR = 24
_ON_THE_SKIN = re.compile(
    r"\btopical|\bointment|\bcream\b|\beye ?drops|\binhal|\bnasal|\blotion|\bspray"
)


def is_so_given(lowered: str, place: Sighting, view: NoteView) -> bool:
    """Whether a drug is given by a way the criterion may mean: no ointment where it is injected."""
    around = view.lowered[max(0, place.start - _NEAR) : place.end + _NEAR]
    if _INJECTED.search(lowered) and _SWALLOWED.search(around):
        return False
    outside = _ON_THE_SKIN.search(around) is not None
    if _ON_THE_SKIN.search(lowered) and not _BODILY.search(lowered):
        return outside
    return not (outside and _BODILY.search(lowered))


def judge_denial(case: Case) -> Decision | None:
    """Excluded is who does not have something: open, unless the note shows that the patient has."""
    statement = case.statement
    if not (case.exclusion and statement.denies) or case.matches.held:
        return None
    if statement.speaks_of("ability") or _ASKED_OF_ALL.match(statement.lowered):
        return None
    return Decision(
        "not shown",
        Verdict.UNKNOWN,
        "The note does not tell for certain whether the patient has what the criterion asks for.",
        places(case),
    )


def judge_taken_drugs(case: Case) -> Decision | None:
    """Drugs: those the note says the patient takes, by name or by class, and those it denies."""
    statement, matches, view = case.statement, case.matches, case.view
    if not statement.speaks_of("drug_use", "drug_name") or statement.denies:
        return None
    if statement.speaks_of(*_NOT_OF_TAKING):
        return None
    if _OTHER_DRUG.search(statement.lowered):
        return None
    taken = tuple(place for place in matches.taken if is_so_given(statement.lowered, place, view))
    if _BEFORE_IT.search(statement.lowered):
        return None
    if taken and not case.exclusion and (matches.residue or statement.speaks_of("test", "score")):
        return None
    if taken and (_DOSE.search(statement.lowered) or statement.speaks_of("chronic")):
        return Decision(
            "dose", Verdict.UNKNOWN, "The note tells of the drug, but not how much or how long.",
            taken, missing="the dose and since when the drug is taken",
        )  # fmt: skip
    if taken:
        word = view.note.text[taken[0].start : taken[0].end]
        return Decision(
            "taken", Verdict.MET, f"The note says that the patient takes {word}.", taken
        )
    if view.no_drugs is not None and case.exclusion and not statement.speaks_of("procedure"):
        reason = "The note says that the patient takes no medication."
        return Decision("no drugs", Verdict.NOT_MET, reason, (view.no_drugs,))
    return None


def judge_untold_treatment(case: Case) -> Decision | None:
    """A treatment an inclusion criterion asks for and the note does not tell of."""
    statement, matches = case.statement, case.matches
    if case.exclusion or statement.denies or statement.speaks_of("ability", "suspected"):
        return None
    if not statement.speaks_of("drug_use", "drug_name", "procedure"):
        return None
    asked = _UNDERGOING.match(statement.lowered)
    if asked is None or statement.speaks_of("imaging"):
        return None
    if any(meaning(word) in _affirmed(case) for word in fold(asked["who"] or "")):
        # Of the patients it speaks of, this is one: they may come to have the treatment.
        return None
    if matches.share > _PARTLY and not _is_untold_surgery(case):
        return None
    if _PERMITS.search(statement.lowered) or len(statement.contents) > _LONGEST:
        return None
    return Decision(
        "untold treatment",
        Verdict.NOT_MET,
        "The note does not tell of this treatment, which it would if it had been given.",
    )


def _is_untold_surgery(case: Case) -> bool:
    """Whether surgery is asked for and the note tells of no operation at all."""
    if not _SURGERY.search(case.statement.lowered):
        return False
    return not any(fact.holds for fact in case.view.chart.of(FactKind.PROCEDURE)) and not (
        _SURGERY.search(case.view.lowered)
    )


def _affirmed(case: Case) -> set[str]:
    return {content for content, place in case.matches.words if place.standing == "has"}
