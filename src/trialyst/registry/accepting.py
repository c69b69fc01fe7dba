"""Which trials of a registry would take a patient of whom a few facts are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from trialyst.ctgov.parse_readable import parse_readable
from trialyst.eligibility.criteria import Demand, decode_criteria, to_demands
from trialyst.errors import InvalidInput
from trialyst.hints import Command, Hint
from trialyst.vocabulary import empty_vocabulary

if TYPE_CHECKING:
    from trialyst.eligibility.accepting import Acceptance, FactReader
    from trialyst.registry.kept import KeptReadings
    from trialyst.registry.records import RecordReader
    from trialyst.registry.trial_reader import TrialReader
    from trialyst.vocabulary import Vocabulary

__all__ = ["MOST_COMPARED", "MOST_READ", "Acceptor"]

MOST_COMPARED = 20_000
"""Trials whose kept criteria are compared with the facts of one question, some ten seconds."""
MOST_READ = 2_000
"""Trials among them whose criteria are not kept and are read for it."""
_BATCH = 500


class Acceptor:
    """Compares the criteria of a registry's trials with facts, reading those that are not kept."""

    def __init__(
        self, vocabulary: Vocabulary | None, kept: KeptReadings, records: RecordReader
    ) -> None:
        self._vocabulary = vocabulary or empty_vocabulary()
        self._kept = kept
        self._records = records
        self._acceptance = lru_cache(16)(self._read_facts)

    def keep(self, numbers: Sequence[int], facts: tuple[str, ...]) -> list[int]:
        """Give the trials that the facts do not rule out, in the order given.

        Raises:
            InvalidInput: a fact cannot be read, or there are too many trials.
        """
        acceptance = self._acceptance(facts)
        if len(numbers) > MOST_COMPARED:
            raise InvalidInput(
                f"{len(numbers):,} trials would have to be compared with the facts, and at most "
                f"{MOST_COMPARED:,} can be",
                hint="Narrow the search by a condition, a status or a place.",
            )
        ruled_out = {
            number
            for number, demands in self._demands(numbers)
            if acceptance.rules_out(demands) is not None
        }
        return [number for number in numbers if number not in ruled_out]

    def _demands(self, numbers: Sequence[int]) -> Iterator[tuple[int, tuple[Demand, ...]]]:
        unread: list[int] = []
        for start in range(0, len(numbers), _BATCH):
            batch = numbers[start : start + _BATCH]
            kept = self._kept.criteria(batch)
            unread += [number for number in batch if number not in kept]
            if len(unread) > MOST_READ:
                raise InvalidInput(
                    f"The criteria of more than {MOST_READ:,} of {len(numbers):,} trials would "
                    "have to be read first",
                    hint=Hint(
                        "Narrow the search by a condition, a status or a place; to read the "
                        "criteria of all trials once, {read}.",
                        read=Command("trialyst registry read"),
                    ),
                )
            for number, encoded in kept.items():
                yield number, to_demands(decode_criteria(encoded))
        for start in range(0, len(unread), _BATCH):
            for number, record in self._records.get(unread[start : start + _BATCH]).items():
                yield number, to_demands(self._trials.criteria(parse_readable(record)))

    def _read_facts(self, facts: tuple[str, ...]) -> Acceptance:
        from trialyst.eligibility.accepting import Acceptance
        from trialyst.vocabulary.relations import Relations

        return Acceptance(self._reader.read_all(facts), Relations(self._vocabulary))

    @cached_property
    def _reader(self) -> FactReader:
        from trialyst.eligibility.accepting import FactReader
        from trialyst.eligibility.lexicon import Lexicon

        return FactReader(Lexicon(self._vocabulary))

    @cached_property
    def _trials(self) -> TrialReader:
        from trialyst.registry.trial_reader import open_trial_reader

        return open_trial_reader(self._vocabulary)
