"""From a FHIR bundle to a chart: the same entries as from a note, by the record's own codes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from math import inf
from typing import TYPE_CHECKING

from trialyst.eligibility.chart import (
    AllergyEntry,
    Assertion,
    Chart,
    HabitEntry,
    LabValue,
    MarkerEntry,
    PersonFact,
    Problem,
    Procedure,
    SexCode,
    Therapy,
)
from trialyst.eligibility.fhir.bundle import Bundle, parse_bundle, parts_of
from trialyst.eligibility.fhir.dates import date_of, first_day
from trialyst.eligibility.fhir.documents import DOCUMENTS, write_documents
from trialyst.eligibility.fhir.entries import (
    assertion_of,
    write_allergy,
    write_condition,
    write_family,
    write_immunization,
    write_medication,
    write_procedure,
)
from trialyst.eligibility.fhir.main import staged
from trialyst.eligibility.fhir.observations import write_observation
from trialyst.eligibility.fhir.person import age_at, sex_of, write_person
from trialyst.eligibility.fhir.terms import CodedTerms
from trialyst.eligibility.fhir.writer import RecordWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from trialyst.eligibility.chart import Entry
    from trialyst.eligibility.fhir.bundle import Resource
    from trialyst.eligibility.fhir.documents import ReadNote
    from trialyst.eligibility.lexicon import Lexicon

__all__ = ["read_bundle"]

_MEDICATIONS = (
    "MedicationStatement",
    "MedicationRequest",
    "MedicationAdministration",
    "MedicationDispense",
)
_READ = frozenset(
    (
        *("Patient", "Condition", "Observation", "Medication", "Procedure", "Immunization"),
        *("AllergyIntolerance", "FamilyMemberHistory", *_MEDICATIONS, *DOCUMENTS),
    )
)
_DEMOGRAPHICS = frozenset(("age", "sex", "pregnancy"))
_UNNAMED = "unnamed "
_PRIMARY = "mcode-primary-cancer-condition"
_TERM = 300
"""Days after which what a record says of a pregnancy is over."""


def read_bundle(
    record: str | bytes | Bundle,
    lexicon: Lexicon,
    *,
    as_of: date | None = None,
    today: Callable[[], date] = date.today,
    read_note: ReadNote | None = None,
) -> Chart:
    """Read a bundle into a chart.

    Args:
        as_of: the day to give ages and times of; the record's last day, or today, if not given.
        read_note: reads the documents among the resources; without it they are left unread.

    Raises:
        InvalidInput: it is no FHIR record, or holds several patients.
    """
    bundle = record if isinstance(record, Bundle) else parse_bundle(record)
    patient = next(iter(bundle.of("Patient")), {})
    last = _last_day(bundle, today())
    writer = RecordWriter(CodedTerms(lexicon), as_of or last or today())
    age, sex = age_at(patient, writer.as_of), sex_of(patient)
    write_person(writer, patient, age=age, sex=sex)
    _write_all(writer, bundle)
    unread = write_documents(writer, bundle, read_note)
    chart = _assemble(writer)
    warnings = (
        *bundle.problems,
        *_told_of_patient(bundle, patient, knows_age=age is not None),
        *_gaps(chart),
        *writer.warnings,
        *_later(bundle, writer.as_of),
        *unread,
        *_left_out(bundle),
    )
    return _with_pregnancy(replace(chart, age=age, sex=sex, warnings=tuple(warnings)))


def _write_all(writer: RecordWriter, bundle: Bundle) -> None:
    latest_first = reversed(bundle.of("Condition"))
    for condition in sorted(latest_first, key=_rank):
        write_condition(writer, condition)
    for resource in bundle.of("AllergyIntolerance"):
        write_allergy(writer, resource)
    for resource in bundle.of(*_MEDICATIONS):
        write_medication(writer, resource, bundle)
    for resource in bundle.of("Immunization"):
        write_immunization(writer, resource)
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
    return 1 if assertion_of(condition) is Assertion.PRESENT else 2


def _assemble(writer: RecordWriter) -> Chart:
    person = writer.of(PersonFact)
    problems, main = staged(writer.of(Problem), writer.of(LabValue))
    therapies = writer.of(Therapy)
    return Chart(
        note=writer.note(),
        demographics=tuple(each for each in person if each.role in _DEMOGRAPHICS),
        problems=problems,
        lab_values=tuple(sorted(writer.of(LabValue), key=_oldest_first)),
        therapies=therapies,
        procedures=writer.of(Procedure),
        markers=writer.of(MarkerEntry),
        allergies=writer.of(AllergyEntry),
        habits=writer.of(HabitEntry),
        person=tuple(each for each in person if each.role not in _DEMOGRAPHICS),
        main=main,
        as_of=writer.as_of,
        lists_medications=any(each.code for each in therapies),
        lists_history=any(each.code for each in problems),
    )


def _oldest_first(value: LabValue) -> float:
    """Order values so that the last is the latest; those of no day come first."""
    when = value.when
    return -inf if when is None or when.days_ago is None else -when.days_ago[0]


def _last_day(bundle: Bundle, today: date) -> date | None:
    """Give the last day on which the record tells something, of those that have been."""
    days = (_whole_day(each) for each in bundle.resources)
    return max((day for day in days if day is not None and day <= today), default=None)


def _whole_day(resource: Resource) -> date | None:
    day = "" if resource.get("resourceType") == "Patient" else date_of(resource)
    return first_day(day) if len(day) == 10 else None


def _with_pregnancy(chart: Chart) -> Chart:
    told = [
        each
        for each in chart.demographics
        if each.role == "pregnancy" and each.assertion is not Assertion.HYPOTHETICAL
    ]
    carried = [each for each in chart.problems if _is_pregnancy(each)]
    recent = [each for each in told if _is_recent(each)]
    pregnant = not recent[-1].negated if recent else None
    if pregnant is None and any(_is_recent(each) for each in carried):
        pregnant = True
    if chart.sex is SexCode.MALE:
        warning = "The record says both that the patient is male and that he is pregnant."
        if pregnant:
            return replace(chart, pregnant=None, warnings=(*chart.warnings, warning))
        pregnant = False
    return replace(chart, pregnant=pregnant)


def _is_pregnancy(problem: Problem) -> bool:
    named = problem.what.name == "Pregnancy" or "pregnancy" in problem.text.lower().split()
    return named and problem.assertion is Assertion.PRESENT


def _is_recent(entry: Entry) -> bool:
    """Whether something is told of the last months, or of no day."""
    if entry.when is None:
        return True
    return entry.when.days_ago is not None and entry.when.days_ago[0] <= _TERM


def _told_of_patient(bundle: Bundle, patient: Resource, *, knows_age: bool) -> Iterator[str]:
    if not bundle.resources:
        yield "The record is empty: nothing is known of the patient."
    elif not patient:
        yield "The record has no Patient: age and sex are not known."
    if patient.get("deceasedBoolean") is True or patient.get("deceasedDateTime"):
        yield "The record says that the patient has died."
    if patient.get("birthDate") and not knows_age:
        yield "The birth date cannot be read, or lies after the record: the age is not known."


def _gaps(chart: Chart) -> Iterator[str]:
    """Say what a record names so that nobody can tell what it is."""
    entries = list(chart.entries())
    unnamed = Counter(
        " ".join(each.text.split()[:2]) for each in entries if each.text.startswith(_UNNAMED)
    )
    for words, count in sorted(unnamed.items()):
        yield f"{count:,} x {words}: the record gives neither words nor a code for it."
    if all(isinstance(each, PersonFact) for each in entries):
        yield "Nothing was found that a search for trials could use: no condition, drug or value."


def _later(bundle: Bundle, as_of: date) -> Iterator[str]:
    days = [day for day in map(_whole_day, bundle.resources) if day is not None and day > as_of]
    if days:
        count = "1 resource is" if len(days) == 1 else f"{len(days):,} resources are"
        yield f"{count} dated after {as_of.isoformat()}, up to {max(days).isoformat()}."


def _left_out(bundle: Bundle) -> Iterator[str]:
    if unread := bundle.besides(_READ):
        yield f"Not read: {unread}."
