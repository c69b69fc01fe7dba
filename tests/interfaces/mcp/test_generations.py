"""A server follows what lies on the disk: every call is answered from the newest there is."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from mcp_types import TextResourceContents

from tests.interfaces.mcp.connecting import (
    WireTools,
    connected,
    over_http,
    over_stdio,
    serve_command,
)
from tests.pathways.examples import gpml
from tests.registry.invented import FIRST, many, study
from trialyst.ids import NctId
from trialyst.interfaces.api import API_PREFIX
from trialyst.pathways import load_pathways
from trialyst.pathways.loading import store_path
from trialyst.registry import add_studies, build_from_studies, remove_records
from trialyst.registry import generation as layout
from trialyst.registry.schema import SCHEMA_VERSION

pytestmark = pytest.mark.slow

NEW = FIRST + 500


@pytest.fixture
def home(starter_home: Path, tmp_path: Path) -> Path:
    """A home without a registry; the starter is ready, so that nobody waits for it."""
    for found in starter_home.glob("starter-*"):
        shutil.copytree(found, tmp_path / "home" / found.name)
    return tmp_path / "home"


@pytest.fixture
def registry(home: Path) -> Path:
    """Its registry, of thirty studies."""
    build_from_studies(many(30), home / "registry")
    return home / "registry"


@pytest.fixture(params=["stdio", "http"])
def tools(request: pytest.FixtureRequest, home: Path) -> Iterator[WireTools]:
    """A server over each transport, on what `auto` finds in the home."""
    over = over_stdio if request.param == "stdio" else over_http
    with over(home, source="auto") as connected_tools:
        yield connected_tools


def generations(registry: Path) -> list[str]:
    return sorted(path.name for path in registry.glob("generation-*"))


@pytest.mark.usefixtures("registry")
def test_the_next_call_sees_what_was_added_replaced_and_removed(
    tools: WireTools, registry: Path
) -> None:
    assert tools.wire("count_trials")["total_count"] == 30
    add_studies([study(NEW, conditions={"conditions": ["gout"]})], registry)
    assert tools.wire("count_trials")["total_count"] == 31
    assert tools.wire("get_trial", nct_id=str(NctId(NEW)))["id"] == f"NCT:{NEW}"
    found = tools.wire("search_drug_trials", drug="velorimab", condition="asthma")
    assert found["provenance"]["records"] == 31
    remove_records([NctId(NEW)], registry)
    assert tools.error("get_trial", nct_id=str(NctId(NEW)))["code"] == "ENTITY_NOT_FOUND"
    build_from_studies(many(5), registry)
    assert tools.wire("count_trials")["total_count"] == 5
    assert tools.wire("get_landscape", condition="asthma")["provenance"]["records"] == 5


def test_a_resource_is_read_from_the_newest_too(registry: Path, tools: WireTools) -> None:
    uri = f"trialyst://trial/{NctId(NEW)}"
    assert tools.wire("count_trials")["total_count"] == 30
    add_studies([study(NEW)], registry)
    (content,) = tools.portal.call(tools.client.read_resource, uri).contents
    assert isinstance(content, TextResourceContents)
    assert json.loads(content.text)["id"] == f"NCT:{NEW}"


def test_a_cursor_says_that_it_expired_and_how_to_go_on(registry: Path, tools: WireTools) -> None:
    asthma = {"conditions": ["asthma"]}
    given = {"condition": "asthma", "page_size": 1}
    add_studies([study(NEW, conditions=asthma)], registry)
    first = tools.wire("search_trials", **given)
    add_studies([study(NEW + 1, conditions=asthma)], registry)
    error = tools.error("search_trials", **given, cursor=first["pagination"]["cursor"])
    assert error["code"] == "INVALID_INPUT"
    assert "expired" in error["message"]
    assert "Omit the cursor" in error["recovery_hint"]
    again = tools.wire("search_trials", **given)
    assert again["pagination"]["total_count"] == first["pagination"]["total_count"] + 1


def test_the_registry_takes_the_place_of_the_starter_once_it_is_there(
    home: Path, tools: WireTools
) -> None:
    before = tools.wire("count_trials")
    assert (before["total_count"], before["provenance"]["source"]) == (2000, "starter")
    note = "A 60-year-old man with asthma."
    assert "synthetic" in tools.error("match_patient", note=note)["message"]
    build_from_studies(many(30), home / "registry")
    after = tools.wire("count_trials")
    assert (after["total_count"], after["provenance"]["source"]) == (30, "local")
    assert not after["provenance"]["synthetic"]
    assert tools.wire("match_patient", note=note)["provenance"]["source"] == "local"


def test_a_registry_that_vanishes_is_never_replaced_by_invented_records(
    registry: Path, tools: WireTools
) -> None:
    assert tools.wire("count_trials")["total_count"] == 30
    (registry / layout.CURRENT).unlink()
    told = tools.wire("count_trials")
    assert (told["total_count"], told["provenance"]["source"]) == (30, "local")
    assert any("cannot be opened" in note for note in told["provenance"]["notes"])
    build_from_studies(many(4), registry)
    healed = tools.wire("count_trials")
    assert healed["total_count"] == 4
    assert not any("cannot be opened" in note for note in healed["provenance"]["notes"])


def test_a_generation_of_a_newer_program_leaves_the_one_before_in_use(
    registry: Path, tools: WireTools
) -> None:
    assert tools.wire("count_trials")["total_count"] == 30
    add_studies([study(NEW)], registry)
    manifest = layout.current_generation(registry) / layout.MANIFEST
    newer = json.loads(manifest.read_text()) | {"schema_version": SCHEMA_VERSION + 1}
    manifest.write_text(json.dumps(newer))
    told = tools.wire("count_trials")
    assert told["total_count"] == 30
    assert any(f"schema version {SCHEMA_VERSION + 1}" in n for n in told["provenance"]["notes"])


def test_generations_nobody_asks_any_more_are_let_go(registry: Path, tools: WireTools) -> None:
    for number in range(4):
        add_studies([study(NEW + number)], registry)
        assert tools.wire("count_trials")["total_count"] == 31 + number
        tools.wire("detect_whitespace", drug="velorimab", condition="asthma")
    # The one in use and the one before, which a reader may be about to open.
    assert len(generations(registry)) == 2


def test_the_api_and_mcp_tell_the_same(home: Path) -> None:
    with serve_command(home, source="auto") as (_, url), connected(url) as tools:
        address = url.removesuffix("/mcp") + API_PREFIX

        def both() -> tuple[int, int]:
            served = httpx2.get(f"{address}/studies", params={"countTotal": "true", "pageSize": 1})
            return served.json()["totalCount"], tools.wire("count_trials")["total_count"]

        assert both() == (2000, 2000)
        build_from_studies(many(30), home / "registry")
        assert both() == (30, 30)
        assert "x-trialyst-synthetic" not in httpx2.get(f"{address}/version").headers
        for number in range(3):
            add_studies([study(NEW + number)], home / "registry")
            assert tools.wire("count_trials")["total_count"] == 31 + number
        # The one in use, the one before, and the one the API was last asked of.
        assert len(generations(home / "registry")) <= 3
        assert both() == (33, 33)
        assert httpx2.get(f"{address}/stats/size").json()["totalStudies"] == 33


def load(home: Path, *ids: int) -> None:
    folder = home / "download"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for number in ids:
        drawn = gpml(number, f"Process {number}", genes=[("TNF", "7124")])
        (folder / f"WP{number}.gpml").write_bytes(drawn)
    load_pathways(folder, home)


def test_pathways_are_the_newest_that_were_loaded(home: Path, tools: WireTools) -> None:
    starter = tools.wire("search_pathways", query="glycolysis")
    assert starter["provenance"]["source"] == "starter"
    load(home, 7001, 7002, 7003)
    first = tools.wire("search_pathways", query="process", page_size=1)
    assert (first["provenance"]["source"], first["pagination"]["total_count"]) == ("local", 3)
    load(home, 7001, 7002, 7003, 7004)
    assert tools.wire("get_pathway", pathway_id="WP:WP7004")["id"] == "WP:WP7004"
    error = tools.error(
        "search_pathways", query="process", page_size=1, cursor=first["pagination"]["cursor"]
    )
    assert "expired" in error["message"]
    store_path(home).unlink()
    assert tools.wire("search_pathways", query="glycolysis")["provenance"]["source"] == "starter"


@pytest.mark.usefixtures("registry")
def test_without_the_starter_removed_pathways_are_told(home: Path) -> None:
    load(home, 7001)
    with over_stdio(home, source="local") as tools:
        assert tools.wire("get_pathway", pathway_id="WP:WP7001")["id"] == "WP:WP7001"
        store_path(home).unlink()
        error = tools.error("get_pathway", pathway_id="WP:WP7001")
        assert error["code"] == "ENTITY_NOT_FOUND"
        assert "pathways sync" in error["recovery_hint"]
        load(home, 7002)
        assert tools.wire("get_pathway", pathway_id="WP:WP7002")["id"] == "WP:WP7002"
