"""The rule of another cancer: a trial of one cancer is not for who has that of another organ.

Only a cancer the note is sure of, with its organ, speaks against one of another organ.
"""

from __future__ import annotations

import re
from functools import lru_cache

from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.view import NoteView, Sighting
from trialyst.matching.patient import Assertion, Fact, FactKind

__all__ = ["judge_other_cancer"]

_SITES = {
    "breast": r"breast|ductal|lobular|mammary",
    "lung": r"lung|bronch|pulmonary",
    "stomach": r"stomach|gastric",
    "bowel": r"colon|colorect|rectal|rectum|bowel|sigmoid|cecal",
    "prostate": r"prostat",
    "thyroid": r"thyroid",
    "kidney": r"kidney|renal|nephro",
    "bladder": r"bladder|urothel",
    "pancreas": r"pancrea",
    "liver": r"liver|hepato|hepatic",
    "oesophagus": r"o?esophag",
    "ovary": r"ovar",
    "womb": r"endometri|uter",
    "cervix": r"cervi",
    "brain": r"brain|gli(?:oma|oblast)|cerebral|astrocyt",
    "skin": r"skin|melanoma|basal cell",
    "blood": r"leuk(?:a)?emia|lymphoma|myeloma",
    "head and neck": r"head and neck|oral|laryn|pharyn|tongue",
    "bone": r"osteosarcoma|ewing|\bbone (?:tumor|sarcoma)",
    "testis": r"testic|testis",
}
_PATTERNS = {site: re.compile(pattern) for site, pattern in _SITES.items()}
_CANCER = gated(
    r"\b(?:cancers?|carcinomas?|adenocarcinomas?|malignan\w+|neoplasms?|tumou?rs?|sarcomas?"
    r"|\w*blastoma"
    r"|melanomas?|leuk(?:a)?emias?|lymphomas?|myelomas?|gliomas?)\b"
)
_OPEN = re.compile(
    r"\b(?:or|any|metasta\w+|other|family|risk|suspected|screening|no|not|without)\b"
)
_AROUND = 40
_TREE = "C04"


def judge_other_cancer(case: Case) -> Decision | None:
    """An inclusion of a cancer of one organ, for a patient with that of another."""
    if case.exclusion or case.statement.denies:
        return None
    wanted = _wanted(case.statement.lowered)
    if not wanted:
        return None
    for fact in case.view.chart.of(FactKind.CONDITION):
        sites = _told(fact, case.view)
        if sites and wanted.isdisjoint(sites):
            place = Sighting(fact.sentence, fact.start, fact.end, "has")
            reason = f"The note tells of {fact.text!r}, a cancer of another organ."
            return Decision("other cancer", Verdict.NOT_MET, reason, (place,))
        if sites:
            return None
    return None


@lru_cache(maxsize=20_000)
def _wanted(lowered: str) -> frozenset[str]:
    match = _CANCER.search(lowered)
    if match is None or _OPEN.search(lowered[: match.end()].replace(" or ", " ", 1)):
        return frozenset()
    near = lowered[max(0, match.start() - _AROUND) : match.end() + _AROUND]
    return frozenset(site for site, pattern in _PATTERNS.items() if pattern.search(near))


def _told(fact: Fact, view: NoteView) -> frozenset[str]:
    """Give the organs of a cancer that the note is sure of."""
    if fact.assertion is not Assertion.PRESENT or fact.concept is None:
        return frozenset()
    if not any(tree.startswith(_TREE) for tree in fact.concept.trees):
        return frozenset()
    if not _CANCER.search(fact.text.lower()) or "metasta" in fact.text.lower():
        return frozenset()
    sentence = view.note.sentence_at(fact.start)
    said = f"{fact.name.lower()} {sentence.text.lower()}"
    return frozenset(site for site, pattern in _PATTERNS.items() if pattern.search(said))
