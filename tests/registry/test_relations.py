"""Relations between counts that hold on the live service, held here on the real records.

The eleven of the fact sheet, then those between areas, between words and quotes, and between
a match set, its count, its pages and their order.
"""

from __future__ import annotations

import pytest

from tests.registry.oracle.corpus import nct_number
from tests.registry.oracle.evaluator import predicate
from tests.registry.oracle.records import Record
from trialyst.ctgov.params import parse_params
from trialyst.ctgov.query import TrialQuery
from trialyst.essie import parse, text_node
from trialyst.essie.areas import areas
from trialyst.essie.enums import enums
from trialyst.essie.pieces import Kind, pieces
from trialyst.folding import fold
from trialyst.registry import Registry
from trialyst.registry.stats import Statistics

pytestmark = pytest.mark.slow

PHASE_BUCKETS = (
    "EARLY_PHASE1",
    "(PHASE1 AND NOT PHASE2)",
    "(PHASE1 AND PHASE2)",
    "(PHASE2 AND NOT PHASE1 AND NOT PHASE3)",
    "(PHASE2 AND PHASE3)",
    "(PHASE3 AND NOT PHASE2)",
    "PHASE4",
    "NA",
    "MISSING",
)
ENUM_PIECES = [name for enumeration in enums().values() for name in enumeration.pieces]
SEARCHED = {
    piece.name
    for area in ("BasicSearch", "ConditionSearch", "InterventionSearch")
    for part in areas()[area].parts
    for piece in part.pieces
}
NAMES_COMPARED = 200
PAGE = 97


@pytest.fixture(params=["sample", pytest.param("all", marks=pytest.mark.oracle)])
def registry(request: pytest.FixtureRequest) -> Registry:
    name = "engine" if request.param == "sample" else "whole_engine"
    registry: Registry = request.getfixturevalue(name)
    return registry


def find(registry: Registry, **params: str) -> set[int]:
    """Give the matches of request parameters, dots written as underscores."""
    query = parse_params({name.replace("_", "."): text for name, text in params.items()})
    return registry.match_numbers(query)


def find_advanced(registry: Registry, text: str) -> set[int]:
    return find(registry, filter_advanced=text)


def test_no_filter_is_all_is_the_number_of_studies(registry: Registry) -> None:
    everything = registry.match_numbers(TrialQuery())
    assert len(everything) == Statistics(registry).study_sizes().total
    assert find_advanced(registry, "ALL") == everything


def test_with_and_without_results_make_up_everything(registry: Registry) -> None:
    with_results = find_advanced(registry, "AREA[HasResults]true")
    without = find_advanced(registry, "AREA[HasResults]false")
    assert with_results
    assert not with_results & without
    assert with_results | without == find_advanced(registry, "ALL")


@pytest.mark.parametrize("text", ["ALL", "diabetes", "AREA[OverallStatus]COMPLETED"])
def test_nine_phase_buckets_partition_any_set(registry: Registry, text: str) -> None:
    buckets = [
        find_advanced(registry, f"AREA[Phase]{bucket} AND ({text})") for bucket in PHASE_BUCKETS
    ]
    whole = find_advanced(registry, text)
    assert whole
    assert sum(map(len, buckets)) == len(whole)
    assert set().union(*buckets) == whole


def test_either_phase_is_the_sum_less_both(registry: Registry) -> None:
    either = find_advanced(registry, "AREA[Phase](PHASE2 OR PHASE3)")
    second = find_advanced(registry, "AREA[Phase]PHASE2")
    third = find_advanced(registry, "AREA[Phase]PHASE3")
    both = find_advanced(registry, "AREA[Phase](PHASE2 AND PHASE3)")
    assert both
    assert len(either) == len(second) + len(third) - len(both)


