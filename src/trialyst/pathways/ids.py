"""The identifier of a pathway: parsed at the border, formatted at the border."""

from __future__ import annotations

import re
from typing import NamedTuple

from trialyst.errors import InvalidInput, UnresolvedEntity
from trialyst.hints import Call, Hint

__all__ = ["PathwayId"]

_URL = re.compile(
    r"^(?:https?://)?(?:www\.|classic\.|new\.)?wikipathways\.org/(?:index\.php/Pathway:|"
    r"instance/|pathways/|wikipathways-assets/pathways/)?([^/?#]+?)(?:\.html|\.gpml)?(?:[/?#]|$)",
    re.IGNORECASE,
)
_RESOLVER = re.compile(
    r"^(?:https?://)?(?:www\.)?(?:identifiers\.org|bioregistry\.io|n2t\.net)/"
    r"(?:wikipathways[:/])([^/?#]+)$",
    re.IGNORECASE,
)
_CURIE = re.compile(r"^(?:wp|wikipathways)\s*:\s*", re.IGNORECASE)
_SHAPE = re.compile(r"^WP[\s_-]*([0-9]{1,7})(?:_r[0-9]+)?$", re.IGNORECASE)
_LOOKS_LIKE = re.compile(r"^WP(?:[\s:_-]|\d|$)", re.IGNORECASE)


class PathwayId(NamedTuple):
    """A WikiPathways identifier.

    >>> PathwayId.parse(" wp:wp554 ")
    PathwayId(number=554)
    >>> PathwayId.parse("WP:554").curie
    'WP:WP554'
    >>> str(PathwayId.parse("https://www.wikipathways.org/instance/WP554"))
    'WP554'
    """

    number: int

    @classmethod
    def parse(cls, text: str) -> PathwayId:
        """Read an id in any of its spellings.

        Raises:
            InvalidInput: it looks like a pathway id but is not one.
            UnresolvedEntity: it is free text.
        """
        stripped = text.strip()
        url = _URL.match(stripped) or _RESOLVER.match(stripped)
        candidate = url.group(1) if url else stripped
        curie = _CURIE.match(candidate)
        local = candidate[curie.end() :] if curie else candidate
        shape = _SHAPE.match(f"WP{local}" if curie and local[:1].isdigit() else local)
        if shape and int(shape.group(1)):
            return cls(int(shape.group(1)))
        if url or curie or _LOOKS_LIKE.match(candidate):
            raise InvalidInput(
                f"{text!r} is not a valid WikiPathways id",
                hint="A pathway id is 'WP' and a number, for example WP:WP554 or WP554.",
                invalid_input=text,
            )
        raise UnresolvedEntity(
            f"{text!r} is not a WikiPathways id",
            hint=Hint(
                "Find the pathway with {search}, then pass an id from the results.",
                search=Call("search_pathways", {"query": text}),
            ),
            invalid_input=text,
        )

    @property
    def curie(self) -> str:
        """The id as the MCP tools speak it: `WP:WP554`."""
        return f"WP:WP{self.number}"

    def __str__(self) -> str:
        return f"WP{self.number}"
