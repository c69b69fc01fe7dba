"""What a study gives to the index, and that no study, however odd, stops an ingest."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ctgov.studies import load_study, study_names
from tests.registry.invented import FIRST, as_line, site, study, with_sites
from trialyst.ctgov.values import values_at
from trialyst.essie.pieces import pieces
from trialyst.registry.extract import extract_study
from trialyst.registry.inputs import RawRecord
from trialyst.registry.keys import age_key
from trialyst.registry.prepare import Damage, Prepared, Preparer
from trialyst.registry.schema import Grain
from trialyst.registry.sitebook import SiteBook, SiteDocument


def document(record: dict[str, Any]) -> dict[str, Any]:
    """Give the document with every value in a list."""
    extracted: dict[str, Any] = json.loads(extract_study(record, FIRST, SiteBook()).document)
    return {name: v if isinstance(v, list) else [v] for name, v in extracted.items()}


def prepare(data: bytes) -> Prepared | Damage:
    """Prepare a record with the compiled walker, and see that the one in Python says the same."""
    records = [RawRecord(data, "here")]
    prepared = Preparer()(records)
    assert prepared == Preparer(compiled=False)(records)
    return prepared.items[0]


def sites_of(record: dict[str, Any], grain: str = "site") -> list[SiteDocument]:
    book = SiteBook()
    extract_study(record, FIRST, book)
    return [made for made in book.take_new() if json.loads(made.document)["grain"] == grain]


def print_of(record: dict[str, Any]) -> int:
    return extract_study(record, FIRST, SiteBook()).print


def damage(data: bytes) -> Damage:
    prepared = prepare(data)
    assert isinstance(prepared, Damage)
    return prepared


def test_text_is_folded_repeats_are_dropped_and_values_kept_apart() -> None:
    conditions = {"conditions": ["Tumours", "tumor's", "Tumours", ""]}
    found = document(study(FIRST, conditions=conditions))
    assert found["Condition"] == ["^ | | tumor", "| ^ | | tumor | | ^"]


def test_a_list_has_its_size_and_of_an_absent_one_nothing_is_written() -> None:
    conditions = {"conditions": ["a", "b"], "keywords": []}
    found = document(study(FIRST, conditions=conditions, armsInterventions={"armGroups": [{}]}))
    assert found["size_Condition"] == [2]
    assert not {"size_Keyword", "size_Location"} & found.keys()
    assert found["size_ArmGroupInterventionName"] == [0]


def test_the_years_of_dates_are_derived() -> None:
    status = {"studyFirstPostDateStruct": {"date": "2019-05-02"}}
    assert document(study(FIRST, status=status))["StudyFirstPostYear"] == [2019]


def test_the_countries_are_counted_and_coded() -> None:
    sites = [site("Seoul", country="Korea, Republic of"), site("Busan", country="South Korea")]
    found = document(with_sites(FIRST, *sites, site("X", country="Nowhere")))
    assert found["LocationCountryCode"] == ["kr"]
    assert found["NumUniqueLocationCountries"] == [3]


def test_what_is_unusual_is_listed() -> None:
    status = {
        "studyFirstPostDateStruct": {"date": "2019-05-02"},
        "whyStopped": "",
        "delayedPosting": True,
    }
    unusual = set(document(study(FIRST, status=status))["unusual"][0].split())
    assert {"DelayedPosting", "CompletionDate", "LocationCountryCode"} <= unusual
    usual = {"NCTId", "StudyFirstPostDate", "StudyFirstPostDateStruct", "StudyFirstPostYear"}
    assert not (usual | {"WhyStopped"}) & unusual


def test_results_are_absent_unless_stated() -> None:
    assert document(study(FIRST))["HasResults"] == ["false"]
    assert document({**study(FIRST), "hasResults": True})["HasResults"] == ["true"]


def test_equal_sites_are_one_site() -> None:
    boston = site("Boston", state="Massachusetts", point=(42.36, -71.06))
    assert len(sites_of(with_sites(FIRST, boston, {**boston}, site("Salem")))) == 2


def test_contacts_do_not_make_a_site_another() -> None:
    one = site("Boston", contacts=[{"name": "A"}])
    other = site("Boston", contacts=[{"name": "B"}])
    assert len(sites_of(with_sites(FIRST, one, other))) == 1


def test_sites_are_told_apart_by_more_than_their_places_and_states() -> None:
    one = site("Boston", facility="A", zip="02115", point=(42.36, -71.06))
    record = with_sites(
        FIRST,
        one,
        {**one, "facility": "B"},
        {**one, "city": "Salem"},
        {**one, "status": "RECRUITING"},
    )
    made = {grain: len(sites_of(record, grain)) for grain in Grain}
    assert made == {Grain.SITE: 4, Grain.PLACE: 3, Grain.STATE: 2, Grain.POINT: 0}
    assert len(document(record)["site"]) == 4 + 3 + 2 + 1


def test_a_word_of_the_widest_area_is_written_as_often_as_it_counts() -> None:
    record = study(
        FIRST,
        identification={"briefTitle": "Asthma and asthma"},
        conditions={"conditions": ["Asthma"]},
        description={"briefSummary": "Asthma of adults", "detailedDescription": "Elsewhere"},
        armsInterventions={"armGroups": [{"label": "One", "description": "Adults rest and rest"}]},
        sponsorCollaborators={"leadSponsor": {"name": "Boston Asthma"}},
    )
    words = Counter(document(record)["words"][0].split())
    # A title, a condition, a summary and the study; a title; a summary; an arm's label; a detail.
    assert words == {"asthma": 3 + 3 + 1 + 1, "and": 3 + 1, "of": 2, "adult": 2, "one": 3 + 1} | {
        "rest": 1,
        "boston": 1,
        "nct": 1,
        str(FIRST): 1,
    }
    plain = document(record)["words_plain"][0].split()
    assert sorted(plain) == sorted(["boston", "nct", str(FIRST)])


def test_the_print_tells_studies_apart() -> None:
    prints = [print_of(study(FIRST, updated=f"2020-01-0{day}")) for day in (1, 2)]
    assert prints[0] != prints[1]
    assert prints[0] == print_of(study(FIRST, updated="2020-01-01"))


@pytest.mark.parametrize(("text", "minutes"), [("2 Hours", 120), ("1 Day", 1440), ("old", None)])
def test_ages_are_in_minutes(text: str, minutes: int | None) -> None:
    assert age_key(text) == minutes


@pytest.mark.parametrize("name", study_names())
def test_every_odd_study_is_taken(name: str) -> None:
    record = load_study(name)
    assert isinstance(prepare(as_line(record)), Prepared)


ODD: list[Any] = [
    None,
    "",
    "text",
    5,
    2**63,
    10**30,
    1e30,
    -1.5,
    True,
    [],
    {},
    ["x"],
    [[1]],
    [None],
    [{}],
]


@pytest.mark.parametrize("value", ODD, ids=repr)
def test_a_value_of_the_wrong_type_anywhere_is_no_damage(value: object) -> None:
    for piece in pieces().values():
        if piece.indexed_only or piece.name in ("ProtocolSection", "IdentificationModule", "NCTId"):
            continue
        record = study(FIRST)
        node: Any = record
        for key in piece.path[:-1]:
            node = node.setdefault(key, {})
        node[piece.path[-1]] = value
        prepared = prepare(json.dumps(record).encode())
        assert isinstance(prepared, Prepared), piece.name
        assert numbers_fit(json.loads(prepared.extract.document)), piece.name


def numbers_fit(found: dict[str, Any]) -> bool:
    """Whether every column holds signed integers of 64 bits, as the engine demands."""
    return all(
        -(2**63) <= value < 2**63
        for values in found.values()
        if isinstance(values, list)
        for value in values
        if isinstance(value, int)
    )


KEYS = st.sampled_from(sorted({key for piece in pieces().values() for key in piece.path}))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=60)
@given(st.dictionaries(KEYS, JSON, max_size=5), st.dictionaries(KEYS, JSON, max_size=5))
def test_no_study_stops_an_ingest(outer: dict[str, Any], inner: dict[str, Any]) -> None:
    record = {**outer, "protocolSection": {**inner, **study(FIRST)["protocolSection"]}}
    try:
        data = json.dumps(record, allow_nan=False).encode()
    except ValueError:
        return
    assert isinstance(prepare(data), Prepared | Damage)


@pytest.mark.parametrize(
    ("data", "nct_id", "reason"),
    [
        (b"[1, 2]", None, "not a JSON object"),
        (b"{}", None, "no valid NCT id"),
        (as_line(study(FIRST)).replace(b"NCT9", b"NCT"), "NCT0000001", "no valid NCT id"),
        (b'{"protocolSection":{"identificationModule":{"nctId":7}}}', "7", "no valid NCT id"),
        (as_line(study(0)), "NCT00000000", "no valid NCT id"),
        (as_line(study(FIRST))[:-1], "NCT90000001", "not valid JSON"),
        (as_line(study(FIRST)).replace(b"Study", b"\xff"), "NCT90000001", "not valid JSON"),
        (b"", None, "not valid JSON"),
    ],
)
def test_damage_says_where_which_and_why(data: bytes, nct_id: str | None, reason: str) -> None:
    found = damage(data)
    assert (found.place, found.nct_id) == ("here", nct_id)
    assert found.reason.startswith(reason)


def test_deep_nesting_is_damage() -> None:
    deep = b'{"protocolSection":{"identificationModule":{"nctId":"NCT90000001"}},"x":'
    found = damage(deep + b"[" * 9000 + b"]" * 9000 + b"}")
    assert (found.nct_id, found.reason) == ("NCT90000001", "nested too deeply")


def test_values_are_collected_through_lists() -> None:
    record = with_sites(FIRST, site("Boston"), site(""), site("Salem"))
    assert values_at(record, pieces()["LocationCity"]) == ["Boston", "Salem"]
    assert values_at({"protocolSection": [1, "x"]}, pieces()["LocationCity"]) == []
