"""A chart is written as JSON, edited by hand and read back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.shipped import shipped_vocabulary
from trialyst.eligibility.chart import Chart, Problem
from trialyst.eligibility.chart_json import chart_from_json, chart_to_json
from trialyst.eligibility.lexicon import Lexicon
from trialyst.eligibility.reading.note import parse_note
from trialyst.eligibility.reading.reader import NoteReader
from trialyst.errors import InvalidInput
from trialyst.starter.notes import sample_patients

pytestmark = pytest.mark.usefixtures("vocabulary")


def read(**fields: Any) -> Chart:
    chart = chart_from_json(json.dumps(fields), Lexicon(shipped_vocabulary()))
    for entry in chart.entries():
        sentence = chart.note.sentence(entry.sentence)
        assert chart.note.text[entry.start : entry.end] == entry.text != ""
        assert sentence is not None
        assert sentence.start <= entry.start < entry.end <= sentence.end
    assert chart_from_json(chart_to_json(chart)) == chart
    return chart


def test_a_chart_may_be_written_by_hand() -> None:
    chart = read(
        age={"value": 60},
        sex="FEMALE",
        problems=[{"what": "asthma"}, {"what": "type 2 diabetes", "assertion": "absent"}],
        therapies=[{"what": "metformin", "status": "prior"}],
        main=0,
    )
    assert chart.note.text.split("\n")[1:] == [
        "Asthma",
        "No Diabetes Mellitus, Type 2",
        "Metformin",
    ]
    assert [(each.what.name, each.holds) for each in chart.problems] == [
        ("Asthma", True),
        ("Diabetes Mellitus, Type 2", False),
    ]
    assert chart.main is chart.problems[0]
    assert str(chart.age) == "60 Years"


def test_an_edited_entry_finds_its_words_in_the_note() -> None:
    note = parse_note("She has gout. She has asthma.")
    gout = Problem(text="gout", sentence=0, start=8, end=12, what=_term("gout"))
    written = json.loads(chart_to_json(Chart(note=note, problems=(gout,))))
    written["problems"].append({"text": "asthma", "what": "asthma"})
    written["problems"].append({"text": "sleeps badly", "what": "insomnia"})
    chart = read(**written)
    assert chart.problems[0] == gout
    assert [(each.sentence, each.text) for each in chart.problems[1:]] == [
        (1, "asthma"),
        (2, "sleeps badly"),
    ]


def _term(name: str) -> Any:
    return Lexicon(shipped_vocabulary()).term(name)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "not JSON"),
        ("[" * 5000, "not JSON"),
        ("[]", "the chart is no object"),
        ('{"problem": []}', "no field 'problem'"),
        ('{"problems": {}}', "problems is no list"),
        ('{"problems": [{"what": "gout", "wat": 1}]}', "problems[0] has no field 'wat'"),
        ('{"problems": [{}]}', "problems[0] names nothing"),
        ('{"problems": [{"what": "gout", "assertion": "perhaps"}]}', "Invalid enum value"),
        ('{"problems": [{"what": "gout"}], "main": 1}', "main is 1"),
        ('{"age": {"value": "old"}}', "age: Expected `float`"),
        ('{"note": {"text": "x", "sentences": [[0, 0, 9, ""]]}}', "does not lie in it"),
    ],
)
def test_what_is_no_chart_is_refused(text: str, told: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        chart_from_json(text)
    assert told in str(refused.value)


def test_charts_of_notes_come_back() -> None:
    reader = NoteReader(Lexicon(shipped_vocabulary()))
    for patient in sample_patients():
        chart = reader.read(patient.note)
        assert chart_from_json(chart_to_json(chart)) == chart
