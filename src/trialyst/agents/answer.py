"""The answer first: tested, did it work, why not, who is ahead, what reads out next.

Five sentences, each with its sources, made of what the agents found and said nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from trialyst.agents.sentences import Sentence, coverage, finding, listed, of
from trialyst.agents.wording import rank_of, shorten
from trialyst.repurposing.models import Grade

if TYPE_CHECKING:
    from trialyst.agents.findings import (
        Concern,
        CritiqueFinding,
        LandscapeFinding,
        PivotalTrial,
        Question,
        TrialFinding,
    )
    from trialyst.repurposing.models import ConditionLandscape, ReadOut

__all__ = ["answer", "late_read_outs"]

_WORDS = {"met": "met", "not_met": "missed", "unclear": "left unclear"}
_GIVE = {True: "gives", False: "give"}
_GRAVE = ("safety", "efficacy")
_PHASE_2 = 4
_OWN = ("same drug and condition", "same drug")


def answer(
    question: Question,
    trial: TrialFinding | None,
    landscape: LandscapeFinding | None,
    critique: CritiqueFinding | None,
) -> Iterator[Sentence]:
    """Give the five sentences; what an agent that failed would have told is left out."""
    if trial is not None:
        yield _tested(question, trial)
        if trial.trial_evidence.trials:
            yield _worked(trial)
    if critique is not None:
        yield _why_not(question, critique)
    if landscape is not None:
        yield from _ahead(question, landscape)
        yield _next(question, landscape)


def _tested(question: Question, found: TrialFinding) -> Sentence:
    evidence, signal = found.trial_evidence, found.whitespace_signal
    grade = signal.grade.value.replace("_", " ")
    pair = f"{question.drug} in {question.condition}"
    if not evidence.trials:
        if signal.grade is Grade.UNKNOWN_NAME:
            unknown = [each.asked for each in (signal.drug, signal.condition) if not each.known]
            return coverage(f"Tested? Not to be told: {listed(unknown)} is no name known here.")
        if evidence.otherwise:
            return finding(
                f"Tested? No: {of(len(evidence.otherwise), 'trial')} of {question.condition} "
                f"{_GIVE[len(evidence.otherwise) == 1]} {question.drug}, none to test it "
                f"(grade: {grade}).",
                [each.nct_id for each in evidence.otherwise],
            )
        return coverage(f"Tested? No trial of {pair} is in this source (grade: {grade}).")
    reached = evidence.highest_phase or "no phase"
    return finding(
        f"Tested? Yes: {of(evidence.total_count, 'trial')} of {pair}, {len(evidence.completed):,} "
        f"completed and {len(evidence.ongoing):,} under way, up to {reached} (grade: {grade}).",
        [each.nct_id for each in evidence.trials],
    )


def _worked(found: TrialFinding) -> Sentence:
    read = [each for each in found.pivotal if each.outcome]
    if not read:
        completed = found.trial_evidence.completed
        if not completed:
            return finding(
                "Did it work? Not known: no trial of the pair has completed.",
                [each.nct_id for each in found.trial_evidence.trials],
            )
        posted = [each.nct_id for each in found.trial_evidence.trials if each.results_posted]
        if posted:
            has = "have" if len(posted) > 1 else "has"
            return finding(
                f"Did it work? Not told here: {of(len(posted), 'trial')} {has} posted results, but "
                "this source does not hold those of a pivotal trial.",
                posted,
            )
        return finding(
            "Did it work? Not known: no trial of the pair has posted results.", completed
        )
    told = [
        f"{_WORDS[outcome]} by {of(len(same), 'trial')}"
        for outcome in _WORDS
        if (same := [each for each in read if each.outcome == outcome])
    ]
    return finding(
        f"Did it work? Of {of(len(read), 'pivotal trial')} with posted results the primary end "
        f"point was {listed(told)}{_example(read)}.",
        [each.nct_id for each in read],
    )


def _example(read: Sequence[PivotalTrial]) -> str:
    first = next((each for each in read if each.p_value), None)
    if first is None:
        return ""
    effect = f"{first.effect}, " if first.effect else ""
    return f"; {first.nct_id}: {shorten(first.end_point, 80)}, {effect}p {_signed(first.p_value)}"


def _signed(p_value: str | None) -> str:
    text = (p_value or "").strip()
    return text if text[:1] in "<>=≤≥" else f"= {text}"


def _why_not(question: Question, found: CritiqueFinding) -> Sentence:
    own = [each for each in found.concerns if each.term("closeness").given in _OWN]
    grave = [each for each in own if each.category in _GRAVE]
    if grave:
        return finding(
            f"Why not? {of(len(grave), 'trial')} of {question.drug} stopped for safety or lack of "
            f"efficacy, the gravest: {_said(grave[0])}.",
            [each.nct_id for each in grave],
        )
    if own:
        return finding(
            f"Why not? No trial of {question.drug} is known to have stopped for safety or lack of "
            f"efficacy; {of(len(own), 'trial')} stopped for other reasons or gave none.",
            [each.nct_id for each in own],
        )
    return coverage(f"Why not? No stopped trial of {question.drug} is in this source.")


def _said(concern: Concern) -> str:
    return f'{concern.nct_id}, {concern.category}, "{shorten(concern.why, 120).rstrip(".")}"'


def _ahead(question: Question, found: LandscapeFinding) -> Iterator[Sentence]:
    competitors = [each for each in found.competitive_map.competitors if each not in found.own]
    if not competitors:
        yield coverage(f"Who is ahead? No other drug is in trials for {question.condition} here.")
        return
    first = competitors[0]
    own = max((rank_of(each.max_phase) for each in found.own), default=0)
    is_ahead = "ahead" if rank_of(first.max_phase) > own else "as far"
    others = listed([f"{each.drug_name} ({each.sponsor})" for each in competitors[:3]])
    yield finding(
        f"Who is {is_ahead}? {others}, up to {first.max_phase}.",
        [each.nct_ids[0] for each in competitors[:3] if each.nct_ids],
    )


def _next(question: Question, found: LandscapeFinding) -> Sentence:
    coming = late_read_outs(found.competitive_map)
    if not coming:
        return coverage(
            "What reads out next? No late trial under way with an expected date is in this source."
        )
    first = coming[0]
    return finding(
        f"What reads out next? {first.drug or 'A trial'} by {first.sponsor} in "
        f"{question.condition}, {first.phase}, expected {first.date}, the first of "
        f"{of(len(coming), 'late trial')} under way.",
        [each.nct_id for each in coming],
    )


def late_read_outs(field: ConditionLandscape) -> list[ReadOut]:
    """Give the expected read-outs of phase 2 and later, the next first."""
    return [each for each in field.read_outs if rank_of(each.phase) >= _PHASE_2]
