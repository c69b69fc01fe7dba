"""Reads a stored record for its meaning: criteria as requirements, conditions as terms."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from trialyst.annotation import ConditionAnnotation, annotate_texts, encode_annotation
from trialyst.ctgov.parse import ReadableTexts, parse_readable
from trialyst.eligibility.criteria import (
    Parser,
    ReadCriterion,
    encode_criteria,
    read_eligibility,
)

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = ["ReadTrial", "TrialReader", "hash_texts", "open_trial_reader"]

Annotate = Callable[[ReadableTexts], ConditionAnnotation]


class ReadTrial(NamedTuple):
    """What was read of a trial, as it is kept."""

    number: int
    hashed: int
    """Of the texts it was read from."""
    criteria: bytes
    conditions: bytes
    size: int
    """How many criteria there are."""


def hash_texts(texts: ReadableTexts) -> int:
    """Give a hash of all that is read, which fits a column of SQLite."""
    known = hashlib.blake2b(digest_size=8)
    lists = ("\x1f".join(each) for each in (texts.conditions, texts.keywords, texts.headings))
    for part in (texts.title, *lists, texts.criteria):
        known.update(part.encode("utf-8", errors="surrogatepass"))
        known.update(b"\x00")
    return int.from_bytes(known.digest(), "big", signed=True)


class TrialReader:
    """Reads records with one parser; keep one for many."""

    def __init__(self, parser: Parser, annotate: Annotate) -> None:
        self._parser = parser
        self.annotate = annotate

    def read(self, number: int, record: bytes) -> ReadTrial:
        """Read all that is kept of a trial."""
        texts = parse_readable(record)
        criteria = self.criteria(texts)
        return ReadTrial(
            number,
            hash_texts(texts),
            encode_criteria(criteria),
            encode_annotation(self.annotate(texts)),
            len(criteria),
        )

    def criteria(self, texts: ReadableTexts) -> tuple[ReadCriterion, ...]:
        """Read the criteria."""
        return read_eligibility(texts.criteria, self._parser)


def open_trial_reader(vocabulary: Vocabulary) -> TrialReader:
    """Make the reader of a vocabulary."""
    from trialyst.eligibility.lexicon import Lexicon
    from trialyst.eligibility.parse import CriterionParser
    from trialyst.vocabulary.relations import Relations

    lexicon, relations = Lexicon(vocabulary), Relations(vocabulary)

    def annotate(texts: ReadableTexts) -> ConditionAnnotation:
        found = annotate_texts(
            texts.title, texts.conditions, texts.keywords, lexicon=lexicon, relations=relations
        )
        if found.concepts:
            return found
        return annotate_texts("", texts.headings, lexicon=lexicon, relations=relations)

    return TrialReader(CriterionParser(lexicon), annotate)
