"""What pages show is what the tools answer."""

from __future__ import annotations

import asyncio
import csv
import io
import re
from datetime import date
from pathlib import Path
from typing import Any

import httpx2
from starlette.routing import Mount, Route

from tests.interfaces.web.pages import read_page, seal_of
from trialyst.discovery.counts import BREAKDOWNS
from trialyst.interfaces.served import Served
from trialyst.interfaces.web import create_site
from trialyst.interfaces.web.figures import draw_timeline
from trialyst.interfaces.web.parameters import KNOWN
from trialyst.settings import Settings

ASTHMA = "/search?condition=asthma"


def count(served: Served, **terms: Any) -> dict[str, Any]:
    return asyncio.run(served.discovery().count_trials(**terms)).to_dict()


def test_every_page_answers_and_names_invented_records(visitor: httpx2.Client) -> None:
    paths = (
        *("/", "/search", ASTHMA, "/trial/NCT90000001", "/compare", "/registry", "/pathways"),
        *("/pathways?query=glycolysis", "/pathways/WP534", "/pathways?gene=EGFR"),
        *("/pathways/enrich?genes=HK1+PKM", "/pathways/bridge?drug=imatinib"),
        "/compare?ids=NCT90000001&ids=NCT90000002",
    )
    for path in paths:
        page = read_page(visitor.get(path))
        assert "SYNTHETIC DATA" in page.text, path


def test_numbers_of_facets_are_those_of_the_tool_and_what_choosing_them_leaves(
    visitor: httpx2.Client, served: Served
) -> None:
    page = read_page(visitor.get(ASTHMA))
    told = count(served, condition="asthma", by=list(BREAKDOWNS))
    assert f"{told['total_count']} trials" in page.text
    wrong = []
    for name, breakdown in told["breakdowns"].items():
        shown = page.counts(f"f.{name}")
        without = breakdown["without_value"]
        unsaid = "no known" if name in ("condition", "intervention") else "not stated"
        assert not without or re.search(rf"{without:,} [a-z ]*{unsaid}", page.text)
        assert shown, name
        wrong += [(name, value) for value, n in shown.items() if breakdown["counts"][value] != n]
        value, number = next(iter(shown.items()))
        asked = {"condition": "asthma", f"f.{name}": value}
        chosen = read_page(visitor.get("/search", params=asked))
        if f"{number} trial" not in chosen.text:
            wrong.append((name, value))
    assert wrong == []


def test_a_chosen_value_leaves_the_others_of_its_facet_countable(visitor: httpx2.Client) -> None:
    both = read_page(visitor.get(ASTHMA)).counts("f.status")
    one = read_page(visitor.get(f"{ASTHMA}&f.status=RECRUITING"))
    assert one.counts("f.status") == both


def test_how_words_were_read_is_taken_back_with_one_click(
    visitor: httpx2.Client, served: Served
) -> None:
    asked = {"query": "recruiting phase 2 asthmaa"}
    page = read_page(visitor.get("/search", params=asked))
    assert "Status: Recruiting" in page.text
    assert "asthma" in page.text
    undone = next(each for each in page.links("/search?") if "%22recruiting%22" in each)
    assert "Status: Recruiting" not in read_page(visitor.get(undone)).text
    gone = next(each for each in page.links("/search?") if "query=" not in each)
    without = count(served, status="RECRUITING", phase="PHASE2")["total_count"]
    assert f"{without} trials" in read_page(visitor.get(gone)).text, "the rest of the words stays"
    as_written = next(each for each in page.links("/search?") if "%22asthmaa%22" in each)
    assert "Spelling" not in read_page(visitor.get(as_written)).text


def test_an_expression_that_cannot_be_read_is_told_at_its_caret(visitor: httpx2.Client) -> None:
    page = read_page(visitor.get("/search", params={"advanced": "asthma AND (COPD"}), 400)
    assert "asthma AND (COPD\n                ^" in page.source
    assert 'value="asthma AND (COPD"' in page.source


