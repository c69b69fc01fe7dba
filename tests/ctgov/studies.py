"""Invented studies in the API's own shape, one a file, and trials made of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from trialyst.ctgov.parse import parse_trial
from trialyst.ctgov.trial import Trial

STUDIES = Path(__file__).parent.parent / "fixtures" / "ctgov"


def load_study(name: str) -> dict[str, Any]:
    """Give an invented study by the name of its file."""
    study: dict[str, Any] = json.loads((STUDIES / f"{name}.json").read_text("utf-8"))
    return study


def load_trial(name: str) -> Trial:
    """Give an invented study as a trial."""
    return parse_trial(load_study(name))


def study_names() -> list[str]:
    """Give the names of all invented studies."""
    return sorted(path.stem for path in STUDIES.glob("*.json"))
