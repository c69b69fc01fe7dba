"""What to ask after a dossier or a scouting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trialyst.hints import Call
from trialyst.ids import NctId

if TYPE_CHECKING:
    from trialyst.agents.scout import ScoutReport
    from trialyst.agents.supervisor import Dossier

__all__ = ["after_dossier", "after_scouting"]


def after_dossier(dossier: Dossier) -> Iterator[Call]:
    """Say what follows a dossier."""
    drug, condition = dossier.question.drug, dossier.question.condition
    found = dossier.trial.whitespace_signal.hits if dossier.trial else ()
    if found:
        ids = ",".join(NctId.parse(each.nct_id).curie for each in found[:5])
        yield Call("get_trial", {"nct_id": ids}, "The furthest trials.")
    yield Call("get_landscape", {"condition": condition}, "All who work on the condition.")
    yield Call("scout_indications", {"drug": drug}, "Other conditions to look at.")


def after_scouting(report: ScoutReport) -> Iterator[Call]:
    """Say what follows ranked conditions."""
    drug = report.drug.asked
    if report.drug.nearest:
        nearest = report.drug.nearest[0]
        yield Call("scout_indications", {"drug": nearest}, f"If {nearest} was meant.")
    for first in report.indications[:1]:
        pair = {"drug": drug, "condition": first.condition}
        yield Call("detect_whitespace", pair, "The drug's own trials in the first condition.")
        yield Call("write_dossier", pair, "The first condition written up.")
    yield Call("bridge_drug", {"drug": drug}, "Conditions over targets and pathways.")
