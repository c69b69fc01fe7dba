"""Details that a leaf asks of a problem that is there: stage, severity, activity, time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.eligibility.answer import Answer, Basis, Verdict
from trialyst.eligibility.chart import Assertion, Problem
from trialyst.eligibility.comparison.windows import fits_window
from trialyst.eligibility.requirement import Has, Tense

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trialyst.eligibility.comparison.case import Case

__all__ = ["check_problem", "tells_kind"]

_UNSPECIFIC = frozenset(
    "other another with of any known idiopathic chief complaint co existent coexistent concomitant "
    "concurrent signs symptoms evidence clinical clinically confirmed diagnosed documented typical "
    "definite established at least sporadic demonstrable suffer suffering radiographically "
    "bacteriologically histologically recognised recognized present presence".split()
)
"""Words beside a name that tell no kind of it."""
_RESOLVED = frozenset({"resolved", "remission", "cured", "healed"})
_SCALES = (
    {"mild": 1, "moderate": 2, "severe": 3},
    {"controlled": 1, "stable": 1, "uncontrolled": 2, "unstable": 2},
)
"""How bad a problem is, and whether it is under control: the one does not tell the other."""
_OF_ANY = frozenset(
    "active acute chronic known current symptomatic suspected probable possible presumed".split()
)
"""Courses that a problem has unless the chart says otherwise."""
_SPREAD = frozenset({"metastatic", "advanced", "disseminated", "unresectable", "inoperable"})
"""Courses of a cancer that has spread."""
_ALIKE = (
    ("recurrent", "relapsed", "relapsing", "refractory"),
    ("metastatic", "advanced", "unresectable", "disseminated"),
    ("progressive", "worsening", "progressing"),
)
"""Words for much the same course."""
_HOSPITAL = frozenset({"emergency", "inpatient", "intensive care"})
_LEFT_OPEN = frozenset({"time", "severity"})
"""Details of a problem that silence never decides: when it was, and how bad it is."""
_OPPOSED = (
    (frozenset({"active", "acute"}), frozenset({"resolved", "remission", "inactive"})),
    (frozenset({"acute"}), frozenset({"chronic"})),
    (frozenset({"chronic"}), frozenset({"acute"})),
    (
        frozenset({"newly diagnosed", "untreated"}),
        frozenset({"recurrent", "refractory", "relapsed"}),
    ),
    (frozenset({"metastatic"}), frozenset({"localized", "in situ"})),
    (frozenset({"localized"}), frozenset({"metastatic"})),
)


def check_problem(leaf: Has, problem: Problem, case: Case, *, wanted: bool) -> Answer:
    """Say whether a problem that is there is as the leaf asks it."""
    checks = (
        _kind(leaf, problem, case),
        _tense(leaf, problem),
        _stage(leaf, problem),
        _severity(leaf, problem),
        _activity(leaf, problem, case),
        _time(leaf, problem),
    )
    basis = Basis.INFERRED if problem.inferred_from else Basis.STATED
    if False in checks:
        why = f"{problem.what.name} is there, but not as asked."
        return Answer(Verdict.NOT_MET, basis, "Has/detail", (problem,), why)
    if None in checks:
        detail = _detail(leaf)
        answer = case.silent("Has", f"{detail} of a problem", wanted=wanted)
        if detail in _LEFT_OPEN or answer.verdict is Verdict.UNKNOWN:
            why = f"{problem.what.name} is there; {detail} is not told."
            missing = f"{detail} of {leaf.words}"
            return Answer(Verdict.UNKNOWN, Basis.DETAIL, answer.leaf, (problem,), why, missing)
        why = f"{problem.what.name} is there; nothing says it is as asked."
        return Answer(answer.verdict, Basis.DETAIL, answer.leaf, (problem,), why)
    return Answer(
        Verdict.MET, basis, "Has", (problem,), f"The chart has {problem.what.name.lower()}."
    )


def _kind(leaf: Has, problem: Problem, case: Case) -> bool | None:
    """Whether a problem is of the kind that words beside the name ask for."""
    beside = case.chart.around(problem)
    told = f"{beside} {problem.site} {problem.activity} {problem.what.name}"
    return True if tells_kind(leaf.modifiers, told) else None


def tells_kind(modifiers: str, told: str) -> bool:
    """Whether what is told of an entry holds all words that narrow a name down."""
    lowered = told.lower()
    return all(word in lowered for word in modifiers.split() if word not in _UNSPECIFIC)


def _tense(leaf: Has, problem: Problem) -> bool | None:
    if leaf.tense is not Tense.NOW or leaf.when is not None:
        return True
    return problem.activity not in _RESOLVED


def _stage(leaf: Has, problem: Problem) -> bool | None:
    if not leaf.stage:
        return True
    if not problem.stage:
        return None
    mine = problem.stage.upper()
    return any(_same_stage(mine, stage.upper()) for stage in leaf.stage)


def _same_stage(mine: str, wanted: str) -> bool:
    return mine == wanted or (mine.startswith(wanted) and mine[len(wanted) :].strip("ABC") == "")


def _severity(leaf: Has, problem: Problem) -> bool | None:
    told = [_on_scale(scale, leaf.severity, problem.severity) for scale in _SCALES]
    if False in told:
        return False
    return None if None in told else True


def _on_scale(scale: Mapping[str, int], wanted: str, told: str) -> bool | None:
    """Whether something is at least as bad as asked; "mild to moderate" is no worse either."""
    asked = [scale[word] for word in wanted.split() if word in scale]
    if not asked:
        return True
    mine = [scale[word] for word in told.split() if word in scale]
    if not mine:
        return None
    worst = max(asked) if min(asked) < max(asked) or max(asked) == 1 else max(scale.values())
    return min(asked) <= max(mine) <= worst


def _activity(leaf: Has, problem: Problem, case: Case) -> bool | None:
    """Whether a problem takes one of the courses asked for."""
    asked = [course for course in leaf.activity.split(", ") if course]
    told = [_course(course, problem, case) for course in asked]
    if True in told or not told:
        return True
    return None if None in told else False


def _course(asked: str, problem: Problem, case: Case) -> bool | None:
    mine = problem.activity
    if asked in mine or (mine and mine in asked) or _are_alike(asked, mine):
        return True
    for words, contrary in _OPPOSED:
        if any(word in asked for word in words) and any(word in mine for word in contrary):
            return False
    if "exacerbation" in asked and _comes_with(problem, case):
        return True
    if not _OF_ANY.isdisjoint(asked.split(" or ")):
        over = asked == "active" and problem.assertion is Assertion.HISTORICAL
        return None if over else True
    return _metastatic(problem, case) if asked in _SPREAD else None


def _comes_with(problem: Problem, case: Case) -> bool:
    """Whether a problem is what brought the patient to a hospital."""
    main = case.chart.main
    brought = any(fact.role in _HOSPITAL and not fact.negated for fact in case.chart.person)
    return main is not None and problem.what.id == main.what.id and brought


def _are_alike(asked: str, mine: str) -> bool:
    return any(
        any(word in asked for word in words) and any(word in mine for word in words)
        for words in _ALIKE
    )


def _metastatic(problem: Problem, case: Case) -> bool | None:
    if "metasta" in problem.activity or problem.stage.upper().startswith("IV"):
        return True
    others = (each.what.name.lower() for each in case.chart.problems if each.holds)
    return True if any("metasta" in name for name in others) else None


def _time(leaf: Has, problem: Problem) -> bool | None:
    if leaf.when is None:
        return True
    current = problem.assertion is Assertion.PRESENT and problem.activity not in _RESOLVED
    return fits_window(leaf.when, problem.when, current=current)


def _detail(leaf: Has) -> str:
    if leaf.modifiers:
        return "kind"
    if leaf.stage:
        return "stage"
    if leaf.when is not None:
        return "time"
    return "severity" if leaf.severity else "course"
