"""The rules of judging, in the order they are asked; the first that knows an answer gives it.

What no rule knows is decided by the closed world: a note would tell of a disease, a drug or an
operation that excludes the patient, but not of all that a trial asks for.
"""

from __future__ import annotations

from collections.abc import Callable

from trialyst.ctgov.criteria import CriterionKind
from trialyst.matching.judging.amounts import judge_limits, judge_unmeasured
from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.circumstances import judge_alcohol, judge_companion, judge_menopause
from trialyst.matching.judging.conditions import judge_denied, judge_presence
from trialyst.matching.judging.doubts import judge_suspected, judge_touched, judge_treated
from trialyst.matching.judging.events import judge_events, judge_toxicity
from trialyst.matching.judging.facts import judge_told
from trialyst.matching.judging.markers import judge_markers
from trialyst.matching.judging.matches import find_matches
from trialyst.matching.judging.measured import judge_measured
from trialyst.matching.judging.permissions import judge_permitted
from trialyst.matching.judging.persons import (
    judge_ability,
    judge_age_and_sex,
    judge_age_beside,
    judge_childhood,
    judge_consent,
    judge_opinion,
    judge_other_sex,
    judge_pregnancy,
    judge_smoking,
)
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.silences import judge_silence
from trialyst.matching.judging.statement import ReadStatement
from trialyst.matching.judging.treatments import (
    judge_denial,
    judge_taken_drugs,
    judge_untold_treatment,
)
from trialyst.matching.judging.untreated import judge_untreated
from trialyst.matching.judging.view import NoteView

__all__ = ["decide", "open_case"]

_RULES: tuple[Callable[[Case], Decision | None], ...] = (
    judge_consent,
    judge_age_and_sex,
    judge_age_beside,
    judge_other_sex,
    judge_pregnancy,
    judge_measured,
    judge_markers,
    judge_events,
    judge_toxicity,
    judge_permitted,
    judge_untreated,
    judge_menopause,
    judge_alcohol,
    judge_companion,
    judge_told,
    judge_limits,
    judge_childhood,
    judge_opinion,
    judge_smoking,
    judge_treated,
    judge_denial,
    judge_taken_drugs,
    judge_suspected,
    judge_presence,
    judge_denied,
    judge_unmeasured,
    judge_untold_treatment,
    judge_ability,
    judge_touched,
)


def open_case(statement: ReadStatement, kind: CriterionKind, view: NoteView) -> Case:
    """Put a criterion beside a note."""
    return Case(statement, kind is CriterionKind.EXCLUSION, view, find_matches(statement, view))


def decide(case: Case) -> Decision:
    """Judge a case."""
    for rule in _RULES:
        decision = rule(case)
        if decision is not None:
            return decision
    return _closed_world(case)


def _closed_world(case: Case) -> Decision:
    if case.exclusion:
        return judge_silence(case) or Decision(
            "nothing told",
            Verdict.NOT_MET,
            "The note tells of nothing like it, which it would if it were so.",
        )
    return Decision("not told", Verdict.UNKNOWN, "The note does not tell enough to say.")
