"""The texts of a study that are read for their meaning, and nothing else of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trialyst.ctgov.parse import Layout, collect_fields, decode_study, layout_type

if TYPE_CHECKING:
    from trialyst.ctgov.trial import Trial

__all__ = [
    "READABLE_PIECES",
    "ArmText",
    "InterventionText",
    "ReadableTexts",
    "parse_readable",
    "row_readable",
    "to_readable",
]

_READABLE: Layout = {
    "protocolSection": {
        "identificationModule": {"briefTitle": "title", "officialTitle": "official_title"},
        "sponsorCollaboratorsModule": {"leadSponsor": {"name": "sponsor"}},
        "conditionsModule": {"conditions": "conditions", "keywords": "keywords"},
        "designModule": {"designInfo": {"primaryPurpose": "purpose"}},
        "armsInterventionsModule": {"armGroups": "arms", "interventions": "interventions"},
        "outcomesModule": {"primaryOutcomes": "outcomes"},
        "eligibilityModule": {"eligibilityCriteria": "criteria"},
    },
    "derivedSection": {"conditionBrowseModule": {"meshes": "meshes"}},
}


class InterventionText(NamedTuple):
    """An intervention as written."""

    name: str
    type: str = ""
    other_names: tuple[str, ...] = ()
    description: str = ""
    arms: tuple[str, ...] = ()
    """The labels of the arms that give it."""


class ArmText(NamedTuple):
    """An arm as written."""

    label: str
    type: str = ""
    interventions: tuple[str, ...] = ()
    """Written `Drug: Name`."""


class ReadableTexts(NamedTuple):
    """The texts of a study that are read for their meaning, as written."""

    title: str = ""
    conditions: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    """MeSH terms of the conditions."""
    criteria: str = ""
    official_title: str = ""
    purpose: str | None = None
    sponsor: str = ""
    interventions: tuple[InterventionText, ...] = ()
    arms: tuple[ArmText, ...] = ()
    outcomes: tuple[str, ...] = ()
    """The measures of the primary outcomes."""


READABLE_PIECES = (
    "BriefTitle",
    "OfficialTitle",
    "LeadSponsorName",
    "Condition",
    "Keyword",
    "DesignPrimaryPurpose",
    "ConditionMeshTerm",
    "PrimaryOutcomeMeasure",
    "Intervention",
    "ArmGroup",
)
"""What a row must hold to be read; criteria are long, and read by themselves."""


def row_readable(values: Sequence[tuple[Any, ...]]) -> ReadableTexts:
    """Give the texts of a row of `READABLE_PIECES`."""
    title, official, sponsor, conditions, keywords, purpose, headings, outcomes, given, arms = (
        values
    )
    return ReadableTexts(
        title=_first(title) or _first(official),
        conditions=_texts(list(conditions)),
        keywords=_texts(list(keywords)),
        headings=_texts(list(headings)),
        official_title=_first(official),
        purpose=_first(purpose) or None,
        sponsor=_first(sponsor),
        interventions=_interventions(list(given)),
        arms=_arms(list(arms)),
        outcomes=_texts(list(outcomes)),
    )


def parse_readable(study: bytes) -> ReadableTexts:
    """Give the texts of a study that are read, and decode nothing else of it."""
    try:
        record = _decoder().decode(study)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        record = decode_study(study)
    found: dict[str, Any] = {}
    collect_fields(record, _READABLE, path="", fields=found, problems=[])
    official = _text(found.get("official_title"))
    return ReadableTexts(
        title=_text(found.get("title")) or official,
        conditions=_texts(found.get("conditions")),
        keywords=_texts(found.get("keywords")),
        headings=_texts([each.get("term") for each in _objects(found.get("meshes"))]),
        criteria=_text(found.get("criteria")),
        official_title=official,
        purpose=_text(found.get("purpose")) or None,
        sponsor=_text(found.get("sponsor")),
        interventions=_interventions(found.get("interventions")),
        arms=_arms(found.get("arms")),
        outcomes=_texts([each.get("measure") for each in _objects(found.get("outcomes"))]),
    )


def _interventions(written: Any) -> tuple[InterventionText, ...]:
    return tuple(
        InterventionText(
            _text(each.get("name")),
            _text(each.get("type")),
            _texts(each.get("otherNames")),
            _text(each.get("description")),
            _texts(each.get("armGroupLabels")),
        )
        for each in _objects(written)
    )


def _arms(written: Any) -> tuple[ArmText, ...]:
    return tuple(
        ArmText(
            _text(each.get("label")),
            _text(each.get("type")),
            _texts(each.get("interventionNames")),
        )
        for each in _objects(written)
    )


def to_readable(trial: Trial) -> ReadableTexts:
    """Give the texts of a parsed trial."""
    return ReadableTexts(
        title=trial.brief_title or trial.official_title or "",
        conditions=trial.conditions,
        keywords=trial.keywords,
        headings=tuple(heading.term for heading in trial.condition_mesh),
        criteria=trial.eligibility.criteria or "",
        official_title=trial.official_title or "",
        purpose=trial.design.primary_purpose,
        sponsor=trial.lead_sponsor.name if trial.lead_sponsor else "",
        interventions=tuple(
            InterventionText(
                each.name,
                each.type or "",
                each.other_names,
                each.description or "",
                each.arm_group_labels,
            )
            for each in trial.interventions
        ),
        arms=tuple(
            ArmText(each.label, each.type or "", each.intervention_names) for each in trial.arms
        ),
        outcomes=tuple(each.measure for each in trial.primary_outcomes),
    )


def _first(values: Sequence[Any]) -> str:
    return _text(values[0]) if values else ""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(each for each in _listed(value) if isinstance(each, str))


def _objects(value: Any) -> list[dict[str, Any]]:
    return [each for each in _listed(value) if type(each) is dict]


def _listed(value: Any) -> list[Any]:
    return value if type(value) is list else []


@cache
def _decoder() -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(layout_type(_READABLE))
