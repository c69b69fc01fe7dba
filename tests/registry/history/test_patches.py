"""Older versions follow from newer ones exactly, whatever changed, and differences stay small."""

from __future__ import annotations

import copy
import random
from typing import Any

import msgspec
import pytest

from trialyst.errors import RegistryError
from trialyst.registry.history.patches import apply_patch, make_patch

LONG = "Adults with asthma and a positive skin test, treated for at least a year. " * 20


def drawn(rng: random.Random, depth: int = 0) -> Any:
    kind = rng.choice(["text", "number", "flag", "none", "list", "object"][: 6 if depth < 3 else 4])
    if kind == "text":
        return rng.choice(["", "a", "é" * rng.randrange(60), LONG[: rng.randrange(len(LONG))]])
    if kind == "number":
        return rng.choice([0, 1, -7, 2.5, 1.0])
    if kind in ("flag", "none"):
        return rng.random() < 0.5 if kind == "flag" else None
    if kind == "list":
        return [drawn(rng, depth + 1) for _ in range(rng.randrange(5))]
    return {rng.choice("abcdef=~@!-"): drawn(rng, depth + 1) for _ in range(rng.randrange(5))}


def mutated(rng: random.Random, value: Any) -> Any:
    """Give a copy that differs a little somewhere, or not at all."""
    value = copy.deepcopy(value)
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice(sorted(value))
        if rng.random() < 0.2:
            del value[key]
        else:
            value[key] = mutated(rng, value[key])
        return value
    if isinstance(value, list) and value and rng.random() < 0.8:
        place = rng.randrange(len(value))
        how = rng.random()
        if how < 0.3:
            value.insert(place, drawn(rng, 2))
        elif how < 0.5:
            value.pop(place)
        elif how < 0.6:
            rng.shuffle(value)
        else:
            value[place] = mutated(rng, value[place])
        return value
    if isinstance(value, str) and value and rng.random() < 0.8:
        place = rng.randrange(len(value))
        return value[:place] + rng.choice(["", "x", "other words"]) + value[place + 1 :]
    return drawn(rng, 2)


def test_every_older_version_comes_back_exactly() -> None:
    rng = random.Random(7)
    for _ in range(2_000):
        newer = drawn(rng)
        older = mutated(rng, newer) if rng.random() < 0.9 else drawn(rng)
        patch = msgspec.json.decode(msgspec.json.encode(make_patch(newer, older)))
        assert apply_patch(newer, patch) == older, (newer, older, patch)


def test_a_difference_is_as_small_as_the_change() -> None:
    sites = [{"facility": f"Site {n}", "city": "Boston", "status": "OPEN"} for n in range(200)]
    newer = {"criteria": LONG, "sites": sites, "unchanged": [LONG] * 10}
    older = copy.deepcopy(newer)
    older["criteria"] = LONG.replace("at least a year", "at least two years", 1)
    older["sites"] = [*sites[:50], {**sites[50], "status": "CLOSED"}, *sites[52:]]
    assert len(msgspec.json.encode(make_patch(newer, older))) < 200
    assert apply_patch(newer, make_patch(newer, older)) == older


def test_a_difference_from_another_record_is_an_error() -> None:
    patch = make_patch({"a": [1, 2, 3], "b": LONG}, {"a": [1, 2], "b": LONG[5:]})
    others: list[Any] = [{"a": [1], "b": LONG}, {"a": [1, 2, 3], "b": "x"}, [], None, "text"]
    for other in others:
        with pytest.raises(RegistryError, match="history"):
            apply_patch(other, patch)
