"""Adding and removing studies: a new generation each time, the same as a build from scratch."""

from __future__ import annotations

import gc
import json
import shutil
from pathlib import Path

import pytest

from tests.registry.invented import (
    FIRST,
    as_line,
    asked,
    find_all,
    many,
    site,
    study,
    titled,
    with_sites,
    write_lines,
)
from trialyst.errors import InvalidInput, NotFound, RegistryMissing
from trialyst.ids import NctId
from trialyst.registry import (
    Registry,
    add_records,
    add_studies,
    build_from_studies,
    registry_status,
    remove_records,
    verify_registry,
)

# Every change waits for the disk, and a busy one is slow.
pytestmark = pytest.mark.slow

QUERIES: tuple[dict[str, str], ...] = (
    {},
    {"query_term": "asthma steroid"},
    {"filter_overallStatus": "RECRUITING", "sort": "EnrollmentCount"},
    {"query_locn": "Boston, MA"},
    {"filter_advanced": "AREA[Phase]PHASE2"},
)


def answers(directory: Path) -> list[list[int]]:
    with Registry.open(directory) as registry:
        return [list(registry.iter_numbers(asked(**query))) for query in QUERIES]


def raw(directory: Path) -> dict[int, bytes]:
    with Registry.open(directory) as registry:
        return dict(registry.iter_raw())


@pytest.fixture(scope="module")
def sixty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("sixty")
    build_from_studies(many(60), directory)
    return directory


@pytest.fixture
def registry(sixty: Path, tmp_path: Path) -> Path:
    return shutil.copytree(sixty, tmp_path / "registry")


def test_added_in_parts_equals_built_at_once(registry: Path, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "more.jsonl", many(20, first=FIRST + 60))
    report = add_records([path], registry)
    add_studies(many(20, first=FIRST + 80), registry)
    build_from_studies(many(100), tmp_path / "whole")
    assert (report.added, report.replaced, report.records) == (20, 0, 80)
    assert answers(registry) == answers(tmp_path / "whole")
    assert raw(registry) == raw(tmp_path / "whole")
    assert verify_registry(registry).ok


def test_a_newer_version_replaces_and_an_older_one_does_not(registry: Path) -> None:
    newer = titled(FIRST, "renewed", updated="2031-01-01")
    older = titled(FIRST + 1, "outdated", updated="2001-01-01")
    report = add_studies([newer, older], registry)
    assert (report.replaced, report.superseded, report.added) == (1, 1, 0)
    with Registry.open(registry) as changed:
        assert find_all(changed, query_titles="renewed OR outdated") == [1]
        assert len(changed) == 60
        assert json.loads(changed.raw([FIRST])[0]) == newer
    assert registry_status(registry).data_timestamp == "2031-01-01T00:00:00"
    assert verify_registry(registry).ok


def test_removed_studies_are_found_no_more(registry: Path, tmp_path: Path) -> None:
    gone = [NctId(FIRST + n) for n in (3, 7, 7, 59)]
    report = remove_records(gone, registry)
    assert (report.removed, report.records) == (3, 57)
    build_from_studies(
        [s for n, s in enumerate(many(60)) if n not in (3, 7, 59)], tmp_path / "whole"
    )
    assert answers(registry) == answers(tmp_path / "whole")
    assert raw(registry) == raw(tmp_path / "whole")
    assert verify_registry(registry).ok


def test_a_removed_study_can_come_back(registry: Path) -> None:
    before = answers(registry)
    remove_records([NctId(FIRST)], registry)
    report = add_studies(many(1), registry)
    assert (report.added, report.replaced) == (1, 0)
    assert answers(registry) == before
    assert verify_registry(registry).ok


def test_everything_can_be_removed(registry: Path) -> None:
    remove_records([NctId(FIRST + n) for n in range(60)], registry)
    assert registry_status(registry).records == 0
    assert verify_registry(registry).ok


def test_removing_what_is_not_there_changes_nothing(registry: Path) -> None:
    before = registry_status(registry)
    with pytest.raises(NotFound, match=r"Not in the registry: NCT12345678$") as refusal:
        remove_records([NctId(FIRST), NctId(12345678)], registry)
    assert "nothing was removed" in str(refusal.value.hint)
    assert registry_status(registry) == before
    assert not (registry / "building").exists()


