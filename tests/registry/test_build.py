"""What a build makes of its records: what is kept, what wins, who may write and who still reads."""

from __future__ import annotations

import json
import multiprocessing
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.registry.invented import (
    FIRST,
    as_line,
    asked,
    find_all,
    many,
    opened,
    study,
    titled,
    write_lines,
)
from trialyst.errors import InvalidInput, RegistryError, RegistryLocked, RegistryMissing
from trialyst.registry import (
    BuildProgress,
    Registry,
    add_studies,
    build_from_studies,
    build_registry,
    registry_status,
    verify_registry,
)
from trialyst.registry.generation import writer_lock

# Every build waits for the disk, and a busy one is slow.
pytestmark = pytest.mark.slow

QUERIES: tuple[dict[str, str], ...] = (
    {},
    {"query_term": "asthma steroid"},
    {"query_term": "asthma OR velorimab", "sort": "@relevance"},
    {"query_cond": "airway", "sort": "EnrollmentCount"},
    {"sort": "LastUpdatePostDate:asc"},
    {"sort": "EnrollmentCount:desc,LastUpdatePostDate"},
    {"query_locn": "Boston, MA", "sort": "@relevance"},
    {"filter_geo": "distance(42.36,-71.06,500)"},
)


def answers(registry: Path) -> list[list[int]]:
    with Registry.open(registry) as opened:
        return [list(opened.iter_numbers(asked(**query))) for query in QUERIES]


def raw(registry: Path) -> dict[int, bytes]:
    with Registry.open(registry) as opened:
        return dict(opened.iter_raw())


def test_two_builds_of_the_same_file_answer_alike(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "studies.jsonl", many(400))
    for name in ("one", "two"):
        build_registry([path], tmp_path / name)
    assert answers(tmp_path / "one") == answers(tmp_path / "two")
    assert raw(tmp_path / "one") == raw(tmp_path / "two")


def test_the_order_of_the_records_does_not_change_answers(tmp_path: Path) -> None:
    studies = many(400)
    build_from_studies(studies, tmp_path / "one")
    build_from_studies(reversed(studies), tmp_path / "two")
    assert answers(tmp_path / "one") == answers(tmp_path / "two")


def test_checkpoints_do_not_change_answers(tmp_path: Path) -> None:
    padded = ({**record, "filler": "x" * 8000} for record in many(400))
    path = write_lines(tmp_path / "studies.jsonl", padded)
    build_registry([path], tmp_path / "one")
    build_registry([path], tmp_path / "two", checkpoint_every=1)
    assert answers(tmp_path / "one") == answers(tmp_path / "two")
    assert raw(tmp_path / "one") == raw(tmp_path / "two")
    assert verify_registry(tmp_path / "two").ok
    left = sorted(file.name for file in (tmp_path / "two").iterdir() if file.is_file())
    assert left[:2] == ["current", "lock"]
    assert [name.partition("-")[0] for name in left[2:]] == ["stamps"]


def test_records_compressed_with_a_dictionary_come_back_as_they_were(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "studies.jsonl", many(5200))
    build_registry([path], tmp_path / "registry")
    assert list(raw(tmp_path / "registry").values()) == path.read_bytes().splitlines()
    assert verify_registry(tmp_path / "registry").ok


def test_a_line_is_stored_byte_for_byte(tmp_path: Path) -> None:
    line = as_line(titled(FIRST, "x")).replace(b'"x"', b'"caf\\u00e9 caf\xc3\xa9 \\/", "n" : 1.50')
    (tmp_path / "studies.jsonl").write_bytes(b" " + line + b" \r\n")
    build_registry([tmp_path / "studies.jsonl"], tmp_path / "registry")
    assert raw(tmp_path / "registry") == {FIRST: line}


def test_an_indented_study_is_stored_on_one_line(tmp_path: Path) -> None:
    record = {**many(1)[0], "odd": [1.50, 1e10, "tab\tand\nnewline", "é", "\u2028", None, {}]}
    (tmp_path / "study.json").write_text(json.dumps(record, indent=3, ensure_ascii=False), "utf-8")
    build_registry([tmp_path / "study.json"], tmp_path / "registry")
    stored = raw(tmp_path / "registry")[FIRST]
    assert b"\n" not in stored
    assert json.loads(stored) == record


@pytest.mark.parametrize("newest_at", [0, 1, 2])
def test_the_newest_version_of_a_study_wins(tmp_path: Path, newest_at: int) -> None:
    versions = [titled(FIRST, "older", updated=date) for date in ("2020-01-01", "2020-05-01")]
    versions.insert(newest_at, titled(FIRST, "newest", updated="2021-01-01"))
    report = build_from_studies([*versions, titled(FIRST + 1, "other")], tmp_path)
    with Registry.open(tmp_path) as registry:
        assert find_all(registry, query_titles="newest") == [1]
        assert find_all(registry, query_titles="older") == []
        assert len(registry) == 2
    assert report.added == 2
    assert report.replaced + report.superseded == 2
    assert verify_registry(tmp_path).ok


