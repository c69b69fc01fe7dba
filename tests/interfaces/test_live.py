"""`--source live` from end to end: the library and the command line over our own server."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import trialyst
from tests.interfaces.api.conftest import DATA_TIMESTAMP
from tests.interfaces.api.invented import studies, to_bytes
from tests.interfaces.cli.conftest import Ended
from tests.serving import serving
from trialyst.errors import InvalidInput
from trialyst.interfaces.api import API_PREFIX, create_app
from trialyst.interfaces.cli.program import run
from trialyst.registry import Registry, build_from_studies
from trialyst.transport import Cache


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a v2 API over the invented studies."""
    directory = tmp_path_factory.mktemp("live")
    records = map(to_bytes, studies())
    build_from_studies(records, directory, synthetic=True, data_timestamp=DATA_TIMESTAMP)
    with Registry.open(directory) as registry, serving(create_app(registry)) as address:
        yield address + API_PREFIX


@pytest.fixture
def home(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, and the live service on loopback."""
    monkeypatch.setenv("TRIALYST_HOME", str(tmp_path))
    monkeypatch.setenv("TRIALYST_CTGOV_URL", url)
    return tmp_path


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ended:
    code = run(arguments)
    captured = capsys.readouterr()
    return Ended(code, captured.out, captured.err)


@pytest.mark.usefixtures("home")
def test_the_library_answers_from_the_live_service() -> None:
    with trialyst.connect("live") as session:
        results = session.registry.search(advanced="AREA[NCTId]MISSING OR ALL", page_size=3)
        assert len(results) == 3
        assert results.total == session.registry.count()
        assert session.registry.get(results[0].nct_id) == results[0]
        told = results.provenance
    assert (told.source, told.records, told.data_timestamp) == (
        "live",
        len(studies()),
        DATA_TIMESTAMP,
    )
    assert told.synthetic


@pytest.mark.usefixtures("home")
def test_live_has_no_registry_to_describe() -> None:
    with trialyst.connect("live") as session, pytest.raises(InvalidInput, match="no registry"):
        session.registry.status()


@pytest.mark.usefixtures("home")
def test_live_and_a_registry_contradict_each_other(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="contradict"):
        trialyst.connect("live", registry=tmp_path)


def test_answers_are_kept_under_the_home_directory(home: Path) -> None:
    with trialyst.connect("live") as session:
        session.registry.count(term="trial")
    with closing(Cache(home / "cache" / "http.sqlite")) as cache:
        assert cache.size() > 0


def test_nothing_is_kept_where_that_is_asked_for(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIALYST_CACHE_MB", "0")
    with trialyst.connect("live") as session:
        session.registry.count(term="trial")
    assert not (home / "cache").exists()


@pytest.mark.usefixtures("home")
def test_the_command_line_answers_from_the_live_service(capsys: pytest.CaptureFixture[str]) -> None:
    ended = call(capsys, "count", "--source", "live", "--json")
    assert (ended.code, ended.value["total_count"]) == (0, len(studies()))
    assert ended.value["provenance"]["source"] == "live"


@pytest.mark.usefixtures("home")
def test_a_missing_trial_is_exit_code_3(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "trial", "NCT98765432", "--source", "live").code == 3


def test_the_http_client_is_imported_for_live_only() -> None:
    code = (
        "import sys, trialyst; from trialyst.interfaces import runtime, library; "
        "import trialyst.transport, trialyst.ctgov; print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "httpx2" not in done.stdout.split()


def test_only_the_transport_imports_the_http_client(repository: Path) -> None:
    package = repository / "src" / "trialyst"
    speakers = {
        path.relative_to(package).parts[0]
        for path in package.rglob("*.py")
        if "import httpx2" in path.read_text("utf-8")
    }
    assert speakers == {"transport"}
