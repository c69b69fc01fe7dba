"""A criterion cut into the things it asks for together, each a statement to be judged by itself.

`Adults over 60 with asthma who do not smoke` asks for an age, a disease and a habit. Cuts stand
outside of parentheses, at sentences, semicolons, and words that begin a further demand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from trialyst.matching.judging.gates import gated

__all__ = ["Choice", "find_choice", "split_demands", "split_items", "split_ways"]

_REMEMBERED = 20_000
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_BEGINS = (
    r"(?:with|without|no|not|who|whose|have|has|had|having|is|are|was|were|must|should|able|willing"
    r"|aged?|male|female|history|a history|evidence|documented|confirmed|diagnos\w+|current(?:ly)?"
    r"|receiv\w+|tak(?:ing|en)|treated|undergo\w*|requir\w+|scheduled|free|in need|at least|a|an)"
)
_ANYBODY = r"(?:patients?|subjects?|participants?|individuals?|persons?|people|volunteers?|those)"
_PEOPLE = (
    rf"(?:{_ANYBODY}|adults?|child(?:ren)?|adolescents?|infants?|m[ae]n|wom[ae]n|males?|females?"
    r"|boys?|girls?|teenagers?|toddlers?|minors?|youths?|newborns?|neonates?|elderly|geriatric"
    r"|pregnant)"
)
_CUT = re.compile(
    r"(?<=[a-z0-9)])\.\s+(?=[A-Z])|;\s*(?:and\b\s*)?|\n+"
    rf"|,?\s+(?:and|but)\s+(?={_BEGINS}(?:\s|\b))"
    r"|,?\s+(?=(?:who|that|which)\s+(?:also\s+)?(?:have|has|had|are|is|were|was|will|do|does|did|can|present"
    r"|need|requir|receiv|tak|under[gw]|develop|experienc|report|meet|fulfil|suffer|complain|agree"
    r"|plan|fail|smok|weigh)\w*)"
    r"|(?<!with or)(?<!and/or),?\s+(?=without\b)"
    r"|(?P<with>,?\s+(?=(?:with|suffering from|diagnosed with|presenting with|having)\s))"
    rf"|\s+in\s+(?=(?:an? )?{_PEOPLE}\b)|,\s+(?=aged?\b|at least \d+ years|(?:with|without|having"
    r"|no|not|free (?:of|from)|never)\s)"
    r"|,?\s+(?=free (?:of|from)\s)|(?<!not),?\s+(?:complicated by|accompanied by)\s+(?!or\b)"
)
_WAYS = re.compile(
    r",?\s+or\s+(?=(?:has|have|had|who|with|diagnos\w+ |a diagnosis|history|a history)\b)"
    r"|(?<=[0-9]),?\s+or\s+(?=[a-z]{4})(?!older|over\b|above|more|greater|younger|under|less|below)"
    r"|(?<=years)(?: of age| old)?,?\s+or\s+(?!older|over\b|above|more|greater"
    r"|younger|under|less|below|equal)",
    re.IGNORECASE,
)
_NOT_WAYS = re.compile(
    r"\b(?:and|no|not|without|neither|never|none|free|absence|lack|who (?:do|are)|if"
    r"|unless)\b|[,;:]",
    re.IGNORECASE,
)
_LONGEST_WAYS = 90
_FREE_OF = re.compile(rf"\W*(?:{_ANYBODY}\s+)?without\s", re.IGNORECASE)
_NOBODY = re.compile(rf"\W*no\s+{_ANYBODY}\W*$", re.IGNORECASE)
_BOTH_SEXES = re.compile(r"males?,? and (?:fe)?male$", re.IGNORECASE)
_BUT = re.compile(r",?\s+but\s+(?=(?:no|not|without)\s)", re.IGNORECASE)
"""What ends a choice: `either A or B but not C`."""
_BOTH = re.compile(
    r"^(?P<head>(?:[\w-]+ )*?)both (?P<one>[^,;:]+?),? and (?P<other>[^,;:]+)$", re.IGNORECASE
)
_OF_BOTH_SEXES = re.compile(
    r"\b(?:sex|gender|m[ae]n\b|males?\b|eyes?|sides?|parents?)", re.IGNORECASE
)
_PERSON = re.compile(
    rf"(?:\b(?:years|yrs|age|old|inclusive|older|above|over|younger|only|{_PEOPLE})|[\d_+])\W*$",
    re.IGNORECASE,
)
"""The end of words that tell of whom a criterion speaks."""
_LISTED = re.compile(r"\bfollowing\b|\beither\b|\bany of\b|\bone of\b|:", re.IGNORECASE)
"""Words behind which one of several things may be enough."""
_OR = re.compile(r"\s*(?:or|and/or)\b")
_IDLE = re.compile(
    rf"\W*(?:(?:the|all|any|and|or|with|who|have|has|are|is|be|must|should|in|of|a|an|eligible"
    rf"|study"
    rf"|this|included?|will|{_ANYBODY})\W*)*",
    re.IGNORECASE,
)
"""Words that ask for nothing; who speaks of men, children or adults asks for them."""
_MOST = 8
_SHORTEST = 3


@lru_cache(maxsize=_REMEMBERED)
def split_demands(text: str) -> tuple[str, ...]:
    """Cut a criterion into what it asks for together; one piece where it asks for one thing.

    >>> split_demands("Adults with asthma and without heart failure")
    ('Adults', 'with asthma', 'without heart failure')
    """
    masked = _ASIDE.sub(lambda aside: "_" * len(aside.group()), text)
    pieces, start = [], 0
    for cut in _cuts(masked):
        if _OR.match(masked, cut.end()) or _BOTH_SEXES.search(masked[: cut.end() + 6]):
            continue
        before = masked[start : cut.start()]
        if _is_with(cut) and not _begins_demand(cut, before):
            continue
        pieces.append(text[start : cut.start()])
        start = cut.end()
    pieces.append(text[start:])
    kept = [part.strip(" ,;.") for piece in pieces for part in _each_of_both(piece)]
    kept = [piece for piece in kept if len(piece) >= _SHORTEST and not _IDLE.fullmatch(piece)]
    return tuple(kept) if 1 < len(kept) <= _MOST else (text,)


@lru_cache(maxsize=_REMEMBERED)
def split_ways(text: str) -> tuple[str, ...]:
    """Cut a short criterion at an `or` between whole demands.

    >>> split_ways("Has asthma or has COPD")
    ('Has asthma', 'has COPD')
    """
    ways = _WAYS.split(text)
    short = len(text) <= _LONGEST_WAYS and not _NOT_WAYS.search(text)
    return tuple(ways) if short and len(ways) == 2 else (text,)


def _cuts(masked: str) -> Iterator[re.Match[str]]:
    listed = _LISTED.search(masked)
    end = listed.start() if listed else len(masked)
    yield from _CUT.finditer(masked, 0, end)
    if listed and listed.group().lower() == "either":
        yield from _BUT.finditer(masked, end)


def _is_with(cut: re.Match[str]) -> bool:
    return cut.re is _CUT and cut["with"] is not None


def _begins_demand(cut: re.Match[str], before: str) -> bool:
    """Whether `with` begins a demand of its own, and does not belong to what stands before."""
    if cut.group().startswith(",") and _FREE_OF.match(before):
        return True
    return _PERSON.search(before) is not None and not _NOBODY.match(before)


def _each_of_both(piece: str) -> tuple[str, ...]:
    """Give `both A and B` as what it asks for twice."""
    both = None if _OF_BOTH_SEXES.search(piece) else _BOTH.match(piece)
    return (both["head"] + both["one"], both["head"] + both["other"]) if both else (piece,)


@lru_cache(maxsize=_REMEMBERED)
def split_items(text: str) -> tuple[str, ...]:
    """Cut a list at its commas and its `or`.

    >>> split_items("Asthma, COPD or cystic fibrosis")
    ('Asthma', 'COPD', 'cystic fibrosis')
    """
    masked = _ASIDE.sub(lambda aside: "_" * len(aside.group()), text)
    pieces, start = [], 0
    for cut in _LISTED_ITEM.finditer(masked):
        pieces.append(text[start : cut.start()])
        start = cut.end()
    pieces.append(text[start:])
    kept = (piece.strip(" .;,") for piece in pieces)
    return tuple(piece for piece in kept if len(piece) >= _SHORTEST and piece.count(" ") < _SHORT)


_LISTED_ITEM = re.compile(r"\s*(?:[,;]\s*(?:and/or|and|or)?\b|\b(?:and/or|or|and)\b)\s*")
_SHORT = 5
"""Words of which an item of a list has fewer."""


class Choice(NamedTuple):
    """Things of which some are enough, and what is asked for before them."""

    head: str
    least: int
    items: tuple[str, ...]


_ENOUGH = gated(
    r"\b(?:at least|minimum of|any|\u2265|>=?)?\s*"
    r"(?P<least>one|two|three|four|any|either|all|[1-4])\b"
    r"\s*(?:or more\s*|\(\d\)\s*)?(?:additional |major |minor |other |further )?"
    r"(?:(?:cardiovascular |clinical |\w+ )?(?:risk factors?|symptoms?|signs?|criteria|conditions?"
    r"|features?|diseases?|abnormalities)\b[^:;.,(]{0,40}?)?"
    r"(?:(?:of|one of|from)\s+(?:the\s+)?(?:following)?|such as|:|\((?:either |one |of )*"
    r"|,? including)"
    r"[^:;.,(]{0,60}?[:,(]?\s",
    re.IGNORECASE,
)
_LEAST = {"one": 1, "two": 2, "three": 3, "four": 4, "any": 1, "either": 1}
_ITEM = re.compile(
    r"\s*(?:[;,\n\u2022]|\band/or\b|\bor\b|\band\b|\b(?:i{1,3}|iv|v|[a-h]|\d)[).]\s|\s-\s|[()])\s*",
    re.IGNORECASE,
)
_ITEM_WORDS = 9


@lru_cache(maxsize=_REMEMBERED)
def find_choice(text: str) -> Choice | None:
    """Find a list of things of which some are enough.

    >>> find_choice("At least one of the following: asthma, COPD or cystic fibrosis")
    Choice(head='', least=1, items=('asthma', 'COPD', 'cystic fibrosis'))
    """
    match = _ENOUGH.search(text)
    if match is None:
        return None
    said = match["least"].lower()
    items = [item.strip(" .:") for item in _ITEM.split(text[match.end() :])]
    kept = [item for item in items if len(item) >= _SHORTEST and item.count(" ") < _ITEM_WORDS]
    if len(kept) < 2:
        return None
    least = len(kept) if said == "all" else _LEAST.get(said) or int(said)
    return Choice(text[: match.start()].strip(" ,:"), least, tuple(kept))
