"""What posted results say: the primary outcomes, whether they were met, serious events by arm.

The rule is in `docs/guide/results.md`. A verdict is of the record, not of the drug: `met` says that
every primary comparison that can be judged came out as the trial set out to show.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trialyst.annotation.comparisons import (
    Judgement,
    Outcome,
    is_noninferiority,
    judge_comparison,
)
from trialyst.ctgov.parse_posted import parse_posted_results
from trialyst.ctgov.posted import PostedAnalysis, PostedMeasure, PostedResults

__all__ = [
    "ArmEvents",
    "Comparison",
    "PrimaryResult",
    "ResultsAnnotation",
    "read_posted",
    "read_results",
]

_OUTCOMES = "resultsSection.outcomeMeasuresModule.outcomeMeasures"
_EVENTS = "resultsSection.adverseEventsModule.eventGroups"
_FURTHER = re.compile(
    r"per[- ]protocol|sensitivity|post[- ]?hoc|supportive|supplement|exploratory|subgroup|"
    r"unstratified|unadjusted|includes only",
    re.IGNORECASE,
)
"""Words of analyses beside the one the trial rests on."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One statistical comparison of a primary outcome."""

    groups: tuple[str, ...]
    judgement: Judgement
    place: str
    """Where it stands in the record, such as `...outcomeMeasures[0].analyses[1]`."""
    test: str | None = None
    """The hypothesis tested, as the record says: SUPERIORITY, NON_INFERIORITY and so on."""
    effect_type: str | None = None
    effect: str | None = None
    ci_percent: str | None = None
    ci_lower: str | None = None
    ci_upper: str | None = None
    p_value: str | None = None


@dataclass(frozen=True, slots=True)
class PrimaryResult:
    """A primary outcome with its arms and comparisons."""

    title: str
    judgement: Judgement
    place: str
    time_frame: str | None = None
    arms: tuple[str, ...] = ()
    comparisons: tuple[Comparison, ...] = ()


@dataclass(frozen=True, slots=True)
class ArmEvents:
    """People of one arm who had a serious adverse event."""

    arm: str
    affected: int | None
    at_risk: int | None
    place: str


@dataclass(frozen=True, slots=True)
class ResultsAnnotation:
    """The posted results of a trial, read."""

    judgement: Judgement
    primary: tuple[PrimaryResult, ...] = ()
    serious_events: tuple[ArmEvents, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """Whether the primary outcomes were met."""
        return self.judgement.outcome


def read_results(study: bytes | Mapping[str, Any]) -> ResultsAnnotation | None:
    """Read the posted results of a study, None where it posts none."""
    posted = parse_posted_results(study)
    return None if posted is None else read_posted(posted)


def read_posted(posted: PostedResults) -> ResultsAnnotation:
    """Read posted results that are parsed."""
    primary = tuple(
        _read_primary(measure, f"{_OUTCOMES}[{at}]", randomized=posted.allocation == "RANDOMIZED")
        for at, measure in enumerate(posted.outcomes)
        if measure.type == "PRIMARY"
    )
    decisive = [each for each in primary if not _FURTHER.search(each.title)] or primary
    overall = _combine([each.judgement for each in decisive], "primary outcomes")
    return ResultsAnnotation(overall, primary, _serious_events(posted))


def _read_primary(measure: PostedMeasure, place: str, *, randomized: bool) -> PrimaryResult:
    judgements = [
        judge_comparison(analysis, measure, randomized=randomized) for analysis in measure.analyses
    ]
    decisive = _decisive(measure.analyses)
    return PrimaryResult(
        title=measure.title or "",
        judgement=_combine([judgements[at] for at in decisive], "comparisons"),
        place=place,
        time_frame=measure.time_frame,
        arms=tuple(group.title or group.id for group in measure.groups),
        comparisons=tuple(
            _to_comparison(analysis, measure, judged, f"{place}.analyses[{at}]")
            for at, (analysis, judged) in enumerate(zip(measure.analyses, judgements, strict=True))
        ),
    )


def _to_comparison(
    analysis: PostedAnalysis, measure: PostedMeasure, judged: Judgement, place: str
) -> Comparison:
    return Comparison(
        groups=tuple(
            group.title or group.id for group in measure.groups if group.id in analysis.group_ids
        ),
        judgement=judged,
        place=place,
        test=analysis.test_type,
        effect_type=analysis.estimate_type,
        effect=analysis.estimate,
        ci_percent=analysis.ci_percent,
        ci_lower=analysis.ci_lower,
        ci_upper=analysis.ci_upper,
        p_value=analysis.p_value,
    )


def _decisive(analyses: tuple[PostedAnalysis, ...]) -> list[int]:
    """Give the places of the analyses that the trial rests on: not the further ones beside them.

    Superiority tested after non-inferiority is a further claim, not the end point.
    """
    every = range(len(analyses))
    main = [
        at
        for at in every
        if not _FURTHER.search(
            " ".join(filter(None, (analyses[at].description, analyses[at].estimate_comment)))
        )
    ] or list(every)
    return [at for at in main if is_noninferiority(analyses[at])] or main


def _combine(parts: Sequence[Judgement], name: str) -> Judgement:
    """Give one verdict of several: all that can be judged must agree."""
    judged = [each for each in parts if each.outcome is not Outcome.UNCLEAR or each.divided]
    met = sum(each.outcome is Outcome.MET for each in judged)
    if not parts:
        return Judgement(Outcome.UNCLEAR, "no comparison is posted")
    if not judged:
        return Judgement(Outcome.UNCLEAR, parts[0].reason)
    if len(judged) == 1:
        return judged[0]
    agree = all(each.outcome is judged[0].outcome for each in judged)
    divided = not agree or judged[0].divided
    return Judgement(
        Outcome.UNCLEAR if divided else judged[0].outcome,
        f"{met} of {len(judged)} {name} met",
        divided=divided,
    )


def _serious_events(posted: PostedResults) -> tuple[ArmEvents, ...]:
    return tuple(
        ArmEvents(
            arm=group.title or group.id,
            affected=group.serious_affected,
            at_risk=group.serious_at_risk,
            place=f"{_EVENTS}[{at}]",
        )
        for at, group in enumerate(posted.event_groups)
        if group.serious_at_risk is not None or group.serious_affected is not None
    )
