from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2

from trialyst.essie.pieces import pieces

OURS = ("name", "piece", "sourceType", "type", "isEnum", "nested", "maxChars", "altPieceNames")


def captured(facts_dir: Path, name: str) -> Any:
    return json.loads((facts_dir / "ctgov" / name).read_text("utf-8"))


def nodes(tree: list[Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for node in tree:
        here = f"{path}.{node['name']}".lstrip(".")
        yield here, node
        yield from nodes(node.get("children", []), here)


def test_metadata_is_the_live_tree(api: httpx2.Client, facts_dir: Path) -> None:
    def facts(tree: list[Any]) -> list[Any]:
        return [
            (path, {key: node.get(key) for key in (*OURS, "synonyms")})
            for path, node in nodes(tree)
        ]

    live = captured(facts_dir, "studies_metadata_2025-05.json")
    assert facts(api.get("/studies/metadata").json()) == facts(live)


def test_metadata_keys_stand_in_the_live_order(api: httpx2.Client, facts_dir: Path) -> None:
    live = dict(nodes(captured(facts_dir, "studies_metadata_2025-05.json")))
    for path, node in nodes(api.get("/studies/metadata").json()):
        # Titles and descriptions are ours, and more pieces have them.
        shared = [key for key in node if key in live[path]]
        assert shared == [key for key in live[path] if key in node]


def test_indexed_only_fields_are_listed_on_request(api: httpx2.Client) -> None:
    tree = api.get("/studies/metadata?includeIndexedOnly=true").json()
    listed = [node["piece"] for _, node in nodes(tree)]
    only = {node["piece"] for _, node in nodes(tree) if node.get("indexedOnly")}
    assert sorted(listed) == sorted(pieces())
    assert only == {piece.name for piece in pieces().values() if piece.indexed_only}


def test_historic_fields_may_be_asked_for(api: httpx2.Client) -> None:
    plain = api.get("/studies/metadata").json()
    assert api.get("/studies/metadata?includeHistoricOnly=true").json() == plain


def test_search_areas_are_the_live_ones(api: httpx2.Client, facts_dir: Path) -> None:
    live = captured(facts_dir, "search_areas_2025-05.json")
    assert api.get("/studies/search-areas").json() == live


def test_enums_are_the_live_ones(api: httpx2.Client, facts_dir: Path) -> None:
    live = captured(facts_dir, "studies_enums_2026-08.json")
    assert api.get("/studies/enums").json() == live


def test_version_names_api_and_data(api: httpx2.Client) -> None:
    assert api.get("/version").json() == {
        "apiVersion": "2.0.5",
        "dataTimestamp": "2026-08-14T09:00:05",
    }
