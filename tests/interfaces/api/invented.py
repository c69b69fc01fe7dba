"""A handful of invented studies that between them have every shape the API treats specially."""

from __future__ import annotations

import json
from typing import Any

Study = dict[str, Any]

FIRST = 90000001


def study(number: int, **parts: Any) -> Study:
    """Build a study; `parts` are modules by the name of their key, without `Module`."""
    protocol: Study = {
        "identificationModule": {
            "nctId": f"NCT{number:08d}",
            "orgStudyIdInfo": {"id": f"INV-{number % 1000}"},
            "briefTitle": f"Invented study {number % 1000}",
        },
        "statusModule": {
            "overallStatus": "COMPLETED",
            "studyFirstPostDateStruct": {"date": "2020-01-02", "type": "ACTUAL"},
            "lastUpdatePostDateStruct": {"date": "2021-03-04", "type": "ACTUAL"},
        },
        "sponsorCollaboratorsModule": {
            "leadSponsor": {"name": "Invented Clinic", "class": "OTHER"}
        },
    }
    whole = {key: parts.pop(key) for key in list(parts) if key.endswith("Section")}
    has_results = parts.pop("hasResults", False)
    for name, module in parts.items():
        protocol.setdefault(f"{name}Module", {}).update(module)
    return {"protocolSection": protocol, **whole, "hasResults": has_results}


def studies() -> list[Study]:
    """Give the studies, by number."""
    return [_full(), _bare(), _aliased(), _observational(), *_many()]


def _full() -> Study:
    return study(
        FIRST,
        identification={
            "acronym": "FULL",
            "officialTitle": "An Invented Study of Everything, “Quoted” and Comma’d",
            "secondaryIdInfos": [{"id": "2020-000000-00", "type": "EUDRACT_NUMBER"}],
        },
        status={
            "overallStatus": "RECRUITING",
            "startDateStruct": {"date": "2020-02"},
            "primaryCompletionDateStruct": {"date": "2021-02-03", "type": "ACTUAL"},
            "completionDateStruct": {"date": "2021-06", "type": "ESTIMATED"},
            "resultsFirstPostDateStruct": {"date": "2021-03-01", "type": "ACTUAL"},
        },
        sponsorCollaborators={"collaborators": [{"name": "Aid A"}, {"name": "Aid B"}]},
        description={"briefSummary": "Age \\> 18, \\[see\\] below:\n\n* one\n* two"},
        conditions={"conditions": ["Asthma", "Hay Fever"], "keywords": ["wheeze"]},
        design={
            "studyType": "INTERVENTIONAL",
            "phases": ["PHASE1", "PHASE2"],
            "enrollmentInfo": {"count": 120, "type": "ACTUAL"},
            "designInfo": {
                "allocation": "RANDOMIZED",
                "interventionModel": "PARALLEL",
                "primaryPurpose": "TREATMENT",
                "maskingInfo": {"masking": "DOUBLE", "whoMasked": ["PARTICIPANT", "INVESTIGATOR"]},
            },
        },
        armsInterventions={
            "armGroups": [{"label": "A", "interventionNames": ["Drug: X", "Drug: Y"]}],
            "interventions": [
                {"type": "DRUG", "name": "X"},
                {"type": "DRUG"},
                {"type": "BEHAVIORAL", "name": "Y, twice", "otherNames": ["Why"]},
            ],
        },
        outcomes={
            "primaryOutcomes": [
                {"measure": "FEV1", "description": "in litres", "timeFrame": "1 year"},
                {"measure": "Death", "timeFrame": "2 years"},
            ]
        },
        eligibility={"sex": "ALL", "stdAges": ["ADULT", "OLDER_ADULT"], "healthyVolunteers": False},
        contactsLocations={
            "locations": [
                {
                    "facility": "Clinic, West",
                    "city": "Boston",
                    "state": "Massachusetts",
                    "zip": "02101",
                    "country": "United States",
                    "geoPoint": {"lat": 42.36, "lon": -71.06},
                },
                {"city": "Lyon", "country": "France"},
            ]
        },
        resultsSection={"moreInfoModule": {"pointOfContact": {"title": "Dr"}}},
        documentSection={
            "largeDocumentModule": {
                "largeDocs": [
                    {"label": "Study Protocol", "filename": "Prot_000.pdf", "size": 1000},
                    {"label": "Statistical Analysis Plan", "filename": "SAP_001.pdf"},
                ]
            }
        },
        derivedSection={"conditionBrowseModule": {"meshes": [{"id": "D001249", "term": "Asthma"}]}},
        hasResults=True,
    )


def _bare() -> Study:
    """A withheld record: hardly anything is known."""
    return study(FIRST + 1, status={"overallStatus": "WITHHELD"})


def _aliased() -> Study:
    return study(
        FIRST + 2,
        identification={"nctIdAliases": ["NCT90009999"]},
        conditions={"conditions": ["Asthma"]},
        armsInterventions={"armGroups": [{"label": "only arm"}]},
        design={"studyType": "INTERVENTIONAL", "phases": ["NA"], "enrollmentInfo": {"count": 7}},
    )


def _observational() -> Study:
    return study(
        FIRST + 3,
        conditions={"conditions": ["Gout"]},
        design={
            "studyType": "OBSERVATIONAL",
            "enrollmentInfo": {"count": 99},
            "designInfo": {"observationalModel": "COHORT", "timePerspective": "PROSPECTIVE"},
        },
    )


def _many() -> list[Study]:
    return [
        study(
            FIRST + 10 + index,
            conditions={"conditions": ["Gout"]},
            design={
                "studyType": "INTERVENTIONAL",
                "phases": ["PHASE3"],
                "enrollmentInfo": {"count": index},
            },
        )
        for index in range(25)
    ]


def to_bytes(value: Study) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def number_of(value: Study) -> int:
    return int(value["protocolSection"]["identificationModule"]["nctId"][3:])


def at(value: Any, path: str) -> Any:
    """Follow a dotted path; digits are positions, an absent key is None."""
    for key in path.split("."):
        if key.isdigit():
            value = value[int(key)]
        elif not isinstance(value, dict) or key not in value:
            return None
        else:
            value = value[key]
    return value
