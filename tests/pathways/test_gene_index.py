"""Which genes pathways hold: merged across id systems, and no two genes joined."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

import pytest

from trialyst.pathways import PathwaySummary, parse_gene
from trialyst.pathways.catalog import Catalog
from trialyst.pathways.gene_names import SymbolsOf, no_symbols
from trialyst.pathways.gene_reading import GeneReading, ReadAs
from trialyst.pathways.genes import Mention
from trialyst.pathways.human_genes import parse_human_genes
from trialyst.pathways.store import Entry, StoreWriter
from trialyst.pathways.words import Text

HUMAN, MOUSE = "Homo sapiens", "Mus musculus"
TABLE = parse_human_genes(
    [
        "BRCA1\t1100\t672\t12048\tP38398\t",
        "TP53\t11998\t7157\t141510\tP04637\t",
        "VEGFA\t12680\t7422\t112715\tP15692\tVEGF",
        "MCL1\t6943\t4170\t143384\tQ07820\t",
        "AS1\t1\t574406\t203804\t\t",
        "H3C1\t4766\t8350\t275714\tP68431\t",
        "H3C2\t4776\t8358\t286522\tP68431\t",
    ]
)


def catalog(pathways: Mapping[int, tuple[str, Sequence[Mention]]]) -> Catalog:
    """Hold what some pathways, by number, say of the genes of an organism."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    writer = StoreWriter(connection, TABLE)
    for number, (organism, mentions) in sorted(pathways.items()):
        summary = PathwaySummary(f"WP{number}", f"Pathway {number}", organism, "")
        writer.add(Entry(summary, Text(summary.name), tuple(mentions)))
    writer.finish({})
    return Catalog(connection)


def human(*mentions: Mention) -> Catalog:
    """A human pathway for each thing that is mentioned, numbered from 1."""
    return catalog({at: (HUMAN, [each]) for at, each in enumerate(mentions, start=1)})


def found(held: Catalog, gene: str, symbols_of: SymbolsOf = no_symbols) -> list[int]:
    page = held.search_gene(parse_gene(gene), symbols_of=symbols_of)
    return [int(hit.pathway.id[2:]) for hit in page.items]


def read(held: Catalog, gene: str, symbols_of: SymbolsOf = no_symbols) -> GeneReading:
    (reading,) = held.read_genes([parse_gene(gene)], symbols_of)
    return reading


def knowing(**names: str) -> SymbolsOf:
    """Know other names of genes, by their symbols."""
    return lambda text: names.get(text, "").split()


SCATTERED = human(
    Mention("BRCA1", ids=("ncbigene:672",)),
    Mention("BRCA1", ids=("ensembl:ENSG00000012048",)),
    Mention("BRCA1_HUMAN", ids=("uniprot:P38398",)),
    Mention("breast cancer 1", symbols=("BRCA1",)),
    Mention("BRCA1"),
    Mention("BRCA1", ids=("refseq:NM_007294",)),
    Mention("BRCA1-associated", ids=("ncbigene:1",)),
)


@pytest.mark.parametrize(
    "gene",
    [*("BRCA1", "brca1", "672", "ENSG00000012048", "P38398", "HGNC:1100"), "refseq:NM_007294"],
)
def test_a_gene_is_found_by_every_id_wherever_it_stands_under_another(gene: str) -> None:
    assert found(SCATTERED, gene) == [1, 2, 3, 4, 5, 6]


def test_an_id_that_no_pathway_has_finds_the_gene_under_its_others() -> None:
    held = human(Mention("BRCA1", ids=("ncbigene:672",)))
    assert found(held, "P38398") == found(held, "HGNC:1100") == [1]


def test_an_id_of_several_genes_joins_none_of_them() -> None:
    histone = Mention("Histone H3", ids=("uniprot:P68431",))
    held = human(histone, Mention("H3C1", ids=("ncbigene:8350",)))
    assert found(held, "H3C1") == found(held, "8350") == [1, 2]
    assert found(held, "H3C2") == found(held, "8358") == [1]
    assert found(held, "P68431") == [1]
    assert read(held, "P68431").read_as is ReadAs.AMBIGUOUS
    assert read(held, "P68431").symbols == ("H3C1", "H3C2")


def test_an_id_that_a_mapping_adds_to_another_gene_is_not_that_gene() -> None:
    ids = ("ensembl:ENSG00000143384", "ncbigene:4170", "ncbigene:574406")
    held = human(Mention("MCL1", ("MCL1",), ids), Mention("MCL1", ids=("ncbigene:4170",)))
    assert found(held, "4170") == found(held, "MCL1") == [1, 2]
    assert found(held, "AS1") == []
    assert found(held, "574406") == [1]


def test_the_label_of_a_node_counts_where_it_is_another_genes_symbol() -> None:
    held = human(Mention("TP53", ids=("ncbigene:672",)))
    assert found(held, "TP53") == found(held, "7157") == [1]
    assert found(held, "BRCA1") == [1]


def test_the_label_of_a_family_is_no_gene() -> None:
    held = human(
        Mention("VEGF", ids=("ncbigene:7422",)),
        Mention("VEGF", ids=("ncbigene:7422",)),
        Mention("VEGF"),
    )
    assert found(held, "VEGFA") == [1, 2]
    assert found(held, "VEGF") == [1, 2]
    reading = read(held, "VEGF")
    assert (reading.read_as, reading.symbols) == (ReadAs.ALIAS, ("VEGFA",))
    assert len(reading.labelled) == 1


