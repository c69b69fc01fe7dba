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
    entry = next((each for each in told if _is_variant(each, leaf.variant)), told[-1])
    if leaf.variant and entry.variant and not _is_variant(entry, leaf.variant):
        return _answer(Verdict.NOT_MET, entry)
    if not leaf.states:
        return _answer(Verdict.MET, entry)
    fits = any(entry.state in _LIKE.get(state, {state}) for state in leaf.states)
    if fits and leaf.variant and not entry.variant:
        return Answer(
            Verdict.UNKNOWN, Basis.DETAIL, "Marker", (entry,), "", f"variant of {leaf.name}"
        )
    return _answer(Verdict.MET if fits else Verdict.NOT_MET, entry)


def _is_variant(entry: MarkerEntry, asked: str) -> bool:
    """Whether a marker has the variant asked, or a kind of it: V600E of V600 or of V600E/K."""
    if not asked or not entry.variant:
        return False
    first, *others = asked.lower().split("/")
    wanted = (first, *(first[: -len(other)] + other for other in others if other))
    return entry.variant.lower().startswith(wanted)


def _is_open(entry: MarkerEntry) -> bool:
    return not entry.state and not entry.variant


def _answer(verdict: Verdict, entry: MarkerEntry) -> Answer:
    shown = " ".join(filter(None, (entry.name, entry.state, entry.variant)))
    return Answer(verdict, Basis.STATED, "Marker", (entry,), f"The chart has {shown}.")
