"""Posted results: whether primary outcomes were met, by the rule of the guide."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

from trialyst.annotation.results import read_results

TWO = ("Drug", "Placebo")


def _interval(kind: str, lower: str, upper: str, percent: str = "95") -> dict[str, Any]:
    return {
        "paramType": kind,
        "ciPctValue": percent,
        "ciLowerLimit": lower,
        "ciUpperLimit": upper,
    }


def _margin(test: str, comment: str) -> dict[str, Any]:
    return {"nonInferiorityType": test, "nonInferiorityComment": comment}


ONE = {"groupIds": ["OG000"], "pValue": "0.001"}
UPPER = _margin("NON_INFERIORITY", "if the upper bound of the 95% interval was \\<= 1.25")
MARGIN = _margin("NON_INFERIORITY", "margin of 0.4%")
RANGE = _margin("EQUIVALENCE", "the interval falls within the 80% to 125% range")
ROWS: list[tuple[str, dict[str, Any]]] = [
    ("met", {"pValue": "0.0003"}),
    ("met", {"pValue": "<0.001"}),
    ("met", {"pValue": "= .03"}),
    ("not_met", {"pValue": "0.0568"}),
    ("not_met", {"pValue": ">0.05"}),
    ("unclear", {"pValue": "<0.2"}),
    ("unclear", {}),
    ("met", {"pValue": "0.08", "statisticalComment": "one-sided, significance level of 0.10"}),
    ("not_met", {"pValue": "0.04", "pValueComment": "a significance level of 2.5% was used"}),
    ("unclear", {"pValue": "0.04", "pValueComment": "One-sided"}),
    ("met", {"pValue": "0.02", "pValueComment": "One-sided"}),
    ("met", _interval("Hazard Ratio (HR)", "0.4", "0.9")),
    ("not_met", _interval("Odds Ratio (OR)", "0.4", "1.9")),
    ("not_met", _interval("LS Mean Difference", "-3", ".9")),
    ("unclear", _interval("Mean Difference", "1", "2", percent="80")),
    ("not_met", {"pValue": "<0.05", **_interval("Mean Difference (Net)", "-7.05", ".95")}),
    ("not_met", UPPER | _interval("Hazard Ratio (HR)", "0.77", "1.32")),
    ("met", UPPER | _interval("Hazard Ratio (HR)", "0.77", "1.2")),
    ("met", MARGIN | _interval("LS Mean Difference", "-0.3", "0.1") | {"pValue": "0.3"}),
    ("met", RANGE | _interval("Geometric mean ratio", "0.89", "1.17") | {"paramValue": "1"}),
    ("not_met", RANGE | _interval("Geometric mean ratio", "0.9", "1.37") | {"paramValue": "1"}),
    ("unclear", {"nonInferiorityType": "NON_INFERIORITY", "pValue": "0.6"}),
    ("unclear", ONE),
    ("met", ONE | {"groupDescription": "Null hypothesis: a rate of 20%"}),
]


def study(
    *analyses: dict[str, Any], title: str = "Change in score", groups: tuple[str, ...] = TWO,
    values: tuple[str, ...] = (), allocation: str = "RANDOMIZED",
) -> dict[str, Any]:  # fmt: skip
    ids = [f"OG{at:03}" for at in range(len(groups))]
    measure = {
        "type": "PRIMARY",
        "title": title,
        "groups": [{"id": key, "title": name} for key, name in zip(ids, groups, strict=True)],
        "analyses": [{"groupIds": ids, "nonInferiorityType": "SUPERIORITY"} | a for a in analyses],
        "classes": [
            {"categories": [{"measurements": [{"groupId": key, "value": value}]}]}
            for key, value in zip(ids, values, strict=False)
        ],
    }
    return {
        "protocolSection": {"designModule": {"designInfo": {"allocation": allocation}}},
        "resultsSection": {
            "outcomeMeasuresModule": {"outcomeMeasures": [measure]},
            "adverseEventsModule": {
                "eventGroups": [
                    {
                        "id": "EG000",
                        "title": "Drug",
                        "seriousNumAffected": 3,
                        "seriousNumAtRisk": 40,
                    }
                ]
            },
        },
    }


def outcome(*analyses: dict[str, Any], **about: Any) -> str | None:
    read = read_results(study(*analyses, **about))
    return None if read is None else str(read.outcome)


def test_one_comparison_is_judged_by_what_the_record_says() -> None:
    wrong = [(row, found) for want, row in ROWS if (found := outcome(row)) != want]
    assert wrong == []


def test_groups_that_were_not_randomized_say_nothing_unless_one_had_placebo() -> None:
    significant = {"pValue": "0.001"}
    assert outcome(significant, allocation="NON_RANDOMIZED") == "met"
    about = {"allocation": "NON_RANDOMIZED", "groups": ("Men", "Women")}
    assert outcome(significant, **about) == "unclear"


def test_a_difference_in_favour_of_the_control_is_not_met() -> None:
    significant = {"pValue": "0.01"}
    deaths = {"title": "Deaths from any cause"}
    assert outcome(significant, **deaths, values=("30", "20")) == "not_met"
    assert outcome(significant, **deaths, values=("20", "30")) == "met"
    assert outcome(significant, title="Response rate", values=("20", "30")) == "not_met"
    assert outcome(significant, title="Score on a scale", values=("20", "30")) == "met"


def test_harm_that_does_not_differ_and_differences_among_many_are_unclear() -> None:
    assert outcome({"pValue": "0.8"}, title="Serious adverse events") == "unclear"
    assert outcome({"pValue": "0.01"}, groups=("Low", "High", "Placebo")) == "unclear"
    assert outcome({"pValue": "0.4"}, groups=("Low", "High", "Placebo")) == "not_met"


def test_comparisons_that_disagree_are_unclear_and_further_ones_do_not_count() -> None:
    good, bad = {"pValue": "0.001"}, {"pValue": "0.4"}
    assert outcome(good, bad) == "unclear"
    assert outcome(bad, good | {"groupDescription": "Per-protocol analysis"}) == "not_met"
    noninferior = good | {"nonInferiorityType": "NON_INFERIORITY"}
    assert outcome(noninferior, bad) == "met"


def test_values_stand_with_their_place_and_none_is_given_without_results() -> None:
    read = read_results(study({"pValue": "0.4"}, {"pValue": "0.3"}))
    assert read is not None
    [primary] = read.primary
    assert primary.comparisons[1].p_value == "0.3"
    assert primary.comparisons[1].place == (
        "resultsSection.outcomeMeasuresModule.outcomeMeasures[0].analyses[1]"
    )
    [events] = read.serious_events
    assert (events.arm, events.affected, events.at_risk) == ("Drug", 3, 40)
    assert read_results({"protocolSection": {}}) is None


def test_places_lead_to_the_values_in_real_records(data_dir: Path) -> None:
    path = data_dir / "ctgov_v2_native" / "ctgov_v2_native-000.jsonl.xz"
    seen = 0
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        studies = [json.loads(line) for line in lines]
    for raw in studies:
        read = read_results(raw)
        for primary in read.primary if read else ():
            for comparison in primary.comparisons:
                at, number = comparison.place.removesuffix("]").split("].analyses[")
                measures = raw["resultsSection"]["outcomeMeasuresModule"]["outcomeMeasures"]
                analysis = measures[int(at.rpartition("[")[2])]["analyses"][int(number)]
                assert (comparison.p_value or "") == str(analysis.get("pValue") or "").strip()
                seen += 1
    assert seen
