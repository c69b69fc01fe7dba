"""What a trial is about: its conditions as terms of the vocabulary."""

from trialyst.annotation.conditions import (
    ConditionAnnotation,
    annotate_conditions,
    annotate_texts,
)

__all__ = ["ConditionAnnotation", "annotate_conditions", "annotate_texts"]
