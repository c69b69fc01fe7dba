"""A statement as the rules judge holds it: what is the same for every patient, worked out once.

Most criteria are touched by nothing that a chart holds. Their result rests on silence, and is kept
for the next chart that is silent in the same way.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from trialyst.ctgov.criteria import CriterionKind
from trialyst.eligibility.comparison.bearing import TouchKey, touch_keys
from trialyst.eligibility.render import render_requirement
from trialyst.matching.judging.calibration import shape_of

if TYPE_CHECKING:
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
        self._silent: dict[tuple[str, bool], CriterionResult] = {}

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
        return not case.bearing.silent or case.bearing.is_touched(self._keys)

    def recall(self, case: Case) -> CriterionResult | None:
        """Give the result of another chart that was as silent, if there was one."""
        return self._silent.get((case.topic, case.chart.lists_medications))

    def keep(self, case: Case, result: CriterionResult) -> None:
        """Keep the result of a chart that the statement does not touch."""
        self._silent[case.topic, case.chart.lists_medications] = result
