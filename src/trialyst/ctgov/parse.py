"""From a study, the API's raw JSON, to a `Trial` or its outline. Raw JSON dies here.

Parsing is total: whatever a record holds, the readable part becomes a trial and the rest is told
in `Trial.problems`. Only what is no object, or has no id, is refused as a `DamagedRecord`.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

import msgspec

from trialyst.ctgov.errors import DamagedRecord
from trialyst.ctgov.outline import TrialOutline
from trialyst.ctgov.parse_results import RESULT_PATHS, to_result_fields
from trialyst.ctgov.repair import build_trial
from trialyst.essie.pieces import pieces

if TYPE_CHECKING:
    from trialyst.ctgov.trial import Trial

__all__ = [
    "DamagedRecord",
    "Layout",
    "collect_fields",
    "decode_study",
    "layout_type",
    "outline_pieces",
    "parse_outline",
    "parse_trial",
    "parse_trials",
]

UNKNOWN_ENROLLMENT = 99999999
"""What the registry writes when the number of participants is not known."""

_NCT_ID = re.compile(r"NCT(?!0{8})[0-9]{8}", re.IGNORECASE)
_DOCUMENTS_URL = "https://cdn.clinicaltrials.gov/large-docs"

Layout = Mapping[str, "str | Layout"]
Model = TypeVar("Model", bound=TrialOutline)

_IDENTIFICATION: Layout = {
    "nctId": "nct_id",
    "nctIdAliases": "aliases",
    "orgStudyIdInfo": {"id": "org_study_id"},
    "secondaryIdInfos": "secondary_ids",
    "briefTitle": "brief_title",
    "officialTitle": "official_title",
    "acronym": "acronym",
    "organization": {"fullName": "organization.name", "class": "organization.agency_class"},
}
_STATUS: Layout = {
    "statusVerifiedDate": "verified.date",
    "overallStatus": "status",
    "lastKnownStatus": "last_known_status",
    "delayedPosting": "delayed_posting",
    "whyStopped": "why_stopped",
    "expandedAccessInfo": {
        "hasExpandedAccess": "expanded_access.has_expanded_access",
        "nctId": "expanded_access.nct_id",
        "statusForNctId": "expanded_access.status",
    },
    "startDateStruct": "start",
    "primaryCompletionDateStruct": "primary_completion",
    "completionDateStruct": "completion",
    "studyFirstSubmitDate": "first_submitted.date",
    "studyFirstPostDateStruct": "first_posted",
    "resultsFirstSubmitDate": "results_first_submitted.date",
    "resultsFirstPostDateStruct": "results_first_posted",
    "lastUpdateSubmitDate": "last_update_submitted.date",
    "lastUpdatePostDateStruct": "last_update_posted",
}
_DESIGN: Layout = {
    "studyType": "study_type",
    "expandedAccessTypes": {
        "individual": "expanded_access.individual",
        "intermediate": "expanded_access.intermediate",
        "treatment": "expanded_access.treatment",
    },
    "patientRegistry": "design.patient_registry",
    "targetDuration": "design.target_duration",
    "phases": "phases",
    "designInfo": {
        "allocation": "design.allocation",
        "interventionModel": "design.intervention_model",
        "interventionModelDescription": "design.intervention_model_description",
        "primaryPurpose": "design.primary_purpose",
        "observationalModel": "design.observational_model",
        "timePerspective": "design.time_perspective",
        "maskingInfo": {
            "masking": "design.masking",
            "maskingDescription": "design.masking_description",
            "whoMasked": "design.who_masked",
        },
    },
    "bioSpec": {
        "retention": "design.biospecimen_retention",
        "description": "design.biospecimen_description",
    },
    "enrollmentInfo": {"count": "enrollment.count", "type": "enrollment.type"},
}
_STUDY: Layout = {
    "protocolSection": {
        "identificationModule": _IDENTIFICATION,
        "statusModule": _STATUS,
        "sponsorCollaboratorsModule": {
            "responsibleParty": "responsible_party",
            "leadSponsor": "lead_sponsor",
            "collaborators": "collaborators",
        },
        "oversightModule": "oversight",
        "descriptionModule": {
            "briefSummary": "brief_summary",
            "detailedDescription": "detailed_description",
        },
        "conditionsModule": {"conditions": "conditions", "keywords": "keywords"},
        "designModule": _DESIGN,
        "armsInterventionsModule": {"armGroups": "arms", "interventions": "interventions"},
        "outcomesModule": {
            "primaryOutcomes": "primary_outcomes",
            "secondaryOutcomes": "secondary_outcomes",
            "otherOutcomes": "other_outcomes",
        },
        "eligibilityModule": "eligibility",
        "contactsLocationsModule": {
            "centralContacts": "central_contacts",
            "overallOfficials": "officials",
            "locations": "sites",
        },
        "referencesModule": {
            "references": "references",
            "seeAlsoLinks": "links",
            "availIpds": "available_data",
        },
        "ipdSharingStatementModule": "ipd_statement",
    },
    "resultsSection": {},
    "documentSection": {"largeDocumentModule": {"largeDocs": "documents"}},
    "derivedSection": {
        "miscInfoModule": {
            "versionHolder": "version.date",
            "removedCountries": "removed_countries",
        },
        "conditionBrowseModule": {
            "meshes": "condition_mesh",
            "ancestors": "condition_ancestors",
        },
        "interventionBrowseModule": {
            "meshes": "intervention_mesh",
            "ancestors": "intervention_ancestors",
        },
    },
    "hasResults": "has_results",
}


def parse_trial(study: Mapping[str, Any] | bytes) -> Trial:
    """Make a trial of a study, decoded or as JSON bytes; raise DamagedRecord if none can be made.

    >>> study = {"protocolSection": {"identificationModule": {"nctId": "NCT90000001"}}}
    >>> parse_trial(study).nct_id
    'NCT90000001'
    """
    # Its many models take longer to make than a page of outlines, which do not need them.
    from trialyst.ctgov.trial import Trial

    record = decode_study(study) if isinstance(study, bytes) else study
    fields, problems = _read(record, _STUDY)
    _settle_documents(fields, fields["nct_id"])
    _settle_enrollment(fields)
    results = record.get("resultsSection")
    if isinstance(results, Mapping) and results:
        fields["results"] = to_result_fields(results)
        fields.setdefault("has_results", True)
    return _build(Trial, fields, problems)


def parse_outline(study: Mapping[str, Any] | bytes) -> TrialOutline:
    """Make the outline of a study; its fields are those that `parse_trial` would give.

    >>> study = {"protocolSection": {"identificationModule": {"nctId": "NCT90000001"}}}
    >>> parse_outline(study).nct_id
    'NCT90000001'
    """
    record = _decode_outline(study) if isinstance(study, bytes) else study
    return _build(TrialOutline, *_read(record, _OUTLINE))


def parse_trials(studies: Iterable[Mapping[str, Any] | bytes]) -> Iterator[Trial | DamagedRecord]:
    """Make a trial of every study, in order; where none can be made, yield the reason instead."""
    for study in studies:
        try:
            yield parse_trial(study)
        except DamagedRecord as damage:
            yield damage


@cache
def outline_pieces() -> tuple[str, ...]:
    """Name the pieces of a study that an outline is made of."""
    paths = {path for _, path in _list_paths(_OUTLINE, ())}
    return tuple(piece.name for piece in pieces().values() if ".".join(piece.path) in paths)


def decode_study(text: bytes) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DamagedRecord(f"it is not JSON: {error}") from error


def _decode_outline(text: bytes) -> Any:
    """Decode what an outline needs; the rest of the text is passed over."""
    try:
        return _outline_decoder().decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # Not of the usual shape: reading all of it tells what is still good, or why nothing is.
        return decode_study(text)


@cache
def _outline_decoder() -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(layout_type(_OUTLINE))


def layout_type(layout: Layout) -> Any:
    """Give the type of a record of which only a layout is wanted."""
    keys = {k: Any if isinstance(below, str) else layout_type(below) for k, below in layout.items()}
    return TypedDict("Wanted", keys, total=False)  # type: ignore[operator]


def _read(record: Any, layout: Layout) -> tuple[dict[str, Any], list[str]]:
    """Give the fields of a record that a layout names, and what is wrong with their parents."""
    nct_id = _find_id(record)
    fields: dict[str, Any] = {}
    problems: list[str] = []
    collect_fields(record, layout, path="", fields=fields, problems=problems)
    return {**fields, "nct_id": nct_id}, problems


def _build(model: type[Model], fields: dict[str, Any], problems: list[str]) -> Model:
    try:
        return build_trial(model, fields, paths=_PATHS, problems=problems)
    except (ValueError, RecursionError) as error:
        reason = f"it cannot be read ({type(error).__name__})"
        raise DamagedRecord(reason, nct_id=fields["nct_id"]) from error


def _find_id(record: object) -> str:
    if not isinstance(record, Mapping):
        raise DamagedRecord(f"it is not an object but of type {type(record).__name__}")
    value: Any = record
    for key in ("protocolSection", "identificationModule", "nctId"):
        value = value.get(key) if isinstance(value, Mapping) else None
    if not isinstance(value, str) or not _NCT_ID.fullmatch(value.strip()):
        raise DamagedRecord(f"its nctId is not an NCT id, found {reprlib.repr(value)}")
    return value.strip().upper()


def collect_fields(
    record: Mapping[str, Any],
    layout: Layout,
    *,
    path: str,
    fields: dict[str, Any],
    problems: list[str],
) -> None:
    """Sort the values of a record into fields as a layout says."""
    for key, value in record.items():
        target = layout.get(key)
        if target is None or value is None:
            continue
        if isinstance(target, str):
            name, _, part = target.partition(".")
            if part:
                fields.setdefault(name, {})[part] = value
            else:
                fields[name] = value
        elif isinstance(value, Mapping):
            collect_fields(value, target, path=f"{path}{key}.", fields=fields, problems=problems)
        else:
            problems.append(f"{path}{key}: should be an object, found {reprlib.repr(value)}")


def _settle_documents(fields: dict[str, Any], nct_id: str) -> None:
    documents = fields.get("documents")
    if isinstance(documents, list):
        folder = f"{_DOCUMENTS_URL}/{nct_id[-2:]}/{nct_id}"
        fields["documents"] = [
            {**document, "url": f"{folder}/{document['filename']}"}
            if isinstance(document, dict) and isinstance(document.get("filename"), str)
            else document
            for document in documents
        ]


def _settle_enrollment(fields: dict[str, Any]) -> None:
    enrollment = fields.get("enrollment", {})
    if enrollment.get("count") in (UNKNOWN_ENROLLMENT, str(UNKNOWN_ENROLLMENT)):
        del enrollment["count"]


def _list_paths(layout: Layout, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each target of a layout, split, with the dotted path it comes from."""
    for key, target in layout.items():
        if isinstance(target, str):
            yield tuple(target.split(".")), ".".join((*path, key))
        else:
            yield from _list_paths(target, (*path, key))


_PATHS = {**dict(_list_paths(_STUDY, ())), **RESULT_PATHS}


def _narrow(layout: Layout, names: Container[str]) -> Layout:
    """Give the part of a layout that leads to some fields."""
    narrowed: dict[str, str | Layout] = {}
    for key, target in layout.items():
        below = target if isinstance(target, str) else _narrow(target, names)
        if below in names if isinstance(below, str) else below:
            narrowed[key] = below
    return narrowed


_OUTLINE = _narrow(_STUDY, TrialOutline.model_fields)
