from __future__ import annotations

from pathlib import Path

import pytest

from trialyst.pathways import DamagedPathway, Node, NodeKind, Pathway, Xref
from trialyst.pathways.datanodes import join_nodes, parse_datanodes, parse_info

HEADER = "Label\tType\tIdentifier\tComment\tEnsembl\tNCBI gene\tHGNC\tUniProt"
ROW = 'ACE2\tGeneProduct\tncbigene:59272\t""\tensembl:ENSG00000130234\tncbigene:59272\t'


def test_a_row_is_a_node_with_all_its_ids_the_authors_first() -> None:
    (node,) = parse_datanodes(f"{HEADER}\n{ROW}hgnc.symbol:ACE2\tuniprot:A1;uniprot:B2\n".encode())
    assert (node.label, node.kind, node.comments) == ("ACE2", NodeKind.GENE, ())
    assert [str(xref) for xref in node.xrefs] == [
        "ncbigene:59272",
        "hgnc.symbol:ACE2",
        "ensembl:ENSG00000130234",
        "uniprot:A1",
        "uniprot:B2",
    ]


def test_short_and_blank_rows_do_not_stop_the_reading() -> None:
    nodes = parse_datanodes(f"{HEADER}\n\nOnly a label\n\t\t\n{ROW}\n".encode())
    assert [node.label for node in nodes] == ["Only a label", "ACE2"]


@pytest.mark.parametrize("data", [b"", b"<html></html>", b"a\tb\n", b"\xff\xfe\x00"])
def test_what_is_no_list_of_nodes_is_told(data: bytes) -> None:
    with pytest.raises(DamagedPathway) as told:
        parse_datanodes(data, name="WP1-datanodes.tsv")
    assert "WP1-datanodes.tsv" in told.value.message


def test_listed_ids_join_the_node_with_the_same_identifier() -> None:
    drawn = Pathway(
        "WP1",
        "One",
        "Homo sapiens",
        nodes=(Node("a", "ace-2", xrefs=(Xref("ncbigene", "59272"),)), Node("b", "other")),
    )
    joined = join_nodes(drawn, parse_datanodes(f"{HEADER}\n{ROW}\n".encode()))
    assert [node.label for node in joined.nodes] == ["ace-2", "other"]
    assert Xref("ensembl", "ENSG00000130234") in joined.nodes[0].xrefs
    assert joined.nodes[1].xrefs == ()


def test_real_list(facts_dir: Path) -> None:
    data = (facts_dir / "wikipathways" / "WP554-datanodes.tsv").read_bytes()
    nodes = {node.label: node for node in parse_datanodes(data)}
    assert len(nodes) == len(data.decode().splitlines()) - 1
    assert nodes["Bradykinin"].xrefs[0] == Xref("hmdb", "HMDB0004246")
    assert Xref("chebi", "3165") in nodes["Bradykinin"].xrefs


def test_real_summary(facts_dir: Path) -> None:
    pathway = parse_info((facts_dir / "wikipathways" / "WP554-info.json").read_bytes())
    assert (pathway.id, pathway.name) == ("WP554", "ACE inhibitor pathway")
    assert (pathway.last_modified, pathway.revision) == ("2025-07-10", "r139872")
    assert not pathway.interactions_known


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"wpid": "WP1", "title": "x"}', b"\xff"])
def test_what_is_no_summary_is_told(data: bytes) -> None:
    with pytest.raises(DamagedPathway, match="no summary"):
        parse_info(data, name="WP1-info.json")
