"""A page of long items is cut until it fits, and says where."""

from __future__ import annotations

import json
from typing import Any

from trialyst.discovery.fitting import ITEM_CHARACTERS, fit_items


def _item(**more: Any) -> dict[str, Any]:
    return {
        "id": "NCT:00000001",
        "title": "A long title of a trial " * 10,
        "brief_summary": "One sentence of the summary. " * 30,
        "conditions": [f"Stage {number} Carcinoma AJCC v8" for number in range(40)],
        "interventions": ["Aspirin"],
        **more,
    }


def test_long_items_fit_and_tell_what_was_cut() -> None:
    items = [_item() for _ in range(50)]
    fit_items(items)
    assert len(json.dumps(items)) <= ITEM_CHARACTERS * 50
    assert items[0]["conditions"][0] == "Stage 0 Carcinoma AJCC v8"
    assert items[0]["conditions"][-1].endswith("more")
    assert items[0]["interventions"] == ["Aspirin"]
    assert items[0]["title"].endswith("[...]")


def test_what_is_asked_for_by_name_and_short_pages_stay_whole() -> None:
    asked = [_item(keywords=["x" * 5_000]) for _ in range(3)]
    fit_items(asked, asked=("conditions", "keywords", "title"))
    assert len(asked[0]["conditions"]) == 40
    short = [{"id": "NCT:00000001", "title": "A " * 90, "conditions": ["Asthma"]}]
    fit_items(short)
    assert short == [{"id": "NCT:00000001", "title": "A " * 90, "conditions": ["Asthma"]}]