@pytest.mark.parametrize("piece", ["StartDate", "StudyFirstPostDate", "LastUpdatePostDate"])
@pytest.mark.parametrize("year", ["2008", "2019"])
def test_a_quarter_is_the_sum_of_its_months(registry: Registry, piece: str, year: str) -> None:
    quarter = find_advanced(registry, f"AREA[{piece}]RANGE[{year}-04-01,{year}-06-30]")
    months = [
        find_advanced(registry, f"AREA[{piece}]RANGE[{year}-{month},{year}-{month}]")
        for month in ("04", "05", "06")
    ]
    named = [
        find_advanced(registry, f"AREA[{piece}]{year}-{month}") for month in ("04", "05", "06")
    ]
    assert len(quarter) == sum(map(len, months))
    assert months == named


def test_statuses_filter_alike_in_all_three_ways(registry: Registry) -> None:
    by_filter = find(registry, filter_overallStatus="RECRUITING,COMPLETED")
    assert by_filter
    assert by_filter == find_advanced(registry, "AREA[OverallStatus](RECRUITING OR COMPLETED)")
    assert by_filter == find(registry, aggFilters="status:rec com")


@pytest.mark.parametrize(
    ("one", "other"), [("pembrolizumab", "carboplatin"), ("placebo", "insulin"), ("drug", "device")]
)
def test_and_is_the_intersection(registry: Registry, one: str, other: str) -> None:
    both = find(registry, query_intr=f"({one}) AND ({other})")
    assert both == find(registry, query_intr=one) & find(registry, query_intr=other)


def test_counts_of_enum_values_equal_the_statistics(registry: Registry) -> None:
    chosen = [pieces()[name] for name in ENUM_PIECES]
    for values in Statistics(registry).field_values(chosen):
        name, counted = values.piece.name, dict(values.top)
        assert len(find_advanced(registry, f"AREA[{name}]MISSING")) == values.missing, name
        for value in enums()[values.piece.type].values:
            matched = find_advanced(registry, f'AREA[{name}]"{value.value}"')
            assert len(matched) == counted.get(value.value, 0), f"{name} {value.value}"


