"""Every sentence cites, every file stands alone, and nothing is there by chance."""

from __future__ import annotations

import html
import json
import re

import pytest

from tests.agents.rendered import IDS, ask, sentences_of, shown_text, text_of
from tests.agents.test_rephrasing import Scripted
from trialyst.agents import Dossier, DossierForm, Question, render_dossier
from trialyst.agents.document import Grid, Picture
from trialyst.agents.layout import lay_out
from trialyst.agents.sentences import SentenceKind
from trialyst.errors import InvalidInput
from trialyst.repurposing import RepurposingClient

pytestmark = pytest.mark.slow

TESTED = Question(drug="semaglutide", condition="type 2 diabetes")
GAP = Question(drug="semaglutide", condition="melanoma")


@pytest.fixture(scope="module")
def tested(starter_client: RepurposingClient) -> Dossier:
    return ask(starter_client, TESTED)


@pytest.fixture(scope="module")
def gap(starter_client: RepurposingClient) -> Dossier:
    return ask(starter_client, GAP)


@pytest.fixture(scope="module", params=["tested", "gap", "real", "real class"])
def dossier(request: pytest.FixtureRequest) -> Dossier:
    """Dossiers on invented and on real records."""
    if not request.param.startswith("real"):
        found: Dossier = request.getfixturevalue(request.param)
        return found
    client = request.getfixturevalue("real_client")
    condition = "NSCLC" if request.param == "real" else "melanoma"
    return ask(client, Question(drug="pembrolizumab", condition=condition))


@pytest.fixture(scope="module")
def page(dossier: Dossier) -> str:
    return text_of(dossier, DossierForm.HTML)


def test_every_sentence_carries_an_id_or_is_on_method_or_coverage(dossier: Dossier) -> None:
    told = sentences_of(lay_out(dossier))
    assert any(sentence.kind is SentenceKind.FINDING for sentence in told)
    for sentence in told:
        if sentence.kind is SentenceKind.FINDING:
            assert IDS.search(sentence.cited.rpartition("(")[2]), sentence.cited
        else:
            assert not sentence.nct_ids
            assert not sentence.pmids


def test_every_sentence_is_in_the_text_as_it_is(dossier: Dossier, page: str) -> None:
    page = html.unescape(re.sub(r"<[^>]+>", "", page))
    for sentence in sentences_of(lay_out(dossier)):
        assert sentence.cited in page


def test_every_trial_that_is_cited_exists(dossier: Dossier, request: pytest.FixtureRequest) -> None:
    synthetic = dossier.provenance.synthetic
    client = request.getfixturevalue("starter_client" if synthetic else "real_client")
    cited = sorted({nct_id for each in dossier.sentences for nct_id in each.nct_ids})
    found = {trial for trial in cited if _exists(client, trial)}
    assert found == set(cited)


def _exists(client: RepurposingClient, nct_id: str) -> bool:
    import asyncio

    return asyncio.run(client.get_trial(nct_id)).nct_id == nct_id


@pytest.mark.parametrize("form", DossierForm)
def test_the_same_records_give_the_same_bytes(
    starter_client: RepurposingClient, tested: Dossier, form: DossierForm
) -> None:
    written = render_dossier(tested, form)
    assert written == render_dossier(ask(starter_client, TESTED), form)
    if form is DossierForm.PDF:
        assert written.startswith(b"%PDF-")
        assert written.rstrip().endswith(b"%%EOF")


def test_a_page_loads_nothing_and_runs_nothing(page: str) -> None:
    assert not re.search(r"<(?:script|link|iframe|object|embed|img|base)\b", page)
    assert not re.search(r"@import|url\(\s*['\"]?(?!#)|\bsrc\s*=|srcset", page)
    assert not re.search(r"\son\w+\s*=", page)
    links = set(re.findall(r'href="([^"]+)"', page))
    known = ("https://clinicaltrials.gov/study/NCT", "https://pubmed.ncbi.nlm.nih.gov/", "#")
    assert all(link.startswith(known) for link in links)
    assert "default-src 'none'" in html.unescape(page)


def test_invented_records_are_unmistakable_in_every_file(tested: Dossier) -> None:
    for form in (DossierForm.HTML, DossierForm.MARKDOWN):
        page = text_of(tested, form)
        assert page.index("SYNTHETIC RECORDS") < page.index("At a glance")
        assert "clinicaltrials.gov/study" not in page
    assert json.loads(text_of(tested, DossierForm.JSON))["provenance"]["synthetic"] is True


