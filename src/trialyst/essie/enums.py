"""The enumerations of the study structure: values, their legacy labels, and the way back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from trialyst.essie.pieces import read_data_lines

__all__ = ["EnumValue", "Enumeration", "enums", "fold_label"]


@dataclass(frozen=True, slots=True)
class EnumValue:
    """One value and the label older interfaces showed for it."""

    value: str
    label: str
    exceptions: Mapping[str, str] = field(default_factory=dict)
    """Other labels the value has in particular pieces."""


@dataclass(frozen=True, slots=True)
class Enumeration:
    """A type with its values and the pieces that carry it."""

    type: str
    pieces: tuple[str, ...]
    values: tuple[EnumValue, ...]

    def find(self, text: str) -> EnumValue | None:
        """Find a value by code or legacy label, blind to case, spacing and punctuation.

        >>> enums()["Phase"].find("Phase 2").value
        'PHASE2'
        """
        return _by_folded_text(self.type).get(fold_label(text))


def fold_label(text: str) -> str:
    """Reduce a code or label to its letters and digits."""
    return re.sub(r"[\W_]+", "", text.casefold())


@cache
def enums() -> Mapping[str, Enumeration]:
    """Give every enumeration by type name."""
    table: dict[str, Enumeration] = {}
    head: tuple[str, tuple[str, ...]] | None = None
    values: list[EnumValue] = []
    for line in [*read_data_lines("enums.txt"), "."]:
        if line.startswith("    @ "):
            piece, _, label = line[6:].partition(" = ")
            last = values[-1]
            values[-1] = EnumValue(last.value, last.label, {**last.exceptions, piece: label})
        elif line.startswith("  "):
            value, _, label = line.strip().partition(" = ")
            values.append(EnumValue(value, label))
        else:
            if head:
                table[head[0]] = Enumeration(head[0], head[1], tuple(values))
            name, _, owners = line.partition(":")
            head, values = (name, tuple(owners.split())), []
    return table


@cache
def _by_folded_text(type_name: str) -> Mapping[str, EnumValue]:
    table: dict[str, EnumValue] = {}
    values = enums()[type_name].values
    for value in values:
        for label in (value.label, *value.exceptions.values()):
            table.setdefault(fold_label(label), value)
    for value in values:
        table[fold_label(value.value)] = value
    return table
