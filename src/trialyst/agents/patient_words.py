"""What a coordinator reads of a matched trial: its standing, why in short, and what to do next."""

from __future__ import annotations

from enum import StrEnum

from trialyst.agents.wording import shorten
from trialyst.ctgov.criteria import CriterionKind
from trialyst.matching.judging.result import Applicability, CriterionResult, Verdict
from trialyst.matching.report import MatchedTrial
from trialyst.matching.verdict import TrialVerdict
from trialyst.matching.wording import clearing_words

__all__ = ["Group", "group_of", "next_step", "short_why"]

_SHORT = 84
_SAYS_LITTLE = frozenset({"Age", "Sex"})
"""What criteria ask for that say little of why a trial fits."""
_FACTS = 2


class Group(StrEnum):
    """What a criterion means for the patient, the most pressing first."""

    CONFLICT = "conflict"
    POSSIBLE = "possible conflict"
    OPEN = "open"
    PARTLY = "understood in part"
    FINE = "fine"
    CONFIRM = "to confirm"


def group_of(result: CriterionResult) -> Group:
    """Say in which group of a trial's page a criterion stands."""
    if result.disqualifies:
        return Group.POSSIBLE if result.possible else Group.CONFLICT
    if result.verdict is not Verdict.UNKNOWN:
        return Group.PARTLY if result.read_in_part else Group.FINE
    return Group.OPEN if result.applicability is Applicability.APPLIES else Group.CONFIRM


def short_why(trial: MatchedTrial) -> str:
    """Say in a line what a verdict rests on."""
    results = trial.assessment.results
    if trial.problem:
        return shorten(trial.problem, _SHORT)
    if trial.verdict is TrialVerdict.NOT_RELEVANT:
        return shorten(f"About {'; '.join(trial.candidate.conditions)}", _SHORT)
    conflicts = [each for each in results if group_of(each) is Group.CONFLICT]
    conflicts = conflicts or list(trial.assessment.possible)
    if conflicts:
        more = f" (+{len(conflicts) - 1})" if len(conflicts) > 1 else ""
        until = clearing_words(trial).partition(",")[0]
        return shorten(_conflict(conflicts[0]), _SHORT) + more + (f"; {until}" if until else "")
    met = [each for each in results if _tells_fit(each)]
    met.sort(key=lambda each: not each.about_condition)
    fine = sum(group_of(each) in (Group.FINE, Group.PARTLY) for each in results)
    open_ones = sum(group_of(each) is Group.OPEN for each in results)
    told = f"{fine} fine, {open_ones} open"
    return f"{told}; {shorten(met[0].criterion, _SHORT - len(told))}" if met else told


def _tells_fit(result: CriterionResult) -> bool:
    included = result.criterion_type is CriterionKind.INCLUSION and result.verdict is Verdict.MET
    return included and bool(result.quotes) and result.leaf not in _SAYS_LITTLE


def _conflict(result: CriterionResult) -> str:
    may = "May " if result.possible else ""
    if result.criterion_type is CriterionKind.EXCLUSION:
        return f"{may}{'have' if may else 'Has'}: {result.criterion}"
    return f"{may}{'not' if may else 'Does not'} meet: {result.criterion}"


def next_step(trial: MatchedTrial) -> str:
    """Say what to do about a trial."""
    match trial.verdict:
        case TrialVerdict.ELIGIBLE:
            people = [*trial.contacts, *(site.contact for site in trial.sites if site.contact)]
            # The name and one way to reach them; the trial's own page has all.
            whom = ", ".join(people[0].split(", ")[:2]) if people else ""
            return f"Confirm with the site{f': {whom}' if whom else ''}"
        case TrialVerdict.UNCERTAIN:
            missing = trial.assessment.missing
            if trial.assessment.possible and not missing:
                return "Check the possible conflict against the chart"
            if not missing and trial.assessment.read_in_part:
                return "Read what was understood in part"
            if not missing:
                return "Read the criteria with the site"
            listed = "; ".join(shorten(each, _SHORT // 2) for each in missing[:_FACTS])
            more = f" (+{len(missing) - _FACTS})" if len(missing) > _FACTS else ""
            return f"Ask: {listed}{more}"
        case TrialVerdict.EXCLUDED:
            return clearing_words(trial).capitalize() or "Check the conflict against the chart"
    return ""
