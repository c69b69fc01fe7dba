"""What to ask after each answer about trials."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trialyst.hints import Call

if TYPE_CHECKING:
    from trialyst.ctgov.trial import Trial
    from trialyst.discovery.linking import NamedDrug

__all__ = ["after_bridge", "after_comparison", "after_locations", "after_trial", "after_trials"]


def after_trial(trial: Trial, nct_id: str) -> Iterator[Call]:
    """Say what follows one trial."""
    if trial.results is not None:
        yield Call("get_results", {"nct_id": nct_id}, "its posted results in full")
    if trial.sites:
        yield Call("get_trial_locations", {"nct_id": nct_id}, "its sites")
    yield from _alike(trial)


def _alike(trial: Trial) -> Iterator[Call]:
    """Give the search for trials of the same condition that recruit."""
    if trial.conditions:
        given = {"condition": trial.conditions[0], "status": "RECRUITING"}
        yield Call("search_trials", given, "trials of the condition that recruit")


def after_trials(trials: Sequence[Trial], ids: Sequence[str]) -> Iterator[Call]:
    """Say what follows several trials."""
    if 1 < len(ids) <= 10:
        yield Call("compare_trials", {"nct_ids": list(ids)}, "these side by side")
    if ids:
        yield Call("get_trial", {"nct_id": ids[0]}, "the first of them in all sections")
        yield from after_trial(trials[0], ids[0])


def after_comparison(trials: Sequence[Trial], ids: Sequence[str]) -> Iterator[Call]:
    """Say what follows a comparison."""
    for trial, nct_id in zip(trials, ids, strict=True):
        if trial.results is not None:
            yield Call("get_results", {"nct_id": nct_id}, "posted results in full")
    yield Call("get_trial", {"nct_id": ids[0]}, "the first of them in all sections")


def after_locations(trial: Trial, nct_id: str, *, filtered: bool, found: int) -> Iterator[Call]:
    """Say what follows the sites of a trial."""
    if filtered and not found and trial.sites:
        yield Call("get_trial_locations", {"nct_id": nct_id}, "all its sites")
    yield Call(
        "get_trial", {"nct_id": nct_id, "sections": "eligibility"}, "who may take part in it"
    )
    yield from _alike(trial)


def after_bridge(drug: NamedDrug, candidates: Sequence[Mapping[str, Any]]) -> Iterator[Call]:
    """Say what follows the candidates of a drug."""
    if drug.like:
        nearest = drug.like[0]
        yield Call("bridge_drug", {"drug": nearest}, f"{drug.asked!r} read as {nearest!r}")
    for candidate in candidates[:1]:
        pair = {"drug": drug.name, "condition": candidate["condition"]}
        yield Call("detect_whitespace", pair, "whether the drug was tried there at all")
        yield Call("get_landscape", {"condition": pair["condition"]}, "who works on it")
    yield Call("scout_indications", {"drug": drug.name}, "conditions by drugs of its class, scored")
    yield Call("search_drug_trials", {"drug": drug.name}, "its own trials")
