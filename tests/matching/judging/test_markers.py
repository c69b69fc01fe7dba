from __future__ import annotations

import pytest

from tests.matching.judging.judging import verdict

LUNG = (
    "A 61-year-old woman with stage IV adenocarcinoma of the lung. EGFR exon 19 deletion; "
    "ALK negative; PD-L1 TPS 10%."
)
BREAST = "A 50-year-old woman with breast cancer: HER2 IHC 3+, ER negative, PR negative."


@pytest.mark.parametrize(
    ("note", "criterion", "kind", "expected"),
    [
        (LUNG, "EGFR exon 19 deletion or L858R mutation", "inclusion", "MET"),
        (LUNG, "EGFR T790M mutation", "inclusion", "NOT_MET"),
        (LUNG, "PD-L1 tumor proportion score >= 50 %", "inclusion", "NOT_MET"),
        (LUNG, "PD-L1 tumor proportion score >= 1 %", "inclusion", "MET"),
        (LUNG, "ALK rearrangement", "exclusion", "NOT_MET"),
        (LUNG, "EGFR mutation", "exclusion", "MET"),
        (BREAST, "HER2-positive breast cancer", "inclusion", "MET"),
        (BREAST, "Estrogen receptor positive, HER2-negative breast cancer", "inclusion", "NOT_MET"),
        (BREAST, "Triple-negative breast cancer", "inclusion", "NOT_MET"),
        (BREAST, "BRCA1 mutation", "inclusion", "UNKNOWN"),
    ],
)
def test_markers_are_compared_with_what_the_note_tells(
    note: str, criterion: str, kind: str, expected: str
) -> None:
    assert verdict(note, criterion, kind) == expected
