"""What changed between two versions of a trial is told in words, all of it, in order of weight."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import msgspec

from tests.conftest import REPOSITORY
from trialyst.ctgov.parse import parse_trial
from trialyst.ctgov.revisions import describe_revision, rank_revision

Modules = dict[str, Any]
BASE: Modules = {
    "identificationModule": {"nctId": "NCT90000001", "briefTitle": "Study"},
    "statusModule": {
        "overallStatus": "RECRUITING",
        "startDateStruct": {"date": "2024-01-10", "type": "ACTUAL"},
        "primaryCompletionDateStruct": {"date": "2026-03", "type": "ESTIMATED"},
        "lastUpdatePostDateStruct": {"date": "2025-01-01"},
    },
    "designModule": {
        "phases": ["PHASE2"],
        "enrollmentInfo": {"count": 120, "type": "ESTIMATED"},
    },
    "sponsorCollaboratorsModule": {"leadSponsor": {"name": "Acme", "class": "INDUSTRY"}},
    "conditionsModule": {"conditions": ["Asthma"]},
    "armsInterventionsModule": {
        "armGroups": [{"label": "A", "type": "EXPERIMENTAL"}],
        "interventions": [{"type": "DRUG", "name": "Velorimab"}],
    },
    "outcomesModule": {
        "primaryOutcomes": [{"measure": "FEV1", "timeFrame": "12 weeks"}],
        "secondaryOutcomes": [{"measure": "Symptoms", "timeFrame": "12 weeks"}],
    },
    "eligibilityModule": {
        "eligibilityCriteria": "Inclusion Criteria:\n\n* Asthma\n* Adult",
        "minimumAge": "18 Years",
        "sex": "ALL",
    },
    "contactsLocationsModule": {
        "locations": [
            {"facility": "One", "city": "Boston", "country": "United States"},
            {"facility": "Two", "city": "Lyon", "country": "France", "status": "RECRUITING"},
        ]
    },
}


def told(change: Callable[[Modules], object]) -> list[str]:
    after = copy.deepcopy(BASE)
    has_results = change(after) == "results"
    after["statusModule"]["lastUpdatePostDateStruct"] = {"date": "2025-02-01"}
    before = parse_trial(msgspec.json.encode({"protocolSection": BASE, "hasResults": False}))
    later = parse_trial(msgspec.json.encode({"protocolSection": after, "hasResults": has_results}))
    return [each.what for each in describe_revision(before, later)]


def set_at(path: str, value: Any) -> Callable[[Modules], object]:
    def change(modules: Modules) -> None:
        *parts, last = path.split(".")
        within: Any = modules
        for part in parts:
            within = within[int(part)] if isinstance(within, list) else within[part]
        within[last] = value

    return change


def stopped(modules: Modules) -> None:
    modules["statusModule"] |= {"overallStatus": "TERMINATED", "whyStopped": "Slow accrual"}
    modules["designModule"]["enrollmentInfo"] = {"count": 31, "type": "ACTUAL"}


def more_sites(modules: Modules) -> None:
    sites = modules["contactsLocationsModule"]["locations"]
    sites[0:0] = [{"facility": f"F{n}", "city": "Paris", "country": "France"} for n in range(2)]
    sites[-1]["status"] = "COMPLETED"
    del sites[2]


CASES: list[tuple[Callable[[Modules], object], list[str]]] = [
    (
        stopped,
        [
            "recruiting -> terminated, reason: Slow accrual",
            "enrollment 120 estimated -> 31 actual",
        ],
    ),
    (
        set_at("statusModule.primaryCompletionDateStruct.date", "2027-05"),
        ["primary completion moved by 14 months (2026-03 (estimated) -> 2027-05 (estimated))"],
    ),
    (
        set_at("statusModule.startDateStruct.date", "2024-01-03"),
        ["start moved 7 days earlier (2024-01-10 (actual) -> 2024-01-03 (actual))"],
    ),
    (
        set_at("statusModule.primaryCompletionDateStruct", {"date": "2026-03", "type": "ACTUAL"}),
        ["primary completion 2026-03 is now actual"],
    ),
    (
        more_sites,
        [
            "one site recruiting -> completed",
            "one site removed in United States",
            "two sites added in France",
        ],
    ),
    (
        set_at("outcomesModule.primaryOutcomes", [{"measure": "FEV1", "timeFrame": "52 weeks"}]),
        ["primary outcome at another time: FEV1 (12 weeks -> 52 weeks)"],
    ),
    (
        set_at("outcomesModule.primaryOutcomes", [{"measure": "Death"}]),
        ["primary outcome changed: FEV1 -> Death"],
    ),
    (
        set_at("outcomesModule.secondaryOutcomes", []),
        ["one secondary outcome removed: Symptoms"],
    ),
    (
        set_at(
            "armsInterventionsModule.armGroups",
            [{"label": "A", "type": "EXPERIMENTAL"}, {"label": "B", "type": "PLACEBO_COMPARATOR"}],
        ),
        ["arm added: B"],
    ),
    (
        set_at("armsInterventionsModule.interventions.0.name", "Velorimab XR"),
        [
            "intervention added: Drug: Velorimab XR",
            "intervention removed: Drug: Velorimab",
        ],
    ),
    (
        set_at("eligibilityModule.eligibilityCriteria", "Inclusion Criteria:\n\n* Asthma\n* ECOG"),
        ["eligibility criteria changed (lines: 1 new, 1 gone)"],
    ),
    (set_at("eligibilityModule.minimumAge", "21 Years"), ["minimum age 18 Years -> 21 Years"]),
    (set_at("designModule.phases", ["PHASE2", "PHASE3"]), ["Phase 2 -> Phase 2/Phase 3"]),
    (set_at("conditionsModule.conditions", ["Asthma", "COPD"]), ["condition added: COPD"]),
    (
        set_at("sponsorCollaboratorsModule.leadSponsor.name", "Zenith"),
        ["sponsor Acme -> Zenith"],
    ),
    (
        set_at("identificationModule.briefTitle", "Another"),
        ["brief title changed: Study -> Another"],
    ),
    (set_at("conditionsModule.keywords", ["lung"]), ["keywords changed"]),
    (lambda modules: "results", ["results posted"]),
    (lambda modules: None, ["updated without a change that is read here"]),
]


def test_changes_are_told_in_words_the_weightiest_first() -> None:
    wrong = [(words, found) for change, words in CASES if (found := told(change)) != words]
    assert wrong == []


def test_a_raw_change_weighs_as_its_weightiest_field() -> None:
    for change, least in ((stopped, 100), (more_sites, 30), (lambda modules: None, 5)):
        after = copy.deepcopy(BASE)
        change(after)
        weight = rank_revision({"protocolSection": BASE}, {"protocolSection": after})
        assert weight == least


def test_every_field_of_a_full_record_is_told_when_it_goes() -> None:
    """No part of a record can change in silence."""
    files = sorted((REPOSITORY / "tests" / "fixtures" / "ctgov").glob("*.json"))
    silent = []
    for file in files[:6]:
        study = json.loads(file.read_text())
        whole = parse_trial(msgspec.json.encode(study))
        for name in study["protocolSection"]:
            if name == "identificationModule":
                continue
            less = {k: v for k, v in study["protocolSection"].items() if k != name}
            before = parse_trial(msgspec.json.encode({**study, "protocolSection": less}))
            words = [each.what for each in describe_revision(before, whole)]
            if before != whole and not words:
                silent.append((file.name, name))
    assert silent == []
