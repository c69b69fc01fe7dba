"""Conditions, treatments, procedures, allergies and family history of a record as entries."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from trialyst.eligibility.chart import (
    AllergyEntry,
    Assertion,
    Problem,
    Procedure,
    Therapy,
)
from trialyst.eligibility.fhir.bundle import codes_of, parts_of, plain_words, tag_of, text_of
from trialyst.eligibility.fhir.dates import course_of, date_of, end_of
from trialyst.eligibility.fhir.stages import stage_name
from trialyst.eligibility.fhir.terms import read_situation
from trialyst.eligibility.fhir.writer import Stated
from trialyst.eligibility.reading.headings import Section
from trialyst.vocabulary.term import Term, TermKind

if TYPE_CHECKING:
    from trialyst.eligibility.fhir.bundle import Bundle, Resource
    from trialyst.eligibility.fhir.writer import RecordWriter

__all__ = [
    "assertion_of",
    "write_allergy",
    "write_condition",
    "write_family",
    "write_immunization",
    "write_medication",
    "write_procedure",
]

_VERIFIED = {
    "unconfirmed": Assertion.POSSIBLE,
    "provisional": Assertion.POSSIBLE,
    "differential": Assertion.POSSIBLE,
    "refuted": Assertion.ABSENT,
    # A record that is void says nothing of the patient.
    "entered-in-error": Assertion.HYPOTHETICAL,
}
_ACTIVITIES = {
    "active": "active",
    "recurrence": "recurrent",
    "relapse": "relapsed",
    "inactive": "resolved",
    "resolved": "resolved",
    "remission": "remission",
}
_PAST = frozenset(("resolved", "remission"))
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
    "declined": ("refused", Assertion.ABSENT),
    "intended": ("planned", Assertion.HYPOTHETICAL),
    "draft": ("planned", Assertion.HYPOTHETICAL),
    "preparation": ("planned", Assertion.HYPOTHETICAL),
    "entered-in-error": ("", Assertion.HYPOTHETICAL),
}
_DONE = {"current": "done", "prior": "done"}
_THERAPY_TREE = "E02"
_SEVERITY = re.compile(r"\b(mild|moderate|severe)\b", re.IGNORECASE)
_ACTIVITY = re.compile(r"\b(acute|chronic|recurrent|refractory|metastatic|relapsed)\b", re.I)
_NO_ALLERGY = re.compile(r"\bno (?:known )?(?:\w+ )?allerg|\bNK[D]?A\b", re.IGNORECASE)
_ALLERGY_TO = re.compile(
    r"(?:allergy to|allergic reaction (?:caused by|to)|intolerance to|hypersensitivity to) (.+)"
    r"|(.+?) (?:allergy|intolerance|hypersensitivity)",
    re.IGNORECASE,
)


def _status(resource: Resource, name: str) -> str:
    value = resource.get(name)
    if isinstance(value, str):
        return plain_words(value)
    codes = codes_of(value)
    return codes[0].code if codes else ""


def _activity(resource: Resource) -> str:
    told = _ACTIVITIES.get(_status(resource, "clinicalStatus"), "")
    abated = any(name.startswith("abatement") and resource[name] for name in resource)
    return "resolved" if abated and told not in _PAST else told


def assertion_of(resource: Resource) -> Assertion:
    """Give how a record asserts a condition: its verification first, then its clinical status."""
    verified = _VERIFIED.get(_status(resource, "verificationStatus"))
    if verified is not None:
        return verified
    return Assertion.HISTORICAL if _activity(resource) in _PAST else Assertion.PRESENT


def write_condition(writer: RecordWriter, resource: Resource) -> None:
    """Write a condition with its status, days, stage, severity and site."""
    code = resource.get("code")
    words = text_of(code) or "unnamed condition"
    situation = read_situation(words)
    assertion = assertion_of(resource)
    if situation.assertion is not None and assertion is Assertion.PRESENT:
        assertion = situation.assertion
    start, end = date_of(resource), end_of(resource)
    what, known = writer.terms.problem(situation.words, codes_of(code))
    fields = {
        **_asserted(assertion),
        "code": _code(code),
        "when": course_of(start, end, writer.as_of),
    }
    stage = _stage(resource, words)
    if situation.assertion is not None and not what.trees:
        operation, kind = writer.terms.procedure(situation.words, codes_of(code))
        if kind is not None:
            stated = Stated(Procedure, words, {**fields, "what": operation, "kind": kind})
            writer.add(f"Condition: {words}{_on(start)}.", [stated], section=Section.SURGERY)
            return
    stated = Stated(
        Problem,
        words,
        {
            **fields,
            "what": what,
            "kind": known or _kind(code, what),
            "stage": stage,
            "severity": _severity(resource, words),
            "activity": _activity_of(resource, words),
            "site": "; ".join(filter(None, map(text_of, parts_of(resource, "bodySite")))),
        },
    )
    told = ", ".join(
        filter(None, (_status(resource, "clinicalStatus"), _status(resource, "verificationStatus")))
    )
    tail = f", stage {stage}" if stage and stage not in words else ""
    since = _since(start) + (f" until {end}" if end else "")
    writer.add(
        f"Condition: {words}{tail}{_brackets(told)}{since}.", [stated], section=Section.PRESENT
    )


def _kind(code: object, what: Term) -> TermKind:
    """Tell a finding from a disease: by SNOMED's own word, where the vocabulary has no place."""
    return (
        TermKind.SYMPTOM
        if not what.trees and tag_of(code) in ("finding", "situation", "observable entity")
        else TermKind.CONDITION
    )


