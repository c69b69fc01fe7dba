"""Each record agrees with itself."""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from typing import Any

from trialyst.starter import DATA_TIMESTAMP
from trialyst.starter.tables import tables

Study = dict[str, Any]
TODAY = DATA_TIMESTAMP[:10]
OPEN = {"RECRUITING", "NOT_YET_RECRUITING", "ENROLLING_BY_INVITATION", "SUSPENDED"}


def _status(study: Study) -> dict[str, Any]:
    module: dict[str, Any] = study["protocolSection"]["statusModule"]
    return module


def _day(module: dict[str, Any], name: str) -> str | None:
    struct = module.get(name)
    return struct.get("date") if isinstance(struct, dict) else struct


def _in_order(days: list[str | None]) -> bool:
    known = [day for day in days if day]
    pairs = pairwise(known)
    return all(a[: min(len(a), len(b))] <= b[: min(len(a), len(b))] for a, b in pairs)


def test_study_dates_are_in_order(studies: list[Study]) -> None:
    names = ("startDateStruct", "primaryCompletionDateStruct", "completionDateStruct")
    assert all(_in_order([_day(_status(s), name) for name in names]) for s in studies)


def test_registration_dates_are_in_order(studies: list[Study]) -> None:
    names = ("studyFirstSubmitDate", "studyFirstSubmitQcDate", "studyFirstPostDateStruct")
    for study in studies:
        module = _status(study)
        assert _in_order([_day(module, name) for name in (*names, "lastUpdatePostDateStruct")])
        assert module["studyFirstSubmitDate"] <= module["lastUpdateSubmitDate"]
        assert module["lastUpdateSubmitDate"] <= module["lastUpdatePostDateStruct"]["date"] <= TODAY


def test_results_come_after_primary_completion(studies: list[Study]) -> None:
    with_results = [_status(study) for study in studies if study["hasResults"]]
    names = (
        "primaryCompletionDateStruct",
        "resultsFirstSubmitDate",
        "resultsFirstSubmitQcDate",
        "resultsFirstPostDateStruct",
        "lastUpdatePostDateStruct",
    )
    assert with_results
    assert all(_in_order([_day(module, name) for name in names]) for module in with_results)


def test_posts_fall_on_weekdays(studies: list[Study]) -> None:
    for study in studies:
        for name in ("studyFirstPostDateStruct", "lastUpdatePostDateStruct"):
            assert date.fromisoformat(_status(study)[name]["date"]).weekday() < 5


def test_actual_dates_are_known_by_the_last_update(studies: list[Study]) -> None:
    for study in studies:
        module = _status(study)
        for name in ("startDateStruct", "primaryCompletionDateStruct", "completionDateStruct"):
            struct = module.get(name, {})
            if struct.get("type") == "ACTUAL":
                assert _in_order([struct["date"], module["lastUpdateSubmitDate"]])


def test_statuses_agree_with_dates(studies: list[Study]) -> None:
    for study in studies:
        module = _status(study)
        start, end = module.get("startDateStruct", {}), module.get("completionDateStruct", {})
        match module["overallStatus"]:
            case "COMPLETED" | "TERMINATED":
                assert end["type"] == "ACTUAL"
            case "NOT_YET_RECRUITING":
                assert start["type"] == "ESTIMATED"
                assert start["date"] >= TODAY[: len(start["date"])]
            case "RECRUITING" | "ENROLLING_BY_INVITATION" | "ACTIVE_NOT_RECRUITING" | "SUSPENDED":
                assert start["type"] == "ACTUAL"
                assert end["type"] == "ESTIMATED"
                assert end["date"] >= TODAY[: len(end["date"])]
            case "UNKNOWN":
                assert end["date"] < "2025"
                assert module["lastUpdatePostDateStruct"]["date"] < "2025"
            case "WITHDRAWN":
                assert end["type"] == "ESTIMATED"
            case _:
                assert not start
                assert not end


def test_enrollment_type_agrees_with_status(full: list[Study]) -> None:
    for study in full:
        info = study["protocolSection"]["designModule"].get("enrollmentInfo")
        status = _status(study)["overallStatus"]
        if info is None or status == "ACTIVE_NOT_RECRUITING":
            continue
        counted = status in {"COMPLETED", "TERMINATED", "WITHDRAWN"}
        assert info["type"] == ("ACTUAL" if counted else "ESTIMATED")
        assert (info["count"] == 0) == (status == "WITHDRAWN")


