"""Feasibility as a funnel and a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from trialyst.scale.drawing import Bar, draw_funnel
from trialyst.scale.summary_page import page

__all__ = ["draw_protocol", "render_feasibility"]


def draw_protocol(told: Mapping[str, Any]) -> str:
    """Draw who is left after each criterion: dark where all is met, light where something is open.

    The funnel begins with whom the trial's condition leaves.
    """
    about = told["patients"] - told["another_condition"]
    steps = [
        Bar("All patients", (0, told["patients"]), f"{told['patients']:,}"),
        Bar("With the condition, or it is open", (0, about), f"{about:,}"),
    ]
    steps += [
        Bar(
            f"{each['kind']}: {each['criterion']}",
            (each["sure"], each["left"] - each["sure"]),
            f"{each['left']:,} (-{each['dropped']:,})",
        )
        for each in told["criteria"]
    ]
    return draw_funnel(steps, title=f"Who is left of {told['patients']:,} patients")


def render_feasibility(answers: Sequence[Mapping[str, Any]]) -> str:
    """Give a page with a funnel and tables for each protocol."""
    return page("Feasibility", "".join(map(_section, answers)))


def _section(told: Mapping[str, Any]) -> str:
    head = f"{told['trial']} {told['title']}".strip()
    return (
        f"<h2>{escape(head)}</h2><p>Of {told['patients']:,} patients {told['qualify']:,} qualify, "
        f"{told['open']:,} are open, {told['conflict']:,} conflict ({told['sure_conflict']:,} "
        f"surely), {told['another_condition']:,} have another condition.</p>{draw_protocol(told)}"
        + _table(
            ("Criterion", "Conflict", "Sure", "Open", "It alone", "Dropped in order", "Left"),
            [
                (f"{each['kind']}: {each['criterion']}", each["conflict"],
                 each["sure_conflict"], each["open"], each["alone"], each["dropped"],
                 each["left"])
                for each in told["criteria"]
            ],
        )
        + "<h3>Wider bounds</h3>"
        + _table(
            ("Bound", "Qualify", "Open", "Conflict"),
            [
                (each["relax"], f"{each['qualify']:+,}", f"{each['open']:+,}",
                 f"{each['conflict']:+,}")
                for each in (*told["relaxed"], *told["suggested"])
            ],
        )
    )  # fmt: skip


def _table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(str(value))}</td>' for value in row)}</tr>" for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"
