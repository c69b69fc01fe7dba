"""The patient of a record: age at a day, sex, ethnicity and place."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from trialyst.ctgov.ages import AgeUnit
from trialyst.eligibility.quantity import Quantity
from trialyst.matching.fhir.bundle import parts_of
from trialyst.matching.fhir.writer import Stated
from trialyst.matching.patient import FactKind, PatientAge, Sex

if TYPE_CHECKING:
    from trialyst.matching.fhir.bundle import Resource
    from trialyst.matching.fhir.writer import RecordWriter

__all__ = ["age_at", "sex_of", "write_person"]

_SEXES = {"female": Sex.FEMALE, "male": Sex.MALE, "f": Sex.FEMALE, "m": Sex.MALE}
_GROUPS = ("us-core-race", "us-core-ethnicity")


def sex_of(patient: Resource) -> Sex | None:
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
    born = _day(str(patient.get("birthDate") or ""))
    if born is None or born > day:
        return None
    months = (day.year - born.year) * 12 + day.month - born.month - (day.day < born.day)
    if months >= 24:
        return PatientAge(months // 12)
    if months >= 1:
        return PatientAge(months, AgeUnit.MONTH)
    return PatientAge((day - born).days, AgeUnit.DAY)


def _day(text: str) -> date | None:
    parts = [int(part) for part in text[:10].split("-") if part.isdigit()]
    try:
        return date(*[*parts, 1, 1][:3]) if parts else None
    except ValueError:
        return None


def write_person(
    writer: RecordWriter, patient: Resource, *, age: PatientAge | None, sex: Sex | None
) -> None:
    """Write who the patient is; names and identifiers are left out."""
    stated: list[Stated] = []
    words: list[str] = []
    if age is not None:
        value = Quantity(age.value, str(age.unit))
        words.append(f"{age.value:g}-{age.unit.lower()}-old")
        stated.append(Stated(FactKind.AGE, words[-1], value=value))
    for group in _groups(patient):
        words.append(group)
        stated.append(Stated(FactKind.ETHNICITY, group))
    if sex is not None:
        words.append(sex.lower())
        stated.append(Stated(FactKind.SEX, words[-1], status=sex.value))
    place = _place(patient)
    if place:
        stated.append(Stated(FactKind.PLACE, place))
    home = f", lives in {place}" if place else ""
    writer.add(f"Patient: {' '.join(words) or 'age and sex not recorded'}{home}.", stated)


def _groups(patient: Resource) -> list[str]:
    found = []
    for extension in parts_of(patient, "extension"):
        if str(extension.get("url", "")).endswith(_GROUPS):
            told = [
                each.get("valueString")
                for each in parts_of(extension, "extension")
                if each.get("valueString")
            ]
            found += [str(each) for each in told[:1] if not str(each).startswith("Not ")]
    return found


def _place(patient: Resource) -> str:
    address = next(iter(parts_of(patient, "address")), {})
    return ", ".join(str(address[name]) for name in ("city", "state") if address.get(name))
