"""The E-utilities on loopback: `efetch` of invented papers over real HTTP, as PubMed answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

from tests.serving import QuietHandler, handling

__all__ = ["Eutils", "answering", "article", "article_set"]

_HEAD = (
    '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC '
    '"-//NLM//DTD PubMedArticle, 1st January 2025//EN" '
    '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n'
)
_NONE = (
    "<eFetchResult><ERROR>ID list is empty! Possibly it has no correct IDs.</ERROR></eFetchResult>"
)


def article(pmid: str, *, title: str = "A trial", extra: str = "", year: str = "2021") -> str:
    """Give an article as `efetch` writes it, with all that we read."""
    return f"""<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM">
<PMID Version="1">{pmid}</PMID>
<Article PubModel="Print-Electronic"><Journal><ISSN IssnType="Electronic">1533-4406</ISSN>
<JournalIssue CitedMedium="Internet"><Volume>1</Volume>
<PubDate><Year>{year}</Year><Month>Mar</Month><Day>25</Day></PubDate></JournalIssue>
<Title>The Journal of Invented Medicine</Title></Journal>
<ArticleTitle>{escape(title)}</ArticleTitle>
<ELocationID EIdType="doi" ValidYN="Y">10.9999/invented.{pmid}</ELocationID>
<Abstract><AbstractText Label="BACKGROUND" NlmCategory="BACKGROUND">Not known.</AbstractText>
<AbstractText Label="RESULTS">HbA<sub>1c</sub> fell by <i>0.4</i> points.</AbstractText></Abstract>
<AuthorList CompleteYN="Y"><Author ValidYN="Y"><LastName>Doe</LastName><ForeName>Jane</ForeName>
<Initials>J</Initials></Author><Author><CollectiveName>Invented Group</CollectiveName></Author>
</AuthorList><PublicationTypeList>
<PublicationType UI="D016449">Randomized Controlled Trial</PublicationType></PublicationTypeList>
</Article>{extra}</MedlineCitation><PubmedData><History>
<PubMedPubDate PubStatus="received"><Year>2020</Year><Month>1</Month><Day>2</Day></PubMedPubDate>
<PubMedPubDate PubStatus="pubmed"><Year>2020</Year><Month>11</Month><Day>14</Day></PubMedPubDate>
</History><ArticleIdList><ArticleId IdType="pubmed">{pmid}</ArticleId>
<ArticleId IdType="doi">10.9999/invented.{pmid}</ArticleId></ArticleIdList></PubmedData>
</PubmedArticle>"""


def article_set(*articles: str) -> bytes:
    """Give whole articles as one answer."""
    return f"{_HEAD}<PubmedArticleSet>{''.join(articles)}</PubmedArticleSet>".encode()


class Eutils:
    """What is known here, what was asked, and whether it answers at all."""

    def __init__(self, articles: Mapping[str, str]) -> None:
        self.articles = dict(articles)
        self.asked: list[Mapping[str, str]] = []
        self.failing = False
        self.url = ""

    def respond(self, target: str) -> tuple[int, bytes]:
        parts = urlsplit(target)
        params = {name: values[0] for name, values in parse_qs(parts.query).items()}
        self.asked.append(params)
        if self.failing:
            return 500, b"out of order"
        if not parts.path.endswith("/efetch.fcgi") or params.get("db") != "pubmed":
            return 404, b"no such utility"
        found = [self.articles[each] for each in params["id"].split(",") if each in self.articles]
        return (200, article_set(*found)) if found else (400, _NONE.encode())


@contextmanager
def answering(articles: Mapping[str, str]) -> Iterator[Eutils]:
    """Serve some papers on a free port of loopback."""
    eutils = Eutils(articles)

    class Handler(QuietHandler):
        def do_GET(self) -> None:
            status, body = eutils.respond(self.path)
            self.send_response(status)
            self.send_header("Content-Type", "text/xml; charset=UTF-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with handling(Handler) as address:
        eutils.url = f"{address}/entrez/eutils"
        yield eutils
