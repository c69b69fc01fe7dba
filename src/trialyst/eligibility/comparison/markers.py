"""`Marker`: a gene, receptor or other biomarker in a state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.eligibility.answer import Answer, Basis, Verdict

if TYPE_CHECKING:
    from trialyst.eligibility.chart import MarkerEntry
    from trialyst.eligibility.comparison.case import Case
    from trialyst.eligibility.requirement import Marker

__all__ = ["answer_marker"]

_LIKE = {
    "positive": frozenset({"positive", "mutated", "amplified", "rearranged", "high"}),
    "negative": frozenset({"negative", "wild type"}),
    "mutated": frozenset({"mutated", "positive", "rearranged"}),
    "wild type": frozenset({"wild type", "negative"}),
    "rearranged": frozenset({"rearranged", "positive"}),
    "amplified": frozenset({"amplified", "positive"}),
    "high": frozenset({"high", "positive"}),
    "low": frozenset({"low"}),
}


def answer_marker(leaf: Marker, case: Case, *, wanted: bool) -> Answer:
    """Say whether a marker is in one of the states a leaf asks."""
    told = [
        entry for entry in case.chart.markers if entry.name == leaf.name and not _is_open(entry)
    ]
    if not told:
        return case.silent("Marker", "marker", wanted=wanted, missing=f"{leaf.name} status")
    entry = told[-1]
    if leaf.variant and entry.variant and leaf.variant.lower() != entry.variant.lower():
        return _answer(Verdict.NOT_MET, entry)
    if not leaf.states:
        return _answer(Verdict.MET, entry)
    fits = any(entry.state in _LIKE.get(state, {state}) for state in leaf.states)
    if fits and leaf.variant and not entry.variant:
        return Answer(
            Verdict.UNKNOWN, Basis.DETAIL, "Marker", (entry,), "", f"variant of {leaf.name}"
        )
    return _answer(Verdict.MET if fits else Verdict.NOT_MET, entry)


def _is_open(entry: MarkerEntry) -> bool:
    return not entry.state and not entry.variant


def _answer(verdict: Verdict, entry: MarkerEntry) -> Answer:
    shown = " ".join(filter(None, (entry.name, entry.state, entry.variant)))
    return Answer(verdict, Basis.STATED, "Marker", (entry,), f"The chart has {shown}.")
