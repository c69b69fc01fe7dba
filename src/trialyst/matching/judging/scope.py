"""What a criterion is before it asks for anything: a heading, a permission, everybody, the healthy.

A heading or a permission asks for nothing; a criterion that takes everybody is met by everybody; a
patient is no healthy control.
"""

from __future__ import annotations

import re

from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.result import Applicability, Verdict
from trialyst.matching.judging.view import Sighting
from trialyst.matching.patient import Fact, FactKind

__all__ = ["NO_DEMAND", "judge_scope"]

NO_DEMAND = "no demand"

_NOTHING = gated(
    r"\W*(?:none(?: (?:specified|known|stated))?|n/?a|not applicable|general|other|see above|"
    r"(?:there (?:are|is) )?no (?:specific |other |additional )?(?:exclusion"
    r"|inclusion)s?(?: criteri\w+)?"
    r"(?: (?:specified|apply))?|(?:exclusion|inclusion) criteri\w+|criteria|as above)\W*"
)
_REMARK = gated(
    r"\W*(?:note\s*:|the (?:purpose|aim|objective|goal) of|the definition|for study purposes"
    r"|this (?:study|trial) (?:is|aims|will)"
    r"|(?:patients?|subjects?|participants?) may (?:take|use|continue|receive|also)\b)"
)
_CONSENTS = gated(r".{0,60}\bmay (?:provide|give) (?:\w+ )?consent for\b")
_HEADING = re.compile(r"(?:[A-Z0-9\W]{5,90}|(?:For|In) [^.;,]{3,90}):\s*$")
_ALLOWED = re.compile(
    r"[^.;()]*(?:\b(?:are|is|will be|may be)\s+(?:still\s+)?(?:allowed|permitted|eligible"
    r"|acceptable|included)\b"
    r"|\bmay (?:participate|be (?:included|enrolled))\b|\bnot (?:an )?exclusion\b|\bnot excluded\b)"
    r"[^.;]*\W*"
)
_PERMITS = gated(r"allowed|permitted|eligible|acceptable|included|may |exclusion|not excluded")
_NOT_ALLOWED = re.compile(
    r"\bif\b|\bnot (?:be )?(?:allowed|permitted|eligible|acceptable|included)\b|\bunless\b"
)
_SORT = r"(?:ages?(?: groups?)?|races?|genders?|sex(?:es)?|ethnic\w*(?: groups?| backgrounds?)?)"
_EVERYBODY = gated(
    r"\W*(?:(?:patients?|subjects?|participants?|individuals?|persons?|people|men and women"
    r"|adults and children|males? and females?)\s+)?(?:(?:of|from)\s+)?"
    rf"(?:(?:all|any|both|either)\s+|(?:regardless|irrespective) of\s+){_SORT}"
    rf"(?:\s*(?:,|and|or|/)+\s*(?:(?:all|any|both)\s+)?{_SORT})*"
    r"(?:\s+(?:are|is|may be|will be|can be)\s+"
    r"(?:eligible|included|enrolled|acceptable|allowed))?\W*"
)
"""Nothing beside it: `cancer, regardless of age` asks for a cancer."""
_HEALTHY = gated(
    r"\b(?:healthy|normal) (?:\w+ )?(?:volunteers?|controls?|subjects?|individuals?"
    r"|participants?|adults?"
    r"|persons?|people|men|women|children)\b|^\W*(?:[\w-]+ )?controls?\b(?: group"
    r"| subjects?)?\s*(?::|should|must|$|\()"
    r"|\bcontrol (?:group|subjects?)\s*:"
)
_SIGNS = ("C23", "F01", "F02", "G", "E")
"""Trees of what is a sign rather than an illness."""


def judge_scope(case: Case) -> Decision | None:
    """Headings, permissions, criteria for everybody and for healthy people."""
    lowered = case.statement.lowered
    remark = _REMARK.match(lowered) or _CONSENTS.match(lowered)
    if (
        _NOTHING.fullmatch(lowered)
        or (remark and "except" not in lowered)
        or (case.exclusion and _HEADING.fullmatch(case.statement.text))
    ):
        return _asks_nothing("The criterion is a heading and asks for nothing.")
    if case.exclusion:
        allowed = _PERMITS.search(lowered) and _ALLOWED.fullmatch(lowered)
        if allowed and not _NOT_ALLOWED.search(lowered) and not case.statement.denies:
            return _asks_nothing("The criterion permits something and excludes nobody.")
        return None
    if _EVERYBODY.fullmatch(lowered):
        return Decision("everybody", Verdict.MET, "The criterion takes everybody.")
    if _HEALTHY.search(lowered) and not (case.statement.denies or lowered.endswith(":")):
        return _of_healthy(case)
    return None


def _asks_nothing(reason: str) -> Decision:
    return Decision(NO_DEMAND, Verdict.UNKNOWN, reason, applicability=Applicability.NOT_APPLICABLE)


def _of_healthy(case: Case) -> Decision | None:
    ill = [fact for fact in case.view.chart.of(FactKind.CONDITION) if _is_illness(fact)]
    if not ill:
        return None
    places = tuple(Sighting(fact.sentence, fact.start, fact.end, "has") for fact in ill[:2])
    reason = f"The criterion asks for healthy people; the note tells of {ill[0].text!r}."
    return Decision("not healthy", Verdict.NOT_MET, reason, places)


def _is_illness(fact: Fact) -> bool:
    if not fact.holds or fact.concept is None:
        return False
    return any(not tree.startswith(_SIGNS) for tree in fact.concept.trees)
