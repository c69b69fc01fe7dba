"""`trialyst feasibility`: how many patients a protocol leaves, and what a wider bound brings."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trialyst.errors import InvalidInput, NotFound
from trialyst.ids import NctId
from trialyst.interfaces.cli.ingest import read_note
from trialyst.interfaces.cli.options import JsonFlag, RegistryOption, SourceOption, examples
from trialyst.interfaces.cli.output import note, show_json, show_table, show_text
from trialyst.settings import Settings, SourceName

if TYPE_CHECKING:
    from trialyst.ctgov.trial import Trial
    from trialyst.matching.judging.judge import RulesJudge
    from trialyst.scale.feasibility import Protocol

__all__ = ["add_to", "feasibility"]

_WIDEST = 70
"""Characters of a criterion in a table."""
_OWNER_ONLY = 0o700
PatientsOption = Annotated[
    Path,
    typer.Option(
        "--patients",
        metavar="PATIENTS",
        help="Patients as match-cohort takes them: JSON lines, FHIR bulk files or OMOP tables.",
    ),
]
TrialsArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="NCT", help="Trials of the registry.", show_default=False),
]
CriteriaOption = Annotated[
    Path | None,
    typer.Option(
        "--criteria",
        metavar="FILE",
        help="Criteria of a draft protocol, under the headings Inclusion Criteria and "
        "Exclusion Criteria; - for standard input.",
        show_default=False,
    ),
]
ConditionOption = Annotated[
    list[str] | None,
    typer.Option(
        "--condition",
        metavar="TEXT",
        help="What the draft is about; may be repeated. Patients without it are counted apart.",
        show_default=False,
    ),
]
RelaxOption = Annotated[
    list[str] | None,
    typer.Option(
        "--relax",
        metavar="BOUND",
        help="A wider bound to try, such as 'age<=80' or 'eGFR>=45'; may be repeated.",
        show_default=False,
    ),
]
SuggestFlag = Annotated[
    bool,
    typer.Option("--suggest/--no-suggest", help="Try wider bounds along the patients' values."),
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        help="Directory for feasibility.html, feasibility.json and a funnel a trial as SVG.",
        show_default=False,
    ),
]


def add_to(app: typer.Typer) -> None:
    """Give the program the command of this module."""
    app.command(
        epilog=examples(
            "trialyst feasibility NCT04303169 --patients patients.jsonl --relax 'age<=80'",
            "trialyst feasibility --criteria draft.txt --condition melanoma --patients omop/",
            "trialyst feasibility NCT04303169 --patients patients.jsonl --out funnel --json",
        )
    )(feasibility)


def feasibility(
    patients: PatientsOption,
    trials: TrialsArgument = None,
    criteria: CriteriaOption = None,
    condition: ConditionOption = None,
    relax: RelaxOption = None,
    suggest: SuggestFlag = True,
    out: OutOption = None,
    source: SourceOption = None,
    registry: RegistryOption = None,
    json: JsonFlag = False,
) -> None:
    """Say how many patients a protocol leaves, what each criterion costs, what a bound would bring.

    Nothing but counts is shown or written. For research use only, not medical advice.
    """
    from trialyst.interfaces.runtime import open_judge
    from trialyst.scale.feasibility import assess_protocol, read_cohort
    from trialyst.scale.patients import open_patients
    from trialyst.scale.relaxing import parse_relaxation
    from trialyst.vocabulary import open_vocabulary

    asked = [parse_relaxation(each) for each in relax or ()]
    ids = [NctId.parse(each) for each in trials or ()]
    if not ids and criteria is None:
        raise InvalidInput(
            "There is no protocol to look at",
            hint="Name trials, such as NCT04303169, or a draft with --criteria FILE.",
        )
    settings = Settings.from_environment()
    listed = open_patients(patients.expanduser())
    judge: Any = open_judge("rules", settings=settings)
    protocols = list(_protocols(judge, _get(ids, source, registry), criteria, condition or ()))
    vocabulary = open_vocabulary(settings.home)
    cohort = read_cohort(listed, vocabulary)
    for row in cohort.bad:
        note(f"{row.place}: {row.message}")
    answers = [
        assess_protocol(
            each, cohort.profiles, judge, vocabulary=vocabulary, relax=asked, suggest=suggest
        ).to_dict()
        for each in protocols
    ]
    answer = {"bad_rows": len(cohort.bad), "protocols": answers}
    if out is not None:
        _save(out.expanduser(), answer)
    if json:
        show_json(answer)
    else:
        for told in answers:
            _show(told)


def _get(ids: Sequence[NctId], source: SourceName | None, registry: Path | None) -> list[Trial]:
    """Get the trials, or raise NotFound for one that is not there."""
    from trialyst.interfaces.runtime import open_source

    if not ids:
        return []
    opened = open_source(Settings.from_environment(), source=source, registry=registry)

    async def get() -> list[Trial]:
        try:
            return [await opened.get(each) for each in ids]
        finally:
            await opened.aclose()

    return asyncio.run(get())


def _protocols(
    judge: RulesJudge, trials: Sequence[Trial], criteria: Path | None, conditions: Sequence[str]
) -> Iterator[Protocol]:
    from trialyst.scale.feasibility import Protocol

    for trial in trials:
        if not trial.eligibility.criteria:
            raise NotFound(
                f"{trial.nct_id} states no eligibility criteria", hint="Name another trial."
            )
        yield Protocol.of_trial(trial, judge)
    if criteria is not None:
        yield Protocol.draft(read_note(criteria), tuple(conditions), judge)


def _save(out: Path, answer: dict[str, Any]) -> None:
    import json

    from trialyst.scale.funnel import draw_protocol, render_feasibility
    from trialyst.scale.job import write_whole

    out.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
    write_whole(out / "feasibility.json", json.dumps(answer, ensure_ascii=False, indent=2).encode())
    write_whole(out / "feasibility.html", render_feasibility(answer["protocols"]).encode())
    for told in answer["protocols"]:
        write_whole(out / f"{told['trial']}.svg", draw_protocol(told).encode())
    note(f"Funnels, a page and JSON are in {out}.")


def _show(told: dict[str, Any]) -> None:
    show_text(f"{told['trial']} {told['title']}".strip())
    show_text(
        f"{told['patients']:,} patients: {told['qualify']:,} qualify, {told['open']:,} open, "
        f"{told['conflict']:,} conflict ({told['sure_conflict']:,} surely), "
        f"{told['another_condition']:,} with another condition."
    )
    show_table(
        ("Criterion", "Conflict", "Of them sure", "Open", "It alone", "Dropped", "Left"),
        [
            (_cut(f"{each['kind']}: {each['criterion']}"), *(
                f"{each[name]:,}" for name in
                ("conflict", "sure_conflict", "open", "alone", "dropped", "left")))
            for each in told["criteria"]
        ],
    )  # fmt: skip
    bounds = [*told["relaxed"], *told["suggested"]]
    if bounds:
        show_table(
            ("Wider bound", "Qualify", "Open", "Conflict"),
            [
                (each["relax"], *(f"{each[name]:+,}" for name in ("qualify", "open", "conflict")))
                for each in bounds
            ],
        )


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"
