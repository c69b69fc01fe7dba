from __future__ import annotations

import pytest

from tests.each_case import on_each_case
from trialyst.ctgov.errors import BadParameter
from trialyst.ctgov.facets import NOTHING, parse_facets
from trialyst.essie import parse, render, resolve
from trialyst.essie.areas import areas

TABLE = [
    ("status:not", 'AREA[OverallStatus]"NOT_YET_RECRUITING"'),
    ("status:rec", 'AREA[OverallStatus]"RECRUITING"'),
    ("status:enr", 'AREA[OverallStatus]"ENROLLING_BY_INVITATION"'),
    ("status:act", 'AREA[OverallStatus]"ACTIVE_NOT_RECRUITING"'),
    ("status:com", 'AREA[OverallStatus]"COMPLETED"'),
    ("status:ter", 'AREA[OverallStatus]"TERMINATED"'),
    ("status:sus", 'AREA[OverallStatus]"SUSPENDED"'),
    ("status:wit", 'AREA[OverallStatus]"WITHDRAWN"'),
    ("status:unk", 'AREA[OverallStatus]"UNKNOWN"'),
    ("status:ava", 'AREA[OverallStatus]"AVAILABLE"'),
    ("status:nla", 'AREA[OverallStatus]"NO_LONGER_AVAILABLE"'),
    ("status:tna", 'AREA[OverallStatus]"TEMPORARILY_NOT_AVAILABLE"'),
    ("status:afm", 'AREA[OverallStatus]"APPROVED_FOR_MARKETING"'),
    ("phase:0", 'AREA[Phase]"EARLY_PHASE1"'),
    ("phase:1", 'AREA[Phase]"PHASE1"'),
    ("phase:2", 'AREA[Phase]"PHASE2"'),
    ("phase:3", 'AREA[Phase]"PHASE3"'),
    ("phase:4", 'AREA[Phase]"PHASE4"'),
    ("phase:NA", 'AREA[Phase]"NA"'),
    ("studyType:int", 'AREA[StudyType]"INTERVENTIONAL"'),
    ("studyType:obs", 'AREA[StudyType]"OBSERVATIONAL"'),
    ("studyType:obs_patreg", 'AREA[PatientRegistry]"true"'),
    ("studyType:exp", 'AREA[StudyType]"EXPANDED_ACCESS"'),
    ("studyType:exp_indiv", 'AREA[ExpAccTypeIndividual]"true"'),
    ("studyType:exp_inter", 'AREA[ExpAccTypeIntermediate]"true"'),
    ("studyType:exp_treat", 'AREA[ExpAccTypeTreatment]"true"'),
    ("ages:child", 'AREA[StdAge]"CHILD"'),
    ("ages:adult", 'AREA[StdAge]"ADULT"'),
    ("ages:older", 'AREA[StdAge]"OLDER_ADULT"'),
    ("sex:f", 'AREA[Sex]"FEMALE"'),
    ("sex:m", 'AREA[Sex]"MALE"'),
    ("results:with", 'AREA[HasResults]"true"'),
    ("results:without", 'AREA[HasResults]"false"'),
    ("healthy:y", 'AREA[HealthyVolunteers]"true"'),
    ("docs:prot", 'AREA[LargeDocHasProtocol]"true"'),
    ("docs:sap", 'AREA[LargeDocHasSAP]"true"'),
    ("docs:icf", 'AREA[LargeDocHasICF]"true"'),
    ("funderType:nih", 'AREA[FunderTypeSearch]"NIH"'),
    ("funderType:fed", 'AREA[FunderTypeSearch]"FED"'),
    ("funderType:industry", 'AREA[FunderTypeSearch]"INDUSTRY"'),
    (
        "funderType:other",
        'AREA[FunderTypeSearch]("OTHER" OR "OTHER_GOV" OR "INDIV" OR "NETWORK" OR "AMBIG"'
        ' OR "UNKNOWN")',
    ),
    ("violation:y", 'AREA[FDAAA801Violation]"true"'),
]


def _render(text: str) -> list[str]:
    return [render(node) for node in parse_facets(text)]


@on_each_case(("text", "essie"), TABLE, ids=[row[0] for row in TABLE])
def test_a_key_means_its_value(text: str, essie: str) -> None:
    assert _render(text) == [essie]


@on_each_case("text", [row[0] for row in TABLE])
def test_every_key_can_be_resolved_and_parsed_back(text: str) -> None:
    (node,) = parse_facets(text)

    resolve(node, areas()["BasicSearch"])
    assert parse(render(node)) == node


def test_keys_of_a_facet_are_joined_with_or() -> None:
    assert _render("phase:2 3") == ['AREA[Phase]("PHASE2" OR "PHASE3")']


def test_keys_of_different_pieces_are_joined_with_or() -> None:
    assert _render("studyType:int exp_treat") == [
        'AREA[StudyType]"INTERVENTIONAL" OR AREA[ExpAccTypeTreatment]"true"'
    ]


@pytest.mark.parametrize("text", ["results:with,status:com", "results:with|status:com"])
def test_facets_stay_apart(text: str) -> None:
    assert _render(text) == ['AREA[HasResults]"true"', 'AREA[OverallStatus]"COMPLETED"']


def test_a_repeated_facet_adds_its_keys() -> None:
    assert parse_facets("phase:2,sex:f,phase:3 2") == parse_facets("phase:2 3,sex:f")


@pytest.mark.parametrize(
    "text", ["phase:na", "sex:female", "studyType:Interventional", "docs:x y", "phase:PHASE2"]
)
def test_an_unknown_key_finds_nothing(text: str) -> None:
    assert parse_facets(text) == (NOTHING,)


def test_an_unknown_key_beside_a_known_one_adds_nothing() -> None:
    assert parse_facets("phase:2 nine") == parse_facets("phase:2")


def test_a_facet_without_keys_asks_for_nothing_special() -> None:
    assert parse_facets("phase:,") == ()


@pytest.mark.parametrize(
    ("text", "piece"),
    [("phase:1,2", "2"), ("gender:f", "gender:f"), ("phase", "phase"), ("Phase:2", "Phase:2")],
)
def test_an_unknown_facet_or_one_without_a_colon_is_refused(text: str, piece: str) -> None:
    with pytest.raises(BadParameter) as caught:
        parse_facets(text)

    assert caught.value.message == f"Invalid value in parameter `aggFilters`: `{piece}`"
