"""Performance status, disease stages and the classes a clinic sorts patients by."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from trialyst.matching.patient import ConceptRef, FactKind
from trialyst.matching.quantity import Quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trialyst.matching.patient import Fact
    from trialyst.matching.reading.passage import Passage

__all__ = ["ecog_from_karnofsky", "read_classes", "read_performance", "read_stages"]

_GAP = r"(?:\s*(?:performance\s+status|performance|score|status|PS|scale|grade|class|is|was|of|:|=|-|\(|at|today|the|still|currently|improved to|estimated at|\)))*\s*"
_PERFORMANCE = (
    (
        "ECOG",
        re.compile(
            rf"\b(?:ECOG|Zubrod|WHO\s+(?:performance|PS)|PS(?=\s*(?:of|is|was|[:=])?\s*[0-4]\b)|performance\s+status(?=\s*(?:of|is|was|[:=])?\s*[0-4]\b)){_GAP}([0-4])(?:\s*(?:-|\u2013|to|or)\s*([0-4]))?\b(?!\s*%|[0-9])",
            re.IGNORECASE,
        ),
    ),
    (
        "KPS",
        re.compile(
            rf"\b(?:KPS|Karnofsky){_GAP}([1-9]0|100)(?:\s*(?:-|\u2013|to)\s*([1-9]0|100))?\b",
            re.IGNORECASE,
        ),
    ),
    (
        "Lansky",
        re.compile(
            rf"\bLansky(?:\s+play)?{_GAP}([1-9]0|100)(?:\s*(?:-|\u2013|to)\s*([1-9]0|100))?\b",
            re.IGNORECASE,
        ),
    ),
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


_ROMAN = r"(I{1,3}V?|IV|[1-4])"


def _class(key: str, name: str, pattern: str) -> _Class:
    return _Class(ConceptRef(f"score:{key}", name), re.compile(pattern, re.IGNORECASE))


_CLASSES = (
    _class("nyha", "NYHA class", rf"\b(?:NYHA|New York Heart Association)(?:\s+functional)?(?:\s*(?:class|stage|fc|grade))?\s*[:=]?\s*{_ROMAN}(?:\s*[-/\u2013]\s*{_ROMAN})?\b"),
    _class("ccs", "CCS angina class", rf"\b(?:CCS|Canadian Cardiovascular Society)(?:\s+angina)?\s*(?:class|grade)\s*{_ROMAN}\b"),
    _class("asa", "ASA class", r"\bASA\s+(?:class|physical status|PS|score|grade)\s*([1-5]|I{1,3}V?|IV|V)\b"),
    _class("gold", "GOLD stage", r"\bGOLD\s*(?:stage|grade|class|group)?\s*:?\s*([1-4]|I{1,3}V?|IV|[A-E])\b"),
    _class("child_pugh", "Child-Pugh class", r"\bChild(?:['\u2019]?s)?[-\s]*(?:Turcotte[-\s]*)?Pugh(?:\s+(?:class|score|grade|stage))*\s*[:=]?\s*([ABC])\b"),
    _class("ckd_stage", "Chronic kidney disease stage", r"\b(?:CKD|chronic kidney disease)[,\s]*(?:\(CKD\)\s*)?(?:stage|G)\s*([1-5][ab]?|I{1,3}V?[ab]?|IV|V)\b"),
    _class("ckd_stage", "Chronic kidney disease stage", r"\bstage\s*([1-5][ab]?|I{1,3}V?[ab]?|IV|V)\s+(?:CKD|chronic kidney disease|renal|kidney)\b"),
    _class("fibrosis", "Liver fibrosis stage", r"\b(?:fibrosis(?:\s+(?:stage|score|grade))?\s*(?:of|:)?\s*|stage\s*|METAVIR\s*)F?([0-4])\b(?=[^%]|$)"),
    _class("fibrosis", "Liver fibrosis stage", r"\bF([0-4])(?:\s*[-/]\s*F?[0-4])?\s+(?:liver\s+)?fibrosis\b"),
    _class("hoehn_yahr", "Hoehn and Yahr stage", r"\b(?:Hoehn\s*(?:and|&)\s*Yahr|H\s*&\s*Y)(?:\s+(?:stage|scale|score))?\s*([0-5](?:\.5)?|I{1,3}V?|IV|V)\b"),
    _class("killip", "Killip class", rf"\bKillip(?:\s+class)?\s*{_ROMAN}\b"),
    _class("who_fc", "WHO functional class", rf"\b(?:WHO|World Health Organization)\s+(?:functional\s+class|FC)\s*{_ROMAN}\b"),
    _class("hurley", "Hurley stage", r"\bHurley(?:\s+stage)?\s*(I{1,3}|[1-3])\b"),
    _class("rai", "Rai stage", r"\bRai(?:\s+stage)?\s*(0|I{1,3}V?|IV|[1-4])\b"),
    _class("binet", "Binet stage", r"\bBinet(?:\s+stage)?\s*([ABC])\b"),
    _class("rutherford", "Rutherford class", r"\bRutherford(?:\s+(?:class|category))?\s*([0-6])\b"),
    _class("kellgren", "Kellgren-Lawrence grade", rf"\b(?:Kellgren[-\s]*Lawrence|K-?L)\s*(?:grade|stage)\s*{_ROMAN}\b"),
    _class("iss", "ISS stage", r"\b(?:R-?ISS|ISS)\s*(?:stage)?\s*(I{1,3}|[1-3])\b"),
)  # fmt: skip
_NUMERALS = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5}
_STAGE = re.compile(
    r"\b(?:(?:clinical|pathologic(?:al)?|AJCC|FIGO|Dukes['\u2019]?|TNM|Ann Arbor)\s+)?stage[sd]?\s*[:=]?\s*"
    r"((?:IV|I{1,3}|[0-4])(?:\s?[A-E](?:[1-3]|S|E)?)?)(?:\s*[-/\u2013]\s*(?:IV|I{1,3}|[1-4])[A-C]?)?\b"
    r"(?!\s*(?:renal|kidney|CKD|chronic|pressure|fibrosis|hypertension|sleep))",
    re.IGNORECASE,
)
_TNM = re.compile(
    r"\b([pcyr]{0,2}T(?:[0-4][a-d]?|is|x)\s*,?\s*[pcy]?N(?:[0-3][a-c]?|x)\s*,?\s*(?:[pcy]?M(?:[01][a-c]?|x))?)\b"
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
    for concept, pattern in _CLASSES:
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
                detail=_stage_name(detail)
                if pattern is _STAGE
                else detail.lower()
                if pattern is _EXTENT
                else detail,
            )


def _stage_name(text: str) -> str:
    """Write a stage with a Roman numeral.

    >>> _stage_name("3b"), _stage_name("iv")
    ('IIIB', 'IV')
    """
    plain = text.replace(" ", "").upper()
    numeral = ("0", "I", "II", "III", "IV")
    return numeral[int(plain[0])] + plain[1:] if plain[0].isdigit() else plain
