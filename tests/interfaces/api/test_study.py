from __future__ import annotations

import io
import json
import zipfile

import httpx2
import pytest

from tests.interfaces.api.invented import FIRST, studies, to_bytes


def test_study_is_the_bare_stored_object(api: httpx2.Client) -> None:
    response = api.get(f"/studies/NCT{FIRST}")
    assert response.headers["content-type"] == "application/json"
    assert response.content == to_bytes(studies()[0])


@pytest.mark.parametrize("spelling", ["nct90000001", "NcT0090000001", "NCT90000001"])
def test_number_is_read_in_any_spelling(api: httpx2.Client, spelling: str) -> None:
    assert api.get(f"/studies/{spelling}").json() == studies()[0]


def test_alias_redirects_and_keeps_the_query(api: httpx2.Client, base_url: str) -> None:
    response = api.get("/studies/nct90009999?fields=NCTId%7CPhase")
    assert response.status_code == 301
    path = httpx2.URL(base_url).path
    assert response.headers["location"] == f"{path}/studies/NCT90000003?fields=NCTId%7CPhase"


def test_redirect_of_an_alias_can_be_followed(base_url: str) -> None:
    response = httpx2.get(f"{base_url}/studies/NCT90009999", follow_redirects=True)
    assert response.json() == studies()[2]


def test_fields_are_projected(api: httpx2.Client) -> None:
    response = api.get(f"/studies/NCT{FIRST}?fields=ConditionsModule,HasResults")
    expected = studies()[0]["protocolSection"]["conditionsModule"]
    assert response.json() == {
        "protocolSection": {"conditionsModule": expected},
        "hasResults": True,
    }


def test_csv_has_a_header_and_one_row(api: httpx2.Client) -> None:
    response = api.get(f"/studies/NCT{FIRST}?format=csv&fields=Phases|NCT Number")
    assert response.headers["content-type"].startswith("text/csv")
    assert response.text == f"NCT Number,Phases\r\nNCT{FIRST},PHASE1|PHASE2\r\n"


def test_zip_holds_the_study(api: httpx2.Client) -> None:
    response = api.get(f"/studies/NCT{FIRST}?format=json.zip")
    assert response.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        assert json.loads(archive.read(f"NCT{FIRST}.json")) == studies()[0]