def test_an_empty_result_says_what_emptied_it(visitor: httpx2.Client) -> None:
    asked = {"condition": "asthma", "phase": "PHASE4", "location": "Iceland"}
    page = read_page(visitor.get("/search", params=asked))
    assert "What emptied it" in page.text
    assert [each for each in page.links("/search?") if "Iceland" not in each and "asthma" in each]


def test_what_was_found_is_saved_whole_and_safe_for_spreadsheets(
    visitor: httpx2.Client, served: Served
) -> None:
    # Words that no trial has are left out of the file as they are out of the page.
    for asked in (
        {"query": "recruiting asthma"},
        {"query": "asthma zzzz"},
        {"condition": "asthma"},
    ):
        total = count(served, **asked)["total_count"]
        saved = visitor.get("/search.csv", params=asked).text
        table = list(csv.reader(io.StringIO(saved)))
        assert len(table) == total + 1 > 1, asked
    assert not [cell for row in table for cell in row if cell.startswith(("=", "+", "@"))]
    assert len(visitor.get("/search.json?condition=asthma").json()) == total
    assert visitor.get("/search.ris?condition=asthma").text.count("ER  - ") == total
    read_page(visitor.get("/search.xls?condition=asthma"), 404)
    read_page(visitor.get("/search.csv?condition=asthma&near=Nowhereville"), 400)


def test_every_page_of_hits_is_reached(visitor: httpx2.Client, served: Served) -> None:
    found: set[str] = set()
    address: str | None = ASTHMA
    while address:
        page = read_page(visitor.get(address))
        found |= set(page.links("/trial/"))
        address = next((each for each in page.links("/search?") if "cursor=" in each), None)
    total = count(served, condition="asthma")["total_count"]
    assert len([each for each in found if "#" not in each]) == total


def test_one_box_leads_to_the_right_place(visitor: httpx2.Client) -> None:
    seal = seal_of(read_page(visitor.get("/")))
    leads = {
        "nct90000001": "/trial/NCT90000001",
        "WP534": "/pathways/WP534",
        "EGFR": "/pathways?gene=EGFR",
        "recruiting asthma trials": "/search?query=recruiting+asthma+trials",
        "": "/search",
    }
    for text, place in leads.items():
        answer = visitor.post("/go", data={"q": text, "csrf": seal}, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, place)


def test_errors_are_pages_that_say_what_to_do(visitor: httpx2.Client) -> None:
    told = {
        "/nope": (404, "There is no such page"),
        "/trial/NCT00000001": (404, "is not in this registry"),
        "/trial/asthma": (400, "cannot be asked"),
        "/pathways/WP999999": (404, "Not found here"),
        "/compare?ids=NCT90000001,NCT90000002,NCT90000003,NCT90000004,NCT90000005": (400, "Choose"),
    }
    for path, (status, words) in told.items():
        page = read_page(visitor.get(path), status)
        assert words in page.text, path
        assert "SYNTHETIC DATA" in page.text, path


def test_suggestions_begin_with_what_most_trials_have(visitor: httpx2.Client) -> None:
    found = visitor.get("/suggest", params={"q": "asth"}).json()
    assert found[0]["text"] == "Asthma"
    assert found[0]["trials"] > 0
    places = visitor.get("/suggest", params={"q": "bosto", "kind": "place"}).json()
    assert places[0]["text"].startswith("Boston, Massachusetts")
    assert visitor.get("/suggest", params={"q": "a" * 200}).json() == []
    for typed, first in (
        ("egfr", "EGFR"),
        ("kras", "KRAS"),
        ("asthma in bost", "asthma in Boston, Massachusetts, United States"),
    ):
        assert visitor.get("/suggest", params={"q": typed}).json()[0]["text"] == first