def test_adding_a_damaged_file_changes_nothing(registry: Path, tmp_path: Path) -> None:
    before = registry_status(registry)
    (tmp_path / "cut.json").write_bytes(b"[" + as_line(study(FIRST + 99)))
    with pytest.raises(InvalidInput, match=r"cut\.json"):
        add_records([tmp_path / "cut.json"], registry)
    assert registry_status(registry) == before
    assert not (registry / "building").exists()


def test_adding_reports_damage_and_goes_on(registry: Path, tmp_path: Path) -> None:
    path = tmp_path / "more.jsonl"
    path.write_bytes(as_line(study(FIRST + 99)) + b"\nnonsense\n")
    report = add_records([path], registry)
    assert (report.added, [item.place for item in report.damaged]) == (1, ["more.jsonl:2"])


def test_a_change_needs_a_registry(tmp_path: Path) -> None:
    with pytest.raises(RegistryMissing):
        add_studies(many(1), tmp_path / "nowhere")
    with pytest.raises(RegistryMissing):
        remove_records([NctId(FIRST)], tmp_path / "nowhere")


def test_a_change_keeps_what_the_registry_is(tmp_path: Path) -> None:
    build_from_studies(many(2), tmp_path, synthetic=True, data_timestamp="2030-01-02T03:04:05")
    add_studies(many(1, first=FIRST + 5), tmp_path)
    remove_records([NctId(FIRST)], tmp_path)
    status = registry_status(tmp_path)
    assert (status.synthetic, status.data_timestamp) == (True, "2030-01-02T03:04:05")


def test_a_timestamp_that_is_no_date_does_not_stop_a_change(tmp_path: Path) -> None:
    build_from_studies([study(FIRST)], tmp_path, data_timestamp="yesterday")
    add_studies([study(FIRST + 1)], tmp_path)
    assert registry_status(tmp_path).data_timestamp == "yesterday"


def test_a_change_leaves_the_generation_before_it_as_it_was(registry: Path) -> None:
    with Registry.open(registry) as before:
        add_studies([titled(FIRST, "renewed", updated="2031-01-01")], registry)
        remove_records([NctId(FIRST + 1)], registry)
        assert len(find_all(before)) == len(list(before.iter_raw())) == 60
        assert find_all(before, query_titles="renewed") == []
        assert before.raw([FIRST + 1]) == [as_line(many(2)[1])]


def test_new_sites_of_added_studies_are_found(registry: Path) -> None:
    oslo = site("Oslo", country="Norway", point=(59.91, 10.75))
    add_studies([with_sites(FIRST + 99, oslo)], registry)
    with Registry.open(registry) as changed:
        assert find_all(changed, query_locn="Oslo, Norway") == [100]
        assert find_all(changed, filter_geo="distance(59.9,10.7,10)") == [100]


def test_aliases_of_removed_studies_lead_nowhere(tmp_path: Path) -> None:
    aliased = study(FIRST, identification={"nctIdAliases": ["NCT00000017"]})
    build_from_studies([aliased, study(FIRST + 1)], tmp_path)
    remove_records([NctId(FIRST)], tmp_path)
    with Registry.open(tmp_path) as registry:
        assert registry.resolve_number(17) is None


def test_a_registry_nobody_uses_lets_go_of_its_generation_at_once(registry: Path) -> None:
    gc.disable()
    try:
        reader = Registry.open(registry)
        for step in range(4):
            reader.find(asked(query_cond="TILT[LastUpdatePostDate]asthma", sort="@relevance"))
            reader.count(asked(filter_advanced="EXPANSION[None]asthma"))
            add_studies([study(FIRST + 70 + step)], registry)
            reader = reader.refreshed()
        assert len(list(registry.glob("generation-*"))) == 2
        opened = [link.readlink() for link in Path("/proc/self/fd").iterdir() if link.exists()]
        assert len({file.parent for file in opened if registry in file.parents}) == 1
    finally:
        gc.enable()
