"""Inclusion criteria of which one is enough: joined by `or`, or under "one of the following".

A patient need not meet them all, so none of them alone keeps a patient out. Exclusion criteria are
alternatives anyway: each excludes by itself.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from trialyst.ctgov.criteria import Criterion, CriterionKind
from trialyst.matching.judging.result import Applicability, CriterionResult, Verdict

__all__ = ["find_alternatives", "settle_alternatives"]

_ONE_OF = re.compile(
    r"\b(?:at least one|one or more|one|any one|any|either)(?: \(?\d\)?)?(?: or more)? of "
    r"(?:the |these )?(?:following|below|criteria|conditions)|\bone of:",
    re.IGNORECASE,
)


def find_alternatives(criteria: Sequence[Criterion]) -> list[tuple[int, ...]]:
    """Give the places of the inclusion criteria that are alternatives to each other.

    >>> from trialyst.ctgov.criteria import split_criteria
    >>> find_alternatives(split_criteria("Inclusion:\\n* asthma; or\\n* COPD\\n* adult"))
    [(0, 1)]
    """
    groups: list[tuple[int, ...]] = []
    listed: defaultdict[int, list[int]] = defaultdict(list)
    joined: list[int] = []
    for place, criterion in enumerate(criteria):
        if criterion.kind is not CriterionKind.INCLUSION:
            continue
        parent = criterion.parent
        if parent is not None and _ONE_OF.search(criteria[parent].text):
            listed[parent].append(place)
            continue
        joined.append(place)
        if criterion.joined is None:
            groups.append(tuple(joined))
            joined = []
    found = [*groups, tuple(joined), *map(tuple, listed.values())]
    return sorted(group for group in found if len(group) > 1)


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
                settled[place] = replace(
                    result,
                    verdict=Verdict.UNKNOWN,
                    applicability=Applicability.NOT_APPLICABLE,
                    reasoning=f"An alternative to it holds. {result.reasoning}",
                    missing=None,
                )
            elif result.verdict is Verdict.NOT_MET:
                settled[place] = replace(
                    result,
                    verdict=Verdict.UNKNOWN,
                    applicability=Applicability.NOT_APPLICABLE,
                    reasoning=f"It does not hold, but an alternative may. {result.reasoning}",
                )
    return settled
