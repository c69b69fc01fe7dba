"""Charts of a run: confusion matrix, calibration, figures per class. Bytes of SVG or PNG."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trialyst.agents.charts import BLUE, GREEN, GREY, ORANGE
from trialyst.agents.figures import Form, draw_figure
from trialyst.benchmark.metrics import VERDICTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_calibration", "draw_classes", "draw_confusion"]

_NAMES = [verdict.value for verdict in VERDICTS]
_LONGEST_NAME = 34
_RATES = {"precision": BLUE, "recall": ORANGE, "f1": GREEN}


def draw_confusion(matrices: Mapping[str, Mapping[str, Any]], *, form: Form = "svg") -> bytes:
    """Draw confusion matrices side by side, by name; rows are what the experts said."""

    def paint(figure: Figure) -> None:
        drawn = figure.subplots(1, len(matrices), squeeze=False)[0]
        for axes, (name, matrix) in zip(drawn, matrices.items(), strict=True):
            _confusion(axes, name, matrix)
        drawn[0].set_ylabel("Experts")

    return draw_figure(paint, width=3.4 * len(matrices), height=3.3, form=form)


def _confusion(axes: Axes, name: str, matrix: Mapping[str, Any]) -> None:
    counts = [[matrix[gold][said] for said in _NAMES] for gold in _NAMES]
    shares = [[count / (sum(row) or 1) for count in row] for row in counts]
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    for down, row in enumerate(counts):
        for across, count in enumerate(row):
            share = shares[down][across]
            axes.text(
                across,
                down,
                f"{count:,}\n{100 * share:.0f} %",
                ha="center",
                va="center",
                color="white" if share > 0.6 else "black",
            )
    axes.set_title(textwrap.shorten(name, _LONGEST_NAME, placeholder="…"))
    axes.set_xticks(range(len(_NAMES)), _NAMES)
    axes.set_yticks(range(len(_NAMES)), _NAMES, rotation=90, va="center")
    axes.tick_params(length=0)


def draw_calibration(
    runs: Mapping[str, Sequence[Mapping[str, Any]]], *, form: Form = "svg"
) -> bytes:
    """Draw how often verdicts of some confidence were right, with the number of rows at each."""

    def paint(figure: Figure) -> None:
        drawn = figure.subplots(1, len(runs), squeeze=False)[0]
        for axes, (name, bins) in zip(drawn, runs.items(), strict=True):
            _calibration(axes, name, bins)
        drawn[0].set_ylabel("Share right")

    return draw_figure(paint, width=3.4 * len(runs), height=3.2, form=form)


def _calibration(axes: Axes, name: str, bins: Sequence[Mapping[str, Any]]) -> None:
    axes.plot([0, 1], [0, 1], color=GREY, lw=0.8, ls=":")
    confidence = [each["confidence"] for each in bins]
    accuracy = [each["accuracy"] for each in bins]
    axes.plot(confidence, accuracy, color=BLUE, marker="o", ms=4, lw=1.2)
    for across, up, each in zip(confidence, accuracy, bins, strict=True):
        axes.annotate(f"{each['n']:,}", (across, up), (4, -9), textcoords="offset points", size=7)
    axes.set_xlim(0, 1.05)
    axes.set_ylim(0, 1.05)
    axes.set_title(textwrap.shorten(name, _LONGEST_NAME, placeholder="…"))
    axes.set_xlabel("Confidence")


def draw_classes(runs: Mapping[str, Mapping[str, Any]], *, form: Form = "svg") -> bytes:
    """Draw precision, recall and F1 of each verdict, one panel a run."""

    def paint(figure: Figure) -> None:
        drawn = figure.subplots(1, len(runs), squeeze=False)[0]
        for axes, (name, per_class) in zip(drawn, runs.items(), strict=True):
            _classes(axes, name, per_class)
        drawn[0].legend(frameon=False, fontsize=7, loc="upper left", ncols=3)

    return draw_figure(paint, width=3.4 * len(runs), height=2.9, form=form)


def _classes(axes: Axes, name: str, per_class: Mapping[str, Any]) -> None:
    for place, (rate, colour) in enumerate(_RATES.items()):
        across = [at + 0.27 * (place - 1) for at in range(len(_NAMES))]
        values = [per_class[verdict][rate] for verdict in _NAMES]
        axes.bar(across, values, width=0.25, color=colour, label=rate.replace("f1", "F1"))
        for at, value in zip(across, values, strict=True):
            axes.text(at, value, f"{value:.2f}", ha="center", va="bottom", fontsize=6.5)
    labels = [f"{verdict}\nn = {per_class[verdict]['n']:,}" for verdict in _NAMES]
    axes.set_xticks(range(len(_NAMES)), labels)
    axes.set_ylim(0, 1.3)
    axes.set_yticks([0, 0.2, 0.4, 0.6, 0.8, 1.0])
    axes.set_title(textwrap.shorten(name, _LONGEST_NAME, placeholder="…"))
