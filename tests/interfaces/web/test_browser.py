"""Every page and the three journeys in a real browser: no errors, nothing serious for axe."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.interfaces.web.browsing import (
    DESKTOP,
    FLAGS,
    PHONE,
    find_chromium,
    serious_problems,
    visiting,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

PATHS = {
    "home": "/",
    "search": "/search?condition=asthma&f.phase=PHASE3",
    "near": "/search?condition=asthma&near=Boston",
    "empty": "/search?condition=asthma&phase=PHASE4&location=Iceland",
    "essie": "/search?advanced=asthma+AND+(COPD",
    "long": f"/search?query={'x' * 290}",
    "trial": "/trial/NCT90001530",
    "compare": "/compare?ids=NCT90000001&ids=NCT90000002",
    "repurposing": "/repurposing?drug=albuterol&condition=asthma&date_before=2024",
    "matrix": "/repurposing/matrix?drugs=albuterol,metformin&conditions=asthma,COPD",
    "landscape": "/repurposing/landscape?condition=asthma",
    "stopped": "/repurposing/stopped?query=asthma",
    "counted": "/repurposing/landscape/trials?condition=asthma&phase=Phase+2",
    "scout": "/repurposing/scout?drug=albuterol",
    "drug trials": "/repurposing/trials?drug=albuterol",
    "bridge": "/pathways/bridge?drug=gefitinib",
    "nowhere": "/nope",
    "match": "/match",
    "pathways": "/pathways?gene=EGFR",
    "pathway": "/pathways/WP534?highlight=HK1",
    "enrichment": "/pathways/enrich?genes=HK1+PKM+GAPDH+PFKM",
    "registry": "/registry",
}


_REFUSED = re.compile(r"40[04] \((?:Bad Request|Not Found)\)")
"""What a browser says of a page that is an error."""
NIGHT = ("home", "search", "near", "trial", "repurposing", "matrix", "match", "pathway", "registry")
"""Pages that together show every colour."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = find_chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as player:
        started = player.chromium.launch(executable_path=path, args=list(FLAGS))
        yield started
        started.close()


def test_what_axe_calls_serious_is_found(browser: Browser, site_url: str) -> None:
    with visiting(browser, site_url) as visitor:
        page = visitor.open("/compare")
        page.evaluate("document.querySelector('#ids').removeAttribute('id')")
        assert [each for each in serious_problems(page) if each.startswith("label:")]


@pytest.mark.parametrize("look", ["phone", "dark"])
def test_every_page_is_whole_and_open_to_everybody(
    browser: Browser, site_url: str, look: str
) -> None:
    options = {"viewport": PHONE} if look == "phone" else {"color_scheme": "dark"}
    wrong: dict[str, list[str]] = {}
    with visiting(browser, site_url, **options) as visitor:
        for name, path in PATHS.items():
            if look == "dark" and name not in NIGHT:
                continue
            page = visitor.open(path)
            found = serious_problems(page, colours_only=look == "dark")
            width = page.evaluate("document.documentElement.scrollWidth")
            if width > (PHONE if look == "phone" else DESKTOP)["width"]:
                found.append(f"{width} pixels wide")
            found += [each for each in visitor.errors if not _REFUSED.search(each)]
            visitor.errors.clear()
            visitor.keep(f"{name}-{look}")
            if found:
                wrong[name] = found
    assert wrong == {}


def test_from_a_question_to_a_trial_and_a_comparison(browser: Browser, site_url: str) -> None:
    with visiting(browser, site_url) as visitor:
        page = visitor.open("/")
        visitor.keep("home")
        page.keyboard.press("Tab")
        page.fill("#box", "asthm")
        page.wait_for_selector("#box-suggestions li")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        assert page.input_value("#box") == "Asthma"
        page.keyboard.press("Enter")
        page.wait_for_url("**/search?query=Asthma")
        before = page.inner_text("[role=status] strong")
        page.click("label:has(input[name='f.status'][value='RECRUITING'])")
        page.wait_for_url("**f.status=RECRUITING**")
        page.wait_for_selector("ul.chips :text('Recruiting')")
        assert int(page.inner_text("[role=status] strong")) < int(before)
        visitor.keep("search")
        page.emulate_media(media="print")
        assert page.is_visible(".hits h2 a >> nth=0")
        assert not page.is_visible("#box")
        page.emulate_media(media="screen")
        page.go_back()
        page.wait_for_selector("ul.chips :text('Recruiting')", state="detached")
        assert page.inner_text("[role=status] strong") == before
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("j")
        page.keyboard.press("c")
        page.keyboard.press("j")
        page.keyboard.press("c")
        page.keyboard.press("Enter")
        page.wait_for_url("**/trial/NCT*")
        assert page.locator("#who .reading").count() > 2
        page.go_back()
        page.wait_for_selector(".hits")
        page.keyboard.press("?")
        assert page.is_visible("#keys")
        page.keyboard.press("Escape")
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.id") == "box"
        with page.expect_download() as saved:
            page.click("text=CSV")
        assert saved.value.suggested_filename == "trials.csv"
        assert visitor.errors == []


