"""The judge judged: every rule of matching on small studies with answers worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.registry.oracle.evaluator import matches
from tests.registry.oracle.records import Record, counted, searchable_pieces
from trialyst.essie.ast import (
    All,
    And,
    Area,
    Coverage,
    CoverageKind,
    Distance,
    Expansion,
    ExpansionLevel,
    Missing,
    Node,
    Not,
    Or,
    Phrase,
    Range,
    Search,
    Tilt,
    Words,
)
from trialyst.essie.pieces import pieces

BOSTON = {"city": "Boston", "country": "United States", "geoPoint": {"lat": 42.36, "lon": -71.06}}
LYON = {"city": "Lyon", "country": "France", "status": "RECRUITING", "contacts": [{}, {}]}

STUDY: dict[str, Any] = {
    "protocolSection": {
        "identificationModule": {
            "nctId": "NCT00000123",
            "briefTitle": "MK-3475 in Non-Small-Cell  Lung Tumours",
            "acronym": "",
        },
        "statusModule": {
            "overallStatus": "ACTIVE_NOT_RECRUITING",
            "startDateStruct": {"date": "2021-06"},
            "studyFirstPostDateStruct": {"date": "2021-03-15", "type": "ACTUAL"},
        },
        "sponsorCollaboratorsModule": {
            "leadSponsor": {"name": "Institut Léon, Lyon"},
            "collaborators": [{"name": "A"}, {"name": "B"}],
        },
        "conditionsModule": {"conditions": ["Lung Cancer", "Alzheimer's disease"]},
        "designModule": {"phases": ["PHASE1", "PHASE2"], "enrollmentInfo": {"count": 120}},
        "armsInterventionsModule": {
            "interventions": [
                {"name": "pembrolizumab", "otherNames": ["Keytruda", "MK-3475"]},
                {"name": "placebo", "description": ""},
            ],
        },
        "outcomesModule": {"primaryOutcomes": [{"measure": "x"}], "otherOutcomes": [{}, {}]},
        "eligibilityModule": {"minimumAge": "18 Months", "healthyVolunteers": False},
        "contactsLocationsModule": {
            "overallOfficials": [{"role": "STUDY_CHAIR"}],
            "locations": [BOSTON, LYON, {**BOSTON, "status": "COMPLETED"}],
        },
    },
}


def term(node: Node) -> bool:
    return matches(Expansion(ExpansionLevel.TERM, node), STUDY)


def none(node: Node) -> bool:
    return matches(Expansion(ExpansionLevel.NONE, node), STUDY)


def words(text: str) -> Words:
    return Words(tuple(text.split()))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("non small cell lung tumor", True),
        ("nonsmall-cell lung tumor", True),
        ("MK3475", True),
        ("alzheimer diseases", True),
        ("lung cancers", True),
        ("lung disease", False),
        ("cancer alzheimer", False),
        ("lun", False),
        ("+", False),
    ],
)
def test_a_term_is_a_run_of_folded_words_in_one_value(text: str, found: bool) -> None:
    assert term(Phrase(text)) is found
    assert term(words(text)) is found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Lung Cancer", True),
        ("lung cancer", False),
        ("Non-Small-Cell Lung", True),
        ("Non-Small Cell", False),
        ("Small-Cell", True),
        ("Tumour", False),
        ("Institut Léon, Lyon", True),
        ("Institut Leon", False),
        ("Institut Léon,", True),
        ("onzième", False),
    ],
)
def test_none_demands_the_text_as_written_between_boundaries(text: str, found: bool) -> None:
    assert none(Phrase(text)) is found


def test_a_comma_among_words_is_written_after_the_word() -> None:
    assert none(Words(("Institut", "Léon", ",", "Lyon")))
    assert term(Words(("Institut", "Léon", ",", "Lyon")))


def test_none_looks_for_the_text_in_the_value_that_matches_as_term() -> None:
    assert not none(Area("ConditionSearch", Phrase("Cancer Alzheimer")))


@pytest.mark.parametrize("text", ["phase 2", "PHASE2", "Phase2", "PHASE 2", "study chair"])
def test_an_area_finds_enum_values_by_code_and_label(text: str) -> None:
    assert term(words(text))


@pytest.mark.parametrize(
    ("text", "found"), [("Phase 2", True), ("PHASE2", True), ("phase 2", False)]
)
def test_none_compares_enum_values_of_an_area_as_written(text: str, found: bool) -> None:
    assert none(Phrase(text)) is found


def test_part_of_an_enum_label_finds_nothing_in_an_area() -> None:
    assert not term(words("phase"))


@pytest.mark.parametrize(
    ("text", "found"), [("Phase 2", True), ("phase1", True), ("PHASE3", False), ("NA", False)]
)
def test_an_enum_piece_holds_a_value_by_code_or_label(text: str, found: bool) -> None:
    assert term(Area("Phase", words(text))) is found
    assert none(Area("Phase", words(text))) is found


def test_areas_hold_only_their_pieces() -> None:
    assert term(Area("InterventionSearch", words("keytruda")))
    assert not term(Area("ConditionSearch", words("keytruda")))


def test_flags_that_are_absent_match_neither_but_results_are_then_false() -> None:
    assert term(Area("HealthyVolunteers", words("false")))
    assert not term(Area("HealthyVolunteers", words("true")))
    assert not term(Area("OversightHasDMC", words("false")))
    assert not term(Area("OversightHasDMC", words("true")))
    assert term(Area("HasResults", words("false")))
    assert not term(Area("HasResults", words("true")))
    assert term(Area("HasResults", Missing()))


@pytest.mark.parametrize(
    ("kind", "text", "at_term", "at_none"),
    [
        (CoverageKind.FULL_MATCH, "lung cancer", True, False),
        (CoverageKind.FULL_MATCH, "Lung Cancer", True, True),
        (CoverageKind.FULL_MATCH, "Lung", False, False),
        (CoverageKind.STARTS_WITH, "Alzheimer's", True, True),
        (CoverageKind.STARTS_WITH, "alzheimer", True, False),
        (CoverageKind.STARTS_WITH, "disease", False, False),
        (CoverageKind.ENDS_WITH, "disease", True, True),
        (CoverageKind.ENDS_WITH, "Cancer", True, True),
        (CoverageKind.ENDS_WITH, "Lung", False, False),
        (CoverageKind.CONTAINS, "Cancer", True, True),
    ],
)
def test_coverage_ties_the_phrase_to_the_ends_of_a_value(
    kind: CoverageKind, text: str, at_term: bool, at_none: bool
) -> None:
    assert term(Area("Condition", Coverage(kind, Phrase(text)))) is at_term
    assert none(Area("Condition", Coverage(kind, Phrase(text)))) is at_none


@pytest.mark.parametrize(
    ("low", "high", "found"),
    [
        ("2021-06", "2021-06", True),
        ("2021-06-01", "2021-06-01", True),
        ("2021-06-02", None, False),
        (None, "2021", True),
        (None, "2021-05", False),
        ("2021", "2021", True),
        ("06/01/2021", "12/31/2021", True),
        (None, None, True),
    ],
)
def test_a_partial_date_is_its_first_day_and_bounds_cover_whole_periods(
    low: str | None, high: str | None, found: bool
) -> None:
    assert term(Area("StartDate", Range(low, high))) is found


def test_a_range_never_finds_a_missing_value() -> None:
    assert not term(Area("CompletionDate", Range(None, None)))


def test_a_value_of_another_type_is_present_but_does_not_compare() -> None:
    study = {"protocolSection": {"designModule": {"enrollmentInfo": {"count": "200"}}}}
    assert not matches(Area("EnrollmentCount", Range(None, None)), study)
    assert not matches(Area("EnrollmentCount", Missing()), study)


@pytest.mark.parametrize(("text", "found"), [("2021", True), ("2021-03", True), ("2021-04", False)])
def test_a_date_term_is_the_whole_period(text: str, found: bool) -> None:
    assert term(Area("StudyFirstPostDate", words(text))) is found


def test_ages_compare_in_days() -> None:
    assert term(Area("MinimumAge", Range("1 year", "2 years")))
    assert term(Area("MinimumAge", Range("547 days", "548 days")))
    assert not term(Area("MinimumAge", Range("19 Months", None)))
    assert not term(Area("MaximumAge", Range(None, None)))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("StudyFirstPostYear", [2021]),
        ("ResultsFirstPostYear", []),
        ("NumConditions", [2]),
        ("NumKeywords", [0]),
        ("NumInterventionOtherNames", [2, 0]),
        ("NumArmGroupInterventionNames", []),
        ("NumOutcomes", [3]),
        ("NumUniqueLocationCountries", [2]),
        ("NumCollaboratorsPlusLead", [3]),
        ("NumEvents", [0]),
        ("NumRetractionsAllRefs", [0]),
        ("NumLocationContacts", [0, 2, 0]),
        ("NumDesignWhoMaskeds", [0]),
    ],
)
def test_indexed_only_pieces_are_derived(name: str, values: list[int]) -> None:
    assert Record(STUDY).values(pieces()[name]) == values


def test_sizes_are_the_lengths_of_lists() -> None:
    assert term(Area("Phase", words("2"), size=True))
    assert term(Area("InterventionOtherName", words("0"), size=True))
    assert term(Area("Keyword", Range(None, "0"), size=True))
    assert not term(Area("Intervention", Range("3", None), size=True))


def test_every_count_names_a_list() -> None:
    totals = {"NumOutcomes", "NumEvents", "NumRetractionsAllRefs", "NumCollaboratorsPlusLead"}
    totals.add("NumUniqueLocationCountries")
    counts = [
        piece
        for piece in searchable_pieces()
        if piece.indexed_only and piece.name.startswith("Num") and piece.name not in totals
    ]
    assert len(counts) == 63
    assert all(counted(piece).is_list for piece in counts)


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("Acronym", True),
        ("BriefTitle", False),
        ("InterventionDescription", True),
        ("LocationStatus", False),
        ("LocationState", True),
        ("ArmGroup", True),
        ("Location", False),
        ("ResultsSection", True),
        ("LocationGeoPoint", False),
        ("NumKeywords", False),
        ("NumArmGroupInterventionNames", True),
        ("ResultsFirstPostYear", True),
    ],
)
def test_missing_means_no_value_anywhere(name: str, missing: bool) -> None:
    assert term(Area(name, Missing())) is missing


def test_search_location_holds_within_one_site() -> None:
    both = (Area("LocationCity", words("boston")), Area("LocationCountry", words("france")))
    assert term(And(both))
    assert not term(Search("Location", And(both)))
    assert term(Search("Location", Or(both)))
    assert term(Search("Location", Not(both[0])))
    recruiting = Area("LocationStatus", words("Recruiting"))
    assert not term(Search("Location", And((both[0], recruiting))))


def test_missing_inside_search_is_about_the_site() -> None:
    boston = Area("LocationCity", words("boston"))
    lyon = Area("LocationCity", words("lyon"))
    no_status = Area("LocationStatus", Missing())
    assert term(Search("Location", And((boston, no_status))))
    assert not term(Search("Location", And((lyon, no_status))))
    assert term(Search("Location", And((lyon, Area("NumLocationContacts", words("2"))))))


def test_search_finds_nothing_in_a_study_without_sites() -> None:
    assert not matches(Search("Location", All()), {"protocolSection": {}})


# One degree of latitude is 111.195 km on this sphere.
@pytest.mark.parametrize(
    ("latitude", "radius", "unit", "found"),
    [(43.36, 111.19, "km", False), (43.36, 111.2, "km", True), (43.36, 69.09, "mi", False)],
)
def test_distance_is_measured_on_the_sphere(
    latitude: float, radius: float, unit: str, found: bool
) -> None:
    circle = Area("LocationGeoPoint", Distance(latitude, -71.06, radius, unit))
    assert term(circle) is found
    assert term(Search("Location", circle)) is found


def test_connectives_and_tilt() -> None:
    yes, no = words("keytruda"), words("insulin")
    assert not term(And((yes, no)))
    assert term(Or((no, yes)))
    assert term(Not(no))
    assert term(All())
    assert term(Tilt("StudyFirstPostDate", yes))


def test_the_innermost_context_counts() -> None:
    assert none(Expansion(ExpansionLevel.TERM, words("KEYTRUDA")))
    assert not none(words("KEYTRUDA"))
    assert term(Area("Phase", Area("InterventionName", words("Pembrolizumab"))))
