"""Essie, the query language of ClinicalTrials.gov: pure, no input or output.

Text becomes a tree (`parse`), a tree becomes text (`render`) or meaning (`resolve`). Trees are
made by `build`, and from what people type by `text_node`; their nodes are in `ast`.
"""

from __future__ import annotations

from trialyst.essie.errors import EssieError
from trialyst.essie.parser import parse
from trialyst.essie.render import render, text_node
from trialyst.essie.resolve import resolve
from trialyst.essie.resolved import searched_pieces

__all__ = ["EssieError", "parse", "render", "resolve", "searched_pieces", "text_node"]
