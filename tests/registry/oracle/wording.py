"""Words, phrases, enum labels, dates and ages as a person might type them, from real values."""

from __future__ import annotations

import random
import re

from trialyst.essie.ast import CoverageKind, Node, Phrase, Range, Words
from trialyst.essie.enums import enums
from trialyst.essie.pieces import Piece

__all__ = ["age_term", "covering_term", "date_term", "enum_term", "seam_term", "text_term", "words"]

LONGEST_PHRASE = 4
LONGEST_FULL_MATCH = 15

_WORD_OR_COMMA = re.compile(r"[^\s,]+|,")
_PLAIN_WORD = re.compile(r"[^\s\[\]()\"\\,]+")
_OPERATOR = re.compile(
    "AND|OR|NOT|AREA|SEARCH|COVER(AGE)?|EXPANSION|RANGE|MISSING|ALL|DISTANCE|TILT|MIN|MAX"
)


def words(text: str) -> Node:
    """Write a text without quotes."""
    return Words(tuple(_WORD_OR_COMMA.findall(text)))


def text_term(value: str, rng: random.Random) -> Node:
    """Take one to four consecutive words of a value, sometimes spelled another way."""
    parts = value.split()
    length = rng.randint(1, LONGEST_PHRASE)
    start = rng.randrange(max(1, len(parts) - length + 1))
    text = " ".join(parts[start : start + length])
    if rng.random() < 0.5:
        text = text.strip(".,;:()[]*-\\") or text
    return _written(_respelled(text, rng), rng)


def seam_term(value: str, following: str) -> Node:
    """Join the last word of a value to the first of another: a phrase that stands in neither."""
    return Phrase(f"{value.split()[-1]} {following.split()[0]}")


def covering_term(value: str, kind: CoverageKind, rng: random.Random) -> Node:
    """Take the part of a value that COVERAGE asks about, mostly."""
    parts = value.split()
    length = rng.randint(1, LONGEST_PHRASE)
    if kind is CoverageKind.CONTAINS or rng.random() < 0.1:
        return text_term(value, rng)
    if kind is CoverageKind.FULL_MATCH:
        parts = parts[:LONGEST_FULL_MATCH]
    else:
        parts = parts[:length] if kind is CoverageKind.STARTS_WITH else parts[-length:]
    return _written(_respelled(" ".join(parts), rng), rng)


def enum_term(piece: Piece, code: str, rng: random.Random) -> Node:
    """Name an enum value by code or label; a value the enum does not have gives its first."""
    known = enums()[piece.type]
    value = known.find(code) or known.values[0]
    text = rng.choice((value.value, value.label, value.label.lower(), *value.exceptions.values()))
    return _written(text, rng)


def date_term(value: str, rng: random.Random) -> Node:
    """Name the date, its month or its year, or an interval it bounds or lies in."""
    day = value[:10]
    near = rng.choice((day, day[:7], day[:4]))
    shifted = f"{int(day[:4]) + rng.choice((-2, -1, 1, 2)):04d}{rng.choice((day[4:7], ''))}"
    low, high = sorted((near, shifted))
    if len(day) == 10 and rng.random() < 0.1:
        low = f"{day[5:7]}/{day[8:10]}/{day[:4]}"
        high = f"12/31/{day[:4]}"
    if rng.random() < 0.05:
        return Range(None, None)
    return rng.choice((words(near), Range(low, high), Range(None, near), Range(near, None)))


def age_term(value: str, rng: random.Random) -> Node:
    """Name the age, or an interval it bounds or lies in, in its own unit or days."""
    number, unit = value.split()
    as_months = f"{int(number) * 12} months" if unit.startswith("Year") else value
    low = rng.choice((value, as_months, f"{max(0, int(number) - 2)} {unit}", "30 Days"))
    return rng.choice((words(value), Range(low, value), Range(None, value), Range(value, None)))


def _written(text: str, rng: random.Random) -> Node:
    parts = _WORD_OR_COMMA.findall(text)
    if not all(part == "," or _is_plain(part) for part in parts):
        return Phrase(text)
    if not parts or "," in (parts[0], parts[-1]) or rng.random() < 0.5:
        return Phrase(text)
    return Words(tuple(parts))


def _is_plain(word: str) -> bool:
    return bool(_PLAIN_WORD.fullmatch(word)) and not _OPERATOR.fullmatch(word)


def _respelled(text: str, rng: random.Random) -> str:
    draw = rng.random()
    if draw < 0.5:
        return text
    changes = (
        str.upper,
        str.lower,
        lambda t: t + "s",
        lambda t: t.rstrip("s"),
        lambda t: t + "'s",
        lambda t: t.replace("-", " "),
        lambda t: t.replace("-", ""),
        lambda t: t.replace(" ", "-", 1),
        lambda t: t.replace(" ", "  "),
        lambda t: t.replace("e", "é", 1),
        lambda t: t.replace("an", "än", 1),
        lambda t: t[:-2],
    )
    return rng.choice(changes)(text) or text
