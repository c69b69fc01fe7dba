"""Topics, judgments and lay queries: the files retrieval is measured on, plain or compressed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trialyst.benchmark.rows import open_text, read_rows
from trialyst.errors import InvalidInput
from trialyst.essie.pieces import find_piece

__all__ = ["Qrels", "Topic", "load_qrels", "load_queries", "load_topics", "read_judged_trials"]

Qrels = dict[str, dict[str, int]]
"""For each topic the score of each judged trial."""

_JUDGED_PIECES = {
    "nct_id": "NCTId",
    "brief_title": "BriefTitle",
    "official_title": "OfficialTitle",
    "conditions": "Condition",
    "keywords": "Keyword",
    "description": "BriefSummary",
    "eligibility_criteria": "EligibilityCriteria",
}


@dataclass(frozen=True, slots=True)
class Topic:
    """A patient, or a query, to find trials for."""

    id: str
    text: str


def load_topics(path: Path) -> list[Topic]:
    """Read topics: JSON lines with `id` and `text`, or `template` and `fields`.

    Raises:
        InvalidInput: the file cannot be read, holds no topic, or a line is none.
    """
    topics = [
        Topic(str(row.get("id", "")), _text(row, number, path)) for number, row in read_rows(path)
    ]
    if not topics:
        raise InvalidInput(
            f"There is no topic in {path.name}",
            hint="Give JSON lines with id and text.",
            invalid_input=str(path),
        )
    return topics


def load_qrels(path: Path) -> Qrels:
    """Read judgments: tab-separated with the columns topic_id, nct_id and score, or TREC's four.

    Raises:
        InvalidInput: the file cannot be read, or a line is no judgment.
    """
    if not path.is_file():
        raise InvalidInput(
            f"There is no file {str(path)!r}",
            hint="Give the path of the judgments.",
            invalid_input=str(path),
        )
    qrels: Qrels = {}
    columns = (0, 2, 3)
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            cells = line.split()
            if number == 1 and "nct_id" in cells:
                columns = (cells.index("topic_id"), cells.index("nct_id"), cells.index("score"))
            elif cells:
                topic, trial, score = _judgment(cells, columns, number, path)
                qrels.setdefault(topic, {})[trial] = score
    return qrels


def load_queries(path: Path) -> tuple[list[Topic], Qrels]:
    """Read lay queries: JSON lines with `query` and `judgments`, a score for each trial."""
    topics: list[Topic] = []
    qrels: Qrels = {}
    for number, row in read_rows(path):
        query, judged = row.get("query"), row.get("judgments")
        if not isinstance(query, str) or not isinstance(judged, dict):
            raise _unlike(path, number, "Give query and judgments on every line.")
        topics.append(Topic(query, query))
        qrels[query] = {str(trial): int(score) for trial, score in judged.items()}
    return topics, qrels


def read_judged_trials(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the trials of a file of flat records as studies of the v2 API."""
    for number, row in read_rows(path):
        if not row.get("nct_id"):
            raise _unlike(path, number, "Give nct_id on every line.")
        study: dict[str, Any] = {}
        for name, piece in _JUDGED_PIECES.items():
            if row.get(name):
                _put(study, piece, row[name])
        yield study


def _put(study: dict[str, Any], name: str, value: Any) -> None:
    piece = find_piece(name)
    assert piece is not None, name
    *parents, last = piece.path
    for key in parents:
        study = study.setdefault(key, {})
    study[last] = value


def _text(row: Mapping[str, Any], number: int, path: Path) -> str:
    text, fields = row.get("text"), row.get("fields")
    if isinstance(text, str) and text.strip():
        return text
    if isinstance(fields, dict):
        return " ".join(_questionnaire(str(row.get("template", "")), fields))
    raise _unlike(path, number, "Give text, or template and fields, on every line.")


def _questionnaire(template: str, fields: Mapping[str, Any]) -> Iterator[str]:
    """Give the answers of a questionnaire as sentences of a note."""
    if template:
        yield f"Diagnosis: {template}."
    for name, value in fields.items():
        answer = str(value).strip()
        if name.lower() == "age" and answer.isdigit():
            yield f"{answer}-year-old patient."
        elif answer.lower() == "no":
            yield f"No {name}."
        elif answer.lower() == "yes":
            yield f"{name}."
        elif answer:
            yield f"{name}: {answer}."


def _judgment(
    cells: list[str], columns: tuple[int, int, int], number: int, path: Path
) -> tuple[str, str, int]:
    try:
        topic, trial, score = (cells[column] for column in columns)
        return topic, trial, int(score)
    except (IndexError, ValueError):
        raise _unlike(path, number, "Give topic_id, nct_id and score.") from None


def _unlike(path: Path, number: int, hint: str) -> InvalidInput:
    return InvalidInput(
        f"Line {number} of {path.name} is not what is measured on",
        hint=hint,
        invalid_input=str(path),
    )
