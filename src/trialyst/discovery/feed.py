"""Changes as an Atom feed (RFC 4287): an entry a trial, dated by the data that changed it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from xml.etree import ElementTree

from trialyst.ids import NctId

__all__ = ["MEDIA_TYPE", "render_feed"]

MEDIA_TYPE = "application/atom+xml"
_ATOM = "http://www.w3.org/2005/Atom"
_MIDNIGHT = "T00:00:00Z"


def render_feed(
    result: Mapping[str, Any], *, address: str, link: Callable[[NctId], str], asked: str
) -> str:
    """Give what changed in a watch as a feed.

    Args:
        address: where the feed is, which is also its id.
        link: gives the page of a trial.
        asked: what the watch finds, in words.
    """
    ElementTree.register_namespace("", _ATOM)
    feed = _element(None, "feed")
    _element(feed, "id", address)
    _element(feed, "title", f"Trials: {result['name']}")
    _element(feed, "subtitle", asked)
    _element(feed, "link", rel="self", href=address)
    _element(feed, "updated", f"{result['until']}{_MIDNIGHT}")
    author = _element(feed, "author")
    _element(author, "name", "Trialyst")
    for item in sorted(result["items"], key=lambda each: each["seen"], reverse=True):
        _entry(feed, item, link)
    return ElementTree.tostring(feed, encoding="unicode", xml_declaration=True)


def _entry(
    feed: ElementTree.Element, item: Mapping[str, Any], link: Callable[[NctId], str]
) -> None:
    nct_id = NctId.parse(item["id"])
    words = [each["what"] for each in item["changes"]]
    entry = _element(feed, "entry")
    _element(entry, "id", f"urn:trialyst:change:{nct_id}:{item['seen']}")
    _element(entry, "title", f"{item['kind'].capitalize()}: {item.get('title', nct_id)}")
    _element(entry, "updated", f"{item['seen']}{_MIDNIGHT}")
    if item["kind"] != "gone":
        _element(entry, "link", rel="alternate", href=link(nct_id))
    _element(entry, "category", term=item["kind"])
    _element(entry, "summary", f"{nct_id}: {'; '.join(words)}")


def _element(
    parent: ElementTree.Element | None, name: str, text: str | None = None, **attributes: str
) -> ElementTree.Element:
    tag = f"{{{_ATOM}}}{name}"
    if parent is None:
        return ElementTree.Element(tag, attributes)
    made = ElementTree.SubElement(parent, tag, attributes)
    # XML has no place for control characters, which some records hold.
    made.text = "".join(each for each in text if each >= " " or each in "\t\n") if text else None
    return made
