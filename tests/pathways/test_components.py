from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.pathways.examples import GPML_2013
from trialyst.pathways import Node, NodeKind, Pathway, Xref, build_components, parse_gpml
from trialyst.pathways.datanodes import join_nodes, parse_datanodes
from trialyst.pathways.pathway import Arrow, Direction, End, Group, Interaction


def pathway_of(*nodes: Node, **more: object) -> Pathway:
    made = Pathway("WP1", "One", "Homo sapiens", nodes=nodes)
    return replace(made, **more)  # type: ignore[arg-type]


def test_nodes_of_one_gene_in_several_id_systems_are_one_component() -> None:
    by_entrez = Node("a", "TNF", xrefs=(Xref("ncbigene", "7124"), Xref("ensembl", "ENSG1")))
    by_ensembl = Node("b", "TNF alpha", xrefs=(Xref("ensembl", "ENSG1"),))
    (gene,) = build_components(pathway_of(by_entrez, by_ensembl)).genes
    assert gene.nodes == ("a", "b")
    assert gene.xrefs == (Xref("ncbigene", "7124"), Xref("ensembl", "ENSG1"))


def test_metabolites_are_merged_across_their_databases() -> None:
    first = Node("a", "Glucose", NodeKind.METABOLITE, (Xref("hmdb", "H1"), Xref("chebi", "17234")))
    second = Node("b", "D-glucose", NodeKind.METABOLITE, (Xref("chebi", "17234"),))
    (metabolite,) = build_components(pathway_of(first, second)).metabolites
    assert metabolite.nodes == ("a", "b")


def test_paralogues_that_share_a_protein_stay_apart() -> None:
    shared = Xref("uniprot", "P0DP23")
    nodes = [Node(str(n), f"CALM{n}", xrefs=(Xref("ncbigene", str(n)), shared)) for n in (1, 2, 3)]
    assert len(build_components(pathway_of(*nodes)).genes) == 3


def test_a_gene_and_a_metabolite_of_one_label_stay_apart() -> None:
    components = build_components(pathway_of(Node("a", "X"), Node("b", "X", NodeKind.METABOLITE)))
    assert (len(components.genes), len(components.metabolites)) == (1, 1)


def test_nodes_without_ids_are_merged_by_label_only() -> None:
    nodes = (Node("a", "TFs"), Node("b", "tfs"), Node("c", "TFs and more"))
    assert [gene.nodes for gene in build_components(pathway_of(*nodes)).genes] == [
        ("a", "b"),
        ("c",),
    ]


def test_a_complex_lists_its_members() -> None:
    (found,) = build_components(parse_gpml(GPML_2013.encode())).complexes
    assert found.label == "TNFR1 : TRADD"
    assert found.members == ("uniprot:P19438", "hgnc.symbol:TRADD")


def test_every_connected_interaction_is_kept_and_resolved() -> None:
    components = build_components(parse_gpml(GPML_2013.encode()))
    to_group, conversion, on_interaction = components.interactions
    assert (to_group.source.id, to_group.target.kind) == ("ncbigene:7124", "complex")
    assert to_group.target.members == ("uniprot:P19438", "hgnc.symbol:TRADD")
    assert to_group.pmids == ("12345",)
    assert (conversion.source.label, conversion.target.label) == ("Glucose", "Glucose-6-P")
    assert conversion.direction is Direction.BOTH
    assert (on_interaction.target.kind, on_interaction.target.id) == ("interaction", "i2")
    assert on_interaction.type is Arrow.INHIBITION
    assert components.unconnected == 1


def test_groups_that_hold_each_other_end() -> None:
    groups = (Group("g", ("h", "a")), Group("h", ("g",)))
    made = pathway_of(
        Node("a", "A"),
        groups=groups,
        interactions=(Interaction("i", End("a"), End("g", None)),),
    )
    assert build_components(made).unconnected == 1


def test_real_pathway_with_its_list_of_nodes(facts_dir: Path) -> None:
    folder = facts_dir / "wikipathways"
    drawn = parse_gpml((folder / "WP554_gpml2013a.gpml").read_bytes())
    listed = parse_datanodes((folder / "WP554-datanodes.tsv").read_bytes())
    components = build_components(join_nodes(drawn, listed))
    ace = next(gene for gene in components.genes if gene.symbol == "ACE")
    assert len(ace.nodes) > 1
    assert {Xref("ncbigene", "1636"), Xref("ensembl", "ENSG00000159640")} <= set(ace.xrefs)
    assert len(components.genes) == len({gene.symbol for gene in components.genes})
    assert len(components.interactions) == sum(each.connected for each in drawn.interactions)
