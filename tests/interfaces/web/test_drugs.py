"""Repurposing on pages: counts with their trials, the matrix, the field, failures, dossiers."""

from __future__ import annotations

import asyncio
import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import httpx2

from tests.interfaces.web.pages import read_page
from trialyst.interfaces.served import Served
from trialyst.repurposing import listing

PAIR = {"drug": "albuterol", "condition": "asthma"}


def test_every_count_of_the_card_leads_to_its_trials(
    visitor: httpx2.Client, served: Served
) -> None:
    told = asyncio.run(listing.read_whitespace(served.repurposing(), **PAIR)).to_wire()
    page = read_page(visitor.get("/repurposing", params=PAIR))
    assert told["grade"] in page.text
    assert f"tested in {told['tested_count']}" in page.text
    both = told["exact_match_count"] + told.get("narrower_match_count", 0)
    counts = {"both": both, "drug": told["drug_only_trials"], "tested": told["tested_count"]}
    counts |= {"condition": told["condition_only_trials"], "exact": told["exact_match_count"]}
    for name, number in counts.items():
        address = f"/repurposing/counted?drug=albuterol&condition=asthma&counted={name}"
        assert address in page.links("/repurposing/counted"), name
        assert f"{number} trial" in read_page(visitor.get(address)).text, name
    read_page(visitor.get("/repurposing/counted", params={**PAIR, "counted": "nothing"}), 400)
    for number in ("0", "-1", "x", "9" * 400):
        read_page(visitor.get("/repurposing/counted", params={**PAIR, "page": number}), 400)


def test_every_count_of_a_field_leads_to_its_trials(visitor: httpx2.Client) -> None:
    asked = "/repurposing/landscape?condition=asthma"
    page = read_page(visitor.get(asked))
    shown = re.findall(r'<a href="(/repurposing/landscape/trials[^"]*)">([0-9,]+)</a>', page.source)
    drawn = re.findall(r'<a href="([^"]*)" aria-label="[^"]*[:,] ([0-9,]+) (?:tr|st)', page.source)
    counts = {unescape(address): int(count.replace(",", "")) for address, count in shown + drawn}
    parts = {name for each in counts for name in parse_qs(urlsplit(each).query)}
    assert parts >= {"phase", "started", "sponsor", "drug", "drug_class", "end_point", "recent"}
    told = {each: read_page(visitor.get(each)).text for each in list(counts)[::5]}
    wrong = [each for each in told if f" {counts[each]} trial" not in told[each]]
    assert not wrong


def test_stopped_trials_are_shown_by_reason_and_severity(visitor: httpx2.Client) -> None:
    path = "/repurposing/stopped?query=asthma"
    page = read_page(visitor.get(path))
    reasons = re.findall(r'<a href="([^"]*)" aria-label="(\w+): (\d+)">', page.source)
    assert reasons
    for address, reason, count in reasons:
        assert f"{count} trial" in read_page(visitor.get(unescape(address))).text, reason
    ordered = read_page(visitor.get(f"{path}&order=severity"))
    scores = [int(each) for each in re.findall(r"<summary><strong>(\d+)", ordered.source)]
    assert scores
    assert scores == sorted(scores, reverse=True)
    assert "closeness 0.40: same condition" in ordered.text


def test_what_is_seen_on_a_day_says_so(visitor: httpx2.Client) -> None:
    asked = {**PAIR, "date_before": "2015-06-30", "point_in_time": "1"}
    for path in ("", "/trials", "/dossier"):
        page = read_page(visitor.get(f"/repurposing{path}", params=asked))
        assert "Seen as of 2015-06-30" in page.text, path
    card = read_page(visitor.get("/repurposing", params=asked))
    kept = [each for each in card.links("/repurposing/") if "date_before=2015-06-30" in each]
    assert len(kept) > 3, "links keep the day"


def test_a_misspelt_drug_is_offered_rightly(visitor: httpx2.Client) -> None:
    asked = {"drug": "albuterrol", "condition": "brest cancer"}
    page = read_page(visitor.get("/repurposing", params=asked))
    assert "lbuterol" in page.text
    assert "of brest cancer in all" in page.text, "what is not known is called as it was asked"


def test_the_matrix_has_a_cell_for_every_pair(visitor: httpx2.Client) -> None:
    asked = {"drugs": "albuterol, metformin", "conditions": "asthma; Diabetes Mellitus, Type 2"}
    page = read_page(visitor.get("/repurposing/matrix", params=asked))
    assert len(page.links("/repurposing?drug=")) >= 4
    many = {"drugs": ",".join(f"drug{n}" for n in range(50)), "conditions": "a,b,c,d"}
    assert "too many" in read_page(visitor.get("/repurposing/matrix", params=many)).text


def test_the_field_failures_and_the_scout_have_pages(visitor: httpx2.Client) -> None:
    field = read_page(visitor.get("/repurposing/landscape?condition=asthma"))
    assert "Pipeline" in field.text
    assert "To read out next" in field.text
    assert "<svg" in field.source
    assert "style=" not in field.source, "a page allows no inline style"
    stopped = read_page(visitor.get("/repurposing/stopped?query=asthma"))
    assert "Why they stopped" in stopped.text
    scouted = read_page(visitor.get("/repurposing/scout?drug=albuterol"))
    assert "Where else albuterol" in scouted.text


def test_every_count_of_a_scout_leads_to_its_trials(visitor: httpx2.Client) -> None:
    page = read_page(visitor.get("/repurposing/scout?drug=albuterol"))
    shown = re.findall(
        r'<a href="(/repurposing/(?:counted|scout/trials)[^"]*)">([0-9,]+)<', page.source
    )
    assert {urlsplit(address).path for address, _ in shown} >= {"/repurposing/scout/trials"}
    for address, number in shown[:12]:
        listed = read_page(visitor.get(unescape(address)))
        assert f" {number} trial" in listed.text, address


def test_a_dossier_is_read_and_saved_in_every_form(visitor: httpx2.Client) -> None:
    page = read_page(visitor.get("/repurposing/dossier", params=PAIR))
    assert page.links("/trial/NCT9")
    for form, beginning in (("html", b"<!"), ("md", b"# "), ("json", b"{"), ("pdf", b"%PDF")):
        saved = visitor.get(f"/repurposing/dossier.{form}", params=PAIR)
        assert saved.content.startswith(beginning), form
        assert "attachment" in saved.headers["content-disposition"]
    read_page(visitor.get("/repurposing/dossier.exe", params=PAIR), 404)
