"""Rules about circumstances a note tells in so many words: menopause, drinking, company."""

from __future__ import annotations

import re

from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.matches import find_matches
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.statement import read_statement
from trialyst.matching.judging.view import NoteView, Sighting
from trialyst.matching.patient import Fact, FactKind

__all__ = ["judge_alcohol", "judge_companion", "judge_kin", "judge_menopause", "judge_smoking"]

_FEW = 3
_MENOPAUSE = gated(r"\b(post|pre|peri)-?\s?menopaus")
_ALCOHOL = gated(r"\balcohol|\bdrink(?:s|ing|ers?)\b|\bethanol\b")
_NOT_DRUNK = re.compile(
    r"\bliver disease|\bhepatitis|\bcirrhosis|\bbreath|\bswab|\btopical|\ballerg|\bdrug|\bsubstance"
)
_DRINKS = re.compile(
    r"\W*(?:current |any |regular )?(?:alcohol (?:use|consumption|intake)"
    r"|(?:drink|drinks|drinking|consumes?|uses?|use of) (?:of )?alcohol)\W*$"
)
_HOW_MUCH = re.compile(r"\d\s*(?:\w+ )?(?:drinks?|units?|beers?|glass(?:es)?|beverages?|g)\b")
_SMOKING = gated(r"smok|tobacco|cigarette|nicotine")
_FORMER_SMOKING = re.compile(r"\b(?:former|ex-?|past|previous)\s?(?:\w+ )?(?:smok|tobacco|cigar)")
_SMOKED_BY_OTHERS = re.compile(
    r"passive|parent|matern|patern|second-?\s?hand|household|environment"
)
_NOW_SMOKING = re.compile(r"\b(?:current(?:ly)?|active|present)\b|\bsmok\w+ (?:or|and)\b")
_NON_SMOKING = re.compile(
    r"\bnon[- ]?smok|\bnever|\bnot smok|\bno (?:\w+ )*smok|\bnot? (?:\w+ )*tobacco"
)
_FEW_SMOKING = 4
_LONG = 8
_KIN = re.compile(
    r"\W*(?:(?:an?|known|positive|strong|patients?|subjects?|with|who|has|have|having)\s+)*"
    r"family history of\s+(?P<thing>[^,;()]+)$"
)
_COMPANY = gated(r"\b(?:study |reliable )?(?:partner|informant|caregiver|companion)\b")
_CONTACT = re.compile(
    r"\bcontact|\bavailable|\baccompan|\battend|\breliable|\bhas an?\b|\bstudy partner"
)
_RELATION = (
    r"(?:husband|wife|spouse|daughter|son|partner|sister|brother|mother|father|caregiver|friend)"
)
_WITH = re.compile(
    rf"\blives? with (?:her|his|their|a|an|the) (?:\w+ )?{_RELATION}\b"
    rf"|\b{_RELATION}\b[^.]{{0,40}}\b(?:lives? with|sees? (?:her|him)|every day|daily)\b"
    rf"|\b(?:brought|accompanied) by (?:her|his|their) (?:\w+ )?{_RELATION}\b"
)


def judge_menopause(case: Case) -> Decision | None:
    """Before or after menopause, as the note says."""
    statement = case.statement
    asked = _MENOPAUSE.search(statement.lowered)
    if asked is None or len(statement.contents) > _FEW or " or " in statement.lowered:
        return None
    if statement.speaks_of("laboratory", "procedure", "ability"):
        return None
    told = _MENOPAUSE.search(case.view.lowered)
    if told is None or "peri" in (asked.group(1), told.group(1)):
        return None
    same = asked.group(1) == told.group(1)
    words = "after" if told.group(1) == "post" else "before"
    return Decision(
        "menopause",
        Verdict.MET if same != statement.denies else Verdict.NOT_MET,
        f"The note says that the patient is {words} menopause.",
        (_place(case.view, told),),
    )


