"""The stream of synthetic studies, each a function of the seed and its number alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trialyst.starter.cases import cases_by_number
from trialyst.starter.draw import Draw
from trialyst.starter.plan import draw_plan
from trialyst.starter.study import build_study
from trialyst.starter.tables import tables

__all__ = ["DEFAULT_COUNT", "DEFAULT_SEED", "STARTER_NOTICE", "generate_studies"]

DEFAULT_COUNT = 2000
DEFAULT_SEED = 2026
STARTER_NOTICE = (
    "These records are synthetic: generated examples from the starter registry, not real studies. "
    "Build or sync a real registry before you rely on any answer."
)


def generate_studies(
    count: int = DEFAULT_COUNT, *, seed: int = DEFAULT_SEED
) -> Iterator[dict[str, Any]]:
    """Yield synthetic studies in the v2 JSON shape, ids from NCT90000001 up."""
    content = tables()
    placed = cases_by_number()
    for number in range(1, count + 1):
        draw = Draw(seed, number)
        yield build_study(
            draw, draw_plan(draw, number, content=content, case=placed.get(number)), content
        )
