"""Whether an amount can be one of an analyte, in which unit, and as which interval."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from trialyst.eligibility.amounts import Amount
from trialyst.eligibility.analytes import Analyte
from trialyst.eligibility.measures import PERIODS
from trialyst.eligibility.requirement import Bound, Interval
from trialyst.eligibility.units import convert_number

__all__ = ["Fit", "fit_amount", "is_impossible", "moved_to", "to_interval"]

_WEAK_UNITS = frozenset("C F L in m s g D mM uM month /h K 10^3/uL letters".split())
"""Letters and words that are a unit only where the analyte is given in it."""
_NO_UNIT = ("", "score")
_THOUSANDS = re.compile(r"[0-9]{1,3}\.000$")
_DIGITS = 10
_WIDE = 2.0
"""How far beyond the span of bare numbers a value is still possible."""


class Fit(NamedTuple):
    """How an amount is one of an analyte."""

    unit: str
    """As written or assumed; empty where none is known."""
    assumed: bool = False
    plausible: bool = True
    """Whether a bare number lies where the analyte's do."""
    impossible: bool = False
    weak: bool = False
    """Whether the letter behind the number is no unit here."""


def fit_amount(analyte: Analyte, amount: Amount) -> Fit | None:
    """Say in which unit an amount is one of an analyte, None where it is none.

    >>> from trialyst.eligibility.amounts import find_amounts
    >>> from trialyst.eligibility.analytes import get_analyte
    >>> [amount] = find_amounts("950")
    >>> fit_amount(get_analyte("hemoglobin"), amount).impossible
    True
    """
    given = {unit for unit, _, _ in analyte.units}
    if amount.bound in (Bound.UPPER_LIMIT, Bound.LOWER_LIMIT, Bound.BASELINE):
        return Fit("") if given - {"score"} or not given else None
    if amount.bound is Bound.PREDICTED:
        return Fit("%") if "%" in given else None
    unit = amount.unit
    if unit in given and (unit not in PERIODS or "week" in given or "month" in given):
        return Fit(unit, impossible=is_impossible(analyte, unit, amount.number))
    if unit in PERIODS:
        return None
    if unit == "/mL" and analyte.guess_unit(amount.number) == "/uL":
        # A slip of the pen: nobody has 1500 neutrophils in a milliliter.
        return Fit("/uL")
    if unit and analyte.units and _convert(analyte, amount.number, unit) is not None:
        return Fit(unit, impossible=is_impossible(analyte, unit, amount.number))
    if unit and unit not in _WEAK_UNITS:
        return None
    return _fit_bare(analyte, amount, weak=bool(unit))


def _fit_bare(analyte: Analyte, amount: Amount, *, weak: bool) -> Fit | None:
    spans = [(low, high) for _, low, high in analyte.units if low is not None and high is not None]
    if not spans:
        return Fit("", weak=weak)
    number = amount.number if amount.last is None else amount.last
    guessed = analyte.guess_unit(number)
    if guessed is None:
        guessed = analyte.guess_unit(amount.number)
    if guessed is not None:
        return Fit(guessed, assumed=guessed not in _NO_UNIT, weak=weak)
    known = analyte.unit if len(analyte.units) == 1 or number < 0 else ""
    outside = number < 0 <= min(low for low, _ in spans) or number > _most(analyte)
    return Fit(known, known not in _NO_UNIT, plausible=False, impossible=outside, weak=weak)


def _most(analyte: Analyte) -> float:
    """Give the largest bare number that is possible at all."""
    highs = []
    for unit, _, high in analyte.units:
        if high is not None:
            exact = unit == "score" or (unit == "%" and high <= 100)
            highs.append(max(high, 100.0 if unit == "%" else high) if exact else high * _WIDE)
    return max(highs, default=math.inf)


def is_impossible(analyte: Analyte, unit: str, given: float) -> bool:
    """Say whether no living patient can have a value of an analyte.

    >>> from trialyst.eligibility.analytes import get_analyte
    >>> is_impossible(get_analyte("lvef"), "%", 250)
    True
    """
    for known, low, high in analyte.units:
        if low is None or high is None:
            continue
        number = _convert(analyte, given, unit, known)
        if number is None:
            continue
        share = unit == "%" and high <= 100
        most = 100.0 if share else high if unit == "score" else high * _WIDE
        return number < 0 <= low or number > most
    return False


def _convert(analyte: Analyte, number: float, unit: str, wanted: str | None = None) -> float | None:
    return convert_number(
        number,
        unit,
        analyte.unit if wanted is None else wanted,
        molar_mass=analyte.molar_mass,
        valence=analyte.valence,
    )


def to_interval(analyte: Analyte, amount: Amount, fit: Fit) -> tuple[Amount, Interval, str]:
    """Give an amount as the analyte takes it, its interval in the analyte's unit, and that unit."""
    amount = _adapt(analyte, amount, fit)
    interval = _directed(analyte, amount) if amount.better else amount.interval
    if amount.bound is not Bound.UNIT:
        return amount, interval, ""
    if not fit.unit or fit.unit == analyte.unit:
        return amount, interval, fit.unit
    ends = [
        None if end is None else _convert(analyte, end, fit.unit)
        for end in (interval.low, interval.high)
    ]
    if (ends[0] is None) != (interval.low is None) or (ends[1] is None) != (interval.high is None):
        return amount, interval, fit.unit
    low, high = (None if end is None else _rounded(end) for end in ends)
    moved = Interval(low, high, interval.low_included, interval.high_included)
    return amount, moved, analyte.unit


def _rounded(number: float) -> float:
    return float(f"{number:.{_DIGITS}g}")


def _adapt(analyte: Analyte, amount: Amount, fit: Fit) -> Amount:
    """Read what only this analyte writes so: 0/1 of a score, 20/40 of sight, 100.000 of a count."""
    if amount.over is not None and analyte.id == "bcva" and amount.number > 0 and amount.over > 0:
        # Letters of an ETDRS chart from a Snellen fraction.
        letters = _rounded(round(85 + 50 * math.log10(amount.number / amount.over)))
        return moved_to(amount, letters)
    if amount.over is not None and fit.unit == "score" and amount.over == amount.number + 1:
        return amount._replace(interval=Interval(amount.number, amount.over), last=amount.over)
    if fit.unit == "/uL" and _THOUSANDS.search(amount.number_text) and amount.last is None:
        return moved_to(amount, amount.number * 1000)
    return amount


def moved_to(amount: Amount, number: float) -> Amount:
    """Give an amount of one number with another number."""
    old = amount.interval
    interval = Interval(
        None if old.low is None else number,
        None if old.high is None else number,
        old.low_included,
        old.high_included,
    )
    return amount._replace(number=number, interval=interval, over=None)


def _directed(analyte: Analyte, amount: Amount) -> Interval:
    """Give the numbers that "or better" counts, by where the analyte's usual range lies."""
    span = next(((low, high) for _, low, high in analyte.units if high is not None), (None, None))
    rising = analyte.high is not None and analyte.high == span[1] and analyte.low != span[0]
    if rising == (amount.better == "better"):
        return Interval(low=amount.number)
    return Interval(high=amount.number if amount.last is None else amount.last)
