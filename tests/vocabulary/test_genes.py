"""Genes by the names people use."""

from __future__ import annotations

import pytest

from tests.each_case import on_each_case
from trialyst.vocabulary import Kind, Vocabulary, symbol_of_alias, symbols_of_alias

SYMBOLS = {
    "TP53": ["TP53", "tp53", "p53", "P53"],
    "ERBB2": ["HER2", "HER-2", "her2", "HER-2/neu", "HER2/neu", "neu", "ErbB2"],
    "CD274": ["PD-L1", "PDL1", "pd-l1", "PD L1", "B7-H1"],
    "PDCD1": ["PD-1", "PD1", "pd1"],
    "MS4A1": ["CD20", "cd20"],
    "MET": ["c-MET", "cMET", "MET", "met"],
    "VEGFA": ["VEGF", "VEGF-A", "vegfa"],
    "KDR": ["VEGFR2", "VEGFR-2"],
    "TNF": ["TNF-alpha", "TNFα", "TNF"],
    "CTNNB1": ["β-catenin", "beta-catenin"],
    "HIF1A": ["HIF-1α", "HIF1A"],
    "ESR1": ["estrogen receptor", "ER", "ERα"],
    "EGFR": ["EGFR", "HER1", "epidermal growth factor receptor"],
    "VIM": ["vimentin"],
    "BRCA1": ["BRCA1", "brca-1"],
    "PRKN": ["PARK2", "parkin"],
}


@on_each_case(
    ("symbol", "name"), [(symbol, name) for symbol, names in SYMBOLS.items() for name in names]
)
def test_every_name_of_a_gene_leads_to_its_symbol(
    vocabulary: Vocabulary, symbol: str, name: str
) -> None:
    assert symbol_of_alias(vocabulary, name) == symbol


@pytest.mark.parametrize(
    ("name", "symbols"),
    [
        ("MEK", ("MAP2K1", "MAP2K2")),
        ("BCR-ABL", ("ABL1", "BCR")),
        ("AMPK", ("PRKAA1", "PRKAA2")),
    ],
)
def test_a_name_of_several_genes_gives_all_and_no_single_one(
    vocabulary: Vocabulary, name: str, symbols: tuple[str, ...]
) -> None:
    assert symbol_of_alias(vocabulary, name) is None
    assert set(symbols_of_alias(vocabulary, name)) == set(symbols)


@pytest.mark.parametrize("name", ["", "xyzzy", "breast cancer", "pembrolizumab", "12"])
def test_what_is_no_gene_has_no_symbol(vocabulary: Vocabulary, name: str) -> None:
    assert symbols_of_alias(vocabulary, name) == ()


def test_names_among_genes_only_do_not_compete_with_other_things(vocabulary: Vocabulary) -> None:
    assert {each.kind for each in vocabulary.resolve("insulin").concepts} == {Kind.DRUG}
    gene = vocabulary.resolve("insulin", kinds=(Kind.GENE,)).concept
    assert gene is not None
    assert gene.preferred == "INS"
