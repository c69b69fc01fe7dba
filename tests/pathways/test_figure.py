"""Figures are whole, safe SVG documents that show every node, line and wish for a highlight."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.each_case import on_each_case
from tests.pathways.examples import GPML_2013, GPML_2021
from trialyst.errors import InvalidCrossReference
from trialyst.pathways import Figure, Node, NodeKind, Pathway, parse_gpml, pathway_figure
from trialyst.pathways.pathway import Anchor, Arrow, Box, End, EndKind, Group, Interaction, Look
from trialyst.pathways.starter import load_starter

SVG = "{http://www.w3.org/2000/svg}"
VERSIONS = pytest.mark.parametrize("text", [GPML_2013, GPML_2021], ids=["2013a", "2021"])


def parsed(figure: Figure) -> ET.Element:
    """Parse a figure as XML; what is no XML raises."""
    return ET.fromstring(figure.svg)


def classed(root: ET.Element, word: str) -> list[ET.Element]:
    return [each for each in root.iter() if word in (each.get("class") or "").split()]


def drawn_labels(element: ET.Element) -> set[str]:
    """What is written, lines of one text joined by spaces."""
    found = set()
    for text in element.iter(f"{SVG}text"):
        lines = [text.text or "", *(span.text or "" for span in text)]
        found.add(" ".join(filter(None, lines)))
    return found


@VERSIONS
def test_every_node_state_label_and_connected_line_is_drawn(text: str) -> None:
    pathway = parse_gpml(text.encode())
    root = parsed(pathway_figure(pathway))
    assert root.tag == f"{SVG}svg"
    assert len(classed(root, "node")) == len(pathway.nodes)
    assert len(classed(root, "interaction")) == len(pathway.interactions)
    assert {"TNF", "TNFR1", "TRADD", "Glucose", "Glucose-6-P", "P", "Cytosol"} <= drawn_labels(root)


@VERSIONS
def test_title_organism_id_and_licence_stand_on_it(text: str) -> None:
    written = " ".join(drawn_labels(parsed(pathway_figure(parse_gpml(text.encode())))))
    for part in ("Invented signaling", "Homo sapiens", "WP9001", "CC0 1.0", "r77"):
        assert part in written


def test_a_drawing_with_coordinates_keeps_them() -> None:
    root = parsed(pathway_figure(parse_gpml(GPML_2013.encode())))
    (tnf,) = (g for g in classed(root, "node") if "TNF" in drawn_labels(g))
    (rect,) = tnf.iter(f"{SVG}rect")
    assert [rect.get(name) for name in ("x", "y", "width", "height")] == ["15", "50", "70", "20"]
    assert rect.get("stroke") == "#ff0000"


@pytest.mark.parametrize("gene", ["TNF", "tnf", "7124", "ncbigene:7124", "HGNC:11892"])
def test_a_gene_is_highlighted_by_symbol_and_by_id(gene: str) -> None:
    pathway = parse_gpml(GPML_2013.encode())

    def known(text: str) -> list[str]:
        return ["TNF"] if text == "HGNC:11892" else []

    figure = pathway_figure(pathway, highlight=[gene], symbols_of=known)
    (lit,) = classed(parsed(figure), "highlighted")
    assert "TNF" in drawn_labels(lit)
    assert [(each.given, each.labels) for each in figure.highlighted] == [(gene, ("TNF",))]
    assert figure.not_found == ()
    assert "highlighted gene" in drawn_labels(parsed(figure))


def test_a_gene_that_is_not_there_is_told_and_nothing_like_it_is_lit() -> None:
    figure = pathway_figure(parse_gpml(GPML_2013.encode()), highlight=["TN", "712", "TNF", "TN"])
    assert figure.not_found == ("TN", "712")
    assert len(classed(parsed(figure), "highlighted")) == 1


def test_a_malformed_id_is_refused() -> None:
    with pytest.raises(InvalidCrossReference):
        pathway_figure(parse_gpml(GPML_2013.encode()), highlight=["HGNC:abc"])


@pytest.mark.parametrize("arrow", list(Arrow))
def test_every_effect_has_its_head_in_the_drawing_and_the_legend(arrow: Arrow) -> None:
    pathway = Pathway(
        "WP1",
        "Effects",
        "Homo sapiens",
        nodes=(Node("a", "A", box=Box(0, 0, 40, 20)), Node("b", "B", box=Box(200, 0, 40, 20))),
        interactions=(Interaction("i", End("a"), End("b"), arrow),),
    )
    root = parsed(pathway_figure(pathway))
    (line,) = classed(root, "interaction")
    heads = list(line)[1:]
    assert bool(heads) == (arrow is not Arrow.UNDIRECTED)
    (legend,) = classed(root, "legend")
    assert len(drawn_labels(legend)) == 2


SCRIPT = "\"><script>alert(1)</script><x y='&amp;]]>"


def test_text_and_colours_of_a_file_are_never_markup() -> None:
    box = Box(50, 50, 80, 20)
    look = Look(color='red" onload="x', fill="url(javascript:x)", shape=SCRIPT, line_style=SCRIPT)
    pathway = Pathway(
        "WP1",
        SCRIPT,
        SCRIPT,
        nodes=(Node("a", SCRIPT, box=box, look=look),),
        groups=(Group("g", ("a",), label=SCRIPT),),
    )
    figure = pathway_figure(pathway, highlight=[SCRIPT.replace(":", "")])
    root = parsed(figure)
    tags = {each.tag.removeprefix(SVG) for each in root.iter()}
    assert tags <= {"svg", "g", "rect", "path", "circle", "ellipse", "text", "tspan", "title"}
    names = {name for each in root.iter() for name in each.attrib}
    assert not any(name.lower().startswith("on") or "href" in name for name in names)
    assert "javascript" not in figure.svg


TEXT = st.text(max_size=20)
NUMBER = st.floats(-5000, 5000)
BOX = st.none() | st.builds(Box, NUMBER, NUMBER, st.floats(-50, 500), st.floats(-50, 500))
NODES = st.lists(
    st.builds(
        Node,
        id=st.sampled_from("abcdefgh"),
        label=TEXT,
        kind=st.sampled_from(NodeKind),
        box=BOX,
        look=st.none() | st.builds(Look, TEXT, TEXT, TEXT, TEXT, NUMBER, NUMBER, NUMBER),
    ),
    max_size=6,
    unique_by=lambda node: node.id,
)
ENDS = st.builds(
    End, st.sampled_from(["a", "b", "c", "d", "k", "l", "g", "zz"]), st.sampled_from(EndKind)
)
LINES = st.lists(
    st.builds(
        Interaction,
        id=st.sampled_from("ijk"),
        source=ENDS,
        target=ENDS,
        type=st.sampled_from(Arrow),
        back=st.none() | st.sampled_from(Arrow),
        anchors=st.lists(st.builds(Anchor, st.sampled_from("kl"), NUMBER), max_size=1).map(tuple),
        connector=st.sampled_from([None, "Elbow", "Curved", "Segmented"]),
    ),
    max_size=6,
)


@settings(max_examples=60)
@given(TEXT, NODES, LINES)
def test_any_pathway_becomes_well_formed_xml_with_all_its_nodes(
    name: str, nodes: list[Node], lines: list[Interaction]
) -> None:
    group = Group("g", ("a", "b", "g"))
    pathway = Pathway(
        "WP1", name, "Homo sapiens", nodes=tuple(nodes), interactions=tuple(lines), groups=(group,)
    )
    figure = pathway_figure(pathway)
    root = parsed(figure)
    assert len(classed(root, "node")) == len(nodes)
    undrawn = sum(
        int(note.split(": ")[1].rstrip(".")) for note in figure.notes if "not drawn" in note
    )
    assert len(classed(root, "interaction")) + undrawn == len(lines)
    assert pathway_figure(pathway) == figure


@on_each_case("pathway", load_starter(), ids=lambda pathway: pathway.id)
def test_a_pathway_without_coordinates_is_laid_out_and_says_so(pathway: Pathway) -> None:
    figure = pathway_figure(pathway, highlight=[next(pathway.genes()).label])
    root = parsed(figure)
    assert len(classed(root, "node")) == len(pathway.nodes)
    assert len(classed(root, "interaction")) == len(pathway.interactions)
    written = " ".join(drawn_labels(root))
    assert "Layout made by Trialyst" in written
    assert "Starter set" in written
    assert "CC0" not in written
    assert any("Layout made by Trialyst" in note for note in figure.notes)


@pytest.mark.parametrize("pathway", load_starter()[::5], ids=lambda pathway: pathway.id)
def test_nodes_that_are_laid_out_do_not_cover_each_other(pathway: Pathway) -> None:
    root = parsed(pathway_figure(pathway))
    rects = [
        tuple(float(rect.get(name) or 0) for name in ("x", "y", "width", "height"))
        for node in classed(root, "node")
        for rect in node.iter(f"{SVG}rect")
    ]
    assert len(rects) == len(pathway.nodes)
    for at, (x, y, width, height) in enumerate(rects):
        for x2, y2, width2, height2 in rects[:at]:
            assert x >= x2 + width2 or x2 >= x + width or y >= y2 + height2 or y2 >= y + height


def test_causes_stand_above_effects() -> None:
    nodes = tuple(Node(id, id) for id in "cab")
    lines = (Interaction("1", End("a"), End("b")), Interaction("2", End("b"), End("c")))
    pathway = Pathway("WP1", "Chain", "Homo sapiens", nodes=nodes, interactions=lines)
    root = parsed(pathway_figure(pathway))
    tops = {
        min(drawn_labels(node)): float(next(node.iter(f"{SVG}rect")).get("y") or 0)
        for node in classed(root, "node")
    }
    assert tops["a"] < tops["b"] < tops["c"]


def test_nodes_without_a_place_stand_below_the_others() -> None:
    pathway = parse_gpml(GPML_2013.encode())
    lost = replace(pathway, nodes=(replace(pathway.nodes[0], box=None), *pathway.nodes[1:]))
    figure = pathway_figure(lost)
    tops = {
        min(drawn_labels(node)): float(next(node.iter(f"{SVG}rect")).get("y") or 0)
        for node in classed(parsed(figure), "node")
    }
    assert tops["TNF"] > max(top for label, top in tops.items() if label != "TNF")
    assert any("made by Trialyst" in note for note in figure.notes)


def test_a_list_of_nodes_says_that_interactions_are_unknown() -> None:
    pathway = Pathway(
        "WP1", "List", "Homo sapiens", nodes=(Node("a", "A"),), interactions_known=False
    )
    assert any("unknown, not absent" in note for note in pathway_figure(pathway).notes)


def test_an_empty_pathway_is_a_figure_too() -> None:
    root = parsed(pathway_figure(Pathway("WP1", "Nothing", "Homo sapiens")))
    assert "Nothing" in drawn_labels(root)


@VERSIONS
def test_coordinates_that_no_drawing_could_have_are_left_out(text: str) -> None:
    damaged = re.sub(r'(?<=centerX=")[^"]*', "1e308", text, flags=re.IGNORECASE)
    assert damaged != text
    box = parsed(pathway_figure(parse_gpml(damaged.encode()))).get("viewBox") or ""
    assert all(abs(float(number)) < 1e5 for number in box.split())
