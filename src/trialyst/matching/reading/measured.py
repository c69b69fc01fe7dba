"""Measurements of a sentence as facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.matching.context import Effect
from trialyst.matching.patient import FactKind
from trialyst.matching.reading.measurements import find_measurements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trialyst.matching.patient import Fact
    from trialyst.matching.reading.passage import Passage

__all__ = ["read_measured"]


def read_measured(passage: Passage) -> Iterator[Fact]:
    """Find measurements; a denied "elevated" is a fact that is denied, a number stands as it is."""
    for found in find_measurements(passage.text, passage.words, passage.start):
        fields = {
            "concept": found.analyte.concept,
            "value": found.value,
            "status": found.status,
            "detail": "unit assumed" if found.unit_assumed else "",
            "when": passage.when(found.start, found.end),
        }
        said = passage.effects(found.start, found.end)
        if found.value is None and Effect.NEGATED in said and found.status not in ("negative",):
            yield passage.fact(FactKind.MEASUREMENT, found.start, found.end, **fields)
        else:
            yield passage.stated(FactKind.MEASUREMENT, found.start, found.end, **fields)
