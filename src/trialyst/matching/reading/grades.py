"""Performance status, disease stages and the classes a clinic sorts patients by."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from trialyst.eligibility.quantity import Quantity
from trialyst.eligibility.tables import read_lines
from trialyst.matching.patient import ConceptRef, FactKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from trialyst.matching.patient import Fact
    from trialyst.matching.reading.passage import Passage

__all__ = ["ecog_from_karnofsky", "read_classes", "read_performance", "read_stages"]

_GAP = (
    r"(?:\s*(?:performance\s+status|performance|score|status|PS|scale|grade|class|is|was|of|:|=|-"
    r"|\(|at|today|the|still|currently|improved to|estimated at|\)))*\s*"
)
_GRADE = r"([0-4])(?:\s*(?:-|\u2013|to|or)\s*([0-4]))?\b(?!\s*%|[0-9])"
_SHARE = r"([1-9]0|100)(?:\s*(?:-|\u2013|to)\s*([1-9]0|100))?\b"
_BARE = r"(?:PS|performance\s+status)(?=\s*(?:of|is|was|[:=])?\s*[0-4]\b)"
_PERFORMANCE = tuple(
    (scale, re.compile(pattern, re.IGNORECASE))
    for scale, pattern in (
        ("ECOG", rf"\b(?:ECOG|Zubrod|WHO\s+(?:performance|PS)|{_BARE}){_GAP}{_GRADE}"),
        ("KPS", rf"\b(?:KPS|Karnofsky){_GAP}{_SHARE}"),
        ("Lansky", rf"\bLansky(?:\s+play)?{_GAP}{_SHARE}"),
    )
)
_PERFORMANCE_WORDS = frozenset("ecog zubrod who ps performance kps karnofsky lansky".split())
_CLASS_WORDS = frozenset(
    "nyha york ccs canadian asa gold child childs ckd kidney stage fibrosis metavir hoehn h killip "
    "who world hurley rai binet rutherford kellgren k kl iss r riss f0 f1 f2 f3 f4".split()
)
_NAMES = {
    "ECOG": "ECOG performance status",
    "KPS": "Karnofsky performance status",
    "Lansky": "Lansky play performance",
}


class _Class(NamedTuple):
    """A classification: its concept and how it is written; group 1 is the class."""

    concept: ConceptRef
    pattern: re.Pattern[str]


_NUMERAL = r"(I{1,3}V?|IV|[1-4])"


@cache
def _classes() -> tuple[_Class, ...]:
    found = []
    for line in read_lines("classes.txt", package="trialyst.matching"):
        key, name, pattern = line.split(" | ", 2)
        compiled = re.compile(pattern.replace("{numeral}", _NUMERAL), re.IGNORECASE)
        found.append(_Class(ConceptRef(f"score:{key}", name), compiled))
    return tuple(found)


_NUMERALS = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5}
_STAGE = re.compile(
    r"\b(?:(?:clinical|pathologic(?:al)?|AJCC|FIGO|Dukes['\u2019]?|TNM|Ann Arbor)\s+)?"
    r"stage[sd]?\s*[:=]?\s*"
    r"((?:IV|I{1,3}|[0-4])(?:\s?[A-E](?:[1-3]|S|E)?)?)"
    r"(?:\s*[-/\u2013]\s*(?:IV|I{1,3}|[1-4])[A-C]?)?\b"
    r"(?!\s*(?:renal|kidney|CKD|chronic|pressure|fibrosis|hypertension|sleep))",
    re.IGNORECASE,
)
_TNM = re.compile(
    r"\b([pcyr]{0,2}T(?:[0-4][a-d]?|is|x)\s*,?\s*[pcy]?N(?:[0-3][a-c]?|x)\s*,?\s*"
    r"(?:[pcy]?M(?:[01][a-c]?|x))?)\b"
)
_EXTENT = re.compile(
    r"\b(metastatic|locally[-\s]advanced|unresectable|limited[-\s]stage|extensive[-\s]stage"
    r"|early[-\s]stage|end[-\s]stage(?!\s+renal|\s+kidney|\s+liver|\s+lung)|castration[-\s]resistant"
    r"|(?:recurrent|relapsed|refractory)(?=\s+(?:\S+\s+){0,3}(?:disease|cancer|carcinoma|tumou?r"
    r"|\w*myeloma|lymphoma|leuka?emia|melanoma|sarcoma|glioma|glioblastoma|AML|ALL|CLL|DLBCL)\b))\b",
    re.IGNORECASE,
)
_CHRONIC_STAGE = re.compile(
    r"\b(?:CKD|kidney|fibrosis|GOLD|Hurley|Rai|Hoehn|Yahr|ISS|sleep|pressure)\W+(?:\w+\W+){0,2}$",
    re.I,
)


def ecog_from_karnofsky(score: float) -> int:
    """Give the ECOG grade that a Karnofsky or Lansky score stands for.

    >>> [ecog_from_karnofsky(score) for score in (100, 80, 60, 40, 20)]
    [0, 1, 2, 3, 4]
    """
    for grade, least in enumerate((90, 70, 50, 30, 10)):
        if score >= least:
            return grade
    return 5


def read_performance(passage: Passage) -> Iterator[Fact]:
    """Find performance status; the unit of its value is the scale."""
    if passage.vocabulary.isdisjoint(_PERFORMANCE_WORDS):
        return
    for scale, pattern in _PERFORMANCE:
        for match in pattern.finditer(passage.text):
            upper = float(match.group(2)) if match.group(2) else None
            yield passage.stated(
                FactKind.PERFORMANCE,
                match.start() + passage.start,
                match.end() + passage.start,
                concept=ConceptRef(f"score:{scale.lower()}", _NAMES[scale]),
                value=Quantity(float(match.group(1)), scale, upper=upper),
            )


def read_classes(passage: Passage) -> Iterator[Fact]:
    """Find classes such as NYHA III; a class that is a letter has no value, only a detail."""
    if passage.vocabulary.isdisjoint(_CLASS_WORDS):
        return
    for concept, pattern in _classes():
        for match in pattern.finditer(passage.text):
            written = match.group(1)
            number = _numeral(written)
            yield passage.stated(
                FactKind.MEASUREMENT,
                match.start() + passage.start,
                match.end() + passage.start,
                concept=concept,
                value=None if number is None else Quantity(number, "class"),
                detail=written.upper() if number is None else written,
                status="" if number is not None else written.upper(),
            )


def _numeral(text: str) -> float | None:
    plain = text.lower().rstrip("ab") if len(text) > 1 else text.lower()
    if plain in _NUMERALS:
        return float(_NUMERALS[plain])
    return float(plain) if plain[:1].isdigit() else None


def read_stages(passage: Passage) -> Iterator[Fact]:
    """Find the stage and extent of a disease."""
    for pattern in (_STAGE, _TNM, _EXTENT):
        for match in pattern.finditer(passage.text):
            start = match.start()
            if pattern is _STAGE and _CHRONIC_STAGE.search(passage.text[:start]):
                continue
            detail = match.group(1)
            yield passage.fact(
                FactKind.STAGE,
                start + passage.start,
                match.end() + passage.start,
                detail=_WRITTEN[pattern](detail),
            )


def _stage_name(text: str) -> str:
    """Write a stage with a Roman numeral.

    >>> _stage_name("3b"), _stage_name("iv")
    ('IIIB', 'IV')
    """
    plain = text.replace(" ", "").upper()
    numeral = ("0", "I", "II", "III", "IV")
    return numeral[int(plain[0])] + plain[1:] if plain[0].isdigit() else plain


_WRITTEN: dict[re.Pattern[str], Callable[[str], str]] = {
    _STAGE: _stage_name,
    _TNM: str,
    _EXTENT: str.lower,
}
