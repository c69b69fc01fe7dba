"""`trialyst backtest` on the starter registry."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.interfaces.cli.conftest import Run

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("starter")]

PNG = b"\x89PNG\r\n\x1a\n"


def test_the_tables_name_every_grade_and_the_notes_every_caveat(trialyst: Run) -> None:
    ended = trialyst("backtest", "--cutoff", "2015", "--years", "5")
    assert ended.code == 0
    first, untested, tested = ended.out.split("\n\n")
    for grade in ("untested", "early", "active", "established", "stopped"):
        assert f"\n{grade} " in first
    assert untested.startswith("Signals of untested pairs\n")
    assert "\npair stopped gravely " in tested
    assert "Every record is synthetic." in ended.err
    assert "Pairs are not independent" in ended.err
    assert "By 2015-12-31: " in ended.err
    assert "Until 2020-12-31 (5 years): " in ended.err


def test_json_holds_every_figure(trialyst: Run) -> None:
    value = trialyst("backtest", "--cutoff", "2015-06", "--json").value
    assert (value["cutoff"], value["recognized_only"]) == ("2015-06-30", False)
    seen = value["candidates"]
    assert seen["pairs"] == seen["drugs"] * seen["conditions"]
    by_name = {(line["scope"], line["name"]): line for line in value["lines"]}
    grades = [line for line in value["lines"] if line["kind"] == "grade"]
    assert sum(line["pairs"] for line in grades) == seen["pairs"]
    for outcome in ("new_trial", "phase_3", "stop"):
        total = sum(line[outcome]["pairs"] for line in grades)
        assert total == by_name["all", "all_pairs"][outcome]["pairs"]
    assert value["provenance"]["synthetic"] is True


def test_a_sheet_and_a_chart_are_written_beside_the_table(trialyst: Run, tmp_path: Path) -> None:
    sheet, png, svg = (tmp_path / name for name in ("lines.csv", "chart.png", "chart.svg"))
    ended = trialyst("backtest", "--cutoff", "2015", "--csv", str(sheet), "--plot", str(png))
    assert ended.code == 0
    rows = list(csv.DictReader(io.StringIO(sheet.read_text("utf-8"), newline="")))
    assert rows[0]["name"] == "all_pairs"
    assert {"new_trial_share", "phase_3_lift", "stop_high"} <= set(rows[0])
    assert png.read_bytes().startswith(PNG)
    assert trialyst("backtest", "--cutoff", "2015", "--plot", str(svg)).code == 0
    drawn = " ".join(ElementTree.fromstring(svg.read_text("utf-8")).itertext())
    assert "A phase 3 trial" in drawn
    assert "both busy" in drawn


def test_csv_may_go_to_standard_output(trialyst: Run) -> None:
    ended = trialyst("backtest", "--cutoff", "2015", "--csv", "-")
    assert ended.out.startswith("scope,kind,name,meaning,pairs,new_trial_pairs,")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--cutoff", "later"), "not a date"),
        (("--cutoff", "2099"), "Nothing was first posted after"),
        (("--cutoff", "1970"), "Nothing was first posted by"),
        (("--cutoff", "2015", "--years", "0"), "years is 0"),
        (("--cutoff", "2015", "--source", "live"), "no registry on this machine"),
        (("--cutoff", "2015", "--plot", "chart.pdf"), ".png or .svg"),
        ((), "--cutoff"),
    ],
)
def test_wrong_input_ends_with_2_and_a_hint(
    trialyst: Run, arguments: tuple[str, ...], words: str
) -> None:
    ended = trialyst("backtest", *arguments)
    assert ended.code == 2
    assert words in ended.err
    assert "Hint: " in ended.err
