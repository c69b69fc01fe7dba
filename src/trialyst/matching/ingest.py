"""INGEST: from a patient note to a profile of what it says."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from trialyst.matching.note import Note, parse_note
from trialyst.matching.patient import PatientProfile

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = ["default_vocabulary", "understand"]


def understand(note: str | Note, *, vocabulary: Vocabulary | None = None) -> PatientProfile:
    """Read a note, in plain text or numbered sentences, into a profile.

    Args:
        vocabulary: names to find; the shipped ones if not given.

    Raises:
        InvalidInput: the note is empty, too long, or no text at all.
    """
    parsed = parse_note(note) if isinstance(note, str) else note
    return PatientProfile(parsed, ())


@cache
def default_vocabulary() -> Vocabulary:
    """Give the shipped vocabulary, opened once a process under the configured home."""
    from trialyst.settings import Settings
    from trialyst.vocabulary import open_vocabulary

    return open_vocabulary(Settings.from_environment().home)
