"""Who visits: a random name in a cookie, the seal of the forms given to it, and what it left here.

What somebody leaves (a patient note, what was read from it) is held in memory only, is never
written, logged or put into an address, and is gone when the visit ends or rests too long.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from trialyst.errors import InvalidInput

__all__ = ["Visit", "Visits"]

COOKIE = "trialyst_visit"
IDLE_SECONDS = 30 * 60.0
MOST_VISITS = 200
"""Visits that left something; when there are more, the one that rested longest ends."""


@dataclass(slots=True)
class Visit:
    """What one visitor left here."""

    left: dict[str, Any] = field(default_factory=dict)
    seen: float = 0.0


class Visits:
    """All visits of a running server."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, *, secret: bytes | None = None
    ) -> None:
        self._clock = clock
        self._secret = secret or secrets.token_bytes(32)
        self._visits: OrderedDict[str, Visit] = OrderedDict()

    def __len__(self) -> int:
        self.end_idle()
        return len(self._visits)

    def name_of(self, request: Request) -> str:
        """Give the visitor's random name, a new one to who comes for the first time."""
        known: str | None = getattr(request.state, "visitor", None)
        if known is None:
            known = request.cookies.get(COOKIE) or secrets.token_urlsafe(24)
            request.state.visitor = known
        return known

    def remember(self, request: Request, response: Response) -> None:
        """Give the visitor's name along with an answer, if it is new."""
        if request.cookies.get(COOKIE) != self.name_of(request):
            response.set_cookie(COOKIE, self.name_of(request), httponly=True, samesite="strict")

    def seal(self, request: Request) -> str:
        """Give what a form carries to show that this server gave it to this visitor."""
        return hmac.new(self._secret, self.name_of(request).encode(), sha256).hexdigest()

    def check_seal(self, request: Request, given: object) -> None:
        """Raise InvalidInput for a form that this server did not give to this visitor."""
        if not hmac.compare_digest(str(given or ""), self.seal(request)):
            raise InvalidInput(
                "The form is too old, or of another page",
                hint="Go back, load the page again and send the form once more.",
            )

    def find(self, request: Request) -> Visit | None:
        """Give what a visitor left, None where nothing is left."""
        self.end_idle()
        visit = self._visits.get(self.name_of(request))
        if visit is not None:
            visit.seen = self._clock()
            self._visits.move_to_end(self.name_of(request))
        return visit

    def open(self, request: Request) -> Visit:
        """Give a visit to leave something in."""
        found = self.find(request)
        if found is None:
            found = self._visits[self.name_of(request)] = Visit(seen=self._clock())
            while len(self._visits) > MOST_VISITS:
                self._end(next(iter(self._visits)))
        return found

    def end(self, request: Request) -> None:
        """Forget what a visitor left."""
        self._end(self.name_of(request))

    def _end(self, name: str) -> None:
        visit = self._visits.pop(name, None)
        if visit is not None:
            if (run := visit.left.get("run")) is not None:
                run.stop()
            visit.left.clear()

    def end_idle(self) -> None:
        """End the visits that rested too long."""
        limit = self._clock() - IDLE_SECONDS
        for name in [name for name, visit in self._visits.items() if visit.seen < limit]:
            self._end(name)
