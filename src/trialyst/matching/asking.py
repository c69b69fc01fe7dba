"""Which facts to ask for: over all open trials, those that would decide most."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from trialyst.matching.report import FactToAsk, MatchedTrial
from trialyst.matching.verdict import TrialVerdict

__all__ = ["facts_to_ask"]

_LISTED = 30


def facts_to_ask(ranked: Sequence[MatchedTrial]) -> tuple[FactToAsk, ...]:
    """Give the facts that open trials hang on, the most telling first.

    A fact counts for a trial by one over the number of facts it hangs on, and by one over the root
    of its place in the order: what decides the first trials is asked first.
    """
    weight: defaultdict[str, float] = defaultdict(float)
    trials: defaultdict[str, int] = defaultdict(int)
    alone: defaultdict[str, int] = defaultdict(int)
    for place, trial in enumerate(ranked, start=1):
        facts = trial.assessment.missing
        if trial.verdict is not TrialVerdict.UNCERTAIN:
            continue
        for fact in facts:
            weight[fact] += 1 / (len(facts) * place**0.5)
            trials[fact] += 1
            alone[fact] += len(facts) == 1
    first = sorted(weight, key=lambda fact: (-weight[fact], fact))[:_LISTED]
    return tuple(FactToAsk(fact=each, trials=trials[each], alone=alone[each]) for each in first)
