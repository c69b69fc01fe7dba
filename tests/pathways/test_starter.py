"""The starter set is well formed, labelled, and true to the real pathways where they are here."""

from __future__ import annotations

import json
import lzma
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.each_case import on_each_case
from trialyst.pathways.pathway import Arrow, EndKind, NodeKind, Pathway, Xref
from trialyst.pathways.starter import STARTER_REVISION, load_starter, parse_starter
from trialyst.vocabulary import Kind, open_vocabulary

HEAD = "id: WP9\nname: Nine\norganism: Homo sapiens\nabout: Told.\n\ngenes:\n  HK1 HK2\n"
EACH = on_each_case("pathway", load_starter(), ids=lambda pathway: pathway.id)
ORGANISMS = {"Homo sapiens": range(30, 41), "Mus musculus": range(2, 5), "Rattus norvegicus": [2]}


@pytest.fixture(scope="module")
def real(data_dir: Path) -> dict[str, dict[str, Any]]:
    """The real pathways by id."""
    path = data_dir / "wikipathways" / "wikipathways_2026-08.jsonl.xz"
    if not path.is_file():
        pytest.skip("no WikiPathways collection here: set TRIALYST_DATA to where it is")
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return {record["id"]: record for record in map(json.loads, lines)}


def test_pathways_are_distinct_and_of_three_organisms() -> None:
    pathways = load_starter()
    assert len({pathway.id for pathway in pathways}) == len(pathways)
    counts = Counter(pathway.organism for pathway in pathways)
    assert counts.keys() == ORGANISMS.keys()
    assert all(counts[organism] in wanted for organism, wanted in ORGANISMS.items())


def test_pathways_come_in_the_order_of_their_numbers() -> None:
    numbers = [int(pathway.id[2:]) for pathway in load_starter()]
    assert numbers == sorted(numbers)


@EACH
def test_every_pathway_says_that_it_is_of_the_starter_set(pathway: Pathway) -> None:
    assert pathway.revision == STARTER_REVISION
    assert pathway.description.startswith("Starter set: ")
    assert len(pathway.description) > 150


@EACH
def test_ten_to_thirty_distinct_genes_stand_on_a_pathway(pathway: Pathway) -> None:
    genes = [node.label for node in pathway.genes()]
    assert 10 <= len(genes) <= 30
    assert len({node.id for node in pathway.nodes}) == len(pathway.nodes)


@EACH
def test_interactions_are_distinct_and_connect_what_is_listed(pathway: Pathway) -> None:
    places = {node.id for node in pathway.nodes}
    places |= {anchor.id for line in pathway.interactions for anchor in line.anchors}
    ends = [(line.source.ref, line.target.ref, line.type) for line in pathway.interactions]
    assert len(ends) >= 6
    assert len(set(ends)) == len(ends)
    assert {place for source, target, _ in ends for place in (source, target)} <= places
    assert all(source != target for source, target, _ in ends)
    assert len({line.id for line in pathway.interactions}) == len(ends)


@EACH
def test_every_gene_has_an_identifier(pathway: Pathway) -> None:
    assert [node.label for node in pathway.genes() if not node.xrefs] == []


def test_no_identifier_belongs_to_two_things() -> None:
    owners: dict[Xref, set[tuple[str, str]]] = {}
    for pathway in load_starter():
        for node in pathway.nodes:
            organism = pathway.organism if node.kind.is_gene else ""
            for xref in node.xrefs:
                owners.setdefault(xref, set()).add((organism, node.label))
    assert {xref: names for xref, names in owners.items() if len(names) > 1} == {}


@pytest.mark.slow
def test_human_symbols_and_accessions_are_those_of_the_vocabulary(tmp_path: Path) -> None:
    vocabulary = open_vocabulary(tmp_path)
    genes = {
        node.label: {xref.identifier for xref in node.xrefs if xref.database == "hgnc"}
        for pathway in load_starter()
        if pathway.organism == "Homo sapiens"
        for node in pathway.genes()
    }
    wrong = []
    for symbol, accessions in genes.items():
        concepts = vocabulary.resolve(symbol, kinds={Kind.GENE}).concepts
        known = {concept.id for concept in concepts if concept.preferred == symbol}
        if known != {f"HGNC:{accession}" for accession in accessions}:
            wrong.append((symbol, accessions, known))
    assert wrong == []


