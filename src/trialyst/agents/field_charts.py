"""Charts of a field ahead: the drugs of each sponsor by phase, and what reads out when."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from trialyst.agents.charts import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PALE,
    PURPLE,
    SKY,
)
from trialyst.agents.figures import WIDTH, draw_axes, fit_label
from trialyst.agents.plain_svg import to_mark
from trialyst.agents.wording import last_day, rank_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from trialyst.agents.figures import Form
    from trialyst.repurposing.models import Pipeline, PipelineDrug, ReadOut

__all__ = ["PipelineLink", "draw_pipelines", "draw_read_outs"]

PipelineLink = Callable[[str, str], str | None]
"""Gives the address of the trials of a sponsor with a drug."""

_PHASES = (
    "Early phase 1",
    *(f"Phase {name}" for name in ("1", "1/2", "2", "2/3", "3", "3/4", "4")),
)
"""Labels of the ranks from 1 on."""
_A_CELL = 6
"""Squares of a cell that can be told apart; the rest is told as a number."""
_SQUARE, _STEP = 0.11, 0.15
_PHASE_COLOURS: Mapping[int, str] = {
    0: GREY,
    1: SKY,
    2: SKY,
    3: BLUE,
    4: BLUE,
    5: PURPLE,
    6: ORANGE,
}


@dataclass(frozen=True, slots=True)
class _Square:
    drug: PipelineDrug
    sponsor: str
    across: float
    row: int


def draw_pipelines(
    pipelines: Sequence[Pipeline],
    *,
    title: str,
    link: PipelineLink | None = None,
    form: Form = "svg",
) -> bytes:
    """Draw the drugs of each sponsor in their furthest phase, a square each; full if under way."""

    def paint(axes: Axes) -> None:
        axes.set_title(fit_label(title, 90))
        squares, rest = _lay(pipelines)
        for each in squares:
            _paint_square(axes, each, link)
        for across, row, more in rest:
            axes.text(across, row, f"+{more}", fontsize=7, va="center")
        axes.set_xticks(range(1, len(_PHASES) + 1), _PHASES)
        axes.set_yticks(range(len(pipelines)), [fit_label(each.sponsor, 44) for each in pipelines])
        axes.set_xlim(0.5, len(_PHASES) + 0.5)
        axes.set_ylim(len(pipelines) - 0.4, -0.6)
        axes.tick_params(length=0)
        for line in range(1, len(_PHASES)):
            axes.axvline(line + 0.5, color=PALE, linewidth=0.6, zorder=0)
        axes.set_xlabel("A square is a drug: green under way, white not any more", loc="left")

    return draw_axes(paint, width=WIDTH + 2.4, height=0.9 + 0.24 * len(pipelines), form=form)


def _lay(
    pipelines: Sequence[Pipeline],
) -> tuple[list[_Square], list[tuple[float, int, int]]]:
    """Give each drug its place, and how many more a cell has than fit."""
    squares: list[_Square] = []
    rest: list[tuple[float, int, int]] = []
    for row, pipeline in enumerate(pipelines):
        cells: dict[int, list[PipelineDrug]] = {}
        for drug in pipeline.drugs:
            cells.setdefault(max(rank_of(drug.max_phase), 1), []).append(drug)
        for rank, drugs in cells.items():
            ordered = sorted(drugs, key=lambda each: (not each.active, -each.trial_count))
            shown = ordered if len(ordered) <= _A_CELL else ordered[: _A_CELL - 1]
            for place, drug in enumerate(shown):
                squares.append(_Square(drug, pipeline.sponsor, rank - 0.44 + place * _STEP, row))
            if len(ordered) > len(shown):
                at = rank - 0.44 + len(shown) * _STEP
                rest.append((at, row, len(ordered) - len(shown)))
    return squares, rest


def _paint_square(axes: Axes, square: _Square, link: PipelineLink | None) -> None:
    from matplotlib.patches import Rectangle

    drug = square.drug
    patch = Rectangle(
        (square.across, square.row - 0.3),
        _SQUARE,
        0.6,
        facecolor=GREEN if drug.active else "white",
        edgecolor=GREEN if drug.active else GREY,
        linewidth=1,
    )
    trials = f"{drug.trial_count:,} trial{'s' if drug.trial_count != 1 else ''}"
    state = "under way" if drug.active else "not under way"
    told = f"{drug.drug_name}, {square.sponsor}: {drug.max_phase}, {trials}, {state}"
    patch.set_gid(to_mark(fit_label(told, 200), link and link(square.sponsor, drug.drug_name)))
    axes.add_patch(patch)


def draw_read_outs(
    read_outs: Sequence[ReadOut],
    *,
    title: str,
    today: date,
    link: Callable[[str], str | None] | None = None,
    form: Form = "svg",
) -> bytes:
    """Draw when trials under way are expected to read out, the next on top."""
    dated = [(each, day) for each in read_outs if (day := last_day(each.date)) is not None]

    def paint(axes: Axes) -> None:
        axes.set_title(fit_label(title, 90))
        for row, (each, day) in enumerate(dated):
            at = _year(day)
            axes.plot([_year(today), at], [row, row], color=PALE, linewidth=1, zorder=0)
            (dot,) = axes.plot([at], [row], marker="o", ms=7, color=_colour(each.phase))
            told = f"{each.date}: {each.drug}, {each.phase}, {each.sponsor}, {each.nct_id}"
            dot.set_gid(to_mark(fit_label(told, 200), link and link(each.nct_id)))
            told = f"{each.phase} · {each.date}"
            beside = axes.annotate(
                told, (at, row), xytext=(7, 0), textcoords="offset points", va="center"
            )
            beside.set_fontsize(7.5)
        axes.axvline(_year(today), color=GREY, linewidth=1, linestyle=":")
        axes.text(_year(today), -0.75, "today", fontsize=7.5, color=GREY)
        names = [fit_label(f"{each.drug} · {each.sponsor}", 52) for each, _ in dated]
        axes.set_yticks(range(len(dated)), names)
        axes.set_ylim(len(dated) - 0.4, -1.0)
        last = max((day.year + 1.0 for _, day in dated), default=_year(today) + 1)
        axes.set_xlim(_year(today) - 0.05, last + 0.22 * (last - _year(today)) + 0.3)
        years = range(today.year + 1, int(last) + 1)
        axes.set_xticks([year for year in years if len(years) < 9 or year % 5 == 0])
        axes.tick_params(axis="y", length=0)

    return draw_axes(paint, width=WIDTH + 2.4, height=0.8 + 0.26 * max(len(dated), 1), form=form)


def _year(day: date) -> float:
    return day.year + (day.timetuple().tm_yday - 1) / 365.25


def _colour(phase: str) -> str:
    return _PHASE_COLOURS.get(min(rank_of(phase), 6), BLUE)
