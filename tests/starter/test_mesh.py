from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from trialyst.starter.mesh import browse_module, headings
from trialyst.starter.tables import tables


def _terms(path: Path) -> Iterator[dict[str, Any]]:
    if not path.exists():
        pytest.skip(f"no {path.name} on this machine")
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def test_ancestors_reach_the_top_heading() -> None:
    module = browse_module(["D002289"])
    assert module is not None
    assert {"id": "D009369", "term": "Neoplasms"} in module["ancestors"]


def test_every_mesh_id_in_the_tables_is_known() -> None:
    content = tables()
    used = [c.mesh_id for c in content.conditions.values()]
    used += [r.mesh_id for r in (*content.medicines, *content.treatments) if r.mesh_id]
    assert not set(used) - set(headings())


def test_descriptors_are_those_of_mesh(data_dir: Path) -> None:
    found = {d["id"]: d for d in _terms(data_dir / "ontologies" / "mesh_descriptors.jsonl.xz")}
    by_tree = {number: d["id"] for d in found.values() for number in d["tree"]}
    for heading in headings().values():
        if heading.id.startswith("D"):
            record = found[heading.id]
            above = {by_tree[n.rpartition(".")[0]] for n in record["tree"] if "." in n}
            assert record["label"] == heading.term
            assert above - {heading.id} == set(heading.parents)


@pytest.mark.slow
def test_supplementary_concepts_are_those_of_mesh(data_dir: Path) -> None:
    wanted = {h.id: h.term for h in headings().values() if h.id.startswith("C")}
    rows = _terms(data_dir / "ontologies" / "mesh_supplementary.jsonl.xz")
    assert {row["id"]: row["label"] for row in rows if row["id"] in wanted} == wanted
