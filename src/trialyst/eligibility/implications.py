"""Conditions that a chart shows without naming them, from its findings taken together.

All knowledge stands in `data/implications.txt`. What the chart names or denies is not inferred
again. Findings are compared by relation, so that every kind of dyspnea is dyspnea.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import ge, gt, le, lt
from typing import TYPE_CHECKING

from trialyst.eligibility.analytes import get_analyte, to_common_unit
from trialyst.eligibility.chart import Assertion, Chart, Entry, LabValue, Problem, SexCode
from trialyst.eligibility.findings import Finding, Rule, is_measured, read_rules
from trialyst.eligibility.quantity import Quantity
from trialyst.vocabulary.relations import Relations
from trialyst.vocabulary.term import Term, TermKind

if TYPE_CHECKING:
    from trialyst.eligibility.lexicon import Lexicon

__all__ = ["Implications"]

_OPERATORS: dict[str, Callable[[float, float], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
_SAID = {
    "high": frozenset({"high", "positive", "detectable"}),
    "low": frozenset({"low"}),
    "positive": frozenset({"positive", "detectable", "high"}),
    "negative": frozenset({"negative"}),
}
_HABITS = {"smokes": "smoking", "drinks": "alcohol", "uses drugs": "drugs"}
_ROUNDS = 2
"""A finding may be inferred first, as fever from the temperature, and then count."""
_Lineages = dict[str, list[Entry]]


class Implications:
    """Infers conditions with one lexicon; keep one for many charts."""

    def __init__(self, lexicon: Lexicon, relations: Relations) -> None:
        self._lexicon = lexicon
        self._relations = relations
        self._rules = read_rules()

    def imply(self, chart: Chart) -> tuple[Problem, ...]:
        """Give the conditions that the findings of a chart show, each with their sentences."""
        inferred: dict[str, Problem] = {}
        for _ in range(_ROUNDS):
            before = len(inferred)
            facts = _Facts(chart, inferred.values(), self._lexicon, self._relations)
            for rule in self._rules:
                problem = self._infer(rule, facts)
                if problem is not None and _is_stronger(problem, inferred.get(problem.what.id)):
                    inferred[problem.what.id] = problem
            if len(inferred) == before:
                break
        return tuple(inferred.values())

    def imply_values(self, chart: Chart) -> tuple[LabValue, ...]:
        """Give what named states say of values the chart does not give: obese, a BMI from 30 on."""
        facts = _Facts(chart, (), self._lexicon, self._relations)
        measured = {each.analyte for each in chart.lab_values if each.value is not None}
        told = (self._value(rule, facts) for rule in self._rules if rule.defined)
        return tuple(each for each in told if each is not None and each.analyte not in measured)

    def _value(self, rule: Rule, facts: _Facts) -> LabValue | None:
        first, *others = (group.findings[0] for group in rule.groups)
        named = facts.find_named(rule.condition)
        if named is None or any(facts.find(finding) is None for finding in others):
            return None
        identifier, sign, bound = first.text.split(" ")
        analyte = get_analyte(identifier)
        if analyte is None:
            return None
        return LabValue(
            text=named.text,
            sentence=named.sentence,
            start=named.start,
            end=named.end,
            analyte=identifier,
            name=analyte.name,
            value=Quantity(float(bound), analyte.unit, comparator=sign),
        )

    def _infer(self, rule: Rule, facts: _Facts) -> Problem | None:
        shown: list[Entry] = []
        for group in rule.groups:
            met = [(finding, facts.find(finding)) for finding in group.findings]
            found = [(finding, entries) for finding, entries in met if entries is not None]
            if len(found) < group.least and not any(finding.alone for finding, _ in found):
                return None
            shown += [entry for _, entries in found for entry in entries]
        what = self._lexicon.term(rule.condition)
        if not shown or facts.tells(what):
            return None
        first = min(shown, key=lambda entry: entry.start)
        return Problem(
            text=first.text,
            sentence=first.sentence,
            start=first.start,
            end=first.end,
            assertion=Assertion.PRESENT if rule.certain else Assertion.POSSIBLE,
            what=what,
            kind=TermKind.CONDITION,
            when=next((each.when for each in shown if each.when and each.when.lasting), None),
            inferred_from=tuple(sorted({entry.sentence for entry in shown})),
        )


def _is_stronger(problem: Problem, known: Problem | None) -> bool:
    if known is None:
        return True
    return known.assertion is Assertion.POSSIBLE and problem.assertion is Assertion.PRESENT


class _Facts:
    """A chart asked for findings; each is looked for once."""

    def __init__(
        self, chart: Chart, inferred: Iterable[Problem], lexicon: Lexicon, relations: Relations
    ) -> None:
        self._chart = chart
        self._lexicon = lexicon
        self._relations = relations
        sure = [each for each in inferred if each.assertion is Assertion.PRESENT]
        problems = (*chart.problems, *sure)
        self._problems = self._by_lineage((each.what, each) for each in problems if each.holds)
        self._told = {
            key
            for each in chart.problems
            if each.assertion is not Assertion.FAMILY
            for key in relations.lineage(each.what)
        }
        taken = [
            (what, each)
            for each in chart.therapies
            if each.holds and each.status not in ("planned", "refused")
            for what in (each.what, *each.members)
        ]
        done = [each for each in chart.procedures if each.holds and each.status == "done"]
        self._taken = self._by_lineage(taken)
        self._had = self._by_lineage([*taken, *((each.what, each) for each in done)])
        self._labs: dict[str, list[LabValue]] = {}
        for lab in chart.lab_values:
            if lab.holds and lab.assertion is Assertion.PRESENT:
                self._labs.setdefault(lab.analyte, []).append(lab)
        self._known: dict[str, list[Entry] | None] = {}

    def _by_lineage(self, held: Iterable[tuple[Term, Entry]]) -> _Lineages:
        """Sort entries by everything that holds of them: every kind of dyspnea under dyspnea."""
        found: _Lineages = {}
        for what, entry in held:
            for key in self._relations.lineage(what):
                found.setdefault(key, []).append(entry)
        return found

    def tells(self, what: Term) -> bool:
        """Whether the chart itself speaks of a condition, or of a kind of it."""
        return not self._told.isdisjoint((what.id, *what.trees))

    def find_named(self, condition: str) -> Problem | None:
        """Give the first problem of now that is a condition, or a kind of it."""
        found = self._held(condition, self._problems) or []
        now = (each for each in found if each.assertion is Assertion.PRESENT)
        return next((each for each in now if isinstance(each, Problem)), None)

    def find(self, finding: Finding) -> list[Entry] | None:
        """Give the entries that show a finding, None where nothing does."""
        if finding.text not in self._known:
            found = [self._entries(each) for each in finding.alternatives]
            shown = [entries for entries in found if entries is not None]
            self._known[finding.text] = shown[0] if shown else None
        return self._known[finding.text]

    def _entries(self, finding: str) -> list[Entry] | None:
        first, _, rest = finding.partition(" ")
        chart = self._chart
        if finding in ("female", "male"):
            holds = chart.sex is SexCode(finding.upper())
        elif finding == "pregnant":
            holds = chart.pregnant is True
        elif first == "age":
            holds = chart.age is not None and _compare(chart.age.years, rest)
        elif finding in _HABITS:
            return _some(
                each
                for each in chart.habits
                if each.what == _HABITS[finding] and each.state not in ("never", "") and each.holds
            )
        elif first in ("takes", "had"):
            return self._held(rest, self._taken if first == "takes" else self._had)
        elif is_measured(finding):
            return _some(lab for lab in self._labs.get(first, ()) if _is_so(lab, rest))
        else:
            return self._held(finding, self._problems)
        return [] if holds else None

    def _held(self, name: str, among: _Lineages) -> list[Entry] | None:
        wanted = self._lexicon.term(name)
        return next((among[key] for key in (wanted.id, *wanted.trees) if key in among), None)


def _some(entries: Iterable[Entry]) -> list[Entry] | None:
    return list(entries) or None


def _compare(number: float, comparison: str) -> bool:
    sign, _, bound = comparison.partition(" ")
    return _OPERATORS[sign](number, float(bound))


def _is_so(lab: LabValue, asked: str) -> bool:
    """Whether a value is as asked: `< 3` in the analyte's unit, or `high`, `low`, `positive`."""
    analyte = get_analyte(lab.analyte)
    value = None
    if lab.value is not None and analyte is not None:
        value = to_common_unit(lab.value, analyte)
    if asked in _SAID:
        if lab.status in _SAID[asked]:
            return True
        if value is None or analyte is None:
            return False
        if asked == "low":
            return analyte.low is not None and value.number < analyte.low
        return asked != "negative" and analyte.high is not None and value.number > analyte.high
    return value is not None and value.upper is None and _compare(value.number, asked)
