"""The rules that tell why a trial stopped, read from `data/stop_reasons.txt` on first use.

The file's head explains its notation. Each rule becomes part of one regular expression over plain
words; gaps are bounded and stay inside a clause, so matching takes time linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

__all__ = ["RuleSet", "compile_rules", "load_rules"]

_CLASS = re.compile(r"<(\w+)>")
_GAP = re.compile(r"~(\d+)")
_MARKS = r".,;:()\-"


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One pattern for each section of the rule file, by the section's name."""

    patterns: Mapping[str, re.Pattern[str]]


@cache
def load_rules() -> RuleSet:
    """Compile the shipped rules."""
    data = resources.files("trialyst.repurposing").joinpath("data", "stop_reasons.txt")
    return compile_rules(data.read_text("utf-8"))


def compile_rules(text: str) -> RuleSet:
    """Compile rules in the notation of the shipped file.

    >>> rules = compile_rules("<few> slow, too few\\n[enrollment]\\n<few> ~2 accru*")
    >>> bool(rules.patterns["enrollment"].search(" slow patient accrual "))
    True
    """
    classes: dict[str, str] = {}
    sections: dict[str, list[str]] = {}
    section = ""
    for line in _lines(text):
        if line.startswith("["):
            section = line.strip("[]")
            sections.setdefault(section, [])
        elif match := re.match(r"<(\w+)> (?=[^~])", line) if not section else None:
            classes[match.group(1)] = _alternatives(line[match.end() :], classes)
        else:
            sections[section].append(_sequence(line, classes))
    return RuleSet(
        {name: re.compile(f"(?<= )(?:{'|'.join(rules)})") for name, rules in sections.items()}
    )


def _lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if bare := line.partition("#")[0].strip():
            yield bare


def _alternatives(listing: str, classes: Mapping[str, str]) -> str:
    """A class: entries divided by commas, each a sequence of its own."""
    entries = (entry.strip() for entry in listing.split(","))
    return f"(?:{'|'.join(_sequence(entry, classes) for entry in entries)})"


def _sequence(rule: str, classes: Mapping[str, str]) -> str:
    return "".join(_atom(atom, classes) for atom in rule.split())


def _atom(atom: str, classes: Mapping[str, str]) -> str:
    if gap := _GAP.fullmatch(atom):
        between = classes.get("barrier", "(?!)")
        return f"(?:(?!{between})[^ {_MARKS}]+ ){{0,{gap.group(1)}}}?"
    optional = atom.endswith("?") and len(atom) > 1
    body = atom.removesuffix("?") if optional else atom
    pattern = "|".join(_word(word, classes) for word in body.split("|"))
    return f"(?:{pattern}){'?' if optional else ''}"


def _word(word: str, classes: Mapping[str, str]) -> str:
    if match := _CLASS.fullmatch(word):
        return classes[match.group(1)]
    if word == "COMMA":
        return ", "
    if word.endswith("*"):
        return f"{re.escape(word[:-1])}[^ ]* "
    return f"{re.escape(word)} "
