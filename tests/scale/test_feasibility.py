"""What a protocol leaves of patients: counts that add up, and bounds that let more of them in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trialyst.errors import InvalidInput
from trialyst.interfaces.cli.program import run
from trialyst.matching.judging.judge import RulesJudge
from trialyst.scale.feasibility import Feasibility, Protocol, assess_protocol, read_cohort
from trialyst.scale.funnel import draw_protocol
from trialyst.scale.patients import BadRow, PatientText
from trialyst.scale.relaxing import parse_relaxation
from trialyst.vocabulary import Vocabulary

DRAFT = """Inclusion Criteria:

* Age 18 to 75 years
* Type 2 diabetes mellitus

Exclusion Criteria:

* eGFR < 60 mL/min/1.73 m2
* Pregnancy
"""
NOTE = "A {age}-year-old {who} with type 2 diabetes mellitus. eGFR is {egfr} mL/min/1.73 m2."
PATIENTS = [(70, "man", 80), (78, "man", 82), (60, "man", 50), (84, "man", 40), (50, "man", 90)]


@pytest.fixture(scope="module")
def told(vocabulary: Vocabulary) -> Feasibility:
    judge = RulesJudge(vocabulary)
    rows: list[PatientText | BadRow] = [
        PatientText(str(n), NOTE.format(age=age, who=who, egfr=egfr), f"line {n}")
        for n, (age, who, egfr) in enumerate(PATIENTS)
    ]
    rows += [BadRow("line 9", "no"), PatientText("x", "A 60-year-old man with asthma.", "line 7")]
    cohort = read_cohort(rows, vocabulary)
    assert [row.place for row in cohort.bad] == ["line 9"]
    return assess_protocol(
        Protocol.draft(DRAFT, ("type 2 diabetes mellitus",), judge),
        cohort.profiles,
        judge,
        vocabulary=vocabulary,
        relax=[parse_relaxation(each) for each in ("age<=80", "eGFR >= 45", "age<=70")],
    )


def test_criteria_cost_alone_and_in_order(told: Feasibility) -> None:
    assert told.counts["another_condition"] == 1
    states = ("qualify", "open", "conflict", "another_condition")
    assert sum(told.counts[state] for state in states) == told.patients == len(PATIENTS) + 1
    age, _, filtration, _ = told.criteria
    assert (age["conflict"], age["alone"], age["dropped"], age["left"]) == (2, 1, 2, 3)
    assert (filtration["conflict"], filtration["dropped"]) == (2, 1)
    assert all(each["sure_conflict"] <= each["conflict"] for each in told.criteria)
    lefts = [each["left"] for each in told.criteria]
    assert lefts == sorted(lefts, reverse=True)
    assert told.counts["conflict"] == len(PATIENTS) - lefts[-1]


def test_wider_bounds_let_patients_in(told: Feasibility) -> None:
    older, weaker, narrower = told.relaxed
    assert (older["conflict"], older["criteria"]) == (-1, ["Age 18 to 75 years"])
    assert weaker["criteria"] == ["eGFR < 60 mL/min/1.73 m2"]
    assert (weaker["conflict"], weaker["qualify"] + weaker["open"]) == (-1, 1)
    # A bound that is wide enough already stays.
    assert (narrower["conflict"], narrower["criteria"]) == (0, [])
    assert {"age<=78", "age<=84"} & {each["relax"] for each in told.suggested}
    assert all(each["conflict"] < 0 or each["qualify"] > 0 for each in told.suggested)


def test_the_funnel_is_drawn_and_escaped(told: Feasibility) -> None:
    drawn = draw_protocol(told.to_dict())
    assert drawn.count("<rect") == 2 * (2 + len(told.criteria))
    assert "eGFR &lt; 60" in drawn


def test_what_is_no_bound_is_refused() -> None:
    for text in ("age", "age=80", "nonsense<=4", "age<=x"):
        with pytest.raises(InvalidInput):
            parse_relaxation(text)


@pytest.mark.slow
def test_the_command_writes_counts_and_no_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draft, patients = tmp_path / "draft.txt", tmp_path / "patients.jsonl"
    draft.write_text(DRAFT)
    lines = [
        json.dumps({"text": NOTE.format(age=age, who=who, egfr=egfr)})
        for age, who, egfr in PATIENTS[:2]
    ]
    patients.write_text("\n".join(lines))
    out = tmp_path / "out"
    code = run(
        ["feasibility", "--criteria", str(draft), "--patients", str(patients), "--out", str(out),
         "--json"]
    )  # fmt: skip
    assert code == 0
    assert json.loads(capsys.readouterr().out)["protocols"][0]["patients"] == 2
    assert sorted(each.name for each in out.iterdir()) == [
        "draft.svg", "feasibility.html", "feasibility.json",
    ]  # fmt: skip
    assert "year-old" not in "".join(each.read_text() for each in out.iterdir())
    assert run(["feasibility", "--patients", str(patients)]) == 2
