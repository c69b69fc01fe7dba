"""The Supervisor: runs the other agents side by side and puts together what they found.

An agent that fails costs its own part, which the dossier says; wrong input is the caller's to know.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from trialyst.agents.answer import answer
from trialyst.agents.critique import run_critique_agent
from trialyst.agents.findings import (
    CritiqueFinding,
    Finding,
    LandscapeFinding,
    LiteratureFinding,
    Question,
    TrialFinding,
)
from trialyst.agents.landscape import run_landscape_agent
from trialyst.agents.literature import run_literature_agent
from trialyst.agents.rephrasing import Rephraser, rephrase
from trialyst.agents.sentences import Sentence, coverage, method
from trialyst.agents.trial import run_trial_agent
from trialyst.annotation.drugs import DrugNames
from trialyst.ctgov.source import Provenance
from trialyst.errors import InvalidInput, ModelError
from trialyst.pubmed import PubMed
from trialyst.questions.readings import ArgumentReading
from trialyst.repurposing.answers import Part
from trialyst.repurposing.asking import Asking
from trialyst.repurposing.client import RepurposingClient

__all__ = ["AgentFailure", "Dossier", "run_supervisor"]

_CONCERNS_READ = 40
"""The gravest concerns, whose papers are looked up too."""

_CUT_LISTS = " are listed."
"""Marks notes on lists that were cut; a dossier has lists of its own."""
_SAID_ELSEWHERE = (
    " is understood as ",
    " was searched as ",
    "Approvals were not consulted",
    "Only trials first posted by ",
    "Records updated after ",
    "What they say is as of today",
    "termination_date is ",
)
"""Marks of the client's notes that a dossier tells in its own words."""

AnyFinding = TypeVar("AnyFinding", bound=Finding)


class AgentFailure(Part):
    """An agent whose part is missing."""

    agent: str
    problem: str


