"""`get_pathway`: strict lookup by id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.ctgov.answers import to_next
from trialyst.discovery.envelope import Answer, Clock, utc_now
from trialyst.discovery.pathways.arguments import PathwayArguments
from trialyst.discovery.pathways.inputs import read_pathway_id
from trialyst.discovery.pathways.next_calls import after_pathway
from trialyst.discovery.pathways.origin import tell_origin
from trialyst.discovery.pathways.views import to_pathway
from trialyst.errors import NotFound
from trialyst.hints import Call, Command, Hint
from trialyst.pathways.components import build_components
from trialyst.questions.given import read_given

if TYPE_CHECKING:
    from trialyst.discovery.pathways.answers import PathwayAnswer
    from trialyst.pathways.ids import PathwayId
    from trialyst.pathways.pathway import Pathway
    from trialyst.pathways.source import PathwaySource
    from trialyst.signatures import Flag, Text

__all__ = ["find_pathway", "get_pathway", "tell_unknown"]

UNKNOWN_NOTE = (
    "Only a list of this pathway's nodes was at hand: its interactions are unknown, not absent."
)


async def get_pathway(
    source: PathwaySource,
    pathway_id: Text = None,
    *,
    literature: Flag = None,
    clock: Clock = utc_now,
) -> Answer[PathwayAnswer]:
    """Give one pathway: what it is about, its genes and metabolites, ids elsewhere, and how many
    papers it rests on, or on request these.

    Raises:
        UnresolvedEntity: free text stands where the id belongs.
        InvalidInput: something looks like an id and is none.
        NotFound: the id names no pathway here.
    """
    given = read_given(PathwayArguments, {"pathway_id": pathway_id, "literature": literature})
    pathway = await find_pathway(source, read_pathway_id(given.get("pathway_id")))
    whole = given.get("literature", False)
    values = to_pathway(pathway, build_components(pathway), literature=whole)
    told = {
        "understood": {},
        "provenance": await tell_origin(source, tell_unknown(pathway), clock=clock),
        "next": list(to_next(after_pathway(values))),
    }
    return Answer({**values, **told}, [values])


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


def tell_unknown(pathway: Pathway) -> list[str]:
    """Say so where the interactions of a pathway are not known."""
    return [] if pathway.interactions_known else [UNKNOWN_NOTE]
