"""A cohort gets what `match` gives each patient, and a job that was stopped goes on."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from trialyst.errors import InvalidInput
from trialyst.matching.facade import Matching
from trialyst.registry.source import RegistrySource
from trialyst.scale.cohort import run_cohort
from trialyst.scale.columns import read_columns
from trialyst.scale.engine import LocalEngine
from trialyst.scale.matcher import CohortOptions, MatchedPart, Workplace
from trialyst.scale.patients import BadRow, Part, PatientText, open_patients
from trialyst.starter import ensure_starter, sample_patients
from trialyst.vocabulary import Vocabulary

OPTIONS = CohortOptions(candidates=8, part=2)
REGISTRY = {"generation": "g", "records": 1}


@pytest.fixture(scope="module")
def place(starter_home: Path) -> Workplace:
    return Workplace(starter_home, ensure_starter(starter_home), "starter")


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four patients, and three rows that are none."""
    path = tmp_path_factory.mktemp("cohort") / "patients.jsonl"
    lines = [
        json.dumps({"id": each.name, "text": each.note, "secret": "x"})
        for each in sample_patients()[:4]
    ]
    lines[2:2] = ["{broken", json.dumps({"id": "empty", "text": " "}), lines[0], ""]
    path.write_text("\n".join(lines), "utf-8")
    return path


class Stopped(LocalEngine):
    """Is interrupted after its first part."""

    def run(self, parts: Iterable[Part]) -> Iterator[MatchedPart]:
        for done in super().run(parts):
            yield done
            raise KeyboardInterrupt


def _run(engine: LocalEngine, notes: Path, out: Path) -> dict[str, Any]:
    return run_cohort(notes, out, engine, options=OPTIONS, registry=REGISTRY)


def _files(out: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in sorted(out.iterdir()) if each.is_file()}


@pytest.mark.slow
def test_a_cohort_is_what_match_gives_and_goes_on_after_a_stop(
    place: Workplace,
    notes: Path,
    tmp_path: Path,
    starter_source: RegistrySource,
    vocabulary: Vocabulary,
) -> None:
    engine = LocalEngine(place, OPTIONS, workers=1)
    summary = _run(engine, notes, tmp_path / "whole")
    assert (summary["patients"], summary["bad_rows"]) == (4, 3)
    assert [each["place"] for each in summary["problems"]] == ["line 3", "line 4", "line 5"]
    assert stat.S_IMODE((tmp_path / "whole").stat().st_mode) == 0o700

    rows = read_columns(tmp_path / "whole" / "candidates.parquet")
    matching = Matching(starter_source, vocabulary=lambda: vocabulary)
    for patient in sample_patients()[:4]:
        report = asyncio.run(matching.match(patient.note, candidates=OPTIONS.candidates))
        expected = [
            (t.nct_id, t.verdict.value, t.fit.score, t.assessment.confidence, t.candidate.score,
             list(t.assessment.missing),
             [f"{r.criterion_type.value}: {r.criterion}" for r in t.assessment.deciding])
            for t in report.trials
        ]  # fmt: skip
        found = [
            (r["nct_id"], r["verdict"], r["score"], r["confidence"], r["search_score"],
             r["missing"], r["deciding"])
            for r in rows if r["patient"] == patient.name
        ]  # fmt: skip
        assert found == expected, patient.name

    with pytest.raises(KeyboardInterrupt):
        _run(Stopped(place, OPTIONS, workers=1), notes, tmp_path / "stopped")
    parts = tmp_path / "stopped" / "parts"
    assert len(list(parts.iterdir())) == 2
    # What a kill in the middle of a write leaves is no part.
    (parts / "0000001-patients.parquet.writing").write_bytes(b"half")
    assert _run(engine, notes, tmp_path / "stopped") == summary
    assert _files(tmp_path / "stopped") == _files(tmp_path / "whole")

    words = {word for each in sample_patients()[:4] for word in each.note.split(". ")}
    written = b"".join(_files(tmp_path / "whole").values()).decode("latin-1")
    assert not [word for word in words if len(word) > 20 and word in written]

    with pytest.raises(InvalidInput, match="another job"):
        run_cohort(
            notes, tmp_path / "whole", engine, options=CohortOptions(top=1), registry=REGISTRY
        )


