"""Signals of a drug and a condition at the cutoff, each a set of conditions of one drug.

A set of conditions is the bits of a number, so that millions of untested pairs are counted by
arithmetic and never listed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from trialyst.ctgov.phases import phase_rank
from trialyst.repurposing.grading import LATE, PHASE_2
from trialyst.repurposing.views import STOPPED

if TYPE_CHECKING:
    from trialyst.repurposing.backtest.reading import Sighting

__all__ = [
    "MANY_TRIALS",
    "RECENT_YEARS",
    "ClassMates",
    "Field",
    "Signal",
    "Standing",
    "Track",
    "read_signals",
]

RECENT_YEARS = 2
"""Trials first posted so many years before the cutoff are recent."""
MANY_TRIALS = 10
"""From so many trials on a drug or a condition is busy."""

Standing = tuple[str | None, tuple[str, ...]]
"""The status, None where it was not known, and the phases of a trial: all that a grade asks for."""


class Signal(StrEnum):
    """Something known of a drug and a condition at the cutoff."""

    DRUG_BUSY = "drug_busy"
    DRUG_RECENT = "drug_recent"
    DRUG_LATE = "drug_late"
    CONDITION_BUSY = "condition_busy"
    CONDITION_RECENT = "condition_recent"
    BOTH_BUSY = "both_busy"
    NEAR_TESTED = "near_tested"
    CLASS_TESTED = "class_tested"
    CLASS_LATE = "class_late"
    CLASS_STOPPED = "class_stopped"
    PAIR_REPEATED = "pair_repeated"
    PAIR_RECENT = "pair_recent"
    PAIR_PHASE_2 = "pair_phase_2"
    PAIR_STOPPED = "pair_stopped"
    PAIR_STOPPED_GRAVELY = "pair_stopped_gravely"

    @property
    def meaning(self) -> str:
        """What holds of a pair that has it."""
        return _MEANINGS[self]

    @property
    def of_trials(self) -> bool:
        """Whether only a pair with trials can have it."""
        return self.value.startswith("pair_")


_MEANINGS: Mapping[Signal, str] = {
    Signal.DRUG_BUSY: f"the drug had {MANY_TRIALS} trials or more, in any condition",
    Signal.DRUG_RECENT: f"the drug had a trial posted in the {RECENT_YEARS} years to the cutoff",
    Signal.DRUG_LATE: "the drug had a phase 3 or 4 trial, in any condition",
    Signal.CONDITION_BUSY: f"the condition had {MANY_TRIALS} drug trials or more",
    Signal.CONDITION_RECENT: (
        f"the condition had a drug trial posted in the {RECENT_YEARS} years to the cutoff"
    ),
    Signal.BOTH_BUSY: "drug_busy and condition_busy",
    Signal.NEAR_TESTED: "the drug had a trial in a sister condition, by MeSH",
    Signal.CLASS_TESTED: "another drug of its class had a trial in the condition",
    Signal.CLASS_LATE: "another drug of its class had a phase 3 or 4 trial in the condition",
    Signal.CLASS_STOPPED: "a trial of another drug of its class in the condition had stopped",
    Signal.PAIR_REPEATED: "the pair had two trials or more",
    Signal.PAIR_RECENT: f"the pair had a trial posted in the {RECENT_YEARS} years to the cutoff",
    Signal.PAIR_PHASE_2: "the pair had reached phase 2",
    Signal.PAIR_STOPPED: "a trial of the pair was known to have stopped",
    Signal.PAIR_STOPPED_GRAVELY: "a trial of the pair had stopped for safety or efficacy",
}


@dataclass(slots=True)
class Track:
    """Where the trials of one drug had been, and how far."""

    trials: int = 0
    has_recent: bool = False
    has_late: bool = False
    tested: int = 0
    repeated: int = 0
    recent: int = 0
    advanced: int = 0
    late: int = 0
    stopped: int = 0
    grave: int = 0
    near: int = 0
    """The sisters of the conditions that its trials name."""
    standings: dict[Standing, int] = field(default_factory=dict)

    def add(self, seen: Sighting, *, conditions: int, sisters: int, is_recent: bool) -> None:
        """Take a trial of the drug."""
        is_late = not LATE.isdisjoint(seen.phases)
        self.trials += 1
        self.has_recent |= is_recent
        self.has_late |= is_late
        self.repeated |= self.tested & conditions
        self.tested |= conditions
        self.near |= sisters
        if is_recent:
            self.recent |= conditions
        if is_late:
            self.late |= conditions
        if phase_rank(seen.phases) >= PHASE_2:
            self.advanced |= conditions
        if seen.status in STOPPED:
            self.stopped |= conditions
        if seen.grave:
            self.grave |= conditions
        standing = (seen.status, seen.phases)
        self.standings[standing] = self.standings.get(standing, 0) | conditions


@dataclass(frozen=True, slots=True)
class Field:
    """What is the same for every drug: all conditions, and which of them were busy or recent."""

    everything: int
    busy: int
    recent: int


@dataclass(frozen=True, slots=True)
class ClassMates:
    """Where other drugs of a drug's classes had been."""

    tested: int = 0
    late: int = 0
    stopped: int = 0


def read_signals(track: Track, field_: Field, mates: ClassMates) -> dict[Signal, int]:
    """Give, for each signal, the conditions in which one drug has it."""
    everywhere = field_.everything
    busy = everywhere if track.trials >= MANY_TRIALS else 0
    return {
        Signal.DRUG_BUSY: busy,
        Signal.DRUG_RECENT: everywhere if track.has_recent else 0,
        Signal.DRUG_LATE: everywhere if track.has_late else 0,
        Signal.CONDITION_BUSY: field_.busy,
        Signal.CONDITION_RECENT: field_.recent,
        Signal.BOTH_BUSY: busy & field_.busy,
        Signal.NEAR_TESTED: track.near,
        Signal.CLASS_TESTED: mates.tested,
        Signal.CLASS_LATE: mates.late,
        Signal.CLASS_STOPPED: mates.stopped,
        Signal.PAIR_REPEATED: track.repeated,
        Signal.PAIR_RECENT: track.recent,
        Signal.PAIR_PHASE_2: track.advanced,
        Signal.PAIR_STOPPED: track.stopped,
        Signal.PAIR_STOPPED_GRAVELY: track.grave,
    }
