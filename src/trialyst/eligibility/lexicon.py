"""Names of conditions, drugs, procedures and classes of drugs in a text, criterion or note alike.

One finder for both sides, so that a criterion and a chart name the same thing by the same term.
The longest name wins; short forms are case-sensitive and need their context.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from trialyst.eligibility.anatomy import Composed, find_composed, head_words
from trialyst.eligibility.names import Name, is_short, read_names
from trialyst.folding import fold_phrase
from trialyst.vocabulary import How, Kind, drug_class
from trialyst.vocabulary.spotting import Token, tokenize
from trialyst.vocabulary.term import Term, TermKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trialyst.vocabulary import Concept, Vocabulary

__all__ = ["Lexicon", "Named"]

_KINDS = frozenset((Kind.CONDITION, Kind.DRUG, Kind.OTHER))
_REMEMBERED = 20_000
_LONGEST_REMEMBERED = 400
_MOST_KEYS = 400_000
"""Folded names held by first words; the vocabulary has about 600,000."""
_SIGNS = ("C23.888", "C23.300", "F01", "F02", "G11")
_TREES = (
    (TermKind.PROCEDURE, ("E04", "E06", "E01.370", "E05.200", "E02.870", "E02.800", "E07.695.")),
    (TermKind.DEVICE, ("E07",)),
    (TermKind.THERAPY, ("E02", "F04.754")),
)
_MEASURED = re.compile(
    r"^(?!.*(?:Monoclonal|gonist|Blocker|Inhibitor|Conjugate|Modulator|Drug))"
    r".*\b(?:Antibod(?:y|ies)|Antigens?|Receptors?)\b"
)
"""Names of substances that a laboratory looks for and nobody takes."""
_BREAK = re.compile(r"[;:()\[\]\n]|\.\s|,(?!\s*type\b)")
_COMMA = re.compile(r",(?!\s*type\b)")
_ABBREVIATION = re.compile(r"\s*[(\[]\s*([A-Z][A-Za-z0-9-]{1,9}?)s?\s*[)\]]")
_AROUND = re.compile(r"[^\W_]+|[%:;]")
_GIVEN_BEFORE = re.compile(
    r"\b(?:on|tak(?:es?|ing)|oral|intravenous|iv|topical|transdermal|exogenous|receiv\w+|supplemental"
    r"|(?:use|administration|doses?) of|(?:treat\w+|therapy) with)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_GIVEN_AFTER = re.compile(
    r"[\s-]+(?:\w+ )?(?:therap|treatment|supplement|replacement|infusion|injection|tablet|gel\b|patch"
    r"|drops?\b|preparation|pill)",
    re.IGNORECASE,
)
_CONJUNCTIONS = frozenset("and or".split())


class Named(NamedTuple):
    """A name at `text[start:end]`."""

    what: Term
    kind: TermKind
    start: int
    end: int


class _Meaning(NamedTuple):
    what: Term
    kind: TermKind
    measured: bool = False


class _Span(NamedTuple):
    first: int
    last: int
    weight: float
    meaning: _Meaning


class Lexicon:
    """Finds names with one vocabulary; keep one for many texts."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._names = read_names()
        self._own: dict[str, list[str]] = {}
        for key in self._names.by_key:
            self._own.setdefault(key.split(" ", 1)[0], []).append(key)
        self._heads = head_words()
        self._terms: dict[str, Term] = {}
        self._keys: dict[str, tuple[tuple[int, ...], frozenset[str]]] = {}
        self._held = 0
        self._meanings: dict[str, _Meaning | None] = {}
        self._composed: dict[tuple[str, str, tuple[str, ...]], _Meaning] = {}
        self._texts: dict[str, tuple[Named, ...]] = {}

    def find(self, text: str) -> list[Named]:
        """Find the names in a text, in its order, none overlapping."""
        found = self._texts.get(text)
        if found is None:
            found = tuple(self._find(text))
            if len(text) <= _LONGEST_REMEMBERED:
                if len(self._texts) >= _REMEMBERED:
                    self._texts.clear()
                self._texts[text] = found
        return list(found)

    def term(self, name: str) -> Term:
        """Give the term of a name, of our own making if the vocabulary has none."""
        found = self._terms.get(name)
        if found is None:
            if len(self._terms) >= _REMEMBERED:
                self._terms.clear()
            found = self._terms[name] = self._term(name)
        return found

    def _term(self, name: str) -> Term:
        key = fold_phrase(name)
        for own in self._names.by_key.get(key, ()):
            if own.written in (None, name):
                return self._thing(own.thing)
        return self._thing(name)

    def _thing(self, name: str) -> Term:
        prefix, _, rest = name.partition(":")
        if prefix in ("class", "regimen") and rest:
            return Term(name, rest)
        key = fold_phrase(name)
        above = self._names.wider.get(key)
        if above is None:
            found = self.vocabulary.look_up(key, kinds=_KINDS, written=name)
            if found is not None and found.matches[0].how.exact:
                return _term_of(found.matches[0].concept)
            group = drug_class(name)
            if group is not None:
                return Term(f"class:{group.name}", group.name)
        return self._narrower(name, above or ())

    def _narrower(self, name: str, above: Iterable[str]) -> Term:
        """Make a term of our own below others: its trees are theirs, one step further."""
        key = fold_phrase(name)
        step = key.replace(" ", "_")
        trees = [f"{tree}.{step}" for parent in above for tree in self.term(parent).trees]
        return Term(f"term:{key}", name[:1].upper() + name[1:], tuple(dict.fromkeys(trees)))

    def _find(self, text: str) -> list[Named]:
        tokens = tokenize(text)
        words = [token.folded for token in tokens]
        spans = [*self._listed(text, tokens, words), *self._put_together(text, tokens, words)]
        kept = _longest(spans)
        if kept:
            kept = [*kept, *self._sharing(words, kept)]
            kept.sort()
        return self._placed(text, tokens, kept)

    def _listed(self, text: str, tokens: list[Token], words: list[str]) -> Iterator[_Span]:
        """Yield the longest listed name that begins at each word."""
        count = len(words)
        keys_by_word = self._keys
        capitals = len(words) > 2 and text.isupper()
        for at, word in enumerate(words):
            held = keys_by_word.get(word)
            if held is None:
                held = self._hold(word)
            lengths, keys = held
            for length in lengths:
                last = at + length
                if last > count:
                    continue
                key = word if length == 1 else " ".join(words[at:last])
                if key not in keys:
                    continue
                start, end = tokens[at].start, tokens[last - 1].end
                written = text[start:end]
                meaning = self._meaning(written, key)
                if meaning is None or not self._fits(text, written, start, capitals=capitals):
                    continue
                weight = float(length)
                if length > 1 and _BREAK.search(written):
                    if _COMMA.sub("", written) == written or _BREAK.search(_COMMA.sub("", written)):
                        continue
                    weight -= 0.9
                yield _Span(at, last, weight, meaning)
                break

    def _hold(self, word: str) -> tuple[tuple[int, ...], frozenset[str]]:
        keys = frozenset((*self._own.get(word, ()), *self.vocabulary.keys_of_word(word)))
        if self._held > _MOST_KEYS:
            self._keys.clear()
            self._held = 0
        self._held += len(keys) + 1
        lengths = tuple(sorted({key.count(" ") + 1 for key in keys}, reverse=True))
        self._keys[word] = lengths, keys
        return lengths, keys

    def _meaning(self, written: str, key: str) -> _Meaning | None:
        if written in self._meanings:
            return self._meanings[written]
        if len(self._meanings) >= 2 * _REMEMBERED:
            self._meanings.clear()
        found = self._meanings[written] = self._read(written, key)
        return found

    def _read(self, written: str, key: str) -> _Meaning | None:
        names = self._names
        for name in names.by_key.get(key, ()):
            if name.written is None or _is_written(name, written):
                return _Meaning(self._thing(name.thing), name.kind)
        if written in names.ignored_written or written.lower() in names.ignored_written:
            return None
        found = self.vocabulary.look_up(key, kinds=_KINDS, written=written)
        if found is None or _is_figure(written) or (len(key) <= 2 and not written.isupper()):
            return None
        match = found.matches[0]
        concept = match.concept
        if concept.preferred in names.ignored or (found.ambiguous and len(written) <= 3):
            return None
        if is_short(match.name) and not is_short(written):
            return None
        kind = _kind(concept)
        if kind is None:
            return None
        if match.how is How.BROADER:
            return _Meaning(self._narrower(key, (concept.preferred,)), kind)
        others = tuple(each.concept.id for each in found.matches[1:]) if found.ambiguous else ()
        return _Meaning(_term_of(concept, others), kind, concept.preferred in names.substances)

    def _fits(self, text: str, written: str, start: int, *, capitals: bool) -> bool:
        """Whether a short form has its context, and is no part of another such as PD of PD-L1."""
        if not is_short(written):
            return True
        if capitals and written.isalpha() and len(written) <= 3:
            return False
        names, end = self._names, start + len(written)
        before, after = text[max(0, start - 2) : start], text[end : end + 2]
        if after[:1] == "-" and after[1:].isalnum() and not after[1:].islower():
            return False
        if before[-1:] == "-" and before[:1].isalnum() and not written[0].islower():
            return False
        needed = names.needs.get(written)
        if needed is not None:
            # The expansion may stand anywhere in the text: "multiple myeloma (MM)".
            lowered = text.lower()
            if not any(word in lowered for word in needed):
                return False
        apart = names.unless.get(written)
        if apart is None:
            return True
        near = (
            _AROUND.findall(text[max(0, start - 25) : start])[-1:],
            _AROUND.findall(text[end : end + 25])[:1],
        )
        return not any(
            word.lower() in words or word in words
            for found, words in zip(near, apart, strict=True)
            for word in found
        )

    def _put_together(self, text: str, tokens: list[Token], words: list[str]) -> Iterator[_Span]:
        """Yield what an organ and its ailment make."""
        if self._heads.isdisjoint(words):
            return
        for each in find_composed(words):
            written = text[tokens[each.first].start : tokens[each.last - 1].end]
            if _BREAK.search(written):
                continue
            meaning = self._compose(each)
            if meaning is not None:
                yield _Span(each.first, each.last, each.last - each.first - 0.5, meaning)

    def _compose(self, each: Composed) -> _Meaning | None:
        organ, ailment = each.organ, each.ailment
        memory = (organ.name, ailment, each.kind_of)
        if memory not in self._composed:
            if len(self._composed) >= _REMEMBERED:
                self._composed.clear()
            self._composed[memory] = _Meaning(self._ailing(each), TermKind.CONDITION)
        return self._composed[memory]

    def _ailing(self, each: Composed) -> Term:
        organ, ailment = each.organ, each.ailment
        if ailment == "disease":
            return self.term_below(organ.disease)
        if ailment == "failure":
            return self.term_below(organ.failure or organ.disease)
        if ailment == "infection":
            disease = self.term_below(organ.disease)
            if any(tree.startswith("C01") for tree in disease.trees):
                return disease
            return self._narrower(f"{organ.name} infection", ("infections", organ.disease))
        if ailment == "metastasis":
            tumor = (organ.tumor,) if organ.tumor else ()
            return self._narrower(f"{organ.name} metastases", ("neoplasm metastasis", *tumor))
        kind_of = [
            word for word in each.kind_of if word not in ("malignant", "primary", "invasive")
        ]
        histology = " ".join([*kind_of, "cancer" if ailment == "ca" else ailment])
        for name in (f"{organ.name} {histology}", f"{histology} of {organ.name}"):
            known = self._meaning(name, fold_phrase(name))
            if known is not None and known.what.id.startswith("MESH"):
                return known.what
        tumor = self.term_below(organ.tumor or organ.disease)
        if histology in _USUAL or not organ.tumor:
            return tumor
        general = self._meaning(histology, histology)
        above = [organ.tumor] + ([general.what.name] if general is not None else [])
        return self._narrower(f"{histology} of {organ.name}", above)

    def term_below(self, name: str) -> Term:
        """Give the term of a name that may tell what it is a kind of: `Seizure disorder < Epilepsy`."""
        own, _, above = (part.strip() for part in name.partition("<"))
        if not above:
            return self.term(own)
        return self._narrower(own, [part.strip() for part in above.split(";")])

    def _sharing(self, words: list[str], kept: list[_Span]) -> Iterator[_Span]:
        """Yield names that share words with another: "type 1 or 2 diabetes", "hepatitis B or C"."""
        taken = {at for span in kept for at in range(span.first, span.last)}
        for span in kept:
            if span.last - span.first > 1:
                yield from self._sharing_end(words, span, taken)
                yield from self._sharing_beginning(words, span, taken)
            else:
                yield from self._sharing_type(words, span)

    def _sharing_end(self, words: list[str], span: _Span, taken: set[int]) -> Iterator[_Span]:
        at = span.first
        while at > 1 and (words[at - 1] in _CONJUNCTIONS or at < span.first):
            end = at - 1 if words[at - 1] in _CONJUNCTIONS else at
            found = None
            for first in (end - 2, end - 1):
                if first < 0 or not taken.isdisjoint(range(first, end)):
                    continue
                found = self._known(words[first:end], words[span.first + 1 : span.last], span)
                if found is not None:
                    yield _Span(first, end, 0, found)
                    taken.update(range(first, end))
                    at = first
                    break
            if found is None:
                return

    def _sharing_beginning(self, words: list[str], span: _Span, taken: set[int]) -> Iterator[_Span]:
        """Read on after a name that ends in a letter or number: the C of "hepatitis B or C"."""
        at = span.last
        if len(words[at - 1]) > 3:
            return
        while at < len(words):
            if words[at] in _CONJUNCTIONS:
                at += 1
                continue
            if at in taken or len(words[at]) > 3:
                return
            found = self._known(words[span.first : span.last - 1], words[at : at + 1], span)
            if found is None:
                return
            taken.add(at)
            yield _Span(at, at + 1, 0, found)
            at += 1

    def _sharing_type(self, words: list[str], span: _Span) -> Iterator[_Span]:
        """Read "type 1 or 2 diabetes": the second name takes the place of the bare word."""
        at = span.first
        if at < 4 or words[at - 2] not in _CONJUNCTIONS or words[at - 4] != "type":
            return
        head = words[at : span.last]
        one = self._known(words[at - 4 : at - 2], head, span)
        two = self._known(["type", words[at - 1]], head, span)
        if one is not None and two is not None:
            yield _Span(at - 4, at - 2, 0, one)
            yield _Span(at - 1, span.last, 0, two)

    def _known(self, first: list[str], rest: list[str], like: _Span) -> _Meaning | None:
        """Give what words before and after each other mean, where it is of the kind of another."""
        for cut in range(len(rest)):
            key = " ".join((*first, *rest[cut:]))
            _, keys = self._keys.get(first[0]) or self._hold(first[0])
            if key in keys:
                found = self._meaning(key, key)
                if found is not None and found.kind is like.meaning.kind:
                    return found if found.what.id != like.meaning.what.id else None
        return None

    def _placed(self, text: str, tokens: list[Token], kept: list[_Span]) -> list[Named]:
        found: list[Named] = []
        short: dict[str, Named] = {}
        for span in kept:
            start, end = tokens[span.first].start, tokens[span.last - 1].end
            what, kind, measured = span.meaning
            if found and start < found[-1].end:
                continue
            if measured and not _is_given(text, start, end):
                continue
            written = text[start:end]
            if written in short:
                what, kind = short[written].what, short[written].kind
            named = Named(what, kind, start, end)
            # "atrial fibrillation (AF)" is one name, and AF is that from here on.
            match = _ABBREVIATION.match(text, end)
            if match is not None and _abbreviates(match.group(1), written):
                named = Named(what, kind, start, match.end())
                short[match.group(1)] = named
            found.append(named)
        return found