def test_all_four_charts_are_there(tested: Dossier) -> None:
    titles = [
        block.title
        for section in lay_out(tested).sections
        for block in section.blocks
        if isinstance(block, Picture)
    ]
    for wanted in ("by phase", "by year", "competitors", "stopped"):
        assert any(wanted in title for title in titles), wanted


COUNTS = ("How far drugs went in this condition", "End points used in the field")
"""Tables whose rows count trials over the whole field, and list none."""


def test_every_row_of_trials_has_its_id(dossier: Dossier) -> None:
    grids = [
        block
        for section in lay_out(dossier).sections
        for block in section.blocks
        if isinstance(block, Grid) and block.heads and "to" not in block.heads[0]
    ]
    for grid in grids:
        if grid.title in COUNTS:
            continue
        assert all(any(IDS.search(cell) for cell in row) for row in grid.rows), grid.title


def test_the_json_file_has_every_term_of_every_severity(tested: Dossier) -> None:
    value = json.loads(text_of(tested, DossierForm.JSON))
    concerns = value["critique"]["concerns"]
    assert concerns
    for concern in concerns:
        assert [term["name"] for term in concern["severity_terms"]] == [
            *("reason", "status", "closeness"),
            *("fixed", "phase", "people", "recency", "paper"),
        ]


def test_a_gap_says_so_and_does_not_claim_more(gap: Dossier) -> None:
    text = shown_text(gap)
    assert "No trial of semaglutide in melanoma is registered in this source" in text
    assert gap.trial is not None
    assert gap.trial.trial_evidence.total_count == 0


def test_a_part_of_the_registry_is_told_to_be_one(real_client: RepurposingClient) -> None:
    dossier = ask(real_client, Question(drug="semaglutide", condition="asthma"))
    page = text_of(dossier, DossierForm.MARKDOWN)
    assert "a part of ClinicalTrials.gov" in page.partition("## At a glance")[0]


def test_approvals_are_said_not_to_be_consulted(dossier: Dossier) -> None:
    assert any("approvals" in each.text for each in dossier.coverage)


def test_a_drug_that_nothing_knows_is_told(starter_client: RepurposingClient) -> None:
    dossier = ask(starter_client, Question(drug="semaglutidee", condition="asthma"))
    assert dossier.trial is not None
    assert dossier.trial.whitespace_signal.grade == "unknown_name"
    assert "'semaglutidee'" in shown_text(dossier)


@pytest.mark.parametrize(
    ("drug", "condition", "told"),
    [
        ("GLP-1 receptor agonists", "obesity", "is a class of drugs"),
        ("metformin", "MS", "'MS' may mean"),
        ("semaglutidee", "asthma", "Written alike: semaglutide"),
    ],
)
def test_what_may_be_meant_otherwise_is_told_first(
    starter_client: RepurposingClient, drug: str, condition: str, told: str
) -> None:
    page = text_of(
        ask(starter_client, Question(drug=drug, condition=condition)), DossierForm.MARKDOWN
    )
    assert told in page.partition("## At a glance")[0]


def test_what_cannot_be_asked_is_the_callers_to_know(starter_client: RepurposingClient) -> None:
    with pytest.raises(InvalidInput, match="not a date"):
        ask(starter_client, TESTED.model_copy(update={"date_before": "soon"}))


def test_a_hostile_name_stays_text(starter_client: RepurposingClient) -> None:
    question = Question(drug="<script>alert(1)</script>", condition="asthma | `x` [y](z)")
    dossier = ask(starter_client, question)
    assert "<script>" not in text_of(dossier, DossierForm.HTML)
    assert "[y](" not in text_of(dossier, DossierForm.MARKDOWN)
    assert render_dossier(dossier, DossierForm.PDF).startswith(b"%PDF-")


def test_a_model_that_invents_changes_nothing_but_the_count(
    starter_client: RepurposingClient, tested: Dossier
) -> None:
    model = Scripted(lambda text: f"{text} 77 more trials succeeded.")
    told = ask(starter_client, TESTED, rephraser=model)
    assert shown_text(told) == shown_text(tested)
    assert told.refused_rephrasings
    assert any("language model" in each.text for each in told.coverage)
