"""`trialyst watch`: saved questions, and what changed in them since one was last told."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec
import typer

from trialyst.discovery.arguments import TermArguments
from trialyst.interfaces.cli.arguments import options_of, to_arguments
from trialyst.interfaces.cli.changes import change_rows
from trialyst.interfaces.cli.options import JsonFlag, RegistryOption, SourceOption, examples
from trialyst.interfaces.cli.output import (
    note,
    show_exactly,
    show_json,
    show_table,
    show_text,
)
from trialyst.settings import Settings

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.discovery.watches import Watch, WatchBook
    from trialyst.ids import NctId

__all__ = ["add", "add_to", "app", "feed", "list_watches", "remove", "run"]

CHANGED = 1
"""The exit code of a run that has something to tell: `run` asks whether anything is new."""
STUDY_PAGE = "https://clinicaltrials.gov/study/"

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Watch questions, drugs, conditions and trials, and be told what changed.",
)

Result = TypeVar("Result")
Name = Annotated[str, typer.Argument(metavar="NAME", help="What the watch is called.")]
Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="NAME...", help="Watches to run; all by default.", show_default=False),
]


def add_to(program: typer.Typer) -> None:
    """Give the program the commands of this module."""
    program.add_typer(app, name="watch")


def _book() -> WatchBook:
    from trialyst.discovery.watches import WatchBook

    return WatchBook(Settings.from_environment().home)


def _ask(
    source: str | None,
    registry: Path | None,
    ask: Callable[[TrialSource], Awaitable[Result]],
) -> Result:
    from trialyst.interfaces.runtime import open_source

    async def run() -> Result:
        directory = registry and registry.expanduser().absolute()
        opened = open_source(Settings.from_environment(), source=source, registry=directory)
        try:
            return await ask(opened)
        finally:
            await opened.aclose()

    return asyncio.run(run())


def add(name: Name, **given: Any) -> None:
    """Watch what a question finds; words and filters are those of search.

    A drug, a condition, trials by their ids, or anything else that search takes. What changes from
    now on is told by `trialyst watch run`.
    """
    from trialyst.discovery.watching import begin_watch, describe_asked

    source, registry, json = (given.pop(each) for each in ("source", "registry", "json"))
    asked = to_arguments({key: value for key, value in given.items() if value})
    watch, found = _ask(
        source,
        registry,
        lambda opened: begin_watch(opened, name, asked, now=datetime.now(UTC)),
    )
    _book().add(watch)
    if json:
        show_json(msgspec.to_builtins(watch))
    else:
        show_text(f"Watching {name} ({describe_asked(watch)}) from {found.until_day} on.")


def _with_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give the command the options of search."""
    options = {
        **options_of(TermArguments, bare=["query"]),
        "source": SourceOption,
        "registry": RegistryOption,
        "json": JsonFlag,
    }
    named = inspect.Parameter("name", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Name)
    others = [
        inspect.Parameter(
            each,
            inspect.Parameter.KEYWORD_ONLY,
            default=False if each == "json" else None,
            annotation=kind,
        )
        for each, kind in options.items()
    ]
    command.__signature__ = inspect.Signature([named, *others])  # type: ignore[attr-defined]
    command.__annotations__ = {"name": Name, **options}
    return command


app.command(
    "add",
    epilog=examples(
        "trialyst watch add melanoma --condition melanoma --status RECRUITING",
        "trialyst watch add semaglutide --drug semaglutide",
        "trialyst watch add mine --id NCT90000001 --id NCT90000002",
    ),
)(_with_options(add))


@app.command("list", epilog=examples("trialyst watch list", "trialyst watch list --json"))
def list_watches(json: JsonFlag = False) -> None:
    """List the watches, what they find and when they were last told."""
    from trialyst.discovery.watching import describe_asked

    watches = _book().all()
    if json:
        show_json(msgspec.to_builtins(watches))
    elif not watches:
        note("There are no watches; add one as in: trialyst watch add NAME --condition asthma")
    else:
        show_table(
            ("Name", "Watches", "Last told"),
            [(each.name, describe_asked(each), each.told_at or "never") for each in watches],
        )


@app.command(epilog=examples("trialyst watch remove melanoma"))
def remove(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Watches to forget.")],
    json: JsonFlag = False,
) -> None:
    """Forget watches."""
    _book().remove(names)
    if json:
        show_json({"removed": names})
    else:
        show_text(f"Removed {', '.join(names)}.")


@app.command(
    epilog=examples(
        "trialyst watch run",
        "trialyst registry sync && trialyst watch run melanoma --json",
        "trialyst watch run --keep || echo 'something changed'",
    )
)
def run(
    names: Names = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Tell the same again next time.", show_default=False)
    ] = False,
    source: SourceOption = None,
    registry: RegistryOption = None,
    json: JsonFlag = False,
) -> None:
    """Tell what changed in the watches since they were last run.

    Exit code 0 means nothing is new, 1 that something changed.
    """
    from trialyst.discovery.watching import run_watches

    book = _book()
    watches = book.get(names or ())
    told = _ask(
        source, registry, lambda opened: run_watches(opened, watches, now=datetime.now(UTC))
    )
    if json:
        show_json(told.body)
    else:
        if not watches:
            note("There are no watches; add one as in: trialyst watch add NAME --condition asthma")
        for result in told.body["watches"]:
            _show(result)
    if not keep:
        book.mark(told.watches)
    raise typer.Exit(CHANGED if told.changed else 0)


def _show(result: dict[str, Any]) -> None:
    counts = ", ".join(f"{number:,} {kind}" for kind, number in result["counts"].items())
    span = f"{result['until']} compared with {result['compared_with']}"
    show_text(f"{result['name']}: {counts} ({span})")
    if "note" in result:
        note(result["note"])
    if result["items"]:
        show_table(("NCT id", "Kind", "Title", "Changes"), change_rows(result["items"]))
        left = sum(result["counts"].values()) - len(result["items"])
        if left:
            note(f"... and {left:,} more; `trialyst changes` lists them all.")
        show_text("")


@app.command(epilog=examples("trialyst watch feed melanoma > melanoma.atom"))
def feed(
    name: Name,
    days: Annotated[
        int, typer.Option("--days", min=1, max=3650, help="Changes of the last so many days.")
    ] = 30,
    source: SourceOption = None,
    registry: RegistryOption = None,
    json: JsonFlag = False,
) -> None:
    """Print what changed lately in a watch as an Atom feed; `trialyst serve` has it too.

    The site gives the same feed at /watch/NAME.atom.
    """
    from trialyst.discovery.feed import render_feed
    from trialyst.discovery.watching import describe_asked, recent_changes

    (watch,) = _book().get([name])
    result = _ask(
        source,
        registry,
        lambda opened: recent_changes(opened, watch, now=datetime.now(UTC), days=days),
    )
    if json:
        show_json(result)
        return
    written = render_feed(
        result, address=_address(watch), link=_study_page, asked=describe_asked(watch)
    )
    show_exactly(written)


def _address(watch: Watch) -> str:
    return f"urn:trialyst:watch:{watch.name}"


def _study_page(nct_id: NctId) -> str:
    return f"{STUDY_PAGE}{nct_id}"
