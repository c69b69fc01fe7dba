"""Whatever is asked of the API, it answers or refuses: no request ends in an error of the server.

Paths and parameters are those of the service's own OpenAPI document, read from the facts; values
are what the document allows, what it forbids, and nonsense.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

REQUESTS = 120
VALUES = (
    *(
        "",
        " ",
        "0",
        "-1",
        "1",
        "1000",
        "99999999999999999999",
        "1e9",
        "true",
        "null",
        "json",
        "csv",
    ),
    *("asthma", "NCT90000001", "nct9", "RECRUITING", "RECRUITING|COMPLETED", "phase:2 3", "sex:f"),
    *("AREA[Phase]PHASE2", "AREA[", "AREA[StartDate]RANGE[2020,MAX]", "RANGE[", "((((", '"', "NOT"),
    *(
        'EXPANSION[None]"a"',
        "COVERAGE[FullMatch]asthma",
        "distance(1,2,3mi)",
        "distance(,,)",
        "\x00",
    ),
    *(
        "@relevance",
        "StartDate:desc",
        "EnrollmentCount:up",
        "NCTId|BriefTitle",
        "|",
        "..",
        "%00",
        "é",
    ),
)


@pytest.fixture(scope="module")
def operations(facts_dir: Path) -> dict[str, list[str]]:
    """The paths of the document, each with the names of its parameters."""
    text = (facts_dir / "ctgov" / "ctg-oas-v2_2.0.5.yaml").read_text("utf-8")
    document: dict[str, Any] = yaml.safe_load(text)
    shared = document.get("components", {}).get("parameters", {})

    def named(parameter: dict[str, Any]) -> str:
        reference = parameter.get("$ref", "").rpartition("/")[2]
        return str((shared[reference] if reference else parameter)["name"])

    return {
        path: [named(each) for each in operation["get"].get("parameters", ())]
        for path, operation in document["paths"].items()
    }


def test_no_request_ends_in_an_error_of_the_server(
    api: httpx2.Client, operations: dict[str, list[str]]
) -> None:
    value = st.sampled_from(VALUES) | st.text(max_size=20)

    @settings(max_examples=REQUESTS)
    @given(st.sampled_from(sorted(operations)), st.data())
    def ask(path: str, data: st.DataObject) -> None:
        names = st.sampled_from([*operations[path], "unknown"])
        asked = data.draw(st.lists(st.tuples(names, value), max_size=5))
        in_path = data.draw(value)
        parameters = [pair for pair in asked if f"{{{pair[0]}}}" not in path]
        answer = api.get(
            path.replace("{nctId}", quote(in_path, safe="") or "x"), params=tuple(parameters)
        )
        assert answer.status_code < 500, (path, in_path, parameters, answer.text[:300])

    ask()
    assert api.get("/version").status_code == 200
