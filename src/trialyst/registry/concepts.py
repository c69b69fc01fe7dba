"""Which trials are about a condition, or one of its kinds."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from trialyst.ctgov.parse_readable import parse_readable
from trialyst.errors import RegistryError
from trialyst.vocabulary import Relation, Relations, empty_vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trialyst.annotation import TrialAnnotation, TrialAnnotator
    from trialyst.registry.annotations import KeptAnnotations
    from trialyst.registry.records import RecordReader
    from trialyst.vocabulary import Term, Vocabulary

__all__ = ["ConditionIndex"]

_WITHIN = frozenset({Relation.SAME, Relation.NARROWER})


class ConditionIndex:
    """Asks what is kept of trials' conditions; those that are not kept are read again."""

    def __init__(
        self, vocabulary: Vocabulary | None, kept: KeptAnnotations, records: RecordReader
    ) -> None:
        self._vocabulary = vocabulary or empty_vocabulary()
        self._kept = kept
        self._records = records
        self._relations = Relations(self._vocabulary)

    def find(self, term: Term, *, focus: bool) -> set[int] | None:
        """Give the trials that have the term or a narrower one; None where nothing is kept."""

        def is_meant(each: Term) -> bool:
            return self._relations.relate(each, term) in _WITHIN

        reader = self._kept.open()
        if reader is None:
            return None
        try:
            found = reader.having(is_meant, focus=focus)
            unread = reader.unread
        except RegistryError:
            return None
        for number, record in self._records.get(unread).items():
            conditions = self._annotator.annotate_conditions(parse_readable(record))
            if any(map(is_meant, conditions.focus if focus else conditions.concepts)):
                found.add(number)
        return found

    def read(self, numbers: Sequence[int]) -> Iterator[tuple[int, TrialAnnotation]]:
        """Read trials that are not kept, all that is annotated of them."""
        for number, record in self._records.get(numbers).items():
            yield number, self._annotator.annotate(parse_readable(record))

    @cached_property
    def _annotator(self) -> TrialAnnotator:
        from trialyst.registry.trial_reader import open_annotator

        return open_annotator(self._vocabulary)
