"""Rules about the person: consent, age, sex, pregnancy, and what concerns others only."""

from __future__ import annotations

import re

from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.gestation import judge_gestation
from trialyst.matching.judging.result import Applicability, Verdict
from trialyst.matching.judging.silences import NOT_NOTED
from trialyst.matching.judging.statement import ReadStatement, WantedSex
from trialyst.matching.judging.view import NoteView, Sighting
from trialyst.matching.patient import Sex

__all__ = [
    "judge_ability",
    "judge_age_and_sex",
    "judge_age_beside",
    "judge_childhood",
    "judge_consent",
    "judge_opinion",
    "judge_other_sex",
    "judge_pregnancy",
]

_MENOPAUSE = re.compile(
    r"\W*(?:\d+[.)]\s*)?(?:(?:healthy|women|female|ambulatory)\W+)*(post|pre)-?menopaus"
)
_MENOPAUSAL = (38.0, 60.0)
_FERTILE = (11.0, 56.0)
_GROWN_UP = 14.0
_OF_AGE = 18.0
_MEN_OR_WOMEN = gated(r"\b(?:wo)?m[ae]n\b")
_WOMANLY = ("pregnancy", "lactation", "contraception")
_FEW = 4
"""Words of content up to which a criterion on pregnancy is on nothing else."""
_NURSING = (
    r"\b(?:is|currently|was|still|and|now) (?:currently |still |now )?"
    r"(?:breast-?\s?feeding|lactating|nursing (?:her|a)\b)"
)
_WEEKS = re.compile(r"\btrimesters?\b|\b\d{1,2}\s*-?(?:completed |full )?(?:weeks?|wks?)\b")
_OTHER_PREGNANCY = re.compile(
    r"\b(?:history of|previous|prior|past)\b[^,;]{0,40}\bpregnan|\biuds?\b|\bintra-?uterine "
    r"(?:contraceptive )?device|^\W*known pregnan|\b(?:ectopic|hetero\w+|molar) pregnan"
    r"|\bmulti-?fo?etal\b|\bmultiple (?:pregnan|gestation)|\btwins?\b|\bstill-?birth"
)
"""Past pregnancies, devices and diseases, of which a note would tell."""
_OF_BIRTH = re.compile(
    r"\b(?:premature(?:ly)?|preterm|gestational age|birth ?weight|mothers?)\b|\bweeks'? gestation"
)
_INFANT = 2.0
_CHASTE = re.compile(
    r"\b(?:no|denies(?: any)?|never had(?: any)?) sexual (?:partners?|activity|intercourse)"
    r"|\bnot (?:been )?sexually active|\bnever been sexually active|\bhysterectomy\b"
    r"|\btubal ligation\b"
)
_EXAMPLES = re.compile(r"\bincluding\b|\bsuch as\b|\be\.?g\b")
"""Conditions named beside an opinion, of which a note would tell."""
_TAKES_PART = gated(
    r"\b(?:capable of|able to|ability to|available (?:to|for)|availability (?:to|for))\s+"
    r"(?:(?:\w+,? (?:and|or) )?\w+ )?(?:participat\w*|attend\w*|complet\w+|follow\w*|comply\w*"
    r"|cooperat\w*|adher\w*|return\w*|(?:read|understand|comprehend)(?:ing)?)\b"
)
"""What the patient can who, as the note says, will keep to the protocol."""
_BY_SEX = re.compile(
    r"(?=.*\b(?:m[ae]n|males?|boys?)\b).*\b(?:wom[ae]n|females?|girls?)\b", re.DOTALL
)
_SOME_OF = gated(
    r"\b(?:one|two|three|four|five|any|some|[1-9])\b(?: or more)? (?:of )?(?:the )?"
    r"(?:following|below|these)\b"
)
_NOT_PREGNANT = re.compile(r"\b(?:not?|non)[ -]?(?:be |currently )*pregnan")
_UNREAD_AGE = re.compile(r"\d\s*(?:\+|-?(?:years?|yrs?|months?|weeks?|days?)\b)")
_OR_ELSE = re.compile(
    r"(?: of age| old)?,? or (?!older|over|above|more|greater|younger|under|less|below)"
)
_LEADING = 16
"""Letters within which an age opens a criterion."""
_PARTNER = gated(r"\bpartners?\b|\bcaregiver|\bmothers? (?:of|with|who)|\bspouse")
_ASKS_FOR_SEX = re.compile(
    r"^\W*(?:\d+[.)]\s*)?(?:(?:all|healthy|adult|pregnant|postmenopausal|premenopausal|patients?"
    r"|subjects?|participants?|must|be|is|are|who|a|the)\s+)*(?:males?|females?|m[ae]n|wom[ae]n"
    r"|boys|girls)\b(?!\s*:|\s+(?:patients? )?(?:must|should|of child|with child|agree|will))"
)


