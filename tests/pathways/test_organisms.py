from __future__ import annotations

import json
from pathlib import Path

import pytest

from trialyst.errors import InvalidInput
from trialyst.pathways import parse_organism


@pytest.mark.parametrize(
    ("common", "scientific"),
    [
        ("human", "Homo sapiens"),
        ("Mouse", "Mus musculus"),
        (" rat ", "Rattus norvegicus"),
        ("H. sapiens", "Homo sapiens"),
        ("homo sapiens", "Homo sapiens"),
        ("C. elegans", "Caenorhabditis elegans"),
        ("fruit fly", "Drosophila melanogaster"),
        ("Fruit Flies", "Drosophila melanogaster"),
        ("HUMANS", "Homo sapiens"),
        ("chickens", "Gallus gallus"),
        ("mosquitoes", "Anopheles gambiae"),
        ("murine", "Mus musculus"),
        ("house mouse", "Mus musculus"),
    ],
)
def test_a_common_name_is_refused_and_the_hint_gives_the_right_one(
    common: str, scientific: str
) -> None:
    with pytest.raises(InvalidInput) as told:
        parse_organism(common)
    assert told.value.code == "INVALID_INPUT"
    assert repr(scientific) in str(told.value.hint)
    assert parse_organism(scientific) == scientific


@pytest.mark.parametrize("text", ["", "   ", "Homo", "9606", "the human being himself"])
def test_what_names_no_organism_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="not the scientific name") as told:
        parse_organism(text)
    assert "Homo sapiens" in str(told.value.hint)


def test_every_organism_of_the_site_is_accepted(facts_dir: Path) -> None:
    listed = json.loads((facts_dir / "wikipathways" / "listOrganisms.json").read_text("utf-8"))
    assert [parse_organism(name) for name in listed["organisms"]] == listed["organisms"]
    assert parse_organism("Homo_sapiens") == "Homo sapiens"
