"""Maps as SVG from the places that are shipped: cities as faint dots show the land.

Degrees are drawn as they are, east to the right and north up. Every mark has a title and, where
there is somewhere to go, a link that the keyboard reaches too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from trialyst.ctgov.cities import City, shipped_cities
from trialyst.ctgov.countries import find_country
from trialyst.ctgov.distance import distance_km
from trialyst.ctgov.points import find_place, find_points
from trialyst.interfaces.web.links import trial_path
from trialyst.interfaces.web.svg import element, link
from trialyst.interfaces.web.templating import words

if TYPE_CHECKING:
    from trialyst.ctgov.sites import Site
    from trialyst.ctgov.source import TrialSource
    from trialyst.ctgov.trial import Trial

__all__ = ["Mark", "draw_countries", "draw_map", "draw_sites", "draw_world"]

NORTH, SOUTH = 78.0, -58.0
"""Latitudes between which nearly everybody lives."""
_MOST_BUBBLES = 80
_MOST_LINES = 6
REACH_KM = 1_500.0
"""Around a place on the map of one trial: somebody may go that far, and see where it lies."""
_FEW = 3
_FINE = 1
"""Digits of a degree: sites closer than about ten kilometres are one mark."""
_OPEN = "good"
_WHOLE_DEGREES = 160.0
"""A map wider than this shows the land of the whole world."""
_LEAST_DEGREES = 8.0
"""A map of one city shows its country around it."""
_LEAST_AROUND = 1.5
"""Around a place that was asked for less is enough."""
_NAMED_DEGREES = 70.0
"""A map narrower than this has names of cities."""
_MOST_NAMES = 14
_PIXELS = 1_000.0
"""Width of a map in its own units."""
_LETTER, _LINE = 11.5, 26.0
"""Size of a letter of a name, and of its line."""
_RECRUITING = ("RECRUITING", "NOT_YET_RECRUITING", "ENROLLING_BY_INVITATION", "AVAILABLE")


@dataclass(frozen=True, slots=True)
class Mark:
    """Something at a point."""

    latitude: float
    longitude: float
    title: str
    size: float = 1.0
    tone: str = "accent"
    address: str | None = None


def _x(longitude: float) -> float:
    return round(longitude + 180, 2)


def _y(latitude: float) -> float:
    return round(NORTH - latitude, 2)


@cache
def _cities() -> tuple[City, ...]:
    named = shipped_cities().values()
    return tuple({city.label: city for cities in named for city in cities}.values())


@cache
def draw_world() -> str:
    """Give the land as dots: every shipped city, and lines of 30 degrees."""
    spots = sorted({(round(_x(each.longitude)), round(_y(each.latitude))) for each in _cities()})
    dots = "".join(f"M{x} {y}h0" for x, y in spots if 0 <= y <= NORTH - SOUTH)
    lines = "".join(
        [f"M{x} 0V{NORTH - SOUTH:g}" for x in range(0, 361, 30)]
        + [f"M0 {_y(latitude):g}H360" for latitude in range(-30, 61, 30)]
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 {NORTH - SOUTH:g}">'
        f'<path d="{lines}" fill="none" stroke="#8a98a3" stroke-width=".15" opacity=".5"/>'
        f'<path d="{dots}" fill="none" stroke="#8a98a3" stroke-width="1.1" stroke-linecap="round"'
        ' opacity=".55"/></svg>'
    )


@cache
def _middle(code: str) -> tuple[float, float] | None:
    """Give where the people of a country live on average."""
    own = [city for city in _cities() if city.country == code]
    people = sum(city.people for city in own)
    if not people:
        return None
    return (
        sum(city.latitude * city.people for city in own) / people,
        sum(city.longitude * city.people for city in own) / people,
    )


def draw_countries(counts: Mapping[str, int], address: Callable[[str], str]) -> Markup | None:
    """Draw how many trials there are in each country, each a link; None where there is none."""
    most = max(counts.values(), default=0)
    marks = []
    for name, count in list(counts.items())[:_MOST_BUBBLES]:
        middle = _middle(find_country(name) or "")
        if middle:
            told = f"{name}: {count:,} trial{'s' if count != 1 else ''}"
            size = 0.5 + 3.3 * sqrt(count / most)
            marks.append(Mark(*middle, told, size, "accent", address(name)))
    return draw_map(marks, label="Trials by country") if marks else None


async def draw_sites(
    source: TrialSource,
    trials: Sequence[Trial],
    *,
    near: str | None = None,
    reach: float = REACH_KM,
) -> dict[str, Any] | None:
    """Draw where trials take place; with a place, what is around it, and distances are told.

    Args:
        reach: How many kilometres around the place are drawn, more where nothing is so near.
    """
    place = await find_place(source, near) if near else None
    centre = place.point if place else None
    spots: dict[tuple[float, float], list[_Spot]] = {}
    for trial in trials:
        points = await find_points(source, trial.sites)
        for site, point in zip(trial.sites, points, strict=True):
            if point is not None:
                found = _Spot(trial, site, (point.latitude, point.longitude))
                key = (round(point.latitude, _FINE), round(point.longitude, _FINE))
                spots.setdefault(key, []).append(found)
    shown = list(spots.values()) if centre is None else _around(spots.values(), centre, reach)
    if not shown:
        return None
    several = len(trials) > 1
    marks = [_to_mark(there, centre, several=several) for there in shown]
    return {
        "svg": draw_map(marks, label="Sites", centre=centre),
        "shown": len(marks),
        "beyond": len(spots) - len(marks),
        "open": any(mark.tone == _OPEN for mark in marks),
    }


def _around(
    spots: Iterable[list[_Spot]], centre: tuple[float, float], reach: float
) -> list[list[_Spot]]:
    """Give the places within reach, the nearest few where there are hardly any."""
    ordered = sorted(spots, key=lambda there: distance_km(centre, there[0].point))
    inside = [there for there in ordered if distance_km(centre, there[0].point) <= reach]
    return inside if len(inside) >= _FEW else ordered[:_FEW]


class _Spot(NamedTuple):
    """A site of a trial at its point."""

    trial: Trial
    site: Site
    point: tuple[float, float]

    @property
    def is_open(self) -> bool:
        """Whether it recruits, or is about to."""
        return (self.site.status or self.trial.status) in _RECRUITING

    def line(self, centre: tuple[float, float] | None, *, named: bool) -> str:
        """Say what is there."""
        trial = f"{self.trial.nct_id}: " if named else ""
        where = ", ".join(filter(None, (self.site.facility, self.site.city))) or "Site"
        far = f", {distance_km(centre, self.point):,.0f} km" if centre else ""
        state = f", {words(self.site.status).lower()}" if self.site.status else ""
        return f"{trial}{where}{far}{state}"


def _to_mark(there: Sequence[_Spot], centre: tuple[float, float] | None, *, several: bool) -> Mark:
    lines = [each.line(centre, named=several) for each in there]
    more = [f"and {len(lines) - _MOST_LINES} more"] if len(lines) > _MOST_LINES else []
    return Mark(
        *there[0].point,
        title="\n".join([*lines[:_MOST_LINES], *more]),
        size=0.8 + 0.25 * sqrt(len(there)),
        tone=_OPEN if any(each.is_open for each in there) else "soft",
        address=f"{trial_path(there[0].trial.nct_id)}#sites" if several else "#sites-table",
    )


class _View(NamedTuple):
    """The part of the world that a map shows, in degrees from its upper left corner."""

    left: float
    top: float
    width: float
    height: float

    @property
    def scale(self) -> float:
        return _PIXELS / self.width

    def at(self, latitude: float, longitude: float) -> tuple[float, float]:
        """Give where a point is drawn."""
        x, y = _x(longitude) - self.left, _y(latitude) - self.top
        return round(x * self.scale, 1), round(y * self.scale, 1)

    def holds(self, latitude: float, longitude: float) -> bool:
        """Whether a point is on the map."""
        x, y = _x(longitude) - self.left, _y(latitude) - self.top
        return 0 <= x <= self.width and 0 <= y <= self.height


def _view(spots: Sequence[tuple[float, float]], least: float) -> _View:
    """Give the part of the world that holds some points."""
    xs, ys = [_x(lon) for _, lon in spots], [_y(lat) for lat, _ in spots]
    width = max((max(xs) - min(xs)) * 1.2, (max(ys) - min(ys)) * 2.4, 2 * least)
    width = min(width, 360.0)
    height = min(width / 2, NORTH - SOUTH)
    left = min(max((max(xs) + min(xs)) / 2 - width / 2, 0), 360 - width)
    top = min(max((max(ys) + min(ys)) / 2 - height / 2, 0), NORTH - SOUTH - height)
    return _View(left, top, width, height)


def draw_map(
    marks: Iterable[Mark], *, label: str, centre: tuple[float, float] | None = None
) -> Markup:
    """Draw marks on the part of the world that holds them, the largest below."""
    shown = sorted(marks, key=lambda mark: -mark.size)
    spots = [(mark.latitude, mark.longitude) for mark in shown] + ([centre] if centre else [])
    view = _view(spots, _LEAST_AROUND if centre else _LEAST_DEGREES)
    parts = [_land(view), *(_draw_mark(mark, view) for mark in shown)]
    if view.width < _NAMED_DEGREES:
        parts += _names(view)
    if centre:
        parts.append(_draw_centre(centre, view))
    box = f"0 0 {_PIXELS:g} {view.height * view.scale:.0f}"
    return element("svg", *parts, class_="figure map", role="group", aria_label=label, viewBox=box)


def _land(view: _View) -> Markup:
    """Give the land below the marks: of the world an image that is kept, of a part its cities."""
    if view.width > _WHOLE_DEGREES:
        x, y = -view.left * view.scale, -view.top * view.scale
        size = {"width": 360 * view.scale, "height": (NORTH - SOUTH) * view.scale}
        return element("image", href="/world.svg", x=x, y=y, **size)
    spots = {
        view.at(*city.point) for city in _cities() if view.holds(city.latitude, city.longitude)
    }
    dots = "".join(f"M{x:g} {y:g}h0" for x, y in sorted(spots))
    drawn = {"stroke_width": 5, "stroke_linecap": "round", "d": dots}
    return element("path", class_="stroke-land", **drawn)


def _names(view: _View) -> Iterator[Markup]:
    """Give the names of the largest cities that have room for them."""
    taken: list[tuple[float, float, float]] = []
    inside = (city for city in _cities() if view.holds(city.latitude, city.longitude))
    for city in sorted(inside, key=lambda city: (-city.people, city.name)):
        x, y = view.at(*city.point)
        long = len(city.name) * _LETTER
        free = all(
            abs(y - other) > _LINE or x + long < left or right < x for left, right, other in taken
        )
        if free and x + long < _PIXELS and y > _LINE:
            taken.append((x, x + long, y))
            yield element("text", city.name, class_="soft place", x=x + 6, y=y - 5)
        if len(taken) == _MOST_NAMES:
            return


def _draw_mark(mark: Mark, view: _View) -> Markup:
    x, y = view.at(mark.latitude, mark.longitude)
    circle = element(
        "circle",
        element("title", mark.title),
        class_=f"fill-{mark.tone}",
        cx=x,
        cy=y,
        r=mark.size * _PIXELS / 180,
        fill_opacity=0.6,
    )
    return link(mark.address, mark.title.splitlines()[0], circle)


def _draw_centre(centre: tuple[float, float], view: _View) -> Markup:
    (x, y), arm = view.at(*centre), 12.0
    return element(
        "path",
        element("title", "The place asked for"),
        class_="stroke-focus",
        stroke_width=3.5,
        d=f"M{x - arm:g} {y:g}h{2 * arm:g}M{x:g} {y - arm:g}v{2 * arm:g}",
    )
