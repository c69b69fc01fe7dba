"""The starter set: well-known pathways that the project wrote itself from textbook knowledge.

Ids, names and organisms are WikiPathways' own; genes are the core of each pathway, not all of it.
The texts stand in `data/starter`, one file a pathway, identifiers in `data/identifiers.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from typing import NamedTuple

from trialyst.pathways.organisms import HUMAN
from trialyst.pathways.pathway import (
    Anchor,
    Arrow,
    End,
    EndKind,
    Interaction,
    Node,
    NodeKind,
    Pathway,
    Xref,
)

__all__ = ["STARTER_NOTICE", "STARTER_REVISION", "load_starter", "parse_starter"]

STARTER_NOTICE = (
    "Starter set: core genes and interactions written by this project from textbook knowledge, "
    "not the whole pathways of WikiPathways."
)
STARTER_REVISION = "starter"
"""What `Pathway.revision` says of a pathway of the starter set."""

_ARROWS = {
    "activation": Arrow.STIMULATION,
    "binding": Arrow.BINDING,
    "catalysis": Arrow.CATALYSIS,
    "cleavage": Arrow.CLEAVAGE,
    "conversion": Arrow.CONVERSION,
    "inhibition": Arrow.INHIBITION,
    "modification": Arrow.MODIFICATION,
    "transcription": Arrow.TRANSCRIPTION_TRANSLATION,
}
_LINE = re.compile(rf"^(.+) -> (.+) ({'|'.join(_ARROWS)})(?: by (.+))?$")
_KEY = re.compile(r"^([A-Za-z ]+):(?: (.*))?$")
_CURIE = re.compile(r"^(ncbigene|ensembl|uniprot|hgnc|chebi|hmdb):(\S+)$")
_METABOLITES = "metabolites"

_Identifiers = dict[tuple[str, str], tuple[Xref, ...]]


class _Reaction(NamedTuple):
    """One line of interactions; `enzymes` act on the conversion itself."""

    source: str
    target: str
    arrow: Arrow
    enzymes: tuple[str, ...]


@cache
def load_starter() -> tuple[Pathway, ...]:
    """Give the pathways of the starter set, in the order of their numbers."""
    data = resources.files("trialyst.pathways") / "data"
    identifiers = _parse_identifiers((data / "identifiers.txt").read_text("utf-8"))
    texts = (
        entry.read_text("utf-8")
        for entry in (data / "starter").iterdir()
        if entry.name.endswith(".txt")
    )
    found = (parse_starter(text, identifiers=identifiers) for text in texts)
    return tuple(sorted(found, key=lambda pathway: int(pathway.id[2:])))


def parse_starter(text: str, *, identifiers: _Identifiers | None = None) -> Pathway:
    """Read one pathway; raise ValueError where an interaction names what is not listed.

    >>> text = "id: WP1\\nname: N\\norganism: Homo sapiens\\nabout: Told.\\n"
    >>> text += "genes:\\n  HK1\\nmetabolites:\\n  sugar\\n  acid\\n"
    >>> text += "interactions:\\n  sugar -> acid conversion by HK1"
    >>> [str(line.type) for line in parse_starter(text).interactions]
    ['Conversion', 'Catalysis']
    """
    parts = dict(_sections(text))
    organism = parts["organism"][0]
    known = identifiers or {}
    symbols = [symbol for line in parts["genes"] for symbol in line.split()]
    nodes = [_gene(symbol, organism, known) for symbol in symbols]
    nodes += [
        Node(name, name, NodeKind.METABOLITE, known.get((_METABOLITES, name), ()))
        for name in parts.get(_METABOLITES, ())
    ]
    reactions = [_reaction(line) for line in parts.get("interactions", ())]
    _require_listed(reactions, {node.id for node in nodes})
    return Pathway(
        id=parts["id"][0],
        name=parts["name"][0],
        organism=organism,
        description=f"Starter set: {' '.join(parts['about'])}",
        nodes=tuple(nodes),
        interactions=tuple(_interactions(reactions)),
        revision=STARTER_REVISION,
    )


def _sections(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield every key with its value and the indented lines below it."""
    lines: list[str] = []
    key = None
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(" "):
            lines.append(line.strip())
        elif match := _KEY.match(line):
            if key is not None:
                yield key, lines
            key, lines = match.group(1), [match.group(2)] if match.group(2) else []
        else:
            raise ValueError(f"{line!r} is neither a key nor indented below one")
    if key is not None:
        yield key, lines


def _parse_identifiers(text: str) -> _Identifiers:
    found: _Identifiers = {}
    for section, lines in _sections(text):
        for line in lines:
            words = line.split(" ")
            xrefs = [Xref(*match.groups()) for word in words if (match := _CURIE.match(word))]
            name = " ".join(words[: len(words) - len(xrefs)])
            found[section, name] = tuple(xrefs)
    return found


def _gene(symbol: str, organism: str, known: _Identifiers) -> Node:
    xrefs = known.get((organism, symbol), ())
    if organism == HUMAN:
        xrefs = (*xrefs, Xref("hgnc.symbol", symbol))
    return Node(symbol, symbol, NodeKind.GENE, xrefs)


def _reaction(line: str) -> _Reaction:
    match = _LINE.match(line)
    if match is None:
        raise ValueError(f"{line!r} is no interaction; kinds are {', '.join(_ARROWS)}")
    source, target, kind, enzymes = match.groups()
    return _Reaction(source, target, _ARROWS[kind], tuple((enzymes or "").split()))


def _require_listed(reactions: Iterable[_Reaction], names: set[str]) -> None:
    for reaction in reactions:
        unknown = {reaction.source, reaction.target, *reaction.enzymes} - names
        if unknown:
            raise ValueError(f"{sorted(unknown)} take part in an interaction but are not listed")


def _interactions(reactions: Iterable[_Reaction]) -> Iterator[Interaction]:
    for number, reaction in enumerate(reactions, start=1):
        anchor = f"anchor{number}"
        yield Interaction(
            id=f"line{number}",
            source=End(reaction.source),
            target=End(reaction.target),
            type=reaction.arrow,
            anchors=(Anchor(anchor),) if reaction.enzymes else (),
        )
        for enzyme in reaction.enzymes:
            yield Interaction(
                id=f"line{number}-{enzyme}",
                source=End(enzyme),
                target=End(anchor, EndKind.ANCHOR),
                type=Arrow.CATALYSIS,
            )
