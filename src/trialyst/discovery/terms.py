"""From the arguments of a tool to a query for trials, and what the reader should know of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from trialyst.ctgov.patients import parse_age
from trialyst.ctgov.plain import NEAR_KM, PlainQuery
from trialyst.ctgov.points import describe_place, find_place, knows_sites
from trialyst.ctgov.query import Circle
from trialyst.questions.values import (
    read_km,
    read_phases,
    read_place,
    read_sex,
    read_statuses,
    read_text,
)

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource

__all__ = ["Terms", "read_terms"]


POINTS_ONLY = "near finds sites whose point is recorded; location finds the others by name."
BY_CITY = "Sites without a recorded point count by their city, approximately."


class Terms(NamedTuple):
    """What to find, and notes on how it was understood."""

    plain: PlainQuery
    notes: tuple[str, ...]


async def read_terms(source: TrialSource, arguments: Mapping[str, Any]) -> Terms:
    """Read what `search_trials` and `count_trials` share."""

    def text(name: str) -> str | None:
        return read_text(name, arguments.get(name))

    query, age = text("query"), arguments.get("age")
    near, within, notes = await _circle(source, arguments)
    sex = read_sex(arguments.get("sex"))
    if sex == "ALL":
        notes = (*notes, "sex ALL keeps only trials open to everyone; leave out sex for the rest.")
    if age is not None:
        notes = (*notes, f"Trials that state no age limit are kept; age: {parse_age(age)}.")
    if arguments.get("date_before") is not None:
        notes = (*notes, "Trials that state no day of first posting are left out by date_before.")
    plain = PlainQuery(
        condition=text("condition"),
        intervention=text("intervention"),
        location=text("location"),
        date_before=text("date_before"),
        advanced=text("advanced"),
        # An empty query beside filters is no query, as the contract of the tool says.
        term=query if query and query.strip() else None,
        status=read_statuses(arguments.get("status")),
        phase=read_phases(arguments.get("phase")),
        sex=sex,
        age=age,
        near=near,
        within=within,
        near_by_city=near is not None and knows_sites(source),
    )
    return Terms(plain, notes)


async def _circle(
    source: TrialSource,
    arguments: Mapping[str, Any],
) -> tuple[Circle | None, float | None, tuple[str, ...]]:
    text, km = read_place(arguments.get("near")), read_km("within", arguments.get("within"))
    if text is None:
        return None, km, ()
    place = await find_place(source, text)
    radius = NEAR_KM if km is None else km
    note = f"near is {describe_place(place)}, within {radius:g} km."
    return (
        Circle(*place.point, radius),
        None,
        (note, *place.notes, BY_CITY if knows_sites(source) else POINTS_ONLY),
    )
