"""What a live service says of its data: asked once, for all who want to know at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from trialyst.ctgov.wire import SizeBody, VersionBody, age_note, decoder
from trialyst.errors import RateLimited, UpstreamError
from trialyst.transport import Answer, CacheUse, Transport

__all__ = ["About", "Service", "tag_of"]

FRESH_SECONDS = 600.0
"""How long the date and size of the data may go unasked; the data changes once a weekday."""
_SYNTHETIC = "x-trialyst-synthetic"
"""How our own server says that its records are invented."""

_read_version = decoder(VersionBody)
_read_size = decoder(SizeBody)

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class About:
    """The date and size of the data, and until when that needs no asking."""

    records: int | None = None
    data_timestamp: str | None = None
    notes: tuple[str, ...] = ()
    until: float = 0.0


class Service:
    """What all sources on one address know of it together."""

    def __init__(self, transport: Transport, base_url: str) -> None:
        self._transport = transport
        self._base_url = base_url
        self._about = About()
        self._asking: asyncio.Future[About] | None = None
        self._tag: str | None = None
        self.synthetic = False
        """Whether it said that its records are invented."""

    def note(self, answer: Answer[Any]) -> None:
        """Take notice of what every answer tells beside its value."""
        self.synthetic |= answer.headers.get(_SYNTHETIC) == "true"
        if not answer.age:
            self._tag = tag_of(answer)

    def has_replaced(self, answer: Answer[Any]) -> bool:
        """Whether a kept answer is of other data than the service has now, as far as is known."""
        known, tag = self._tag, tag_of(answer)
        return bool(answer.age and known and tag and known != tag)

    async def about(self) -> About:
        """Say how much data there is and of when; whoever asks meanwhile gets the same answer.

        Raises:
            RateLimited, UpstreamError: it could not be learned.
        """
        while self._transport.clock.monotonic() >= self._about.until:
            asking = self._asking
            if asking is None:
                return await self._ask_for_all()
            await asyncio.wait([asking])
            # Who asked for all may have been called off; then somebody else asks.
            if not asking.cancelled():
                return asking.result()
        return self._about

    async def _ask_for_all(self) -> About:
        self._asking = told = asyncio.get_running_loop().create_future()
        try:
            self._about = await self._ask()
        except (RateLimited, UpstreamError) as error:
            told.set_exception(error)
            # There may be nobody else who wants to know.
            told.exception()
            raise
        except BaseException:
            told.cancel()
            raise
        finally:
            self._asking = None
        told.set_result(self._about)
        return self._about

    async def _ask(self) -> About:
        now = self._transport.clock.monotonic()
        version = await self._get("/version", _read_version)
        size = await self._get("/stats/size", _read_size)
        notes = tuple(age_note(answer) for answer in (version, size) if answer.stale)
        return About(
            records=size.value.total_studies,
            data_timestamp=version.value.data_timestamp,
            notes=notes,
            until=0.0 if notes else now + FRESH_SECONDS,
        )

    async def _get(self, path: str, read: Callable[[bytes], Value]) -> Answer[Value]:
        # Before searches that wait for their turn: their answers need it too.
        answer = await self._transport.get(
            self._base_url + path, read, use=CacheUse(fresh_for=FRESH_SECONDS), urgent=True
        )
        self.note(answer)
        return answer


def tag_of(answer: Answer[Any]) -> str | None:
    """Give the tag of the data that an answer is made of; one for all answers of a day."""
    return answer.headers.get("etag")
