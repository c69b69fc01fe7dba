"""`trialyst match-cohort`: every patient of a file matched, resumably, into tables."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trialyst.errors import InvalidInput
from trialyst.interfaces.cli.match_options import CandidatesOption, StatusOption, StudyTypeOption
from trialyst.interfaces.cli.options import JsonFlag, RegistryOption, SourceOption, examples
from trialyst.interfaces.cli.output import note, show_json, show_table
from trialyst.settings import Settings, SourceName

if TYPE_CHECKING:
    from trialyst.scale.engine import Engine
    from trialyst.scale.matcher import CohortOptions, Workplace

__all__ = ["EngineName", "EngineOption", "PatientsArgument", "add_to", "match_cohort", "open_place"]

_SHOWN = 10
"""Rows of each list on a terminal; the page and the JSON have more."""


class EngineName(StrEnum):
    """Who does the work."""

    LOCAL = "local"
    RAY = "ray"


PatientsArgument = Annotated[
    Path,
    typer.Argument(
        metavar="PATIENTS",
        help="JSON lines of notes or FHIR bundles, FHIR bulk *.ndjson (a file or a directory), or "
        "a directory of OMOP tables as Parquet or CSV.",
    ),
]
EngineOption = Annotated[
    EngineName,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="local: processes of this machine; ray: a Ray cluster.",
        case_sensitive=False,
    ),
]
AddressOption = Annotated[
    str | None,
    typer.Option("--address", metavar="ADDRESS", show_default=False,
                 help="Address of the Ray cluster; auto finds the one of this machine."),
]  # fmt: skip
WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", min=1, show_default="all cores",
                 help="Processes, or Ray tasks at a time."),
]  # fmt: skip
OutOption = Annotated[
    Path, typer.Option("--out", metavar="DIR", help="Directory of the results, mode 0700.")
]
TopOption = Annotated[
    int | None,
    typer.Option(
        "--top",
        metavar="N",
        min=1,
        show_default="all that were judged",
        help="Trials kept of each patient.",
    ),
]
KeepQuotesFlag = Annotated[
    bool,
    typer.Option(
        "--keep-quotes",
        show_default=False,
        help="Keep the words of the note that verdicts rest on.",
    ),
]


def add_to(app: typer.Typer) -> None:
    """Give the program the command of this module."""
    app.command(
        "match-cohort",
        epilog=examples(
            "trialyst match-cohort patients.jsonl --out cohort",
            "trialyst match-cohort fhir-export/ --out cohort --top 20 --json",
            "trialyst match-cohort omop/ --out cohort --engine ray --address auto",
        ),
    )(match_cohort)


def match_cohort(
    patients: PatientsArgument,
    out: OutOption,
    top: TopOption = None,
    candidates: CandidatesOption = None,
    status: StatusOption = None,
    study_type: StudyTypeOption = None,
    keep_quotes: KeepQuotesFlag = False,
    engine: EngineOption = EngineName.LOCAL,
    address: AddressOption = None,
    workers: WorkersOption = None,
    source: SourceOption = None,
    registry: RegistryOption = None,
    json: JsonFlag = False,
) -> None:
    """Match every patient of a file: the same trials, verdicts and order as `match` gives.

    Writes candidates.parquet, patients.parquet, summary.json and summary.html. Stopped or killed,
    the same command goes on where it stopped. No words of a patient are written unless
    --keep-quotes asks for them. For research use only, not medical advice.
    """
    from trialyst.interfaces.cli.progress import show_steps
    from trialyst.scale.cohort import run_cohort
    from trialyst.scale.matcher import CohortOptions

    options = CohortOptions(
        status=None if not status else tuple(status),
        study_type=None if not study_type else tuple(study_type),
        candidates=candidates,
        top=top,
        keep_quotes=keep_quotes,
    )
    place, told = open_place(source, registry)
    chosen = _open_engine(engine, place, options, address=address, workers=workers)
    with show_steps() as update:
        try:
            summary = run_cohort(
                patients.expanduser(),
                out.expanduser(),
                chosen,
                options=options,
                registry=told,
                progress=update,
            )
        except KeyboardInterrupt:
            note("Not finished: the parts that are done are kept. The same command goes on.")
            raise
    if json:
        show_json(summary)
    else:
        _show(summary)
    note(f"Results are in {out}: candidates.parquet, patients.parquet, summary.html, summary.json.")


def open_place(
    source: SourceName | None, registry: Path | None
) -> tuple[Workplace, dict[str, Any]]:
    """Find the registry, and what tells it apart from others; invented records must be asked for.

    Raises:
        InvalidInput: the source is a service, or only invented records are there.
    """
    from trialyst.interfaces.runtime import open_registry, refuse_own_note
    from trialyst.scale.matcher import Workplace

    settings = Settings.from_environment()
    named = None if registry is None else registry.expanduser().absolute()
    opened = open_registry(settings, source=source, registry=named)
    try:
        if opened.is_fallback:
            raise refuse_own_note()
        held = opened.registry
        if held.synthetic:
            note("These records are synthetic, made up for trying things out.")
        told = {"generation": held.generation, "records": len(held)}
        return Workplace(settings.home, held.directory, opened.name), told
    finally:
        opened.close()


def _open_engine(
    name: EngineName,
    place: Workplace,
    options: CohortOptions,
    *,
    address: str | None,
    workers: int | None,
) -> Engine:
    if name is EngineName.RAY:
        from trialyst.scale.ray_engine import RayEngine

        return RayEngine(place, options, address=address, workers=workers)
    if address is not None:
        raise InvalidInput(
            "--address names a Ray cluster, which the engine 'local' does not use",
            hint="Add --engine ray, or leave --address out.",
            invalid_input=address,
        )
    from trialyst.scale.engine import LocalEngine

    return LocalEngine(place, options, workers=workers)


def _show(summary: dict[str, Any]) -> None:
    note(
        f"{summary['patients']:,} patients, {summary['with_candidates']:,} of them with a trial "
        f"that nothing surely rules out; {summary['bad_rows']:,} rows could not be read."
    )
    for each in summary["problems"][:_SHOWN]:
        note(f"  {each['place']}: {each['problem']}")
    show_table(
        ("Trial", "Patients", "Meets", "Open"),
        [
            (each["nct_id"], f"{each['patients']:,}", f"{each['meets']:,}", f"{each['open']:,}")
            for each in summary["trials"][:_SHOWN]
        ],
    )
