"""Terms to queries: one matching rule for every source and every count.

A name matches where it stands as a phrase, spelling aside (Essie's Term level), in the pieces that
the API searches for a condition or an intervention. Synonyms are sent along, never left to the
source to guess, so every hit can be explained here.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from trialyst.ctgov.dates import PartialDate
from trialyst.ctgov.query import TrialQuery
from trialyst.ctgov.sorting import parse_sort
from trialyst.errors import InvalidInput
from trialyst.essie.ast import Expansion, ExpansionLevel, Node
from trialyst.essie.build import all_of, any_of, area, between, missing, one_of, phrase
from trialyst.essie.render import text_node
from trialyst.hints import Argument, Hint
from trialyst.questions.names import Part, Term

__all__ = [
    "ALL_PHASES",
    "CONDITION_PIECES",
    "LATER_PHASES",
    "ORDERS",
    "build_query",
    "check_limit",
    "check_order",
    "names_condition",
    "phases_among",
    "posted_by",
    "read_cutoff",
]

CONDITION_PIECES = ("Condition", "BriefTitle", "OfficialTitle", "Keyword", "ConditionMeshTerm")
"""Where a trial that names a condition names it; the search area has the MeSH ancestors besides."""
ALL_PHASES = ("EARLY_PHASE1", "PHASE1", "PHASE2", "PHASE3", "PHASE4")
ORDERS = ("phase", "enrollment", "trials", "recent")
"""What competitors may be ordered by; phase means phase and then enrollment."""
LATER_PHASES = ("PHASE2", "PHASE3", "PHASE4")

_AREAS = {"drug": "intr", "class": "intr", "condition": "cond", "term": "term"}


def build_query(
    *terms: Term | None,
    filters: Sequence[Node | None] = (),
    statuses: Sequence[str] = (),
    cutoff: date | None = None,
    ranked: bool = False,
) -> TrialQuery:
    """Give the query for trials that match every term, first posted by the cutoff."""
    posted = posted_by(cutoff) if cutoff else None
    return TrialQuery(
        queries=tuple((_AREAS[term.kind], _node(term)) for term in terms if term),
        filters=tuple(node for node in (*filters, posted) if node is not None),
        statuses=tuple(statuses),
        sort=parse_sort("@relevance") if ranked else (),
    )


def names_condition(term: Term) -> Node:
    """Match the trials that name a condition themselves, not only through a MeSH ancestor."""
    return all_of(
        *(
            any_of(*(area(piece, _any_name(part)) for piece in CONDITION_PIECES))
            for part in term.parts
        )
    )


def phases_among(phases: Sequence[str]) -> Node:
    """Match trials that are in one of some phases, whatever others they are in."""
    return one_of("Phase", *phases)


def posted_by(cutoff: date) -> Node:
    """Match trials first posted by a day; the day of submission stands in where none is stated."""
    day = cutoff.isoformat()
    submitted = all_of(missing("StudyFirstPostDate"), between("StudyFirstSubmitDate", None, day))
    return any_of(between("StudyFirstPostDate", None, day), submitted)


def read_cutoff(date_before: str | None, *, point_in_time: bool = False) -> date | None:
    """Read the last day that counts, or raise InvalidInput."""
    if date_before is None:
        if point_in_time:
            raise InvalidInput(
                Hint("{point_in_time} needs a date"),
                hint=Hint("Give {example} too.", example=Argument("date_before", "2019-06-01")),
            )
        return None
    try:
        return PartialDate.parse(str(date_before).strip()).last_day
    except ValueError:
        raise InvalidInput(
            Hint("{date_before} is {given}, not a date", given=repr(date_before)),
            hint=Hint(
                "Write it as yyyy-MM-dd, yyyy-MM or yyyy, such as {example}.",
                example=Argument("date_before", "2019-06-01"),
            ),
            invalid_input=str(date_before),
        ) from None


def check_limit(name: str, number: Any) -> int:
    """Give how much may be listed, or raise InvalidInput below 1."""
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        limit = Argument(name)
        raise InvalidInput(
            Hint("{name} is {given}, not a number from 1", name=limit, given=repr(number)),
            hint=Hint("Give {name} as a whole number from 1.", name=limit),
            invalid_input=str(number),
        )
    return int(number)


def check_order(order: Any) -> str:
    """Give what competitors are ordered by, or raise InvalidInput."""
    if order in ORDERS:
        return str(order)
    raise InvalidInput(
        Hint(
            "{order} is {given}, not one of {orders}", given=repr(order), orders=", ".join(ORDERS)
        ),
        hint=Hint("Give {example}.", example=Argument("order", ORDERS[0])),
        invalid_input=str(order),
    )


def _node(term: Term) -> Node:
    if term.kind == "term":
        return text_node(term.reading.asked)
    return all_of(*map(_any_name, term.parts))


def _any_name(part: Part) -> Node:
    return Expansion(ExpansionLevel.TERM, any_of(*map(phrase, part.names)))
