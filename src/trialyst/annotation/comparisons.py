"""Whether one statistical comparison of a posted outcome shows what the trial set out to show.

Only what the record says is used: the groups compared, the kind of hypothesis, the p-value, the
confidence interval and a margin where the text states one. What cannot be told is `unclear`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trialyst.ctgov.posted import PostedAnalysis, PostedMeasure

__all__ = ["Judgement", "Outcome", "is_noninferiority", "judge_comparison"]


class Outcome(StrEnum):
    """Whether a primary end point was met."""

    MET = "met"
    NOT_MET = "not_met"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Judgement:
    """An outcome and what it rests on."""

    outcome: Outcome
    reason: str
    divided: bool = False
    """Unclear because a test speaks against the others, so that they settle nothing either."""


_LEVEL = 0.05
_ONE_SIDED_LEVEL = 0.025
_TWO_SIDED_PERCENT = 95.0
_PAIR = 2
_LARGEST_PLAIN_RATIO = 10.0
"""An estimate of a ratio above this is a percentage."""
_HIGHEST_LEVEL = 0.2
"""Levels of significance above this are no levels but other numbers of the text."""

_NUMBER = r"[-−–]?\s?\d*[.,]?\d+(?:[eE][-+]?\d+)?"
_P_VALUE = re.compile(rf"^\s*(?:p\s*)?(<=?|>=?|≤|≥|=)?\s*({_NUMBER})\s*$", re.IGNORECASE)
_STATED_LEVEL = re.compile(
    r"(?:alpha|significance level|level of significance|significance threshold)"
    r"[^.;]{0,40}?(0?\.\d+|\d(?:\.\d+)?\s?%)",
    re.IGNORECASE,
)
_ONE_SIDED = re.compile(r"\b(?:one|1)[- ](?:sided|tailed)", re.IGNORECASE)
_FIXED_VALUE = re.compile(
    r"null hypothesis|historical|performance goal|objective performance|one[- ]sample|"
    r"(?:compared|versus|vs\.?)(?: to| with)? (?:an? |the )?(?:fixed|pre-?specified|reference|\d)|"
    r"(?:less|greater|lower|higher|more|better) than (?:or equal to )?\d",
    re.IGNORECASE,
)
_INERT = re.compile(r"placebo|sham|vehicle|dummy", re.IGNORECASE)
_CONTROL = re.compile(
    r"placebo|sham|vehicle|\bcontrol|standard|usual care|no treatment|wait", re.IGNORECASE
)
_EXPOSURE = re.compile(
    r"\bc ?max\b|\bauc|area under the|concentration|pharmacokinetic|clearance of|half-life",
    re.IGNORECASE,
)
_HARM = re.compile(r"adverse|safety|toxicit|tolerab|\b(?:te-?)?(?:sae|ae)s?\b", re.IGNORECASE)
_RATIO = re.compile(r"ratio|odds|hazard|relative risk|\brr\b|\bhr\b|\bor\b|fold", re.IGNORECASE)
_DIFFERENCE = re.compile(r"differ|change|reduction|slope|\bmd\b|mean", re.IGNORECASE)
_NONINFERIORITY = re.compile(r"NON_INFERIORITY|EQUIVALENCE")
_LESS_IS_BETTER = re.compile(
    r"death|mortality|hospitali[sz]|exacerbat|relaps|recurren|\bfailure\b|\bpain\b|attack|"
    r"headache|migraine|seizure|hba1c|h[a]?emoglobin a1c|lesion count|bleed|stroke|\bevents?\b|"
    r"infection|incidence|(?:wedge|systolic|diastolic|arterial) (?:blood )?pressure|"
    r"vascular resistance",
    re.IGNORECASE,
)
_MORE_IS_BETTER = re.compile(
    r"survival|respon|remission|\bcure|success|free (?:from|of)|-free|ejection fraction|\bwalk|"
    r"\bfev|time to",
    re.IGNORECASE,
)
_COUNTED_EVENTS = re.compile(r"^number of (?:participants|patients|subjects) .*survival", re.I)
"""Who had an event before survival ended, or who survived: the title does not say which."""
_RANGE = re.compile(
    rf"(?:within|between|range|falls?|contained|limits?|margins?|bounds?|interval)[^.]{{0,60}}?"
    rf"\(?({_NUMBER})\s?%?\s*(?:to|and|,|-|–)\s*({_NUMBER})\s?%?",
    re.IGNORECASE,
)
_UPPER = re.compile(
    rf"upper (?:limit|bound|confidence)[^.]*?"
    rf"(?:<|≤|less than|below|not exceed|lower than|under|within)[^0-9]{{0,25}}({_NUMBER})",
    re.IGNORECASE,
)
_LOWER = re.compile(
    rf"lower (?:limit|bound|confidence)[^.]*?"
    rf"(?:>|≥|greater than|above|exceed|higher than|more than|at least)[^0-9−-]{{0,25}}({_NUMBER})",
    re.IGNORECASE,
)
_MARGIN = re.compile(rf"margin[^.0-9]{{0,60}}({_NUMBER})", re.IGNORECASE)


def judge_comparison(
    analysis: PostedAnalysis, measure: PostedMeasure, *, randomized: bool
) -> Judgement:
    """Judge one comparison of a measure, by the rule in `docs/guide/results.md`."""
    titles = _titles(analysis, measure)
    apart = _judge_groups(analysis, titles, randomized=randomized)
    if apart is not None:
        return apart
    if is_noninferiority(analysis):
        return _judge_noninferiority(analysis)
    found = _judge_difference(analysis, measure)
    if found.outcome is Outcome.MET and len(titles) > _PAIR:
        return Judgement(Outcome.UNCLEAR, "several groups differ; which ones is not said")
    if _HARM.search(measure.title or "") and found.outcome is Outcome.NOT_MET:
        return Judgement(Outcome.UNCLEAR, "a measure of harm that does not differ")
    if found.outcome is Outcome.MET and _favours_control(measure, analysis):
        return Judgement(Outcome.NOT_MET, "significant in favour of the control group")
    return found


def is_noninferiority(analysis: PostedAnalysis) -> bool:
    """Whether non-inferiority or equivalence was tested."""
    return bool(_NONINFERIORITY.search(analysis.test_type or ""))


def _titles(analysis: PostedAnalysis, measure: PostedMeasure) -> list[str]:
    ids = analysis.group_ids or tuple(group.id for group in measure.groups)
    return [group.title or "" for group in measure.groups if group.id in ids]


def _judge_groups(
    analysis: PostedAnalysis, titles: Sequence[str], *, randomized: bool
) -> Judgement | None:
    """Give why the groups of a comparison settle nothing, None where they may."""
    if len(titles) <= 1:
        if _FIXED_VALUE.search(_text(analysis)):
            return None
        return Judgement(Outcome.UNCLEAR, "a change within one group")
    if not randomized and not any(map(_INERT.search, titles)):
        return Judgement(Outcome.UNCLEAR, "the groups compared were not randomized")
    return None


def _text(analysis: PostedAnalysis) -> str:
    parts = (
        analysis.description,
        analysis.method,
        analysis.method_comment,
        analysis.p_value_comment,
        analysis.estimate_comment,
        analysis.test_comment,
    )
    # The registry escapes comparison signs for Markdown.
    return " ".join(filter(None, parts)).replace("\\", "")


def _number(text: str | None) -> float | None:
    match = re.fullmatch(rf"\s*({_NUMBER})\s*%?\s*", text or "")
    if match is None:
        return None
    plain = re.sub(r"[−–]", "-", match[1]).replace(" ", "")
    return float(plain.replace(",", "."))


def _judge_difference(analysis: PostedAnalysis, measure: PostedMeasure) -> Judgement:
    level = _level(analysis)
    by_interval = _judge_interval(analysis, measure)
    match = _P_VALUE.match(analysis.p_value or "")
    if match is None:
        return by_interval
    sign, value = match[1] or "=", _number(match[2])
    if value is None:
        return by_interval
    shown = f"p {sign} {match[2].strip()}"
    if sign in {"<", "<=", "≤"}:
        # "<0.05" is often the level that was planned, not what was found; an interval tells.
        if value >= _LEVEL and by_interval.outcome is Outcome.NOT_MET:
            return by_interval
        met = Outcome.MET if value <= level.higher else Outcome.UNCLEAR
        return Judgement(met, shown)
    if sign in {">", ">=", "≥"}:
        return Judgement(Outcome.NOT_MET if value >= level.higher else Outcome.UNCLEAR, shown)
    if value < level.lower:
        return Judgement(Outcome.MET, shown)
    if value >= level.higher:
        return Judgement(Outcome.NOT_MET, shown)
    return Judgement(Outcome.UNCLEAR, f"{shown}, one-sided, the level is not stated")


@dataclass(frozen=True, slots=True)
class _Level:
    """A p-value below `lower` is significant, from `higher` on it is not."""

    lower: float
    higher: float


def _level(analysis: PostedAnalysis) -> _Level:
    text = _text(analysis)
    stated = _STATED_LEVEL.search(text)
    if stated:
        value = float(stated[1].rstrip(" %")) / (100 if "%" in stated[1] else 1)
        if 0 < value <= _HIGHEST_LEVEL:
            return _Level(value, value)
    return _Level(_ONE_SIDED_LEVEL if _ONE_SIDED.search(text) else _LEVEL, _LEVEL)


def _interval(analysis: PostedAnalysis) -> tuple[float, float] | None:
    lower, upper = _number(analysis.ci_lower), _number(analysis.ci_upper)
    return None if lower is None or upper is None else (lower, upper)


def _judge_interval(analysis: PostedAnalysis, measure: PostedMeasure) -> Judgement:
    """Judge by whether the interval leaves out no difference."""
    interval = _interval(analysis)
    null = _null(analysis)
    if interval is None or null is None:
        return Judgement(Outcome.UNCLEAR, "no p-value, and no interval that can be read")
    if analysis.p_value is None and _EXPOSURE.search(measure.title or ""):
        return Judgement(Outcome.UNCLEAR, "exposure described, no hypothesis tested")
    shown = f"{analysis.ci_percent or ''}% interval {analysis.ci_lower} to {analysis.ci_upper}"
    if interval[0] <= null <= interval[1]:
        return Judgement(Outcome.NOT_MET, f"{shown} includes no difference")
    if (_number(analysis.ci_percent) or 0) < _TWO_SIDED_PERCENT:
        return Judgement(Outcome.UNCLEAR, f"{shown}, without a p-value")
    return Judgement(Outcome.MET, f"{shown} leaves out no difference")


def _null(analysis: PostedAnalysis) -> float | None:
    """Give the value of the estimate that means no difference."""
    kind = analysis.estimate_type or ""
    numbers = (_number(analysis.estimate), *(_interval(analysis) or ()))
    if _RATIO.search(kind):
        # "Hazard Ratio, log" is chosen for plain ratios too; a logarithm may be negative.
        if any(number is not None and number < 0 for number in numbers):
            return 0.0
        return 100.0 if _is_percent(kind) else 1.0
    return 0.0 if _DIFFERENCE.search(kind) else None


def _is_percent(text: str) -> bool:
    return "%" in text or "percent" in text.lower()


def _favours_control(measure: PostedMeasure, analysis: PostedAnalysis) -> bool:
    """Whether the values say so, for measures of which it is plain what is better."""
    title = measure.title or ""
    if _COUNTED_EVENTS.search(title):
        return False
    less, more = _LESS_IS_BETTER.search(title), _MORE_IS_BETTER.search(title)
    ids = [group.id for group in measure.groups if group.id in analysis.group_ids]
    controls = [
        group.id
        for group in measure.groups
        if group.id in ids and _CONTROL.search(group.title or "")
    ]
    values = {row.group_id: _number(row.value) for row in measure.rows}
    if bool(less) == bool(more) or len(controls) != 1 or len(values) != len(measure.rows):
        return False
    control = values.get(controls[0])
    tested = [values.get(each) for each in ids if each not in controls]
    if control is None or not tested or any(each is None for each in tested):
        return False
    worse = [each > control if less else each < control for each in tested if each is not None]
    return all(worse)


def _judge_noninferiority(analysis: PostedAnalysis) -> Judgement:
    by_margin = _judge_margin(analysis)
    if by_margin is not None:
        return by_margin
    match = _P_VALUE.match(analysis.p_value or "")
    value = _number(match[2]) if match else None
    if match is None or value is None:
        return Judgement(Outcome.UNCLEAR, "no p-value, and no margin that can be read")
    shown = f"p {match[1] or '='} {match[2].strip()}"
    level = _level(analysis)
    if len(analysis.group_ids) > _PAIR:
        return Judgement(Outcome.UNCLEAR, f"{shown} over several groups")
    if match[1] not in {">", ">=", "≥"} and value <= level.higher:
        return Judgement(Outcome.MET, f"{shown} for non-inferiority or equivalence")
    if re.search(r"inferior|equivalen", analysis.p_value_comment or "", re.IGNORECASE):
        return Judgement(Outcome.NOT_MET, f"{shown} for non-inferiority or equivalence")
    return Judgement(Outcome.UNCLEAR, f"{shown}; of what is not said", divided=True)


def _judge_margin(analysis: PostedAnalysis) -> Judgement | None:
    interval = _interval(analysis)
    lower, upper = _number(analysis.ci_lower), _number(analysis.ci_upper)
    text = _text(analysis)
    scale = _margin_scale(analysis)
    limits = _RANGE.search(text)
    if limits and interval and "EQUIVALENCE" in (analysis.test_type or ""):
        bounds = sorted(value / scale for part in limits.groups() if (value := _number(part)))
        if len(bounds) == _PAIR and bounds[0] < bounds[1]:
            within = bounds[0] <= interval[0] and interval[1] <= bounds[1]
            return _decide(f"interval within {limits[1]} to {limits[2]}", met=within)
    highest, lowest = _UPPER.search(text), _LOWER.search(text)
    if highest and upper is not None and (bound := _number(highest[1])) is not None:
        return _decide(f"upper limit below {highest[1]}", met=upper <= bound / scale)
    if lowest and lower is not None and (bound := _number(lowest[1])) is not None:
        return _decide(f"lower limit above {lowest[1]}", met=lower >= bound / scale)
    return _judge_plain_margin(analysis, interval, text)


def _judge_plain_margin(
    analysis: PostedAnalysis, interval: tuple[float, float] | None, text: str
) -> Judgement | None:
    """Judge by a margin without a direction: met where the interval keeps within both sides.

    Outside, equivalence is not shown; of non-inferiority the side that matters is not said.
    """
    stated = _MARGIN.search(text)
    margin = abs(_number(stated[1]) or 0) if stated else 0
    if not margin or interval is None:
        return None
    within = (
        interval[1] < margin
        if _null(analysis) == 1.0 and margin > 1
        else -margin < interval[0] and interval[1] < margin
    )
    if within or re.search(r"equivalence margin", text, re.IGNORECASE):
        return _decide(f"interval within the margin of {margin:g}", met=within)
    return None


def _margin_scale(analysis: PostedAnalysis) -> float:
    """Give 100 where the text states percentages of an estimate that is a plain ratio."""
    kind = analysis.estimate_type or ""
    estimate = _number(analysis.estimate)
    plain = bool(_RATIO.search(kind)) and estimate is not None and estimate < _LARGEST_PLAIN_RATIO
    return 100.0 if plain and re.search(r"\d\s?%\s*(?:to|and|,|-|–)", _text(analysis)) else 1.0


def _decide(reason: str, *, met: bool) -> Judgement:
    return Judgement(Outcome.MET if met else Outcome.NOT_MET, f"{'' if met else 'no '}{reason}")
