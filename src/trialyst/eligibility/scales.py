"""Classes a clinic sorts patients by, such as NYHA III: their names, and which a text counts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from trialyst.eligibility.signs import read_sign, read_way
from trialyst.eligibility.tables import read_lines

__all__ = ["Scale", "ScaleName", "get_scale", "read_grades", "scale_names"]

_ROMAN = dict(zip("i ii iii iv v vi vii viii".split(), "12345678", strict=True))
_ARABIC = {figure: roman for roman, figure in _ROMAN.items()}
_KIND = (
    r"(?:functional|class(?:es|ification|ified)?|stag(?:es?|ing)|grad(?:es?|ing)|types?|levels?"
    r"|categor(?:y|ies)"
    r"|groups?|scores?|status|steps?|scale|criteria|physical|ps|fc|system|index|points?)"
)
_LEAD = re.compile(
    rf"(?:[\s,:=(\[\"'/-]{{0,3}}(?P<kind>{_KIND}|of|is|was|are|be|with|the|as|by|in|at|"
    r"cirrhosis|heart failure|congestive|chf|symptoms|disease|liver|impairment|skin|pain|must"
    r"|should|have|has"
    r"|either|only|clinical|performance|currently|defined|fibrosis|angina"
    r"|gvhd)\b){0,6}[\s:,=(\[\"')-]{0,4}"
)
_GRADE = re.compile(
    r"(?:(?:class|stage|grade|type|level|group|category|functional class|score)\s{1,2})?"
    r"((?:[fgc]|lr-?)?(?:viii|vii|vi|iv|v|iii|ii|i|[0-9](?:\.5)?)[a-f]?|[a-e](?:5|6|7|8|9"
    r"|10)?)(?![\w.](?!$)|%)"
)
_JOIN = re.compile(r"\s{0,3}(?:(-|to|through|until)|(,?\s{0,2}(?:and/or|or|and|&)|,|/|;))\s{0,3}")
_BEFORE = re.compile(rf"(?<![a-z]){_KIND}\b")
_OF_SCALE = frozenset(
    "of the according to by based on and heart failure chronic cirrhosis liver hepatic ( ) , in as "
    "per using a an disease patients with cardiac insufficiency congestive acute symptoms defined "
    "on classification copd obesity from renal kidney advanced primary moderate severe".split()
)
_WORD = re.compile(r"[a-z]+|[^\sa-z]")
_REACH = 48


@dataclass(frozen=True, slots=True)
class Scale:
    """A classification: its classes from best to worst."""

    id: str
    name: str
    classes: tuple[str, ...]
    spellings: dict[str, int]


@dataclass(frozen=True, slots=True)
class ScaleName:
    """A name of a scale, and how strictly it is read."""

    scale: Scale
    written: str | None = None
    needs_kind: bool = False
    """Whether `class`, `stage` or a like word has to stand beside it."""


@cache
def _scales() -> tuple[dict[str, Scale], tuple[tuple[str, ScaleName], ...]]:
    by_id: dict[str, Scale] = {}
    names: list[tuple[str, ScaleName]] = []
    for line in read_lines("scales.txt"):
        key, name, others, listed = (part.strip() for part in line.split("|"))
        scale = by_id[key] = _scale(key, name, listed)
        for other in (name, *filter(None, map(str.strip, others.split(";")))):
            bare = other.rstrip("?")
            plain = bare.strip('"')
            written = plain if bare != plain else None
            names.append((plain, ScaleName(scale, written, other.endswith("?"))))
    return by_id, tuple(names)


def _scale(key: str, name: str, listed: str) -> Scale:
    classes: list[str] = []
    spellings: dict[str, int] = {}
    for place, part in enumerate(listed.split(";")):
        one, _, others = part.strip().partition("=")
        classes.append(one)
        for spelling in (one, *filter(None, others.split(","))):
            spellings[spelling.lower()] = place
    for plain, place in list(spellings.items()):
        figure, letter = (plain[:-1], plain[-1]) if plain[-1:] in "abc" else (plain, "")
        for other in (figure, _ROMAN.get(figure), _ARABIC.get(figure)):
            for ending in (letter,) if letter else ("", "a", "b"):
                if other and (other[0].isdigit() or other[0] in "iv"):
                    spellings.setdefault(other + ending, place)
    return Scale(key, name, tuple(classes), spellings)


def get_scale(scale_id: str) -> Scale | None:
    """Give a scale by its id."""
    return _scales()[0].get(scale_id)


def scale_names() -> tuple[tuple[str, ScaleName], ...]:
    """Give every name of a scale."""
    return _scales()[1]


def read_grades(
    text: str, plain: str, name: tuple[int, int], scale: ScaleName
) -> tuple[tuple[str, ...], int, int] | None:
    """Give the classes that stand behind or before a name, and the span of the whole.

    >>> text = "NYHA class III or higher"
    >>> read_grades(text, text.lower(), (0, 4), ScaleName(get_scale("nyha")))
    (('III', 'IV'), 0, 24)
    """
    start, end = name
    lead = _LEAD.match(plain, end)
    at = end if lead is None else lead.end()
    told = lead is not None and _BEFORE.search(lead.group()) is not None
    read = _listed(text, plain, at, scale.scale)
    told = told or text[at : at + 1] in ("I", "V")
    if read is not None and (told or read[2] or not scale.needs_kind):
        return read[0], start, read[1]
    reach = max(0, start - _REACH)
    for kind in reversed(list(_BEFORE.finditer(plain, reach, start))):
        read = _listed(text, plain, kind.end(), scale.scale)
        if read is None:
            continue
        gap = plain[read[1] : start]
        if read[1] <= start and all(word in _OF_SCALE for word in _WORD.findall(gap)):
            return read[0], kind.start(), end
    return None


def _listed(
    text: str, plain: str, at: int, scale: Scale
) -> tuple[tuple[str, ...], int, bool] | None:
    """Read `[comparator] class [to class] [or higher]`; the last says whether it is compared."""
    at += len(plain[at : at + 3]) - len(plain[at : at + 3].lstrip())
    sign, at = read_sign(plain, at)
    first = _grade(text, plain, at, scale)
    if first is None:
        return None
    places, end = [first[0]], first[1]
    for _ in range(8):
        join = _JOIN.match(plain, end)
        following = None if join is None else _grade(text, plain, join.end(), scale)
        if join is None or following is None:
            break
        if join.group(1):
            places += range(min(places[-1], following[0]), max(places[-1], following[0]) + 1)
        places.append(following[0])
        end = following[1]
    way, end = read_way(plain, end)
    chosen = _chosen(set(places), sign or way, len(scale.classes))
    return tuple(scale.classes[place] for place in chosen), end, bool(sign or way)


def _grade(text: str, plain: str, at: int, scale: Scale) -> tuple[int, int] | None:
    match = _GRADE.match(plain, at)
    if match is None or match.group(1) not in scale.spellings:
        return None
    if match.group(1) in "abcde" and not text[match.start(1)].isupper():
        # "A" is a class of Child-Pugh, "a" is an article.
        return None
    return scale.spellings[match.group(1)], match.end(1)


def _chosen(places: set[int], sign: str, count: int) -> list[int]:
    low, high = min(places), max(places)
    if sign in (">", ">=", "worse"):
        return list(range(low + (sign == ">"), count))
    if sign in ("<", "<=", "better"):
        return list(range(high + (sign != "<")))
    return sorted(places)
