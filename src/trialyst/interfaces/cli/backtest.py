"""`trialyst backtest`: what became of every drug and condition, by its grade at a cutoff."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trialyst.interfaces.cli.asking import Question, asks
from trialyst.interfaces.cli.layout import Table
from trialyst.interfaces.cli.options import Format, examples
from trialyst.interfaces.cli.progress import show_steps
from trialyst.interfaces.cli.repurposing import FILES, to_question
from trialyst.interfaces.cli.repurposing_views import Report
from trialyst.interfaces.cli.views import as_field
from trialyst.settings import Settings

if TYPE_CHECKING:
    from trialyst.discovery import Answer

__all__ = ["add_to", "ask_backtest", "backtest"]

Given = Mapping[str, Any]

_OPTIONS: Given = {
    "cutoff": Annotated[
        str,
        typer.Option(
            "--cutoff",
            metavar="DATE",
            help="The last day that is known: yyyy-MM-dd, yyyy-MM or yyyy.",
        ),
    ],
    "years": Annotated[
        int | None,
        typer.Option(
            "--years", metavar="N", help="How many years after it to look; all later data."
        ),
    ],
    "recognized_only": Annotated[
        bool,
        typer.Option(
            "--recognized",
            help="Only drugs that the vocabulary knows, which favours those that had a future.",
            show_default=False,
        ),
    ],
    **FILES,
}
_OUTCOMES = {"new_trial": "New trial", "phase_3": "Phase 3", "stop": "Stop"}
_FIGURES = ("pairs", "share", "low", "high", "lift")
_TITLES = {
    "all": "Grades at the cutoff, and what followed",
    "untested": "Signals of untested pairs",
    "tested": "Signals of pairs with a trial",
}


def add_to(app: typer.Typer) -> None:
    """Give the program the command of this module."""
    app.command(
        epilog=examples(
            "trialyst backtest --cutoff 2015-12-31",
            "trialyst backtest --cutoff 2012 --years 5 --plot backtest.png --csv backtest.csv",
            "trialyst backtest --cutoff 2018-06 --recognized --json",
        )
    )(backtest)


async def ask_backtest(question: Question, source: str | None, registry: Path | None) -> Answer:
    """Run the backtest on the registry that the user named."""
    from trialyst.discovery.envelope import Answer
    from trialyst.interfaces.runtime import open_registry, open_repurposing
    from trialyst.repurposing.backtest import run_backtest

    directory = registry and registry.expanduser().absolute()
    settings = Settings.from_environment()
    opened = open_registry(settings, source=source, registry=directory)
    try:
        names = open_repurposing(settings, opened).vocabulary
        with show_steps() as watch:
            report = await run_backtest(
                opened, vocabulary=names, on_progress=watch, **question.arguments
            )
    finally:
        await opened.aclose()
    return Answer(report.to_wire(), report.to_dicts())


def _parts(answer: Answer) -> Iterator[tuple[str, Table]]:
    heads = ("Pairs", "Number", *_OUTCOMES.values(), "Meaning")
    for scope, title in _TITLES.items():
        rows = [
            [
                line["name"].replace("_", " "),
                f"{line['pairs']:,}",
                *(_told(line[outcome]) for outcome in _OUTCOMES),
                line["meaning"],
            ]
            for line in answer["lines"]
            if line["scope"] == scope
        ]
        yield title, Table(heads, rows, firm=2)


def _told(followed: Mapping[str, Any]) -> str:
    """Give a count, its share, the lift, and the interval of the share."""
    if followed.get("share") is None:
        return "-"
    low, high = _percent(followed["low"]), _percent(followed["high"])
    lift = f" x{followed['lift']:.3g}" if followed.get("lift") is not None else ""
    return f"{followed['pairs']:,} = {_percent(followed['share'])}%{lift} ({low}-{high})"


def _percent(share: float) -> str:
    """Write a share in percent, three digits that count and no exponent."""
    percent = 100 * share
    if percent == 0 or percent >= 1e-4:
        return f"{percent:.3g}"
    return f"{percent:.7f}".rstrip("0")


def _sheet(answer: Answer) -> Table:
    own = ("scope", "kind", "name", "meaning", "pairs")
    columns = [*own, *(f"{outcome}_{figure}" for outcome in _OUTCOMES for figure in _FIGURES)]
    rows = [
        [
            *(as_field(line[name]) for name in own),
            *(as_field(line[outcome].get(each)) for outcome in _OUTCOMES for each in _FIGURES),
        ]
        for line in answer["lines"]
    ]
    return Table(columns, rows)


def _closing(answer: Answer) -> Iterator[str]:
    seen = answer["candidates"]
    yield (
        f"By {answer['cutoff']}: {seen['trials']:,} trials, {seen['drug_trials']:,} of them with a "
        f"drug and a condition; {seen['drugs']:,} drugs ({seen['recognized_drugs']:,} recognized) "
        f"times {seen['conditions']:,} conditions are {seen['pairs']:,} pairs, "
        f"{seen['tested_pairs']:,} with a trial."
    )
    yield (
        f"Until {answer['until']} ({answer['follow_up_years']:g} years): "
        f"{seen['later_trials']:,} new trials with a drug and a condition, "
        f"{seen['later_trials_of_pairs']:,} of them of these pairs; the others are of a drug or a "
        "condition not seen before."
    )
    yield (
        "A cell is: pairs followed = share, lift over the first line of its table, (95 % interval "
        "of the share)."
    )


BACKTESTED = Report(_parts, _sheet, _closing)


@asks(_OPTIONS, ask=ask_backtest)
def backtest(given: Given, form: Format) -> Question:
    """Grade every drug and condition as of a day, and count what followed.

    Says how often each whitespace grade, and each signal, was followed by a first or further
    trial, a phase 3 or a stop, with 95 % intervals and the lift over all pairs. Nothing that was
    not known at the cutoff goes into a grade. It needs a registry on this machine.
    """
    return to_question("backtest", given, BACKTESTED, form)
