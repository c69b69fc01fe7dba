"""`trialyst scout`: conditions to look at for a drug, by what drugs near it are tested for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from trialyst.agents.arguments import ScoutArguments
from trialyst.interfaces.cli.arguments import options_of, to_arguments
from trialyst.interfaces.cli.asking import Question, asks
from trialyst.interfaces.cli.layout import Table
from trialyst.interfaces.cli.options import Format, examples
from trialyst.interfaces.cli.views import TableView, as_field, bare_id
from trialyst.settings import Settings

if TYPE_CHECKING:
    from trialyst.discovery import Answer

__all__ = ["add_to", "ask_scout", "scout"]

Given = Mapping[str, Any]

_FIELDS = (
    "condition",
    "score",
    "grade",
    "own_trials",
    "condition_trials",
    "relative_trials",
    "relatives",
    "highest_phase",
    "failures",
    "nct_ids",
)


def add_to(app: typer.Typer) -> None:
    """Give the program the command of this module."""
    app.command(
        epilog=examples(
            "trialyst scout semaglutide",
            "trialyst scout empagliflozin --limit 5 --json",
            "trialyst scout metformin --date-before 2015-01-01 --point-in-time",
        )
    )(scout)


async def ask_scout(question: Question, source: str | None, registry: Path | None) -> Answer:
    """Rank conditions for a drug on the source that the user named."""
    from trialyst.agents.scout import run_scout
    from trialyst.discovery import Answer
    from trialyst.interfaces.runtime import open_repurposing, open_source
    from trialyst.questions.given import read_given

    settings = Settings.from_environment()
    directory = registry and registry.expanduser().absolute()
    opened = open_source(settings, source=source, registry=directory)
    given = read_given(ScoutArguments, question.arguments)
    most = {"limit": given.pop("max_results")} if "max_results" in given else {}
    try:
        report = await run_scout(open_repurposing(settings, opened), **given, **most)
    finally:
        await opened.aclose()
    body = report.to_wire()
    return Answer(body, rows=body["indications"])


def _table(answer: Answer) -> Table:
    rows = [
        [
            str(row["score"]),
            row["condition"],
            row["grade"].replace("_", " "),
            f"{row['own_trials']:,}",
            f"{row['condition_trials']:,}",
            f"{row['relative_trials']:,} of {', '.join(row['relatives'][:3])}"
            + (" ..." if len(row["relatives"]) > 3 else ""),
            row["highest_phase"],
            f"{len(row['failures']):,}",
            ", ".join(map(bare_id, row["nct_ids"][:2])),
        ]
        for row in answer["indications"]
    ]
    heads = ["Score", "Condition", "Grade", "Own", "Any drug", "Relatives' trials", "Their phase"]
    return Table([*heads, "Failed", "Such as"], rows, firm=1)


def _sheet(answer: Answer) -> Table:
    terms = sorted({term["name"] for row in answer["indications"] for term in row["score_terms"]})
    rows = [
        [
            *(as_field(row.get(name)) for name in _FIELDS),
            *(
                next((str(t["value"]) for t in row["score_terms"] if t["name"] == name), "")
                for name in terms
            ),
        ]
        for row in answer["indications"]
    ]
    return Table([*_FIELDS, *terms], rows)


def _closing(answer: Answer) -> Iterable[str]:
    if not answer["indications"]:
        yield f"No condition found in which drugs near {answer['drug']['asked']} are tested."
        return
    yield (
        f"{len(answer['indications']):,} of {answer['candidates']:,} conditions in which drugs "
        f"near {answer['drug']['asked']} are tested. Write one up with `trialyst dossier`."
    )


SCOUTED = TableView(_table, _sheet, _closing)


@asks(options_of(ScoutArguments, bare=["drug"]), ask=ask_scout)
def scout(given: Given, form: Format) -> Question:
    """Rank conditions for a drug: where drugs of its class or target are tested and it is not.

    The score, its terms and its limits are in the guide to dossiers. It orders what to read.
    """
    return Question("scout_indications", to_arguments(given), SCOUTED)
