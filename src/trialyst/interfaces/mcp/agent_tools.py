"""Tools that ask many questions at once: the dossier, the scout and the bridge.

They answer with text and values; nothing is written to disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Unpack

from trialyst.agents.arguments import DossierArguments, ScoutArguments
from trialyst.agents.scout import ScoutReport
from trialyst.agents.scout import scout_indications as _scout
from trialyst.agents.supervisor import run_supervisor
from trialyst.agents.writing import DossierAnswer, read_question, to_answer
from trialyst.discovery.bridging import Bridge, BridgeAnswer, BridgeArguments
from trialyst.discovery.envelope import Answer
from trialyst.interfaces.mcp.declared import Call
from trialyst.repurposing.client import RepurposingClient

__all__ = ["AGENT_TOOLS", "bridge_drug", "scout_indications", "write_dossier"]


async def write_dossier(
    client: RepurposingClient, **given: Unpack[DossierArguments]
) -> Answer[DossierAnswer]:
    """Write up a drug in a condition: trials, failures, rivals, each sentence with its source.

    The text is Markdown. Sentences on records end with their NCT ids and PMIDs; sentences in
    italics are on method and coverage. Nothing is written to disk, and PubMed is not asked. An
    agent that fails costs its own part, which `failures` names. docs/guide/dossier.md has the
    formulas.

    Example: {"drug": "metformin", "condition": "asthma"}
    """
    return to_answer(await run_supervisor(client, read_question(given)))


async def scout_indications(
    client: RepurposingClient, **given: Unpack[ScoutArguments]
) -> ScoutReport:
    """Rank conditions for a drug by trials of drugs of its class or target; scored, with reasons.

    Every number is a count over all matching records. The score is ours, published with its terms;
    it orders what to read and proves nothing. `grade` says how far the drug itself has come there.
    docs/guide/dossier.md has the formula.

    Example: {"drug": "semaglutide", "max_results": 3}
    """
    return await _scout(client, **given)


async def bridge_drug(bridge: Bridge, **given: Unpack[BridgeArguments]) -> Answer[BridgeAnswer]:
    """Lead from a drug over its targets' pathways to conditions that only related drugs are in.

    A candidate is a question, not evidence that the drug works: it rests on drugs that act on the
    same target or pathway, which may act the other way. Every step is in the answer, and `unknown`
    says what is not known here.

    Example: {"drug": "imatinib"}
    """
    return await bridge.bridge_drug(**given)


AGENT_TOOLS: Mapping[Call, str] = {
    write_dossier: "Write a dossier",
    scout_indications: "Scout indications",
    bridge_drug: "Bridge a drug",
}
"""Every tool of this module with its title."""
