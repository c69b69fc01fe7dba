"""Meaning: names and values looked up, contexts distributed, the impossible refused."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.each_case import on_each_case
from tests.essie.cases import read_documented, read_roundtrips
from tests.essie.strategies import trees
from trialyst.errors import InvalidInput
from trialyst.essie import ast, build
from trialyst.essie.areas import Area, areas, find_param
from trialyst.essie.ast import CoverageKind, ExpansionLevel
from trialyst.essie.errors import EssieError
from trialyst.essie.limits import MAX_CLAUSES, MAX_DEPTH
from trialyst.essie.parser import parse
from trialyst.essie.pieces import Kind, Piece, pieces
from trialyst.essie.resolve import resolve
from trialyst.essie.resolved import (
    Absent,
    AllOf,
    AnyOf,
    Between,
    Everything,
    MatchEnum,
    MatchFlag,
    MatchText,
    Near,
    NoneOf,
    Resolved,
    SameLocation,
    SizeBetween,
    Tilted,
    searched_pieces,
)

BASIC = areas()["BasicSearch"]


def meaning(text: str, area: Area | Piece = BASIC) -> Resolved:
    return resolve(parse(text), area, text=text)


def text_of(text: str, area: Area | Piece = BASIC) -> MatchText:
    found = meaning(text, area)
    assert isinstance(found, MatchText)
    return found


def piece(name: str) -> Piece:
    return pieces()[name]


def test_bare_words_search_the_default_area_under_relaxation() -> None:
    found = text_of("heart   attack", areas()["ConditionSearch"])
    assert found.target.name == "ConditionSearch"
    assert found.target.parts == areas()["ConditionSearch"].parts
    assert (found.text, found.quoted) == ("heart attack", False)
    assert (found.level, found.coverage) == (ExpansionLevel.RELAXATION, CoverageKind.CONTAINS)


def test_bare_words_may_search_one_piece() -> None:
    found = text_of("Merck", piece("LeadSponsorName"))
    assert [part.pieces for part in found.target.parts] == [(piece("LeadSponsorName"),)]


def test_commas_stay_in_the_text() -> None:
    assert text_of("Texas ,United States").text == "Texas, United States"


def test_a_text_piece_is_one_part_with_its_own_synonyms() -> None:
    (part,) = text_of("AREA[Condition]x").target.parts
    assert (part.weight, part.pieces, part.synonyms) == (1.0, (piece("Condition"),), True)
    (part,) = text_of("AREA[LeadSponsorName]x").target.parts
    assert not part.synonyms


def test_a_structure_is_its_text_and_enum_leaves() -> None:
    found = text_of("AREA[Intervention]x")
    names = {leaf.name for part in found.target.parts for leaf in part.pieces}
    assert {"InterventionName", "InterventionOtherName", "InterventionType"} <= names
    kinds = {leaf.kind for part in found.target.parts for leaf in part.pieces}
    assert kinds == {Kind.TEXT, Kind.ENUM}
    assert {part.synonyms for part in found.target.parts} == {True, False}


@pytest.mark.parametrize(
    "name",
    ["Phase", "phase", "PHASE", "protocolSection.designModule.phases", " Phase "],
)
def test_pieces_are_found_by_any_of_their_names(name: str) -> None:
    assert meaning(f"AREA[{name}]PHASE2") == MatchEnum(piece("Phase"), "PHASE2")


def test_alternate_names_and_areas_are_found() -> None:
    assert text_of("AREA[NCT-ID]x").target.name == "NCTId"
    assert text_of("AREA[conditionsearch]x").target.name == "ConditionSearch"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("AREA[Phase]PHASE2", "PHASE2"),
        ("AREA[Phase]Phase 2", "PHASE2"),
        ('AREA[Phase]"phase 2"', "PHASE2"),
        ("AREA[Phase]NA", "NA"),
        ("AREA[OverallStatus]Active, not recruiting", "ACTIVE_NOT_RECRUITING"),
        ("AREA[StudyType]Interventional", "INTERVENTIONAL"),
        ('AREA[Sex]"ALL"', "ALL"),
        (r"AREA[Sex]\ALL", "ALL"),
        ("AREA[DesignMasking]NONE", "NONE"),
    ],
)
def test_enum_values_go_by_code_or_label(text: str, value: str) -> None:
    found = meaning(text)
    assert isinstance(found, MatchEnum)
    assert found.value == value


def test_unquoted_all_is_everything_even_in_an_area() -> None:
    assert meaning("AREA[Sex]ALL") == Everything()


@pytest.mark.parametrize(("word", "value"), [("true", True), ("FALSE", False), ("Yes", True)])
def test_flags(word: str, value: bool) -> None:
    assert meaning(f"AREA[HasResults]{word}") == MatchFlag(piece("HasResults"), value)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("AREA[StartDate]2022", 20220101, 20221231),
        ("AREA[StartDate]2022-03-15", 20220315, 20220315),
        ("AREA[StartDate]RANGE[2020, 2021]", 20200101, 20211231),
        ("AREA[StartDate]RANGE[01/01/2015, MAX]", 20150101, None),
        ("AREA[StartDate]RANGE[MIN, 2020-02]", None, 20200229),
        ("AREA[ResultsFirstPostDate]RANGE[MIN, MAX]", None, None),
        ("AREA[EnrollmentCount]5", 5, 5),
        ("AREA[EnrollmentCount]RANGE[0, 99999998]", 0, 99999998),
        ("AREA[NumArmGroups]RANGE[2, MAX]", 2, None),
        ("AREA[StudyFirstPostYear]2020", 2020, 2020),
        ('AREA[MinimumAge]"18 Years"', 6574.5, 6574.5),
        ("AREA[MinimumAge]18 Years", 6574.5, 6574.5),
        ("AREA[MaximumAge]RANGE[18d, 64y]", 18, 64 * 365.25),
        ("AREA[StartDate]RANGE[2021, 2020]", 20210101, 20201231),
    ],
)
def test_ordered_pieces_become_intervals(text: str, low: float | None, high: float | None) -> None:
    found = meaning(text)
    assert isinstance(found, Between)
    assert (found.low, found.high) == (low, high)


@pytest.mark.parametrize("ends", ["MAX, MIN", "MAX, 2020", "2020, MIN", "MAX, MAX"])
def test_swapped_open_ends_match_nothing(ends: str) -> None:
    found = meaning(f"AREA[StartDate]RANGE[{ends}]")
    assert isinstance(found, Between)
    assert found.low is not None
    assert found.high is not None
    assert found.low > found.high


def test_sizes() -> None:
    assert meaning("AREA[Phase:size]2") == SizeBetween(piece("Phase"), 2, 2)
    several = meaning("AREA[Intervention:size]RANGE[2, MAX]")
    assert several == SizeBetween(piece("Intervention"), 2, None)


@pytest.mark.parametrize("name", ["Phase", "Intervention", "NumArmGroups", "LocationCountryCode"])
def test_missing_works_on_leaves_structures_and_derived_pieces(name: str) -> None:
    assert meaning(f"AREA[{name}]MISSING") == Absent(piece(name))


def test_distance_is_kilometres() -> None:
    assert meaning("AREA[LocationGeoPoint]DISTANCE[39, -77, 10 km]") == Near(39, -77, 10)
    miles = meaning("AREA[LocationGeoPoint]DISTANCE[39, -77, 10 mi]")
    assert isinstance(miles, Near)
    assert miles.km == pytest.approx(16.09344)


def test_groups_and_negation() -> None:
    phases = [MatchEnum(piece("Phase"), f"PHASE{number}") for number in (1, 2)]
    assert meaning("AREA[Phase](PHASE1 AND NOT PHASE2)") == AllOf((phases[0], NoneOf(phases[1])))
    assert meaning("AREA[Phase](PHASE1 OR PHASE2)") == AnyOf(tuple(phases))


def test_the_innermost_area_wins() -> None:
    found = meaning("AREA[Condition](a OR AREA[Keyword]b)")
    assert isinstance(found, AnyOf)
    names = [child.target.name for child in found.children if isinstance(child, MatchText)]
    assert names == ["Condition", "Keyword"]


def test_an_inner_area_ends_the_size_of_an_outer_one() -> None:
    assert text_of("AREA[Phase:size]AREA[Condition]x").target.name == "Condition"


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("a", "Relaxation"),
        ('"a"', "Concept"),
        ('EXPANSION[Relaxation]"a"', "Concept"),
        ('EXPANSION[Lossy]"a"', "Concept"),
        ("EXPANSION[Lossy]a", "Lossy"),
        ('EXPANSION[None]"a"', "None"),
        ("EXPANSION[Term]EXPANSION[None]a", "None"),
        ("COVERAGE[FullMatch]a", "Concept"),
        ("COVERAGE[StartsWith]EXPANSION[Term]a", "Term"),
        ("EXPANSION[None]COVERAGE[EndsWith]a", "None"),
        ("COVERAGE[Contains]a", "Relaxation"),
        ("COVERAGE[Contains]EXPANSION[Relaxation]a", "Relaxation"),
    ],
)
def test_expansion_level(text: str, level: str) -> None:
    assert text_of(text).level == level


def test_coverage_reaches_into_groups_and_the_inner_one_wins() -> None:
    found = meaning("COVERAGE[FullMatch](a OR COVERAGE[Contains]b)")
    assert isinstance(found, AnyOf)
    kinds = [child.coverage for child in found.children if isinstance(child, MatchText)]
    assert kinds == [CoverageKind.FULL_MATCH, CoverageKind.CONTAINS]


def test_search_in_location_holds_within_one_site() -> None:
    found = meaning("SEARCH[Location](AREA[LocationCity]Boston AND AREA[LocationStatus]RECRUITING)")
    assert isinstance(found, SameLocation)
    assert isinstance(found.child, AllOf)


def test_bare_words_in_a_location_search_its_area() -> None:
    found = meaning("SEARCH[Location]Boston")
    assert isinstance(found, SameLocation)
    assert isinstance(found.child, MatchText)
    assert found.child.target.name == "LocationSearch"


def test_an_outer_location_piece_stays_in_force() -> None:
    found = meaning("AREA[LocationCity]SEARCH[Location]Boston")
    assert isinstance(found, SameLocation)
    assert isinstance(found.child, MatchText)
    assert found.child.target.name == "LocationCity"


def test_search_of_the_study_changes_nothing() -> None:
    assert meaning("SEARCH[Study]a") == meaning("a")
    assert meaning("AREA[Condition]SEARCH[Study]a") == meaning("AREA[Condition]a")


def test_search_of_the_study_leaves_the_location() -> None:
    assert meaning("SEARCH[Location]SEARCH[Study]a") == meaning("a")
    found = meaning("SEARCH[Location](Boston AND SEARCH[Study]AREA[Phase]PHASE2)")
    assert found == AllOf((meaning("SEARCH[Location]Boston"), meaning("AREA[Phase]PHASE2")))


def test_tilt_keeps_the_match() -> None:
    found = meaning('TILT[StudyFirstPostDate]"heart attack"')
    assert found == Tilted(piece("StudyFirstPostDate"), meaning('"heart attack"'))


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ("a AREA[NotARealField]x", 2, "Unknown area name: `NotARealField`"),
        (
            "AREA[Phase](PHASE1 OR PHASE5)",
            22,
            "Allowed values for enum field `protocolSection.designModule.phases` are "
            "`NA`, `EARLY_PHASE1`, `PHASE1`, `PHASE2`, `PHASE3`, `PHASE4`",
        ),
        ("AREA[Phase]PHASE2 PHASE3", 11, "Allowed values for enum field"),
        ("AREA[HasResults]maybe", 16, "Allowed values for boolean field `hasResults`"),
        ("AREA[StartDate]soon", 15, "Invalid date: 'soon'"),
        ("AREA[StartDate]RANGE[2020-02-30, MAX]", 15, "Invalid date: '2020-02-30'"),
        ("AREA[EnrollmentCount]many", 21, "Invalid number: 'many'"),
        ("AREA[MinimumAge]RANGE[18, 65]", 16, "Invalid time: '18'"),
        ("AREA[Phase:size]some", 16, "Invalid size"),
        ("AREA[Phase:size]RANGE[1.5, 2]", 16, "Invalid size"),
        ("AREA[Condition]RANGE[1, 2]", 15, "Unsupported RANGE field type: text"),
        ("RANGE[1, 2]", 0, "Unsupported RANGE field type: area"),
        ("MISSING", 0, "MISSING needs the AREA of a field"),
        ("AREA[ConditionSearch]MISSING", 21, "MISSING needs"),
        ("AREA[ConditionSearch:size]2", 0, "Unsupported size of `ConditionSearch`"),
        ("AREA[BriefTitle:size]2", 0, "Unsupported size of `BriefTitle`"),
        ("AREA[LocationGeoPoint]Boston", 22, "Unsupported text search field type: geo"),
        ("AREA[OversightModule]x", 21, "Unsupported text search field type: struct"),
        ("DISTANCE[39, -77, 50 mi]", 0, "Unsupported DISTANCE field type: area"),
        ("AREA[LocationCity]DISTANCE[39, -77, 50 mi]", 18, "Unsupported DISTANCE field type: text"),
        ("AREA[LocationGeoPoint]DISTANCE[39, -77, 501 mi]", 22, "Invalid radius: 501mi"),
        ("AREA[LocationGeoPoint]DISTANCE[39, -77, 806 km]", 22, "Invalid radius: 806km"),
        ("AREA[LocationGeoPoint]DISTANCE[39, -77, 0.5 km]", 22, "Invalid radius"),
        ("AREA[LocationGeoPoint]DISTANCE[91, -77, 5 km]", 22, "Invalid geo point"),
        ("AREA[LocationGeoPoint]DISTANCE[39, -181, 5 km]", 22, "Invalid geo point"),
        ("SEARCH[Arm]x", 0, "Unknown document name: `Arm`"),
        ("SEARCH[Location]AREA[Phase]PHASE2", 16, "`Phase` is no field of document `Location`"),
        ("SEARCH[Location](a AND AREA[BasicSearch]b)", 23, "`BasicSearch` is no field"),
        ("SEARCH[Location]NOT SEARCH[Study]a", 20, "SEARCH[Study] is too deep"),
        ("TILT[Condition]x", 0, "Unsupported TILT field: `Condition`"),
        ("TILT[BasicSearch]x", 0, "Unsupported TILT field"),
        ("TILT[Nowhere]x", 0, "Unknown area name: `Nowhere`"),
        ("EXPANSION[Lossy]COVERAGE[Contains]a", 16, "EXPANSION[Lossy] cannot be combined"),
        ("COVERAGE[FullMatch]EXPANSION[Relaxation]a", 19, "COVERAGE[FullMatch] cannot be"),
        ('COVERAGE[EndsWith]EXPANSION[Lossy]"a"', 18, "EXPANSION[Lossy] cannot be combined"),
    ],
)
def test_the_impossible_is_refused_at_its_place(text: str, position: int, message: str) -> None:
    with pytest.raises(EssieError) as caught:
        meaning(text)
    assert caught.value.message.startswith(message)
    assert caught.value.position == position
    assert caught.value.text == text


def test_a_built_tree_is_refused_at_its_place_in_the_rendered_text() -> None:
    tree = build.all_of(build.words("a"), build.matching("Nowhere", "x"))
    with pytest.raises(EssieError) as caught:
        resolve(tree, BASIC)
    assert caught.value.caret == 'a AND AREA[Nowhere]"x"\n      ^'


def test_a_built_tree_too_large_for_the_parser_is_resolved_or_refused() -> None:
    many = [build.words("a")] * (MAX_CLAUSES + 1)
    found = resolve(build.any_of(*many), BASIC)
    assert isinstance(found, AnyOf)
    with pytest.raises(EssieError, match="Unknown area name"):
        resolve(build.any_of(*many, build.missing("Nowhere")), BASIC)


def test_deep_trees_resolve_compare_and_print() -> None:
    text = "a OR b (" * MAX_DEPTH + "c OR d" + ")" * MAX_DEPTH
    assert meaning(text) == meaning(text)
    assert repr(meaning(text))
    assert searched_pieces(meaning(text))


@on_each_case("text", [*read_documented(), *read_roundtrips()])
def test_every_documented_expression_has_a_meaning(text: str) -> None:
    assert searched_pieces(meaning(text)) or text in ("ALL", "ALL,", "AREA[Sex]ALL")


@pytest.mark.parametrize("param", ["cond", "term", "locn", "titles", "intr", "outc", "spons", "id"])
def test_every_parameter_has_an_area_to_resolve_in(param: str) -> None:
    area = find_param(param)
    assert area is not None
    assert text_of("a", area).target.name == area.name


@given(trees())
def test_any_tree_is_resolved_or_refused_with_a_place(tree: ast.Node) -> None:
    error: EssieError | None = None
    try:
        searched_pieces(resolve(tree, BASIC))
    except EssieError as caught:
        error = caught
    assert error is None or 0 <= error.position < len(error.text)


def test_a_tree_deeper_than_any_text_is_refused() -> None:
    tree: ast.Node = ast.All()
    for _ in range(500):
        tree = ast.Not(tree)
    with pytest.raises(InvalidInput, match="levels deep"):
        resolve(tree, BASIC)


def test_searched_pieces_come_once_in_order() -> None:
    found = meaning("AREA[Condition](a OR b) AND AREA[Phase]PHASE2 AND NOT AREA[HasResults]true")
    assert [leaf.name for leaf in searched_pieces(found)] == ["Condition", "Phase", "HasResults"]


def test_a_distance_searches_the_geo_point() -> None:
    found = meaning("AREA[LocationGeoPoint]DISTANCE[39, -77, 10 km]")
    assert searched_pieces(found) == (piece("LocationGeoPoint"),)
