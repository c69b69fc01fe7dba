"""A dossier as something to hand over: a file of four kinds, or the answer of the tool."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from trialyst.agents.findings import Question
from trialyst.agents.layout import lay_out
from trialyst.agents.markdown import render_markdown
from trialyst.agents.page import render_page
from trialyst.agents.supervisor import Dossier
from trialyst.discovery.envelope import Answer
from trialyst.errors import InvalidInput
from trialyst.hints import Argument, Hint
from trialyst.questions.values import read_flag, read_text
from trialyst.repurposing.wire import to_plain, to_wire

__all__ = ["DossierForm", "read_question", "render_dossier", "to_answer"]

_SUCH = {"drug": "semaglutide", "condition": "NASH"}


class DossierForm(StrEnum):
    """What a dossier can be written as; also the endings of its files."""

    MARKDOWN = "md"
    HTML = "html"
    JSON = "json"
    PDF = "pdf"


def read_question(given: Mapping[str, Any]) -> Question:
    """Read the arguments of the tool, or raise InvalidInput."""
    texts = {name: read_text(name, given.get(name)) for name in ("drug", "condition")}
    for name, text in texts.items():
        if text is None:
            raise InvalidInput(
                Hint("{name} is missing", name=Argument(name)),
                hint=Hint("Give {example}.", example=Argument(name, _SUCH[name])),
            )
    return Question(
        drug=texts["drug"] or "",
        condition=texts["condition"] or "",
        date_before=read_text("date_before", given.get("date_before")),
        point_in_time=read_flag("point_in_time", given.get("point_in_time"), default=False),
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
    return text.encode()


def to_answer(dossier: Dossier) -> Answer:
    """Give what the tool answers: the text in Markdown, and where it comes from."""
    body: dict[str, Any] = {"drug": dossier.question.drug, "condition": dossier.question.condition}
    if dossier.trial is not None:
        body["grade"] = dossier.trial.whitespace_signal.grade.value
    body |= {
        "text": render_markdown(lay_out(dossier)),
        "failures": [to_plain(each) for each in dossier.failures],
        "provenance": to_wire(dossier.provenance),
    }
    return Answer(body, rows=())
