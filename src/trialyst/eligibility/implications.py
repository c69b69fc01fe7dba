"""Conditions that a chart shows without naming them, from its findings taken together.

All knowledge stands in `data/implications.txt`. What the chart names or denies is not inferred
again. Findings are compared by relation, so that every kind of dyspnea is dyspnea.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from operator import ge, gt, le, lt
from typing import TYPE_CHECKING

from trialyst.eligibility.analytes import get_analyte, to_common_unit
from trialyst.eligibility.chart import Assertion, Chart, Entry, LabValue, Problem, SexCode
from trialyst.eligibility.findings import Finding, Rule, read_rules
from trialyst.vocabulary.relations import Relation, Relations
from trialyst.vocabulary.term import Term, TermKind

if TYPE_CHECKING:
    from trialyst.eligibility.lexicon import Lexicon

__all__ = ["Implications"]

_OPERATORS: dict[str, Callable[[float, float], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
_SIGNS = frozenset("<>")
_HIGH = frozenset({"high", "positive", "detectable", "abnormal"})
_SAID = {
    "high": frozenset({"high", "positive", "detectable"}),
    "low": frozenset({"low"}),
    "positive": frozenset({"positive", "detectable", "high"}),
    "negative": frozenset({"negative"}),
}
_HABITS = {"smokes": "smoking", "drinks": "alcohol"}
_ROUNDS = 2
"""A finding may be inferred first, as fever from the temperature, and then count."""
_MATCHED = (Relation.SAME, Relation.NARROWER)


@dataclass(frozen=True, slots=True)
class _Held:
    """A thing of the chart that holds, and where it is told; None: it needs no place."""

    what: Term
    entry: Entry


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
        self._problems = [_Held(each.what, each) for each in (*chart.problems, *sure) if each.holds]
        self._told = [
            each.what for each in chart.problems if each.assertion is not Assertion.FAMILY
        ]
        self._taken = [
            _Held(what, each)
            for each in chart.therapies
            if each.holds and each.status not in ("planned", "refused")
            for what in (each.what, *each.members)
        ]
        done = [each for each in chart.procedures if each.holds and each.status == "done"]
        self._had = [_Held(each.what, each) for each in done] + self._taken
        self._labs: dict[str, list[LabValue]] = {}
        for lab in chart.lab_values:
            if lab.holds and lab.assertion is Assertion.PRESENT:
                self._labs.setdefault(lab.analyte, []).append(lab)
        self._known: dict[str, list[Entry] | None] = {}

    def tells(self, what: Term) -> bool:
        """Whether the chart itself speaks of a condition, or of a kind of it."""
        return any(self._relations.relate(told, what) in _MATCHED for told in self._told)

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
        elif (rest in _SAID or rest[:1] in _SIGNS) and get_analyte(first) is not None:
            return _some(lab for lab in self._labs.get(first, ()) if _is_so(lab, rest))
        else:
            return self._held(finding, self._problems)
        return [] if holds else None

    def _held(self, name: str, among: list[_Held]) -> list[Entry] | None:
        if not among:
            return None
        wanted = self._lexicon.term(name)
        relate = self._relations.relate
        return _some(each.entry for each in among if relate(each.what, wanted) in _MATCHED)


def _some(entries: Iterable[Entry] | Iterator[Entry]) -> list[Entry] | None:
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
