"""Agents over the repurposing client: what was tried, who competes, what failed, what was written.

Each agent is a plain function that returns a typed finding, deterministic unless it is given a
model, which may only rephrase and rank. Names are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.agents.critique import run_critique_agent
    from trialyst.agents.findings import Question
    from trialyst.agents.landscape import run_landscape_agent
    from trialyst.agents.literature import run_literature_agent
    from trialyst.agents.rephrasing import Rephraser
    from trialyst.agents.scout import run_scout
    from trialyst.agents.supervisor import Dossier, run_supervisor
    from trialyst.agents.trial import run_trial_agent
    from trialyst.agents.writing import DossierForm, render_dossier

__all__ = [
    "Dossier",
    "DossierForm",
    "Question",
    "Rephraser",
    "render_dossier",
    "run_critique_agent",
    "run_landscape_agent",
    "run_literature_agent",
    "run_scout",
    "run_supervisor",
    "run_trial_agent",
]

_HOMES = {
    "critique": ("run_critique_agent",),
    "findings": ("Question",),
    "landscape": ("run_landscape_agent",),
    "literature": ("run_literature_agent",),
    "rephrasing": ("Rephraser",),
    "scout": ("run_scout",),
    "supervisor": ("Dossier", "run_supervisor"),
    "trial": ("run_trial_agent",),
    "writing": ("DossierForm", "render_dossier"),
}

__getattr__ = lazy_names(__name__, _HOMES)
