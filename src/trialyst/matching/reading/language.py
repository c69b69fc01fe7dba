"""Whether a note could be read: another language, or a text that is no note, is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.eligibility.words import split_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trialyst.eligibility.reading.note import Note
    from trialyst.matching.patient import Fact

__all__ = ["tell_language"]

_ENGLISH = frozenset(
    "the of with and is has had for to she he his year old at by not history from who this after "
    "denies are were been be years which that".split()
)
_FOREIGN = frozenset(
    "une des les le la du de et avec pour sans depuis est ans pas der die das und mit ist ein eine "
    "einer nicht von seit kein keine sie frau mann hat bei leidet femme homme mujer hombre tiene "
    "paciente donna uomo el los las con una por sin del desde que anos y il di per della senza "
    "een het van met geen".split()
)
_SAMPLE = 20_000
_FEWEST_WORDS = 12
_FEWEST_STRANGE = 2
"""Different words of another language are enough, because its denials are not understood."""
_LEAST_ENGLISH = 0.08
_MUCH_FOREIGN = 0.15


def tell_language(note: Note, facts: Sequence[Fact]) -> tuple[str, ...]:
    """Say why little was found, where little was found."""
    words = [word.text for word in split_words(note.text[:_SAMPLE]) if word.text.isalpha()]
    share = sum(word in _ENGLISH for word in words) / max(len(words), 1)
    foreign = sum(word in _FOREIGN for word in words) / max(len(words), 1)
    strange = foreign >= _MUCH_FOREIGN and len(_FOREIGN.intersection(words)) >= _FEWEST_STRANGE
    little = len(facts) * 8 < len(words) and len(words) >= _FEWEST_WORDS
    if share < _LEAST_ENGLISH and strange and not little:
        return (
            "The note does not read like English, the only language understood: what it denies may "
            "have been taken as said.",
        )
    if share < _LEAST_ENGLISH and little:
        return (
            f"Little was found ({len(facts)} facts in {len(words)} words): the note does not read "
            "like English, the only language understood.",
        )
    if not facts:
        return ("Nothing was found that a search for trials could use: is this a patient note?",)
    return ()
