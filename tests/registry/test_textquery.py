"""Which fields answer for an area: its own pieces and no others, however they are grouped."""

from __future__ import annotations

from itertools import chain

import pytest

from trialyst.essie.areas import Area, areas
from trialyst.essie.resolved import Target
from trialyst.registry.schema import GROUPS
from trialyst.registry.textquery import ANCESTOR_FACTOR, fields_of, text_pieces


@pytest.mark.parametrize("area", areas().values(), ids=lambda area: area.name)
def test_the_fields_of_an_area_hold_its_pieces_and_no_others(area: Area) -> None:
    fields = fields_of(Target(area.name, area.parts))
    searched = [
        (n, field.synonyms) for field in fields for n in GROUPS.get(field.name, [field.name])
    ]
    stated = [(piece.name, part.synonyms) for part in area.parts for piece in text_pieces(part)]
    assert sorted(searched) == sorted(stated)


def test_a_field_weighs_as_much_as_its_weightiest_piece() -> None:
    area = areas()["ConditionSearch"]
    weights = {field.name: field.weight for field in fields_of(Target(area.name, area.parts))}
    assert weights == {
        "group_titles": 0.6,
        "group_conditions": 0.95,
        "ConditionAncestorTerm": 0.4 * ANCESTOR_FACTOR,
        "NCTId": 0.2,
    }


def test_no_piece_is_in_two_groups() -> None:
    grouped = list(chain.from_iterable(GROUPS.values()))
    assert len(grouped) == len(set(grouped))
