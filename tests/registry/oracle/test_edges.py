"""Engine and oracle agree on studies made to be difficult, where real records rarely go."""

from __future__ import annotations

from typing import Any

import pytest

from tests.each_case import on_each_case
from tests.registry.oracle.corpus import nct_number
from tests.registry.oracle.evaluator import matches
from trialyst.ctgov.query import TrialQuery
from trialyst.essie import parse
from trialyst.registry import Registry, build_from_studies


def study(number: int, **modules: dict[str, Any]) -> dict[str, Any]:
    identification = {"nctId": f"NCT{number:08d}", **modules.pop("identificationModule", {})}
    return {"protocolSection": {"identificationModule": identification, **modules}}


def titled(number: int, title: str) -> dict[str, Any]:
    return study(number, identificationModule={"briefTitle": title})


def conditions(number: int, *names: str) -> dict[str, Any]:
    return study(number, conditionsModule={"conditions": list(names)})


def sites(number: int, *locations: dict[str, Any]) -> dict[str, Any]:
    return study(number, contactsLocationsModule={"locations": list(locations)})


def point(latitude: float, longitude: float) -> dict[str, Any]:
    return {"city": "Somewhere", "geoPoint": {"lat": latitude, "lon": longitude}}


STUDIES = [
    titled(1, "β-Blockers & TNF-α in Sjögren’s Syndrome"),
    titled(2, "Beta blockers and TNF alpha in Sjogren syndrome"),
    titled(3, "HER2+ tumour_size (+)\n\tStudy  of  Straße"),
    titled(4, "+ - ** ()"),
    titled(5, "aa aa ab aa aa aa"),
    titled(6, "NONALCOHOLIC non-alcoholic Non Alcoholic"),
    titled(7, "Cafe\u0301 au lait; café; Cafe"),
    titled(8, "IL-2 x2 2x H2O CO2 T4N1"),
    conditions(11, "heart", "failure"),
    conditions(12, "heart failure"),
    conditions(13, "failure", "heart failure", "heart"),
    conditions(14, "Heart Failure ", " heart\nfailure"),
    study(15, identificationModule={"briefTitle": "heart", "officialTitle": "failure"}),
    study(16, conditionsModule={"conditions": ["", "heart"], "keywords": []}),
    sites(21, point(-17.8, 179.9)),
    sites(22, point(-17.8, -179.9)),
    sites(23, point(89.9, 10.0)),
    sites(24, point(89.9, -170.0)),
    sites(25, point(0.0, 0.0)),
    sites(26, {"city": "Lyon", "status": "RECRUITING"}, {"city": "Paris", "status": "COMPLETED"}),
    sites(27, {"city": "Lyon", "status": "COMPLETED"}, {"city": "Lyon", "zip": "69000"}),
    sites(28, {"city": "Lyon", "contacts": [{"name": "A. Curie"}]}, {"contacts": [{}, {}]}),
    sites(29, {"city": "Lyon"}, {"city": "Lyon"}, {"city": "Lyon", "state": ""}),
    study(31, designModule={}, statusModule={"startDateStruct": {"date": "2020"}}),
    study(32, designModule={"phases": []}, statusModule={"startDateStruct": {"date": "2020-02"}}),
    study(33, statusModule={"startDateStruct": {"date": "2020-02-29"}}),
    study(34, statusModule={"startDateStruct": {"date": "2020-03-01"}}),
    study(35, eligibilityModule={"minimumAge": "1 Year", "maximumAge": None}),
    study(36, eligibilityModule={"minimumAge": "12 Months", "maximumAge": "N/A"}),
    study(37, eligibilityModule={"minimumAge": "52 Weeks"}),
    study(38, eligibilityModule={"minimumAge": "30 Minutes"}),
    study(39, designModule={"enrollmentInfo": {"count": 0}}),
    study(40, designModule={"enrollmentInfo": {"count": "0"}}),
    {**titled(41, "with results"), "hasResults": True, "resultsSection": {}},
    study(42, armsInterventionsModule={"interventions": [{"type": "PLACEBO_COMPARATOR"}]}),
    study(43, armsInterventionsModule={"interventions": [{"type": "Drug"}, {"type": "DRUG"}]}),
    study(44, designModule={"phases": ["PHASE9", "PHASE2"]}),
]

