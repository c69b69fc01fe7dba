"""Conditions in general words ("any serious illness"), asked of the chart as a whole."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from trialyst.eligibility.answer import Answer, Basis, Verdict
from trialyst.eligibility.chart import Assertion, Problem
from trialyst.eligibility.comparison.windows import fits_window
from trialyst.eligibility.tables import read_lines
from trialyst.vocabulary.relations import Relation
from trialyst.vocabulary.term import TermKind

if TYPE_CHECKING:
    from trialyst.eligibility.comparison.case import Case
    from trialyst.eligibility.requirement import Has

__all__ = ["answer_general", "asks_serious", "is_asked_of_chart", "is_serious"]

_ASKED = frozenset(
    {"chronic disease", "significant disease", "infection", "malignancy", "psychiatric", "other"}
)
"""Classes that the chart as a whole answers; "condition" or "contraindication" says too little."""
_WEIGHTY = frozenset({"significant", "serious", "severe", "major"})
"""Words beside "disease" that make it a class which the chart can answer."""
_KIN = frozenset(Relation) - {Relation.UNRELATED}
_ANY = frozenset({"disease", "chronic disease", "significant disease", "other"})


def answer_general(leaf: Has, case: Case, *, wanted: bool) -> Answer:
    """Say whether the chart has anything of a class."""
    if leaf.general == "symptoms" and not case.exclusion:
        return _complaint(leaf, case, wanted=wanted)
    healthy = tuple(fact for fact in case.chart.person if fact.role == "no history")
    if healthy and leaf.general in _ANY and not wanted:
        return Answer(
            Verdict.NOT_MET,
            Basis.DENIED,
            "Has/general",
            healthy[:1],
            "The chart says there is none.",
        )
    found = _members(leaf.general, case) if _asks_members(leaf) else []
    if found:
        names = ", ".join(dict.fromkeys(problem.what.name.lower() for problem in found[:3]))
        return Answer(
            Verdict.MET, Basis.KIND, f"Has/{leaf.general}", tuple(found[:3]), f"There is {names}."
        )
    return case.silent("Has", f"any {leaf.general}", wanted=wanted, missing=leaf.words)


def is_asked_of_chart(leaf: Has) -> bool:
    """Whether problems of the chart may answer a leaf in general words."""
    return leaf.general == "symptoms" or _asks_members(leaf)


def _asks_members(leaf: Has) -> bool:
    plain = leaf.when is None and not leaf.family and not leaf.modifiers
    weighty = leaf.general == "disease" and asks_serious(leaf)
    return plain and (weighty or leaf.general in _ASKED)


def _complaint(leaf: Has, case: Case, *, wanted: bool) -> Answer:
    """Answer for the symptoms a patient comes with, and for how long there have been any."""
    main = case.chart.main
    symptoms = [each for each in case.chart.problems if each.kind is TermKind.SYMPTOM]
    present = [
        each
        for each in (*([main] if main is not None else ()), *symptoms)
        if each.is_there and each.assertion is not Assertion.HISTORICAL
    ]
    for problem in present:
        fits = True if leaf.when is None else fits_window(leaf.when, problem.when, current=True)
        if fits is not None and (leaf.when is None or problem.when is not None):
            verdict = Verdict.MET if fits else Verdict.NOT_MET
            why = f"The chart has {problem.text.strip()}."
            return Answer(verdict, Basis.STATED, "Has/symptoms", (problem,), why)
    return case.silent("Has", "any symptoms", wanted=wanted, missing="duration of symptoms")


def _members(general: str, case: Case) -> list[Problem]:
    """Give the problems of the chart that a class in general words means."""
    trees, serious_only = _classes().get(general, ((), True))
    # Of a trial about something else the patient's own disease is another one.
    main = case.chart.main if case.topic == "own" else None
    return [
        problem
        for problem in case.chart.problems
        if problem.holds
        and problem.assertion is Assertion.PRESENT
        and problem.kind is TermKind.CONDITION
        and problem is not main
        and not (main is not None and case.relate(problem.what, main.what) in _KIN)
        and not case.is_focus(problem.what)
        and (not trees or _is_under(problem.what.trees, trees))
        and (not serious_only or is_serious(problem))
    ]


def asks_serious(leaf: Has) -> bool:
    """Whether a leaf asks for diseases that a protocol would call significant."""
    return not _WEIGHTY.isdisjoint(leaf.severity.split())


def is_serious(problem: Problem) -> bool:
    """Whether a disease is one that a protocol would call significant."""
    return _is_under(problem.what.trees, _classes()["serious"][0])


def _is_under(trees: tuple[str, ...], roots: tuple[str, ...]) -> bool:
    return any(tree == root or tree.startswith(f"{root}.") for tree in trees for root in roots)


@cache
def _classes() -> dict[str, tuple[tuple[str, ...], bool]]:
    """Give the tree numbers of each class, and whether only serious diseases count."""
    classes = {}
    for line in read_lines("general.txt"):
        name, serious, trees = (part.strip() for part in line.split("|"))
        classes[name] = tuple(filter(None, map(str.strip, trees.split(";")))), serious == "serious"
    return classes
