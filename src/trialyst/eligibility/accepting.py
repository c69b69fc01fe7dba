"""Trials that would take a patient of whom only a few facts are known.

Each fact is read like a note of its own. A trial is ruled out only where one of its demands is
surely violated by the facts alone: what they do not speak of is unknown, and what they merely
suggest does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace as replace_fields

from trialyst.ctgov.criteria import CriterionKind
from trialyst.eligibility.answer import Answer, Basis, Verdict
from trialyst.eligibility.chart import (
    AllergyEntry,
    Chart,
    Entry,
    HabitEntry,
    LabValue,
    MarkerEntry,
    PersonFact,
    Problem,
    Procedure,
    Therapy,
)
from trialyst.eligibility.criteria import Demand
from trialyst.eligibility.evaluate import Case, evaluate
from trialyst.eligibility.reading.note import parse_note
from trialyst.eligibility.requirement import (
    All,
    AnyOf,
    AtLeast,
    Except,
    Given,
    Has,
    Not,
    Opaque,
    Requirement,
    Took,
    leaves,
)
from trialyst.errors import InvalidInput
from trialyst.hints import Argument, Call, Hint
from trialyst.vocabulary.relations import Relations

if TYPE_CHECKING:
    from trialyst.eligibility.lexicon import Lexicon

__all__ = ["Acceptance", "FactReader", "ReadFact"]

_SURE = frozenset({Basis.STATED, Basis.DENIED, Basis.MEASURED, Basis.KIND})
_LISTS = (
    "problems lab_values therapies procedures markers allergies habits person demographics".split()
)
_ANTICANCER = "anticancer therapy"
"""The one class in general words that a fact surely belongs to or not."""
_REMEMBERED = 200
_LONGEST_FACT = 200
_MOST_FACTS = 20
_FORMS = "ECOG 2; creatinine 1.8 mg/dL; prior pembrolizumab; age 81; HIV positive; brain metastases"
"""Facts that are understood, as an example."""


class ReadFact(NamedTuple):
    """A fact as it was written and as it was read."""

    text: str
    words: str
    chart: Chart


class FactReader:
    """Reads facts of a patient; keep one for many."""

    def __init__(self, lexicon: Lexicon) -> None:
        from trialyst.eligibility.reading.reader import NoteReader

        self._reader = NoteReader(lexicon)
        self.read = lru_cache(_REMEMBERED)(self._read)

    def read_all(self, facts: Sequence[str]) -> tuple[ReadFact, ...]:
        """Read facts, or raise InvalidInput for one that says nothing."""
        if len(facts) > _MOST_FACTS:
            raise InvalidInput(
                f"There are {len(facts)} facts, more than {_MOST_FACTS}",
                hint=Hint(
                    "Give the facts that matter most; a whole note is for {match}.",
                    match=Call("match_patient"),
                ),
            )
        return tuple(map(self.read, facts))

    def _read(self, fact: str) -> ReadFact:
        if len(fact) <= _LONGEST_FACT:
            chart = self._reader.read(fact)
            if words := "; ".join(dict.fromkeys(_words(chart))):
                return ReadFact(fact, words, chart)
        raise InvalidInput(
            f"Not understood as a fact of a patient: {fact[:_LONGEST_FACT]!r}",
            hint=Hint("Write short facts such as {facts}.", facts=Argument("accepts", _FORMS)),
            invalid_input=fact,
        )


def _words(chart: Chart) -> Iterator[str]:
    """Say what a chart holds, in a few words each."""
    if chart.age is not None:
        yield f"age {chart.age}"
    if chart.sex is not None:
        yield chart.sex.value.lower()
    if chart.pregnant is not None:
        yield "pregnant" if chart.pregnant else "not pregnant"
    for entry in chart.entries():
        if entry not in chart.demographics and (shown := _entry_words(entry)):
            yield shown


def _entry_words(entry: Entry) -> str:
    match entry:
        case Problem(what=what, stage=stage, severity=severity, activity=activity):
            shown = ", ".join(filter(None, (what.name, stage and f"stage {stage}", severity)))
            shown = f"{shown}, {activity}" if activity else shown
        case LabValue(name=name, value=value, status=status, grade=grade):
            shown = " ".join(filter(None, (name, "" if value is None else str(value), grade)))
            shown = f"{shown} {status}" if status and value is None else shown
        case Therapy(what=what, status=status) | Procedure(what=what, status=status):
            shown = f"{what.name}, {status}" if status else what.name
        case MarkerEntry(name=name, state=state, variant=variant):
            shown = " ".join(filter(None, (name, variant, state)))
        case AllergyEntry(what=what):
            shown = f"allergy to {what.name}"
        case HabitEntry(what=habit, state=state):
            shown = f"{habit}: {state}"
        case PersonFact(role=role, detail=detail):
            shown = f"{role}: {detail}" if detail else role
        case _:
            return ""
    if isinstance(entry, HabitEntry | Therapy | Procedure):
        return f"not: {shown}" if entry.negated else shown
    said = "" if entry.assertion.value == "present" else f", {entry.assertion.value}"
    return f"{shown}{said}"


def _join_facts(facts: Sequence[ReadFact]) -> Chart:
    """Give one chart of all facts; the last that tells age, sex or pregnancy counts."""
    note = parse_note("\n".join(fact.text for fact in facts))
    held: dict[str, tuple[Entry, ...]] = dict.fromkeys(_LISTS, ())
    start = 0
    for fact in facts:
        for name in _LISTS:
            moved = (
                replace(
                    entry,
                    start=entry.start + start,
                    end=entry.end + start,
                    sentence=note.sentence_at(entry.start + start).number,
                )
                for entry in getattr(fact.chart, name)
            )
            held[name] = (*held[name], *moved)
        start += len(fact.text) + 1
    told = {
        name: next(
            (value for fact in reversed(facts) if (value := getattr(fact.chart, name)) is not None),
            None,
        )
        for name in ("age", "sex", "pregnant")
    }
    return Chart(note=note, **told, **held)  # type: ignore[arg-type]


class Acceptance:
    """Tells which trials would take a patient; keep one for many trials."""

    def __init__(self, facts: Sequence[ReadFact], relations: Relations) -> None:
        self._chart = _join_facts(facts)
        self._relations = relations

    def rules_out(self, demands: Sequence[Demand]) -> Demand | None:
        """Give the first demand of a trial that the facts surely violate, None if there is none."""
        return next((demand for demand in demands if self._violates(demand)), None)

    def _violates(self, demand: Demand) -> bool:
        excludes = demand.kind is CriterionKind.EXCLUSION
        answer = self._answer(_doubting(demand.requirement), exclusion=excludes)
        bad = Verdict.MET if excludes else Verdict.NOT_MET
        return answer.verdict is bad and answer.asked and _is_sure(answer)

    def _answer(self, requirement: Requirement, *, exclusion: bool) -> Answer:
        case = Case(self._chart, self._relations, exclusion=exclusion, stated_only=True)
        return evaluate(requirement, case)


def _is_sure(answer: Answer) -> bool:
    """Whether an answer rests on a fact about the very thing, not on a detail of it."""
    return answer.basis in _SURE and "/" not in answer.leaf


def _only_names(leaf: Has) -> bool:
    qualified = leaf.severity or leaf.stage or leaf.activity or leaf.cause or leaf.when
    return leaf.what is not None and not qualified


def _doubting(requirement: Requirement) -> Requirement:
    """Keep what the evaluator passes over as parts that may or may not hold.

    Beside what was understood it leaves out words that were not, and takes an exception that the
    chart does not tell of for one that does not hold; of a patient it knows that little both are
    guesses, and so is what belongs to a class in general words ("significant disease"). An
    exception that only names another thing is none.
    """
    match requirement:
        case Opaque():
            return AnyOf(parts=(requirement,))
        case Has(general=general) | Took(general=general) if general and general != _ANTICANCER:
            return AnyOf(parts=(Opaque(words=requirement.words),))
        case All(parts=parts) | AnyOf(parts=parts) | AtLeast(parts=parts):
            return replace_fields(requirement, parts=tuple(map(_doubting, parts)))
        case Not(part=part):
            return replace_fields(requirement, part=_doubting(part))
        case Except(of=of, but=but):
            if all(isinstance(each, Has) and _only_names(each) for each in leaves(but)):
                return replace_fields(requirement, of=_doubting(of))
            return All(parts=(_doubting(of), Not(part=_doubting(but))))
        case Given(who=who, then=then):
            return replace_fields(requirement, who=_doubting(who), then=_doubting(then))
        case _:
            return requirement
