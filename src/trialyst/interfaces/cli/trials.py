"""The commands that ask: `search`, `count` and `trial`."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trialyst.ctgov.plain import MAX_PAGE_SIZE, PAGE_SIZE, PlainQuery, to_search, to_trial_query
from trialyst.ctgov.query import TrialQuery
from trialyst.ids import NctId
from trialyst.interfaces.cli.options import JsonFlag, RegistryOption, SourceOption, examples
from trialyst.interfaces.cli.output import (
    note,
    show_json,
    show_table,
    show_text,
    to_values,
    warn_if_synthetic,
)
from trialyst.interfaces.cli.terms import takes_terms

if TYPE_CHECKING:
    from trialyst.ctgov.source import Provenance
    from trialyst.ctgov.trial import Trial
    from trialyst.interfaces.library import Results

__all__ = ["add_to", "count", "search", "trial"]


def add_to(app: typer.Typer) -> None:
    """Give the program the commands of this module."""
    app.command(
        epilog=examples(
            'trialyst search "breast cancer immunotherapy"',
            "trialyst search --condition asthma --phase PHASE3 --status RECRUITING --limit 5",
            "trialyst search --advanced '(asthma OR eczema) AND NOT allergy' --json",
        )
    )(search)
    app.command(
        epilog=examples(
            "trialyst count --condition asthma",
            "trialyst count --condition asthma --by Phase",
        )
    )(count)
    app.command(epilog=examples("trialyst trial NCT90000001", "trialyst trial NCT90000001 --json"))(
        trial
    )


@takes_terms
def search(
    query: PlainQuery,
    limit: Annotated[
        int,
        typer.Option("--limit", "-n", metavar="N", min=1, max=MAX_PAGE_SIZE, help="Trials a page."),
    ] = PAGE_SIZE,
    sort: Annotated[
        str | None,
        typer.Option(
            metavar="PIECE",
            help="Date or number piece, such as StartDate:desc.",
            show_default="relevance",
        ),
    ] = None,
    cursor: Annotated[
        str | None,
        typer.Option(metavar="CURSOR", help="Where the previous page ended.", show_default=False),
    ] = None,
    source: SourceOption = None,
    registry: RegistryOption = None,
    json: JsonFlag = False,
) -> None:
    """Find trials, the best matches first.

    Everything given must hold. Words are text, never operators; quote a phrase to keep its words
    together.
    """
    wanted = to_search(replace(query, page_size=limit, sort=sort))
    results = asyncio.run(_search(wanted, cursor, source, registry))
    warn_if_synthetic(results.provenance)
    if json:
        show_json(_envelope(results, limit))
        return
    if results:
        columns = ("NCT id", "Status", "Phase", "Title", "Conditions")
        show_table(columns, [_row(found) for found in results])
    note(f"{len(results)} of {results.total or 0:,} trials.")
    if results.cursor:
        note(f"For the next page add: --cursor {results.cursor}")


@takes_terms
def count(
    query: PlainQuery,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="PIECE",
            help="Count per value of this piece too, such as Phase.",
            show_default=False,
        ),
    ] = None,
    source: SourceOption = None,
    registry: RegistryOption = None,
    json: JsonFlag = False,
) -> None:
    """Count trials exactly; with nothing to look for, all of them."""
    total, groups, provenance = asyncio.run(_count(to_trial_query(query), by, source, registry))
    warn_if_synthetic(provenance)
    if json:
        counted: dict[str, Any] = {"count": total} if by is None else {"count": total, "by": groups}
        show_json({**counted, "provenance": to_values(provenance)})
    elif by is None:
        show_text(str(total))
    else:
        show_table((by, "Trials"), [(value, str(number)) for value, number in groups.items()])
        note(f"{total:,} trials; one may have several values, or none.")


def trial(
    nct_id: Annotated[
        str, typer.Argument(metavar="ID", help="NCT id, in any spelling, or a study's URL.")
    ],
    source: SourceOption = None,
    registry: RegistryOption = None,
    json: JsonFlag = False,
) -> None:
    """Show one trial."""
    found, provenance = asyncio.run(_get(str(NctId.parse(nct_id)), source, registry))
    warn_if_synthetic(provenance)
    if json:
        show_json(
            {
                "id": NctId.parse(found.nct_id).curie,
                **to_values(found),
                "provenance": to_values(provenance),
            }
        )
        return
    from trialyst.interfaces.cli.record import render_trial

    show_text(render_trial(found))


async def _search(
    query: TrialQuery, cursor: str | None, source: str | None, registry: Path | None
) -> Results:
    from trialyst.interfaces.library import aconnect

    async with await aconnect(source, registry=registry) as session:
        return await session.registry.search(query, cursor=cursor)


async def _count(
    query: TrialQuery, by: str | None, source: str | None, registry: Path | None
) -> tuple[int, dict[str, int], Provenance]:
    from trialyst.interfaces.library import aconnect

    async with await aconnect(source, registry=registry) as session:
        trials = session.registry
        groups = {} if by is None else dict(await trials.count_by(by, query))
        return await trials.count(query), groups, await trials.provenance()


async def _get(nct_id: str, source: str | None, registry: Path | None) -> tuple[Trial, Provenance]:
    from trialyst.interfaces.library import aconnect

    async with await aconnect(source, registry=registry) as session:
        return await session.registry.get(nct_id), await session.registry.provenance()


def _envelope(results: Results, page_size: int) -> dict[str, Any]:
    return {
        "items": [_candidate(found) for found in results],
        "pagination": {
            "cursor": results.cursor,
            "total_count": results.total,
            "page_size": page_size,
        },
        "provenance": to_values(results.provenance),
    }


def _candidate(found: Trial) -> dict[str, Any]:
    values = {
        "id": NctId.parse(found.nct_id).curie,
        "title": found.official_title or found.brief_title,
        "brief_summary": found.brief_summary,
        "phase": found.phase_code,
        "status": found.status,
        "conditions": list(found.conditions),
        "interventions": [each.name for each in found.interventions],
    }
    return {name: value for name, value in values.items() if value is not None}


def _row(found: Trial) -> tuple[str, ...]:
    return (
        found.nct_id,
        found.status or "",
        found.phase_code or "",
        found.title,
        "; ".join(found.conditions),
    )
