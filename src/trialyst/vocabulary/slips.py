"""What slips of the pen lie between a name as written and a known one, and what they cost.

A slip for which hand, ear or memory has a reason costs less than any other: swapped letters, a
letter doubled or not, vowel for vowel, `f` for `ph`, a space too many or too few. Digits are never
mistaken: in a code they are the name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, pairwise, permutations
from math import inf
from string import ascii_lowercase

__all__ = ["LONGER", "SPACE", "Likeness", "beginnings", "slip_cost"]

ANY_LETTER = 1.0
"""A letter missing, too many, or in place of another of its sort: the measure of the rest."""
OTHER_SORT = 1.5
"""A vowel in place of a consonant, or the other way round."""
AT_THE_START = 0.4
"""What a slip in the first letter costs more: names are known by their beginning."""
NEIGHBOURING_KEY = 0.8
VOWEL_LOST = 0.8
LAST_LETTER = 0.7
SWAPPED = 0.6
ALIKE = 0.6
MOVED = 0.9
"""A letter two places from its own."""
SILENT = 0.5
SPACE = 0.5
DOUBLED = 0.4
SOUND = 0.4
LONGER = 3
"""Letters by which a known name may be longer or shorter than what was written."""
MOST_EDITS = 3
"""Letters in which a known name may differ, whatever the reason."""

_VOWELS = frozenset("aeiouy")
_ALIKE_LETTERS = ("aeiouy", "ck", "cs", "sz", "kq", "gj", "fv", "mn", "bp", "dt", "vw", "xz")
_KEYBOARD = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_SOUNDS = """
    ph f, ae e, oe e, eu u, ou u, ch k, ck k, sc s, ps s, pn n, gn n, kn n, wr r, rh r, rrh r, th t,
    x ks, x cs, x cc, x ct, x cz, cc ks, qu kw, sch sh, dg g, tio sio, tia cia, cia sia, gu g,
    tch ch, ght t, hy i
"""


def slip_cost(written: str, known: str, *, limit: float) -> float:
    """Give the least cost of the slips that make `written` of `known`; infinity above the limit.

    >>> slip_cost("pembrolizumb", "pembrolizumab", limit=2)
    0.8
    >>> slip_cost("mk 3476", "mk 3475", limit=2)
    inf
    """
    missing = [_lone_cost(known, at) for at in range(len(known))]
    rows = [_first_row(missing)]
    for _ in written:
        rows.append(_next_row(rows, written, known, missing))
        # A sound of several letters, or a letter moved, reaches back over three rows.
        if all(round(min(row), 3) > limit for row in rows[-LONGER:]):
            return inf
    cost = round(rows[-1][-1], 3)
    return cost if cost <= limit else inf


def _first_row(missing: list[float]) -> list[float]:
    row = [0.0]
    for at, cost in enumerate(missing):
        row.append(row[-1] + cost if at < LONGER else inf)
    return row


def _next_row(
    rows: list[list[float]], written: str, known: str, missing: list[float]
) -> list[float]:
    """Give the costs of one more letter written, against each beginning of `known`."""
    at = len(rows) - 1
    above, letter, extra = rows[at], written[at], _lone_cost(written, at)
    row = [inf] * (len(known) + 1)
    row[0] = above[0] + extra if at < LONGER else inf
    costs = _substitutions()[letter]
    for to in range(max(0, at - LONGER), min(len(known), at + LONGER + 1)):
        best = above[to]
        if letter != known[to]:
            start = 0.0 if at or to else AT_THE_START
            best = min(
                best + costs[known[to]] + start, above[to + 1] + extra, row[to] + missing[to]
            )
        row[to + 1] = min(best, _displaced(rows, written, known, to))
    return row


def _displaced(rows: list[list[float]], written: str, known: str, to: int) -> float:
    """Give the least cost of letters that changed places or sound alike, up to these two."""
    at = len(rows) - 1
    best = inf
    if at and to and written[at] == known[to - 1] and written[at - 1] == known[to]:
        best = rows[at - 1][to - 1] + SWAPPED
    if at > 1 and to > 1 and _is_moved(written[at - 2 : at + 1], known[to - 2 : to + 1]):
        best = min(best, rows[at - 2][to - 2] + MOVED)
    for heard, meant in _sounds().get((written[at], known[to]), ()):
        if written.endswith(heard, 0, at + 1) and known.endswith(meant, 0, to + 1):
            best = min(best, rows[at + 1 - len(heard)][to + 1 - len(meant)] + SOUND)
    return best


def _is_moved(three: str, others: str) -> bool:
    return three[1:] + three[0] == others or three[2] + three[:2] == others


def _lone_cost(text: str, at: int) -> float:
    """Give the cost of a letter that the other text does not have."""
    letter = text[at]
    if letter.isdigit():
        return inf
    if letter == " ":
        return SPACE
    if letter in (text[at - 1 : at], text[at + 1 : at + 2]):
        return DOUBLED
    if letter == "h":
        return SILENT
    if at == len(text) - 1:
        return LAST_LETTER
    return (VOWEL_LOST if letter in _VOWELS else ANY_LETTER) + (0.0 if at else AT_THE_START)


class _Substitutes(dict[str, float]):
    """What it costs to have one letter in place of each other."""

    def __init__(self, letter: str) -> None:
        self.letter = letter

    def __missing__(self, other: str) -> float:
        if not (self.letter.isalpha() and other.isalpha()):
            return inf
        same_sort = (self.letter in _VOWELS) == (other in _VOWELS)
        return ANY_LETTER if same_sort else OTHER_SORT


class _Letters(dict[str, _Substitutes]):
    def __missing__(self, letter: str) -> _Substitutes:
        self[letter] = row = _Substitutes(letter)
        return row


@cache
def _substitutions() -> _Letters:
    costs = _Letters()
    beside = [pair for row in _KEYBOARD for pair in pairwise(row)]
    below = [
        (letter, other)
        for row, lower in pairwise(_KEYBOARD)
        for place, letter in enumerate(lower)
        for other in row[place : place + 2]
    ]
    alike = [pair for group in _ALIKE_LETTERS for pair in combinations(group, 2)]
    for pairs, cost in (([*beside, *below], NEIGHBOURING_KEY), (alike, ALIKE)):
        for pair in pairs:
            for one, other in permutations(pair):
                costs[one][other] = cost
    return costs


@cache
def _sounds() -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Give what sounds alike, by the last letters of both."""
    found = defaultdict(list)
    for pair in _SOUNDS.split(","):
        for heard, meant in permutations(pair.split()):
            found[heard[-1], meant[-1]].append((heard, meant))
    return dict(found)


