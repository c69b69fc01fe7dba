"""Misspelt words of a question are read against the words that pathways have."""

from __future__ import annotations

import pytest

from tests.pathways.examples import catalog_of, gpml
from trialyst.pathways import PathwayQuery, SearchPage
from trialyst.pathways.catalog import Catalog
from trialyst.pathways.respelling import Respelling

TITLES = ("Glycolysis", "Glycolysis in aging", "Wnt signaling pathway")


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    """Three pathways: what one of them has is no rarity among so few."""
    return catalog_of(*(gpml(at, title) for at, title in enumerate(TITLES, start=1)))


def search(catalog: Catalog, text: str) -> SearchPage:
    return catalog.search(PathwayQuery(text))


def ids(page: SearchPage) -> list[str]:
    return [hit.pathway.id for hit in page.items]


def test_a_misspelt_word_is_read_as_the_one_that_is_clearly_meant(catalog: Catalog) -> None:
    page = search(catalog, "glycolisis")
    assert page.respelt == (Respelling("glycolisis", "glycolysis"),)
    assert ids(page) == ids(search(catalog, "glycolysis"))


def test_a_word_that_says_nothing_may_be_misspelt_too(catalog: Catalog) -> None:
    page = search(catalog, "Wnt signalling pathwy")
    assert [each.used for each in page.respelt] == ["pathway"]
    assert ids(page) == ids(search(catalog, "Wnt signaling pathway"))


def test_what_some_pathway_has_is_never_changed() -> None:
    slip = catalog_of(gpml(1, "Glycolisis"), *(gpml(at, "Glycolysis") for at in (2, 3, 4)))
    page = search(slip, "glycolisis")
    assert (page.respelt, ids(page)) == ((), ["WP1"])


def test_what_is_not_clear_is_offered_and_not_used() -> None:
    alike = catalog_of(
        *(gpml(at, "Steroid") for at in (1, 2)), *(gpml(at, "Sterol") for at in (3, 4))
    )
    page = search(alike, "sterod")
    (told,) = page.respelt
    assert (told.used, page.total) == (None, 0)
    assert set(told.offered) == {"steroid", "sterol"}


def test_what_is_like_nothing_is_told_as_that(catalog: Catalog) -> None:
    assert search(catalog, "xyzzyplugh").respelt == (Respelling("xyzzyplugh"),)


def test_a_number_is_never_a_slip(catalog: Catalog) -> None:
    assert search(catalog, "wnt 5").respelt == ()


def test_pages_of_a_respelt_question_lead_on(catalog: Catalog) -> None:
    query = PathwayQuery("glycolisis", page_size=1)
    first = catalog.search(query)
    assert ids(first) + ids(catalog.search(query, first.cursor)) == ["WP1", "WP2"]
