"""Addresses of pages: of a trial, of a search with one thing changed, of what a tool would say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from trialyst.hints import Argument, Call, Command, Option

__all__ = ["PageWording", "link_to", "path_of", "trial_path", "with_query"]

Pairs = Sequence[tuple[str, str]]

_TOOLS = {
    "search_trials": "/search",
    "count_trials": "/search",
    "compare_trials": "/compare",
    "search_drug_trials": "/search",
    "detect_whitespace": "/repurposing",
    "get_landscape": "/repurposing/landscape",
    "get_terminated": "/repurposing/stopped",
    "write_dossier": "/repurposing/dossier",
    "scout_indications": "/repurposing/scout",
    "bridge_drug": "/pathways/bridge",
    "search_pathways": "/pathways",
    "get_pathways_for_gene": "/pathways",
    "enrich_pathways": "/pathways/enrich",
    "match_patient": "/match",
    "profile_patient": "/match",
}
_NAMES = {"nct_ids": "ids", "search_drug_trials.drug": "intervention", "gene_id": "gene"}
_UNASKED = frozenset({"by", "fields", "slim", "page_size", "sections", "top", "max_results"})


def with_query(path: str, pairs: Iterable[tuple[str, str]]) -> str:
    """Give a path with what is asked behind it."""
    asked = urlencode([pair for pair in pairs if pair[1] != ""])
    return f"{path}?{asked}" if asked else path


def path_of(path: str, **asked: Any) -> str:
    """Give a path with what is asked; of a list each value, of None nothing.

    >>> path_of("/search", condition=["a", "b"], sort=None)
    '/search?condition=a&condition=b'
    """
    pairs = [
        (name, str(each))
        for name, value in asked.items()
        for each in (value if isinstance(value, list | tuple) else [value])
        if each is not None
    ]
    return with_query(path, pairs)


def trial_path(nct_id: object) -> str:
    """Give the page of a trial.

    >>> trial_path("NCT:00000001")
    '/trial/NCT00000001'
    """
    return f"/trial/{quote(str(nct_id).replace(':', ''), safe='')}"


def link_to(call: Mapping[str, Any]) -> str | None:
    """Give the page that shows what a call would answer; None where there is none."""
    tool = str(call["tool"])
    given: dict[str, Any] = dict(call.get("arguments") or {})
    if tool in ("get_trial", "get_results", "get_trial_locations"):
        first = str(given.get("nct_id", "")).split(",")[0]
        parts = {"get_results": "#results", "get_trial_locations": "#sites"}
        return f"{trial_path(first)}{parts.get(tool, '')}"
    if tool in ("get_pathway", "get_pathway_components"):
        return f"/pathways/{quote(str(given.get('pathway_id', '')).split(':')[-1], safe='')}"
    if tool not in _TOOLS or "cursor" in given:
        return None
    named: dict[str, Any] = {
        _NAMES.get(f"{tool}.{name}") or _NAMES.get(name, name): value
        for name, value in given.items()
        if name not in _UNASKED
    }
    return path_of(_TOOLS[tool], **named)


class PageWording:
    """For people at a page: arguments as fields, calls as what to look for."""

    def argument(self, argument: Argument) -> str:
        """Name a field, with its value if it has one."""
        name = argument.name.replace("_", " ")
        return f"“{name}”" if argument.value is None else f"“{name}: {argument.value}”"

    def call(self, call: Call) -> str:
        """Say what to ask for."""
        given = ", ".join(f"{name} {value}" for name, value in call.arguments.items())
        name = call.tool.replace("_", " ")
        return f"“{name}: {given}”" if given else f"“{name}”"

    def command(self, command: Command) -> str:
        """Say to run a command."""
        return f"run `{command.line}`"

    def option(self, option: Option) -> str:
        """Say to start the server otherwise."""
        return f"start the server with `{option.text}`"
