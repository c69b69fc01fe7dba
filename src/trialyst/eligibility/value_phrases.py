"""What a text says of a measured thing: a name together with an amount, a class or a word."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from trialyst.eligibility.amounts import Amount
from trialyst.eligibility.analytes import TIMES_NORMAL, Analyte, AnalyteName, get_analyte
from trialyst.eligibility.fitting import Fit, fit_amount, moved_to, to_interval
from trialyst.eligibility.mentions import Mention
from trialyst.eligibility.quantity import Quantity
from trialyst.eligibility.requirement import Bound, Interval

__all__ = [
    "ValuePhrase",
    "build_bare",
    "build_graded",
    "build_phrases",
    "build_valued",
    "is_repeated",
    "join_of_bound",
    "share_amount",
]

Taker = TypeVar("Taker")
_PAIR = 2
_ROUNDING = 0.06
"""How far two numbers for one value in two units may lie apart."""
_LEAST_SYSTOLIC = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuePhrase:
    """A measured thing at `text[start:end]` with what is said of its value."""

    analyte: str
    """Id of `analytes.txt` or `scales.txt`, or the words in lower case where it is in neither."""
    name: str
    words: str
    """The words that name it, `text[name_start:name_end]`."""
    start: int
    end: int
    name_start: int
    name_end: int
    interval: Interval | None = None
    """In the analyte's own unit where `bound` is `UNIT` and the unit is known; a note's value is
    an interval of one number."""
    quantity: Quantity | None = None
    """The value as written, with the unit as written or assumed."""
    unit: str = ""
    """The unit of `interval`."""
    bound: Bound = Bound.UNIT
    state: str = ""
    """`normal`, `abnormal`, `high`, `low`, `positive`, `negative`, `detectable`, `undetectable`;
    empty where there is a number, a class, or nothing but the name."""
    grades: tuple[str, ...] = ()
    """Classes that count, each in the spelling of `scales.txt`."""
    assumed_unit: bool = False
    impossible: bool = False
    """Whether no living patient can have the value."""
    join: str = ""
    """How it stands to the phrase before it where the two share a value or a name: `and`, `or`."""
    given: str = ""
    """For whom it holds, where the text says so: `liver metastases` of "(5 x ULN if ...)"."""


def build_phrases(text: str, mention: Mention, amount: Amount) -> Iterator[ValuePhrase]:
    """Give the phrases of a name and an amount: none where the amount is not of its kind."""
    if mention.analytes and mention.analytes[0].analyte.id == "blood_pressure":
        yield from _pressures(text, mention, amount)
        return
    fitting = [each for each in mention.analytes if _takes(text, each, mention, amount)]
    shared = [each.analyte for each in fitting if each.shared]
    if not shared:
        if fitting:
            yield build_valued(text, mention, fitting[0].analyte, amount)
        return
    written = text[mention.start : mention.end].lower()
    # Of "ALT/AST 45/52" the first number is the first name's.
    shared.sort(key=lambda analyte: written.find(analyte.id[:2]))
    for number, (analyte, share) in enumerate(share_amount(shared, amount)):
        phrase = build_valued(text, mention, analyte, share)
        yield replace(phrase, join=join_of_bound(amount)) if number else phrase


def _takes(text: str, entry: AnalyteName, mention: Mention, amount: Amount) -> bool:
    fit = fit_amount(entry.analyte, amount)
    if fit is None:
        return False
    if entry.needs_unit and text[mention.start : mention.end].isupper():
        return amount.unit != "" or amount.bound is not Bound.UNIT
    if entry.written is not None:
        return fit.plausible and not fit.impossible
    return not entry.needs_value or (fit.plausible and not fit.assumed)


def _pressures(text: str, mention: Mention, amount: Amount) -> Iterator[ValuePhrase]:
    systolic, diastolic = get_analyte("systolic"), get_analyte("diastolic")
    if systolic is None or diastolic is None or fit_amount(systolic, amount) is None:
        return
    if amount.over is not None:
        yield build_valued(text, mention, systolic, amount._replace(over=None))
        below = build_valued(text, mention, diastolic, moved_to(amount, amount.over))
        yield replace(below, join=join_of_bound(amount))
    elif amount.compared and amount.number >= _LEAST_SYSTOLIC:
        yield build_valued(text, mention, systolic, amount)


def build_valued(text: str, mention: Mention, analyte: Analyte, amount: Amount) -> ValuePhrase:
    """Give the phrase of an analyte and an amount that fits it."""
    fit = fit_amount(analyte, amount) or Fit("")
    amount, interval, unit = to_interval(analyte, amount, fit)
    end = amount.number_end if fit.weak and amount.unit else amount.end
    shown = TIMES_NORMAL if amount.bound is Bound.UPPER_LIMIT else fit.unit
    return ValuePhrase(
        analyte=analyte.id,
        name=analyte.name,
        words=" ".join(text[mention.start : mention.end].split()),
        start=min(mention.start, amount.start),
        end=max(end, mention.end),
        name_start=mention.start,
        name_end=mention.end,
        interval=interval,
        quantity=Quantity(amount.number, shown, amount.comparator, amount.last),
        unit=unit,
        bound=amount.bound,
        assumed_unit=fit.assumed,
        impossible=fit.impossible,
    )


def build_bare(text: str, mention: Mention) -> list[ValuePhrase]:
    """Give the phrases of a name alone."""
    entries = [each for each in mention.analytes if not (each.needs_value or each.needs_unit)]
    shared = [each for each in entries if each.shared]
    found = [(each.analyte.id, each.analyte.name) for each in (shared or entries[:1])]
    if not found:
        found = [
            (each.scale.id, each.scale.name) for each in mention.scales[:1] if not each.needs_kind
        ]
    return [build_graded(text, mention, key, name) for key, name in found]


def build_graded(
    text: str, mention: Mention, key: str, name: str, grades: tuple[str, ...] = ()
) -> ValuePhrase:
    """Give the phrase of a name with the classes that count, if any do."""
    return ValuePhrase(
        analyte=key,
        name=name,
        words=text[mention.start : mention.end],
        start=mention.start,
        end=mention.end,
        name_start=mention.start,
        name_end=mention.end,
        grades=grades,
    )


def share_amount(takers: Sequence[Taker], amount: Amount) -> list[tuple[Taker, Amount]]:
    """Give each of several its share: of "AST/ALT 45/52" one number each, else the whole."""
    if amount.over is not None and len(takers) == _PAIR:
        first, second = takers
        return [(first, amount._replace(over=None)), (second, moved_to(amount, amount.over))]
    return [(taker, amount) for taker in takers]


def join_of_bound(amount: Amount) -> str:
    """Say how two join that share a bound: "AST/ALT < 3" is asked of both, "> 3" of either."""
    return "or" if amount.comparator.startswith(">") else "and"


def is_repeated(phrase: ValuePhrase, found: Sequence[ValuePhrase]) -> bool:
    """Say whether a value repeats the one before it in another unit: "9 g/dL (90 g/L)"."""
    for other in reversed(found[-6:]):
        if other.analyte == phrase.analyte and other.name_start == phrase.name_start:
            one, two = other.interval, phrase.interval
            if one is None or two is None or other.bound is not phrase.bound:
                return False
            ends = [(one.low, two.low), (one.high, two.high)]
            known = [(a, b) for a, b in ends if a is not None and b is not None]
            return any(math.isclose(a, b, rel_tol=_ROUNDING) for a, b in known)
    return False
