"""Reads a stored record for its meaning: criteria as requirements, the rest as an annotation."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from trialyst.annotation import DrugNames, TrialAnnotator
from trialyst.ctgov.parse_readable import ReadableTexts, parse_readable
from trialyst.eligibility.criteria import (
    Parser,
    ReadCriterion,
    encode_criteria,
    read_eligibility,
)

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = ["ReadTrial", "TrialReader", "hash_criteria", "open_annotator", "open_trial_reader"]


class ReadTrial(NamedTuple):
    """What was read of the criteria of a trial, as it is kept."""

    number: int
    hashed: int
    """Of the text it was read from."""
    criteria: bytes
    size: int
    """How many criteria there are."""


def hash_criteria(texts: ReadableTexts) -> int:
    """Give a hash of the text that is read, which fits a column of SQLite."""
    written = texts.criteria.encode("utf-8", errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(written, digest_size=8).digest(), "big", signed=True)


class TrialReader:
    """Reads the criteria of records with one parser; keep one for many."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser

    def read(self, number: int, record: bytes) -> ReadTrial:
        """Read all that is kept of a trial's criteria."""
        texts = parse_readable(record)
        criteria = self.criteria(texts)
        return ReadTrial(number, hash_criteria(texts), encode_criteria(criteria), len(criteria))

    def criteria(self, texts: ReadableTexts) -> tuple[ReadCriterion, ...]:
        """Read the criteria."""
        return read_eligibility(texts.criteria, self._parser)


def open_trial_reader(vocabulary: Vocabulary) -> TrialReader:
    """Make the reader of a vocabulary."""
    from trialyst.eligibility.lexicon import Lexicon
    from trialyst.eligibility.parse import CriterionParser

    return TrialReader(CriterionParser(Lexicon(vocabulary)))


def open_annotator(vocabulary: Vocabulary, names: DrugNames | None = None) -> TrialAnnotator:
    """Make what annotates trials with the names of a vocabulary.

    Args:
        names: what reads drugs with the same vocabulary, if there is one that has read some.
    """
    from trialyst.eligibility.lexicon import Lexicon
    from trialyst.vocabulary.relations import Relations

    return TrialAnnotator(
        Lexicon(vocabulary), Relations(vocabulary), names or DrugNames(vocabulary)
    )