def test_fhir_bulk_files_are_grouped_by_patient(tmp_path: Path) -> None:
    (tmp_path / "Condition.ndjson").write_text(
        json.dumps({"resourceType": "Condition", "subject": {"reference": "Patient/b"}})
        + "\nnonsense\n"
        + json.dumps({"resourceType": "Condition", "subject": {"reference": "http://x/Patient/a"}})
        + "\n"
    )
    (tmp_path / "Medication.ndjson").write_text(
        json.dumps({"resourceType": "Medication", "id": "m", "code": {"text": "metformin"}}) + "\n"
        + json.dumps({"resourceType": "Medication", "id": "n"})
    )  # fmt: skip
    (tmp_path / "MedicationRequest.ndjson").write_text(
        json.dumps(
            {
                "resourceType": "MedicationRequest",
                "subject": {"reference": "Patient/a"},
                "medicationReference": {"reference": "Medication/m"},
            }
        )
    )
    (tmp_path / "Patient.ndjson").write_text(json.dumps({"resourceType": "Patient", "id": "a"}))
    found = list(open_patients(tmp_path))
    assert [each.place for each in found if isinstance(each, BadRow)] == ["Condition.ndjson line 2"]
    patients = {each.id: each for each in found if isinstance(each, PatientText)}
    kinds = [entry["resource"]["resourceType"] for entry in json.loads(patients["a"].text)["entry"]]
    assert sorted(kinds) == ["Condition", "Medication", "MedicationRequest", "Patient"]
    assert len(json.loads(patients["b"].text)["entry"]) == 1


def test_omop_tables_are_read_as_bundles(tmp_path: Path, vocabulary: Vocabulary) -> None:
    from trialyst.matching.ingest import understand
    from trialyst.scale.columns import encode_table

    (tmp_path / "person.csv").write_text(
        "person_id,gender_concept_id,year_of_birth\n1,8532,1960\n,8507,1970\n2,8507,1950\n"
    )
    (tmp_path / "concept.csv").write_text(
        "concept_id,concept_name,vocabulary_id,concept_code\n"
        "201826,Type 2 diabetes mellitus,SNOMED,44054006\n"
        "3004410,Hemoglobin A1c/Hemoglobin.total in Blood,LOINC,4548-4\n8554,percent,UCUM,%\n"
    )
    (tmp_path / "condition_occurrence.csv").write_text(
        "person_id,condition_concept_id,condition_start_date\n1,201826,2020-01-05\n9,201826,\n"
    )
    columns = {
        "person_id": "int32",
        "measurement_concept_id": "int32",
        "value_as_number": "double",
        "unit_concept_id": "int32",
        "measurement_date": "string",
    }
    row = dict(zip(columns, (1, 3004410, 8.4, 8554, "2024-02-01"), strict=True))
    (tmp_path / "measurement.parquet").write_bytes(encode_table([row], columns))
    found = list(open_patients(tmp_path))
    bad = [each for each in found if isinstance(each, BadRow)]
    assert [each.place for each in bad] == ["person.csv row 3", "person 9"]
    (first, second) = [each for each in found if isinstance(each, PatientText)]
    chart = understand(first.text, vocabulary=vocabulary).chart
    assert (chart.sex, second.id) == ("FEMALE", "2")
    assert [each.what.name for each in chart.problems] == ["Diabetes Mellitus, Type 2"]
    assert [(v.analyte, v.value and v.value.number) for v in chart.lab_values] == [("hba1c", 8.4)]


def test_what_is_no_cohort_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nothing.jsonl"):
        with pytest.raises(InvalidInput):
            open_patients(path)
