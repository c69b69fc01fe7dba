"""Findings that together show a condition nobody names."""

from __future__ import annotations

from functools import cache

import pytest

from tests.shipped import shipped_vocabulary
from trialyst.eligibility.chart import Assertion, Problem
from trialyst.eligibility.findings import read_rules
from trialyst.eligibility.lexicon import Lexicon
from trialyst.eligibility.reading.reader import NoteReader

NOTES = """
A 58-year-old woman with crushing chest pain and diaphoresis. | acute coronary syndrome?
A 45-year-old man. Temperature 39.2 C. | fever
A 60-year-old woman, BMI 34, HbA1c 7.9 %. | obesity; diabetes mellitus
A 70-year-old man takes levothyroxine and donepezil daily. | hypothyroidism; dementia
A 30-year-old woman with right lower quadrant pain, fever and vomiting. | appendicitis?
A 55-year-old man with hemoglobin 8.1 g/dL. | anemia
A 22-year-old man. Biopsy showed Reed-Sternberg cells. | hodgkin disease
A 15-year-old girl. Ultrasound shows an edematous appendix. | appendicitis
A 63-year-old woman, T-score -3.1 at the spine. | osteoporosis
A 66-year-old man snores; snoring and daytime sleepiness. | sleep apnea, obstructive?
"""
NOT_SHOWN = """
A 45-year-old man without fever. Temperature 36.8 C. | fever
A 60-year-old woman with asthma and a cough. | pneumonia
A 40-year-old woman with hypothyroidism takes levothyroxine. | hypothyroidism
"""


@cache
def tools() -> tuple[NoteReader, Lexicon]:
    lexicon = Lexicon(shipped_vocabulary())
    return NoteReader(lexicon), lexicon


def inferred(note: str) -> dict[str, Problem]:
    problems = tools()[0].read(note).problems
    return {each.what.id: each for each in problems if each.inferred_from}


@pytest.mark.parametrize("line", [line for line in NOTES.splitlines() if line])
def test_findings_show_conditions_with_their_sentences(line: str) -> None:
    _, lexicon = tools()
    note, _, wanted = line.partition("|")
    found = inferred(note.strip())
    for name in (part.strip() for part in wanted.split(";")):
        problem = found[lexicon.term(name.rstrip("?")).id]
        assert (problem.assertion is Assertion.POSSIBLE) == name.endswith("?")


@pytest.mark.parametrize("line", [line for line in NOT_SHOWN.splitlines() if line])
def test_what_is_denied_named_or_too_little_is_not_inferred(line: str) -> None:
    note, _, name = (part.strip() for part in line.partition("|"))
    assert tools()[1].term(name).id not in inferred(note)


def test_the_table_is_broad_and_every_condition_and_drug_known() -> None:
    _, lexicon = tools()
    rules = read_rules()
    assert len({rule.condition for rule in rules}) >= 250
    assert not [rule.condition for rule in rules if not lexicon.term(rule.condition).trees]
    given = {
        name.partition(" ")[2]
        for rule in rules
        for group in rule.groups
        for finding in group.findings
        for name in finding.alternatives
        if name.startswith(("takes ", "had "))
    }
    assert not [name for name in given if lexicon.term(name).id.startswith("term:")]


VALUES = """
A 45-year-old obese woman with leukocytosis. | bmi >= 30; wbc > 11
An obese 45-year-old woman. Her BMI is 33. | bmi 33
A 70-year-old man without fever. |
"""


def test_states_named_by_a_value_tell_the_value_unless_it_is_given() -> None:
    for line in filter(None, VALUES.splitlines()):
        note, _, wanted = line.partition("|")
        told = {f"{each.analyte} {each.value}" for each in tools()[0].read(note).lab_values}
        missing = [part.strip() for part in wanted.split(";") if part.strip()]
        assert all(any(each.startswith(part) for each in told) for part in missing), (note, told)
        assert bool(told) == bool(missing), (note, told)
