from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.errors import InvalidInput, TrialystError, UnresolvedEntity
from trialyst.essie.enums import enums
from trialyst.ids import NctId
from trialyst.questions import identifiers, values


@pytest.mark.parametrize(
    "sent",
    [
        ["PHASE2", "PHASE3"],
        ("PHASE2", "PHASE3"),
        '["PHASE2","PHASE3"]',
        "['PHASE2', 'PHASE3']",
        "PHASE2,PHASE3",
        "PHASE2, PHASE3",
        "PHASE2|PHASE3",
        "PHASE2 OR PHASE3",
        "[PHASE2, PHASE3]",
        ["PHASE2,PHASE3"],
        ["PHASE2", None, "", "PHASE3"],
        "phase 2 or 3",
        "2-3",
    ],
    ids=str,
)
def test_lists_are_understood_however_they_are_sent(sent: Any) -> None:
    assert values.read_phases(sent) == ("PHASE2", "PHASE3")


@pytest.mark.parametrize("nothing", [None, [], "[]"])
def test_no_value_and_an_empty_list_are_nothing(nothing: Any) -> None:
    assert values.read_phases(nothing) == ()
    assert values.read_statuses(nothing) == ()


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("Active, not recruiting", ("Active, not recruiting",)),
        ("active, not recruiting, completed", ("active, not recruiting", "completed")),
        (
            "Recruiting, Active, not recruiting, Completed",
            ("Recruiting", "Active, not recruiting", "Completed"),
        ),
        ('["Active, not recruiting", "Completed"]', ("Active, not recruiting", "Completed")),
        ("RECRUITING;COMPLETED", ("RECRUITING", "COMPLETED")),
        ("open or finished", ("RECRUITING", "COMPLETED")),
        ("terminated/withdrawn", ("terminated", "withdrawn")),
        ("recruiting and completed", ("recruiting", "completed")),
    ],
)
def test_the_comma_in_a_label_separates_nothing(sent: str, read: tuple[str, ...]) -> None:
    assert values.read_statuses(sent) == read


@given(st.lists(st.sampled_from(enums()["Status"].values), min_size=1, max_size=5))
def test_labels_joined_by_commas_come_apart_again(statuses: list[Any]) -> None:
    labels = [status.label for status in statuses]
    assert list(values.read_statuses(", ".join(labels))) == labels


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (2, ("PHASE2",)),
        ("Phase II", ("PHASE2",)),
        ("phase iii", ("PHASE3",)),
        ("Phase I/II", ("PHASE1/PHASE2",)),
        ("Phase 1/Phase 2", ("PHASE1/PHASE2",)),
        ("Phase 2b", ("PHASE2",)),
        ("Phase 1b/2a", ("PHASE1/PHASE2",)),
        ("Phase 0", ("EARLY_PHASE1",)),
        ("N/A", ("NA",)),
        (["Phase 2", [3, None]], ("PHASE2", "PHASE3")),
        ('[["PHASE2"], null]', ("PHASE2",)),
        ("Phase 2+", ("PHASE2", "PHASE3", "PHASE4")),
        ("2 and later", ("PHASE2", "PHASE3", "PHASE4")),
        ("2 and 3", ("PHASE2", "PHASE3")),
    ],
)
def test_phases_are_understood_as_people_write_them(sent: Any, read: tuple[str, ...]) -> None:
    assert values.read_phases(sent) == read


@pytest.mark.parametrize(
    ("sent", "read"),
    [("f", "FEMALE"), ("Women", "FEMALE"), (" male ", "MALE"), ("any", "ALL"), (None, None)],
)
def test_sex_is_understood_in_common_words(sent: str | None, read: str | None) -> None:
    assert values.read_sex(sent) == read


@pytest.mark.parametrize(
    ("sent", "km"), [(80, 80.0), ("80", 80.0), ("80 km", 80.0), ("50 mi", 80.4672), (0.5, 0.5)]
)
def test_distances_are_in_km_unless_said_otherwise(sent: Any, km: float) -> None:
    assert values.read_km("within", sent) == pytest.approx(km)


