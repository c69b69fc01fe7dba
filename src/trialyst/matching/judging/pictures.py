"""The one condition of which the findings of a note make a plain picture, if they do.

The table of presentations guesses at many; here only the first counts, with points enough to leave
no doubt, and no cancer: nobody has one until it was looked at under a microscope.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trialyst.matching.ingest import NoteReader
from trialyst.matching.prescreen.presentations import guess_conditions

if TYPE_CHECKING:
    from trialyst.eligibility.reading.note import Note
    from trialyst.vocabulary import Vocabulary

__all__ = ["Picture", "find_picture"]

_PLAIN = 6
"""Points of findings from which they leave no doubt."""
_CANCER = "C04"


class Picture(NamedTuple):
    """A condition by its concepts and names, and where its findings stand."""

    concepts: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    """In lower case."""
    spans: tuple[tuple[int, int], ...] = ()


def find_picture(note: Note, vocabulary: Vocabulary) -> Picture:
    """Give the condition a note pictures without naming it; an empty picture if none is plain."""
    guesses = guess_conditions(NoteReader(vocabulary).understand(note))
    if not guesses or guesses[0].points < _PLAIN:
        return Picture()
    guess = guesses[0]
    resolved = (vocabulary.resolve(name).concept for name in (guess.name, *guess.wider))
    meant = [
        concept
        for concept in resolved
        if concept is not None and not any(tree.startswith(_CANCER) for tree in concept.trees)
    ]
    names = {name.lower() for concept in meant for name in concept.names}
    return Picture(frozenset(concept.id for concept in meant), tuple(sorted(names)), guess.spans)
