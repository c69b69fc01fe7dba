"""Titles and abstracts by PMID, from the E-utilities of the National Library of Medicine.

`open_pubmed(settings)` gives a `PubMed`; nothing is sent before papers are asked for. Names are
loaded when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.pubmed.client import Papers, PubMed, open_pubmed, to_pmid
    from trialyst.pubmed.paper import AbstractPart, Paper
    from trialyst.pubmed.parse import parse_papers

__all__ = ["AbstractPart", "Paper", "Papers", "PubMed", "open_pubmed", "parse_papers", "to_pmid"]

_HOMES = {
    "client": ("Papers", "PubMed", "open_pubmed", "to_pmid"),
    "paper": ("AbstractPart", "Paper"),
    "parse": ("parse_papers",),
}

__getattr__ = lazy_names(__name__, _HOMES)
