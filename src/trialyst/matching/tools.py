"""The two tools a model searches with: `search_trials` and `get_trial_details`, in short answers.

Shapes, caps and defaults are those of the seed; what it sends that the service cannot answer is
corrected: sexes and ages keep trials open to all, and eligibility words look at the criteria too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from trialyst.ctgov.patients import begins_by, lasts_until, parse_age
from trialyst.ctgov.plain import read_sort
from trialyst.errors import InvalidInput
from trialyst.essie.build import any_of, area
from trialyst.essie.render import text_node
from trialyst.hints import Call, Hint
from trialyst.ids import NctId
from trialyst.questions.reading import read_question

if TYPE_CHECKING:
    from trialyst.ctgov.query import TrialQuery
    from trialyst.ctgov.source import TrialSource
    from trialyst.ctgov.trial import Trial
    from trialyst.essie.ast import Node

__all__ = [
    "MAX_PAGE_SIZE",
    "SearchArguments",
    "SearchTools",
    "to_compact",
    "to_details",
    "to_query",
]

MAX_PAGE_SIZE = 100
"""A larger page is cut to this, as in the seed."""
PAGE_SIZE = 50
DEFAULT_STATUS = ("RECRUITING",)
DEFAULT_STUDY_TYPE = "INTERVENTIONAL"
MOST_CONDITIONS = 3
MOST_INTERVENTIONS = 4

Texts = str | Sequence[str]


class SearchArguments(TypedDict, total=False):
    """What `search_trials` takes; everything given must hold."""

    condition: str | None
    intervention: str | None
    eligibility_keywords: str | None
    status: Texts | None
    phase: Texts | None
    sex: str | None
    min_age: str | float | None
    max_age: str | float | None
    location: str | None
    study_type: str | None
    page_size: int | None


class SearchTools:
    """The tools on one source."""

    def __init__(self, source: TrialSource) -> None:
        self._source = source

    async def search_trials(self, **arguments: Unpack[SearchArguments]) -> dict[str, Any]:
        """Search for trials by condition, treatment and words of the eligibility criteria.

        Recruiting interventional trials unless asked otherwise. `min_age` and `max_age` are the
        patient's: the trial's lower bound is at most the one, its upper at least the other; bounds
        a trial does not state admit everybody. At most 100 trials come back.

        Raises:
            InvalidInput: nothing to search for, or an argument cannot be understood.
        """
        page = await self._source.search(await to_query(self._source, **arguments))
        trials = [to_compact(trial) for trial in page.items]
        return {"count": len(trials), "total_available": page.total, "trials": trials}

    async def get_trial_details(self, nct_id: str) -> dict[str, Any]:
        """Give a trial's eligibility criteria, ages and sex, and what it is about.

        Raises:
            InvalidInput: the id is none.
            NotFound: there is no such trial.
        """
        return to_details(await self._source.get(NctId.parse(nct_id)))

    async def execute(self, name: str, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
        """Run a tool by its name; give its answer and a line that sums it up.

        Raises:
            InvalidInput: there is no such tool, or it does not take such an argument.
        """
        if name == "search_trials":
            _check_names(name, arguments, tuple(SearchArguments.__annotations__))
            answer = await self.search_trials(**arguments)
            return answer, f"{answer['count']} of {answer['total_available']} trials"
        if name == "get_trial_details":
            _check_names(name, arguments, ("nct_id",))
            details = await self.get_trial_details(str(arguments.get("nct_id", "")))
            return details, f"Details of {details['nct_id']}"
        raise InvalidInput(
            f"Unknown tool {name!r}",
            hint=Hint(
                "Use {search} or {details}.",
                search=Call("search_trials"),
                details=Call("get_trial_details"),
            ),
            invalid_input=name,
        )


async def to_query(source: TrialSource, **arguments: Unpack[SearchArguments]) -> TrialQuery:
    """Give the query that the arguments of `search_trials` ask, its names read as everywhere."""
    keywords = arguments.get("eligibility_keywords")
    if not (arguments.get("condition") or arguments.get("intervention") or keywords):
        raise InvalidInput(
            "Nothing to search for",
            hint=Hint("Give {condition}, {intervention} or {eligibility_keywords}."),
        )
    asked = {
        "condition": arguments.get("condition"),
        "intervention": arguments.get("intervention"),
        "location": arguments.get("location"),
        "phase": arguments.get("phase"),
        "sex": _admitted_sex(arguments.get("sex")),
        "status": arguments.get("status") or DEFAULT_STATUS,
        "study_type": arguments.get("study_type") or DEFAULT_STUDY_TYPE,
    }
    question = await read_question(source, {name: asked[name] for name in asked if asked[name]})
    query = question.to_query()
    words = () if keywords is None else (("term", _in_criteria(keywords)),)
    return replace(
        query,
        queries=(*query.queries, *words),
        filters=(*query.filters, *_ages(arguments)),
        sort=read_sort(None),
        page_size=_page_size(arguments.get("page_size")),
    )


def to_compact(trial: Trial) -> dict[str, Any]:
    """Give a trial in a few values, absent ones left out."""
    return _present(
        {
            "nct_id": trial.nct_id,
            "brief_title": trial.title,
            "phase": trial.phase_code,
            "conditions": list(trial.conditions[:MOST_CONDITIONS]),
            "interventions": [item.name for item in trial.interventions[:MOST_INTERVENTIONS]],
            "status": trial.status,
            "sponsor": trial.lead_sponsor and trial.lead_sponsor.name,
            "enrollment": trial.enrollment.count,
        }
    )


def to_details(trial: Trial) -> dict[str, Any]:
    """Give what decides whether a patient fits, absent values left out."""
    eligibility = trial.eligibility
    return _present(
        {
            **to_compact(trial),
            "conditions": list(trial.conditions),
            "interventions": [item.name for item in trial.interventions],
            "study_type": trial.study_type,
            "brief_summary": trial.brief_summary,
            "eligibility_criteria": eligibility.criteria,
            "minimum_age": eligibility.minimum_age and str(eligibility.minimum_age),
            "maximum_age": eligibility.maximum_age and str(eligibility.maximum_age),
            "sex": eligibility.sex,
            "healthy_volunteers": eligibility.healthy_volunteers,
        }
    )


def _in_criteria(keywords: str) -> Node:
    # The service's basic search leaves the criteria out, where these words mostly stand.
    node = text_node(keywords)
    return any_of(area("BasicSearch", node), area("EligibilitySearch", node))


def _ages(arguments: SearchArguments) -> list[Node]:
    low, high = arguments.get("min_age"), arguments.get("max_age")
    nodes = [] if low is None else [begins_by(parse_age(low))]
    return nodes if high is None else [*nodes, lasts_until(parse_age(high))]


def _admitted_sex(sex: str | None) -> str | None:
    return None if sex is None or sex.strip().upper() in ("", "ALL") else sex


def _page_size(asked: int | None) -> int:
    return PAGE_SIZE if asked is None else max(1, min(int(asked), MAX_PAGE_SIZE))


def _present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value not in (None, "", [])}


def _check_names(tool: str, arguments: Mapping[str, Any], known: Sequence[str]) -> None:
    for name in arguments:
        if name not in known:
            raise InvalidInput(
                f"{tool} takes no argument {name!r}",
                hint=f"It takes {', '.join(known)}.",
                invalid_input=name,
            )
