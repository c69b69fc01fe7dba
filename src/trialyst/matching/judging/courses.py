"""How long a patient has been ill, beside how long a criterion asks for.

`Symptoms for less than 48 hours`, `disease duration of at least 6 months`, `onset within 72 hours`
speak of the course of the illness; a note tells when it began in its first sentences.
"""

from __future__ import annotations

import re
from functools import lru_cache

from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.periods import COUNT, AskedTime, Period, find_times, read_count
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.view import NoteView, Sighting

__all__ = ["judge_course"]

_SUBJECT = gated(
    r"\b(?:symptoms?|complaints?|(?:disease|illness|pain|symptom|episode|mde) duration|onset"
    r"|duration of (?:the )?(?:current |present )?(?:disease|illness|symptoms?|episode|pain|mde"
    r"|complaints?)"
    r"|initiation of symptoms|history of (?:symptoms|complaints))\b"
    r"|\bduration\b.{0,30}\b(?:is|of|less|more|at least|[<>\u2264\u2265])"
)
_SYMPTOM = gated(
    r"\b(?:pains?|diarrh|cough|fever|vomit|nausea|headache|dyspn|breathless|wheez|rash|swelling"
    r"|weakness|flare|dizziness|vertigo|itching|prurit|dysuria|constipation|fatigue|hoarse"
    r"|sore throat|numbness|palpitation|insomnia|tremor|bleeding|ulcer)"
)
"""Complaints whose course is that of the illness the note tells of."""
_FRACTION = re.compile(r"\b(\d{1,2})\s?/\s?(52|12|7)\b")
_FRACTIONS = {"52": "weeks", "12": "months", "7": "days"}
"""Times as some write them: `2/52` is two weeks."""
_SINCE = {"yesterday": 1.0, "last night": 0.5, "this morning": 0.3, "today": 0.3}
_LATELY = re.compile(r"\bsince (yesterday|last night|this morning|today)\b", re.IGNORECASE)
_UNIT = r"(hour|day|week|month|year)s?\b"
_DAYS = {"hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.4375, "year": 365.25}
_VAGUE = {"several": (3.0, 9.0), "few": (2.0, 5.0), "couple": (2.0, 3.0), "some": (2.0, 9.0)}
_BEGAN = re.compile(
    rf"\b(?:(?:for|over|during|in|within|since|of|with)\s+(?:about |approximately |nearly )?"
    rf"(?:the |an? )?(?:(?:past|last|previous)\s+)?(?P<vague>several |few |couple of |some )?"
    rf"(?P<count>{COUNT}(?:\s*(?:-|to)\s*{COUNT})?)?\s*-?(?P<unit>hour|day|week|month|year)s?\b"
    rf"|(?P<count2>{COUNT}|several|few)[\s-]+(?P<unit2>hour|day|week|month|year)s?['\u2019]?\s+"
    r"(?:ago|earlier|prior|previously|before|history|of)\b)",
    re.IGNORECASE,
)
_ILL = re.compile(
    r"\b(?:began|started|onset|history|presents?|presenting|complain\w*|symptoms?|pain|fever|cough"
    r"|weakness|diarrhea|rash|depress\w*|mood|feels?|feeling|difficulty|loss|progressive"
    r"|worsening|tremor|bleeding|vomiting|seizures?"
    r"|ulcers?|experienc\w+|develop\w+|noticed|notes|headache|dyspnea|swelling"
    r"|fatigue)\b",
    re.IGNORECASE,
)
_NOT_ONSET = re.compile(r"\b(?:years? old|year-old|of age|pack|weighs?|gained)\b", re.IGNORECASE)
_TIMED = gated(r"(?:hour|day|week|month|year|/52|/12|/7)")
_OR_LESS = re.compile(rf"({COUNT})\s*{_UNIT}\s+or\s+(less|more|longer)")
_LAST = re.compile(r"\b(?:past|last|previous)\b|\ba\b", re.IGNORECASE)
_UNSEEN = 2
"""Words of content a note may leave untold beside a time that fits."""
_FIRST = 4
"""Sentences at the beginning of a note that tell how the illness began."""


def judge_course(case: Case) -> Decision | None:
    """How long the illness or its symptoms have lasted."""
    lowered = case.statement.lowered
    if case.statement.denies or not _TIMED.search(lowered):
        return None
    whole = _SUBJECT.search(lowered)
    named = None if whole else _SYMPTOM.search(lowered)
    if whole is None and (named is None or case.exclusion):
        return None
    asked = _asked(lowered)
    if len(asked) != 1 or case.statement.speaks_of("drug_use", "procedure", "test", "planned"):
        return None
    if named and asked[0].within:
        return None
    told = _told(case.view, named.group() if named else "")
    if told is None:
        return None
    period, place = told
    holds = asked[0].holds(period)
    if holds is None or (holds and len(case.matches.unseen) > _UNSEEN):
        return None
    if not holds and " or " in lowered.replace("or less", "").replace("or more", ""):
        return None
    words = case.view.note.text[place.start : place.end]
    if named and holds and not asked[0].less and words.endswith("ago"):
        return None
    verdict = Verdict.MET if holds else Verdict.NOT_MET
    return Decision("course", verdict, f"The note tells of the illness {words!r}.", (place,))


@lru_cache(maxsize=4096)
def _asked(lowered: str) -> tuple[AskedTime, ...]:
    lowered = _FRACTION.sub(lambda found: f"{found[1]} {_FRACTIONS[found[2]]}", lowered)
    match = _OR_LESS.search(lowered)
    if match is not None:
        days = read_count(match.group(1)) * _DAYS[match.group(2)]
        return (AskedTime(*match.span(), days, less=match.group(3) == "less"),)
    return find_times(lowered)


def _told(view: NoteView, named: str) -> tuple[Period, Sighting] | None:
    """Give since when the patient has been ill, where the first sentences tell one time.

    Where a complaint is named, the sentence must speak of it.
    """
    for sentence in view.body[:_FIRST]:
        if not _ILL.search(sentence.text) or named not in sentence.text.lower():
            continue
        for match in _BEGAN.finditer(sentence.text):
            around = sentence.text[match.start() : match.end() + 12]
            bounded = match["count"] or match["count2"] or match["vague"] or _LAST.search(around)
            if not bounded or _NOT_ONSET.search(around):
                continue
            start, end = sentence.start + match.start(), sentence.start + match.end()
            return _period(match), Sighting(sentence.number, start, end, "has")
        lately = _LATELY.search(sentence.text)
        if lately is not None:
            start, end = sentence.start + lately.start(), sentence.start + lately.end()
            days = _SINCE[lately.group(1).lower()]
            return Period(days, days), Sighting(sentence.number, start, end, "has")
    return None


def _period(match: re.Match[str]) -> Period:
    unit = _DAYS[(match["unit"] or match["unit2"]).lower()]
    written = (match["count"] or match["count2"] or "").lower()
    vague = (match["vague"] or (written if written in _VAGUE else "")).split(" ")[0]
    if vague:
        low, high = _VAGUE[vague.lower()]
        return Period(low * unit, high * unit)
    numbers = [read_count(word) for word in re.findall(COUNT, written)] or [1.0]
    return Period(numbers[0] * unit * 0.99, numbers[-1] * unit * 1.01)
