"""Arms and interventions: who gets what, named the same from both sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from trialyst.starter.draw import Draw, Weighted
from trialyst.starter.plan import MEDICINE_TYPES, Plan
from trialyst.starter.tables import Remedy, Tables

__all__ = ["Arm", "Design", "Item", "draw_design", "render_arms"]

_DESIGNS = Weighted(
    {
        "single": 30.0,
        "placebo": 30.0,
        "active": 13.0,
        "usual": 10.0,
        "doses": 6.0,
        "cohorts": 5.0,
        "crossover": 4.0,
        "untreated": 2.0,
    }
)
_CASE_DESIGNS = Weighted({"placebo": 3.0, "active": 2.0, "single": 1.0})


@dataclass(frozen=True, slots=True)
class Item:
    """An intervention as one record names it."""

    type: str
    name: str
    other_names: tuple[str, ...]
    description: str
    remedy: Remedy

    @property
    def qualified(self) -> str:
        """The name as arms refer to it: `Drug: Name`."""
        return f"{self.type.replace('_', ' ').title()}: {self.name}"


@dataclass(frozen=True, slots=True)
class Arm:
    """An arm or cohort with the interventions it receives."""

    label: str
    type: str
    items: tuple[Item, ...]
    description: str


@dataclass(frozen=True, slots=True)
class Design:
    """The arms of a study and how participants come to them."""

    kind: str
    items: tuple[Item, ...]
    arms: tuple[Arm, ...]
    """Empty in expanded access."""


def draw_design(draw: Draw, plan: Plan, content: Tables) -> Design:
    """Draw interventions and arms for a plan."""
    items = tuple(_draw_item(draw, remedy) for remedy in plan.remedies)
    if plan.study_type == "EXPANDED_ACCESS":
        return Design("access", items, ())
    if plan.study_type == "OBSERVATIONAL":
        return _observational(draw, plan, items)
    kind = draw.weighted(_CASE_DESIGNS if plan.case else _DESIGNS)
    if kind in {"doses", "crossover", "cohorts"} and items[0].type not in MEDICINE_TYPES:
        kind = "untreated"
    if kind == "placebo" and items[0].type not in {"DRUG", "BIOLOGICAL", "DIETARY_SUPPLEMENT"}:
        kind = "sham" if items[0].type in {"DEVICE", "PROCEDURE"} else "usual"
    return _interventional(draw, plan, items, kind=kind, content=content)


def _draw_item(draw: Draw, remedy: Remedy) -> Item:
    name, others = _called(draw, remedy)
    type_name = remedy.type
    if type_name == "BIOLOGICAL" and remedy.group != "vaccine" and draw.chance(0.3):
        type_name = "DRUG"
    return Item(type_name, name, others, remedy.regimen, remedy)


def _called(draw: Draw, remedy: Remedy) -> tuple[str, tuple[str, ...]]:
    """Name a medicine the way different sponsors do: brand, code, dose, case."""
    title = remedy.name[0].upper() + remedy.name[1:]
    others = remedy.other_names
    if remedy.type not in MEDICINE_TYPES or remedy.group == "vaccine":
        return title, others if draw.chance(0.6) else ()
    roll = draw.between(1, 100)
    if roll <= 8 and others:
        return others[0], (title, *others[1:])
    if roll <= 13 and others:
        return others[-1], (title, *others[:-1])
    if roll <= 20:
        dose = remedy.regimen.split(",")[0].split(" ")
        named = f"{title} {dose[0]} {dose[1]}" if dose[0][0].isdigit() and len(dose) > 1 else title
        return named, others
    if roll <= 30:
        return remedy.name, others
    return title, others if draw.chance(0.65) else ()


def _interventional(
    draw: Draw, plan: Plan, items: tuple[Item, ...], *, kind: str, content: Tables
) -> Design:
    regimen = " plus ".join(item.name for item in items)
    text = f"{'; '.join(f'{item.name}: {item.description}' for item in items)}."
    treated = Arm(regimen[:100], "EXPERIMENTAL", items, text)
    if kind == "single":
        label = draw.pick((treated.label, "Single Arm", "Treatment", "Open Label"))
        return Design(kind, items, (Arm(label, draw.pick(_SINGLE_TYPES), items, text),))
    if kind == "doses":
        low, high = (Arm(f"{treated.label[:80]}, {d}", "EXPERIMENTAL", items, text) for d in _DOSES)
        control = _control(draw, "placebo", content)
        arm = Arm("Placebo", "PLACEBO_COMPARATOR", (control,), control.description)
        return Design(kind, (*items, control), (low, high, arm))
    if kind == "cohorts":
        names = ("Cohort A: Dose Escalation", "Cohort B: Dose Expansion")
        return Design(kind, items, tuple(Arm(n, "EXPERIMENTAL", items, text) for n in names))
    if kind == "untreated":
        return Design(kind, items, (treated, Arm("Control", "NO_INTERVENTION", (), _NOTHING)))
    if kind == "crossover":
        return _crossover(draw, items, text, content)
    return _controlled(draw, plan, treated, kind=kind, content=content)


_SINGLE_TYPES = ("EXPERIMENTAL", "EXPERIMENTAL", "EXPERIMENTAL", "OTHER")
_DOSES = ("Low Dose", "High Dose")
_NOTHING = "No study treatment; the same visits as the other arm."


def _crossover(draw: Draw, items: tuple[Item, ...], text: str, content: Tables) -> Design:
    control = _control(draw, "placebo", content)
    both = (*items, control)
    labels = ("Sequence AB", "Sequence BA")
    arms = tuple(Arm(label, "EXPERIMENTAL", both, f"{label}. {text}") for label in labels)
    return Design("crossover", both, arms)


def _controlled(draw: Draw, plan: Plan, treated: Arm, *, kind: str, content: Tables) -> Design:
    if kind == "active":
        known = content.remedies_by_condition[plan.condition.key]
        rivals = [r for r in known if r not in plan.remedies and r.type in MEDICINE_TYPES]
        usual = _control(draw, "usual", content)
        control = _draw_item(draw, draw.pick(rivals)) if rivals else usual
    else:
        control = _control(draw, kind, content)
    kept = treated.items if len(treated.items) > 1 and draw.chance(0.4) else ()
    background = kept[1:]
    label = " plus ".join((control.name, *(item.name for item in background)))[:100]
    if label == treated.label:
        label = f"Control: {label}"[:100]
    arm = Arm(label, _CONTROL_TYPES[kind], (control, *background), f"{control.description}.")
    return Design(kind, (*treated.items, control), (treated, arm))


_CONTROL_TYPES = {
    "placebo": "PLACEBO_COMPARATOR",
    "sham": "SHAM_COMPARATOR",
    "active": "ACTIVE_COMPARATOR",
    "usual": "ACTIVE_COMPARATOR",
}


def _control(draw: Draw, kind: str, content: Tables) -> Item:
    remedy = draw.pick(content.comparators[kind]).remedy
    others = remedy.other_names if draw.chance(0.3) else ()
    return Item(remedy.type, remedy.name, others, remedy.regimen, remedy)


def _observational(draw: Draw, plan: Plan, items: tuple[Item, ...]) -> Design:
    name = plan.condition.name
    cohort = Arm(f"Participants With {name}", "", items, f"People with {name}.")
    if draw.chance(0.4):
        controls = Arm("Control Group", "", (), "Comparable controls.")
        return Design("cohort", items, (cohort, controls))
    return Design("cohort", items, (cohort,) if items or draw.chance(0.7) else ())


def render_arms(draw: Draw, plan: Plan, design: Design) -> dict[str, Any] | None:
    """Render the arms and interventions module; None where a study has neither."""
    module: dict[str, Any] = {}
    typed = plan.study_type == "INTERVENTIONAL"
    if design.arms:
        module["armGroups"] = [_arm(draw, arm, typed=typed) for arm in design.arms]
    if design.items:
        module["interventions"] = [_intervention(draw, item, design.arms) for item in design.items]
    return module or None


def _arm(draw: Draw, arm: Arm, *, typed: bool) -> dict[str, Any]:
    group: dict[str, Any] = {"label": arm.label}
    if typed and draw.chance(0.98):
        group["type"] = arm.type
    if draw.chance(0.85):
        group["description"] = arm.description[:999]
    if arm.items:
        group["interventionNames"] = [item.qualified for item in arm.items]
    return group


def _intervention(draw: Draw, item: Item, arms: tuple[Arm, ...]) -> dict[str, Any]:
    entry: dict[str, Any] = {"type": item.type, "name": item.name}
    if draw.chance(0.85):
        entry["description"] = item.description
    labels = [arm.label for arm in arms if item in arm.items]
    if labels:
        entry["armGroupLabels"] = labels
    if item.other_names:
        entry["otherNames"] = list(item.other_names)
    return entry
