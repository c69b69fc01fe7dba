"""Numbers of a text with their comparators, ranges, units and limits of normal.

An amount is what stands between "hemoglobin" and the next word: "of at least 9 g/dL", "18.5-30",
"> 2 x ULN", "2 or less", "0, 1 or 2". Times are amounts too, their unit a `PERIODS` one. Every
repetition in the patterns is bounded, so that reading takes time in proportion to the text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from trialyst.eligibility.measures import PERIODS, read_limit, read_measure
from trialyst.eligibility.requirement import Bound, Interval
from trialyst.eligibility.signs import NUMBER_WORDS, Token, read_way, split_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Amount", "find_amounts", "interval_of", "outside"]


_DIGIT = re.compile("[0-9]")
_LETTERS = re.compile("[a-z]+")
_TRIGGERS = frozenset((*NUMBER_WORDS, "uln", "iuln", "unl", "lln", "limit", "limits", "normal"))
"""Words without which a text that has no figure has no amount."""
_INCLUSIVE = re.compile(r"[\s,(]{0,3}(?:both\s)?inclusive(?:ly)?\)?")
_RANGE = frozenset({"-", "to", "through", "thru", "until", "up to", "--", "and up to", "..", "but"})
_LISTS = frozenset({",", "or", "and", "/", "&", ", or", ", and", "and/or", "/or"})
_JOINS = {
    "and": "and",
    "&": "and",
    "but": "and",
    "or": "or",
    "and/or": "or",
    "": "",
    ",": "",
    "/": "or",
    "but not": "and",
    "to": "and",
}
_LONGEST_GAP = 14


class Amount(NamedTuple):
    """A number or a range at `text[start:end]`."""

    start: int
    end: int
    interval: Interval
    unit: str = ""
    """A unit's one spelling, or one of `PERIODS`; empty if none is given."""
    bound: Bound = Bound.UNIT
    number_end: int = 0
    """Where the last number ends, before its unit."""
    number: float = 0.0
    """The first number."""
    last: float | None = None
    """The last one of a range."""
    comparator: str = "="
    compared: bool = False
    """Whether a comparator, a range or a limit says what counts."""
    over: float | None = None
    """What follows a slash: 80 of `120/80`."""
    listed: tuple[float, ...] = ()
    better: str = ""
    """`better` or `worse`, where the direction is the scale's own."""
    join: str = ""
    """How it follows the amount before it: `and`, `or`, or empty where it does not."""
    number_text: str = ""


class _Bounded(NamedTuple):
    """A number with its own comparator, unit and limit."""

    number: float
    sign: str
    start: int
    number_end: int
    end: int
    unit: str
    bound: Bound
    next_token: int


def find_amounts(plain: str) -> tuple[Amount, ...]:
    """Find the amounts of a text that `to_plain` gave, in its order.

    >>> [found] = find_amounts("hemoglobin of at least 9 g/dl")
    >>> found.interval.low, found.unit, found.comparator
    (9.0, 'g/dL', '>=')
    """
    # The same text is asked for by values, ages and times in turn.
    return _cached(plain) if len(plain) < 4_000 else _find(plain)


def outside(amounts: Sequence[Amount], spans: Sequence[tuple[int, int]]) -> list[Amount]:
    """Give the amounts that meet none of some spans, both in the order of the text."""
    kept, at = [], 0
    for amount in amounts:
        while at < len(spans) and spans[at][1] <= amount.start:
            at += 1
        if at == len(spans) or spans[at][0] >= amount.end:
            kept.append(amount)
    return kept


def _find(plain: str) -> tuple[Amount, ...]:
    if _DIGIT.search(plain) is None and _TRIGGERS.isdisjoint(_LETTERS.findall(plain)):
        return ()
    tokens = split_tokens(plain)
    found: list[Amount] = []
    at = 0
    while at < len(tokens):
        amount, after = _amount(plain, tokens, at)
        if amount is not None and (not found or amount.start >= found[-1].end):
            if found:
                amount = _joined(plain, found[-1], amount)
            found.append(amount)
        # Numbers inside what was read, as the 9 of 10^9, are no amounts of their own.
        end = amount.end if amount is not None else 0
        at = max(after, at + 1)
        while at < len(tokens) and tokens[at].start < end:
            at += 1
    return tuple(found)


_cached = lru_cache(maxsize=16)(_find)


