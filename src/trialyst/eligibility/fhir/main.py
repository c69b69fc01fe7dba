"""The problem a record is about, and the stage that its observations give it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from trialyst.eligibility.chart import Assertion, LabValue, Problem
from trialyst.eligibility.reading.main import is_cancer, leading_kind
from trialyst.vocabulary.term import TermKind

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["choose_main", "staged"]

_SPREAD = ("MESH:D009362", "MESH:D009369")
_PASSING = ("C23", "C26", "G08", "C12.050.703")
"""Signs, injuries and pregnancies: rarely what a trial is sought for."""
_LEADING = {"": 2, "companion": 3, "finding": 3, "ordinary": 4, "general": 5}


def choose_main(problems: Sequence[Problem]) -> Problem | None:
    """Give the problem a record is about: an active disease, never one that is over.

    Of several the gravest sort, then the first: records list a primary cancer and what is
    latest first.
    """
    active = [
        problem
        for problem in problems
        if problem.assertion in (Assertion.PRESENT, Assertion.POSSIBLE)
        and not problem.what.id.startswith("term:unnamed")
        # A finding that no vocabulary places is rarely one of illness: "Full-time employment".
        and (problem.what.trees or problem.kind is TermKind.CONDITION)
    ]
    return min(active, key=_rank, default=None)


def _rank(problem: Problem) -> tuple[bool, int]:
    trees = problem.what.trees
    if is_cancer(problem):
        spread = problem.what.id in _SPREAD or "metast" in problem.what.name.lower()
        spread = spread or problem.text.lower().startswith(("secondary", "metastatic"))
        sort = 1 if spread else 0
    elif problem.kind is not TermKind.CONDITION or not trees:
        sort = 7
    elif all(tree.startswith(_PASSING) for tree in trees):
        sort = 6
    else:
        sort = max(_LEADING[leading_kind(problem)], 4 if problem.activity == "acute" else 0)
    return problem.assertion is not Assertion.PRESENT, sort


def staged(
    problems: tuple[Problem, ...], values: Sequence[LabValue]
) -> tuple[tuple[Problem, ...], Problem | None]:
    """Give the problems with the main one's stage where only an observation tells it, and it."""
    main = choose_main(problems)
    if main is None or main.stage or not is_cancer(main):
        return problems, main
    stage = _stage(values)
    if not stage:
        return problems, main
    told = replace(main, stage=stage)
    return tuple(told if each is main else each for each in problems), told


def _stage(values: Sequence[LabValue]) -> str:
    """Give the last stage group told, else the last of each category."""
    told = [each for each in values if each.analyte == "stage" and each.holds and each.grade]
    groups = [each.grade for each in told if each.grade[:1] in "0IV"]
    if groups:
        return groups[-1]
    categories = {each.grade.lstrip("cpy")[:1]: each.grade for each in told}
    return "".join(categories[letter] for letter in "TNM" if letter in categories)
