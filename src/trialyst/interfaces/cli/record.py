"""One trial as text for a person to read."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trialyst.ctgov.protocol import DatedEvent
    from trialyst.ctgov.trial import Trial

__all__ = ["render_trial"]

WIDTH = 96
MAX_SITES = 20


def render_trial(trial: Trial) -> str:
    """Write what a reader looks for first, then the texts; absent parts are left out."""
    head = [f"{trial.nct_id}  {trial.title}"]
    if trial.official_title and trial.official_title != trial.title:
        head.append(trial.official_title)
    facts = [f"{name + ':':<15}{text}" for name, text in _facts(trial) if text]
    sections = (f"{name}\n{text}" for name, text in _texts(trial) if text)
    return "\n\n".join(("\n".join(map(_wrap, head)), "\n".join(map(_hang, facts)), *sections))


def _facts(trial: Trial) -> Iterator[tuple[str, str | None]]:
    yield "Status", trial.status
    yield "Why stopped", trial.why_stopped
    yield "Study type", trial.study_type
    yield "Phase", trial.phase_label if trial.phases else None
    yield "Sponsor", trial.lead_sponsor.name if trial.lead_sponsor else None
    yield "Conditions", _joined(trial.conditions)
    yield (
        "Interventions",
        _joined(
            f"{each.name} ({each.type})" if each.type else each.name for each in trial.interventions
        ),
    )
    yield "Enrollment", None if trial.enrollment.count is None else f"{trial.enrollment.count:,}"
    yield "Start", _date(trial.start)
    yield "Completion", _date(trial.completion)
    yield "Last update", _date(trial.last_update_posted)
    yield "Results", "posted" if trial.has_results else None
    yield "Ages", _ages(trial)
    yield "Sex", trial.eligibility.sex
    yield "Countries", _joined(trial.countries)


def _texts(trial: Trial) -> Iterator[tuple[str, str | None]]:
    yield "Summary", _wrap(trial.brief_summary) if trial.brief_summary else None
    yield "Eligibility", _wrap(trial.eligibility.criteria) if trial.eligibility.criteria else None
    places = list(
        dict.fromkeys(_place(site.facility, site.city, site.country) for site in trial.sites)
    )
    more = [f"... and {len(places) - MAX_SITES} more"] if len(places) > MAX_SITES else []
    yield "Sites", "\n".join([*places[:MAX_SITES], *more])


def _joined(values: Iterable[str]) -> str:
    return "; ".join(values)


def _place(*parts: str | None) -> str:
    return ", ".join(part for part in parts if part)


def _date(event: DatedEvent | None) -> str | None:
    if event is None:
        return None
    return f"{event.date} ({event.type.lower()})" if event.type else str(event.date)


def _ages(trial: Trial) -> str | None:
    low, high = trial.eligibility.minimum_age, trial.eligibility.maximum_age
    if low is None and high is None:
        return None
    return f"{low or 'no minimum'} to {high or 'no maximum'}"


def _wrap(text: str) -> str:
    return "\n".join(textwrap.fill(line, WIDTH) for line in text.splitlines())


def _hang(line: str) -> str:
    return textwrap.fill(line, WIDTH, subsequent_indent=" " * 15)
