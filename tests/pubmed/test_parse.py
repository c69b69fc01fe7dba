from __future__ import annotations

import pytest

from tests.pubmed.eutils import article, article_set
from trialyst.pubmed import Paper, parse_papers

BOOK = """<PubmedBookArticle><BookDocument><PMID Version="1">20301425</PMID>
<Book><BookTitle>A Handbook</BookTitle><PubDate><Year>1993</Year></PubDate></Book>
<ArticleTitle>A chapter</ArticleTitle><Abstract><AbstractText>Short.</AbstractText></Abstract>
</BookDocument><PubmedBookData><History><PubMedPubDate PubStatus="entrez"><Year>2010</Year>
<Month>3</Month><Day>20</Day></PubMedPubDate></History></PubmedBookData></PubmedBookArticle>"""


def _one(xml: str) -> Paper:
    (paper,) = parse_papers(article_set(xml))
    return paper


def test_every_part_of_an_article_is_read() -> None:
    paper = _one(article("33000001", title="Drug & placebo"))
    assert paper.model_dump(exclude={"abstract"}) == {
        "pmid": "33000001",
        "title": "Drug & placebo",
        "journal": "The Journal of Invented Medicine",
        "published": "2021-03-25",
        "listed": "2020-11-14",
        "authors": ("Doe J", "Invented Group"),
        "doi": "10.9999/invented.33000001",
        "types": ("Randomized Controlled Trial",),
        "retracted": False,
    }


def test_words_inside_markup_of_an_abstract_are_kept() -> None:
    paper = _one(article("1"))
    assert paper.abstract_text == "BACKGROUND: Not known. RESULTS: HbA1c fell by 0.4 points."


def test_a_book_chapter_is_a_paper_too() -> None:
    paper = _one(BOOK)
    assert (paper.pmid, paper.title, paper.published) == ("20301425", "A chapter", "1993")
    assert (paper.journal, paper.listed) == ("A Handbook", "2010-03-20")


def test_a_retraction_is_told() -> None:
    note = (
        '<CommentsCorrectionsList><CommentsCorrections RefType="RetractionIn">'
        "<RefSource>J</RefSource></CommentsCorrections></CommentsCorrectionsList>"
    )
    assert _one(article("1", extra=note)).retracted
    assert not _one(article("1", extra=note.replace("RetractionIn", "Cites"))).retracted


@pytest.mark.parametrize(
    ("printed", "read"),
    [
        ("<Year>1998</Year>", "1998"),
        ("<Year>1998</Year><Month>02</Month>", "1998-02"),
        ("<Year>1998</Year><Month>Dec</Month>", "1998-12"),
        ("<Year>1998</Year><Season>Spring</Season>", "1998"),
        ("<MedlineDate>1998 Dec-1999 Jan</MedlineDate>", "1998"),
        ("<MedlineDate>undated</MedlineDate>", None),
        ("<Year>1998</Year><Month>Feb</Month><Day>31</Day>", None),
    ],
)
def test_dates_keep_their_precision(printed: str, read: str | None) -> None:
    whole = "<Year>2021</Year><Month>Mar</Month><Day>25</Day>"
    assert _one(article("1").replace(whole, printed)).published == read


def test_an_answer_without_any_known_id_is_empty() -> None:
    assert parse_papers(b"<eFetchResult><ERROR>ID list is empty!</ERROR></eFetchResult>") == ()


@pytest.mark.parametrize("data", [b"", b"<html><body>Sorry</body></html>", b"<eFetchResult/>"])
def test_what_is_no_list_of_papers_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"empty|no list of papers"):
        parse_papers(data)
