"""What the evaluator says: a verdict in three values, what it rests on, and how answers combine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trialyst.eligibility.chart import Entry

__all__ = ["Answer", "Applicability", "Basis", "Verdict", "all_of", "any_of", "at_least", "negate"]


class Verdict(StrEnum):
    """Whether a statement holds for the patient."""

    MET = "MET"
    NOT_MET = "NOT_MET"
    UNKNOWN = "UNKNOWN"


class Applicability(StrEnum):
    """Whether a criterion asks something about this patient at all."""

    APPLIES = "applies"
    NOT_APPLICABLE = "not_applicable"
    """It speaks of others, such as pregnancy for a man."""
    ADMINISTRATIVE = "administrative"
    """Consent, willingness, practical matters or the investigator's opinion: to be confirmed."""


class Basis(StrEnum):
    """What a verdict rests on."""

    STATED = "stated"
    """The chart says so of the very thing."""
    DENIED = "denied"
    MEASURED = "measured"
    KIND = "kind"
    """The chart has a narrower thing, or a member of a class."""
    INFERRED = "inferred"
    """Findings show it."""
    ESTIMATED = "estimated"
    """Calculated from other values."""
    OTHER_GROUP = "other group"
    """The patient evidently belongs to another group than the one asked for."""
    DETAIL = "detail"
    """The thing is there, a detail of it is not told."""
    RELATED = "related"
    """Something near it is there, which decides nothing."""
    NOT_ASKED = "not asked"
    """It speaks of others."""
    SILENCE = "silence"


@dataclass(frozen=True, slots=True)
class Answer:
    """The verdict on a requirement or a part of one."""

    verdict: Verdict
    basis: Basis
    leaf: str
    """The kind of leaf that decided, such as `Has`."""
    evidence: tuple[Entry, ...] = ()
    why: str = ""
    missing: str = ""
    """The fact that would decide it; only with UNKNOWN."""
    applicability: Applicability = Applicability.APPLIES

    @property
    def asked(self) -> bool:
        """Whether it asks something about this patient."""
        return self.applicability is not Applicability.NOT_APPLICABLE


_OPPOSITE = {
    Verdict.MET: Verdict.NOT_MET,
    Verdict.NOT_MET: Verdict.MET,
    Verdict.UNKNOWN: Verdict.UNKNOWN,
}


def negate(answer: Answer) -> Answer:
    """Turn MET and NOT_MET round."""
    if answer.verdict is Verdict.UNKNOWN:
        return answer
    return replace(answer, verdict=_OPPOSITE[answer.verdict])


def all_of(answers: Sequence[Answer]) -> Answer:
    """Join parts that must all hold; parts that ask nothing of this patient do not count."""
    return _join(answers, decisive=Verdict.NOT_MET, otherwise=Verdict.MET)


def any_of(answers: Sequence[Answer]) -> Answer:
    """Join parts of which one must hold; parts that ask nothing of this patient do not count."""
    return _join(answers, decisive=Verdict.MET, otherwise=Verdict.NOT_MET)


def at_least(count: int, answers: Sequence[Answer]) -> Answer:
    """Join parts of which so many must hold."""
    asked = [each for each in answers if each.asked]
    met = [each for each in asked if each.verdict is Verdict.MET]
    unknown = [each for each in asked if each.verdict is Verdict.UNKNOWN]
    if len(met) >= count:
        return _merged(met)
    if len(met) + len(unknown) < count and asked:
        return replace(_merged(asked), verdict=Verdict.NOT_MET)
    return _merged([*unknown, *met] or answers, verdict=Verdict.UNKNOWN)


def _join(answers: Sequence[Answer], *, decisive: Verdict, otherwise: Verdict) -> Answer:
    asked = [each for each in answers if each.asked]
    if not asked:
        return answers[0]
    deciding = [each for each in asked if each.verdict is decisive]
    if deciding:
        return _merged(sorted(deciding, key=_doubt)[:2])
    unknown = [each for each in asked if each.verdict is Verdict.UNKNOWN]
    if unknown:
        return _with_evidence(_merged(unknown), asked)
    return _merged(asked, verdict=otherwise)


def _with_evidence(answer: Answer, parts: Sequence[Answer]) -> Answer:
    """Let an answer quote what decided the other parts: who wants to agree looks at all of it."""
    told = (each.evidence for each in parts if each.basis in _TOLD)
    evidence = _distinct(entry for entries in (answer.evidence, *told) for entry in entries)
    return answer if evidence == answer.evidence else replace(answer, evidence=evidence)


_SURE = tuple(Basis)
_DOUBTS = {basis: doubt for doubt, basis in enumerate(_SURE)}
_TOLD = frozenset(_SURE[: _DOUBTS[Basis.OTHER_GROUP]])
"""Bases on which a verdict rests on what the chart says of the thing."""


def _doubt(answer: Answer) -> int:
    return _DOUBTS[answer.basis]


def _merged(answers: Sequence[Answer], verdict: Verdict | None = None) -> Answer:
    """Give one answer for several: the least sure names the basis, the evidence is everybody's."""
    least = max(answers, key=_doubt)
    if len(answers) == 1:
        if verdict is None or verdict is least.verdict:
            return least
        return replace(least, verdict=verdict)
    evidence = _distinct(entry for each in answers for entry in each.evidence)
    why = "; ".join(dict.fromkeys(each.why for each in answers if each.why))
    missing = "; ".join(dict.fromkeys(each.missing for each in answers if each.missing))
    return replace(
        least,
        verdict=least.verdict if verdict is None else verdict,
        evidence=evidence,
        why=why,
        missing=missing,
    )


def _distinct(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    listed = tuple(entries)
    return listed if len(listed) < 2 else tuple(dict.fromkeys(listed))
