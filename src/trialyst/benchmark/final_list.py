"""How good the list of a match is, beside the list of the search that it was made from.

Every topic is ordered by weights that were not learned on it. Figures are over judged trials alone:
nDCG@10, P@10, the mean place of trials whose criteria exclude the patient, and how many pairs of an
eligible and an excluded trial stand in the right order. A trial that was not found stands last.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from trialyst.benchmark.retrieval import DEPTH, ELIGIBLE, held_judgments, score_runs
from trialyst.matching.prescreen.search import DEFAULT_CANDIDATES

if TYPE_CHECKING:
    from trialyst.benchmark.retrieval_data import Qrels, Topic
    from trialyst.ctgov.source import TrialSource
    from trialyst.vocabulary import Vocabulary

__all__ = ["JUDGED", "Lists", "compare_lists", "match_topic", "measure_matches"]

JUDGED = DEFAULT_CANDIDATES
EXCLUDED = 1
_DRAWS = 2000
_SEED = 42

Runs = Mapping[str, Sequence[str]]


class Lists(NamedTuple):
    """The trials of a topic: as the search ordered them, and as the match did."""

    search: list[str]
    final: list[str]


Matcher = Callable[["TrialSource", str], Awaitable[Lists]]


def match_topic(vocabulary: Vocabulary) -> Matcher:
    """Give what matches a note in any status and of any type, by weights that did not see it."""
    from trialyst.matching.fit import fit_weights
    from trialyst.matching.ingest import NoteReader
    from trialyst.matching.judging.judge import RulesJudge
    from trialyst.matching.pipeline import Patient, validate
    from trialyst.matching.prescreen import Scope, plan, prescreen
    from trialyst.matching.prescreen.scoring import search_weights
    from trialyst.matching.ranking import rank_trials

    reader, judge = NoteReader(vocabulary), RulesJudge(vocabulary)

    async def match(source: TrialSource, text: str) -> Lists:
        profile = reader.understand(text)
        made = plan(profile, vocabulary=vocabulary)
        made = replace(made, weights=search_weights().unseen_by(text))
        found = await prescreen(source, made, vocabulary=vocabulary, scope=Scope(), limit=DEPTH)
        first = found.candidates[:JUDGED]
        judged = await validate(source, Patient(profile, judge, vocabulary), first)
        ranked = rank_trials(judged, weights=fit_weights().unseen_by(text))
        rest = found.nct_ids[JUDGED:]
        return Lists(list(found.nct_ids), [*(trial.nct_id for trial in ranked), *rest])

    return match


async def measure_matches(
    source: TrialSource, topics: Sequence[Topic], qrels: Qrels, *, match: Matcher
) -> dict[str, Any]:
    """Match every topic that has an eligible trial in the source, and compare the two lists.

    Raises:
        InvalidInput: no topic can be measured.
    """
    used = await held_judgments(source, qrels, topics=topics, eligible=ELIGIBLE)
    lists = {topic.id: await match(source, topic.text) for topic in topics if topic.id in used}
    compared = compare_lists(
        used,
        {topic: each.search for topic, each in lists.items()},
        {topic: each.final for topic, each in lists.items()},
    )
    return {
        "topics": len(used),
        **compared,
        "topics_left_out": len(topics) - len(used),
        "judged_in_registry": sum(map(len, used.values())),
    }


def compare_lists(qrels: Qrels, search: Runs, final: Runs) -> dict[str, Any]:
    """Give the figures of both lists, and the gain of the second with its 95 % interval."""
    before, after = _score(qrels, search), _score(qrels, final)
    names = list(next(iter(before.values())))
    return {
        "search": {name: _mean([each[name] for each in before.values()]) for name in names},
        "match": {name: _mean([each[name] for each in after.values()]) for name in names},
        "gain": {
            name: _gain([(before[topic][name], after[topic][name]) for topic in qrels])
            for name in names
        },
    }


def _score(qrels: Qrels, runs: Runs) -> dict[str, dict[str, float | None]]:
    """Give the figures of each topic; None where a topic cannot tell one."""
    scored = score_runs(qrels, runs)["per_topic"]
    return {
        topic: {
            "ndcg_cut_10": scored[topic]["judged_only"]["ndcg_cut_10"],
            "P_10": scored[topic]["judged_only"]["P_10"],
            "excluded_rank": _excluded_rank(judged, runs[topic]),
            "pairs": _pairs(judged, runs[topic]),
        }
        for topic, judged in qrels.items()
    }


def _excluded_rank(judged: Mapping[str, int], ranked: Sequence[str]) -> float | None:
    """Give the mean place of excluded trials among the judged ones, from 0 first to 1 last."""
    order = [trial for trial in ranked if trial in judged]
    order += [trial for trial in judged if trial not in set(order)]
    places = [place for place, trial in enumerate(order) if judged[trial] == EXCLUDED]
    if not places or len(order) == 1:
        return None
    return sum(places) / len(places) / (len(order) - 1)


def _pairs(judged: Mapping[str, int], ranked: Sequence[str]) -> float | None:
    """Give the share of pairs in which the eligible trial stands above the excluded one.

    >>> _pairs({"a": 2, "b": 1, "c": 1}, ["b", "a"])
    0.5
    """
    places = {trial: place for place, trial in enumerate(ranked)}
    last = len(ranked)
    eligible = [places.get(trial, last) for trial, score in judged.items() if score == ELIGIBLE]
    excluded = [places.get(trial, last) for trial, score in judged.items() if score == EXCLUDED]
    if not eligible or not excluded:
        return None
    right = sum((one < other) + 0.5 * (one == other) for one in eligible for other in excluded)
    return right / (len(eligible) * len(excluded))


def _gain(pairs: Sequence[tuple[float | None, float | None]]) -> dict[str, float] | None:
    """Give the mean difference over topics, with an interval from a bootstrap of topics."""
    gains = [after - before for before, after in pairs if before is not None and after is not None]
    if not gains:
        return None
    draw = random.Random(_SEED)
    means = sorted(sum(draw.choices(gains, k=len(gains))) / len(gains) for _ in range(_DRAWS))
    low, high = means[round(0.025 * _DRAWS)], means[round(0.975 * _DRAWS) - 1]
    return {
        "mean": round(sum(gains) / len(gains), 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "topics": len(gains),
    }


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(sum(known) / len(known), 4) if known else None
