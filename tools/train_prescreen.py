"""Learn how the deterministic PRESCREEN weighs its measures, and how rare words are.

Reads judged topics and a registry that holds their trials; writes the two lists that ship with
`trialyst.matching.prescreen`. Prints how well weights learned without a topic order its trials.
Needs scikit-learn (development only).

    python tools/train_prescreen.py --registry DIR --topics T.jsonl.gz --qrels Q.tsv.gz ... --write
"""

from __future__ import annotations

import argparse
import asyncio
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import Ridge  # type: ignore[import-untyped]

from trialyst.benchmark.retrieval import ELIGIBLE, score_runs
from trialyst.benchmark.retrieval_data import Qrels, Topic, load_qrels, load_topics
from trialyst.folding import fold
from trialyst.matching.ingest import NoteReader
from trialyst.matching.prescreen.gathering import Budget
from trialyst.matching.prescreen.planning import Scope, plan
from trialyst.matching.prescreen.search import measure_gathered, run_plan
from trialyst.registry import Registry, RegistrySource
from trialyst.settings import Settings
from trialyst.vocabulary import Vocabulary, open_vocabulary

DATA = Path(__file__).parents[1] / "src/trialyst/matching/prescreen/data"
ALPHA = 100.0
FOLDS = 10
UNJUDGED = 60
"""Unjudged trials of a topic taken as irrelevant, at half the weight of a judged one."""
KNOWN = {"age outside": -0.5, "other sex": -0.5}
"""Weights that are not learned: judges score a trial that excludes the patient above an irrelevant
one, so that what is learned of these says too little."""
LEAST_RECORDS = 30
RARE_PIECES = (
    "BriefTitle",
    "OfficialTitle",
    "BriefSummary",
    "EligibilityCriteria",
    "Condition",
    "Keyword",
)

Matrix = Any


@dataclass(frozen=True, slots=True)
class Example:
    """The trials found for one topic, what was measured of them, and what was judged."""

    topic: str
    trials: list[str]
    measures: list[Mapping[str, float]]
    judged: Mapping[str, int]
    guessing: bool


async def measure_topic(
    source: RegistrySource,
    topic: Topic,
    judged: Mapping[str, int],
    vocabulary: Vocabulary,
    *,
    guessing: bool,
) -> Example:
    """Run the plan of a topic and measure every trial it finds.

    Without guessing it is measured as a patient whose condition the table of presentations does
    not know: weights learned on both kinds do not lean on the table.
    """
    made = plan(
        NoteReader(vocabulary).understand(topic.text), vocabulary=vocabulary, guessing=guessing
    )
    widened, gathered = await run_plan(
        source, made, vocabulary=vocabulary, scope=Scope(), budget=Budget()
    )
    measured = measure_gathered(widened, gathered)
    measures: list[Mapping[str, float]] = [values for _, values in measured.values()]
    return Example(topic.id, list(measured), measures, judged, guessing)


def to_matrix(example: Example, names: Sequence[str]) -> Matrix:
    """Give the measures of an example, one row a trial."""
    return np.array([[row.get(name, 0.0) for name in names] for row in example.measures])