def test_of_two_versions_of_one_day_the_later_wins(tmp_path: Path) -> None:
    titles = ("first", "second")
    registry = opened(tmp_path, *(titled(FIRST, title, updated="2020-01-01") for title in titles))
    assert json.loads(registry.raw([FIRST])[0]) == titled(FIRST, "second", updated="2020-01-01")
    registry.close()


def test_damaged_records_are_reported_and_the_rest_goes_on(tmp_path: Path) -> None:
    good = [as_line(record) for record in many(6)]
    lines = [good[0], good[1][:100], good[2], b"nonsense", b'{"no":"id"}', b"[]", *good[3:]]
    lines.append(as_line(study(FIRST + 50)).replace(b"NCT9", b"XYZ9"))
    (tmp_path / "studies.jsonl").write_bytes(b"\n".join(lines))
    report = build_registry([tmp_path / "studies.jsonl"], tmp_path / "registry")
    assert report.records == report.added == 5
    assert report.read == 10
    found = [(item.place, item.nct_id) for item in report.damaged]
    assert found == [
        ("studies.jsonl:2", "NCT90000002"),
        ("studies.jsonl:4", None),
        ("studies.jsonl:5", None),
        ("studies.jsonl:6", None),
        ("studies.jsonl:10", "XYZ90000051"),
    ]
    assert verify_registry(tmp_path / "registry").ok


def test_a_file_with_no_study_replaces_nothing(tmp_path: Path) -> None:
    build_from_studies(many(3), tmp_path / "registry")
    for content in (b"", b'{"protocolSection":{}}\n', b"[]"):
        (tmp_path / "studies.jsonl").write_bytes(content)
        with pytest.raises(InvalidInput, match="no study in the input"):
            build_registry([tmp_path / "studies.jsonl"], tmp_path / "registry")
    assert registry_status(tmp_path / "registry").records == 3


def test_an_empty_registry_answers(tmp_path: Path) -> None:
    registry = opened(tmp_path)
    assert registry.find(asked(query_term="asthma", sort="@relevance")) == ([], 0)
    assert registry.count_by(asked(), "Phase") == {}
    assert list(registry.iter_raw()) == []
    assert verify_registry(tmp_path).ok
    registry.close()


def test_progress_ends_with_everything_read(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "studies.jsonl", many(30))
    told: list[BuildProgress] = []
    build_registry([path], tmp_path / "registry", progress=told.append)
    size = path.stat().st_size
    assert told[-1] == BuildProgress(records=30, bytes_read=size, bytes_total=size)


def test_the_data_is_as_old_as_its_newest_record(tmp_path: Path) -> None:
    build_from_studies([study(FIRST, updated="2020-02-03"), study(FIRST + 1)], tmp_path)
    assert registry_status(tmp_path).data_timestamp == "2020-02-03T00:00:00"


def test_a_stated_data_timestamp_is_kept(tmp_path: Path) -> None:
    build_from_studies(many(2), tmp_path, data_timestamp="2030-01-02T03:04:05", synthetic=True)
    status = registry_status(tmp_path)
    assert (status.data_timestamp, status.synthetic) == ("2030-01-02T03:04:05", True)
    assert status.size_bytes > 0


def test_there_is_no_registry_in_an_empty_directory(tmp_path: Path) -> None:
    for use in (Registry.open, registry_status, verify_registry):
        with pytest.raises(RegistryMissing, match="no registry in"):
            use(tmp_path / "nowhere")


@pytest.mark.parametrize("name", [b"../elsewhere", b"/", b"gen\xff", b"generation-a/b"])
def test_a_name_that_leads_elsewhere_is_damage(tmp_path: Path, name: bytes) -> None:
    (tmp_path / "current").write_bytes(name)
    for use in (Registry.open, registry_status, verify_registry):
        with pytest.raises(RegistryError, match="is damaged"):
            use(tmp_path)


def test_a_directory_that_is_a_file_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(RegistryError, match="cannot be written"):
        build_from_studies(many(1), tmp_path / "taken")


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    build_from_studies(many(2), tmp_path)
    with writer_lock(tmp_path):
        for write in (build_from_studies, add_studies):
            with pytest.raises(RegistryLocked, match="Another process is writing"):
                write(many(3), tmp_path)
    assert build_from_studies(many(3), tmp_path).records == 3


