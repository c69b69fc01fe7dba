"""Arguments with codes, dates, flags and plain words, each to what it asks of a trial."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trialyst.ctgov.patients import parse_age
from trialyst.ctgov.plain import PlainQuery, to_trial_query
from trialyst.ctgov.query import TrialQuery
from trialyst.ctgov.suggest import enum_value
from trialyst.errors import InvalidInput
from trialyst.essie.ast import Node
from trialyst.essie.build import any_of, area, between, matching, one_of, phrase
from trialyst.essie.enums import enums
from trialyst.essie.render import text_node
from trialyst.ids import NctId
from trialyst.questions.clauses import Clause
from trialyst.questions.dates import is_ambiguous, read_date
from trialyst.questions.readings import ArgumentReading
from trialyst.questions.values import (
    read_flag,
    read_list,
    read_phases,
    read_several,
    read_sex,
    read_statuses,
    read_text,
)

__all__ = ["FILTERS", "read_status_codes"]

_DATED = {"start": "StartDate", "posted": "StudyFirstPostDate", "updated": "LastUpdatePostDate"}
_AREAS = {
    "sponsor": "SponsorSearch",
    "title": "TitleSearch",
    "outcome": "OutcomeSearch",
    "eligibility": "EligibilityCriteria",
    "biomarker": "EligibilityCriteria",
    "prior_therapy": "EligibilityCriteria",
    "line_of_therapy": "EligibilityCriteria",
}
_BY_CRITERIA = frozenset({"biomarker", "prior_therapy", "line_of_therapy"})
_FLAGS = {"has_results": "HasResults", "healthy_volunteers": "HealthyVolunteers"}
_ORDINALS: Mapping[str, tuple[str, ...]] = {
    "1": ("first line", "1st line", "frontline", "front line"),
    "2": ("second line", "2nd line"),
    "3": ("third line", "3rd line"),
    "4": ("fourth line", "4th line"),
}
_LINE = re.compile(
    r"(?P<number>[1-4])(?:st|nd|rd|th)?(?:[\s-]*lines?)?|(?:front|(?P<word>first|second|third|fourth))"
    r"[\s-]*lines?|(?P<bare>first|second|third|fourth)",
    re.IGNORECASE,
)
_ORDER_NOTE = "Read as month/day/year. "
_UNDATED = "Trials that state no such date are left out."
_AGES_TOLD = {"CHILD": "children", "ADULT": "adults", "OLDER_ADULT": "people of 65 and over"}
_AGE_GROUPS = {
    **dict.fromkeys(("child", "children", "kids", "pediatric", "paediatric"), "CHILD"),
    **dict.fromkeys(("adult", "adults"), "ADULT"),
    **dict.fromkeys(("older_adult", "older adult", "older adults", "elderly"), "OLDER_ADULT"),
}
_NUMBER_OF = {"first": "1", "second": "2", "third": "3", "fourth": "4"}


def read_status_codes(value: Any) -> tuple[str, ...]:
    """Give the codes of the statuses asked for."""
    return tuple(enum_value("Status", text) for text in read_statuses(value))


def _coded(argument: str, asked: Any, codes: Sequence[str], enumeration: str) -> ArgumentReading:
    labels = [_label(enumeration, code) for code in codes]
    return ArgumentReading(
        asked=_written(asked), kind=argument, known=True, name=" or ".join(dict.fromkeys(labels))
    )


def _label(enumeration: str, code: str) -> str:
    known = enums()[enumeration]
    found = (known.find(part) for part in code.split("/"))
    return "/".join(each.label if each else code for each in found)


def _written(value: Any) -> str:
    return value if isinstance(value, str) else ", ".join(map(str, _listed(value)))


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else (value,)


def _part(**fields: Any) -> TrialQuery:
    whole = to_trial_query(PlainQuery(**fields))
    return TrialQuery(filters=whole.filters, statuses=whole.statuses)


def _status(argument: str, value: Any) -> Clause:
    codes = read_status_codes(value)
    reading = _coded(argument, value, codes, "Status")
    return Clause(argument, reading, TrialQuery(statuses=codes))


def _phase(argument: str, value: Any) -> Clause:
    phases = read_phases(value)
    part = _part(phase=phases)
    return Clause(argument, _coded(argument, value, phases, "Phase"), part)


def _study_type(argument: str, value: Any) -> Clause:
    codes = [enum_value("StudyType", text) for text in read_list(argument, value)]
    return Clause(argument, _coded(argument, value, codes, "StudyType"), _part(study_type=codes))


def _sex(argument: str, value: Any) -> Clause:
    sex = enum_value("Sex", read_sex(value) or "")
    told = {
        "ALL": "only trials open to everyone",
        "FEMALE": "trials that admit women",
        "MALE": "trials that admit men",
    }
    reading = ArgumentReading(asked=str(value), kind=argument, known=True, name=told[sex])
    return Clause(argument, reading, _part(sex=sex))


def _age(argument: str, value: Any) -> Clause:
    text = read_text(argument, value) or ""
    if groups := _age_groups(text):
        told = " or ".join(_AGES_TOLD[group] for group in groups)
        name = f"trials that admit {told}, as the registry groups ages"
        reading = ArgumentReading(asked=text, kind=argument, known=True, name=name)
        return Clause(argument, reading, TrialQuery(filters=(one_of("StdAge", *groups),)))
    age = parse_age(text)
    reading = ArgumentReading(
        asked=str(value), kind=argument, known=True, name=f"{age}; trials without a limit stay in"
    )
    return Clause(argument, reading, _part(age=str(age)))


def _age_groups(text: str) -> tuple[str, ...]:
    """Give the codes of groups by age, such as `children or adults`; nothing for an age."""
    groups = [_AGE_GROUPS.get(each) for each in re.split(r"\s+or\s+|\s*\|\s*", text.lower())]
    known = tuple(dict.fromkeys(group for group in groups if group))
    return known if all(groups) else ()


def _flag(argument: str, value: Any) -> Clause:
    wanted = read_flag(argument, value, default=True)
    node = matching(_FLAGS[argument], "true" if wanted else "false")
    reading = ArgumentReading(
        asked=str(value), kind=argument, known=True, name="yes" if wanted else "no"
    )
    return Clause(argument, reading, TrialQuery(filters=(node,)))


def _date(argument: str, value: Any) -> Clause:
    event, _, end = argument.partition("_")
    stated = read_date(argument, value)
    piece = _DATED[event]
    if end == "from":
        day = stated.first_day
        node, told = between(piece, day.isoformat()), f"from {day}"
    else:
        day = stated.last_day
        node, told = between(piece, None, day.isoformat()), f"until {day}"
    reading = ArgumentReading(
        asked=str(value),
        kind=argument,
        known=True,
        name=told,
        note=f"{_ORDER_NOTE}{_UNDATED}" if is_ambiguous(value) else _UNDATED,
    )
    return Clause(argument, reading, TrialQuery(filters=(node,)))


def _words(argument: str, value: Any) -> Clause:
    texts = read_several(argument, value)
    nodes = [_worded(argument, text) for text in texts]
    node = area(_AREAS[argument], any_of(*nodes))
    note = "Searched as words of the eligibility text." if argument in _BY_CRITERIA else None
    reading = ArgumentReading(
        asked=" OR ".join(texts),
        kind=argument,
        known=True,
        name=" or ".join(texts),
        note=note,
    )
    if argument in _BY_CRITERIA or argument == "eligibility":
        return Clause(argument, reading, TrialQuery(filters=(node,)))
    return Clause(argument, reading, TrialQuery(queries=(("term", node),)))


def _worded(argument: str, text: str) -> Node:
    line = _LINE.fullmatch(text.strip()) if argument == "line_of_therapy" else None
    if line is None:
        return text_node(text)
    word = line["word"] or line["bare"]
    number = line["number"] or (_NUMBER_OF[word.lower()] if word else "1")
    return any_of(*map(phrase, _ORDINALS[number]))


def _ids(argument: str, value: Any) -> Clause:
    texts = read_list(argument, value)
    node = area("NCTIdSearch", any_of(*(phrase(_id(text)) for text in texts)))
    reading = ArgumentReading(
        asked=_written(value), kind=argument, known=True, name=", ".join(map(_id, texts))
    )
    return Clause(argument, reading, TrialQuery(filters=(node,)))


def _id(text: str) -> str:
    """Give an NCT id as the registry writes it; ids of other registers stay as they are."""
    try:
        return str(NctId.parse(text))
    except InvalidInput:
        if not any(map(str.isdigit, text)):
            raise
        return text.strip()


def _advanced(argument: str, value: Any) -> Clause:
    text = read_text(argument, value) or ""
    reading = ArgumentReading(asked=text, kind=argument, known=True, name="an Essie expression")
    return Clause(argument, reading, _part(advanced=text))


FILTERS: Mapping[str, Callable[[str, Any], Clause]] = {
    "status": _status,
    "phase": _phase,
    "study_type": _study_type,
    "sex": _sex,
    "age": _age,
    **dict.fromkeys(_FLAGS, _flag),
    **dict.fromkeys([f"{event}_{end}" for event in _DATED for end in ("from", "to")], _date),
    **dict.fromkeys(_AREAS, _words),
    "ids": _ids,
    "advanced": _advanced,
}
"""The readers of arguments that need nothing of a source."""
