"""Well-known uses of drugs, and where they must not be given: facts that the project wrote itself.

A drug or a use that is not here is not known here, which says nothing about it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

from trialyst.folding import fold_phrase
from trialyst.vocabulary import Kind
from trialyst.vocabulary.classes import classes_of

if TYPE_CHECKING:
    from trialyst.vocabulary import Concept, Vocabulary

__all__ = ["Fact", "KnownUse", "Uses", "load_facts", "read_uses"]


class KnownUse(StrEnum):
    """What is known of a drug in a condition."""

    APPROVED = "approved"
    CONTRAINDICATED = "contraindicated"


class Fact(NamedTuple):
    """A drug or class with its uses and contraindications, by the names of conditions."""

    subject: str
    approved: tuple[str, ...]
    contraindicated: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Uses:
    """The conditions of one drug."""

    known: dict[str, tuple[KnownUse, Concept]]
    """By the id of the concept."""
    vocabulary: Vocabulary

    def of(self, concept_id: str) -> KnownUse | None:
        """Say what is known of a condition; what holds of a wider one holds of it."""
        if concept_id in self.known:
            return self.known[concept_id][0]
        concept = self.vocabulary.get(concept_id)
        wider = self.vocabulary.broader(concept) if concept else ()
        found = {self.known[each.id][0] for each in wider if each.id in self.known}
        return (
            KnownUse.CONTRAINDICATED
            if KnownUse.CONTRAINDICATED in found
            else next(iter(found), None)
        )


@cache
def load_facts() -> tuple[Fact, ...]:
    """Give every fact of the table."""
    data = resources.files("trialyst.agents") / "data" / "known_uses.txt"
    return tuple(_parse(data.read_text("utf-8")))


def _parse(text: str) -> Iterator[Fact]:
    for line in text.splitlines():
        if line and not line.startswith("#"):
            subject, approved, contraindicated = line.split("|")
            yield Fact(subject.strip(), _listed(approved), _listed(contraindicated))


def _listed(field: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, field.split(";"))))


def read_uses(vocabulary: Vocabulary, drug: str) -> Uses:
    """Give what is known of a drug, by any of its names, its classes included."""
    concept = vocabulary.resolve(drug, kinds=(Kind.DRUG,)).concept
    names = (drug, *(concept.names if concept else ()))
    subjects = {fold_phrase(name) for name in names}
    subjects |= {fold_phrase(each.name) for each in classes_of(*names)}
    known: dict[str, tuple[KnownUse, Concept]] = {}
    for fact in load_facts():
        if fold_phrase(fact.subject) in subjects:
            for use, conditions in (
                (KnownUse.APPROVED, fact.approved),
                (KnownUse.CONTRAINDICATED, fact.contraindicated),
            ):
                for name in conditions:
                    meant = vocabulary.resolve(name, kinds=(Kind.CONDITION, Kind.OTHER)).concept
                    if meant is not None:
                        known.setdefault(meant.id, (use, meant))
    return Uses(known, vocabulary)
