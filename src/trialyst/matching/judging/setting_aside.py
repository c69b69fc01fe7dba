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
    Opaque,
    Requirement,
    Sex,
    Took,
    Underwent,
    leaves,
)

__all__ = ["is_read_in_part", "is_set_aside"]

_CLINICAL = (Has, Measured, Took, Underwent, Marker)
_GROUPS = (Age, Sex, Childbearing)
_NOT_UNDERSTOOD = ("Opaque", "Has/unknown words")


def is_set_aside(requirement: Requirement, answer: Answer) -> bool:
    """Whether an answer leaves a clinical demand out of account.

    What is asked of women or of children only is rightly not asked of others; a demand in general
    words ("any disease that in the investigator's opinion ...") is a matter of opinion.
    """
    aside = answer.applicability is not Applicability.APPLIES
    if not aside or answer.verdict is not Verdict.UNKNOWN:
        return False
    return any(map(_is_clinical, _demands(requirement)))


def is_read_in_part(requirement: Requirement, answer: Answer, *, exclusion: bool) -> bool:
    """Whether words that were not understood may turn a verdict in the patient's favour.

    They may demand more of an inclusion that is met. Beside what excludes they only narrow it, so
    that the patient lacks it all the more, unless nothing else was understood.
    """
    if answer.verdict is not (Verdict.NOT_MET if exclusion else Verdict.MET):
        return False
    undecided = answer.leaf.startswith(_NOT_UNDERSTOOD)
    return undecided or (
        not exclusion and any(isinstance(leaf, Opaque) for leaf in leaves(requirement))
    )


def _demands(requirement: Requirement) -> Iterator[Leaf]:
    if isinstance(requirement, Given) and any(
        isinstance(leaf, _GROUPS) for leaf in leaves(requirement.who)
    ):
        return
    yield from leaves(requirement)


def _is_clinical(leaf: Leaf) -> bool:
    return isinstance(leaf, _CLINICAL) and not getattr(leaf, "general", "")
