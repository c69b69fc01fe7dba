"""What to look for, as options: written once for every command that takes a search.

The options are the arguments of the search tools, under the same names. Areas that the tools have
no argument for go into `advanced`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trialyst.errors import InvalidInput
from trialyst.interfaces.cli.options import many, one

if TYPE_CHECKING:
    from trialyst.essie.ast import Node

__all__ = ["TERMS", "to_terms"]

TERMS: Mapping[str, Any] = {
    "text": Annotated[
        str | None,
        typer.Argument(
            metavar="TEXT", help="Words to find in a study, as --query.", show_default=False
        ),
    ],
    "query": one(
        "Words anywhere in the searched text of a study.", "--query", "-q", "--term", "-t"
    ),
    "condition": one("Condition or disease.", "--condition", "-c"),
    "intervention": one("Drug or other treatment.", "--intervention", "-i"),
    "status": many("Status, such as RECRUITING; repeat for any of them.", "--status", "-s"),
    "phase": many(
        "Phase, such as PHASE2; repeat for any of them, PHASE1/PHASE2 for both.", "--phase", "-p"
    ),
    "location": one("City, state or country, such as 'Boston, MA'.", "--location", "-l"),
    "near": one("A place, or a point LAT,LON: trials with a site there.", "--near"),
    "within": one("Radius around --near, in km or as '50 mi'; 80 km.", "--within", metavar="KM"),
    "age": one("The patient's age: 63, or '6 months'.", "--age", metavar="AGE"),
    "sex": one("The patient's sex, FEMALE or MALE.", "--sex"),
    "date_before": one(
        "First posted by this day, included: yyyy-MM-dd.", "--date-before", metavar="DATE"
    ),
    "advanced": one("An expression in Essie, the registry's query language.", "--advanced", "-a"),
    "title": one("Words of a title or acronym.", "--title"),
    "sponsor": one("Sponsor or collaborator.", "--sponsor"),
    "outcome": one("Outcome measure.", "--outcome"),
    "study_type": many("INTERVENTIONAL, OBSERVATIONAL or EXPANDED_ACCESS.", "--study-type"),
    "ids": many("Study id; may be repeated.", "--id", metavar="ID"),
}
_AREAS = {"title": "TitleSearch", "sponsor": "SponsorSearch", "outcome": "OutcomeSearch"}
_FOLDED = frozenset({*_AREAS, "study_type", "ids"})


def to_terms(given: Mapping[str, Any]) -> dict[str, Any]:
    """Give the arguments of a search tool that say what was asked for, or raise InvalidInput."""
    arguments = {name: given[name] for name in given if name not in _FOLDED and name != "text"}
    text = given.get("text")
    if text is not None and "query" in arguments:
        raise InvalidInput(
            "The words to find are given twice, bare and with --query",
            hint="Give one of the two.",
            invalid_input=text,
        )
    if text is not None:
        arguments["query"] = text
    if not _FOLDED.isdisjoint(given):
        arguments["advanced"] = _fold(given)
    return arguments


def _fold(given: Mapping[str, Any]) -> str:
    from trialyst.ctgov.plain import PlainQuery, to_trial_query
    from trialyst.essie.build import all_of
    from trialyst.essie.render import render

    # The user's own expression is read alone first, so that an error shows its columns.
    own = given.get("advanced")
    stated = to_trial_query(PlainQuery(advanced=own)).filters
    return render(all_of(*stated, *_areas(given)))


def _areas(given: Mapping[str, Any]) -> Iterator[Node]:
    from trialyst.ctgov.suggest import enum_value
    from trialyst.essie.build import any_of, area, one_of, phrase
    from trialyst.essie.render import text_node
    from trialyst.ids import NctId

    for name, searched in _AREAS.items():
        if name in given:
            yield area(searched, text_node(given[name]))
    if types := given.get("study_type"):
        yield one_of("StudyType", *(enum_value("StudyType", text) for text in types))
    if ids := given.get("ids"):
        yield area("NCTIdSearch", any_of(*(phrase(str(NctId.parse(text))) for text in ids)))
