"""Arguments about pathways, read once and before any source is asked."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from trialyst.errors import AmbiguousQuery
from trialyst.hints import Argument, Hint
from trialyst.paging import Continuation
from trialyst.pathways.ids import PathwayId
from trialyst.pathways.organisms import parse_organism
from trialyst.questions.identifiers import IdKind, only_one, read_id_of
from trialyst.questions.values import read_list, read_text

__all__ = ["PageWanted", "read_gene", "read_genes", "read_organism", "read_page", "read_pathway_id"]

PAGE_SIZE = 50


class PageWanted(NamedTuple):
    """Which page, of which organism, how much of each pathway."""

    organism: str | None
    slim: bool
    size: int
    cursor: str | None


def read_page(call: Continuation, *, size: int = PAGE_SIZE) -> PageWanted:
    """Read what every list of pathways takes; `size` is that of a page if none is asked for."""
    asked = call.arguments
    return PageWanted(
        organism=read_organism(asked.get("organism")),
        slim=asked.get("slim", True),
        size=asked.get("page_size", size),
        cursor=call.position.get("cursor"),
    )


def read_organism(value: Any) -> str | None:
    """Read a scientific name; a common one is refused with the right one in the hint."""
    text = read_text("organism", value)
    return None if text is None else parse_organism(text)


def read_gene(value: Any) -> str:
    """Read one gene; a number is an Entrez id."""
    text = (read_text("gene_id", only_one("gene_id", value)) or "").strip()
    if text:
        return text
    raise AmbiguousQuery(
        "No gene is given",
        hint=Hint(
            "Give {example}: a symbol, or an Entrez, Ensembl, UniProt or HGNC id.",
            example=Argument("gene_id", "TNF"),
        ),
        invalid_input=text,
    )


def read_genes(name: str, value: Any) -> tuple[str, ...]:
    """Read genes: a list, JSON in a string, or text separated by commas, lines or spaces."""
    return tuple(gene for text in read_list(name, value) for gene in text.split())


_PATHWAY = IdKind(
    argument="pathway_id",
    parse=PathwayId.parse,
    called="WikiPathways id",
    example="WP:WP554",
    wrong="A pathway id is 'WP' and a number, such as WP:WP554",
    search="search_pathways",
    bare=re.compile("[1-9][0-9]{0,6}"),
    letters="WP",
)


def read_pathway_id(value: Any) -> PathwayId:
    """Read one id; free text is an error that says how to get an id."""
    return read_id_of(_PATHWAY, value)
