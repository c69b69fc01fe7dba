"""`trialyst criteria` shows how criteria are understood; `registry read` keeps it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contracts.contracts import check
from tests.interfaces.cli.conftest import Run
from tests.registry.invented import FIRST, as_line, study

pytestmark = pytest.mark.slow

TEXT = (
    "Inclusion Criteria:\n\n* Any of the following:\n  * Asthma\n  * COPD\n\n"
    "Exclusion Criteria:\n\n* ECOG performance status > 2\n"
)


def test_a_text_is_shown_by_kind_with_what_each_criterion_demands(trialyst: Run) -> None:
    ended = trialyst("criteria", "--text", TEXT)
    assert ended.code == 0
    before, exclusion, after = ended.out.partition("Exclusion:")
    assert exclusion
    assert "Asthma" in before
    assert "one of 2 is enough" in before
    assert "ECOG performance status > 2" in after
    value = trialyst("criteria", "--text", TEXT, "--json").value
    for each in value["criteria"]:
        check("requirement", each["requirement"])
        assert each["reading"]


@pytest.mark.parametrize("arguments", [(), ("NCT90000001", "--text", "x"), ("--text", " ")])
def test_either_trials_or_a_text_must_be_given(trialyst: Run, arguments: tuple[str, ...]) -> None:
    assert trialyst("criteria", *arguments).code == 2


def test_trials_are_shown_as_the_registry_keeps_them_or_as_they_read(
    trialyst: Run, tmp_path: Path
) -> None:
    file, directory = tmp_path / "studies.jsonl", str(tmp_path / "registry")
    file.write_bytes(as_line(study(FIRST, eligibility={"eligibilityCriteria": TEXT})))
    built = trialyst("registry", "build", str(file), "--registry", directory, "--no-requirements")
    assert "Reading criteria" not in built.err
    shown = ("criteria", "NCT90000001", "--registry", directory, "--json")
    before = trialyst(*shown).value
    assert trialyst("registry", "read", "--registry", directory, "--json").value["read"] == 1
    status = trialyst("registry", "status", "--registry", directory, "--json").value
    assert status["requirements"] == 1
    assert trialyst(*shown).value == before
    assert len(before["trials"][0]["criteria"]) == 4
    found = ("count", "--accepts", "ECOG 3", "--registry", directory, "--json")
    assert trialyst(*found).value["total_count"] == 0
