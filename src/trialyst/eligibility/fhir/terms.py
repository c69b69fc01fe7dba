"""The terms of coded things: the vocabulary's by a code's words, or the code itself.

Words of code systems are formal: "Malignant neoplasm of upper lobe of left lung", "Essential
(primary) hypertension", "History of appendectomy (situation)". They are put as people write them,
and what they say of time and doubt is told apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from trialyst.eligibility.chart import Assertion
from trialyst.vocabulary import Kind
from trialyst.vocabulary.term import Term, TermKind

if TYPE_CHECKING:
    from trialyst.eligibility.fhir.bundle import Code
    from trialyst.eligibility.lexicon import Lexicon

__all__ = ["CodedTerms", "Situation", "read_situation"]

_PROBLEMS = frozenset((TermKind.CONDITION, TermKind.SYMPTOM))
_TREATMENTS = frozenset((TermKind.DRUG, TermKind.DRUG_CLASS, TermKind.THERAPY))
_PROCEDURES = frozenset((TermKind.PROCEDURE, TermKind.DEVICE, TermKind.THERAPY))
_VOCABULARY_KINDS = {
    TermKind.CONDITION: (Kind.CONDITION,),
    TermKind.DRUG: (Kind.DRUG,),
    TermKind.THERAPY: (Kind.OTHER,),
}
_FORMS = ("D26.255", "D26.776", "E02", "E07")
_SIDES = re.compile(
    r"\b(?:left|right|bilateral|both|unspecified|female|male|structure of|site of|part of)\b ?"
    r"|,? (?:not otherwise specified|NOS|without complications?)\b|, unspecified\b| \(primary\)",
    re.IGNORECASE,
)
_TUMOUR = re.compile(
    r"(?:(?:primary|overlapping) )?(?:malignant|cancerous) (?:neoplasm|tumou?r|lesion) of (.+)",
    re.IGNORECASE,
)
_SPREAD_ANYWHERE = re.compile(
    r"(?:secondary malignant neoplas(?:tic disease|m)|metastatic malignant neoplasm|metastases)",
    re.IGNORECASE,
)
_SPREAD = re.compile(
    r"(?:(?:secondary|metastatic) malignant neoplasm|metasta(?:sis|tic (?:cancer|tumou?r)))"
    r" (?:of|to|in) (.+)",
    re.IGNORECASE,
)
_OF = re.compile(r"([\w -]+) of (?:the )?([\w ]+)")
_SITUATIONS = (
    (Assertion.FAMILY, re.compile(r"family history of:? (.+)", re.IGNORECASE)),
    (
        Assertion.HISTORICAL,
        re.compile(r"(?:(?:personal |past |prior )?history of:?|h/o) (.+)", re.IGNORECASE),
    ),
    (Assertion.POSSIBLE, re.compile(r"(?:suspected|possible|probable) (.+)", re.IGNORECASE)),
    (
        Assertion.ABSENT,
        re.compile(
            r"(?:no (?:evidence|history|known history|sign|family history) of|absence of) (.+)",
            re.IGNORECASE,
        ),
    ),
)


class Situation(NamedTuple):
    """What the words of a code say of time, doubt or a relative, and of what."""

    assertion: Assertion | None
    words: str


def read_situation(words: str) -> Situation:
    """Tell a thing from what its name says of it.

    >>> read_situation("History of appendectomy")
    Situation(assertion=<Assertion.HISTORICAL: 'historical'>, words='appendectomy')
    """
    for assertion, pattern in _SITUATIONS:
        if match := pattern.fullmatch(words):
            return Situation(assertion, match.group(1))
    return Situation(None, words)


class CodedTerms:
    """Gives terms with one lexicon; keep one for a record, whose codes repeat."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._known: dict[tuple[str, str, frozenset[TermKind]], tuple[Term, TermKind | None]] = {}

    def problem(self, words: str, codes: Sequence[Code]) -> tuple[Term, TermKind | None]:
        """Give the term of a condition or finding, and its kind where the vocabulary knows it."""
        return self._term(words, codes, _PROBLEMS)

    def procedure(self, words: str, codes: Sequence[Code]) -> tuple[Term, TermKind | None]:
        """Give the term of a procedure, and whether it is rather a therapy."""
        return self._term(words, codes, _PROCEDURES)

    def substance(self, words: str, codes: Sequence[Code]) -> Term:
        """Give the term of what someone is allergic to."""
        return self._term(words, codes, _TREATMENTS | _PROBLEMS)[0]

    def ingredients(self, words: str, codes: Sequence[Code]) -> list[Term]:
        """Give the drugs that a product's name holds, the product itself if none is known."""
        found = {
            each.what.id: each.what
            for each in self._lexicon.find(words)
            if each.kind in _TREATMENTS and not _is_form(each.what)
        }
        return list(found.values()) or [self._term(words, codes, _TREATMENTS)[0]]

    def vaccine(self, words: str, codes: Sequence[Code]) -> Term:
        """Give the term of a vaccine: a name that the vocabulary has, not what it is against."""
        name = words if "vaccin" in words.lower() else f"{words} vaccine"
        return self._term(name, codes, _TREATMENTS)[0]

    def gene(self, concept_id: str) -> str:
        """Give the symbol of a gene by its id, empty if it is not known."""
        found = self._lexicon.vocabulary.get(concept_id)
        return "" if found is None or found.kind is not Kind.GENE else found.preferred

    def symbol(self, word: str) -> str:
        """Give the symbol of a gene by a name of it, empty if it is none."""
        found = self._lexicon.vocabulary.resolve(word, kinds=(Kind.GENE,))
        return "" if not found.exact or found.concept is None else found.concept.preferred

    def _term(
        self, words: str, codes: Sequence[Code], kinds: frozenset[TermKind]
    ) -> tuple[Term, TermKind | None]:
        identity = str(codes[0]) if codes else f"term:{words.lower()}"
        key = (words, identity, kinds)
        if key not in self._known:
            self._known[key] = self._find_term(words, identity, kinds)
        return self._known[key]

    def _find_term(
        self, words: str, identity: str, kinds: frozenset[TermKind]
    ) -> tuple[Term, TermKind | None]:
        for name in _as_people_write(words):
            whole = self._whole(name, kinds)
            if whole is not None:
                return whole
        plain = _SIDES.sub("", words).strip()
        part = next((each for each in self._lexicon.find(plain) if each.kind in kinds), None)
        if part is None:
            return Term(identity, words), None
        # A kind of what its words name first: "Concussion with loss of consciousness".
        return Term(identity, words, part.what.trees, (part.what.id,)), part.kind

    def _whole(self, name: str, kinds: frozenset[TermKind]) -> tuple[Term, TermKind | None] | None:
        """Give what the whole of some words means."""
        for each in self._lexicon.find(name):
            if each.kind in kinds and (each.start, each.end) == (0, len(name)):
                return each.what, each.kind
        found = self._lexicon.vocabulary.resolve(name, kinds=_sought(kinds))
        concept = found.concept
        if concept is None or not found.matches[0].how.exact:
            return None
        return Term(concept.id, concept.preferred, concept.trees), None


def _is_form(what: Term) -> bool:
    """Say whether a term is only how a drug is made up or given: tablets, an injection."""
    return bool(what.trees) and all(tree.startswith(_FORMS) for tree in what.trees)


def _sought(kinds: frozenset[TermKind]) -> frozenset[Kind]:
    return frozenset(kind for each in kinds for kind in _VOCABULARY_KINDS.get(each, ()))


def _as_people_write(words: str) -> list[str]:
    """Give the wordings under which a vocabulary may know a formal name, the likeliest first.

    >>> _as_people_write("Malignant neoplasm of upper lobe of left lung")[0]
    'lung cancer'
    """
    plain = " ".join(_SIDES.sub("", words).split()).strip(" ,")
    for pattern, noun in ((_TUMOUR, "cancer"), (_SPREAD, "metastases")):
        if match := pattern.fullmatch(plain):
            organ = match.group(1).rpartition(" of ")[2].removeprefix("the ").lower()
            return [f"{organ} {noun}", plain]
    if _SPREAD_ANYWHERE.fullmatch(plain):
        return ["neoplasm metastasis"]
    wordings = [words, plain]
    if match := _OF.fullmatch(plain):
        wordings.append(f"{match.group(2)} {match.group(1)}")
    return wordings
