from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.discovery import inputs
from trialyst.errors import InvalidInput, TrialystError, UnresolvedEntity
from trialyst.essie.enums import enums
from trialyst.ids import NctId


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
        "[PHASE2, PHASE3]",
        ["PHASE2,PHASE3"],
    ],
    ids=str,
)
def test_lists_are_understood_however_they_are_sent(sent: Any) -> None:
    assert inputs.read_phases(sent) == ("PHASE2", "PHASE3")


@pytest.mark.parametrize("nothing", [None, [], "[]"])
def test_no_value_and_an_empty_list_are_nothing(nothing: Any) -> None:
    assert inputs.read_phases(nothing) == ()
    assert inputs.read_statuses(nothing) == ()


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
    ],
)
def test_the_comma_in_a_label_separates_nothing(sent: str, read: tuple[str, ...]) -> None:
    assert inputs.read_statuses(sent) == read


@given(st.lists(st.sampled_from(enums()["Status"].values), min_size=1, max_size=5))
def test_labels_joined_by_commas_come_apart_again(values: list[Any]) -> None:
    joined = ", ".join(value.label for value in values)
    assert list(inputs.read_statuses(joined)) == [value.label for value in values]


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
    ],
)
def test_phases_are_understood_as_people_write_them(sent: Any, read: tuple[str, ...]) -> None:
    assert inputs.read_phases(sent) == read


@pytest.mark.parametrize(
    ("sent", "read"),
    [("f", "FEMALE"), ("Women", "FEMALE"), (" male ", "MALE"), ("any", "ALL"), (None, None)],
)
def test_sex_is_understood_in_common_words(sent: str | None, read: str | None) -> None:
    assert inputs.read_sex(sent) == read


@pytest.mark.parametrize(
    ("sent", "km"), [(80, 80.0), ("80", 80.0), ("80 km", 80.0), ("50 mi", 80.4672), (0.5, 0.5)]
)
def test_distances_are_in_km_unless_said_otherwise(sent: Any, km: float) -> None:
    assert inputs.read_km("within", sent) == pytest.approx(km)


@pytest.mark.parametrize("sent", ["far", "-3", "3 parsec", True, ""])
def test_what_is_no_distance_is_refused(sent: Any) -> None:
    with pytest.raises(InvalidInput, match="within"):
        inputs.read_km("within", sent)


@pytest.mark.parametrize(
    "sent", ["42.36,-71.06", [42.36, -71.06], "[42.36, -71.06]", {"lat": 42.36, "lon": -71.06}]
)
def test_points_come_as_text_and_as_numbers(sent: Any) -> None:
    assert (inputs.read_place(sent) or "").replace(" ", "") == "42.36,-71.06"


@pytest.mark.parametrize(
    ("sent", "read"), [(True, True), ("true", True), ("No", False), (0, False)]
)
def test_flags_come_as_text_too(sent: Any, read: bool) -> None:
    assert inputs.read_flag("slim", sent, default=True) is read


def test_a_flag_that_is_neither_is_refused() -> None:
    with pytest.raises(InvalidInput, match="neither true nor false"):
        inputs.read_flag("slim", "perhaps", default=False)


def test_choices_are_blind_to_case_spaces_and_repetition() -> None:
    known = ("cross_references", "title")
    assert inputs.read_choices("section", "Cross references, TITLE,title", known) == known


def test_an_unknown_choice_names_the_nearest() -> None:
    with pytest.raises(InvalidInput) as caught:
        inputs.read_choices("section", ["eligibilty"], ("eligibility", "title"))
    assert "Did you mean eligibility?" in caught.value.hint


def test_an_unknown_argument_names_the_nearest() -> None:
    with pytest.raises(InvalidInput, match="'disease_condition'") as caught:
        inputs.check_names({"disease_condition": 1}, ("condition", "query"))
    assert "Did you mean condition?" in caught.value.hint


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
    assert inputs.read_id(sent) == NctId(461032)


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
    assert inputs.read_ids(sent, at_most=20) == (NctId(1), NctId(2))


def test_free_text_is_unresolved_and_the_hint_names_the_search_tool() -> None:
    with pytest.raises(UnresolvedEntity) as caught:
        inputs.read_id("pembrolizumab in melanoma")
    assert "search_trials with query='pembrolizumab in melanoma'" in caught.value.hint


@pytest.mark.parametrize("sent", ["NCT1234567", "NCT:ABC", "NCT123456789"])
def test_what_looks_like_an_id_and_is_none_is_invalid(sent: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        inputs.read_id(sent)
    assert caught.value.code == "INVALID_INPUT"


@pytest.mark.parametrize("sent", [None, "", "  ", []])
def test_no_id_is_invalid(sent: Any) -> None:
    with pytest.raises(InvalidInput, match="No NCT id"):
        inputs.read_ids(sent, at_most=20)


def test_too_many_ids_are_refused() -> None:
    with pytest.raises(InvalidInput, match="21 different ids"):
        inputs.read_ids([f"NCT{number:08d}" for number in range(1, 22)], at_most=20)


READERS = [
    inputs.read_phases,
    inputs.read_statuses,
    inputs.read_sex,
    inputs.read_place,
    lambda value: inputs.read_km("within", value),
    lambda value: inputs.read_flag("slim", value, default=False),
    lambda value: inputs.read_page_size(value, default=50),
    lambda value: inputs.read_choices("section", value, ("title",)),
    lambda value: inputs.read_ids(value, at_most=20),
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
        inputs.read_ids("[" * 5_000, at_most=20)


@pytest.mark.parametrize(
    "sent", ['"NCT00461032"', "`NCT00461032`", "(NCT00461032).", ["NCT00461032"], '["NCT00461032"]']
)
def test_an_id_in_quotes_or_alone_in_a_list_is_that_id(sent: Any) -> None:
    assert inputs.read_id(sent) == NctId.parse("NCT00461032")


@pytest.mark.parametrize("point", [{"lat": 1.5, "lng": 2}, {"Latitude": "1.5", "longitude": 2}])
def test_a_point_may_come_as_an_object(point: Any) -> None:
    assert inputs.read_place(point) == "1.5,2"


def test_an_object_that_is_no_point_is_refused() -> None:
    with pytest.raises(InvalidInput, match="not a text"):
        inputs.read_place({"city": "Boston"})


def test_a_list_of_thousands_is_split_in_no_time() -> None:
    genes = [f"GENE{number}" for number in range(20_000)]
    assert inputs.read_list("genes", "\n".join(genes)) == tuple(genes)


def test_half_a_character_is_refused_and_never_sent_on() -> None:
    for read in (inputs.read_text, inputs.read_list):
        with pytest.raises(InvalidInput, match="no text") as told:
            read("gene_id", "TN\ud800F")
        assert told.value.invalid_input == "TN\\ud800F"
