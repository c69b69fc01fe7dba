"""Saved questions, and how far each has been told: one small file that is replaced whole."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from trialyst.errors import InvalidInput, NotFound
from trialyst.hints import Command, Hint

__all__ = ["Watch", "WatchBook"]

FILE = "watches.json"
LONGEST_NAME = 60
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class Watch(msgspec.Struct, frozen=True, kw_only=True):
    """A saved question."""

    name: str
    arguments: dict[str, Any]
    """What it finds, as arguments of `search_trials`."""
    created: str
    told: int | None = None
    """The number of the last edition that was told; None before the first run."""
    history: str | None = None
    """The history that this number is of."""
    told_at: str | None = None


class WatchBook:
    """All watches of a user, in their order."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._path = home / FILE

    def all(self) -> list[Watch]:
        """Give all watches.

        Raises:
            InvalidInput: the file cannot be read.
        """
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=list[Watch])
        except FileNotFoundError:
            return []
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as problem:
            raise InvalidInput(
                f"The watches in {str(self._path)!r} cannot be read: {problem}",
                hint="Repair the file, or move it away to begin anew.",
                invalid_input=str(self._path),
            ) from None

    def get(self, names: Sequence[str] = ()) -> list[Watch]:
        """Give some watches by name, in the order of these; all where none is named.

        Raises:
            NotFound: there is no watch of a name.
        """
        known = {watch.name: watch for watch in self.all()}
        for name in names:
            if name not in known:
                raise NotFound(
                    f"There is no watch {name!r}",
                    hint=Hint("To see their names, {list}.", list=Command("trialyst watch list")),
                    invalid_input=name,
                )
        return [known[name] for name in names] if names else list(known.values())

    def add(self, watch: Watch) -> None:
        """Keep a watch.

        Raises:
            InvalidInput: the name is taken or cannot stand in an address, or nothing is asked for.
        """
        if not _NAME.fullmatch(watch.name) or len(watch.name) > LONGEST_NAME:
            raise InvalidInput(
                f"{watch.name!r} cannot be the name of a watch",
                hint="Use letters, digits, dots, dashes and underscores, as in my-melanoma.",
                invalid_input=watch.name,
            )
        if not watch.arguments:
            raise InvalidInput(
                "Nothing to watch",
                hint=Hint(
                    "Give words, a drug, a condition, trials or another filter, as in {add}.",
                    add=Command(f"trialyst watch add {watch.name} --condition asthma"),
                ),
            )
        with self._changing() as watches:
            if any(each.name == watch.name for each in watches):
                raise InvalidInput(
                    f"There is a watch {watch.name!r} already",
                    hint=Hint(
                        "Choose another name, or {remove}.",
                        remove=Command(f"trialyst watch remove {watch.name}"),
                    ),
                    invalid_input=watch.name,
                )
            watches.append(watch)

    def remove(self, names: Sequence[str]) -> None:
        """Forget watches; one that is not there raises NotFound and changes nothing."""
        self.get(names)
        with self._changing() as watches:
            watches[:] = [each for each in watches if each.name not in names]

    def mark(self, told: Sequence[Watch]) -> None:
        """Keep how far watches have been told; those that were removed meanwhile stay away."""
        newer = {watch.name: watch for watch in told}
        with self._changing() as watches:
            watches[:] = [newer.get(each.name, each) for each in watches]

    @contextlib.contextmanager
    def _changing(self) -> Iterator[list[Watch]]:
        """Give the watches to change; nobody else changes them meanwhile."""
        self._home.mkdir(parents=True, exist_ok=True)
        with (self._home / f"{FILE}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            watches = self.all()
            yield watches
            aside = self._path.with_name(f"{FILE}.{secrets.token_hex(4)}.tmp")
            with aside.open("wb") as file:
                file.write(msgspec.json.format(msgspec.json.encode(watches), indent=1))
                file.flush()
                os.fsync(file.fileno())
            aside.replace(self._path)
