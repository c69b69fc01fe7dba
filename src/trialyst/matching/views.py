"""A profile as plain JSON values; what is absent or empty is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trialyst.ctgov.answers import to_next
from trialyst.matching.correcting.form import render_form
from trialyst.matching.next_calls import after_profile

if TYPE_CHECKING:
    from trialyst.eligibility.quantity import Quantity
    from trialyst.matching.patient import Fact, PatientProfile

__all__ = ["to_fact_view", "to_profile_view"]


def to_profile_view(
    profile: PatientProfile, *, slim: bool = False, form: bool = False
) -> dict[str, Any]:
    """Give a profile as JSON values; `slim` leaves out the single facts and the sentences.

    The sentences are listed where the note did not number them itself. `form` adds the profile as
    a form to edit.
    """
    view: dict[str, Any] = {
        "age": _age(profile),
        "sex": profile.sex,
        "pregnant": profile.pregnant,
        "primary_diagnosis": profile.primary_diagnosis and to_fact_view(profile.primary_diagnosis),
        "stage": profile.stage and profile.stage.detail,
        "key_facts": profile.key_facts.to_dict(),
        "missing_information": list(profile.missing),
        "warnings": list(profile.warnings) or None,
        "form": render_form(profile.chart) if form else None,
        "fact_count": len(profile.facts),
    }
    if not slim:
        view["facts"] = [to_fact_view(fact) for fact in profile.facts]
        if not profile.note.numbered:
            view["sentences"] = [sentence.text for sentence in profile.note.sentences]
    kept = {name: value for name, value in view.items() if value is not None}
    return {
        **kept,
        "understood": {},
        "provenance": {
            "source": "note",
            "synthetic": False,
            "complete": True,
            "notes": list(profile.warnings),
        },
        "next": list(to_next(after_profile(profile))),
    }


def to_fact_view(fact: Fact) -> dict[str, Any]:
    """Give a fact as JSON values."""
    view: dict[str, Any] = {
        "kind": fact.kind.value,
        "text": fact.text,
        "sentence": fact.sentence,
        "start": fact.start,
        "end": fact.end,
        "assertion": fact.assertion.value,
        "negated": fact.negated or None,
        "concept": None
        if fact.concept is None
        else {"id": fact.concept.id, "name": fact.concept.name},
        "value": None if fact.value is None else _value(fact.value),
        "status": fact.status or None,
        "detail": fact.detail or None,
        "line": fact.line,
        "when": fact.when or None,
        "code": fact.code or None,
    }
    return {name: value for name, value in view.items() if value is not None}


def _age(profile: PatientProfile) -> dict[str, Any] | None:
    if profile.age is None:
        return None
    view = {"value": profile.age.value, "unit": profile.age.unit.value}
    return view if profile.age.upper is None else {**view, "upper": profile.age.upper}


def _value(quantity: Quantity) -> dict[str, Any]:
    view: dict[str, Any] = {"number": quantity.number, "comparator": quantity.comparator}
    if quantity.unit:
        view["unit"] = quantity.unit
    return view if quantity.upper is None else {**view, "upper": quantity.upper}
