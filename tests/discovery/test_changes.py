"""What changed is what a naive comparison of the raw versions says, with and without a question."""

from __future__ import annotations

import asyncio
import copy
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.registry.invented import FIRST, study
from trialyst.discovery import Discovery
from trialyst.errors import InvalidInput
from trialyst.ids import NctId
from trialyst.registry import (
    Registry,
    RegistrySource,
    add_studies,
    build_from_studies,
    remove_records,
)

State = dict[int, dict[str, Any]]
DAYS = ("2025-01-01", "2025-02-01", "2025-03-01", "2025-04-01")
CONDITIONS = ("asthma", "melanoma")
STATUSES = ("RECRUITING", "COMPLETED", "TERMINATED")


def made(number: int, rng: random.Random) -> dict[str, Any]:
    return study(
        number,
        updated="2024-06-01",
        status={"overallStatus": rng.choice(STATUSES)},
        conditions={"conditions": [rng.choice(CONDITIONS)]},
    )


def changed(state: State, rng: random.Random) -> State:
    state = copy.deepcopy(state)
    for number in rng.sample(sorted(state), 6):
        protocol = state[number]["protocolSection"]
        protocol["statusModule"]["overallStatus"] = rng.choice(STATUSES)
        if rng.random() < 0.3:
            protocol["conditionsModule"]["conditions"] = [rng.choice(CONDITIONS)]
    for number in rng.sample(sorted(state), 2):
        del state[number]
    for number in rng.sample(range(FIRST, FIRST + 40), 3):
        state.setdefault(number, made(number, rng))
    return state


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Discovery, list[State]]]:
    rng = random.Random(11)
    directory = tmp_path_factory.mktemp("changes") / "registry"
    states = [{number: made(number, rng) for number in range(FIRST, FIRST + 30)}]
    build_from_studies(states[0].values(), directory, data_timestamp=f"{DAYS[0]}T00:00:00")
    for day in DAYS[1:]:
        states.append(changed(states[-1], rng))
        build_from_studies(states[-1].values(), directory, data_timestamp=f"{day}T00:00:00")
    with Registry.open(directory) as registry:
        yield Discovery(RegistrySource(registry)), states


def ask(discovery: Discovery, **arguments: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Give the first answer, and the items of all pages."""
    first = asyncio.run(discovery.get_changes(**arguments))
    items, cursor = list(first["items"]), first.cursor
    while cursor:
        page = asyncio.run(discovery.get_changes(cursor=cursor))
        items, cursor = [*items, *page["items"]], page.cursor
    return first.to_dict(), items


def has(record: dict[str, Any] | None, condition: str | None, status: str | None) -> bool:
    if record is None:
        return False
    protocol = record["protocolSection"]
    return (condition is None or condition in protocol["conditionsModule"]["conditions"]) and (
        status is None or status == protocol["statusModule"]["overallStatus"]
    )


def naive(
    before: State, after: State, condition: str | None, status: str | None
) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {kind: set() for kind in ("new", "changed", "gone")}
    for number in {*before, *after}:
        old, new = before.get(number), after.get(number)
        if old == new or not (has(old, condition, status) or has(new, condition, status)):
            continue
        found["new" if old is None else "gone" if new is None else "changed"].add(number)
    return found


def test_counts_and_trials_are_those_of_a_naive_comparison(
    lived: tuple[Discovery, list[State]],
) -> None:
    discovery, states = lived
    wrong = []
    for first in range(len(DAYS)):
        for last in range(first, len(DAYS)):
            for condition, status in ((None, None), ("asthma", None), ("asthma", "RECRUITING")):
                if last != len(DAYS) - 1 and status is None and condition:
                    continue
                asked = {"condition": condition, "status": status, "page_size": 7}
                given = {name: value for name, value in asked.items() if value}
                answer, items = ask(discovery, since=DAYS[first], until=DAYS[last], **given)
                expected = naive(states[max(first - 1, 0)], states[last], condition, status)
                counts = {kind: len(numbers) for kind, numbers in expected.items()}
                found: dict[str, set[int]] = {kind: set() for kind in expected}
                for item in items:
                    found[item["kind"]].add(NctId.parse(item["id"]).number)
                if (answer["counts"], found) != (counts, expected):
                    wrong.append((first, last, given, answer["counts"], counts))
                assert answer["pagination"]["total_count"] == len(items)
    assert wrong == []


def test_trials_that_a_question_no_longer_finds_are_told_so(
    lived: tuple[Discovery, list[State]],
) -> None:
    discovery, states = lived
    _, items = ask(discovery, since=DAYS[1], status="RECRUITING")
    told = {
        NctId.parse(item["id"]).number: item["question"] for item in items if "question" in item
    }
    before, after = states[0], states[-1]
    expected = {}
    for number in {*before, *after}:
        old, new = before.get(number), after.get(number)
        was, now = has(old, None, "RECRUITING"), has(new, None, "RECRUITING")
        if old and new and was != now:
            expected[number] = "left" if was else "entered"
    assert told == expected
    assert {"left", "entered"} == set(told.values())


def test_what_is_not_known_is_said(lived: tuple[Discovery, list[State]]) -> None:
    discovery, _ = lived
    answer, _ = ask(discovery, since="2020")
    assert any("before 2025-01-01 is not known" in note for note in answer["provenance"]["notes"])
    for wrong in ({"until": "2020"}, {"since": "2026", "until": "2025"}, {"since": "soon"}):
        with pytest.raises(InvalidInput):
            ask(discovery, **wrong)


def test_weightiest_first_and_in_words(tmp_path: Path) -> None:
    directory = tmp_path / "registry"
    rng = random.Random(1)
    studies = [made(FIRST + place, rng) for place in range(4)]
    build_from_studies(studies, directory, data_timestamp="2025-01-01T00:00:00")
    ended = copy.deepcopy(studies[2])
    ended["protocolSection"]["statusModule"] |= {
        "overallStatus": "WITHDRAWN",
        "whyStopped": "No funding",
    }
    titled = copy.deepcopy(studies[1])
    titled["protocolSection"]["identificationModule"]["briefTitle"] = "Another title"
    new = study(FIRST + 9, updated="2025-01-20")
    add_studies([ended, titled, new], directory, data_timestamp="2025-02-01T00:00:00")
    remove_records([NctId(FIRST)], directory, data_timestamp="2025-02-02T00:00:00")
    with Registry.open(directory) as registry:
        _, items = ask(Discovery(RegistrySource(registry)))
    assert [item["kind"] for item in items] == ["changed", "gone", "new", "changed"]
    assert "withdrawn, reason: No funding" in items[0]["changes"][0]["what"]
    assert [item["seen"] for item in items] == ["2025-02-01", "2025-02-02", *["2025-02-01"] * 2]
