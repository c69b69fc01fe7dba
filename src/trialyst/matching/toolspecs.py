"""The two search tools as a model is told of them, and a check of what it asks them for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trialyst.errors import InvalidInput
from trialyst.llm.adapter import ToolSpec

__all__ = ["TOOL_SPECS", "read_arguments"]

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}


def _told(kind: Mapping[str, Any], text: str) -> dict[str, Any]:
    return {**kind, "description": text}


_SEARCH = {
    "condition": _told(_TEXT, "Disease or condition, in few words."),
    "intervention": _told(_TEXT, "Drug, class of drugs or other treatment."),
    "eligibility_keywords": _told(_TEXT, "Words of the eligibility criteria or the trial's text."),
    "status": _told(_TEXTS, "Recruitment statuses such as RECRUITING, which is the default."),
    "phase": _told(_TEXTS, "Phases: EARLY_PHASE1, PHASE1, PHASE2, PHASE3, PHASE4, NA."),
    "sex": _told(_TEXT, "The patient's sex, FEMALE or MALE; trials open to all stay in."),
    "min_age": _told(_TEXT, "The patient's age such as '61 Years': the trial takes it or younger."),
    "max_age": _told(_TEXT, "The patient's age such as '61 Years': the trial takes it or older."),
    "location": _told(_TEXT, "Country, state or city of a site."),
    "study_type": _told(_TEXT, "INTERVENTIONAL, which is the default, or OBSERVATIONAL."),
    "page_size": _told({"type": "integer"}, "How many trials to give, at most 100."),
}
_DETAILS = {"nct_id": _told(_TEXT, "The trial's id, such as NCT00461032.")}

TOOL_SPECS = (
    ToolSpec(
        "search_trials",
        "Search for trials by condition, treatment and words of the eligibility criteria. Gives "
        "how many there are, and the first of them in short.",
        {"type": "object", "properties": _SEARCH},
    ),
    ToolSpec(
        "get_trial_details",
        "Give one trial's eligibility criteria, ages and sex. For promising trials only.",
        {"type": "object", "properties": _DETAILS, "required": ["nct_id"]},
    ),
)
_BY_NAME = {spec.name: spec for spec in TOOL_SPECS}


def read_arguments(name: str, arguments: Mapping[str, Any] | None) -> dict[str, Any]:
    """Give the arguments of a call as the tool takes them; blank ones are left out.

    Raises:
        InvalidInput: they are no object, or one is of another kind than the tool takes.
    """
    if arguments is None:
        raise InvalidInput(
            "The arguments are not a JSON object", hint="Give the arguments as one JSON object."
        )
    spec = _BY_NAME.get(name)
    known = {} if spec is None else spec.parameters["properties"]
    read = {
        argument: _read(argument, value, known.get(argument, {}).get("type", "any"))
        for argument, value in arguments.items()
    }
    return {argument: value for argument, value in read.items() if value not in (None, "", [])}


def _read(argument: str, value: Any, kind: str) -> Any:
    if value is None or kind == "any":
        return value
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind == "integer" and (number or (isinstance(value, str) and value.strip().isdecimal())):
        return int(value)
    if kind == "string" and (number or isinstance(value, str)):
        return " ".join(str(value).split())
    if kind == "array" and isinstance(value, str):
        return [text.strip() for text in value.split(",") if text.strip()]
    if kind == "array" and isinstance(value, list) and all(isinstance(v, str) for v in value):
        return [text.strip() for text in value if text.strip()]
    wanted = {"integer": "a number", "string": "a text", "array": "a list of texts"}[kind]
    raise InvalidInput(
        f"{argument} is not {wanted}",
        hint=f"Give {wanted} in {argument}.",
        invalid_input=str(value)[:100],
    )
