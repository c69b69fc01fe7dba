"""What opens a list of criteria is judged by its list, in the sense and number its words say."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from tests.matching.judges import say, trial
from trialyst.ctgov.criteria import CriterionKind, split_criteria
from trialyst.ctgov.parse import parse_trial
from trialyst.eligibility.chart import Chart
from trialyst.eligibility.criterion_lists import find_lists
from trialyst.eligibility.reading.note import parse_note
from trialyst.matching.judging.result import Applicability, CriterionResult, Statement, Verdict
from trialyst.matching.validating import judge_trials
from trialyst.matching.verdict import TrialVerdict, aggregate_to_trial_verdict

SIGNS = {"y": Verdict.MET, "n": Verdict.NOT_MET, "?": Verdict.UNKNOWN}
ELIGIBLE, UNCERTAIN, EXCLUDED = (
    TrialVerdict.ELIGIBLE,
    TrialVerdict.UNCERTAIN,
    TrialVerdict.EXCLUDED,
)


@dataclass
class ByLastWord:
    """Judges a criterion by the sign at its end; what has none is met."""

    name: str = "signs"
    asked: list[str] = field(default_factory=list)

    async def judge(
        self, patient: str | Chart, statements: Sequence[Statement]
    ) -> list[CriterionResult]:
        self.asked += [each.bound for each in statements]
        return [say(each, SIGNS.get(each.text[-1], Verdict.MET)) for each in statements]


def judge(opening: str, signs: str, *, section: str) -> tuple[list[CriterionResult], list[str]]:
    items = "".join(f"  * Finding {place} {sign}\n" for place, sign in enumerate(signs))
    others = {"Inclusion": "Exclusion Criteria:\n\n* Pain n\n", "Exclusion": ""}
    text = f"Inclusion Criteria:\n\n* Cough y\n\n{section} Criteria:\n\n* {opening}\n{items}"
    if section == "Inclusion":
        text = text.replace("* Cough y\n\nInclusion Criteria:\n\n", "* Cough y\n")
    study = parse_trial(trial(1, f"{text}\n{others[section]}"))
    judged_by = ByLastWord()
    (judged,) = asyncio.run(judge_trials(judged_by, Chart(parse_note("A note.")), [study]))
    return judged.results, judged_by.asked


def test_a_member_is_put_to_the_judge_with_its_opening_and_shown_with_its_own_words() -> None:
    results, put = judge("Any of the following within 6 months:", "n", section="Exclusion")
    assert put[-1] == "Any of the following within 6 months: Finding 0 n"
    assert results[-1].criterion == "Finding 0 n"


@pytest.mark.parametrize(
    ("section", "opening", "signs", "expected"),
    [
        ("Inclusion", "Any of the following:", "yn", ELIGIBLE),
        ("Inclusion", "Any of the following:", "nn", EXCLUDED),
        ("Inclusion", "Any of the following:", "n?", UNCERTAIN),
        ("Inclusion", "Patients with:", "yy", ELIGIBLE),
        ("Inclusion", "Patients with:", "yn", EXCLUDED),
        ("Inclusion", "At least two of the following:", "yyn", ELIGIBLE),
        ("Inclusion", "At least two of the following:", "ynn", EXCLUDED),
        ("Inclusion", "2 or more of the following criteria:", "yn?", UNCERTAIN),
        ("Inclusion", "No history of any of the following:", "yy", ELIGIBLE),
        ("Inclusion", "No history of any of the following:", "ny", EXCLUDED),
        ("Inclusion", "Must not have any of the following:", "yn", EXCLUDED),
        ("Inclusion", "Must not have any of the following:", "nn", ELIGIBLE),
        ("Inclusion", "Lung disease, such as:", "yn", ELIGIBLE),
        ("Inclusion", "No more than one of the following:", "nn", UNCERTAIN),
        ("Exclusion", "Any of the following:", "yn", EXCLUDED),
        ("Exclusion", "Any of the following:", "nn", ELIGIBLE),
        ("Exclusion", "All of the following:", "yn", ELIGIBLE),
        ("Exclusion", "All of the following:", "yy", EXCLUDED),
        ("Exclusion", "All of the following:", "y?", UNCERTAIN),
        ("Exclusion", "Treated with one of the following drugs:", "nn", ELIGIBLE),
        ("Exclusion", "Treated with one of the following drugs:", "n?", UNCERTAIN),
        ("Exclusion", "Malignancy except for:", "nn", EXCLUDED),
        ("Exclusion", "Malignancy except for:", "yn", UNCERTAIN),
        ("Exclusion", "None of the following:", "yn", UNCERTAIN),
    ],
)
def test_a_list_counts_as_its_opening_says(
    section: str, opening: str, signs: str, expected: TrialVerdict
) -> None:
    results, _ = judge(opening, signs, section=section)
    assert aggregate_to_trial_verdict(results).verdict is expected


def test_an_opening_without_a_statement_is_not_put_to_the_judge() -> None:
    results, asked = judge("Any of the following:", "yn", section="Inclusion")
    assert "Any of the following:" not in asked
    (opening,) = (each for each in results if "following" in each.criterion)
    assert opening.verdict is Verdict.MET
    assert opening.reasoning.startswith("Its list decides: one of 2 is enough.")


def test_an_opening_with_a_statement_is_put_to_the_judge() -> None:
    _, asked = judge("Lung cancer with one of the following:", "yn", section="Inclusion")
    assert any(text.startswith("Lung cancer") for text in asked)


def test_what_defines_an_opening_decides_it_where_it_is_open() -> None:
    results, _ = judge("Sound liver, ?, defined as ?", "yy", section="Inclusion")
    assert [each.verdict for each in results[1:4]] == [Verdict.MET] * 3


def test_a_list_for_others_does_not_concern_the_patient() -> None:
    class Man(ByLastWord):
        async def judge(
            self, patient: str | Chart, statements: Sequence[Statement]
        ) -> list[CriterionResult]:
            told = await ByLastWord.judge(self, patient, statements)
            apart = Applicability.NOT_APPLICABLE
            return [
                say(asked, Verdict.UNKNOWN, applicability=apart) if "Women" in asked.text else each
                for asked, each in zip(statements, told, strict=True)
            ]

    text = "Inclusion Criteria:\n\n* Cough y\n* Women of childbearing age:\n  * Test n\n"
    study = parse_trial(trial(1, text))
    (judged,) = asyncio.run(judge_trials(Man(), Chart(parse_note("A man.")), [study]))
    assert aggregate_to_trial_verdict(judged.results).verdict is ELIGIBLE


def test_lists_within_lists_are_settled_from_the_inside() -> None:
    text = (
        "Inclusion Criteria:\n\n* Any of the following:\n  * All of the following:\n"
        "    * A y\n    * B n\n  * C y\n"
    )
    study = parse_trial(trial(1, text))
    (judged,) = asyncio.run(judge_trials(ByLastWord(), Chart(parse_note("A note.")), [study]))
    assert aggregate_to_trial_verdict(judged.results).verdict is ELIGIBLE


def test_openings_are_found_innermost_first() -> None:
    text = "Inclusion:\n* Any of:\n  * All of:\n    * a\n    * b\n  * c"
    assert [each.parent for each in find_lists(split_criteria(text))] == [1, 0]


def test_what_is_neither_inclusion_nor_exclusion_is_not_put_to_the_judge() -> None:
    text = "Inclusion Criteria:\n\n* Cough y\n* Please contact the site for more\n"
    assert {each.kind for each in split_criteria(text)} >= {CriterionKind.OTHER}
    judged_by = ByLastWord()
    asyncio.run(
        judge_trials(judged_by, Chart(parse_note("A note.")), [parse_trial(trial(1, text))])
    )
    assert judged_by.asked == ["Cough y"]
