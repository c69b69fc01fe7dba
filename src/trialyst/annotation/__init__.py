"""A trial read once: its conditions as terms, its drugs with their roles, its posted results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.annotation.conditions import ConditionAnnotation, annotate_texts
    from trialyst.annotation.drugs import Drug, DrugNames
    from trialyst.annotation.interventions import GivenDrug, InterventionAnnotation
    from trialyst.annotation.roles import Role
    from trialyst.annotation.stored import (
        Annotate,
        decode_annotation,
        encode_annotation,
        read_annotations,
    )
    from trialyst.annotation.trials import TrialAnnotation, TrialAnnotator

__all__ = [
    "Annotate",
    "ConditionAnnotation",
    "Drug",
    "DrugNames",
    "GivenDrug",
    "InterventionAnnotation",
    "Role",
    "TrialAnnotation",
    "TrialAnnotator",
    "annotate_texts",
    "decode_annotation",
    "encode_annotation",
    "read_annotations",
]

_HOMES = {
    "conditions": ("ConditionAnnotation", "annotate_texts"),
    "drugs": ("Drug", "DrugNames"),
    "interventions": ("GivenDrug", "InterventionAnnotation"),
    "roles": ("Role",),
    "stored": ("Annotate", "decode_annotation", "encode_annotation", "read_annotations"),
    "trials": ("TrialAnnotation", "TrialAnnotator"),
}

__getattr__ = lazy_names(__name__, _HOMES)
