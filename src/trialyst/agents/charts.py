"""Charts as bytes of SVG or PNG: the same values always give the same bytes.

Colours are those of Okabe and Ito, which colour-blind readers tell apart; every bar and cell also
carries its number or word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Literal

from trialyst.agents.figures import Form, draw_axes, draw_figure, fit_label
from trialyst.agents.plain_svg import to_mark

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "Bar",
    "Cell",
    "Link",
    "Panel",
    "Share",
    "draw_bars",
    "draw_competitors",
    "draw_landscape",
    "draw_matrix",
    "draw_phases",
    "draw_shares",
    "draw_stop_reasons",
    "draw_timeline",
]

BLUE, ORANGE, GREEN, RED = "#0072B2", "#E69F00", "#009E73", "#D55E00"
SKY, PURPLE, GREY, PALE = "#56B4E9", "#CC79A7", "#7F7F7F", "#E5E5E5"
GRADES: Mapping[str, tuple[str, str]] = {
    "untested": ("#EDF3E8", "black"),
    "unknown_coverage": ("#F6F6F6", "black"),
    "early": (SKY, "black"),
    "active": (BLUE, "white"),
    "established": ("#004B77", "white"),
    "stopped": (RED, "white"),
    "unknown_name": (PALE, "black"),
}
"""Face and text colour of each grade of whitespace; a gap is pale, it is no finding."""
REASONS: Mapping[str, str] = {
    "safety": RED,
    "efficacy": ORANGE,
    "enrollment": SKY,
    "business": GREEN,
    "other": PURPLE,
    "unknown": GREY,
}
Link = Callable[[str], str | None]
"""Gives the address that a value leads to, in an interface that has addresses."""
MOST_YEARS = 25
WRAPPED = 38
"""Letters of a label on one line."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar with a label before it and a note behind it."""

    label: str
    value: float
    note: str = ""
    colour: str = BLUE
    link: str | None = None
    """Where it leads to."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One drug in one condition: the grade of its whitespace and how many trials there are."""

    drug: str
    condition: str
    grade: str
    trials: int
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its interval; None where there is nothing to take a share of."""

    label: str
    value: float | None
    ends: tuple[float, float]
    is_base: bool = False
    """What the shares below are compared with."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Shares one below the other; panels side by side have the same labels."""

    title: str
    shares: Sequence[Share]


def draw_phases(
    distribution: Mapping[str, int], *, title: str, link: Link | None = None, form: Form = "svg"
) -> bytes:
    """Draw how many trials are in each phase."""
    return draw_axes(
        lambda axes: _columns(axes, distribution, title, link=link), height=2.3, form=form
    )


def draw_timeline(
    starts: Mapping[str, int],
    stops: Mapping[str, int],
    *,
    title: str,
    partial: int | None = None,
    link: Callable[[str, str], str | None] | None = None,
    form: Form = "svg",
) -> bytes:
    """Draw starts upwards and stops downwards, year by year; a long history is cut, and told.

    Args:
        partial: the year that is not over; later ones are only planned.
        link: is given `started` or `stopped`, and the year.
    """

    def paint(axes: Axes) -> None:
        _years(axes, starts, stops, title, partial)
        for container in axes.containers:
            kind = str(container.get_label())
            for bar in container:
                year = str(round(bar.get_x() + bar.get_width() / 2))
                count = abs(round(bar.get_height()))
                if count:
                    bar.set_gid(to_mark(f"{year}: {count:,} {kind}", link and link(kind, year)))

    return draw_axes(paint, height=2.6, form=form)


def draw_competitors(bars: Sequence[Bar], *, title: str, form: Form = "svg") -> bytes:
    """Draw who is how far: bars of phases, the note of each behind it."""

    def paint(axes: Axes) -> None:
        _bars(axes, bars, title)
        axes.set_xlim(0, 9)
        axes.set_xticks(range(5), ["", "1", "2", "3", "4"])
        axes.set_xlabel("Phase", loc="left")

    return draw_axes(paint, height=0.9 + 0.36 * len(bars), form=form)


def draw_stop_reasons(
    counts: Mapping[str, int], *, title: str, link: Link | None = None, form: Form = "svg"
) -> bytes:
    """Draw why trials stopped, each trial once by its gravest reason."""
    bars = [
        Bar(name, counts.get(name, 0), f"{counts.get(name, 0):,}", colour, link and link(name))
        for name, colour in REASONS.items()
    ]
    return draw_bars(bars, title=title, form=form)


def draw_bars(bars: Sequence[Bar], *, title: str, form: Form = "svg") -> bytes:
    """Draw bars one below the other."""
    height = 0.6 + 0.27 * max(len(bars), 1)
    return draw_axes(lambda axes: _bars(axes, bars, title), height=height, form=form)


