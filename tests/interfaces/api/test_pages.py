from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from tests.interfaces.api.conftest import Build
from tests.interfaces.api.invented import FIRST, at, number_of, studies, to_bytes
from tests.serving import serving
from trialyst.interfaces.api import create_app
from trialyst.registry import Registry

NCT = "protocolSection.identificationModule.nctId"


def ids(response: httpx2.Response) -> list[str]:
    return [at(study, NCT) for study in response.json()["studies"]]


def walk(api: httpx2.Client, **params: str) -> list[httpx2.Response]:
    pages = [api.get("/studies", params=params)]
    while token := pages[-1].json().get("nextPageToken"):
        pages.append(api.get("/studies", params={**params, "pageToken": token}))
    return pages


def test_page_has_total_first_and_one_study_a_line(api: httpx2.Client) -> None:
    body = api.get("/studies?filter.ids=NCT90000002&fields=NCTId&countTotal=true").text
    line = '{"protocolSection":{"identificationModule":{"nctId":"NCT90000002"}}}'
    assert body == f'{{"totalCount":1,"studies":[\n{line}\n]}}'


def test_empty_page_has_the_live_layout(api: httpx2.Client) -> None:
    body = api.get("/studies?query.cond=nothingatall&countTotal=true").text
    assert body == '{"totalCount":0,"studies":[\n\n]}'


def test_token_stands_after_the_studies(api: httpx2.Client) -> None:
    last_line = api.get("/studies?pageSize=2&fields=NCTId").text.splitlines()[-1]
    assert last_line.startswith('],"nextPageToken":"')


def test_study_is_sent_as_it_was_stored(api: httpx2.Client) -> None:
    lines = api.get(f"/studies?filter.ids=NCT{FIRST}").text.splitlines()
    assert lines[1].encode() == to_bytes(studies()[0])


def test_paging_meets_every_study_once(api: httpx2.Client) -> None:
    found = [nct_id for page in walk(api, pageSize="7", fields="NCTId") for nct_id in ids(page)]
    assert sorted(found) == [f"NCT{number_of(study)}" for study in studies()]


def test_last_page_has_no_token(api: httpx2.Client) -> None:
    assert "nextPageToken" not in walk(api, pageSize="10", fields="NCTId")[-1].json()


def test_page_size_may_change_between_pages(api: httpx2.Client) -> None:
    first = api.get("/studies?pageSize=3&fields=NCTId")
    rest = api.get(
        "/studies",
        params={"pageSize": 1000, "fields": "NCTId", "pageToken": first.json()["nextPageToken"]},
    )
    assert sorted(ids(first) + ids(rest)) == [f"NCT{number_of(study)}" for study in studies()]


def test_total_is_counted_on_the_first_page_only(api: httpx2.Client) -> None:
    pages = walk(api, pageSize="20", countTotal="true", fields="NCTId")
    assert [page.json().get("totalCount") for page in pages] == [len(studies()), None]


def test_total_is_absent_unless_asked_for(api: httpx2.Client) -> None:
    assert "totalCount" not in api.get("/studies").json()


def test_python_spelling_of_true_is_true(api: httpx2.Client) -> None:
    assert "totalCount" in api.get("/studies", params={"countTotal": "True"}).json()


@pytest.mark.parametrize(("asked", "given"), [("", 10), ("0", 10), ("1", 1), ("5000", 29)])
def test_page_size_rules(api: httpx2.Client, asked: str, given: int) -> None:
    assert len(ids(api.get("/studies", params={"pageSize": asked}))) == given


def test_token_of_another_query_is_not_rejected(api: httpx2.Client) -> None:
    token = api.get("/studies?pageSize=1").json()["nextPageToken"]
    other = api.get("/studies", params={"query.cond": "Gout", "pageToken": token})
    assert other.status_code == 200


def test_token_is_opaque_and_url_safe(api: httpx2.Client) -> None:
    token = api.get("/studies?pageSize=1").json()["nextPageToken"]
    assert 15 <= len(token) <= 45
    assert httpx2.QueryParams({"t": token}) == httpx2.QueryParams(f"t={token}")


@pytest.mark.parametrize("damage", ["x", "", "!!!", "A" * 20, "é" * 20, "a b"])
def test_damaged_token_is_refused(api: httpx2.Client, damage: str) -> None:
    token = api.get("/studies?pageSize=1").json()["nextPageToken"]
    damaged = damage if len(damage) == 20 else token[:-2] + damage
    response = api.get("/studies", params={"pageToken": damaged})
    assert (response.status_code, response.text) == (
        400,
        "Parameter `pageToken` has incorrect format",
    )


def test_token_of_another_generation_has_expired(api: httpx2.Client, build: Build) -> None:
    token = api.get("/studies?pageSize=1").json()["nextPageToken"]
    with build(map(to_bytes, studies())) as updated, serving(create_app(updated)) as address:
        response = httpx2.get(f"{address}/api/v2/studies", params={"pageToken": token})
    assert response.status_code == 400
    assert "expired because the registry was updated" in response.text


def test_field_list_takes_commas_and_pipes(api: httpx2.Client) -> None:
    comma, pipe = (api.get("/studies", params={"fields": f"NCTId{s}Phase"}) for s in ",|")
    assert comma.text == pipe.text


def test_legacy_markup_has_no_escapes_and_crlf(api: httpx2.Client) -> None:
    study = api.get(f"/studies?filter.ids=NCT{FIRST}&markupFormat=legacy").json()["studies"][0]
    summary = at(study, "protocolSection.descriptionModule.briefSummary")
    assert summary == "Age > 18, [see] below:\r\n\r\n* one\r\n* two"


def test_legacy_markup_leaves_everything_else_alone(api: httpx2.Client) -> None:
    study = api.get(f"/studies?filter.ids=NCT{FIRST}&markupFormat=legacy").json()["studies"][0]
    expected = studies()[0]
    for record in (study, expected):
        del record["protocolSection"]["descriptionModule"]
    assert study == expected


def test_pretty_printed_record_is_sent_on_one_line(build: Build) -> None:
    pretty = json.dumps(studies()[1], indent=2).encode()
    with build([pretty]) as registry, serving(create_app(registry)) as address:
        lines = httpx2.get(f"{address}/api/v2/studies").text.splitlines()
    assert json.loads(lines[1]) == studies()[1]


def test_concurrent_requests_agree(api: httpx2.Client, registry: Registry) -> None:
    params = {"pageSize": "100", "fields": "NCTId,LocationCity"}
    with ThreadPoolExecutor(8) as pool:
        bodies = list(pool.map(lambda _: api.get("/studies", params=params).text, range(40)))
    assert len(set(bodies)) == 1
    assert len(json.loads(bodies[0])["studies"]) == len(registry)
