"""Sponsors as the companies they belong to, where their names say so plainly."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from trialyst.folding import fold_phrase

__all__ = ["Company", "read_sponsor"]

_NO_WORD = re.compile(r"[^\w&'’-]+")
_MERGED = re.compile(r"\bhas merged with .+ to form (.+)$")
"""How the registry names a company that is gone: Pfizer's Upjohn has merged with ..."""
_LEGAL_FORMS = frozenset(
    "inc incorporated ltd limited llc llp lp corp corporation co company gmbh ag plc sa sas spa srl"
    " sl bv nv ab as oy kg kgaa pty pvt kk k.k aps sarl ulc".split()
)
_SPELT_FORMS = frozenset({("a", "s"), ("s", "a"), ("n", "v"), ("b", "v"), ("k", "k")})
_BUSINESS = frozenset(
    "pharmaceutical pharmaceuticals pharma pharmaceutica pharmaceutics biosciences bioscience"
    " biopharma biopharmaceutical biopharmaceuticals biologics biologicals biotech biotechnology"
    " healthcare health vaccines oncology neuroscience neurosciences respiratory research"
    " development r&d & and industries industry global worldwide international group holding"
    " holdings products branded consumer ireland japan china us usa europe korea india uk canada"
    " france germany deutschland austria italy spain nederland netherlands australia medical"
    " affairs services operations division diagnostics generics".split()
)
"""Words after the name of a company that name its trade, a branch or a country."""


class Company(NamedTuple):
    """The company or institution behind a sponsor."""

    key: str
    """Equal for all its spellings and branches."""
    name: str


@lru_cache(50_000)
def read_sponsor(written: str) -> Company:
    """Give whom a sponsor belongs to, itself where its name does not say.

    >>> read_sponsor("Novartis Pharmaceuticals") == read_sponsor("Novartis")
    True
    >>> read_sponsor("UCB Japan Co. Ltd.").name, read_sponsor("University of Health").name
    ('UCB', 'University of Health')
    """
    if merged := _MERGED.search(written):
        written = merged[1]
    words = _NO_WORD.sub(" ", written).split()
    kept = _without_legal_form(words)
    shorter = list(kept)
    while len(shorter) > 1 and shorter[-1].lower() in _BUSINESS | _LEGAL_FORMS:
        del shorter[-1]
    # What is left must be a name: one word that is no place or kind of institution.
    plain = len(shorter) == 1 and len(shorter[0]) > 2 and shorter[0].lower() not in _TOO_GENERAL
    named = shorter if plain else kept
    key = " ".join(named).lower()
    name = " ".join(named) if named and len(named) < len(words) else written
    return Company(fold_phrase(key) or key, name)


_TOO_GENERAL = frozenset(
    "national american european asian african british german french chinese japanese united general"
    " institute university hospital center centre clinical mental public global regional royal"
    " sun alliance new first boston china korea japan india canada university cancer eye heart"
    " the ministry department office".split()
)


def _without_legal_form(words: list[str]) -> list[str]:
    kept = list(words)
    while len(kept) > 1:
        if kept[-1].lower() in _LEGAL_FORMS:
            del kept[-1]
        elif len(kept) > 2 and (kept[-2].lower(), kept[-1].lower()) in _SPELT_FORMS:
            del kept[-2:]
        else:
            break
    return kept
