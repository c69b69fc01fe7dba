"""The content tables behind the generator, read once from `data/`.

Owns their shape. Knows nothing of how a study is put together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TypeVar

from trialyst.starter.draw import Weighted

__all__ = [
    "City",
    "Comparator",
    "Condition",
    "Criteria",
    "Event",
    "Outcome",
    "Remedy",
    "Tables",
    "read_rows",
    "tables",
]

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition with the ways sponsors write it."""

    key: str
    area: str
    weight: float
    name: str
    mesh_id: str
    variants: tuple[str, ...]
    keywords: tuple[str, ...]
    population: str
    sex: str
    """FEMALE or MALE where only they can have it, else ALL."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """An intervention: a medicine or another treatment."""

    name: str
    type: str
    mesh_id: str
    other_names: tuple[str, ...]
    group: str
    """Pharmacological class of a medicine, kind of another treatment."""
    uses: tuple[str, ...]
    """Keys of the conditions it is studied in; `*` for any."""
    regimen: str


@dataclass(frozen=True, slots=True)
class Comparator:
    """What the control arm receives."""

    kind: str
    remedy: Remedy


@dataclass(frozen=True, slots=True)
class City:
    """A real city, in the registry's spelling."""

    name: str
    state: str
    country: str
    lat: float
    lon: float
    zip: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """A measure with the range its results fall in."""

    measure: str
    time_frame: str
    kind: str
    unit: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Event:
    """An adverse event term with its organ system."""

    term: str
    system: str


@dataclass(frozen=True, slots=True)
class Criteria:
    """Criterion templates of one section."""

    inclusion: tuple[str, ...]
    exclusion: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tables:
    """Everything the generator draws from."""

    conditions: Mapping[str, Condition]
    condition_weights: Weighted[str]
    kin: Mapping[str, tuple[str, ...]]
    """Conditions that one study may take on together."""
    medicines: tuple[Remedy, ...]
    treatments: tuple[Remedy, ...]
    remedies_by_condition: Mapping[str, tuple[Remedy, ...]]
    comparators: Mapping[str, tuple[Comparator, ...]]
    cities: tuple[City, ...]
    cities_by_country: Mapping[str, tuple[City, ...]]
    sponsors: Mapping[str, tuple[str, ...]]
    names: Mapping[str, tuple[str, ...]]
    stop_reasons: Mapping[str, tuple[str, ...]]
    outcomes: Mapping[str, tuple[Outcome, ...]]
    events: Mapping[str, tuple[Event, ...]]
    criteria: Mapping[str, Criteria]
    headings: tuple[tuple[str, str], ...]


@cache
def tables() -> Tables:
    """Give the tables, read on first use."""
    conditions = {condition.key: condition for condition in _conditions()}
    cities = tuple(
        City(name, state, country, float(lat), float(lon), code)
        for name, state, country, lat, lon, code in read_rows("cities.txt")
    )
    medicines = tuple(_remedies("drugs.txt"))
    treatments = tuple(_remedies("treatments.txt"))
    return Tables(
        conditions=conditions,
        condition_weights=Weighted({c.key: c.weight for c in conditions.values()}),
        kin=_kin(conditions),
        medicines=medicines,
        treatments=treatments,
        remedies_by_condition={
            key: tuple(r for r in (*medicines, *treatments) if key in r.uses) for key in conditions
        },
        comparators=_grouped([(c.kind, c) for c in _comparators()]),
        cities=cities,
        cities_by_country=_grouped([(city.country, city) for city in cities]),
        sponsors={row[0]: tuple(row[1:]) for row in read_rows("sponsors.txt")},
        names={row[0]: tuple(row[1:]) for row in read_rows("names.txt")},
        stop_reasons=_grouped([(row[0], row[1]) for row in read_rows("stop_reasons.txt")]),
        outcomes=_grouped(
            [(key, _outcome(row)) for row in read_rows("outcomes.txt") for key in row[0].split()]
        ),
        events=_grouped([(row[0], Event(row[1], row[2])) for row in read_rows("events.txt")]),
        criteria=_criteria(),
        headings=tuple((row[0], row[1]) for row in read_rows("headings.txt")),
    )


def read_rows(name: str) -> Iterator[list[str]]:
    """Yield the rows of a data file as lists of stripped cells."""
    text = resources.files("trialyst.starter").joinpath("data", name).read_text("utf-8")
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            yield [cell.strip() for cell in line.split("|")]


def _grouped(pairs: list[tuple[str, _T]]) -> dict[str, tuple[_T, ...]]:
    groups: dict[str, list[_T]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return {key: tuple(values) for key, values in groups.items()}


def _listed(cell: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in cell.split(";") if part.strip())


def _conditions() -> Iterator[Condition]:
    for key, area, weight, name, mesh_id, variants, keywords, people in read_rows("conditions.txt"):
        population, _, sex = people.partition("/")
        yield Condition(
            key=key,
            area=area,
            weight=float(weight),
            name=name,
            mesh_id=mesh_id,
            variants=_listed(variants),
            keywords=_listed(keywords),
            population=population,
            sex={"f": "FEMALE", "m": "MALE"}.get(sex, "ALL"),
        )


def _kin(conditions: Mapping[str, Condition]) -> dict[str, tuple[str, ...]]:
    groups = [row[0].split() for row in read_rows("kin.txt")]
    return {
        key: tuple(
            dict.fromkeys(
                other for group in groups if key in group for other in group if other != key
            )
        )
        for key in conditions
    }


def _remedies(file: str) -> Iterator[Remedy]:
    for name, kind, mesh_id, others, group, uses, regimen in read_rows(file):
        yield Remedy(name, kind, mesh_id, _listed(others), group, tuple(uses.split()), regimen)


def _comparators() -> Iterator[Comparator]:
    for kind, type_name, name, others, description in read_rows("comparators.txt"):
        yield Comparator(kind, Remedy(name, type_name, "", _listed(others), kind, (), description))


def _outcome(row: list[str]) -> Outcome:
    _, measure, time_frame, kind, unit, low, high = row
    return Outcome(measure, time_frame, kind, unit, float(low), float(high))


def _criteria() -> dict[str, Criteria]:
    text = resources.files("trialyst.starter").joinpath("data", "criteria.txt").read_text("utf-8")
    sections: dict[str, dict[str, list[str]]] = {}
    current: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("["):
            current = sections.setdefault(line.strip("[]"), {"+": [], "-": []})
        elif line[:2] in {"+ ", "- "}:
            current[line[0]].append(line[2:].strip())
    return {key: Criteria(tuple(s["+"]), tuple(s["-"])) for key, s in sections.items()}
