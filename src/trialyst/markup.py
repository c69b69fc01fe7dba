"""XML, read safely: no entities, no depth or size without a bound, namespaces dropped.

Uses the standard library's expat with every entity declaration refused, which is what a
third-party hardening package would do. A DOCTYPE is passed over: its DTD is never fetched.
"""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from typing import Any, NoReturn
from xml.parsers import expat

__all__ = ["MAX_BYTES", "MAX_DEPTH", "BadMarkup", "parse_markup"]

MAX_BYTES = 32 * 2**20
"""The largest file of WikiPathways is under 2 MB, 200 papers of PubMed under 5 MB."""
MAX_DEPTH = 64
"""GPML nests six elements deep, papers of PubMed about ten."""


class BadMarkup(ValueError):
    """A text that is no XML we would read; the message says why."""


def parse_markup(
    data: bytes, *, rename: Mapping[str, str] | None = None, max_bytes: int = MAX_BYTES
) -> tuple[ET.Element, str]:
    """Give the root element and its namespace.

    Elements and attributes lose their namespaces; attributes get the names that `rename` gives
    them, others begin in lower case.

    Raises:
        BadMarkup: too large, too deep, cut short, or with entity declarations.
    """
    if len(data) > max_bytes:
        raise BadMarkup(f"it has {len(data)} bytes, more than the {max_bytes} that are read")
    if not data.strip():
        raise BadMarkup("it is empty")
    reading = _Reading(rename or {})
    try:
        reading.parser.ParseFile(io.BytesIO(data))
    except expat.ExpatError as error:
        raise BadMarkup(f"it is not whole XML: {error}") from None
    except (UnicodeError, LookupError) as error:
        raise BadMarkup(f"its characters cannot be read: {error}") from None
    return reading.builder.close(), reading.namespace


class _Reading:
    """One pass over a text."""

    def __init__(self, rename: Mapping[str, str]) -> None:
        self.builder = ET.TreeBuilder()
        self.namespace = ""
        self._rename = rename
        self._names: dict[str, str] = {}
        self._depth = 0
        self.parser = expat.ParserCreate(namespace_separator="}")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self.builder.data
        self.parser.EntityDeclHandler = _refuse_entity
        self.parser.UnparsedEntityDeclHandler = _refuse_entity
        self.parser.ExternalEntityRefHandler = _refuse_entity

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        namespace, _, local = tag.rpartition("}")
        if not self._depth:
            self.namespace = namespace
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise BadMarkup(f"its elements nest more than {MAX_DEPTH} deep")
        self.builder.start(local, {self._name(key): text for key, text in attributes.items()})

    def _end(self, tag: str) -> None:
        self._depth -= 1
        self.builder.end(tag.rpartition("}")[2])

    def _name(self, key: str) -> str:
        name = self._names.get(key)
        if name is None:
            local = key.rpartition("}")[2]
            name = self._rename.get(local) or local[:1].lower() + local[1:]
            self._names[key] = name
        return name


def _refuse_entity(*declaration: Any) -> NoReturn:
    raise BadMarkup("it declares entities, which are never expanded here")
