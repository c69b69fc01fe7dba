from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ctgov.test_geo import CIRCLES, DECAYS
from trialyst.ctgov.errors import BadParameter
from trialyst.ctgov.facets import NOTHING
from trialyst.ctgov.params import PARAMETERS, QUERY_SUFFIXES, parse_params, to_params
from trialyst.ctgov.query import Circle, SortKey, TrialQuery
from trialyst.ctgov.vocab import Status
from trialyst.errors import InvalidInput
from trialyst.essie import parse, render, text_node
from trialyst.essie.ast import Words
from trialyst.ids import NctId

EXPRESSIONS = st.sampled_from(
    [
        "heart attack",
        '"heart attack"',
        "aspirin OR ibuprofen",
        "NOT cancer",
        "AREA[Phase](PHASE2 OR PHASE3)",
        "AREA[StartDate]RANGE[2020-01-01, MAX]",
        "SEARCH[Location](AREA[LocationCity]Boston AND AREA[LocationState]Massachusetts)",
        "AREA[OverallStatus]MISSING",
        'AREA[Sex]"ALL"',
        "COVERAGE[FullMatch]Merck",
        "EXPANSION[None]pembrolizumab",
        "NCT00000001",
        "nct1, NCT2",
        "ALL",
    ]
).map(parse)
QUERIES = st.builds(
    TrialQuery,
    queries=st.lists(
        st.tuples(st.sampled_from(QUERY_SUFFIXES), EXPRESSIONS),
        unique_by=lambda pair: pair[0],
        max_size=4,
    ).map(tuple),
    filters=st.lists(EXPRESSIONS, max_size=3).map(tuple),
    statuses=st.lists(st.sampled_from(list(Status)).map(str), unique=True, max_size=3).map(tuple),
    ids=st.lists(st.integers(1, 99_999_999).map(NctId), unique=True, max_size=3).map(tuple),
    circle=st.none() | CIRCLES,
    geo_decay=DECAYS,
    sort=st.lists(
        st.builds(
            SortKey,
            st.sampled_from(["@relevance", "StartDate", "EnrollmentCount"]),
            descending=st.booleans(),
        ),
        max_size=2,
    ).map(tuple),
    page_size=st.integers(1, 1000),
)


def _message(params: dict[str, str]) -> str:
    with pytest.raises(BadParameter) as caught:
        parse_params(params)
    return caught.value.message


@given(QUERIES)
def test_a_query_comes_back_from_its_parameters(query: TrialQuery) -> None:
    assert parse_params(to_params(query)) == query


@given(QUERIES)
def test_only_known_parameters_are_written(query: TrialQuery) -> None:
    assert set(to_params(query)) <= PARAMETERS


def test_an_empty_query_needs_no_parameters() -> None:
    assert to_params(TrialQuery()) == {}
    assert parse_params({}) == TrialQuery()


@pytest.mark.parametrize("suffix", QUERY_SUFFIXES)
def test_every_query_parameter_is_read(suffix: str) -> None:
    query = parse_params({f"query.{suffix}": "heart attack"})

    assert query.queries == ((suffix, Words(("heart", "attack"))),)


def test_text_from_people_is_escaped() -> None:
    query = TrialQuery(queries=(("cond", text_node("AREA[Phase]PHASE4 AND MISSING")),))

    params = to_params(query)

    assert "AREA[Phase]" not in params["query.cond"]
    assert parse_params(params) == query


def test_two_expressions_for_one_parameter_are_joined_with_and() -> None:
    query = TrialQuery(queries=(("term", parse("a OR b")), ("term", parse("c"))))

    assert to_params(query) == {"query.term": "(a OR b) AND c"}


def test_parts_of_an_advanced_filter_become_filters_of_their_own() -> None:
    query = parse_params({"filter.advanced": "AREA[Phase]PHASE2 AND NOT cancer"})

    assert query.filters == (parse("AREA[Phase]PHASE2"), parse("NOT cancer"))


