"""Agents over the repurposing client: what was tried, who competes, what failed, what was written.

Each agent is a plain function that returns a typed finding, deterministic unless it is given a
model, which may only rephrase and rank. Names are loaded when first used.
"""

from __future__ import annotations
