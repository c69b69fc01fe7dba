"""INGEST: from a patient note or a FHIR bundle to a chart, and to a profile of what it says."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import cache, cached_property
from typing import TYPE_CHECKING

from trialyst.eligibility.fhir.bundle import looks_like_fhir
from trialyst.eligibility.fhir.record import read_bundle
from trialyst.eligibility.lexicon import Lexicon
from trialyst.eligibility.reading.note import Note, parse_note
from trialyst.eligibility.reading.reader import NoteReader as ChartReader
from trialyst.matching.profile import to_profile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from trialyst.eligibility.chart import Chart
    from trialyst.matching.correcting.applying import Corrector
    from trialyst.matching.correcting.lines import Correction
    from trialyst.matching.patient import PatientProfile
    from trialyst.vocabulary import Vocabulary

__all__ = ["NoteReader", "parse_note", "understand"]


def understand(
    note: str | Note, *, vocabulary: Vocabulary | None = None, as_of: date | None = None
) -> PatientProfile:
    """Read a note, in plain text or numbered sentences, or a FHIR R4 bundle into a profile.

    Args:
        vocabulary: names to find; the shipped ones if not given.
        as_of: the day of the note; of a bundle its last day if not given.

    Raises:
        InvalidInput: the note is empty, too long, or no text at all.
    """
    reader = _default_reader() if vocabulary is None else NoteReader(vocabulary)
    return reader.understand(note, as_of=as_of)


class NoteReader:
    """Reads notes and bundles with one vocabulary; keep it for many."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._lexicon = Lexicon(vocabulary)
        self._reader = ChartReader(self._lexicon)

    def understand(
        self,
        note: str | Note,
        *,
        as_of: date | None = None,
        today: Callable[[], date] = date.today,
    ) -> PatientProfile:
        """Read a note or a FHIR bundle into a profile, which keeps its chart."""
        return to_profile(self.read(note, as_of=as_of, today=today))

    def correct(
        self,
        profile: PatientProfile,
        *,
        corrections: Sequence[Correction] = (),
        form: str | None = None,
        settings: Sequence[str] = (),
        answers: Sequence[tuple[str, str]] = (),
    ) -> PatientProfile:
        """Give a profile with what a person corrected, in the order of the arguments.

        Raises:
            InvalidInput: a correction speaks of nothing that was read, or cannot be read itself.
        """
        from trialyst.matching.correcting.form import read_form
        from trialyst.matching.correcting.settings import read_answer, read_settings

        done = self._corrector.apply(profile.chart, corrections)
        changes = [*profile.changes, *done.changes]
        if form is not None:
            done = self._corrector.apply(done.chart, read_form(form, done.chart))
            changes += done.changes
        for setting in settings:
            wanted = read_settings([setting], done.chart, self._lexicon)
            done = self._corrector.apply(done.chart, wanted)
            changes += done.changes
        for fact, answer in answers:
            wanted = read_answer(fact, answer, done.chart, self._lexicon)
            done = self._corrector.apply(done.chart, wanted)
            changes += done.changes
        if done.chart is profile.chart:
            return profile
        read = to_profile(done.chart)
        return replace(read, changes=tuple(changes), given=profile.given or profile.note)

    @cached_property
    def _corrector(self) -> Corrector:
        from trialyst.matching.correcting.applying import Corrector

        return Corrector(self._lexicon)

    def read(
        self,
        note: str | Note,
        *,
        as_of: date | None = None,
        today: Callable[[], date] = date.today,
    ) -> Chart:
        """Read a note or a FHIR bundle into a chart."""
        if not isinstance(note, str) or not looks_like_fhir(note):
            return self._reader.read(note, as_of=as_of)
        return read_bundle(
            note, self._lexicon, as_of=as_of, today=today, read_note=self._read_document
        )

    def _read_document(self, text: str, day: date | None) -> Chart:
        return self._reader.read(text, as_of=day)


@cache
def _default_reader() -> NoteReader:
    from trialyst.settings import Settings
    from trialyst.vocabulary import open_vocabulary

    return NoteReader(open_vocabulary(Settings.from_environment().home))
