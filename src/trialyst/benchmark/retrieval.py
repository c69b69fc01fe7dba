"""How well trials are found for patients and for lay queries, against judged trials.

Recall, P and RR count what is scored eligible only; nDCG takes the scores as gains. All are given
with unjudged trials as irrelevant, and over judged trials alone. Measured before VALIDATE; the list
that a match gives in the end is measured by `final_list`.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from trialyst.benchmark.retrieval_data import Qrels, Topic, read_judged_trials
from trialyst.ctgov.query import TrialQuery
from trialyst.errors import InvalidInput, TrialystError
from trialyst.ids import NctId

if TYPE_CHECKING:
    from trialyst.ctgov.source import OpenSource, TrialSource
    from trialyst.vocabulary import Vocabulary

__all__ = [
    "ELIGIBLE",
    "Finder",
    "find_by_inquiry",
    "find_by_plan",
    "find_by_words",
    "held_judgments",
    "measure_retrieval",
    "open_judged_trials",
    "score_runs",
]

ELIGIBLE = 2
"""The score of an eligible trial; 1 is one whose criteria exclude the patient."""
DEPTH = 1000
_ASKED_AT_ONCE = 400

Finder = Callable[["TrialSource", str], Awaitable[Sequence[str]]]
"""Gives the ids of trials for a text, the best first."""


@dataclass(frozen=True, slots=True)
class _Figures:
    """Names of the figures and what computes them."""

    plain: Mapping[str, Any]
    judged: Mapping[str, Any]


async def measure_retrieval(
    source: TrialSource,
    topics: Sequence[Topic],
    qrels: Qrels,
    *,
    find: Finder,
    eligible: int = ELIGIBLE,
) -> dict[str, Any]:
    """Search for every topic that has an eligible trial in the source, and score the lists.

    Judgments on trials the source does not hold are left out and counted.

    Raises:
        InvalidInput: no topic can be measured.
    """
    started = time.perf_counter()
    used = await held_judgments(source, qrels, topics=topics, eligible=eligible)
    measured = [topic for topic in topics if topic.id in used]
    runs = {topic.id: list(await find(source, topic.text))[:DEPTH] for topic in measured}
    return {
        "topics": len(measured),
        **score_runs(used, runs, eligible=eligible),
        "topics_left_out": len(topics) - len(measured),
        "judged": sum(len(qrels[topic.id]) for topic in measured),
        "judged_in_registry": sum(map(len, used.values())),
        "seconds": round(time.perf_counter() - started, 3),
    }


async def held_judgments(
    source: TrialSource, qrels: Qrels, *, topics: Sequence[Topic], eligible: int = ELIGIBLE
) -> Qrels:
    """Give the judgments on trials the source holds, of topics with an eligible one among them.

    Raises:
        InvalidInput: there is no such topic.
    """
    held = await _held(source, {trial for judged in qrels.values() for trial in judged})
    known = {
        topic.id: {trial: s for trial, s in qrels.get(topic.id, {}).items() if trial in held}
        for topic in topics
    }
    used = {
        topic: judged
        for topic, judged in known.items()
        if max(judged.values(), default=0) >= eligible
    }
    if not used:
        raise InvalidInput(
            "No topic has an eligible trial in this registry",
            hint="Check that topics, judgments and registry belong together.",
        )
    return used


def score_runs(
    qrels: Qrels, runs: Mapping[str, Sequence[str]], *, eligible: int = ELIGIBLE
) -> dict[str, Any]:
    """Score ranked lists: the means, those over judged trials only, and each topic's."""
    ir_measures = _measures()
    figures = _figures(eligible)
    ranked = {
        topic: {trial: float(len(trials) - place) for place, trial in enumerate(trials)}
        for topic, trials in runs.items()
    }
    measures = [*figures.plain.values(), *figures.judged.values()]
    per_topic: dict[str, dict[str, Any]] = {topic: {"judged_only": {}} for topic in qrels}
    names = {str(measure): (name, False) for name, measure in figures.plain.items()}
    names |= {str(measure): (name, True) for name, measure in figures.judged.items()}
    for value in ir_measures.iter_calc(measures, qrels, ranked):
        name, is_judged = names[str(value.measure)]
        topic = per_topic[value.query_id]
        (topic["judged_only"] if is_judged else topic)[name] = round(value.value, 4)
    scored = list(per_topic.values())
    means: dict[str, Any] = {name: _mean(topic[name] for topic in scored) for name in figures.plain}
    means["judged_only"] = {
        name: _mean(topic["judged_only"][name] for topic in scored) for name in figures.judged
    }
    return {**means, "per_topic": per_topic}


