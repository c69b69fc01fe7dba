"""One test of a whole table: every case is tried, and those that fail are told."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest

__all__ = ["on_each_case"]

SHOWN = 10
MOST_SECONDS = 600
"""Some hundred cases share what catches a hang of one."""


def on_each_case(
    names: str | tuple[str, ...], cases: Iterable[Any], *, ids: Any = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Try a test on every case, in the manner of `pytest.mark.parametrize`, as one test.

    A table of some hundred quick cases costs more to collect, send to a process and report than
    to try. For tests that change nothing: fixtures are the same for all cases.
    """
    named = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    table = [(case,) if len(named) == 1 else tuple(case) for case in cases]
    assert table, "a test without a case cannot fail"
    texts = list(map(ids, (row[0] for row in table))) if callable(ids) else ids or map(repr, table)
    labels = [str(text) for text in texts]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def on_all(**fixtures: Any) -> None:
            failed = []
            for row, label in zip(table, labels, strict=True):
                try:
                    test(**fixtures, **dict(zip(named, row, strict=True)))
                except (
                    Exception,
                    pytest.fail.Exception,
                ) as error:  # Reported below, with the case it is of.
                    failed.append(f"{label}: {type(error).__name__}: {error}")
            told = "\n\n".join(failed[:SHOWN])
            assert not failed, f"{len(failed)} of {len(table)} cases fail\n\n{told}"

        signature = inspect.signature(test)
        others = [each for name, each in signature.parameters.items() if name not in named]
        on_all.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        del on_all.__wrapped__  # pytest would look through it and ask for the cases again.
        patient: Callable[..., None] = pytest.mark.timeout(MOST_SECONDS)(on_all)
        return patient

    return decorate
