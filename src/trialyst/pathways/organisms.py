"""Organisms by their scientific names; a common name is refused with the right one in the hint."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trialyst.errors import InvalidInput
from trialyst.hints import Argument, Hint

__all__ = ["HUMAN", "ORGANISMS", "parse_organism"]

HUMAN = "Homo sapiens"

ORGANISMS = {
    HUMAN: "human man people",
    "Mus musculus": "mouse mice murine",
    "Rattus norvegicus": "rat",
    "Bos taurus": "cow cattle bovine",
    "Saccharomyces cerevisiae": "yeast",
    "Caenorhabditis elegans": "worm nematode roundworm",
    "Danio rerio": "zebrafish",
    "Pan troglodytes": "chimp chimpanzee",
    "Canis familiaris": "dog canine",
    "Gallus gallus": "chicken hen",
    "Arabidopsis thaliana": "arabidopsis",
    "Drosophila melanogaster": "fly fruitfly drosophila",
    "Oryza sativa": "rice",
    "Mycobacterium tuberculosis": "tuberculosis",
    "Anopheles gambiae": "mosquito",
    "Escherichia coli": "ecoli",
    "Equus caballus": "horse",
    "Zea mays": "maize corn",
    "Solanum lycopersicum": "tomato",
    "Populus trichocarpa": "poplar",
    "Gadus morhua": "cod",
    "Bacillus subtilis": "bsubtilis",
    "Sus scrofa": "pig swine porcine",
    "Ovis aries": "sheep",
    "Daphnia magna": "daphnia",
    "Plasmodium falciparum": "plasmodium",
    "Hordeum vulgare": "barley",
    "Triticum aestivum": "wheat",
    "Vitis vinifera": "grape",
    "Glycine max": "soybean soy",
    "Nicotiana tabacum": "tobacco",
    "Coffea arabica": "coffee",
    "Theobroma cacao": "cocoa cacao",
    "Citrus sinensis": "orange",
    "Beta vulgaris": "beet",
    "Brassica napus": "rapeseed",
}
"""The scientific names of the organisms of WikiPathways that have a common one, and those."""

_COMMON = {
    common: scientific for scientific, names in ORGANISMS.items() for common in names.split()
} | {
    "fruit fly": "Drosophila melanogaster",
    "house mouse": "Mus musculus",
    "brown rat": "Rattus norvegicus",
    "norway rat": "Rattus norvegicus",
    "zebra fish": "Danio rerio",
    "thale cress": "Arabidopsis thaliana",
    "baker's yeast": "Saccharomyces cerevisiae",
    "budding yeast": "Saccharomyces cerevisiae",
    "sugar beet": "Beta vulgaris",
    "sweet orange": "Citrus sinensis",
    "wine grape": "Vitis vinifera",
    "atlantic cod": "Gadus morhua",
    "malaria parasite": "Plasmodium falciparum",
    "canis lupus familiaris": "Canis familiaris",
    "japanese rice": "Oryza sativa",
    "common wheat": "Triticum aestivum",
}
_BINOMIAL = re.compile(r"^[A-Z][a-z]+ [a-z][a-z-]+(?: [a-z][a-z-]+)?$")
_INITIAL = re.compile(r"^([a-z])\.?\s*([a-z]+)$", re.IGNORECASE)


def parse_organism(text: str) -> str:
    """Read a scientific name, exactly as WikiPathways writes it.

    >>> parse_organism(" Homo sapiens ")
    'Homo sapiens'

    Raises:
        InvalidInput: a common name, another spelling, or no name of an organism at all.
    """
    name = " ".join(text.replace("_", " ").split())
    if _BINOMIAL.match(name):
        return name
    meant = _meant(name.lower())
    if meant:
        message = f"{text!r} is not a scientific name"
        hint = Hint("Give {name}.", name=Argument("organism", meant))
    else:
        message = f"{text!r} is not the scientific name of an organism"
        example = Argument("organism", "Homo sapiens")
        hint = Hint("Use a name of two words, as in {name}.", name=example)
    raise InvalidInput(message, hint=hint, invalid_input=text)


def _meant(lowered: str) -> str | None:
    known = (_COMMON[form] for form in _singulars(lowered) if form in _COMMON)
    if found := next(known, None):
        return found
    for scientific in ORGANISMS:
        genus, species = scientific.lower().split()
        initial = _INITIAL.match(lowered)
        if lowered == f"{genus} {species}" or (
            initial and genus[0] == initial.group(1) and species == initial.group(2)
        ):
            return scientific
    return None


def _singulars(name: str) -> Iterator[str]:
    """Yield a name as it is, then what it may be the plural of."""
    yield name
    for ending, instead in (("ies", "y"), ("es", ""), ("s", "")):
        if name.endswith(ending):
            yield name.removesuffix(ending) + instead
