"""What a reader of a chart must know: contradictions, impossible values, several patients."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trialyst.eligibility.chart import SexCode
from trialyst.eligibility.words import split_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from trialyst.eligibility.reading.note import Note, Sentence
    from trialyst.eligibility.reading.passage import Passage
    from trialyst.eligibility.reading.persons import Demographics

__all__ = ["find_second_patient", "tell_impossible", "tell_language", "tell_person"]

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
_LATIN = "\u024f"
"""The last letter of those that English is written with, or borrows."""
_ANOTHER = re.compile(
    r"^\W*(?:(?:patient|pt|case|subject)\s*(?:#|no\.?|number)?\s*(?:[2-9]|two|ii|B)\b\s*[:.)\u2013-]"
    r"|(?:the\s+)?(?:second|other|next) patient\b)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<![*\d.,-])20[2-9][0-9](?!\d|[.,]\d|\s*(?:mg|ml|cells|kcal|/))")
_OPENING = re.compile(
    r"^\W*(?:(?:an?|the patient is an?|patient is an?)\s+)?([0-9]{1,3})"
    r"[-\s]*(?:years?|yrs?|y)?[-\s/.]*(?:old|o)?[-\s.]*"
    r"(?:(?:\w+\s+){0,2}(?:(?P<f>woman|female|girl|lady)|(?P<m>man|male|boy|gentleman))"
    r"|(?-i:(?P<F>F)|(?P<M>M))\b)",
    re.IGNORECASE,
)


def find_second_patient(note: Note) -> Sentence | None:
    """Give the sentence with which another patient's story begins, if one does.

    Another is told by a heading, or by a second opening with another age and sex.
    """
    first: tuple[str, str] | None = None
    for sentence in note.sentences:
        if sentence.number and _ANOTHER.search(sentence.text):
            return sentence
        match = _OPENING.match(sentence.text)
        if match is None:
            continue
        opened = match.group(1), "F" if match["f"] or match["F"] else "M"
        if first is not None and opened[0] != first[0] and opened[1] != first[1]:
            return sentence
        first = first or opened
    return None


def tell_person(person: Demographics) -> Iterator[str]:
    """Say what of age, sex and pregnancy contradicts itself."""
    if person.pregnant and person.sex is SexCode.MALE:
        yield "The note calls the patient male and pregnant: one of the two is wrong."
    if person.pregnant and person.age is not None and not 9 <= person.age.years <= 60:
        yield f"The note calls a patient aged {person.age} pregnant."


def tell_impossible(passages: Iterable[Passage], today: date) -> Iterator[str]:
    """Say which values nobody can have, and which times lie ahead of the day."""
    for passage in passages:
        for year in _YEAR.finditer(passage.text):
            if int(year.group()) > today.year:
                yield f"{year.group()} lies in the future."
        for value in passage.values:
            if value.impossible:
                yield (
                    f"{passage.text[value.start : value.end]!r} cannot be: no living patient has "
                    f"such a value of {value.name}; it is not used."
                )
        for time in passage.times:
            if time.future and _YEAR.search(time.when.words) is None:
                yield f"{time.when.words!r} lies after the day of the note."


def tell_language(note: Note, found: int) -> Iterator[str]:
    """Say why little was found, where little was found."""
    words = [word for word in split_texts(note.text[:_SAMPLE]) if word.isalpha()]
    share = sum(word in _ENGLISH for word in words) / max(len(words), 1)
    foreign = sum(word in _FOREIGN for word in words) / max(len(words), 1)
    strange = foreign >= _MUCH_FOREIGN and len(_FOREIGN.intersection(words)) >= _FEWEST_STRANGE
    little = found * 8 < len(words) and len(words) >= _FEWEST_WORDS
    letters = [letter for letter in note.text[:_SAMPLE] if letter.isalpha()]
    other = sum(letter > _LATIN for letter in letters) * 2 > len(letters)
    if share < _LEAST_ENGLISH and (strange or little or other):
        yield (
            "The note does not read like English, the only language understood: little was found, "
            "and what it denies may have been taken as said."
        )
    elif not found:
        yield "Nothing was found that a search for trials could use: is this a patient note?"
