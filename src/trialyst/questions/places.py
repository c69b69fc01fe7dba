"""Places of a question to what they ask of a trial."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from trialyst.ctgov.countries import country_code
from trialyst.ctgov.geo import check_circle
from trialyst.ctgov.nearby import unplaced_sites_near
from trialyst.ctgov.plain import NEAR_KM
from trialyst.ctgov.points import describe_place, find_place
from trialyst.ctgov.query import Circle, TrialQuery
from trialyst.essie.build import any_of
from trialyst.essie.render import text_node
from trialyst.questions.clauses import Clause
from trialyst.questions.readings import ArgumentReading
from trialyst.questions.values import read_km, read_place

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource

__all__ = ["is_known_place", "read_locations", "read_near"]


POINTS_ONLY = "Only sites whose point is recorded are found."
BY_CITY = "Sites without a recorded point count by their city, approximately."


def is_known_place(text: str) -> bool:
    """Whether a text is certainly the name of a place."""
    return country_code(text) is not None


async def read_locations(source: TrialSource, texts: Sequence[str]) -> Clause:
    """Read places in any of which a trial must have a site."""
    node = any_of(*map(text_node, texts))
    reading = ArgumentReading(
        asked=" OR ".join(texts), kind="location", known=True, name=" or ".join(texts)
    )
    return Clause("location", reading, TrialQuery(queries=(("locn", node),)))


async def read_near(
    source: TrialSource, value: Any, *, within: Any, statuses: Sequence[str]
) -> Clause:
    """Read a place near which a trial must have a site."""
    text = read_place(value) or ""
    place = await find_place(source, text)
    km = read_km("within", within)
    circle = Circle(*place.point, NEAR_KM if km is None else km)
    check_circle(circle)
    beside = None if source.cities is None else unplaced_sites_near(circle)
    reading = ArgumentReading(
        asked=text,
        kind="near",
        known=True,
        name=f"{describe_place(place)}, within {circle.km:g} km",
        note=" ".join((*place.notes, POINTS_ONLY if source.cities is None else BY_CITY)),
    )
    return Clause("near", reading, TrialQuery(circle=circle, beside_circle=beside))
