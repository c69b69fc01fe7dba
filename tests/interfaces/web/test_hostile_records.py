"""A record whose every text is hostile renders as text, on every page that shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tests.interfaces.web.pages import Page, read_page
from tests.serving import serving
from trialyst.interfaces.served import Served, follow_pathways, follow_registry
from trialyst.interfaces.web import create_site
from trialyst.registry import build_from_studies
from trialyst.settings import Settings
from trialyst.starter import generate_studies
from trialyst.vocabulary import Vocabulary

HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(2)>\"'><svg/onload=alert(3)>"
    "{{7*7}}</textarea></title>\x00\x07\x1b[31m\u202e=1+1 asthma"
)
_CODE = re.compile(r"[A-Z0-9_]+|NCT\d{8}|\d{4}(-\d{2})*|[\d.]+ (Years|Months)|-?[\d.]+|OG\d+")
_KEPT = {"nctId", "type", "phases", "overallStatus", "sex", "status", "id", "groupId"}


def poison(value: Any, name: str = "") -> Any:
    """Replace every text that is no code, number or date."""
    if isinstance(value, dict):
        return {key: poison(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [poison(each, name) for each in value]
    if name == "url":
        return "javascript:alert(4)"
    if name == "eligibilityCriteria":
        return f"Inclusion Criteria:\n\n* {HOSTILE}\n\nExclusion Criteria:\n\n* {HOSTILE}"
    if not isinstance(value, str) or name in _KEPT or _CODE.fullmatch(value):
        return value
    return HOSTILE


@pytest.fixture(scope="module")
def hostile(
    tmp_path_factory: pytest.TempPathFactory, vocabulary: Vocabulary
) -> Iterator[httpx2.Client]:
    tmp_path = tmp_path_factory.mktemp("hostile")
    studies = [each for each in generate_studies() if "resultsSection" in each][:2]
    build_from_studies([poison(each) for each in studies], tmp_path / "r", vocabulary=vocabulary)
    settings = Settings(home=tmp_path, registry=tmp_path / "r")
    served = Served(
        settings,
        follow_registry(settings, source="local"),
        follow_pathways(settings, source="starter"),
    )
    with (
        serving(create_site(served, settings), lifespan="on") as url,
        httpx2.Client(base_url=url, timeout=60) as client,
    ):
        yield client


def harm(page: Page) -> list[str]:
    """Say what of a page could act, or hide what follows it."""
    found = []
    for tag, attrs in page.elements:
        if tag == "script" and not (attrs.get("src") or "").startswith("/static/"):
            found.append("a script")
        found += [f"{tag} {name}" for name in attrs if name.startswith("on") or name == "style"]
        addresses = (attrs.get(name) or "" for name in ("href", "src", "action"))
        found += [each for each in addresses if each.lower().strip().startswith("javascript")]
        found += [tag] if tag in ("iframe", "object", "embed", "img") else []
    if re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e]", page.source):
        found.append("control characters")
    return found


def test_no_page_lets_a_record_act(hostile: httpx2.Client) -> None:
    shown = hostile.get("/search", params={"condition": "asthma"})
    ids = sorted({each.removeprefix("/trial/") for each in read_page(shown).links("/trial/NCT")})
    assert len(ids) == 2
    paths = (
        *("/", "/search", "/search?condition=asthma", f"/trial/{ids[0]}", f"/trial/{ids[1]}"),
        f"/compare?ids={ids[0]}&ids={ids[1]}",
        "/repurposing/landscape?condition=asthma",
        "/repurposing?drug=asthma&condition=asthma",
        "/repurposing/dossier?drug=metformin&condition=asthma",
        "/repurposing/dossier.html?drug=metformin%E2%80%AE&condition=asthma",
        "/repurposing/stopped?query=asthma",
        f"/search?query={HOSTILE[:60].replace('&', '')}",
        "/registry",
    )
    wrong = {}
    for path in paths:
        page = Page(hostile.get(path).text)
        if found := harm(page):
            wrong[path] = found
        if "alert(1)" in page.source and path.startswith("/trial"):
            assert "&lt;script&gt;" in page.source
    assert wrong == {}


def test_no_cell_of_a_saved_table_is_a_formula(hostile: httpx2.Client) -> None:
    table = hostile.get("/search.csv", params={"condition": "asthma"}).text
    assert "\x07" not in table
    assert not re.search(r'(?:^|,)"?[=+@]', table, re.M)


def test_every_answer_allows_no_script_but_our_own(hostile: httpx2.Client) -> None:
    for path in ("/", "/search?condition=asthma", "/nope", "/static/site.css", "/suggest?q=a"):
        headers = hostile.get(path).headers
        policy = headers["content-security-policy"]
        assert "script-src 'self'" in policy, path
        assert "unsafe-inline" not in policy
        assert headers["x-content-type-options"] == "nosniff"
