"""The order of a match: one sum of named measures."""

from __future__ import annotations

from typing import Any

from trialyst.ctgov.criteria import CriterionKind
from trialyst.matching.asking import facts_to_ask
from trialyst.matching.fit import (
    FIXED,
    ORDERED,
    SIGNS,
    fit_terms,
    fit_weights,
    measure_fit,
)
from trialyst.matching.judging.result import Applicability, CriterionResult, Verdict
from trialyst.matching.learned import FOLDS, Learned, note_digest
from trialyst.matching.prescreen.candidates import TrialCandidate
from trialyst.matching.prescreen.scoring import search_weights
from trialyst.matching.ranking import rank_trials
from trialyst.matching.relevance import Standing
from trialyst.matching.report import MatchedTrial, NearbySite
from trialyst.matching.verdict import aggregate_to_trial_verdict
from trialyst.vocabulary.relations import Relation

INCLUSION, EXCLUSION = CriterionKind.INCLUSION, CriterionKind.EXCLUSION
SAME = Standing(Relation.SAME, 1.0)
OTHER = Standing(Relation.SIBLING, 0.0)


def result(kind: CriterionKind, verdict: Verdict, sure: float, **more: Any) -> CriterionResult:
    applies = Applicability.APPLIES
    return CriterionResult("c", kind, verdict, sure, applies, (), (), "Because.", **more)


MET = result(INCLUSION, Verdict.MET, 0.8)


def matched(
    number: int,
    results: list[CriterionResult],
    standing: Standing = SAME,
    *,
    score: float = 1.0,
    sites: tuple[NearbySite, ...] | None = None,
) -> MatchedTrial:
    assessment = aggregate_to_trial_verdict(results)
    return MatchedTrial(
        candidate=TrialCandidate(nct_id=f"NCT{number:08d}", brief_title="t", score=score),
        assessment=assessment,
        measures=measure_fit(score, standing, assessment, sites=sites),
    )


def order(*trials: MatchedTrial) -> list[int]:
    return [int(trial.nct_id[3:]) for trial in rank_trials(trials)]


def test_the_disease_counts_before_the_criteria() -> None:
    meets_all_of_another = matched(1, [MET, MET, MET], OTHER)
    assert order(meets_all_of_another, matched(2, [])) == [2, 1]


def test_a_shaky_conflict_costs_less_than_a_sure_one() -> None:
    shaky = result(EXCLUSION, Verdict.MET, 0.5)
    fairly_sure = result(EXCLUSION, Verdict.MET, 0.85)
    sure = result(EXCLUSION, Verdict.MET, 0.95)
    trials = [matched(1, [MET, sure]), matched(2, [MET, fairly_sure]), matched(3, [MET, shaky])]
    assert order(*trials, matched(4, [MET])) == [4, 3, 2, 1]


def test_a_sure_conflict_stands_below_a_sibling_disease() -> None:
    conflict = matched(1, [result(INCLUSION, Verdict.NOT_MET, 0.99)])
    assert order(conflict, matched(2, [], OTHER)) == [2, 1]


def test_what_the_patient_does_not_have_stands_last() -> None:
    conflict = matched(1, [result(INCLUSION, Verdict.NOT_MET, 0.99)], score=-1.0)
    elsewhere = aggregate_to_trial_verdict([], has_condition=False)
    another = MatchedTrial(
        candidate=TrialCandidate(nct_id="NCT00000002", brief_title="t", score=2.0),
        assessment=elsewhere,
        measures=measure_fit(2.0, Standing(Relation.WIDER, 1.0), elsewhere),
    )
    assert order(another, conflict) == [1, 2]


def test_no_weight_speaks_against_what_its_measure_means() -> None:
    shipped = fit_weights()
    for weights in (shipped.weights, *shipped.without):
        for (above, below), margin in ORDERED.items():
            assert weights[above] >= weights[below] + margin - 2e-4
        assert all(sign * weights[name] >= -1e-4 for name, sign in SIGNS.items())


def test_any_cancer_stands_below_the_disease_and_above_a_sibling() -> None:
    field = Standing(Relation.WIDER, 1.0, far=True)
    wider, sibling = Standing(Relation.WIDER, 1.0), Standing(Relation.SIBLING, 1.0)
    assert order(matched(1, [MET], field), matched(2, [MET], wider)) == [2, 1]
    assert order(matched(1, [MET], sibling), matched(2, [MET], field)) == [2, 1]


def test_distance_decides_between_trials_that_fit_alike_and_not_between_diseases() -> None:
    near, far = (NearbySite(distance_km=km) for km in (5, 900))
    assert order(matched(1, [MET], sites=(far,)), matched(2, [MET], sites=(near,))) == [2, 1]
    assert order(matched(1, [], OTHER, sites=(near,)), matched(2, [MET], sites=(far,))) == [2, 1]


def test_the_terms_of_a_fit_add_up_to_its_score() -> None:
    (trial,) = rank_trials([matched(1, [MET])])
    assert abs(sum(trial.fit.terms.values()) - trial.fit.score) < 1e-6
    assert set(trial.fit.terms) == set(trial.measures)


def test_every_measure_has_a_weight_and_every_weight_a_measure() -> None:
    weighed = fit_weights().weights.keys() | FIXED.keys()
    standings = [Standing(relation, 0.5) for relation in Relation]
    standings += [Standing(), Standing(Relation.WIDER, 0.5, far=True)]
    measured: set[str] = set()
    for standing in standings:
        measured |= matched(1, [MET], standing, sites=()).measures.keys()
    assert measured == weighed


def test_a_patient_learned_from_gets_weights_that_did_not_see_him() -> None:
    learned = Learned(
        {"a": 1.0},
        tuple({"a": float(part)} for part in range(FOLDS)),
        frozenset({note_digest("x")}),
    )
    assert learned.unseen_by("y") == {"a": 1.0}
    assert learned.unseen_by(" x ") in learned.without
    for shipped in (fit_weights(), search_weights()):
        assert len(shipped.without) == FOLDS
        assert shipped.patients
        assert all(part.keys() == shipped.weights.keys() for part in shipped.without)


def test_terms_are_weighed_by_the_weights_given() -> None:
    assert fit_terms({"search score": 2.0}, {"search score": 0.5}) == {"search score": 1.0}


def test_facts_are_asked_by_how_many_open_trials_they_decide() -> None:
    def lacking(*facts: str) -> CriterionResult:
        return result(INCLUSION, Verdict.UNKNOWN, 0.5, leaf="Measured", facts=facts)

    trials = [
        matched(1, [lacking("platelets", "hemoglobin")]),
        matched(2, [lacking("platelets")]),
        matched(3, [MET]),
    ]
    asked = facts_to_ask(rank_trials(trials))
    assert [(each.fact, each.trials, each.alone) for each in asked] == [
        ("platelets", 2, 1),
        ("hemoglobin", 1, 0),
    ]
