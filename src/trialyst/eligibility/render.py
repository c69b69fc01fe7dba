"""A requirement in plain words, and as JSON.

The words are those of criteria, so that most of them read back to the same requirement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from trialyst.eligibility.requirement import (
    Administrative,
    Age,
    All,
    Allergy,
    AnyOf,
    AtLeast,
    Bound,
    Childbearing,
    Except,
    Given,
    Habit,
    Has,
    Interval,
    Leaf,
    Marker,
    Measured,
    Not,
    Person,
    Requirement,
    Sex,
    Tense,
    Took,
    Underwent,
    Window,
)
from trialyst.eligibility.tokens import is_adjective

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["render_requirement", "to_json"]

_STATES = {
    "pregnant": "pregnant",
    "breastfeeding": "breastfeeding",
    "able": "of childbearing potential",
    "postmenopausal": "postmenopausal",
    "contraception": "contraception",
    "pregnancy_test": "negative pregnancy test",
    "fathering": "fathering a child",
    "intends": "planning to become pregnant",
}
_HABITS = {
    ("smoking", "current"): "current smoker",
    ("smoking", "former"): "former smoker",
    ("smoking", "ever"): "smoking history",
    ("smoking", "never"): "never smoker",
    ("alcohol", "abuse"): "alcohol abuse",
    ("drugs", "abuse"): "drug abuse",
}
_BOUNDS = {
    Bound.UPPER_LIMIT: " x ULN",
    Bound.LOWER_LIMIT: " x LLN",
    Bound.BASELINE: " x baseline",
    Bound.PREDICTED: " % predicted",
}
_STEMS = {
    "mutated": ("mutat", "mutant", "variant", "deletion", "insertion", "exon"),
    "rearranged": ("rearrang", "fusion", "transloc"),
    "amplified": ("amplif",),
    "wild type": ("wild",),
    "positive": ("positiv", "+", "express", "reactiv", "detect"),
    "negative": ("negativ", "-"),
}
"""Parts of words that tell a biomarker's state."""
_PROVEN = ("confirmed", "proven", "documented", "diagnos", "reported", "verified", "evidence")
_RESPONSES = {
    "failed": "failure of",
    "refractory": "refractory to",
    "progressed": "progression on",
    "responded": "response to",
}


def to_json(requirement: Requirement) -> dict[str, Any]:
    """Give a requirement as JSON values, after `docs/contracts/requirement.json`."""
    made: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(requirement))
    return made


def render_requirement(requirement: Requirement) -> str:
    """Give a requirement in plain words."""
    if isinstance(requirement, All):
        parts = requirement.parts
        mixed = any(isinstance(part, Age | Sex | Not | Administrative | Given) for part in parts)
        if mixed:
            kept = _without_causes(parts)
            said = [_render(part, inside=isinstance(part, All)) for part in kept]
            return "; ".join(dict.fromkeys(said))
    return _render(requirement, inside=False)


def _render(node: Requirement, *, inside: bool = True) -> str:
    """Give a node in words, in parentheses where it stands inside another and is itself joined."""
    match node:
        case All(parts=parts):
            said = " and ".join(dict.fromkeys(map(_render, _without_causes(parts))))
        case AnyOf(parts=parts):
            said = _listed(parts)
        case AtLeast(count=count, parts=parts):
            said = f"at least {count} of the following: {'; '.join(map(_render, parts))}"
        case Not(part=Administrative(words=words)):
            return f"unable to {words}"
        case Not(part=Took(lines=Interval(high=None)) as part):
            return _therapy(part, denied=True)
        case Not(part=part, left_out=left_out):
            said = f"{_render(part)} are excluded" if left_out else f"no {_render(part)}"
        case Except(of=of, but=but):
            said = f"{_render(of)} except {_render(but)}"
        case Given(who=who, then=then):
            said = f"if {_render(who)}, {_render(then)}"
        case _:
            return _leaf(node)
    single = isinstance(node, Not) and not node.left_out
    return f"({said})" if inside and not single else said


