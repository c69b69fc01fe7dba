"""The patient of a record: age at a day, sex, ethnicity and place."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from trialyst.ctgov.ages import AgeUnit
from trialyst.eligibility.chart import PatientAge, PersonFact, SexCode
from trialyst.eligibility.fhir.bundle import parts_of, plain_words
from trialyst.eligibility.fhir.dates import first_day
from trialyst.eligibility.fhir.writer import Stated

if TYPE_CHECKING:
    from trialyst.eligibility.fhir.bundle import Resource
    from trialyst.eligibility.fhir.writer import RecordWriter

__all__ = ["age_at", "sex_of", "write_person"]

_SEXES = {"female": SexCode.FEMALE, "male": SexCode.MALE, "f": SexCode.FEMALE, "m": SexCode.MALE}
_GROUPS = ("us-core-race", "us-core-ethnicity")


def sex_of(patient: Resource) -> SexCode | None:
    """Give the administrative gender as a sex, else the sex at birth."""
    told = _SEXES.get(str(patient.get("gender") or "").lower())
    if told is not None:
        return told
    for extension in parts_of(patient, "extension"):
        if str(extension.get("url", "")).endswith("us-core-birthsex"):
            return _SEXES.get(str(extension.get("valueCode") or "").lower())
    return None


def age_at(patient: Resource, day: date) -> PatientAge | None:
    """Give the age in completed years, of infants in months or days."""
    born = first_day(str(patient.get("birthDate") or ""))
    if born is None or born > day:
        return None
    months = (day.year - born.year) * 12 + day.month - born.month - (day.day < born.day)
    if months >= 24:
        return PatientAge(months // 12)
    if months >= 1:
        return PatientAge(months, AgeUnit.MONTH)
    return PatientAge((day - born).days, AgeUnit.DAY)


def write_person(
    writer: RecordWriter, patient: Resource, *, age: PatientAge | None, sex: SexCode | None
) -> None:
    """Write who the patient is; names and identifiers are left out."""
    told: list[tuple[str, str]] = []
    if age is not None:
        told.append(("age", f"{age.value:g}-{age.unit.lower()}-old"))
    told += [("ethnicity", group) for group in _groups(patient)]
    if sex is not None:
        told.append(("sex", sex.lower()))
    words = " ".join(words for _, words in told) or "age and sex not recorded"
    place = _place(patient)
    if place:
        told.append(("place", place))
    home = f", lives in {place}" if place else ""
    stated = [Stated(PersonFact, said, {"role": role}) for role, said in told]
    writer.add(f"Patient: {words}{home}.", stated)


def _groups(patient: Resource) -> list[str]:
    found = []
    for extension in parts_of(patient, "extension"):
        if str(extension.get("url", "")).endswith(_GROUPS):
            told = [
                each.get("valueString")
                for each in parts_of(extension, "extension")
                if each.get("valueString")
            ]
            found += [
                plain_words(str(each)) for each in told[:1] if not str(each).startswith("Not ")
            ]
    return found


def _place(patient: Resource) -> str:
    address = next(iter(parts_of(patient, "address")), {})
    return ", ".join(
        plain_words(str(address[name])) for name in ("city", "state") if address.get(name)
    )
