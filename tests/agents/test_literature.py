from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from tests.pubmed.eutils import Eutils, answering, article
from tests.transport.scripted import ScriptedClock
from trialyst.agents import Question, run_literature_agent
from trialyst.agents.findings import LiteratureFinding
from trialyst.pubmed import open_pubmed
from trialyst.settings import Settings

QUESTION = Question(drug="metformin", condition="asthma")
CITED = {"101": ("NCT00000001",), "102": ("NCT00000001", "NCT00000002")}
BEFORE = QUESTION.model_copy(update={"date_before": "2020-12-31", "point_in_time": True})


@pytest.fixture
def eutils() -> Iterator[Eutils]:
    """Two papers, listed in November 2020."""
    with answering({pmid: article(pmid, title=f"Paper {pmid}") for pmid in CITED}) as started:
        yield started


def _read(
    eutils: Eutils,
    home: Path,
    *,
    cited: Mapping[str, Sequence[str]] = CITED,
    question: Question = QUESTION,
) -> LiteratureFinding:
    environ = {"TRIALYST_HOME": str(home), "TRIALYST_PUBMED_URL": eutils.url}

    async def ask() -> LiteratureFinding:
        pubmed = open_pubmed(Settings.from_environment(environ), clock=ScriptedClock())
        try:
            return await run_literature_agent(pubmed, cited, question)
        finally:
            await pubmed.aclose()

    return asyncio.run(ask())


def test_without_pubmed_papers_are_listed_only() -> None:
    found = asyncio.run(run_literature_agent(None, CITED, QUESTION))
    assert [(paper.pmid, paper.paper) for paper in found.papers] == [("101", None), ("102", None)]
    assert found.sentences[0].pmids == ("101", "102")
    assert not found.asked_pubmed


def test_titles_and_trials_stand_beside_each_paper(eutils: Eutils, tmp_path: Path) -> None:
    found = _read(eutils, tmp_path)
    first, second = found.sentences
    assert '"Paper 101"' in first.cited
    assert first.cited.endswith("(NCT00000001; PMID 101).")
    assert second.nct_ids == CITED["102"]


def test_pmids_that_pubmed_does_not_know_are_told(eutils: Eutils, tmp_path: Path) -> None:
    found = _read(eutils, tmp_path, cited={**CITED, "999": ("NCT00000003",)})
    assert found.missing == ("999",)
    assert found.sentences[-1].cited == "PubMed gave nothing for 1 PMID (NCT00000003; PMID 999)."


def test_what_a_record_gives_as_pmid_and_is_none_does_no_harm(
    eutils: Eutils, tmp_path: Path
) -> None:
    cited = {"PMC77": ("NCT00000003",), "00101": ("NCT00000001",)}
    found = _read(eutils, tmp_path, cited=cited)
    assert [paper.pmid for paper in found.papers if paper.paper] == ["101"]
    assert found.missing == ("PMC77",)


def test_a_pubmed_that_fails_leaves_the_list(eutils: Eutils, tmp_path: Path) -> None:
    eutils.failing = True
    found = _read(eutils, tmp_path)
    assert found.unasked == ("101", "102")
    assert [paper.pmid for paper in found.papers] == ["101", "102"]
    assert any("could not be asked" in note for note in found.notes)


def test_a_retracted_paper_is_marked(eutils: Eutils, tmp_path: Path) -> None:
    note = (
        '<CommentsCorrectionsList><CommentsCorrections RefType="RetractionIn"/>'
        "</CommentsCorrectionsList>"
    )
    eutils.articles["101"] = article("101", extra=note)
    assert _read(eutils, tmp_path).sentences[0].text.startswith("RETRACTED")


def test_as_of_a_past_day_only_papers_of_that_time_are_shown(
    eutils: Eutils, tmp_path: Path
) -> None:
    eutils.articles["102"] = article("102", year="2022").replace(
        "<Year>2020</Year><Month>11</Month>", "<Year>2022</Year><Month>2</Month>"
    )
    found = _read(eutils, tmp_path, cited={**CITED, "999": ("NCT00000003",)}, question=BEFORE)
    assert [paper.pmid for paper in found.papers] == ["101"]
    assert (found.missing, found.unasked) == ((), ())


def test_as_of_a_past_day_undated_papers_are_not_shown() -> None:
    found = asyncio.run(run_literature_agent(None, CITED, BEFORE))
    assert found.papers == ()
    assert not any(sentence.pmids for sentence in found.sentences)


def test_no_paper_at_all_is_told(eutils: Eutils, tmp_path: Path) -> None:
    assert "links no paper" in _read(eutils, tmp_path, cited={}).sentences[0].text
    assert eutils.asked == []
