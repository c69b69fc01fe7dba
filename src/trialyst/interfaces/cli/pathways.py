"""The commands that ask about pathways; those that fetch and load them are in `pathway_store`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trialyst.discovery.pathways.arguments import (
    ComponentArguments,
    EnrichOptions,
    GeneArguments,
    PathwayArguments,
    SearchArguments,
)
from trialyst.errors import InvalidInput
from trialyst.interfaces.cli.arguments import options_of, to_arguments
from trialyst.interfaces.cli.asking import Question, asks
from trialyst.interfaces.cli.options import (
    Format,
    FormatOption,
    JsonFlag,
    PathwaySourceOption,
    examples,
    many,
    one,
)
from trialyst.interfaces.cli.pathway_views import COMPONENTS, ENRICHED, HITS, INTERACTIONS, PATHWAY
from trialyst.paging import SMALL_PAGE
from trialyst.settings import Settings

if TYPE_CHECKING:
    from trialyst.discovery import Answer

__all__ = ["add_to", "app", "components", "enrich", "gene", "get", "search"]

Given = Mapping[str, Any]

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Search pathways of genes and metabolites; fetch, load and draw them.",
)

_SHARED: Given = {"format": FormatOption, "source": PathwaySourceOption, "json": JsonFlag}
_INTERACTIONS: Given = {
    "interactions": Annotated[
        bool,
        typer.Option("--interactions", help="Show the interactions only.", show_default=False),
    ]
}
_GENES: Given = {
    "genes": Annotated[
        list[str] | None,
        typer.Argument(metavar="GENE", help="Symbols or ids, mixed; or use --file."),
    ],
    "file": one("A file of genes, one a line; - is standard input.", "--file", metavar="FILE"),
    "background": many(
        "A file of the genes that could have been found; all genes of the organism's pathways if "
        "not given.",
        "--background",
        metavar="FILE",
    ),
}


def add_to(program: typer.Typer) -> None:
    """Give the program the commands of pathways."""
    program.add_typer(_whole(), name="pathways")


@cache
def _whole() -> typer.Typer:
    from trialyst.interfaces.cli import pathway_bridge, pathway_drawing, pathway_store

    for command, lines in _COMMANDS.items():
        app.command(epilog=examples(*lines))(command)
    for module in (pathway_drawing, pathway_bridge, pathway_store):
        module.add_to(app)
    return app


async def _ask(question: Question, source: str | None, registry: Path | None) -> Answer:
    from trialyst.interfaces.runtime import open_pathways

    pathways = open_pathways(Settings.from_environment(), source=source)
    try:
        answer: Answer = await getattr(pathways, question.tool)(**question.arguments)
    finally:
        await pathways.aclose()
    return answer


@asks(options_of(SearchArguments, bare=["query"]), ask=_ask, shared=_SHARED)
def search(given: Given, form: Format) -> Question:
    """Find pathways by a name, a process, a gene or a disease, the best matches first."""
    return Question("search_pathways", to_arguments(given), HITS)


@asks(options_of(PathwayArguments), ask=_ask, shared=_SHARED)
def get(given: Given, form: Format) -> Question:
    """Show one pathway: what it is about, its genes and metabolites; on request its papers."""
    return Question("get_pathway", given, PATHWAY)


@asks(options_of(GeneArguments), ask=_ask, shared=_SHARED)
def gene(given: Given, form: Format) -> Question:
    """List the pathways that hold one gene, under any of its ids.

    The gene is compared exactly, never by a part of its id; a bare number is an Entrez id. An id is
    of one organism, a symbol of every organism.
    """
    return Question("get_pathways_for_gene", given, HITS)


@asks({**options_of(ComponentArguments), **_INTERACTIONS}, ask=_ask, shared=_SHARED)
def components(given: Given, form: Format) -> Question:
    """Show what a pathway is made of, and how its parts act on each other.

    Genes, proteins, metabolites and complexes are merged across id systems. With --format csv
    one row is a component, or with --interactions an interaction. Pages are for JSON and where
    their size is given; otherwise everything is shown.
    """
    arguments = to_arguments(given)
    only_interactions = arguments.pop("interactions")
    if only_interactions:
        arguments["kinds"] = "interactions"
    if form is Format.JSON and "cursor" not in arguments:
        arguments.setdefault("page_size", SMALL_PAGE)
    view = INTERACTIONS if only_interactions else COMPONENTS
    return Question("get_pathway_components", arguments, view)


@asks({**_GENES, **options_of(EnrichOptions, without=["background"])}, ask=_ask, shared=_SHARED)
def enrich(given: Given, form: Format) -> Question:
    """Rank pathways by how unlikely it is that they hold so many of some genes by chance.

    One-sided hypergeometric test, adjusted after Benjamini and Hochberg over every pathway tested;
    the background is stated. The organism is Homo sapiens if none is given.
    """
    arguments = dict(given)
    genes = list(arguments.pop("genes", ()))
    if file := arguments.pop("file", None):
        genes.append(_read_file(file))
    if files := arguments.pop("background", ()):
        arguments["background"] = [_read_file(file) for file in files]
    return Question("enrich_pathways", {**arguments, "genes": genes}, ENRICHED)


def _read_file(name: str) -> str:
    try:
        # Spreadsheets begin a text file with a mark that is no part of its first gene.
        return (
            typer.get_text_stream("stdin").read().removeprefix("\ufeff")
            if name == "-"
            else Path(name).read_text("utf-8-sig")
        )
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(
            f"The genes cannot be read from {name!r}: {error}",
            hint="Give a text file with one gene a line, or - for standard input.",
            invalid_input=name,
        ) from None


_COMMANDS = {
    search: (
        "trialyst pathways search glycolysis",
        "trialyst pathways search breast cancer --organism 'Homo sapiens' --full",
        "trialyst pathways search apoptosis --limit 5 --json",
    ),
    get: (
        "trialyst pathways get WP554 --literature",
        "trialyst pathways get https://www.wikipathways.org/instance/WP534 --json",
    ),
    gene: (
        "trialyst pathways gene TNF",
        "trialyst pathways gene 7124 --organism 'Homo sapiens'",
        "trialyst pathways gene ENSG00000232810 --format csv",
    ),
    components: (
        "trialyst pathways components WP534",
        "trialyst pathways components WP534 --interactions --format csv",
    ),
    enrich: (
        "trialyst pathways enrich HK1 PFKM PKM LDHA",
        "trialyst pathways enrich --file genes.txt --background measured.txt --json",
    ),
}