def _measures() -> ModuleType:
    """Give the library of measures, an extra: it brings SciPy, a third of a plain install."""
    try:
        import ir_measures
    except ImportError as problem:
        raise InvalidInput(
            "Lists are scored by the library ir-measures, which is not installed",
            hint="Install it with: pip install 'trialyst[benchmark]'",
        ) from problem
    return ir_measures


def _figures(eligible: int) -> _Figures:
    measures = _measures()
    RR, P, R, nDCG = measures.RR, measures.P, measures.R, measures.nDCG
    rel = {"rel": eligible}
    return _Figures(
        {
            "ndcg_cut_5": nDCG @ 5,
            "ndcg_cut_10": nDCG @ 10,
            "P_10": P(**rel) @ 10,
            "recip_rank": RR(**rel),
            "recall_500": R(**rel) @ 500,
            "recall_1000": R(**rel) @ 1000,
        },
        {
            "ndcg_cut_5": nDCG(judged_only=True) @ 5,
            "ndcg_cut_10": nDCG(judged_only=True) @ 10,
            "P_10": P(**rel, judged_only=True) @ 10,
            "recip_rank": RR(**rel, judged_only=True),
        },
    )


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return round(sum(listed) / len(listed), 4)


async def _held(source: TrialSource, trials: set[str]) -> set[str]:
    ids = sorted(trials)
    found: set[str] = set()
    for start in range(0, len(ids), _ASKED_AT_ONCE):
        asked = tuple(filter(None, map(_parse_id, ids[start : start + _ASKED_AT_ONCE])))
        async for row in source.iter_rows(TrialQuery(ids=asked), ("NCTId",)):
            found.update(map(str, row[0]))
    return found & trials


def _parse_id(text: str) -> NctId | None:
    try:
        return NctId.parse(text)
    except TrialystError:
        return None


def find_by_plan(vocabulary: Vocabulary, *, guessing: bool = True) -> Finder:
    """Give what finds trials for a note as `match` does, in any status and of any type.

    A note that the weights were learned on is ordered by those that did not see it.
    """
    from trialyst.matching.ingest import NoteReader
    from trialyst.matching.prescreen import Scope, plan, prescreen
    from trialyst.matching.prescreen.scoring import search_weights

    reader = NoteReader(vocabulary)

    async def find(source: TrialSource, text: str) -> Sequence[str]:
        made = plan(reader.understand(text), vocabulary=vocabulary, guessing=guessing)
        made = replace(made, weights=search_weights().unseen_by(text))
        found = await prescreen(source, made, vocabulary=vocabulary, scope=Scope(), limit=DEPTH)
        return found.nct_ids

    return find


async def find_by_words(source: TrialSource, text: str) -> Sequence[str]:
    """Find trials by any word of the text, ranked by the index alone: the plain baseline."""
    from trialyst.ctgov.query import RELEVANCE, SortKey
    from trialyst.essie.build import any_of, area, words
    from trialyst.folding import fold

    kept = [word for word in dict.fromkeys(fold(text)) if len(word) > 1][:500]
    if not kept:
        return ()
    nodes = [
        area(name, words(word)) for word in kept for name in ("BasicSearch", "EligibilitySearch")
    ]
    query = TrialQuery(
        queries=(("term", any_of(*nodes)),), sort=(SortKey(RELEVANCE, descending=True),)
    )
    ids: list[str] = []
    async for row in source.iter_rows(query, ("NCTId",)):
        ids.append(str(row[0][0]))
        if len(ids) >= DEPTH:
            break
    return ids


def find_by_inquiry(vocabulary: Vocabulary) -> Finder:
    """Give what finds trials for a few words typed by a person, in any status and of any type."""
    from trialyst.matching.prescreen import Scope, search_inquiry

    async def find(source: TrialSource, text: str) -> Sequence[str]:
        found = await search_inquiry(
            source, text, vocabulary=vocabulary, scope=Scope(), limit=DEPTH
        )
        return found.nct_ids

    return find


def open_judged_trials(path: Path, *, vocabulary: Vocabulary) -> OpenSource:
    """Build a temporary registry of judged trials and open it; it is gone when closed."""
    from trialyst.registry.builder import build_from_studies
    from trialyst.registry.registry import Registry
    from trialyst.registry.source import RegistrySource

    directory = tempfile.TemporaryDirectory(prefix="trialyst-judged-")

    class _Temporary(RegistrySource):
        async def aclose(self) -> None:
            await super().aclose()
            directory.cleanup()

    build_from_studies(read_judged_trials(path), Path(directory.name), vocabulary=vocabulary)
    return _Temporary(Registry.open(Path(directory.name), vocabulary=vocabulary))