def test_a_reader_keeps_its_generation_through_any_number_of_switches(tmp_path: Path) -> None:
    first = opened(tmp_path, *many(3))
    assert first.is_current()
    for count in (4, 5, 6):
        build_from_studies(many(count), tmp_path)
    assert not first.is_current()
    assert first.refreshed().count(asked()) == 6
    seen: list[list[bytes]] = []
    # Another thread has no connection to the records yet, and must still be able to open one.
    thread = threading.Thread(target=lambda: seen.append(first.raw([FIRST, FIRST + 2, FIRST + 4])))
    thread.start()
    thread.join()
    assert seen == [[as_line(record) for record in (many(3)[0], many(3)[2])]]
    assert find_all(first) == [1, 2, 3]
    first.close()


def test_the_previous_generation_is_kept_and_older_ones_go(tmp_path: Path) -> None:
    names = [build_from_studies(many(count), tmp_path).generation for count in (1, 2, 3, 4)]
    assert generations(tmp_path) == set(names[-2:])


def test_a_generation_goes_when_its_last_reader_has_gone(tmp_path: Path) -> None:
    first = opened(tmp_path, *many(1))
    build_from_studies(many(2), tmp_path)
    build_from_studies(many(3), tmp_path)
    assert first.generation in generations(tmp_path)
    first.close()
    build_from_studies(many(4), tmp_path)
    assert first.generation not in generations(tmp_path)


def generations(registry: Path) -> set[str]:
    return {path.name for path in registry.glob("generation-*")}


def read_until_told(registry: Path, stop: Any, results: Any) -> None:
    """Ask again and again, each time of the newest generation, until told to stop."""
    counts: set[int] = set()
    while True:
        last = stop.is_set()
        with Registry.open(registry) as opened:
            hits = opened.find(asked(query_term="asthma", sort="@relevance"), limit=1000)
            assert len(hits.numbers) == hits.total == len(opened.raw(hits.numbers))
            counts.add(len(opened))
        if last:
            break
    results.put(sorted(counts))


@pytest.fixture
def readers(tmp_path: Path) -> Iterator[tuple[Any, list[Any], Any]]:
    build_from_studies(many(100), tmp_path)
    spawn = multiprocessing.get_context("spawn")
    stop, results = spawn.Event(), spawn.Queue()
    processes = [
        spawn.Process(target=read_until_told, args=(tmp_path, stop, results)) for _ in range(4)
    ]
    for process in processes:
        process.start()
    yield stop, processes, results
    for process in processes:
        process.join(30)
    results.close()
    results.join_thread()


def test_readers_in_other_processes_answer_during_every_switch(
    tmp_path: Path, readers: tuple[Any, list[Any], Any]
) -> None:
    stop, processes, results = readers
    for count in (150, 200, 250):
        build_from_studies(many(count), tmp_path)
    stop.set()
    seen = [results.get(timeout=60) for _ in processes]
    for process in processes:
        process.join(30)
        assert process.exitcode == 0
    assert all(set(counts) <= {100, 150, 200, 250} for counts in seen)
    assert all(counts[-1] == 250 for counts in seen)


def test_studies_marked_as_synthetic_make_a_synthetic_registry(tmp_path: Path) -> None:
    marked = {"protocolSection": {"identificationModule": {"briefTitle": "[SYNTHETIC] A trial"}}}
    marked["protocolSection"]["identificationModule"]["nctId"] = "NCT90000001"
    path = tmp_path / "studies.jsonl"
    path.write_text(json.dumps(marked))
    build_registry([path], tmp_path / "registry")
    assert Registry.open(tmp_path / "registry").synthetic


def test_a_part_that_cannot_be_read_is_told_with_its_id(tmp_path: Path) -> None:
    damaged = {"identificationModule": {"nctId": "NCT90000001"}, "statusModule": ["wrong"]}
    path = tmp_path / "studies.jsonl"
    path.write_text(json.dumps({"protocolSection": damaged}))
    report = build_registry([path], tmp_path / "registry")
    assert [(flaw.nct_id, flaw.reason) for flaw in report.flawed] == [
        ("NCT90000001", "cannot be read: StatusModule")
    ]
    assert report.records == 1


def test_values_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    odd = study(
        FIRST,
        status={"startDateStruct": {"date": "2020-99-99"}, "overallStatus": 5},
        design={"enrollmentInfo": {"count": "many"}},
        eligibility={"minimumAge": "eighteen", "maximumAge": "N/A", "healthyVolunteers": "yes"},
    )
    report = build_registry([write_lines(tmp_path / "odd.jsonl", [odd])], tmp_path / "registry")
    assert [flaw.reason for flaw in report.flawed] == [
        "cannot be read: OverallStatus, StartDate, EnrollmentCount, HealthyVolunteers, MinimumAge"
    ]