def judge_consent(case: Case) -> Decision | None:
    """Consent and willingness: what the note says of them, else to be confirmed."""
    statement, view = case.statement, case.view
    if not statement.speaks_of("consent", "willing") or statement.speaks_of("contraception"):
        return None
    opens_with_age = bool(statement.ages) and statement.ages[0].start < _LEADING
    if statement.demographic or opens_with_age or statement.speaks_of("group"):
        return None
    if view.consent is None:
        return Decision(
            "consent",
            Verdict.UNKNOWN,
            "Consent and willingness are to be confirmed with the patient.",
            applicability=Applicability.ADMINISTRATIVE,
            missing="consent and willingness",
        )
    return Decision(
        "consent",
        Verdict.NOT_MET if case.exclusion else Verdict.MET,
        "The note says that the patient consents and will comply.",
        _consent_place(view),
        Applicability.ADMINISTRATIVE,
    )


def judge_age_and_sex(case: Case) -> Decision | None:
    """Age and sex, where the criterion asks for nothing else."""
    statement, view = case.statement, case.view
    if not statement.demographic or _is_of_mother(case):
        return None
    checks: list[bool] = []
    if statement.ages:
        if view.years is None:
            return _untold("age")
        held = {ages.holds(view.years) for ages in statement.ages}
        if len(held) > 1 and _BY_SEX.search(statement.lowered):
            return None
        checks.append(True in held)
    if statement.sex in (WantedSex.FEMALE, WantedSex.MALE):
        if view.sex is None:
            return _untold("sex")
        checks.append(statement.sex.value == view.sex.value)
    met = all(checks)
    if met and not statement.ages and _is_child_for_grown_up(case):
        return _of_grown_ups(view)
    if met and not statement.ages and _UNREAD_AGE.search(statement.lowered):
        return None
    return Decision(
        "age" if statement.ages else "sex",
        Verdict.MET if met else Verdict.NOT_MET,
        f"The patient is {_described(view)}, which {'fits' if met else 'does not fit'}.",
        _person_place(view),
    )


def _is_child_for_grown_up(case: Case) -> bool:
    """Whether men or women are asked for, and the patient is a child."""
    years, lowered = case.view.years, case.statement.lowered
    if years is None or years >= _OF_AGE or not _MEN_OR_WOMEN.search(lowered):
        return False
    return case.statement.sex is not WantedSex.ANY and not case.statement.speaks_of(*_WOMANLY)


def _of_grown_ups(view: NoteView) -> Decision:
    child = view.years is not None and view.years < _GROWN_UP
    return Decision(
        "sex",
        Verdict.NOT_MET if child else Verdict.UNKNOWN,
        f"The criterion speaks of grown-ups; the patient is {_described(view)}.",
        _person_place(view),
    )


def judge_age_beside(case: Case) -> Decision | None:
    """An age outside of the range an inclusion criterion asks for beside other things."""
    statement, view = case.statement, case.view
    if case.exclusion or view.years is None or _is_choice(statement):
        return None
    if not _is_too_young_or_old(statement.lowered, view.years) and (
        not statement.ages or any(ages.holds(view.years) for ages in statement.ages)
    ):
        return None
    return Decision(
        "age beside",
        Verdict.NOT_MET,
        f"The patient is {_described(view)}, outside of the age asked for.",
        _person_place(view),
    )


