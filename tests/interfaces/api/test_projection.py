from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.interfaces.api.invented import studies, to_bytes
from trialyst.essie.pieces import pieces
from trialyst.interfaces.api.projection import compile_fields

FULL, BARE = studies()[:2]


def project(study: Any, *fields: str) -> Any:
    return json.loads(compile_fields(fields).cut(to_bytes(study)))


def test_leaves_are_a_strict_allow_list() -> None:
    interventions = [{"name": "X"}, {}, {"name": "Y, twice"}]
    expected = {"protocolSection": {"armsInterventionsModule": {"interventions": interventions}}}
    assert project(FULL, "InterventionName") == expected


def test_array_positions_are_kept() -> None:
    locations = project(FULL, "LocationState")["protocolSection"]["contactsLocationsModule"]
    assert locations == {"locations": [{"state": "Massachusetts"}, {}]}


def test_parent_of_an_absent_leaf_stays_empty() -> None:
    assert project(BARE, "Phase") == {"protocolSection": {}}
    assert project(BARE, "WhyStopped") == {"protocolSection": {"statusModule": {}}}


def test_absent_section_is_an_absent_key() -> None:
    assert project(BARE, "ConditionMeshTerm") == {}


def test_branch_brings_all_descendants() -> None:
    wanted = FULL["protocolSection"]["designModule"]
    assert project(FULL, "DesignModule") == {"protocolSection": {"designModule": wanted}}


@pytest.mark.parametrize(
    "name",
    ["Phase", "phase", "PHASE", "protocolSection.designModule.phases", " Phase "],
)
def test_a_piece_is_named_by_piece_or_path_in_any_case(name: str) -> None:
    expected = {"protocolSection": {"designModule": {"phases": ["PHASE1", "PHASE2"]}}}
    assert project(FULL, name) == expected


def test_an_alternate_name_names_the_piece() -> None:
    assert project(FULL, "NCT-ID") == project(FULL, "NCTId")


def test_an_area_brings_its_pieces() -> None:
    expected = project(FULL, "NCTId", "OrgStudyId", "SecondaryId", "NCTIdAlias", "Acronym")
    assert project(FULL, "IdSearch") == expected


def test_a_branch_swallows_its_own_leaves() -> None:
    assert project(FULL, "Location", "LocationCity") == project(FULL, "Location")


def test_points_are_taken_whole() -> None:
    found = project(FULL, "LocationGeoPoint")["protocolSection"]["contactsLocationsModule"]
    assert found == {"locations": [{"geoPoint": {"lat": 42.36, "lon": -71.06}}, {}]}


def test_order_of_fields_does_not_matter() -> None:
    one = compile_fields(["Phase", "NCTId", "HasResults"]).cut(to_bytes(FULL))
    other = compile_fields(["HasResults", "Phase", "NCTId"]).cut(to_bytes(FULL))
    assert one == other


def test_a_record_of_another_shape_is_projected_all_the_same() -> None:
    odd = {"protocolSection": {"designModule": [{"phases": "PHASE1"}], "statusModule": None}}
    expected = {"protocolSection": {"statusModule": {}, "designModule": [{"phases": "PHASE1"}]}}
    assert project(odd, "Phase", "OverallStatus") == expected


retrievable = [piece for piece in pieces().values() if not piece.indexed_only]


@given(st.lists(st.sampled_from([piece.name for piece in retrievable]), min_size=1, max_size=8))
def test_projection_keeps_the_values_of_what_was_asked_and_nothing_else(names: list[str]) -> None:
    projected = project(FULL, *names)
    asked = [pieces()[name].path for name in names]
    for path, value in leaves(FULL):
        wanted = any(path[: len(prefix)] == prefix for prefix in asked)
        assert ((path, value) in list(leaves(projected))) == wanted


def leaves(value: Any, path: tuple[str, ...] = ()) -> Any:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item, path)
    else:
        yield path, value
