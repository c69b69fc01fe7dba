"""Benchmarks: judges, readers and searches measured against labels made by experts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.benchmark.annotations import CriterionAnnotation, load_annotations_from_file
    from trialyst.benchmark.comparing import compare_runs
    from trialyst.benchmark.config import Phase0Config, load_config
    from trialyst.benchmark.hugging_face import load_annotations
    from trialyst.benchmark.judging import run_model_benchmark
    from trialyst.benchmark.metrics import compute_evidence_overlap, compute_metrics
    from trialyst.benchmark.phase0 import plan_phase0, run_phase0, sample_rows
    from trialyst.benchmark.reporting import write_report
    from trialyst.benchmark.runs import RunStore, load_run
    from trialyst.benchmark.sampling import Phase0Sample, filter_by_keywords, stratified_sample

__all__ = [
    "CriterionAnnotation",
    "Phase0Config",
    "Phase0Sample",
    "RunStore",
    "compare_runs",
    "compute_evidence_overlap",
    "compute_metrics",
    "filter_by_keywords",
    "load_annotations",
    "load_annotations_from_file",
    "load_config",
    "load_run",
    "plan_phase0",
    "run_model_benchmark",
    "run_phase0",
    "sample_rows",
    "stratified_sample",
    "write_report",
]

_HOMES = {
    "annotations": ("CriterionAnnotation", "load_annotations_from_file"),
    "comparing": ("compare_runs",),
    "config": ("Phase0Config", "load_config"),
    "hugging_face": ("load_annotations",),
    "judging": ("run_model_benchmark",),
    "metrics": ("compute_evidence_overlap", "compute_metrics"),
    "phase0": ("plan_phase0", "run_phase0", "sample_rows"),
    "reporting": ("write_report",),
    "runs": ("RunStore", "load_run"),
    "sampling": ("Phase0Sample", "filter_by_keywords", "stratified_sample"),
}

__getattr__ = lazy_names(__name__, _HOMES)
