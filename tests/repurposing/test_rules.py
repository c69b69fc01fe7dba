"""The rules of the contracts, each against a naive count over generated trials."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.repurposing.invented import client_on, trial
from trialyst.vocabulary import Vocabulary

RANKS = {
    (): 0,
    ("NA",): 0,
    ("EARLY_PHASE1",): 1,
    ("PHASE1",): 2,
    ("PHASE1", "PHASE2"): 3,
    ("PHASE2",): 4,
    ("PHASE2", "PHASE3"): 5,
    ("PHASE3",): 6,
    ("PHASE4",): 8,
}
LABELS = {
    ("EARLY_PHASE1",): "Early Phase 1",
    ("PHASE1",): "Phase 1",
    ("PHASE1", "PHASE2"): "Phase 1/Phase 2",
    ("PHASE2",): "Phase 2",
    ("PHASE2", "PHASE3"): "Phase 2/Phase 3",
    ("PHASE3",): "Phase 3",
    ("PHASE4",): "Phase 4",
}
DRUGS = {
    "Semaglutide": "semaglutide",
    "OZEMPIC 1 mg": "semaglutide",
    "Digoxin": "digoxin",
    "digoxin 0.25 mg": "digoxin",
    "Zorbacitin sodium": "zorbacitin",
    "Zorbacitin": "zorbacitin",
    "Placebo": None,
}
CONDITIONS = {
    "Heart Failure": "heart failure",
    "cardiac failure": "heart failure",
    "Asthma": "asthma",
    "Obesity": "obesity",
}
STATUSES = ("RECRUITING", "COMPLETED", "TERMINATED", "UNKNOWN", "NOT_YET_RECRUITING")
ACTIVE = ("RECRUITING", "ENROLLING_BY_INVITATION", "ACTIVE_NOT_RECRUITING", "NOT_YET_RECRUITING")

TRIAL = st.fixed_dictionaries(
    {
        "drugs": st.lists(
            st.tuples(st.sampled_from(["DRUG", "BIOLOGICAL", "DEVICE"]), st.sampled_from([*DRUGS])),
            min_size=1,
            max_size=3,
        ),
        "conditions": st.lists(st.sampled_from([*CONDITIONS]), min_size=1, max_size=2),
        "phases": st.sampled_from([*RANKS]),
        "status": st.sampled_from(STATUSES),
        "sponsor": st.sampled_from(["Acme", "ACME, Inc.", "Bolt"]),
        "enrollment": st.tuples(st.integers(0, 500), st.just("ACTUAL")),
        "start": st.dates().map(lambda day: f"{2010 + day.year % 16}-{day.month:02d}-01"),
    }
)
TRIALS = st.lists(TRIAL, min_size=1, max_size=12)
FEW = settings(max_examples=12)


def studies(trials: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [trial(number, **each) for number, each in enumerate(trials, 1)]


def gives(each: dict[str, Any], drug: str) -> bool:
    return any(DRUGS[name] == drug for _, name in each["drugs"])


def has(each: dict[str, Any], condition: str) -> bool:
    return any(CONDITIONS[name] == condition for name in each["conditions"])


def medicines(each: dict[str, Any]) -> set[str]:
    named = {DRUGS[name] for kind, name in each["drugs"] if kind != "DEVICE"}
    return {name for name in named if name}


@FEW
@given(TRIALS)
def test_counts_are_exact_and_by_one_rule(
    vocabulary: Vocabulary, trials: list[dict[str, Any]]
) -> None:
    with client_on(studies(trials), vocabulary) as client:
        found = asyncio.run(client.detect_whitespace("wegovy", "cardiac failure"))
    both = [each for each in trials if gives(each, "semaglutide") and has(each, "heart failure")]
    assert found.exact_match_count == len(both)
    assert found.drug_only_trials == sum(gives(each, "semaglutide") for each in trials)
    assert found.condition_only_trials == sum(has(each, "heart failure") for each in trials)
    assert found.exact_match_count <= min(found.drug_only_trials, found.condition_only_trials)
    assert found.is_whitespace == (not both)
    assert found.total_enrollment == sum(each["enrollment"][0] for each in both)


@FEW
@given(TRIALS)
def test_whitespace_ranks_dedupes_and_keeps_phase_2_and_later(
    vocabulary: Vocabulary, trials: list[dict[str, Any]]
) -> None:
    with client_on(studies(trials), vocabulary) as client:
        found = asyncio.run(client.detect_whitespace("metformin", "heart failure"))
    best: dict[str, tuple[int, int]] = {}
    for each in trials:
        if not has(each, "heart failure") or RANKS[each["phases"]] < 3:
            continue
        active = ACTIVE.index(each["status"]) if each["status"] in ACTIVE else len(ACTIVE)
        for drug in medicines(each):
            standing = (-RANKS[each["phases"]], active)
            best[drug] = min(best.get(drug, standing), standing)
    listed = [each.drug_name.lower() for each in found.condition_drugs]
    assert len(listed) == len(set(listed))
    assert set(listed) == set(best)
    assert [best[name] for name in listed] == sorted(best.values())
    by_id = {f"NCT{number:08d}": each for number, each in enumerate(trials, 1)}
    for listing in found.condition_drugs:
        shown = by_id[listing.nct_id]
        assert LABELS[shown["phases"]] == listing.phase
        assert -RANKS[shown["phases"]] == best[listing.drug_name.lower()][0]


@FEW
@given(TRIALS, st.integers(1, 4))
def test_a_landscape_groups_ranks_and_counts(
    vocabulary: Vocabulary, trials: list[dict[str, Any]], top: int
) -> None:
    with client_on(studies(trials), vocabulary) as client:
        found = asyncio.run(client.get_landscape("heart failure", top_n=top))
    phased = [each for each in trials if has(each, "heart failure") and each["phases"] in LABELS]
    groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for each in phased:
        for drug in medicines(each):
            groups[each["sponsor"][:4].lower(), drug].append(each)
    standings = sorted(
        (-max(RANKS[each["phases"]] for each in group), -_people(group))
        for group in groups.values()
    )
    assert found.total_trial_count == len(phased)
    assert found.phase_distribution == Counter(LABELS[each["phases"]] for each in phased)
    assert found.competitor_count == len(groups)
    assert len(found.competitors) == min(top, len(groups))
    shown = []
    for entry in found.competitors:
        group = groups[entry.sponsor[:4].lower(), entry.drug_name.lower()]
        rank = max(RANKS[each["phases"]] for each in group)
        shown.append((-rank, -entry.total_enrollment))
        assert entry.trial_count == len(group)
        assert entry.total_enrollment == _people(group)
        assert entry.statuses == {each["status"] for each in group}
        assert entry.most_recent_start == max(each["start"] for each in group)
        assert entry.max_phase in {LABELS[e["phases"]] for e in group if RANKS[e["phases"]] == rank}
    assert shown == standings[:top]


def _people(group: list[dict[str, Any]]) -> int:
    return sum(each["enrollment"][0] for each in group)


@FEW
@given(TRIALS, st.sampled_from(["PHASE2", "PHASE2 AND NOT PHASE1", "(PHASE3 OR PHASE4)"]))
def test_a_phase_filter_means_contains(
    vocabulary: Vocabulary, trials: list[dict[str, Any]], expression: str
) -> None:
    holds: Callable[[tuple[str, ...]], bool] = {
        "PHASE2": lambda phases: "PHASE2" in phases,
        "PHASE2 AND NOT PHASE1": lambda phases: "PHASE2" in phases and "PHASE1" not in phases,
        "(PHASE3 OR PHASE4)": lambda phases: "PHASE3" in phases or "PHASE4" in phases,
    }[expression]
    with client_on(studies(trials), vocabulary) as client:
        found = asyncio.run(client.search_trials("digoxin", phase_filter=expression))
    assert {each.nct_id for each in found} == {
        f"NCT{number:08d}"
        for number, each in enumerate(trials, 1)
        if gives(each, "digoxin") and holds(each["phases"])
    }


def test_at_most_50_drugs_are_listed(vocabulary: Vocabulary) -> None:
    made = [
        trial(n, drugs=[f"Zq{chr(97 + n // 26)}{chr(97 + n % 26)}bacitin"]) for n in range(1, 61)
    ]
    with client_on(made, vocabulary) as client:
        found = asyncio.run(client.detect_whitespace("metformin", "heart failure"))
    assert len(found.condition_drugs) == 50


def test_stopped_trials_come_beyond_one_page(vocabulary: Vocabulary) -> None:
    made = [trial(n, status="TERMINATED") for n in range(1, 261)]
    with client_on(made, vocabulary) as client:
        found = asyncio.run(client.get_terminated("semaglutide", max_results=250))
        assert len({each.nct_id for each in found}) == 250
        assert found.total_count == 260
        trials = asyncio.run(client.search_trials("semaglutide", max_results=250))
        assert len({each.nct_id for each in trials}) == 250
        assert any("250 of 260" in note for note in trials.notes)
