"""Expensive questions: few at a time, called off, refused when too many wait, and ended in time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

from tests.registry.invented import asked, many, opened
from trialyst.deadlines import Deadline, check_deadline, under_deadline
from trialyst.errors import DeadlinePassed, Overloaded
from trialyst.registry import Registry, RegistrySource
from trialyst.registry.gate import Gate

EXACT = asked(query_term='EXPANSION[None]"trial"')


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry]:
    registry = opened(tmp_path_factory.mktemp("gate"), *many(20))
    yield registry
    registry.close()


def test_who_has_no_time_left_in_line_is_told() -> None:
    gate = Gate(1)
    with gate.passed(), under_deadline(Deadline(0)), pytest.raises(DeadlinePassed), gate.passed():
        pass


def test_the_line_is_short_for_those_with_a_deadline() -> None:
    gate = Gate(1, most_waiting=0)
    with gate.passed():
        with under_deadline(Deadline(60)), pytest.raises(Overloaded) as refused, gate.passed():
            pass
        assert refused.value.retry_after > 0
        waiter = threading.Thread(target=_pass, args=(gate,))
        waiter.start()
    waiter.join()


def _pass(gate: Gate) -> None:
    with gate.passed():
        pass


def test_a_place_is_given_back_after_an_error() -> None:
    gate = Gate(1)
    for _ in range(2):
        with pytest.raises(KeyError), gate.passed():
            raise KeyError


def test_what_reads_records_is_expensive(registry: Registry) -> None:
    assert registry.is_expensive(EXACT)
    assert registry.is_expensive(asked(query_term="COVERAGE[FullMatch]trial"))
    assert not registry.is_expensive(asked(query_term='EXPANSION[Term]"trial"'))


def test_an_exact_question_ends_with_its_deadline(registry: Registry) -> None:
    with under_deadline(Deadline(0)), pytest.raises(DeadlinePassed):
        registry.find(EXACT)
    with under_deadline(Deadline(60)):
        assert registry.find(EXACT).total == registry.count(EXACT)


def test_a_question_nobody_waits_for_is_called_off(registry: Registry) -> None:
    """The thread of a cancelled task stops at its next step."""
    source = RegistrySource(registry)
    begun, ended = threading.Event(), threading.Event()

    def slow() -> None:
        begun.set()
        try:
            while True:
                check_deadline()
        finally:
            ended.set()

    async def leave() -> None:
        waiting = asyncio.create_task(source._ask(EXACT, slow))
        await asyncio.to_thread(begun.wait)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await asyncio.to_thread(ended.wait)

    asyncio.run(leave())
    assert ended.is_set()
