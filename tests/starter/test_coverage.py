"""The registry is varied enough for every feature that stands on it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from trialyst.essie.enums import enums
from trialyst.starter.tables import tables

Study = dict[str, Any]

LAYOUT_SIGNS = {
    "starred": r"(?m)^\* ",
    "numbered": r"(?m)^1\. ",
    "dashed": r"(?m)^- ",
    "nested": r"(?m)^  [*-] ",
    "nested letters": r"(?m)^   a\) ",
    "run on": r"(?i)^inclusion criteria: [^\n]+;[^\n]+exclusion criteria:",
    "prose": r"^Participants meet these points",
    "sub-cohorts": r"Cohort B only",
    "one block": r"DISEASE CHARACTERISTICS",
    "ages first": r"^Ages Eligible for Study",
    "both senses": r"(?m)^\* No ",
    "escaped comparator": r"\\>=",
    "unicode comparator": r"≥",
    "worded comparator": r"at least \d",
    "upper-case heading": r"INCLUSION CRITERIA",
    "key heading": r"Key Inclusion Criteria",
}


def _values(studies: list[Study], *path: str) -> Iterator[Any]:
    for study in studies:
        yield from _walk(study, path)


def _walk(value: Any, path: tuple[str, ...]) -> Iterator[Any]:
    if isinstance(value, list):
        for inner in value:
            yield from _walk(inner, path)
    elif not path:
        yield value
    elif isinstance(value, dict) and path[0] in value:
        yield from _walk(value[path[0]], path[1:])


def test_all_fourteen_statuses_occur(studies: list[Study]) -> None:
    seen = set(_values(studies, "protocolSection", "statusModule", "overallStatus"))
    assert seen == {value.value for value in enums()["Status"].values}


def test_the_eight_phase_lists_occur(full: list[Study]) -> None:
    designs = [study["protocolSection"]["designModule"] for study in full]
    assert {tuple(design["phases"]) for design in designs if "phases" in design} == {
        ("NA",),
        ("EARLY_PHASE1",),
        ("PHASE1",),
        ("PHASE1", "PHASE2"),
        ("PHASE2",),
        ("PHASE2", "PHASE3"),
        ("PHASE3",),
        ("PHASE4",),
    }


@pytest.mark.parametrize(
    ("enum", "path"),
    [
        ("StudyType", "protocolSection.designModule.studyType"),
        ("InterventionType", "protocolSection.armsInterventionsModule.interventions.type"),
        ("ArmGroupType", "protocolSection.armsInterventionsModule.armGroups.type"),
        ("AgencyClass", "protocolSection.sponsorCollaboratorsModule.leadSponsor.class"),
        ("Sex", "protocolSection.eligibilityModule.sex"),
        ("StandardAge", "protocolSection.eligibilityModule.stdAges"),
        ("InterventionalAssignment", "protocolSection.designModule.designInfo.interventionModel"),
        ("PrimaryPurpose", "protocolSection.designModule.designInfo.primaryPurpose"),
        ("DesignMasking", "protocolSection.designModule.designInfo.maskingInfo.masking"),
    ],
)
def test_every_value_occurs(studies: list[Study], enum: str, path: str) -> None:
    seen = set(_values(studies, *path.split(".")))
    assert seen == {value.value for value in enums()[enum].values}


def test_stop_reasons_of_every_category_occur(studies: list[Study]) -> None:
    said = set(_values(studies, "protocolSection", "statusModule", "whyStopped"))
    found = {name for name, texts in tables().stop_reasons.items() if said & set(texts)}
    assert found == set(tables().stop_reasons)
    assert {"safety", "efficacy", "enrollment", "business", "success", "negated"} <= found
    assert len(said) >= 40


@pytest.mark.parametrize("sign", LAYOUT_SIGNS)
def test_eligibility_layout_occurs(full: list[Study], sign: str) -> None:
    texts = _values(full, "protocolSection", "eligibilityModule", "eligibilityCriteria")
    pattern = re.compile(LAYOUT_SIGNS[sign])
    assert sum(bool(pattern.search(text)) for text in texts) >= 5


def test_conditions_are_many_and_in_many_fields() -> None:
    assert len(tables().conditions) >= 60
    assert len({condition.area for condition in tables().conditions.values()}) >= 12


def test_every_condition_is_studied(full: list[Study]) -> None:
    seen = set(_values(full, "derivedSection", "conditionBrowseModule", "meshes", "id"))
    assert {condition.mesh_id for condition in tables().conditions.values()} <= seen


def test_medicines_are_many_and_mostly_used(full: list[Study]) -> None:
    assert len(tables().medicines) >= 120
    seen = set(_values(full, "derivedSection", "interventionBrowseModule", "meshes", "id"))
    known = {remedy.mesh_id for remedy in tables().medicines if remedy.mesh_id}
    assert len(seen & known) > 0.9 * len(known)


def test_a_medicine_goes_by_brand_code_and_generic_name(full: list[Study]) -> None:
    names = set(
        _values(full, "protocolSection", "armsInterventionsModule", "interventions", "name")
    )
    medicines = tables().medicines
    spellings = [{m.name, m.name.capitalize(), *m.other_names} & names for m in medicines]
    assert sum(len(found) >= 2 for found in spellings) > 100


@pytest.mark.parametrize(
    "path",
    [
        "eligibilityModule.maximumAge",
        "eligibilityModule.minimumAge",
        "eligibilityModule.eligibilityCriteria",
        "eligibilityModule.healthyVolunteers",
        "identificationModule.officialTitle",
        "identificationModule.secondaryIdInfos",
        "contactsLocationsModule.locations",
        "designModule.enrollmentInfo",
        "descriptionModule.detailedDescription",
        "armsInterventionsModule.interventions",
        "referencesModule.references",
    ],
)
def test_field_is_there_for_some_and_missing_for_others(full: list[Study], path: str) -> None:
    protocols = [study["protocolSection"] for study in full]
    present = sum(any(True for _ in _walk(p, tuple(path.split(".")))) for p in protocols)
    assert 5 <= present <= len(full) - 5


def test_dates_come_in_every_precision(full: list[Study]) -> None:
    dates = _values(full, "protocolSection", "statusModule", "startDateStruct", "date")
    assert set(Counter(len(day) for day in dates)) == {4, 7, 10}


def test_sites_spread_over_many_countries(full: list[Study]) -> None:
    countries = _values(full, "protocolSection", "contactsLocationsModule", "locations", "country")
    assert len(set(countries)) >= 50


def test_documents_annotations_and_combinations_occur(full: list[Study]) -> None:
    arms = _values(full, "protocolSection", "armsInterventionsModule", "armGroups")
    assert sum(len(arm.get("interventionNames", ())) > 1 for arm in arms) > 100
    assert any("documentSection" in study for study in full)
    assert any("annotationSection" in study for study in full)
