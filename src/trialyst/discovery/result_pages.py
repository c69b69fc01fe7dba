"""`get_results`: what a trial posted, whole and in pages; nothing posted is an answer too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from trialyst.ctgov.answers import continued, to_next
from trialyst.discovery.arguments import ResultsArguments, ResultsOptions
from trialyst.discovery.envelope import Answer, Clock, to_pagination, to_provenance, utc_now
from trialyst.discovery.inquiry import Inquiry
from trialyst.discovery.lookup import find_trial
from trialyst.discovery.next_calls import after_no_results, after_results
from trialyst.discovery.result_tables import (
    RESULT_SECTIONS,
    to_contents,
    to_tables,
    without_repeats,
)
from trialyst.discovery.views import present, to_title
from trialyst.ids import NctId
from trialyst.paging import check_offset, check_version, digest, encode_continuation, take_up
from trialyst.questions.given import read_given
from trialyst.questions.identifiers import read_id
from trialyst.questions.values import read_choices

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.ctgov.trial import Trial
    from trialyst.discovery.result_answers import ResultsAnswer
    from trialyst.signatures import Text

__all__ = ["get_results"]

TOOL = "get_results"
PAGE = 4
"""Tables on a page: four long ones are some 6,000 tokens."""
_TOGETHER = {
    "outcomes": tuple(name for name in RESULT_SECTIONS if name.endswith("outcomes")),
    "events": tuple(name for name in RESULT_SECTIONS if name.endswith("events")),
}
"""Names for several sections at once."""
_TOGETHER["adverse_events"] = _TOGETHER["events"]
_GROUPS_NOTE = (
    "Values, counts and analyses name groups by the ids of `groups`; a group is described where it "
    "first stands on the page."
)


async def get_results(
    source: TrialSource,
    nct_id: Text = None,
    *,
    clock: Clock = utc_now,
    **arguments: Unpack[ResultsOptions],
) -> Answer[ResultsAnswer]:
    """Give the posted results of a trial, table after table.

    Raises:
        UnresolvedEntity: free text stands where the id belongs.
        InvalidInput: an argument cannot be understood.
        NotFound: the id names no trial here.
    """
    given = read_given(ResultsArguments, {**arguments, "nct_id": nct_id})
    if "nct_id" in given:
        given["nct_id"] = read_id(given["nct_id"]).curie
    call = take_up(TOOL, given)
    asked = read_id(call.arguments.get("nct_id"))
    sections = _read_sections(call.arguments.get("sections"))
    inquiry = Inquiry(source)
    trial = await find_trial(inquiry, asked)
    curie = NctId.parse(trial.nct_id).curie
    posted = await inquiry.ask(source.get_results(asked)) if trial.has_results else None
    tables = to_tables(posted, sections) if posted else []
    version = digest([trial.nct_id, _dated(trial), len(tables)])
    check_version(call, version)
    start, size = check_offset(call.position, ""), call.arguments.get("page_size", PAGE)
    items, end = without_repeats(tables[start : start + size]), start + size
    at = {"offset": end, "version": version}
    cursor = encode_continuation(TOOL, call.arguments, at) if end < len(tables) else None
    told = {"contents": to_contents(posted), "limitations": posted.limitations} if posted else {}
    head = {"title": to_title(trial), "first_posted": _dated(trial), **told}
    notes = [_GROUPS_NOTE] if items else _why_nothing(trial, curie, held=posted is not None)
    steps = after_results if posted else after_no_results
    body: dict[str, Any] = {
        "id": curie,
        "has_results": trial.has_results,
        **present(head),
        "items": items,
        "pagination": to_pagination(cursor=cursor, total=len(tables), page_size=size),
        "understood": {},
        "provenance": to_provenance(await inquiry.provenance(), notes, now=clock()),
        "next": list(
            to_next(continued(TOOL, {"nct_id": asked.curie}, cursor), steps(trial, curie, sections))
        ),
    }
    return Answer(body, items)


def _read_sections(value: Any) -> tuple[str, ...]:
    """Read which sections are asked for; all of them if none is."""
    chosen = read_choices("section", value, (*RESULT_SECTIONS, *_TOGETHER))
    wanted = {name for each in chosen for name in _TOGETHER.get(each, (each,))}
    return tuple(name for name in RESULT_SECTIONS if not wanted or name in wanted)


def _dated(trial: Trial) -> str | None:
    posted = trial.results_first_posted
    return None if posted is None else str(posted.date)


def _why_nothing(trial: Trial, curie: str, *, held: bool) -> list[str]:
    if held:
        return ["The posted results have nothing in these sections."]
    if trial.has_results:
        return [f"{curie} has posted results, but the record at hand does not hold them."]
    submitted = trial.results_first_submitted
    since = f" They were submitted on {submitted.date}." if submitted else ""
    return [f"No results are posted for {curie}.{since} Papers may report them."]
