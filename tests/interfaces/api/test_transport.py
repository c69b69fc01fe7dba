from __future__ import annotations

import httpx2
import pytest

from tests.interfaces.api.invented import FIRST
from tests.serving import serving
from trialyst.ctgov.query import TrialQuery
from trialyst.errors import RegistryError
from trialyst.interfaces.api import create_app
from trialyst.registry import Hits, Registry

ENDPOINTS = [
    "/version",
    "/studies",
    f"/studies/NCT{FIRST}",
    "/studies?format=csv",
    "/studies/metadata",
    "/studies/search-areas",
    "/studies/enums",
    "/studies/download?format=json.zip",
    "/stats/size",
    "/stats/field/values?fields=Phase",
    "/stats/field/sizes?fields=Phase",
    "/stats/fieldValues?fields=Phase",
    "/stats/fieldValues/Phase",
]


@pytest.mark.parametrize("path", ENDPOINTS)
def test_every_answer_has_the_tag_of_the_data_set(api: httpx2.Client, path: str) -> None:
    response = api.get(path)
    assert response.status_code == 200
    assert response.headers["etag"] == api.get("/version").headers["etag"]


@pytest.mark.parametrize("path", [*ENDPOINTS, "/studies?fields=NCTId", "/studies?nonsense=1"])
def test_every_answer_of_invented_records_says_so(api: httpx2.Client, path: str) -> None:
    assert api.get(path).headers["x-trialyst-synthetic"] == "true"
    assert api.head(path).headers["x-trialyst-synthetic"] == "true"


@pytest.mark.parametrize("path", ENDPOINTS)
def test_who_has_the_data_set_gets_304(api: httpx2.Client, path: str) -> None:
    tag = api.get("/version").headers["etag"]
    response = api.get(path, headers={"If-None-Match": f'"other", W/{tag}'})
    assert (response.status_code, response.content) == (304, b"")


def test_another_tag_gets_the_answer(api: httpx2.Client) -> None:
    assert api.get("/version", headers={"If-None-Match": '"other"'}).status_code == 200


def test_error_is_told_even_to_who_has_the_data_set(api: httpx2.Client) -> None:
    tag = api.get("/version").headers["etag"]
    response = api.get("/studies?nonsense=1", headers={"If-None-Match": tag})
    assert response.status_code == 400


@pytest.mark.parametrize("path", ENDPOINTS)
def test_head_has_the_headers_and_no_body(api: httpx2.Client, path: str) -> None:
    head = api.head(path, headers={"Accept-Encoding": "identity"})
    get = api.get(path, headers={"Accept-Encoding": "identity"})
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == get.headers["content-type"]
    assert head.headers.get("content-length") == get.headers.get("content-length")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_other_methods_are_405(api: httpx2.Client, method: str) -> None:
    response = api.request(method, "/studies")
    assert response.status_code == 405
    assert response.headers["content-type"].startswith("text/plain")


def test_any_origin_may_read(api: httpx2.Client) -> None:
    plain = api.get("/version")
    browser = api.get("/version", headers={"Origin": "https://example.org"})
    assert plain.headers["access-control-allow-origin"] == "*"
    assert browser.headers["access-control-allow-origin"] == "*"


def test_a_browser_may_ask_whether_it_may(api: httpx2.Client) -> None:
    asked = {"Origin": "https://example.org", "Access-Control-Request-Method": "GET"}
    assert api.options("/studies", headers=asked).status_code == 200


def test_large_answers_are_compressed_on_request(api: httpx2.Client) -> None:
    assert api.get("/studies").headers["content-encoding"] == "gzip"
    plain = api.get("/studies", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers


@pytest.mark.parametrize("taken", ["gzip;q=0", "identity, gzip; q=0.0", "GZIP;q=0, deflate"])
def test_who_refuses_compression_gets_none(api: httpx2.Client, taken: str) -> None:
    answer = api.get("/studies", headers={"Accept-Encoding": taken})
    assert "content-encoding" not in answer.headers
    assert answer.json()["studies"]


def test_an_archive_is_not_compressed_again(api: httpx2.Client) -> None:
    assert "content-encoding" not in api.get("/studies/download?format=json.zip").headers


def test_unknown_path_is_404_in_plain_text(api: httpx2.Client) -> None:
    response = api.get("/studies/NCT90000001/more")
    assert response.status_code == 404
    assert response.headers["content-type"].startswith("text/plain")


class Broken(Registry):
    """A registry whose index cannot be read."""

    problem: Exception

    def find(self, query: TrialQuery, *, offset: int = 0, limit: int | None = None) -> Hits:
        raise self.problem


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        (ZeroDivisionError("secret"), "Internal server error"),
        (RegistryError("The registry is damaged"), "The registry is damaged"),
    ],
)
def test_trouble_inside_is_500_without_a_traceback(
    registry: Registry, problem: Exception, told: str
) -> None:
    broken = Broken(registry.directory)
    broken.problem = problem
    with broken, serving(create_app(broken)) as address:
        response = httpx2.get(f"{address}/api/v2/studies")
    assert (response.status_code, response.text) == (500, told)
    assert response.headers["content-type"].startswith("text/plain")


def test_an_app_may_stand_at_the_root(registry: Registry) -> None:
    with serving(create_app(registry, prefix="")) as address:
        assert httpx2.get(f"{address}/version").json()["apiVersion"] == "2.0.5"
