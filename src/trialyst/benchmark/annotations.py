"""Criterion annotations by experts, read from a file: JSON lines, plain or compressed.

Rows without the text of a criterion cannot be judged; they are left out and counted. The column
`training` tells whether GPT-4 was right and is never read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trialyst.benchmark.rows import read_rows
from trialyst.ctgov.criteria import CriterionKind
from trialyst.errors import InvalidInput
from trialyst.matching.judging.result import Statement, Verdict

__all__ = [
    "LABELS",
    "Annotations",
    "CriterionAnnotation",
    "Sense",
    "load_annotations_from_file",
    "parse_annotations",
    "to_verdict",
]

Sense = str
"""`statement`: does the statement hold; `eligibility`: does it speak for taking part."""

LABELS: Mapping[str, Verdict] = {
    "included": Verdict.MET,
    "not included": Verdict.NOT_MET,
    "excluded": Verdict.MET,
    "not excluded": Verdict.NOT_MET,
    "not enough information": Verdict.UNKNOWN,
    "not applicable": Verdict.UNKNOWN,
}
"""What a label says of the statement."""

_FLIPPED = {
    Verdict.MET: Verdict.NOT_MET,
    Verdict.NOT_MET: Verdict.MET,
    Verdict.UNKNOWN: Verdict.UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class CriterionAnnotation:
    """One criterion of one trial, judged for one patient by experts and by GPT-4."""

    annotation_id: str
    patient_id: str
    trial_id: str
    trial_title: str
    note: str
    criterion: str
    kind: CriterionKind
    label: str
    sentences: tuple[int, ...]
    gpt4_label: str | None
    gpt4_sentences: tuple[int, ...]
    opening: str | None = None
    """The statement that opens the list the criterion stands in."""
    collection: str = ""
    """Where the patient comes from, for figures by collection."""
    confidence: str = ""
    """How sure the reader was, `h`, `m` or `l`, where that is told."""

    @property
    def statement(self) -> Statement:
        """What is put to a judge."""
        return Statement(self.criterion, self.kind, opening=self.opening, title=self.trial_title)

    @property
    def verdict(self) -> Verdict:
        """What the experts say of the statement."""
        return LABELS[self.label]

    @property
    def gpt4_verdict(self) -> Verdict:
        """What GPT-4 says of the statement; UNKNOWN where it said nothing."""
        return LABELS.get(self.gpt4_label or "", Verdict.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Annotations:
    """The rows of a file that can be judged, and how many cannot."""

    rows: tuple[CriterionAnnotation, ...]
    without_criterion: int


def to_verdict(verdict: Verdict, kind: CriterionKind, *, sense: Sense) -> Verdict:
    """Turn a verdict on the statement into the given sense.

    >>> to_verdict(Verdict.NOT_MET, CriterionKind.EXCLUSION, sense="eligibility").value
    'MET'
    """
    turned = sense == "eligibility" and kind is CriterionKind.EXCLUSION
    return _FLIPPED[verdict] if turned else verdict


def load_annotations_from_file(path: Path, *, split: str | None = None) -> Annotations:
    """Read annotations in the form of `trialgpt_criterion_annotations.jsonl`, also .gz or .xz.

    Args:
        split: take only rows whose column `split` says so.

    Raises:
        InvalidInput: the file is missing, holds no row, or a row is not an annotation.
    """
    rows = read_rows(path)
    if split is not None:
        rows = ((number, row) for number, row in rows if row.get("split") == split)
    return parse_annotations(rows, name=path.name)


def parse_annotations(
    numbered: Iterable[tuple[int, Mapping[str, Any]]], *, name: str
) -> Annotations:
    """Read numbered rows of a file or data set; see `load_annotations_from_file`."""
    rows: list[CriterionAnnotation] = []
    without = 0
    for number, row in numbered:
        if not str(row.get("criterion_text") or "").strip():
            without += 1
            continue
        try:
            rows.append(_annotation(row))
        except (KeyError, ValueError, TypeError) as error:
            raise InvalidInput(
                f"Line {number} of {name} is not a criterion annotation: {error}",
                hint="Each line needs patient_id, note, trial_id, criterion_type, criterion_text, "
                "expert_eligibility and expert_sentences.",
            ) from None
    if not rows:
        raise InvalidInput(f"{name} holds no annotation", hint="Give a file with rows.")
    return Annotations(tuple(rows), without)


def _annotation(row: Mapping[str, Any]) -> CriterionAnnotation:
    label = str(row["expert_eligibility"]).strip().lower()
    if label not in LABELS:
        raise ValueError(f"unknown label {label!r}")
    gpt4 = row.get("gpt4_eligibility")
    return CriterionAnnotation(
        annotation_id=str(row.get("annotation_id", "")),
        patient_id=str(row["patient_id"]),
        trial_id=str(row["trial_id"]),
        trial_title=str(row.get("trial_title") or ""),
        note=str(row["note"]),
        criterion=str(row["criterion_text"]),
        kind=CriterionKind(str(row["criterion_type"]).strip().lower()),
        label=label,
        sentences=_numbers(row["expert_sentences"]),
        gpt4_label=None if gpt4 is None else str(gpt4).strip().lower(),
        gpt4_sentences=_numbers(row.get("gpt4_sentences")),
        opening=row.get("opening") or None,
        collection=str(row.get("collection") or ""),
        confidence=str(row.get("confidence") or ""),
    )


def _numbers(value: Any) -> tuple[int, ...]:
    """Read `[0, 1, 2]`, as a list or as the text of one."""
    if value is None or value == "":
        return ()
    listed = json.loads(value) if isinstance(value, str) else value
    return tuple(sorted({int(number) for number in listed}))