@pytest.mark.parametrize("sent", ["far", "-3", "3 parsec", True, ""])
def test_what_is_no_distance_is_refused(sent: Any) -> None:
    with pytest.raises(InvalidInput, match="within"):
        values.read_km("within", sent)


@pytest.mark.parametrize(
    "sent", ["42.36,-71.06", [42.36, -71.06], "[42.36, -71.06]", {"lat": 42.36, "lon": -71.06}]
)
def test_points_come_as_text_and_as_numbers(sent: Any) -> None:
    assert (values.read_place(sent) or "").replace(" ", "") == "42.36,-71.06"


@pytest.mark.parametrize(
    ("sent", "read"), [(True, True), ("true", True), ("No", False), (0, False)]
)
def test_flags_come_as_text_too(sent: Any, read: bool) -> None:
    assert values.read_flag("slim", sent, default=True) is read


def test_a_flag_that_is_neither_is_refused() -> None:
    with pytest.raises(InvalidInput, match="Must be one of: true, false"):
        values.read_flag("slim", "perhaps", default=False)


def test_choices_are_blind_to_case_spaces_and_repetition() -> None:
    known = ("cross_references", "title")
    assert values.read_choices("section", "Cross references, TITLE,title", known) == known


def test_an_unknown_choice_names_the_nearest() -> None:
    with pytest.raises(InvalidInput) as caught:
        values.read_choices("section", ["eligibilty"], ("eligibility", "title"))
    assert "Did you mean eligibility?" in str(caught.value.hint)


KNOWN = ("query", "condition", "intervention", "phase", "sex", "posted_from", "page_size")


def test_a_misspelt_argument_names_the_nearest_and_all() -> None:
    with pytest.raises(InvalidInput, match="Must be one of: query, condition,") as told:
        values.take_arguments({"conditon": "asthma"}, KNOWN)
    assert "Did you mean `condition`?" in str(told.value.hint)


@pytest.mark.parametrize(
    ("alias", "own"),
    [
        ("limit", "page_size"),
        ("drug", "intervention"),
        ("disease", "condition"),
        ("gender", "sex"),
        ("date_after", "posted_from"),
        ("since", "posted_from"),
    ],
)
def test_other_names_of_arguments_are_mapped(alias: str, own: str) -> None:
    given = values.take_arguments({alias: "x"}, KNOWN)
    assert given.arguments == {own: "x"}
    assert given.renamed == {own: alias}


def test_an_argument_keeps_its_name_where_a_tool_has_it() -> None:
    assert values.take_arguments({"drug": "x"}, ("drug",)).arguments == {"drug": "x"}


def test_an_argument_given_under_two_names_is_refused() -> None:
    with pytest.raises(InvalidInput, match="say the same"):
        values.take_arguments({"intervention": "a", "drug": "b"}, KNOWN)


@pytest.mark.parametrize("nothing", [None, "", "  ", [], "null", "None", "undefined"])
def test_a_value_that_says_nothing_is_not_given(nothing: Any) -> None:
    assert values.take_arguments({"phase": nothing, "condition": nothing}, KNOWN).arguments == {}


def test_words_to_search_for_are_words_unless_they_are_blank() -> None:
    assert values.take_arguments({"query": "none"}, KNOWN).arguments == {"query": "none"}


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("asthma OR COPD", ("asthma", "COPD")),
        ("asthma|COPD", ("asthma", "COPD")),
        (["asthma", "COPD"], ("asthma", "COPD")),
        ('["asthma", "COPD"]', ("asthma", "COPD")),
        ("Leukemia, Myeloid", ("Leukemia, Myeloid",)),
        ("relapsed or refractory myeloma", ("relapsed or refractory myeloma",)),
        ('"asthma OR COPD"', ('"asthma OR COPD"',)),
        (["asthma", None, "asthma"], ("asthma",)),
    ],
    ids=str,
)
def test_alternatives_are_told_apart_by_or_and_never_by_commas(
    sent: Any, read: tuple[str, ...]
) -> None:
    assert values.read_several("condition", sent) == read


@pytest.mark.parametrize(
    "sent",
    [
        "NCT00461032",
        "nct:00461032",
        " NCT 00461032 ",
        "https://clinicaltrials.gov/study/NCT00461032",
    ],
)
def test_ids_are_read_in_any_spelling(sent: str) -> None:
    assert identifiers.read_id(sent) == NctId(461032)


