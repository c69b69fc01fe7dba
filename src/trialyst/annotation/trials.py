"""A trial as read: its conditions, its drugs with their roles, its primary outcomes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from trialyst.annotation.conditions import ConditionAnnotation, annotate_texts, whole_term
from trialyst.annotation.end_points import end_point_name
from trialyst.annotation.interventions import (
    InterventionAnnotation,
    annotate_interventions,
    compared_with,
)
from trialyst.vocabulary.doses import plain

if TYPE_CHECKING:
    from trialyst.annotation.drugs import DrugNames
    from trialyst.ctgov.parse_readable import ReadableTexts
    from trialyst.eligibility.lexicon import Lexicon
    from trialyst.vocabulary.relations import Relations
    from trialyst.vocabulary.term import Term

__all__ = ["TrialAnnotation", "TrialAnnotator"]

_CARE = re.compile(
    r"\b(?:post-?operativ|peri-?operativ|intra-?operativ|pre-?operativ|an(?:a)?esthe|analgesi"
    r"|sedation|intubat|surgical (?:site|wound|bleeding)|drainage|h(?:a)?emosta(?:sis|tic)|sealant"
    r"|arthroplasty|nerve block|peri-? and intra-?articular"
    r"|nausea|vomiting|emesis|mucositis|neutropeni|bowel preparation|catheter|transfusion"
    r"|quality of life|supportive care)",
)

_INTERACTION = re.compile(
    r"\binteractions? (?:study|trial|between|of|with|potential)\b|\bdrug[- ](?:drug )?interaction"
    r"|\b(?:effects?|influence|impact) of .+ on (?:the )?(?:\w+[ -]){0,4}"
    r"(?:pharmacokinetics?|pk)\b.* of\b"
    r"|\bpharmacokinetics? of .+ (?:co-?administered|given together|in combination) with\b",
)
"""Titles of trials that measure what drugs do to each other, and treat nothing."""


class TrialAnnotation(msgspec.Struct, frozen=True, array_like=True):
    """What is kept of a trial."""

    conditions: ConditionAnnotation = ConditionAnnotation()
    interventions: tuple[InterventionAnnotation, ...] = ()
    end_points: tuple[str, ...] = ()
    """Short names of the primary outcomes, each once."""
    care: bool = False
    """Whether its title speaks of care around an operation or another treatment."""
    interaction: bool = False
    """Whether its title says that it measures what drugs do to each other."""
    compared: tuple[str, ...] = ()
    """Keys of drugs that its title names only as what another is compared with."""


class TrialAnnotator:
    """Reads trials with one vocabulary; keep one for many."""

    def __init__(self, lexicon: Lexicon, relations: Relations, names: DrugNames) -> None:
        self._lexicon = lexicon
        self._relations = relations
        self._names = names

    def annotate(self, texts: ReadableTexts) -> TrialAnnotation:
        """Read all that is kept of a trial."""
        return TrialAnnotation(
            self.annotate_conditions(texts),
            annotate_interventions(texts, self._names),
            tuple(dict.fromkeys(map(end_point_name, texts.outcomes))),
            bool(_CARE.search(plain(texts.title))),
            bool(_INTERACTION.search(plain(f"{texts.title} {texts.official_title}"))),
            compared_with(texts, self._names),
        )

    def read_condition(self, name: str) -> Term | None:
        """Give the condition that a whole text names, as the conditions of trials are read."""
        return whole_term(name, self._lexicon)

    def annotate_conditions(self, texts: ReadableTexts) -> ConditionAnnotation:
        """Read the conditions of a trial."""
        found = annotate_texts(
            texts.title,
            texts.conditions,
            texts.keywords,
            lexicon=self._lexicon,
            relations=self._relations,
        )
        if found.concepts:
            return found
        return annotate_texts("", texts.headings, lexicon=self._lexicon, relations=self._relations)
