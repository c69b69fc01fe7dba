"""Treatments a criterion names, by drug or class: now or before, how much, how long, how many.

A drug that is taken counts as received. Whether a drug that was stopped at an untold time falls
into a window is open, save that one the note says is no longer taken is not taken these weeks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from trialyst.matching.judging.periods import COUNT, AskedTime, read_count, since, time_of
from trialyst.matching.patient import Assertion, Fact, FactKind

if TYPE_CHECKING:
    from trialyst.matching.judging.view import NoteView

__all__ = [
    "DOSE",
    "OPEN",
    "RESPONSE",
    "Told",
    "count_before",
    "failing",
    "holding",
    "is_to_come",
    "judge_dose",
    "judge_response",
    "judge_taken",
    "lasted",
]

_NOW = re.compile(
    r"\b(?:current(?:ly)?(?! episode| line)|taking|on (?:a )?(?:stable|background)|stable|ongoing"
    r"|concomitant|concurrent|at baseline|at screening|background)\b"
)
_BEFORE = re.compile(
    r"\b(?:prior(?! to)|previous(?:ly)?|history|earlier|ever|received|treated|pre-?treated|exposed"
    r"|exposure|na(?:i|\u00ef)ve|after|had)\b"
)
_PAST = re.compile(
    r"\b(?:19|20)[0-9]{2}\b|\b(?:resolved|completed|stopped|ago|was given|were given)\b",
    re.IGNORECASE,
)
_TO_COME = re.compile(
    r"\b(?:scheduled (?:for|to)|planned for|plans? (?:for|to)|awaiting|waiting (?:list )?for"
    r"|will (?:undergo|have|receive)|candidate for|considered for|considering)\b[^.;,]{0,40}$",
    re.IGNORECASE,
)
_WASHED_OUT = 31.0
"""Days of a window that a drug no longer taken is out of."""
DOSE = re.compile(
    r"(>=|\u2265|at least|>|more than|<=|\u2264|<|less than|up to|at most)\s*"
    r"([0-9][0-9,]*(?:\.[0-9]+)?)\s*(mcg|\u00b5g|mg|g|units?|iu)\b(?!\s*/\s*(?:kg|m|ml|dl|l))\s*"
    r"(?:(?:/|per |a |each |every )?(?:day|daily|d)\b)?"
)
_TOLD_DOSE = re.compile(
    r"([0-9][0-9,]*(?:\.[0-9]+)?)\s*(mcg|\u00b5g|mg|g|units?|iu)(?!/)\b(.*)", re.IGNORECASE
)
_TIMES = (
    (4, re.compile(r"\b(?:qid|four times|every 6 h)", re.IGNORECASE)),
    (3, re.compile(r"\b(?:tid|three times|every 8 h|thrice)", re.IGNORECASE)),
    (2, re.compile(r"\b(?:bid|twice|two times|every 12 h)", re.IGNORECASE)),
)
_SELDOM = re.compile(r"\b(?:week|month|prn|every other|alternate)", re.IGNORECASE)
_MICROGRAMS = {"mcg": 1.0, "\u00b5g": 1.0, "mg": 1e3, "g": 1e6}
RESPONSE = re.compile(
    r"\b(?:(?:disease )?progress(?:ion|ed|ing)?(?: of (?:the )?disease)? (?:on|after|following"
    r"|during|with|despite)|non-?respon(?:se|sive|ders?) to"
    r"|(?<!heart )(?<!renal )(?<!kidney )(?<!liver )(?<!hepatic )failure"
    r" (?:of|to respond to|with|on)"
    r"|failed|(?:an )?inadequate(?:ly)? (?:response to|controlled (?:by|on|with|despite))"
    r"|refractory to|insufficient response to|no response to|lack of response to"
    r"|relapsed? (?:on|after|following)|recurrence (?:on|after|following))\b"
)
_NO_RESPONSE = re.compile(
    r"\bprogress(?!ive\b)|\brelaps|\brecur|\bfail|\brefractory|\bnot respond|\bnonrespon"
    r"|\bwithout (?:an? )?(?:(?:adequate|sufficient) )?(?:response|benefit|effect|improvement)"
    r"|\b(?:inadequate|insufficient|no|poor) response|\bineffective|\bwithout success",
    re.IGNORECASE,
)
_DID_NOT_WORK = re.compile(
    r"\b(?:failed|fail(?:ed|ing|ure)? (?:of|on|with|to respond to)|refractory to|progress\w* on"
    r"|(?:no|inadequate|poor|insufficient) response to|despite)\b[^.;]{0,60}$",
    re.IGNORECASE,
)
_COUNT = re.compile(
    rf"(?:\b(at least|more than)\s+|(>=|\u2265|>)\s*)?\b({COUNT})\s+"
    r"(?:or more\s+|different\s+|prior\s+|previous\s+|adequate\s+|trials of\s+)*$"
)


class Told(NamedTuple):
    """Whether a part of a criterion holds, and the facts that say so.

    Where it is open, the facts are those that would have to tell more.
    """

    truth: bool | None
    facts: tuple[Fact, ...] = ()


OPEN = Told(None)


def holding(facts: Iterable[Fact] = ()) -> Told:
    """Give what holds by some facts."""
    return Told(truth=True, facts=tuple(facts))


def failing(facts: Iterable[Fact]) -> Told:
    """Give what does not hold by some facts."""
    return Told(truth=False, facts=tuple(facts))


def judge_taken(
    held: Sequence[Fact], absent: Sequence[Fact], *, asked: str, window: AskedTime | None,
    view: NoteView,
) -> Told:  # fmt: skip
    """Say whether one of some treatments was given, now if the criterion asks for now."""
    own = tuple(fact for fact in held if not is_to_come(fact, view))
    if held and not own:
        return Told(None, tuple(held))
    if not own:
        return failing(absent) if absent else OPEN
    now = [fact for fact in own if not _is_over(fact, view)]
    if window is not None:
        return _in_window(own, now, absent, window, view)
    if now or _BEFORE.search(asked) or RESPONSE.search(asked):
        return holding(now or own)
    return failing(own) if _NOW.search(asked) else Told(None, own)


def is_to_come(fact: Fact, view: NoteView) -> bool:
    """Whether an operation is only planned."""
    if fact.kind is not FactKind.PROCEDURE:
        return False
    start = view.note.sentence_at(fact.start).start
    return _TO_COME.search(view.note.text[start : fact.start]) is not None


def _is_over(fact: Fact, view: NoteView) -> bool:
    """Whether a drug is no longer taken, by its state or the words about it; operations stay."""
    if fact.kind is not FactKind.THERAPY or fact.status == "current":
        return False
    if fact.status == "prior" or fact.assertion is Assertion.HISTORICAL:
        return True
    return _PAST.search(view.note.sentence_at(fact.start).text) is not None


def _in_window(
    own: Sequence[Fact], now: Sequence[Fact], absent: Sequence[Fact], window: AskedTime,
    view: NoteView,
) -> Told:  # fmt: skip
    current = tuple(fact for fact in now if fact.status == "current")
    if current:
        return holding(current)
    ago = [(fact, since(fact, view)) for fact in own]
    told = [(fact, None if time is None else window.holds(time)) for fact, time in ago]
    for fact, holds in told:
        if holds:
            return holding((fact,))
    if all(holds is False for _, holds in told):
        return failing(own)
    if absent and window.days <= _WASHED_OUT:
        return failing(absent)
    return Told(None, tuple(own))


def judge_dose(match: re.Match[str], facts: Sequence[Fact]) -> Told:
    """Compare the dose a day with what the criterion asks for."""
    sign, unit = match.group(1), match.group(3).rstrip("s")
    wanted = _amount(match.group(2), unit)
    for fact in facts:
        dose = _TOLD_DOSE.match(fact.detail)
        if dose is None or wanted is None or _SELDOM.search(dose.group(3)):
            continue
        told = _amount(dose.group(1), dose.group(2).lower().rstrip("s"))
        if told is None:
            continue
        daily = told * next((n for n, often in _TIMES if often.search(dose.group(3))), 1)
        return Told(_compare(sign, daily, wanted), (fact,))
    return Told(None, tuple(facts))


def _amount(number: str, unit: str) -> float | None:
    scale = _MICROGRAMS.get(unit)
    return None if scale is None else float(number.replace(",", "")) * scale


def _compare(sign: str, value: float, bound: float) -> bool:
    if sign in (">", "more than"):
        return value > bound
    if sign in ("<", "less than"):
        return value < bound
    return value >= bound if sign in (">=", "\u2265", "at least") else value <= bound


def judge_response(facts: Sequence[Fact], view: NoteView) -> Told:
    """Say whether the note tells that treatments did not work, in their sentence or the next."""
    for fact in facts:
        sentence = view.note.sentence_at(fact.start)
        if _DID_NOT_WORK.search(view.note.text[sentence.start : fact.start]):
            return holding((fact,))
        after = view.note.sentence(sentence.number + 1)
        end = sentence.end if after is None else after.end
        if _NO_RESPONSE.search(view.note.text, fact.end, end):
            return holding((fact,))
    return OPEN


def count_before(lowered: str, start: int) -> float | None:
    """Give how many of what stands at a place a criterion asks for, None if it does not say."""
    match = _COUNT.search(lowered[max(0, start - 40) : start])
    if match is None or match.group(3) in ("a", "an", "no", "none"):
        return None
    number = read_count(match.group(3))
    return number + 1 if (match.group(1) or match.group(2)) in (">", "more than") else number


def lasted(facts: Sequence[Fact], time: AskedTime, view: NoteView) -> Told:
    """Say whether things have been for as long as the criterion asks."""
    for fact in facts:
        period = time_of(fact, view)
        truth = None if period is None else time.holds(period)
        if truth is not None:
            return Told(truth, (fact,))
    return Told(None, tuple(facts))