def draw_matrix(cells: Sequence[Cell], *, title: str, form: Form = "svg") -> bytes:
    """Draw drugs against conditions, each pair with its grade and its number of trials."""
    drugs = list(dict.fromkeys(cell.drug for cell in cells))
    conditions = list(dict.fromkeys(cell.condition for cell in cells))
    size = (2.2 + 1.15 * max(len(conditions), 1), 1.4 + 0.42 * max(len(drugs), 1))

    def paint(axes: Axes) -> None:
        _matrix(axes, cells, drugs, conditions)
        axes.set_title(fit_label(title, 200))

    return draw_axes(paint, width=size[0], height=size[1], form=form)


def draw_landscape(
    phases: Mapping[str, int],
    years: tuple[Mapping[str, int], Mapping[str, int]],
    classes: Sequence[Bar],
    sponsors: Sequence[Bar],
    *,
    title: str,
    form: Form = "svg",
) -> bytes:
    """Draw a condition in four panels: phases, starts and stops, drug classes, sponsors."""

    def paint(figure: Figure) -> None:
        figure.suptitle(fit_label(title, 110), x=0.01, ha="left", fontsize=11, fontweight="bold")
        (one, two), (three, four) = figure.subplots(2, 2)
        _columns(one, phases, "Phases", turned=True)
        _years(two, *years, "Starts and stops")
        _bars(three, classes, "Drug classes, by trials")
        _bars(four, sponsors, "Sponsors, by trials")

    return draw_figure(paint, width=11.5, height=6.8, form=form)


def draw_shares(panels: Sequence[Panel], *, title: str, form: Form = "svg") -> bytes:
    """Draw shares with their intervals on a logarithmic scale, each group against its base."""
    rows = max((len(panel.shares) for panel in panels), default=0)

    def paint(figure: Figure) -> None:
        figure.suptitle(fit_label(title, 110), x=0.01, ha="left", fontsize=11, fontweight="bold")
        drawn = figure.subplots(1, max(len(panels), 1), squeeze=False)[0]
        for axes, panel in zip(drawn, panels, strict=False):
            _shares(axes, panel)
        for axes in drawn[1:]:
            axes.set_yticklabels([])

    return draw_figure(paint, width=11.5, height=1.2 + 0.22 * max(rows, 1), form=form)


def _shares(axes: Axes, panel: Panel) -> None:
    from matplotlib.ticker import FuncFormatter

    axes.set_title(fit_label(panel.title, 40))
    ends = [share.ends for share in panel.shares if share.value is not None]
    if not any(high for _, high in ends):
        return _empty(axes)
    axes.set_xscale("log")
    least = min(low or high / 10 for low, high in ends if high)
    axes.set_xlim(least / 1.6, min(max(high for _, high in ends) * 1.6, 1.3))
    base: float | None = None
    for place, share in enumerate(panel.shares):
        if share.is_base:
            base = share.value
        if share.value is not None:
            _share(axes, place, share, base)
    axes.set_yticks(range(len(panel.shares)), [fit_label(share.label) for share in panel.shares])
    for label, share in zip(axes.get_yticklabels(), panel.shares, strict=True):
        label.set_fontweight("bold" if share.is_base else "normal")
    axes.set_ylim(len(panel.shares) - 0.4, -0.6)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))
    axes.grid(axis="x", color=PALE, linewidth=0.6)
    axes.tick_params(axis="y", length=0)
    return None


def _share(axes: Axes, place: int, share: Share, base: float | None) -> None:
    low, high = share.ends
    colour = "black" if share.is_base else BLUE
    if base and not share.is_base:
        axes.plot([base, base], [place - 0.5, place + 0.5], color=GREY, lw=0.8, ls=":")
    if share.value:
        axes.plot([low, high], [place, place], color=colour, lw=1.4)
        axes.plot([share.value], [place], marker="D" if share.is_base else "o", ms=4, color=colour)
    elif high:
        # Nothing followed: only the upper end can be drawn on such a scale.
        axes.plot([high], [place], marker="<", ms=4, mfc="white", color=colour)


def _columns(
    axes: Axes,
    values: Mapping[str, int],
    title: str,
    *,
    turned: bool = False,
    link: Link | None = None,
) -> None:
    axes.set_title(fit_label(title, 90))
    if not any(values.values()):
        return _empty(axes)
    places = range(len(values))
    bars = axes.bar(places, list(values.values()), color=BLUE, width=0.7)
    for bar, (name, value) in zip(bars, values.items(), strict=True):
        bar.set_gid(to_mark(f"{name}: {value:,} trials", link and link(name)))
    axes.set_xticks(places, [fit_label(name).replace("/", "/\n") for name in values])
    if turned:
        axes.tick_params(axis="x", rotation=30)
    for place, value in zip(places, values.values(), strict=True):
        axes.text(place, value, f"{value:,}", ha="center", va="bottom")
    axes.set_ylim(0, max(values.values()) * 1.15)
    _whole_numbers(axes, "y")
    return None