def _severity(resource: Resource, words: str) -> str:
    match = _SEVERITY.search(f"{text_of(resource.get('severity'))} {words}")
    return match.group().lower() if match else ""


def _activity_of(resource: Resource, words: str) -> str:
    told = _activity(resource)
    match = None if told in _PAST else _ACTIVITY.search(words)
    return match.group().lower() if match else told


def _stage(resource: Resource, words: str) -> str:
    for stage in parts_of(resource, "stage"):
        if text := text_of(stage.get("summary")):
            return stage_name(text)
    match = re.search(r"\bstage ([0-4IV]{1,3}[A-Da-d]?)\b", words)
    return match.group(1) if match else ""


def write_medication(writer: RecordWriter, resource: Resource, bundle: Bundle) -> None:
    """Write a drug with whether it is taken; one entry for each ingredient of the product."""
    concept = resource.get("medicationCodeableConcept")
    if concept is None:
        referred = bundle.referred(resource.get("medicationReference"), resource)
        concept = {} if referred is None else referred.get("code")
    words = text_of(concept) or "unnamed medication"
    state, assertion = _TAKEN.get(_status(resource, "status"), ("", Assertion.PRESENT))
    if resource.get("intent") in ("proposal", "plan") and assertion is Assertion.PRESENT:
        state, assertion = "planned", Assertion.HYPOTHETICAL
    if resource.get("doNotPerform") is True:
        state, assertion = "refused", Assertion.ABSENT
    _write_given(
        writer,
        "Medication",
        words,
        [Stated(Therapy, words, {"what": drug}) for drug in _drugs(writer, words, concept)],
        resource,
        {"status": state, **_asserted(assertion), **_dosage(resource), "code": _code(concept)},
    )


def _drugs(writer: RecordWriter, words: str, concept: object) -> list[Term]:
    return writer.terms.ingredients(words, codes_of(concept))


def write_immunization(writer: RecordWriter, resource: Resource) -> None:
    """Write a vaccine as a treatment that was given."""
    code = resource.get("vaccineCode")
    words = text_of(code) or "unnamed vaccine"
    state, assertion = _TAKEN.get(_status(resource, "status"), ("prior", Assertion.HISTORICAL))
    what = writer.terms.vaccine(words, codes_of(code))
    fields = {"status": state, **_asserted(assertion), "code": _code(code)}
    stated = [Stated(Therapy, words, {"what": what})]
    _write_given(writer, "Vaccine", words, stated, resource, fields)


