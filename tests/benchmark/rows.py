"""Criterion annotations written for the tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

NOTE = "0. A 50-year-old man has asthma.\n1. He denies diabetes."


def row(**changed: Any) -> dict[str, Any]:
    """Give a row in the form of the TrialGPT annotations."""
    return {
        "annotation_id": 1,
        "patient_id": "p1",
        "note": NOTE,
        "trial_id": "NCT00000001",
        "trial_title": "A trial",
        "criterion_type": "inclusion",
        "criterion_text": "Asthma",
        "gpt4_sentences": "[0]",
        "expert_sentences": "[0]",
        "gpt4_eligibility": "included",
        "expert_eligibility": "included",
        "training": True,
        **changed,
    }


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write rows as JSON lines."""
    path.write_text("".join(json.dumps(item) + "\n" for item in rows), "utf-8")
    return path
