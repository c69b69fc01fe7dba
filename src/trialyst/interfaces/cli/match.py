"""`trialyst match`: trials for a patient, with a verdict and its evidence on every criterion."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import typer

from trialyst.errors import BudgetExhausted, InvalidInput, TrialystError
from trialyst.ids import NctId
from trialyst.interfaces.cli.ingest import read_note
from trialyst.interfaces.cli.match_models import open_models, tell_estimate, tell_sending
from trialyst.interfaces.cli.match_options import (
    AgentOption,
    AsOfOption,
    CandidatesOption,
    CompareOption,
    CriteriaOption,
    FirstOption,
    JudgeOption,
    KeepNoteFlag,
    MaxCallsOption,
    MaxUsdOption,
    NearOption,
    NoteArgument,
    OutOption,
    ProfileOption,
    ResumeFlag,
    SampleOption,
    SamplesFlag,
    SetOption,
    StatusOption,
    StudyTypeOption,
    TopOption,
)
from trialyst.interfaces.cli.match_reports import prepare_reports, save_reports
from trialyst.interfaces.cli.options import JsonFlag, RegistryOption, SourceOption, examples
from trialyst.interfaces.cli.output import note, show_json, show_table, warn_if_synthetic
from trialyst.settings import Settings, SourceName

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trialyst.llm import Meter
    from trialyst.matching.facade import Matching
    from trialyst.matching.patient import PatientProfile
    from trialyst.matching.pipeline import Progress
    from trialyst.matching.report import MatchReport
    from trialyst.matching.runs import RunDirectory

__all__ = ["add_to", "match"]

_RULES = "rules"


def add_to(app: typer.Typer) -> None:
    """Give the program the command of this module."""
    app.command(
        epilog=examples(
            "trialyst match note.txt --top 10 --out report",
            "trialyst match note.txt --near 'Boston, MA' --source local",
            "trialyst match --sample melanoma_braf --set ecog=1",
            "trialyst match note.txt --profile profile.yaml",
            "trialyst match note.txt --judge rules+ollama:llama3.1 --resume",
        )
    )(match)


@dataclass(frozen=True, slots=True)
class _Step:
    """How far the judging is, as a progress bar wants it."""

    done: int
    total: int
    step: str = "judging"


@dataclass(slots=True)
class _Task:
    """What a user asked for, and the run it became."""

    text: str | None
    """The note; None where the profile alone describes the patient."""
    profile: str | None
    """The edited form."""
    facts: list[str]
    """Facts set by name."""
    as_of: date | None
    """The day of the note, where it is known."""
    compared: list[NctId]
    """Trials that the report sets side by side."""
    settings: Settings
    source: SourceName | None
    registry: Path | None
    judge: str
    agent: str | None
    budget: tuple[int | None, float | None]
    options: Mapping[str, Any]
    resume: bool
    keep_note: bool
    out: Path | None
    form: str = field(default="")
    """The patient as read and corrected, to edit again."""
    run: RunDirectory | None = field(default=None)
    partial: MatchReport | None = field(default=None)
    """What was judged of a run that was interrupted."""
    meter: Meter | None = field(default=None)
    """The account of the models, where any is asked."""

    @property
    def is_live(self) -> bool:
        chosen = self.settings.source if self.source is None else self.source
        return chosen is SourceName.LIVE


def match(
    file: NoteArgument = None,
    sample: SampleOption = None,
    samples: SamplesFlag = False,
    profile: ProfileOption = None,
    facts: SetOption = None,
    as_of: AsOfOption = None,
    top: TopOption = 10,
    first: FirstOption = 1,
    criteria: CriteriaOption = 6,
    out: OutOption = None,
    compare: CompareOption = None,
    near: NearOption = None,
    status: StatusOption = None,
    study_type: StudyTypeOption = None,
    candidates: CandidatesOption = None,
    judge: JudgeOption = _RULES,
    agent: AgentOption = None,
    max_calls: MaxCallsOption = None,
    max_usd: MaxUsdOption = None,
    resume: ResumeFlag = False,
    keep_note: KeepNoteFlag = False,
    source: SourceOption = None,
    registry: RegistryOption = None,
    json: JsonFlag = False,
) -> None:
    """Find trials for a patient and judge every criterion of each, the fitting ones first.

    For research use only, not medical advice. The note stays on this machine unless a remote model
    is named; what is judged is kept as it goes, for --resume. With --json standard output has what
    the tool match_patient returns.
    """
    from trialyst.matching.report_view import check_part

    if samples:
        return _show_samples(as_json=json)
    part = {"first": first, "top": top, "criteria": criteria}
    check_part(**part)
    given = {"near": near, "status": status or None, "study_type": study_type or None}
    task = _Task(
        text=_read(file, sample, alone=profile is not None),
        profile=None if profile is None else read_note(profile),
        facts=facts or [],
        as_of=None if as_of is None else as_of.date(),
        compared=[NctId.parse(each) for each in compare or ()],
        settings=Settings.from_environment(),
        source=source,
        registry=registry and registry.expanduser().absolute(),
        judge=judge,
        agent=agent,
        budget=(max_calls, max_usd),
        options={**given, "candidates": candidates},
        resume=resume,
        keep_note=keep_note,
        out=None if out is None else prepare_reports(out.expanduser()),
    )
    report = _run(task)
    _save(task, report)
    _show(report, part, as_json=json)
    _end(task, report)


def _save(task: _Task, report: MatchReport) -> None:
    """Write the reports before anything is printed: what reads the output may close it."""
    if task.out is not None:
        save_reports(task.out, report, task.form, compared=task.compared)


def _show(report: MatchReport, part: Mapping[str, int], *, as_json: bool) -> None:
    from trialyst.interfaces.cli.match_view import show_match
    from trialyst.matching.report_view import to_match_view

    _tell(report)
    if as_json:
        show_json(to_match_view(report, **part))
    else:
        show_match(report, **part)


def _end(task: _Task, report: MatchReport) -> None:
    """Say where the run is, and tell by the exit code that a budget did not last."""
    note(f"The run is kept in {report.run_directory}.")
    if task.meter is not None and task.meter.refused:
        note("The budget was spent before everything was judged: --resume and a larger one go on.")
        raise typer.Exit(BudgetExhausted.exit_code)


def _show_samples(*, as_json: bool) -> None:
    from trialyst.starter import patient_manifest, sample_patients

    if as_json:
        show_json(patient_manifest())
        return
    rows = [
        (each.name, str(each.age), each.sex, each.condition, each.city)
        for each in sample_patients()
    ]
    show_table(("Name", "Age", "Sex", "Condition", "City"), rows)


def _read(file: Path | None, sample: str | None, *, alone: bool) -> str | None:
    """Read the note; there need be none where a profile stands alone."""
    if file is None and sample is None and alone:
        return None
    if (file is None) == (sample is None):
        raise InvalidInput(
            "Give a note or --sample, one of the two",
            hint="Name a file, - for standard input, or a sample; --samples lists those.",
        )
    if file is not None:
        return read_note(file)
    from trialyst.starter import sample_patients

    named = {each.name: each.note for each in sample_patients()}
    if sample not in named:
        raise InvalidInput(
            f"There is no sample patient {sample!r}",
            hint=f"Use one of {', '.join(named)}.",
            invalid_input=sample,
        )
    return named[sample]


def _refuse_invented(task: _Task) -> None:
    """Refuse before the starter is built, which takes a while; see `runtime.open_matching`."""
    from trialyst.interfaces.runtime import has_registry, is_sample_note, refuse_own_note

    chosen = task.settings.source if task.source is None else task.source
    falls_back = chosen is SourceName.AUTO and task.registry is None
    if falls_back and not is_sample_note(task.text or "") and not has_registry(task.settings):
        raise refuse_own_note()


def _run(task: _Task) -> MatchReport:
    _refuse_invented(task)
    try:
        return asyncio.run(_match(task))
    except (KeyboardInterrupt, TrialystError):
        if task.run is not None:
            _tell_unfinished(task, task.run)
        raise


def _tell_unfinished(task: _Task, run: RunDirectory) -> None:
    """Say what was done of a run that did not end, where that is, and how to go on."""
    from trialyst.matching.runs import REPORT

    report = task.partial
    if report is None:
        done = len(run.kept())
        kept = "1 judged trial is" if done == 1 else f"{done:,} judged trials are"
        note(f"Not finished: {kept} kept in {run.path}.")
    else:
        told = ", ".join(f"{number:,} {verdict}" for verdict, number in report.counts.items())
        note(f"Not finished: {len(report.trials):,} trials were judged ({told}).")
        note(f"Their report is {run.path / REPORT}.")
        _save(task, report)
    note("Go on with the same command and --resume.")


async def _match(task: _Task) -> MatchReport:
    from trialyst.interfaces.runtime import open_matching, open_source

    opened = await asyncio.to_thread(
        open_source, task.settings, source=task.source, registry=task.registry
    )
    models: dict[str, Any] = {}
    try:
        matching = open_matching(task.settings, opened)
        models = open_models(task)
        return await _judge(task, matching, models)
    finally:
        await opened.aclose()
        for model in models.values():
            await model.aclose()


async def _judge(task: _Task, matching: Matching, models: Mapping[str, Any]) -> MatchReport:
    from trialyst.interfaces.cli.progress import show_steps
    from trialyst.matching.pipeline import RunOptions

    profile = await _read_patient(task, matching)
    if task.is_live:
        await _tell_terms(task, matching, profile)
    if profile.key_facts.place and not task.options["near"]:
        note(f"The note names {profile.key_facts.place}: --near measures how far sites are.")

    def opened(run: RunDirectory) -> None:
        task.run = run
        tell_sending(task)
        if task.resume and not run.kept():
            note("Nothing of these inputs was judged before: this run begins anew.")

    def cut_short(report: MatchReport) -> None:
        task.partial = report

    runs = RunOptions(
        task.settings.runs,
        resume=task.resume,
        keep_note=task.keep_note,
        opened=opened,
        estimated=lambda estimate: tell_estimate(task, estimate),
        cut_short=cut_short,
    )
    with show_steps() as update:
        progress: Progress | None = None
        if update is not None:
            progress = lambda done, total: update(_Step(done, total))  # noqa: E731
        return await matching.match(profile, **task.options, **models, runs=runs, progress=progress)


async def _read_patient(task: _Task, matching: Matching) -> PatientProfile:
    """Read the note and correct what was read, telling what changed."""
    from trialyst.matching.correcting.form import render_form

    read = None if task.text is None else await matching.profile(task.text, as_of=task.as_of)
    profile = await matching.correct(read, form=task.profile, settings=task.facts)
    task.form = render_form(profile.chart)
    for change in profile.changes if task.text is not None else ():
        note(f"Corrected {change}.")
    return profile


async def _tell_terms(task: _Task, matching: Matching, profile: Any) -> None:
    """Say which terms will leave this machine, before any does."""
    host = urlsplit(task.settings.ctgov_url).hostname
    if task.agent is not None:
        note(f"The model chooses search terms from the note; they are sent to {host}.")
        note("If it fails, these are sent instead:")
    else:
        note(f"These terms are sent to {host}; the note itself is not:")
    for query in (await matching.plan(profile)).queries:
        note(f"  {query.label}: {', '.join(query.terms)}")
    note("  then what trials found by these study, and the ids of the trials to be judged")


def _tell(report: MatchReport) -> None:
    from trialyst.matching.wording import cost_words

    provenance = report.provenance
    warn_if_synthetic(provenance)
    held = "" if provenance.records is None else f" {provenance.records:,} records,"
    age = f"as of {provenance.data_timestamp[:10]}" if provenance.data_timestamp else "age unknown"
    note(f"Source: {provenance.source},{held} {age}. Judge: {report.judge}.")
    for line in provenance.notes:
        note(line)
    if told := cost_words(report.costs):
        note(told)