def training_rows(examples: Sequence[Example], names: Sequence[str]) -> tuple[Matrix, ...]:
    """Give measures, scores and weights; every topic counts by the root of its judged trials."""
    draw = np.random.default_rng(0)
    parts: list[tuple[Matrix, Matrix, Matrix]] = []
    for example in examples:
        scores = np.array([example.judged.get(trial, -1) for trial in example.trials])
        known, unknown = np.where(scores >= 0)[0], np.where(scores < 0)[0]
        some = draw.choice(
            unknown, min(len(unknown), max(UNJUDGED, len(known) // 2)), replace=False
        )
        chosen = np.concatenate([known, some])
        weights = np.where(scores[chosen] < 0, 0.5, 1.0)
        weights *= min(len(chosen), 200) ** 0.5 / weights.sum()
        rows = to_matrix(example, names)[chosen]
        parts.append((rows, np.maximum(scores[chosen], 0), weights))
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def learn(examples: Sequence[Example], names: Sequence[str]) -> Matrix:
    """Give the weight of each measure as it is, by ridge regression on levelled ones."""
    rows, scores, weights = training_rows(examples, names)
    spread = rows.std(axis=0) + 1e-9
    fitted = Ridge(alpha=ALPHA).fit((rows - rows.mean(axis=0)) / spread, scores, weights)
    weights = fitted.coef_ / spread
    for name, weight in KNOWN.items():
        weights[list(names).index(name)] = weight
    return weights


def check(examples: Sequence[Example], names: Sequence[str]) -> None:
    """Print the figures of lists ordered by weights learned on the other topics."""
    topics = sorted({example.topic for example in examples})
    order = np.random.default_rng(1).permutation(len(topics))
    runs: dict[bool, dict[str, list[str]]] = {True: {}, False: {}}
    for fold_number in range(FOLDS):
        out = {topics[place] for place in order[fold_number::FOLDS]}
        weights = learn([example for example in examples if example.topic not in out], names)
        for example in examples:
            if example.topic in out:
                scored = zip(to_matrix(example, names) @ weights, example.trials, strict=True)
                ordered = sorted(scored, key=lambda item: (-item[0], item[1]))
                runs[example.guessing][example.topic] = [trial for _, trial in ordered]
    qrels: Qrels = {example.topic: dict(example.judged) for example in examples}
    for guessing, run in runs.items():
        for name in sorted({topic[:9] for topic in run}):
            part = {topic: trials for topic, trials in run.items() if topic.startswith(name)}
            figures = score_runs({topic: qrels[topic] for topic in part}, part)
            figures.pop("per_topic")
            print("guessing" if guessing else "not guessing", name, len(part), figures)


async def count_words(source: RegistrySource) -> tuple[int, Counter[str]]:
    """Count in how many records each word stands."""
    counts: Counter[str] = Counter()
    records = 0
    for _, raw in source.registry.iter_raw():
        records += 1
        counts.update(_words_of(raw))
    return records, counts


def _words_of(raw: bytes) -> set[str]:
    import msgspec

    from trialyst.ctgov.values import values_at
    from trialyst.essie.pieces import pieces

    study = msgspec.json.decode(raw)
    texts = (str(value) for name in RARE_PIECES for value in values_at(study, pieces()[name]))
    return set(fold(" | ".join(texts)))


def write_rarities(records: int, counts: Counter[str]) -> None:
    """Write the list of rarities, words of one rarity on a line."""
    lines: dict[int, list[str]] = {}
    for word, count in counts.items():
        if count >= LEAST_RECORDS and len(word) > 1 and word.isascii() and not word.isdigit():
            lines.setdefault(round(10 * math.log(1 + records / (1 + count))), []).append(word)
    text = (
        "# How rare words are in trial records: tenths of log(records / records with the word), "
        "then the\n# words. Made by tools/train_prescreen.py; words in fewer than "
        f"{LEAST_RECORDS} records are left out.\n"
    )
    text += "".join(f"{key} {' '.join(sorted(words))}\n" for key, words in sorted(lines.items()))
    (DATA / "rarities.txt").write_text(text, encoding="utf-8")


def write_weights(names: Sequence[str], weights: Matrix, topics: int) -> None:
    """Write the list of weights, the weightiest names in the order of the alphabet."""
    text = (
        "# What each measure of a trial's fit adds to its score. Made by tools/train_prescreen.py "
        f"from\n# {topics} judged topics; read by scoring.py.\n"
    )
    text += "".join(f"{name} {weight:.4f}\n" for name, weight in zip(names, weights, strict=True))
    (DATA / "weights.txt").write_text(text, encoding="utf-8")


async def main() -> None:
    """Measure, check and, if asked, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--registry", type=Path, required=True)
    parser.add_argument("--topics", type=Path, action="append", required=True)
    parser.add_argument("--qrels", type=Path, action="append", required=True)
    parser.add_argument("--rarities", action="store_true", help="count words anew first")
    parser.add_argument("--write", action="store_true", help="write the weights")
    asked = parser.parse_args()
    vocabulary = open_vocabulary(Settings.from_environment().home)
    source = RegistrySource(Registry.open(asked.registry, vocabulary=vocabulary))
    if asked.rarities:
        write_rarities(*await count_words(source))
    topics = [topic for path in asked.topics for topic in load_topics(path)]
    qrels = {topic: judged for path in asked.qrels for topic, judged in load_qrels(path).items()}
    held = {f"NCT{number:08d}" for number in source.registry.match_numbers(_everything())}
    examples = []
    for topic in topics:
        judged = {trial: s for trial, s in qrels.get(topic.id, {}).items() if trial in held}
        if max(judged.values(), default=0) >= ELIGIBLE:
            for guessing in (True, False):
                found = await measure_topic(source, topic, judged, vocabulary, guessing=guessing)
                examples.append(found)
    names = sorted({name for example in examples for row in example.measures for name in row})
    check(examples, names)
    if asked.write:
        write_weights(names, learn(examples, names), len(examples))


def _everything() -> Any:
    from trialyst.ctgov.query import TrialQuery

    return TrialQuery()


if __name__ == "__main__":
    asyncio.run(main())
