"""Clinical demands that were not compared: taken for another person's, or for consent."""

from __future__ import annotations

from collections.abc import Iterator

from trialyst.eligibility.answer import Answer, Applicability, Verdict
from trialyst.eligibility.requirement import (
    Age,
    Childbearing,
    Given,
    Has,
    Leaf,
    Marker,
    Measured,
    Requirement,
    Sex,
    Took,
    Underwent,
    leaves,
)

__all__ = ["is_set_aside"]

_CLINICAL = (Has, Measured, Took, Underwent, Marker)
_GROUPS = (Age, Sex, Childbearing)


def is_set_aside(requirement: Requirement, answer: Answer) -> bool:
    """Whether an answer leaves a clinical demand out of account.

    What is asked of women or of children only is rightly not asked of others; a demand in general
    words ("any disease that in the investigator's opinion ...") is a matter of opinion.
    """
    aside = answer.applicability is not Applicability.APPLIES
    if not aside or answer.verdict is not Verdict.UNKNOWN:
        return False
    return any(map(_is_clinical, _demands(requirement)))


def _demands(requirement: Requirement) -> Iterator[Leaf]:
    if isinstance(requirement, Given) and any(
        isinstance(leaf, _GROUPS) for leaf in leaves(requirement.who)
    ):
        return
    yield from leaves(requirement)


def _is_clinical(leaf: Leaf) -> bool:
    return isinstance(leaf, _CLINICAL) and not getattr(leaf, "general", "")
