"""A chart from a note: every sentence read once, by readers that share its names and its scope."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from trialyst.eligibility.chart import Chart, MarkerEntry, Problem, Procedure, Therapy
from trialyst.eligibility.implications import Implications
from trialyst.eligibility.reading.details import date_by_age, rate_severity, share_details
from trialyst.eligibility.reading.habits import read_habits
from trialyst.eligibility.reading.headings import Section
from trialyst.eligibility.reading.main import choose_main, is_cancer, locate, revive, spread
from trialyst.eligibility.reading.markers import read_markers
from trialyst.eligibility.reading.measurements import read_measurements
from trialyst.eligibility.reading.note import Note, parse_note
from trialyst.eligibility.reading.note_day import find_note_day
from trialyst.eligibility.reading.passage import Passage, passages
from trialyst.eligibility.reading.persons import read_demographics, read_person
from trialyst.eligibility.reading.problems import date_complaints, find_stages, read_problems
from trialyst.eligibility.reading.therapies import (
    deny_allergies,
    read_allergies,
    read_therapies,
    settle_statuses,
    tell_progress,
)
from trialyst.eligibility.reading.warnings import (
    find_second_patient,
    tell_impossible,
    tell_language,
    tell_person,
)
from trialyst.vocabulary.relations import Relations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trialyst.eligibility.lexicon import Lexicon

__all__ = ["NoteReader"]

_FEWEST_LISTED = 2
"""Current drugs from which on a note may be taken to tell what the patient takes."""
_MEDICATION_WORDS = frozenset(("medications", "meds"))
_HISTORY_WORDS = frozenset(("pmh", "pmhx", "comorbidities"))


class NoteReader:
    """Reads notes with one lexicon; keep one for many notes."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._implications = Implications(lexicon, Relations(lexicon.vocabulary))

    def read(self, note: str | Note, *, as_of: date | None = None) -> Chart:
        """Give the chart of a note; of a note about two patients, that of the first.

        Args:
            as_of: the day of the note, from which its dates are counted; of a note whose head tells
                it, that day if not given.

        Raises:
            InvalidInput: the note is empty, too long, or no text at all.
        """
        note = parse_note(note) if isinstance(note, str) else note
        as_of = find_note_day(note.text) if as_of is None else as_of
        warnings = []
        second = find_second_patient(note)
        told = note
        if second is not None:
            warnings.append(
                "The note speaks of more than one patient: only the first is read, up to "
                f"{second.text[:40]!r}."
            )
            told = replace(
                note, sentences=tuple(each for each in note.sentences if each.start < second.start)
            )
        read = list(passages(told, self._lexicon, as_of))
        chart = self._chart(note, read, as_of)
        found = sum(1 for _ in chart.entries())
        warnings += [*tell_impossible(read, as_of or date.today()), *tell_language(note, found)]
        return replace(chart, warnings=(*chart.warnings, *warnings))

    def _chart(self, note: Note, read: Sequence[Passage], as_of: date | None) -> Chart:
        person = read_demographics(read)
        marked = [each for passage in read for each in read_markers(passage, self._lexicon)]
        markers = [each for each in marked if isinstance(each, MarkerEntry)]
        problems = [each for passage in read for each in read_problems(passage, self._lexicon)]
        problems += [each for each in marked if isinstance(each, Problem)]
        problems.sort(key=lambda problem: problem.start)
        problems = date_complaints(problems, read)
        given = [each for passage in read for each in read_therapies(passage, self._lexicon)]
        therapies = settle_statuses([each for each in given if isinstance(each, Therapy)])
        if any(is_cancer(each) and each.holds for each in problems):
            therapies = tell_progress(therapies, read)
        facts = tuple(fact for passage in read for fact in read_person(passage))
        chart = Chart(
            note=note,
            age=person.age,
            sex=person.sex,
            pregnant=person.pregnant,
            demographics=person.told,
            problems=tuple(problems),
            lab_values=tuple(each for passage in read for each in read_measurements(passage)),
            therapies=tuple(therapies),
            procedures=tuple(each for each in given if isinstance(each, Procedure)),
            markers=tuple(markers),
            allergies=tuple(
                each for passage in read for each in read_allergies(passage, self._lexicon)
            )
            + tuple(deny_allergies(facts)),
            habits=tuple(habit for passage in read for habit in read_habits(passage)),
            person=facts,
            as_of=as_of,
            lists_medications=_lists_medications(note, read, therapies),
            lists_history=_lists_history(note, read),
            warnings=tuple(tell_person(person)),
        )
        distinct = _distinct(chart)
        values = (*self._implications.imply_values(distinct), *chart.lab_values)
        problems += self._implications.imply(distinct)
        problems = rate_severity(revive(problems), chart.lab_values)
        problems = share_details(date_by_age(problems, note, chart.age))
        main = choose_main(note, problems, therapies, markers)
        if main is not None:
            named = _staged(locate(main, note, self._lexicon), chart, read)
            named = spread(named, problems)
            problems = [named if each is main else each for each in problems]
            main = named
        return replace(chart, main=main, problems=tuple(problems), lab_values=values)


def _distinct(chart: Chart) -> Chart:
    """Give a chart that says everything once, which shows as much and is sooner searched."""
    problems = {(each.what.id, each.assertion, each.negated): each for each in chart.problems[::-1]}
    therapies = {(each.what.id, each.status): each for each in chart.therapies[::-1]}
    values = {(each.analyte, each.value, each.status): each for each in chart.lab_values[::-1]}
    return replace(
        chart,
        problems=tuple(problems.values())[::-1],
        therapies=tuple(therapies.values())[::-1],
        lab_values=tuple(values.values())[::-1],
    )


def _staged(main: Problem, chart: Chart, read: Sequence[Passage]) -> Problem:
    """Give a cancer with the stage that another sentence tells alone."""
    if main.stage or not is_cancer(main):
        return main
    taken = {each.sentence for each in chart.problems if each.stage}
    told = (
        stage
        for passage in read
        if passage.sentence.number not in taken
        for stage, _, _ in find_stages(passage.text)
    )
    return replace(main, stage=next(told, ""))


def _lists_medications(note: Note, read: Sequence[Passage], therapies: Sequence[Therapy]) -> bool:
    current = {each.what.id for each in therapies if each.status == "current" and each.holds}
    return (
        len(current) >= _FEWEST_LISTED
        or any(sentence.section is Section.MEDICATION for sentence in note.sentences)
        or any(not passage.vocabulary.isdisjoint(_MEDICATION_WORDS) for passage in read)
    )


def _lists_history(note: Note, read: Sequence[Passage]) -> bool:
    return any(sentence.section is Section.PAST for sentence in note.sentences) or any(
        {"medical", "history"} <= passage.vocabulary
        or not passage.vocabulary.isdisjoint(_HISTORY_WORDS)
        for passage in read
    )
