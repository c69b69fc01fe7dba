"""Annotations are read as they are written, and what cannot be judged is told."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import pytest

from tests.benchmark.rows import row, write
from trialyst.benchmark.annotations import load_annotations_from_file, to_verdict
from trialyst.ctgov.criteria import CriterionKind
from trialyst.errors import InvalidInput
from trialyst.matching.judging.result import Verdict


def test_a_plain_file_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [row(expert_sentences="[2, 0]")])
    (found,) = load_annotations_from_file(path).rows
    assert (found.kind, found.verdict, found.sentences) == (
        CriterionKind.INCLUSION,
        Verdict.MET,
        (0, 2),
    )


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
def test_a_compressed_file_is_read(tmp_path: Path, suffix: str) -> None:
    plain = write(tmp_path / "a.jsonl", [row()]).read_bytes()
    packed = tmp_path / f"a.jsonl{suffix}"
    packed.write_bytes(gzip.compress(plain) if suffix == ".gz" else lzma.compress(plain))
    assert len(load_annotations_from_file(packed).rows) == 1


def test_a_row_without_criterion_is_left_out_and_counted(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [row(), row(criterion_text=None), row(criterion_text=" ")])
    found = load_annotations_from_file(path)
    assert (len(found.rows), found.without_criterion) == (1, 2)


@pytest.mark.parametrize(
    ("label", "kind", "verdict"),
    [
        ("included", "inclusion", "MET"),
        ("not included", "inclusion", "NOT_MET"),
        ("excluded", "exclusion", "MET"),
        ("not excluded", "exclusion", "NOT_MET"),
        ("not enough information", "exclusion", "UNKNOWN"),
        ("not applicable", "inclusion", "UNKNOWN"),
    ],
)
def test_a_label_speaks_of_the_statement(
    tmp_path: Path, label: str, kind: str, verdict: str
) -> None:
    path = write(tmp_path / "a.jsonl", [row(expert_eligibility=label, criterion_type=kind)])
    assert load_annotations_from_file(path).rows[0].verdict == verdict


def test_the_eligibility_sense_turns_exclusion_criteria() -> None:
    turned = [
        to_verdict(verdict, CriterionKind.EXCLUSION, sense="eligibility") for verdict in Verdict
    ]
    assert turned == [Verdict.NOT_MET, Verdict.MET, Verdict.UNKNOWN]


def test_the_eligibility_sense_leaves_inclusion_criteria() -> None:
    assert to_verdict(Verdict.MET, CriterionKind.INCLUSION, sense="eligibility") is Verdict.MET


def test_an_unknown_label_is_told_with_its_line(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [row(), row(expert_eligibility="perhaps")])
    with pytest.raises(InvalidInput, match=r"Line 2 .* unknown label 'perhaps'"):
        load_annotations_from_file(path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="There is no file"):
        load_annotations_from_file(tmp_path / "none.jsonl")


def test_a_file_without_rows_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="holds no annotation"):
        load_annotations_from_file(write(tmp_path / "a.jsonl", []))


def test_the_real_file_has_every_row(data_dir: Path) -> None:
    path = data_dir / "criterion_annotations" / "trialgpt_criterion_annotations.jsonl.gz"
    assert len(load_annotations_from_file(path).rows) == 507