def test_the_id_of_a_function_names_no_gene() -> None:
    held = human(
        Mention("BRCA1", ids=("eccode:2.3.2.27",)), Mention("E3 ligase", ids=("eccode:2.3.2.27",))
    )
    assert found(held, "BRCA1") == [1]
    assert found(held, "eccode:2.3.2.27") == [1, 2]


def mice(*mentions: Mention) -> Catalog:
    return catalog({at: (MOUSE, [each]) for at, each in enumerate(mentions, start=1)})


def test_outside_the_table_most_nodes_with_an_id_name_its_gene() -> None:
    held = mice(
        Mention("Trp53", ids=("ncbigene:22059",)),
        Mention("Trp53", ids=("ncbigene:22059", "ensembl:ENSMUSG00000059552", "uniprot:P02340")),
        Mention("Trp53"),
        Mention("p53", ids=("ncbigene:22059",)),
    )
    for gene in ("Trp53", "22059", "ENSMUSG00000059552", "P02340"):
        assert found(held, gene) == [1, 2, 3, 4], gene


def test_ids_that_share_the_label_of_a_family_are_different_genes() -> None:
    first = Mention("pyruvate kinase", ids=("ncbigene:101", "uniprot:P00001"))
    second = Mention("pyruvate kinase", ids=("ncbigene:102", "uniprot:P00002"))
    held = mice(first, second)
    assert [found(held, gene) for gene in ("101", "102", "P00001", "P00002")] == [[1], [2]] * 2
    assert found(held, "pyruvate kinase") == [1, 2]


def test_a_node_that_lists_two_genes_does_not_say_whose_its_ids_are() -> None:
    held = mice(
        Mention("Nat2", ids=("ncbigene:116632", "ncbigene:116631")),
        Mention("Nat2", ids=("ncbigene:116632",)),
    )
    assert found(held, "Nat2") == found(held, "116632") == [1, 2]
    assert found(held, "116631") == [1]


def test_an_ortholog_with_the_same_symbol_is_another_gene() -> None:
    held = catalog(
        {
            1: (MOUSE, [Mention("Brca1", ids=("ncbigene:12189",))]),
            2: (HUMAN, [Mention("BRCA1", ids=("ncbigene:672",))]),
            3: (MOUSE, [Mention("BRCA1", ids=("ncbigene:672",))]),
        }
    )
    assert found(held, "672") == [2, 3]
    assert found(held, "12189") == [1, 3]
    assert found(held, "BRCA1") == [2, 1, 3]


def test_a_symbol_in_an_organism_is_that_organisms_gene() -> None:
    held = catalog(
        {
            1: (MOUSE, [Mention("Brca1", ids=("ncbigene:12189",))]),
            2: (HUMAN, [Mention("BRCA1", ids=("ncbigene:672",))]),
            3: (HUMAN, [Mention("no symbol", ids=("ncbigene:12189",))]),
        }
    )
    page = held.search_gene(parse_gene("BRCA1"), organism=HUMAN)
    assert [hit.pathway.id for hit in page.items] == ["WP2"]
    page = held.search_gene(parse_gene("12189"), organism=HUMAN)
    assert [hit.pathway.id for hit in page.items] == ["WP3"]


def test_an_alias_gives_exactly_what_the_symbol_gives() -> None:
    held = human(Mention("TP53", ids=("ncbigene:7157",)), Mention("p53", ids=("uniprot:P04637",)))
    aliases = knowing(p53="TP53", LFS1="TP53")
    assert found(held, "TP53") == found(held, "p53", aliases) == found(held, "LFS1", aliases)
    assert read(held, "LFS1", aliases).read_as is ReadAs.ALIAS


def test_a_name_that_is_an_alias_of_one_gene_and_the_label_of_another_means_both() -> None:
    held = human(
        Mention("PKC", ids=("ncbigene:7157",)),
        Mention("PKC", ids=("ncbigene:7157",)),
        Mention("BRCA1", ids=("ncbigene:672",)),
        Mention("TP53", ids=("ncbigene:7157",)),
    )
    reading = read(held, "PKC", knowing(PKC="BRCA1"))
    assert (reading.read_as, reading.symbols) == (ReadAs.AMBIGUOUS, ("BRCA1", "TP53"))
    assert found(held, "PKC", knowing(PKC="BRCA1")) == [1, 2, 3, 4]


def test_the_name_of_a_family_means_any_of_its_genes() -> None:
    held = human(
        Mention("TP53", ids=("ncbigene:7157",)),
        Mention("BRCA1", ids=("ncbigene:672",)),
        Mention("MCL1"),
        Mention("family"),
    )
    family = knowing(family="TP53 BRCA1 H3C1")
    reading = read(held, "family", family)
    assert (reading.read_as, reading.symbols) == (ReadAs.AMBIGUOUS, ("TP53", "BRCA1", "H3C1"))
    assert found(held, "family", family) == [1, 2]
    assert len(reading.labelled) == 1


def test_a_symbol_wins_over_an_alias_of_the_same_name() -> None:
    held = human(Mention("TP53", ids=("ncbigene:7157",)), Mention("BRCA1"))
    assert found(held, "BRCA1", knowing(BRCA1="TP53")) == [2]


def test_what_no_pathway_holds_is_told_apart() -> None:
    held = human(Mention("BRCA1"))
    assert read(held, "NOSUCH").read_as is ReadAs.UNKNOWN
    known = read(held, "p53", knowing(p53="TP53"))
    assert (known.read_as, known.symbols) == (ReadAs.ALIAS, ("TP53",))
    assert known.ordinals() == frozenset()