def _is_choice(statement: ReadStatement) -> bool:
    """Whether an age is one of several things of which some are enough."""
    if not statement.ages:
        return False
    found = statement.ages[-1]
    return bool(
        _SOME_OF.search(statement.lowered, 0, max(0, statement.ages[0].start))
        or _OR_ELSE.match(statement.lowered, found.end)
    )


def _is_of_mother(case: Case) -> bool:
    """Whether the age is the mother's, and the patient none."""
    if "maternal" not in case.statement.lowered:
        return False
    return case.view.sex is not Sex.FEMALE or (case.view.years or 0.0) < _FERTILE[0]


def _is_too_young_or_old(lowered: str, years: float) -> bool:
    """Whether a criterion asks for a time of life the patient cannot be in."""
    match = _MENOPAUSE.match(lowered)
    if match is None:
        return False
    return years < _MENOPAUSAL[0] if match.group(1) == "post" else years > _MENOPAUSAL[1]


def judge_other_sex(case: Case) -> Decision | None:
    """A criterion about women for a man, and the other way round."""
    statement, view = case.statement, case.view
    if _is_of_birth(case):
        return None
    womanly = statement.speaks_of(*_WOMANLY) and statement.sex is not WantedSex.MALE
    wanted = WantedSex.FEMALE if womanly else statement.sex
    if view.sex is None or wanted not in (WantedSex.FEMALE, WantedSex.MALE):
        return None
    if wanted.value == view.sex.value or _PARTNER.search(statement.lowered):
        return None
    if not case.exclusion and not womanly and _ASKS_FOR_SEX.search(statement.lowered):
        return Decision(
            "other sex",
            Verdict.NOT_MET,
            f"The criterion asks for another sex; the patient is {_described(view)}.",
            _person_place(view),
        )
    return Decision(
        "not concerned",
        Verdict.UNKNOWN,
        f"The criterion does not concern this patient, who is {_described(view)}.",
        applicability=Applicability.NOT_APPLICABLE,
    )


def judge_pregnancy(case: Case) -> Decision | None:
    """Pregnancy, nursing and contraception of a woman: only what the note says."""
    statement, view = case.statement, case.view
    if not statement.speaks_of(*_WOMANLY) or _is_of_birth(case):
        return None
    if _OTHER_PREGNANCY.search(statement.lowered) and (case.exclusion or view.pregnant):
        return None
    nursing = _judge_nursing(case)
    if nursing is not None:
        return nursing
    if view.pregnant and _WEEKS.search(statement.lowered):
        return judge_gestation(case) or _untold("week of pregnancy")
    told = view.pregnancy_place
    alone = _only_pregnancy(statement) and not _denies_beside(case)
    if view.pregnant is not None and told is not None and alone:
        tested = statement.speaks_of("test") and "positive" not in statement.lowered
        denied = statement.speaks_of("negated") or _NOT_PREGNANT.search(statement.lowered)
        wanted = case.exclusion or not (tested or denied)
        says = "is pregnant" if view.pregnant else "is not pregnant"
        return Decision(
            "pregnancy told",
            Verdict.MET if view.pregnant == wanted else Verdict.NOT_MET,
            f"The note says that the patient {says}.",
            (told,),
        )
    chaste = _CHASTE.search(view.lowered) if _is_exclusion_of_pregnant(case) else None
    if chaste is not None:
        number = view.note.sentence_at(chaste.start()).number
        return Decision(
            "pregnancy told",
            Verdict.NOT_MET,
            f"The note says {view.note.text[chaste.start() : chaste.end()]!r}.",
            (Sighting(number, chaste.start(), chaste.end(), "has"),),
        )
    fertile = view.years is None or _FERTILE[0] <= view.years <= _FERTILE[1]
    return Decision(
        "pregnancy",
        Verdict.UNKNOWN,
        "The note does not tell of pregnancy, nursing or contraception.",
        applicability=Applicability.APPLIES if fertile else Applicability.NOT_APPLICABLE,
        missing="pregnancy, nursing and contraception",
    )


