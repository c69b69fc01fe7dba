"""`get_pathway` and `get_pathway_components`: strict lookup by id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trialyst.ctgov.answers import to_next
from trialyst.discovery.envelope import Answer, Clock, utc_now
from trialyst.discovery.pathways.inputs import read_pathway_id
from trialyst.discovery.pathways.next_calls import after_components, after_pathway
from trialyst.discovery.pathways.origin import tell_origin
from trialyst.discovery.pathways.views import (
    COMPONENT_KINDS,
    to_component,
    to_heading,
    to_interaction,
    to_pathway,
)
from trialyst.errors import NotFound
from trialyst.hints import Call, Command, Hint
from trialyst.pathways.components import build_components

if TYPE_CHECKING:
    from trialyst.discovery.pathways.answers import ComponentsAnswer, PathwayAnswer
    from trialyst.pathways.components import Components
    from trialyst.pathways.ids import PathwayId
    from trialyst.pathways.pathway import Pathway
    from trialyst.pathways.source import PathwaySource
    from trialyst.signatures import Text

__all__ = ["find_pathway", "get_pathway", "get_pathway_components"]

UNKNOWN_NOTE = (
    "Only a list of this pathway's nodes was at hand: its interactions are unknown, not absent."
)


async def get_pathway(
    source: PathwaySource, pathway_id: Text = None, *, clock: Clock = utc_now
) -> Answer[PathwayAnswer]:
    """Give one pathway: what it is about, its genes and metabolites, papers and ids elsewhere.

    Raises:
        UnresolvedEntity: free text stands where the id belongs.
        InvalidInput: something looks like an id and is none.
        NotFound: the id names no pathway here.
    """
    pathway = await find_pathway(source, read_pathway_id(pathway_id))
    values = to_pathway(pathway, build_components(pathway))
    provenance = await tell_origin(source, _notes(pathway), clock=clock)
    steps = after_pathway(values["id"], values["genes"], title=values["title"])
    told = {"understood": {}, "provenance": provenance, "next": list(to_next(steps))}
    return Answer({**values, **told}, [values])


async def get_pathway_components(
    source: PathwaySource, pathway_id: Text = None, *, clock: Clock = utc_now
) -> Answer[ComponentsAnswer]:
    """Give what a pathway is made of, merged across id systems, and every connected interaction.

    Raises:
        UnresolvedEntity, InvalidInput, NotFound: as `get_pathway` does.
    """
    pathway = await find_pathway(source, read_pathway_id(pathway_id))
    parts = build_components(pathway)
    groups: dict[str, list[dict[str, Any]]] = {
        kind: [to_component(each) for each in getattr(parts, kind)] for kind in COMPONENT_KINDS
    }
    body = {
        **to_heading(pathway),
        **groups,
        "interactions": [to_interaction(edge) for edge in parts.interactions],
        "interactions_known": pathway.interactions_known,
        "unconnected": parts.unconnected,
        "understood": {},
        "provenance": await tell_origin(source, _notes(pathway), clock=clock),
        "next": list(to_next(after_components(to_heading(pathway)["id"], _symbols(parts)))),
    }
    return Answer(body, [each for group in groups.values() for each in group])


async def find_pathway(source: PathwaySource, pathway_id: PathwayId) -> Pathway:
    """Give one pathway, or raise NotFound with the way to find it."""
    try:
        return await source.get(pathway_id)
    except NotFound:
        few = (await source.provenance()).synthetic
        more = " The starter set has a few pathways only: to have all of them, {sync}."
        raise NotFound(
            f"{pathway_id.curie} is not in this source",
            hint=Hint(
                "Check the id, or find the pathway with {search} and pass an id it gives."
                + (more if few else ""),
                search=Call("search_pathways"),
                sync=Command("trialyst pathways sync"),
            ),
            invalid_input=pathway_id.curie,
        ) from None


def _symbols(parts: Components) -> list[str]:
    return list(dict.fromkeys(each.symbol for each in parts.gene_products if each.symbol))


def _notes(pathway: Pathway) -> list[str]:
    return [] if pathway.interactions_known else [UNKNOWN_NOTE]
