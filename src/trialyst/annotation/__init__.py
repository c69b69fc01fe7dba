"""What a trial is about: its conditions as terms of the vocabulary."""

from trialyst.annotation.conditions import (
    ConditionAnnotation,
    annotate_conditions,
    annotate_texts,
)
from trialyst.annotation.stored import (
    decode_annotation,
    encode_annotation,
    read_annotations,
)

__all__ = [
    "ConditionAnnotation",
    "annotate_conditions",
    "annotate_texts",
    "decode_annotation",
    "encode_annotation",
    "read_annotations",
]
