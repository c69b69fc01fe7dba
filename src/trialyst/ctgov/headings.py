"""Headings of eligibility texts: which lines open a block of inclusion or exclusion criteria.

A heading names a kind of criteria ("Key Exclusion Criteria:"), a group of them ("Cohort B:"), or
both ("Inclusion Criteria for healthy volunteers"). A stem ("One of the following:") is a criterion
of its own, not a heading; only one that says its items exclude also opens a block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["CriterionKind", "Heading", "find_headings", "read_heading", "stem_kind"]


class CriterionKind(StrEnum):
    """What a criterion is for."""

    INCLUSION = "inclusion"
    EXCLUSION = "exclusion"
    OTHER = "other"
    """Neither: an introduction, a permission, a note, or a block that mixes both."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading's span in the text, and what it says of the criteria under it."""

    start: int
    end: int
    kind: CriterionKind | None
    """None for a heading that names a group only."""
    group: str | None
    section: bool = True
    """Whether its kind lasts until the next such heading, or for the items right under it."""


_IN, _EX, _OTHER = CriterionKind.INCLUSION, CriterionKind.EXCLUSION, CriterionKind.OTHER
_LONGEST = 160
_MOST_WORDS = 14
_MOST_BEFORE = 5
"""More words than this before `Exclusion Criteria` are a criterion that ran into the heading."""
_CRITERIA = r"(?:criteri[aou]n?m?s?|critera|critieria|requirements?)"
_KIND = r"(?:(?:non|not)[- ]?inclusions?|in?c?lus?sions?|exc?lus?sions?|exculsions?)"
_NAMED = re.compile(
    rf"(?<![^\W_])(?:(?P<first>{_KIND})(?![^\W_])(?!\s+of\s+(?:women|minorit))(?:[\s_]+{_CRITERIA})?"
    rf"|{_CRITERIA}\s+(?:for|of)\s+(?P<second>{_KIND}))\b",
    re.IGNORECASE,
)
_BOTH = re.compile(
    rf"\binclusions?(?:\s+{_CRITERIA})?\s*(?:/|and|&|or)\s*exclusions?\b", re.IGNORECASE
)
_MEASURE = re.compile(r"[<>=≥≤%]|\d\s*(?:years?|yrs?|mg|kg|mm|cm|ml|feet|inches)\b", re.IGNORECASE)
# Inside a line only the written-out form counts, begun with a capital and closed with a colon.
_INSIDE = re.compile(
    r"(?<![A-Za-z\"'(/])(?:(?:Key|Main|Major|General|Specific|Other|Additional|Primary)\s+)?"
    r"(?:Non[- ]?[Ii]nclusion|In?clusion|Exclusion|INCLUSION|EXCLUSION)s?"
    r"(?:\s+(?:[Cc]riteri(?:a|on|um)|CRITERIA))?\s*(?::|(?<=riteria)$|(?<=RITERIA)$)"
)
# Cancer trials of the 1990s run all of these into one line.
_OLD_BLOCK = re.compile(r"(?:DISEASE|PATIENT) CHARACTERISTICS:|PRIOR[ /]CONCURRENT THERAPY:")
_INSIDE_OLD = re.compile(
    rf"{_OLD_BLOCK.pattern}|{_INSIDE.pattern}"
    r"|\b(?:Age|Sex|Menopausal status|Performance status|Life expectancy|Hematopoietic|Hepatic"
    r"|Renal|Cardiovascular|Pulmonary|Neurologic|Other|Biologic therapy|Chemotherapy"
    r"|Endocrine therapy|Radiotherapy|Surgery):"
)
_SENTENCE = re.compile(
    r"\b(?:may|might|could|will|must|shall|should|is|are|was|were|be|apply|applied|appl(?:y|ies)"
    r"|meet|meets|met|fulfil+s?|see|refer|specific|no|per)\b",
    re.IGNORECASE,
)
_OPENS_INCLUSION = re.compile(
    r"\b(?:may|will|must|are|is|to)\s+be\s+(?:eligible|included|enrol+ed|admitted)\b"
    r"|\b(?:are|is)\s+eligible\b|^required\b",
    re.IGNORECASE,
)
_OPENS_EXCLUSION = re.compile(
    r"\bexclu(?:de[ds]?|sions?)\b|\bexclusion(?:ary)?\b|\b(?:in|non-?)eligible\b"
    r"|\bnot\s+(?:be\s+)?(?:eligible|enrol+ed|included|admitted|participate|enter|take part|have)\b"
    r"|\b(?:may|must|should|can|could)\s*not\b|\bcannot\b|\bprohibited\b|\bdisallowed\b",
    re.IGNORECASE,
)
_PERMITS = re.compile(
    r"^allowed\b(?! not)"
    r"|^(?!.*\bnot\b)[^.]{0,60}\b(?:allowed|permitted|recommended|encouraged)\W*$",
    re.IGNORECASE,
)
_STEM = re.compile(
    r"^no\b|\b(?:following|below|any of|one of|all of|either|if (?:they|he|she|you|the)|who|which"
    r"|that|defined|includ(?:e|es|ing)|such as|as follows|must|have|has|with|meets?|by|of|or|and"
    r"|e\.g|i\.e)\b",
    re.IGNORECASE,
)
_GENERIC = frozenset(
    "a above addition additional admitted all also an and any apply are at be both can child"
    " children considered criteria criterion each either eligibility eligible enroll enrolled enrol"
    " enrolled enrollment enrolment enter entered entry following follows for for has have he her"
    " his if in include included inclusion individual individuals infants into is it least male"
    " males female females may meet meeting meets men met must of on one only or order order"
    " participant participants participate participation patient patients person persons phase"
    " potential protocol randomized randomised required requirements research screening she should"
    " study subject subjects than that the their these they this those to trial volunteer"
    " volunteers was were when who will with women you your fulfil fulfill satisfy".split()
)
_MOST_SPECIFIC = 3
"""An opening with more words of its own than this says something, so it is a criterion."""
_FILLER = re.compile(
    r"^(?:key|main|major|general|primary|principal|selected|select|summary|abbreviated|the|study"
    r"|trial|subject|subjects|patient|patients|participant|participants|include|includes|are"
    r"|will be|for|of|in|to|the following|specific)\b\s*|^\W+|[\s:.\-–—(]+$",
    re.IGNORECASE,
)
_EXCLUDED = re.compile(r"(?:excluded?|not eligible|exclusionary)\s*:", re.IGNORECASE)
_NO_GROUP = frozenset(
    ("", "or", "and", "and/or", "either", "note", "notes", "criteria", "eligibility criteria")
)
_LONG_WORD = re.compile(r"[A-Z]{5}")
_NEXT_LINE = re.compile(r"\s*(.*\S)")
_ALL_CAPS = re.compile(r"^[^a-z]*[A-Z][^a-z]*[A-Z][^a-z]*$")


