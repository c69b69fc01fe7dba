"""A match as an answer that fits: the first trials, of each the criteria that say most.

What decides or leaves a trial open comes first, then what the note shows, then the rest. Whatever
is left out is counted, and a note tells how to get it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from trialyst.ctgov.answers import to_next
from trialyst.errors import InvalidInput
from trialyst.hints import Argument, Hint
from trialyst.ids import NctId
from trialyst.matching.judging.result import Applicability, CriterionResult, Verdict
from trialyst.matching.judging.views import to_result_view
from trialyst.matching.next_calls import after_match
from trialyst.matching.report import RESEARCH_USE, MatchedTrial, MatchReport

__all__ = ["DEFAULT_CRITERIA", "DEFAULT_TOP", "check_part", "telling_first", "to_match_view"]

DEFAULT_TOP = 10
MOST_TOP = 200
DEFAULT_CRITERIA = 3
MOST_CRITERIA = 500
MOST_CHARACTERS = 60_000
"""Of criteria in one answer: some 15,000 tokens, about what a host lets through."""
_MOST_MISSING = 6
_MOST_NAMES = 5


def to_match_view(
    report: MatchReport,
    *,
    first: int = 1,
    top: int = DEFAULT_TOP,
    criteria: int = DEFAULT_CRITERIA,
) -> dict[str, Any]:
    """Give a part of a report as JSON values.

    Args:
        first: the rank to begin with.
        top: how many trials to give.
        criteria: how many criteria of each; 0 for none.

    Raises:
        InvalidInput: a number is out of its range.
    """
    check_part(first=first, top=top, criteria=criteria)
    shown = report.trials[first - 1 : first - 1 + top]
    room = MOST_CHARACTERS
    trials = []
    for rank, trial in enumerate(shown, start=first):
        view = _trial_view(rank, trial, most=criteria, room=room)
        room -= sum(len(str(each)) for each in view["criteria"])
        trials.append(view)
    told = [*report.provenance.notes, *_notes(report, trials, first=first)]
    provenance = report.provenance.model_dump(mode="json", exclude_none=True)
    whole = report.to_dict(top=0)
    kept = (
        *("patient", "facts_to_ask", "counts", "found", "left_out", "judge", "searched"),
        *("costs", "interrupted"),
    )
    return {
        **{name: whole[name] for name in kept},
        **({"changes": whole["changes"]} if report.changes else {}),
        "trials": trials,
        "research_use": RESEARCH_USE,
        **({} if report.run_directory is None else {"run_directory": report.run_directory}),
        "understood": {name: dict(reading) for name, reading in report.understood.items()},
        "provenance": {**provenance, "notes": told},
        "next": list(to_next(after_match(report, first=first, top=top))),
    }


def check_part(*, first: int, top: int, criteria: int) -> None:
    """Raise InvalidInput for a part of a report that cannot be given."""
    _check("first", first, least=1, most=None)
    _check("top", top, least=1, most=MOST_TOP)
    _check("criteria", criteria, least=0, most=MOST_CRITERIA)


def telling_first(results: Sequence[CriterionResult]) -> list[CriterionResult]:
    """Order criteria by what they say of a trial, the most telling first."""
    return sorted(results, key=_order)


def _order(result: CriterionResult) -> int:
    is_open = result.verdict is Verdict.UNKNOWN
    if result.disqualifies:
        return 0
    if is_open and result.applicability is Applicability.APPLIES:
        return 1
    if is_open:
        return 4
    return 2 if result.quotes else 3


def _trial_view(rank: int, trial: MatchedTrial, *, most: int, room: int) -> dict[str, Any]:
    candidate, assessment = trial.candidate, trial.assessment
    view: dict[str, Any] = {
        "rank": rank,
        "id": NctId.parse(trial.nct_id).curie,
        "brief_title": candidate.brief_title,
        "status": candidate.status,
        "phase": candidate.phase,
        "conditions": list(candidate.conditions[:_MOST_NAMES]),
        "interventions": list(candidate.interventions[:_MOST_NAMES]),
        "sponsor": candidate.sponsor,
        "verdict": assessment.verdict.value,
        "verdict_words": assessment.verdict.words,
        "confidence": assessment.confidence,
        "fit": trial.fit.model_dump(),
        "score": candidate.score,
        "on_topic": trial.on_topic,
        "primary": trial.primary,
        "missing": list(assessment.missing[:_MOST_MISSING]),
        "clears_in_days": assessment.clears_in_days,
        "eligible_from": trial.eligible_from and trial.eligible_from.isoformat(),
        "criteria_count": len(assessment.results),
        "criteria": _criteria(assessment.results, most=most, room=room),
        "problem": trial.problem,
        "contacts": list(trial.contacts) or None,
        "sites": [site.model_dump(exclude_none=True) for site in trial.sites] or None,
    }
    return {name: value for name, value in view.items() if value is not None}


def _criteria(results: Sequence[CriterionResult], *, most: int, room: int) -> list[dict[str, Any]]:
    kept: list[dict[str, Any]] = []
    for result in telling_first(results)[:most]:
        view = to_result_view(result)
        room -= len(str(view))
        if room < 0:
            break
        kept.append(view)
    return kept


def _notes(report: MatchReport, trials: Sequence[Any], *, first: int) -> Iterator[str]:
    if len(trials) < len(report.trials):
        last = first + len(trials) - 1
        ranks = f"Ranks {first} to {last}" if trials else "None"
        yield f"{ranks} of {len(report.trials)} judged trials are listed."
    if any(len(trial["criteria"]) < trial["criteria_count"] for trial in trials):
        yield "Of each trial only the most telling criteria are listed."
    if report.interrupted:
        yield "The run was interrupted: some candidates were not judged."


def _check(name: str, value: object, *, least: int, most: int | None) -> None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not (whole and least <= value and (most is None or value <= most)):  # type: ignore[operator]
        span = f"from {least} up" if most is None else f"from {least} to {most}"
        raise InvalidInput(
            Hint(
                "{name} is {value}, which is no whole number {span}",
                name=Argument(name),
                value=repr(value),
                span=span,
            ),
            hint=Hint("Give {name} as a whole number {span}.", name=Argument(name), span=span),
            invalid_input=str(value),
        )
