"""`Measured`: a laboratory value, vital sign or score against an interval, a state or a class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.eligibility.analytes import get_analyte, to_common_unit
from trialyst.eligibility.answer import Answer, Basis, Verdict
from trialyst.eligibility.comparison.estimates import estimate
from trialyst.eligibility.panels import find_panel
from trialyst.eligibility.requirement import Bound, Interval, Measured

if TYPE_CHECKING:
    from trialyst.eligibility.chart import Entry, LabValue
    from trialyst.eligibility.comparison.case import Case

__all__ = ["answer_measured", "is_asked_of_panel"]

_STATES = {
    # A name that is a finding by itself, such as proteinuria.
    "": (
        frozenset({"", "positive", "high", "detectable"}),
        frozenset({"negative", "undetectable"}),
    ),
    "normal": (
        frozenset({"normal", "negative"}),
        frozenset({"high", "low", "abnormal", "positive"}),
    ),
    "abnormal": (
        frozenset({"high", "low", "abnormal", "positive"}),
        frozenset({"normal", "negative"}),
    ),
    "high": (frozenset({"high", "positive"}), frozenset({"normal", "low", "negative"})),
    "low": (frozenset({"low"}), frozenset({"normal", "high"})),
    "positive": (frozenset({"positive", "detectable"}), frozenset({"negative", "undetectable"})),
    "negative": (frozenset({"negative", "undetectable"}), frozenset({"positive", "detectable"})),
    "detectable": (frozenset({"positive", "detectable"}), frozenset({"negative", "undetectable"})),
    "undetectable": (
        frozenset({"negative", "undetectable"}),
        frozenset({"positive", "detectable"}),
    ),
}


def answer_measured(leaf: Measured, case: Case, *, wanted: bool) -> Answer:
    """Say whether the last value of an analyte is as the leaf asks."""
    values = [each for each in case.chart.lab_values if each.analyte == leaf.analyte]
    for value in reversed(values):
        fits = _fits(leaf, value)
        if fits is not None:
            verdict = Verdict.MET if fits else Verdict.NOT_MET
            return Answer(verdict, Basis.MEASURED, "Measured", (value,), f"{value.text.strip()}.")
    if leaf.interval is None:
        joined = _of_panel(leaf, case)
        if joined is not None:
            return joined
    guessed = estimate(leaf.analyte, case.chart)
    if guessed is not None and leaf.interval is not None and leaf.bound is Bound.UNIT:
        fits = leaf.interval.contains(guessed.number)
        if guessed.at_least:
            fits = _is_within(leaf.interval, guessed.number, above=True)
        if fits is not None:
            verdict = Verdict.MET if fits else Verdict.NOT_MET
            return Answer(verdict, Basis.ESTIMATED, "Measured", guessed.evidence, guessed.why)
    return case.silent(
        "Measured",
        "value" if leaf.interval is not None else "state",
        wanted=wanted,
        missing=leaf.words,
        evidence=tuple(values[-1:]),
    )


_HARMLESS = frozenset({"creatinine", "bun", "ast", "alt", "alp", "bilirubin"})
"""Analytes of which too little is no sign of a failing organ."""
_DISTURBED = frozenset({"abnormal", "high", "low"})


def is_asked_of_panel(leaf: Measured) -> bool:
    """Whether values of other analytes may answer a leaf, or a failing organ."""
    return leaf.interval is None and find_panel(leaf.words) is not None


def _of_panel(leaf: Measured, case: Case) -> Answer | None:
    """Answer "normal renal function" from the values that tell of it, or from a failing organ."""
    panel = find_panel(leaf.words)
    if panel is None or leaf.state not in ("normal", *_DISTURBED):
        return None
    failing = [
        each
        for each in case.chart.problems
        if each.holds and any(tree.startswith(panel.failing) for tree in each.what.trees)
    ]
    told: dict[str, LabValue] = {}
    for value in case.chart.lab_values:
        if value.analyte in panel.analytes and _is_disturbed(value) is not None:
            told[value.analyte] = value
    disturbed = [value for value in told.values() if _is_disturbed(value)]
    shown: tuple[Entry, ...] = (*failing, *(disturbed or told.values()))
    if not shown:
        return None
    holds = bool(failing or disturbed) == (leaf.state in _DISTURBED)
    verdict = Verdict.MET if holds else Verdict.NOT_MET
    why = "; ".join(dict.fromkeys(each.text.strip() for each in shown[:3]))
    return Answer(verdict, Basis.ESTIMATED, "Measured", shown[:3], f"{why}.")


def _is_disturbed(value: LabValue) -> bool | None:
    state = value.status or _range_state(value.analyte, value)
    if state == "low" and value.analyte in _HARMLESS:
        return False
    return state != "normal" if state else None


def _fits(leaf: Measured, value: LabValue) -> bool | None:
    if leaf.values:
        return value.grade in leaf.values if value.grade else None
    if leaf.interval is not None:
        return _in_interval(leaf, leaf.interval, value)
    return _in_state(leaf, value)


def _in_interval(leaf: Measured, interval: Interval, value: LabValue) -> bool | None:
    number = _number(leaf, value)
    if number is None:
        return _word_in_interval(leaf, interval, value)
    comparator = "=" if value.value is None else value.value.comparator
    if comparator[0] in "<>":
        return _is_within(interval, number, above=comparator[0] == ">")
    return interval.contains(number)


def _is_within(interval: Interval, bound: float, *, above: bool) -> bool | None:
    """Say whether all numbers above or below a bound lie in an interval; None if only some do."""
    near, far = (interval.low, interval.high) if above else (interval.high, interval.low)
    if far is not None:
        apart = far <= bound if above else far >= bound
        return False if apart else None
    inside = near is None or (near <= bound if above else near >= bound)
    return True if inside else None


def _number(leaf: Measured, value: LabValue) -> float | None:
    """Give a value in what the interval is counted in."""
    analyte, quantity = get_analyte(leaf.analyte), value.value
    if quantity is None:
        return _grade_number(value.grade)
    if analyte is None:
        return quantity.number if quantity.unit == leaf.unit or not leaf.unit else None
    common = to_common_unit(quantity, analyte)
    if common is None:
        return None
    if leaf.bound is Bound.UPPER_LIMIT:
        return None if not analyte.high else common.number / analyte.high
    if leaf.bound is Bound.LOWER_LIMIT:
        return None if not analyte.low else common.number / analyte.low
    return None if leaf.bound is Bound.BASELINE else common.number


_ROMAN = {"I": 1.0, "II": 2.0, "III": 3.0, "IV": 4.0, "V": 5.0}


def _grade_number(grade: str) -> float | None:
    if grade in _ROMAN:
        return _ROMAN[grade]
    return float(grade) if grade.replace(".", "", 1).isdigit() else None


def _word_in_interval(leaf: Measured, interval: Interval, value: LabValue) -> bool | None:
    """Say whether "normal" or "elevated" lies in an interval, where that is plain."""
    analyte = get_analyte(leaf.analyte)
    if analyte is None or value.status != "normal" or analyte.low is None or analyte.high is None:
        return None
    ends: tuple[float, float] = (analyte.low, analyte.high)
    if leaf.bound is Bound.UPPER_LIMIT:
        ends = (0.0, 1.0)
    inside = [interval.contains(end) for end in ends]
    if all(inside):
        return True
    return False if not any(inside) else None


def _in_state(leaf: Measured, value: LabValue) -> bool | None:
    if leaf.state == "measured":
        return True
    state = value.status or _state_of(leaf, value)
    fits, contrary = _STATES.get(leaf.state, (frozenset({leaf.state}), frozenset[str]()))
    if state in fits:
        return True
    return False if state in contrary else None


def _state_of(leaf: Measured, value: LabValue) -> str:
    return _range_state(leaf.analyte, value, _number(leaf, value))


def _range_state(name: str, value: LabValue, number: float | None = None) -> str:
    analyte = get_analyte(name)
    if analyte is not None and number is None and value.value is not None:
        common = to_common_unit(value.value, analyte)
        number = None if common is None else common.number
    if analyte is None or number is None or analyte.low is None or analyte.high is None:
        return ""
    if number > analyte.high:
        return "high"
    return "low" if number < analyte.low else "normal"
