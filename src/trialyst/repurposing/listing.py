"""The tools about a drug and a condition: arguments as they come, lists in pages.

The library's methods of `RepurposingClient` give whole lists; a tool gives a page, and a cursor
that continues the call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

from trialyst.ctgov.answers import Pagination, continued, to_next
from trialyst.ctgov.excerpts import cut_at_sentence
from trialyst.errors import InvalidInput
from trialyst.hints import Argument, Call, Hint
from trialyst.paging import (
    SMALL_PAGE,
    Continuation,
    check_version,
    digest,
    encode_continuation,
    take_up,
)
from trialyst.questions.given import read_given
from trialyst.questions.names import read_condition, read_drug
from trialyst.repurposing.arguments import (
    DrugTrialsArguments,
    LandscapeArguments,
    TerminatedArguments,
    WhitespaceArguments,
)
from trialyst.repurposing.models import (
    CompetitorEntry,
    ConditionLandscape,
    Trial,
    WhitespaceResult,
)
from trialyst.repurposing.next_calls import (
    after_drug_trials,
    after_landscape,
    after_stopped,
)
from trialyst.repurposing.pages import (
    CompetitorsPage,
    DrugTrialsPage,
    LandscapePage,
    StoppedPage,
)
from trialyst.repurposing.phase_filter import parse_phase_filter
from trialyst.repurposing.searching import search_window

if TYPE_CHECKING:
    from trialyst.repurposing.asking import Asking
    from trialyst.repurposing.client import RepurposingClient

__all__ = [
    "list_competitors",
    "list_drug_trials",
    "list_stopped",
    "need_text",
    "read_whitespace",
    "survey_field",
]

SUMMARY_CHARACTERS = 180
OUTCOMES_SHOWN = 1
NAMES_SHOWN = 5
"""Conditions, interventions, collaborators and papers of a trial in a list of many."""
IDS_SHOWN = 10
"""Of a competitor, whose `trial_count` is of all."""
SURVEY_SHOWN = 20
"""Of each list beside the competitors, on the first page."""
CLASS_DRUGS_SHOWN = 5
_CUT_LISTS = ("conditions", "collaborators", "references", "reporting_references")
SLIM_NOTE = "Long texts and lists of the trials are cut."
SURVEY_NOTE = "Of each list beside the competitors, the first 20 are given; counts are of all."


def need_text(asked: Mapping[str, Any], name: str, *, such_as: str) -> str:
    """Give a text that a tool cannot do without, or raise InvalidInput."""
    value = asked.get(name)
    if isinstance(value, str):
        return value
    told = "is missing" if value is None else f"is {value!r}, not a text"
    raise InvalidInput(
        f"{name} {told}",
        hint=Hint("Give {example}.", example=Argument(name, such_as)),
        invalid_input=None if value is None else str(value),
    )


def _asking(client: RepurposingClient, asked: Mapping[str, Any]) -> Asking:
    return client.asking(
        _text(asked, "date_before"), point_in_time=asked.get("point_in_time", False)
    )


def _text(asked: Mapping[str, Any], name: str) -> str | None:
    value = asked.get(name)
    return None if value is None else str(value)


async def list_drug_trials(
    client: RepurposingClient, **given: Unpack[DrugTrialsArguments]
) -> DrugTrialsPage:
    """Give a page of the trials of a drug."""
    tool = "search_drug_trials"
    call = take_up(tool, read_given(DrugTrialsArguments, given))
    asked = call.arguments
    drug = need_text(asked, "drug", such_as="semaglutide")
    asking, condition = _asking(client, asked), _text(asked, "condition")
    terms = {"drug": read_drug(asking.vocabulary, drug)}
    if condition is not None:
        terms["condition"] = read_condition(asking.vocabulary, condition)
    most, size = asked.get("max_results", 200), asked.get("page_size", SMALL_PAGE)
    window = _window(call, size=size, most=most)
    found = await search_window(
        asking,
        terms,
        phases=parse_phase_filter(asked.get("phase_filter")),
        window=window,
        include_mentioned=asked.get("include_mentioned", False),
    )
    version = digest([found.total_count, found.provenance.data_timestamp])
    check_version(call, version)
    cursor = _follow(tool, call, window, total=min(found.total_count, most), version=version)
    items = list(found)
    shown = [_slim_trial(each) for each in items] if asked.get("slim", True) else items
    cut = shown != items
    notes = [*found.notes, *([SLIM_NOTE] if cut else [])]
    names = dict(zip(terms, found.names, strict=True))
    required = {name: reading.asked for name, reading in names.items() if name == "drug"}
    again = {name: value for name, value in asked.items() if name != "slim"}
    uncut = [Call(tool, {**again, "slim": False}, "The same, nothing cut.")] if cut else []
    return DrugTrialsPage(
        items=tuple(shown),
        names=found.names,
        pagination=Pagination(
            cursor=cursor, total_count=found.total_count, page_size=min(size, most)
        ),
        understood=found.understood,
        provenance=found.provenance.model_copy(update={"notes": tuple(notes)}),
        next=to_next(continued(tool, required, cursor), after_drug_trials(names, items), uncut),
    )


def _slim_trial(trial: Trial) -> Trial:
    """Give a trial without what is long: descriptions of interventions, most of the summary."""
    return trial.model_copy(
        update={
            "brief_summary": trial.brief_summary
            and cut_at_sentence(trial.brief_summary, SUMMARY_CHARACTERS),
            "interventions": [
                each.model_copy(update={"description": None})
                for each in trial.interventions[:NAMES_SHOWN]
            ],
            "primary_outcomes": trial.primary_outcomes[:OUTCOMES_SHOWN],
            **{name: getattr(trial, name)[:NAMES_SHOWN] for name in _CUT_LISTS},
        }
    )


async def read_whitespace(
    client: RepurposingClient, **given: Unpack[WhitespaceArguments]
) -> WhitespaceResult:
    """Grade a drug and a condition, given as tools are."""
    asked = read_given(WhitespaceArguments, given)
    return await client.detect_whitespace(
        need_text(asked, "drug", such_as="semaglutide"),
        need_text(asked, "condition", such_as="NASH"),
        _text(asked, "date_before"),
        point_in_time=asked.get("point_in_time", False),
    )


async def list_stopped(
    client: RepurposingClient,
    *,
    category: str | None = None,
    **given: Unpack[TerminatedArguments],
) -> StoppedPage:
    """Give a page of the trials that stopped early, all or those counted under one reason."""
    from trialyst.repurposing.terminated import find_stopped

    tool = "get_terminated"
    call = take_up(tool, read_given(TerminatedArguments, given))
    asked = call.arguments
    query = need_text(asked, "query", such_as="semaglutide")
    most, size = asked.get("max_results", 100), asked.get("page_size", SMALL_PAGE)
    window = _window(call, size=size, most=most)
    found = await find_stopped(_asking(client, asked), query, window=window, category=category)
    version = digest([found.total_count, found.provenance.data_timestamp])
    check_version(call, version)
    cursor = _follow(tool, call, window, total=min(found.total_count, most), version=version)
    (reading,) = found.names
    assert found.summary is not None
    return StoppedPage(
        items=tuple(found),
        names=found.names,
        summary=found.summary,
        pagination=Pagination(
            cursor=cursor, total_count=found.total_count, page_size=min(size, most)
        ),
        understood=found.understood,
        provenance=found.provenance,
        next=to_next(continued(tool, {"query": query}, cursor), after_stopped(reading, found)),
    )


async def list_competitors(
    client: RepurposingClient, **given: Unpack[LandscapeArguments]
) -> LandscapePage | CompetitorsPage:
    """Give a page of a landscape: the survey with the first competitors, or further ones."""
    page, _ = await survey_field(client, **given)
    return page


async def survey_field(
    client: RepurposingClient, **given: Unpack[LandscapeArguments]
) -> tuple[LandscapePage | CompetitorsPage, ConditionLandscape]:
    """Give a page of a landscape, and the whole of what it is a page of."""
    tool = "get_landscape"
    call = take_up(tool, read_given(LandscapeArguments, given))
    asked = call.arguments
    condition = need_text(asked, "condition", such_as="asthma")
    most, size = asked.get("top_n", 50), asked.get("page_size", SMALL_PAGE)
    found = await client.get_landscape(
        condition,
        _text(asked, "date_before"),
        most,
        point_in_time=asked.get("point_in_time", False),
        order=asked.get("order", "phase"),
    )
    version = digest([found.competitor_count, found.provenance.data_timestamp])
    check_version(call, version)
    window = _window(call, size=size, most=most)
    cursor = _follow(tool, call, window, total=len(found.competitors), version=version)
    shared: dict[str, Any] = {
        "competitors": tuple(map(_slim_competitor, found.competitors[window])),
        "pagination": Pagination(
            cursor=cursor, total_count=found.competitor_count, page_size=min(size, most)
        ),
        "next": to_next(continued(tool, {"condition": condition}, cursor), after_landscape(found)),
    }
    if window.start:
        same = ("condition", "total_trial_count", "competitor_count", "understood", "provenance")
        return CompetitorsPage(**{name: getattr(found, name) for name in same}, **shared), found
    survey = _slim_survey(found)
    kept = {name: getattr(survey, name) for name in ConditionLandscape.model_fields}
    return LandscapePage(**kept | shared), found


def _slim_competitor(entry: CompetitorEntry) -> CompetitorEntry:
    return entry.model_copy(update={"nct_ids": entry.nct_ids[:IDS_SHOWN]})


def _slim_survey(found: ConditionLandscape) -> ConditionLandscape:
    """Give a survey with the beginning of its long lists, and say so."""
    apart = ("prevention", "supportive_care", "diagnostics", "other_purposes")
    lists = ("recent_starts", "mechanism_classes", "pipelines", "read_outs", "end_points", *apart)
    cut = any(len(getattr(found, name)) > SURVEY_SHOWN for name in lists)
    notes = [*found.provenance.notes, *([SURVEY_NOTE] if cut else [])]
    return found.model_copy(
        update={
            **{name: getattr(found, name)[:SURVEY_SHOWN] for name in lists},
            **{
                name: tuple(map(_slim_competitor, getattr(found, name)[:SURVEY_SHOWN]))
                for name in apart
            },
            "pipelines": tuple(
                each.model_copy(update={"drugs": each.drugs[:CLASS_DRUGS_SHOWN]})
                for each in found.pipelines[:SURVEY_SHOWN]
            ),
            "mechanism_classes": tuple(
                each.model_copy(update={"drugs": each.drugs[:CLASS_DRUGS_SHOWN]})
                for each in found.mechanism_classes[:SURVEY_SHOWN]
            ),
            "provenance": found.provenance.model_copy(update={"notes": tuple(notes)}),
        }
    )


def _window(call: Continuation, *, size: int, most: int) -> slice:
    """Give the part of the list that a call asks for."""
    start = min(call.position.get("offset", 0), most)
    return slice(start, min(start + size, most))


def _follow(
    tool: str, call: Continuation, window: slice, *, total: int, version: str
) -> str | None:
    """Give the cursor of what follows, None where nothing does."""
    if window.stop >= total:
        return None
    return encode_continuation(tool, call.arguments, {"offset": window.stop, "version": version})
