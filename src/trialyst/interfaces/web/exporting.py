"""What a search found, as a file: CSV for tables, JSON for programs, RIS for reference managers."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from starlette.responses import Response, StreamingResponse

from trialyst.discovery.comparison import ASPECTS, to_rows
from trialyst.errors import NotFound
from trialyst.ids import NctId
from trialyst.interfaces.citations import RIS_MEDIA, render_ris
from trialyst.interfaces.spreadsheets import guard_cell
from trialyst.interfaces.web.templating import clean

if TYPE_CHECKING:
    from trialyst.ctgov.trial import Trial
    from trialyst.interfaces.trials import Trials

__all__ = ["EXPORTS", "export"]


async def _csv(trials: AsyncIterator[Trial]) -> AsyncIterator[str]:
    yield _line(("nct_id", "title", *ASPECTS))
    async for trial in trials:
        curie = NctId.parse(trial.nct_id).curie
        rows = {row["aspect"]: row["values"][curie] for row in to_rows([trial])}
        title = trial.brief_title or trial.official_title
        yield _line((trial.nct_id, title, *(rows.get(each) for each in ASPECTS)))


def _cell(value: Any) -> Any:
    joined = "; ".join(map(str, value)) if isinstance(value, list | tuple) else value
    return guard_cell(clean(joined))


def _line(cells: Iterable[Any]) -> str:
    written = io.StringIO()
    csv.writer(written).writerow([_cell(cell) for cell in cells])
    return written.getvalue()


async def _json(trials: AsyncIterator[Trial]) -> AsyncIterator[str]:
    before = "["
    async for trial in trials:
        values = trial.model_dump(mode="json", exclude_none=True)
        yield f"{before}\n{json.dumps(values, ensure_ascii=False)}"
        before = ","
    yield "\n]\n" if before == "," else "[]\n"


async def _ris(trials: AsyncIterator[Trial]) -> AsyncIterator[str]:
    async for trial in trials:
        yield render_ris(trial)


_FORMS: Mapping[str, tuple[str, Callable[[AsyncIterator[Trial]], AsyncIterator[str]]]] = {
    "csv": ("text/csv; charset=utf-8", _csv),
    "json": ("application/json", _json),
    "ris": (RIS_MEDIA, _ris),
}
EXPORTS = tuple(_FORMS)


async def export(trials: Trials, terms: Mapping[str, Any], form: str) -> Response:
    """Give every match as a file to save; what cannot be asked is raised before the first byte."""
    if form not in _FORMS:
        raise NotFound(
            f"Nothing is saved as {form!r} here", hint=f"Use one of {', '.join(EXPORTS)}."
        )
    media, write = _FORMS[form]
    headers = {"Content-Disposition": f'attachment; filename="trials.{form}"'}
    found = trials.iter((await trials.read(**terms)).query)
    first = await anext(found, None)
    return StreamingResponse(write(_all(first, found)), media_type=media, headers=headers)


async def _all(first: Trial | None, found: AsyncIterator[Trial]) -> AsyncIterator[Trial]:
    """Give the trial that was taken already, then the others."""
    if first is not None:
        yield first
    async for trial in found:
        yield trial