def test_an_enzyme_acts_on_the_conversion_it_catalyses() -> None:
    text = f"{HEAD}\nmetabolites:\n  sweet sugar\n  acid\n\ninteractions:\n"
    pathway = parse_starter(f"{text}  sweet sugar -> acid conversion by HK1 HK2\n")
    conversion, *catalyses = pathway.interactions
    assert (conversion.source.ref, conversion.target.ref) == ("sweet sugar", "acid")
    assert conversion.type is Arrow.CONVERSION
    assert [line.source.ref for line in catalyses] == ["HK1", "HK2"]
    assert {(line.target.ref, line.target.kind) for line in catalyses} == {
        (conversion.anchors[0].id, EndKind.ANCHOR)
    }


@pytest.mark.parametrize("line", ["HK1 -> HK3 activation", "HK1 -> HK2 binding by GCK"])
def test_an_interaction_of_what_is_not_listed_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="not listed"):
        parse_starter(f"{HEAD}interactions:\n  {line}\n")


@pytest.mark.parametrize("line", ["HK1 -> HK2 friendship", "HK1 activation", "HK1 -> HK2"])
def test_a_line_that_is_no_interaction_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="no interaction"):
        parse_starter(f"{HEAD}interactions:\n  {line}\n")


def test_glycolysis_can_be_found_by_every_kind_of_identifier() -> None:
    (pathway,) = (each for each in load_starter() if each.id == "WP534")
    (node,) = (node for node in pathway.nodes if node.label == "GAPDH")
    assert {str(xref) for xref in node.xrefs} == {
        "ncbigene:2597",
        "ensembl:ENSG00000111640",
        "uniprot:P04406",
        "hgnc:4141",
        "hgnc.symbol:GAPDH",
    }
    (glucose,) = (node for node in pathway.nodes if node.label == "glucose")
    assert glucose.kind is NodeKind.METABOLITE
    assert Xref("chebi", "17234") in glucose.xrefs


@EACH
@pytest.mark.slow
def test_id_name_and_organism_are_those_of_wikipathways(
    real: dict[str, dict[str, Any]], pathway: Pathway
) -> None:
    record = real[pathway.id]
    assert pathway.name == record["title"].strip()
    assert [pathway.organism] == record["organisms"]


@EACH
@pytest.mark.slow
def test_each_gene_belongs_to_the_real_pathway(
    real: dict[str, dict[str, Any]], pathway: Pathway
) -> None:
    nodes = real[pathway.id]["datanodes"]
    known = {name for node in nodes for name in _names(node)}
    strangers = [
        node.label
        for node in pathway.genes()
        if known.isdisjoint({node.label, *map(str, node.xrefs)})
    ]
    assert strangers == []


@pytest.mark.slow
def test_the_identifiers_of_a_gene_mean_the_same_gene_in_wikipathways(
    real: dict[str, dict[str, Any]],
) -> None:
    genes = {(each.organism, node) for each in load_starter() for node in each.genes()}
    seen: dict[tuple[str, str], set[str]] = {}
    for organism, node in genes:
        seen[organism, node.label] = seen[organism, str(node.xrefs[0])] = set()
    for record in real.values():
        for drawn in record["datanodes"]:
            names = _names(drawn)
            for name in names:
                if (record["organisms"][0], name) in seen:
                    seen[record["organisms"][0], name] |= names
    wrong = [
        (node.label, str(xref))
        for organism, node in genes
        for xref in node.xrefs
        if xref.database in {"ncbigene", "ensembl", "uniprot"}
        and str(xref) not in seen[organism, node.label] | seen[organism, str(node.xrefs[0])]
    ]
    assert wrong == []


def _names(node: dict[str, str]) -> set[str]:
    """The label and the identifiers of a real node."""
    return {name.strip() for cell in node.values() for name in cell.split(";")}
