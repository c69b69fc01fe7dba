from __future__ import annotations

import pytest

from tests.pathways.examples import catalog_of, gpml
from trialyst.errors import AmbiguousQuery, InvalidInput, NotFound
from trialyst.paging import encode_cursor
from trialyst.pathways import PathwayHit, PathwayId, PathwayQuery, parse_gene
from trialyst.pathways.catalog import Catalog
from trialyst.pathways.scoring import RANK_DECAY, normalize_scores

MOUSE = "Mus musculus"


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    """Six pathways that have glycolysis or TNF in different places."""
    return catalog_of(
        gpml(1, "Fasting", description="It slows glycolysis down.", genes=[("HK1", "3098")]),
        gpml(2, "Sugar burning", genes=[("Glycolysis", "99"), ("TNF", "7124")]),
        gpml(3, "Glycolysis", genes=[("HK1", "3098"), ("IL6", "3569")]),
        gpml(4, "Glycolysis and more", organism=MOUSE, genes=[("Tnf", "21926")]),
        gpml(5, "IL-2 signaling", description="Chapter 6.", genes=[("IL2", "3558")]),
        gpml(10, "Blood pressure", genes=[("NAT2", "10")]),
    )


def ids(catalog: Catalog, text: str, organism: str | None = None) -> list[str]:
    return [hit.pathway.id for hit in catalog.search(PathwayQuery(text, organism)).items]


def test_title_stands_above_gene_above_description(catalog: Catalog) -> None:
    assert ids(catalog, "glycolysis") == ["WP3", "WP4", "WP2", "WP1"]


def test_a_title_with_the_question_as_a_topic_answers_it_as_a_whole() -> None:
    titles = ("Sugar in aging", "Sugar and salt", "Sugar", "Salt and sugar")
    held = catalog_of(*(gpml(at, title) for at, title in enumerate(titles, start=1)))
    assert ids(held, "sugar") == ["WP3", "WP2", "WP4", "WP1"]


def test_human_pathways_come_before_equals_of_other_organisms() -> None:
    held = catalog_of(
        gpml(1, "Sugar", organism=MOUSE),
        gpml(2, "Sugar and salt"),
        gpml(3, "Eating sugar", organism=MOUSE),
        gpml(4, "Eating much sugar and salt"),
        gpml(5, "Fasting", organism=MOUSE, description="Without sugar."),
        gpml(6, "Feasting", description="With sugar."),
    )
    assert ids(held, "sugar") == ["WP2", "WP1", "WP4", "WP3", "WP6", "WP5"]
    assert ids(held, "sugar", MOUSE) == ["WP1", "WP3", "WP5"]


def test_titles_are_compared_without_the_word_pathway_and_with_numbers_joined() -> None:
    held = catalog_of(gpml(1, "IL9 signaling and more"), gpml(2, "IL-9 signaling pathway"))
    assert ids(held, "IL 9 signaling") == ids(held, "IL9 signaling pathways") == ["WP2", "WP1"]


def test_case_space_and_number_do_not_matter(catalog: Catalog) -> None:
    assert ids(catalog, "  GLYCOLYSIS ") == ids(catalog, "glycolysis")


def test_a_number_belongs_to_its_word(catalog: Catalog) -> None:
    assert ids(catalog, "IL-6") == ids(catalog, "il 6") == ids(catalog, "IL6") == ["WP3"]


def test_scores_fall_from_one_to_nought_over_the_whole_list(catalog: Catalog) -> None:
    scores = [hit.score for hit in catalog.search(PathwayQuery("glycolysis")).items]
    assert (scores[0], scores[-1]) == (1.0, 0.0)
    assert scores == sorted(scores, reverse=True)


def test_a_single_hit_scores_one(catalog: Catalog) -> None:
    (hit,) = catalog.search(PathwayQuery("fasting")).items
    assert hit.score == 1.0


def test_scores_are_the_same_on_every_page(catalog: Catalog) -> None:
    whole = catalog.search(PathwayQuery("glycolysis")).items
    query = PathwayQuery("glycolysis", page_size=1)
    paged: list[PathwayHit] = []
    cursor = None
    while True:
        page = catalog.search(query, cursor)
        assert page.total == len(whole)
        paged += page.items
        cursor = page.cursor
        if cursor is None:
            break
    assert paged == list(whole)


def test_ties_are_in_order_of_id() -> None:
    same = catalog_of(*(gpml(number, "Twins") for number in (30, 4, 200)))
    assert ids(same, "twins") == ["WP4", "WP30", "WP200"]
    assert [hit.score for hit in same.search(PathwayQuery("twins")).items] == [1.0, 0.5, 0.0]


def test_the_rule_of_the_score() -> None:
    relevances = [9.0, 4.0, 3.9]
    decayed = [9.0, 4.0 - RANK_DECAY, 3.9 - 2 * RANK_DECAY]
    span = decayed[0] - decayed[-1]
    assert normalize_scores(relevances) == [round((d - decayed[-1]) / span, 4) for d in decayed]


