"""Learn how the search and the final list weigh their measures, on judged patients.

    python tools/fit_order.py --registry DIR --topics T.jsonl.gz --qrels Q.tsv.gz ... --write

Two tables ship: `prescreen/data/weights.txt` orders what a search finds (a ridge regression of the
judges' score), `data/fit_weights.txt` the judged trials of a match (a logistic regression over
pairs, an eligible trial above one that is not, within what `matching/fit.py` knows of the signs and
the order of the weights). Both are learned on all topics, and once more
without each fifth of them, so that every topic can be measured with weights that did not see it.
Prints what each measure of the final list buys on topics held out. Needs scikit-learn (development
only).
"""

from __future__ import annotations

import argparse
import asyncio
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from scipy.optimize import LinearConstraint, minimize
from sklearn.linear_model import Ridge  # type: ignore[import-untyped]

from trialyst.benchmark.final_list import JUDGED, compare_lists
from trialyst.benchmark.retrieval import ELIGIBLE, held_judgments, score_runs
from trialyst.benchmark.retrieval_data import Topic, load_qrels, load_topics
from trialyst.ctgov.values import values_at
from trialyst.essie.pieces import pieces
from trialyst.folding import fold
from trialyst.matching.fit import FIXED, ORDERED, SIGNS, fit_terms
from trialyst.matching.ingest import NoteReader
from trialyst.matching.judging.judge import RulesJudge
from trialyst.matching.learned import FOLDS, Learned, fold_of, note_digest, render_learned
from trialyst.matching.patient import PatientProfile
from trialyst.matching.pipeline import Patient, validate
from trialyst.matching.prescreen.gathering import Budget, Gathered
from trialyst.matching.prescreen.planning import QueryPlan, Scope, plan
from trialyst.matching.prescreen.scoring import score_measures
from trialyst.matching.prescreen.search import measure_gathered, order_gathered, run_plan
from trialyst.registry import Registry, RegistrySource
from trialyst.settings import Settings
from trialyst.vocabulary import Vocabulary, open_vocabulary

MATCHING = Path(__file__).parents[1] / "src/trialyst/matching"
SEARCH_HEADING = """\
# What each measure of a trial adds to its score in the search, made by tools/fit_order.py:
# measure | weight | weights learned without each fifth of the patients
"""
FIT_HEADING = """\
# What each measure of a judged trial adds to its fit, made by tools/fit_order.py:
# measure | weight | weights learned without each fifth of the patients
"""
RARE_HEADING = """\
# How rare words are in trial records: tenths of log(records / records with the word), then the
# words. Made by tools/fit_order.py; words in fewer than 30 records are left out.
"""
RIDGE = 100.0
LOOSE = 0.03
"""How freely the logistic regression may choose; less is freer to stay near zero."""
UNJUDGED = 60
"""Unjudged trials of a topic taken as irrelevant, at half the weight of a judged one."""
PAIRS = 600
MEASURED = 1.5
"""Times the trials of a final list that are judged to learn from."""
REPORTED = "trec"
"""How the topics begin that figures are printed of; others have too few judged trials."""
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
Weights = Mapping[str, float]


@dataclass(slots=True)
class Example:
    """What was found for one topic with and without guesses, and what was judged."""

    topic: Topic
    judged: Mapping[str, int]
    found: dict[bool, dict[str, Mapping[str, float]]] = field(default_factory=dict)
    """By whether the table of presentations was used: the measures of each trial."""
    profile: PatientProfile | None = None
    gathered: tuple[QueryPlan, Gathered] | None = None
    """With the table, until the first of them are judged."""
    fits: dict[str, Mapping[str, float]] = field(default_factory=dict)
    """The measures of fit of judged trials near the top."""

    @property
    def fold(self) -> int:
        return fold_of(note_digest(self.topic.text))


class Measuring:
    """Everything needed to measure topics."""

    def __init__(self, registry: Path) -> None:
        self.vocabulary: Vocabulary = open_vocabulary(Settings.from_environment().home)
        self.source = RegistrySource(Registry.open(registry, vocabulary=self.vocabulary))
        self._reader = NoteReader(self.vocabulary)
        self._judge = RulesJudge(self.vocabulary)

    async def search(self, example: Example) -> None:
        """Measure every trial that a search finds, with and without the table of presentations.

        Weights learned on both kinds do not lean on the table.
        """
        example.profile = self._reader.understand(example.topic.text)
        for guessing in (False, True):
            made = plan(example.profile, vocabulary=self.vocabulary, guessing=guessing)
            example.gathered = await run_plan(
                self.source, made, vocabulary=self.vocabulary, scope=Scope(), budget=Budget()
            )
            measured = measure_gathered(*example.gathered)
            example.found[guessing] = {trial: measures for trial, (_, measures) in measured.items()}

    async def judge(self, example: Example, weights: Weights) -> None:
        """Measure the fit of the first trials, as they stand by weights that saw other topics."""
        assert example.profile is not None
        assert example.gathered is not None
        made, gathered = example.gathered
        candidates = order_gathered(replace(made, weights=weights), gathered)[
            : round(MEASURED * JUDGED)
        ]
        patient = Patient(example.profile, self._judge, self.vocabulary)
        matched = await validate(self.source, patient, candidates)
        example.fits = {trial.nct_id: trial.measures for trial in matched}
        example.gathered = None


