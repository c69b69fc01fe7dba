"""Slips of the pen, made at random as people make them: typing, hearing, memory."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

__all__ = ["misspell"]

KEYBOARD = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
VOWELS = "aeiou"
HEARD = (
    ("ph", "f"),
    ("y", "i"),
    ("i", "y"),
    ("th", "t"),
    ("ch", "k"),
    ("c", "k"),
    ("c", "s"),
    ("s", "c"),
    ("s", "z"),
    ("z", "s"),
    ("x", "ks"),
    ("rh", "r"),
    ("ae", "e"),
    ("oe", "e"),
    ("ei", "ie"),
    ("ie", "ei"),
    ("qu", "k"),
    ("sc", "s"),
    ("ti", "si"),
    ("m", "n"),
    ("n", "m"),
    ("g", "j"),
    ("ou", "u"),
    ("eu", "u"),
)

Slip = Callable[[random.Random, str], str | None]


def misspell(rng: random.Random, name: str, *, slips: int = 1) -> str | None:
    """Give a name with some slips in its longer words, or None where none could be made."""
    text = name.lower()
    for _ in range(slips):
        words = [match.span() for match in re.finditer(r"[a-z]{4,}", text)]
        if not words:
            return None
        start, end = rng.choice(words)
        slip = rng.choices([slip for slip, _ in SLIPS], [weight for _, weight in SLIPS])[0]
        changed = slip(rng, text[start:end])
        if changed is None:
            return None
        text = f"{text[:start]}{changed}{text[end:]}"
    return text if text != name.lower() else None


def _drop(rng: random.Random, word: str) -> str:
    at = rng.randrange(len(word))
    return word[:at] + word[at + 1 :]


def _drop_last(rng: random.Random, word: str) -> str:
    return word[:-1]


def _swap(rng: random.Random, word: str) -> str:
    at = rng.randrange(len(word) - 1)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _double(rng: random.Random, word: str) -> str:
    at = rng.randrange(len(word))
    return word[:at] + word[at] + word[at:]


def _undouble(rng: random.Random, word: str) -> str | None:
    return _replaced(rng, word, r"([a-z])\1", r"\1")


def _press_neighbour(rng: random.Random, word: str) -> str:
    at = rng.randrange(len(word))
    return word[:at] + rng.choice(_neighbours(word[at])) + word[at + 1 :]


def _press_two(rng: random.Random, word: str) -> str:
    at = rng.randrange(len(word))
    return word[:at] + rng.choice(_neighbours(word[at])) + word[at:]


def _mistake_vowel(rng: random.Random, word: str) -> str | None:
    places = [at for at, letter in enumerate(word) if letter in VOWELS]
    if not places:
        return None
    at = rng.choice(places)
    other = rng.choice([vowel for vowel in VOWELS if vowel != word[at]])
    return word[:at] + other + word[at + 1 :]


def _mishear(rng: random.Random, word: str) -> str | None:
    meant, heard = rng.choice([pair for pair in HEARD if pair[0] in word] or [("", "")])
    return _replaced(rng, word, meant, heard) if meant else None


def _split(rng: random.Random, word: str) -> str | None:
    at = rng.randrange(2, len(word) - 1)
    return f"{word[:at]} {word[at:]}"


def _replaced(rng: random.Random, word: str, pattern: str, other: str) -> str | None:
    found = list(re.finditer(pattern, word))
    if not found:
        return None
    match = rng.choice(found)
    return word[: match.start()] + match.expand(other) + word[match.end() :]


def _neighbours(letter: str) -> str:
    row = next(row for row in KEYBOARD if letter in row)
    at = row.index(letter)
    return row[max(0, at - 1) : at] + row[at + 1 : at + 2]


# How often each is made: what hands and ears do most comes first.
SLIPS: tuple[tuple[Slip, float], ...] = (
    (_drop, 20),
    (_swap, 15),
    (_mistake_vowel, 18),
    (_mishear, 18),
    (_double, 8),
    (_undouble, 8),
    (_press_neighbour, 8),
    (_press_two, 4),
    (_drop_last, 5),
    (_split, 4),
)
