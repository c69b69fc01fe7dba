"""What a note may mean without saying so: findings to the conditions that present with them.

Reads `data/presentations.txt`, a table of common clinical knowledge. A guess widens the search and
is no diagnosis; a verdict takes only a plain picture as given (see `judging/pictures.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from trialyst.matching.patient import PatientProfile, Sex
from trialyst.matching.prescreen.measured import hear_values
from trialyst.matching.prescreen.patterns import (
    Group,
    Heard,
    HeardNote,
    Place,
    parse_group,
    read_table,
)

__all__ = ["ENOUGH", "Guess", "guess_conditions"]

ENOUGH = 4
"""Points from which a condition is worth a search."""
LEAST = 3
"""Points that are worth one where no condition has enough."""
MOST_GUESSES = 6
MOST_SENTENCES = 300
"""A guess is for a note that does not name the condition; records of years name it."""
AGAINST = 2
"""A denied finding takes off its points divided by this."""

APART = 2
"""What is told in two sentences earns the points divided by this."""

_WHO = re.compile(r"\{([^}]*)\}")


@dataclass(frozen=True, slots=True)
class _Finding:
    points: int
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class _Presentation:
    names: tuple[str, ...]
    findings: tuple[_Finding, ...]
    sex: Sex | None
    from_years: float
    under_years: float


@dataclass(frozen=True, slots=True)
class Guess:
    """A condition the findings point to, with its wider names and where its findings stand."""

    name: str
    wider: tuple[str, ...]
    points: int
    sentences: tuple[int, ...]
    spans: tuple[tuple[int, int], ...] = ()
    """The places of the findings, in offsets of the note."""


def guess_conditions(profile: PatientProfile) -> tuple[Guess, ...]:
    """Give the conditions that the findings of a note point to, the likeliest first."""
    read = profile.note.sentences[:MOST_SENTENCES]
    said = (Heard(sentence.number, sentence.start, sentence.text) for sentence in read)
    heard = HeardNote((*said, *hear_values(profile)))
    years = profile.age.years if profile.age else None
    fitting = (item for item in _presentations() if _admits(item, years, profile.sex))
    found = [guess for guess in (_weigh(item, heard) for item in fitting) if guess is not None]
    found.sort(key=lambda guess: (-guess.points, guess.name))
    enough = [guess for guess in found if guess.points >= ENOUGH]
    return tuple((enough or found)[:MOST_GUESSES])


def _weigh(item: _Presentation, heard: HeardNote) -> Guess | None:
    points = 0
    told: set[int] = set()
    spans: set[tuple[int, int]] = set()
    for finding in item.findings:
        earned, pieces, places = _find(finding, heard)
        points += earned
        told.update(heard.pieces[piece].number for piece in pieces)
        spans.update((place.start, place.end) for place in places if place.holds)
    if points < LEAST:
        return None
    return Guess(item.names[0], item.names[1:], points, tuple(sorted(told)), tuple(sorted(spans)))


class _Earned(NamedTuple):
    points: int = 0
    pieces: tuple[int, ...] = ()
    places: tuple[Place, ...] = ()


def _find(finding: _Finding, heard: HeardNote) -> _Earned:
    """Give what a finding earns, and where: most within a sentence, less if it is denied."""
    found: list[Mapping[int, Sequence[Place]]] = []
    for group in finding.groups:
        places = heard.find(group)
        if not places:
            return _Earned()
        found.append(places)
    shared = sorted(set(found[0]).intersection(*found))
    for piece in shared:
        listed = [places[piece] for places in found]
        # A finding that is itself a lack ("no gestational sac") stands under its own denial.
        lacking = any(place.is_lack for places in listed for place in places)
        if lacking or all(any(place.holds for place in places) for places in listed):
            held = tuple(place for places in listed for place in places)
            return _Earned(finding.points, (piece,), held)
    if shared:
        return _Earned(-(finding.points // AGAINST))
    return _find_nearby(finding, found, heard)


def _find_nearby(
    finding: _Finding, found: Sequence[Mapping[int, Sequence[Place]]], heard: HeardNote
) -> _Earned:
    """Give half the points of a finding whose parts stand in neighbouring sentences."""
    numbers = [
        {
            heard.pieces[piece].number
            for piece, places in listed.items()
            if any(place.holds for place in places)
        }
        for listed in found
    ]
    near = any(
        all(any(number + step in others for step in (-1, 0, 1)) for others in numbers[1:])
        for number in numbers[0]
    )
    return _Earned(finding.points // APART if near else 0)


def _admits(item: _Presentation, years: float | None, sex: Sex | None) -> bool:
    if sex is not None and item.sex is not None and item.sex is not sex:
        return False
    return years is None or item.from_years <= years < item.under_years


@cache
def _presentations() -> tuple[_Presentation, ...]:
    return tuple(map(_parse_line, read_table("presentations.txt")))


def _parse_line(line: str) -> _Presentation:
    head, _, listed = line.partition(" = ")
    who = _WHO.findall(head)
    names = tuple(name.strip() for name in _WHO.sub("", head).split(" ; "))
    sex = Sex.FEMALE if "f" in who else Sex.MALE if "m" in who else None
    return _Presentation(
        names,
        tuple(_parse_finding(text) for text in listed.split(";") if text.strip()),
        sex,
        _bound(who, ">", 0.0),
        _bound(who, "<", 999.0),
    )


def _bound(who: Iterable[str], sign: str, default: float) -> float:
    return next((float(text[1:-1]) for text in who if text.startswith(sign)), default)


def _parse_finding(text: str) -> _Finding:
    points, _, listed = text.strip().partition(" ")
    return _Finding(int(points), tuple(map(parse_group, listed.split(" + "))))
