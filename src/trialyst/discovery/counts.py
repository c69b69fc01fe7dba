"""`count_trials`: exact numbers and breakdowns, without records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from trialyst.ctgov.answers import to_next
from trialyst.ctgov.countries import country_code, country_name
from trialyst.ctgov.query import TrialQuery
from trialyst.discovery.arguments import CountArguments
from trialyst.discovery.envelope import Answer, Clock, to_provenance, utc_now
from trialyst.discovery.inquiry import Inquiry
from trialyst.discovery.next_calls import after_count
from trialyst.errors import InvalidInput
from trialyst.essie.annotated import OWN_AREAS
from trialyst.essie.build import missing
from trialyst.questions.easing import FEW, count_without_each, leave_out_words
from trialyst.questions.reading import read_question
from trialyst.questions.values import read_choices, take_arguments

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource

__all__ = ["BREAKDOWNS", "count_trials"]


class _Breakdown(NamedTuple):
    piece: str
    enumerated: bool
    """Whether every source can count it; a live one counts a closed list of values only."""
    many: bool
    """Whether a trial may have several values."""
    to_key: Callable[[str], str] = str
    """What several values of the piece may share."""


def _country(name: str) -> str:
    """Give a country by the registry's name of today, which stands for all its former ones."""
    return country_name(country_code(name) or "") or name


BREAKDOWNS: Mapping[str, _Breakdown] = {
    "phase": _Breakdown("Phase", enumerated=True, many=True),
    "status": _Breakdown("OverallStatus", enumerated=True, many=False),
    "sponsor_class": _Breakdown("LeadSponsorClass", enumerated=True, many=False),
    "country": _Breakdown("LocationCountry", enumerated=False, many=True, to_key=_country),
    "start_year": _Breakdown("StartDate", enumerated=False, many=False, to_key=lambda day: day[:4]),
    "condition": _Breakdown("AnnotatedCondition", enumerated=False, many=True),
    "intervention": _Breakdown("TestedDrug", enumerated=False, many=True),
    "age_group": _Breakdown("StdAge", enumerated=True, many=True),
    "sex": _Breakdown("Sex", enumerated=True, many=False),
    "has_results": _Breakdown("HasResults", enumerated=True, many=False),
}


async def count_trials(
    source: TrialSource, *, clock: Clock = utc_now, **arguments: Unpack[CountArguments]
) -> Answer:
    """Count trials exactly; with nothing to look for, all of them.

    Raises:
        InvalidInput: an argument cannot be understood, or the source cannot count by it.
    """
    given = take_arguments(arguments, tuple(CountArguments.__annotations__))
    chosen = read_choices("breakdown", given.arguments.get("by"), tuple(BREAKDOWNS))
    inquiry = Inquiry(source)
    question = await read_question(source, given.arguments, given.renamed)
    total = await inquiry.ask(source.count(question.to_query()))
    if not total:
        question = await leave_out_words(source, question)
        total = await inquiry.ask(source.count(question.to_query()))
    query = question.to_query()
    breakdowns = await _count_by(inquiry, query, chosen, total=total)
    if total <= FEW:
        question = await count_without_each(source, question)
    said = await inquiry.provenance()
    notes = [*_notes(chosen), *(() if total else said.absence_notes())]
    calls = after_count(question, given.arguments, total=total, by=chosen)
    body = {
        "total_count": total,
        "breakdowns": breakdowns,
        "understood": question.understood(),
        "next": list(to_next(calls)),
        "provenance": to_provenance(said, notes, now=clock()),
    }
    return Answer(body, _rows(total, breakdowns))


def _notes(chosen: Sequence[str]) -> list[str]:
    several = [name for name in chosen if BREAKDOWNS[name].many]
    told = f"A trial counts once for each of its values of {', '.join(several)}."
    annotated = [name for name in chosen if BREAKDOWNS[name].piece in OWN_AREAS]
    meant = (
        "Conditions are concepts read from the trial's own list and title, interventions the drugs "
        "that its arms test; of a registry that is not annotated both are MeSH terms."
    )
    return [*([told] if several else []), *([meant] if annotated else [])]


async def _count_by(
    inquiry: Inquiry, query: TrialQuery, names: Sequence[str], *, total: int
) -> dict[str, dict[str, Any]]:
    """Count by each breakdown; what only records tell is read off them in one pass."""
    read = [name for name in names if not BREAKDOWNS[name].enumerated]
    if read and inquiry.source.is_remote:
        raise await _cannot_count(inquiry.source, read[0])
    read = [name for name in read if BREAKDOWNS[name].piece not in OWN_AREAS]
    from_rows = await inquiry.ask(_count_rows(inquiry.source, query, read)) if read else {}
    found = {}
    for name in names:
        if name in from_rows:
            found[name] = from_rows[name]
        else:
            found[name] = await _count_enumerated(inquiry, query, name, total=total)
    return found


async def _count_enumerated(
    inquiry: Inquiry, query: TrialQuery, name: str, *, total: int
) -> dict[str, Any]:
    piece, source = BREAKDOWNS[name].piece, inquiry.source
    counts = _by_size(await inquiry.ask(source.count_by(query, piece)))
    if not BREAKDOWNS[name].many:
        return {"counts": counts, "without_value": max(total - sum(counts.values()), 0)}
    without = replace(query, filters=(*query.filters, missing(piece)))
    return {"counts": counts, "without_value": await inquiry.ask(source.count(without))}


async def _count_rows(
    source: TrialSource, query: TrialQuery, names: Sequence[str]
) -> dict[str, dict[str, Any]]:
    counts: list[Counter[str]] = [Counter() for _ in names]
    without = [0 for _ in names]
    keys = [cache(BREAKDOWNS[name].to_key) for name in names]
    async for row in source.iter_rows(query, [BREAKDOWNS[name].piece for name in names]):
        for place, values in enumerate(row):
            if not values:
                without[place] += 1
            elif len(values) == 1:
                counts[place][keys[place](str(values[0]))] += 1
            else:
                counts[place].update({keys[place](str(value)) for value in values})
    return {
        name: {
            "counts": dict(sorted(found.items())) if name == "start_year" else _by_size(found),
            "without_value": missed,
        }
        for name, found, missed in zip(names, counts, without, strict=True)
    }


async def _cannot_count(source: TrialSource, name: str) -> InvalidInput:
    kind = (await source.provenance()).source
    able = ", ".join(each for each, breakdown in BREAKDOWNS.items() if breakdown.enumerated)
    return InvalidInput(
        f"The {kind} source cannot count by {name}",
        hint=f"Count by {able} here, or by {name} on a local registry.",
        invalid_input=name,
    )


def _by_size(found: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _rows(total: int, breakdowns: Mapping[str, Any]) -> list[dict[str, Any]]:
    if not breakdowns:
        return [{"total_count": total}]
    return [
        {"by": name, "value": value, "count": number}
        for name, breakdown in breakdowns.items()
        for value, number in breakdown["counts"].items()
    ]
