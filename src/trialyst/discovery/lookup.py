"""`get_trial` and `compare_trials`: strict lookup by id; every id asked for is answered for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Unpack

from trialyst.ctgov.answers import continued, to_next
from trialyst.discovery.arguments import GetArguments, GetOptions
from trialyst.discovery.comparison import CUT_NOTE, shorten_rows, to_rows
from trialyst.discovery.envelope import Answer, Clock, to_pagination, to_provenance, utc_now
from trialyst.discovery.inquiry import Inquiry
from trialyst.discovery.next_calls import after_comparison, after_trial, after_trials
from trialyst.discovery.sections import (
    SECTIONS,
    SHORT_SECTIONS,
    WHOLE_SECTIONS,
    to_sections,
)
from trialyst.discovery.trimming import in_brief, trim
from trialyst.discovery.views import present, to_title
from trialyst.errors import InvalidInput, NotFound
from trialyst.hints import Call, Hint
from trialyst.ids import NctId
from trialyst.paging import (
    SMALL_PAGE,
    Continuation,
    check_offset,
    encode_continuation,
    take_up,
)
from trialyst.questions.given import read_given
from trialyst.questions.identifiers import read_ids
from trialyst.questions.values import read_choices

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.ctgov.trial import Trial
    from trialyst.discovery.answers import CompareAnswer
    from trialyst.discovery.trial_answers import TrialAnswer, TrialsAnswer
    from trialyst.signatures import Several

__all__ = ["MAX_COMPARED", "MAX_IDS", "compare_trials", "find_trial", "get_trial"]

MAX_IDS = 20
MAX_COMPARED = 10


class _Found(NamedTuple):
    trials: list[Trial]
    not_found: list[str]
    notes: tuple[str, ...]


async def get_trial(
    source: TrialSource,
    nct_id: Several = None,
    *,
    clock: Clock = utc_now,
    **arguments: Unpack[GetOptions],
) -> Answer[TrialAnswer | TrialsAnswer]:
    """Give one trial, or up to 20, by id; several in pages.

    Raises:
        UnresolvedEntity: free text stands where an id belongs.
        InvalidInput: something looks like an id and is none, or a section is unknown.
        NotFound: none of the ids names a trial here.
    """
    given = read_given(GetArguments, {**arguments, "nct_id": nct_id})
    if "nct_id" in given:
        # In one spelling, so that a cursor knows its own call in any.
        ids = read_ids(given["nct_id"], at_most=MAX_IDS)
        given["nct_id"] = ",".join(each.curie for each in ids)
    call = take_up("get_trial", given)
    ids = read_ids(call.arguments.get("nct_id"), at_most=MAX_IDS)
    asked = _read_sections(call.arguments.get("sections"))
    inquiry = Inquiry(source)
    found = await _find(inquiry, ids)
    if len(ids) > 1:
        return await _to_page(inquiry, found, call, asked=asked, clock=clock)
    (trial,) = found.trials
    shown = trim(to_sections(trial, asked or WHOLE_SECTIONS), whole=asked)
    notes = [*found.notes, *_left_out(found.trials, asked, WHOLE_SECTIONS), *shown.notes]
    body = {
        **shown.values,
        "understood": {},
        "provenance": to_provenance(await inquiry.provenance(), notes, now=clock()),
        "next": list(to_next(after_trial(trial, shown.values["id"], cut=shown.cut))),
    }
    return Answer(body, [shown.values])


async def _to_page(
    inquiry: Inquiry, found: _Found, call: Continuation, *, asked: Sequence[str], clock: Clock
) -> Answer[TrialsAnswer]:
    """Give several trials, as many as fit on a page."""
    size: int = call.arguments.get("page_size", SMALL_PAGE)
    start = check_offset(call.position, "")
    end = start + size
    trials = found.trials[start:end]
    items = [
        to_sections(trial, asked) if asked else in_brief(to_sections(trial, SHORT_SECTIONS))
        for trial in trials
    ]
    goes_on = end < len(found.trials)
    cursor = encode_continuation("get_trial", call.arguments, {"offset": end}) if goes_on else None
    notes = [*found.notes, *_left_out(trials, asked, SHORT_SECTIONS)]
    if not asked:
        notes.append("Several trials come in brief; a section asked for by name comes whole.")
    ids = [item["id"] for item in items]
    required = {"nct_id": call.arguments["nct_id"]}
    body = {
        "items": items,
        "not_found": found.not_found,
        "pagination": to_pagination(cursor=cursor, total=len(found.trials), page_size=size),
        "understood": {},
        "provenance": to_provenance(await inquiry.provenance(), notes, now=clock()),
        "next": list(to_next(continued("get_trial", required, cursor), after_trials(trials, ids))),
    }
    return Answer(body, items)


def _read_sections(value: Several) -> tuple[str, ...]:
    try:
        return read_choices("section", value, SECTIONS)
    except InvalidInput as error:
        if (error.invalid_input or "").strip().lower() not in ("locations", "sites", "location"):
            raise
        raise InvalidInput(
            error.message,
            hint=Hint("Sites are in {locations}.", locations=Call("get_trial_locations")),
            invalid_input=error.invalid_input,
        ) from None


async def compare_trials(
    source: TrialSource, nct_ids: Several = None, *, clock: Clock = utc_now
) -> Answer[CompareAnswer]:
    """Put two to ten trials side by side, one row an aspect.

    Raises:
        UnresolvedEntity, InvalidInput, NotFound: as `get_trial` does.
    """
    inquiry = Inquiry(source)
    found = await _find(inquiry, read_ids(nct_ids, at_least=2, at_most=MAX_COMPARED))
    rows, cut = shorten_rows(to_rows(found.trials))
    ids = [NctId.parse(trial.nct_id).curie for trial in found.trials]
    notes = (*found.notes, *([CUT_NOTE] if cut else []))
    body = {
        "items": [
            present({"id": nct_id, "title": to_title(trial)})
            for nct_id, trial in zip(ids, found.trials, strict=True)
        ],
        "rows": rows,
        "not_found": found.not_found,
        "understood": {},
        "provenance": to_provenance(await inquiry.provenance(), notes, now=clock()),
        "next": list(to_next(after_comparison(found.trials, ids))),
    }
    return Answer(body, [{"aspect": row["aspect"], **row["values"]} for row in rows])


async def find_trial(inquiry: Inquiry, nct_id: NctId) -> Trial:
    """Give one trial, or raise NotFound with the way to find it."""
    try:
        return await inquiry.ask(inquiry.source.get(nct_id))
    except NotFound:
        raise _not_found([nct_id]) from None


async def _find(inquiry: Inquiry, ids: Sequence[NctId]) -> _Found:
    """Give the trials in the order asked for, and the ids that name none."""
    if len(ids) == 1:
        trials = [await find_trial(inquiry, ids[0])]
    else:
        trials = await inquiry.ask(inquiry.source.get_many(ids))
    by_id = {name: trial for trial in trials for name in (*trial.aliases, trial.nct_id)}
    if len(ids) == 1:
        by_id[str(ids[0])] = trials[0]
    missing = []
    for nct_id in ids:
        if str(nct_id) in by_id:
            continue
        # A source may follow old ids one by one only.
        try:
            by_id[str(nct_id)] = await inquiry.ask(inquiry.source.get(nct_id))
        except NotFound:
            missing.append(nct_id)
    if len(missing) == len(ids):
        raise _not_found(missing)
    pairs = [(nct_id, by_id[str(nct_id)]) for nct_id in ids if str(nct_id) in by_id]
    unique = {trial.nct_id: trial for _, trial in pairs}
    notes = [
        f"{nct_id.curie} is now registered as {NctId.parse(trial.nct_id).curie}."
        for nct_id, trial in pairs
        if str(nct_id) != trial.nct_id
    ]
    if missing:
        notes.append(f"Not found here: {', '.join(each.curie for each in missing)}.")
    return _Found(list(unique.values()), [each.curie for each in missing], tuple(notes))


def _not_found(ids: Sequence[NctId]) -> NotFound:
    named = ", ".join(each.curie for each in ids)
    return NotFound(
        f"{named} {'is' if len(ids) == 1 else 'are'} not in this source",
        hint=Hint(
            "Check the id, or find the trial by its title or condition with {search} and pass an "
            "id it gives.",
            search=Call("search_trials"),
        ),
        invalid_input=named,
    )


def _left_out(trials: Sequence[Trial], asked: Sequence[str], chosen: Sequence[str]) -> list[str]:
    notes: list[str] = []
    missing = [name for name in WHOLE_SECTIONS if name not in chosen]
    if missing and not asked:
        notes.append(f"Sections left out: {', '.join(missing)}.")
    if "results" in asked and (silent := [each for each in trials if each.results is None]):
        named = ", ".join(NctId.parse(each.nct_id).curie for each in silent)
        notes.append(f"No results are posted for {named}.")
    for trial in trials:
        if trial.problems:
            notes.append(
                f"{NctId.parse(trial.nct_id).curie}: {len(trial.problems)} values of the record "
                "could not be read and are left out."
            )
    return notes
