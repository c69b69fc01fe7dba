"""Pages as a test reads them."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

import httpx2

__all__ = ["Page", "read_page", "seal_of"]


class Page(HTMLParser):
    """What a page holds: its text, links, and every element with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.source = text
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self._text: list[str] = []
        self._silent = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._silent += tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._text.append(data)

    @property
    def text(self) -> str:
        """The words of the page, on one line."""
        return " ".join(" ".join(self._text).split())

    def links(self, beginning: str = "") -> list[str]:
        """Every address that the page leads to, first those of a beginning."""
        found = [attrs.get("href") or "" for tag, attrs in self.elements if tag == "a"]
        return [each for each in found if each.startswith(beginning)]

    def counts(self, field: str) -> dict[str, int]:
        """The values of a facet with their numbers."""
        row = re.compile(
            rf'name="{re.escape(field)}" value="([^"]*)".*?<span class="num">([\d,]+)</span>'
        )
        return {unescape(value): int(n.replace(",", "")) for value, n in row.findall(self.source)}


def read_page(answer: httpx2.Response, status: int = 200) -> Page:
    """Read a page that came with a status."""
    assert answer.status_code == status, answer.text[:2000]
    return Page(answer.text)


def seal_of(page: Page) -> str:
    """Give what a form of the page carries."""
    fields = [attrs for tag, attrs in page.elements if tag == "input"]
    return next(attrs["value"] or "" for attrs in fields if attrs.get("name") == "csrf")
