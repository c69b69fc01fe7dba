from __future__ import annotations

import pytest

from trialyst.pathways import Xref, find_database
from trialyst.pathways.databases import parse_curie, parse_curies, parse_xref


@pytest.mark.parametrize(
    ("code", "prefix", "name"),
    [
        ("Ce", "chebi", "ChEBI"),
        ("Ch", "hmdb", "HMDB"),
        ("Cl", "chembl.compound", "ChEMBL compound"),
        ("Cpc", "pubchem.compound", "PubChem-compound"),
        ("Cs", "chemspider", "Chemspider"),
        ("Ck", "kegg.compound", "KEGG Compound"),
        ("Lm", "lipidmaps", "LIPID MAPS"),
        ("Wd", "wikidata", "Wikidata"),
        ("L", "ncbigene", "Entrez Gene"),
        ("En", "ensembl", "Ensembl"),
        ("S", "uniprot", "Uniprot-TrEMBL"),
        ("H", "hgnc.symbol", "HGNC"),
        ("Hac", "hgnc", "HGNC Accession number"),
        ("U", "unigene", "UniGene"),
        ("Ik", "inchikey", "InChIKey"),
    ],
)
def test_bridgedb_code_bioregistry_prefix_and_gpml_name_agree(
    code: str, prefix: str, name: str
) -> None:
    database = find_database(code)
    assert database
    assert (database.code, database.prefix, database.name) == (code, prefix, name)
    assert find_database(prefix) == database


def test_codes_are_told_apart_by_case() -> None:
    assert find_database("L") != find_database("Lm")
    assert find_database("ce") is None


@pytest.mark.parametrize(
    ("database", "identifier", "read"),
    [
        ("ChEBI", "CHEBI:15846", "chebi:15846"),
        ("chebi", "15846", "chebi:15846"),
        ("HMDB", "HMDB00067", "hmdb:HMDB0000067"),
        ("HGNC", "TNF", "hgnc.symbol:TNF"),
        ("HGNC Accession number", "HGNC:11892", "hgnc:11892"),
        ("Ensembl", "ENSG00000232810.12", "ensembl:ENSG00000232810"),
        ("Uniprot-TrEMBL", " P01375 ", "uniprot:P01375"),
        ("An unheard-of one", "x1", "an unheard-of one:x1"),
    ],
)
def test_xrefs_of_files_get_one_spelling(database: str, identifier: str, read: str) -> None:
    assert str(parse_xref(database, identifier)) == read


@pytest.mark.parametrize(("database", "identifier"), [("", "1"), ("L", ""), ("", ""), (" ", " ")])
def test_half_an_xref_is_none(database: str, identifier: str) -> None:
    assert parse_xref(database, identifier) is None


def test_a_cell_is_split_and_each_id_stands_once() -> None:
    cell = "uniprot:U3KQ63;uniprot:P40926;uniprot:U3KQ63;"
    assert parse_curies(cell) == (Xref("uniprot", "U3KQ63"), Xref("uniprot", "P40926"))
    assert parse_curies("") == ()
    assert parse_curie("no colon") is None
