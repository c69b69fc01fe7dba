"""INGEST: from a patient note to a profile of what it says."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from trialyst.eligibility.fhir.bundle import looks_like_fhir
from trialyst.eligibility.fhir.record import read_bundle
from trialyst.eligibility.lexicon import Lexicon
from trialyst.eligibility.reading.note import Note, parse_note
from trialyst.matching.patient import Fact, FactKind, PatientProfile
from trialyst.matching.profile import to_profile
from trialyst.matching.reading.ages import read_age
from trialyst.matching.reading.biomarkers import read_biomarkers
from trialyst.matching.reading.grades import read_classes, read_performance, read_stages
from trialyst.matching.reading.habits import read_habits
from trialyst.matching.reading.language import tell_language
from trialyst.matching.reading.measured import read_measured
from trialyst.matching.reading.passage import Passage, passages
from trialyst.matching.reading.places import read_ethnicity, read_place
from trialyst.matching.reading.sexes import read_pregnancy, read_sex
from trialyst.matching.reading.spotting import Spotter
from trialyst.matching.reading.summary import choose_primary, choose_stage, list_missing
from trialyst.matching.reading.things import read_no_allergies, read_things

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from trialyst.vocabulary import Vocabulary

__all__ = ["NoteReader", "build_profile", "parse_note", "understand"]

_EXTRACTORS = (
    read_measured,
    read_classes,
    read_performance,
    read_stages,
    read_biomarkers,
    read_habits,
    read_no_allergies,
    read_place,
    read_ethnicity,
)
_OF_VALUES = frozenset(
    (
        FactKind.MEASUREMENT,
        FactKind.PERFORMANCE,
        FactKind.BIOMARKER,
        FactKind.SMOKING,
        FactKind.ALCOHOL,
        FactKind.ALLERGY,
    )
)
_CLASSES = "score:"
"""A class such as "CKD stage 3" names a condition too."""


def understand(
    note: str | Note, *, vocabulary: Vocabulary | None = None, as_of: date | None = None
) -> PatientProfile:
    """Read a note, in plain text or numbered sentences, or a FHIR R4 bundle into a profile.

    Args:
        vocabulary: names to find; the shipped ones if not given.
        as_of: the day on which a bundle's patient has the age; its last day if not given.

    Raises:
        InvalidInput: the note is empty, too long, or no text at all.
    """
    reader = _default_reader() if vocabulary is None else NoteReader(vocabulary)
    return reader.understand(note, as_of=as_of)


class NoteReader:
    """Reads notes with one vocabulary; keep it for many notes."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._lexicon = Lexicon(vocabulary)
        self._spotter = Spotter(vocabulary)

    def understand(
        self,
        note: str | Note,
        *,
        as_of: date | None = None,
        today: Callable[[], date] = date.today,
    ) -> PatientProfile:
        """Read a note or a FHIR bundle into a profile."""
        if isinstance(note, str) and looks_like_fhir(note):
            return to_profile(read_bundle(note, self._lexicon, as_of=as_of, today=today))
        parsed = parse_note(note) if isinstance(note, str) else note
        read = list(passages(parsed))
        facts = [fact for passage in read for fact in self._facts(passage)]
        return build_profile(parsed, read, facts)

    def _facts(self, passage: Passage) -> list[Fact]:
        facts = [fact for extract in _EXTRACTORS for fact in extract(passage)]
        measured = [
            (fact.start, fact.end)
            for fact in facts
            if fact.kind in _OF_VALUES
            and not (fact.concept is not None and fact.concept.id.startswith(_CLASSES))
        ]
        facts += read_things(passage, self._spotter.spot(passage), measured)
        return facts


def build_profile(note: Note, read: Iterable[Passage], facts: Iterable[Fact]) -> PatientProfile:
    """Put facts together with who the patient is and what they come to."""
    told = list(read)
    found = list(facts)
    age, sex = read_age(told), read_sex(told)
    pregnant, because = read_pregnancy(told, None if sex is None else sex[0])
    found += [each[1] for each in (age, sex) if each is not None] + because
    found.sort(key=lambda fact: (fact.start, fact.end))
    primary = choose_primary(note, found)
    return PatientProfile(
        note=note,
        facts=tuple(found),
        age=None if age is None else age[0],
        sex=None if sex is None else sex[0],
        pregnant=pregnant,
        primary_diagnosis=primary,
        stage=choose_stage(primary, found),
        missing=list_missing(
            found,
            age=None if age is None else age[0],
            sex=None if sex is None else sex[0],
            pregnant=pregnant,
            primary=primary,
        ),
        warnings=tell_language(note, found),
    )


@cache
def _default_reader() -> NoteReader:
    from trialyst.settings import Settings
    from trialyst.vocabulary import open_vocabulary

    return NoteReader(open_vocabulary(Settings.from_environment().home))
