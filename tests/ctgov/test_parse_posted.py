"""Posted results are read whole, and whatever a record holds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.ctgov.parse_posted import parse_posted_results

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(
                [
                    *(
                        "participantFlowModule",
                        "periods",
                        "milestones",
                        "achievements",
                        "groups",
                        "id",
                    ),
                    *(
                        "outcomeMeasuresModule",
                        "outcomeMeasures",
                        "classes",
                        "categories",
                        "denoms",
                    ),
                    *("adverseEventsModule", "seriousEvents", "stats", "groupIds", "analyses"),
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=30,
)


@given(ANYTHING)
def test_no_record_is_too_odd_to_be_read(section: Any) -> None:
    parse_posted_results({"resultsSection": section})


@pytest.mark.parametrize("study", [{}, {"resultsSection": {}}, {"resultsSection": None}])
def test_nothing_posted_is_nothing(study: dict[str, Any]) -> None:
    assert parse_posted_results(study) is None


def _count(value: Any, key: str) -> int:
    """Count the objects in lists under a key, however deep."""
    if isinstance(value, list):
        return sum(_count(each, key) for each in value)
    if not isinstance(value, dict):
        return 0
    own = len(value[key]) if isinstance(value.get(key), list) else 0
    return own + sum(_count(each, key) for each in value.values())


@pytest.mark.slow
def test_every_value_of_real_records_is_kept(
    real_studies_of_every_kind: list[dict[str, Any]],
) -> None:
    seen = 0
    for study in real_studies_of_every_kind[::5]:
        posted = parse_posted_results(study)
        if posted is None:
            continue
        seen += 1
        section = study["resultsSection"]
        measures = (*posted.baseline, *posted.outcomes)
        assert sum(len(each.rows) for each in measures) == _count(section, "measurements")
        assert sum(len(each.analyses) for each in measures) == _count(section, "analyses")
        events = section.get("adverseEventsModule", {})
        assert len(posted.serious_events) == len(events.get("seriousEvents", ()))
        assert len(posted.other_events) == len(events.get("otherEvents", ()))
        assert len(posted.periods) == _count(section, "periods")
    assert seen > 20
