"""Plain notes of common diseases lead to trials of those diseases, on some of the real records."""

from __future__ import annotations

import asyncio
import random
from itertools import islice
from pathlib import Path

from benchmarks.common_diseases import (
    TARGET,
    count_hits,
    iter_studies,
    read_diseases,
    studies_of,
)

from trialyst.matching.facade import Matching
from trialyst.registry import Registry, RegistrySource, build_from_studies
from trialyst.vocabulary import Vocabulary

READ = 1_000
DRAWN = 3
OTHERS = 150
SEED = 18
TEN = 10


def test_trials_of_the_disease_come_first(
    data_dir: Path, vocabulary: Vocabulary, tmp_path: Path
) -> None:
    """The full list, all notes on all records, is `benchmarks/common_diseases.py`."""
    draw = random.Random(SEED)
    records = {
        study["protocolSection"]["identificationModule"]["nctId"]: study
        for study in islice(iter_studies(data_dir), READ)
    }
    diseases = read_diseases()
    held = list(zip(diseases, studies_of(records.values(), diseases), strict=True))
    drawn = draw.sample([each for each in held if len(each[1]) >= TEN], DRAWN)
    studied = set[str]().union(*(ids for _, ids in drawn))
    others = draw.sample(sorted(records.keys() - studied), OTHERS)
    build_from_studies([records[each] for each in sorted((*studied, *others))], tmp_path)
    missed = []
    with Registry.open(tmp_path, vocabulary=vocabulary) as registry:
        matching = Matching(RegistrySource(registry), vocabulary=lambda: vocabulary)
        for disease, ids in drawn:
            matched = asyncio.run(
                matching.match(disease.note, status=(), study_type=(), candidates=30)
            )
            hits = count_hits([trial.nct_id for trial in matched.trials], ids)
            if hits < TARGET:
                missed.append((hits, disease.note))
    assert not missed


def test_a_record_studies_what_its_titles_conditions_or_headings_name() -> None:
    def study(number: int, title: str, *conditions: str) -> dict[str, object]:
        named = {"nctId": f"NCT{number:08d}", "briefTitle": title}
        return {
            "protocolSection": {
                "identificationModule": named,
                "conditionsModule": {"conditions": list(conditions)},
            }
        }

    asthma = [each for each in read_diseases() if each.note.endswith("with asthma.")]
    records = [study(1, "Inhalers in Asthma"), study(2, "Inhalers", "Asthma"), study(3, "Gout")]
    assert studies_of(records, asthma) == [{"NCT00000001", "NCT00000002"}]
