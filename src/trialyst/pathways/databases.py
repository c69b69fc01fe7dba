"""Databases of genes and metabolites: BridgeDb codes, GPML names and Bioregistry prefixes.

Ours is the Bioregistry prefix and the identifier without a prefix of its own. A database that is
not in the table keeps its name, so that nothing is lost.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache, lru_cache
from typing import NamedTuple

from trialyst.pathways.pathway import Xref

__all__ = ["Database", "Subject", "find_database", "parse_curie", "parse_curies", "parse_xref"]


class Subject(StrEnum):
    """What a database identifies."""

    GENE = "gene"
    PROTEIN = "protein"
    METABOLITE = "metabolite"
    OTHER = "other"


class Database(NamedTuple):
    """One database under its three names."""

    prefix: str
    """Bioregistry, as GPML 2021 and the site's files write it."""
    code: str
    """BridgeDb's system code."""
    name: str
    """As GPML 2013a writes it."""
    subject: Subject


_TABLE = """
ncbigene L Entrez Gene|gene
ensembl En Ensembl|gene
hgnc.symbol H HGNC|gene
hgnc Hac HGNC Accession number|gene
uniprot S Uniprot-TrEMBL|protein
refseq Q RefSeq|gene
unigene U UniGene|gene
mgi M MGI|gene
rgd R RGD|gene
sgd D SGD|gene
flybase F FlyBase|gene
wormbase W WormBase|gene
zfin Z ZFIN|gene
tair.locus A TAIR|gene
ecogene Ec EcoGene|gene
subtiwiki Bsu SubtiWiki|gene
myco.tuber Tb TubercuList|gene
mirbase Mb miRBase Sequence|gene
mirbase.mature Mbm miRBase mature sequence|gene
rfam Rf Rfam|gene
homologene Hg HomoloGene|gene
kegg.genes Kg KEGG Genes|gene
ena.embl Em EMBL|gene
insdc G GenBank|gene
omim Om OMIM|gene
ncbiprotein Np NCBI Protein|protein
eccode E Enzyme Nomenclature|protein
brenda Br BRENDA|protein
interpro I InterPro|protein
pfam Pf Pfam|protein
pdb Pd PDB|protein
chebi Ce ChEBI|metabolite
hmdb Ch HMDB|metabolite
chembl.compound Cl ChEMBL compound|metabolite
pubchem.compound Cpc PubChem-compound|metabolite
pubchem.substance Cps PubChem-substance|metabolite
chemspider Cs Chemspider|metabolite
cas Ca CAS|metabolite
kegg.compound Ck KEGG Compound|metabolite
kegg.drug Kd KEGG Drug|metabolite
kegg.glycan Kl KEGG Glycan|metabolite
knapsack Cks KNApSAcK|metabolite
lipidmaps Lm LIPID MAPS|metabolite
drugbank Dr DrugBank|metabolite
pharmgkb.drug Pgd PharmGKB Drug|metabolite
inchikey Ik InChIKey|metabolite
swisslipids Sl SwissLipids|metabolite
iuphar.ligand Gpl Guide to Pharmacology|metabolite
wikidata Wd Wikidata|other
wikipathways Wp WikiPathways|other
wikipedia.en Wi Wikipedia|other
reactome Re Reactome|other
rhea Rh Rhea|other
kegg.pathway Kp KEGG Pathway|other
kegg.reaction Rk KEGG Reaction|other
complexportal Cpx Complex Portal|other
go T GeneOntology|other
intact Ia IntAct|other
biogrid Bg BioGrid|other
pathwaycommons Pc Pathway Commons|other
pid.pathway Pid NCI Pathway Interaction Database|other
aop.events AopKe AOP-Wiki KE|other
spike.map Sk SPIKE|other
pubmed Pbm PubMed|other
doi Pbd DOI|other
"""

