"""How an older version of a record follows from a newer one, as a small JSON value.

A patch is read against the newer value:

- `{"=": value}`: it was this instead,
- `{"~": [head, tail, text]}`: of a text, the first and last so many characters stay,
- `{"{}": {key: patch}, "-": [key]}`: of an object, some members were others or were not there,
- `{"[]": [piece]}`: of a list, each piece is a number of items taken from a place in the newer
  list (`[place, number]`), an item that stood there (`{"=": item}`), or an item of the newer list
  with a patch (`{"@": place, "!": patch}`).

No change at all is None. Numbers are compared by value: 1 and 1.0 are the same.
"""

from __future__ import annotations

from typing import Any

import msgspec

from trialyst.errors import RegistryError

__all__ = ["NO_SUCH_PATCH", "apply_patch", "make_patch"]

SHORTEST_CUT = 40
"""Characters that a text must share with its other version to be kept as a cut of it."""
NO_SUCH_PATCH = "a difference between two versions does not fit the record"

Patch = dict[str, Any]


def make_patch(newer: Any, older: Any) -> Patch | None:
    """Give what turns the newer value into the older; None if they are the same."""
    if newer == older:
        return None
    if isinstance(newer, dict) and isinstance(older, dict):
        return _of_objects(newer, older)
    if isinstance(newer, list) and isinstance(older, list):
        return _of_lists(newer, older)
    if isinstance(newer, str) and isinstance(older, str):
        return _of_texts(newer, older)
    return {"=": older}


def apply_patch(newer: Any, patch: Patch | None) -> Any:
    """Give the older value.

    Raises:
        RegistryError: the patch was made from another value.
    """
    try:
        return newer if patch is None else _apply(newer, patch)
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as problem:
        raise RegistryError(f"The history is damaged: {NO_SUCH_PATCH}") from problem


def _of_objects(newer: dict[str, Any], older: dict[str, Any]) -> Patch:
    members: dict[str, Any] = {}
    for key, value in older.items():
        patch = make_patch(newer[key], value) if key in newer else {"=": value}
        if patch is not None:
            members[key] = patch
    gone = [key for key in newer if key not in older]
    return {"{}": members, **({"-": gone} if gone else {})}


def _of_texts(newer: str, older: str) -> Patch:
    most = min(len(newer), len(older))
    head = _shared(newer, older, most)
    tail = _shared(newer[::-1], older[::-1], most - head)
    if head + tail < SHORTEST_CUT:
        return {"=": older}
    return {"~": [head, tail, older[head : len(older) - tail]]}


def _shared(one: str, other: str, most: int) -> int:
    """Count the characters that two texts begin with alike, by halving."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _of_lists(newer: list[Any], older: list[Any]) -> Patch:
    """Keep runs of items that both lists have; an item that only changed keeps its place."""
    places: dict[bytes, list[int]] = {}
    for place, item in enumerate(newer):
        places.setdefault(msgspec.json.encode(item, order="sorted"), []).append(place)
    keys = [msgspec.json.encode(item, order="sorted") for item in older]
    taken = {place for key in keys for place in places.get(key, ())}
    pieces: list[Any] = []
    next_place = 0
    for item, key in zip(older, keys, strict=True):
        found = places.get(key)
        if found:
            place = min(found, key=lambda each: abs(each - next_place))
            last = pieces[-1] if pieces else None
            if isinstance(last, list) and last[0] + last[1] == place:
                last[1] += 1
            else:
                pieces.append([place, 1])
            next_place = place + 1
            continue
        is_other = next_place < len(newer) and next_place not in taken
        if is_other and isinstance(item, dict) and isinstance(newer[next_place], dict):
            pieces.append({"@": next_place, "!": make_patch(newer[next_place], item)})
            next_place += 1
        else:
            pieces.append({"=": item})
    return {"[]": pieces}


def _apply(newer: Any, patch: Patch) -> Any:
    if "=" in patch:
        return patch["="]
    if "~" in patch:
        head, tail, text = patch["~"]
        if head + tail > len(newer):
            raise ValueError(NO_SUCH_PATCH)
        return newer[:head] + text + newer[len(newer) - tail :]
    if "{}" in patch:
        gone = set(patch.get("-", ()))
        older = {key: value for key, value in newer.items() if key not in gone}
        for key, each in patch["{}"].items():
            older[key] = _apply(newer.get(key), each)
        return older
    return [item for piece in patch["[]"] for item in _items(newer, piece)]


def _items(newer: list[Any], piece: Any) -> list[Any]:
    if isinstance(piece, list):
        start, number = piece
        if start + number > len(newer):
            raise IndexError(NO_SUCH_PATCH)
        return newer[start : start + number]
    if "=" in piece:
        return [piece["="]]
    return [_apply(newer[piece["@"]], piece["!"])]
