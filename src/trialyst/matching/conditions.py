"""The conditions of trials as terms: what the source keeps first, else read from the record."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from trialyst.annotation import (
    ConditionAnnotation,
    DrugNames,
    TrialAnnotation,
    TrialAnnotator,
    read_annotations,
)
from trialyst.eligibility.lexicon import Lexicon
from trialyst.vocabulary.relations import Relations

if TYPE_CHECKING:
    from trialyst.ctgov.parse_readable import ReadableTexts
    from trialyst.ctgov.source import TrialSource
    from trialyst.ctgov.trial import Trial
    from trialyst.vocabulary import Vocabulary

__all__ = ["ConditionReader"]


class ConditionReader:
    """Reads what trials of one source are about."""

    def __init__(self, source: TrialSource, vocabulary: Vocabulary) -> None:
        self._source = source
        self._vocabulary = vocabulary

    @cached_property
    def _annotator(self) -> TrialAnnotator:
        lexicon, relations = Lexicon(self._vocabulary), Relations(self._vocabulary)
        return TrialAnnotator(lexicon, relations, DrugNames(self._vocabulary))

    async def read(self, trials: Sequence[Trial]) -> dict[str, ConditionAnnotation]:
        """Give the conditions of trials, by id."""
        found = await read_annotations(self._source, trials, self._annotate)
        return {trial.nct_id: each.conditions for trial, each in zip(trials, found, strict=True)}

    def _annotate(self, texts: ReadableTexts) -> TrialAnnotation:
        return TrialAnnotation(conditions=self._annotator.annotate_conditions(texts))