# Spellings of GPML files and of people that no column above holds.
_ALIASES = {
    "uniprot/trembl": "uniprot",
    "uniprotkb": "uniprot",
    "uniprotkb/trembl": "uniprot",
    "uniprot-swissprot": "uniprot",
    "swissprot": "uniprot",
    "entrez": "ncbigene",
    "ncbi gene": "ncbigene",
    "geneid": "ncbigene",
    "hgnc symbol": "hgnc.symbol",
    "ec-code": "eccode",
    "kegg.ligand": "kegg.compound",
    "kegg ligand": "kegg.compound",
    "pubchem": "pubchem.compound",
    "chembl": "chembl.compound",
    "lipid maps": "lipidmaps",
    "inchi key": "inchikey",
    "mim": "omim",
    "mgd": "mgi",
    "wikipedia": "wikipedia.en",
    "pubmed id": "pubmed",
}
# Prefixes that an identifier may repeat, and that Bioregistry leaves out.
_OWN_PREFIX = {"chebi": "CHEBI:", "hgnc": "HGNC:", "mgi": "MGI:", "rgd": "RGD:", "go": "GO:"}
_OLD_HMDB = re.compile(r"^HMDB(\d{5})$")
_VERSIONED = re.compile(r"^(ENS[A-Z]*\d{11})\.\d+$")


@cache
def _by_name() -> dict[str, Database]:
    found: dict[str, Database] = {}
    for line in _TABLE.strip().splitlines():
        columns, subject = line.split("|")
        prefix, code, name = columns.split(" ", 2)
        database = Database(prefix, code, name, Subject(subject))
        found[prefix] = found[name.lower()] = database
    return found | {alias: found[prefix] for alias, prefix in _ALIASES.items()}


@cache
def _by_code() -> dict[str, Database]:
    return {database.code: database for database in _by_name().values()}


@lru_cache(maxsize=1024)
def find_database(name: str) -> Database | None:
    """Find a database by its prefix or name, blind to case, or by its BridgeDb code as written.

    >>> [find_database(code).prefix for code in ("Ce", "Ch", "Cl", "Cpc", "L", "S", "H")]
    ['chebi', 'hmdb', 'chembl.compound', 'pubchem.compound', 'ncbigene', 'uniprot', 'hgnc.symbol']
    >>> find_database("Uniprot-TrEMBL").code
    'S'
    """
    return _by_code().get(name) or _by_name().get(name.strip().lower())


def parse_xref(database: str, identifier: str) -> Xref | None:
    """Read a cross-reference as files write it; None where one half is missing.

    >>> parse_xref("ChEBI", "CHEBI:15846"), parse_xref("HMDB", "HMDB00067")
    (Xref(database='chebi', identifier='15846'), Xref(database='hmdb', identifier='HMDB0000067'))
    >>> str(parse_xref("HGNC", "TNF")), str(parse_xref("HGNC Accession number", "HGNC:11892"))
    ('hgnc.symbol:TNF', 'hgnc:11892')
    """
    identifier = identifier.strip()
    if not identifier or not database.strip():
        return None
    known = find_database(database)
    prefix = known.prefix if known else database.strip().lower()
    own = _OWN_PREFIX.get(prefix, "")
    if own and identifier[: len(own)].upper() == own:
        identifier = identifier[len(own) :].strip()
    if prefix == "hgnc" and not identifier.isdigit():
        # GPML 2013a calls the symbols `HGNC`, and Bioregistry the accession numbers.
        prefix = "hgnc.symbol"
    if old := _OLD_HMDB.match(identifier):
        identifier = f"HMDB00{old.group(1)}"
    if versioned := _VERSIONED.match(identifier):
        identifier = versioned.group(1)
    return Xref(prefix, identifier) if identifier else None


def parse_curie(text: str) -> Xref | None:
    """Read `prefix:identifier`; None where it is not one.

    >>> parse_curie("ncbigene:1585"), parse_curie("nonsense")
    (Xref(database='ncbigene', identifier='1585'), None)
    """
    prefix, colon, identifier = text.strip().partition(":")
    return parse_xref(prefix, identifier) if colon else None


def parse_curies(cell: str) -> tuple[Xref, ...]:
    """Read the identifiers of one cell, joined by `;`, each once.

    >>> [str(xref) for xref in parse_curies("uniprot:U3KQ63;uniprot:P40926")]
    ['uniprot:U3KQ63', 'uniprot:P40926']
    """
    if not cell:
        return ()
    found = (parse_curie(part) for part in cell.split(";"))
    return tuple(dict.fromkeys(xref for xref in found if xref))
