"""Conditions, treatments, procedures, allergies and family history of a record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trialyst.eligibility.reading.headings import Section
from trialyst.matching.fhir.bundle import codes_of, date_of, parts_of, text_of
from trialyst.matching.fhir.observations import stage_name
from trialyst.matching.fhir.writer import Stated
from trialyst.matching.patient import Assertion, FactKind
from trialyst.vocabulary import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trialyst.matching.fhir.bundle import Bundle, Resource
    from trialyst.matching.fhir.writer import RecordWriter

__all__ = [
    "condition_assertion",
    "write_allergy",
    "write_condition",
    "write_family",
    "write_medication",
    "write_procedure",
]

_CONDITIONS = frozenset((Kind.CONDITION,))
_PROCEDURES = frozenset((Kind.OTHER, Kind.CONDITION))
_SUBSTANCES = frozenset((Kind.DRUG, Kind.CONDITION, Kind.OTHER))
_VERIFIED = {
    "unconfirmed": Assertion.POSSIBLE,
    "provisional": Assertion.POSSIBLE,
    "differential": Assertion.POSSIBLE,
    "refuted": Assertion.ABSENT,
    # A record that is void says nothing of the patient.
    "entered-in-error": Assertion.HYPOTHETICAL,
}
_PAST = frozenset(("inactive", "remission", "resolved"))
_TAKEN = {
    "active": ("current", Assertion.PRESENT),
    "in-progress": ("current", Assertion.PRESENT),
    "completed": ("prior", Assertion.HISTORICAL),
    "stopped": ("prior", Assertion.HISTORICAL),
    "ended": ("prior", Assertion.HISTORICAL),
    "on-hold": ("prior", Assertion.HISTORICAL),
    "cancelled": ("refused", Assertion.ABSENT),
    "not-taken": ("refused", Assertion.ABSENT),
    "not-done": ("refused", Assertion.ABSENT),
    "intended": ("planned", Assertion.HYPOTHETICAL),
    "draft": ("planned", Assertion.HYPOTHETICAL),
    "preparation": ("planned", Assertion.HYPOTHETICAL),
    "entered-in-error": ("", Assertion.HYPOTHETICAL),
}
_THERAPY_TREE = "E02"


def _status(resource: Resource, name: str) -> str:
    value = resource.get(name)
    if isinstance(value, str):
        return value
    codes = codes_of(value)
    return codes[0].code if codes else ""


def condition_assertion(resource: Resource) -> Assertion:
    """Give how a record asserts a condition: its verification first, then its clinical status."""
    verified = _VERIFIED.get(_status(resource, "verificationStatus"))
    if verified is not None:
        return verified
    past = _status(resource, "clinicalStatus") in _PAST or bool(resource.get("abatementDateTime"))
    return Assertion.HISTORICAL if past else Assertion.PRESENT


def write_condition(writer: RecordWriter, resource: Resource) -> None:
    """Write a condition with its clinical status, day and stage."""
    codes = codes_of(resource.get("code"))
    words = text_of(resource.get("code"), fallback="unnamed condition")
    assertion = condition_assertion(resource)
    day = date_of(resource)
    told = ", ".join(
        filter(None, (_status(resource, "clinicalStatus"), _status(resource, "verificationStatus")))
    )
    stated = [
        Stated(
            FactKind.CONDITION,
            words,
            concept=writer.concept(words, codes, kinds=_CONDITIONS),
            code=str(codes[0]) if codes else "",
            **_asserted(assertion),
            when=day,
        )
    ]
    stage = _stage(resource)
    if stage:
        stated.append(
            Stated(FactKind.STAGE, f"stage {stage}", detail=stage, **_asserted(assertion))
        )
    tail = f", stage {stage}" if stage else ""
    writer.add(
        f"Condition: {words}{tail}{_brackets(told)}{_since(day)}.", stated, section=Section.PRESENT
    )


def _stage(resource: Resource) -> str:
    for stage in parts_of(resource, "stage"):
        if text := text_of(stage.get("summary")):
            return stage_name(text)
    return ""


def write_medication(writer: RecordWriter, resource: Resource, bundle: Bundle) -> None:
    """Write a drug with whether it is taken; one fact for each ingredient of the product."""
    concept = resource.get("medicationCodeableConcept")
    if concept is None:
        referred = bundle.referred(resource.get("medicationReference"), resource)
        concept = {} if referred is None else referred.get("code")
    codes = codes_of(concept)
    words = text_of(concept, fallback="unnamed medication")
    state, assertion = _TAKEN.get(_status(resource, "status"), ("", Assertion.PRESENT))
    if resource.get("intent") in ("proposal", "plan") and assertion is Assertion.PRESENT:
        state, assertion = "planned", Assertion.HYPOTHETICAL
    if resource.get("doNotPerform") is True:
        state, assertion = "refused", Assertion.ABSENT
    day = date_of(resource)
    stated = [
        Stated(
            FactKind.THERAPY,
            words,
            concept=drug,
            code=str(codes[0]) if codes else "",
            status=state,
            **_asserted(assertion),
            when=day,
        )
        for drug in writer.ingredients(words, codes)
    ]
    told = _status(resource, "status")
    writer.add(
        f"Medication: {words}{_brackets(told)}{_on(day)}.", stated, section=Section.MEDICATION
    )


def write_procedure(writer: RecordWriter, resource: Resource) -> None:
    """Write a procedure with whether it was done."""
    codes = codes_of(resource.get("code"))
    words = text_of(resource.get("code"), fallback="unnamed procedure")
    state, assertion = _TAKEN.get(_status(resource, "status"), ("", Assertion.PRESENT))
    concept = writer.concept(words, codes, kinds=_PROCEDURES)
    therapy = any(tree.startswith(_THERAPY_TREE) for tree in concept.trees)
    day = date_of(resource)
    stated = Stated(
        FactKind.THERAPY if therapy else FactKind.PROCEDURE,
        words,
        concept=concept,
        code=str(codes[0]) if codes else "",
        status=state,
        **_asserted(assertion),
        when=day,
    )
    told = _status(resource, "status")
    writer.add(f"Procedure: {words}{_brackets(told)}{_on(day)}.", [stated], section=Section.SURGERY)


def write_allergy(writer: RecordWriter, resource: Resource) -> None:
    """Write an allergy or intolerance."""
    codes = codes_of(resource.get("code"))
    words = text_of(resource.get("code"), fallback="unnamed allergy")
    stated = Stated(
        FactKind.ALLERGY,
        words,
        concept=writer.concept(words, codes, kinds=_SUBSTANCES),
        code=str(codes[0]) if codes else "",
        **_asserted(condition_assertion(resource)),
        when=date_of(resource),
    )
    told = _status(resource, "clinicalStatus")
    writer.add(f"Allergy: {words}{_brackets(told)}.", [stated], section=Section.ALLERGY)


def write_family(writer: RecordWriter, resource: Resource) -> None:
    """Write what a record says of a relative."""
    relative = text_of(resource.get("relationship"), fallback="relative")
    for condition in parts_of(resource, "condition"):
        codes = codes_of(condition.get("code"))
        words = text_of(condition.get("code"), fallback="unnamed condition")
        stated = Stated(
            FactKind.CONDITION,
            words,
            concept=writer.concept(words, codes, kinds=_CONDITIONS),
            code=str(codes[0]) if codes else "",
            assertion=Assertion.FAMILY,
            detail=relative,
        )
        writer.add(f"Family history: {relative}: {words}.", [stated], section=Section.FAMILY)


def _asserted(assertion: Assertion) -> Mapping[str, Any]:
    return {"assertion": assertion, "negated": assertion is Assertion.ABSENT}


def _brackets(text: str) -> str:
    return f" ({text})" if text else ""


def _since(day: str) -> str:
    return f", since {day}" if day else ""


def _on(day: str) -> str:
    return f", {day}" if day else ""
