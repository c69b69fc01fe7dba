"""`get_pathway_components`: what a pathway is made of, in pages over all kinds of parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from trialyst.ctgov.answers import continued, to_next
from trialyst.discovery.envelope import Answer, Clock, to_pagination, utc_now
from trialyst.discovery.pathways.arguments import ComponentArguments, ComponentOptions
from trialyst.discovery.pathways.inputs import read_pathway_id
from trialyst.discovery.pathways.lookup import find_pathway, tell_unknown
from trialyst.discovery.pathways.next_calls import after_components
from trialyst.discovery.pathways.origin import tell_origin
from trialyst.discovery.pathways.views import (
    COMPONENT_KINDS,
    to_component,
    to_counts,
    to_heading,
    to_interaction,
)
from trialyst.paging import check_offset, check_version, digest, encode_continuation, take_up
from trialyst.pathways.components import build_components
from trialyst.questions.given import read_given
from trialyst.questions.values import read_choices

if TYPE_CHECKING:
    from trialyst.discovery.pathways.answers import ComponentsAnswer
    from trialyst.paging import Continuation
    from trialyst.pathways.components import Components
    from trialyst.pathways.pathway import Pathway
    from trialyst.pathways.source import PathwaySource
    from trialyst.signatures import Text

__all__ = ["get_pathway_components"]

TOOL = "get_pathway_components"
_INTERACTIONS = "interactions"
_KINDS = (*COMPONENT_KINDS, _INTERACTIONS)

Groups = dict[str, list[dict[str, Any]]]


async def get_pathway_components(
    source: PathwaySource,
    pathway_id: Text = None,
    *,
    clock: Clock = utc_now,
    **arguments: Unpack[ComponentOptions],
) -> Answer[ComponentsAnswer]:
    """Give what a pathway is made of, merged across id systems, and every connected interaction.

    Without a page size all of it is given at once.

    Raises:
        UnresolvedEntity, InvalidInput, NotFound: as `get_pathway` does.
    """
    given = read_given(ComponentArguments, {**arguments, "pathway_id": pathway_id})
    if "pathway_id" in given:
        given["pathway_id"] = read_pathway_id(given["pathway_id"]).curie
    call = take_up(TOOL, given)
    wanted = read_pathway_id(call.arguments.get("pathway_id"))
    kinds = read_choices("kinds", call.arguments.get("kinds"), _KINDS) or _KINDS
    pathway = await find_pathway(source, wanted)
    parts = build_components(pathway)
    listed = [(kind, each) for kind in _KINDS if kind in kinds for each in getattr(parts, kind)]
    groups, pagination = _to_page(call, pathway, listed)
    cursor = pagination.get("cursor")
    heading = to_heading(pathway)
    body = {
        **heading,
        **groups,
        "interactions_known": pathway.interactions_known,
        "unconnected": parts.unconnected,
        "component_counts": to_counts(pathway, parts),
        **({"pagination": pagination} if pagination else {}),
        "understood": {},
        "provenance": await tell_origin(source, tell_unknown(pathway), clock=clock),
        "next": list(
            to_next(
                continued(TOOL, {"pathway_id": heading["id"]}, cursor),
                after_components(heading["id"], _symbols(parts)),
            )
        ),
    }
    return Answer(body, [each for kind in COMPONENT_KINDS for each in groups[kind]])


def _to_page(
    call: Continuation, pathway: Pathway, listed: Sequence[tuple[str, Any]]
) -> tuple[Groups, Mapping[str, Any]]:
    """Give the parts of a page by kind, and where the page stands; nowhere if it is all."""
    size = call.arguments.get("page_size")
    if size is None:
        return _to_groups(listed), {}
    version = digest([pathway.revision, pathway.last_modified, len(listed)])
    check_version(call, version)
    start = check_offset(call.position, "")
    end = start + size
    cursor = None
    if end < len(listed):
        cursor = encode_continuation(TOOL, call.arguments, {"offset": end, "version": version})
    pagination = to_pagination(cursor=cursor, total=len(listed), page_size=size)
    return _to_groups(listed[start:end]), pagination


def _to_groups(listed: Sequence[tuple[str, Any]]) -> Groups:
    groups: Groups = {kind: [] for kind in _KINDS}
    for kind, each in listed:
        view = to_interaction if kind == _INTERACTIONS else to_component
        groups[kind].append(view(each))
    return groups


def _symbols(parts: Components) -> list[str]:
    return list(dict.fromkeys(each.symbol for each in parts.gene_products if each.symbol))
