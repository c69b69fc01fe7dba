"""`get_pathway` and `get_pathway_components`: strict lookup by id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from trialyst.ctgov.answers import continued, to_next
from trialyst.discovery.envelope import Answer, Clock, to_pagination, utc_now
from trialyst.discovery.pathways.arguments import (
    ComponentArguments,
    ComponentOptions,
    PathwayArguments,
    PathwayOptions,
)
from trialyst.discovery.pathways.inputs import read_pathway_id
from trialyst.discovery.pathways.next_calls import after_components, after_pathway
from trialyst.discovery.pathways.origin import tell_origin
from trialyst.discovery.pathways.views import (
    COMPONENT_KINDS,
    count_components,
    to_component,
    to_heading,
    to_interaction,
    to_pathway,
)
from trialyst.errors import NotFound
from trialyst.hints import Call, Command, Hint
from trialyst.paging import check_offset, encode_continuation, take_up
from trialyst.pathways.components import build_components
from trialyst.questions.given import read_given

if TYPE_CHECKING:
    from trialyst.discovery.pathways.answers import ComponentsAnswer, PathwayAnswer
    from trialyst.pathways.components import Components
    from trialyst.pathways.ids import PathwayId
    from trialyst.pathways.pathway import Pathway
    from trialyst.pathways.source import PathwaySource
    from trialyst.signatures import Text

__all__ = ["find_pathway", "get_pathway", "get_pathway_components"]

TOOL_COMPONENTS = "get_pathway_components"
PARTS = 100
"""Components and interactions on a page, some 6,000 tokens."""
LITERATURE_NOTE = "Papers are left out but for their ids."
UNKNOWN_NOTE = (
    "Only a list of this pathway's nodes was at hand: its interactions are unknown, not absent."
)


async def get_pathway(
    source: PathwaySource,
    pathway_id: Text = None,
    *,
    clock: Clock = utc_now,
    **arguments: Unpack[PathwayOptions],
) -> Answer[PathwayAnswer]:
    """Give one pathway: what it is about, its genes and metabolites, ids elsewhere.

    Raises:
        UnresolvedEntity: free text stands where the id belongs.
        InvalidInput: something looks like an id and is none.
        NotFound: the id names no pathway here.
    """
    asked = read_given(PathwayArguments, {**arguments, "pathway_id": pathway_id})
    pathway = await find_pathway(source, read_pathway_id(asked.get("pathway_id")))
    values = to_pathway(pathway, build_components(pathway))
    papers = values.pop("literature", [])
    wanted = asked.get("literature", False)
    if wanted:
        values["literature"] = papers
    left_out = [LITERATURE_NOTE] if papers and not wanted else []
    provenance = await tell_origin(source, [*_notes(pathway), *left_out], clock=clock)
    steps = after_pathway(values, papers=bool(left_out))
    told = {"understood": {}, "provenance": provenance, "next": list(to_next(steps))}
    return Answer({**values, **told}, [values])


async def get_pathway_components(
    source: PathwaySource,
    pathway_id: Text = None,
    *,
    whole: bool = True,
    clock: Clock = utc_now,
    **arguments: Unpack[ComponentOptions],
) -> Answer[ComponentsAnswer]:
    """Give what a pathway is made of, merged across id systems, and every connected interaction.

    Args:
        whole: give all of it where no page is asked for.

    Raises:
        UnresolvedEntity, InvalidInput, NotFound: as `get_pathway` does.
    """
    given = read_given(ComponentArguments, {**arguments, "pathway_id": pathway_id})
    if "pathway_id" in given:
        given["pathway_id"] = read_pathway_id(given["pathway_id"]).curie
    call = take_up(TOOL_COMPONENTS, given)
    pathway = await find_pathway(source, read_pathway_id(call.arguments.get("pathway_id")))
    parts = build_components(pathway)
    entries = [
        *((kind, to_component(each)) for kind in COMPONENT_KINDS for each in getattr(parts, kind)),
        *(("interactions", to_interaction(edge)) for edge in parts.interactions),
    ]
    all_of_it = whole and not call.position and "page_size" not in call.arguments
    size = call.arguments.get("page_size", max(PARTS, len(entries)) if all_of_it else PARTS)
    start = check_offset(call.position, "")
    shown = entries[start : start + size]
    groups = {
        kind: [part for name, part in shown if name == kind]
        for kind in (*COMPONENT_KINDS, "interactions")
    }
    heading = to_heading(pathway)
    at = {"offset": start + size}
    goes_on = start + size < len(entries)
    cursor = encode_continuation(TOOL_COMPONENTS, call.arguments, at) if goes_on else None
    body = {
        **heading,
        "component_counts": count_components(pathway, parts),
        **groups,
        "interactions_known": pathway.interactions_known,
        "unconnected": parts.unconnected,
        "pagination": to_pagination(cursor=cursor, total=len(entries), page_size=size),
        "understood": {},
        "provenance": await tell_origin(source, _notes(pathway), clock=clock),
        "next": list(
            to_next(
                continued(TOOL_COMPONENTS, {"pathway_id": heading["id"]}, cursor),
                after_components(heading["id"], _symbols(parts)),
            )
        ),
    }
    return Answer(body, [part for kind, part in shown if kind != "interactions"])


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
