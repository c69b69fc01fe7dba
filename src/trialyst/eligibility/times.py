"""Times: windows and durations of a criterion, and when a note says something was."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from trialyst.eligibility.ages import find_ages
from trialyst.eligibility.amounts import Amount, find_amounts, outside
from trialyst.eligibility.chart import TimePoint
from trialyst.eligibility.dates import find_dates
from trialyst.eligibility.measures import PERIODS
from trialyst.eligibility.requirement import Interval, Window
from trialyst.eligibility.signs import to_plain

if TYPE_CHECKING:
    from datetime import date

__all__ = ["NotedTime", "TimePhrase", "find_times", "find_windows"]

_BY_PERIOD = re.compile(r"year|yr|month|\bmo\b|week|wk|day|hour|\bhr|\bh\b|decade|minute")
_WITHIN = re.compile(
    r"\b(?:(?:with)?in|during|over|throughout|for|of|at|from)?\s{0,3}(?:the\s{1,3}|a\s{1,3}"
    r"|their\s{1,3})?"
    r"(?P<last>past|last|previous|prior|preceding|recent)\s{0,3}[(]?$|\b(?P<within>within|during|in"
    r"|over)\s{1,3}(?:the\s{1,3}|a\s{1,3}|approximately\s{1,3}|about\s{1,3})?(?:period of\s{1,3}"
    r"|first\s{1,3})?$"
)
_FOR = re.compile(
    r"\b(?P<for>for|lasting|lasted|persist(?:ing|s|ed|ent)(?: for)?|duration|durations|of duration"
    r"|present|stable|history|remission|since|experienced|existing|continuously|diagnosed"
    r"|symptomatic|symptoms?|ongoing)"
    r"(?:[\s:=(,]|\b(?:of|the|a|an|is|was|at|least|must|be|been|has|have|for|disease|symptoms?"
    r"|period|total|minimum|lasting)\b){0,6}$"
)
_RATE = re.compile(r"\b(?:every|per|each|a)\s{1,2}$|(?:times|/)\s{0,2}$")
_ENDED = re.compile(
    r"\b(?:complet|stop|discontinu|wash|off\b|finish|end(?:ed|ing)|interrupt|withdr[ae]w|ceas|free"
    r"|abst|last dose|recover|elapsed|terminated|refrain)"
)
_AFTER = re.compile(
    r"[\s,()]{0,3}(?:(?P<dur>(?:'s?\s{0,2}|in\s|of\s)?(?:duration|history)\b|long\b|or (?:longer"
    r"|more)\b(?!\s(?:prior|before|ago|after|since|from))|history of)"
    r"|(?P<wash>(?:drug[\s-]|medication[\s-]|treatment[\s-])?wash-?\s?out)"
    r"|(?:or\s(?:longer|more|greater)\s)?(?:(?:or|and)\s[0-9][^,;.()]{0,25}?half[-\s]li(?:ves"
    r"|fe)[^,;.()]{0,20}?\s{1,2})?(?:\(?whichever[^,;.()]{3,20}\)?\s{0,2})?(?:immediately\s"
    r"|just\s)?"
    r"(?P<cue>ago\b|prior\sto|prior\b|before|preceding|earlier|previous(?:ly)?(?:\sto)?"
    r"|leading up to|in advance of|until|till|of(?=\s(?:the\s)?(?:first|study|screen|enrol|randomi"
    r"|baseline|entry|inclusion|registr|treatment|initiat|start|planned|day|dosing|consent"
    r"|beginning|investig|receiv|onset|surgery|diagnosis|injury|birth|stroke|transplant))"
    r"|from|since|after|following|post|of)(?![a-z]))"
)
_ANCHOR = re.compile(r"[\s-]{1,3}((?:[^\s,;.:()\[\]]{1,30}[\s]?){1,6})")
_TRIAL = re.compile(
    r"screen|baseline|enrol|randomi|stud(?:y|ies)|entry|inclu|consent|regist|visit|dos(?:e|ing)\b"
    r"|day|cycle|trial|investigational|recruit|start|initiat|first|beginning|protocol|treatment"
    r"|assignment|admission into|participat|present|today|now|drug|administration|test product"
    r"|vaccination|imp\b|allocation"
)
_ANCHOR_STOPS = re.compile(
    r"\b(?:and|or|with|unless|except|that|which|who|but|is|are|was|were|if|will|must|should"
    r"|excluding|including|by|on|as|due|for|to be)\b"
)
_NO_NUMBER = re.compile(
    r"\b(?:with)?(?:in|during|over|for)\s{1,2}(?:the\s{1,2}|a\s{1,2})?(?P<last>past|last|previous"
    r"|prior|preceding)?\s{0,2}(?P<unit>year|month|week|day|decade|hour)\b(?!s)"
    r"|\b(?:the\s{1,2})?(?P<last2>past|last|previous)\s{1,2}(?P<unit2>year|month|week|decade)\b"
    r"|\b(?:an?|one)\s{1,2}(?P<unit3>year|month|week|day|decade)\s{1,2}(?P<ago>ago|prior|before"
    r"|earlier)\b"
)
_REACH = 70


class TimePhrase(NamedTuple):
    """A window or duration at `text[start:end]`."""

    start: int
    end: int
    window: Window


def find_windows(text: str) -> list[TimePhrase]:
    """Find the windows and durations of a criterion, in its order; ages are none.

    >>> [found] = find_windows("Major surgery within 4 weeks of enrollment")
    >>> found.window.within, found.window.anchor
    (28.0, '')
    """
    plain = to_plain(text)
    if _BY_PERIOD.search(plain) is None:
        return []
    ages = [(age.start, age.end) for age in find_ages(text)]
    found = []
    for amount in outside(find_amounts(plain), ages):
        phrase = _window(text, plain, amount) if amount.unit in PERIODS else None
        if phrase is not None:
            found.append(phrase)
    taken = [each.start for each in found]
    for match in _NO_NUMBER.finditer(plain):
        place = bisect_right(taken, match.start())
        near = found[max(0, place - 1) : place + 1]
        if not any(each.start < match.end() and match.start() < each.end for each in near):
            found += _without_number(text, plain, match)
    return sorted(found, key=lambda each: each.start)


def _without_number(text: str, plain: str, match: re.Match[str]) -> list[TimePhrase]:
    if match["unit"] and not match["last"] and not match.group().startswith(("within", "in the")):
        return []
    unit = match["unit"] or match["unit2"] or match["unit3"]
    _, end, anchor = _read_anchor(text, plain, match.end())
    window = Window(within=PERIODS[unit], anchor=anchor, words=text[match.start() : end])
    return [TimePhrase(match.start(), end, window)]


def _window(text: str, plain: str, amount: Amount) -> TimePhrase | None:
    begin = max(0, amount.start - _REACH)
    before = plain[begin : amount.start]
    within = _WITHIN.search(before)
    lasting = _FOR.search(before)
    after = _AFTER.match(plain, amount.end)
    end, anchor = amount.end, ""
    cue = ""
    if after is not None:
        end = after.end()
        cue = after["cue"] or ("wash" if after["wash"] else "duration")
        if after["cue"]:
            cue, end, anchor = _read_anchor(text, plain, amount.end)
    days = _days(amount)
    start = amount.start
    if within is not None and not (lasting and within["last"] is None):
        start = begin + within.start()
    elif lasting is not None:
        start = begin + lasting.start()
    kind = _kind(before, amount, cue, within=within, lasting=lasting)
    if kind == "":
        return None
    start += len(text[start:end]) - len(text[start:end].lstrip())
    if text[end : end + 1] == ")" and text.count("(", start, end) > text.count(")", start, end):
        end += 1
    return TimePhrase(start, end, _built(kind, days, amount, anchor, text[start:end]))


def _kind(
    before: str,
    amount: Amount,
    cue: str,
    *,
    within: re.Match[str] | None,
    lasting: re.Match[str] | None,
) -> str:
    """Say whether an amount of time is a window, a time since or a duration."""
    if within is not None and (within["last"] or within["within"] == "within"):
        return (
            "lasting"
            if lasting is not None and lasting["for"] == "for" and within["last"]
            else "within"
        )
    if cue == "wash":
        return "beyond"
    if cue == "duration" or (lasting is not None and lasting["for"] not in ("since", "diagnosed")):
        return "lasting"
    if cue:
        if amount.comparator.startswith(">"):
            return "beyond"
        if amount.comparator.startswith("<") or within is not None:
            return "within"
        return (
            "beyond"
            if _ENDED.search(before) or cue in ("after", "since", "following", "post")
            else "within"
        )
    if within is not None and within["within"] in ("during", "in", "over") and not amount.compared:
        return "within"
    if lasting is not None:
        return "lasting"
    return "lasting" if amount.compared and _RATE.search(before) is None else ""


def _days(amount: Amount) -> Interval:
    size = PERIODS[amount.unit]
    low, high = amount.interval.low, amount.interval.high
    return Interval(None if low is None else low * size, None if high is None else high * size)


def _built(kind: str, days: Interval, amount: Amount, anchor: str, words: str) -> Window:
    number = amount.number * PERIODS[amount.unit]
    if kind == "within":
        if amount.last is not None:
            return Window(within=days.high, beyond=days.low, anchor=anchor, words=words)
        return Window(within=number, anchor=anchor, words=words)
    if kind == "beyond":
        most = days.high if amount.last is not None else None
        return Window(beyond=number, within=most, anchor=anchor, words=words)
    if amount.last is not None:
        return Window(
            lasting_at_least=days.low, lasting_at_most=days.high, anchor=anchor, words=words
        )
    if amount.comparator.startswith("<"):
        return Window(lasting_at_most=number, anchor=anchor, words=words)
    return Window(lasting_at_least=number, anchor=anchor, words=words)


def _read_anchor(text: str, plain: str, at: int) -> tuple[str, int, str]:
    """Give the cue behind a time, where the phrase ends, and the anchor if not the trial."""
    after = _AFTER.match(plain, at)
    if after is None or not after["cue"]:
        return "", at, ""
    cue, end = after["cue"], after.end()
    if cue in ("ago", "earlier"):
        return cue, end, ""
    match = _ANCHOR.match(plain, end)
    if match is None:
        return cue, end, ""
    words = match.group(1)
    stop = _ANCHOR_STOPS.search(words)
    words = words[: stop.start()] if stop else words
    if not words.strip():
        return cue, end, ""
    end = match.start(1) + len(words.rstrip())
    anchor = text[match.start(1) : end]
    return cue, end, "" if _TRIAL.search(words) else anchor.removeprefix("the ")


class NotedTime(NamedTuple):
    """When something was, at `text[start:end]`."""

    start: int
    end: int
    when: TimePoint
    future: bool = False
    """Whether it lies after the day of the note."""


_NOTED = re.compile(
    r"year|yr|month|week|wk|day|hour|\bhr|date|last|night|morning|[0-9]{4}|pod|/|\bmo\b|now\b"
    r"|\bx ?[0-9]"
)
_RELATIVE = {
    "today": (0.0, 0.0), "this morning": (0.0, 0.5), "tonight": (0.0, 0.5),
    "yesterday": (1.0, 1.0), "last night": (0.5, 1.0), "last week": (1.0, 14.0),
    "last month": (1.0, 61.0), "this week": (0.0, 7.0), "last year": (1.0, 731.0),
    "this year": (0.0, 366.0), "this month": (0.0, 31.0), "earlier today": (0.0, 1.0),
}  # fmt: skip
_WORDS_AGO = re.compile(
    r"\b(?:" + "|".join(_RELATIVE) + r")\b|\b(?P<vague>several|a few|few|many|a couple of|couple of"
    r"|some|an?)\s(?P<unit>day|week|month|year|decade|hour)s?\s(?:ago|prior|earlier|before)\b"
)
_VAGUE = {
    "several": (2.0, 8.0),
    "a few": (2.0, 5.0),
    "few": (2.0, 5.0),
    "many": (5.0, 40.0),
    "some": (1.0, 10.0),
}
_POD = re.compile(
    r"\b(?:pod|post-?\s?op(?:erative)? day|hospital day|hd)\s?#?\s?(?P<days>[0-9]{1,3})\b"
)
_AGO = re.compile(
    r"[\s,]{0,2}(?:ago\b|prior\b|earlier\b|before\b|previously\b|back\b|(?P<future>from now|later))"
)
_PAST = re.compile(
    r"\b(?P<for>for\s{1,2}|x\s{0,2})?(?:in|over|during|within)?\s{0,2}(?:the\s)?(?:past|last"
    r"|previous|preceding)\s{1,2}$"
)
_LASTS = re.compile(
    r"\b(?:for|lasting|of|duration(?: of)?|x)\s{0,2}(?:about\s|approximately\s|over\s|nearly\s"
    r"|the\s|at least\s){0,2}$"
)
_HISTORY = re.compile(
    r"[\s-]{0,2}(?:'?\s?(?:long\s)?(?:history|h/o|hx|duration|course|of symptoms)\b)"
)


def find_times(text: str, as_of: date | None = None) -> list[NotedTime]:
    """Find when a note says something was; dates need `as_of`, the day of the note.

    >>> [found] = find_times("carboplatin 12 days ago")
    >>> found.when.days_ago
    (12.0, 12.0)
    """
    plain = to_plain(text)
    if _NOTED.search(plain) is None:
        return []
    found = [*_dates(text, plain, as_of), *_relative(text, plain), *_periods(text, plain)]
    kept: list[NotedTime] = []
    for each in sorted(found, key=lambda time: (time.start, -time.end)):
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
    return kept


def _periods(text: str, plain: str) -> list[NotedTime]:
    found = []
    for amount in find_amounts(plain):
        if amount.unit not in PERIODS:
            continue
        before = plain[max(0, amount.start - 30) : amount.start]
        offset = max(0, amount.start - 30)
        ago, past = _AGO.match(plain, amount.end), _PAST.search(before)
        lasts, history = _LASTS.search(before), _HISTORY.match(plain, amount.end)
        low, high = _spread(amount)
        if ago is not None:
            future = ago["future"] is not None
            end = ago.end()
            point = TimePoint(text[amount.start : end], None if future else (low, high))
            found.append(NotedTime(amount.start, end, point, future))
        elif past is not None and not past["for"]:
            start = offset + past.start()
            found.append(
                NotedTime(start, amount.end, TimePoint(text[start : amount.end], (0.0, high)))
            )
        elif history is not None or lasts is not None or past is not None:
            cue = past or lasts
            start = offset + cue.start() if cue else amount.start
            end = history.end() if history else amount.end
            found.append(NotedTime(start, end, TimePoint(text[start:end], lasting=(low, high))))
    return found


def _spread(amount: Amount) -> tuple[float, float]:
    """Give the days a number of units may mean: a day is a day, a year half a year either way."""
    size = PERIODS[amount.unit]
    low, high = amount.number, amount.number if amount.last is None else amount.last
    if amount.comparator.startswith(">"):
        return low * size, (low * 2 + 1) * size
    if amount.comparator.startswith("<"):
        return 0.0, low * size
    slack = 0.0 if size <= 1 else 0.5
    return max(0.0, low - slack) * size, (high + slack) * size


def _relative(text: str, plain: str) -> list[NotedTime]:
    found = []
    for match in _WORDS_AGO.finditer(plain):
        words = match.group()
        days = _RELATIVE.get(words)
        if days is None:
            low, high = _VAGUE.get(
                match["vague"], (1.0, 1.0) if match["vague"] in ("a", "an") else (2.0, 2.0)
            )
            size = PERIODS[match["unit"]]
            days = (max(0.0, low - 0.5) * size, (high + 0.5) * size)
        found.append(NotedTime(*match.span(), TimePoint(text[match.start() : match.end()], days)))
    for match in _POD.finditer(plain):
        days = (float(match["days"]), float(match["days"]))
        found.append(NotedTime(*match.span(), TimePoint(text[match.start() : match.end()], days)))
    return found


def _dates(text: str, plain: str, as_of: date | None) -> list[NotedTime]:
    found = []
    for told in find_dates(plain):
        words = text[told.start : told.end]
        if as_of is None:
            found.append(NotedTime(told.start, told.end, TimePoint(words)))
            continue
        least, most = float((as_of - told.last).days), float((as_of - told.first).days)
        days = (max(0.0, least), max(0.0, most))
        point = TimePoint(words, (0.0, days[1]), days) if told.since else TimePoint(words, days)
        found.append(NotedTime(told.start, told.end, point, future=most < 0))
    return found
