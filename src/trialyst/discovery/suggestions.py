"""What a beginning may become: names of conditions, drugs and genes, and places."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from trialyst.ctgov.cities import shipped_cities
from trialyst.ctgov.countries import country_names
from trialyst.discovery.destinations import is_gene
from trialyst.folding import fold_phrase
from trialyst.vocabulary import Kind

if TYPE_CHECKING:
    from trialyst.vocabulary import Concept, Vocabulary

__all__ = ["MOST_SUGGESTED", "Suggestion", "suggest_endings", "suggest_names", "suggest_places"]

MOST_SUGGESTED = 8
_LEAST_LETTERS = 2
_LONGER_BY = 22
"""Letters that a name may have more than its beginning."""
_SYMBOL = re.compile(r"[A-Z][A-Z0-9-]{2,11}")
_PLACE = re.compile(r"(.*\b(?:in|near|around)\s+)(\S.+)", re.IGNORECASE)
_MOST_READ = 400
"""Names of one beginning that are looked at: of `me` there are thousands."""
_KINDS = {
    "condition": (Kind.CONDITION,),
    "intervention": (Kind.DRUG,),
    "gene": (Kind.GENE,),
    "any": (Kind.CONDITION, Kind.DRUG, Kind.GENE),
}


class Suggestion(NamedTuple):
    """A name that a beginning may become."""

    text: str
    kind: str
    trials: int = 0
    """Trials of the registry under this very name; others may go by it too."""


def suggest_names(
    names: Vocabulary, beginning: str, *, kind: str = "any", used: Mapping[str, Mapping[str, int]]
) -> list[Suggestion]:
    """Give known names that begin so, those of most trials first, each once.

    Args:
        kind: `condition`, `intervention`, `gene`, or `any` of these.
        used: as `count_trials` breaks all trials down by `condition` and `intervention`.
    """
    key = fold_phrase(beginning)
    if len(key) < _LEAST_LETTERS:
        return []
    wanted = ("condition", "intervention") if kind == "any" else (kind,)
    found = {
        name.casefold(): Suggestion(name, each, trials)
        for each in wanted
        for name, trials in used.get(each, {}).items()
        if f" {key}" in f" {fold_phrase(name)}"
    }
    counts = {name.casefold(): n for each in wanted for name, n in used.get(each, {}).items()}
    for name, concept in _known(names, key, _KINDS.get(kind, _KINDS["any"])):
        preferred = concept.preferred.casefold()
        if preferred not in found:
            found[preferred] = Suggestion(name, concept.kind.value, counts.get(preferred, 0))

    def rank(each: Suggestion) -> tuple[bool, bool, bool, int, int]:
        begins = fold_phrase(each.text).startswith(key)
        own_name = each.text.casefold() in counts
        return not each.trials, not begins, not own_name, -each.trials, len(each.text)

    # A symbol is written like other things too: it would be lost among names that begin so.
    symbol = beginning.strip().upper()
    gene = [Suggestion(symbol, Kind.GENE.value)] if _is_symbol(names, symbol, kind) else []
    return [*gene, *sorted(found.values(), key=rank)][:MOST_SUGGESTED]


def _is_symbol(names: Vocabulary, text: str, kind: str) -> bool:
    return kind in ("any", "gene") and _SYMBOL.fullmatch(text) is not None and is_gene(names, text)


def suggest_endings(text: str) -> list[Suggestion]:
    """Give what a question may become whose last words, behind `in` or `near`, begin a place."""
    found = _PLACE.fullmatch(text)
    if found is None:
        return []
    before, begun = found.groups()
    return [each._replace(text=f"{before}{each.text}") for each in suggest_places(begun)]


def _known(names: Vocabulary, key: str, kinds: Collection[Kind]) -> Iterator[tuple[str, Concept]]:
    lengths = range(len(key), len(key) + _LONGER_BY)
    for each in islice(names.keys_starting(key, lengths), _MOST_READ):
        read = names.look_up(each, kinds=kinds)
        if read and read.concept:
            preferred = read.concept.preferred
            is_begun = fold_phrase(preferred).startswith(key)
            yield (preferred if is_begun else each), read.concept


def suggest_places(beginning: str) -> list[Suggestion]:
    """Give countries and cities that begin so, the largest cities first."""
    key = fold_phrase(beginning)
    if len(key) < _LEAST_LETTERS:
        return []
    return list(islice(_places(key), MOST_SUGGESTED))


def _places(key: str) -> Iterator[Suggestion]:
    for name in country_names():
        if fold_phrase(name).startswith(key):
            yield Suggestion(name, "country")
    cities = {
        city.label: city
        for name, named in shipped_cities().items()
        if name.startswith(key)
        for city in named
    }
    for label, _ in sorted(cities.items(), key=lambda pair: -pair[1].people):
        yield Suggestion(label, "city")
