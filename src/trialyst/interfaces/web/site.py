"""What the pages share: the facades, templates, and what becomes of an error."""

from __future__ import annotations

import asyncio
import functools
import logging
import weakref
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from trialyst.discovery.counts import BREAKDOWNS
from trialyst.discovery.envelope import Answer, utc_now
from trialyst.errors import TrialystError
from trialyst.interfaces.trials import Trials
from trialyst.interfaces.web.failures import error_page, failure_page
from trialyst.interfaces.web.jobs import Jobs
from trialyst.interfaces.web.parameters import unknown_in
from trialyst.interfaces.web.templating import render_template
from trialyst.interfaces.web.visits import Visits

if TYPE_CHECKING:
    from trialyst.ctgov.source import OpenSource, Provenance
    from trialyst.discovery import Discovery
    from trialyst.interfaces.served import Served
    from trialyst.settings import Settings

__all__ = ["Endpoint", "Site", "page", "render", "site_of"]

_log = logging.getLogger(__name__)
_MATCHES_AT_ONCE = 2
"""A match keeps a core busy; others wait for their turn."""
_SWEEP_SECONDS = 60.0
_REMEMBERED = 500
"""Counts of facets kept in memory, a few kilobytes each."""

Endpoint = Callable[[Request], Awaitable[Response]]


class Site:
    """The facades on the newest of what they answer from, for as long as the server lives."""

    def __init__(self, served: Served, settings: Settings, *, secret: bytes | None = None) -> None:
        self.served = served
        self.settings = settings
        self.visits = Visits(secret=secret)
        self.jobs = Jobs()
        self.matching_slots = asyncio.Semaphore(_MATCHES_AT_ONCE)
        self._counted: OrderedDict[Any, Mapping[str, Any]] = OrderedDict()
        # Only looked at: a facade that is kept would keep its generation of the registry open.
        self._counted_by: weakref.ref[Discovery] | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Site:
        self._tasks = [asyncio.create_task(self._warm()), asyncio.create_task(self._sweep())]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for task in self._tasks:
            task.cancel()
        self.jobs.stop()

    async def _warm(self) -> None:
        """Open and count what the first visitor would wait for."""
        with suppress(TrialystError):
            await self.count({})

    async def _sweep(self) -> None:
        """Forget what visitors left who do not come back, whether or not others come."""
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            self.visits.end_idle()

    async def count(
        self, terms: Mapping[str, Any], *, by: Sequence[str] = tuple(BREAKDOWNS)
    ) -> Mapping[str, Any]:
        """Count trials by some breakdowns, as the tool does; what was counted is remembered."""
        discovery = await asyncio.to_thread(self.served.discovery)
        if self._counted_by is None or self._counted_by() is not discovery:
            self._counted_by = weakref.ref(discovery)
            self._counted.clear()
        key = repr(sorted(terms.items())), tuple(by)
        counted = self._counted.get(key)
        if counted is None:
            counted = await discovery.count_trials(**terms, by=list(by))
        if self._counted_by() is discovery:
            self._counted[key] = counted
            self._counted.move_to_end(key)
            while len(self._counted) > _REMEMBERED:
                self._counted.popitem(last=False)
        return counted

    def now(self) -> datetime:
        """Give the present moment."""
        return utc_now()

    async def source(self) -> OpenSource:
        """Give the newest source."""
        return await asyncio.to_thread(self.served.source)

    async def trials(self) -> Trials:
        """Give the trials of the newest source."""
        return Trials(await self.source())

    async def provenance(self) -> Provenance:
        """Say what is loaded."""
        return await (await self.source()).provenance()

    async def loaded(self) -> Provenance | None:
        """Say what is loaded, None where that cannot be told."""
        try:
            return await self.provenance()
        except TrialystError:
            return None


def site_of(request: Request) -> Site:
    """Give the site that a request came to."""
    site: Site = request.app.state.site
    return site


def page(endpoint: Endpoint) -> Endpoint:
    """Make a page of whatever an endpoint raises that a reader can act on."""

    @functools.wraps(endpoint)
    async def answered(request: Request) -> Response:
        try:
            return await endpoint(request)
        except TrialystError as error:
            return error_page(request, error, await site_of(request).loaded())
        except Exception as error:
            # Its words may be those of a patient note: the log says what and where, not more.
            _log.error("%s while making %s", type(error).__name__, endpoint.__qualname__)
            return failure_page(
                request,
                status=500,
                title="It did not work",
                loaded=await site_of(request).loaded(),
                message=f"The page could not be made: {type(error).__name__}.",
                hint="Try it once more; if it happens again, it is a fault of Trialyst.",
            )
        finally:
            if form := getattr(request.state, "form", None):
                await form.close()

    return answered


async def render(
    request: Request,
    template: str,
    values: Mapping[str, Any],
    *,
    status: int = 200,
    private: bool = False,
) -> Response:
    """Give a page, with what is loaded told on it.

    Args:
        private: It shows something of a patient, and no browser may keep it.
    """
    site = site_of(request)
    shared = {
        "loaded": await site.provenance(),
        "seal": site.visits.seal(request),
        "unknown": unknown_in(request),
    }
    plain = {name: _plain(value) for name, value in values.items()}
    response = HTMLResponse(render_template(template, request, {**shared, **plain}), status)
    response.headers["Cache-Control"] = "no-store" if private else "no-cache"
    site.visits.remember(request, response)
    return response


def _plain(value: Any) -> Any:
    """Give an answer of a tool as the mapping it is: its own attributes would hide keys."""
    return value.to_dict() if isinstance(value, Answer) else value
