"""From a note to a saved report, without JavaScript; and what becomes of the note."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import httpx2
import pytest

from tests.interfaces.web.pages import Page, read_page, seal_of
from trialyst.interfaces.served import Served
from trialyst.interfaces.web.forms import MAX_BYTES
from trialyst.interfaces.web.visits import IDLE_SECONDS, Visits
from trialyst.starter import sample_patients

MELANOMA = next(each for each in sample_patients() if each.name == "melanoma_braf")
PATIENCE = 60.0


def send(visitor: httpx2.Client, path: str, page: Page, **fields: str) -> Page:
    return read_page(visitor.post(path, data={"csrf": seal_of(page), **fields}))


def wait_for_trials(visitor: httpx2.Client) -> Page:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        page = read_page(visitor.get("/match"))
        if "Trials in their order" in page.text:
            return page
        time.sleep(0.1)
    raise AssertionError(page.text[:2000])


def test_a_note_is_read_corrected_matched_saved_and_forgotten(
    visitor: httpx2.Client, served: Served
) -> None:
    page = read_page(visitor.get("/match"))
    page = send(visitor, "/match/read", page, note=MELANOMA.note)
    assert "<mark>BRAF V600E mutated</mark>" in page.source
    assert page.source.count('name="line.labs.') > 3
    send(visitor, "/match/find", page, near="Boston")
    found = wait_for_trials(visitor)
    assert len(found.links("/trial/")) > 10
    fields = dict.fromkeys(("was.ecog.1", "line.ecog.1"), "1") | {"line.ecog.1": "3"}
    send(visitor, "/match/facts", found, **fields)
    again = wait_for_trials(visitor)
    assert "ecog: 3 instead of 1" in again.text
    told = visitor.get("/match/report.json")
    assert told.headers["cache-control"] == "no-store"
    assert told.json()["changes"] == ["ecog: 3 instead of 1"]
    assert "For research use only" in visitor.get("/match/report.html").text
    read_page(visitor.get("/match/report.exe"), 404)
    gone = send(visitor, "/match/end", again)
    assert "BRAF" not in gone.text
    read_page(visitor.get("/match/report.json"), 400)


def test_the_numbers_of_a_match_are_the_tools(visitor: httpx2.Client, served: Served) -> None:
    page = send(visitor, "/match/read", read_page(visitor.get("/match")), sample=MELANOMA.name)
    send(visitor, "/match/find", page)
    wait_for_trials(visitor)
    report = asyncio.run(served.matching().match(MELANOMA.note))
    shown = visitor.get("/match/report.json").json()
    assert shown["counts"] == report.counts
    assert [each["nct_id"] for each in shown["trials"]] == [t.nct_id for t in report.trials]


def test_a_note_is_in_no_address_and_no_page_of_it_is_kept(visitor: httpx2.Client) -> None:
    seal = seal_of(read_page(visitor.get("/")))
    note = "A 58-year-old woman with breast cancer. Unmistakable words."
    led = visitor.post("/go", data={"q": note, "csrf": seal}, follow_redirects=False)
    assert led.headers["location"] == "/match"
    page = visitor.get("/match")
    assert "Unmistakable words" in page.text
    assert page.headers["cache-control"] == "no-store"
    with httpx2.Client(base_url=str(visitor.base_url)) as stranger:
        assert "Unmistakable words" not in stranger.get("/match").text


def test_a_file_is_read_like_a_note_and_never_touches_a_disk(
    visitor: httpx2.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **named: object) -> None:
        raise AssertionError("a temporary file was made")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    seal = seal_of(read_page(visitor.get("/match")))
    # Above a megabyte the library would write a file of its own to a disk.
    note = (MELANOMA.note + " " * 1_200_000 + ".").encode()
    files = {"file": ("note.txt", note)}
    sent = visitor.post("/match/read", data={"csrf": seal}, files=files)
    assert "BRAF V600E mutated" in read_page(sent).text


def test_what_is_too_large_or_no_form_of_ours_is_refused(visitor: httpx2.Client) -> None:
    seal = seal_of(read_page(visitor.get("/match")))
    large = {"csrf": seal, "note": "a" * (MAX_BYTES + 1)}
    assert "MB were sent" in read_page(visitor.post("/match/read", data=large), 400).text
    for fields in ({"note": "a"}, {"note": "a", "csrf": "0" * 64}):
        answer = visitor.post("/match/read", data=fields)
        assert "The form is too old" in read_page(answer, 400).text
    read_page(visitor.post("/registry/sync", data={}), 400)
    assert visitor.post("/match/read", content=b"{}").status_code == 400


def test_an_own_note_that_cannot_be_read_is_told_on_the_page(visitor: httpx2.Client) -> None:
    page = send(visitor, "/match/read", read_page(visitor.get("/match")), note="   ")
    assert "The note" in page.text
    assert page.source.count('role="alert"') == 1


def test_a_model_is_asked_only_after_saying_what_it_is_sent(visitor: httpx2.Client) -> None:
    page = send(visitor, "/match/read", read_page(visitor.get("/match")), sample=MELANOMA.name)
    asked = send(visitor, "/match/find", page, judge="google:gemini-2.5-flash")
    assert "Before anything is sent" in asked.text
    assert "leaves this machine" in asked.text
    assert "Trials in their order" not in asked.text


def test_a_visit_that_rests_too_long_is_forgotten() -> None:
    from starlette.requests import Request

    now = [0.0]
    visits = Visits(clock=lambda: now[0])
    request = Request({"type": "http", "headers": [(b"cookie", b"trialyst_visit=somebody")]})
    left = visits.open(request).left
    left["note"] = "words"
    now[0] = IDLE_SECONDS - 1
    assert visits.find(request) is not None
    now[0] += IDLE_SECONDS + 1
    visits.end_idle()
    assert left == {}
    assert visits.find(request) is None