def _amount(plain: str, tokens: list[Token], at: int) -> tuple[Amount | None, int]:
    between = tokens[at].kind == "between"
    first = _bounded(plain, tokens, at + between, adjacent_from=tokens[at].end if between else None)
    if first is None:
        return None, at + 1
    start = tokens[at].start if between else first.start
    first = _latest(plain, tokens, first)
    second = _range_end(plain, tokens, first, between=between)
    if second is not None:
        return _ranged(plain, start, first, second), second.next_token
    return _single(plain, tokens, start, first)


def _latest(plain: str, tokens: list[Token], first: _Bounded) -> _Bounded:
    """Of "1.2 -> 2.5" give the last."""
    at = first.next_token
    while (
        at + 1 < len(tokens)
        and tokens[at].kind == "arrow"
        and _is_blank(plain, first.end, tokens[at].start, frozenset())
    ):
        later = _bounded(plain, tokens, at + 1)
        if later is None:
            break
        first, at = later, later.next_token
    return first


def _bounded(
    plain: str, tokens: list[Token], at: int, *, adjacent_from: int | None = None
) -> _Bounded | None:
    """Read `[comparator] number [unit] [limit]`, or a comparator and a limit alone."""
    if at >= len(tokens):
        return None
    token, sign, start = tokens[at], "", tokens[at].start
    if adjacent_from is not None and not _is_blank(plain, adjacent_from, start, _BETWEEN_WORDS):
        return None
    if token.kind == "cmp":
        sign = token.sign
        at += 1
        number = tokens[at] if at < len(tokens) else None
        if (
            number is None
            or number.kind not in ("num", "word")
            or not _is_blank(plain, token.end, number.start, _CMP_WORDS)
        ):
            limit = read_limit(plain, token.end)
            if limit is None:
                return None
            return _Bounded(1.0, sign, start, limit[1], limit[1], "", limit[0], at)
        token = number
    if token.kind not in ("num", "word"):
        return None
    unit, bound, end = read_measure(plain, token)
    if (
        token.kind == "word"
        and bound is Bound.UNIT
        and not unit
        and not sign
        and not _is_listed(plain, token)
    ):
        return None
    return _Bounded(token.number, sign, start, token.end, end, unit, bound, at + 1)


_CMP_WORDS = frozenset("a the of to = : grade stage class or ( [ score age ages".split())
_BETWEEN_WORDS = frozenset(
    "the of a from ages age is score scores values in between and range = :".split()
)
_WORD = re.compile(r"[a-z]+|[^\sa-z]")


def _is_blank(plain: str, start: int, end: int, allowed: frozenset[str]) -> bool:
    if end - start > 24:
        return False
    gap = plain[start:end]
    return not gap.strip() or all(word in allowed for word in _WORD.findall(gap))


_ORDINAL = re.compile(r"^(?:st|nd|rd|th)\b")
_IN_LIST = re.compile(
    r"\s{0,2}(?:,|or|and|to|-|through)\s{1,2}(?:one|two|three|four|five|six|[0-9])"
)


def _is_listed(plain: str, token: Token) -> bool:
    return _IN_LIST.match(plain, token.end) is not None or plain.endswith(
        (" or ", " of ", " to "), 0, token.start
    )


def _range_end(
    plain: str, tokens: list[Token], first: _Bounded, *, between: bool
) -> _Bounded | None:
    """Give the upper end of a range that began."""
    at = first.next_token
    while at < len(tokens) and tokens[at].start < first.end:
        at += 1
    second = _bounded(plain, tokens, at)
    if second is None or second.start - first.end > _LONGEST_GAP:
        return None
    gap = _ORDINAL.sub("", plain[first.end : second.start]).strip(" \t,()")
    if first.bound is not second.bound and Bound.UNIT not in (first.bound, second.bound):
        return None
    if (first.unit in PERIODS) != (second.unit in PERIODS) and first.unit:
        return None
    up, down = first.sign[:1] in ("", ">", "=", "~"), second.sign[:1] in ("", "<", "=", "~")
    if gap in _RANGE or (between and gap in ("and", "&")):
        if first.sign[:1] == "<" and second.sign[:1] in ("", ">"):
            return None
        rising = _size(first, second) <= _size(second, first)
        below_zero = first.number < 0 and second.number < 0
        return second if up and down and (rising or below_zero) else None
    # Records that lost their signs write "= 8.5 g/dL and = 11.5 g/dL".
    opposite = (first.sign[:1] == ">" and second.sign[:1] == "<") or (
        first.sign == "=" and second.sign in ("=", "<", "<=") and gap == "and"
    )
    if (
        opposite
        and gap in ("and", "", "but", "and/or", ";", "&", "or")
        and _size(first, second) < _size(second, first)
    ):
        return second
    if (
        first.sign == ""
        and second.sign == "<="
        and gap == ""
        and plain[second.start : second.start + 2] == "up"
    ):
        return second
    return None


