"""Trials by the conditions they are about and the drugs they test, as they were annotated."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from trialyst.errors import RegistryError
from trialyst.registry.annotations import tested_drugs

if TYPE_CHECKING:
    from trialyst.annotation import TrialAnnotation
    from trialyst.registry.annotations import KeptAnnotations

__all__ = ["AnnotatedValues", "NamedTrials"]

_DRUGS = "TestedDrug"


ReadTrials = Callable[[Sequence[int]], Iterable[tuple[int, "TrialAnnotation"]]]
"""Reads the trials that were added without names to annotate them by."""


class NamedTrials:
    """The names of one area with the numbers of their trials."""

    def __init__(self, names: Mapping[str, array[int]]) -> None:
        self._names = names

    def find(self, value: str | None) -> Sequence[int]:
        """Give the trials of a value, or of any."""
        if value is None:
            return sorted({number for numbers in self._names.values() for number in numbers})
        return self._names.get(value, ())

    def count(self, numbers: Iterable[int]) -> dict[str, int]:
        """Count some trials by value."""
        values = self._values_of_trials
        return dict(Counter(chain.from_iterable(values.get(number, ()) for number in numbers)))

    @cached_property
    def _values_of_trials(self) -> Mapping[int, Sequence[str]]:
        # A page of a search counts a few hundred trials: reading the trials of all names each time
        # took longer than all its other facets.
        values: dict[int, list[str]] = {}
        for name, numbers in self._names.items():
            for number in numbers:
                values.setdefault(number, []).append(name)
        return values


class AnnotatedValues:
    """The areas of our own, each read when it is first asked for."""

    def __init__(self, kept: KeptAnnotations, read: ReadTrials) -> None:
        self._kept = kept
        self._read = read
        self._areas: dict[str, NamedTrials] = {}

    def open(self, area: str) -> NamedTrials | None:
        """Give an area; None where nothing is kept."""
        if area not in self._areas:
            reader = self._kept.open()
            if reader is None:
                return None
            try:
                names = reader.values(drugs=area == _DRUGS)
                for number, annotation in self._read(reader.unread):
                    for name in _names_of(annotation, area):
                        names.setdefault(name, array("i")).append(number)
                self._areas[area] = NamedTrials(names)
            except RegistryError:
                return None
        return self._areas[area]


def _names_of(annotation: TrialAnnotation, area: str) -> set[str]:
    if area == _DRUGS:
        return tested_drugs(annotation)
    return {term.name for term in annotation.conditions.concepts}
