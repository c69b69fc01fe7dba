"""What a registry held is kept through every kind of change, and comes back exactly."""

from __future__ import annotations

import copy
import json
import random
import shutil
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.registry.invented import FIRST, many, study
from tests.registry.older import make_older
from trialyst.errors import InvalidInput, RegistryError
from trialyst.ids import NctId
from trialyst.registry import (
    Registry,
    add_studies,
    build_from_studies,
    build_registry,
    registry_status,
    remove_records,
    upgrade_registry,
    verify_registry,
)
from trialyst.registry import generation as layout
from trialyst.registry.history.reading import History
from trialyst.registry.history.recording import check_day
from trialyst.registry.history.segments import Change, Edition, Kind, pack_version, write_segment
from trialyst.vocabulary import Vocabulary

State = dict[int, Any]
DAYS = [f"2025-{month:02d}-01" for month in range(1, 7)]


def keyed(studies: list[dict[str, Any]]) -> State:
    return {
        int(each["protocolSection"]["identificationModule"]["nctId"][3:]): each for each in studies
    }


def next_state(rng: random.Random, state: State) -> State:
    """Change some studies, take some out, bring some in, some of them back."""
    state = copy.deepcopy(state)
    for number in rng.sample(sorted(state), 4):
        protocol = state[number]["protocolSection"]
        protocol["identificationModule"]["briefTitle"] = f"Title {rng.random()}"
        protocol.setdefault("statusModule", {})["overallStatus"] = rng.choice(["A", "B", "C"])
    for number in rng.sample(sorted(state), 2):
        del state[number]
    for _ in range(2):
        number = FIRST + rng.randrange(40)
        state.setdefault(number, study(number, updated="2024-05-01"))
    return state


def apply(how: str, state: State, before: State, directory: Path, day: str) -> None:
    stamp = f"{day}T00:00:00"
    if how == "build":
        build_from_studies(list(state.values()), directory, data_timestamp=stamp)
        return
    put = [each for number, each in state.items() if before.get(number) != each]
    add_studies(put, directory, data_timestamp=stamp)
    gone = [NctId(number) for number in before if number not in state]
    if gone:
        remove_records(gone, directory, data_timestamp=stamp)


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[State]]:
    """A registry of six days, changed in every way, and what it held on each."""
    directory = tmp_path_factory.mktemp("lived") / "registry"
    rng = random.Random(3)
    states = [keyed(many(25))]
    build_from_studies(list(states[0].values()), directory, data_timestamp=f"{DAYS[0]}T00:00:00")
    for place, day in enumerate(DAYS[1:]):
        states.append(next_state(rng, states[-1]))
        apply(["build", "add"][place % 2], states[-1], states[-2], directory, day)
    return directory, states


def test_every_state_comes_back(lived: tuple[Path, list[State]]) -> None:
    directory, states = lived
    with Registry.open(directory) as registry:
        history = registry.history
        everything = {number for state in states for number in state}
        for day, state in zip(DAYS, states, strict=True):
            edition = history.edition_at(day)
            held = {number: history.version(number, edition) for number in everything}
            assert {n: record for n, record in held.items() if record is not None} == state
        assert history.edition_at("2024-12-31") == 0
    assert verify_registry(directory).ok
    status = registry_status(directory)
    assert (status.history_from, status.editions) == (DAYS[0], history.last)


def test_changed_numbers_are_those_that_differ_and_no_others(
    lived: tuple[Path, list[State]],
) -> None:
    directory, states = lived
    with Registry.open(directory) as registry:
        history = registry.history
        for place in range(1, len(DAYS)):
            before, after = states[place - 1], states[place]
            found = history.changed_numbers(
                history.edition_at(DAYS[place - 1]), history.edition_at(DAYS[place])
            )
            differ = {n for n in {*before, *after} if before.get(n) != after.get(n)}
            assert set(found) == differ


