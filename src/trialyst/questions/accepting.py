"""`accepts`: facts of a patient, read as they will be compared with the criteria of trials."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from trialyst.ctgov.plain import PlainQuery, to_trial_query
from trialyst.ctgov.query import TrialQuery
from trialyst.questions.clauses import Clause
from trialyst.questions.readings import ArgumentReading
from trialyst.questions.values import read_several

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = ["read_accepts"]

_APART = re.compile(r"\s*;\s*|,\s+|\n")
_SAID = (
    "Trials whose criteria these facts surely violate are left out; what the facts do not tell "
    "counts as unknown."
)


def read_accepts(names: Vocabulary, value: Any) -> Clause:
    """Read facts, each of which must be understood; an age or a sex is asked of fields too."""
    from trialyst.eligibility.accepting import FactReader
    from trialyst.eligibility.lexicon import Lexicon

    texts = [part for text in read_several("accepts", value) for part in _APART.split(text)]
    facts = FactReader(Lexicon(names)).read_all([text for text in texts if text])
    asked = PlainQuery()
    for fact in facts:
        if fact.chart.age is not None and not fact.chart.age.approximate:
            asked = replace(asked, age=str(fact.chart.age))
        if fact.chart.sex is not None:
            asked = replace(asked, sex=fact.chart.sex.value)
    reading = ArgumentReading(
        asked="; ".join(fact.text for fact in facts),
        kind="accepts",
        known=True,
        name="; ".join(fact.words for fact in facts),
        note=_SAID,
    )
    filters = () if asked == PlainQuery() else to_trial_query(asked).filters
    accepts = tuple(dict.fromkeys(fact.text for fact in facts))
    return Clause("accepts", reading, TrialQuery(filters=filters, accepts=accepts))
