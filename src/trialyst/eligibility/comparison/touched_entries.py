"""What of a chart bears on a leaf: nearly all leaves are touched by nothing that a chart holds.

A leaf that nothing touches is answered from silence alone, so that one answer does for all charts
that are silent alike. `touch_keys` gives what could touch the leaves of a requirement,
`TouchedEntries` says what of that a chart has, and finds the entries related to a term once for
all criteria.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from trialyst.eligibility.chart import Assertion, Problem
from trialyst.eligibility.comparison.estimates import METHODS, estimate
from trialyst.eligibility.comparison.general import is_asked_of_chart
from trialyst.eligibility.comparison.measured import is_asked_of_panel
from trialyst.eligibility.comparison.persons import GESTATION, telling_roles
from trialyst.eligibility.comparison.treatments import is_asked_of_therapies
from trialyst.eligibility.requirement import (
    Administrative,
    Age,
    Allergy,
    Childbearing,
    Habit,
    Has,
    Leaf,
    Marker,
    Measured,
    Person,
    Requirement,
    Sex,
    Tense,
    Took,
    Underwent,
    leaves,
)
from trialyst.vocabulary.relations import Relation, Relations

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trialyst.eligibility.chart import Chart
    from trialyst.eligibility.comparison.case import Case
    from trialyst.vocabulary.term import Term

__all__ = ["TouchKey", "TouchedEntries", "touch_keys"]

TouchKey: TypeAlias = tuple[str, str | frozenset[str]]
"""A part of charts, and a name in it or the marks of a term."""

_SUMMARY = "no "
"""How roles of statements begin that speak against whatever is ruled out: no history, no
medications, no treatment. They answer in place of silence."""
_WHOLE = ""


def touch_keys(requirement: Requirement, case: Case) -> tuple[TouchKey, ...]:
    """Give what any chart may hold that bears on a requirement, each once."""
    return tuple(dict.fromkeys(key for leaf in leaves(requirement) for key in _keys(leaf, case)))


def _keys(leaf: Leaf, case: Case) -> Iterator[TouchKey]:
    relations = case.relations
    match leaf:
        case Has():
            yield from _keys_of_condition(leaf, case)
        case Took(what=what) if what is not None:
            yield "therapies", relations.marks(what).own
        case Took():
            if is_asked_of_therapies(leaf):
                yield "any therapy", _WHOLE
        case Underwent(what=what) if what is not None:
            yield "done", relations.marks(what).own
            if leaf.tense is Tense.PLANNED:
                yield "main", _WHOLE
        case Allergy(what=what):
            yield "allergies", _WHOLE
            if what is not None:
                yield "therapies", relations.marks(what).own
        case _:
            yield from _keys_by_name(leaf)


def _keys_of_condition(leaf: Has, case: Case) -> Iterator[TouchKey]:
    if leaf.what is None:
        if is_asked_of_chart(leaf):
            yield "any problem", _WHOLE
    elif leaf.family:
        yield "family", _WHOLE
    else:
        yield "problems", case.relations.marks(leaf.what).own
        if not case.exclusion and case.is_focus(leaf.what):
            # Another main problem tells that the patient is of another group than the trial's.
            yield "main", _WHOLE


def _keys_by_name(leaf: Leaf) -> Iterator[TouchKey]:
    match leaf:
        case Measured(analyte=analyte):
            yield "lab", analyte
            if is_asked_of_panel(leaf):
                yield "any problem", _WHOLE
                yield "any lab", _WHOLE
        case Marker(name=name):
            yield "marker", name
        case Habit(what=what):
            yield "habit", what
        case Person(role=role):
            yield "person", role
        case Administrative():
            yield "person", "consent"
        case Age(gestational=gestational):
            yield "gestation" if gestational else "age", _WHOLE
        case Sex() | Childbearing():
            yield "sex", _WHOLE


class TouchedEntries(dict[TouchKey, bool]):
    """One chart: whether it holds what a key names, found when it is first asked."""

    def __init__(self, chart: Chart, relations: Relations) -> None:
        super().__init__()
        self.chart = chart
        self.summaries = tuple(fact for fact in chart.person if fact.role.startswith(_SUMMARY))
        """What is said of all that the chart does not name."""
        self.silence = chart.lists_medications, tuple(fact.role for fact in self.summaries)
        """Charts of which this is the same answer alike what nothing in them touches."""
        self._relations = relations
        self._problems = [each for each in chart.problems if not _is_family(each)]
        drugs = [term for each in chart.therapies for term in (each.what, *each.members)]
        procedures = [each.what for each in chart.procedures]
        self._likely = {
            "problems": self._join(each.what for each in self._problems),
            "therapies": self._join(drugs),
            "done": self._join([*procedures, *drugs]),
        }
        self._near: dict[str, list[tuple[Problem, Relation]]] = {}

    def _join(self, terms: Iterable[Term]) -> frozenset[str]:
        return frozenset[str]().union(*(self._relations.marks(each).likely for each in terms))

    def problems_near(self, what: Term) -> list[tuple[Problem, Relation]]:
        """Give the problems related to a term and how, those of relatives left out."""
        found = self._near.get(what.id)
        if found is None:
            found = self._near[what.id] = list(self._relate(what))
        return found

    def _relate(self, what: Term) -> Iterator[tuple[Problem, Relation]]:
        if not self._relations.marks(what).own.isdisjoint(self._likely["problems"]):
            for problem in self._problems:
                relation = self._relations.relate(problem.what, what)
                if relation is not Relation.UNRELATED:
                    yield problem, relation

    def is_touched(self, keys: Iterable[TouchKey]) -> bool:
        """Whether the chart holds any of what some keys name."""
        return any(self[key] for key in keys)

    def __missing__(self, key: TouchKey) -> bool:
        found = self[key] = self._holds(*key)
        return found

    def _holds(self, part: str, name: str | frozenset[str]) -> bool:
        if isinstance(name, frozenset):
            return not self._likely[part].isdisjoint(name)
        return self._holds_named(part, name)

    def _holds_named(self, part: str, name: str) -> bool:
        chart = self.chart
        match part:
            case "lab":
                told = any(each.analyte == name for each in chart.lab_values)
                return told or (name in METHODS and estimate(name, chart) is not None)
            case "marker":
                return any(each.name == name for each in chart.markers)
            case "habit":
                return any(each.what == name for each in chart.habits)
            case "person":
                roles = telling_roles(name)
                volunteer = name == "healthy volunteer" and (
                    chart.main is not None or bool(self.summaries)
                )
                return volunteer or any(fact.role in roles for fact in chart.person)
            case _:
                return self._holds_part(part)

    def _holds_part(self, part: str) -> bool:
        chart = self.chart
        told = {
            "age": chart.age is not None,
            "gestation": chart.age is not None
            or chart.pregnant is not None
            or any(each.analyte == GESTATION for each in chart.lab_values),
            "sex": bool(chart.sex or chart.age or chart.demographics or chart.person)
            or chart.pregnant is not None,
            "main": chart.main is not None,
            "any problem": bool(chart.problems) or chart.main is not None,
            "family": any(map(_is_family, chart.problems)),
            "any lab": bool(chart.lab_values),
            "any therapy": bool(chart.therapies),
            "allergies": bool(chart.allergies),
        }
        return told[part]


def _is_family(problem: Problem) -> bool:
    return problem.assertion is Assertion.FAMILY