def test_only_stopped_studies_say_why(studies: list[Study]) -> None:
    stopped = {"TERMINATED", "SUSPENDED", "WITHDRAWN"}
    said = {_status(s)["overallStatus"] for s in studies if "whyStopped" in _status(s)}
    silent = {_status(s)["overallStatus"] for s in studies if "whyStopped" not in _status(s)}
    assert said == stopped
    assert stopped <= silent


def test_last_known_status_stands_beside_unknown_only(studies: list[Study]) -> None:
    for study in studies:
        module = _status(study)
        assert ("lastKnownStatus" in module) == (module["overallStatus"] == "UNKNOWN")


def test_phases_belong_to_interventional_studies(full: list[Study]) -> None:
    for study in full:
        design = study["protocolSection"]["designModule"]
        assert ("phases" in design) == (design["studyType"] == "INTERVENTIONAL")


def test_expanded_access_has_neither_arms_nor_enrollment(full: list[Study]) -> None:
    for study in full:
        protocol = study["protocolSection"]
        if protocol["designModule"]["studyType"] == "EXPANDED_ACCESS":
            assert "enrollmentInfo" not in protocol["designModule"]
            assert "armGroups" not in protocol["armsInterventionsModule"]
            assert "outcomesModule" not in protocol


def test_withheld_records_are_redacted(studies: list[Study]) -> None:
    withheld = [s for s in studies if _status(s)["overallStatus"] == "WITHHELD"]
    assert withheld
    for study in withheld:
        protocol = study["protocolSection"]
        assert protocol["sponsorCollaboratorsModule"]["leadSponsor"]["name"] == "[Redacted]"
        assert not {"designModule", "conditionsModule", "armsInterventionsModule"} & set(protocol)


def test_arms_and_interventions_name_each_other(full: list[Study]) -> None:
    for study in full:
        module = study["protocolSection"].get("armsInterventionsModule", {})
        interventions = module.get("interventions", [])
        named = {_qualified(i): set(i.get("armGroupLabels", ())) for i in interventions}
        labels: dict[str, set[str]] = {name: set() for name in named}
        for arm in module.get("armGroups", []):
            for name in arm.get("interventionNames", ()):
                labels[name].add(arm["label"])
        assert named == labels


def _qualified(intervention: dict[str, Any]) -> str:
    return f"{intervention['type'].replace('_', ' ').title()}: {intervention['name']}"


def test_arm_labels_are_unique(full: list[Study]) -> None:
    for study in full:
        arms = study["protocolSection"].get("armsInterventionsModule", {}).get("armGroups", [])
        assert len({arm["label"] for arm in arms}) == len(arms)


def test_age_groups_agree_with_the_limits(full: list[Study]) -> None:
    for study in full:
        module = study["protocolSection"]["eligibilityModule"]
        low, high = _years(module.get("minimumAge"), 0), _years(module.get("maximumAge"), 200)
        groups = (("CHILD", 0, 17), ("ADULT", 18, 64), ("OLDER_ADULT", 65, 999))
        assert module["stdAges"] == [g for g, start, end in groups if low <= end and high >= start]


def _years(age: str | None, default: int) -> int:
    if age is None:
        return default
    number, unit = age.split()
    return int(number) if unit.startswith("Year") else int(number) // 12 if "Month" in unit else 0


def test_site_status_is_told_while_a_study_may_recruit(full: list[Study]) -> None:
    for study in full:
        sites = study["protocolSection"].get("contactsLocationsModule", {}).get("locations", [])
        is_open = _status(study)["overallStatus"] in OPEN
        assert all(("status" in site) == is_open for site in sites)


def test_sites_stand_in_real_cities(full: list[Study]) -> None:
    known = {(c.name, c.country): (c.lat, c.lon) for c in tables().cities}
    for study in full:
        for site in (
            study["protocolSection"].get("contactsLocationsModule", {}).get("locations", [])
        ):
            point = site.get("geoPoint")
            assert known[site["city"], site["country"]] or point is None
            if point and site["city"] != "Birmingham":
                assert (point["lat"], point["lon"]) == known[site["city"], site["country"]]


def test_masking_counts_who_is_masked(full: list[Study]) -> None:
    sizes = {"NONE": 0, "SINGLE": 1, "DOUBLE": 2, "TRIPLE": 3, "QUADRUPLE": 4}
    for study in full:
        info = study["protocolSection"]["designModule"].get("designInfo", {}).get("maskingInfo")
        if info:
            assert len(info.get("whoMasked", ())) == sizes[info["masking"]]