def test_the_organism_filters_exactly(catalog: Catalog) -> None:
    assert ids(catalog, "glycolysis", MOUSE) == ["WP4"]
    assert ids(catalog, "fasting", MOUSE) == []


def test_a_common_or_absent_organism_is_refused(catalog: Catalog) -> None:
    with pytest.raises(InvalidInput) as told:
        ids(catalog, "glycolysis", "mouse")
    assert repr(MOUSE) in str(told.value.hint)
    with pytest.raises(InvalidInput, match="no pathways of 'Danio rerio'") as absent:
        ids(catalog, "glycolysis", "Danio rerio")
    assert "Homo sapiens" in str(absent.value.hint)


def test_every_word_must_be_there_and_what_lacks_is_told(catalog: Catalog) -> None:
    assert ids(catalog, "glycolysis fasting") == ["WP1"]
    hits = catalog.search(PathwayQuery("fasting zebra")).items
    assert [(hit.pathway.id, hit.missing) for hit in hits] == [("WP1", ("zebra",))]
    assert catalog.search(PathwayQuery("zebra")).total == 0


@pytest.mark.parametrize("text", ["", " ", "a", " a "])
def test_a_short_query_is_ambiguous(catalog: Catalog, text: str) -> None:
    with pytest.raises(AmbiguousQuery, match="too short") as told:
        catalog.search(PathwayQuery(text))
    assert told.value.invalid_input == text


def test_a_query_without_letters_is_ambiguous(catalog: Catalog) -> None:
    with pytest.raises(AmbiguousQuery):
        catalog.search(PathwayQuery("?! --"))


@pytest.mark.parametrize("size", [0, -1, 101])
def test_a_page_size_outside_the_bounds_is_refused(catalog: Catalog, size: int) -> None:
    with pytest.raises(InvalidInput, match="page_size"):
        catalog.search(PathwayQuery("glycolysis", page_size=size))


def test_cursors_of_others_are_refused(catalog: Catalog) -> None:
    query = PathwayQuery("glycolysis", page_size=1)
    cursor = catalog.search(query).cursor
    assert cursor
    with pytest.raises(InvalidInput, match="another query"):
        catalog.search(PathwayQuery("fasting", page_size=1), cursor)
    with pytest.raises(InvalidInput, match="damaged"):
        catalog.search(query, cursor[:-3])
    with pytest.raises(InvalidInput, match="another query"):
        catalog.search(query, encode_cursor("foreign", offset=1))


def test_a_cursor_of_data_that_was_replaced_has_expired(catalog: Catalog) -> None:
    query = PathwayQuery("glycolysis", page_size=1)
    cursor = catalog.search(query).cursor
    newer = Catalog.of([], stamp="newer")
    with pytest.raises(InvalidInput, match="expired"):
        newer.search(query, cursor)


def found(catalog: Catalog, gene: str, organism: str | None = None) -> list[str]:
    page = catalog.search_gene(parse_gene(gene), organism=organism)
    return [hit.pathway.id for hit in page.items]


def test_a_gene_is_found_exactly(catalog: Catalog) -> None:
    assert found(catalog, "10") == ["WP10"]
    assert found(catalog, "7124") == ["WP2"]
    assert found(catalog, "tnf") == ["WP2", "WP4"]
    assert found(catalog, "TNF", "Mus musculus") == ["WP4"]
    assert found(catalog, "IL") == []


def test_gene_pages_lead_on(catalog: Catalog) -> None:
    first = catalog.search_gene(parse_gene("TNF"), page_size=1)
    assert (first.total, first.items[0].pathway.id) == (2, "WP2")
    second = catalog.search_gene(parse_gene("TNF"), page_size=1, cursor=first.cursor)
    assert ([hit.pathway.id for hit in second.items], second.cursor) == (["WP4"], None)


def test_a_pathway_comes_back_as_it_was_stored(catalog: Catalog) -> None:
    pathway = catalog.get(PathwayId(3))
    assert (pathway.name, [node.label for node in pathway.nodes]) == ("Glycolysis", ["HK1", "IL6"])
    with pytest.raises(NotFound) as told:
        catalog.get(PathwayId(4711))
    assert told.value.invalid_input == "WP4711"


def test_gene_sets_are_of_one_organism_in_order(catalog: Catalog) -> None:
    sets = catalog.gene_sets("Homo sapiens")
    assert [each.pathway.id for each in sets] == ["WP1", "WP2", "WP3", "WP5", "WP10"]
    assert sets[2].genes == {"HK1", "IL6"}
    assert sets[2].pathway.genes == 2


def test_organisms_are_counted(catalog: Catalog) -> None:
    assert catalog.organisms == {"Homo sapiens": 5, MOUSE: 1}