def test_versions_say_from_when_to_when(lived: tuple[Path, list[State]]) -> None:
    directory, states = lived
    with Registry.open(directory) as registry:
        for number in states[0]:
            versions = registry.history.versions_of(number)
            assert versions[0].record == states[-1].get(number)
            assert versions[-1].record == states[0][number]
            for version in versions:
                for day, state in zip(DAYS, states, strict=True):
                    if version.edition.day <= day <= version.last.day:
                        held = registry.history.edition_at(day)
                        if version.edition.number <= held <= version.last.number:
                            assert state.get(number) == version.record


def test_history_takes_room_for_changes_and_not_for_records(tmp_path: Path) -> None:
    record = {"title": "Asthma " * 1_000}
    for number in range(1, 60):
        older = pack_version({**record, "turn": number - 1}, {**record, "turn": number})
        change = Change(FIRST, number, Kind.CHANGED, older)
        write_segment(tmp_path, Edition(number, "2025-01-01", "", 1), [change])
    assert len(list(tmp_path.iterdir())) <= 6
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 60_000
    history = History(tmp_path, lambda number: {**record, "turn": 59})
    assert [edition.number for edition in history.editions] == list(range(1, 60))
    for number in (1, 30, 59):
        assert history.version(FIRST, number) == {**record, "turn": number}
    history.close()


def test_days_never_go_back(tmp_path: Path) -> None:
    directory = tmp_path / "registry"
    build_from_studies(many(3), directory, data_timestamp="2025-03-01T00:00:00")
    add_studies(many(4), directory, data_timestamp="2025-02-01T00:00:00")
    with Registry.open(directory) as registry:
        assert [edition.day for edition in registry.history.editions] == ["2025-03-01"] * 2
    check_day(directory, date(2025, 3, 1))
    with pytest.raises(InvalidInput, match="2025-03-01"):
        check_day(directory, date(2025, 2, 28))


def test_an_upgrade_keeps_the_history(tmp_path: Path, vocabulary: Vocabulary) -> None:
    directory = tmp_path / "registry"
    build_from_studies(many(3), directory)
    before = registry_status(directory).editions
    add_studies([study(FIRST, updated="2026-10-01")], directory)
    make_older(directory)
    assert upgrade_registry(directory, vocabulary=vocabulary).upgraded
    with Registry.open(directory) as registry:
        assert registry.history.last == before + 1
        assert registry.history.version(FIRST, 1) == many(1)[0]


def test_history_begins_with_what_a_version_without_it_left(tmp_path: Path) -> None:
    directory = tmp_path / "registry"
    build_from_studies(many(5), directory, data_timestamp="2025-03-01T00:00:00")
    generation = layout.current_generation(directory)
    shutil.rmtree(generation / layout.HISTORY)
    manifest = json.loads((generation / layout.MANIFEST).read_text())
    kept = {k: v for k, v in manifest["checksums"].items() if not k.startswith(layout.HISTORY)}
    (generation / layout.MANIFEST).write_text(json.dumps({**manifest, "checksums": kept}))
    remove_records([NctId(FIRST)], directory)
    with Registry.open(directory) as registry:
        assert registry.history.editions[0].day == "2025-03-01"
        assert registry.history.version(FIRST, 1) == many(1)[0]
        assert registry.history.version(FIRST, 2) is None


def test_damage_is_found_and_a_build_over_it_works(tmp_path: Path) -> None:
    directory = tmp_path / "registry"
    build_from_studies(many(3), directory)
    add_studies([study(FIRST, updated="2026-10-01")], directory)
    (segment,) = (layout.current_generation(directory) / layout.HISTORY).iterdir()
    damaged = bytearray(segment.read_bytes())
    damaged[len(damaged) // 2 :] = b"\x00" * (len(damaged) - len(damaged) // 2)
    segment.chmod(0o644)
    segment.write_bytes(damaged)
    assert not verify_registry(directory).ok
    with pytest.raises(RegistryError, match="damaged"):
        Registry.open(directory)
    file = tmp_path / "studies.json"
    file.write_text(json.dumps(many(4)))
    build_registry([file], directory)
    assert verify_registry(directory).ok
    assert registry_status(directory).editions == 1
