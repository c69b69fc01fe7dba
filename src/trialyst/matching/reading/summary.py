"""What the facts of a note come to: the primary diagnosis, its stage, and what is missing."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from trialyst.matching.patient import Assertion, Fact, FactKind, Sex
from trialyst.matching.reading.biomarkers import MARKER

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from trialyst.eligibility.reading.note import Note
    from trialyst.matching.patient import PatientAge

__all__ = ["choose_primary", "choose_stage", "is_cancer", "list_missing"]

_DIAGNOSED = (
    "diagnosed with",
    "diagnosis of",
    "diagnosis:",
    "consistent with",
    "confirmed",
    "with newly diagnosed",
    "known to have",
    "revealed",
    "referred for",
    "follow up of",
    "follow-up of",
    "suffers from",
    "suffering from",
    "meets",
    "biopsy",
    "pathology",
)
_SIGNS = "C23.888"
_PROCESSES = ("C23", "C26")
_OBESITY = "C23.888.144.699"
_CANCER = ("C04", "C15.378.190.625.640")
_SPREAD = ("MESH:D009362", "MESH:D009369")
_LUNG, _BREAST, _BOWEL, _SKIN = "C04.588.894.797.520", "C04.588.180", "C04.588.274", "C04.557.465"
_MARKERS = {
    _LUNG: ("EGFR", "ALK", "PD-L1"),
    _BREAST: ("ER", "HER2"),
    _BOWEL: ("RAS", "MSI"),
    _SKIN: ("BRAF",),
}
_ORGANS = (
    ("blood counts", ("hemoglobin", "platelets", "wbc", "neutrophils")),
    ("kidney function", ("creatinine", "egfr", "creatinine_clearance")),
    ("liver function", ("bilirubin", "alt", "ast")),
)
_FERTILE = (12, 55)


def is_cancer(fact: Fact) -> bool:
    """Say whether a fact is of a neoplasm."""
    trees = () if fact.concept is None else fact.concept.trees
    return any(tree.startswith(_CANCER) for tree in trees)


def choose_primary(note: Note, facts: Sequence[Fact]) -> Fact | None:
    """Give the condition the note is most about; a symptom if it names no condition."""
    for kinds in ((FactKind.CONDITION,), (FactKind.SYMPTOM,)):
        candidates = [
            fact
            for fact in facts
            if fact.kind in kinds
            and not fact.negated
            and fact.assertion in (Assertion.PRESENT, Assertion.HISTORICAL, Assertion.POSSIBLE)
        ]
        if candidates:
            times = Counter(fact.name for fact in candidates)
            return max(candidates, key=lambda fact: (_weight(note, fact, times), -fact.start))
    return None


def _weight(note: Note, fact: Fact, times: Counter[str]) -> float:
    sentence = note.sentence_at(fact.start)
    before = note.text[sentence.start : fact.start].lower()
    weight = 1.0 / (1 + sentence.number) + 0.5 * min(times[fact.name], 4)
    if fact.assertion is Assertion.PRESENT:
        weight += 1.0
    if any(cue in before[-60:] for cue in _DIAGNOSED):
        weight += 1.5
    if is_cancer(fact):
        weight += 1.5
    if fact.concept is not None and (
        fact.concept.id.startswith("term:") or fact.concept.id in _SPREAD
    ):
        weight -= 1.5
    if _is_sign(fact):
        weight -= 1.75
    if before.count(",") > 2:
        weight -= 0.5
    if sentence.number == 0 or "year-old" in sentence.text:
        weight += 0.75
    return weight


def _is_sign(fact: Fact) -> bool:
    """Say whether a condition is rather a sign of one, such as pain or weight loss."""
    trees = () if fact.concept is None else fact.concept.trees
    if trees and all(tree.startswith(_PROCESSES) for tree in trees):
        return True
    return any(tree.startswith(_SIGNS) and not tree.startswith(_OBESITY) for tree in trees)


def choose_stage(primary: Fact | None, facts: Iterable[Fact]) -> Fact | None:
    """Give the stage told first, a numbered one before a word such as metastatic."""
    stages = [fact for fact in facts if fact.kind is FactKind.STAGE and fact.holds]
    if primary is not None and not is_cancer(primary):
        stages = [fact for fact in stages if fact.sentence == primary.sentence]
    numbered = [fact for fact in stages if fact.detail[:1] in "0IV"]
    return next(iter(numbered or stages), None)


def list_missing(
    facts: Sequence[Fact],
    *,
    age: PatientAge | None,
    sex: Sex | None,
    pregnant: bool | None,
    primary: Fact | None,
) -> tuple[str, ...]:
    """Name what a search for trials would want to know and the note does not say."""
    kinds = {fact.kind for fact in facts}
    known = {fact.concept.id for fact in facts if fact.concept is not None}
    missing = [
        name
        for name, absent in (
            ("age", age is None),
            ("sex", sex is None),
            ("diagnosis", primary is None),
            ("pregnancy status", pregnant is None and _is_fertile(age, sex)),
        )
        if absent
    ]
    if primary is not None and is_cancer(primary):
        missing += _missing_of_cancer(primary, facts, kinds, known)
    for kind, name in (
        (FactKind.THERAPY, "treatments"),
        (FactKind.ALLERGY, "allergies"),
        (FactKind.SMOKING, "smoking"),
        (FactKind.PLACE, "place of residence"),
    ):
        if kind not in kinds:
            missing.append(name)
    missing += [
        name
        for name, analytes in _ORGANS
        if known.isdisjoint(f"lab:{analyte}" for analyte in analytes)
    ]
    return tuple(missing)


def _is_fertile(age: PatientAge | None, sex: Sex | None) -> bool:
    return sex is Sex.FEMALE and (age is None or _FERTILE[0] <= age.years <= _FERTILE[1])


def _missing_of_cancer(
    primary: Fact, facts: Sequence[Fact], kinds: set[FactKind], known: set[str]
) -> list[str]:
    trees = () if primary.concept is None else primary.concept.trees
    missing = []
    if FactKind.STAGE not in kinds:
        missing.append("stage")
    if FactKind.PERFORMANCE not in kinds:
        missing.append("performance status")
    for site, markers in _MARKERS.items():
        if any(tree.startswith(site) for tree in trees):
            missing += [marker for marker in markers if f"{MARKER}{marker}" not in known]
    return missing
