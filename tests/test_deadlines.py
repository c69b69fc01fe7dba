"""Deadlines: they pass, are called off, hold inside each other, and reach other threads."""

from __future__ import annotations

import asyncio

import pytest

from trialyst.deadlines import Deadline, check_deadline, current_deadline, under_deadline
from trialyst.errors import DeadlinePassed


def test_without_a_deadline_nothing_is_raised() -> None:
    assert current_deadline() is None
    check_deadline()


def test_a_deadline_holds_inside_and_nowhere_else() -> None:
    with under_deadline(Deadline(-1)), pytest.raises(DeadlinePassed, match="within -1 s"):
        check_deadline()
    check_deadline()


def test_one_without_a_limit_can_be_called_off() -> None:
    deadline = Deadline()
    deadline.check()
    assert deadline.seconds_left is None
    assert not deadline.sheds_load
    deadline.cancel()
    with pytest.raises(DeadlinePassed, match="called off"):
        deadline.check()


def test_calling_off_the_inner_leaves_the_outer() -> None:
    outer = Deadline(60)
    inner = Deadline(600, within=outer)
    assert inner.seconds_left is not None
    assert inner.seconds_left <= 60
    inner.cancel()
    outer.check()
    outer.cancel()
    with pytest.raises(DeadlinePassed):
        Deadline(within=outer).check()


def test_it_reaches_threads() -> None:
    async def ask() -> Deadline | None:
        with under_deadline(Deadline(60)):
            return await asyncio.to_thread(current_deadline)

    assert asyncio.run(ask()) is not None