def _without_causes(parts: tuple[Requirement, ...]) -> list[Requirement]:
    """Leave out what another part names as its cause."""
    causes = {part.cause for part in parts if isinstance(part, Has) and part.cause}
    return [part for part in parts if not (isinstance(part, Has) and part.words in causes)]


def _listed(parts: tuple[Requirement, ...]) -> str:
    said = list(dict.fromkeys(map(_render, parts)))
    return f"{', '.join(said[:-1])} or {said[-1]}" if len(said) > 1 else said[0]


def _leaf(node: Leaf) -> str:
    render = _RENDERERS.get(type(node))
    if render is not None:
        return str(render(node))
    words = getattr(node, "words", "")
    return words or getattr(node, "topic", "")


def _sex(node: Sex) -> str:
    return "women" if node.sex == "FEMALE" else "men"


def _childbearing(node: Childbearing) -> str:
    return _STATES.get(node.state, node.state)


def _procedure(node: Underwent) -> str:
    tense = _TENSES[node.tense] if node.tense is not Tense.EVER else ""
    narrowing = _narrowing(node.modifiers, node.words.lower())
    return f"{tense}{narrowing}{' ' if narrowing else ''}{node.words}{_window(node.when)}"


def _allergy(node: Allergy) -> str:
    return f"allergy to {node.words}"


_TENSES = {Tense.NOW: "current ", Tense.EVER: "history of ", Tense.PLANNED: "planned "}


def _marker(node: Marker) -> str:
    words = node.words or node.name
    stems = {state: _STEMS.get(state, (state,)) for state in node.states}
    plain = words.lower()
    told = [state for state, had in stems.items() if not any(stem in plain for stem in had)]
    variant = node.variant if node.variant not in words else ""
    return " ".join(filter(None, (words, variant, *told)))


def _age(node: Age) -> str:
    interval, unit = node.years, "weeks" if node.gestational else "years"
    name = "gestational age" if node.gestational else "age"
    high = interval.high
    if any(each is not None and each != int(each) for each in (interval.low, high)):
        low, upper = (
            None if each is None else round(each * 12, 4) for each in (interval.low, high)
        )
        months = msgspec.structs.replace(interval, low=low, high=upper)
        return f"{name} {_interval(months)} months"
    if high is not None and not interval.high_included and not node.gestational and high >= 2:
        # Ages are in completed years: "below 76" is said "up to 75".
        if interval.low is None:
            return f"{name} under {_number(high)} {unit}"
        return f"{name} {_number(interval.low)} to {_number(high - 1)} {unit}"
    return f"{name} {_interval(interval)} {unit}"


def _number(number: float) -> str:
    return f"{number:.10g}"


def _interval(interval: Interval) -> str:
    low, high = interval.low, interval.high
    if low is not None and high is not None:
        if low == high:
            return _number(low)
        if interval.low_included and interval.high_included:
            return f"{_number(low)} to {_number(high)}"
    parts = []
    if low is not None:
        parts.append(f"{'>=' if interval.low_included else '>'} {_number(low)}")
    if high is not None:
        parts.append(f"{'<=' if interval.high_included else '<'} {_number(high)}")
    return " and ".join(parts)


def _window(when: Window | None) -> str:
    if when is None:
        return ""
    if when.words and "(" not in when.words:
        return f" {when.words.rstrip('.,;:')}"
    if when.within is not None:
        return f" within {_number(when.within)} days"
    if when.beyond is not None:
        return f" more than {_number(when.beyond)} days ago"
    if when.lasting_at_least is not None:
        return f" for at least {_number(when.lasting_at_least)} days"
    return f" for at most {_number(when.lasting_at_most or 0)} days"


