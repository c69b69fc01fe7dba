"""Headings of eligibility texts: which lines open a block of inclusion or exclusion criteria.

A heading names a kind of criteria ("Key Exclusion Criteria:"), a group of them ("Cohort B:"), or
both ("Inclusion Criteria for healthy volunteers"). A stem ("One of the following:") is a criterion
of its own, not a heading; only one that says its items exclude also opens a block.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["CriterionKind", "Heading", "find_heading", "read_heading", "stem_kind"]


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
_CRITERIA = r"(?:criteri[aou]n?m?s?|critera|critieria|criterias|requirements?)"
_KIND = r"(?:(?:non|not)[- ]?inclusions?|inclusions?|exclusions?)"
_NAMED = re.compile(
    rf"\b(?:(?P<first>{_KIND})\b(?:\s+{_CRITERIA})?|{_CRITERIA}\s+(?:for|of)\s+(?P<second>{_KIND}))\b",
    re.IGNORECASE,
)
_BOTH = re.compile(
    rf"\binclusions?(?:\s+{_CRITERIA})?\s*(?:/|and|&|or)\s*exclusions?\b", re.IGNORECASE
)
# Inside a line only the written-out form counts, begun with a capital and closed with a colon.
_INSIDE = re.compile(
    r"(?<![A-Za-z\"'(/])(?:(?:Key|Main|Major|General|Specific|Other|Additional|Primary)\s+)?"
    r"(?:Non[- ]?[Ii]nclusion|In?clusion|Exclusion|INCLUSION|EXCLUSION)s?"
    r"(?:\s+(?:[Cc]riteri(?:a|on|um)|CRITERIA))?\s*(?::|(?<=riteria)$|(?<=RITERIA)$)"
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
_PERMITS = re.compile(r"^(?:\w+\s+){0,3}(?:allowed|permitted|recommended|encouraged)\W*$", re.I)
_STEM = re.compile(
    r"\b(?:following|below|any of|one of|all of|either|if (?:they|he|she|you|the)|who|which|that"
    r"|defined|includ(?:e|es|ing)|such as|as follows|must|have|has|with|meets?|by|of|or|and)\b",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"^(?:key|main|major|general|primary|principal|selected|select|summary|abbreviated|the|study"
    r"|trial|subject|subjects|patient|patients|participant|participants|include|includes|are"
    r"|will be|for|of|in|to|the following|specific)\b\s*|^\W+|[\s:.\-–—(]+$",
    re.IGNORECASE,
)
_ALL_CAPS = re.compile(r"^[^a-z]*[A-Z][^a-z]*[A-Z][^a-z]*$")


def read_heading(text: str, start: int, end: int, *, listed: bool) -> Heading | None:
    """Read a line, or the text of a list item, as a heading; None when it is a criterion."""
    line = text[start:end] if end - start <= _LONGEST else ""
    words = line.split()
    if not words or len(words) > _MOST_WORDS + 6:
        return None
    if kind := _named_kind(line, words):
        return Heading(start, end, kind, _group(line))
    if not line.rstrip().endswith(":"):
        return _title(line, words, start, end) if not listed else None
    if listed:
        return None
    kind = stem_kind(line)
    if kind:
        return Heading(start, end, kind, _plain_title(line), section=False)
    if len(words) <= 8 and (_ALL_CAPS.match(line) or not _STEM.search(line)):
        return Heading(start, end, None, _plain_title(line), section=False)
    return None


def _title(line: str, words: list[str], start: int, end: int) -> Heading | None:
    if len(words) <= 8 and _ALL_CAPS.match(line) and len(words) > 1 and not line.endswith("."):
        return Heading(start, end, None, _plain_title(line), section=False)
    return None


def _named_kind(line: str, words: list[str]) -> CriterionKind | None:
    """The kind that a heading such as `Key Exclusion Criteria (Part B):` names."""
    closed = line.rstrip().endswith((":", ": -"))
    if _BOTH.search(line):
        mixed = len(words) <= _MOST_WORDS and not _SENTENCE.search(line)
        return _OTHER if mixed else None
    found = _NAMED.search(line)
    if not found or len(words) > _MOST_WORDS:
        return None
    if not closed and (line.rstrip().endswith((".", ";", ",")) or _SENTENCE.search(line)):
        return None
    bare = not re.search(_CRITERIA, found.group(), re.IGNORECASE)
    if bare and not closed and len(words) > 1:
        return None
    if not closed and found.start() > 0 and found.group()[0].islower():
        return None
    return _kind_of(found["first"] or found["second"])


def _kind_of(word: str) -> CriterionKind:
    return _IN if word.lower().startswith("in") else _EX


def stem_kind(stem: str) -> CriterionKind | None:
    """What a line that ends in a colon says of the items under it; None when nothing."""
    if not stem.rstrip().endswith(":"):
        return None
    if _PERMITS.match(stem):
        return _OTHER
    if _OPENS_EXCLUSION.search(stem):
        return _EX
    return _IN if _OPENS_INCLUSION.search(stem) else None


def find_heading(text: str, start: int, end: int) -> Heading | None:
    """Find the first heading inside a line, as in `... on insulin. Exclusion Criteria: pregnancy`."""
    found = _INSIDE.search(text, start, end)
    if not found:
        return None
    named = _NAMED.search(found.group())
    kind = _kind_of(named["first"] or named["second"]) if named else _OTHER
    return Heading(found.start(), found.end(), kind, None)


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


def _plain_title(line: str) -> str:
    return " ".join(line.replace("\\", "").split()).rstrip(": ").strip("*_ ")
