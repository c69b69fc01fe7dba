"""Every value was checked by hand against the invented studies."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.ctgov.studies import load_study, load_trial, study_names
from trialyst.ctgov.ages import Age
from trialyst.ctgov.dates import PartialDate
from trialyst.ctgov.parse import DamagedRecord, parse_trial, parse_trials
from trialyst.ctgov.protocol import DatedEvent
from trialyst.ctgov.trial import Trial
from trialyst.ctgov.vocab import (
    AgencyClass,
    Allocation,
    ArmGroupType,
    BioSpecRetention,
    DateType,
    EnrollmentType,
    ExpandedAccessStatus,
    InterventionModel,
    InterventionType,
    IpdSharing,
    Masking,
    ObservationalModel,
    Phase,
    PrimaryPurpose,
    RecruitmentStatus,
    ReferenceType,
    ResponsiblePartyType,
    SamplingMethod,
    SecondaryIdType,
    Sex,
    StandardAge,
    Status,
    StudyType,
    TimePerspective,
    WhoMasked,
)

ORDINARY = load_trial("ordinary")
EVENTS = [
    ("start", "2029-02-11", DateType.ACTUAL),
    ("primary_completion", "2031-06-30", DateType.ACTUAL),
    ("completion", "2031-12", DateType.ESTIMATED),
    ("first_submitted", "2028-11-03", None),
    ("first_posted", "2028-11-08", DateType.ESTIMATED),
    ("results_first_submitted", "2032-01-15", None),
    ("results_first_posted", "2032-02-20", DateType.ACTUAL),
    ("last_update_submitted", "2032-03-01", None),
    ("last_update_posted", "2032-03-09", DateType.ACTUAL),
    ("verified", "2032-03", None),
    ("version", "2032-03-10", None),
]


def test_an_ordinary_study_has_no_problems() -> None:
    assert ORDINARY.problems == ()


def test_an_ordinary_study_fills_every_field_but_two() -> None:
    empty = {
        name
        for name in Trial.model_fields
        if getattr(ORDINARY, name) in (None, (), getattr(Trial(nct_id="NCT90000001"), name))
    }

    assert empty == {"last_known_status", "problems"}


def test_ids_are_read() -> None:
    assert (ORDINARY.nct_id, ORDINARY.aliases) == ("NCT90001001", ("NCT90000991",))
    assert ORDINARY.org_study_id == "LARK-01"
    assert [(item.id, item.type) for item in ORDINARY.secondary_ids] == [
        ("2031-000001-11", SecondaryIdType.EUDRACT_NUMBER),
        ("R01XX000001", SecondaryIdType.NIH),
        ("UX-7", SecondaryIdType.REGISTRY),
    ]
    assert ORDINARY.secondary_ids[2].domain == "Example Registry"


def test_both_titles_are_kept() -> None:
    assert ORDINARY.title == ORDINARY.brief_title == "Velorimab for Mild Asthma"
    assert ORDINARY.official_title
    assert ORDINARY.official_title.startswith("A Randomized")
    assert ORDINARY.acronym == "LARK"


@pytest.mark.parametrize(("field", "text", "date_type"), EVENTS, ids=[row[0] for row in EVENTS])
def test_dates_are_read_with_their_type(field: str, text: str, date_type: DateType | None) -> None:
    event = getattr(ORDINARY, field)

    assert event == DatedEvent(date=PartialDate.parse(text), type=date_type)


def test_status_and_reason_are_read() -> None:
    assert ORDINARY.status is Status.TERMINATED
    assert ORDINARY.why_stopped == "Slow accrual; no safety concerns"
    assert ORDINARY.delayed_posting is True


def test_sponsors_are_read_with_class() -> None:
    assert ORDINARY.lead_sponsor
    assert ORDINARY.lead_sponsor.agency_class is AgencyClass.OTHER
    assert [(item.name, item.agency_class) for item in ORDINARY.collaborators] == [
        ("Fennel Pharma", AgencyClass.INDUSTRY)
    ]
    assert ORDINARY.organization == ORDINARY.lead_sponsor


def test_responsible_party_is_read() -> None:
    assert ORDINARY.responsible_party
    assert ORDINARY.responsible_party.type is ResponsiblePartyType.PRINCIPAL_INVESTIGATOR
    assert ORDINARY.responsible_party.investigator_full_name == "Ada Quill"


def test_oversight_is_read() -> None:
    oversight = ORDINARY.oversight

    assert (oversight.has_dmc, oversight.is_fda_regulated_drug) == (True, True)
    assert (oversight.is_fda_regulated_device, oversight.fdaaa801_violation) == (False, False)
    assert oversight.is_unapproved_device is None


def test_design_is_read_flat() -> None:
    design = ORDINARY.design

    assert design.allocation is Allocation.RANDOMIZED
    assert design.intervention_model is InterventionModel.PARALLEL
    assert design.primary_purpose is PrimaryPurpose.TREATMENT
    assert design.masking is Masking.DOUBLE
    assert design.masking_description == "Identical vials"
    assert design.who_masked == (WhoMasked.PARTICIPANT, WhoMasked.INVESTIGATOR)


def test_phases_and_type_are_read() -> None:
    assert ORDINARY.phases == (Phase.PHASE1, Phase.PHASE2)
    assert ORDINARY.study_type is StudyType.INTERVENTIONAL
    assert (ORDINARY.phase_code, ORDINARY.phase_label) == ("PHASE1/PHASE2", "Phase 1/Phase 2")
    assert ORDINARY.phase_rank == 3


def test_enrollment_is_read_with_type() -> None:
    assert (ORDINARY.enrollment.count, ORDINARY.enrollment.type) == (48, EnrollmentType.ACTUAL)


def test_arms_and_interventions_are_read() -> None:
    arm, intervention = ORDINARY.arms[0], ORDINARY.interventions[0]

    assert (arm.label, arm.type) == ("Velorimab", ArmGroupType.EXPERIMENTAL)
    assert arm.intervention_names == ("Biological: Velorimab",)
    assert (intervention.name, intervention.type) == ("Velorimab", InterventionType.BIOLOGICAL)
    assert intervention.other_names == ("VLR-100", "Breezora")
    assert intervention.arm_group_labels == ("Velorimab",)


def test_outcomes_are_read() -> None:
    primary = ORDINARY.primary_outcomes[0]

    assert (primary.measure, primary.time_frame) == ("Change in FEV1", "52 weeks")
    assert [item.measure for item in ORDINARY.secondary_outcomes] == ["Exacerbations"]
    assert [item.measure for item in ORDINARY.other_outcomes] == ["Blood eosinophils"]


def test_eligibility_is_read() -> None:
    eligibility = ORDINARY.eligibility

    assert eligibility.criteria
    assert eligibility.criteria.startswith("Inclusion Criteria:")
    assert eligibility.minimum_age == Age.parse("6 Months")
    assert str(eligibility.maximum_age) == "75 Years"
    assert eligibility.sex is Sex.FEMALE
    assert eligibility.gender_based is True
    assert eligibility.healthy_volunteers is False
    assert eligibility.std_ages == tuple(StandardAge)
    assert eligibility.sampling_method is SamplingMethod.PROBABILITY_SAMPLE


def test_sites_are_read_with_point_and_contacts() -> None:
    boston, abidjan = ORDINARY.sites

    assert boston.geo_point
    assert (boston.geo_point.latitude, boston.geo_point.longitude) == (42.35843, -71.05977)
    assert boston.status is RecruitmentStatus.RECRUITING
    assert (boston.city, boston.state, boston.zip) == ("Boston", "Massachusetts", "02101")
    assert boston.contacts[0].name == "Cy Moss"
    assert (abidjan.geo_point, abidjan.status) == (None, None)


def test_people_are_read() -> None:
    assert ORDINARY.central_contacts[0].email == "bo@example.org"
    assert ORDINARY.central_contacts[0].phone_ext == "7"
    assert ORDINARY.officials[0].affiliation == "Larkspur Institute"


def test_references_are_read_with_type_and_retractions() -> None:
    background, result, derived, _ = ORDINARY.references

    assert background.type is ReferenceType.BACKGROUND
    assert result.retractions[0].pmid == "90000003"
    assert (derived.pmid, derived.citation) == (None, "Moss C. 2033.")
    assert ORDINARY.links[0].url == "https://example.org/lark"
    assert ORDINARY.available_data[0].id == "DS-1"


def test_sharing_statement_is_read() -> None:
    assert ORDINARY.ipd_statement
    assert ORDINARY.ipd_statement.ipd_sharing is IpdSharing.YES


def test_mesh_terms_are_read_with_ancestors() -> None:
    assert [(item.id, item.term) for item in ORDINARY.condition_mesh] == [("D001249", "Asthma")]
    assert ORDINARY.condition_ancestors[0].term == "Bronchial Diseases"
    assert ORDINARY.intervention_mesh[0].id is None
    assert ORDINARY.intervention_ancestors[0].id == "D000906"


def test_documents_have_the_address_they_are_served_at() -> None:
    document = ORDINARY.documents[0]

    assert (document.has_protocol, document.has_sap, document.has_icf) == (True, True, False)
    assert document.url == (
        "https://cdn.clinicaltrials.gov/large-docs/01/NCT90001001/Prot_SAP_000.pdf"
    )


def test_results_are_summarised() -> None:
    results = ORDINARY.results

    assert results
    assert ORDINARY.has_results
    assert [group.title for group in results.flow_groups] == ["Velorimab", "Placebo"]
    assert results.baseline_participants == 48
    assert results.limitations == "Stopped early"


def test_only_primary_outcomes_are_in_the_summary() -> None:
    assert ORDINARY.results
    (outcome,) = ORDINARY.results.primary_outcomes

    assert [group.title for group in outcome.groups] == ["Velorimab", "Placebo"]
    first, second = outcome.classes[0].categories[0].measurements
    assert (first.value, first.spread, second.value) == ("0.21", "0.05", "NA")
    assert outcome.analyses[0].p_value == "<0.001"


def test_serious_events_are_totalled_by_group() -> None:
    assert ORDINARY.results
    (group,) = ORDINARY.results.event_groups

    assert (group.serious_num_affected, group.serious_num_at_risk) == (1, 24)
    assert group.deaths_num_affected == 0


def test_a_registry_of_patients_has_no_phase() -> None:
    trial = load_trial("observational_registry")

    assert (trial.phases, trial.phase_code, trial.phase_label) == ((), None, "Not Applicable")
    assert trial.design.patient_registry is True
    assert trial.design.target_duration == Age.parse("2 Years")
    assert trial.design.observational_model is ObservationalModel.COHORT
    assert trial.design.time_perspective is TimePerspective.PROSPECTIVE
    assert trial.design.biospecimen_retention is BioSpecRetention.SAMPLES_WITH_DNA
    assert (trial.has_results, trial.results) == (False, None)


def test_phase_not_applicable_is_a_phase() -> None:
    assert load_trial("phase_not_applicable").phase_code == "NA"


def test_two_phases_are_both_kept() -> None:
    assert load_trial("two_phases").phase_label == "Phase 2/Phase 3"


def test_unknown_status_keeps_the_last_known_one() -> None:
    trial = load_trial("unknown_status")

    assert (trial.status, trial.last_known_status) == (Status.UNKNOWN, Status.RECRUITING)


def test_a_withheld_study_is_nearly_empty_and_sound() -> None:
    trial = load_trial("withheld")

    assert trial.status is Status.WITHHELD
    assert (trial.start, trial.conditions, trial.problems) == (None, (), ())


def test_expanded_access_kinds_are_read() -> None:
    access = load_trial("expanded_access").expanded_access

    assert access
    assert (access.individual, access.intermediate, access.treatment) == (True, False, None)


def test_expanded_access_points_to_its_record() -> None:
    access = ORDINARY.expanded_access

    assert access
    assert (access.nct_id, access.status) == ("NCT90001077", ExpandedAccessStatus.AVAILABLE)


def test_unknown_enrollment_is_none() -> None:
    enrollment = load_trial("enrollment_sentinel").enrollment

    assert (enrollment.count, enrollment.type) == (None, EnrollmentType.ESTIMATED)


def test_no_participants_is_zero() -> None:
    assert load_trial("withdrawn_with_zero").enrollment.count == 0


def test_partial_dates_keep_their_precision() -> None:
    trial = load_trial("partial_dates")

    assert trial.start
    assert trial.completion
    assert (str(trial.start.date), str(trial.completion.date)) == ("1998", "2001-07")
    assert trial.start.type is None


def test_empty_items_of_a_projection_are_left_out_without_a_problem() -> None:
    trial = load_trial("projected")

    assert [item.name for item in trial.interventions] == ["Aspirin"]
    assert trial.countries == ("Peru",)
    assert trial.problems == ()


def test_unknown_values_are_kept_and_told() -> None:
    trial = load_trial("unknown_values")

    assert (trial.status, trial.phases) == ("PAUSED", ("PHASE5",))
    assert [item.type for item in trial.interventions] == [InterventionType.DRUG, "HOLOGRAM"]
    assert trial.problems == (
        "protocolSection.armsInterventionsModule.interventions[1].type: "
        "unknown value, found 'HOLOGRAM'",
        "protocolSection.designModule.phases[0]: unknown value, found 'PHASE5'",
        "protocolSection.statusModule.startDateStruct.type: unknown value, found 'GUESSED'",
        "protocolSection.statusModule.overallStatus: unknown value, found 'PAUSED'",
    )


def test_what_is_readable_beside_wrong_types_is_kept() -> None:
    trial = load_trial("wrong_types")

    assert trial.nct_id == "NCT90002012"
    assert (trial.brief_title, trial.official_title) == (None, "17")
    assert trial.enrollment.count == 120
    assert (trial.start, trial.completion, trial.verified) == (None, None, None)
    assert (trial.eligibility.minimum_age, trial.eligibility.healthy_volunteers) == (None, None)
    assert trial.eligibility.std_ages == (StandardAge.ADULT, "3")
    assert [(site.city, site.geo_point is None) for site in trial.sites] == [
        ("Lima", True),
        ("Oslo", False),
    ]
    assert [item.name for item in trial.interventions] == ["Kept"]
    assert trial.has_results is False


def test_every_wrong_type_is_told_with_its_path() -> None:
    told = {problem.split(": ")[0] for problem in load_trial("wrong_types").problems}

    assert told == {
        "protocolSection.armsInterventionsModule.interventions[0]",
        "protocolSection.conditionsModule",
        "protocolSection.contactsLocationsModule.locations[0]",
        "protocolSection.contactsLocationsModule.locations[1].geoPoint",
        "protocolSection.contactsLocationsModule.locations[1].geoPoint.lat",
        "protocolSection.contactsLocationsModule.locations[2]",
        "protocolSection.contactsLocationsModule.locations[3].contacts",
        "protocolSection.designModule.phases",
        "protocolSection.eligibilityModule.healthyVolunteers",
        "protocolSection.eligibilityModule.minimumAge",
        "protocolSection.eligibilityModule.stdAges[1]",
        "protocolSection.identificationModule.briefTitle",
        "protocolSection.identificationModule.nctIdAliases",
        "protocolSection.statusModule.completionDateStruct",
        "protocolSection.statusModule.startDateStruct",
        "protocolSection.statusModule.startDateStruct.date",
        "protocolSection.statusModule.statusVerifiedDate",
        "resultsSection",
        "hasResults",
    }


def test_nulls_count_as_absent() -> None:
    trial = load_trial("nulls")

    assert trial.conditions == ("Asthma",)
    assert trial.interventions[0].other_names == ()
    assert [site.city for site in trial.sites] == ["Lima"]
    assert trial.problems == ()


def test_results_without_the_flag_count_as_results() -> None:
    assert load_trial("baseline_without_total").has_results


def test_baseline_participants_are_added_up_without_a_total() -> None:
    results = load_trial("baseline_without_total").results

    assert results
    assert results.baseline_participants == 22


def test_a_flow_without_periods_has_no_counts() -> None:
    results = load_trial("baseline_without_total").results

    assert results
    assert results.flow_groups[0].started is None


@pytest.mark.parametrize("name", study_names())
def test_bytes_and_objects_give_the_same_trial(name: str) -> None:
    study = load_study(name)

    assert parse_trial(json.dumps(study).encode()) == parse_trial(study)


@pytest.mark.parametrize("name", study_names())
def test_parsing_leaves_the_study_as_it_was(name: str) -> None:
    study = load_study(name)

    parse_trial(study)

    assert study == load_study(name)


@pytest.mark.parametrize(
    "record",
    [b"", b"{", b"[]", b'"NCT90000001"', b"null", b"\xff", b'{"a": "\xff"}', b"[" * 100_000],
    ids=["empty", "cut", "list", "text", "null", "not-utf8", "not-utf8-text", "deep"],
)
def test_what_is_no_object_is_damaged(record: bytes) -> None:
    with pytest.raises(DamagedRecord) as caught:
        parse_trial(record)

    assert caught.value.nct_id is None
    assert caught.value.reason


@pytest.mark.parametrize(
    "nct_id", [None, 90000001, "", "NCT1", "NCT00000000", "NCT900000011", ["NCT90000001"]]
)
def test_a_record_without_a_valid_id_is_damaged(nct_id: Any) -> None:
    with pytest.raises(DamagedRecord, match="nctId"):
        parse_trial({"protocolSection": {"identificationModule": {"nctId": nct_id}}})


def test_parsing_many_goes_on_after_damage() -> None:
    parsed = list(parse_trials([load_study("withheld"), b"{", load_study("ordinary")]))

    assert [type(item) for item in parsed] == [Trial, DamagedRecord, Trial]


def test_periods_keep_their_own_numbers() -> None:
    """Groups change between periods, so a sum over the first and the last says nothing."""
    results = ORDINARY.results

    assert results
    assert [group.started for group in results.flow_groups] == [None, None]
    assert [
        (period.title, [(each.group_id, each.started, each.completed) for each in period.counts])
        for period in results.flow_periods
    ] == [
        ("Treatment", [("FG000", 24, 20), ("FG001", 24, 19)]),
        ("Follow-up", [("FG000", 20, 18), ("FG001", 19, 17)]),
    ]


def test_the_numbers_of_one_period_are_those_of_the_flow() -> None:
    study = load_study("ordinary")
    del study["resultsSection"]["participantFlowModule"]["periods"][1]
    results = parse_trial(study).results

    assert results
    assert [(group.title, group.started, group.completed) for group in results.flow_groups] == [
        ("Velorimab", 24, 20),
        ("Placebo", 24, 19),
    ]
    assert results.flow_periods == ()


def test_baseline_participants_are_no_sum_of_some_groups() -> None:
    study = load_study("baseline_without_total")
    denominator = study["resultsSection"]["baselineCharacteristicsModule"]["denoms"][0]
    denominator["counts"][0]["value"] = "NA"
    results = parse_trial(study).results

    assert results
    assert results.baseline_participants is None
