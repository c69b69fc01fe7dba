"""Studies as RIS and FHIR, and the words of the metadata."""

from __future__ import annotations

from typing import Any

import httpx2

from tests.interfaces.api.invented import FIRST, studies

STUDY = f"/studies/NCT{FIRST}"


def test_a_study_is_given_as_ris_with_the_tags_asked_for(api: httpx2.Client) -> None:
    whole = api.get(STUDY, params={"format": "ris"})
    assert whole.headers["content-type"].startswith("application/x-research-info-systems")
    lines = whole.text.split("\r\n")
    assert lines[:2] == ["TY  - DBASE", f"AN  - NCT{FIRST}"]
    assert lines[-3:] == ["ER  - ", "", ""]
    some = api.get(STUDY, params={"format": "ris", "fields": "AN"})
    assert some.text == f"TY  - DBASE\r\nAN  - NCT{FIRST}\r\nER  - \r\n\r\n"
    refused = api.get(STUDY, params={"format": "ris", "fields": "XX"})
    assert (refused.status_code, "'XX'" in refused.text) == (400, True)


def test_all_studies_are_downloaded_as_ris(api: httpx2.Client) -> None:
    every = api.get("/studies/download", params={"format": "ris"}).text
    assert every.count("TY  - DBASE\r\n") == every.count("ER  - \r\n") == len(list(studies()))


def test_a_study_is_given_as_a_research_study_of_our_making(api: httpx2.Client) -> None:
    answers = [
        api.get(
            f"/studies/{each['protocolSection']['identificationModule']['nctId']}",
            params={"format": "fhir.json"},
        )
        for each in studies()
    ]
    for answer in answers:
        resource = answer.json()
        assert answer.headers["content-type"].startswith("application/fhir+json")
        assert resource["resourceType"] == "ResearchStudy"
        assert resource["meta"]["tag"][0]["display"].startswith("Mapped by Trialyst")
        assert not list(_empty(resource))
    refused = api.get(STUDY, params={"format": "fhir.json", "fields": "NCTId"})
    assert refused.status_code == 400


def _empty(value: Any) -> Any:
    """Yield what FHIR does not allow: nulls and empty values."""
    if value in (None, "", [], {}):
        yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inner:
        yield from _empty(each)


def test_metadata_has_titles_and_descriptions(api: httpx2.Client) -> None:
    number = api.get("/studies/metadata").json()[0]["children"][0]["children"][0]
    assert (number["piece"], number["title"]) == ("NCTId", "NCT Id")
    assert number["description"].endswith(".")
