"""Reading a Dockerfile: its instructions, by stage."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Instruction", "Stage", "load_stages"]


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction: what it does and the text behind it."""

    name: str
    text: str

    @property
    def words(self) -> list[str]:
        """The words behind it: those of its command, if that is written as JSON."""
        if self.text.endswith("]"):
            words: list[str] = json.loads(self.text[self.text.index("[") :])
            return words
        return shlex.split(self.text)


@dataclass(frozen=True, slots=True)
class Stage:
    """What follows one FROM."""

    image: str
    instructions: tuple[Instruction, ...]

    def get(self, name: str) -> Instruction:
        """Give the last instruction of a name, which is the one that counts."""
        return [each for each in self.instructions if each.name == name][-1]

    def variables(self) -> dict[str, str]:
        """Give what ENV sets."""
        pairs = [w.partition("=") for each in self.named("ENV") for w in each.words]
        return {name: text for name, _, text in pairs}

    def named(self, *names: str) -> list[Instruction]:
        """Give every instruction of some names, in order."""
        return [each for each in self.instructions if each.name in names]


def load_stages(path: Path) -> list[Stage]:
    """Load the stages of a Dockerfile."""
    text = re.sub(r"^#.*\n", "", path.read_text("utf-8"), flags=re.M).replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    stages: list[Stage] = []
    for name, _, rest in (line.partition(" ") for line in lines):
        instruction = Instruction(name, rest.strip())
        if name == "FROM":
            stages.append(Stage(rest.split()[0], ()))
        else:
            last = stages.pop()
            stages.append(Stage(last.image, (*last.instructions, instruction)))
    return stages
