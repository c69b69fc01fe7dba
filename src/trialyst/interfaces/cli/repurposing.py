"""The commands that ask about a drug and a condition: `drug-trials`, `whitespace`, `landscape` and
`terminated`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trialyst.errors import InvalidInput
from trialyst.hints import Argument, Hint
from trialyst.interfaces.cli.arguments import descriptions_of, options_of, to_arguments
from trialyst.interfaces.cli.asking import Question, asks
from trialyst.interfaces.cli.matrix import check_drawable, read_names
from trialyst.interfaces.cli.options import Format, examples, one
from trialyst.interfaces.cli.repurposing_views import (
    COMPETITORS,
    DRUG_TRIALS,
    MATRIX,
    STOPPED,
    WHITESPACE,
)
from trialyst.interfaces.cli.saving import saving
from trialyst.repurposing.arguments import (
    DrugTrialsArguments,
    LandscapeArguments,
    TerminatedArguments,
    WhitespaceArguments,
)
from trialyst.settings import Settings
from trialyst.signatures import parameters_of

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

FILES: Given = {
    "csv": one(
        "Write every row to this file as CSV; - is standard output.", "--csv", metavar="FILE"
    ),
    "plot": one("Draw a chart into this file, .png or .svg.", "--plot", metavar="FILE"),
}


def _listed(help_text: str, *names: str) -> Any:
    return Annotated[
        list[str] | None,
        typer.Option(*names, metavar="NAMES", help=help_text, show_default=False),
    ]


_TAKEN = {
    "search_trials": DrugTrialsArguments,
    "detect_whitespace": WhitespaceArguments,
    "matrix": WhitespaceArguments,
    "get_landscape": LandscapeArguments,
    "get_terminated": TerminatedArguments,
}
"""What the methods of the client take as the tools declare it."""
_PAGES = ("slim", "page_size", "cursor")
"""What is for readers that take a list in pages; a command gives the whole list."""
_TOLD = descriptions_of(WhitespaceArguments)
_PAIR: Given = {
    "drug": Annotated[str | None, typer.Argument(metavar="DRUG", help=_TOLD["drug"])],
    "condition": Annotated[
        str | None, typer.Argument(metavar="CONDITION", help=_TOLD["condition"])
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
    from trialyst.questions.given import read_given

    settings = Settings.from_environment()
    directory = registry and registry.expanduser().absolute()
    opened = open_source(settings, source=source, registry=directory)
    try:
        client = open_repurposing(settings, opened)
        if question.tool == "matrix":
            from trialyst.agents.matrix import ask_matrix

            return await ask_matrix(client, **question.arguments)
        given = read_given(_TAKEN[question.tool], question.arguments)
        _check_given(_TAKEN[question.tool], given)
        found = await getattr(client, question.tool)(**given)
        return Answer(found.to_wire(), found.to_dicts())
    finally:
        await opened.aclose()


def _check_given(declared: type, given: Given) -> None:
    """Refuse blanks where something must be named."""
    for each in parameters_of(declared):
        if each.required and each.name not in given:
            name = Argument(each.name)
            raise InvalidInput(
                Hint("{name} is missing", name=name),
                hint=Hint("Give {name}: {what}", name=name, what=each.description),
            )


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


@asks({**options_of(DrugTrialsArguments, bare=["condition"], without=_PAGES), **FILES}, ask=_ask)
def drug_trials(given: Given, form: Format) -> Question:
    """List the trials of a drug, for a condition or for any, and say why each matches.

    Brand, code and generic name find the same trials. --plot draws the phases of those listed.
    """
    return to_question("search_trials", to_arguments(given), DRUG_TRIALS, form)


@asks(
    {**_PAIR, **options_of(WhitespaceArguments, without=("drug", "condition")), **FILES}, ask=_ask
)
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


@asks({**options_of(LandscapeArguments, bare=["condition"], without=_PAGES), **FILES}, ask=_ask)
def landscape(given: Given, form: Format) -> Question:
    """Say who works on a condition, with which drugs, and how far along.

    Competitors are sponsors with a drug, by phase and then by enrollment; vaccines and other
    prevention are kept apart. --csv has the competitors, --json all figures.
    """
    return to_question("get_landscape", to_arguments(given), COMPETITORS, form)


@asks({**options_of(TerminatedArguments, bare=["query"], without=_PAGES), **FILES}, ask=_ask)
def terminated(given: Given, form: Format) -> Question:
    """List trials that stopped early for a drug, a drug class or a condition, and why.

    The category is told from the text of the record; the summary covers all that match.
    """
    return to_question("get_terminated", to_arguments(given), STOPPED, form)


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
