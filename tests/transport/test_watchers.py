from __future__ import annotations

import asyncio

import pytest

from trialyst.transport.watchers import tell_watcher, watching


def test_nobody_needs_to_watch() -> None:
    asyncio.run(tell_watcher("something"))


def test_operations_side_by_side_are_told_apart() -> None:
    async def operate(name: str) -> list[str]:
        told: list[str] = []

        async def hear(event: str) -> None:
            told.append(event)

        with watching(hear):
            await asyncio.gather(tell_watcher(f"{name}1"), tell_watcher(f"{name}2"))
        await tell_watcher("too late")
        return told

    async def both() -> tuple[list[str], list[str]]:
        first, second = await asyncio.gather(operate("a"), operate("b"))
        return first, second

    assert asyncio.run(both()) == (["a1", "a2"], ["b1", "b2"])


def test_a_watcher_is_let_go_after_an_error() -> None:
    async def hear(event: str) -> None:
        raise AssertionError(event)

    async def fail() -> None:
        with watching(hear):
            raise LookupError("gone")

    async def run() -> None:
        with pytest.raises(LookupError, match="gone"):
            await fail()
        await tell_watcher("unheard")

    asyncio.run(run())
