from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest

from trialyst.agents.charts import (
    GRADES,
    MOST_YEARS,
    Bar,
    Cell,
    Panel,
    Share,
    draw_bars,
    draw_competitors,
    draw_landscape,
    draw_matrix,
    draw_phases,
    draw_shares,
    draw_stop_reasons,
    draw_timeline,
)
from trialyst.agents.figures import Form
from trialyst.repurposing.models import Grade

PHASES = {"Phase 1": 3, "Phase 2": 41}
STARTS, STOPS = {"2020": 4, "2022": 7}, {"2021": 2}
BARS = [Bar("Drug · Sponsor", 3.0, "2 trials"), Bar("Other", 1.0, "1 trial")]
CELLS = [Cell("metformin", "asthma", "untested", 0), Cell("aspirin", "asthma", "active", 4)]
SHARES = [
    Share("all pairs", 0.01, (0.008, 0.012), is_base=True),
    Share("nothing followed", 0.0, (0.0, 0.3)),
    Share("no pair", None, (0.0, 0.0)),
]
DRAW: dict[str, Callable[[Form], bytes]] = {
    "phases": lambda form: draw_phases(PHASES, title="Phases", form=form),
    "timeline": lambda form: draw_timeline(STARTS, STOPS, title="Years", form=form),
    "competitors": lambda form: draw_competitors(BARS, title="Competitors", form=form),
    "reasons": lambda form: draw_stop_reasons({"safety": 2}, title="Reasons", form=form),
    "bars": lambda form: draw_bars(BARS, title="Bars", form=form),
    "matrix": lambda form: draw_matrix(CELLS, title="Whitespace", form=form),
    "shares": lambda form: draw_shares(
        [Panel("A stop", SHARES), Panel("Nothing at all", SHARES[2:])], title="Shares", form=form
    ),
    "landscape": lambda form: draw_landscape(
        PHASES, (STARTS, STOPS), BARS, BARS, title="Asthma", form=form
    ),
}


def _texts(svg: bytes) -> list[str]:
    return ["".join(each.itertext()) for each in ET.fromstring(svg).iter() if "text" in each.tag]


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAW)
@pytest.mark.parametrize("form", ["svg", "png"])
def test_equal_values_give_equal_bytes(name: str, form: Form) -> None:
    assert DRAW[name](form) == DRAW[name](form)


@pytest.mark.parametrize("name", DRAW)
def test_an_svg_points_to_nothing_outside(name: str) -> None:
    svg = DRAW[name]("svg").decode()
    assert svg.startswith("<svg")
    assert set(re.findall(r"https?://[^\s\"<]+", svg)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }


@pytest.mark.parametrize("name", DRAW)
def test_a_png_is_one(name: str) -> None:
    assert DRAW[name]("png").startswith(b"\x89PNG")


def test_numbers_stand_in_the_picture() -> None:
    assert {"3", "41", "Phase 1", "Phase 2"} <= set(_texts(DRAW["phases"]("svg")))


def test_a_long_history_is_cut_and_told() -> None:
    starts = {str(year): 1 for year in range(1980, 2020)}
    texts = _texts(draw_timeline(starts, {}, title="Years"))
    assert f"Years (since {2019 - MOST_YEARS + 1})" in texts


def test_nothing_to_show_is_told() -> None:
    for svg in (
        draw_phases({}, title="x"),
        draw_timeline({}, {}, title="x"),
        draw_bars([], title="x"),
    ):
        assert "No trial to show" in _texts(svg)


@pytest.mark.parametrize("name", ["$5 a day", "<b>&amp;", "漢字", "a\x00b\nc", "x" * 300])
def test_any_name_can_be_drawn(name: str) -> None:
    assert ET.fromstring(draw_bars([Bar(name, 1.0)], title=name)).tag.endswith("svg")


def test_every_grade_has_a_colour() -> None:
    assert set(GRADES) == set(Grade)


def test_importing_the_charts_loads_no_plotting() -> None:
    code = "import sys, trialyst.agents.charts; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
