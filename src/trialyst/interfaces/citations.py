"""A trial as a reference manager reads it: RIS. The tags are our choice of what fits a record."""

from __future__ import annotations

from collections.abc import Collection

from trialyst.ctgov.trial import Trial

__all__ = ["RIS_MEDIA", "RIS_TAGS", "render_ris"]

RIS_MEDIA = "application/x-research-info-systems; charset=utf-8"
RIS_TAGS = ("TY", "AN", "TI", "ST", "AU", "PY", "AB", "KW", "PB", "UR", "ER")
_FRAME = ("TY", "ER")
"""Every record begins and ends with these."""
_STUDY_URL = "https://clinicaltrials.gov/study/"


def render_ris(trial: Trial, tags: Collection[str] | None = None) -> str:
    """Write a record of RIS, with all tags or some.

    A value is one printable line, so that it cannot begin a tag of its own.
    """
    posted, sponsor = trial.first_posted, trial.lead_sponsor
    values = [
        ("TY", "DBASE"),
        ("AN", trial.nct_id),
        ("TI", trial.official_title or trial.brief_title),
        ("ST", trial.brief_title),
        ("AU", sponsor.name if sponsor else None),
        ("PY", str(posted.date)[:4] if posted else None),
        ("AB", trial.brief_summary),
        *(("KW", name) for name in trial.conditions),
        ("PB", "ClinicalTrials.gov"),
        ("UR", f"{_STUDY_URL}{trial.nct_id}"),
    ]
    chosen = RIS_TAGS if tags is None else (*tags, *_FRAME)
    lines = [f"{tag}  - {_one_line(text)}" for tag, text in values if text and tag in chosen]
    return "\r\n".join([*lines, "ER  - ", "", ""])


def _one_line(text: str) -> str:
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())
