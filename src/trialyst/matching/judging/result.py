"""What a judge says of one criterion: a verdict on the statement, with its evidence and reason.

The verdict speaks of the statement: MET on an exclusion criterion means that the patient has what
excludes. Quotes are spans of the note, so they occur in it by construction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from trialyst.ctgov.criteria import CriterionKind
from trialyst.ctgov.suggest import unknown_value
from trialyst.eligibility.answer import Applicability, Verdict
from trialyst.eligibility.chart import Chart
from trialyst.eligibility.evaluate import Focus
from trialyst.eligibility.requirement import Requirement
from trialyst.errors import InvalidInput

__all__ = [
    "SURE",
    "Applicability",
    "CriterionResult",
    "Judge",
    "Quote",
    "Statement",
    "Verdict",
    "evaluate_criterion",
    "parse_criterion_type",
]

SURE = 0.9
"""From here on a disqualifying verdict excludes; below it is only possible."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One criterion to judge."""

    text: str
    kind: CriterionKind
    opening: str | None = None
    """The statement that opens the list it stands in."""
    title: str = ""
    """The trial's title, which tells what the trial is about."""
    conditions: tuple[str, ...] = ()
    """The trial's conditions, as the registry names them."""
    trial: str = field(default="", compare=False)
    """The id of the trial."""
    requirement: Requirement | None = field(default=None, compare=False, repr=False)
    """What it demands, where that was read before; a judge by rules then need not parse it."""
    focus: Focus | None = field(default=None, compare=False, repr=False)
    """What the trial is about, where that was read before."""
    kept: dict[object, Any] = field(default_factory=dict, init=False, compare=False, repr=False)
    """What judges keep of it from patient to patient, each under itself."""

    @property
    def bound(self) -> str:
        """The text with what binds it, as a reader has it before the eyes."""
        return f"{self.opening} {self.text}" if self.opening else self.text


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of the note, always `note[start:end] == text`, and the sentence they stand in."""

    sentence: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class CriterionResult:
    """The judgement of one criterion for one note."""

    criterion: str
    criterion_type: CriterionKind
    verdict: Verdict
    confidence: float
    """How often verdicts given with such certainty are right, from 0 to 1."""
    applicability: Applicability
    sentences: tuple[int, ...]
    """Numbers of the note's sentences that the verdict rests on, in order."""
    quotes: tuple[Quote, ...]
    reasoning: str
    """One sentence."""
    reading: str = ""
    """How the criterion was understood, in plain words; empty where a model judged."""
    leaf: str = ""
    """The kind of part that decided, such as `Has`; empty where a model judged."""
    basis: str = ""
    """What the verdict rests on, such as `stated` or `silence`; empty where a model judged."""
    about_condition: bool = False
    """Whether it is met by a condition that the trial is about."""
    set_aside: bool = False
    """Whether a clinical demand was not compared, being taken for another's or for consent."""
    read_in_part: bool = False
    """Whether words that were not understood may turn a verdict in the patient's favour."""
    clears_in_days: int | None = None
    """After how many days it no longer disqualifies: what is left of a washout."""
    missing: str | None = None
    """What the note would have to tell to decide the criterion; only with UNKNOWN."""
    facts: tuple[str, ...] = ()
    """The same as facts to ask for: `platelet count`, `date of last chemotherapy`."""
    failure: str | None = None
    """Why a model that was asked gave no verdict; the rest is then what is known without it."""
    fabricated_quotes: int = 0
    """Quotes a model gave that do not occur in the note; they are dropped."""
    cost_usd: float = 0.0
    """What a model's answers cost, as far as their price is known."""
    cost_known: bool = True
    """False where the price of the model is not known: the cost then is no figure, not 0."""
    latency_seconds: float = 0.0

    @property
    def is_judged(self) -> bool:
        """Whether the judge gave a verdict, be it that the note does not tell."""
        if self.failure is not None:
            return False
        return self.verdict is not Verdict.UNKNOWN or self.confidence > 0

    @property
    def disqualifies(self) -> bool:
        """Whether this alone keeps the patient out of the trial."""
        bad = Verdict.MET if self.criterion_type is CriterionKind.EXCLUSION else Verdict.NOT_MET
        return self.criterion_type is not CriterionKind.OTHER and self.verdict is bad

    @property
    def possible(self) -> bool:
        """Whether it would keep the patient out but is not sure enough to do so."""
        return self.disqualifies and self.confidence < SURE


class Judge(Protocol):
    """Whatever can judge criteria: rules or a model."""

    @property
    def name(self) -> str:
        """What to call it in reports, such as `rules` or `provider:model`."""
        ...

    async def judge(
        self, patient: str | Chart, statements: Sequence[Statement], /
    ) -> list[CriterionResult]:
        """Judge statements against a note or what was read of one, one result each, in order."""
        ...


async def evaluate_criterion(
    note: str, criterion: str, criterion_type: CriterionKind | str, judge: Judge
) -> CriterionResult:
    """Judge one criterion against a note.

    Raises:
        InvalidInput: the note or the criterion is blank, or the type is not one.
    """
    for name, text in (("note", note), ("criterion", criterion)):
        if not text.strip():
            raise InvalidInput(f"{name} is blank", hint=f"Give the text of the {name}.")
    statement = Statement(criterion, parse_criterion_type(criterion_type))
    (result,) = await judge.judge(note, [statement])
    return result


def parse_criterion_type(text: CriterionKind | str | None) -> CriterionKind:
    """Read a criterion type, blind to case.

    >>> parse_criterion_type("Exclusion").value
    'exclusion'
    """
    try:
        return CriterionKind(str(text).strip().lower())
    except ValueError:
        raise unknown_value("criterion_type", str(text), tuple(CriterionKind)) from None
