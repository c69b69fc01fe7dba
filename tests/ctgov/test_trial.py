from __future__ import annotations

import pytest
from pydantic import ValidationError

from tests.ctgov.studies import load_trial, study_names
from trialyst.ctgov.trial import Trial
from trialyst.ctgov.vocab import Status


@pytest.mark.parametrize("name", study_names())
def test_a_trial_survives_its_own_json(name: str) -> None:
    trial = load_trial(name)

    assert Trial.model_validate_json(trial.model_dump_json()) == trial


def test_json_uses_our_field_names() -> None:
    dumped = load_trial("ordinary").model_dump(mode="json")

    assert dumped["interventions"][0]["other_names"] == ["VLR-100", "Breezora"]
    assert dumped["start"] == {"date": "2029-02-11", "type": "ACTUAL"}


def test_a_trial_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        load_trial("ordinary").nct_id = "NCT90000001"


def test_a_field_that_is_not_ours_is_refused() -> None:
    with pytest.raises(ValidationError, match="extra"):
        Trial.model_validate({"nct_id": "NCT90000001", "drug": "aspirin"})


def test_an_id_must_be_whole() -> None:
    with pytest.raises(ValidationError, match="should match pattern"):
        Trial(nct_id="NCT1")


def test_an_unknown_status_is_kept_as_text() -> None:
    assert Trial(nct_id="NCT90000001", status="PAUSED").status == "PAUSED"


def test_a_known_status_given_as_text_becomes_a_member() -> None:
    assert Trial(nct_id="NCT90000001", status="COMPLETED").status is Status.COMPLETED


def test_title_falls_back_to_official_title_then_id() -> None:
    assert Trial(nct_id="NCT90000001", official_title="Long").title == "Long"
    assert Trial(nct_id="NCT90000001").title == "NCT90000001"


def test_pmids_are_listed_once() -> None:
    assert load_trial("ordinary").pmids == ("90000001", "90000002")


def test_countries_are_in_record_order() -> None:
    assert load_trial("ordinary").countries == ("United States", "Côte d’Ivoire")


def test_field_docstrings_reach_the_schema() -> None:
    schema = Trial.model_json_schema(mode="serialization")

    assert "registered before" in schema["properties"]["aliases"]["description"]
