"""A trial as a search for patients sees it: a row of values, and its text folded by field."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, TypeVar

from trialyst.ctgov.ages import Age
from trialyst.folding import fold, fold_phrase
from trialyst.matching.prescreen.words import rarity

__all__ = [
    "PIECES",
    "Field",
    "FoldedText",
    "RememberedRow",
    "RowTexts",
    "RowValues",
    "TrialRow",
    "admits_patient_age",
    "fold_row",
    "to_row",
]

PIECES = (
    "NCTId",
    "BriefTitle",
    "OfficialTitle",
    "Condition",
    "ConditionMeshTerm",
    "Keyword",
    "InterventionName",
    "BriefSummary",
    "EligibilityCriteria",
    "Sex",
    "MinimumAge",
    "MaximumAge",
    "HealthyVolunteers",
    "StudyType",
    "DesignPrimaryPurpose",
    "OverallStatus",
    "Phase",
    "LeadSponsorName",
    "EnrollmentCount",
)
"""What is asked of a source for each trial, in the order of `TrialRow`."""

_EXCLUSION = re.compile(
    r"^\W*(?:key |main |general |major |other |patient )?"
    r"(?:exclusion|ineligib|non-?inclusion|exclud|not eligible)|exclusion criteria",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class TrialRow:
    """The values of one trial; None or empty where the record says nothing."""

    nct_id: str
    brief_title: str
    official_title: str
    conditions: tuple[str, ...]
    mesh_terms: tuple[str, ...]
    keywords: tuple[str, ...]
    interventions: tuple[str, ...]
    summary: str
    criteria: str
    sex: str | None
    minimum_age: str | None
    maximum_age: str | None
    healthy_volunteers: bool | None
    study_type: str | None
    purpose: str | None
    status: str | None
    phases: tuple[str, ...]
    sponsor: str | None
    enrollment: int | None


class Field(StrEnum):
    """A part of a trial's text."""

    CONDITION = "condition"
    TITLE = "title"
    KEYWORD = "keyword"
    SUMMARY = "summary"
    INCLUSION = "inclusion"
    EXCLUSION = "exclusion"
    INTERVENTION = "intervention"


Row = TypeVar("Row", bound=TrialRow)


class FoldedText(NamedTuple):
    """Words of a field in their order, between spaces, and the distinct ones."""

    text: str
    words: frozenset[str]
    size: int


class RowTexts(NamedTuple):
    """The text of a trial, folded: what every search compares its patient with."""

    fields: Mapping[Field, FoldedText]
    everywhere: frozenset[str]
    """The distinct words of all fields but exclusion."""
    conditions: tuple[FoldedText, ...]
    """Each by itself."""
    rarities: Mapping[Field, float]
    """How rare the words of conditions and title are, summed up."""


class RememberedRow(TrialRow):
    """A row that is folded once, for a source that gives the same row to many searches."""

    @cached_property
    def texts(self) -> RowTexts:
        """The text of the trial, folded."""
        return _fold(self)


class RowValues(tuple[Any, ...]):
    """What a source gave for `PIECES`, read once where the source remembers it."""

    @cached_property
    def row(self) -> RememberedRow:
        """The values by name."""
        return _to_row(self, RememberedRow)


def to_row(values: Sequence[tuple[Any, ...]]) -> TrialRow:
    """Read what a source gave for `PIECES`."""
    return values.row if isinstance(values, RowValues) else _to_row(values, TrialRow)


def _to_row(values: Sequence[tuple[Any, ...]], kind: type[Row]) -> Row:
    listed = {name: tuple(found) for name, found in zip(PIECES, values, strict=True)}

    def one(name: str) -> Any:
        return next(iter(listed[name]), None)

    return kind(
        nct_id=str(one("NCTId")),
        brief_title=one("BriefTitle") or "",
        official_title=one("OfficialTitle") or "",
        conditions=listed["Condition"],
        mesh_terms=listed["ConditionMeshTerm"],
        keywords=listed["Keyword"],
        interventions=listed["InterventionName"],
        summary=one("BriefSummary") or "",
        criteria=one("EligibilityCriteria") or "",
        sex=one("Sex"),
        minimum_age=one("MinimumAge"),
        maximum_age=one("MaximumAge"),
        healthy_volunteers=one("HealthyVolunteers"),
        study_type=one("StudyType"),
        purpose=one("DesignPrimaryPurpose"),
        status=one("OverallStatus"),
        phases=listed["Phase"],
        sponsor=one("LeadSponsorName"),
        enrollment=one("EnrollmentCount"),
    )


def fold_row(row: TrialRow) -> RowTexts:
    """Fold the text of a trial field by field; criteria are cut at the exclusion heading."""
    return row.texts if isinstance(row, RememberedRow) else _fold(row)


def _fold(row: TrialRow) -> RowTexts:
    cut = _EXCLUSION.search(row.criteria)
    at = cut.start() if cut else len(row.criteria)
    texts = {
        Field.CONDITION: " | ".join((*row.conditions, *row.mesh_terms)),
        Field.TITLE: f"{row.brief_title} | {row.official_title}",
        Field.KEYWORD: " | ".join(row.keywords),
        Field.SUMMARY: row.summary,
        Field.INCLUSION: row.criteria[:at],
        Field.EXCLUSION: row.criteria[at:],
        Field.INTERVENTION: " | ".join(row.interventions),
    }
    fields = {field: _folded(fold(text)) for field, text in texts.items()}
    said = (text.words for field, text in fields.items() if field is not Field.EXCLUSION)
    alone = tuple(_folded(fold_phrase(each).split()) for each in row.conditions)
    rarities = {
        field: sum(map(rarity, fields[field].words)) for field in (Field.CONDITION, Field.TITLE)
    }
    return RowTexts(fields, frozenset[str]().union(*said), alone, rarities)


def _folded(words: Sequence[str]) -> FoldedText:
    return FoldedText(f" {' '.join(words)} ", frozenset(words), len(words))


def admits_patient_age(row: TrialRow, days: tuple[float, float]) -> bool | None:
    """Tell whether a trial admits an age between two numbers of days; None if it states no bound.

    Bounds compare in completed units, so "75 Years" admits until the 76th birthday.
    """
    low, high = _age(row.minimum_age), _age(row.maximum_age)
    if low is None and high is None:
        return None
    youngest, oldest = days
    if low is not None and oldest <= low.days:
        return False
    return high is None or int(youngest / high.unit.days) <= high.value


@lru_cache(1_000)
def _age(text: str | None) -> Age | None:
    try:
        return None if text is None else Age.parse(text)
    except ValueError:
        return None
