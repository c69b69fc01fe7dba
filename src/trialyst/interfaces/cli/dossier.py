"""`trialyst dossier`: all that registered trials say about a drug in a condition, as a file."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trialyst.agents.arguments import DossierArguments
from trialyst.errors import InvalidInput
from trialyst.interfaces.cli.arguments import descriptions_of
from trialyst.interfaces.cli.asking import tell_origin
from trialyst.interfaces.cli.options import JsonFlag, RegistryOption, SourceOption, examples
from trialyst.interfaces.cli.output import note, show_exactly, show_json, warn_if_synthetic
from trialyst.settings import Settings, SourceName

if TYPE_CHECKING:
    from trialyst.agents.findings import Question
    from trialyst.agents.rephrasing import Rephraser
    from trialyst.agents.supervisor import Dossier
    from trialyst.agents.writing import DossierForm

__all__ = ["add_to", "dossier"]

_TOLD = descriptions_of(DossierArguments)

DateBeforeOption = Annotated[
    str | None,
    typer.Option("--date-before", metavar="DATE", help=_TOLD["date_before"], show_default=False),
]
PubmedFlag = Annotated[
    bool | None,
    typer.Option(
        "--pubmed/--no-pubmed",
        help="Fetch titles and abstracts of linked papers from PubMed; on with --source live.",
        show_default=False,
    ),
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME",
        help="A language model, provider:model, that may rephrase and order sentences.",
        show_default=False,
    ),
]
PointInTimeFlag = Annotated[
    bool, typer.Option("--point-in-time", help=_TOLD["point_in_time"], show_default=False)
]


def add_to(app: typer.Typer) -> None:
    """Give the program the command of this module."""
    app.command(
        epilog=examples(
            "trialyst dossier semaglutide NASH",
            "trialyst dossier semaglutide NASH --out semaglutide-nash.html",
            "trialyst dossier metformin 'breast cancer' --out metformin.pdf --pubmed",
            "trialyst dossier semaglutide NASH --date-before 2019-06-01 --point-in-time",
        )
    )(dossier)


def dossier(
    drug: Annotated[str, typer.Argument(metavar="DRUG", help=_TOLD["drug"])],
    condition: Annotated[str, typer.Argument(metavar="CONDITION", help=_TOLD["condition"])],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="The file to write: .html, .md, .json or .pdf; Markdown on standard output if not "
            "given.",
            show_default=False,
        ),
    ] = None,
    date_before: DateBeforeOption = None,
    point_in_time: PointInTimeFlag = False,
    pubmed: PubmedFlag = None,
    model: ModelOption = None,
    source: SourceOption = None,
    registry: RegistryOption = None,
    json: JsonFlag = False,
) -> None:
    """Write what is known about a drug in a condition: trials, failures, competitors, papers.

    Every sentence carries the NCT id or PMID it rests on. The file holds everything it shows.
    With --json standard output has what the tool write_dossier returns.
    """
    from trialyst.agents.findings import Question
    from trialyst.agents.writing import DossierForm, render_dossier, to_answer

    form = DossierForm.MARKDOWN if out is None else _form(out)
    settings = Settings.from_environment()
    chosen = settings.source if source is None else source
    asks_pubmed = chosen is SourceName.LIVE if pubmed is None else pubmed
    question = Question(
        drug=drug, condition=condition, date_before=date_before, point_in_time=point_in_time
    )
    written = asyncio.run(
        _write(settings, question, (source, registry), asks_pubmed=asks_pubmed, model=model)
    )
    warn_if_synthetic(written.provenance)
    for failure in written.failures:
        note(f"The {failure.agent} agent failed: {failure.problem}")
    if out is not None:
        _save(out.expanduser(), render_dossier(written, form))
    answer = to_answer(written)
    tell_origin(answer)
    if json:
        show_json(answer.to_dict())
    elif out is None:
        show_exactly(answer["text"])
    else:
        note(f"Written: {out}")


async def _write(
    settings: Settings,
    question: Question,
    where: tuple[SourceName | None, Path | None],
    *,
    asks_pubmed: bool,
    model: str | None,
) -> Dossier:
    from trialyst.agents.supervisor import run_supervisor
    from trialyst.interfaces.runtime import open_repurposing, open_source
    from trialyst.pubmed import open_pubmed

    source, registry = where
    directory = registry and registry.expanduser().absolute()
    async with AsyncExitStack() as closing:
        rephraser = None if model is None else _open_rephraser(settings, model, closing)
        opened = open_source(settings, source=source, registry=directory)
        closing.push_async_callback(opened.aclose)
        papers = open_pubmed(settings) if asks_pubmed else None
        if papers is not None:
            closing.push_async_callback(papers.aclose)
        client = open_repurposing(settings, opened)
        return await run_supervisor(client, question, pubmed=papers, rephraser=rephraser)


def _open_rephraser(settings: Settings, model: str, closing: AsyncExitStack) -> Rephraser:
    """Open the model that rephrases, having said what is sent where."""
    from trialyst.agents.model_rephraser import ModelRephraser
    from trialyst.llm import describe_sending, open_adapter

    adapter = open_adapter(model, settings)
    closing.push_async_callback(adapter.aclose)
    note(describe_sending(adapter.endpoint, "the dossier's sentences"))
    return ModelRephraser(adapter)


def _form(out: Path) -> DossierForm:
    from trialyst.agents.writing import DossierForm

    ending = out.suffix.lower().lstrip(".")
    known = {"htm": "html", "markdown": "md"}.get(ending, ending)
    if known not in set(DossierForm):
        raise InvalidInput(
            f"A dossier cannot be written as {out.suffix or out.name!r}",
            hint=f"End --out with {', '.join(f'.{form}' for form in DossierForm)}.",
            invalid_input=str(out),
        )
    if out.expanduser().is_dir() or not out.expanduser().absolute().parent.is_dir():
        raise InvalidInput(
            f"There is no place for the file {str(out)!r}",
            hint="Name a file in a directory that exists.",
            invalid_input=str(out),
        )
    return DossierForm(known)


def _save(path: Path, content: bytes) -> None:
    from trialyst.registry.generation import write_atomically

    write_atomically(path.absolute(), content)
