"""The bridge as a tool: what it takes and answers, on a source of trials and one of pathways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NotRequired, TypedDict, Unpack

import typing_extensions as extended
from pydantic import Field

from trialyst.ctgov.answers import Count, Told, TrialId, Words
from trialyst.ctgov.source import Provenance
from trialyst.discovery.envelope import Answer, Clock, utc_now
from trialyst.discovery.pathways.answers import PathwayIdText
from trialyst.pathways.targets import Action
from trialyst.questions.given import read_given
from trialyst.signatures import Text

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.pathways.source import PathwaySource

__all__ = [
    "Bridge",
    "BridgeAnswer",
    "BridgeArguments",
    "BridgeCandidate",
    "BridgeDrug",
    "BridgeLink",
    "BridgePathway",
    "BridgeTarget",
]


class BridgeArguments(TypedDict):
    """What `bridge_drug` takes."""

    drug: Annotated[Text, "Generic, brand or code name."]


class BridgePathway(extended.TypedDict):
    """A pathway that a target stands on."""

    id: PathwayIdText
    title: str


class BridgeTarget(extended.TypedDict):
    """What the drug acts on."""

    gene: Words
    action: Action
    pathway_count: Count
    pathways: list[BridgePathway]


class BridgeLink(extended.TypedDict):
    """One way from the drug to another: its target, a pathway, the other's target."""

    target: Words
    target_action: Action
    pathway: NotRequired[BridgePathway]
    gene: Words
    action: Action


class BridgeDrug(extended.TypedDict):
    """Another drug that is in trials of the condition."""

    drug: Words
    shares_target: bool
    links: list[BridgeLink]
    link_count: Count
    trial_count: Count
    nct_ids: list[TrialId]


class BridgeCandidate(extended.TypedDict):
    """A condition that the drug itself is in no trial of."""

    condition: Words
    condition_id: NotRequired[Words]
    trial_count: Count
    drug_count: Count
    shared_target_drug_count: Count
    drugs: Annotated[list[BridgeDrug], Field(description="The nearest; counts are of all.")]


class BridgeAnswer(Told):
    """Conditions to ask about, those of drugs on the same target first."""

    drug: Words
    asked: Words
    targets: list[BridgeTarget]
    own_trial_count: Count
    own_condition_count: Count
    own_conditions: Annotated[list[Words], Field(description="At most 50, by name.")]
    linked_drug_count: Annotated[Count, Field(description="Drugs on the same targets or pathways.")]
    read_drug_count: Annotated[Count, Field(description="Those whose trials were read.")]
    candidates: list[BridgeCandidate]
    unknown: Annotated[list[Words], Field(description="What is not known here, in words.")]
    pathway_provenance: Provenance


class Bridge:
    """From a drug over its targets' pathways to other conditions and their trials."""

    def __init__(
        self,
        trials: TrialSource,
        pathways: PathwaySource,
        *,
        clock: Clock = utc_now,
    ) -> None:
        """Take two sources."""
        self._trials = trials
        self._pathways = pathways
        self._clock = clock

    async def bridge_drug(self, **given: Unpack[BridgeArguments]) -> Answer[BridgeAnswer]:
        """Find conditions in which drugs of the same targets and pathways are in trials.

        Raises:
            InvalidInput: no drug is named.
        """
        from trialyst.discovery.bridge import BridgeLimits, bridge_drug

        # What twenty candidates show of each drug must fit into one answer.
        limits = BridgeLimits(drugs_shown=3, links_shown=2, trials_shown=3)
        asked = read_given(BridgeArguments, given)
        drug = str(asked.get("drug", ""))
        return await bridge_drug(
            self._trials, self._pathways, drug, limits=limits, clock=self._clock
        )