def read_heading(text: str, start: int, end: int, *, listed: bool) -> Heading | None:
    """Read the beginning of a line, or of a list item, as a heading; None when it is a criterion.

    The heading may end before the line does: what follows its colon is a criterion.
    """
    line = text[start:end] if end - start <= _LONGEST else text[start : start + _LONGEST]
    if named := _read_named(line, whole=end - start <= _LONGEST):
        return Heading(start, start + named[1], named[0], _group(line[: named[1]]))
    if excluded := _EXCLUDED.match(line):
        return Heading(start, start + excluded.end(), _EX, None, section=False)
    if listed or end - start > _LONGEST or _INSIDE.search(line):
        return None
    words = line.split()
    if line.lower() in _NO_GROUP:
        return Heading(start, end, None, None, section=False)
    if not line.endswith(":"):
        titled = 1 < len(words) <= 8 and _is_capital_title(line, text, end)
        return Heading(start, end, None, _plain_title(line), section=False) if titled else None
    kind = stem_kind(line)
    if kind and not (". " in line or (kind is _IN and _says_something(words))):
        return Heading(start, end, kind, _plain_title(line), section=False)
    if not kind and len(words) <= 8 and (_ALL_CAPS.match(line) or not _STEM.search(line)):
        return Heading(start, end, None, _plain_title(line), section=False)
    return None


