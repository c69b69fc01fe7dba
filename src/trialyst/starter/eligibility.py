"""Eligibility texts: criteria tied to the condition, laid out in the many ways sponsors do."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from trialyst.starter.draw import Draw, Weighted
from trialyst.starter.plan import Plan
from trialyst.starter.tables import Criteria, Tables

__all__ = ["LAYOUTS", "Statements", "draw_eligibility", "std_ages"]

_CHOICE = re.compile(r"\{([^{}]*\|[^{}]*)\}")
_NOTHING = Criteria((), ())
_COMPARATORS: tuple[tuple[tuple[str, str], ...], ...] = (
    (("<=", "≤"), (">=", "≥"), ("<", "\\<"), (">", "\\>")),
    (("<=", "\\<="), (">=", "\\>="), ("<", "\\<"), (">", "\\>")),
    (("<=", "at most"), (">=", "at least"), ("<", "less than"), (">", "greater than")),
    (("<=", "=\\<"), (">=", "\\>/="), ("<", "\\<"), (">", "\\>")),
)
_TOKEN = re.compile(r"<=|>=|<|>")


@dataclass(frozen=True, slots=True)
class Statements:
    """The criteria of one study, before layout; nested items follow ` // `."""

    inclusion: tuple[str, ...]
    exclusion: tuple[str, ...]
    headings: tuple[str, str]
    ages: str


def draw_eligibility(draw: Draw, plan: Plan, content: Tables) -> dict[str, Any]:
    """Render the eligibility module of a plan."""
    module: dict[str, Any] = {}
    if plan.case or draw.chance(0.99):
        module["eligibilityCriteria"] = _draw_text(draw, plan, content)
    if plan.case or draw.chance(0.95):
        module["healthyVolunteers"] = plan.healthy
    module["sex"] = plan.sex
    if plan.sex != "ALL" and draw.chance(0.1):
        module["genderBased"] = True
        module["genderDescription"] = "Eligibility rests on self-represented gender identity."
    if plan.ages.minimum:
        module["minimumAge"] = plan.ages.minimum
    if plan.ages.maximum:
        module["maximumAge"] = plan.ages.maximum
    module["stdAges"] = std_ages(plan.ages.low, plan.ages.high)
    if plan.study_type == "OBSERVATIONAL":
        module["studyPopulation"] = f"People with {plan.condition.name} seen at the study sites."
        module["samplingMethod"] = draw.pick(("PROBABILITY_SAMPLE", "NON_PROBABILITY_SAMPLE"))
    return module


def std_ages(low: float, high: float) -> list[str]:
    """Give the age groups that a range in years touches."""
    groups = (("CHILD", 0.0, 18.0), ("ADULT", 18.0, 65.0), ("OLDER_ADULT", 65.0, 1000.0))
    return [name for name, start, end in groups if low < end and high >= start]


def _draw_text(draw: Draw, plan: Plan, content: Tables) -> str:
    statements = _of_case(draw, plan, content) if plan.case else _drawn(draw, plan, content)
    text = draw.weighted(_CASE_LAYOUTS if plan.case else _LAYOUT_WEIGHTS)(statements)
    return text.replace("x 10^9", "x 10\\^9").replace("m^2", "m\\^2").replace("mm^3", "mm\\^3")


def _of_case(draw: Draw, plan: Plan, content: Tables) -> Statements:
    written = plan.case.criteria if plan.case else ()
    return Statements(
        tuple(_compared(c.text, 1) for c in written if c.inclusion),
        tuple(_compared(c.text, 1) for c in written if not c.inclusion),
        draw.pick(content.headings),
        _age_range(plan),
    )


def _drawn(draw: Draw, plan: Plan, content: Tables) -> Statements:
    wanted = content.criteria
    own = wanted.get(plan.condition.key) or _plain_diagnosis(draw, wanted["diagnosis"])
    inclusion = [_age_sentence(draw, plan)]
    sections = [(wanted["healthy"], 2, 3), (wanted["any"], 1, 2)]
    if not plan.healthy:
        inclusion.append(own.inclusion[0])
        sections = [
            (Criteria(own.inclusion[1:], own.exclusion), 2, 2),
            *((wanted[r.group], 1, 1) for r in plan.remedies if r.group in wanted),
            (wanted.get(plan.condition.area, _NOTHING), 2, 3),
            (wanted["any"], 2, 3),
        ]
    exclusion: list[str] = []
    for section, most_in, most_out in sections:
        inclusion += draw.some(section.inclusion, draw.between(1, most_in))
        exclusion += draw.some(section.exclusion, draw.between(1, most_out))
    if plan.sex == "MALE":
        inclusion = [text for text in inclusion if not text.startswith("Women")]
        exclusion = [text for text in exclusion if "Pregnant" not in text]
    style = draw.between(0, len(_COMPARATORS) - 1)
    return Statements(
        tuple(_worded(draw, text, plan.condition.name, style) for text in inclusion if text),
        tuple(_worded(draw, text, plan.condition.name, style) for text in exclusion),
        draw.pick(content.headings),
        _age_range(plan),
    )


def _plain_diagnosis(draw: Draw, section: Criteria) -> Criteria:
    return Criteria((draw.pick(section.inclusion),), section.exclusion)


def _worded(draw: Draw, template: str, condition: str, style: int) -> str:
    text = template
    if "{" in text:
        text = _CHOICE.sub(lambda match: draw.pick(match.group(1).split("|")), text)
        text = text.replace("{cond}", condition)
    return _compared(text, style)


def _compared(text: str, style: int) -> str:
    if "<" not in text and ">" not in text:
        return text
    words = dict(_COMPARATORS[style])
    return _TOKEN.sub(lambda match: words[match.group()], text)


def _age_range(plan: Plan) -> str:
    return f"{plan.ages.minimum or 'N/A'} to {plan.ages.maximum or 'N/A'}"


def _age_sentence(draw: Draw, plan: Plan) -> str:
    low, high = plan.ages.minimum, plan.ages.maximum
    if low is None:
        return ""
    low, high = low.lower(), high.lower() if high else None
    if high is None:
        return draw.pick((f"Aged {low} or older", f"Age >= {low}", f"At least {low} of age"))
    return draw.pick((f"Aged {low} to {high}", f"Age between {low} and {high}, inclusive"))


def _blocks(first: str, second: str, between: str = "\n\n") -> str:
    return f"{first}{between}{second}".strip()


def _bullets(items: Sequence[str], mark: str) -> str:
    lines: list[str] = []
    for item in items:
        head, *nested = item.split(" // ")
        lines.append(f"{mark} {head}")
        if nested:
            lines.append("")
        lines += [f"  {mark} {inner}" for inner in nested]
    return "\n".join(lines)


def _starred(s: Statements) -> str:
    return _blocks(
        f"{s.headings[0]}\n\n{_bullets(s.inclusion, '*')}",
        f"{s.headings[1]}\n\n{_bullets(s.exclusion, '*')}",
    )


def _dashed(s: Statements) -> str:
    return _blocks(
        f"{s.headings[0]}\n\n{_bullets(s.inclusion, '-')}",
        f"{s.headings[1]}\n\n{_bullets(s.exclusion, '-')}",
    )


def _numbers(items: Sequence[str], *, start: int = 1) -> str:
    lines: list[str] = []
    for number, item in enumerate(items, start):
        head, *nested = item.split(" // ")
        lines.append(f"{number}. {head}")
        lines += [f"   {chr(97 + i)}) {inner}" for i, inner in enumerate(nested)]
    return "\n".join(lines)


def _numbered(s: Statements) -> str:
    return _blocks(
        f"{s.headings[0]}\n\n{_numbers(s.inclusion)}", f"{s.headings[1]}\n\n{_numbers(s.exclusion)}"
    )


def _counted_through(s: Statements) -> str:
    rest = _numbers(s.exclusion, start=len(s.inclusion) + 1)
    return _blocks(f"{s.headings[0]}\n\n{_numbers(s.inclusion)}", f"{s.headings[1]}\n\n{rest}")


def _flat(items: Sequence[str]) -> list[str]:
    return [item.replace(": // ", ": ").replace(" // ", ", ") for item in items]


def _plain_lines(s: Statements) -> str:
    first = "\n\n".join(_flat(s.inclusion))
    second = "\n\n".join(_flat(s.exclusion))
    return _blocks(f"{s.headings[0]}\n\n{first}", f"{s.headings[1]}\n\n{second}")


def _run_on(s: Statements) -> str:
    return (
        f"Inclusion criteria: {'; '.join(_flat(s.inclusion))}. "
        f"Exclusion criteria: {'; '.join(_flat(s.exclusion))}."
    )


def _prose(s: Statements) -> str:
    wanted = ". ".join(_flat(s.inclusion))
    unwanted = ". ".join(_flat(s.exclusion))
    return f"Participants meet these points. {wanted}. They have none of these. {unwanted}."


def _denied(item: str) -> str:
    if item.startswith("Unable"):
        return f"Able{item[6:]}"
    if item.startswith("Any "):
        return f"No{item[3:]}"
    head = item[0].lower() if item[1].islower() else item[0]
    return f"{'Not' if item.startswith('Pregnant') else 'No'} {head}{item[1:]}"


def _both_senses(s: Statements) -> str:
    denied = [_denied(item) for item in _flat(s.exclusion)]
    return f"Inclusion Criteria:\n\n{_bullets((*s.inclusion, *denied), '*')}"


def _inclusion_only(s: Statements) -> str:
    return f"{s.headings[0]}\n\n{_bullets(s.inclusion, '*')}"


def _sub_cohorts(s: Statements) -> str:
    middle = max(1, len(s.inclusion) // 2)
    return (
        f"Inclusion Criteria for All Participants:\n\n{_bullets(s.inclusion[:middle], '*')}\n\n"
        f"Inclusion Criteria for Cohort B only:\n\n{_bullets(s.inclusion[middle:], '*')}\n\n"
        f"Exclusion Criteria (Cohorts A and B):\n\n{_bullets(s.exclusion, '*')}"
    )


def _one_block(s: Statements) -> str:
    wanted, unwanted = _flat(s.inclusion), _flat(s.exclusion)
    middle = max(1, len(wanted) // 2)
    return (
        f"DISEASE CHARACTERISTICS:\n\n{_bullets(wanted[:middle], '*')}\n\n"
        f"PATIENT CHARACTERISTICS:\n\n{_bullets(wanted[middle:], '*')}\n\n"
        f"PRIOR CONCURRENT THERAPY AND OTHER CONDITIONS:\n\n"
        f"{_bullets([_denied(item) for item in unwanted], '*')}"
    )


def _ages_first(s: Statements) -> str:
    return f"Ages Eligible for Study: {s.ages}\n\n{_starred(s)}"


LAYOUTS: dict[str, tuple[Callable[[Statements], str], float]] = {
    "starred": (_starred, 40),
    "numbered": (_numbered, 16),
    "dashed": (_dashed, 9),
    "counted_through": (_counted_through, 4),
    "plain_lines": (_plain_lines, 6),
    "run_on": (_run_on, 6),
    "prose": (_prose, 2),
    "both_senses": (_both_senses, 4),
    "inclusion_only": (_inclusion_only, 3),
    "sub_cohorts": (_sub_cohorts, 4),
    "one_block": (_one_block, 4),
    "ages_first": (_ages_first, 2),
}
_LAYOUT_WEIGHTS: Weighted[Callable[[Statements], str]] = Weighted(dict(LAYOUTS.values()))
_CASE_LAYOUTS: Weighted[Callable[[Statements], str]] = Weighted(
    {_starred: 3.0, _numbered: 2.0, _dashed: 1.0}
)
