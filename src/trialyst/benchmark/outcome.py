"""What a run comes to: results, metrics and an audit table without any time, and its costs.

Trial verdicts are made from the criteria that were sampled, for the judge, the experts and GPT-4
alike; they are not verdicts on the whole trials.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from trialyst.benchmark.annotations import LABELS, CriterionAnnotation
from trialyst.benchmark.criteria import CriteriaRun, calibrate, score_criteria
from trialyst.benchmark.judges import Judged
from trialyst.benchmark.metrics import compute_evidence_overlap
from trialyst.benchmark.sampling import Phase0Sample
from trialyst.matching.judging.result import Applicability, CriterionResult, Verdict
from trialyst.matching.verdict import TrialVerdict, aggregate_to_trial_verdict

__all__ = ["render_audit_table", "to_latency", "to_metrics", "to_results"]

_TIMED = ("seconds", "criteria_per_second", "cost_usd")
_LONGEST_CELL = 160


def to_results(
    run_id: str, model: str, sample: Phase0Sample, judged: Sequence[Judged]
) -> dict[str, Any]:
    """Give every row with what the judge, the experts and GPT-4 said, and the trials they make."""
    return {
        "run_id": run_id,
        "model": model,
        "results": [_row(row, each) for row, each in zip(sample.pairs, judged, strict=True)],
        "trials": _trials(sample.pairs, [each.result for each in judged]),
    }


def to_metrics(
    run_id: str, model: str, sample: Phase0Sample, judged: Sequence[Judged]
) -> dict[str, Any]:
    """Give every figure of a run that a repetition does not change."""
    results = [each.result for each in judged]
    run = CriteriaRun(model, sample.pairs, tuple(results), without_criterion=0, seconds=0.0)
    scores = score_criteria(run)
    notes = [*sample.notes, *scores.pop("notes")]
    kept = {name: value for name, value in scores.items() if name not in _TIMED}
    trials = _trials(sample.pairs, results)
    return {
        "run_id": run_id,
        **kept,
        "notes": notes,
        "trials": {
            "n": len(trials),
            "verdicts": _count(trials, "verdict"),
            "expert_verdicts": _count(trials, "expert_verdict"),
            "agreement": _agreement(trials, "verdict"),
            "agreement_gpt4": _agreement(trials, "gpt4_verdict"),
        },
        "failures": sum(each.failed for each in judged),
        "calibration": calibrate(sample.pairs, results),
    }


def to_latency(judged: Sequence[Judged]) -> dict[str, float]:
    """Give mean, median and slowest seconds a row."""
    seconds = sorted(each.result.latency_seconds for each in judged)
    return {
        "mean": sum(seconds) / len(seconds),
        "median": seconds[len(seconds) // 2],
        "p95": seconds[round(0.95 * (len(seconds) - 1))],
        "max": seconds[-1],
    }


def render_audit_table(
    run_id: str, model: str, sample: Phase0Sample, judged: Sequence[Judged]
) -> str:
    """Write a table to check a run by eye: every row, the wrong ones marked."""
    right = sum(
        row.verdict is each.result.verdict for row, each in zip(sample.pairs, judged, strict=True)
    )
    lines = [
        f"# {run_id}",
        "",
        f"{_cell(model)}: {right} of {len(judged)} verdicts as the experts'. Verdicts speak of the "
        "statement. Numbers are sentences of the note.",
        "",
        "| | id | patient | trial | type | criterion | experts | judge | GPT-4 | evidence experts "
        "| evidence judge | reason |",
        "|---" * 12 + "|",
    ]
    for row, each in zip(sample.pairs, judged, strict=True):
        result = each.result
        gpt4 = row.gpt4_verdict.value if row.gpt4_label is not None else ""
        cells = (
            "" if row.verdict is result.verdict else "x",
            row.annotation_id,
            row.patient_id,
            row.trial_id,
            row.kind.value,
            row.criterion,
            f"{row.verdict.value} ({row.label})",
            result.verdict.value,
            gpt4,
            " ".join(map(str, row.sentences)),
            " ".join(map(str, result.sentences)),
            result.reasoning,
        )
        lines.append(f"| {' | '.join(map(_cell, cells))} |")
    return "\n".join(lines) + "\n"


def _row(row: CriterionAnnotation, judged: Judged) -> dict[str, Any]:
    result = judged.result
    return {
        "annotation_id": row.annotation_id,
        "patient_id": row.patient_id,
        "trial_id": row.trial_id,
        "criterion_type": row.kind.value,
        "criterion": row.criterion,
        "expert_label": row.label,
        "expert_verdict": row.verdict.value,
        "expert_sentences": row.sentences,
        "gpt4_verdict": row.gpt4_verdict.value if row.gpt4_label is not None else None,
        "gpt4_sentences": row.gpt4_sentences,
        "verdict": result.verdict.value,
        "correct": row.verdict is result.verdict,
        "confidence": result.confidence,
        "applicability": result.applicability.value,
        "evidence_sentences": result.sentences,
        "evidence_overlap": compute_evidence_overlap([result.sentences], [row.sentences]),
        "quotes": [quote.text for quote in result.quotes],
        "fabricated_quotes": result.fabricated_quotes,
        "reasoning": result.reasoning,
        "missing": result.missing,
        "problem": judged.problem or result.failure,
        "answers": judged.answers,
    }


_Say = Callable[[CriterionAnnotation, CriterionResult], CriterionResult]


def _trials(
    rows: Sequence[CriterionAnnotation], results: Sequence[CriterionResult]
) -> list[dict[str, Any]]:
    by_trial: dict[tuple[str, str], list[tuple[CriterionAnnotation, CriterionResult]]]
    by_trial = defaultdict(list)
    for row, result in zip(rows, results, strict=True):
        by_trial[row.patient_id, row.trial_id].append((row, result))
    has_gpt4 = any(row.gpt4_label is not None for row in rows)
    return [
        {
            "patient_id": patient,
            "trial_id": trial,
            "criteria": len(pairs),
            "verdict": _verdict(pairs, lambda _, result: result),
            "expert_verdict": _verdict(pairs, lambda row, _: _said(row, row.label)),
            "gpt4_verdict": _verdict(pairs, lambda row, _: _said(row, row.gpt4_label))
            if has_gpt4
            else None,
        }
        for (patient, trial), pairs in sorted(by_trial.items())
    ]


def _verdict(pairs: Sequence[tuple[CriterionAnnotation, CriterionResult]], say: _Say) -> str:
    return aggregate_to_trial_verdict([say(*pair) for pair in pairs]).verdict.value


def _said(row: CriterionAnnotation, label: str | None) -> CriterionResult:
    """Put a label into the form of a result."""
    concerns = label != "not applicable"
    return CriterionResult(
        criterion=row.criterion,
        criterion_type=row.kind,
        verdict=LABELS.get(label or "", Verdict.UNKNOWN),
        confidence=1.0,
        applicability=Applicability.APPLIES if concerns else Applicability.NOT_APPLICABLE,
        sentences=row.sentences,
        quotes=(),
        reasoning="",
    )


def _count(trials: Sequence[dict[str, Any]], name: str) -> dict[str, int]:
    counts = Counter(trial[name] for trial in trials)
    return {verdict.value: counts[verdict.value] for verdict in TrialVerdict}


def _agreement(trials: Sequence[dict[str, Any]], name: str) -> float | None:
    if any(trial[name] is None for trial in trials):
        return None
    agreed = [str(trial[name]) == trial["expert_verdict"] for trial in trials]
    return agreed.count(True) / len(trials)


def _cell(text: str) -> str:
    line = " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|")
    line = line.replace("<", "&lt;")
    return line if len(line) <= _LONGEST_CELL else f"{line[: _LONGEST_CELL - 1]}…"
