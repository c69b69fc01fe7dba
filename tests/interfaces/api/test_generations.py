"""A server follows the registry: it answers from the newest generation without a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from trialyst.errors import RegistryError
from trialyst.interfaces.api import create_app
from trialyst.registry import Registry, add_studies, build_from_studies


def study(number: int) -> dict[str, Any]:
    identification = {"nctId": f"NCT{number:08d}", "briefTitle": "A study"}
    return {"protocolSection": {"identificationModule": identification}}


def test_a_running_server_serves_what_was_added(tmp_path: Path) -> None:
    build_from_studies([study(90000001), study(90000002)], tmp_path)
    with TestClient(create_app(Registry.open(tmp_path), prefix="")) as client:
        first = client.get("/studies", params={"pageSize": 1, "countTotal": "true"})
        add_studies([study(90000003)], tmp_path)
        after = client.get("/studies", params={"countTotal": "true"})
    assert first.json()["totalCount"] == 2
    assert after.json()["totalCount"] == 3
    assert first.headers["etag"] != after.headers["etag"]


def test_a_page_token_says_that_it_expired_with_its_generation(tmp_path: Path) -> None:
    build_from_studies([study(90000001), study(90000002)], tmp_path)
    with TestClient(create_app(Registry.open(tmp_path), prefix="")) as client:
        token = client.get("/studies", params={"pageSize": 1}).json()["nextPageToken"]
        add_studies([study(90000003)], tmp_path)
        refused = client.get("/studies", params={"pageSize": 1, "pageToken": token})
    assert refused.status_code == 400
    assert "expired" in refused.text


def test_a_registry_that_cannot_be_opened_is_told_in_words() -> None:
    def newest() -> Registry:
        raise RegistryError("The registry is damaged")

    with TestClient(create_app(newest, prefix="")) as client:
        refused = client.get("/version")
    assert (refused.status_code, refused.text) == (500, "The registry is damaged")
