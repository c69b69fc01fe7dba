"""The rule of another diagnosis: a patient whose disease is named has no other one untold.

A criterion that asks in so many words for the diagnosis of a disease is not met where the note
names diseases, shows nothing of that one, and would tell of it.
"""

from __future__ import annotations

import re

from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.chart import find_conditions
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.view import Sighting
from trialyst.matching.patient import Assertion, Fact, FactKind

__all__ = ["judge_other_diagnosis"]

_DIAGNOSIS = gated(
    r"\b(?:diagnos(?:is|ed|es)\b|(?:icd|dsm)\S* criteria|confirmed|documented|established|known)\b"
)
_OPEN = re.compile(
    r"\b(?:or|risk|suspected|possible|family|no|not|without|if|undiagnosed|screening|healthy|may"
    r"|might|allowed|permitted|acceptable|as long as|provided|except\w*|unless)\b"
)
_LONGEST = 12
_SIGNS = ("C23", "F01", "F02", "G", "E")


def judge_other_diagnosis(case: Case) -> Decision | None:
    """An inclusion of the diagnosis of a disease that the note shows nothing of."""
    statement = case.statement
    if case.exclusion or statement.denies or len(statement.contents) > _LONGEST:
        return None
    lowered = statement.lowered
    if not _DIAGNOSIS.search(lowered) or _OPEN.search(lowered):
        return None
    if any(shown.count for shown in case.matches.shown) or case.view.chart.find(statement.text):
        return None
    told = [fact for fact in case.view.chart.of(FactKind.CONDITION) if _is_disease(fact)]
    if not told or not _names_disease(case):
        return None
    place = Sighting(told[0].sentence, told[0].start, told[0].end, "has")
    reason = f"The note tells of {told[0].text!r} and of nothing like the disease asked for."
    return Decision("other diagnosis", Verdict.NOT_MET, reason, (place,))


def _is_disease(fact: Fact) -> bool:
    if fact.assertion is not Assertion.PRESENT or fact.concept is None:
        return False
    return any(not tree.startswith(_SIGNS) for tree in fact.concept.trees)


def _names_disease(case: Case) -> bool:
    found = find_conditions(case.statement.text, case.view.vocabulary)
    return any(
        not tree.startswith(_SIGNS) and tree.count(".") > 1
        for mention in found
        for tree in mention.concept.trees
    )
