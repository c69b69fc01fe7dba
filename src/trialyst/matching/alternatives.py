"""Inclusion criteria of which one is enough, because `or` stands between them.

A patient need not meet them all, so none of them alone keeps a patient out. Exclusion criteria are
alternatives anyway: each excludes by itself. What an opening says of its list is in `lists`.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from trialyst.ctgov.criteria import Criterion, CriterionKind
from trialyst.matching.judging.result import CriterionResult, Verdict
from trialyst.matching.lists import set_apart

__all__ = ["find_alternatives", "settle_alternatives"]


def find_alternatives(
    criteria: Sequence[Criterion], *, listed: Set[int] = frozenset()
) -> list[tuple[int, ...]]:
    """Give the places of the inclusion criteria that are alternatives to each other.

    Args:
        listed: places that something else settles.

    >>> from trialyst.ctgov.criteria import split_criteria
    >>> find_alternatives(split_criteria("Inclusion:\\n* asthma; or\\n* COPD\\n* adult"))
    [(0, 1)]
    """
    groups: list[tuple[int, ...]] = []
    joined: list[int] = []
    for place, criterion in enumerate(criteria):
        if criterion.kind is not CriterionKind.INCLUSION or place in listed:
            continue
        joined.append(place)
        if criterion.joined is None:
            groups.append(tuple(joined))
            joined = []
    return [group for group in (*groups, tuple(joined)) if len(group) > 1]


def settle_alternatives(
    results: Sequence[CriterionResult], groups: Sequence[tuple[int, ...]]
) -> list[CriterionResult]:
    """Take back what an alternative makes good: one that holds, or one that is still open."""
    settled = list(results)
    for group in groups:
        verdicts = {results[place].verdict for place in group}
        if verdicts == {Verdict.NOT_MET}:
            continue
        for place in group:
            result = results[place]
            if Verdict.MET in verdicts and result.verdict is not Verdict.MET:
                settled[place] = set_apart(result, "An alternative to it holds.")
            elif result.verdict is Verdict.NOT_MET:
                settled[place] = set_apart(result, "It does not hold, but an alternative may.")
    return settled
