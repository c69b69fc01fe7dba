"""`get_trial` and `compare_trials`: strict lookup by id; every id asked for is answered for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Unpack

from trialyst.discovery.arguments import GetOptions, Texts
from trialyst.discovery.comparison import to_rows
from trialyst.discovery.envelope import Answer, Clock, to_pagination, to_provenance, utc_now
from trialyst.discovery.inquiry import Inquiry
from trialyst.discovery.next_calls import to_next
from trialyst.discovery.sections import SECTIONS, SHORT_SECTIONS, to_sections
from trialyst.discovery.trimming import Trimmed, trim
from trialyst.discovery.views import present, to_title
from trialyst.errors import InvalidInput, NotFound
from trialyst.hints import Call, Hint
from trialyst.ids import NctId
from trialyst.questions.identifiers import read_ids
from trialyst.questions.values import check_names, read_choices

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.ctgov.trial import Trial

__all__ = ["MAX_COMPARED", "MAX_IDS", "compare_trials", "find_trial", "get_trial"]

MAX_IDS = 20
MAX_COMPARED = 10


class _Found(NamedTuple):
    trials: list[Trial]
    not_found: list[str]
    notes: tuple[str, ...]


async def get_trial(
    source: TrialSource,
    nct_id: Texts,
    *,
    clock: Clock = utc_now,
    **arguments: Unpack[GetOptions],
) -> Answer:
    """Give one trial, or up to 20, by id.

    Raises:
        UnresolvedEntity: free text stands where an id belongs.
        InvalidInput: something looks like an id and is none, or a section is unknown.
        NotFound: none of the ids names a trial here.
    """
    check_names(arguments, tuple(GetOptions.__annotations__))
    ids = read_ids(nct_id, at_most=MAX_IDS)
    asked = _read_sections(arguments.get("sections"))
    chosen = asked or (SECTIONS if len(ids) == 1 else SHORT_SECTIONS)
    inquiry = Inquiry(source)
    found = await _find(inquiry, ids)
    shown = [trim(to_sections(trial, chosen), whole=asked) for trial in found.trials]
    items = [each.values for each in shown]
    missing = [] if asked else [name for name in SECTIONS if name not in chosen]
    notes = [
        *found.notes,
        *_left_out(found.trials, asked, missing),
        *(note for each in shown for note in each.notes),
    ]
    told = {
        "next": to_next(_calls(found.trials, shown, asked=asked, missing=missing)),
        "provenance": to_provenance(await inquiry.provenance(), notes, now=clock()),
    }
    if len(ids) == 1:
        return Answer({**items[0], **told}, items)
    pagination = to_pagination(cursor=None, total=len(items), page_size=MAX_IDS)
    body = {"items": items, "not_found": found.not_found, "pagination": pagination}
    return Answer({**body, **told}, items)


def _calls(
    trials: Sequence[Trial],
    shown: Sequence[Trimmed],
    *,
    asked: Sequence[str],
    missing: Sequence[str],
) -> Iterator[Call]:
    """Give the calls behind trials: for what was cut, what was left out, and their sites."""
    cut = [each for each in shown if each.cut]
    if cut:
        sections = dict.fromkeys(section for each in cut for section in each.cut)
        yield _sections([each.values["id"] for each in cut], sections, "All of what was cut.")
    if missing:
        ids = [each.values["id"] for each in shown]
        yield _sections(ids, missing, "The sections left out.")
    for trial in trials:
        if trial.sites and not asked:
            nct_id = NctId.parse(trial.nct_id).curie
            yield Call("get_trial_locations", {"nct_id": nct_id}, f"The sites of {nct_id}.")


def _sections(ids: Iterable[str], sections: Iterable[str], why: str) -> Call:
    return Call("get_trial", {"nct_id": ",".join(ids), "sections": ",".join(sections)}, why)


def _read_sections(value: Texts | None) -> tuple[str, ...]:
    try:
        return read_choices("section", value, SECTIONS)
    except InvalidInput as error:
        if (error.invalid_input or "").strip().lower() not in ("locations", "sites", "location"):
            raise
        raise InvalidInput(
            error.message,
            hint=Hint(
                "Sites are in {sites}. Sections: {sections}.",
                sites=Call("get_trial_locations"),
                sections=", ".join(SECTIONS),
            ),
            invalid_input=error.invalid_input,
        ) from None


async def compare_trials(source: TrialSource, nct_ids: Texts, *, clock: Clock = utc_now) -> Answer:
    """Put two to ten trials side by side, one row an aspect.

    Raises:
        UnresolvedEntity, InvalidInput, NotFound: as `get_trial` does.
    """
    inquiry = Inquiry(source)
    found = await _find(inquiry, read_ids(nct_ids, at_least=2, at_most=MAX_COMPARED))
    rows = to_rows(found.trials)
    body = {
        "items": [
            present({"id": NctId.parse(trial.nct_id).curie, "title": to_title(trial)})
            for trial in found.trials
        ],
        "rows": rows,
        "not_found": found.not_found,
        "provenance": to_provenance(await inquiry.provenance(), found.notes, now=clock()),
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


def _left_out(trials: Sequence[Trial], asked: Sequence[str], missing: Sequence[str]) -> list[str]:
    notes: list[str] = []
    if missing:
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
