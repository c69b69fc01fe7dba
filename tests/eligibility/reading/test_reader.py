"""Notes are read into the right chart: main diagnosis, facts, and what must not be read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.each_case import on_each_case
from trialyst.eligibility.lexicon import Lexicon
from trialyst.eligibility.reading.reader import NoteReader
from trialyst.errors import InvalidInput
from trialyst.vocabulary import Relation, Relations, open_vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from trialyst.eligibility.chart import Chart
    from trialyst.vocabulary import Term

HERE = Path(__file__).parent


class Case(NamedTuple):
    """A note and the facts it has to give."""

    name: str
    note: str
    facts: tuple[tuple[str, ...], ...]


def _cases(path: Path) -> Iterator[Case]:
    name, note = "", [""]
    facts: list[tuple[str, ...]] = []
    for line in [*path.read_text("utf-8").splitlines(), "= end"]:
        if line.startswith("="):
            if name:
                yield Case(name, "\n".join(note), tuple(facts))
            name, note, facts = line.removeprefix("=").strip(), [], []
        elif line.startswith(">"):
            note.append(line.removeprefix(">").strip())
        elif line.strip() and not line.startswith("#"):
            facts.append(tuple(part.strip() for part in line.split("|")))


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    return Lexicon(open_vocabulary(tmp_path_factory.mktemp("home")))


@pytest.fixture(scope="module")
def reader(lexicon: Lexicon) -> NoteReader:
    return NoteReader(lexicon)


@on_each_case(
    "case",
    [case for name in ("notes", "lines", "later") for case in _cases(HERE / f"{name}.txt")],
    ids=lambda case: case.name,
)
def test_reads_what_the_note_says(case: Case, reader: NoteReader, lexicon: Lexicon) -> None:
    chart = reader.read(case.note)
    assert wrong_facts(chart, case, lexicon) == []
    for entry in chart.entries():
        assert chart.note.text[entry.start : entry.end] == entry.text


def wrong_facts(chart: Chart, case: Case, lexicon: Lexicon) -> list[str]:
    """Give the facts of a case that the chart does not tell, each with what it tells instead."""
    wrong = []
    for what, name, *rest in case.facts:
        wanted = "|".join(rest)
        told = _CHECKS[what](chart, lexicon, name)
        ok = wanted in told if what not in ("none", "main") else bool(told)
        if not ok:
            wrong.append(f"{what} | {name} | {wanted}: {told}")
    return wrong


def _terms(lexicon: Lexicon, name: str) -> list[Term]:
    names = [each.strip() for each in name.split("/")]
    whole = [
        named.what
        for each in names
        for named in lexicon.find(each)
        if (named.start, named.end) == (0, len(each))
    ]
    return [lexicon.term(each) for each in names] + whole


def _ids(lexicon: Lexicon, name: str) -> set[str]:
    return {term.id for term in _terms(lexicon, name)}


def _is_kind_of(what: Term, lexicon: Lexicon, name: str) -> bool:
    relations = Relations(lexicon.vocabulary)
    kinds = (Relation.SAME, Relation.NARROWER)
    return any(relations.relate(what, term) in kinds for term in _terms(lexicon, name))


def _problems(chart: Chart, lexicon: Lexicon, name: str) -> list[str]:
    found = [each for each in chart.problems if _is_kind_of(each.what, lexicon, name)]
    return ["", *(str(each.assertion) for each in found)]


def _main(chart: Chart, lexicon: Lexicon, name: str) -> list[str]:
    found = chart.main is not None and _is_kind_of(chart.main.what, lexicon, name)
    return ["yes"] if found else []


def _none(chart: Chart, lexicon: Lexicon, name: str) -> list[str]:
    told = {each.what.id for each in chart.problems} | {each.what.id for each in chart.therapies}
    return ["ok"] if _ids(lexicon, name).isdisjoint(told) else []


def _therapies(chart: Chart, lexicon: Lexicon, name: str) -> list[str]:
    ids = _ids(lexicon, name)
    told = []
    for each in chart.therapies:
        if not ids.isdisjoint({each.what.id, *(member.id for member in each.members)}):
            told += ["", each.status, f"{each.status}, {each.response}"]
            told += ["absent"] * each.negated
    return told


def _lab_values(chart: Chart, _: Lexicon, name: str) -> list[str]:
    told = []
    for each in chart.lab_values:
        if each.analyte == name:
            number = "" if each.value is None else f"{each.value.number:g}"
            told += ["", number, each.grade, each.status]
    return told


_CHECKS: dict[str, Callable[[Chart, Lexicon, str], list[str]]] = {
    "main": _main,
    "problem": _problems,
    "none": _none,
    "therapy": _therapies,
    "procedure": lambda chart, lexicon, name: [
        each.status for each in chart.procedures if each.what.id in _ids(lexicon, name)
    ],
    "marker": lambda chart, _, name: [each.state for each in chart.markers if each.name == name],
    "lab": _lab_values,
    "habit": lambda chart, _, name: [each.state for each in chart.habits if each.what == name],
    "person": lambda chart, _, name: [
        part
        for each in chart.person
        if each.role == name
        for part in ("", each.detail, each.detail.split(",")[0])
    ],
    "age": lambda chart, _, name: [""] if chart.age and f"{chart.age.value:g}" == name else [],
    "sex": lambda chart, _, name: [""] if chart.sex == name else [],
    "pregnant": lambda chart, _, name: (
        [""] if {True: "yes", False: "no", None: ""}[chart.pregnant] == name else []
    ),
    "allergy": lambda chart, lexicon, name: [
        "" for each in chart.allergies if each.what.id in _ids(lexicon, name) and not each.negated
    ],
    "stage": lambda chart, _, name: [""] if chart.main and chart.main.stage == name else [],
    "warning": lambda chart, _, name: [""] if any(name in each for each in chart.warnings) else [],
}


@pytest.mark.parametrize("piece", [".", "Dr. ", "e.g. ", "(", "no fever, ", "PMH: ", "\n"])
def test_reads_texts_that_never_end_a_sentence(piece: str, reader: NoteReader) -> None:
    """Issue 17: 40,000 dots took half a minute; now the time-out of the suite is far away."""
    chart = reader.read("65-year-old man with asthma " + piece * (40_000 // len(piece)))
    assert chart.age is not None


def test_says_how_long_a_note_may_be(reader: NoteReader) -> None:
    with pytest.raises(InvalidInput, match="500,000"):
        reader.read("asthma " * 300_000)
