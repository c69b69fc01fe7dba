"""Which names each address understands after its question mark; others are said, not ignored."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request

from trialyst.errors import InvalidInput
from trialyst.questions.arguments import TermArguments
from trialyst.repurposing.counted import LANDSCAPE_COUNTS

__all__ = ["CUTOFF", "FACET", "KNOWN", "refuse_unknown", "unknown_in"]

FACET = "f."
"""What the names of facets begin with."""
CUTOFF = ("date_before", "point_in_time")
_PAIR = ("drug", "condition", *CUTOFF)
_SEARCH = (*TermArguments.__annotations__, "sort", "cursor", FACET)
_MOST_SHOWN = 5
_LONGEST = 60

KNOWN: Mapping[str, tuple[str, ...]] = {
    "/": (),
    "/search": _SEARCH,
    "/search.{form:str}": _SEARCH,
    "/suggest": ("q", "kind"),
    "/trial/{nct_id:path}": ("near",),
    "/compare": ("ids",),
    "/match": (),
    "/match/report.{form:str}": (),
    "/repurposing": _PAIR,
    "/repurposing/trials": (*_PAIR, "cursor"),
    "/repurposing/counted": (*_PAIR, "counted", "page"),
    "/repurposing/matrix": ("drugs", "conditions", *CUTOFF),
    "/repurposing/landscape": ("condition", "cursor", *CUTOFF),
    "/repurposing/landscape/trials": ("condition", *CUTOFF, *LANDSCAPE_COUNTS, "page"),
    "/repurposing/stopped": ("query", "category", "order", "cursor", *CUTOFF),
    "/repurposing/scout": ("drug", *CUTOFF),
    "/repurposing/scout/trials": (*_PAIR, "page"),
    "/repurposing/dossier": _PAIR,
    "/repurposing/dossier.{form:str}": _PAIR,
    "/pathways": ("query", "gene", "organism", "cursor"),
    "/pathways/enrich": ("genes", "organism"),
    "/pathways/bridge": ("drug",),
    "/pathways/{pathway_id}": ("highlight",),
    "/registry": (),
    "/watch/{name}.atom": (),
}
"""By the path of the route; a name that ends in a dot stands for all that begin so."""


def unknown_in(request: Request) -> list[str]:
    """Give the names in an address that its page does not understand."""
    route = getattr(request.scope.get("route"), "path", "")
    known = KNOWN.get(route)
    if known is None:
        return []
    beginnings = tuple(name for name in known if name.endswith("."))
    given = dict.fromkeys(request.query_params)
    return [
        name
        for name in given
        if name not in known and not (beginnings and name.startswith(beginnings))
    ]


def refuse_unknown(request: Request) -> None:
    """Raise InvalidInput where a file would not show that something was ignored."""
    if unknown := unknown_in(request):
        named = ", ".join(f"“{name[:_LONGEST]}”" for name in unknown[:_MOST_SHOWN])
        raise InvalidInput(
            f"Nothing here is called {named}", hint="Leave it out of the address, or correct it."
        )