@pytest.mark.parametrize(
    "text", ["RECRUITING,COMPLETED", "RECRUITING|COMPLETED", "RECRUITING , COMPLETED,"]
)
def test_lists_are_separated_by_comma_or_pipe(text: str) -> None:
    assert parse_params({"filter.overallStatus": text}).statuses == ("RECRUITING", "COMPLETED")


@pytest.mark.parametrize("text", ["NCT00461032", "nct461032", "NCT0000461032"])
def test_ids_may_lack_or_exceed_their_zeros(text: str) -> None:
    assert parse_params({"filter.ids": text}).ids == (NctId(461032),)


def test_a_post_filter_does_what_the_filter_does() -> None:
    filters = {
        "overallStatus": "COMPLETED",
        "ids": "NCT00461032",
        "geo": "distance(1,2,50km)",
        "advanced": "AREA[Phase]PHASE2",
    }

    assert parse_params({f"postFilter.{name}": text for name, text in filters.items()}) == (
        parse_params({f"filter.{name}": text for name, text in filters.items()})
    )


def test_filter_and_post_filter_must_both_hold() -> None:
    query = parse_params(
        {
            "filter.overallStatus": "COMPLETED,RECRUITING",
            "postFilter.overallStatus": "COMPLETED",
            "filter.ids": "NCT00000001,NCT00000002",
            "postFilter.ids": "NCT00000001",
            "filter.geo": "distance(1,2,50km)",
            "postFilter.geo": "distance(1,2,20km)",
        }
    )

    assert query.statuses == ("COMPLETED", "RECRUITING")
    assert query.ids == (NctId(1), NctId(2))
    assert query.circle == Circle(1.0, 2.0, 50.0)
    assert [render(node) for node in query.filters] == [
        'AREA[OverallStatus]"COMPLETED"',
        'AREA[NCTId]"NCT00000001" OR AREA[NCTIdAlias]"NCT00000001"',
        "AREA[LocationGeoPoint]DISTANCE[1, 2, 20 km]",
    ]


def test_facets_become_filters() -> None:
    query = parse_params({"aggFilters": "phase:2 3,sex:x"})

    assert query.filters == (parse('AREA[Phase]("PHASE2" OR "PHASE3")'), NOTHING)


def test_blank_parameters_count_as_absent() -> None:
    assert parse_params(dict.fromkeys(PARAMETERS, " ")) == TrialQuery()


def test_parameters_of_the_page_are_let_through() -> None:
    page = {"format": "csv", "fields": "NCTId", "countTotal": "true", "pageToken": "x"}

    assert parse_params(page) == TrialQuery()


@pytest.mark.parametrize(
    ("text", "size"), [("0", 10), ("1", 1), ("1000", 1000), ("1001", 1000), ("2147483647", 1000)]
)
def test_page_size_is_defaulted_and_capped(text: str, size: int) -> None:
    assert parse_params({"pageSize": text}).page_size == size


@pytest.mark.parametrize("text", ["bad", "-1", "1.5", "2147483648", "１０", "9" * 5000])
def test_a_page_size_that_is_no_number_is_refused(text: str) -> None:
    assert _message({"pageSize": text}) == f"Invalid value in parameter `pageSize`: `{text}`"


@pytest.mark.parametrize(
    "text", ["NCT00000001", "nct1", "NCT00000001,NCT00000002", " NCT00000001  NCT00000002, "]
)
def test_filters_are_left_out_when_a_query_holds_only_ids(text: str) -> None:
    query = parse_params(
        {
            "query.term": text,
            "filter.overallStatus": "COMPLETED",
            "filter.ids": "NCT00000009",
            "postFilter.geo": "distance(1,2,50km)",
            "filter.advanced": "cancer",
            "aggFilters": "phase:2",
        }
    )

    assert query == TrialQuery(queries=query.queries)


def test_several_ids_in_a_query_mean_any_of_them() -> None:
    query = parse_params({"query.id": "nct1, NCT2"})

    assert query.queries == (("id", parse("NCT00000001 OR NCT00000002")),)


def test_filters_stay_when_a_query_holds_more_than_ids() -> None:
    query = parse_params({"query.term": "NCT00000001 cancer", "filter.overallStatus": "COMPLETED"})

    assert query.statuses == ("COMPLETED",)