class Dossier(Part):
    """All that was found about a drug in a condition."""

    question: Question
    made_on: str
    """The day, `yyyy-MM-dd`."""
    summary: tuple[Sentence, ...] = ()
    """The answer first: tested, did it work, why not, who is ahead, what reads out next."""
    trial: TrialFinding | None = None
    landscape: LandscapeFinding | None = None
    critique: CritiqueFinding | None = None
    literature: LiteratureFinding | None = None
    failures: tuple[AgentFailure, ...] = ()
    coverage: tuple[Sentence, ...] = ()
    refused_rephrasings: int | None = None
    """What a model said beyond the data, and was not taken; None without a model."""
    provenance: Provenance

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Whatever the agents found, in the order of the dossier."""
        found = (self.trial, self.landscape, self.critique, self.literature)
        return tuple(each for each in found if each is not None)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """Every sentence of the dossier."""
        told = (sentence for each in self.findings for sentence in each.sentences)
        return (*self.summary, *told, *self.coverage)


async def run_supervisor(
    client: RepurposingClient,
    question: Question,
    *,
    pubmed: PubMed | None = None,
    rephraser: Rephraser | None = None,
) -> Dossier:
    """Write the dossier of a drug in a condition.

    Args:
        pubmed: where titles and abstracts come from; without it papers are only listed.
        rephraser: a model that may rephrase and rank sentences; without it nothing is random.

    Raises:
        InvalidInput: the question cannot be asked.
        TrialystError: no agent succeeded.
    """
    results = await asyncio.gather(
        run_trial_agent(client, question),
        run_landscape_agent(client, question),
        run_critique_agent(client, question),
        return_exceptions=True,
    )
    failures = _failures(dict(zip(("Trial", "Landscape", "Critique"), results, strict=True)))
    trial, landscape, critique = (
        _found(results[0], TrialFinding),
        _found(results[1], LandscapeFinding),
        _found(results[2], CritiqueFinding),
    )
    (read,) = await asyncio.gather(
        run_literature_agent(pubmed, _papers(trial, critique), question), return_exceptions=True
    )
    failures += _failures({"Literature": read}, others=True)
    dossier = Dossier(
        question=question,
        made_on=client.clock().date().isoformat(),
        summary=tuple(answer(question, trial, landscape, critique)),
        trial=trial,
        landscape=landscape,
        critique=critique,
        literature=_found(read, LiteratureFinding),
        failures=failures,
        provenance=await _provenance(client, (trial, landscape, critique)),
    )
    told = dossier.model_copy(update={"coverage": tuple(_coverage(dossier))})
    return told if rephraser is None else await _rephrased(told, rephraser)


def _found(result: object, kind: type[AnyFinding]) -> AnyFinding | None:
    return result if isinstance(result, kind) else None


def _failures(results: Mapping[str, object], *, others: bool = False) -> tuple[AgentFailure, ...]:
    """Give what failed; raises what no other agent can make up for."""
    errors = {name: each for name, each in results.items() if isinstance(each, BaseException)}
    for error in errors.values():
        if isinstance(error, InvalidInput) or not isinstance(error, Exception):
            raise error
    if errors and not others and len(errors) == len(results):
        raise next(iter(errors.values()))
    return tuple(
        AgentFailure(agent=name, problem=str(error) or type(error).__name__)
        for name, error in errors.items()
    )


def _papers(
    trial: TrialFinding | None, critique: CritiqueFinding | None
) -> dict[str, tuple[str, ...]]:
    """Give the PMIDs of the trials of the pair, then of the gravest concerns, with their trials."""
    cited: dict[str, tuple[str, ...]] = {}
    pairs = [
        (pmid, each.nct_id)
        for each in (trial.trial_evidence.trials if trial else ())
        for pmid in each.reporting_references
    ]
    pairs += [
        (pmid, concern.nct_id)
        for concern in (critique.concerns[:_CONCERNS_READ] if critique else ())
        for pmid in concern.pmids
    ]
    for pmid, nct_id in pairs:
        cited[pmid] = tuple(dict.fromkeys((*cited.get(pmid, ()), nct_id)))
    return cited


async def _provenance(client: RepurposingClient, findings: Iterable[Finding | None]) -> Provenance:
    told = (note for each in findings if each is not None for note in each.notes)
    notes = [note for note in told if _CUT_LISTS not in note]
    return await Asking(client.source, DrugNames(client.vocabulary), client.clock()).provenance(
        notes
    )


def _coverage(dossier: Dossier) -> Iterator[Sentence]:
    yield from _origin(dossier.provenance)
    yield coverage(
        f"Written on {dossier.made_on} from registered trials only: approvals, labels and trials "
        "registered elsewhere were not consulted."
    )
    yield method("Stop dates are primary completion dates, which are approximate.")
    yield from _cutoff(dossier.question)
    for failure in dossier.failures:
        yield coverage(f"The {failure.agent} agent failed, its part is missing: {failure.problem}.")
    if dossier.trial is not None:
        signal = dossier.trial.whitespace_signal
        yield from (_reading(each) for each in (signal.drug, signal.condition))
    for note in dossier.provenance.notes:
        if not any(phrase in note for phrase in _SAID_ELSEWHERE):
            yield coverage(note if note.endswith(".") else f"{note}.")


def _origin(provenance: Provenance) -> Iterator[Sentence]:
    held = "" if provenance.records is None else f" with {provenance.records:,} records"
    day = (provenance.data_timestamp or "")[:10]
    age = f"current as of {day}" if day else "of unknown age"
    yield coverage(f"The source is '{provenance.source}'{held}, {age}.")
    if provenance.is_partial:
        yield coverage(
            "This is a part of ClinicalTrials.gov: what is not found here may be registered there."
        )
    if provenance.synthetic:
        yield coverage(
            "SYNTHETIC: these records are invented, and nothing here is true of any real drug, "
            "sponsor or patient."
        )


def _cutoff(question: Question) -> Iterator[Sentence]:
    if question.date_before is None:
        return
    yield coverage(f"Only trials first posted by {question.date_before} are seen.")
    if question.point_in_time:
        yield method(
            "What was not yet known then is hidden: later statuses, reasons, dates, enrollments, "
            "results and papers; titles, conditions and drug names are those of today."
        )
    else:
        yield coverage("Their statuses, results and papers are those of today, not of that day.")


def _reading(name: ArgumentReading) -> Sentence:
    if not name.known:
        return method(
            f"'{name.asked}' ({name.kind}) is not in the vocabulary: searched as written."
        )
    if name.ambiguous:
        meant = ", ".join(name.may_mean)
        return method(f"'{name.asked}' ({name.kind}) may mean {meant}: searched as written.")
    shown = ", ".join(name.searched[:8])
    more = f" and {len(name.searched) - 8} more names" if len(name.searched) > 8 else ""
    return method(f"'{name.asked}' was read as the {name.kind} {name.name}: {shown}{more}.")


async def _rephrased(dossier: Dossier, rephraser: Rephraser) -> Dossier:
    """Let a model say the findings better; a model that fails changes nothing."""
    update: dict[str, object] = {}
    refused = 0
    try:
        for name in ("trial", "landscape", "critique"):
            found: Finding | None = getattr(dossier, name)
            if found is not None:
                told = await rephrase(rephraser, found.sentences)
                update[name] = found.model_copy(update={"sentences": told.sentences})
                refused += told.refused
        told = await rephrase(rephraser, dossier.summary)
        update["summary"] = told.sentences
        refused += told.refused
    except ModelError as error:
        failure = AgentFailure(agent="rephrasing", problem=error.message)
        return dossier.model_copy(update={"failures": (*dossier.failures, failure)})
    update |= {"refused_rephrasings": refused, "coverage": _with_model(dossier.coverage, refused)}
    return dossier.model_copy(update=update)


def _with_model(told: Sequence[Sentence], refused: int) -> tuple[Sentence, ...]:
    return (
        *told,
        method(
            "A language model rephrased and ordered sentences; "
            f"{refused:,} of its changes said more than the data and were not taken."
        ),
    )
