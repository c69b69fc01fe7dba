from __future__ import annotations

import pytest
from pydantic import ValidationError

from trialyst.agents.sentences import MOST_CITED, SentenceKind, coverage, finding, method

TEN = [f"NCT{number:08d}" for number in range(1, 11)]


def test_a_finding_without_a_source_cannot_be_made() -> None:
    with pytest.raises(ValidationError, match="without a source"):
        finding("Something failed.")


def test_sources_stand_before_the_full_stop() -> None:
    told = finding("It stopped.", TEN[:1], ["31"])
    assert told.cited == "It stopped (NCT00000001; PMID 31)."


def test_many_sources_are_cut_in_text_and_kept_in_the_value() -> None:
    told = finding("They stopped.", [*TEN, *TEN])
    assert told.cited.endswith(f"and {10 - MOST_CITED} more).")
    assert told.nct_ids == tuple(TEN)


@pytest.mark.parametrize(
    ("make", "kind"), [(coverage, SentenceKind.COVERAGE), (method, SentenceKind.METHOD)]
)
def test_method_and_coverage_need_no_source(make: type, kind: SentenceKind) -> None:
    told = make("So it was done.")
    assert (told.kind, told.cited) == (kind, "So it was done.")
