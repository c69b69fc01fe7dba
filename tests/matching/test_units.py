"""Units are read in many spellings and turned into each other as laboratories do."""

from __future__ import annotations

import pytest

from trialyst.eligibility.analytes import get_analyte, to_common_unit
from trialyst.eligibility.quantity import Quantity
from trialyst.eligibility.units import convert_number, convert_quantity, find_unit, to_unit


@pytest.mark.parametrize(
    ("written", "unit"),
    [
        ("mg/dl", "mg/dL"),
        ("µmol/L", "umol/L"),
        ("x10⁹/L", "10^9/L"),
        ("cells/mm3", "/uL"),
        ("K/uL", "10^3/uL"),
        ("mL/min/1.73 m2", "mL/min/1.73m2"),
        ("IU/L", "U/L"),
        ("°F", "F"),
        ("furlongs", None),
    ],
)
def test_spellings(written: str, unit: str | None) -> None:
    assert to_unit(written) == unit


@pytest.mark.parametrize(
    ("analyte", "number", "unit", "expected"),
    [
        ("creatinine", 88.4, "umol/L", 1.0),
        ("glucose", 5.55, "mmol/L", 100.0),
        ("bilirubin", 17.1, "umol/L", 1.0),
        ("cholesterol", 5.17, "mmol/L", 200.0),
        ("triglycerides", 1.69, "mmol/L", 150.0),
        ("hemoglobin", 120, "g/L", 12.0),
        ("hba1c", 53, "mmol/mol", 7.0),
        ("platelets", 150_000, "/uL", 150.0),
        ("calcium", 2.5, "mmol/L", 10.0),
        ("magnesium", 2.0, "mEq/L", 2.43),
        ("bun", 7.14, "mmol/L", 20.0),
        ("acr", 3.4, "mg/mmol", 30.0),
        ("temperature", 98.6, "F", 37.0),
        ("weight", 220.46, "lb", 100.0),
        ("alt", 0.67, "ukat/L", 40.2),
    ],
)
def test_conversions(analyte: str, number: float, unit: str, expected: float) -> None:
    known = get_analyte(analyte)
    assert known is not None
    converted = to_common_unit(Quantity(number, unit), known)
    assert converted is not None
    assert converted.number == pytest.approx(expected, rel=0.01)


def test_what_does_not_measure_the_same_is_not_converted() -> None:
    assert convert_number(1, "mg/dL", "mmHg") is None
    assert convert_number(1, "mg/dL", "mmol/L") is None


@pytest.mark.slow
def test_units_out_of_the_table_go_to_pint() -> None:
    assert convert_number(2, "hour", "minute") == pytest.approx(120)
    assert convert_number(2, "hour", "nonsense") is None


def test_ranges_and_comparators_are_kept() -> None:
    converted = convert_quantity(Quantity(1, "g/L", ">=", 2), "g/dL")
    assert converted is not None
    assert (converted.number, converted.upper) == pytest.approx((0.1, 0.2))
    assert converted.comparator == ">="


def test_the_longest_unit_at_a_place_is_found() -> None:
    assert find_unit("4 mL/min/1.73m2 today", 1) == ("mL/min/1.73m2", 15)
    assert find_unit("4 men", 1) is None
