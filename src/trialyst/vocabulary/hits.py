"""The names that a key points to: how each reads, and how much it weighs against the others.

A gene's symbol, and a name that is also an ordinary word, counts only as it is written: `CAT` may
be a gene, `cat` never is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trialyst.vocabulary.asset import MARKS
from trialyst.vocabulary.concept import How, Kind

if TYPE_CHECKING:
    from trialyst.vocabulary.table import Place

__all__ = ["KINDS", "Hit", "is_ambiguous", "is_meant", "read_hit", "step_of"]

KINDS = {"c": Kind.CONDITION, "d": Kind.DRUG, "g": Kind.GENE, "o": Kind.OTHER}
_GENE = 3
_FOREIGN = 5
_ACRONYM = 5


class Hit(NamedTuple):
    """A name of a concept that a key points to, and how much it weighs against other readings."""

    rank: int
    respelt: bool
    line: int
    name: str
    marks: str
    preferred: bool
    kind: Kind


def read_hit(line: str, place: Place, written: str) -> Hit:
    """Read the name at a place of a concept's line, as it reads what was written."""
    _, code, sources, _, _, listed = line.split("\t")
    # A drug has up to hundreds of names, and the one that matched is mostly the first.
    marked = listed.split("|", place.name + 1)[place.name]
    name = marked.lstrip(MARKS)
    marks = marked[: len(marked) - len(name)]
    kind = KINDS[code]
    rank = _rank(kind, marks, sources, preferred=place.name == 0)
    # Folding makes one key of "Insulin" and "Insulins"; as written they are told apart.
    respelt = name != written and _letters(name).lower() != _letters(written).lower()
    return Hit(rank, respelt, place.line, name, marks, place.name == 0, kind)


def _rank(kind: Kind, marks: str, sources: str, *, preferred: bool) -> int:
    if kind is Kind.GENE:
        return _GENE if preferred else _GENE + 1
    if "^" in marks:
        return _FOREIGN
    if set(marks) & {"+", "~", "<"}:
        return 0
    if preferred:
        return 1 if kind is Kind.OTHER else 0
    return 1 if sources.split(",")[0] == "mesh" else 2


def is_ambiguous(hits: list[Hit]) -> bool:
    """Whether the best of some readings, in their order, does not outweigh the others."""
    best = hits[0]
    if "~" in best.marks or (len(hits) > 1 and hits[1][:2] == best[:2]):
        return True
    # A gene's own symbol contests a name unless we chose the name's meaning ourselves.
    return best.rank < _GENE and "+" not in best.marks and any(hit.rank == _GENE for hit in hits)


def step_of(hit: Hit) -> How:
    """Give the step that leads from a name to its concept."""
    if "<" in hit.marks:
        return How.BROADER
    if "^" in hit.marks:
        return How.TRANSLATED
    if hit.preferred:
        return How.NAME
    short = (
        set(hit.marks) & {"+", "~"} and " " not in hit.name and hit.name[1:] != hit.name[1:].lower()
    )
    return How.ABBREVIATION if short else How.SYNONYM


def is_meant(hit: Hit, written: str | None, *, genes_only: bool) -> bool:
    """Whether a name that counts only in some cases counts here."""
    if "^" in hit.marks:
        # `asma` is asthma, ASMA an antibody.
        return not _is_acronym(written) or hit.name.isupper()
    if "%" in hit.marks:
        return genes_only
    return "=" not in hit.marks or _same_letters(hit.name, written)


def _is_acronym(written: str | None) -> bool:
    return written is not None and written.isupper() and len(written) <= _ACRONYM


def _same_letters(name: str, written: str | None) -> bool:
    return written is not None and _letters(name) == _letters(written)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))
