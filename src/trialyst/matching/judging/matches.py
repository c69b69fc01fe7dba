"""Where a criterion and a note speak of the same things: names, words and findings.

Counts only; what follows from them is for the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from trialyst.matching.judging.lexicon import Syndrome, meaning
from trialyst.matching.judging.statement import ReadStatement
from trialyst.matching.judging.view import Named, NoteView, Sighting

__all__ = ["Matches", "Shown", "find_matches"]


_ENOUGH = 3
"""Findings that make a condition likely when none of them proves it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A condition the criterion names, and how far the note shows it."""

    syndrome: Syndrome
    count: int
    sure: bool
    denied: bool

    @property
    def holds(self) -> bool:
        """Whether the note shows the condition well enough to take it as given."""
        return not self.syndrome.family and (self.sure or self.count >= _ENOUGH)


class Matches(NamedTuple):
    """What a note has of a criterion's content."""

    named: tuple[Named, ...]
    """Names of the same or a narrower thing in the note."""
    words: tuple[tuple[str, Sighting], ...]
    """Words of the same meaning."""
    shown: tuple[Shown, ...]
    residue: tuple[str, ...]
    """Content of the criterion that the note does not have."""
    unseen: tuple[str, ...]
    """Content of which the note does not speak at all, not even to deny it."""
    share: float
    """How much of the content the note has."""

    @property
    def held(self) -> tuple[Shown, ...]:
        """The conditions that hold."""
        return tuple(shown for shown in self.shown if shown.holds)

    @property
    def taken(self) -> tuple[Sighting, ...]:
        """Where the note tells of a drug the criterion names, or of one of its class."""
        return tuple(
            named.sighting for named in self.named
            if named.taken and named.sighting.standing == "has"
        )  # fmt: skip

    @property
    def has_word(self) -> bool:
        """Whether the note affirms a word of the criterion."""
        return any(sighting.standing == "has" for _, sighting in self.words)

    @property
    def has_name(self) -> bool:
        """Whether the note affirms a thing the criterion names."""
        return any(named.sighting.standing == "has" for named in self.named)

    @property
    def denies_name(self) -> bool:
        """Whether the note denies a thing the criterion names, and affirms none."""
        standings = {named.sighting.standing for named in self.named}
        return "denied" in standings and "has" not in standings


def find_matches(statement: ReadStatement, view: NoteView) -> Matches:
    """Look for a criterion's content in a note."""
    named: list[Named] = []
    present: set[str] = set()
    denied: set[str] = set()
    for name, held in _names(statement.tokens, view):
        named.extend(held)
        has = any(item.sighting.standing == "has" for item in held)
        (present if has else denied).update(filter(None, map(meaning, name)))
    words = tuple(
        (content, sighting)
        for content in statement.contents
        for sighting in view.words.get(content, ())
    )
    present.update(content for content, sighting in words if sighting.standing == "has")
    shown = []
    for syndrome, meanings in statement.syndromes:
        found = Shown(syndrome, *view.groups(syndrome))
        shown.append(found)
        if found.holds:
            present |= meanings
    contents = statement.contents
    residue = tuple(content for content in contents if content not in present)
    unseen = tuple(content for content in residue if content not in denied)
    share = 1 - len(residue) / len(contents) if contents else 0.0
    return Matches(tuple(named), words, tuple(shown), residue, unseen, share)


def _names(
    tokens: tuple[str, ...], view: NoteView
) -> Iterator[tuple[tuple[str, ...], list[Named]]]:
    names = view.names
    if names.keys().isdisjoint(tokens):
        return
    after = 0
    for at, token in enumerate(tokens):
        candidates = names.get(token)
        if not candidates or at < after:
            continue
        best: tuple[str, ...] = ()
        for name in candidates:
            if len(name) > len(best) and tokens[at : at + len(name)] == name:
                best = name
        after = at + len(best)
        if best and (len(best) > 1 or meaning(best[0])):
            yield best, candidates[best]
