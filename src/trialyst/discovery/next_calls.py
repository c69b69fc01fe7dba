"""What to call next: up to three ready calls behind an answer, the most useful first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trialyst.hints import Call

if TYPE_CHECKING:
    from trialyst.ctgov.trial import Trial
    from trialyst.discovery.linking import NamedDrug
    from trialyst.questions.reading import Question

__all__ = [
    "after_bridge",
    "after_comparison",
    "after_count",
    "after_fields",
    "after_locations",
    "after_no_results",
    "after_results",
    "after_search",
    "after_trial",
    "after_trials",
    "after_values",
]


def after_search(
    question: Question,
    arguments: Mapping[str, Any],
    *,
    items: Sequence[Mapping[str, Any]],
    cursor: str | None,
) -> Iterator[Call]:
    """Give the calls behind a page of search results."""
    terms = {name: arguments[name] for name in question.arguments if name in arguments}
    yield from _wider("search_trials", question, terms)
    if items:
        yield Call("get_trial", {"nct_id": items[0]["id"]}, "The first trial in full.")
    if cursor:
        yield Call("search_trials", {"cursor": cursor}, "The next page.")
    if items:
        yield Call("count_trials", {**terms, "by": "phase OR status"}, "How they are spread.")


def after_count(
    question: Question, arguments: Mapping[str, Any], *, total: int, by: Sequence[str]
) -> Iterator[Call]:
    """Give the calls behind a count."""
    terms = {name: arguments[name] for name in question.arguments if name in arguments}
    yield from _wider("count_trials", question, terms)
    if total and terms:
        yield Call("search_trials", {**terms, "page_size": 20}, "The trials themselves.")
    if total and not by:
        yield Call("count_trials", {**terms, "by": "phase OR status"}, "How they are spread.")


def _wider(tool: str, question: Question, terms: Mapping[str, Any]) -> Iterator[Call]:
    """Give the calls that would find more: other spellings, and without the costliest argument."""
    for clause in question.clauses:
        reading = clause.reading
        if reading.nearest and not reading.corrected and clause.argument in terms:
            changed = {**terms, clause.argument: reading.nearest[0]}
            yield Call(tool, changed, f"If {reading.nearest[0]} was meant.")
    costs = {
        clause.argument: clause.reading.count_without
        for clause in question.clauses
        if clause.reading.count_without and clause.argument in terms
    }
    if costs:
        costliest = max(costs, key=lambda argument: (costs[argument], argument))
        rest = {name: value for name, value in terms.items() if name != costliest}
        if rest:
            yield Call(tool, rest, f"{costs[costliest]} trials without {costliest}.")


def after_trial(trial: Trial, nct_id: str, *, cut: Sequence[str] = ()) -> Iterator[Call]:
    """Say what follows one trial, some sections of which may be cut."""
    if cut:
        given = {"nct_id": nct_id, "sections": ",".join(cut)}
        yield Call("get_trial", given, "All of what was cut.")
    if trial.results is not None:
        yield Call("get_results", {"nct_id": nct_id}, "Its posted results in full.")
    if trial.sites:
        yield Call("get_trial_locations", {"nct_id": nct_id}, "Its sites.")
    yield from _alike(trial)


def _alike(trial: Trial) -> Iterator[Call]:
    """Give the search for trials of the same condition that recruit."""
    if trial.conditions:
        given = {"condition": trial.conditions[0], "status": "RECRUITING"}
        yield Call("search_trials", given, "Trials of the condition that recruit.")


def after_trials(trials: Sequence[Trial], ids: Sequence[str]) -> Iterator[Call]:
    """Say what follows several trials."""
    if 1 < len(ids) <= 10:
        yield Call("compare_trials", {"nct_ids": list(ids)}, "These side by side.")
    if ids:
        given = {"nct_id": ",".join(ids), "sections": "eligibility,outcomes"}
        yield Call("get_trial", given, "Sections of all of them, whole.")
        yield Call("get_trial", {"nct_id": ids[0]}, "The first of them in all sections.")
        yield from after_trial(trials[0], ids[0])


def after_comparison(trials: Sequence[Trial], ids: Sequence[str]) -> Iterator[Call]:
    """Say what follows a comparison."""
    for trial, nct_id in zip(trials, ids, strict=True):
        if trial.results is not None:
            yield Call("get_results", {"nct_id": nct_id}, "Posted results in full.")
    yield Call("get_trial", {"nct_id": ids[0]}, "The first of them in all sections.")


def after_locations(trial: Trial, nct_id: str, *, filtered: bool, found: int) -> Iterator[Call]:
    """Say what follows the sites of a trial."""
    if filtered and not found and trial.sites:
        yield Call("get_trial_locations", {"nct_id": nct_id}, "All its sites.")
    yield Call(
        "get_trial", {"nct_id": nct_id, "sections": "eligibility"}, "Who may take part in it."
    )
    yield from _alike(trial)


def after_results(trial: Trial, nct_id: str, sections: Sequence[str]) -> Iterator[Call]:
    """Say what follows posted results."""
    if "primary_outcomes" in sections:
        given = {"nct_id": nct_id, "sections": "outcomes"}
        yield Call("get_trial", given, "The outcomes as they were planned.")
    else:
        given = {"nct_id": nct_id, "sections": "primary_outcomes"}
        yield Call("get_results", given, "Its primary outcomes.")
    references = {"nct_id": nct_id, "sections": "references"}
    yield Call("get_trial", references, "Papers on the trial.")
    yield from _alike_with_results(trial)


def after_no_results(trial: Trial, nct_id: str, sections: Sequence[str]) -> Iterator[Call]:
    """Say what follows a trial that posts none."""
    references = {"nct_id": nct_id, "sections": "references,outcomes"}
    yield Call("get_trial", references, "Its papers, and the outcomes that are planned.")
    yield from _alike_with_results(trial)


def _alike_with_results(trial: Trial) -> Iterator[Call]:
    if trial.conditions:
        given = {"condition": trial.conditions[0], "has_results": True}
        yield Call("search_trials", given, "Trials of the condition that post results.")


def after_fields(items: Sequence[Mapping[str, Any]]) -> Iterator[Call]:
    """Say what follows a list of areas and pieces."""
    for item in items[:2]:
        why = "Its pieces and weights." if item.get("kind") == "area" else "Its values, counted."
        yield Call("explore_fields", {"field": item["name"]}, why)
    if not items:
        yield Call("explore_fields", {}, "Every area and piece.")


def after_values(
    field: Mapping[str, Any], advanced: str, question: Question, asked: Mapping[str, Any]
) -> Iterator[Call]:
    """Say what follows the values of a piece."""
    given = {"advanced": advanced}
    if "condition" in asked:
        given["condition"] = asked["condition"]
    yield Call("search_trials", given, "Trials by such an expression.")
    yield Call("count_trials", {**given, "by": "phase OR status"}, "How they are spread.")
    for name in field.get("searched_by", ())[:1]:
        yield Call("explore_fields", {"field": name}, "The area that searches it.")


def after_bridge(drug: NamedDrug, candidates: Sequence[Mapping[str, Any]]) -> Iterator[Call]:
    """Say what follows the candidates of a drug."""
    if drug.like:
        nearest = drug.like[0]
        yield Call("bridge_drug", {"drug": nearest}, f"If {nearest} was meant.")
    for candidate in candidates[:1]:
        pair = {"drug": drug.name, "condition": candidate["condition"]}
        yield Call("detect_whitespace", pair, "Whether the drug was tried there at all.")
        yield Call("get_landscape", {"condition": pair["condition"]}, "Who works on it.")
    yield Call(
        "scout_indications", {"drug": drug.name}, "Conditions by drugs of its class, scored."
    )
    yield Call("search_drug_trials", {"drug": drug.name}, "Its own trials.")
