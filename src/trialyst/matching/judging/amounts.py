"""Rules about measured values: those the note gives, and those it does not."""

from __future__ import annotations

import re

from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.limits import Reading
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.view import Sighting

__all__ = ["judge_limits", "judge_unmeasured"]

_PLAIN = 8
"""Words of content up to which a criterion with a limit asks for little else."""
_CHANGE = re.compile(r"\b(?:decrease|drop|change|reduction|increase|rise|fall)s?\b (?:of|in)\b")
_NAMED_STATE = re.compile(
    r"\bknown\b|\buse of\b|\btaking\b|\btreatment\b|\btherap|\bmedication"
    r"|impair|insufficien|failure|disease|dysfunction|disorder|hemoly|haemoly"
    r"|inadequate|\wemia\b|\wpenia\b|\b(?:loss|gain)\b"
)


def judge_limits(case: Case) -> Decision | None:
    """Limits on values the note gives."""
    statement, view = case.statement, case.view
    if not statement.limits or _CHANGE.search(statement.lowered):
        return None
    results = [
        (limit.holds(reading.value), reading)
        for limit in statement.limits
        for reading in view.readings.get(limit.quantity, ())[-1:]
    ]
    met = [reading for holds, reading in results if holds]
    quantities = {limit.quantity for limit in statement.limits}
    alone = len(quantities) == 1 and len(statement.contents) <= _PLAIN
    if met and (alone or case.exclusion or statement.speaks_of("choice", "list")):
        return _told(Verdict.MET, met)
    if results and not met and alone:
        return _told(Verdict.NOT_MET, [reading for _, reading in results])
    return None


def _told(verdict: Verdict, readings: list[Reading]) -> Decision:
    first = readings[0]
    places = tuple(Sighting(item.sentence, item.start, item.end, "has") for item in readings)
    reason = f"The note gives {first.quantity} as {first.value:.4g}."
    return Decision("limit", verdict, reason, places)


def judge_unmeasured(case: Case) -> Decision | None:
    """A measurement the note does not give; a disease defined by one is no measurement."""
    statement = case.statement
    if not statement.speaks_of("laboratory", "body_size", "lung_function"):
        return None
    if not statement.speaks_of("comparison"):
        return None
    if case.exclusion and (
        _NAMED_STATE.search(statement.lowered)
        or statement.speaks_of("severity", "history", "infection", "viral", "active", "procedure")
    ):
        return None
    names = ", ".join(dict.fromkeys(limit.quantity for limit in statement.limits))
    return Decision(
        "unmeasured",
        Verdict.UNKNOWN,
        "The note does not give the value the criterion asks for.",
        missing=names or "the measurement asked for",
    )