@pytest.mark.parametrize(("param", "piece"), [("cond", "Condition"), ("intr", "InterventionName")])
def test_quoting_never_finds_more(
    engine: Registry, sample: list[Record], param: str, piece: str
) -> None:
    names = sorted({name for record in sample for name in record.values(pieces()[piece])})
    compared = 0
    for name in names[:: len(names) // NAMES_COMPARED][:NAMES_COMPARED]:
        text = " ".join("".join(c if c not in '[]()"\\' else " " for c in name).split())
        quoted = find(engine, **{f"query_{param}": f'"{text}"'})
        unquoted = engine.match_numbers(TrialQuery(queries=((param, text_node(text)),)))
        assert quoted <= unquoted, name
        compared += bool(quoted)
    assert compared > NAMES_COMPARED * 0.9


@pytest.mark.parametrize("param", ["intr", "term"])
def test_quoting_the_name_of_a_value_never_finds_more(registry: Registry, param: str) -> None:
    for name in (
        "placebo comparator",
        "active comparator",
        "dietary supplement",
        "no intervention",
    ):
        quoted = find(registry, **{f"query_{param}": f'"{name}"'})
        assert quoted
        assert quoted <= find(registry, **{f"query_{param}": name})


@pytest.mark.parametrize("name", ["Pfizer", "National Cancer Institute", "university", "Merck"])
def test_lead_sponsors_are_sponsors(registry: Registry, name: str) -> None:
    leading = find(registry, query_lead=name)
    assert leading
    assert leading <= find(registry, query_spons=name)


def test_the_sex_all_is_not_all(registry: Registry) -> None:
    everything = find_advanced(registry, "AREA[Sex]ALL")
    assert everything == find_advanced(registry, "ALL")
    assert find_advanced(registry, 'AREA[Sex]"ALL"') < everything


def test_words_of_the_eligibility_text_alone_are_found_there_alone(
    engine: Registry, sample: list[Record]
) -> None:
    for number, word in _words_in_criteria_only(sample)[:50]:
        assert number in find_advanced(engine, f"AREA[EligibilityCriteria]{word}"), word
        for param in ("cond", "term", "intr"):
            assert number not in find(engine, **{f"query_{param}": word}), (param, word)


@pytest.mark.parametrize("word", ["placebo", "asthma", "boston", "survival", "insulin"])
def test_each_parameter_searches_its_area(
    engine: Registry, sample: list[Record], word: str
) -> None:
    text = f"EXPANSION[Term]{word}"
    found = {}
    for param, area in (
        ("cond", "ConditionSearch"),
        ("term", "BasicSearch"),
        ("intr", "InterventionSearch"),
    ):
        holds = predicate(parse(text), area)
        found[param] = find(engine, **{f"query_{param}": text})
        assert found[param] == {_number(record) for record in sample if holds(record)}
    assert found["cond"] < found["term"]
    assert found["intr"] < found["term"]
    assert found["cond"] != found["intr"]


def test_names_of_a_drug_find_the_same_studies(registry: Registry) -> None:
    generic = find(registry, query_intr="pembrolizumab")
    assert generic
    assert generic == find(registry, query_intr="Keytruda")
    assert generic == find(registry, query_intr="MK-3475")


SORTS = (
    "EnrollmentCount:asc",
    "EnrollmentCount:desc",
    "StartDate:asc",
    "StartDate:desc",
    "ResultsFirstPostDate:asc",
    "ResultsFirstPostDate:desc",
    "NumLocations:desc",
    "StudyFirstPostYear:desc,EnrollmentCount:asc",
)


@pytest.mark.parametrize("sort", ["", "@relevance", *SORTS])
def test_pages_make_up_the_match_set_without_repeats(registry: Registry, sort: str) -> None:
    query = parse_params({"query.cond": "heart failure OR cancer", "sort": sort})
    matched = registry.match_numbers(query)
    paged = _all_pages(registry, query)
    assert len(paged) == len(set(paged))
    assert set(paged) == matched
    assert registry.count(query) == len(matched)
    assert registry.find(query, offset=0, limit=1).total == len(matched)


@pytest.mark.parametrize("sort", SORTS)
def test_studies_come_in_order_and_those_without_a_value_last(
    engine: Registry, sample: list[Record], sort: str
) -> None:
    query = parse_params({"sort": sort})
    by_number = {_number(record): record for record in sample}
    keys = [(key.piece, key.descending) for key in query.sort]
    order = [
        tuple(_rank(by_number[number], piece, descending) for piece, descending in keys)
        for number in _all_pages(engine, query)
    ]
    assert len(order) == len(sample)
    assert order == sorted(order)


def _rank(record: Record, name: str, descending: bool) -> tuple[bool, int]:
    """Give a sort key: studies without a value after all others."""
    piece = pieces()[name]
    values = record.values(piece)
    if piece.kind is Kind.DATE:
        numbers = [int(f"{value}-01-01"[:10].replace("-", "")) for value in values]
    else:
        numbers = [value for value in values if isinstance(value, int)]
    if not numbers:
        return True, 0
    return False, -numbers[0] if descending else numbers[0]


def _all_pages(registry: Registry, query: TrialQuery) -> list[int]:
    total = registry.find(query, offset=0, limit=1).total
    pages = [
        registry.find(query, offset=offset, limit=PAGE).numbers for offset in range(0, total, PAGE)
    ]
    return [number for page in pages for number in page]


def _number(record: Record) -> int:
    return nct_number(dict(record.study))


def _words_in_criteria_only(sample: list[Record]) -> list[tuple[int, str]]:
    """Find words that one record's eligibility text has and no searched text of any record."""
    basic: set[str] = set()
    holders: dict[str, set[int]] = {}
    for record in sample:
        for value in record.values(pieces()["EligibilityCriteria"]):
            for token in set(fold(value)):
                holders.setdefault(token, set()).add(_number(record))
        for name in record.names() - {"EligibilityCriteria"}:
            if name in SEARCHED:
                basic.update(*(fold(str(value)) for value in record.values(pieces()[name])))
    return [
        (min(numbers), token)
        for token, numbers in sorted(holders.items())
        if len(numbers) == 1 and token not in basic and token.isalpha() and len(token) > 7
    ]
