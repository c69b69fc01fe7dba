"""Learn which sentences experts cite for a criterion, and write the weights the judge uses.

    python tools/train_evidence.py trialgpt_criterion_annotations.jsonl.gz

Every row is used twice, once as if the conditions of `syndromes.txt` were not known: the list was
written with these patients in view, and others have conditions that it lacks. Prints what the
weights are worth on patients they were not learned from, split by patient.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from trialyst.benchmark.annotations import CriterionAnnotation, load_annotations_from_file
from trialyst.benchmark.metrics import compute_evidence_overlap
from trialyst.matching.judging.relevance import features
from trialyst.matching.judging.rules import decide, open_case
from trialyst.matching.judging.statement import read_statement
from trialyst.matching.judging.view import read_view
from trialyst.settings import Settings
from trialyst.vocabulary import open_vocabulary

TARGET = Path(__file__).parents[1] / "src/trialyst/matching/data/evidence_weights.json"
FOLDS = 13
SEED = 42
INVERSE_STRENGTH = 0.025
"""Of the penalty on large weights."""
LEAST = 0.02
"""Weights below are left out."""
THRESHOLD = 0.31
"""Chance from which on a sentence is given; about half the F1 that can be had gives the best F1."""


class Example(NamedTuple):
    """A row with the features of every sentence and the sentences that decide."""

    row: CriterionAnnotation
    sentences: list[tuple[int, list[str]]]
    decisive: set[int]


def main() -> None:
    """Learn from the rows, print the figures and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--others", type=Path, nargs="*", default=[], help="only measured")
    arguments = parser.parse_args()
    seen = read_examples(arguments.data)
    unseen = read_examples(arguments.data, conditions_known=False)
    report(seen, unseen)
    weights = learn([*seen, *unseen])
    for path in arguments.others:
        show(path.stem, measure(read_examples(path), weights))
    write(weights)


def read_examples(path: Path, *, conditions_known: bool = True) -> list[Example]:
    rows = load_annotations_from_file(path).rows
    vocabulary = open_vocabulary(Settings.from_environment().home)
    views = {note: read_view(note, vocabulary) for note in {row.note for row in rows}}
    examples = []
    for row in rows:
        statement = read_statement(row.criterion)
        if not conditions_known:
            statement = statement._replace(syndromes=())
        case = open_case(statement, row.kind, views[row.note])
        decision = decide(case)
        decisive = {sighting.sentence for sighting in decision.sightings}
        examples.append(Example(row, list(features(case, decision)), decisive))
    return examples


def learn(examples: Sequence[Example]) -> dict[str, float]:
    from sklearn.feature_extraction import DictVectorizer  # type: ignore[import-untyped]
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

    told = [
        (dict.fromkeys(names, 1), number in example.row.sentences)
        for example in examples
        for number, names in example.sentences
    ]
    vectorizer: Any = DictVectorizer(sparse=False)
    matrix = vectorizer.fit_transform([names for names, _ in told])
    model = LogisticRegression(C=INVERSE_STRENGTH, solver="liblinear", random_state=SEED)
    model.fit(matrix, [cited for _, cited in told])
    found = zip(vectorizer.get_feature_names_out(), model.coef_[0], strict=True)
    weights = {str(name): round(float(value), 3) for name, value in found if abs(value) >= LEAST}
    return {"": round(float(model.intercept_[0]), 3), **weights}


def chosen(example: Example, weights: dict[str, float]) -> set[int]:
    from math import log

    least = log(THRESHOLD / (1 - THRESHOLD)) - weights[""]
    given = {
        number
        for number, names in example.sentences
        if sum(weights.get(name, 0.0) for name in names) >= least
    }
    return given | example.decisive


def measure(examples: Sequence[Example], weights: dict[str, float]) -> dict[str, float]:
    return compute_evidence_overlap(
        [chosen(example, weights) for example in examples],
        [example.row.sentences for example in examples],
    )


def report(seen: Sequence[Example], unseen: Sequence[Example]) -> None:
    patients = sorted({example.row.patient_id for example in seen})
    random.Random(SEED).shuffle(patients)
    given: dict[str, list[set[int]]] = {"conditions known": [], "conditions not known": []}
    cited: dict[str, list[tuple[int, ...]]] = {name: [] for name in given}
    for fold in range(FOLDS):
        kept = set(patients[fold::FOLDS])
        weights = learn([each for each in (*seen, *unseen) if each.row.patient_id not in kept])
        for name, examples in zip(given, (seen, unseen), strict=True):
            part = [each for each in examples if each.row.patient_id in kept]
            given[name] += [chosen(each, weights) for each in part]
            cited[name] += [each.row.sentences for each in part]
    for name in given:
        show(f"other patients, {name}", compute_evidence_overlap(given[name], cited[name]))


def show(name: str, figures: dict[str, float]) -> None:
    print(f"{name}: precision {figures['precision']:.3f}, recall {figures['recall']:.3f}, "
          f"F1 {figures['f1']:.3f}")  # fmt: skip


def write(weights: dict[str, float]) -> None:
    from math import log

    least = round(log(THRESHOLD / (1 - THRESHOLD)) - weights.pop(""), 3)
    held = {"threshold": least, "weights": dict(sorted(weights.items()))}
    TARGET.write_text(json.dumps(held, indent=1) + "\n", "utf-8")
    print(f"{len(weights)} weights")


if __name__ == "__main__":
    main()
