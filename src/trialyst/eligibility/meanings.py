"""What a name means: its term and kind, by our own table, the drug classes and the vocabulary.

Owns the terms of our own making: `class:`, `regimen:` and `term:`, the last with the trees of what
they are kinds of, one step further. Finding names in a text is the lexicon's work.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from trialyst.eligibility.anatomy import Composed
from trialyst.eligibility.names import is_short, read_names
from trialyst.folding import fold_phrase
from trialyst.vocabulary import How, Kind, drug_class
from trialyst.vocabulary.term import Term, TermKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trialyst.vocabulary import Vocabulary

__all__ = ["Meaning", "Meanings"]

_KINDS = frozenset((Kind.CONDITION, Kind.DRUG, Kind.OTHER))
_REMEMBERED = 40_000
_SIGNS = ("C23.888", "C23.300", "F01", "F02", "G11")
_TREES = (
    (TermKind.PROCEDURE, ("E04", "E06", "E01.370", "E05.200", "E02.870", "E02.800")),
    (TermKind.DEVICE, ("E07",)),
    (TermKind.THERAPY, ("E02", "F04.754")),
)
_MEASURED = re.compile(
    r"^(?!.*(?:Monoclonal|gonist|Blocker|Inhibitor|Conjugate|Modulator|Drug))"
    r".*\b(?:Antibod(?:y|ies)|Antigens?|Receptors?)\b"
)
"""Names of substances that a laboratory looks for and nobody takes."""
_INFECTIONS = "C01"
_PLAIN_TUMORS = frozenset(
    "cancer carcinoma adenocarcinoma neoplasm tumor malignancy neoplasia".split()
)
"""What most tumours of an organ are, so that the organ says it all."""
_FINDING = "signs and symptoms"
_DENIALS = frozenset("no not absent unable without low".split())
_UNSAID = frozenset("malignant primary invasive infiltrating".split())


class Meaning(NamedTuple):
    """A term with its kind."""

    what: Term
    kind: TermKind
    measured: bool = False
    """Whether laboratories measure it, so that it is a drug only where it is given."""


class Meanings:
    """Reads names with one vocabulary and remembers them."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._names = read_names()
        self._terms: dict[str, Term] = {}
        self._read: dict[str, Meaning | None] = {}
        self._composed: dict[tuple[str, str, tuple[str, ...]], Meaning] = {}

    def term(self, name: str) -> Term:
        """Give the term of a name, of our own making if the vocabulary has none."""
        found = self._terms.get(name)
        if found is None:
            if len(self._terms) >= _REMEMBERED:
                self._terms.clear()
            found = self._terms[name] = self._term(name)
        return found

    def read(self, written: str, key: str) -> Meaning | None:
        """Say what a name means as it is written, `key` being the same folded; None if nothing."""
        if written in self._read:
            return self._read[written]
        if len(self._read) >= _REMEMBERED:
            self._read.clear()
        found = self._read[written] = self._meaning(written, key)
        return found

    def compose(self, each: Composed) -> Meaning:
        """Say what an organ and its ailment mean together."""
        memory = (each.organ.name, each.ailment, each.kind_of)
        found = self._composed.get(memory)
        if found is None:
            if len(self._composed) >= _REMEMBERED:
                self._composed.clear()
            found = Meaning(self._ailing(each), TermKind.CONDITION)
            self._composed[memory] = found
        return found

    def _term(self, name: str) -> Term:
        own, _, above = (part.strip() for part in name.partition("<"))
        if above:
            return self._narrower(own, [part.strip() for part in above.split(";")])
        for each in self._names.by_key.get(fold_phrase(name), ()):
            if each.written in (None, name):
                return self._thing(each.thing)
        return self._thing(name)

    def _thing(self, name: str) -> Term:
        prefix, _, rest = name.partition(":")
        if prefix in ("class", "regimen") and rest:
            return Term(name, rest)
        key = fold_phrase(name)
        above = self._names.wider.get(key)
        if above is None:
            found = self._vocabulary.read_name(key, name, kinds=_KINDS)
            if found is not None and found.how.exact:
                return Term(found.id, found.preferred, found.trees)
            group = drug_class(name)
            if group is not None:
                return Term(f"class:{group.name}", group.name)
        if above is None and key in self._names.findings:
            above = (self._wider_finding(key),)
        return self._narrower(name, above or ())

    def _narrower(self, name: str, above: Iterable[str]) -> Term:
        """Make a term of our own below others: its trees are theirs, one step further."""
        key = fold_phrase(name)
        step = key.replace(" ", "_")
        trees = [f"{tree}.{step}" for parent in above for tree in self.term(parent).trees]
        return Term(f"term:{key}", name[:1].upper() + name[1:], tuple(dict.fromkeys(trees)))

    def _meaning(self, written: str, key: str) -> Meaning | None:
        names = self._names
        ignored = written in names.ignored_written or written.lower() in names.ignored_written
        for name in names.by_key.get(key, ()):
            # "Met" is no singular of "mets".
            plain = name.written is None and not ignored
            if plain or (name.written and _are_letters(name.written, written)):
                return Meaning(self._thing(name.thing), name.kind)
        if ignored:
            return None
        return self._listed(written, key) or self._finding(written, key)

    def _finding(self, written: str, key: str) -> Meaning | None:
        name = self._names.findings.get(key)
        if name is None or (name.written is not None and not _are_letters(name.written, written)):
            return None
        return Meaning(self._thing(name.thing), name.kind)

    def _wider_finding(self, key: str) -> str:
        """Give what a finding is a kind of by its last words: bloody diarrhea of diarrhea."""
        words = key.split(" ")
        for first in range(1, len(words)):
            rest = " ".join(words[first:])
            denied = words[0] in _DENIALS
            wide = None if denied or self._leads_back(rest, key) else self._meaning(rest, rest)
            if wide is not None and wide.kind in (TermKind.CONDITION, TermKind.SYMPTOM):
                return wide.what.name
        return _FINDING

    def _leads_back(self, rest: str, key: str) -> bool:
        """Whether words mean a finding as long as the one they end, which none knows better."""
        things = [name.thing for name in self._names.by_key.get(rest, ())]
        things += [self._names.findings[rest].thing] if rest in self._names.findings else []
        for thing in things:
            folded = fold_phrase(thing)
            if folded.count(" ") < key.count(" ") or folded in self._names.wider:
                continue
            found = self._vocabulary.read_name(folded, thing, kinds=_KINDS)
            if found is None or not found.how.exact:
                return True
        return False

    def _listed(self, written: str, key: str) -> Meaning | None:
        names = self._names
        if _is_figure(written) or (len(key) <= 2 and not written.isupper()):
            return None
        found = self._vocabulary.read_name(key, written, kinds=_KINDS)
        if found is None or found.preferred in names.ignored:
            return None
        if is_short(found.name) and not _are_letters(found.name, written):
            return None
        if found.others and len(written) <= 3:
            return None
        kind = _kind(found.kind, found.preferred, found.trees)
        if kind is None:
            return None
        if found.how is How.BROADER:
            return Meaning(self._narrower(key, (found.preferred,)), kind)
        term = Term(found.id, found.preferred, found.trees, found.others)
        return Meaning(term, kind, found.preferred in names.substances)

    def _ailing(self, each: Composed) -> Term:
        organ, ailment = each.organ, each.ailment
        if ailment == "disease":
            return self.term(organ.disease)
        if ailment == "failure":
            return self.term(organ.failure or organ.disease)
        if ailment in ("infection", "fracture"):
            disease = self.term(organ.disease)
            if any(tree.startswith(_INFECTIONS) for tree in disease.trees):
                return disease
            wide = "infections" if ailment == "infection" else "fractures, bone"
            return self._narrower(f"{organ.name} {ailment}", (wide, organ.disease))
        if ailment == "metastasis":
            tumor = (organ.tumor,) if organ.tumor else ()
            return self._narrower(f"{organ.name} metastases", ("neoplasm metastasis", *tumor))
        return self._tumor(each)

    def _tumor(self, each: Composed) -> Term:
        organ = each.organ
        words = [word for word in each.kind_of if word not in _UNSAID]
        histology = " ".join([*words, "cancer" if each.ailment == "ca" else each.ailment])
        for name in (f"{organ.name} {histology}", f"{histology} of {organ.name}"):
            known = self.read(name, fold_phrase(name))
            if known is not None and known.what.trees and known.kind is TermKind.CONDITION:
                return known.what
        if not organ.tumor or histology in _PLAIN_TUMORS:
            return self.term(organ.tumor or organ.disease)
        general = self.read(histology, histology)
        above = [organ.tumor, *([] if general is None else [general.what.name])]
        return self._narrower(f"{histology} of {organ.name}", above)


def _are_letters(short: str, written: str) -> bool:
    """Whether a short name stands as it must, but for hyphens and the s of a plural."""
    wanted = "".join(filter(str.isalnum, short))
    letters = "".join(filter(str.isalnum, written))
    return letters == wanted or letters == f"{wanted}s"


def _is_figure(written: str) -> bool:
    """Whether a name is hardly more than a number, as "A 10" at the head of a note."""
    letters = sum(letter.isalpha() for letter in written)
    return letters < 2 or (" " in written and written.split()[-1].isdigit() and letters <= 3)


def _kind(kind: Kind, preferred: str, trees: tuple[str, ...]) -> TermKind | None:
    if kind is Kind.CONDITION:
        signs = bool(trees) and all(tree.startswith(_SIGNS) for tree in trees)
        return TermKind.SYMPTOM if signs else TermKind.CONDITION
    if kind is Kind.DRUG:
        return None if _MEASURED.search(preferred) else TermKind.DRUG
    for told, tops in _TREES:
        if any(tree.startswith(tops) for tree in trees):
            return told
    return None
