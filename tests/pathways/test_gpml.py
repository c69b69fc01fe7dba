from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pathways.examples import GPML_2013, GPML_2021, gpml
from tests.test_markup import LAUGHS
from trialyst.pathways import DamagedPathway, NodeKind, Xref, parse_gpml
from trialyst.pathways.pathway import Arrow, Box, Direction, End, EndKind

BOTH = pytest.mark.parametrize("text", [GPML_2013, GPML_2021], ids=["2013a", "2021"])


@BOTH
def test_head_of_the_pathway(text: str) -> None:
    pathway = parse_gpml(text.encode())
    assert (pathway.id, pathway.name, pathway.organism) == (
        "WP9001",
        "Invented signaling",
        "Homo sapiens",
    )
    assert pathway.description == "A made-up pathway."
    assert pathway.authors == ("Ann", "Bob")
    assert pathway.revision == "r77"


def test_the_two_versions_of_one_pathway_give_the_same_network() -> None:
    old, new = parse_gpml(GPML_2013.encode()), parse_gpml(GPML_2021.encode())
    assert [replace(node, look=None) for node in old.nodes] == [
        replace(node, look=None) for node in new.nodes
    ]
    assert [replace(each, look=None) for each in old.interactions] == [
        replace(each, look=None) for each in new.interactions
    ]
    assert old.groups == new.groups
    assert [term.id for term in old.terms] == [term.id for term in new.terms] == ["PW:0000003"]
    assert [each.pmid for each in old.literature] == [each.pmid for each in new.literature]


@BOTH
def test_nodes_keep_kind_xref_group_position_and_references(text: str) -> None:
    first, second, *_ = parse_gpml(text.encode()).nodes
    assert (first.id, first.label, first.kind) == ("n1", "TNF", NodeKind.GENE)
    assert first.xrefs == (Xref("ncbigene", "7124"),)
    assert first.references == ("c1",)
    assert first.box == Box(50.0, 60.0, 70.0, 20.0)
    assert first.look
    assert first.look.color == "ff0000"
    assert second.group == "gg"


@BOTH
def test_interactions_follow_the_effect_and_not_the_drawing(text: str) -> None:
    to_group, both_ways, backwards, loose = parse_gpml(text.encode()).interactions
    assert (to_group.source, to_group.target) == (End("n1"), End("gg", EndKind.GROUP))
    assert (to_group.type, to_group.direction) == (Arrow.BINDING, Direction.FORWARD)
    assert (both_ways.type, both_ways.back) == (Arrow.CONVERSION, Arrow.DIRECTED)
    assert both_ways.direction is Direction.BOTH
    assert (backwards.source, backwards.target) == (End("n3"), End("a1", EndKind.ANCHOR))
    assert (backwards.type, backwards.direction) == (Arrow.INHIBITION, Direction.FORWARD)
    assert [point.x for point in backwards.points] == [150.0, 150.0]
    assert not loose.connected
    assert loose.target == End(None, None)


@BOTH
def test_anchors_states_groups_and_labels_are_kept(text: str) -> None:
    pathway = parse_gpml(text.encode())
    assert [(a.id, a.position) for i in pathway.interactions for a in i.anchors] == [("a1", 0.4)]
    assert [(s.label, s.node, s.offset) for s in pathway.states] == [("P", "n1", (1.0, -1.0))]
    assert [(g.id, g.members, g.is_complex) for g in pathway.groups] == [("gg", ("n2", "n3"), True)]
    assert pathway.drawing
    assert (pathway.drawing.width, pathway.drawing.height) == (400.0, 300.0)
    assert [label.text for label in pathway.drawing.labels] == ["Cytosol"]


def test_literature_of_2013a_is_whole() -> None:
    (citation,) = parse_gpml(GPML_2013.encode()).literature
    assert (citation.pmid, citation.title, citation.year) == ("12345", "A title", "2020")
    assert (citation.source, citation.authors) == ("A journal", ("Doe J",))


def test_a_date_is_read_from_the_stamp() -> None:
    assert parse_gpml(GPML_2013.encode()).last_modified == "2026-01-02"


def test_an_end_that_names_nothing_in_the_file_is_not_connected() -> None:
    text = GPML_2013.replace('GraphRef="n5"', 'GraphRef="gone"')
    interaction = parse_gpml(text.encode()).interactions[1]
    assert interaction.target == End("gone", None)
    assert not interaction.connected


def test_nodes_without_an_id_or_with_a_shared_one_are_all_kept() -> None:
    text = GPML_2013.replace('GraphId="n2" ', "").replace('GraphId="n5"', 'GraphId="n4"')
    nodes = parse_gpml(text.encode()).nodes
    assert len({node.id for node in nodes}) == len(nodes) == 5


def test_a_file_without_a_version_takes_its_id_from_its_name() -> None:
    text = GPML_2013.replace('Version="WP9001_r77"', "")
    assert parse_gpml(text.encode(), name="Hs_Invented_WP9002_123.gpml").id == "WP9002"
    with pytest.raises(DamagedPathway, match="gives an id"):
        parse_gpml(text.encode(), name="invented.gpml")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "empty"),
        (GPML_2013.encode()[:900], "not whole XML"),
        (LAUGHS, "entities"),
        (b"<html><body>Not found</body></html>", "no GPML"),
        (GPML_2013.replace("2013a", "2008a").encode(), "no GPML"),
        (GPML_2013.replace("Homo sapiens", " ").encode(), "no organism"),
    ],
)
def test_bad_files_are_told_by_name_and_reason(data: bytes, told: str) -> None:
    with pytest.raises(DamagedPathway, match=told) as error:
        parse_gpml(data, name="WP1.gpml")
    assert error.value.name == "WP1.gpml"
    assert "WP1.gpml" in error.value.message


@given(st.integers(0, len(GPML_2013) - 3))
def test_a_file_cut_anywhere_is_damaged_and_never_half_read(cut: int) -> None:
    with pytest.raises(DamagedPathway):
        parse_gpml(GPML_2013.encode()[:cut], name="WP1.gpml")


def test_a_node_without_a_type_is_what_its_database_holds() -> None:
    data = gpml(5, "Five", genes=[("TNF", "7124")]).replace(b' Type="GeneProduct"', b"")
    assert parse_gpml(data).nodes[0].kind is NodeKind.GENE


def test_real_file_of_2021(facts_dir: Path) -> None:
    data = (facts_dir / "wikipathways" / "WP1941_gpml2021.gpml").read_bytes()
    pathway = parse_gpml(data)
    assert (pathway.id, len(pathway.nodes), len(pathway.interactions)) == ("WP1941", 19, 18)
    assert all(interaction.connected for interaction in pathway.interactions)
    assert [term.id for term in pathway.terms] == ["PW:0000738"]
    catalysed = [each for each in pathway.interactions if each.type is Arrow.CATALYSIS]
    assert {each.target.kind for each in catalysed} == {EndKind.ANCHOR}


def test_real_file_of_2013a(facts_dir: Path) -> None:
    data = (facts_dir / "wikipathways" / "WP554_gpml2013a.gpml").read_bytes()
    pathway = parse_gpml(data)
    assert (pathway.id, pathway.name) == ("WP554", "ACE inhibitor pathway")
    assert (pathway.revision, pathway.last_modified) == ("r139872", "2025-07-09")
    assert Xref("ncbigene", "1636") in [x for node in pathway.genes() for x in node.xrefs]
    assert {term.id for term in pathway.terms} >= {"PW:0000003", "DOID:10763", "CL:0000650"}
    assert any(citation.pmid for citation in pathway.literature)
