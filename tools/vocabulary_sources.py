"""Read the vocabulary's sources: tables bundled in two packages, and our lists in `vocabulary/`.

Owns the choice of what is worth shipping: organisms, single proteins of other species and
systematic chemical names are left out. Nothing here merges or ranks.
"""

from __future__ import annotations

import bz2
import pickle
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["CuratedLine", "Record", "read_curated", "read_descriptors", "read_drugs", "read_genes"]
__all__ += ["is_plain_name", "read_foreign", "read_supplementary", "read_words"]

_SYSTEMATIC = re.compile(
    r"\d[',]\s?\d|[\[\](){}<>]|\d-?[a-z]*(yl|oxy|hydro|amino|oxo|chloro|fluoro|bromo)"
    r"|^[NOS]-|alpha-|beta-|gamma-|\bcpd\b|\bacid\b.*\bester\b",
    re.IGNORECASE,
)
_PROTEIN = re.compile(
    r"\b(proteins?|m?RNA|peptide|receptor|antigen|kinase|subunit|precursor)\b|ase\b"
    r"|, (human|mouse|rat|recombinant|plant|chicken|zebrafish|[A-Z][a-z]+|[A-Z] [a-z]+"
    r"|[A-Z][a-z]+ [a-z]+|bacteria)$"
)
_SYMBOL_LIKE = re.compile(r"^[A-Za-z]{2,4}$")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
_MAX_CHEMICAL = 40
_MAX_NAME = 90
# "Antineoplastic Combined Chemotherapy Protocols": its supplementary records are regimens.
_REGIMENS = "D000971"


@dataclass
class Record:
    """One concept as its source gives it; the first name is the preferred one."""

    id: str
    kind: str
    source: str
    names: list[str]
    trees: list[str] = field(default_factory=list)
    mapped: list[str] = field(default_factory=list)
    cased: frozenset[str] = frozenset()


class CuratedLine(NamedTuple):
    """A line of our own lists: names, the concept they stand for, a marker, class members."""

    names: list[str]
    target: str
    marker: str
    members: list[str]


def read_descriptors(resources: Path) -> list[Record]:
    """Give every MeSH descriptor that has a place in the tree."""
    records = []
    for row in _rows(resources / "mesh_id_label_mappings.tsv"):
        identifier, label, synonyms, trees = row[0], row[1], _split(row[2]), _split(row[3])
        kind = kind_of_trees(trees)
        if kind == "drug":
            synonyms = [name for name in synonyms if is_plain_name(name)]
        elif kind == "other" and all(tree.startswith(("B", "Z", "V")) for tree in trees):
            synonyms = [name for name in synonyms if not _SYMBOL_LIKE.match(name)]
        names = [label, *(name for name in synonyms if len(name) <= _MAX_NAME)]
        records.append(Record(f"MESH:{identifier}", kind, "mesh", names, trees))
    return records


def kind_of_trees(trees: list[str]) -> str:
    """Say what a descriptor is by its tree numbers."""
    if any(tree.startswith(("C", "F03")) for tree in trees):
        return "condition"
    if any(tree.startswith("D") for tree in trees):
        return "drug"
    return "other"


def read_supplementary(resources: Path, kinds: dict[str, str]) -> list[Record]:
    """Give the supplementary drugs, regimens and diseases; `kinds` maps descriptors to kinds."""
    records = []
    for row in _rows(resources / "mesh_supp_id_label_mappings.tsv"):
        identifier, label, synonyms = row[0], row[1], _split(row[2])
        targets = [target.strip("*") for target in row[3].split(",") if target]
        found = {kinds.get(target, "other") for target in targets}
        if "condition" in found:
            kind, names = "condition", [label, *synonyms]
        elif _REGIMENS in targets:
            kind, names = "drug", [label, *synonyms]
        elif "drug" in found and not _PROTEIN.search(label) and not _SYMBOL_LIKE.match(label):
            kind = "drug"
            names = [name for name in (label, *synonyms) if is_plain_name(name)]
            names = [name for name in names if name == label or not _SYMBOL_LIKE.match(name)]
        else:
            continue
        names = [name for name in names if len(name) <= _MAX_NAME]
        if not names or not _worth_keeping(kind, label, names):
            continue
        mapped = [f"MESH:{target}" for target in targets if target in kinds]
        records.append(Record(f"MESH:{identifier}", kind, "mesh-supplementary", names, [], mapped))
    return records