def test_from_a_drug_and_a_condition_to_a_saved_dossier(browser: Browser, site_url: str) -> None:
    with visiting(browser, site_url) as visitor:
        page = visitor.open("/")
        page.fill("#box", "albuterol for asthma")
        page.keyboard.press("Escape")
        page.click("text=Go")
        page.wait_for_url("**/repurposing?drug=albuterol&condition=asthma")
        visitor.keep("repurposing")
        page.click(".counts a >> nth=0")
        page.wait_for_selector("text=Back to the counts")
        page.go_back()
        page.click("text=Read the dossier")
        page.wait_for_selector("text=Coverage")
        visitor.keep("dossier", whole=True)
        assert serious_problems(page) == []
        with page.expect_download() as saved:
            page.click("a:text-is('HTML')")
        assert re.match(r"dossier-.*\.html", saved.value.suggested_filename)
        assert visitor.errors == []


def test_from_a_note_to_a_saved_report(browser: Browser, site_url: str) -> None:
    with visiting(browser, site_url) as visitor:
        page = visitor.open("/match")
        page.select_option("#sample", "melanoma_braf")
        page.click("text=Read the note")
        page.wait_for_selector("mark")
        page.fill("#near", "Sydney")
        page.click("button:text-is('Find trials')")
        page.wait_for_selector("#trials-h", timeout=60_000)
        visitor.keep("match")
        assert serious_problems(page) == []
        evidence = page.locator(".verdicts li[data-evidence*='s']").first
        evidence.hover()
        assert page.locator(".sentence.lit").count() >= 1
        before = page.inner_text("#trials-h + p")
        page.click("summary:has(#facts-h)")
        page.check("[name='remove.ecog.1']")
        page.fill("#add-conditions", "active hepatitis B")
        page.click("text=Correct, and judge again")
        page.wait_for_selector("text=hepatitis B added", timeout=60_000)
        page.wait_for_selector("#trials-h", timeout=60_000)
        assert page.inner_text("#trials-h + p") != before
        with page.expect_download() as saved:
            page.click("text=HTML, to print")
        assert saved.value.suggested_filename == "match-report.html"
        assert page.url.endswith("/match")
        page.click("text=End the session")
        page.wait_for_selector("text=Read the note")
        assert visitor.errors == []


def test_everything_works_without_scripts(browser: Browser, site_url: str) -> None:
    with visiting(browser, site_url, java_script_enabled=False) as visitor:
        page = visitor.open("/")
        page.fill("#box", "asthma")
        page.click("text=Go")
        page.wait_for_url("**/search?query=asthma")
        page.check("input[name='f.status'][value='RECRUITING']")
        page.click("text=Apply")
        page.wait_for_url("**f.status=RECRUITING**")
        assert page.is_visible("ul.chips >> text=Recruiting")
        page.click(".hits h2 a >> nth=0")
        page.wait_for_url("**/trial/NCT*")
        page = visitor.open("/match")
        page.select_option("#sample", "depression")
        page.click("text=Read the note")
        page.click("button:text-is('Find trials')")
        page.wait_for_selector("#trials-h", timeout=60_000)
        visitor.keep("match-without-scripts")
        with page.expect_download() as report:
            page.click("text=HTML, to print")
        assert report.value.suggested_filename == "match-report.html"
        page = visitor.open(PATHS["repurposing"])
        page.click("text=Read the dossier")
        with page.expect_download() as dossier:
            page.click("a:text-is('HTML')")
        assert dossier.value.suggested_filename.startswith("dossier-")
        for name in ("repurposing", "matrix", "compare", "pathway", "enrichment", "registry"):
            visitor.open(PATHS[name])
            assert page.locator("main table, main svg, main .card").count() > 0, name


def test_charts_lead_to_trials_by_the_keyboard(browser: Browser, site_url: str) -> None:
    with visiting(browser, site_url) as visitor:
        page = visitor.open("/repurposing/landscape?condition=asthma")
        for chart in ("Pipelines by sponsor and phase", "What reads out next"):
            link = page.get_by_role("region", name=chart).locator("a").first
            assert link.locator("title").text_content() == link.get_attribute("aria-label")
        bar = page.locator(".chart a").first
        bar.focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/repurposing/landscape/trials?**")
        page.wait_for_load_state()
        assert page.get_by_role("status").is_visible()
        assert visitor.errors == []
