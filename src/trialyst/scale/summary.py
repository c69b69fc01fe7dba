"""What a cohort comes to: trials with most candidates, what excludes most, what is missing most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from trialyst.matching.verdict import TrialVerdict

__all__ = ["summarize"]

MOST = 25
"""Rows of each list."""
MOST_PROBLEMS = 100
"""Bad rows listed; all are counted and stand in the table of patients."""
_OPEN = frozenset({TrialVerdict.ELIGIBLE.value, TrialVerdict.UNCERTAIN.value})

Row = Mapping[str, Any]


def summarize(patients: Iterable[Row], candidates: Iterable[Row]) -> dict[str, Any]:
    """Count over the tables of a job; equal tables give equal summaries."""
    verdicts: Counter[str] = Counter()
    meets: Counter[str] = Counter()
    still_open: Counter[str] = Counter()
    excluding: Counter[tuple[str, str]] = Counter()
    missing: Counter[str] = Counter()
    for row in candidates:
        verdicts[row["verdict"]] += 1
        if row["verdict"] in _OPEN:
            chosen = meets if row["verdict"] == TrialVerdict.ELIGIBLE.value else still_open
            chosen[row["nct_id"]] += 1
            missing.update(row["missing"])
        elif row["verdict"] == TrialVerdict.EXCLUDED.value:
            excluding.update((row["nct_id"], told) for told in row["deciding"])
    return {
        **_count_patients(patients),
        "verdicts": {each.value: verdicts[each.value] for each in TrialVerdict},
        "trials": [
            {"nct_id": nct_id, "patients": n, "meets": meets[nct_id], "open": still_open[nct_id]}
            for nct_id, n in _most(meets + still_open)
        ],
        "excluding": [
            {"nct_id": nct_id, "criterion": told, "patients": n}
            for (nct_id, told), n in _most(excluding)
        ],
        "missing": [{"fact": fact, "trials": n} for fact, n in _most(missing)],
    }


def _count_patients(patients: Iterable[Row]) -> dict[str, Any]:
    matched = with_trial = bad = 0
    problems: list[dict[str, Any]] = []
    for row in patients:
        if row["error"] is None:
            matched += 1
            with_trial += bool((row["eligible"] or 0) + (row["uncertain"] or 0))
            continue
        bad += 1
        if len(problems) < MOST_PROBLEMS:
            problems.append({"place": row["place"], "problem": row["error"]})
    return {
        "patients": matched,
        "with_candidates": with_trial,
        "bad_rows": bad,
        "problems": problems,
    }


def _most(counts: Counter[Any]) -> list[tuple[Any, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST]
