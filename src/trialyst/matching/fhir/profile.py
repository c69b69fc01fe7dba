"""From a FHIR bundle to a profile: the same facts as from a note, by the record's own codes."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import TYPE_CHECKING

from trialyst.matching.fhir.bundle import Bundle, date_of, parse_bundle, parts_of
from trialyst.matching.fhir.entries import (
    condition_assertion,
    write_allergy,
    write_condition,
    write_family,
    write_medication,
    write_procedure,
)
from trialyst.matching.fhir.observations import write_observation
from trialyst.matching.fhir.person import age_at, sex_of, write_person
from trialyst.matching.fhir.writer import RecordWriter
from trialyst.matching.patient import Assertion, Fact, FactKind, PatientProfile, Sex
from trialyst.matching.reading.summary import choose_primary, choose_stage, list_missing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from trialyst.matching.fhir.bundle import Resource
    from trialyst.matching.reading.spotting import Spotter

__all__ = ["profile_bundle"]

_READ = frozenset(
    "Patient Condition Observation MedicationStatement MedicationRequest MedicationAdministration "
    "MedicationDispense Medication Procedure AllergyIntolerance FamilyMemberHistory".split()
)
_MEDICATIONS = (
    "MedicationStatement",
    "MedicationRequest",
    "MedicationAdministration",
    "MedicationDispense",
)
_UNNAMED = "unnamed "
_OF_PERSON = (FactKind.AGE, FactKind.SEX, FactKind.ETHNICITY, FactKind.PLACE)
_PRIMARY = "mcode-primary-cancer-condition"


def profile_bundle(
    record: str | bytes | Bundle,
    *,
    spotter: Spotter,
    as_of: date | None = None,
    today: Callable[[], date] = date.today,
) -> PatientProfile:
    """Read a bundle into a profile.

    Args:
        as_of: the day to give the age of; the record's last day, or today, if not given.

    Raises:
        InvalidInput: it is no FHIR record, or holds several patients.
    """
    bundle = record if isinstance(record, Bundle) else parse_bundle(record)
    writer = RecordWriter(spotter)
    patient = next(iter(bundle.of("Patient")), {})
    day = as_of or _last_day(bundle) or today()
    age, sex = age_at(patient, day), sex_of(patient)
    write_person(writer, patient, age=age, sex=sex)
    _write_all(writer, bundle)
    note, facts = writer.note(), tuple(writer.facts)
    primary = choose_primary(note, facts)
    pregnant = _pregnant(facts, sex)
    return PatientProfile(
        note=note,
        facts=facts,
        age=age,
        sex=sex,
        pregnant=pregnant,
        primary_diagnosis=primary,
        stage=choose_stage(primary, facts),
        missing=list_missing(facts, age=age, sex=sex, pregnant=pregnant, primary=primary),
        remarks=(*_remarks(bundle, patient), *_gaps(facts, patient, knows_age=age is not None)),
    )


def _write_all(writer: RecordWriter, bundle: Bundle) -> None:
    latest_first = reversed(bundle.of("Condition"))
    for condition in sorted(latest_first, key=_rank):
        write_condition(writer, condition)
    for resource in bundle.of("AllergyIntolerance"):
        write_allergy(writer, resource)
    for resource in bundle.of(*_MEDICATIONS):
        write_medication(writer, resource, bundle)
    for resource in bundle.of("Procedure"):
        write_procedure(writer, resource)
    for resource in bundle.of("FamilyMemberHistory"):
        write_family(writer, resource)
    for resource in bundle.of("Observation"):
        write_observation(writer, resource)


def _rank(condition: Resource) -> int:
    """Order conditions: a primary cancer, what is active, the rest; the latest first in each."""
    listed = [meta.get("profile") for meta in parts_of(condition, "meta")]
    profiles = listed[0] if listed and isinstance(listed[0], list) else listed
    if any(str(profile).endswith(_PRIMARY) for profile in profiles):
        return 0
    return 1 if condition_assertion(condition) is Assertion.PRESENT else 2


def _last_day(bundle: Bundle) -> date | None:
    days = (date_of(each) for each in bundle.resources if each.get("resourceType") != "Patient")
    whole = sorted(day for day in days if len(day) == 10)
    for day in reversed(whole):
        try:
            return date.fromisoformat(day)
        except ValueError:
            continue
    return None


def _pregnant(facts: tuple[Fact, ...], sex: Sex | None) -> bool | None:
    if sex is Sex.MALE:
        return False
    told = [fact for fact in facts if fact.kind is FactKind.PREGNANCY]
    return None if not told else not told[-1].negated


def _gaps(facts: Sequence[Fact], patient: Resource, *, knows_age: bool) -> Iterator[str]:
    """Say what a record names so that nobody can tell what it is."""
    if patient.get("birthDate") and not knows_age:
        yield "The birth date cannot be read, or lies after the record: the age is not known."
    unnamed = Counter(
        " ".join(fact.text.split()[:2]) for fact in facts if fact.text.startswith(_UNNAMED)
    )
    for words, count in sorted(unnamed.items()):
        yield f"{count:,} x {words}: the record gives neither words nor a code for it."
    if not any(fact.kind not in _OF_PERSON for fact in facts):
        yield "Nothing was found that a search for trials could use: no condition, drug or value."


def _remarks(bundle: Bundle, patient: Resource) -> tuple[str, ...]:
    remarks = list(bundle.problems)
    if not bundle.resources:
        remarks.append("The record is empty: nothing is known of the patient.")
    elif not patient:
        remarks.append("The record has no Patient: age and sex are not known.")
    if patient.get("deceasedBoolean") is True or patient.get("deceasedDateTime"):
        remarks.append("The record says that the patient has died.")
    unread = {kind: count for kind, count in bundle.counts().items() if kind not in _READ}
    if unread:
        listed = ", ".join(f"{count} {kind}" for kind, count in sorted(unread.items()))
        remarks.append(f"Not read: {listed}.")
    return tuple(remarks)
