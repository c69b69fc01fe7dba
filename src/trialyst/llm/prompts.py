"""Prompts as files of the package, each with a version that answers and recordings name.

What a prompt quotes is data: `quote_data` puts it between marks that the data itself cannot hold.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Template

__all__ = ["Prompt", "load_prompt", "quote_data"]

_SYSTEM, _USER = "\n--- system\n", "\n--- user\n"


@dataclass(frozen=True, slots=True)
class Prompt:
    """Instructions, and the text that carries what they are about."""

    name: str
    version: int
    system: str
    user: str

    @property
    def label(self) -> str:
        """Name and version, as recordings and runs tell it."""
        return f"{self.name} v{self.version}"

    @property
    def digest(self) -> str:
        """Changes with every letter of the prompt."""
        return hashlib.sha256(f"{self.system}\0{self.user}".encode()).hexdigest()[:16]

    def fill(self, **values: str) -> str:
        """Give the text with its places filled; what is filled in is not looked at again."""
        return Template(self.user).substitute(values)


@cache
def load_prompt(package: str, name: str) -> Prompt:
    """Read the prompt `name` that a package ships in `data/prompts`."""
    text = resources.files(package).joinpath("data", "prompts", f"{name}.txt").read_text("utf-8")
    head, _, rest = text.partition(_SYSTEM)
    system, _, user = rest.partition(_USER)
    version = int(head.strip().removeprefix("version:"))
    return Prompt(name, version, system.strip(), user.strip())


def quote_data(kind: str, text: str) -> str:
    """Put data between marks made from itself, which it therefore cannot close.

    >>> quote_data("note", "ok").splitlines()[0].startswith("<note-")
    True
    """
    clean = text.encode("utf-8", "replace")
    mark = f"{kind}-{hashlib.sha256(clean).hexdigest()[:10]}"
    return f"<{mark}>\n{clean.decode()}\n</{mark}>"
