"""The files of `trialyst match --out`: a report in every form, for its owner alone."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trialyst.errors import InvalidInput
from trialyst.interfaces.cli.output import note

if TYPE_CHECKING:
    from trialyst.ids import NctId
    from trialyst.matching.report import MatchReport

__all__ = ["PROFILE", "prepare_reports", "save_reports"]

PROFILE = "profile.yaml"


def prepare_reports(out: Path) -> Path:
    """Make the directory of the reports before anything takes long."""
    try:
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(out, os.W_OK | os.X_OK):
            raise PermissionError(13, "Permission denied")
    except OSError as error:
        raise InvalidInput(
            f"Reports cannot be written to {str(out)!r}: {error.strerror}",
            hint="Name a directory that may be written with --out.",
            invalid_input=str(out),
        ) from None
    return out


def save_reports(
    out: Path, report: MatchReport, profile: str, *, compared: Sequence[NctId] = ()
) -> None:
    """Write the report in every form, and the profile to edit, each file whole or not at all."""
    from trialyst.agents.patient_report import ReportForm, render_match

    contents = {
        f"report.{form}": render_match(report, form, chosen=list(map(str, compared)))
        for form in ReportForm
    }
    contents[PROFILE] = profile.encode()
    for name, content in contents.items():
        path = out / name
        try:
            _write_private(path, content)
        except OSError as error:
            raise InvalidInput(
                f"The report cannot be written to {str(path)!r}: {error.strerror}",
                hint=f"Nothing is lost, the run is kept in {report.run_directory}: name another "
                "directory with --out, or make room, and add --resume.",
                invalid_input=str(out),
            ) from None
        note(f"Wrote {path}.")


def _write_private(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, for its owner alone: a report tells of a patient."""
    aside = path.with_name(f"{path.name}.new")
    try:
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(content)
        aside.replace(path)
    except OSError:
        aside.unlink(missing_ok=True)
        raise
