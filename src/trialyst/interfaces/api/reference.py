"""What the service says about itself: study structure, search areas, enumerations."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from trialyst.essie.areas import Area, Part, areas
from trialyst.essie.enums import Enumeration, enums
from trialyst.essie.meanings import meanings
from trialyst.essie.pieces import Kind, Piece, pieces

__all__ = ["render_enums", "render_metadata", "render_search_areas"]

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


@cache
def render_metadata(*, indexed_only: bool) -> bytes:
    """Give the tree of the study structure, with the fields that are only searched if asked."""
    children: dict[str | None, list[Piece]] = defaultdict(list)
    for piece in pieces().values():
        if indexed_only or not piece.indexed_only:
            children[piece.parent].append(piece)
    return msgspec.json.encode([_node(piece, children) for piece in children[None]])


def _node(piece: Piece, children: Mapping[str | None, list[Piece]]) -> dict[str, Any]:
    optional = {
        "isEnum": piece.kind is Kind.ENUM,
        "synonyms": piece.synonyms,
        "indexedOnly": piece.indexed_only,
        "description": meanings().get(piece.name),
        "altPieceNames": piece.alt_names,
        "children": [_node(child, children) for child in children.get(piece.name, ())],
    }
    return {
        "name": piece.path[-1],
        "piece": piece.name,
        "title": _title(piece.name),
        **({"nested": True} if piece.nested else {}),
        "sourceType": piece.source_type,
        **({} if piece.max_chars is None else {"maxChars": piece.max_chars}),
        "type": _type(piece),
        **{key: value for key, value in optional.items() if value},
    }


def _title(name: str) -> str:
    """Give a name as words; ours, where the live service has titles of its own.

    >>> _title("NCTIdAlias"), _title("LeadSponsorName")
    ('NCT Id Alias', 'Lead Sponsor Name')
    """
    return " ".join(_WORDS.findall(name))


def _type(piece: Piece) -> str:
    return f"{piece.type}[]" if piece.is_list else piece.type


@cache
def render_search_areas() -> bytes:
    """Give the one search document and its areas."""
    document = {"name": "Study", "areas": [_area(area) for area in areas().values()]}
    return msgspec.json.encode([document])


def _area(area: Area) -> dict[str, Any]:
    optional = {"uiLabel": area.label, "param": area.param}
    return {
        "name": area.name,
        **{key: value for key, value in optional.items() if value is not None},
        "parts": [_part(part) for part in area.parts],
    }


def _part(part: Part) -> dict[str, Any]:
    first = part.pieces[0]
    return {
        "pieces": [piece.name for piece in part.pieces],
        "type": first.type,
        "isEnum": first.kind is Kind.ENUM,
        "isSynonyms": part.synonyms,
        "weight": int(part.weight) if part.weight.is_integer() else part.weight,
    }


@cache
def render_enums() -> bytes:
    """Give every enumeration with its values."""
    return msgspec.json.encode([_enum(enumeration) for enumeration in enums().values()])


def _enum(enumeration: Enumeration) -> dict[str, Any]:
    return {
        "type": enumeration.type,
        "values": [
            {
                "value": item.value,
                "legacyValue": item.label,
                **({"exceptions": dict(item.exceptions)} if item.exceptions else {}),
            }
            for item in enumeration.values
        ],
        "pieces": enumeration.pieces,
    }
