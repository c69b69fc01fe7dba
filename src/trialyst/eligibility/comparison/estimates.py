"""Values that follow from others: body-mass index, filtration rate, performance scales."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trialyst.eligibility.analytes import get_analyte, to_common_unit
from trialyst.eligibility.chart import Chart, Entry, LabValue, SexCode

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["METHODS", "Estimate", "estimate"]

_KARNOFSKY = {0: 100, 1: 80, 2: 60, 3: 40, 4: 20}
_ADULT = 18


class Estimate(NamedTuple):
    """A calculated value in the analyte's own unit, and what it was calculated from."""

    number: float
    evidence: tuple[Entry, ...]
    why: str
    at_least: bool = False
    """Whether it is only the least that the value can be."""


def estimate(analyte: str, chart: Chart) -> Estimate | None:
    """Calculate a value that the chart does not give, where others do."""
    method = METHODS.get(analyte)
    return None if method is None else method(chart)


def _last(chart: Chart, analyte: str) -> tuple[LabValue, float] | None:
    known = get_analyte(analyte)
    for value in reversed(chart.lab_values):
        if known is not None and value.analyte == analyte and value.value is not None:
            common = to_common_unit(value.value, known)
            if common is not None:
                return value, common.number
    return None


def _bmi(chart: Chart) -> Estimate | None:
    weight, height = _last(chart, "weight"), _last(chart, "height")
    if weight is None or height is None or height[1] <= 0:
        return None
    number = weight[1] / (height[1] / 100) ** 2
    return Estimate(number, (weight[0], height[0]), f"Weight and height give {number:.1f} kg/m2.")


def _weight(chart: Chart) -> Estimate | None:
    """Give the least that people of an age weigh, but for a few in a hundred."""
    if chart.age is None:
        return None
    least = max(weight for years, weight in _LEAST_WEIGHTS if chart.age.years >= years)
    why = f"At {chart.age} hardly anybody weighs less than {least:g} kg."
    return Estimate(least, chart.demographics[:1], why, at_least=True)


def _filtration(chart: Chart) -> Estimate | None:
    """Estimate the filtration rate by CKD-EPI 2021."""
    creatinine = _last(chart, "creatinine")
    if creatinine is None or chart.age is None or chart.sex is None or chart.age.years < _ADULT:
        return None
    female = chart.sex is SexCode.FEMALE
    kappa, alpha = (0.7, -0.241) if female else (0.9, -0.302)
    ratio = creatinine[1] / kappa
    rate = 142 * min(ratio, 1) ** alpha * max(ratio, 1) ** -1.2 * 0.9938**chart.age.years
    rate *= 1.012 if female else 1
    why = f"Creatinine, age and sex give about {rate:.0f} mL/min/1.73 m2."
    return Estimate(rate, (creatinine[0],), why)


def _karnofsky(chart: Chart) -> Estimate | None:
    ecog = _last(chart, "ecog")
    if ecog is None or round(ecog[1]) not in _KARNOFSKY:
        return None
    number = _KARNOFSKY[round(ecog[1])]
    return Estimate(number, (ecog[0],), f"ECOG {ecog[1]:g} is about Karnofsky {number}.")


def _ecog(chart: Chart) -> Estimate | None:
    karnofsky = _last(chart, "karnofsky")
    if karnofsky is None:
        return None
    number = min(4, max(0, (100 - karnofsky[1]) // 20))
    if karnofsky[1] >= 90:
        number = 0
    elif karnofsky[1] >= 70:
        number = 1
    return Estimate(
        number, (karnofsky[0],), f"Karnofsky {karnofsky[1]:g} is about ECOG {number:g}."
    )


_LEAST_WEIGHTS = (
    (0, 1.5),
    (0.25, 4),
    (0.5, 5),
    (1, 7),
    (2, 9),
    (4, 12),
    (8, 19),
    (12, 28),
    (18, 40),
)
"""Years of age, and the third percentile of weight in kg from then on."""
METHODS: dict[str, Callable[[Chart], Estimate | None]] = {
    "bmi": _bmi,
    "weight": _weight,
    "egfr": _filtration,
    "creatinine_clearance": _filtration,
    "karnofsky": _karnofsky,
    "ecog": _ecog,
}
"""By analyte, how its value follows from others."""
