"""Real data by one call: against our own server playing the live one, and against one that fails.

The server serves a registry of invented studies; a newer generation of it is the service's next
day.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.conftest import REPOSITORY
from tests.registry.invented import FIRST, asked, many, study
from tests.registry.older import make_older
from tests.serving import serving
from tests.transport.asking import with_transport
from tests.transport.scripted import (
    Request,
    ScriptedClock,
    Step,
    Upstream,
    reply,
    truncated,
    unsized,
    upstream,
)
from trialyst.errors import (
    InvalidInput,
    RegistryError,
    RegistryLocked,
    RegistryOutdated,
    UpstreamError,
)
from trialyst.ids import NctId
from trialyst.interfaces.api import API_PREFIX, create_app
from trialyst.registry import (
    LiveService,
    Registry,
    RegistrySource,
    Subset,
    SyncPlan,
    SyncProgress,
    SyncReport,
    add_studies,
    build_from_studies,
    registry_status,
    remove_records,
    sync_registry,
    upgrade_registry,
    verify_registry,
)
from trialyst.registry import generation as layout
from trialyst.registry.fetching import ARCHIVE, ONE_WINDOW, check_archive, fetch_pages
from trialyst.registry.forecast import check_room
from trialyst.registry.subset import DOWNLOADS, load_job, load_state
from trialyst.transport import Limits
from trialyst.vocabulary import Vocabulary

TIMESTAMP = "2026-08-14T09:00:05"
NEXT_DAY = "2026-08-17"
ASTHMA = Subset(condition="asthma")
Said = SyncPlan | SyncProgress


class Service(NamedTuple):
    """Our own server in the part of the live one."""

    url: str
    directory: Path

    def change(self, *studies: Mapping[str, Any]) -> None:
        add_studies(studies, self.directory)

    def withdraw(self, *numbers: int) -> None:
        remove_records(map(NctId, numbers), self.directory)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("served") / "registry"
    build_from_studies(many(60), directory, data_timestamp=TIMESTAMP)
    return directory


@pytest.fixture
def service(served: Path, tmp_path: Path) -> Iterator[Service]:
    """A service of sixty studies, which a test may change."""
    directory = shutil.copytree(served, tmp_path / "service")
    with Registry.open(directory) as registry, serving(create_app(registry)) as address:
        yield Service(address + API_PREFIX, directory)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "registry"


def sync(
    url: str,
    directory: Path,
    *,
    said: list[Said] | None = None,
    tell: Callable[[Said], None] | None = None,
    tries: int = 2,
    **how: Any,
) -> SyncReport:
    heard = tell or (said.append if said is not None else lambda each: None)
    return with_transport(
        lambda transport: sync_registry(directory, LiveService(transport, url), tell=heard, **how),
        clock=ScriptedClock(),
        limits=Limits(tries=tries),
    )


def contents(directory: Path) -> dict[int, Any]:
    assert verify_registry(directory).ok
    with Registry.open(directory) as registry:
        return {number: json.loads(data) for number, data in registry.iter_raw()}


def by_number(studies: list[dict[str, Any]]) -> dict[int, Any]:
    return {
        int(each["protocolSection"]["identificationModule"]["nctId"][3:]): each for each in studies
    }


def leftovers(directory: Path) -> list[str]:
    names = (path.name for path in (directory / DOWNLOADS).iterdir())
    return sorted(name for name in names if name != layout.LOCK)


def with_asthma(number: int, updated: str, **modules: Any) -> dict[str, Any]:
    return study(number, updated=updated, conditions={"conditions": ["asthma"]}, **modules)


class TestTheWholeService:
    def test_the_first_sync_fetches_everything(self, service: Service, directory: Path) -> None:
        said: list[Said] = []
        report = sync(service.url, directory, said=said)
        assert contents(directory) == by_number(many(60))
        assert (report.how, report.records, report.new, report.on_service) == ("archive", *[60] * 3)
        assert (report.missing, report.surplus, report.data_timestamp) == (0, 0, TIMESTAMP)
        assert leftovers(directory) == []

    def test_what_it_takes_is_said_first(self, service: Service, directory: Path) -> None:
        said: list[Said] = []
        sync(service.url, directory, said=said)
        plan = said[0]
        assert isinstance(plan, SyncPlan)
        assert (plan.how, plan.studies) == ("archive", 60)
        assert 0 < plan.download_bytes < plan.disk_bytes < plan.free_bytes
        stages = [each.stage for each in said[1:] if isinstance(each, SyncProgress)]
        assert list(dict.fromkeys(stages)) == ["download", "build"]

    def test_status_says_what_it_holds(self, service: Service, directory: Path) -> None:
        sync(service.url, directory)
        status = registry_status(directory)
        assert status.holds == f"all of the service at {service.url}"
        assert status.synced_at
        assert status.data_timestamp == TIMESTAMP

    def test_a_later_sync_fetches_only_what_changed(
        self, service: Service, directory: Path
    ) -> None:
        sync(service.url, directory)
        changed = study(FIRST, updated=NEXT_DAY)
        added = study(FIRST + 500, updated=NEXT_DAY)
        service.change(changed, added)
        said: list[Said] = []
        report = sync(service.url, directory, said=said)
        assert contents(directory) == by_number(many(60)) | by_number([changed, added])
        assert (report.how, report.new, report.changed, report.records) == ("changes", 1, 1, 61)
        plan = said[0]
        assert isinstance(plan, SyncPlan)
        assert plan.studies < 10
        assert load_state(directory)

    def test_nothing_changed_switches_nothing_in(self, service: Service, directory: Path) -> None:
        sync(service.url, directory)
        before = layout.current_name(directory)
        report = sync(service.url, directory)
        assert (report.new, report.changed, report.records) == (0, 0, 60)
        assert layout.current_name(directory) == before

    def test_changes_are_asked_for_from_a_day_before_the_last_known(
        self, service: Service, directory: Path
    ) -> None:
        """The bulk file may be older than the service says, so the records themselves count."""
        sync(service.url, directory)
        newest = max(
            each["protocolSection"]["statusModule"]["lastUpdatePostDateStruct"]["date"]
            for each in many(60)
        )
        assert newest < TIMESTAMP
        since = sync(service.url, directory).since
        assert since is not None
        assert since < newest
        assert (int(newest[-2:]) - int(since[-2:])) == 1

    def test_withdrawn_studies_go_and_are_kept_as_gone(
        self, service: Service, directory: Path
    ) -> None:
        sync(service.url, directory)
        service.withdraw(FIRST, FIRST + 1)
        changed = study(FIRST + 2, updated=NEXT_DAY)
        service.change(changed)
        report = sync(service.url, directory)
        assert (report.records, report.surplus, report.removed, report.changed) == (58, 0, 2, 1)
        assert FIRST not in contents(directory)
        with Registry.open(directory) as registry:
            history = registry.history
            assert [edition.day for edition in history.editions[:1]] == [TIMESTAMP[:10]]
            assert history.changed_numbers(1, history.last) == [FIRST, FIRST + 1, FIRST + 2]
            before = by_number(many(3))
            assert {number: history.version(number, 1) for number in before} == before
            assert history.version(FIRST, history.last) is None

    def test_studies_added_by_hand_are_kept_though_the_service_has_fewer(
        self, service: Service, directory: Path
    ) -> None:
        sync(service.url, directory)
        add_studies([study(FIRST + 900, updated=NEXT_DAY)], directory)
        report = sync(service.url, directory)
        assert (report.records, report.removed, report.surplus) == (61, 0, 1)

    def test_what_is_missing_is_told(self, service: Service, directory: Path) -> None:
        sync(service.url, directory)
        remove_records([NctId(FIRST)], directory)
        assert sync(service.url, directory).missing == 1
        holds = registry_status(directory).holds
        assert holds
        assert "changed by other commands" in holds


class TestASubset:
    def test_only_what_the_query_finds_is_fetched(self, service: Service, directory: Path) -> None:
        with Registry.open(service.directory) as registry:
            expected = registry.match_numbers(asked(query_cond="asthma"))
        report = sync(service.url, directory, subset=ASTHMA)
        assert set(contents(directory)) == expected
        assert 0 < report.records == len(expected) < 60
        assert report.how == "pages"

    def test_it_is_remembered(self, service: Service, directory: Path) -> None:
        first = sync(service.url, directory, subset=ASTHMA)
        again = sync(service.url, directory)
        assert (again.how, again.records) == ("changes", first.records)
        assert registry_status(directory).holds == "only condition 'asthma'"
        full = sync(service.url, directory, full=True)
        assert (full.how, full.records) == ("pages", first.records)

    def test_readers_are_told(self, service: Service, directory: Path) -> None:
        sync(service.url, directory, subset=ASTHMA)
        with Registry.open(directory) as registry:
            told = asyncio.run(RegistrySource(registry).provenance())
        assert "This registry holds a part of ClinicalTrials.gov only: condition 'asthma'." in (
            told.notes
        )

    def test_words_are_text_and_an_expression_is_essie(
        self, service: Service, directory: Path
    ) -> None:
        subset = Subset(query="biologic", advanced="AREA[Phase]PHASE2 OR AREA[Phase]PHASE3")
        sync(service.url, directory, subset=subset)
        with Registry.open(service.directory) as registry:
            expected = registry.match_numbers(
                asked(query_term="biologic", filter_advanced=subset.advanced or "")
            )
        assert set(contents(directory)) == expected

    def test_changes_and_new_ones_come_in(self, service: Service, directory: Path) -> None:
        before = sync(service.url, directory, subset=ASTHMA)
        service.change(with_asthma(FIRST + 500, NEXT_DAY), study(FIRST + 501, updated=NEXT_DAY))
        report = sync(service.url, directory)
        assert (report.new, report.records) == (1, before.records + 1)
        assert FIRST + 501 not in contents(directory)

    def test_a_study_that_left_the_subset_does_not_stay_as_it_was(
        self, service: Service, directory: Path
    ) -> None:
        sync(service.url, directory, subset=ASTHMA)
        left = min(contents(directory))
        service.change(study(left, updated=NEXT_DAY))
        report = sync(service.url, directory)
        assert left not in contents(directory)
        assert (report.removed, report.surplus, report.missing) == (1, 0, 0)

    def test_a_study_that_entered_it_without_an_update_comes_in(
        self, service: Service, directory: Path
    ) -> None:
        before = sync(service.url, directory, subset=ASTHMA)
        service.change(with_asthma(FIRST + 500, "2019-01-01"))
        report = sync(service.url, directory)
        assert (report.new, report.records) == (1, before.records + 1)

    def test_studies_added_by_hand_are_not_removed(self, service: Service, directory: Path) -> None:
        sync(service.url, directory, subset=ASTHMA)
        add_studies([study(FIRST + 900)], directory)
        for _ in range(2):
            report = sync(service.url, directory)
            assert (report.removed, report.surplus) == (0, 1)
        assert FIRST + 900 in contents(directory)

    def test_one_that_finds_nothing_is_refused(self, service: Service, directory: Path) -> None:
        with pytest.raises(InvalidInput, match="no studies with condition 'xqzzy'"):
            sync(service.url, directory, subset=Subset(condition="xqzzy"))
        assert layout.current_name(directory) is None
        assert leftovers(directory) == []

    def test_a_bad_expression_is_refused_before_anything_is_asked(self, directory: Path) -> None:
        with pytest.raises(InvalidInput, match="NoSuchPiece"):
            sync("http://127.0.0.1:9", directory, subset=Subset(advanced="AREA[NoSuchPiece]x"))


class TestAnOlderVersion:
    def test_it_is_to_be_upgraded_and_then_goes_on_with_changes(
        self, service: Service, directory: Path, vocabulary: Vocabulary
    ) -> None:
        before = sync(service.url, directory, subset=ASTHMA)
        left = min(contents(directory))
        service.change(study(left, updated=NEXT_DAY), with_asthma(FIRST + 500, NEXT_DAY))
        make_older(directory)
        with pytest.raises(RegistryOutdated) as refusal:
            sync(service.url, directory)
        assert "registry upgrade" in str(refusal.value.hint)
        upgrade_registry(directory, vocabulary=vocabulary)
        report = sync(service.url, directory)
        assert (report.how, report.new, report.removed) == ("changes", 1, 1)
        assert report.records == before.records
        assert registry_status(directory).holds == "only condition 'asthma'"

    def test_what_is_remembered_after_an_upgrade_without_changes_is_not_edited(
        self, service: Service, directory: Path, vocabulary: Vocabulary
    ) -> None:
        sync(service.url, directory)
        make_older(directory)
        upgrade_registry(directory, vocabulary=vocabulary)
        for _ in range(2):
            assert sync(service.url, directory).how == "changes"
            assert registry_status(directory).holds == f"all of the service at {service.url}"


class TestContradictions:
    def test_another_subset_is_refused(self, service: Service, directory: Path) -> None:
        sync(service.url, directory, subset=ASTHMA)
        for other in (Subset(condition="gout"), Subset()):
            with pytest.raises(InvalidInput, match="was synced with condition 'asthma'") as caught:
                sync(service.url, directory, subset=other)
            assert "`full`" in str(caught.value.hint)
        assert sync(service.url, directory, subset=Subset(), full=True).records == 60

    def test_a_registry_that_was_not_synced_is_refused(
        self, service: Service, directory: Path
    ) -> None:
        build_from_studies(many(3), directory)
        with pytest.raises(InvalidInput, match="not made by sync") as caught:
            sync(service.url, directory)
        assert "`full`" in str(caught.value.hint)
        assert len(contents(directory)) == 3
        add_studies([study(FIRST + 800)], directory)
        assert sync(service.url, directory, full=True).records == 60
        with Registry.open(directory) as registry:
            history = registry.history
            assert history.version(FIRST + 800, history.last - 1) == study(FIRST + 800)
            assert history.version(FIRST + 800, history.last) is None
            assert len(history.changed_numbers(history.last - 1, history.last)) == 58

    def test_another_service_is_refused(self, service: Service, directory: Path) -> None:
        sync(service.url, directory)
        with pytest.raises(InvalidInput, match="was synced with http"):
            sync("http://127.0.0.1:9/api/v2", directory)

    def test_two_at_once_are_refused(self, service: Service, directory: Path) -> None:
        with (
            layout.writer_lock(directory / DOWNLOADS),
            pytest.raises(RegistryLocked, match="Another process"),
        ):
            sync(service.url, directory)
        sync(service.url, directory)
        assert registry_status(directory).editions == 1


def zipped(studies: list[dict[str, Any]]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, each in by_number(studies).items():
            archive.writestr(f"{number % 100:02d}/{NctId(number)}.json", json.dumps(each))
    return buffer.getvalue()


ZIP = zipped(many(60))
TAG = '"day 1"'
VERSION = reply(json.dumps({"apiVersion": "2.0.5", "dataTimestamp": TIMESTAMP}))
SIZES = reply(json.dumps({"totalStudies": 60, "averageSizeBytes": 900}))
COUNT = reply(json.dumps({"totalCount": 60, "studies": []}))
BEGIN = (VERSION, SIZES)


def rest(data: bytes, *, tag: str = TAG) -> Step:
    """Send what a range asks for, or all of it where the tag is another."""

    def step(connection: socket.socket, request: Request) -> None:
        if request.headers.get("if-range") != tag:
            reply(data, ETag=tag)(connection, request)
            return
        start = int(request.headers["range"].removeprefix("bytes=").removesuffix("-"))
        whole = f"bytes {start}-{len(data) - 1}/{len(data)}"
        reply(data[start:], status=206, ETag=tag, Content_Range=whole)(connection, request)

    return step


def cut(data: bytes, at: int) -> Step:
    return truncated(data[:at], length=len(data), ETag=TAG)


@pytest.fixture
def failing() -> Iterator[Upstream]:
    with upstream() as server:
        yield server


@pytest.fixture
def used(directory: Path) -> Path:
    """A registry in use, of three other studies."""
    build_from_studies(many(3, first=FIRST + 5000), directory)
    return directory


class TestTheBulkFile:
    def test_a_cut_download_goes_on(self, failing: Upstream, directory: Path) -> None:
        failing.script(*BEGIN, cut(ZIP, 2000), rest(ZIP), COUNT)
        assert sync(failing.url, directory).records == 60
        assert failing.requests[3].headers["range"] == "bytes=2000-"

    def test_a_second_run_goes_on_where_the_first_was_cut(
        self, failing: Upstream, used: Path
    ) -> None:
        failing.script(*BEGIN, cut(ZIP, 2000))
        with pytest.raises(UpstreamError):
            sync(failing.url, used, full=True, tries=1)
        assert len(contents(used)) == 3
        failing.script(*BEGIN, rest(ZIP), COUNT)
        said: list[Said] = []
        assert sync(failing.url, used, said=said).records == 60
        assert failing.requests[-2].headers["range"] == "bytes=2000-"
        assert contents(used) == by_number(many(60))

    def test_a_file_that_changed_meanwhile_is_fetched_anew(
        self, failing: Upstream, directory: Path
    ) -> None:
        newer = zipped(many(61))
        failing.script(*BEGIN, cut(ZIP, 2000), rest(newer, tag='"day 2"'), COUNT)
        assert sync(failing.url, directory).records == 61

    def test_a_file_without_a_length_that_ended_early_is_fetched_again(
        self, failing: Upstream, directory: Path
    ) -> None:
        failing.script(*BEGIN, unsized(ZIP[:5000]), reply(ZIP), COUNT)
        assert sync(failing.url, directory).records == 60

    def test_one_that_is_always_broken_is_refused(self, failing: Upstream, used: Path) -> None:
        failing.script(*BEGIN, unsized(ZIP[:5000]), unsized(ZIP[:5000]))
        with pytest.raises(UpstreamError, match="no whole zip") as caught:
            sync(failing.url, used, full=True)
        assert "unchanged" in str(caught.value.hint)
        assert len(contents(used)) == 3
        assert ARCHIVE not in leftovers(used)

    def test_a_file_with_too_few_studies_is_refused(self, failing: Upstream, used: Path) -> None:
        few = zipped(many(30))
        failing.script(*BEGIN, reply(few), reply(few))
        with pytest.raises(UpstreamError, match="30 studies where the service counts 60"):
            sync(failing.url, used, full=True)
        assert len(contents(used)) == 3

    def test_damage_within_the_file_switches_nothing_in(
        self, failing: Upstream, used: Path
    ) -> None:
        """The central directory is in order; what a study holds shows when it is read."""
        damaged = bytearray(ZIP)
        damaged[300:310] = b"\0" * 10
        failing.script(*BEGIN, reply(bytes(damaged)))
        with pytest.raises(UpstreamError, match="cannot be read to its end") as caught:
            sync(failing.url, used, full=True)
        assert "again" in str(caught.value.hint)
        assert len(contents(used)) == 3
        assert leftovers(used) == []

    def test_a_service_that_cannot_be_asked_afterwards_does_not_undo_a_sync(
        self, failing: Upstream, directory: Path
    ) -> None:
        failing.script(*BEGIN, reply(ZIP), reply("down", status=503))
        report = sync(failing.url, directory, tries=1)
        assert (report.records, report.on_service) == (60, None)

    def test_a_web_page_in_place_of_the_file_is_refused(
        self, failing: Upstream, directory: Path
    ) -> None:
        page = reply("<html>maintenance</html>", Content_Type="text/html")
        failing.script(*BEGIN, page, page)
        with pytest.raises(UpstreamError, match="not usable"):
            sync(failing.url, directory)

    def test_a_service_without_a_date_is_refused(self, failing: Upstream, directory: Path) -> None:
        failing.script(reply('{"dataTimestamp": "soon"}'))
        with pytest.raises(UpstreamError, match="no date of its data"):
            sync(failing.url, directory)

    @pytest.mark.parametrize("size", [0, 10, len(ZIP) // 2, len(ZIP) - 1])
    def test_a_truncated_zip_is_never_taken_for_a_whole_one(
        self, tmp_path: Path, size: int
    ) -> None:
        path = tmp_path / ARCHIVE
        path.write_bytes(ZIP[:size])
        assert check_archive(path, studies=60)
        path.write_bytes(ZIP)
        assert check_archive(path, studies=60) is None


def test_a_full_disk_is_told_before_it_starts(tmp_path: Path) -> None:
    with pytest.raises(RegistryError, match="1,000,000,000,000 MB are needed") as caught:
        check_room(10**18, tmp_path / "not there yet")
    assert "`registry`" in str(caught.value.hint)


def test_windows_hold_every_study_once_and_are_not_read_twice(
    service: Service, tmp_path: Path
) -> None:
    posted = ["1998-05", "1999-12-31", "2000-01-01", "2010-06-30", "2026-01-01", "2031-02-03", None]
    dated = [
        study(
            FIRST + 100 + index, status={"studyFirstPostDateStruct": {"date": day}} if day else {}
        )
        for index, day in enumerate(posted)
    ]
    service.change(*dated)
    folder = tmp_path / "pages"
    folder.mkdir()

    def fetch() -> list[Path]:
        return with_transport(
            lambda transport: fetch_pages(
                LiveService(transport, service.url),
                asked(),
                folder,
                total=ONE_WINDOW + 1,
                year=2026,
                tell=lambda progress: None,
            ),
            clock=ScriptedClock(),
        )

    files = fetch()
    lines = [json.loads(line) for file in files for line in file.read_bytes().splitlines()]
    assert len(lines) == 67
    assert by_number(lines) == by_number(many(60)) | by_number(dated)
    for file in files[:-1]:
        file.write_bytes(b"kept\n")
    files[-1].unlink()
    assert fetch() == files
    assert [file.read_bytes() for file in files[:-1]] == [b"kept\n"] * (len(files) - 1)
    assert files[-1].stat().st_size > 10


class TestInterrupted:
    @pytest.mark.parametrize("stage", ["download", "build"])
    def test_the_registry_in_use_stays_and_a_second_run_ends_well(
        self, service: Service, used: Path, stage: str
    ) -> None:
        async def cancelled(transport: Any) -> None:
            task: asyncio.Task[SyncReport]
            loop = asyncio.get_running_loop()

            async def cancel() -> None:
                task.cancel()
                for _ in range(20):
                    await asyncio.sleep(0)

            def tell(said: Said) -> None:
                if not isinstance(said, SyncProgress) or said.stage != stage:
                    return
                if stage == "build":
                    asyncio.run_coroutine_threadsafe(cancel(), loop).result()
                else:
                    task.cancel()

            live = LiveService(transport, service.url)
            task = asyncio.create_task(sync_registry(used, live, full=True, tell=tell))
            with pytest.raises(asyncio.CancelledError):
                await task

        with_transport(cancelled, clock=ScriptedClock())
        assert len(contents(used)) == 3
        assert load_job(used / DOWNLOADS)
        assert sync(service.url, used, full=True).records == 60
        assert contents(used) == by_number(many(60))

    @pytest.mark.parametrize(
        "die_at",
        [("open", "ctg-studies.json.zip.part", 1), ("os.rename", "building", 1)],
        ids=["while it downloads", "before the switch"],
    )
    @pytest.mark.slow
    def test_killed(self, service: Service, used: Path, die_at: tuple[str, str, int]) -> None:
        order = {"url": service.url, "directory": str(used), "die_at": die_at}
        environment = os.environ | {"PYTHONPATH": f"{REPOSITORY / 'src'}{os.pathsep}{REPOSITORY}"}
        ended = subprocess.run(
            [sys.executable, "-c", DOOMED, json.dumps(order)],
            capture_output=True,
            env=environment,
            check=False,
        )
        assert ended.returncode == -signal.SIGKILL, ended.stderr
        assert len(contents(used)) == 3
        assert sync(service.url, used).records == 60
        assert contents(used) == by_number(many(60))

    @pytest.mark.slow
    def test_killed_between_the_switch_and_the_note_of_it(
        self, service: Service, directory: Path
    ) -> None:
        """The new registry is in use and whole, and the next run takes it for its own."""
        order = {
            "url": service.url,
            "directory": str(directory),
            "die_at": ("os.rename", "sync.json.", 1),
        }
        environment = os.environ | {"PYTHONPATH": f"{REPOSITORY / 'src'}{os.pathsep}{REPOSITORY}"}
        ended = subprocess.run(
            [sys.executable, "-c", DOOMED, json.dumps(order)],
            capture_output=True,
            env=environment,
            check=False,
        )
        assert ended.returncode == -signal.SIGKILL, ended.stderr
        assert contents(directory) == by_number(many(60))
        assert sync(service.url, directory).records == 60
        assert leftovers(directory) == []


DOOMED = """
import json, os, signal, sys
from pathlib import Path
order = json.loads(sys.argv[1])
operation, name, time = order["die_at"]
seen = 0

def hook(event, args):
    global seen
    if event == operation and Path(str(args[0])).name.startswith(name):
        seen += 1
        if seen == time:
            os.kill(os.getpid(), signal.SIGKILL)

from tests.registry.test_sync import sync
sys.addaudithook(hook)
sync(order["url"], Path(order["directory"]), full=True)
"""
