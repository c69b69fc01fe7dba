"""`Has`: a condition, symptom or finding, asked of the problems of a chart."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from trialyst.eligibility.answer import Answer, Basis, Verdict
from trialyst.eligibility.chart import Assertion, Problem
from trialyst.eligibility.comparison.general import answer_general, asks_serious, is_serious
from trialyst.eligibility.comparison.qualifiers import check_problem
from trialyst.eligibility.requirement import Has, Tense
from trialyst.vocabulary.relations import Relation
from trialyst.vocabulary.term import TermKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trialyst.eligibility.comparison.case import Case
    from trialyst.vocabulary.term import Term

__all__ = ["answer_has"]

_WITHIN = frozenset({Relation.SAME, Relation.NARROWER})
_OTHER = "other"
_NO_KIN = frozenset(
    "husband wife spouse partner boyfriend girlfriend roommate fiance donor neighbor neighbour "
    "classmate classmates coworker".split()
)
"""People of whom a note tells who are no relatives by blood."""
_SUSPECTED = frozenset({"suspected", "probable", "possible", "presumed"})
_DENYING = frozenset({Relation.SAME, Relation.WIDER})


def answer_has(leaf: Has, case: Case, *, wanted: bool) -> Answer:
    """Say whether the patient has what a leaf asks."""
    if leaf.what is None:
        if leaf.general:
            return answer_general(leaf, case, wanted=wanted)
        return case.silent("Has", "unknown words", wanted=wanted, missing=leaf.words)
    if leaf.family:
        return _of_family(leaf, leaf.what, case, wanted=wanted)
    return _of_patient(leaf, leaf.what, case, wanted=wanted)


def _of_patient(leaf: Has, what: Term, case: Case, *, wanted: bool) -> Answer:
    found = case.touched.problems_near(what)
    serious = case.exclusion and not wanted and asks_serious(leaf)
    held = [
        problem
        for problem, relation in found
        if problem.is_there
        and relation in _WITHIN
        and (relation is Relation.SAME or not serious or is_serious(problem))
    ]
    held = [problem for problem in held if not _is_only_sign(problem, what)]
    if held and (_OTHER in leaf.modifiers.split() or (case.exclusion and not wanted)):
        held = [problem for problem in held if not _is_own_disease(leaf, what, problem, case)]
    if held:
        return _held(leaf, held, case, wanted=wanted)
    denied = [problem for problem, relation in found if _denies(problem) and relation in _DENYING]
    if denied:
        why = f"The chart denies {denied[0].what.name.lower()}."
        return Answer(Verdict.NOT_MET, Basis.DENIED, "Has", tuple(denied[:1]), why)
    doubtful = [
        problem
        for problem, relation in found
        if problem.assertion is Assertion.POSSIBLE
        and relation in _WITHIN
        and not (case.exclusion and _is_own_disease(leaf, what, problem, case))
    ]
    if doubtful and not _SUSPECTED.isdisjoint(leaf.activity.replace(",", " ").split()):
        why = f"{doubtful[0].what.name} is suspected."
        return Answer(Verdict.MET, Basis.INFERRED, "Has", tuple(doubtful[:2]), why)
    if doubtful:
        return Answer(
            Verdict.UNKNOWN,
            Basis.RELATED,
            "Has",
            tuple(doubtful[:2]),
            f"{doubtful[0].what.name} is possible, not established.",
            leaf.words,
        )
    return _not_found(leaf, what, case, found, wanted=wanted)


_SIGNS = ("C23.888", "C10.597", "C23.300")
"""MeSH branches of signs, symptoms and pathological processes."""


def _is_only_sign(problem: Problem, what: Term) -> bool:
    """Whether a problem is a sign that stands under a class of diseases without being one."""
    return (
        any(tree.startswith(_SIGNS) for tree in problem.what.trees)
        and bool(what.trees)
        and not any(tree.startswith(_SIGNS) for tree in what.trees)
        and problem.what.id != what.id
    )


def _is_own_disease(leaf: Has, what: Term, problem: Problem, case: Case) -> bool:
    """Whether a problem is what the trial is about: a trial does not rule out its own disease.

    What is ruled out then is another kind of it, or another disease of the same sort.
    """
    main = case.chart.main
    if _is_before(leaf, problem, case):
        return True
    if _OTHER in leaf.modifiers.split():
        if problem.kind is TermKind.SYMPTOM and case.topic == "own":
            return True
        own = main is not None and case.relate(problem.what, main.what) is not Relation.UNRELATED
        return own or case.is_focus(problem.what)
    if case.focus is None or not case.is_focus(problem.what):
        return False
    return bool(leaf.modifiers) or any(
        case.relate(each, what) in _WITHIN for each in case.focus.conditions
    )


def _is_before(leaf: Has, problem: Problem, case: Case) -> bool:
    """Whether "a history of" it asks for an earlier time than the one the patient comes with."""
    main = case.chart.main
    return (
        main is not None
        and case.topic == "own"
        and leaf.tense is Tense.EVER
        and leaf.when is None
        and problem.what.id == main.what.id
        and problem.assertion is not Assertion.HISTORICAL
        and not problem.activity
    )


def _denies(problem: Problem) -> bool:
    return problem.negated and problem.assertion is Assertion.ABSENT


def _held(leaf: Has, held: list[Problem], case: Case, *, wanted: bool) -> Answer:
    """Answer for problems that are there, the one that fits best."""
    answers = [check_problem(leaf, problem, case, wanted=wanted) for problem in held]
    for verdict in (Verdict.MET, Verdict.UNKNOWN, Verdict.NOT_MET):
        told = [answer for answer in answers if answer.verdict is verdict]
        if told:
            others = (entry for each in told[1:] for entry in each.evidence)
            evidence = {entry.sentence: entry for entry in (*others, *told[0].evidence)}
            first = told[0].evidence[0]
            shown = sorted(evidence.values(), key=lambda entry: entry is not first)
            return replace(told[0], evidence=tuple(shown[:_MENTIONS]))
    raise AssertionError("a problem that holds has a verdict")


_MENTIONS = 2
"""Sentences that tell of a problem which are quoted."""


def _not_found(
    leaf: Has,
    what: Term,
    case: Case,
    found: Sequence[tuple[Problem, Relation]],
    *,
    wanted: bool,
) -> Answer:
    siblings = [each for each, relation in found if each.is_there and relation is Relation.SIBLING]
    wider = [
        each
        for each, relation in found
        if each.is_there
        and relation is Relation.WIDER
        and not any(case.relate(kind.what, each.what) is Relation.NARROWER for kind in siblings)
    ]
    if wider:
        return _wider(leaf, wider, case, wanted=wanted)
    other = _other_group(leaf, what, case, found) if wanted and not case.exclusion else None
    if other is not None:
        return other
    near = tuple(each for each, _ in found if each.holds)
    about = _about(leaf, case, what)
    return case.silent("Has", about, wanted=wanted, missing=leaf.words, evidence=near[:2])


def _wider(leaf: Has, wider: list[Problem], case: Case, *, wanted: bool) -> Answer:
    """Answer where the chart has a wider thing: whether it is of this kind is not told."""
    answer = case.silent("Has", "kind of a problem", wanted=wanted, missing=leaf.words)
    if answer.verdict is not Verdict.UNKNOWN:
        return answer
    return Answer(
        Verdict.UNKNOWN,
        Basis.DETAIL,
        answer.leaf,
        tuple(wider[:1]),
        f"The chart has {wider[0].what.name.lower()}, not of which kind.",
        leaf.words,
    )


def _other_group(
    leaf: Has, what: Term, case: Case, found: Sequence[tuple[Problem, Relation]]
) -> Answer | None:
    """Answer for the condition that defines the wanted group where the patient has another."""
    main = case.chart.main
    siblings = [each for each, relation in found if each.is_there and relation is Relation.SIBLING]
    if siblings and leaf.kind is TermKind.CONDITION and leaf.tense is Tense.NOW:
        shown = siblings[0]
    elif (
        main is not None
        and TermKind.CONDITION is leaf.kind is main.kind
        and case.is_focus(what)
        and not main.inferred_from
    ):
        shown = main
    else:
        return None
    why = f"The patient has {shown.what.name.lower()}, not {what.name.lower()}."
    return Answer(Verdict.NOT_MET, Basis.OTHER_GROUP, "Has", (shown,), why)


def _about(leaf: Has, case: Case, what: Term) -> str:
    """Give what silence about a condition is keyed by."""
    if case.is_focus(what):
        return "focus"
    if leaf.kind is TermKind.SYMPTOM:
        return "symptom"
    return "history" if leaf.tense is Tense.EVER else "condition"


def _of_family(leaf: Has, what: Term, case: Case, *, wanted: bool) -> Answer:
    for problem in case.chart.problems:
        kin = problem.assertion is Assertion.FAMILY and problem.relative not in _NO_KIN
        if kin and case.relate(problem.what, what) in _WITHIN:
            verdict = Verdict.NOT_MET if problem.negated else Verdict.MET
            return Answer(verdict, Basis.STATED, "Has", (problem,), "The family history tells.")
    return case.silent("Has", "family", wanted=wanted, missing=f"family history of {leaf.words}")
