"""The ClinicalTrials.gov v2 API over a local registry, for any v2 client."""

from __future__ import annotations

from trialyst.interfaces.api.app import API_PREFIX, create_app
from trialyst.interfaces.api.server import serve

__all__ = ["API_PREFIX", "create_app", "serve"]
