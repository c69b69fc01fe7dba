"""How a match reads on a terminal: the ranked trials, then of each what its verdict rests on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trialyst.interfaces.cli.layout import Table, clean, render_table, wrap
from trialyst.interfaces.cli.output import note, screen, show_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trialyst.interfaces.cli.layout import Screen
    from trialyst.matching.judging.result import CriterionResult
    from trialyst.matching.report import MatchedTrial, MatchReport

__all__ = ["show_match"]

_PIPE_WIDTH = 100
_FACTS = 8
_MARK, _DEEP = "   ", "      "


def show_match(report: MatchReport, *, first: int, top: int, criteria: int) -> None:
    """Print a part of a report; its figures go to standard error."""
    trials = list(enumerate(report.trials, start=1))[first - 1 : first - 1 + top]
    here = screen()
    show_text("\n".join(wrap(line, here.width or _PIPE_WIDTH) for line in _warnings(report)) + "\n")
    if trials:
        show_text(render_table(_table(trials), here))
    for rank, trial in trials:
        show_text("\n" + "\n".join(_trial_lines(rank, trial, here, most=criteria)))
    told = ", ".join(f"{number:,} {verdict}" for verdict, number in report.counts.items())
    if report.facts_to_ask:
        facts = "; ".join(f"{each.fact} ({each.trials:,})" for each in report.facts_to_ask[:_FACTS])
        asked = f"Facts to ask, with the open trials that hang on them: {facts}"
        show_text("\n" + wrap(asked, here.width or _PIPE_WIDTH))
    note(f"{len(report.trials):,} of {report.found:,} trials found were judged: {told}.")


def _warnings(report: MatchReport) -> Iterator[str]:
    from trialyst.matching.report import RESEARCH_USE

    yield RESEARCH_USE
    if report.provenance.synthetic:
        yield "SYNTHETIC RECORDS: every trial below is invented, for trying things out."


def _table(trials: Sequence[tuple[int, MatchedTrial]]) -> Table:
    from trialyst.agents.wording import status_words
    from trialyst.matching.wording import phase_words, verdict_words

    rows = [
        [
            str(rank),
            trial.nct_id,
            verdict_words(trial.verdict),
            f"{trial.assessment.confidence:.2f}",
            phase_words(trial.candidate.phase),
            status_words(trial.candidate.status),
            f"{trial.sites[0].distance_km:,.0f} km" if trial.sites else "",
            trial.candidate.brief_title,
        ]
        for rank, trial in trials
    ]
    heads = ["#", "Trial", "Verdict", "Sure", "Phase", "Status", "Nearest", "Title"]
    return Table(heads, rows, firm=3).without_empty_columns()


def _trial_lines(rank: int, trial: MatchedTrial, here: Screen, *, most: int) -> Iterator[str]:
    from trialyst.matching.report_view import telling_first
    from trialyst.matching.wording import site_words, verdict_words, why_words

    width = here.width or _PIPE_WIDTH
    told = verdict_words(trial.verdict)
    head = f"{rank}. {trial.nct_id}, {told}: {trial.candidate.brief_title}"
    yield wrap(head, width, hanging=_MARK)
    if why := why_words(trial):
        yield wrap(f"Why: {why}", width, indent=_MARK, hanging=_DEEP)
    if trial.sites:
        sites = "; ".join(map(site_words, trial.sites))
        yield wrap(f"Nearest recruiting: {sites}", width, indent=_MARK, hanging=_DEEP)
    results = telling_first(trial.assessment.results)
    for result in results[:most]:
        yield from _criterion_lines(result, width)
    if len(results) > most:
        yield f"{_MARK}and {len(results) - most:,} more criteria"


def _criterion_lines(result: CriterionResult, width: int) -> Iterator[str]:
    from trialyst.matching.wording import criterion_words

    head = f"{result.criterion_type}, {criterion_words(result)}: {clean(result.criterion)}"
    yield wrap(head, width, indent=_MARK, hanging=_DEEP)
    quotes = "; ".join(f'[{quote.sentence}] "{clean(quote.text)}"' for quote in result.quotes)
    told = f"{quotes}. {result.reasoning}" if quotes else result.reasoning
    yield wrap(told, width, indent=_DEEP)
