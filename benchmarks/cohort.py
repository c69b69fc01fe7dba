"""Measure a cohort beside a loop of `match`: `python benchmarks/cohort.py --registry DIR`.

Patients are notes written from drawn charts (a disease, age, sex, values, drugs), and the shared
topics where they are there. The cohort runs in one process, so that processor time is what is
compared; the loop is `match` on the same registry without what a cohort remembers. Candidates,
verdicts, scores and order are compared for every patient of the loop. The exponent is that of
processor time in patients, from half of them to all. With `--ray` one and two workers are compared.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import math
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from trialyst.scale.engine import LocalEngine
from trialyst.scale.matcher import CohortOptions, Matcher, Workplace
from trialyst.scale.patients import Part, PatientText
from trialyst.settings import Settings

if TYPE_CHECKING:
    from trialyst.matching.report import MatchReport

__all__ = ["main"]

TARGET = 30.0
"""Patients a second that two cores are to reach."""
_TOPICS = "patient_topics_qrels/trec_2021_topics.jsonl.gz"
_VALUES = (
    ("Hemoglobin", 7.5, 16.0, "g/dL"),
    ("Platelets", 60.0, 400.0, "x 10^9/L"),
    ("Creatinine", 0.5, 2.5, "mg/dL"),
    ("HbA1c", 5.0, 11.0, "%"),
    ("Potassium", 3.2, 5.6, "mmol/L"),
    ("LVEF", 20.0, 68.0, "%"),
)
_BESIDE = ("hypertension", "type 2 diabetes mellitus", "asthma", "obesity", "atrial fibrillation",
           "chronic kidney disease", "depression", "hypothyroidism", "osteoarthritis")  # fmt: skip
_DRUGS = ("metformin", "lisinopril", "atorvastatin", "aspirin", "apixaban", "prednisone",
          "levothyroxine", "sertraline", "omeprazole", "insulin glargine")  # fmt: skip


def draw_note(rng: random.Random, disease: str) -> str:
    """Write the note of a drawn patient."""
    woman = rng.random() < 0.5
    who, they = ("woman", "She") if woman else ("man", "He")
    values = " ".join(
        f"{name} is {rng.uniform(low, high):.1f} {unit}."
        for name, low, high, unit in rng.sample(_VALUES, rng.randint(1, 4))
    )
    beside = ", ".join(rng.sample(_BESIDE, rng.randint(0, 3))) or "nothing of note"
    drugs = " and ".join(rng.sample(_DRUGS, rng.randint(1, 3)))
    denied = rng.choice(("smoking", "chest pain", "any allergies", "alcohol use"))
    return (
        f"A {rng.randint(19, 88)}-year-old {who} with {disease}, diagnosed "
        f"{rng.randint(1, 15)} years ago. Past medical history: {beside}. {they} takes {drugs}. "
        f"{they} denies {denied}. {values} ECOG is {rng.randint(0, 3)}."
    )


def draw_patients(number: int, data: Path) -> Iterator[PatientText]:
    """Give so many patients, every tenth a shared topic where there are any."""
    rng = random.Random(21)
    listed = Path(__file__).with_name("common_diseases.txt").read_text("utf-8").splitlines()
    named = [line.partition("|")[2] for line in listed if "|" in line and line[0] != "#"]
    diseases = [phrases.partition(";")[0].strip() for phrases in named]
    topics: list[str] = []
    if (data / _TOPICS).exists():
        with gzip.open(data / _TOPICS, "rt") as stream:
            topics = [json.loads(line)["text"] for line in stream]
    for place in range(number):
        topic = topics[place // 10 % len(topics)] if topics and place % 10 == 9 else None
        text = topic or draw_note(rng, rng.choice(diseases))
        yield PatientText(str(place), text, f"line {place + 1}")


def main() -> None:
    """Print the figures; the exit code is 1 where results differ or the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--registry", type=Path, required=True)
    parser.add_argument("--patients", type=int, default=5_000)
    parser.add_argument("--compared", type=int, default=200, help="patients also matched alone")
    parser.add_argument("--ray", action="store_true", help="compare one with two workers of Ray")
    given = parser.parse_args()
    place = Workplace(Settings.from_environment().home, given.registry.absolute())
    data = Path(os.environ.get("TRIALYST_DATA", "../shared/data"))
    patients = list(draw_patients(given.patients, data))
    if given.ray:
        _compare_workers(place, patients)
        return
    matcher = Matcher(place, CohortOptions())
    reports, seconds = _run_cohort(matcher, patients)
    half, whole = seconds[len(seconds) // 2 - 1], seconds[-1]
    each = whole / len(patients)
    print(f"cohort: {len(patients):,} patients, {each:.3f} s of processor time each,", end=" ")
    print(f"{2 / each:.1f} patients/s on two cores; target {TARGET:g}")
    print(f"exponent in patients: {math.log2(whole / half):.2f}")
    some = patients[:: max(1, len(patients) // given.compared)][: given.compared]
    alone, same = _run_alone(place, some, {p.id: r for p, r in zip(patients, reports, strict=True)})
    print(f"match: {alone:.3f} s each; the cohort is {alone / each:.1f} times as fast")
    print(f"same candidates, verdicts, scores and order: {same} of {len(some)}")
    raise SystemExit(same < len(some) or 2 / each < TARGET)


def _run_cohort(
    matcher: Matcher, patients: list[PatientText]
) -> tuple[list[tuple[object, ...]], list[float]]:
    """Match patients; also gives the processor time after each."""
    began = time.process_time()
    reports, seconds = [], []
    for patient in patients:
        reports.append(_told(matcher.match(patient)))
        seconds.append(time.process_time() - began)
    return reports, seconds


def _run_alone(
    place: Workplace, patients: list[PatientText], expected: dict[str, tuple[object, ...]]
) -> tuple[float, int]:
    from trialyst.matching.facade import Matching
    from trialyst.registry.registry import Registry
    from trialyst.registry.source import RegistrySource
    from trialyst.vocabulary import open_vocabulary

    vocabulary = open_vocabulary(place.home)
    registry = Registry.open(place.registry, vocabulary=vocabulary)
    matching = Matching(RegistrySource(registry), vocabulary=lambda: vocabulary)
    asyncio.run(matching.match(patients[0].text))
    began, same = time.process_time(), 0
    for patient in patients:
        report = asyncio.run(matching.match(patient.text))
        same += _told(report) == expected[patient.id]
    return (time.process_time() - began) / len(patients), same


def _told(report: MatchReport) -> tuple[object, ...]:
    return tuple(
        (each.nct_id, each.verdict, each.fit.score, each.assessment.confidence,
         tuple(result.criterion for result in each.assessment.deciding), each.assessment.missing)
        for each in report.trials
    )  # fmt: skip


def _compare_workers(place: Workplace, patients: list[PatientText]) -> None:
    """Print how much faster two workers of Ray are than one; both have started before."""
    from trialyst.scale.ray_engine import RayEngine

    options = CohortOptions()
    size = max(1, len(patients) // 8)
    parts = [
        Part(number, tuple(patients[start : start + size]))
        for number, start in enumerate(range(0, len(patients), size))
    ]
    taken: dict[int, float] = {}
    results = {}
    for workers in (2, 1, 2):
        engine = RayEngine(place, options, workers=workers)
        began = time.perf_counter()
        results[workers] = sorted(engine.run(parts))
        taken[workers] = time.perf_counter() - began
    local = sorted(LocalEngine(place, options, workers=1).run(parts))
    print(f"two workers: {taken[1] / taken[2]:.2f} times one, target 1.6")
    print(f"equal to local: {results[1] == results[2] == local}")


if __name__ == "__main__":
    main()