@pytest.mark.parametrize(
    "sent",
    [
        '["NCT00000001","NCT:00000002"]',
        "NCT00000001, nct00000002",
        ["NCT00000001", "NCT00000002", "nct:00000001"],
    ],
    ids=str,
)
def test_ids_come_as_lists_in_any_form_each_once(sent: Any) -> None:
    assert identifiers.read_ids(sent, at_most=20) == (NctId(1), NctId(2))


def test_free_text_is_unresolved_and_the_hint_names_the_search_tool() -> None:
    with pytest.raises(UnresolvedEntity) as caught:
        identifiers.read_id("pembrolizumab in melanoma")
    assert "search_trials with query='pembrolizumab in melanoma'" in str(caught.value.hint)


@pytest.mark.parametrize("sent", ["NCT1234567", "NCT:ABC", "NCT123456789"])
def test_what_looks_like_an_id_and_is_none_is_invalid(sent: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        identifiers.read_id(sent)
    assert caught.value.code == "INVALID_INPUT"


@pytest.mark.parametrize("sent", [None, "", "  ", []])
def test_no_id_is_invalid(sent: Any) -> None:
    with pytest.raises(InvalidInput, match="No NCT id"):
        identifiers.read_ids(sent, at_most=20)


def test_too_many_ids_are_refused() -> None:
    with pytest.raises(InvalidInput, match="21 different ids"):
        identifiers.read_ids([f"NCT{number:08d}" for number in range(1, 22)], at_most=20)


READERS = [
    values.read_phases,
    values.read_statuses,
    values.read_sex,
    values.read_place,
    lambda value: values.read_km("within", value),
    lambda value: values.read_flag("slim", value, default=False),
    lambda value: values.read_page_size(value, default=50),
    lambda value: values.read_choices("section", value, ("title",)),
    lambda value: identifiers.read_ids(value, at_most=20),
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=5,
)


def refusal(reader: Any, value: Any) -> TrialystError | None:
    try:
        reader(value)
    except TrialystError as error:
        return error
    return None


@given(st.sampled_from(READERS), JSON)
def test_whatever_is_sent_is_understood_or_refused(reader: Any, value: Any) -> None:
    refused = refusal(reader, value)
    assert refused is None or (refused.code in {"INVALID_INPUT", "UNRESOLVED_ENTITY"})
    assert refused is None or refused.hint


def test_lists_in_lists_without_end_are_refused_not_fatal() -> None:
    with pytest.raises(TrialystError):
        identifiers.read_ids("[" * 5_000, at_most=20)


@pytest.mark.parametrize(
    "sent", ['"NCT00461032"', "`NCT00461032`", "(NCT00461032).", ["NCT00461032"], '["NCT00461032"]']
)
def test_an_id_in_quotes_or_alone_in_a_list_is_that_id(sent: Any) -> None:
    assert identifiers.read_id(sent) == NctId.parse("NCT00461032")


@pytest.mark.parametrize("point", [{"lat": 1.5, "lng": 2}, {"Latitude": "1.5", "longitude": 2}])
def test_a_point_may_come_as_an_object(point: Any) -> None:
    assert values.read_place(point) == "1.5,2"


def test_an_object_that_is_no_point_is_refused() -> None:
    with pytest.raises(InvalidInput, match="not a text"):
        values.read_place({"city": "Boston"})


def test_a_list_of_thousands_is_split_in_no_time() -> None:
    genes = [f"GENE{number}" for number in range(20_000)]
    assert values.read_list("genes", "\n".join(genes)) == tuple(genes)


def test_half_a_character_is_refused_and_never_sent_on() -> None:
    for read in (values.read_text, values.read_list):
        with pytest.raises(InvalidInput, match="no text") as told:
            read("gene_id", "TN\ud800F")
        assert told.value.invalid_input == "TN\\ud800F"


def test_a_city_and_its_country_are_one_place() -> None:
    sent = {"country": "Italy", "city": "Rome", "state": ""}
    assert values.take_arguments(sent, ("location",)).arguments == {"location": "Rome, Italy"}