def test_an_id_written_as_a_query_leaves_the_filters_in_force() -> None:
    query = TrialQuery(queries=(("term", Words(("NCT00000001",))),), statuses=("COMPLETED",))

    assert parse_params(to_params(query)) == query


def test_an_impossible_circle_is_not_written() -> None:
    with pytest.raises(InvalidInput, match="cannot be searched"):
        to_params(TrialQuery(circle=Circle(0, 0, 10_000)))


REFUSALS = [
    ({"filter.phase": "2"}, "`filter.phase` is unknown parameter"),
    ({"query.recrs": "x"}, "`query.recrs` is unknown parameter"),
    (
        {"filter.overallStatus": "RECRUITING,BADSTATUS"},
        "Invalid value in parameter `overallStatus`: `BADSTATUS`",
    ),
    (
        {"filter.overallStatus": "recruiting"},
        "Invalid value in parameter `overallStatus`: `recruiting`",
    ),
    ({"filter.ids": "NCT00000001,XYZ"}, "filter.ids has incorrect format for value XYZ"),
    ({"filter.ids": "NCT00000000"}, "filter.ids has incorrect format for value NCT00000000"),
    ({"sort": "a:b"}, "Item 1 in parameter `sort` has incorrect format"),
    ({"sort": "BriefTitle"}, "Unsupported sort field type: text"),
    (
        {"filter.advanced": "AREA[NotARealField]x"},
        "Error parsing query in advanced filter: Unknown area name: `NotARealField`",
    ),
    (
        {"filter.advanced": "AREA[Phase]PHASE9"},
        "Error parsing query in advanced filter: Allowed values for enum field "
        "`protocolSection.designModule.phases` are `NA`, `EARLY_PHASE1`, `PHASE1`, `PHASE2`, "
        "`PHASE3`, `PHASE4`",
    ),
    (
        {"query.term": "foo ["},
        "Error parsing query in Other terms: mismatched input '[' expecting {<EOF>, '(', ',', "
        "'NOT', 'AND', 'OR', 'SEARCH', 'AREA', 'RANGE', 'DISTANCE', Coverage, Expansion, 'TILT', "
        "'ALL', 'MISSING', 'MIN', 'MAX', EscapedKeyword, BooleanLiteral, DecimalLiteral, "
        "DateLiteral, TimeLiteral, RadiusLiteral, StringLiteral, Term}",
    ),
    ({"query.term": "(a"}, "Error parsing query in Other terms: missing ')' at '<EOF>'"),
    (
        {"filter.advanced": "COVERAGE[FullMatc]a"},
        "Error parsing query in advanced filter: Invalid coverage: FullMatc",
    ),
    ({"query.cond": "NOT"}, "inner bool query clause cannot be null"),
    (
        {"query.cond": "(a"},
        "Error parsing query in Conditions or disease: missing ')' at '<EOF>'",
    ),
    ({"query.lead": "(a"}, "Error parsing query in Lead sponsor: missing ')' at '<EOF>'"),
    ({"query.patient": "(a"}, "Error parsing query in Patient: missing ')' at '<EOF>'"),
    (
        {"filter.synonyms": "ConditionSearch:1651367"},
        "Parameter `filter.synonyms` cannot be used: synonym ids are not known here",
    ),
]


@pytest.mark.parametrize(("params", "message"), REFUSALS, ids=[row[1][:40] for row in REFUSALS])
def test_what_is_wrong_is_refused_in_the_service_words(
    params: dict[str, str], message: str
) -> None:
    assert _message(params) == message


@given(
    st.dictionaries(
        st.sampled_from(sorted(PARAMETERS)),
        st.text(max_size=30) | st.text(alphabet='NCT01,| ()[]:"AREO\\', max_size=30),
        max_size=4,
    )
)
def test_whatever_is_sent_gives_a_query_or_a_refusal(params: dict[str, str]) -> None:
    try:
        query = parse_params(params)
    except BadParameter:
        return
    assert parse_params(to_params(query)) == query