def test_a_trial_shows_how_each_criterion_was_understood(visitor: httpx2.Client) -> None:
    page = read_page(visitor.get("/trial/NCT90001530"))
    for words in (
        "understood as: age >= 20 years",
        "Posted results",
        "Primary outcomes:",
        "Timeline",
    ):
        assert words in page.text, words
    assert "no difference" in page.text, "effects are drawn with their intervals"
    near = read_page(visitor.get("/trial/NCT90000003?near=Boston"))
    assert "km" in near.text


def test_a_pathway_leads_from_its_genes_to_drugs_and_trials(visitor: httpx2.Client) -> None:
    page = read_page(visitor.get("/pathways/WP534?highlight=HK1"))
    assert "/pathways?gene=HK1" in page.links("/pathways?gene=")
    gene = read_page(visitor.get("/pathways?gene=EGFR"))
    assert "gefitinib" in gene.text
    assert gene.links("/search?biomarker=EGFR")


def test_what_an_address_asks_for_in_vain_is_said(
    visitor: httpx2.Client, served: Served, tmp_path: Path
) -> None:
    site = create_site(served, Settings(home=tmp_path, registry=tmp_path))
    own = next(each for each in site.routes if isinstance(each, Mount) and each.path == "")
    routes = [each for each in own.routes if isinstance(each, Route)]
    paths = {each.path for each in routes if "GET" in (each.methods or ())}
    silent = {"/world.svg", "/health", "/match/progress", "/registry/progress"}
    assert paths - silent == set(KNOWN)
    odd = {"condition": "asthma", "nonsense": "1", "f.phase": "PHASE3"}
    assert "does not know “nonsense” in its address" in visitor.get("/search", params=odd).text
    assert "does not know" not in visitor.get("/search?condition=asthma&sort=").text
    assert "“nonsense”" in read_page(visitor.get("/search.csv", params=odd), 400).text


def test_no_page_breaks_whatever_it_is_asked(visitor: httpx2.Client) -> None:
    odd = (
        "",
        " ",
        "\x00",
        "a" * 5_000,
        "'\"><script>",
        "‮\ud7ff",
        "9" * 400,
        "-1",
        "%",
        "((",
        "é\n\r",
    )
    paths = {
        path: [name for name in names if name not in ("drugs", "conditions")]
        for path, names in KNOWN.items()
        if "{" not in path and path != "/repurposing/dossier"
    }
    broken = []
    with httpx2.Client(base_url=visitor.base_url, timeout=60) as asking:
        for number, (path, names) in enumerate(paths.items()):
            for place, name in enumerate(names[::3]):
                value = odd[(number + place) % len(odd)]
                given = {"condition": "asthma", "drug": "albuterol", name.rstrip("."): value}
                answer = asking.get(path, params=given)
                if answer.status_code not in (200, 303, 400, 404):
                    broken.append((path, name, value[:20], answer.status_code))
        for path in ("/search.csv?condition=%FF%FE", "/trial/%00", "/trial/" + "9" * 3_000):
            if asking.get(path).status_code not in (200, 303, 400, 404):
                broken.append((path[:30], "", "", asking.get(path).status_code))
    assert not broken


def test_every_label_of_a_timeline_ends_on_it() -> None:
    near = {"date": "2024-01-02"}
    far = {"date": "2031-12", "type": "ESTIMATED"}
    old = {"date": "1999"}
    for dates in (
        {"start": near, "primary_completion": far, "completion": far},
        {"start": old, "completion": near},
        {"first_posted": near, "start": near, "last_update_posted": near},
        {"start": near, "primary_completion": far},
    ):
        drawn = str(draw_timeline(dates, today=date(2026, 8, 1)))
        shown = re.findall(r'<text(?: class="soft")? x="([\d.]+)"[^>]*>([^<]+)<', drawn)
        assert len(shown) >= len(dates)
        assert all(float(x) + 6.2 * len(words) <= 720 for x, words in shown), drawn
