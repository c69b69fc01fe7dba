"""The commands that ask about a drug and a condition: `drug-trials`, `whitespace`, `landscape` and
`terminated`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trialyst.errors import InvalidInput
from trialyst.interfaces.cli.asking import Question, asks
from trialyst.interfaces.cli.matrix import ask_matrix, check_drawable, read_names
from trialyst.interfaces.cli.options import Format, examples, one
from trialyst.interfaces.cli.repurposing_views import (
    COMPETITORS,
    DRUG_TRIALS,
    MATRIX,
    STOPPED,
    WHITESPACE,
)
from trialyst.interfaces.cli.saving import saving
from trialyst.settings import Settings

if TYPE_CHECKING:
    from trialyst.discovery import Answer
    from trialyst.interfaces.cli.views import View

__all__ = [
    "FILES",
    "add_to",
    "drug_trials",
    "landscape",
    "terminated",
    "to_question",
    "whitespace",
]

Given = Mapping[str, Any]

_WHEN: Given = {
    "date_before": one(
        "Only trials first posted by this day, included: yyyy-MM-dd, yyyy-MM or yyyy.",
        "--date-before",
        metavar="DATE",
    ),
    "point_in_time": Annotated[
        bool,
        typer.Option(
            "--point-in-time",
            help="Hide what was not yet known at --date-before too.",
            show_default=False,
        ),
    ],
}
FILES: Given = {
    "csv": one(
        "Write every row to this file as CSV; - is standard output.", "--csv", metavar="FILE"
    ),
    "plot": one("Draw a chart into this file, .png or .svg.", "--plot", metavar="FILE"),
}


def _most(help_text: str, *names: str) -> Any:
    return Annotated[
        int | None, typer.Option(*names, metavar="N", help=help_text, show_default=False)
    ]


def _listed(help_text: str, *names: str) -> Any:
    return Annotated[
        list[str] | None,
        typer.Option(*names, metavar="NAMES", help=help_text, show_default=False),
    ]


_DRUG: Given = {
    "drug": Annotated[
        str, typer.Argument(metavar="DRUG", help="Drug: generic name, brand or code.")
    ]
}
_FOR: Given = {
    "condition": Annotated[
        str | None,
        typer.Argument(metavar="CONDITION", help="Condition; any if not given."),
    ]
}
_CONDITION: Given = {
    "condition": Annotated[str, typer.Argument(metavar="CONDITION", help="Condition or disease.")]
}
_PAIR: Given = {
    "drug": Annotated[
        str | None, typer.Argument(metavar="DRUG", help="Drug: generic name, brand or code.")
    ],
    "condition": Annotated[
        str | None, typer.Argument(metavar="CONDITION", help="Condition or disease.")
    ],
    "drugs": _listed(
        "With --matrix: drugs, repeated, separated by commas (or semicolons), or @FILE with one a "
        "line.",
        "--drug",
        "-d",
    ),
    "conditions": _listed(
        "With --matrix: conditions, likewise.",
        "--condition",
        "-c",
    ),
    "matrix": Annotated[
        bool,
        typer.Option("--matrix", help="Every drug against every condition.", show_default=False),
    ],
}


def add_to(app: typer.Typer) -> None:
    """Give the program the commands of this module."""
    for command, (name, lines) in _COMMANDS.items():
        app.command(name, epilog=examples(*lines))(command)


async def _ask(question: Question, source: str | None, registry: Path | None) -> Answer:
    from trialyst.discovery.envelope import Answer
    from trialyst.interfaces.runtime import open_repurposing, open_source

    settings = Settings.from_environment()
    directory = registry and registry.expanduser().absolute()
    opened = open_source(settings, source=source, registry=directory)
    try:
        client = open_repurposing(settings, opened)
        if question.tool == "matrix":
            return await ask_matrix(client, **question.arguments)
        found = await getattr(client, question.tool)(**question.arguments)
        return Answer(found.to_wire(), found.to_dicts())
    finally:
        await opened.aclose()


def to_question(tool: str, given: Given, view: View, form: Format) -> Question:
    """Give the question of a command that takes `FILES`; what cannot be written is refused."""
    arguments = {name: value for name, value in given.items() if name not in FILES}
    sheet = given.get("csv")
    if sheet == "-" and form not in (Format.TABLE, Format.CSV):
        raise InvalidInput(
            f"--csv - and {form} both ask for standard output",
            hint="Give one of the two, or a file after --csv.",
            invalid_input="-",
        )
    save = saving(tool, view, csv=sheet, plot=given.get("plot"))
    return Question(tool, arguments, view, save, Format.CSV if sheet == "-" else None)


@asks(
    {
        **_DRUG,
        **_FOR,
        **_WHEN,
        "phase_filter": one(
            "A phase such as PHASE3, or phases with AND, OR, NOT: '(PHASE2 OR PHASE3)'.",
            "--phase",
            "-p",
        ),
        "max_results": _most("How many at most; 200.", "--max-results", "--limit", "-n"),
        **FILES,
    },
    ask=_ask,
)
def drug_trials(given: Given, form: Format) -> Question:
    """List the trials of a drug, for a condition or for any, and say why each matches.

    Brand, code and generic name find the same trials. --plot draws the phases of those listed.
    """
    return to_question("search_trials", given, DRUG_TRIALS, form)


@asks({**_PAIR, **_WHEN, **FILES}, ask=_ask)
def whitespace(given: Given, form: Format) -> Question:
    """Say whether a drug has been tried for a condition, and how far it has come.

    Grades: untested (on a part of the registry unknown_coverage), early, active, established,
    stopped, or unknown_name. Where nothing was tried, the other drugs tested for the condition
    are listed, phase 2 and later. Approvals are
    not consulted. With --matrix drugs stand against conditions, and --plot draws a heat map.
    """
    stated = dict(given)
    names = read_names(stated)
    if given["matrix"]:
        if "plot" in given:
            check_drawable(names)
        return to_question("matrix", {**stated, **names}, MATRIX, form)
    return to_question("detect_whitespace", {**stated, **names}, WHITESPACE, form)


@asks(
    {
        **_CONDITION,
        **_WHEN,
        "top_n": _most("How many competitors; 50.", "--top", "--limit", "-n"),
        **FILES,
    },
    ask=_ask,
)
def landscape(given: Given, form: Format) -> Question:
    """Say who works on a condition, with which drugs, and how far along.

    Competitors are sponsors with a drug, by phase and then by enrollment; vaccines and other
    prevention are kept apart. --csv has the competitors, --json all figures.
    """
    return to_question("get_landscape", given, COMPETITORS, form)


@asks(
    {
        "query": Annotated[
            str, typer.Argument(metavar="QUERY", help="Drug, drug class or condition.")
        ],
        **_WHEN,
        "max_results": _most("How many at most; 100.", "--max-results", "--limit", "-n"),
        **FILES,
    },
    ask=_ask,
)
def terminated(given: Given, form: Format) -> Question:
    """List trials that stopped early for a drug, a drug class or a condition, and why.

    The category is told from the text of the record; the summary covers all that match.
    """
    return to_question("get_terminated", given, STOPPED, form)


_COMMANDS = {
    drug_trials: (
        "drug-trials",
        (
            "trialyst drug-trials semaglutide",
            "trialyst drug-trials wegovy NASH --phase '(PHASE2 OR PHASE3)'",
            "trialyst drug-trials pembrolizumab melanoma --csv trials.csv --plot phases.svg",
            "trialyst drug-trials semaglutide --date-before 2019-06-01 --point-in-time --json",
        ),
    ),
    whitespace: (
        "whitespace",
        (
            "trialyst whitespace semaglutide NASH",
            "trialyst whitespace --matrix -d metformin,semaglutide -c asthma,psoriasis",
            "trialyst whitespace --matrix -d @drugs.txt -c @conditions.txt --plot matrix.png",
        ),
    ),
    landscape: (
        "landscape",
        (
            "trialyst landscape 'rheumatoid arthritis' --top 20",
            "trialyst landscape asthma --csv competitors.csv --plot asthma.png",
        ),
    ),
    terminated: (
        "terminated",
        (
            "trialyst terminated semaglutide",
            "trialyst terminated 'GLP-1 receptor agonist' --max-results 250 --csv -",
            "trialyst terminated asthma --date-before 2020 --plot reasons.svg",
        ),
    ),
}