def judge_alcohol(case: Case) -> Decision | None:
    """Drinking, where the note says that the patient drinks or does not."""
    statement = case.statement
    if not _ALCOHOL.search(statement.lowered) or _NOT_DRUNK.search(statement.lowered):
        return None
    if len(statement.contents) > (_LONG if case.exclusion else _FEW):
        return None
    if statement.denies or statement.speaks_of("drug_use", "drug_name"):
        return None
    told = [fact for fact in case.view.chart.of(FactKind.ALCOHOL) if fact.status]
    if told and all(fact.status == "current" for fact in told) and _DRINKS.match(statement.lowered):
        reason = "The note says that the patient drinks alcohol."
        return Decision("alcohol", Verdict.MET, reason, tuple(map(_fact_place, told)))
    drinks = bool(told) and all(fact.status == "current" for fact in told)
    if drinks and case.exclusion and _HOW_MUCH.search(statement.lowered):
        reason = "The note says that the patient drinks, but not how much."
        places = tuple(map(_fact_place, told))
        return Decision("alcohol", Verdict.UNKNOWN, reason, places, missing="how much is drunk")
    if not told or any(fact.status != "never" for fact in told):
        return None
    reason = "The note says that the patient does not drink alcohol."
    return Decision("alcohol", Verdict.NOT_MET, reason, tuple(map(_fact_place, told)))


def judge_smoking(case: Case) -> Decision | None:
    """Smoking, where the note tells of it."""
    statement = case.statement
    if not _SMOKING.search(statement.lowered) or len(statement.contents) > _FEW_SMOKING:
        return None
    if _SMOKED_BY_OTHERS.search(statement.lowered):
        return None
    wants_none = _NON_SMOKING.search(statement.lowered) is not None
    if statement.speaks_of("negated") and not wants_none:
        return None
    fact = case.view.smoking
    if fact is None:
        return None
    place = (Sighting(fact.sentence, fact.start, fact.end, "has"),)
    smokes = fact.status == "current" or (
        fact.status == "former" and not statement.speaks_of("active")
    )
    if not smokes and statement.speaks_of("comparison", "number"):
        return None
    if smokes and statement.speaks_of("comparison"):
        reason = "The note tells of smoking, but not how much."
        return Decision("smoking", Verdict.UNKNOWN, reason, place, missing="how much is smoked")
    met = smokes != wants_none
    if _FORMER_SMOKING.search(statement.lowered):
        met = met or fact.status == "former"
        if fact.status == "current" and not _NOW_SMOKING.search(statement.lowered):
            met = False
    told = (
        f"The note tells that the patient {'smokes or has smoked' if smokes else 'does not smoke'}."
    )
    return Decision("smoking", Verdict.MET if met else Verdict.NOT_MET, told, place)


def judge_kin(case: Case) -> Decision | None:
    """A disease in the family, where the note tells that a relative has it."""
    asked = _KIN.match(case.statement.lowered)
    if asked is None:
        return None
    named = find_matches(read_statement(asked["thing"]), case.view).named
    told = tuple(each.sighting for each in named if each.sighting.standing == "family")
    if not told:
        return None
    return Decision("family", Verdict.MET, "The note tells it of a relative.", told)


def judge_companion(case: Case) -> Decision | None:
    """Somebody close who knows the patient, where the note tells of one."""
    lowered = case.statement.lowered
    if case.exclusion or case.statement.denies or not _COMPANY.search(lowered):
        return None
    if not _CONTACT.search(lowered) or case.statement.speaks_of("contraception", "pregnancy"):
        return None
    told = _WITH.search(case.view.lowered)
    if told is None:
        return None
    reason = "The note tells of somebody close to the patient."
    return Decision("companion", Verdict.MET, reason, (_place(case.view, told),))


def _place(view: NoteView, match: re.Match[str]) -> Sighting:
    sentence = view.note.sentence_at(match.start())
    return Sighting(sentence.number, match.start(), min(match.end(), sentence.end), "has")


def _fact_place(fact: Fact) -> Sighting:
    return Sighting(fact.sentence, fact.start, fact.end, "has")