_USUAL = frozenset(
    {"cancer", "carcinoma", "adenocarcinoma", "neoplasm", "tumor", "malignancy", "neoplasia"}
)


def _longest(spans: list[_Span]) -> list[_Span]:
    """Keep the longest of overlapping names, the first of equally long ones."""
    spans.sort(key=lambda span: (-span.weight, span.first))
    taken: set[int] = set()
    kept = []
    for span in spans:
        places = range(span.first, span.last)
        if taken.isdisjoint(places):
            taken.update(places)
            kept.append(span)
    return kept


def _term_of(concept: Concept, others: tuple[str, ...] = ()) -> Term:
    return Term(concept.id, concept.preferred, concept.trees, others)


def _is_written(name: Name, written: str) -> bool:
    """Whether a short name stands as it must, but for hyphens and the s of a plural."""
    assert name.written is not None
    wanted = "".join(filter(str.isalnum, name.written))
    letters = "".join(filter(str.isalnum, written))
    return letters in (wanted, f"{wanted}s")


def _is_figure(written: str) -> bool:
    """Whether a name is hardly more than a number, as "A 10" at the head of a note."""
    letters = sum(letter.isalpha() for letter in written)
    return letters < 2 or (" " in written and written.split()[-1].isdigit() and letters <= 3)


def _is_given(text: str, start: int, end: int) -> bool:
    """Whether a substance that laboratories measure is a drug here."""
    return bool(
        _GIVEN_BEFORE.search(text[max(0, start - 30) : start]) or _GIVEN_AFTER.match(text, end)
    )


def _abbreviates(short: str, written: str) -> bool:
    """Whether capitals in parentheses stand for the name before them."""
    letters = [letter for letter in short.lower() if letter.isalpha()]
    lowered = written.lower()
    return lowered[:1] == letters[0] and all(letter in lowered for letter in letters)


def _kind(concept: Concept) -> TermKind | None:
    trees = concept.trees
    if concept.kind is Kind.CONDITION:
        signs = bool(trees) and all(tree.startswith(_SIGNS) for tree in trees)
        return TermKind.SYMPTOM if signs else TermKind.CONDITION
    if concept.kind is Kind.DRUG:
        return None if _MEASURED.search(concept.preferred) else TermKind.DRUG
    for kind, tops in _TREES:
        if any(tree.startswith(tops) for tree in trees):
            return kind
    return None
