"""Clients other people wrote for the live service, pointed here by their base URL alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.interfaces.api.invented import FIRST, at, number_of, studies

ALL = [f"NCT{number_of(study)}" for study in studies()]


@pytest.fixture
def pytrials(base_url: str) -> Any:
    client = pytest.importorskip("pytrials.client")
    redirected = type("Here", (client.ClinicalTrials,), {"_BASE_URL": f"{base_url}/"})
    return redirected()


def test_pytrials_reads_the_version_when_it_starts(pytrials: Any) -> None:
    assert pytrials.api_info == ("2.0.5", "2026-08-14T09:00:05")


def test_pytrials_gets_full_studies_as_csv(pytrials: Any) -> None:
    header, *rows = pytrials.get_full_studies(search_expr="Gout", max_studies=10)
    assert len(header) == 30
    assert len(rows) == 10


def test_pytrials_gets_full_studies_as_json(pytrials: Any) -> None:
    found = pytrials.get_full_studies(search_expr="Gout", max_studies=3, fmt="json")
    assert len(found["studies"]) == 3


def test_pytrials_gets_every_csv_field_it_knows(pytrials: Any) -> None:
    fields = pytrials.study_fields["csv"]
    header, *_ = pytrials.get_study_fields("Asthma", fields=fields, max_studies=5)
    assert sorted(header) == sorted(fields)


def test_pytrials_gets_json_fields(pytrials: Any) -> None:
    found = pytrials.get_study_fields(
        "FULL", fields=["NCTId", "Condition", "BriefTitle"], max_studies=5, fmt="json"
    )
    study = found["studies"][0]["protocolSection"]
    assert study["conditionsModule"] == {"conditions": ["Asthma", "Hay Fever"]}


def test_pytrials_gets_every_json_field_it_knows(pytrials: Any) -> None:
    fields = pytrials.study_fields["json"]
    found = pytrials.get_study_fields("FULL", fields=fields, max_studies=1, fmt="json")
    assert at(found, "studies.0.protocolSection.identificationModule.acronym") == "FULL"


@pytest.fixture
def ctgov(base_url: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    client = pytest.importorskip("ctgov.client")
    monkeypatch.setattr(client, "BASE_URL", f"{base_url}/")
    return client.Client(delay=0, retries=1)


def test_ctgov_pages_through_everything(ctgov: Any) -> None:
    found = ctgov.iter_studies(fields=["NCTId"], page_size=7)
    assert sorted(at(study, "protocolSection.identificationModule.nctId") for study in found) == ALL


def test_ctgov_counts(ctgov: Any) -> None:
    assert ctgov.count() == len(ALL)
    assert ctgov.count(filters={"overallStatus": "RECRUITING"}) == 1


def test_ctgov_gets_one_study_and_the_version(ctgov: Any) -> None:
    assert ctgov.study(f"NCT{FIRST}") == studies()[0]
    assert ctgov.version()["apiVersion"] == "2.0.5"


def test_ctgov_meets_the_errors_it_expects(ctgov: Any) -> None:
    with pytest.raises(RuntimeError, match="HTTP 404"):
        ctgov.study("NCT99999999")


@pytest.fixture
def clinical_trials_gov(base_url: str) -> Any:
    client = pytest.importorskip("clinical_trials_gov.client")
    return client.ClinicalTrialsClient(base_url=f"{base_url}/studies")


def test_clinical_trials_gov_searches(clinical_trials_gov: Any) -> None:
    found = clinical_trials_gov.fetch_trials(condition="Asthma", location="Boston")
    assert [at(study, "protocolSection.identificationModule.nctId") for study in found["studies"]]


def test_clinical_trials_gov_gets_a_study(clinical_trials_gov: Any) -> None:
    assert clinical_trials_gov.get_study(f"NCT{FIRST}") == studies()[0]
    assert clinical_trials_gov.search("Asthma")["studies"] == [studies()[0]]