class Likeness:
    """Tells quickly which texts are near enough to one for weighing what lies between them."""

    def __init__(self, written: str) -> None:
        self._letters = frozenset(written)
        self._length = len(written)
        self._places: dict[str, int] = defaultdict(int)
        for at, letter in enumerate(written):
            self._places[letter] |= 1 << at

    def __call__(self, known: str) -> bool:
        """Whether at most `MOST_EDITS` letters are missing, too many, wrong or swapped."""
        if not -LONGER <= len(known) - self._length <= LONGER:
            return False
        if len(self._letters.symmetric_difference(known)) > MOST_EDITS + 1:
            return False
        return self._edits(known) <= MOST_EDITS

    def _edits(self, known: str) -> int:
        """Count edits a column at once, a bit a letter (Hyyro 2003: transposition included)."""
        everything = (1 << self._length) - 1
        last = 1 << (self._length - 1)
        edits, more, fewer, diagonal, before = self._length, everything, 0, 0, 0
        for letter in known:
            same = self._places.get(letter, 0)
            swapped = ((~diagonal & same) << 1) & before
            diagonal = ((((same & more) + more) ^ more) | same | fewer | swapped) & everything
            right_more = fewer | (~(diagonal | more) & everything)
            right_fewer = diagonal & more
            edits += bool(right_more & last) - bool(right_fewer & last)
            right_more = (right_more << 1) | 1
            more = ((right_fewer << 1) | ~(diagonal | right_more)) & everything
            fewer = right_more & diagonal & everything
            before = same
        return edits


def beginnings(written: str) -> tuple[str, ...]:
    """Give the beginnings of the words that a slip may have made into this one.

    Most begin with the same letter; where the first is wrong, missing or too many, the next two are
    right.

    >>> beginnings("rash")[:3]
    ('r', 'ar', 'as')
    """
    first, second, third = written[:1], written[1:2], written[2:3]
    found = [first, second + first, second + third]
    found += (f"{letter}{first}{second}" for letter in ascii_lowercase)
    found += (f"{letter}{second}{third}" for letter in ascii_lowercase)
    found += (
        f"{meant}{written[len(heard) : len(heard) + 2]}"
        for pairs in _sounds().values()
        for heard, meant in pairs
        if written.startswith(heard)
    )
    return tuple(_without_longer(filter(None, found)))


def _without_longer(found: Iterable[str]) -> Iterator[str]:
    kept: set[str] = set()
    for beginning in sorted(set(found), key=lambda each: (len(each), each)):
        if not any(beginning[:size] in kept for size in range(1, len(beginning))):
            kept.add(beginning)
            yield beginning