def _size(one: _Bounded, other: _Bounded) -> float:
    unit = one.unit or other.unit
    return one.number * PERIODS.get(unit, 1.0)


def _ranged(plain: str, start: int, low: _Bounded, high: _Bounded) -> Amount:
    if high.number < low.number < 0:
        # "A T-score of -2.5 to -4.0" names the end nearer to normal first.
        low, high = low._replace(number=high.number), high._replace(number=low.number)
    unit = high.unit or low.unit
    first = low.number
    if low.unit in PERIODS and high.unit in PERIODS:
        first *= PERIODS[low.unit] / PERIODS[high.unit]
    end = high.end
    inclusive = _INCLUSIVE.match(plain, end)
    return Amount(
        start,
        inclusive.end() if inclusive else end,
        Interval(first, high.number, low.sign != ">", high.sign != "<"),
        unit,
        high.bound if high.bound is not Bound.UNIT else low.bound,
        number_end=high.number_end,
        number=first,
        last=high.number,
        compared=True,
    )


def _single(
    plain: str, tokens: list[Token], start: int, only: _Bounded
) -> tuple[Amount | None, int]:
    over, listed, at = _listed(plain, tokens, only)
    sign, end, better = only.sign or "=", only.end, ""
    number_end, unit, bound = only.number_end, only.unit, only.bound
    last = listed[-1] if listed else None
    if over is not None or listed:
        final = tokens[at - 1]
        unit, bound, end = read_measure(plain, final)
        number_end = final.end
    way, end = read_way(plain, end)
    if way and not unit and bound is Bound.UNIT:
        unit, end = _period_behind(plain, end)
    if way in ("better", "worse"):
        better = way
    elif way:
        sign = way
    inclusive = _INCLUSIVE.match(plain, end)
    end = inclusive.end() if inclusive else end
    number = only.number
    amount = Amount(
        start,
        end,
        _of_list(sign, listed) if listed else interval_of(sign, number),
        unit,
        bound,
        number_end=number_end,
        number=number,
        last=last,
        comparator=sign,
        compared=sign not in ("=", "~") or bound not in (Bound.UNIT, Bound.PREDICTED),
        over=over,
        listed=listed,
        better=better,
        number_text=plain[only.start : only.number_end],
    )
    return amount, at


def _period_behind(plain: str, at: int) -> tuple[str, int]:
    """Give the "years" of "15 or more years", and where it ends."""
    unit, _, end = read_measure(plain, Token("num", at, at))
    return (unit, end) if unit in PERIODS else ("", at)


def _of_list(sign: str, listed: tuple[float, ...]) -> Interval:
    if sign in ("=", "~"):
        return Interval(min(listed), max(listed))
    return interval_of(sign, listed[-1] if sign.startswith("<") else listed[0])


def interval_of(sign: str, number: float) -> Interval:
    """Give the numbers that a comparator and a number tell."""
    if sign.startswith(">"):
        return Interval(low=number, low_included=sign == ">=")
    if sign.startswith("<"):
        return Interval(high=number, high_included=sign == "<=")
    return Interval(number, number)


def _listed(
    plain: str, tokens: list[Token], only: _Bounded
) -> tuple[float | None, tuple[float, ...], int]:
    """Give what follows a slash, or the numbers of a list, and the token behind them."""
    at = only.next_token
    numbers = [only.number]
    end = only.end
    if only.unit or only.bound is not Bound.UNIT:
        return None, (), at
    while at < len(tokens) and tokens[at].kind in ("num", "word") and len(numbers) < 12:
        token = tokens[at]
        gap = plain[end : token.start]
        if len(gap) > 8 or gap.strip() not in _LISTS:
            break
        if gap.strip() == "/" and len(numbers) == 1 and token.kind == "num":
            return token.number, (), at + 1
        if not token.number.is_integer() or token.number <= numbers[-1] or token.number > 100:
            break
        numbers.append(token.number)
        end = token.end
        at += 1
    return None, tuple(numbers) if len(numbers) > 1 else (), at


def _joined(plain: str, before: Amount, amount: Amount) -> Amount:
    gap = plain[before.end : amount.start]
    if len(gap) > _LONGEST_GAP:
        return amount
    join = _JOINS.get(gap.strip(" ,;)").strip())
    return amount if not join else amount._replace(join=join)
