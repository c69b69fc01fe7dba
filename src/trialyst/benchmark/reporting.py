"""A report on runs: one HTML page that holds everything, and its charts as PNG beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from trialyst.agents.document import Document, Grid, Picture, Section
from trialyst.agents.figures import Form
from trialyst.agents.page import render_page
from trialyst.benchmark.comparing import compare_runs
from trialyst.benchmark.figures import draw_calibration, draw_classes, draw_confusion
from trialyst.benchmark.runs import LoadedRun
from trialyst.errors import InvalidInput
from trialyst.hints import Hint

__all__ = ["write_report"]

PAGE = "report.html"
_MOST = 6
"""Runs that still fit side by side."""
_FIGURES = {
    "accuracy": "Accuracy",
    "f1_macro": "Macro F1",
    "f1_met_not_met": "F1 of MET and NOT_MET",
    "cohens_kappa": "Cohen's kappa",
    "disqualifying_recall": "Disqualifying found",
}


def write_report(runs: Sequence[LoadedRun], directory: Path) -> list[Path]:
    """Write the page and its pictures into a directory; gives their paths, the page first.

    Raises:
        InvalidInput: there are too many runs, or the directory cannot be written.
    """
    if not 1 <= len(runs) <= _MOST:
        raise InvalidInput(f"{len(runs)} runs make no report", hint=f"Give 1 to {_MOST} runs.")
    pictures = _pictures(runs)
    page = render_page(_document(runs, pictures))
    try:
        directory.mkdir(parents=True, exist_ok=True)
        written = [directory / PAGE]
        written[0].write_text(page, "utf-8")
        for name, picture in pictures.items():
            written.append(directory / f"{name}.png")
            written[-1].write_bytes(picture.draw("png"))
    except OSError as problem:
        raise InvalidInput(
            f"The report cannot be written to {str(directory)!r}: {problem.strerror}",
            hint=Hint("Name another directory with {out}."),
            invalid_input=str(directory),
        ) from problem
    return written


def _document(runs: Sequence[LoadedRun], pictures: Mapping[str, Picture]) -> Document:
    names = ", ".join(_names(runs))
    n = sorted({run.metrics["n"] for run in runs})
    sections = [
        Section("Figures", [Grid(("", *_names(runs), *_baseline_names(runs)), list(_rows(runs)))]),
        *(Section(picture.title, [picture]) for picture in pictures.values()),
        Section("Trials", [_trials(runs)]),
    ]
    if compared := _compared(runs):
        sections.insert(1, Section("Differences from the first run", [compared]))
    return Document(
        title="Benchmark of criterion verdicts",
        subtitle=f"{names}; {' and '.join(f'{each:,}' for each in n)} criteria",
        warnings=list(dict.fromkeys(note for run in runs for note in run.metrics["notes"])),
        sections=sections,
        synthetic=True,
    )


def _names(runs: Sequence[LoadedRun]) -> list[str]:
    """Give each run the name of its judge, with a number where that stands twice."""
    models = [run.model for run in runs]
    return [
        model if models.count(model) == 1 else f"{model} ({place})"
        for place, model in enumerate(models, 1)
    ]


def _pictures(runs: Sequence[LoadedRun]) -> dict[str, Picture]:
    named = dict(zip(_names(runs), (run.metrics for run in runs), strict=True))
    gpt4 = runs[0].metrics["baselines"]["gpt4"]
    others = {"GPT-4 (first run's rows)": gpt4} if gpt4 else {}
    matrices = {name: held["confusion_matrix"] for name, held in (named | others).items()}
    classes = {name: held["per_class"] for name, held in (named | others).items()}
    bins = {name: held["calibration"] for name, held in named.items()}
    return {
        "confusion": _picture("Confusion matrices", draw_confusion, matrices),
        "classes": _picture("Per verdict", draw_classes, classes),
        "calibration": _picture("Calibration", draw_calibration, bins),
    }


def _picture(title: str, draw: Callable[..., bytes], values: Mapping[str, Any]) -> Picture:
    def in_form(form: Form) -> bytes:
        return partial(draw, values)(form=form)

    return Picture(title, in_form, str(dict(values)))


def _baseline_names(runs: Sequence[LoadedRun]) -> list[str]:
    held = runs[0].metrics["baselines"]
    return [*(["GPT-4"] if held["gpt4"] else []), "majority"]


def _rows(runs: Sequence[LoadedRun]) -> Iterator[tuple[str, ...]]:
    held = runs[0].metrics["baselines"]
    baselines = [each for each in (held["gpt4"], held["majority"]) if each]
    yield ("Criteria", *(f"{run.metrics['n']:,}" for run in runs), *("" for _ in baselines))
    for name, label in _FIGURES.items():
        ours = (_with_bounds(run.metrics, name) for run in runs)
        yield (label, *ours, *(f"{each[name]:.3f}" for each in baselines))
    evidence = (run.metrics["evidence"]["f1"] for run in runs)
    theirs = (each.get("evidence") for each in baselines)
    yield (
        "Evidence F1",
        *(f"{each:.3f}" for each in evidence),
        *(f"{each['f1']:.3f}" if each else "" for each in theirs),
    )
    yield (
        "Calibration error",
        *(f"{run.metrics['calibration_error']:.3f}" for run in runs),
        *("" for _ in baselines),
    )
    yield (
        "Failed answers",
        *(str(run.metrics["failures"]) for run in runs),
        *("" for _ in baselines),
    )


def _with_bounds(metrics: Mapping[str, Any], name: str) -> str:
    bounds = metrics["intervals"].get(name)
    return f"{metrics[name]:.3f}" + (f" ({bounds[0]:.3f}-{bounds[1]:.3f})" if bounds else "")


def _trials(runs: Sequence[LoadedRun]) -> Grid:
    rows = []
    for name, run in zip(_names(runs), runs, strict=True):
        held = run.metrics["trials"]
        verdicts = ", ".join(f"{count} {verdict}" for verdict, count in held["verdicts"].items())
        rows.append((name, f"{held['n']:,}", f"{held['agreement']:.3f}", verdicts))
    return Grid(("Run", "Patient-trial pairs", "As by the experts' labels", "Verdicts"), rows)


def _compared(runs: Sequence[LoadedRun]) -> Grid | None:
    rows: list[tuple[str, ...]] = []
    for name, run in list(zip(_names(runs), runs, strict=True))[1:]:
        try:
            found = compare_runs(runs[0], run)
        except InvalidInput:
            rows.append((name, "judged other rows", "", ""))
            continue
        apart = found["differences"]["accuracy"]
        low, high = apart["interval"]
        rows.append(
            (
                name,
                f"{apart['difference']:+.3f}",
                f"{low:+.3f} to {high:+.3f}",
                f"{found['mcnemar']['p_value']:.3g}",
            )
        )
    return Grid(("Run", "Accuracy", "95 %", "McNemar p"), rows) if rows else None
