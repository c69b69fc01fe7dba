"""The XML of `efetch` to papers. Papers and book chapters are read; anything else is passed over.

Raises ValueError for an answer that is no list of papers, so that the transport asks again.
"""

from __future__ import annotations

import datetime
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

from trialyst.markup import parse_markup
from trialyst.pubmed.paper import AbstractPart, Paper

__all__ = ["NO_SUCH_ID", "parse_papers"]

NO_SUCH_ID = "ID list is empty"
"""How the service says that it knows none of the ids; with status 200 or 400."""

_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_YEAR = re.compile(r"\b(1[89]|20)\d\d\b")
_RETRACTED = "Retracted Publication"


def parse_papers(data: bytes) -> tuple[Paper, ...]:
    """Give the papers of an answer, in its order."""
    root, _ = parse_markup(data)
    if root.tag != "PubmedArticleSet":
        words = _text(root) or root.tag
        if NO_SUCH_ID in words:
            return ()
        raise ValueError(f"no list of papers: {words[:200]}")
    return tuple(_papers(root))


def _papers(root: ET.Element) -> Iterator[Paper]:
    for element in root:
        citation = element.find("MedlineCitation")
        if citation is None:
            citation = element.find("BookDocument")
        pmid = None if citation is None else _text(citation.find("PMID"))
        if citation is not None and pmid:
            yield _paper(pmid, element, citation)


def _paper(pmid: str, element: ET.Element, citation: ET.Element) -> Paper:
    article = citation.find("Article")
    body = citation if article is None else article
    types = tuple(filter(None, map(_text, citation.iter("PublicationType"))))
    return Paper(
        pmid=pmid,
        title=_text(body.find("ArticleTitle")) or _text(body.find("Book/BookTitle")),
        abstract=tuple(_abstract(body)),
        journal=_text(body.find("Journal/Title")) or _text(body.find("Book/BookTitle")),
        published=_date(_first(body, "Journal/JournalIssue/PubDate", "Book/PubDate")),
        listed=_listed(element),
        authors=tuple(filter(None, map(_author, body.findall("AuthorList/Author")))),
        doi=_doi(element, body),
        types=types,
        retracted=_RETRACTED in types or _is_retracted(citation),
    )


def _first(element: ET.Element, *paths: str) -> ET.Element | None:
    return next((found for path in paths if (found := element.find(path)) is not None), None)


def _abstract(body: ET.Element) -> Iterator[AbstractPart]:
    for part in body.findall("Abstract/AbstractText"):
        text = _text(part)
        if text:
            yield AbstractPart(text=text, label=part.get("label") or None)


def _text(element: ET.Element | None) -> str | None:
    """Give all the words of an element, also those in italics or superscript, on one line."""
    if element is None:
        return None
    return " ".join("".join(element.itertext()).split()) or None


def _author(author: ET.Element) -> str | None:
    group = _text(author.find("CollectiveName"))
    last, initials = _text(author.find("LastName")), _text(author.find("Initials"))
    return group or (f"{last} {initials}" if last and initials else last)


def _doi(element: ET.Element, body: ET.Element) -> str | None:
    ids = (*element.findall("*/ArticleIdList/ArticleId"), *body.findall("ELocationID"))
    kinds = ((_id.get("idType") or _id.get("eIdType"), _text(_id)) for _id in ids)
    return next((text for kind, text in kinds if kind == "doi" and text), None)


def _is_retracted(citation: ET.Element) -> bool:
    corrections = citation.iterfind("CommentsCorrectionsList/CommentsCorrections")
    return any(each.get("refType") == "RetractionIn" for each in corrections)


def _listed(element: ET.Element) -> str | None:
    for day in element.iterfind("*/History/PubMedPubDate"):
        if day.get("pubStatus") in {"pubmed", "entrez"} and (date := _date(day)):
            return date
    return None


def _date(element: ET.Element | None) -> str | None:
    """Give a date as far as it is known; a span such as `1998 Dec-1999 Jan` gives its year."""
    if element is None:
        return None
    year, month, day = (_text(element.find(name)) for name in ("Year", "Month", "Day"))
    if not year:
        spanned = _YEAR.search(_text(element.find("MedlineDate")) or "")
        return spanned[0] if spanned else None
    try:
        number = _month(month)
        if number is None:
            return f"{datetime.date(int(year), 1, 1).year:04d}"
        found = datetime.date(int(year), number, int(day or 1))
    except ValueError:
        return None
    return found.isoformat() if day else found.isoformat()[:7]


def _month(text: str | None) -> int | None:
    if text and text[:3].title() in _MONTHS:
        return _MONTHS.index(text[:3].title()) + 1
    return int(text) if text and text.isdigit() else None
