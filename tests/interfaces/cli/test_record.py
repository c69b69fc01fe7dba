"""A trial as text has every value of its sections."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.discovery.asking import Tools
from trialyst.interfaces.cli.layout import Screen, clean
from trialyst.interfaces.cli.record import RECORDS, render_record
from trialyst.registry import RegistrySource

pytestmark = pytest.mark.slow

SPLIT = ("inclusion", "exclusion", "other")


def leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    if isinstance(value, dict):
        for name, each in value.items():
            if not (path == ("eligibility",) and name in SPLIT):
                yield from leaves(each, (*path, name))
    elif isinstance(value, list):
        for each in value:
            yield from leaves(each, path)
    elif not isinstance(value, bool):
        yield clean(str(value)).lower()


@pytest.mark.parametrize("number", range(1, 60, 4))
def test_every_value_of_a_trial_is_in_its_text(starter_source: RegistrySource, number: int) -> None:
    answer = Tools(starter_source).ask("get_trial", nct_id=f"NCT9{number:07d}")
    item = {**answer.rows[0], "id": answer["id"].replace(":", "")}
    shown = RECORDS.text(answer, Screen())
    text = " ".join(shown.split()).lower()
    assert [leaf for leaf in leaves(item) if leaf not in text] == []
    written = " ".join(RECORDS.markdown(answer).replace("\\", "").split()).lower()
    assert [leaf for leaf in leaves(item) if leaf.replace("\\", "") not in written] == []


def test_a_narrow_terminal_is_not_overrun(starter_source: RegistrySource) -> None:
    answer = Tools(starter_source).ask("get_trial", nct_id="NCT90000007")
    text = render_record(answer.rows[0], width=40)
    too_long = [line for line in text.splitlines() if len(line) > 40 and " " in line.strip()]
    assert too_long == []


def test_sections_that_were_not_asked_for_are_absent(starter_source: RegistrySource) -> None:
    answer = Tools(starter_source).ask("get_trial", nct_id="NCT90000007", sections="eligibility")
    text = RECORDS.text(answer, Screen())
    assert "Eligibility criteria" in text
    assert "Outcomes" not in text
    assert "Status:" not in text
