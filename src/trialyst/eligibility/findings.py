"""The table of findings and the conditions they show, read from `data/implications.txt`."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from trialyst.eligibility.analytes import get_analyte
from trialyst.eligibility.tables import read_lines

__all__ = [
    "Finding",
    "FindingGroup",
    "Rule",
    "finding_names",
    "is_measured",
    "parse_rule",
    "read_rules",
]

_COUNTED = re.compile(r"(\d+) of:\s*")
_ASKED = re.compile(r"[<>]=? |(?:high|low|positive|negative)$")
_PERSON = frozenset({"female", "male", "pregnant", "smokes", "drinks", "uses drugs"})
_VERBS = frozenset({"takes", "had", "age"})


class Finding(NamedTuple):
    """One finding, by any of its names."""

    text: str
    alternatives: tuple[str, ...]
    alone: bool = False
    """Whether it is enough by itself in its group."""


class FindingGroup(NamedTuple):
    """Findings of which at least so many must be there."""

    least: int
    findings: tuple[Finding, ...]


class Rule(NamedTuple):
    """What shows a condition: every group."""

    condition: str
    certain: bool
    groups: tuple[FindingGroup, ...]
    defined: bool = False
    """Whether its first finding is a value that the name of the condition stands for."""


@cache
def read_rules() -> tuple[Rule, ...]:
    """Read the table once."""
    return tuple(map(parse_rule, read_lines("implications.txt")))


def parse_rule(line: str) -> Rule:
    """Read `condition | strength | findings`.

    >>> parse_rule("asthma | probable | wheeze & 1 of: eczema; +hay fever").groups[1].least
    1
    """
    condition, strength, listed = (part.strip() for part in line.split("|"))
    groups = tuple(map(_group, listed.split(" & ")))
    return Rule(condition, strength in ("certain", "defined"), groups, strength == "defined")


def _group(text: str) -> FindingGroup:
    counted = _COUNTED.match(text)
    if counted is None:
        return FindingGroup(1, (_finding(text),))
    return FindingGroup(
        int(counted.group(1)), tuple(map(_finding, text[counted.end() :].split(";")))
    )


def _finding(text: str) -> Finding:
    plain = text.strip()
    names = plain.removeprefix("+").split(" / ")
    return Finding(plain, tuple(name.strip() for name in names), plain.startswith("+"))


@cache
def finding_names() -> frozenset[str]:
    """Give the findings that are names to look for in a note."""
    return frozenset(
        name
        for rule in read_rules()
        for group in rule.groups
        for finding in group.findings
        for name in finding.alternatives
        if _is_name(name)
    )


@cache
def is_measured(text: str) -> bool:
    """Whether a finding is a value: `sodium < 135`, `troponin high`; not "systolic murmur"."""
    analyte, _, asked = text.partition(" ")
    return bool(_ASKED.match(asked)) and get_analyte(analyte) is not None


def _is_name(text: str) -> bool:
    if text in _PERSON or text.partition(" ")[0] in _VERBS:
        return False
    return not is_measured(text)
