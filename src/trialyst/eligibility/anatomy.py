"""Names put together from an organ or a field of medicine and what ails it.

"Adenocarcinoma of the colon", "high-grade serous ovarian carcinoma", "cardiac, hepatic or renal
disease", "liver and lung metastases": no list holds them all, so they are composed here from
`data/organs.txt`. Works on folded words; knows nothing of letter case or places in a text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from trialyst.eligibility.tables import read_lines
from trialyst.folding import fold

__all__ = ["Composed", "Organ", "find_composed", "head_words", "organ_terms"]


class Organ(NamedTuple):
    """An organ: the names of its diseases, tumours and failure; empty where there is none."""

    name: str
    disease: str
    tumor: str
    failure: str


class Composed(NamedTuple):
    """What the words `first` to `last`, the latter not included, put together."""

    first: int
    last: int
    organ: Organ
    ailment: str
    """`disease`, `failure`, `infection`, `metastasis`, or the word for the tumour."""
    kind_of: tuple[str, ...] = ()
    """The histology before the tumour's word: `squamous`, `cell`."""


_HEADS = {
    word: kind
    for kind, words in {
        "disease": "disease disorder illness condition pathology problem abnormality comorbidity "
        "disturbance complication event",
        "failure": "failure insufficiency impairment dysfunction decompensation",
        "infection": "infection",
        "fracture": "fracture",
        "metastasis": "metastasis met",
        "tumor": "cancer carcinoma adenocarcinoma neoplasm tumor malignancy neoplasia sarcoma "
        "lymphoma melanoma ca carcinosarcoma leiomyosarcoma angiosarcoma "
        "mesothelioma carcinoid scc",
    }.items()
    for word in words.split()
}
_HISTOLOGY = frozenset(
    """serous mucinous clear cell endometrioid squamous small large papillary follicular medullary
    anaplastic ductal lobular invasive infiltrating epithelial adenoid cystic signet ring
    transitional urothelial neuroendocrine acinar mucoepidermoid germ stromal basal metaplastic
    inflammatory intraductal tubular verrucous basaloid undifferentiated differentiated
    nonsquamous non poorly well moderately exocrine glandular malignant primary invasive""".split()
)
_BETWEEN = frozenset("and or".split())
_OTHER = frozenset("other systemic chronic physical medical severe serious significant".split())
"""What stands for one more organ of a list: "cardiac, renal or other disease"."""
_OF = frozenset("of in involving".split())
_FILLERS = frozenset(
    "the a left right both upper lower distal proximal middle urinary bilateral his her".split()
)
_MOST_WORDS = 3
_MOST_LISTED = 8


def head_words() -> frozenset[str]:
    """Give the folded words one of which every composed name has."""
    return frozenset(_HEADS)


def organ_terms() -> frozenset[str]:
    """Give the names of diseases, tumours and failures that the table tells."""
    return frozenset(name for organ in _organs().values() for name in organ[1:] if name)


def find_composed(words: Sequence[str]) -> Iterator[Composed]:
    """Find the composed names among folded words, each organ of a list by its own words."""
    for at, word in enumerate(words):
        kind = _HEADS.get(word)
        if kind is None:
            continue
        ailment = word if kind == "tumor" else kind
        first, organ, kind_of = _before(words, at, tumor=kind == "tumor")
        if organ is None:
            yield from _after(words, first, at, ailment=ailment, kind_of=kind_of)
            while first > 0 and words[first - 1] in _OTHER:
                first -= 1
            yield from _listed_before(words, first, ailment)
        else:
            yield Composed(first, at + 1, organ, ailment, kind_of)
            yield from _listed_before(words, first, ailment)


def _before(
    words: Sequence[str], at: int, *, tumor: bool
) -> tuple[int, Organ | None, tuple[str, ...]]:
    """Read backwards from a head word: the histology and the organ in any order."""
    organ: Organ | None = None
    kind_of: list[str] = []
    first = at
    while first > 0:
        found = _organ_ending(words, first) if organ is None else None
        if found is not None:
            length, organ = found
            first -= length
        elif tumor and words[first - 1] in _HISTOLOGY:
            first -= 1
            kind_of.insert(0, words[first])
        else:
            break
    return first, organ, tuple(kind_of)


def _listed_before(words: Sequence[str], first: int, ailment: str) -> Iterator[Composed]:
    """Yield the organs that share a head word: the "breast" of "breast or ovarian cancer"."""
    if first == 0 or words[first - 1] not in _BETWEEN:
        return
    for _ in range(_MOST_LISTED):
        at = first
        while at > 0 and words[at - 1] in _BETWEEN:
            at -= 1
        found = _organ_ending(words, at) if at > 0 else None
        if found is None:
            return
        length, organ = found
        first = at - length
        yield Composed(first, at, organ, ailment)


def _after(
    words: Sequence[str], first: int, at: int, *, ailment: str, kind_of: tuple[str, ...]
) -> Iterator[Composed]:
    """Yield the organs of "carcinoma of the breast, colon or lung"."""
    place = at + 1
    if place >= len(words) or words[place] not in _OF:
        return
    start = first
    for _ in range(_MOST_LISTED):
        place += 1
        while place < len(words) and words[place] in _FILLERS:
            place += 1
        found = _organ_starting(words, place)
        if found is None:
            return
        length, organ = found
        yield Composed(start, place + length, organ, ailment, kind_of)
        place += length
        if place >= len(words) or words[place] not in _BETWEEN:
            place -= 1
        start = place + 1


def _organ_ending(words: Sequence[str], end: int) -> tuple[int, Organ] | None:
    organs = _organs()
    if words[end - 1] not in _last_words():
        return None
    for length in range(min(_MOST_WORDS, end), 0, -1):
        organ = organs.get(tuple(words[end - length : end]))
        if organ is not None:
            return length, organ
    return None


def _organ_starting(words: Sequence[str], start: int) -> tuple[int, Organ] | None:
    organs = _organs()
    for length in range(min(_MOST_WORDS, len(words) - start), 0, -1):
        organ = organs.get(tuple(words[start : start + length]))
        if organ is not None:
            return length, organ
    return None


@cache
def _last_words() -> frozenset[str]:
    return frozenset(words[-1] for words in _organs())


@cache
def _organs() -> dict[tuple[str, ...], Organ]:
    organs: dict[tuple[str, ...], Organ] = {}
    for line in read_lines("organs.txt"):
        listed, disease, tumor, failure = (part.strip() for part in line.split("|"))
        names = [name.strip() for name in listed.split(";")]
        organ = Organ(names[0], disease, tumor, failure)
        for name in names:
            organs.setdefault(tuple(fold(name)), organ)
    return organs
