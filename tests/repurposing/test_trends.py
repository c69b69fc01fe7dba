from __future__ import annotations

from datetime import date

import pytest

from trialyst.annotation.sponsors import read_sponsor
from trialyst.repurposing.trends import find_trend

TODAY = date(2026, 11, 16)


@pytest.mark.parametrize(
    ("recent", "earlier", "direction"),
    [
        (12, 10, "rising"),
        (10, 12, "falling"),
        (11, 10, "steady"),
        (5, 4, "unclear"),
        (9, 0, "unclear"),
    ],
)
def test_a_trend_compares_three_whole_years_with_three(
    recent: int, earlier: int, direction: str
) -> None:
    starts = {"2025": recent, "2023": 0, "2022": earlier, "2026": 999, "2019": 999}
    trend = find_trend(starts, TODAY)
    assert trend.direction == direction
    assert trend.recent_years == (2023, 2024, 2025)
    assert (trend.recent_starts, trend.earlier_starts) == (recent, earlier)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Novo Nordisk A/S", "NOVO NORDISK"),
        ("Acme, Inc.", "Acme Inc"),
        ("Acme Co., Ltd.", "acme"),
        ("Hoffmann-La Roche", "Hoffmann La Roche"),
    ],
)
def test_legal_forms_case_and_punctuation_make_no_other_sponsor(one: str, other: str) -> None:
    assert read_sponsor(one).key == read_sponsor(other).key


def test_different_sponsors_stay_apart() -> None:
    assert read_sponsor("Merck KGaA").key != read_sponsor("Merck Sharp & Dohme LLC").key
    assert read_sponsor("Company").key != ""
