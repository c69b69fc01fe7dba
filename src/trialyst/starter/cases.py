"""Constructed trials: studies written for one sample patient who fits, nearly fits or does not.

Each criterion carries what the patient's note says about it, so the verdict can be recomputed and
never drifts from the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources

__all__ = ["Case", "CaseCriterion", "Fit", "State", "cases", "cases_by_number"]

_FIRST, _STEP = 31, 47
"""Cases stand at every 47th number from 31, so that no ranking by id favours them."""


class State(StrEnum):
    """What the note says about a criterion, as a statement."""

    MET = "met"
    UNMET = "unmet"
    UNKNOWN = "unknown"
    ADMINISTRATIVE = "admin"
    """Consent and the like; no note states it and it decides nothing."""


class Fit(StrEnum):
    """How a patient stands to a trial."""

    FITS = "fits"
    NEARLY = "nearly_fits"
    NOT = "does_not_fit"


@dataclass(frozen=True, slots=True)
class CaseCriterion:
    """One criterion with the patient's state and the words of the note that show it."""

    text: str
    inclusion: bool
    state: State
    quote: str

    @property
    def obstacle(self) -> bool:
        """Whether it keeps the patient out, or would have to be settled first."""
        good = State.MET if self.inclusion else State.UNMET
        return self.state not in {good, State.ADMINISTRATIVE}


@dataclass(frozen=True, slots=True)
class Case:
    """A trial written for a patient."""

    patient: str
    condition: str
    title: str
    remedies: tuple[str, ...]
    phases: tuple[str, ...]
    min_age: int
    max_age: int | None
    sex: str
    status: str
    city: str
    criteria: tuple[CaseCriterion, ...]
    number: int

    def fit(self, *, age: int, sex: str) -> Fit:
        """Recompute how a patient of that age and sex stands to the trial."""
        count = len(self.obstacles(age=age, sex=sex))
        return Fit.FITS if count == 0 else Fit.NEARLY if count == 1 else Fit.NOT

    def obstacles(self, *, age: int, sex: str) -> tuple[str, ...]:
        """Name what stands against the patient, structured limits first."""
        found: list[str] = []
        if age < self.min_age or (self.max_age is not None and age > self.max_age):
            found.append(f"Age {self.min_age} to {self.max_age or 'no limit'}")
        if self.sex not in {"ALL", sex}:
            found.append(f"Sex {self.sex}")
        return (*found, *(c.text for c in self.criteria if c.obstacle))


@cache
def cases() -> tuple[Case, ...]:
    """Give all cases in file order."""
    text = resources.files("trialyst.starter").joinpath("data", "cases.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return tuple(_parse(lines))


@cache
def cases_by_number() -> Mapping[int, Case]:
    """Give the cases by their place in the registry."""
    return {case.number: case for case in cases()}


def _parse(lines: list[str]) -> Iterator[Case]:
    heads = [index for index, line in enumerate(lines) if line.startswith("> ")]
    for position, start in enumerate(heads):
        end = heads[position + 1] if position + 1 < len(heads) else len(lines)
        criteria = tuple(_criterion(line) for line in lines[start + 1 : end])
        yield _case(lines[start][2:], criteria, number=_FIRST + _STEP * position)


def _case(head: str, criteria: tuple[CaseCriterion, ...], *, number: int) -> Case:
    patient, condition, title, remedies, phases, ages, sex, status, city = (
        cell.strip() for cell in head.split("|")
    )
    low, _, high = ages.partition("-")
    return Case(
        patient=patient,
        condition=condition,
        title=title,
        remedies=tuple(name.strip() for name in remedies.split("+")),
        phases=tuple(phases.split("/")),
        min_age=int(low),
        max_age=int(high) if high else None,
        sex=sex,
        status=status,
        city=city,
        criteria=criteria,
        number=number,
    )


def _criterion(line: str) -> CaseCriterion:
    text, state, quote = (*(cell.strip() for cell in line[2:].split("|")), "")[:3]
    return CaseCriterion(text, line[0] == "+", State(state), quote.strip('"'))