def _worth_keeping(kind: str, label: str, names: list[str]) -> bool:
    # A chemical whose own label is systematic is worth its space only under a code name (AB-1234).
    return (
        kind == "condition"
        or is_plain_name(label)
        or any(re.search(r"[A-Z]{2,}[- ]?\d{3,}", name) for name in names)
    )


def is_plain_name(name: str) -> bool:
    """Say whether a chemical's name is one a person would write."""
    return (
        2 < len(name) <= _MAX_CHEMICAL
        and len(name.split()) <= 5
        and not _SYSTEMATIC.search(name)
        and not re.search(r", (human|mouse|rat)$", name)
    )


class _PlainUnpickler(pickle.Unpickler):
    """Loads containers, texts and numbers; the package's data holds nothing else."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        raise pickle.UnpicklingError(f"refused {module_name}.{global_name}")


def read_drugs(package: Path) -> list[Record]:
    """Give the drugs of drug-named-entity-recognition that do not merely repeat MeSH.

    Those it knows from Wikipedia alone are left out: they are shared alike only (CC BY-SA). Its
    `mesh_id` values name other descriptors and are not read.
    """
    with bz2.open(package / "drug_ner_dictionary.pkl.bz2") as stream:
        data = _PlainUnpickler(stream).load()
    brands = {
        name
        for name, facts in data["drug_variant_to_variant_data"].items()
        if facts.get("is_brand")
    }
    variants: dict[str, list[str]] = {}
    for variant, canonicals in data["drug_variant_to_canonical"].items():
        for canonical in canonicals:
            variants.setdefault(canonical, []).append(variant)
    origins = ("drugbank_id", "medline_plus_id", "nhs_url")
    records = []
    for canonical, facts in data["drug_canonical_to_data"].items():
        if not any(facts.get(origin) for origin in origins):
            continue
        names = [facts.get("name") or canonical]
        names += [
            name.capitalize() if name in brands else name
            for name in variants.get(canonical, [])
            if name != canonical and is_plain_name(name) and "tradename" not in name
        ]
        identifier = facts.get("drugbank_id") or canonical.replace(" ", "-")
        if len(names[0]) <= _MAX_NAME:
            records.append(Record(f"DRUG:{identifier}", "drug", "drug-names", names))
    return records


def read_genes(resources: Path) -> list[Record]:
    """Give the approved genes: symbol, full name, aliases and previous symbols."""
    rows = _rows(resources / "hgnc_entries.tsv")
    header = next(rows)
    at = {title: place for place, title in enumerate(header)}
    records = []
    for row in rows:
        if row[at["Status"]] != "Approved":
            continue
        symbol, full = row[at["Approved symbol"]], row[at["Approved name"]]
        others = f"{row[at['Alias symbols']]}, {row[at['Previous symbols']]}".split(", ")
        symbols = [name for name in dict.fromkeys([symbol, *others]) if len(name) > 1]
        names = [symbols[0], full, *symbols[1:]]
        names = [name for name in names if 1 < len(name) <= _MAX_NAME]
        records.append(Record(row[at["HGNC ID"]], "gene", "hgnc", names, cased=frozenset(symbols)))
    return records


def read_curated(path: Path) -> list[CuratedLine]:
    """Give the lines of one of our lists: `names = concept [?|<] [:: members]`."""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        left, _, right = line.partition(" = ")
        target, _, members = right.partition(" :: ")
        target = target.strip()
        marker = target[-1] if target.endswith((" ?", " <")) else ""
        lines.append(
            CuratedLine(
                _listed(left), target.removesuffix(marker).strip(), marker, _listed(members)
            )
        )
    return lines


def read_foreign(path: Path) -> list[CuratedLine]:
    """Give the lines of the foreign names: `concept | language names | ...`.

    Where a letter has two dots it may also be written with an e behind: `ae` for `ä`.
    """
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            target, *languages = line.split(" | ")
            names = [name for part in languages for name in _listed(part.split(" ", 1)[1])]
            names += [name.translate(_UMLAUTS) for name in names]
            lines.append(CuratedLine(list(dict.fromkeys(names)), target, "", []))
    return lines


def read_words(path: Path) -> frozenset[str]:
    """Give the words of a list, any number on a line."""
    text = path.read_text(encoding="utf-8")
    return frozenset(
        word for line in text.splitlines() if not line.startswith("#") for word in line.split()
    )


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(", ") if part.strip()]


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split("|") if part.strip()]


def _rows(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="utf-8", newline="\n") as stream:
        for line in stream:
            yield line.rstrip("\r\n").split("\t")
