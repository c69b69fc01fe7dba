"""A dossier as something to hand over: a file of four kinds, or the answer of the tool."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, NotRequired

from pydantic import Field

from trialyst.agents.arguments import DossierArguments
from trialyst.agents.findings import Question
from trialyst.agents.layout import lay_out
from trialyst.agents.markdown import render_markdown
from trialyst.agents.next_calls import after_dossier
from trialyst.agents.page import render_page
from trialyst.agents.supervisor import AgentFailure, Dossier
from trialyst.ctgov.answers import Told, Words, to_next
from trialyst.discovery.envelope import Answer
from trialyst.questions.given import read_given
from trialyst.repurposing.listing import need_text
from trialyst.repurposing.models import Grade
from trialyst.repurposing.wire import to_plain, to_wire
from trialyst.unseen import without_unseen

__all__ = ["DossierAnswer", "DossierForm", "read_question", "render_dossier", "to_answer"]


class DossierAnswer(Told):
    """A drug in a condition, written up."""

    drug: str
    condition: str
    grade: NotRequired[
        Annotated[Grade, Field(description="Absent where it could not be found out.")]
    ]
    text: Annotated[Words, Field(description="The dossier in Markdown.")]
    failures: Annotated[list[AgentFailure], Field(description="Agents whose part is missing.")]


class DossierForm(StrEnum):
    """What a dossier can be written as; also the endings of its files."""

    MARKDOWN = "md"
    HTML = "html"
    JSON = "json"
    PDF = "pdf"


def read_question(given: Mapping[str, Any]) -> Question:
    """Read the arguments of the tool, or raise InvalidInput."""
    asked = read_given(DossierArguments, given)
    date_before = asked.get("date_before")
    return Question(
        drug=need_text(asked, "drug", such_as="semaglutide"),
        condition=need_text(asked, "condition", such_as="NASH"),
        date_before=None if date_before is None else str(date_before),
        point_in_time=asked.get("point_in_time", False),
    )


def render_dossier(dossier: Dossier, form: DossierForm) -> bytes:
    """Give the content of a file; the same dossier always gives the same bytes."""
    if form is DossierForm.JSON:
        text = json.dumps(to_plain(dossier), ensure_ascii=False, indent=1)
        return f"{text}\n".encode()
    document = lay_out(dossier)
    if form is DossierForm.PDF:
        from trialyst.agents.pdf import render_pdf

        return render_pdf(document)
    text = render_page(document) if form is DossierForm.HTML else render_markdown(document)
    return without_unseen(text).encode()


def to_answer(dossier: Dossier) -> Answer[DossierAnswer]:
    """Give what the tool answers: the text in Markdown, and where it comes from."""
    body: dict[str, Any] = {"drug": dossier.question.drug, "condition": dossier.question.condition}
    understood: dict[str, dict[str, Any]] = {}
    if dossier.trial is not None:
        signal = dossier.trial.whitespace_signal
        body["grade"] = signal.grade.value
        understood = signal.understood
    body |= {
        "text": render_markdown(lay_out(dossier)),
        "failures": [to_plain(each) for each in dossier.failures],
        "understood": understood,
        "provenance": to_wire(dossier.provenance),
        "next": list(to_next(after_dossier(dossier))),
    }
    return Answer(body, rows=())
