"""The site's static JSON files, which list every pathway: one by text, one by cross-reference.

They name a pathway's nodes and ids, but not which id is whose, and no interactions; descriptions
are cut at 200 characters and written as HTML.
"""

from __future__ import annotations

import hashlib
import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import msgspec

from trialyst.pathways.databases import parse_curies
from trialyst.pathways.genes import Mention, to_mention
from trialyst.pathways.human_genes import HumanGenes
from trialyst.pathways.ids import PathwayId
from trialyst.pathways.organisms import HUMAN
from trialyst.pathways.pathway import Xref
from trialyst.pathways.source import PathwaySummary
from trialyst.pathways.store import Entry
from trialyst.pathways.words import Text

__all__ = [
    "TEXT_FILE",
    "XREF_FILE",
    "Listed",
    "TextFile",
    "XrefFile",
    "read_text_file",
    "read_xref_file",
    "to_entries",
]

TEXT_FILE = "json/findPathwaysByText.json"
XREF_FILE = "json/findPathwaysByXref.json"


class Listed(msgspec.Struct, frozen=True):
    """A pathway of `findPathwaysByText.json`."""

    id: str
    name: str
    species: str
    revision: str = ""
    """The date of the last change."""
    description: str = ""
    datanodes: str = ""
    annotations: str = ""


class _Crossed(msgspec.Struct, frozen=True):
    """A pathway of `findPathwaysByXref.json`, as far as it tells of genes."""

    id: str
    ncbigene: str = ""
    ensembl: str = ""
    hgnc: str = ""
    uniprot: str = ""


class _TextBody(msgspec.Struct, frozen=True):
    pathways: list[Listed] = msgspec.field(name="pathwayInfo")


class _XrefBody(msgspec.Struct, frozen=True):
    pathways: list[_Crossed] = msgspec.field(name="pathwayInfo")


@dataclass(frozen=True, slots=True)
class TextFile:
    """`findPathwaysByText.json`, and a name for exactly this content."""

    pathways: tuple[Listed, ...]
    stamp: str


@dataclass(frozen=True, slots=True)
class XrefFile:
    """The ids of genes by pathway, from `findPathwaysByXref.json`; those of one node together."""

    genes: Mapping[str, tuple[tuple[Xref, ...], ...]]
    stamp: str


_text_decoder = msgspec.json.Decoder(_TextBody)
_xref_decoder = msgspec.json.Decoder(_XrefBody)


def read_text_file(body: bytes) -> TextFile:
    """Read the list of pathways; raises ValueError for anything else, and for an empty one."""
    pathways = tuple(_text_decoder.decode(body).pathways)
    for listed in pathways:
        PathwayId.parse(listed.id)
    if not pathways:
        raise ValueError("the list of pathways is empty")
    return TextFile(pathways, _stamp(body))


def read_xref_file(body: bytes) -> XrefFile:
    """Read the cross-references; raises ValueError for anything else, and for an empty list."""
    pathways = _xref_decoder.decode(body).pathways
    if not pathways:
        raise ValueError("the list of cross-references is empty")
    return XrefFile({each.id: tuple(_genes(each)) for each in pathways}, _stamp(body))


def to_entries(texts: TextFile, xrefs: XrefFile, human: HumanGenes) -> Iterator[Entry]:
    """Give what is stored and searched of each pathway, in order of id."""
    for listed in sorted(texts.pathways, key=lambda each: PathwayId.parse(each.id)):
        yield _entry(listed, xrefs.genes.get(listed.id, ()), human)


def _entry(listed: Listed, nodes: tuple[tuple[Xref, ...], ...], human: HumanGenes) -> Entry:
    labels = tuple(filter(None, map(html.unescape, listed.datanodes.split(", "))))
    description = html.unescape(listed.description)
    organism = listed.species.replace("_", " ")
    symbols = frozenset(
        xref.identifier.upper() for node in nodes for xref in node if xref.database == "hgnc.symbol"
    )
    return Entry(
        summary=PathwaySummary(
            id=str(PathwayId.parse(listed.id)),
            name=html.unescape(listed.name),
            organism=organism,
            description=description,
            last_modified=listed.revision or None,
        ),
        text=Text(
            title=html.unescape(listed.name),
            labels=labels,
            annotations=tuple(filter(None, listed.annotations.split(", "))),
            description=description,
        ),
        genes=(
            *(to_mention(node) for node in nodes),
            # The label of a human node without a known id is a gene's only if it is its symbol.
            *(Mention(each) for each in labels if organism != HUMAN or human.is_symbol(each)),
        ),
        symbols=symbols if organism == HUMAN else None,
    )


def _genes(crossed: _Crossed) -> Iterator[tuple[Xref, ...]]:
    for column in (crossed.hgnc, crossed.ncbigene, crossed.ensembl, crossed.uniprot):
        yield from filter(None, map(parse_curies, column.split(", ")))


def _stamp(body: bytes) -> str:
    return hashlib.blake2b(body, digest_size=8).hexdigest()