def _judge_nursing(case: Case) -> Decision | None:
    """Nursing, of a woman of whom the note says that she does."""
    statement, view = case.statement, case.view
    if not statement.speaks_of("lactation") or view.sex is not Sex.FEMALE:
        return None
    if view.years is None or view.years < _FERTILE[0] or len(statement.contents) > _FEW + 1:
        return None
    told = tuple(place for place in view.sightings(_NURSING) if place.standing == "has")
    if not told:
        return None
    free = statement.speaks_of("negated") and not case.exclusion
    reason = "The note says that the patient is nursing."
    return Decision("nursing told", Verdict.NOT_MET if free else Verdict.MET, reason, told)


def judge_childhood(case: Case) -> Decision | None:
    """Drinking, smoking or serving in the army for a child."""
    statement, years = case.statement, case.view.years
    if years is None or years >= _GROWN_UP or not case.exclusion:
        return None
    if not statement.speaks_of("substance", "group") or statement.speaks_of("drug_use", "planned"):
        return None
    if "child" in statement.lowered or "foster" in statement.lowered:
        return None
    return Decision(
        "child",
        Verdict.UNKNOWN,
        f"The criterion does not concern a patient who is {_described(case.view)}.",
        applicability=Applicability.NOT_APPLICABLE,
    )


def judge_opinion(case: Case) -> Decision | None:
    """Conditions that are left to the investigator."""
    statement = case.statement
    if not (case.exclusion and statement.speaks_of("opinion")):
        return None
    if not statement.speaks_of("other", "illness", "ability"):
        return None
    if _EXAMPLES.search(statement.lowered):
        return None
    return Decision(
        "opinion",
        Verdict.UNKNOWN,
        "The criterion is left to the investigator's opinion.",
        applicability=Applicability.ADMINISTRATIVE,
        missing="the investigator's opinion",
    )


def judge_ability(case: Case) -> Decision | None:
    """What a patient must be able to do, which a note tells only by saying that it is hard."""
    statement = case.statement
    if not statement.speaks_of("ability", "understand", "practical") or case.matches.shown:
        return None
    if not case.exclusion and case.view.consent and _TAKES_PART.search(statement.lowered):
        reason = "The note says that the patient will comply without practical issues."
        place = _consent_place(case.view)
        return Decision("takes part", Verdict.MET, reason, place, Applicability.ADMINISTRATIVE)
    if statement.speaks_of("opinion", "language"):
        return None
    if case.exclusion and (statement.speaks_of("test") or NOT_NOTED.search(statement.lowered)):
        return None
    return Decision(
        "ability",
        Verdict.NOT_MET if case.exclusion else Verdict.UNKNOWN,
        "The note tells of nothing that would hinder the patient."
        if case.exclusion
        else "The note does not tell whether the patient is able to.",
        applicability=Applicability.ADMINISTRATIVE,
    )


def _is_of_birth(case: Case) -> bool:
    """Whether a criterion speaks of how an infant was born or of its mother."""
    years = case.view.years
    return years is not None and years < _INFANT and bool(_OF_BIRTH.search(case.statement.lowered))


def _is_exclusion_of_pregnant(case: Case) -> bool:
    return case.exclusion and case.statement.speaks_of("pregnancy")


def _denies_beside(case: Case) -> bool:
    """Whether the note denies what a criterion names beside a pregnancy."""
    told = case.view.pregnancy_place
    return told is not None and any(
        named.sighting.standing != "has" and not told.start <= named.sighting.start < told.end
        for named in case.matches.named
    )


def _only_pregnancy(statement: ReadStatement) -> bool:
    return statement.speaks_of("pregnancy") and len(statement.contents) <= _FEW


def _untold(what: str) -> Decision:
    return Decision(
        what, Verdict.UNKNOWN, f"The note does not tell the {what}.", missing=f"the {what}"
    )


def _consent_place(view: NoteView) -> tuple[Sighting, ...]:
    if view.consent is None:
        return ()
    return (Sighting(view.consent.number, view.consent.start, view.consent.end, "has"),)


def _person_place(view: NoteView) -> tuple[Sighting, ...]:
    return tuple(place for place in (view.age_place or view.sex_place,) if place is not None)


def _described(view: NoteView) -> str:
    years = "of unknown age" if view.years is None else f"{view.years:.3g} years old"
    return years if view.sex is None else f"{view.sex.lower()}, {years}"
