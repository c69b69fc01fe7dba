"""Counts to shares: how many pairs of each grade and signal were followed by what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from trialyst.repurposing.backtest.models import BacktestLine, Following, Scope
from trialyst.repurposing.backtest.signals import Signal
from trialyst.repurposing.models import Grade

if TYPE_CHECKING:
    from trialyst.repurposing.backtest.past import DrugPast, Past
    from trialyst.repurposing.backtest.reading import Sequel

__all__ = ["GRADES", "Followed", "Tally", "follow", "wilson_interval"]

Z = 1.959963984540054
"""The 97.5th percentile of the normal distribution."""
GRADES = (Grade.UNTESTED, Grade.EARLY, Grade.ACTIVE, Grade.ESTABLISHED, Grade.STOPPED)
_PLACES = 6

_MEANINGS = {
    Grade.UNTESTED: "no trial",
    Grade.EARLY: "trials that make no other grade",
    Grade.ACTIVE: "an ongoing trial of phase 2 or later",
    Grade.ESTABLISHED: "a completed trial of phase 3 or 4",
    Grade.STOPPED: "every trial stopped",
}
_BASES = {
    Scope.ALL: "all pairs",
    Scope.UNTESTED: "all untested pairs",
    Scope.TESTED: "all pairs with a trial",
}


class Followed(NamedTuple):
    """The conditions in which something of one drug followed."""

    new_trial: int = 0
    phase_3: int = 0
    stop: int = 0


class _Counts(NamedTuple):
    pairs: int = 0
    new_trial: int = 0
    phase_3: int = 0
    stop: int = 0


def follow(sequels: Iterable[Sequel], past: Past) -> dict[str, Followed]:
    """Give, for each drug of the past, the conditions of the past in which something followed."""
    found: dict[str, Followed] = {}
    drugs = set(past.drugs)
    for sequel in sequels:
        conditions = past.reach(sequel.conditions)
        if not conditions:
            continue
        for drug in sequel.drugs:
            if drug.key in drugs:
                new, late, stop = found.get(drug.key, Followed())
                found[drug.key] = Followed(
                    new | conditions if sequel.new_trial else new,
                    late | conditions if sequel.phase_3 else late,
                    stop | conditions if sequel.stop else stop,
                )
    return found


class Tally:
    """Counts pairs drug by drug."""

    def __init__(self) -> None:
        self._counts: dict[tuple[Scope, str], _Counts] = defaultdict(_Counts)

    def add(self, drug: DrugPast, followed: Followed) -> None:
        """Count the pairs of one drug."""
        tested = 0
        for grade, conditions in drug.grades.items():
            self._count(Scope.ALL, grade, conditions, followed)
            if grade is not Grade.UNTESTED:
                tested |= conditions
        untested = drug.grades[Grade.UNTESTED]
        for scope, among in (
            (Scope.ALL, tested | untested),
            (Scope.UNTESTED, untested),
            (Scope.TESTED, tested),
        ):
            self._count(scope, "", among, followed)
        for signal, conditions in drug.signals.items():
            self._count(Scope.TESTED, signal, conditions & tested, followed)
            if not signal.of_trials:
                self._count(Scope.UNTESTED, signal, conditions & untested, followed)

    def pairs(self, scope: Scope) -> int:
        """Give how many pairs there are in a scope."""
        return self._counts[scope, ""].pairs

    def lines(self) -> tuple[BacktestLine, ...]:
        """Give the report: grades, then signals among untested, then among tested pairs."""
        return tuple(self._lines())

    def _lines(self) -> Iterator[BacktestLine]:
        yield self._base(Scope.ALL)
        for grade in GRADES:
            yield self._line(Scope.ALL, "grade", grade.value, _MEANINGS[grade])
        for scope in (Scope.UNTESTED, Scope.TESTED):
            yield self._base(scope)
            for signal in Signal:
                if scope is Scope.TESTED or not signal.of_trials:
                    yield self._line(scope, "signal", signal.value, signal.meaning)

    def _count(self, scope: Scope, name: str, conditions: int, followed: Followed) -> None:
        if conditions:
            pairs, new, late, stop = self._counts[scope, name]
            self._counts[scope, name] = _Counts(
                pairs + conditions.bit_count(),
                new + (conditions & followed.new_trial).bit_count(),
                late + (conditions & followed.phase_3).bit_count(),
                stop + (conditions & followed.stop).bit_count(),
            )

    def _base(self, scope: Scope) -> BacktestLine:
        return self._line(scope, "base", "", _BASES[scope])

    def _line(self, scope: Scope, kind: str, name: str, meaning: str) -> BacktestLine:
        pairs, *followed = self._counts[scope, name]
        all_pairs, *all_followed = self._counts[scope, ""]
        new, late, stop = (
            _following(part, pairs, whole, all_pairs)
            for part, whole in zip(followed, all_followed, strict=True)
        )
        return BacktestLine(
            scope=scope,
            kind=kind,
            name=name or f"{scope.value}_pairs",
            meaning=meaning,
            pairs=pairs,
            new_trial=new,
            phase_3=late,
            stop=stop,
        )


def wilson_interval(part: int, whole: int) -> tuple[float, float]:
    """Give the 95 % interval of a share, after Wilson; it never leaves 0 to 1.

    >>> [round(end, 4) for end in wilson_interval(0, 10)]
    [0.0, 0.2775]
    """
    share = part / whole
    middle = share + Z * Z / (2 * whole)
    half = Z * sqrt(share * (1 - share) / whole + Z * Z / (4 * whole * whole))
    scale = 1 + Z * Z / whole
    low = 0.0 if part == 0 else (middle - half) / scale
    high = 1.0 if part == whole else (middle + half) / scale
    return low, high


def _following(part: int, whole: int, base_part: int, base_whole: int) -> Following:
    if not whole:
        return Following(pairs=0, share=None, low=None, high=None, lift=None)
    low, high = wilson_interval(part, whole)
    lift = (part / whole) / (base_part / base_whole) if base_part else None
    return Following(
        pairs=part,
        share=_rounded(part / whole),
        low=_rounded(low),
        high=_rounded(high),
        lift=None if lift is None else round(lift, 3),
    )


def _rounded(share: float) -> float:
    """Keep six digits that count: shares of untested pairs are tiny."""
    return float(f"{share:.{_PLACES}g}")