def learn_search(examples: Sequence[Example]) -> Weights:
    """Give the weight of each measure of the search, by ridge regression on levelled ones."""
    names = sorted(
        {name for e in examples for f in e.found.values() for m in f.values() for name in m}
    )
    parts = [_search_rows(each.found[guessing], each.judged, names)
             for each in examples for guessing in (True, False)]  # fmt: skip
    rows, scores, weights = (np.concatenate(column) for column in zip(*parts, strict=True))
    spread = rows.std(axis=0) + 1e-9
    fitted = Ridge(alpha=RIDGE).fit((rows - rows.mean(axis=0)) / spread, scores, weights)
    return dict(zip(names, map(float, fitted.coef_ / spread), strict=True)) | KNOWN


def _search_rows(
    found: Mapping[str, Mapping[str, float]], judged: Mapping[str, int], names: Sequence[str]
) -> tuple[Matrix, Matrix, Matrix]:
    """Give measures, scores and weights; every topic counts by the root of its judged trials."""
    trials = list(found)
    scores = np.array([judged.get(trial, -1) for trial in trials])
    known, unknown = np.where(scores >= 0)[0], np.where(scores < 0)[0]
    most = min(len(unknown), max(UNJUDGED, len(known) // 2))
    some = np.random.default_rng(0).choice(unknown, most, replace=False)
    chosen = np.concatenate([known, some])
    weights = np.where(scores[chosen] < 0, 0.5, 1.0)
    weights *= min(len(chosen), 200) ** 0.5 / weights.sum()
    rows = np.array([[found[trials[at]].get(name, 0.0) for name in names] for at in chosen])
    return rows, np.maximum(scores[chosen], 0), weights


def learn_fit(examples: Sequence[Example], *, without: str = "") -> Weights:
    """Give the weight of each measure of fit: an eligible trial stands above one that is not."""
    known = {name for each in examples for fit in each.fits.values() for name in fit}
    names = sorted(known - FIXED.keys() - {without})
    parts = [pairs for each in examples if (pairs := _pairs(each, names)) is not None]
    rows = np.concatenate([differences for differences, _ in parts])
    weights = np.concatenate([counted for _, counted in parts])
    spread = rows.std(axis=0) + 1e-9
    found = _regress(rows / spread, weights, _limits(names, spread))
    return dict(zip(names, map(float, found / spread), strict=True))


def _limits(names: Sequence[str], spread: Matrix) -> tuple[Matrix, Matrix]:
    """Give rows, and what they come to at least with the weights of levelled measures."""
    places = {name: place for place, name in enumerate(names)}
    limits, least = [], []
    for (above, below), margin in ORDERED.items():
        if above in places and below in places:
            row = np.zeros(len(names))
            row[places[above]], row[places[below]] = 1.0, -1.0
            limits.append(row / spread)
            least.append(margin)
    for name, sign in SIGNS.items():
        if name in places:
            limits.append(sign * np.eye(len(names))[places[name]])
            least.append(0.0)
    return np.array(limits), np.array(least)


def _regress(rows: Matrix, weights: Matrix, limits: tuple[Matrix, Matrix]) -> Matrix:
    """Give the weights of a logistic regression that keep within limits."""

    def loss(tried: Matrix) -> float:
        missed = weights @ np.logaddexp(0, -(rows @ tried))
        return float(2 * LOOSE * missed + tried @ tried / 2)

    def slope(tried: Matrix) -> Matrix:
        wrong = weights / (1 + np.exp(rows @ tried))
        return tried - 2 * LOOSE * (rows.T @ wrong)

    kept = LinearConstraint(limits[0], lb=limits[1])
    start = np.zeros(rows.shape[1])
    return minimize(loss, start, jac=slope, method="SLSQP", constraints=kept).x


def _pairs(example: Example, names: Sequence[str]) -> tuple[Matrix, Matrix] | None:
    """Draw pairs of an eligible trial and another; unjudged ones stand for irrelevant ones."""
    trials = list(example.fits)
    scores = np.array([example.judged.get(trial, -1) for trial in trials])
    rows = np.array([[example.fits[trial].get(name, 0.0) for name in names] for trial in trials])
    draw = np.random.default_rng(0)
    eligible = np.where(scores == ELIGIBLE)[0]
    first = np.arange(len(trials)) < UNJUDGED + len(trials) // 4
    differences, weights = [], []
    for others, share in (
        (np.where(scores == 1)[0], 1.0),
        (np.where((scores == 0) | ((scores < 0) & first))[0], 1.0),
    ):
        if len(eligible) and len(others):
            number = min(PAIRS, 2 * len(eligible) * len(others))
            chance = np.where(scores[others] < 0, 0.5, 1.0)
            above = draw.choice(eligible, number)
            below = draw.choice(others, number, p=chance / chance.sum())
            differences.append(rows[above] - rows[below])
            counted = share * min(len(eligible) * len(others), 400) ** 0.5 / number
            weights.append(np.full(number, counted))
    if not differences:
        return None
    return np.concatenate(differences), np.concatenate(weights)


def learn(examples: Sequence[Example], how: Callable[[Sequence[Example]], Weights]) -> Learned:
    """Learn on all, and without each part."""
    parts = [[each for each in examples if each.fold != part] for part in range(FOLDS)]
    digests = frozenset(note_digest(each.topic.text) for each in examples)
    return Learned(how(examples), tuple(map(how, parts)), digests)


def search_order(example: Example, learned: Learned, *, guessing: bool = True) -> list[str]:
    """Give the trials of a topic by weights that did not see it."""
    weights = learned.without[example.fold]
    found = example.found[guessing]
    return sorted(found, key=lambda trial: (-score_measures(found[trial], weights), trial))


def final_order(example: Example, search: Learned, weights: Weights) -> list[str]:
    """Give the trials of a topic with the first of them by fit."""
    found = search_order(example, search)
    first = [trial for trial in found[:JUDGED] if trial in example.fits]
    fits = {trial: sum(fit_terms(example.fits[trial], weights).values()) for trial in first}
    return [
        *sorted(first, key=lambda trial: (-fits[trial], trial)),
        *(trial for trial in found if trial not in fits),
    ]


def report(examples: Sequence[Example], search: Learned, fit: Learned) -> None:
    """Print figures of topics held out, and what they lose without each measure of fit."""
    used = [each for each in examples if each.topic.id.startswith(REPORTED)]
    qrels = {each.topic.id: dict(each.judged) for each in used}
    for guessing in (True, False):
        run = {each.topic.id: search_order(each, search, guessing=guessing) for each in used}
        figures = score_runs(qrels, run)
        figures.pop("per_topic")
        print("search" if guessing else "search without the table of presentations", figures)
    base = {each.topic.id: search_order(each, search) for each in used}

    def lists(learned: Sequence[Weights]) -> dict[str, list[str]]:
        return {each.topic.id: final_order(each, search, learned[each.fold]) for each in used}

    print("all measures", compare_lists(qrels, base, lists(fit.without)))
    for name in sorted(fit.weights):
        without = [
            learn_fit([each for each in examples if each.fold != part], without=name)
            for part in range(FOLDS)
        ]
        print(f"without {name!r}", compare_lists(qrels, base, lists(without)))


async def count_words(source: RegistrySource) -> tuple[int, Counter[str]]:
    """Count in how many records each word stands."""
    counts: Counter[str] = Counter()
    records = 0
    for _, raw in source.registry.iter_raw():
        records += 1
        study = msgspec.json.decode(raw)
        texts = (str(value) for name in RARE_PIECES for value in values_at(study, pieces()[name]))
        counts.update(set(fold(" | ".join(texts))))
    return records, counts


def write_rarities(records: int, counts: Counter[str]) -> None:
    """Write the list of rarities, words of one rarity on a line."""
    lines: dict[int, list[str]] = {}
    for word, count in counts.items():
        if count >= LEAST_RECORDS and len(word) > 1 and word.isascii() and not word.isdigit():
            lines.setdefault(round(10 * math.log(1 + records / (1 + count))), []).append(word)
    text = "".join(f"{key} {' '.join(sorted(words))}\n" for key, words in sorted(lines.items()))
    (MATCHING / "prescreen/data/rarities.txt").write_text(RARE_HEADING + text, encoding="utf-8")


async def main() -> None:
    """Measure, learn, report and, if asked, write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--registry", type=Path, required=True)
    parser.add_argument("--topics", type=Path, action="append", required=True)
    parser.add_argument("--qrels", type=Path, action="append", required=True)
    parser.add_argument("--rarities", action="store_true", help="count words anew first")
    parser.add_argument("--write", action="store_true", help="write the weights")
    asked = parser.parse_args()
    measuring = Measuring(asked.registry)
    if asked.rarities:
        write_rarities(*await count_words(measuring.source))
    topics = [topic for path in asked.topics for topic in load_topics(path)]
    qrels = {topic: judged for path in asked.qrels for topic, judged in load_qrels(path).items()}
    held = await held_judgments(measuring.source, qrels, topics=topics)
    examples = [Example(topic, held[topic.id]) for topic in topics if topic.id in held]
    for each in examples:
        await measuring.search(each)
    search = learn(examples, learn_search)
    for each in examples:
        await measuring.judge(each, search.without[each.fold])
    fit = learn(examples, learn_fit)
    report(examples, search, fit)
    if asked.write:
        (MATCHING / "prescreen/data/weights.txt").write_text(
            render_learned(SEARCH_HEADING, search), encoding="utf-8"
        )
        (MATCHING / "data/fit_weights.txt").write_text(
            render_learned(FIT_HEADING, fit), encoding="utf-8"
        )


if __name__ == "__main__":
    asyncio.run(main())
