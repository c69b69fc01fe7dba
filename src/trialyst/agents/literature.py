"""The Literature agent: papers on the trials, with their text where PubMed may be asked.

As of a past day a paper is shown only if PubMed dates it by then: the registry links papers later
and does not say when.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from trialyst.agents.findings import CitedPaper, LiteratureFinding, Question
from trialyst.agents.sentences import Sentence, coverage, finding, of
from trialyst.agents.wording import shorten
from trialyst.ctgov.dates import PartialDate
from trialyst.pubmed import Paper, PubMed, to_pmid
from trialyst.repurposing.queries import read_cutoff

__all__ = ["run_literature_agent"]

MOST_PAPERS = 200
"""Papers asked for: those of the trials that matter most come first."""
_TOLD = 20


async def run_literature_agent(
    pubmed: PubMed | None, cited: Mapping[str, Sequence[str]], question: Question
) -> LiteratureFinding:
    """Give the papers behind PMIDs, which come with the ids of their trials.

    Without a PubMed they are listed only.
    """
    asked = dict(list(cited.items())[:MOST_PAPERS])
    cut = len(cited) - len(asked)
    notes = [f"{of(cut, 'more paper')} not looked at."] if cut else []
    if pubmed is None:
        papers = () if question.point_in_time else _listed(asked)
        told = _tell_unread(papers, question, any_cited=bool(asked))
        return LiteratureFinding(papers=papers, sentences=tuple(told), notes=tuple(notes))
    readable = {whole: ids for pmid, ids in asked.items() if (whole := to_pmid(pmid))}
    wrong = tuple(pmid for pmid in asked if to_pmid(pmid) is None)
    answer = await pubmed.get_papers(readable)
    if answer.problem:
        notes.append(f"PubMed could not be asked about everything: {answer.problem}.")
    if question.point_in_time:
        notes.append("Papers that PubMed does not date by the cutoff are left out.")
    known = [paper for paper in answer.found if _is_known(paper, question)]
    read = tuple(
        CitedPaper(pmid=paper.pmid, nct_ids=tuple(readable[paper.pmid]), paper=paper)
        for paper in known
    )
    hides = question.point_in_time
    missing = (*answer.missing, *wrong)
    unfound = {pmid: (asked | readable)[pmid] for pmid in (*answer.unasked, *missing)}
    unread = () if hides else _listed(unfound)
    return LiteratureFinding(
        papers=(*read, *unread),
        asked_pubmed=True,
        missing=() if hides else missing,
        unasked=() if hides else answer.unasked,
        sentences=tuple(_tell_read(read, unread)),
        notes=tuple(notes),
    )


def _listed(cited: Mapping[str, Sequence[str]]) -> tuple[CitedPaper, ...]:
    return tuple(CitedPaper(pmid=pmid, nct_ids=tuple(ids)) for pmid, ids in cited.items())


def _is_known(paper: Paper, question: Question) -> bool:
    """Say whether a paper had appeared by the cutoff, by the earlier of its dates that is whole."""
    cutoff = read_cutoff(question.date_before, point_in_time=question.point_in_time)
    if cutoff is None or not question.point_in_time:
        return True
    dates = [PartialDate.parse(text).last_day for text in (paper.listed, paper.published) if text]
    return bool(dates) and min(dates) <= cutoff


def _tell_unread(
    papers: Sequence[CitedPaper], question: Question, *, any_cited: bool
) -> Iterator[Sentence]:
    if papers:
        trials = dict.fromkeys(nct_id for paper in papers for nct_id in paper.nct_ids)
        yield finding(
            f"The registry links {of(len(papers), 'paper')} on {len(trials):,} of these trials.",
            trials,
            (paper.pmid for paper in papers),
        )
        yield coverage("PubMed was not asked, so titles and abstracts are not shown.")
    elif question.point_in_time:
        yield coverage(
            "Papers are not shown: the registry does not date its links, and PubMed was not asked."
        )
    elif not any_cited:
        yield coverage("The registry links no paper on these trials.")


def _tell_read(read: Sequence[CitedPaper], unread: Sequence[CitedPaper]) -> Iterator[Sentence]:
    if not read and not unread:
        yield coverage("The registry links no paper on these trials.")
    for cited in read[:_TOLD]:
        yield _tell_paper(cited)
    if len(read) > _TOLD:
        rest = read[_TOLD:]
        yield finding(
            f"{of(len(rest), 'more paper')} in the JSON of this dossier.",
            (nct_id for paper in rest for nct_id in paper.nct_ids),
            (paper.pmid for paper in rest),
        )
    if unread:
        yield finding(
            f"PubMed gave nothing for {of(len(unread), 'PMID')}.",
            (nct_id for paper in unread for nct_id in paper.nct_ids),
            (paper.pmid for paper in unread),
        )


def _tell_paper(cited: CitedPaper) -> Sentence:
    paper = cited.paper
    assert paper is not None
    where = ", ".join(filter(None, (paper.journal, paper.published)))
    mark = "RETRACTED: " if paper.retracted else ""
    conclusion = next(
        (part.text for part in reversed(paper.abstract) if (part.label or "").startswith("CONCL")),
        None,
    )
    title = (paper.title or "Untitled").rstrip(".")
    end = f'; concluding "{shorten(conclusion).rstrip(".")}"' if conclusion else ""
    return finding(f'{mark}"{title}" ({where}){end}.', cited.nct_ids, [cited.pmid])