TEXTS = [
    *('"beta blocker"', '"TNF α"', "sjogren", '"Sjögren’s Syndrome"', "'Sjögren'"),
    *('"HER2+"', '"HER2"', '"tumour_size"', '"tumour"', '"size"', '"Study of Straße"', "strasse"),
    *('"+"', '"-"', '"(+)"', '"aa aa"', '"aa aa aa"', '"aa ab"', '"ab aa aa aa"', '"aa aa ab aa"'),
    *("nonalcoholic", '"non-alcoholic"', '"non alcoholic"', '"Non Alcoholic"', '"NONALCOHOLIC"'),
    *("cafe", '"café"', '"Cafe"', '"Cafe\u0301"', "caf", "x2", '"x 2"', "2x", "H2O", "H 2 O", "T4"),
    *("PLACEBO_COMPARATOR", "placebo comparator", '"Placebo Comparator"', "comparator"),
    *("Drug", "DRUG", "drug", "drugs", "PHASE9", '"phase 9"', "Phase2", '"Phase 2"'),
    *("heart failure", '"heart failure"', '"failure heart"', '"Heart Failure"', '"heart"'),
]
COVERAGES = ("FullMatch", "StartsWith", "EndsWith", "Contains")
CONDITIONS = [
    *(f"COVERAGE[{kind}]{text}" for kind in COVERAGES for text in TEXTS[-5:]),
    *(f"AREA[BriefTitle]COVERAGE[{kind}]{text}" for kind in COVERAGES for text in TEXTS),
    *(f"AREA[LocationGeoPoint]DISTANCE[-17.8,180,{radius}]" for radius in ("10km", "11km", "7mi")),
    *(f"AREA[LocationGeoPoint]DISTANCE[-17.8,-179.9,{radius}]" for radius in ("1km", "22km")),
    *(f"AREA[LocationGeoPoint]DISTANCE[90,0,{radius}]" for radius in ("11km", "12km", "500mi")),
    *(f"AREA[LocationGeoPoint]DISTANCE[89.9,10,{radius}]" for radius in ("22km", "23km")),
    "AREA[LocationGeoPoint]DISTANCE[0,0,1km]",
    "NOT AREA[LocationGeoPoint]DISTANCE[0,0,1km]",
    "SEARCH[Location](AREA[LocationCity]Lyon AND AREA[LocationStatus]RECRUITING)",
    "SEARCH[Location](AREA[LocationCity]Lyon AND AREA[LocationStatus]COMPLETED)",
    "SEARCH[Location](AREA[LocationCity]Lyon AND NOT AREA[LocationStatus]RECRUITING)",
    "SEARCH[Location](AREA[LocationCity]Lyon AND AREA[LocationStatus]MISSING)",
    "SEARCH[Location](NOT AREA[LocationCity]Lyon)",
    "NOT SEARCH[Location](NOT AREA[LocationCity]Lyon)",
    "SEARCH[Location](AREA[LocationContactName]curie AND AREA[LocationCity]lyon)",
    "SEARCH[Location](AREA[LocationCity]MISSING AND AREA[NumLocationContacts]2)",
    "SEARCH[Location](AREA[LocationContact:size]0)",
    "SEARCH[Location](AREA[LocationState]MISSING)",
    "SEARCH[Location](lyon OR 69000)",
    "SEARCH[Location](ALL)",
    "NOT SEARCH[Location](ALL)",
    *(f"AREA[Location:size]{size}" for size in (0, 1, 2, 3)),
    *(f"AREA[Condition:size]{size}" for size in (0, 1, 2, 3)),
    *("AREA[Keyword]MISSING", "AREA[NumKeywords]MISSING", "AREA[NumLocationContacts]MISSING"),
    *("AREA[DesignModule]MISSING", "AREA[Phase]MISSING", "AREA[ResultsSection]MISSING"),
    *("AREA[HasResults]true", "AREA[HasResults]false", "AREA[HasResults]MISSING"),
    *("AREA[StartDate]2020", "AREA[StartDate]2020-02", "AREA[StartDate]2020-02-29"),
    *("AREA[StartDate]RANGE[2020-02,2020-02]", "AREA[StartDate]RANGE[2020-01-02,2020-02]"),
    *("AREA[StartDate]RANGE[MIN,2019]", "AREA[StartDate]RANGE[2020-03,2020-01]"),
    *("AREA[MinimumAge]1 year", "AREA[MinimumAge]RANGE[364 days,366 days]"),
    *("AREA[MinimumAge]RANGE[MIN,1 hour]", "AREA[MinimumAge]RANGE[12 months,MAX]"),
    *("AREA[MaximumAge]MISSING", "AREA[MaximumAge]RANGE[MIN,MAX]"),
    *("AREA[EnrollmentCount]0", "AREA[EnrollmentCount]MISSING", "AREA[NumLocations]RANGE[1,MAX]"),
    *("AREA[NumLocations]0", "AREA[NumLocations]RANGE[0,2]", "AREA[NumLocations]RANGE[MIN,0]"),
    *("NOT AREA[NumKeywords]RANGE[MIN,3]", "AREA[NumLocations]RANGE[MIN,MAX]"),
    *("AREA[NumKeywords]RANGE[-5,-1]", "AREA[NumLocationContacts]RANGE[0,0]"),
]


@pytest.fixture(scope="module")
def edges(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    directory = tmp_path_factory.mktemp("edges")
    build_from_studies(STUDIES, directory, synthetic=False, data_timestamp=None)
    return Registry.open(directory)


@on_each_case("level", ["None", "Term"])
@on_each_case("text", [*TEXTS, *CONDITIONS])
def test_engine_and_oracle_agree_at_the_edges(edges: Registry, text: str, level: str) -> None:
    query = parse(f"EXPANSION[{level}]({text})")
    expected = {nct_number(each) for each in STUDIES if matches(query, each)}
    assert edges.match_numbers(TrialQuery(filters=(query,))) == expected
