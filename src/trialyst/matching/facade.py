"""Matching on one source, as methods: read a patient, find trials, judge criteria.

Interfaces hold one `Matching` and pass on what they were given. Work that keeps the processor
busy runs in a thread, so an event loop stays free. A note is never logged and never sent anywhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time
from functools import cached_property
from typing import TYPE_CHECKING, TypedDict, Unpack

from trialyst.errors import BudgetExhausted, InvalidInput, ModelError
from trialyst.hints import Argument, Call, Hint
from trialyst.paging import digest

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.matching.agent import PrescreenAgent
    from trialyst.matching.correcting import Correction
    from trialyst.matching.ingest import NoteReader
    from trialyst.matching.judging.judge import RulesJudge
    from trialyst.matching.judging.result import CriterionResult, Judge
    from trialyst.matching.patient import PatientProfile
    from trialyst.matching.pipeline import Progress, RunOptions
    from trialyst.matching.prescreen import PresearchResult, QueryPlan, Scope
    from trialyst.matching.report import MatchReport
    from trialyst.vocabulary import Vocabulary

__all__ = ["MatchOptions", "Matching"]

_SENT = "Search terms read from the note were sent to the live service; the note itself was not."
_WITHOUT_MODEL = "Trials were found without a model instead."
_PAID = ("gemini_cost_usd", "medgemma_cost_usd", "total_cost_usd", "cost_known")
"""What a search cost that found nothing."""
_LONGEST_CRITERION = 20_000
"""Characters: the whole eligibility text of a trial is seldom longer."""
_ANY = "any"
"""Lifts a limit, as an empty list does; a command line has no empty list."""


class MatchOptions(TypedDict, total=False):
    """What `match` takes beside the note."""

    status: str | Sequence[str] | None
    """As for `prescreen`, like `study_type`."""
    study_type: str | Sequence[str] | None
    candidates: int | None
    """How many of the trials found are judged; 200 if not given."""
    near: str | None
    """A place from which the nearest recruiting sites are measured."""
    judge: Judge | None
    """Who judges criteria; the rules, on this machine, if not given."""
    agent: PrescreenAgent | None
    """A model that searches; the planner, without a model, if not given or if it fails. It looks
    for recruiting interventional trials unless it chooses otherwise, and gives 20."""
    runs: RunOptions | None
    """Where and how to keep the run; it is not kept if not given."""
    progress: Progress | None
    """Told how many candidates are judged, and of how many."""


class Matching:
    """From a patient note to trials."""

    def __init__(
        self,
        source: TrialSource,
        *,
        vocabulary: Callable[[], Vocabulary],
        today: Callable[[], date] = date.today,
        check_note: Callable[[str], None] = lambda note: None,
        sent_to: str | None = None,
    ) -> None:
        """Take a source and the names to know.

        Args:
            check_note: raises for a note that must not be matched on this source.
            sent_to: the address that questions leave this machine for, so that nothing of a note
                may be asked that could name somebody; None where none does.
        """
        self._source = source
        self._open_vocabulary = vocabulary
        self._today = today
        self._check_note = check_note
        self._sent_to = sent_to

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return self._open_vocabulary()

    @cached_property
    def _reader(self) -> NoteReader:
        from trialyst.matching.ingest import NoteReader

        return NoteReader(self._vocabulary)

    @cached_property
    def _judge(self) -> RulesJudge:
        from trialyst.matching.judging.judge import RulesJudge

        return RulesJudge(self._vocabulary)

    async def profile(self, note: str | None, *, as_of: str | date | None = None) -> PatientProfile:
        """Read a note, in plain text or numbered sentences, or a FHIR R4 bundle into a profile.

        Args:
            as_of: the day on which a bundle's patient has the age; its last day if not given.

        Raises:
            InvalidInput: the note is empty, too long, no text at all, or no FHIR.
        """
        if not isinstance(note, str):
            kind = type(note).__name__
            given = "is missing" if kind == "NoneType" else f"is of type {kind}, not text"
            raise InvalidInput(
                f"The note {given}",
                hint=Hint(
                    "Give the patient note, or the FHIR bundle as JSON, as text: {example}.",
                    example=Argument("note", "A 63-year-old woman with melanoma."),
                ),
            )
        day = _to_day(as_of)
        return await asyncio.to_thread(
            lambda: self._reader.understand(note, as_of=day, today=self._today)
        )

    async def correct(
        self,
        profile: PatientProfile | None,
        corrections: Sequence[Correction] = (),
        *,
        form: str | None = None,
        settings: Sequence[str] = (),
        answers: Sequence[tuple[str, str]] = (),
    ) -> PatientProfile:
        """Give a profile with what a person corrected; `changes` says what that was.

        Args:
            profile: what was read; None for a patient whom the form alone describes.
            corrections: lines taken out and words put in.
            form: the form of the profile, edited.
            settings: facts by name, such as `ecog=1` or `asthma=no`.
            answers: facts that a report asks for, each with its answer.

        Raises:
            InvalidInput: a correction speaks of nothing that was read, or cannot be read itself.
        """
        from trialyst.eligibility.chart import Chart
        from trialyst.eligibility.reading.note import Note
        from trialyst.matching.profile import to_profile

        read = to_profile(Chart(Note("", ()))) if profile is None else profile
        return await asyncio.to_thread(
            lambda: self._reader.correct(
                read, corrections=corrections, form=form, settings=settings, answers=answers
            )
        )

    async def _as_profile(self, note: str | PatientProfile | None) -> PatientProfile:
        from trialyst.matching.patient import PatientProfile

        # What arrives over a wire may be anything: whatever is no profile is read, or refused.
        return note if isinstance(note, PatientProfile) else await self.profile(note)

    async def plan(self, note: str | PatientProfile) -> QueryPlan:
        """Say what `prescreen` and `match` will ask the source for; nothing is asked yet."""
        from trialyst.matching.prescreen import plan

        profile = await self._as_profile(note)
        return await asyncio.to_thread(
            lambda: plan(profile, vocabulary=self._vocabulary, discreet=self._sent_to is not None)
        )

    async def prescreen(
        self,
        note: str | PatientProfile,
        *,
        status: str | Sequence[str] | None = None,
        study_type: str | Sequence[str] | None = None,
        limit: int | None = None,
    ) -> PresearchResult:
        """Find the trials a patient may fit, the likeliest first, without any model.

        Args:
            note: a note, a FHIR bundle, or a profile made of one.
            status: statuses to look in; recruiting and not yet recruiting if not given, all of
                them if empty or `any`. What is left out is counted.
            study_type: types to look in; interventional if not given, all if empty or `any`.
            limit: how many candidates to give, 200 if not given.

        Raises:
            InvalidInput: the note cannot be read, or a status or type is unknown.
        """
        from trialyst.matching.prescreen import prescreen
        from trialyst.matching.prescreen.search import DEFAULT_CANDIDATES

        profile = await self._as_profile(note)
        return await prescreen(
            self._source,
            await self.plan(profile),
            vocabulary=self._vocabulary,
            scope=_read_scope(status, study_type, limit=limit),
            limit=DEFAULT_CANDIDATES if limit is None else limit,
        )

    async def match(
        self, note: str | PatientProfile, **options: Unpack[MatchOptions]
    ) -> MatchReport:
        """Find trials for a patient and judge every criterion of each, the fitting ones first.

        Args:
            note: a note, a FHIR bundle, or a profile made of one.
            options: the members of `MatchOptions`.

        Raises:
            InvalidInput: the note cannot be read, a status, type or place is unknown, or the
                records are invented and nobody asked for such.
        """
        from trialyst.matching.pipeline import Patient, digest_models, match_patient

        profile = await self._as_profile(note)
        self._check_note((profile.given or profile.note).text)
        judge = options.get("judge") or self._judge
        patient = Patient(profile, judge, self._vocabulary, options.get("near"))
        status, study_type = options.get("status"), options.get("study_type")
        candidates = options.get("candidates")
        # A model would be sent the note before the plan finds out.
        _read_scope(status, study_type, limit=candidates)
        agent = options.get("agent")

        async def search() -> PresearchResult:
            tried, notes = await self._ask_agent(agent, profile, candidates)
            if tried is not None and tried.candidates:
                return tried
            found = await self.prescreen(
                profile, status=status, study_type=study_type, limit=candidates
            )
            paid = {} if tried is None else {name: getattr(tried, name) for name in _PAID}
            return found.model_copy(update={"notes": (*notes, *found.notes), **paid})

        report = await match_patient(
            self._source,
            patient,
            search,
            asked={"status": status, "study_type": study_type, "candidates": candidates}
            | ({} if self._sent_to is None else {"source_at": digest(self._sent_to)})
            | ({} if agent is None else {"agent": agent.name, "agent_at": digest_models(agent)}),
            runs=options.get("runs"),
            progress=options.get("progress"),
        )
        report = report.model_copy(update={"understood": await self._understand(patient.place)})
        told = report.with_note(report.provenance.stale_note(self._now()))
        return told.with_note(None if self._sent_to is None else _SENT)

    async def _understand(self, near: str | None) -> dict[str, dict[str, str]]:
        """Say how a place was read."""
        from trialyst.ctgov.points import describe_place, find_place

        if near is None:
            return {}
        place = await find_place(self._source, near)
        return {"near": {"asked": near, "place": describe_place(place)}}

    async def _ask_agent(
        self, agent: PrescreenAgent | None, profile: PatientProfile, limit: int | None
    ) -> tuple[PresearchResult | None, tuple[str, ...]]:
        """Let a model search; where nothing came of that, say so."""
        if agent is None:
            return None, ()
        try:
            found = await agent.search(self._source, profile, limit=limit)
        except (BudgetExhausted, ModelError) as failure:
            return None, (f"{failure.message}. {_WITHOUT_MODEL}",)
        told = f"{agent.name} found no trial. {_WITHOUT_MODEL}"
        return found, (*found.notes, told)

    def _now(self) -> datetime:
        return datetime.combine(self._today(), time(), UTC)

    async def evaluate_criterion(
        self,
        note: str | PatientProfile | None,
        criterion: str | None,
        criterion_type: str | None,
    ) -> CriterionResult:
        """Judge one criterion of a trial against a patient, by rules and on this machine.

        Args:
            note: a note, a FHIR bundle, or a profile made of one.
            criterion_type: `inclusion` or `exclusion`; MET on an exclusion criterion excludes.

        Raises:
            InvalidInput: the note cannot be read, the criterion is blank, or the type unknown.
        """
        from trialyst.matching.judging.result import Statement, parse_criterion_type

        # What arrives over a wire may be anything.
        words = criterion.strip() if isinstance(criterion, str) else ""
        if not words:
            raise InvalidInput(
                "A criterion is missing",
                hint=Hint("Give the text of one eligibility criterion as {criterion}."),
            )
        if len(words) > _LONGEST_CRITERION:
            raise InvalidInput(
                f"The criterion has {len(words):,} characters, more than {_LONGEST_CRITERION:,}",
                hint=Hint(
                    "Give one criterion at a time; a whole trial is judged by {match}.",
                    match=Call("match_patient"),
                ),
            )
        statement = Statement(words, parse_criterion_type(criterion_type))
        profile = await self._as_profile(note)
        results = await asyncio.to_thread(lambda: self._judge.judge_all(profile.chart, [statement]))
        return results[0]


def _read_scope(
    status: str | Sequence[str] | None,
    study_type: str | Sequence[str] | None,
    *,
    limit: int | None,
) -> Scope:
    from trialyst.matching.prescreen import DEFAULT_SCOPE, Scope
    from trialyst.matching.prescreen.search import check_scope

    scope = Scope(
        DEFAULT_SCOPE.statuses if status is None else _listed(status),
        DEFAULT_SCOPE.study_types if study_type is None else _listed(study_type),
    )
    return check_scope(scope, 1 if limit is None else limit)


def _listed(given: str | Sequence[str]) -> tuple[str, ...]:
    listed = (given,) if isinstance(given, str) else tuple(given)
    return () if any(str(each).strip().lower() == _ANY for each in listed) else listed


def _to_day(given: str | date | None) -> date | None:
    if given is None or isinstance(given, date):
        return given
    try:
        return date.fromisoformat(given)
    except (TypeError, ValueError):
        raise InvalidInput(
            f"Not a day: {given!r}",
            hint=Hint("Write it as {example}.", example=Argument("as_of", "2026-04-30")),
            invalid_input=str(given),
        ) from None
