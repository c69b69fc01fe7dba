"""Matching on one source, as methods: read a patient, find trials, judge criteria.

Interfaces hold one `Matching` and pass on what they were given. Work that keeps the processor
busy runs in a thread, so an event loop stays free. A note is never logged and never sent anywhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

from trialyst.errors import InvalidInput

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.matching.ingest import NoteReader
    from trialyst.matching.patient import PatientProfile
    from trialyst.vocabulary import Vocabulary

__all__ = ["Matching"]


class Matching:
    """From a patient note to trials."""

    def __init__(
        self,
        source: TrialSource,
        *,
        vocabulary: Callable[[], Vocabulary],
        today: Callable[[], date] = date.today,
    ) -> None:
        self._source = source
        self._open_vocabulary = vocabulary
        self._today = today

    @cached_property
    def _reader(self) -> NoteReader:
        from trialyst.matching.ingest import NoteReader

        return NoteReader(self._open_vocabulary())

    async def profile(self, note: str, *, as_of: str | date | None = None) -> PatientProfile:
        """Read a note, in plain text or numbered sentences, or a FHIR R4 bundle into a profile.

        Args:
            as_of: the day on which a bundle's patient has the age; its last day if not given.

        Raises:
            InvalidInput: the note is empty, too long, no text at all, or no FHIR.
        """
        if not isinstance(note, str):
            raise InvalidInput("A note is missing", hint="Give the patient note as text in `note`.")
        day = _to_day(as_of)
        return await asyncio.to_thread(
            lambda: self._reader.understand(note, as_of=day, today=self._today)
        )


def _to_day(given: str | date | None) -> date | None:
    if given is None or isinstance(given, date):
        return given
    try:
        return date.fromisoformat(given)
    except (TypeError, ValueError):
        raise InvalidInput(
            f"Not a day: {given!r}", hint="Write it as yyyy-MM-dd.", invalid_input=str(given)
        ) from None
