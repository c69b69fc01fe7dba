from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.interfaces.api.invented import studies, to_bytes
from tests.serving import serving
from trialyst.interfaces.api import API_PREFIX, create_app
from trialyst.registry import Registry


def values(api: httpx2.Client, field: str) -> Any:
    found = api.get("/stats/field/values", params={"fields": field}).json()
    assert len(found) == 1
    return found[0]


def test_enum_values_are_ranked(api: httpx2.Client) -> None:
    assert values(api, "Phase") == {
        "type": "ENUM",
        "piece": "Phase",
        "field": "protocolSection.designModule.phases",
        "missingStudiesCount": 2,
        "uniqueValuesCount": 4,
        "topValues": [
            {"value": "PHASE3", "studiesCount": 25},
            {"value": "NA", "studiesCount": 1},
            {"value": "PHASE1", "studiesCount": 1},
            {"value": "PHASE2", "studiesCount": 1},
        ],
    }


def test_text_values_have_the_longest_one(api: httpx2.Client) -> None:
    found = values(api, "Condition")
    assert (found["type"], found["uniqueValuesCount"]) == ("STRING", 3)
    assert found["topValues"][0] == {"value": "Gout", "studiesCount": 26}
    assert found["longest"] == {"length": 9, "nctId": "NCT90000001", "value": "Hay Fever"}


def test_flags_are_counted(api: httpx2.Client) -> None:
    found = values(api, "HasResults")
    assert (found["type"], found["missingStudiesCount"]) == ("BOOLEAN", 0)
    assert (found["trueCount"], found["falseCount"]) == (1, len(studies()) - 1)


def test_numbers_have_a_range_and_a_mean(api: httpx2.Client) -> None:
    found = values(api, "EnrollmentCount")
    counts = [*range(25), 120, 7, 99]
    assert (found["type"], found["missingStudiesCount"]) == ("INTEGER", 1)
    assert (found["min"], found["max"]) == (0, 120)
    assert found["avg"] == pytest.approx(sum(counts) / len(counts))


def test_dates_have_a_range_and_formats(api: httpx2.Client) -> None:
    found = values(api, "CompletionDate")
    assert (found["type"], found["formats"]) == ("DATE", ["yyyy-MM"])
    assert (found["min"], found["max"]) == ("2021-06", "2021-06")


def test_field_without_a_value_has_no_range(api: httpx2.Client) -> None:
    found = values(api, "DispFirstPostDate")
    assert found["missingStudiesCount"] == len(studies())
    assert "min" not in found


def test_derived_fields_are_counted(api: httpx2.Client) -> None:
    found = values(api, "NumConditions")
    assert (found["type"], found["min"], found["max"]) == ("INTEGER", 0, 2)


def test_all_fields_are_the_live_ones(api: httpx2.Client) -> None:
    found = api.get("/stats/field/values").json()
    by_type = Counter(item["type"] for item in found)
    assert by_type == {"INTEGER": 92, "DATE": 29, "BOOLEAN": 28, "STRING": 214, "ENUM": 55}


def test_types_choose_fields(api: httpx2.Client) -> None:
    found = api.get("/stats/field/values?types=BOOLEAN|DATE").json()
    assert {item["type"] for item in found} == {"BOOLEAN", "DATE"}


def test_types_and_fields_must_both_hold(api: httpx2.Client) -> None:
    found = api.get("/stats/field/values?types=ENUM&fields=Phase,Condition").json()
    assert [item["piece"] for item in found] == ["Phase"]


@pytest.mark.parametrize("name", ["Sex", "protocolSection.eligibilityModule.sex", "sex"])
def test_field_is_named_by_piece_or_path(api: httpx2.Client, name: str) -> None:
    assert values(api, name)["piece"] == "Sex"


def test_old_paths_still_answer(api: httpx2.Client) -> None:
    assert api.get("/stats/fieldValues?fields=Phase").json() == [values(api, "Phase")]
    assert api.get("/stats/fieldValues/Phase").json() == values(api, "Phase")


def test_list_sizes_count_studies(api: httpx2.Client) -> None:
    assert api.get("/stats/field/sizes?fields=Phase").json() == [
        {
            "piece": "Phase",
            "field": "protocolSection.designModule.phases",
            "uniqueSizesCount": 3,
            "minSize": 0,
            "maxSize": 2,
            "topSizes": [
                {"size": 1, "studiesCount": 26},
                {"size": 0, "studiesCount": 2},
                {"size": 2, "studiesCount": 1},
            ],
        }
    ]


def test_lists_within_lists_count_once_a_study_and_size(api: httpx2.Client) -> None:
    found = api.get("/stats/field/sizes?fields=ArmGroupInterventionName").json()[0]
    assert found["topSizes"] == [{"size": 0, "studiesCount": 1}, {"size": 2, "studiesCount": 1}]


def test_all_lists_are_listed(api: httpx2.Client) -> None:
    found = {item["piece"] for item in api.get("/stats/field/sizes").json()}
    assert {"Phase", "Location", "Condition", "Intervention"} < found
    assert "BriefTitle" not in found


def test_study_sizes_are_those_of_the_stored_json(api: httpx2.Client) -> None:
    sizes = sorted(len(to_bytes(study)) for study in studies())
    found = api.get("/stats/size").json()
    assert found["totalStudies"] == len(sizes)
    assert found["averageSizeBytes"] == round(sum(sizes) / len(sizes))
    assert found["percentiles"]["50%"] == sizes[len(sizes) // 2]
    assert found["largestStudies"][0] == {"id": "NCT90000001", "sizeBytes": sizes[-1]}
    assert found["ranges"][0] == {"sizeRange": "0 - 10 kb", "studiesCount": len(sizes)}
    assert sum(item["studiesCount"] for item in found["ranges"]) == len(sizes)


@pytest.mark.slow
def test_all_fields_are_counted_aside_and_kept(
    registry: Registry, api: httpx2.Client, tmp_path: Path
) -> None:
    """Counted in a request, all fields took half a minute and slowed every other one."""
    with serving(create_app(registry, counts=tmp_path / "counts")) as url:
        asked = f"{url}{API_PREFIX}/stats/field/values"
        first = httpx2.get(asked)
        assert (first.status_code, first.headers["retry-after"]) == (503, "20")
        assert httpx2.get(asked, params={"fields": "Phase"}).status_code == 200
        until = time.monotonic() + 60
        while (answer := httpx2.get(asked)).status_code == 503 and time.monotonic() < until:
            time.sleep(0.2)
        assert answer.json() == api.get("/stats/field/values").json()
        typed = httpx2.get(asked, params={"types": "BOOLEAN"}).json()
        assert typed == api.get("/stats/field/values", params={"types": "BOOLEAN"}).json()
    assert len(list((tmp_path / "counts").glob("*.json"))) == 1
