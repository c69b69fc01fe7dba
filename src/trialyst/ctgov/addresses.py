"""How people write where: takes a text apart, and knows no place by name.

Postal codes go, brackets and dashes become commas, `near Boston` and `within 50 km of Boston` give
up their distance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from trialyst.ctgov.query import KM_PER_MILE

__all__ = ["Address", "parse_address", "read_area", "split_list", "strip_article"]

_KM = r"km|kms|kilomet(?:er|re)s?"
_MILES = r"mi|mile|miles"
_LENGTH = rf"(?P<number>\d+(?:\.\d+)?)\s*-?\s*(?P<unit>{_KM}|{_MILES})\b\.?"
_LEAD = r"(?:(?:sites?|trials?|stud(?:y|ies)|locations?|anywhere|somewhere|located|based)\s+)?"
_WITHIN = re.compile(
    rf"{_LEAD}(?:(?:within|less than|up to|under|at most|no more than|max\.?|about)\s+)?(?:an?\s+)?"
    rf"{_LENGTH}\s*(?:radius\s*)?(?:of|from|around|near|to)\s+(?P<place>.+)",
    re.I,
)
_BEHIND = re.compile(
    rf"(?P<place>.+?)[\s,;(+±/-]*(?:(?:within|up to|radius|in a radius of|and|plus)\s+)?{_LENGTH}"
    r"\s*(?:radius|away|around|surroundings)?\s*\)?",
    re.I,
)
_NEAR = re.compile(
    rf"{_LEAD}(?:in\s+)?(?:the\s+)?(?:near(?:by)?(?:\s+to)?|around|close\s+to|next\s+to|"
    r"(?:in\s+the\s+)?vicinity\s+of|surroundings?\s+of|in\s+and\s+around)\s+(?P<place>.+)",
    re.I,
)
_AREA = re.compile(
    r"(?:the\s+)?(?:(?:greater|metro(?:politan)?)\s+(?P<big>.+?)|(?P<place>.+?)\s+"
    r"(?:and\s+(?:its\s+)?(?:surroundings?|suburbs|environs)|(?:metro(?:politan)?\s+)?"
    r"(?:area|region)|metro))",
    re.I,
)
_KIND = re.compile(
    r"\s*[(\[]\s*(?:the\s+)?(?P<kind>country|state|province|region|city|town)\s*[)\]]", re.I
)
_MEMBERS = re.compile(r"\s*\(\d+ (?:countries|states)\)")
"""How regions are labelled."""
_KIND_WORDS = {"town": "city", "province": "state", "region": "state"}
_BRACKETS = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]")
_BREAK = re.compile(r"\s*[,;]\s*|\s+[-–—|]\s+|\s*:\s+")
_POSTAL = re.compile(r"(?:\b[A-Z]{1,3}-)?\b\w*\d[\w-]*|\bcedex\b", re.I)
_AND = re.compile(r"\s*[;/+&]\s*|,?\s+(?:and|or|und|et|y)\s+", re.I)
_LEADING = re.compile(rf"{_LEAD}(?:in|at|from)\s+(?=\S)", re.I)
_ARTICLE = re.compile(r"the\s+(?=\S)", re.I)
_AROUND = " \t\n\r\"'“”‘’.,;:"


@dataclass(frozen=True, slots=True)
class Address:
    """A text taken apart."""

    text: str
    parts: tuple[str, ...]
    """From the particular to the general, as people mostly write: city, state, country."""
    is_near: bool = False
    """Whether the surroundings are meant, not the place itself."""
    km: float | None = None
    """How far around, where the text says so."""
    kind: str | None = None
    """`country`, `state` or `city`, where the text says which."""
    dropped: tuple[str, ...] = ()
    """Postal codes that were left out."""


def parse_address(text: str) -> Address:
    """Take a text apart.

    >>> parse_address("within 50 miles of Boston (MA) 02115").parts
    ('Boston', 'MA')
    """
    plain = _MEMBERS.sub("", " ".join(text.split())).strip(_AROUND)
    address = _read_distance(Address(plain, ()))
    if lead := _LEADING.match(address.text):
        address = replace(address, text=address.text[lead.end() :])
    found = _KIND.search(address.text)
    if found:
        kind = found["kind"].lower()
        rest = _KIND.sub("", address.text).strip(_AROUND)
        address = replace(address, text=rest, kind=_KIND_WORDS.get(kind, kind))
    return _split(address)


def read_area(text: str) -> str | None:
    """Give the place whose wider area a text means, as in `Boston area` or `Greater Boston`."""
    found = _AREA.fullmatch(text)
    return (found["big"] or found["place"]) if found else None


def split_list(text: str) -> list[str]:
    """Give what `and`, `or` or a sign other than the comma joins.

    >>> split_list("Boston, MA and Houston, TX")
    ['Boston, MA', 'Houston, TX']
    """
    return [part for part in (item.strip(_AROUND) for item in _AND.split(text)) if part]


def strip_article(text: str) -> str:
    """Give a name without `the` before it."""
    article = _ARTICLE.match(text)
    return text[article.end() :] if article else text


def _read_distance(address: Address) -> Address:
    for shape in (_WITHIN, _BEHIND):
        found = shape.fullmatch(address.text)
        if found:
            miles = re.fullmatch(_MILES, found["unit"], re.I)
            km = float(found["number"]) * (KM_PER_MILE if miles else 1.0)
            place = found["place"].strip(_AROUND)
            inner = _NEAR.fullmatch(place)
            text = inner["place"].strip(_AROUND) if inner else place
            return replace(address, text=text, is_near=True, km=km)
    found = _NEAR.fullmatch(address.text)
    if found:
        return replace(address, text=found["place"].strip(_AROUND), is_near=True)
    return address


def _split(address: Address) -> Address:
    parts: list[str] = []
    dropped: list[str] = []
    for part in _pieces(_BRACKETS.sub(r", \1", address.text)):
        codes = _POSTAL.findall(part)
        bare = " ".join(_POSTAL.sub(" ", part).split()).strip(_AROUND + "-")
        if codes and not bare and not parts:
            # A number alone may be all there is.
            parts.append(part)
            continue
        dropped.extend(codes)
        if bare:
            parts.append(bare)
    if len(parts) > 1 and _POSTAL.fullmatch(parts[0]):
        dropped.append(parts.pop(0))
    return replace(address, parts=tuple(parts), dropped=tuple(dropped))


def _pieces(text: str) -> Iterator[str]:
    for piece in _BREAK.split(text):
        if bare := piece.strip(_AROUND):
            yield bare
