"""Criteria that deny: `no history of asthma` holds where `history of asthma` does not.

What is denied is judged in the other sense. An inclusion criterion asks to be free of a thing as an
exclusion criterion forbids it, with the same closed world; and the other way round.
"""

from __future__ import annotations

import re
from dataclasses import replace

from trialyst.matching.judging.case import Decision
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.result import Verdict

__all__ = ["denied_part", "turned"]

_SUBJECT = (
    r"^\W*(?:\d+[.)]\s*)?(?:(?:the |all )?"
    r"(?:patients?|subjects?|participants?|individuals?|those|they|child(?:ren)?|infants?|wom[ae]n"
    r"|m[ae]n|adults?)\s+)?"
)
_DENIAL = gated(
    _SUBJECT
    + r"(?:(?:who|with|has|have|had|is|are|must|should|were|do|does|did|that|be|to|been|at)\s+)*"
    r"(?:not have had|not have|not had|not be|not been|no longer|never been|never had|no|not|never"
    r"|without|with ?out|(?:the )?absence of|lack of|lacking|free (?:of|from)|none|neither|denies"
    r"|negative for|negative (?=history)|exclusion of(?! criteri))\b\s*"
    r"(?:(?:had|have|be|been|having)\b\s*)?(?:(?:any|a|an|other)\b\s*)?(?=\w)",
    re.IGNORECASE,
)
_NOR = re.compile(r"\bnor\b", re.IGNORECASE)
_NON = gated(
    r"\W*non-?\s?(?=(?:acute|diabet|obes|hypertensi|asthma|alcohol(?:ic)? (?:user|drinker)"
    r"|immuno)\w*)",
    re.IGNORECASE,
)
_STAYS = re.compile(
    r"(?:able|willing|capable|more than|less than|fewer than|greater|older|younger|later|longer"
    r"|only|exceed\w*|applicable|specified|known to|required|limit|restrict|smok\w*"
    r"|na[i\u00ef]ve|eligible|suitable|or\b|candidate|contra-?indicat|indicated|exclusion"
    r"|inclusion|change|least|(?:aged? )?(?:under|over|above|below|yet) \d+)\b"
    r"|(?:pregnan|lactat|nursing|breast-?feed)",
    re.IGNORECASE,
)
"""What makes something else of a denial than that a thing is not there."""
_ABSENT = gated(
    r"\s*(?:\b(?:(?:must|should|has|have|had|is|are|be|been|to)\s+)+"
    r"(?:absent|not present|(?:ruled out|excluded)(?! (?:from|if|unless)\b))"
    r"|[:\u2013-]\s*(?:no|none|absent|negative))\W*$",
    re.IGNORECASE,
)
"""A denial behind what it denies."""
_IN_WHOM = re.compile(rf"{_SUBJECT}(?:in whom|whose)\s+", re.IGNORECASE)
_TURNED = {
    Verdict.MET: Verdict.NOT_MET,
    Verdict.NOT_MET: Verdict.MET,
    Verdict.UNKNOWN: Verdict.UNKNOWN,
}


def denied_part(text: str) -> str | None:
    """Give what a criterion denies, None where it does not begin by denying.

    >>> denied_part("No history of asthma")
    'history of asthma'
    """
    match = _DENIAL.match(text) or _NON.match(text)
    if match is None:
        return _denied_behind(text)
    if _STAYS.match(text, match.end()):
        return None
    return _NOR.sub("or", text[match.end() :])


def _denied_behind(text: str) -> str | None:
    absent = _ABSENT.search(text)
    denied = _IN_WHOM.sub("", text[: absent.start()]) if absent else ""
    return denied if denied.strip() else None


def turned(decision: Decision) -> Decision:
    """Give a decision on what a criterion denies as one on the criterion."""
    verdict = _TURNED[decision.verdict]
    rule = f"free of: {decision.rule}"
    return replace(decision, rule=rule, verdict=verdict)
