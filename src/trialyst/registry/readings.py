"""What a registry knows of the meaning of its trials; nothing is loaded before it is asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from trialyst.registry.accepting import Acceptor
    from trialyst.registry.annotated_values import AnnotatedValues
    from trialyst.registry.annotations import KeptAnnotations
    from trialyst.registry.concepts import ConditionIndex
    from trialyst.registry.kept import KeptReadings
    from trialyst.registry.records import RecordReader
    from trialyst.vocabulary import Vocabulary

__all__ = ["Readings"]


class Readings:
    """Criteria and annotations of one generation's trials, kept or read when they are needed."""

    def __init__(
        self, generation: Path, records: RecordReader, vocabulary: Vocabulary | None
    ) -> None:
        self._generation = generation
        self._records = records
        self._vocabulary = vocabulary

    @cached_property
    def kept(self) -> KeptReadings:
        """What was read before."""
        from trialyst.registry.kept import KeptReadings

        return KeptReadings(self._generation)

    @cached_property
    def annotations(self) -> KeptAnnotations:
        """Trials as annotated."""
        from trialyst.registry.annotations import KeptAnnotations

        return KeptAnnotations(self._generation)

    @cached_property
    def values(self) -> AnnotatedValues:
        """Trials by what is annotated of them."""
        from trialyst.registry.annotated_values import AnnotatedValues

        return AnnotatedValues(self.annotations, self.conditions.read)

    def find_annotated(self, area: str, value: str | None) -> Sequence[int] | None:
        """Give the trials of a value of an area of our own, or of any; None if nothing is kept."""
        names = self.values.open(area)
        return None if names is None else names.find(value)

    @cached_property
    def conditions(self) -> ConditionIndex:
        """Which trials are about a condition."""
        from trialyst.registry.concepts import ConditionIndex

        return ConditionIndex(self._vocabulary, self.annotations, self._records)

    @cached_property
    def acceptor(self) -> Acceptor:
        """Which trials take a patient."""
        from trialyst.registry.accepting import Acceptor

        return Acceptor(self._vocabulary, self.kept, self._records)

    def close(self) -> None:
        """Let go of the files of what is kept, if they were opened."""
        for name in ("kept", "annotations"):
            if name in vars(self):
                getattr(self, name).close()