def _is_capital_title(line: str, text: str, end: int) -> bool:
    """Whether a line in capitals is the title of what stands below it.

    `BMI < 28` and `HIV/AIDS` are criteria, and so is every line where all are in capitals.
    """
    if not _ALL_CAPS.match(line) or line[-1] in ".;," or _MEASURE.search(line):
        return False
    below = _NEXT_LINE.match(text, end)
    titled = below is not None and not _ALL_CAPS.match(below.group(1))
    return titled and bool(_LONG_WORD.search(line))


def _says_something(words: list[str]) -> bool:
    specific = [word for word in words if word.strip(",.:;()/").lower() not in _GENERIC]
    return len(specific) > _MOST_SPECIFIC


def _read_named(line: str, *, whole: bool) -> tuple[CriterionKind, int] | None:
    """The kind that a heading such as `Key Exclusion Criteria (Part B):` names, and its length."""
    found = _NAMED.search(line)
    if not found:
        return None
    colon = line.find(":", found.end())
    if colon < 0 and not whole:
        return None
    title = line[: colon + 1] if colon >= 0 else line
    if not _is_title(title, found):
        return None
    if _BOTH.search(title):
        return (_OTHER, len(title)) if not _SENTENCE.search(title) else None
    return _kind_of(found["first"] or found["second"]), len(title)


def _is_title(title: str, found: re.Match[str]) -> bool:
    """Whether the words up to a colon or the end of a line are a title, and nothing but that."""
    before = title[: found.start()]
    capital = found.group()[0].isupper()
    if len(title.split()) > _MOST_WORDS or _MEASURE.search(before):
        return False
    if capital and len(before.split()) > _MOST_BEFORE:
        return False
    if title.endswith(":"):
        return True
    if found.group() == title.strip():
        return True
    bare = not re.search(_CRITERIA, found.group(), re.IGNORECASE)
    return not (bare or not capital or title[-1] in ".;," or _SENTENCE.search(title))


def _kind_of(word: str) -> CriterionKind:
    return _IN if word.lower().startswith("i") else _EX


def stem_kind(stem: str) -> CriterionKind | None:
    """What a line that ends in a colon says of the items under it; None when nothing."""
    if not stem.rstrip().endswith(":"):
        return None
    if _PERMITS.match(stem):
        return _OTHER
    if _OPENS_EXCLUSION.search(stem):
        return _EX
    return _IN if _OPENS_INCLUSION.search(stem) else None


def find_headings(text: str, start: int, end: int) -> Iterator[Heading]:
    """Find the headings inside a line, as in `... on insulin. Exclusion Criteria: asthma`."""
    pattern = _INSIDE_OLD if _OLD_BLOCK.match(text, start) else _INSIDE
    for found in pattern.finditer(text, start, end):
        named = _NAMED.search(found.group())
        if named:
            kind = _kind_of(named["first"] or named["second"])
            yield Heading(found.start(), found.end(), kind, None)
        else:
            label = found.group()[:-1]
            yield Heading(found.start(), found.end(), None, label, section=False)


def _group(line: str) -> str | None:
    """What is left of a heading without the words that only name its kind."""
    rest = _NAMED.sub(" ", line.replace("\\", ""))
    previous = ""
    while rest != previous:
        previous = rest
        rest = _FILLER.sub("", rest.strip())
    rest = " ".join(rest.split())
    if rest.endswith(")") and "(" not in rest:
        rest = rest[:-1]
    return rest or None


def _plain_title(line: str) -> str | None:
    title = " ".join(line.replace("\\", "").split()).rstrip(": ").strip("*_ ")
    return None if title.lower() in _NO_GROUP else title
