from __future__ import annotations

import pytest

from trialyst.errors import AmbiguousQuery, InvalidCrossReference
from trialyst.pathways import parse_gene


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("10", ("ncbigene:10",)),
        ("ncbigene:10", ("ncbigene:10",)),
        ("Entrez Gene:10", ("ncbigene:10",)),
        ("L:10", ("ncbigene:10",)),
        ("tnf", ("symbol:TNF",)),
        ("hgnc.symbol:TNF", ("symbol:TNF",)),
        ("ENSG00000232810", ("ensembl:ENSG00000232810",)),
        ("ensg00000232810.3", ("ensembl:ENSG00000232810",)),
        ("P01375", ("uniprot:P01375", "symbol:P01375")),
        ("uniprot:P01375-2", ("uniprot:P01375",)),
        ("HGNC:11892", ("hgnc:11892",)),
        ("A2M", ("symbol:A2M",)),
    ],
)
def test_a_gene_is_read_by_its_shape(text: str, keys: tuple[str, ...]) -> None:
    assert parse_gene(text).keys == keys


@pytest.mark.parametrize(
    "text", ["HGNC:abc", "HGNC:", "ncbigene:TNF", "ensembl:TNF", "uniprot:7", "chebi:15846", "x:1"]
)
def test_a_prefixed_malformed_id_is_an_invalid_cross_reference(text: str) -> None:
    with pytest.raises(InvalidCrossReference) as told:
        parse_gene(text)
    assert told.value.code == "INVALID_CROSS_REFERENCE"
    assert told.value.invalid_input == text


def test_following_the_hint_of_a_malformed_hgnc_id_works() -> None:
    with pytest.raises(InvalidCrossReference) as told:
        parse_gene("HGNC:abc")
    assert "HGNC:11892" in str(told.value.hint)
    assert parse_gene("HGNC:11892").hgnc == "HGNC:11892"


@pytest.mark.parametrize("text", ["", "  "])
def test_no_gene_is_ambiguous(text: str) -> None:
    with pytest.raises(AmbiguousQuery):
        parse_gene(text)
