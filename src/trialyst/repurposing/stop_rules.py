"""The rules that tell why a trial stopped, read from `data/stop_reasons.txt` on first use.

The file's head explains its notation. A rule is tried only at the words it can begin with, its gaps
are bounded and stay inside a clause: matching takes time linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

__all__ = ["Section", "compile_rules", "load_rules", "strike"]

_CLASS = re.compile(r"<(\w+)>")
_GAP = re.compile(r"~(\d+)")
_MARKS = r".,;:()\-"
# Distinct words of a registry's texts are about 20,000; hostile ones must not fill the memory.
_MEMORY = 50_000


@dataclass(frozen=True, slots=True)
class _Parts:
    """The classes of a rule file: their patterns, and the words each can begin with."""

    patterns: dict[str, str] = field(default_factory=dict)
    openings: dict[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Section:
    """The rules of one section, in the order of the file."""

    rules: tuple[re.Pattern[str], ...]
    openings: Mapping[str, tuple[int, ...]]
    """The words a rule can begin with, a prefix marked by `*`, and the rules that do."""
    _seen: dict[str, tuple[re.Pattern[str], ...]] = field(default_factory=dict)

    def spans(self, words: str) -> list[tuple[int, int]]:
        """Give the spans that match, leftmost first and none inside another."""
        found = []
        seen = self._seen
        done = following = 1
        for word in words[1:-1].split(" "):
            position = following
            following += len(word) + 1
            if position < done:
                continue
            rules = seen.get(word)
            for rule in self._starting(word) if rules is None else rules:
                if match := rule.match(words, position):
                    found.append(match.span())
                    done = match.end()
                    break
        return found

    def _starting(self, word: str) -> tuple[re.Pattern[str], ...]:
        if len(self._seen) >= _MEMORY:
            self._seen.clear()
        prefixes = (f"{word[:length]}*" for length in range(1, len(word) + 1))
        numbers = {n for opening in (word, *prefixes) for n in self.openings.get(opening, ())}
        rules = self._seen[word] = tuple(self.rules[number] for number in sorted(numbers))
        return rules


def strike(words: str, spans: Sequence[tuple[int, int]]) -> str:
    """Give the words with the spans struck out, each word as long as it was."""
    pieces = []
    done = 0
    for start, end in spans:
        pieces.append(words[done:start])
        pieces.append(re.sub(r"[^ ]", "_", words[start:end]))
        done = end
    return "".join((*pieces, words[done:])) if pieces else words


@cache
def load_rules() -> Mapping[str, Section]:
    """Compile the shipped rules: the sections of the file by their names."""
    data = resources.files("trialyst.repurposing").joinpath("data", "stop_reasons.txt")
    return compile_rules(data.read_text("utf-8"))


def compile_rules(text: str) -> Mapping[str, Section]:
    """Compile rules in the notation of the shipped file.

    >>> rules = compile_rules("<few> slow, too few\\n[enrollment]\\n<few> ~2 accru*")
    >>> rules["enrollment"].spans(" very slow patient accrual ")
    [(6, 27)]
    """
    parts = _Parts()
    sections: dict[str, list[str]] = {}
    listed: list[str] | None = None
    for line in _lines(text):
        if line.startswith("["):
            listed = sections.setdefault(line.strip("[]"), [])
        elif listed is None:
            _define(line, parts)
        else:
            listed.append(line)
    return {name: _section(rules, parts) for name, rules in sections.items()}


def _lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if bare := line.partition("#")[0].strip():
            yield bare


def _define(line: str, parts: _Parts) -> None:
    name, _, listing = line.partition("> ")
    entries = [entry.strip() for entry in listing.split(",")]
    patterns = "|".join(_sequence(entry, parts) for entry in entries)
    parts.patterns[name[1:]] = f"(?:{patterns})"
    parts.openings[name[1:]] = frozenset().union(*(_openings(entry, parts) for entry in entries))


def _section(rules: Sequence[str], parts: _Parts) -> Section:
    openings: dict[str, list[int]] = {}
    for number, rule in enumerate(rules):
        for opening in _openings(rule, parts):
            openings.setdefault(opening, []).append(number)
    compiled = tuple(re.compile(_sequence(rule, parts)) for rule in rules)
    return Section(compiled, {opening: tuple(found) for opening, found in openings.items()})


def _openings(rule: str, parts: _Parts) -> frozenset[str]:
    """The words a rule can begin with; a rule may not begin with a gap."""
    found: frozenset[str] = frozenset()
    for atom in rule.split():
        for word in atom.removesuffix("?").split("|"):
            match = _CLASS.fullmatch(word)
            found |= parts.openings[match.group(1)] if match else {word.replace("COMMA", ",")}
        if not atom.endswith("?"):
            break
    return found


def _sequence(rule: str, parts: _Parts) -> str:
    return "".join(_atom(atom, parts) for atom in rule.split())


def _atom(atom: str, parts: _Parts) -> str:
    if gap := _GAP.fullmatch(atom):
        barrier = parts.patterns.get("barrier", "(?!)")
        word = f"(?!{barrier})[^ {_MARKS}]+ "
        # An abbreviation or a number of a study in parentheses ends no clause.
        return rf"(?:{word}|\( {word}\) ){{0,{gap.group(1)}}}?"
    pattern = "|".join(_word(word, parts) for word in atom.removesuffix("?").split("|"))
    return f"(?:{pattern}){'?' if atom.endswith('?') else ''}"


def _word(word: str, parts: _Parts) -> str:
    if match := _CLASS.fullmatch(word):
        return parts.patterns[match.group(1)]
    if word.endswith("*"):
        return f"{re.escape(word[:-1])}[^ ]* "
    return f"{re.escape(word.replace('COMMA', ','))} "
