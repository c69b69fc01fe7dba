from __future__ import annotations

import pytest

from trialyst.pathways.human_genes import add_human_ids, load_human_genes, parse_human_genes
from trialyst.pathways.pathway import Node, NodeKind, Pathway, Xref

TABLE = parse_human_genes(
    [
        "RIGI\t19102\t23586\t107201\tO95786\tDDX58",
        "H3C1\t4766\t8350\t275714\tP68431\tHIST1H3A",
        "H3C2\t4776\t8358\t286522\tP68431\tHIST1H3B",
    ]
)


def completed(*xrefs: Xref, organism: str = "Homo sapiens") -> tuple[Xref, ...]:
    node = Node("n", "any", NodeKind.GENE, xrefs)
    pathway = Pathway("WP1", "One", organism, nodes=(node,))
    return add_human_ids(pathway, TABLE).nodes[0].xrefs


@pytest.mark.parametrize(
    "key", ["hgnc:1100", "ncbigene:672", "ensembl:ENSG00000012048", "uniprot:P38398"]
)
def test_the_shipped_table_knows_a_gene_by_every_id(key: str) -> None:
    assert load_human_genes().named_by(key) == ("BRCA1",)


def test_the_shipped_table_has_all_approved_genes_as_they_are_written() -> None:
    genes = load_human_genes()
    assert len(genes.ids) > 40_000
    assert genes.written("C1ORF56") == "C1orf56"
    assert genes.is_symbol("TNF")
    assert not genes.is_symbol("tnf")
    assert not genes.is_symbol("p53")


def test_a_former_symbol_is_todays_only_if_it_was_one_genes() -> None:
    genes = parse_human_genes(["AAA\t1\t1\t1\t\tOLD,BBB", "BBB\t2\t2\t2\t\tOLD"])
    assert genes.current("OLD") == "OLD"
    assert genes.current("BBB") == "BBB"
    assert TABLE.current("DDX58") == "RIGI"


def test_an_id_of_several_genes_is_the_key_of_none() -> None:
    assert TABLE.named_by("uniprot:P68431") == ("H3C1", "H3C2")
    assert "uniprot:P68431" not in TABLE.keys("H3C1")


def test_a_node_gets_the_other_ids_of_its_gene_behind_its_own() -> None:
    own = Xref("uniprot", "O95786")
    assert completed(own) == (
        own,
        Xref("hgnc.symbol", "RIGI"),
        Xref("hgnc", "19102"),
        Xref("ncbigene", "23586"),
        Xref("ensembl", "ENSG00000107201"),
    )


def test_a_symbol_that_the_gene_has_no_more_gives_way_to_todays() -> None:
    symbols = [
        xref.identifier
        for xref in completed(Xref("ncbigene", "23586"), Xref("hgnc.symbol", "DDX58"))
        if xref.database == "hgnc.symbol"
    ]
    assert symbols == ["RIGI"]
    assert completed(Xref("hgnc.symbol", "DDX58"))[0] == Xref("hgnc.symbol", "RIGI")


def test_a_symbol_in_another_organism_is_not_the_human_gene() -> None:
    own = Xref("hgnc.symbol", "RIGI")
    assert completed(own, organism="Bos taurus") == (own,)


def test_an_unknown_id_is_left_as_it_is() -> None:
    own = Xref("ncbigene", "99999999")
    assert completed(own) == (own,)