def _write_given(
    writer: RecordWriter,
    label: str,
    words: str,
    stated: list[Stated],
    resource: Resource,
    fields: dict[str, Any],
) -> None:
    start, end = date_of(resource), end_of(resource)
    over = fields["status"] != "current"
    when = course_of(start, end or (start if over else ""), writer.as_of)
    told, days = _status(resource, "status"), f"{start} to {end}" if end else start
    writer.add(
        f"{label}: {words}{_brackets(told)}{_on(days)}.",
        [each._replace(fields={**fields, "when": when, **each.fields}) for each in stated],
        section=Section.MEDICATION,
    )


def _dosage(resource: Resource) -> dict[str, str]:
    for dosage in (*parts_of(resource, "dosageInstruction"), *parts_of(resource, "dosage")):
        given = dosage.get("text")
        return {
            "dose": plain_words(given) if isinstance(given, str) else "",
            "route": text_of(dosage.get("route")).lower().removesuffix(" route"),
        }
    return {}


def write_procedure(writer: RecordWriter, resource: Resource) -> None:
    """Write a procedure with whether it was done; radiotherapy and the like are therapies."""
    code = resource.get("code")
    words = text_of(code) or "unnamed procedure"
    state, assertion = _TAKEN.get(_status(resource, "status"), ("", Assertion.PRESENT))
    what, kind = writer.terms.procedure(words, codes_of(code))
    therapy = kind is TermKind.THERAPY or tag_of(code) == "regime/therapy"
    therapy = therapy or any(tree.startswith(_THERAPY_TREE) for tree in what.trees)
    fields = {**_asserted(assertion), "code": _code(code), "what": what}
    if therapy:
        stated = Stated(Therapy, words, {**fields, "kind": TermKind.THERAPY, "status": state})
    else:
        done = _DONE.get(state, state)
        kind = kind or TermKind.PROCEDURE
        stated = Stated(Procedure, words, {**fields, "kind": kind, "status": done})
    start, end = date_of(resource), end_of(resource)
    when = course_of(start, end or start, writer.as_of)
    told = _status(resource, "status")
    writer.add(
        f"Procedure: {words}{_brackets(told)}{_on(start)}.",
        [stated._replace(fields={**stated.fields, "when": when})],
        section=Section.SURGERY,
    )


def write_allergy(writer: RecordWriter, resource: Resource) -> None:
    """Write an allergy or intolerance; a code for none denies them all."""
    code = resource.get("code")
    words = text_of(code) or "unnamed allergy"
    assertion = assertion_of(resource)
    if _NO_ALLERGY.search(words):
        assertion, what = Assertion.ABSENT, Term("term:allergy", "Allergies")
    else:
        match = _ALLERGY_TO.fullmatch(words)
        named = words if match is None else match.group(1) or match.group(2)
        what = writer.terms.substance(named, codes_of(code))
    when = course_of(date_of(resource), "", writer.as_of)
    fields = {**_asserted(assertion), "what": what, "code": _code(code), "when": when}
    told = _status(resource, "clinicalStatus")
    writer.add(
        f"Allergy: {words}{_brackets(told)}.",
        [Stated(AllergyEntry, words, fields)],
        section=Section.ALLERGY,
    )


def write_family(writer: RecordWriter, resource: Resource) -> None:
    """Write what a record says of a relative."""
    relative = text_of(resource.get("relationship"), fallback="relative")
    for condition in parts_of(resource, "condition"):
        code = condition.get("code")
        words = text_of(code) or "unnamed condition"
        what, kind = writer.terms.problem(read_situation(words).words, codes_of(code))
        fields = {
            "what": what,
            "kind": kind or TermKind.CONDITION,
            "assertion": Assertion.FAMILY,
            "relative": relative,
            "code": _code(code),
        }
        writer.add(
            f"Family history: {relative}: {words}.",
            [Stated(Problem, words, fields)],
            section=Section.FAMILY,
        )


def _asserted(assertion: Assertion) -> dict[str, Any]:
    return {"assertion": assertion, "negated": assertion is Assertion.ABSENT}


def _code(concept: object) -> str:
    codes = codes_of(concept)
    return str(codes[0]) if codes else ""


def _brackets(text: str) -> str:
    return f" ({text})" if text else ""


def _since(day: str) -> str:
    return f", since {day}" if day else ""


def _on(day: str) -> str:
    return f", {day}" if day else ""
