"""Enrichment: exact against an independent computation, and nothing of a list is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pathways.examples import gpml
from trialyst.errors import InvalidCrossReference, InvalidInput
from trialyst.pathways import (
    Enrichment,
    Pathway,
    PathwayProvenance,
    Xref,
    embed_pathways,
    enrich_genes,
    open_starter,
    parse_gpml,
)
from trialyst.pathways.embedded import EmbeddedSource
from trialyst.pathways.enrichment import rank_gene_sets
from trialyst.pathways.source import GeneSet, PathwaySummary
from trialyst.pathways.starter import load_starter

SYMBOLS = {"HGNC:11998": "TP53"}


def enrich(
    source: EmbeddedSource, genes: Sequence[str], *, background: Sequence[str] | None = None
) -> Enrichment:
    return asyncio.run(enrich_genes(source, genes, background=background))


@pytest.fixture(scope="module")
def starter() -> EmbeddedSource:
    return open_starter()


def exact_p(overlap: int, *, background: int, size: int, drawn: int) -> Fraction:
    """The upper tail of the hypergeometric distribution in whole numbers."""
    ways = sum(
        comb(size, each) * comb(background - size, drawn - each)
        for each in range(overlap, min(size, drawn) + 1)
    )
    return Fraction(ways, comb(background, drawn))


def adjusted(values: Sequence[Fraction]) -> list[Fraction]:
    """Benjamini and Hochberg, as in their paper."""
    order = sorted(range(len(values)), key=lambda at: values[at])
    found = [Fraction(1)] * len(values)
    least = Fraction(1)
    for rank in range(len(values), 0, -1):
        at = order[rank - 1]
        least = min(least, values[at] * len(values) / rank)
        found[at] = least
    return found


LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SETS = st.lists(st.frozensets(st.sampled_from(LETTERS), min_size=1), min_size=1, max_size=12)
GENES = st.frozensets(st.sampled_from(LETTERS), min_size=1)


def gene_sets(sets: Sequence[frozenset[str]]) -> list[GeneSet]:
    return [
        GeneSet(PathwaySummary(f"WP{at + 1}", f"Set {at}", "Homo sapiens", ""), genes)
        for at, genes in enumerate(sets)
    ]


@settings(max_examples=50)
@given(SETS, GENES)
def test_values_equal_those_of_whole_number_arithmetic(
    sets: list[frozenset[str]], genes: frozenset[str]
) -> None:
    background = frozenset[str]().union(*sets)
    wanted = genes & background
    exact = [
        exact_p(len(each & wanted), background=len(background), size=len(each), drawn=len(wanted))
        for each in sets
    ]
    corrected = adjusted(exact)
    items = rank_gene_sets(gene_sets(sets), genes, background=background)
    assert {item.pathway.id for item in items} == {
        f"WP{at + 1}" for at, each in enumerate(sets) if each & wanted
    }
    for item in items:
        at = int(item.pathway.id[2:]) - 1
        assert item.p_value == pytest.approx(float(exact[at]), rel=1e-9)
        assert item.adjusted == pytest.approx(float(corrected[at]), rel=1e-9)
        assert item.overlap == tuple(sorted(sets[at] & wanted))
        assert item.expected == pytest.approx(len(wanted) * len(sets[at]) / len(background))


@given(SETS, GENES, GENES)
def test_values_are_probabilities_and_adjusting_keeps_their_order(
    sets: list[frozenset[str]], genes: frozenset[str], background: frozenset[str]
) -> None:
    items = rank_gene_sets(gene_sets(sets), genes, background=background)
    assert all(0 < item.p_value <= item.adjusted <= 1 for item in items)
    assert [item.p_value for item in items] == sorted(item.p_value for item in items)
    assert [item.adjusted for item in items] == sorted(item.adjusted for item in items)


def test_a_value_too_small_for_a_number_is_above_zero_and_ranks_first() -> None:
    genes = [f"G{at}" for at in range(3000)]
    sets = gene_sets([frozenset(genes[:400]), frozenset(genes[:401]), frozenset(genes)])
    first, second, last = rank_gene_sets(sets, genes[:400], background=genes)
    assert (first.pathway.id, second.pathway.id, last.pathway.id) == ("WP1", "WP2", "WP3")
    assert 0 < first.p_value <= first.adjusted < 1e-300
    assert last.p_value == 1


def test_equal_values_come_in_the_order_of_the_ids() -> None:
    sets = gene_sets([frozenset("AB")] * 12 + [frozenset("CDE")])
    items = rank_gene_sets(sets, "AB", background="ABCDE")
    assert [item.pathway.id for item in items] == [f"WP{at}" for at in range(1, 13)]


@pytest.mark.parametrize("pathway", load_starter()[::6], ids=lambda pathway: pathway.id)
def test_the_genes_of_a_pathway_return_it_first(starter: EmbeddedSource, pathway: Pathway) -> None:
    genes = [node.label for node in pathway.genes()]
    result = asyncio.run(enrich_genes(starter, genes, organism=pathway.organism))
    assert result.items[0].pathway.id == pathway.id
    assert len(result.items[0].overlap) == result.items[0].genes == len(set(genes))


def test_genes_in_any_id_system_are_one_gene(starter: EmbeddedSource) -> None:
    names = ["tp53", "7157", "P04637", "HGNC:11998", "ENSG00000141510", "TP53", "TP53"]
    result = enrich(starter, names)
    assert result.used == ("TP53",)
    assert [gene.given for gene in result.query.recognised] == ["TP53"]
    assert {gene.given for gene in result.query.repeated} == set(names)
    assert len(result.query.repeated) == 6
    assert result.items == enrich(starter, ["TP53"]).items


@settings(max_examples=30)
@given(st.permutations(["TP53", "7157", "KRAS", "P01116", "NOSUCH", "EGFR", "1956", "BRAF"]))
def test_the_order_of_the_list_changes_nothing(names: list[str]) -> None:
    result = enrich(open_starter_once(), names)
    assert result == enrich(open_starter_once(), sorted(names))
    told = len(result.query.recognised) + len(result.query.repeated)
    assert told + len(result.query.unrecognised) == len(names)


_opened: list[EmbeddedSource] = []


def open_starter_once() -> EmbeddedSource:
    """Hypothesis may not share a fixture between examples; a source that is only read it may."""
    if not _opened:
        _opened.append(open_starter())
    return _opened[0]


def test_what_no_pathway_holds_is_told(starter: EmbeddedSource) -> None:
    result = enrich(starter, ["EGFR", "NOSUCHGENE", "999999999", " "])
    assert result.used == ("EGFR",)
    assert result.query.unrecognised == ("999999999", "NOSUCHGENE")


def test_a_list_of_which_nothing_is_known_gives_no_pathways(starter: EmbeddedSource) -> None:
    result = enrich(starter, ["NOSUCHGENE"])
    assert (result.items, result.used) == ((), ())
    assert result.query.unrecognised == ("NOSUCHGENE",)


def test_the_background_is_stated(starter: EmbeddedSource) -> None:
    everything = {
        node.label.upper()
        for pathway in load_starter()
        if pathway.organism == "Homo sapiens"
        for node in pathway.genes()
    }
    result = enrich(starter, ["EGFR"])
    assert (result.background, result.background_given) == (len(everything), False)
    assert str(len(everything)) in result.describe_background()
    assert result.tested == sum(p.organism == "Homo sapiens" for p in load_starter())


def test_a_given_background_bounds_what_counts(starter: EmbeddedSource) -> None:
    result = enrich(starter, ["EGFR", "KRAS"], background=["KRAS", "3845", "BRAF", "NOSUCHGENE"])
    assert (result.background, result.background_given) == (2, True)
    assert (result.used, result.outside_background) == (("KRAS",), ("EGFR",))
    assert result.background_unknown == ("NOSUCHGENE",)
    assert all(item.overlap == ("KRAS",) for item in result.items)


def test_an_id_of_several_genes_counts_for_none_and_is_told() -> None:
    drawn = parse_gpml(gpml(1, "Two", genes=[("AAA", "11"), ("BBB", "12")]))
    shared = Xref("uniprot", "P99999")
    both = replace(
        drawn, nodes=tuple(replace(node, xrefs=(*node.xrefs, shared)) for node in drawn.nodes)
    )
    source = embed_pathways([both], PathwayProvenance("local", synthetic=True))
    result = enrich(source, ["P99999", "11"])
    assert result.query.ambiguous == (("P99999", ("AAA", "BBB")),)
    assert result.used == ("AAA",)


@pytest.mark.parametrize("genes", [[], [" "], ["A"] * 5001], ids=["none", "blank", "too many"])
def test_a_list_of_no_length_or_too_long_is_refused(
    starter: EmbeddedSource, genes: list[str]
) -> None:
    with pytest.raises(InvalidInput, match="not 1 to 5000"):
        enrich(starter, genes)


def test_a_malformed_id_is_refused_by_name(starter: EmbeddedSource) -> None:
    with pytest.raises(InvalidCrossReference) as refused:
        enrich(starter, ["EGFR", "HGNC:abc"])
    assert refused.value.invalid_input == "HGNC:abc"


def test_an_organism_without_pathways_is_refused_with_those_there_are(
    starter: EmbeddedSource,
) -> None:
    with pytest.raises(InvalidInput, match="no pathways") as refused:
        asyncio.run(enrich_genes(starter, ["EGFR"], organism="Danio rerio"))
    assert "Homo sapiens" in refused.value.hint