def _years(
    axes: Axes,
    starts: Mapping[str, int],
    stops: Mapping[str, int],
    title: str,
    partial: int | None = None,
) -> None:
    known = sorted(int(year) for year in {*starts, *stops} if year.isdigit())
    shown = range(max(known[0], known[-1] - MOST_YEARS + 1), known[-1] + 1) if known else range(0)
    cut = f" (since {shown[0]})" if known and shown[0] > known[0] else ""
    axes.set_title(fit_label(title, 90) + cut)
    if not known:
        return _empty(axes)
    up = [starts.get(str(year), 0) for year in shown]
    down = [-stops.get(str(year), 0) for year in shown]
    axes.bar(shown, up, color=BLUE, width=0.8, label="started")
    axes.bar(shown, down, color=ORANGE, width=0.8, hatch="///", edgecolor="white", label="stopped")
    axes.axhline(0, color="black", linewidth=0.6)
    if partial is not None and partial <= shown[-1]:
        axes.axvspan(partial - 0.5, shown[-1] + 0.5, color=PALE, alpha=0.6, zorder=0)
        told = "part of the year" if partial == shown[-1] else "in part, then planned"
        axes.text(shown[-1] + 0.5, max(max(up), 1), f"{partial}: {told}", ha="right", va="bottom")
    axes.set_xlim(shown[0] - 0.8, shown[-1] + 0.8)
    axes.set_xticks([year for year in shown if len(shown) < 9 or year % 5 == 0])
    _whole_numbers(axes, "y")
    axes.legend(frameon=False, fontsize=8, loc="upper left", ncols=2)
    axes.set_ylim(min(down) * 1.15 - 0.2, max(max(up), 1) * 1.3)
    return None


def _bars(axes: Axes, bars: Sequence[Bar], title: str) -> None:
    axes.set_title(fit_label(title, 90))
    if not bars:
        return _empty(axes)
    places = range(len(bars))
    most = max(max(bar.value for bar in bars), 1)
    drawn = axes.barh(
        places, [bar.value for bar in bars], color=[bar.colour for bar in bars], height=0.68
    )
    for patch, bar in zip(drawn, bars, strict=True):
        patch.set_gid(
            to_mark(fit_label(f"{bar.label}: {bar.note or f'{bar.value:g}'}", 200), bar.link)
        )
    axes.set_yticks(places, [fill(fit_label(bar.label, 110), WRAPPED) for bar in bars])
    for place, bar in zip(places, bars, strict=True):
        axes.text(bar.value + most * 0.012, place, fit_label(bar.note), va="center", fontsize=7.5)
    axes.invert_yaxis()
    axes.set_xlim(0, most * 1.18)
    axes.tick_params(axis="y", length=0)
    _whole_numbers(axes, "x")
    return None


def _matrix(
    axes: Axes, cells: Sequence[Cell], drugs: Sequence[str], conditions: Sequence[str]
) -> None:
    from matplotlib.patches import Patch, Rectangle

    for cell in cells:
        across, down = conditions.index(cell.condition), drugs.index(cell.drug)
        face, ink = GRADES.get(cell.grade, (PALE, "black"))
        square = Rectangle((across, down), 1, 1, facecolor=face, edgecolor="white", lw=2)
        grade = cell.grade.replace("_", " ")
        told = f"{cell.drug} in {cell.condition}: {grade}, {cell.trials:,} trials"
        square.set_gid(to_mark(fit_label(told, 200), cell.link))
        axes.add_patch(square)
        words = f"{grade}\n{cell.trials:,}"
        axes.text(across + 0.5, down + 0.5, words, ha="center", va="center", color=ink, fontsize=7)
    axes.set_xlim(0, len(conditions))
    axes.set_ylim(len(drugs), 0)
    axes.set_xticks(
        [place + 0.5 for place in range(len(conditions))],
        [fit_label(name, 28) for name in conditions],
        rotation=20,
        ha="right",
    )
    axes.set_yticks(
        [place + 0.5 for place in range(len(drugs))], [fit_label(name) for name in drugs]
    )
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    used = [grade for grade in GRADES if any(cell.grade == grade for cell in cells)]
    marks = [Patch(facecolor=GRADES[grade][0], label=grade.replace("_", " ")) for grade in used]
    axes.legend(handles=marks, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))


def _empty(axes: Axes) -> None:
    axes.text(0.5, 0.5, "No trial to show", ha="center", va="center", transform=axes.transAxes)
    axes.set_axis_off()


def _whole_numbers(axes: Axes, way: Literal["x", "y"]) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis = axes.xaxis if way == "x" else axes.yaxis
    axis.set_major_locator(MaxNLocator(nbins=5, integer=True))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{abs(value):,.0f}"))
    axes.grid(axis=way, color=PALE, linewidth=0.6)
    axes.set_axisbelow(True)
