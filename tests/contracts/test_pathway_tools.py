"""Every pathway tool keeps its contract, and the rules of its search: score, organism, cursor."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.contracts.contracts import check, check_answer, check_error
from tests.discovery.asking import Tools

PAGE = ["items", "pagination"]
GROUPS = ["genes", "proteins", "metabolites", "complexes", "others"]
TOLD = [
    *("id", "title", "organism", "description", "revision", "authors", "genes", "metabolites"),
    *("ontology_terms", "literature_count", "component_counts", "cross_references"),
]
PARTS = [
    *("id", "title", "organism", *GROUPS, "interactions", "interactions_known", "unconnected"),
    *("component_counts", "pagination"),
]
ENRICHED = ["items", "organism", "tested_count", "background", "genes", "pagination"]
CALLS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("search_pathways", {"query": "glycolysis"}, PAGE),
    ("search_pathways", {"query": "signaling", "slim": False, "page_size": 100}, PAGE),
    ("search_pathways", {"query": "apoptosis", "organism": "Homo sapiens"}, PAGE),
    ("search_pathways", {"query": "xyzzyplugh"}, PAGE),
    ("get_pathway", {"pathway_id": "WP:WP534"}, TOLD),
    ("get_pathway", {"pathway_id": "WP:WP534", "literature": True}, [*TOLD, "literature"]),
    ("get_pathways_for_gene", {"gene_id": "TNF"}, PAGE),
    ("get_pathways_for_gene", {"gene_id": 7124, "slim": "false"}, PAGE),
    ("get_pathways_for_gene", {"gene_id": "NOSUCHGENE1"}, PAGE),
    ("get_pathway_components", {"pathway_id": "WP534"}, PARTS),
    ("get_pathway_components", {"pathway_id": "WP534", "page_size": 7}, PARTS),
    ("get_pathway_components", {"pathway_id": "WP534", "kinds": "genes OR interactions"}, PARTS),
    ("enrich_pathways", {"genes": ["HK1", "PKM", "nobody"], "page_size": 1}, ENRICHED),
    ("enrich_pathways", {"genes": "nobody", "organism": "Mus musculus"}, ENRICHED),
    ("enrich_pathways", {"genes": "HK1 PKM", "background": ["HK1", "PKM", "TNF"]}, ENRICHED),
]
WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("search_pathways", {"query": "a"}, "AMBIGUOUS_QUERY"),
    ("search_pathways", {"query": " "}, "AMBIGUOUS_QUERY"),
    ("search_pathways", {"query": "?!"}, "AMBIGUOUS_QUERY"),
    ("search_pathways", {"query": None}, "AMBIGUOUS_QUERY"),
    ("search_pathways", {"query": "apoptosis", "organism": "human"}, "INVALID_INPUT"),
    ("search_pathways", {"query": "apoptosis", "organism": "Equus caballus"}, "INVALID_INPUT"),
    ("search_pathways", {"query": "apoptosis", "page_size": 0}, "INVALID_INPUT"),
    ("search_pathways", {"query": "apoptosis", "page_size": 101}, "INVALID_INPUT"),
    ("search_pathways", {"query": "apoptosis", "page_size": "many"}, "INVALID_INPUT"),
    ("search_pathways", {"query": "apoptosis", "cursor": "damaged"}, "INVALID_INPUT"),
    ("search_pathways", {"query": "apoptosis", "slim": "perhaps"}, "INVALID_INPUT"),
    ("get_pathway", {"pathway_id": "glycolysis"}, "UNRESOLVED_ENTITY"),
    ("get_pathway", {"pathway_id": "WP:ABC"}, "INVALID_INPUT"),
    ("get_pathway", {"pathway_id": None}, "INVALID_INPUT"),
    ("get_pathway", {"pathway_id": "WP9999999"}, "ENTITY_NOT_FOUND"),
    ("get_pathway_components", {"pathway_id": "glycolysis"}, "UNRESOLVED_ENTITY"),
    ("get_pathway_components", {"pathway_id": "WP9999999"}, "ENTITY_NOT_FOUND"),
    ("get_pathways_for_gene", {"gene_id": "HGNC:abc"}, "INVALID_CROSS_REFERENCE"),
    ("get_pathways_for_gene", {"gene_id": ""}, "AMBIGUOUS_QUERY"),
    ("get_pathways_for_gene", {"gene_id": "TNF", "organism": "mouse"}, "INVALID_INPUT"),
    ("enrich_pathways", {"genes": []}, "INVALID_INPUT"),
    ("enrich_pathways", {"genes": "TNF", "organism": "rat"}, "INVALID_INPUT"),
    ("enrich_pathways", {"genes": "TNF", "organism": "Equus caballus"}, "INVALID_INPUT"),
    ("enrich_pathways", {"genes": "HGNC:abc"}, "INVALID_CROSS_REFERENCE"),
]


@pytest.mark.parametrize(("tool", "arguments", "keys"), CALLS, ids=str)
def test_answers_have_exactly_their_keys_and_no_nulls(
    starter: Tools, tool: str, arguments: dict[str, Any], keys: list[str]
) -> None:
    check_answer(starter, tool, arguments, keys)


@pytest.mark.parametrize(("tool", "arguments", "keys"), CALLS, ids=str)
def test_the_starter_set_is_labelled(
    starter: Tools, tool: str, arguments: dict[str, Any], keys: list[str]
) -> None:
    provenance = starter.wire(tool, **arguments)["provenance"]
    assert (provenance["source"], provenance["synthetic"]) == ("starter", True)
    assert any(note.startswith("Starter set") for note in provenance["notes"])


@pytest.mark.parametrize(("tool", "arguments", "code"), WRONG, ids=str)
def test_errors_are_one_envelope(
    starter: Tools, tool: str, arguments: dict[str, Any], code: str
) -> None:
    check_error(starter, tool, arguments, code)


def test_the_error_of_a_short_query_is_the_seeds(starter: Tools) -> None:
    error = starter.error("search_pathways", query="a")
    hint = error.pop("recovery_hint")
    assert hint.startswith("Use a more specific search term with at least 2 characters")
    assert error == {
        "code": "AMBIGUOUS_QUERY",
        "message": "Query 'a' is too short (minimum 2 characters required)",
        "invalid_input": "a",
    }


def test_slim_gives_four_fields_and_more_is_asked_for(starter: Tools) -> None:
    slim = starter.wire("search_pathways", query="glycolysis")
    assert all(set(item) == {"id", "title", "organism", "score"} for item in slim["items"])
    assert any("are left out" in note for note in slim["provenance"]["notes"])
    full = starter.wire("search_pathways", query="glycolysis", slim=False)
    assert not any("slim" in note for note in full["provenance"]["notes"])
    for short, item in zip(slim["items"], full["items"], strict=True):
        assert set(item) - set(short) == {"description", "component_counts"}
        assert short == {name: item[name] for name in short}
        assert set(item["component_counts"]) == {"genes", "metabolites", "interactions"}


def test_scores_fall_from_one_to_zero_over_the_whole_list(starter: Tools) -> None:
    items = starter.wire("search_pathways", query="signaling", page_size=100)["items"]
    scores = [item["score"] for item in items]
    assert len(scores) > 5
    assert (scores[0], scores[-1]) == (1.0, 0.0)
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores)


def test_a_single_hit_scores_one(starter: Tools) -> None:
    found = starter.wire("search_pathways", query="glycolysis", organism="Homo sapiens")
    assert [item["score"] for item in found["items"]] == [1.0]


def test_pages_give_the_list_once_with_the_same_scores(starter: Tools) -> None:
    whole = starter.wire("search_pathways", query="signaling", page_size=100)
    paged: list[dict[str, Any]] = []
    cursor = None
    while True:
        page = starter.wire("search_pathways", query="signaling", page_size=4, cursor=cursor)
        assert page["pagination"]["total_count"] == whole["pagination"]["total_count"]
        paged += page["items"]
        cursor = page["pagination"]["cursor"]
        if cursor is None:
            break
    assert paged == whole["items"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_pathways", {"query": "cancer"}),
        ("search_pathways", {"query": "signaling", "organism": "Homo sapiens"}),
        ("get_pathways_for_gene", {"gene_id": "TNF"}),
        ("enrich_pathways", {"genes": "TNF,AKT1"}),
    ],
    ids=str,
)
def test_a_cursor_serves_its_own_question_only(
    starter: Tools, tool: str, arguments: dict[str, Any]
) -> None:
    first = starter.wire("search_pathways", query="signaling", page_size=1)
    error = starter.error(tool, **arguments, cursor=first["pagination"]["cursor"])
    assert error["code"] == "INVALID_INPUT"
    assert "`cursor`" in error["recovery_hint"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_pathways", {"query": "signaling"}),
        ("get_pathways_for_gene", {"gene_id": "AKT1", "slim": False}),
        ("enrich_pathways", {"genes": ["TNF", "AKT1", "TP53"]}),
    ],
    ids=str,
)
def test_a_cursor_alone_continues_its_call(
    starter: Tools, tool: str, arguments: dict[str, Any]
) -> None:
    first = starter.wire(tool, **arguments, page_size=1)
    alone = starter.wire(tool, cursor=first["pagination"]["cursor"])
    repeated = starter.wire(tool, **arguments, page_size=1, cursor=first["pagination"]["cursor"])
    assert alone == repeated
    assert alone["items"] == starter.wire(tool, **arguments, page_size=2)["items"][1:]


def test_enrichment_is_paged(starter: Tools) -> None:
    asked = {"genes": ["TNF", "AKT1", "TP53"], "page_size": 2}
    first = starter.wire("enrich_pathways", **asked)
    second = starter.wire("enrich_pathways", **asked, cursor=first["pagination"]["cursor"])
    whole = starter.wire("enrich_pathways", **{**asked, "page_size": 100})
    assert first["items"] + second["items"] == whole["items"][:4]
    assert whole["pagination"]["cursor"] is None
    assert whole["pagination"]["total_count"] == len(whole["items"])


def parts_of(page: dict[str, Any]) -> list[tuple[str, str]]:
    return [(kind, each["id"]) for kind in (*GROUPS, "interactions") for each in page[kind]]


def test_pages_of_components_give_every_part_once_in_order(starter: Tools) -> None:
    whole = starter.wire("get_pathway_components", pathway_id="WP534", page_size=200)
    assert whole["pagination"]["cursor"] is None
    page = starter.wire("get_pathway_components", pathway_id="WP534", page_size=7)
    found = parts_of(page)
    while page["pagination"]["cursor"]:
        page = starter.wire("get_pathway_components", cursor=page["pagination"]["cursor"])
        assert page["component_counts"] == whole["component_counts"]
        found += parts_of(page)
    assert found == parts_of(whole)
    assert (
        page["pagination"]["total_count"] == len(found) == sum(whole["component_counts"].values())
    )


def test_components_of_some_kinds_are_those_of_the_whole(starter: Tools) -> None:
    asked = {"pathway_id": "WP534", "page_size": 200}
    whole = starter.wire("get_pathway_components", **asked)
    some = starter.wire("get_pathway_components", **asked, kinds="interactions")
    assert some["interactions"] == whole["interactions"]
    assert all(some[group] == [] for group in GROUPS)
    error = starter.error("get_pathway_components", pathway_id="WP534", kinds="lines")
    assert "interactions" in f"{error['message']} {error['recovery_hint']}"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_pathways", {"query": "signaling", "organism": "Homo sapiens"}),
        ("get_pathways_for_gene", {"gene_id": "TNF"}),
        ("enrich_pathways", {"genes": "TNF AKT1", "background": "TNF AKT1 HK1 PKM IL6 TP53 MYC"}),
        ("get_pathway_components", {"pathway_id": "WP534"}),
    ],
    ids=str,
)
def test_a_cursor_alone_continues_and_with_other_arguments_is_refused(
    starter: Tools, tool: str, arguments: dict[str, Any]
) -> None:
    first = starter.wire(tool, **arguments, page_size=1)
    cursor = first["pagination"]["cursor"]
    alone = starter.wire(tool, cursor=cursor)
    assert alone == starter.wire(tool, **arguments, page_size=1, cursor=cursor)
    assert (alone["items"] if "items" in alone else parts_of(alone)) != []
    error = starter.error(tool, **{**arguments, "page_size": 2}, cursor=cursor)
    assert error["code"] == "INVALID_INPUT"
    assert "differs" in error["message"]


def test_a_cursor_does_not_carry_a_long_list_of_genes(starter: Tools) -> None:
    genes = ["TNF", "AKT1", *(f"NOGENE{number}" for number in range(300))]
    first = starter.wire("enrich_pathways", genes=genes, page_size=1)
    cursor = first["pagination"]["cursor"]
    assert len(cursor) < 1_000
    error = starter.error("enrich_pathways", cursor=cursor)
    assert error["recovery_hint"] == "Repeat `genes` with the cursor."
    second = starter.wire("enrich_pathways", genes=genes, page_size=1, cursor=cursor)
    assert second["items"] != first["items"]
    other = starter.error("enrich_pathways", genes=genes[1:], page_size=1, cursor=cursor)
    assert "differs" in other["message"]


def test_misspelt_words_are_put_right_and_told(starter: Tools) -> None:
    found = starter.wire("search_pathways", query="glycolisis")
    assert found["understood"]["query"] == {"asked": "glycolisis", "corrected": "glycolysis"}
    assert found["items"] == starter.wire("search_pathways", query="glycolysis")["items"]


def test_words_that_are_not_clear_are_offered_as_calls(starter: Tools) -> None:
    told = starter.wire("search_pathways", query="kraz signaling")
    nearest = told["understood"]["query"]["nearest"]
    assert nearest
    assert told["next"][0]["tool"] == "search_pathways"
    assert nearest[0] in told["next"][0]["arguments"]["query"]


@pytest.mark.parametrize(
    ("gene", "how"),
    [
        ("TP53", "symbol"),
        ("7157", "Entrez id"),
        ("ENSG00000141510", "Ensembl id"),
        ("P04637", "UniProt accession"),
        ("HGNC:11998", "HGNC accession"),
    ],
)
def test_the_gene_that_was_understood_is_told(starter: Tools, gene: str, how: str) -> None:
    answer = starter.wire("get_pathways_for_gene", gene_id=gene)
    told = answer["understood"]["gene_id"]
    assert (told["asked"], told["name"], told["how"]) == (gene, "TP53", how)
    assert answer["items"] == starter.wire("get_pathways_for_gene", gene_id="TP53")["items"]


def test_an_unknown_gene_leads_to_a_search(starter: Tools) -> None:
    answer = starter.wire("get_pathways_for_gene", gene_id="NOSUCHGENE1")
    assert answer["understood"]["gene_id"] == {"asked": "NOSUCHGENE1", "known": False}
    assert answer["next"][0]["tool"] == "search_pathways"


@pytest.mark.parametrize(("tool", "arguments", "keys"), CALLS, ids=str)
def test_next_calls_can_be_made_as_they_stand(
    starter: Tools, tool: str, arguments: dict[str, Any], keys: list[str]
) -> None:
    answer = starter.wire(tool, **arguments)
    assert len(answer["next"]) <= 3
    for call in answer["next"]:
        if call["tool"] != "search_trials":
            check(call["tool"], starter.wire(call["tool"], **call["arguments"]))


def test_the_organism_is_exact(starter: Tools) -> None:
    found = starter.wire("search_pathways", query="glycolysis", organism="Mus musculus")
    assert {item["organism"] for item in found["items"]} == {"Mus musculus"}


@pytest.mark.parametrize("common", ["human", "mouse", "rat", "homo sapiens", "H. sapiens"])
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_pathways", {"query": "glycolysis"}),
        ("get_pathways_for_gene", {"gene_id": "TNF"}),
        ("enrich_pathways", {"genes": "TNF"}),
    ],
    ids=str,
)
def test_the_scientific_name_in_the_hint_works(
    starter: Tools, tool: str, arguments: dict[str, Any], common: str
) -> None:
    error = starter.error(tool, **arguments, organism=common)
    meant = re.fullmatch(r"Give `organism='(\w+ \w+)'`\.", error["recovery_hint"])
    assert meant
    check(tool, starter.wire(tool, **arguments, organism=meant[1]))


def test_an_organism_of_the_hint_works(starter: Tools) -> None:
    error = starter.error("search_pathways", query="glycolysis", organism="Equus caballus")
    listed = error["recovery_hint"].partition("such as ")[2].rstrip(".").split(", ")
    for organism in listed:
        check("search_pathways", starter.wire("search_pathways", query="xx", organism=organism))


@pytest.mark.parametrize("tool", ["get_pathway", "get_pathway_components"])
def test_free_text_leads_over_the_search_to_the_pathway(starter: Tools, tool: str) -> None:
    error = starter.error(tool, pathway_id="glycolysis")
    assert error["code"] == "UNRESOLVED_ENTITY"
    query = re.search(r"Call search_pathways with query='(.+)' and pass", error["recovery_hint"])
    assert query
    found = starter.wire("search_pathways", query=query[1])
    check(tool, starter.wire(tool, pathway_id=found["items"][0]["id"]))


def test_a_bare_number_leads_to_the_id(starter: Tools) -> None:
    meant = re.search(r"WP\d+", starter.error("get_pathway", pathway_id="554")["recovery_hint"])
    assert meant
    assert starter.wire("get_pathway", pathway_id=meant[0])["id"] == "WP:WP554"


@pytest.mark.parametrize(
    "spelling",
    [
        *("WP:WP554", "WP554", " wp554 ", "wp:554", "wikipathways:WP554", "'WP554'", '["WP554"]'),
        "https://www.wikipathways.org/instance/WP554",
        "https://www.wikipathways.org/pathways/WP554.html",
    ],
)
def test_an_id_is_understood_in_any_spelling(starter: Tools, spelling: str) -> None:
    assert starter.wire("get_pathway", pathway_id=spelling)["id"] == "WP:WP554"


def test_a_pathway_the_starter_set_lacks_is_told_with_the_way_to_it(starter: Tools) -> None:
    hint = starter.error("get_pathway", pathway_id="WP9999999")["recovery_hint"]
    assert "search_pathways" in hint
    assert "trialyst pathways sync" in hint


def test_one_gene_is_the_same_in_every_id_system(starter: Tools) -> None:
    spellings = ["TNF", "tnf", 7124, "7124", "ncbigene:7124", "ENSG00000232810", "P01375"]
    found = [
        [item["id"] for item in starter.wire("get_pathways_for_gene", gene_id=each)["items"]]
        for each in [*spellings, "HGNC:11892"]
    ]
    assert found[0]
    assert all(each == found[0] for each in found)


def test_every_pathway_of_a_gene_lists_it(starter: Tools) -> None:
    for item in starter.wire("get_pathways_for_gene", gene_id="TNF")["items"]:
        assert item["score"] == 1.0
        assert "TNF" in starter.wire("get_pathway", pathway_id=item["id"])["genes"]


def test_counts_of_a_candidate_are_those_of_the_pathway_and_its_components(starter: Tools) -> None:
    for item in starter.wire("search_pathways", query="signaling", slim=False)["items"][:5]:
        pathway = starter.wire("get_pathway", pathway_id=item["id"])
        parts = starter.wire("get_pathway_components", pathway_id=item["id"], page_size=200)
        told, counts = item["component_counts"], pathway["component_counts"]
        assert told["interactions"] == counts["interactions"] == len(parts["interactions"])
        assert told["metabolites"] == counts["metabolites"] == len(parts["metabolites"])
        assert told["genes"] == len(pathway["genes"])
        assert {kind: counts[kind] for kind in GROUPS} == {k: len(parts[k]) for k in GROUPS}


def test_ends_of_interactions_are_components_or_interactions_of_the_pathway(
    starter: Tools,
) -> None:
    parts = starter.wire("get_pathway_components", pathway_id="WP534", page_size=200)
    components = {each["id"] for kind in GROUPS for each in parts[kind]}
    known = components | {each["id"] for each in parts["interactions"]}
    ends = [each[side]["id"] for each in parts["interactions"] for side in ("source", "target")]
    assert ends
    assert set(ends) <= known


def test_genes_of_a_pathway_lead_back_to_it(starter: Tools) -> None:
    pathway = starter.wire("get_pathway", pathway_id="WP534")
    found = starter.wire("enrich_pathways", genes=pathway["genes"])
    first = found["items"][0]
    assert first["id"] == "WP:WP534"
    assert first["overlap"] == sorted(pathway["genes"])
    assert first["adjusted_p_value"] < 1e-6
    assert found["background"]["given"] is False
    assert str(found["background"]["count"]) in found["background"]["description"]


def test_what_became_of_each_gene_is_told(starter: Tools) -> None:
    given = ["HK1", "hk1", "ncbigene:3098", "P14618", "nobody"]
    genes = starter.wire("enrich_pathways", genes=given)["genes"]
    assert genes["used"] == ["HK1", "PKM"]
    assert genes["renamed"] == [{"given": "P14618", "symbol": "PKM"}]
    assert {each["given"] for each in genes["repeated"]} == {"hk1", "ncbigene:3098"}
    assert genes["unrecognised"] == ["nobody"]


def test_words_that_no_pathway_has_are_told(starter: Tools) -> None:
    notes = starter.wire("search_pathways", query="glycolysis xyzzyplugh")["provenance"]["notes"]
    assert any("'xyzzyplugh'" in note for note in notes)
