"""`trialyst ingest`: what a patient note or a FHIR bundle says, fact by fact."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trialyst.errors import InvalidInput
from trialyst.interfaces.cli.options import JsonFlag, examples
from trialyst.interfaces.cli.output import note, show_json, show_pairs, show_table, show_text
from trialyst.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trialyst.matching.patient import Fact, PatientProfile

__all__ = ["add_to", "ingest", "read_note"]

_WIDEST = 60


def add_to(app: typer.Typer) -> None:
    """Give the program the command of this module."""
    app.command(
        epilog=examples(
            "trialyst ingest note.txt",
            "trialyst ingest note.txt --form > profile.yaml",
            "trialyst ingest patient-bundle.json --as-of 2026-01-31 --json",
            "pbpaste | trialyst ingest -",
        )
    )(ingest)


def read_note(file: Path) -> str:
    """Read a note from a file, or from standard input for `-`.

    Raises:
        InvalidInput: the file cannot be read, or is no text.
    """
    from trialyst.eligibility.reading.note import LONGEST_FILE, decode_note

    # One byte more than a note may have tells that it is too long, even of an endless device.
    most = LONGEST_FILE + 1
    try:
        if str(file) == "-":
            # Python has no standard input where the shell closed it, as by `<&-`.
            return decode_note(b"" if sys.stdin is None else sys.stdin.buffer.read(most))
        with file.expanduser().open("rb") as opened:
            return decode_note(opened.read(most))
    except OSError as error:
        raise InvalidInput(
            f"The file {str(file)!r} cannot be read: {error.strerror}",
            hint="Name a file with a note as text or a FHIR bundle, or - for standard input.",
            invalid_input=str(file),
        ) from None


def ingest(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A note as text, or a FHIR R4 bundle as JSON; - for standard input.",
        ),
    ],
    as_of: Annotated[
        datetime | None,
        typer.Option(
            "--as-of",
            formats=["%Y-%m-%d"],
            metavar="DATE",
            help="The day to give a bundle's patient's age on; its last day if not given.",
            show_default=False,
        ),
    ] = None,
    form: Annotated[
        bool,
        typer.Option(
            "--form",
            help="Write what was read as a form to edit, for match --profile.",
            show_default=False,
        ),
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Read a patient note or a FHIR bundle into facts, each with its quote and how it is asserted.

    Nothing leaves this machine. For research, not for care: check what was read against the note.
    With --json standard output has what the tool profile_patient returns.
    """
    from trialyst.matching.correcting.form import render_form
    from trialyst.matching.ingest import NoteReader
    from trialyst.matching.views import to_profile_view
    from trialyst.vocabulary import open_vocabulary

    text = read_note(file)
    reader = NoteReader(open_vocabulary(Settings.from_environment().home))
    profile = reader.understand(text, as_of=as_of and as_of.date())
    for warning in profile.warnings:
        note(warning)
    if json:
        show_json(to_profile_view(profile, form=form))
        return
    if form:
        show_text(render_form(profile.chart).rstrip("\n"))
        return
    show_pairs(_pairs(profile))
    if profile.facts:
        show_text("")
        show_table(
            ("No", "Kind", "Said to be", "Quote", "Means", "Value"), list(_rows(profile.facts))
        )


def _pairs(profile: PatientProfile) -> dict[str, Any]:
    facts = profile.key_facts
    return {
        "Age": facts.age,
        "Sex": facts.sex,
        "Pregnant": facts.pregnant,
        "Diagnosis": facts.primary_diagnosis,
        "Stage": facts.stage,
        "Conditions": "; ".join(facts.conditions),
        "Symptoms": "; ".join(facts.symptoms),
        "Does not have": "; ".join(facts.absent),
        "Biomarkers": "; ".join(facts.biomarkers),
        "Current treatment": "; ".join(facts.current_therapies),
        "Prior treatment": "; ".join(facts.prior_therapies),
        "Procedures": "; ".join(facts.procedures),
        "Measured": "; ".join(facts.measurements),
        "Performance": facts.performance_status,
        "Allergies": "; ".join(facts.allergies),
        "Smoking": facts.smoking,
        "Alcohol": facts.alcohol,
        "Family": "; ".join(facts.family_history),
        "Place": facts.place,
        "Not said": "; ".join(facts.missing_information),
    }


def _rows(facts: tuple[Fact, ...]) -> Iterator[tuple[str, ...]]:
    for fact in facts:
        quote = " ".join(fact.text.split())
        shown = quote if len(quote) <= _WIDEST else f"{quote[: _WIDEST - 3]}..."
        said = f"{fact.assertion}, denied" if fact.negated and fact.assertion == "family" else ""
        value = "" if fact.value is None else str(fact.value)
        told = " ".join(filter(None, (value, fact.status, fact.detail, fact.when)))
        means = "" if fact.concept is None else fact.concept.name
        yield str(fact.sentence), fact.kind, said or fact.assertion, shown, means, told
