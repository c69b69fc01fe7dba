"""A registry that changes under load: every request is answered, by one generation or the next."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import httpx2

from tests.serving import serving
from trialyst.interfaces.api import API_PREFIX, create_app
from trialyst.interfaces.served import follow_registry
from trialyst.registry import add_studies, build_from_studies
from trialyst.settings import Settings

CHANGES = 3


def study(number: int) -> dict[str, Any]:
    identification = {"nctId": f"NCT{number:08d}", "briefTitle": "A study"}
    return {"protocolSection": {"identificationModule": identification}}


def test_no_request_fails_while_generations_follow_each_other(
    starter_home: Path, tmp_path: Path
) -> None:
    build_from_studies([study(90000001)], tmp_path)
    settings = Settings(home=starter_home, registry=tmp_path)
    current = follow_registry(settings, source="local")
    changed = threading.Event()
    seen: list[list[int]] = []
    failed: list[str] = []

    def keep_asking(url: str) -> None:
        totals: list[int] = []
        with httpx2.Client(base_url=f"{url}{API_PREFIX}", timeout=60) as client:
            while not changed.is_set():
                answer = client.get("/studies", params={"countTotal": "true"})
                if answer.status_code != 200:
                    failed.append(answer.text)
                    return
                totals.append(answer.json()["totalCount"])
        seen.append(totals)

    with serving(create_app(lambda: current.get().registry)) as url:
        asking = [threading.Thread(target=keep_asking, args=(url,)) for _ in range(3)]
        for each in asking:
            each.start()
        for number in range(CHANGES):
            add_studies([study(90000002 + number)], tmp_path)
        changed.set()
        for each in asking:
            each.join()
        last = httpx2.get(f"{url}{API_PREFIX}/studies", params={"countTotal": "true"}, timeout=60)
    current.get().close()
    assert not failed
    assert last.json()["totalCount"] == 1 + CHANGES
    assert all(totals == sorted(totals) for totals in seen), "nobody goes back in time"
