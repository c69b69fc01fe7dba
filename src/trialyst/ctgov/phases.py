"""Phases of a trial taken together: as one code, as one label, as one rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trialyst.ctgov.vocab import Phase, label_of

__all__ = ["phase_code", "phase_label", "phase_rank"]

_SINGLE_RANK: Mapping[str, int] = {
    Phase.NA: 0,
    Phase.EARLY_PHASE1: 1,
    Phase.PHASE1: 2,
    Phase.PHASE2: 4,
    Phase.PHASE3: 6,
    Phase.PHASE4: 8,
}


def _in_order(phases: Sequence[str]) -> list[str]:
    return sorted(phases, key=lambda phase: _SINGLE_RANK.get(phase, len(_SINGLE_RANK) * 2))


def phase_code(phases: Sequence[str]) -> str | None:
    """Write phases as one code, or None when there are none.

    >>> phase_code([Phase.PHASE1, Phase.PHASE2]), phase_code([])
    ('PHASE1/PHASE2', None)
    """
    return "/".join(_in_order(phases)) or None


def phase_label(phases: Sequence[str]) -> str:
    """Write phases as one label; no phase is `Not Applicable`.

    >>> phase_label([Phase.PHASE1, Phase.PHASE2]), phase_label([])
    ('Phase 1/Phase 2', 'Not Applicable')
    """
    return "/".join(label_of(phase) for phase in _in_order(phases)) or Phase.NA.label


def phase_rank(phases: Sequence[str]) -> int:
    """Order phases: NA or none 0, early 1, then 1, 1/2, 2, 2/3, 3, 3/4 and 4 from 2 to 8.

    >>> [phase_rank(phases) for phases in (["PHASE1"], ["PHASE1", "PHASE2"], ["PHASE2"])]
    [2, 3, 4]
    """
    ranks = [_SINGLE_RANK[phase] for phase in phases if phase in _SINGLE_RANK]
    return max(max(ranks, default=0) - (len(ranks) > 1), 0)
