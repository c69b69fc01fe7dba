"""Finding: exact totals, one order, windows that partition it, ranking, and counts by value."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.each_case import on_each_case
from tests.registry.invented import (
    FIRST,
    asked,
    find_all,
    found,
    many,
    opened,
    site,
    study,
    titled,
    with_sites,
)
from trialyst.ctgov.query import SortKey, TrialQuery
from trialyst.ctgov.values import values_at
from trialyst.errors import InvalidInput
from trialyst.essie.pieces import pieces
from trialyst.registry import Registry

STUDIES = many(240)
QUERIES: dict[str, dict[str, str]] = {
    "everything": {},
    "words": {"query_term": "asthma OR steroid"},
    "condition": {"query_cond": "airway"},
    "status": {"filter_overallStatus": "RECRUITING"},
    "place": {"query_locn": "Boston"},
}
SORTS = (
    "",
    "@relevance",
    "EnrollmentCount:asc",
    "EnrollmentCount:desc",
    "LastUpdatePostDate:asc",
    "LastUpdatePostDate:desc",
    "LastUpdatePostYear:desc",
    "NumLocations:asc",
    "NumLocations:desc",
    "LastUpdatePostYear:desc,EnrollmentCount:asc",
    "EnrollmentCount:asc,LastUpdatePostDate:desc",
    "NumLocations:desc,@relevance",
    "NumLocations:asc,EnrollmentCount:desc",
)


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry]:
    registry = opened(tmp_path_factory.mktemp("find"), *STUDIES)
    yield registry
    registry.close()


def stated(name: str, record: dict[str, Any]) -> Any:
    """Give what a study is sorted by, read from the study itself."""
    if name == "NumLocations":
        return len(values_at(record, pieces()["Location"]))
    if name == "LastUpdatePostYear":
        return values_at(record, pieces()["LastUpdatePostDate"])[0][:4]
    return next(iter(values_at(record, pieces()[name])), None)


def sorted_by_hand(numbers: set[int], keys: tuple[SortKey, ...]) -> list[int]:
    ordered = sorted(numbers)
    for key in reversed(keys):
        values = {number: stated(key.piece, STUDIES[number - FIRST]) for number in ordered}
        known = [number for number in ordered if values[number] is not None]
        known.sort(key=values.__getitem__, reverse=key.descending)
        ordered = known + [number for number in ordered if values[number] is None]
    return ordered


@on_each_case("sort", [sort for sort in SORTS if "@" not in sort])
@on_each_case("name", QUERIES)
def test_the_order_is_that_of_the_values_then_of_the_numbers(
    registry: Registry, name: str, sort: str
) -> None:
    query = asked(**QUERIES[name], sort=sort)
    expected = sorted_by_hand(registry.match_numbers(query), query.sort)
    assert list(registry.iter_numbers(query)) == expected


@on_each_case("sort", SORTS)
@on_each_case("name", QUERIES)
@on_each_case("size", [1, 7, 50])
def test_windows_make_up_the_whole(registry: Registry, name: str, sort: str, size: int) -> None:
    query = asked(**QUERIES[name], sort=sort)
    whole = list(registry.iter_numbers(query))
    starts = range(0, len(whole) + size, size)
    windows = [registry.find(query, offset=start, limit=size) for start in starts]
    assert [number for window in windows for number in window.numbers] == whole
    assert {window.total for window in windows} == {len(whole)}


def test_a_window_past_the_end_is_empty_with_the_total(registry: Registry) -> None:
    assert registry.find(asked(), offset=240, limit=5) == ([], 240)
    assert registry.find(asked(), offset=9_999, limit=5) == ([], 240)
    assert registry.find(asked(), limit=0) == ([], 240)


def test_without_a_limit_a_window_is_a_page(registry: Registry) -> None:
    assert len(registry.find(asked(pageSize="33")).numbers) == 33
    assert len(registry.find(TrialQuery()).numbers) == 10


@pytest.mark.parametrize("name", QUERIES)
def test_count_matches_and_iteration_agree(registry: Registry, name: str) -> None:
    query = asked(**QUERIES[name])
    matches = registry.match_numbers(query)
    assert registry.count(query) == len(matches) > 0
    assert set(registry.iter_numbers(query)) == matches


@on_each_case(
    "piece",
    [
        *("OverallStatus", "Phase", "EnrollmentCount", "LastUpdatePostYear", "HasResults"),
        "NumLocations",
    ],
)
@on_each_case("name", QUERIES)
def test_count_by_equals_counting_by_hand(registry: Registry, name: str, piece: str) -> None:
    query = asked(**QUERIES[name])
    counts: Counter[str] = Counter()
    for number in registry.match_numbers(query):
        record = STUDIES[number - FIRST]
        if piece == "HasResults":
            counts["false"] += 1
        elif (value := stated(piece, record)) is not None:
            counts[str(value)] += 1
    assert registry.count_by(query, piece) == counts


def test_text_pieces_are_counted_by_value(registry: Registry) -> None:
    counts = Counter(
        value for record in STUDIES for value in set(values_at(record, pieces()["LocationCity"]))
    )
    assert registry.count_by(TrialQuery(), "LocationCity") == counts


def test_an_unknown_piece_cannot_be_counted(registry: Registry) -> None:
    with pytest.raises(InvalidInput, match="Unknown piece 'Nonsense'"):
        registry.count_by(TrialQuery(), "Nonsense")


def test_statuses_are_alternatives(registry: Registry) -> None:
    both = found(registry, filter_overallStatus="RECRUITING|COMPLETED")
    apart = [found(registry, filter_overallStatus=one) for one in ("RECRUITING", "COMPLETED")]
    assert both == apart[0] | apart[1]
    assert not apart[0] & apart[1]


def test_ids_restrict_and_follow_aliases(tmp_path: Path) -> None:
    aliased = study(FIRST + 1, identification={"nctIdAliases": ["NCT00000017", "NCT00000018"]})
    registry = opened(tmp_path, study(FIRST), aliased, study(FIRST + 2))
    assert found(registry, filter_ids="NCT90000001,NCT00000018") == {1, 2}
    assert found(registry, filter_ids="NCT00000001") == set()
    assert registry.resolve_number(17) == registry.resolve_number(FIRST + 1) == FIRST + 1
    assert registry.resolve_number(19) is None
    registry.close()


def test_more_ids_than_a_few_are_a_set(registry: Registry) -> None:
    ids = ",".join(f"NCT{FIRST + n}" for n in range(0, 200, 2))
    assert found(registry, filter_ids=ids) == set(range(1, 201, 2))


BOSTON, WORCESTER, SPRINGFIELD = (42.3584, -71.0598), (42.2626, -71.8023), (42.1015, -72.5898)
SUVA, APIA = (-18.1416, 178.4415), (-13.8333, -171.7667)


@pytest.fixture(scope="module")
def placed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry]:
    registry = opened(
        tmp_path_factory.mktemp("placed"),
        with_sites(FIRST, site("Springfield", point=SPRINGFIELD)),
        with_sites(FIRST + 1, site("Boston", point=BOSTON), site("Suva", point=SUVA)),
        with_sites(FIRST + 2, site("Worcester", point=WORCESTER)),
        with_sites(FIRST + 3, site("Apia", point=APIA)),
        with_sites(FIRST + 4, site("Boston")),
        with_sites(FIRST + 5, site("Nowhere", geoPoint={"lat": "42", "lon": None})),
    )
    yield registry
    registry.close()


@pytest.mark.parametrize(
    ("circle", "expected"),
    [
        ("42.3584,-71.0598,1km", {2}),
        ("42.3584,-71.0598,62km", {2, 3}),
        ("42.3584,-71.0598,61km", {2}),
        ("42.3584,-71.0598,38mi", {2}),
        ("42.3584,-71.0598,39mi", {2, 3}),
        ("42.3584,-71.0598,150km", {1, 2, 3}),
        ("-16,-179.9,600km", {2}),
        ("-15,-177,700km", {2, 4}),
        ("-15,-177,500km", set()),
        ("90,0,100km", set()),
    ],
)
def test_a_circle_holds_the_sites_within_it(
    placed: Registry, circle: str, expected: set[int]
) -> None:
    assert found(placed, filter_geo=f"distance({circle})") == expected
    advanced = f"AREA[LocationGeoPoint]DISTANCE[{circle}]"
    assert found(placed, filter_advanced=advanced) == expected


@pytest.mark.parametrize("function", ["exp", "gauss", "linear"])
def test_nearer_studies_come_first(placed: Registry, function: str) -> None:
    decay = f"func:{function},scale:100mi,offset:0mi,decay:0.5"
    near_boston = find_all(
        placed, filter_geo="distance(42.36,-71.06,200)", geoDecay=decay, sort="@relevance"
    )
    assert near_boston == [2, 3, 1]


def test_relevance_and_distance_weigh_together(tmp_path: Path) -> None:
    near = {"contactsLocations": {"locations": [site("Boston", point=BOSTON)]}}
    far = {"contactsLocations": {"locations": [site("Springfield", point=SPRINGFIELD)]}}
    registry = opened(
        tmp_path,
        titled(FIRST, "asthma", **far),
        titled(FIRST + 1, "breathing", description={"briefSummary": "asthma"}, **near),
        titled(FIRST + 2, "asthma", **near),
    )
    order = find_all(
        registry,
        query_term="asthma",
        filter_geo="distance(42.36,-71.06,200mi)",
        geoDecay="func:exp,scale:60mi,offset:0mi,decay:0.5",
        sort="@relevance",
    )
    assert order[0] == 3
    assert set(order) == {1, 2, 3}
    registry.close()


def conditioned(number: int, *conditions: str, **modules: Any) -> dict[str, Any]:
    return study(number, conditions={"conditions": list(conditions)}, **modules)


def test_a_phrase_comes_before_scattered_words(tmp_path: Path) -> None:
    registry = opened(
        tmp_path,
        titled(FIRST, "failure of the heart", conditions={"conditions": ["heart"]}),
        conditioned(FIRST + 1, "heart", identification={"briefTitle": "failure"}),
        conditioned(FIRST + 2, "failure of the heart"),
        conditioned(FIRST + 3, "heart failure"),
        conditioned(FIRST + 4, "heart"),
    )
    order = find_all(registry, query_cond="heart failure", sort="@relevance")
    assert order[0] == 4
    assert order.index(3) < order.index(2)
    assert set(order) == {1, 2, 3, 4}
    assert found(registry, query_cond='"heart failure"') == {4}
    registry.close()


def mesh(*, terms: tuple[str, ...] = (), ancestors: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "derivedSection": {
            "conditionBrowseModule": {
                "meshes": [{"id": f"D{n}", "term": term} for n, term in enumerate(terms)],
                "ancestors": [{"id": f"A{n}", "term": term} for n, term in enumerate(ancestors)],
            }
        }
    }


def test_a_direct_term_comes_before_a_mesh_ancestor(tmp_path: Path) -> None:
    long_list = [f"disorder {n}" for n in range(40)]
    registry = opened(
        tmp_path,
        conditioned(FIRST, "asthma") | mesh(ancestors=("Lung Diseases",)),
        conditioned(FIRST + 1, "pneumonia") | mesh(terms=("Lung Diseases",)),
        conditioned(FIRST + 2, *long_list, "lung diseases of many kinds"),
    )
    order = find_all(registry, query_cond="lung diseases", sort="@relevance")
    assert set(order) == {1, 2, 3}
    assert order[-1] == 1
    registry.close()


def test_a_title_comes_before_a_description(tmp_path: Path) -> None:
    filler = "words that say nothing at all about it"
    registry = opened(
        tmp_path,
        titled(FIRST, "a study", description={"briefSummary": f"velorimab {filler}"}),
        titled(FIRST + 1, f"velorimab {filler}", description={"briefSummary": "a study"}),
    )
    assert find_all(registry, query_term="velorimab", sort="@relevance") == [2, 1]
    registry.close()


@pytest.fixture(scope="module")
def alike(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry]:
    """Studies of the same words, the later ones updated later."""
    studies = [
        titled(FIRST + n, "velorimab in asthma", updated=f"20{10 + n}-01-01") for n in range(20)
    ]
    registry = opened(tmp_path_factory.mktemp("alike"), *studies, titled(FIRST + 50, "other"))
    yield registry
    registry.close()


def test_tilt_changes_the_order_and_not_the_set(alike: Registry) -> None:
    plain = find_all(alike, query_term="asthma", sort="@relevance")
    tilted = find_all(alike, query_term="TILT[LastUpdatePostDate]asthma", sort="@relevance")
    assert plain == list(range(1, 21))
    assert set(tilted) == set(plain)
    assert (tilted[0], tilted[-1]) == (20, 1)
    assert all(n > later - 3 for n, later in pairwise(tilted))


def test_relevance_can_be_turned_round(tmp_path: Path) -> None:
    registry = opened(
        tmp_path,
        titled(FIRST, "study", description={"briefSummary": "velorimab"}),
        titled(FIRST + 1, "velorimab"),
    )
    assert find_all(registry, query_term="velorimab", sort="@relevance:desc") == [2, 1]
    assert find_all(registry, query_term="velorimab", sort="@relevance:asc") == [1, 2]
    registry.close()


def test_filters_do_not_rank(registry: Registry) -> None:
    assert find_all(registry, filter_advanced="asthma", sort="@relevance") == sorted(
        found(registry, filter_advanced="asthma")
    )


def test_records_come_raw_in_the_order_asked_for(registry: Registry) -> None:
    asked_for = [FIRST + 5, FIRST, 12345678, FIRST + 5]
    ids = [
        json.loads(data)["protocolSection"]["identificationModule"]["nctId"]
        for data in registry.raw(asked_for)
    ]
    assert ids == ["NCT90000006", "NCT90000001", "NCT90000006"]


def test_pieces_that_a_query_looks_at_are_told(registry: Registry) -> None:
    query = asked(query_titles="asthma", filter_advanced="AREA[Phase]PHASE2")
    names = {piece.name for piece in registry.searched_pieces(query)}
    assert {"BriefTitle", "Phase"} <= names
    assert "BriefSummary" not in names


def test_areas_without_texts_can_stand_beside_words(tmp_path: Path) -> None:
    secondary = {"secondaryIdInfos": [{"id": "X", "type": "EUDRACT_NUMBER"}]}
    registry = opened(
        tmp_path,
        study(FIRST, identification={"briefTitle": "velorimab in asthma", **secondary}),
        titled(FIRST + 1, "velorimab in asthma"),
    )
    words = "AREA[ExternalIdTypesSearch](EUDRACT_NUMBER OR OTHER)"
    assert found(registry, query_term="velorimab asthma", query_id=words) == {1}
    assert found(registry, query_term="velorimab asthma", query_cond="asthma velorimab") == {1, 2}
    registry.close()
