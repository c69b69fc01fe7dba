"""`--set NAME=VALUE`: one fact named by a person, turned into corrections of a chart.

A name is a heading of the form, a laboratory value or score, a marker, a habit, or a condition,
drug or procedure. What was read of the same thing goes, so the new value stands alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from trialyst.ctgov.suggest import nearest
from trialyst.eligibility.analytes import measured_entries
from trialyst.eligibility.chart import Chart
from trialyst.eligibility.reading.markers import marker_names
from trialyst.eligibility.scales import scale_names
from trialyst.eligibility.words import split_texts
from trialyst.errors import InvalidInput
from trialyst.matching.correcting.lines import (
    SINGLE,
    Correction,
    FormSection,
    form_lines,
    thing_of,
)
from trialyst.vocabulary.concept import Kind
from trialyst.vocabulary.spelling import nearest_names
from trialyst.vocabulary.term import TermKind

if TYPE_CHECKING:
    from trialyst.eligibility.lexicon import Lexicon

__all__ = ["read_answer", "read_settings"]

_UNKNOWN = ("", "unknown", "?", "not known")
_YES = ("yes", "true", "present", "y")
_NO = ("no", "false", "absent", "none", "n", "never")
_PAST = ("past", "history", "former", "resolved", "had")
_STOPPED = ("stopped", "ended", "done", "completed", *_PAST)
_SECTIONS = {
    **{section.value: section for section in FormSection},
    "main": FormSection.DIAGNOSIS,
    "condition": FormSection.CONDITIONS,
    "medication": FormSection.MEDICATIONS,
    "drug": FormSection.MEDICATIONS,
    "treatment": FormSection.MEDICATIONS,
    "procedure": FormSection.PROCEDURES,
    "lab": FormSection.LABS,
    "marker": FormSection.MARKERS,
    "allergy": FormSection.ALLERGIES,
    "habit": FormSection.HABITS,
    "note": FormSection.OTHER,
}
_HABITS = {"smoking": "smoker", "alcohol": "drinker", "drugs": "drug user"}
_KINDS = {
    TermKind.CONDITION: FormSection.CONDITIONS,
    TermKind.SYMPTOM: FormSection.CONDITIONS,
    TermKind.PROCEDURE: FormSection.PROCEDURES,
    TermKind.DEVICE: FormSection.PROCEDURES,
}


def read_settings(settings: Sequence[str], chart: Chart, lexicon: Lexicon) -> list[Correction]:
    """Give the corrections that settings such as `ecog=1` ask for.

    Raises:
        InvalidInput: a setting has no `=`, or its name is of nothing that is known.
    """
    return [each for text in settings for each in _read(text, chart, lexicon)]


def read_answer(fact: str, answer: str, chart: Chart, lexicon: Lexicon) -> list[Correction]:
    """Give the corrections of an answer to a fact that was asked for.

    What no name stands for, such as the date of the last chemotherapy, is read as a sentence.
    """
    try:
        return read_settings([f"{fact}={answer}"], chart, lexicon)
    except InvalidInput:
        return [Correction(section=FormSection.OTHER, added=f"{fact}: {answer}.")]


def _read(text: str, chart: Chart, lexicon: Lexicon) -> list[Correction]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name:
        raise InvalidInput(
            f"{text!r} sets nothing",
            hint="Write NAME=VALUE, such as ecog=1, hemoglobin=10.2 g/dL or asthma=no.",
            invalid_input=text,
        )
    key = " ".join(name.lower().replace("_", " ").split())
    section = _SECTIONS.get(key)
    if section in SINGLE:
        return _set_single(section, value, chart)
    if section is not None:
        return [Correction(section=section, added=value)] if value else []
    section, thing, words = _find(key, name, value, lexicon)
    gone = [
        Correction(section=line.section, removed=line.text)
        for line in form_lines(chart)
        if line.section not in SINGLE and any(thing_of(each) == thing for each in line.entries)
    ]
    if value.lower() in _UNKNOWN:
        return gone
    return [*gone, Correction(section=section, added=words)]


def _set_single(section: FormSection, value: str, chart: Chart) -> list[Correction]:
    before = [line.text for line in form_lines(chart) if line.section is section]
    added = None if value.lower() in _UNKNOWN else value
    if before == [added] or not (before or added):
        return []
    return [Correction(section=section, removed=next(iter(before), None), added=added)]


def _find(key: str, name: str, value: str, lexicon: Lexicon) -> tuple[FormSection, str, str]:
    """Give the heading of a name, the id of what it names, and the words that say the value."""
    lowered = value.lower()
    if key in _HABITS:
        return FormSection.HABITS, f"habit:{key}", f"{lowered} {_HABITS[key]}"
    texts = split_texts(key)
    if key in (measured := _measured()):
        return FormSection.LABS, f"lab:{measured[key]}", f"{name} {value}"
    marked = next(marker_names().find_texts(texts), None)
    if marked is not None and (marked.first, marked.last) == (0, len(texts)):
        return FormSection.MARKERS, f"marker:{marked.value.key}", f"{name} {value}"
    found = [each for each in lexicon.find(name) if each.end - each.start >= len(name) - 1]
    if not found:
        raise _unknown(name, lexicon)
    section = _KINDS.get(found[0].kind, FormSection.MEDICATIONS)
    return section, found[0].what.id, _say(name, value, section)


def _say(name: str, value: str, section: FormSection) -> str:
    lowered = value.lower()
    if lowered in _YES:
        return name
    if lowered in _NO:
        return f"no {name}"
    if section is FormSection.MEDICATIONS:
        if lowered in _STOPPED:
            return f"prior {name}"
        return f"current {name}" if lowered == "current" else f"{name}, {value}"
    return f"history of {name}" if lowered in _PAST else f"{name}, {value}"


@cache
def _measured() -> dict[str, str]:
    """Ids of analytes and scales by their names in lower case."""
    found = {phrase.lower(): name.analyte.id for phrase, name in measured_entries()}
    return found | {phrase.lower(): name.scale.id for phrase, name in scale_names()}


def _unknown(name: str, lexicon: Lexicon) -> InvalidInput:
    near = [nearest(name, [*_SECTIONS, *_measured()])]
    for kind in (Kind.CONDITION, Kind.DRUG):
        near += nearest_names(lexicon.vocabulary, name, kind=kind)[:2]
    told = ", ".join(dict.fromkeys(filter(None, near)))
    return InvalidInput(
        f"{name!r} is no heading, value, marker, condition or drug that is known",
        hint=(f"Nearest: {told}. " if told else "")
        + "Headings are "
        + ", ".join(FormSection)
        + ".",
        invalid_input=name,
    )
