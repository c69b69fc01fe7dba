from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import pytest
from benchmarks.records import iter_records, make_records
from benchmarks.shapes import Pool, load_pool

from trialyst.ctgov import parse_trial

STATUSES = ("COMPLETED", "TERMINATED", "AVAILABLE")


def _study(number: int) -> dict[str, Any]:
    protocol: dict[str, Any] = {
        "identificationModule": {
            "nctId": f"NCT{number:08d}",
            "nctIdAliases": [f"NCT{number + 500:08d}"],
            "organization": {"fullName": f"Institute {number}", "class": "OTHER"},
            "briefTitle": f"Drug {number} for “heart” failure",
            "officialTitle": f"A \\ study of drug {number}",
        },
        "statusModule": {
            "overallStatus": STATUSES[number % 3],
            "startDateStruct": {"date": "2015-03"},
            "completionDateStruct": {"date": "2017-12-31", "type": "ACTUAL"},
            "lastUpdateSubmitDate": "2018-01-31",
        },
        "sponsorCollaboratorsModule": {"leadSponsor": {"name": f"Sponsor {number}"}},
        "descriptionModule": {"briefSummary": f"First {number}. Second\nthird.\n\nFourth."},
        "conditionsModule": {"conditions": ["Heart Failure"]},
        "designModule": {
            "studyType": "INTERVENTIONAL",
            "phases": ["PHASE2"],
            "enrollmentInfo": {"count": 40 + number},
        },
        "eligibilityModule": {"eligibilityCriteria": f"* Age {number}\n* Other", "sex": "ALL"},
    }
    if number % 2:
        protocol["contactsLocationsModule"] = {"locations": [{"city": f"City {number}"}] * 3}
    return {"protocolSection": protocol, "hasResults": False}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    for name, numbers in (("ctgov_v2_native", range(1, 31)), ("ctgov_v2_from_xml", range(31, 91))):
        (folder / name).mkdir()
        with lzma.open(folder / name / f"{name}-000.jsonl.xz", "wt", encoding="utf-8") as file:
            for number in numbers:
                line = json.dumps(_study(number), ensure_ascii=False, separators=(",", ":"))
                file.write(f"{line}\n")
    return folder


@pytest.fixture(scope="module")
def pool(data: Path) -> Pool:
    return load_pool(data, 0)


def _made(pool: Pool, *, seed: int = 1) -> list[dict[str, Any]]:
    return [json.loads(line) for line in iter_records(pool, first=0, count=200, seed=seed)]


def _protocols(pool: Pool) -> list[dict[str, Any]]:
    return [record["protocolSection"] for record in _made(pool)]


def test_every_record_has_an_id_of_its_own(pool: Pool) -> None:
    ids = {protocol["identificationModule"]["nctId"] for protocol in _protocols(pool)}
    assert len(ids) == 200


def test_aliases_are_left_out_so_that_no_two_records_share_one(pool: Pool) -> None:
    assert not any("nctIdAliases" in p["identificationModule"] for p in _protocols(pool))


def test_every_record_parses_as_a_trial(pool: Pool) -> None:
    for record in _made(pool):
        trial = parse_trial(record)
        assert str(trial.nct_id) == record["protocolSection"]["identificationModule"]["nctId"]


def test_equal_seeds_give_equal_records_and_others_do_not(pool: Pool) -> None:
    assert _made(pool, seed=3) == _made(pool, seed=3)
    assert _made(pool, seed=3) != _made(pool, seed=4)


def test_texts_dates_and_enrollment_vary(pool: Pool) -> None:
    protocols = _protocols(pool)
    assert len({p["descriptionModule"]["briefSummary"] for p in protocols}) > 50
    assert len({p["statusModule"]["startDateStruct"]["date"] for p in protocols}) > 20
    assert len({p["designModule"]["enrollmentInfo"]["count"] for p in protocols}) > 40


def test_stopped_and_expanded_access_studies_stay_such(pool: Pool) -> None:
    statuses = {protocol["statusModule"]["overallStatus"] for protocol in _protocols(pool)}
    assert {"AVAILABLE", "TERMINATED", "WITHDRAWN", "COMPLETED", "RECRUITING"} <= statuses


def test_a_record_without_sites_has_no_empty_list(pool: Pool) -> None:
    modules = [protocol["contactsLocationsModule"] for protocol in _protocols(pool)]
    assert {} in modules
    assert all(module.get("locations") != [] for module in modules)


def test_records_on_disk_are_reused_when_the_parameters_are_the_same(
    data: Path, tmp_path: Path
) -> None:
    made = make_records(data, tmp_path, count=30, seed=2)
    path = tmp_path / "records" / made.files[0]
    written = path.stat().st_mtime_ns
    assert made.bytes == path.stat().st_size
    assert make_records(data, tmp_path, count=30, seed=2) == made
    assert path.stat().st_mtime_ns == written
    assert make_records(data, tmp_path, count=20, seed=2).count == 20