def _condition(node: Has) -> str:
    words = _shared_name(node).lower()
    contraindicated = node.general == "contraindication" and "contra" not in words
    general = "contraindication to " if contraindicated else ""
    proofs = node.proof.split(", ") if node.proof else []
    lead = " ".join(proof for proof in proofs if _leads(proof))
    shown = ", ".join(proof for proof in proofs if not _leads(proof))
    before = (
        "family history of" if node.family else _TENSES[node.tense].strip(),
        lead,
        node.severity.replace(", ", " "),
        node.activity.replace(", ", " "),
        f"stage {' or '.join(node.stage)}" if node.stage else "",
        _narrowing(node.modifiers, words),
    )
    skipped = node.tense is Tense.NOW and not node.family
    told = (part for part in (before[1:] if skipped else before) if part and part not in words)
    cause = f" due to {node.cause}" if node.cause else ""
    cause += f" as shown by {shown}" if shown else ""
    named = f"{' '.join(told)} {general}{_shared_name(node)}".strip()
    return f"{named}{cause}{_window(node.when)}"


def _leads(proof: str) -> bool:
    """Tell whether words of proof stand before the condition: "confirmed", "evidence of"."""
    return any(stem in proof for stem in _PROVEN) or proof.endswith((" of", " has", " or"))


def _shared_name(node: Has) -> str:
    """Give the words of a condition; "hip" of "hip or ankle injuries" with the noun it shares."""
    name = "" if node.what is None else node.what.name
    words = node.words.lower()
    shares = name.lower().startswith(f"{words} ") or (" " not in words and is_adjective(words))
    return name if shares and name and "," not in name else node.words


def _narrowing(modifiers: str, words: str) -> str:
    """Give the words that narrow a name and do not stand in it."""
    said = words.split()
    return " ".join(word for word in modifiers.split() if word not in said)


def _measured(node: Measured) -> str:
    said = f"{node.state} {node.words}" if node.state else node.words
    if node.values:
        said = f"{said} {' or '.join(node.values)}"
    if node.interval is not None:
        unit = _BOUNDS.get(node.bound, f" {node.unit}" if node.unit not in ("", "score") else "")
        said = f"{said} {_interval(node.interval)}{unit}"
    return said + _window(node.when)


def _therapy(node: Took, *, denied: bool = False) -> str:
    count = "" if node.lines is None else _count(node.lines, denied=denied)
    response = _RESPONSES.get(node.response, node.response)
    unnamed = node.what is None and not node.general
    prior = node.words.lower().startswith(("prior", "previous"))
    clause = node.modifiers.startswith(("that", "which", "known", "to "))
    parts = (
        response,
        count,
        "" if node.tense is Tense.NOW or prior else _took(node.tense),
        "treatment with" if unnamed and not response else "",
        "stable dose of" if node.stable and "stable" not in node.words else "",
        node.route,
        "" if clause else _narrowing(node.modifiers, node.words.lower()),
        node.words,
        node.modifiers if clause else "",
    )
    return f"{' '.join(filter(None, parts))}{_window(node.when)}"


def _count(lines: Interval, *, denied: bool) -> str:
    """Give how many lines are asked for; of a denial, how many are not too many."""
    if denied:
        said = "fewer than" if lines.low_included else "no more than"
        return f"{said} {_number(lines.low or 0)}"
    if lines.low is not None and lines.high is None:
        return f"{'at least' if lines.low_included else 'more than'} {_number(lines.low)}"
    return _interval(lines)


def _took(tense: Tense) -> str:
    return "previous" if tense is Tense.EVER else "planned"


def _habit(node: Habit) -> str:
    said = _HABITS.get((node.what, node.state), f"{node.state} {node.what}")
    if node.amount is not None:
        said = f"{said} {_interval(node.amount)} {node.unit}"
    return said + _window(node.when)


def _person(node: Person) -> str:
    said = node.words or node.role
    if node.interval is not None:
        return f"{said} {_interval(node.interval)} days"
    return said


_RENDERERS: dict[type, Callable[[Any], str]] = {
    Age: _age,
    Sex: _sex,
    Childbearing: _childbearing,
    Has: _condition,
    Measured: _measured,
    Took: _therapy,
    Underwent: _procedure,
    Marker: _marker,
    Allergy: _allergy,
    Habit: _habit,
    Person: _person,
}
