"""A statement as the rules judge holds it: what is the same for every patient, worked out once.

Most criteria are touched by nothing that a chart holds. Their result rests on silence, and is kept
for the next chart that is silent in the same way.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from trialyst.ctgov.criteria import CriterionKind
from trialyst.eligibility.comparison.touched_entries import TouchKey, touch_keys
from trialyst.eligibility.render import render_requirement
from trialyst.matching.judging.calibration import shape_of
from trialyst.matching.judging.evidence import collect_evidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trialyst.eligibility.chart import Entry
    from trialyst.eligibility.evaluate import Case, Focus
    from trialyst.eligibility.requirement import Requirement
    from trialyst.matching.judging.result import CriterionResult

__all__ = ["AskedStatement"]


class AskedStatement:
    """One statement, with its requirement, its trial's focus, and the results of silent charts."""

    def __init__(self, kind: CriterionKind, requirement: Requirement, focus: Focus) -> None:
        self.kind = kind
        self.requirement = requirement
        self.focus = focus
        self.exclusion = kind is CriterionKind.EXCLUSION
        self._keys: tuple[TouchKey, ...] | None = None
        self._silent: dict[_Silence, _Kept] = {}

    @cached_property
    def reading(self) -> str:
        """How the statement was understood, in words."""
        return render_requirement(self.requirement)

    @cached_property
    def shape(self) -> str:
        """What of the requirement tells how sure verdicts on it are."""
        return shape_of(self.requirement)

    def touches(self, case: Case) -> bool:
        """Whether the chart holds anything that bears on the statement."""
        if self._keys is None:
            self._keys = touch_keys(self.requirement, case)
        return case.touched.is_touched(self._keys)

    def recall(self, case: Case) -> CriterionResult | None:
        """Give the result of another chart that was as silent, quoting this one."""
        kept = self._silent.get((case.topic, case.touched.silence))
        if kept is None or not kept.places:
            return kept and kept.result
        told = [case.touched.summaries[place] for place in kept.places]
        sentences, quotes = collect_evidence(case.chart.note, told)
        return replace(kept.result, sentences=sentences, quotes=quotes)

    def keep(self, case: Case, result: CriterionResult, evidence: Sequence[Entry]) -> None:
        """Keep the result of a chart that the statement does not touch.

        It may quote what sums up all that is not named; with any other evidence it is not kept.
        """
        told = case.touched.summaries
        places = tuple(told.index(each) for each in evidence if each in told)
        if len(places) == len(evidence) and not any(each.when for each in evidence):
            plain = replace(result, latency_seconds=0.0)
            self._silent[case.topic, case.touched.silence] = _Kept(plain, places)


_Silence: TypeAlias = tuple[str, tuple[bool, tuple[str, ...]]]
"""What the trial is to the patient, and how a chart is silent."""


class _Kept(NamedTuple):
    result: CriterionResult
    places: tuple[int, ...]
    """Of its evidence among the summaries of a chart."""
