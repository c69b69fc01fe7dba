"""The vocabulary: what a text means, which names stand in a text, how concepts relate.

Names are compared folded. A gene's symbol, and a name that is also an ordinary word, counts only
as it is written: `CAT` may be a gene, `cat` never is.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from trialyst.folding import fold_phrase, phrase_variants
from trialyst.vocabulary.asset import ASSET, MARKS, open_asset
from trialyst.vocabulary.concept import Concept, How, Kind, Match, Mention, Reading, Resolution
from trialyst.vocabulary.hits import KINDS, Hit, is_ambiguous, is_meant, read_hit, step_of
from trialyst.vocabulary.rewording import reword
from trialyst.vocabulary.spotting import Token, tokenize

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from trialyst.vocabulary.learned import LearnedNames
    from trialyst.vocabulary.table import Place, Table

__all__ = ["Vocabulary", "empty_vocabulary", "open_vocabulary"]

_ALL_KINDS = frozenset(Kind)
_SOUGHT = frozenset({Kind.CONDITION, Kind.DRUG})
_SPOTTED = frozenset({Kind.CONDITION, Kind.DRUG, Kind.GENE})
_SHORT = 4
_CACHED_CONCEPTS = 50_000
_NO_SYNONYM = frozenset("=~<^")
"""Marks of names that do not stand for their concept in a search."""
_RESPELT = re.compile(r"[-\u2010\u2011]|\b(?:non|anti|post|multi)", re.IGNORECASE)
"""What may be written joined or apart; any other text has one spelling."""


class Vocabulary:
    """Every known name; open one with `open_vocabulary`."""

    def __init__(
        self, table: Table, *, learned: LearnedNames | None = None, before: str | None = None
    ) -> None:
        self._table = table
        self._learned = learned
        self._before = before
        self._concepts: dict[int, Concept] = {}

    @property
    def path(self) -> Path | None:
        """The file of the shipped names; None for names made in memory."""
        return self._table.path

    def with_learned(self, learned: LearnedNames, *, before: str | None = None) -> Vocabulary:
        """Give a vocabulary that knows the learned names too, or those first seen by a date."""
        return Vocabulary(self._table, learned=learned, before=before)

    def as_of(self, before: str) -> Vocabulary:
        """Give the same names without those first seen after a date."""
        return Vocabulary(self._table, learned=self._learned, before=before)

    def resolve(self, text: str, *, kinds: Collection[Kind] = _ALL_KINDS) -> Resolution:
        """Say what a text means; every match tells the step that found it."""
        found = self._exact(text, kinds)
        if found:
            return found
        if not fold_phrase(text):
            # A rewording adds words; what says nothing must not come to mean "disease".
            return Resolution(text, ())
        sought = frozenset(kinds) & _SOUGHT
        for reworded, how in reword(text):
            found = self._exact(reworded, sought)
            if found:
                return _told(text, found, how)
        return self._contained(text, sought)

    def identify(self, text: str, *, kinds: Collection[Kind]) -> tuple[str, str] | None:
        """Give the id and preferred name of what a text certainly means as it stands, or None.

        Neither rewords the text nor reads the concept's other names, so it is fast for thousands.
        """
        for key in _keys_of(text):
            hits = self._hits(key, text, kinds)
            if hits:
                if is_ambiguous(hits) or not step_of(hits[0]).exact:
                    return None
                ids, *_, listed = self._table.line(hits[0].line).split("\t")
                return ids.partition("|")[0], listed.partition("|")[0].lstrip(MARKS)
            if self._learned is not None and (
                found := self._learned.lookup(key, before=self._before)
            ):
                taught = [(each.target, each.preferred) for each in found if each.kind in kinds]
                return taught[0] if len(set(taught)) == 1 else None
        return None

    def get(self, concept_id: str) -> Concept | None:
        """Give a concept by its id; the registry's zero-padded MeSH ids will do."""
        for candidate in _id_spellings(concept_id):
            for place in self._table.places(f"#{candidate}"):
                return self._concept(place.line)
        return self._learned_concept(concept_id)

    def look_up(self, key: str, *, kinds: Collection[Kind] = _ALL_KINDS) -> Resolution | None:
        """Say what a folded name means as it stands, or give None."""
        return self._resolved(key, key, None, kinds=kinds)

    def read_name(self, key: str, written: str, *, kinds: Collection[Kind]) -> Reading | None:
        """Say what a folded name means as it is written, or give None.

        Does not read the concept's other names, so it is fast for thousands.
        """
        hits = self._hits(key, written, kinds)
        if hits:
            best = hits[0]
            ids, _, _, trees, _, listed = self._table.line(best.line).split("\t")
            others = [self._table.line(hit.line).partition("\t")[0] for hit in hits[1:]]
            return Reading(
                id=ids.partition("|")[0],
                kind=best.kind,
                preferred=listed.partition("|")[0].lstrip(MARKS),
                trees=tuple(filter(None, trees.split("|"))),
                name=best.name,
                how=step_of(best),
                others=tuple(each.partition("|")[0] for each in others)
                if is_ambiguous(hits)
                else (),
            )
        if self._learned is not None:
            for match in self._learned_matches(key, kinds):
                found = match.concept
                return Reading(
                    found.id, found.kind, found.preferred, found.trees, match.name, match.how
                )
        return None

    def keys_of_word(self, word: str) -> list[str]:
        """Give the folded names whose first word is a folded word."""
        keys = self._table.keys_of_word(word)
        return keys if self._learned is None else keys + self._learned.table.keys_of_word(word)

    def keys_starting(self, beginning: str, lengths: range) -> Iterator[str]:
        """Yield the folded names of some lengths that begin with some letters."""
        yield from self._table.keys_starting(beginning, lengths)
        if self._learned is not None:
            yield from self._learned.table.keys_starting(beginning, lengths)

    def names_of_genes(self, key: str) -> list[tuple[Hit, str]]:
        """Give the names of genes that a folded name is, in any case, each with its symbol."""
        lines = ((place, self._table.line(place.line)) for place in self._table.places(key))
        hits = ((read_hit(line, place, key), line) for place, line in lines)
        return [
            (hit, line.rsplit("\t", 1)[1].partition("|")[0].lstrip(MARKS))
            for hit, line in hits
            if hit.kind is Kind.GENE
        ]

    def broader(self, concept: Concept) -> tuple[Concept, ...]:
        """Give the ancestors in the MeSH trees, the nearest first."""
        above = [
            tree[:end] for tree in concept.trees for end in range(len(tree)) if tree[end] == "."
        ]
        above.sort(key=lambda tree: (-tree.count("."), tree))
        return self._distinct(place for tree in above for place in self._table.places(f"@{tree}"))

    def narrower(self, concept: Concept) -> tuple[Concept, ...]:
        """Give the descendants in the MeSH trees, in the order of the tree numbers."""
        table = self._table
        return self._distinct(
            place
            for tree in concept.trees
            for index in table.between(f"@{tree}.", f"@{tree}/")
            for place in table.places_at(index)
        )

    def find(self, text: str, *, kinds: Collection[Kind] = _SPOTTED) -> list[Mention]:
        """Find the names in a text: leftmost first, the longest at each place, none overlapping."""
        tokens = tokenize(text)
        words = [token.folded for token in tokens]
        mentions = []
        at = 0
        while at < len(words):
            mention, after = self._mention(text, tokens, words, at=at, kinds=kinds)
            if mention is not None:
                mentions.append(mention)
            at = after
        return mentions

    def segment(self, tokens: Sequence[str]) -> list[tuple[int, int, Concept | None]]:
        """Cut folded tokens into the longest known conditions and drugs, and single words.

        Longest first over the whole sequence, so a long name is not cut by a shorter one that
        begins before it. Only unambiguous names that mean the concept itself count.
        """
        spans = [
            (start - end, start, end, key)
            for start in range(len(tokens))
            for end, key in self._keys_from(tokens, start)
        ]
        taken: dict[int, tuple[int, int, Concept | None]] = {}
        free = set(range(len(tokens)))
        for _, start, end, key in sorted(spans):
            # What lies within a longer name is not even read.
            if free.issuperset(range(start, end)):
                found = self._resolved(key, key, None, kinds=_SOUGHT)
                if found and found.exact:
                    free.difference_update(range(start, end))
                    taken[start] = (start, end, found.matches[0].concept)
        taken |= {at: (at, at + 1, None) for at in free}
        return [taken[start] for start in sorted(taken)]

    def _exact(self, text: str, kinds: Collection[Kind]) -> Resolution | None:
        for tokens in phrase_variants(text):
            found = self._resolved(text, " ".join(tokens), text, kinds=kinds)
            if found:
                return found
        return None

    def _resolved(
        self, text: str, key: str, written: str | None, *, kinds: Collection[Kind]
    ) -> Resolution | None:
        """Weigh the readings of a key; `written` is None where letter case is not known."""
        hits = self._hits(key, written, kinds)
        if hits:
            matches = tuple(Match(self._concept(hit.line), hit.name, step_of(hit)) for hit in hits)
            return Resolution(text, matches, is_ambiguous(hits))
        if self._learned is None:
            return None
        matches = tuple(self._learned_matches(key, kinds))
        return Resolution(text, matches, len(matches) > 1) if matches else None

    def _hits(self, key: str, written: str | None, kinds: Collection[Kind]) -> list[Hit]:
        hits: dict[int, Hit] = {}
        genes_only = all(kind is Kind.GENE for kind in kinds)
        for place in self._table.places(key):
            hit = read_hit(self._table.line(place.line), place, written or key)
            if hit.kind in kinds and is_meant(hit, written, genes_only=genes_only):
                hits.setdefault(place.line, hit)
        return sorted(hits.values()) if len(hits) > 1 else list(hits.values())

    def _learned_matches(self, key: str, kinds: Collection[Kind]) -> Iterator[Match]:
        assert self._learned is not None
        for learned in self._learned.lookup(key, before=self._before):
            concept = self.get(learned.target)
            if concept is not None and concept.kind in kinds:
                # Indexers choose the nearest MeSH term there is, so the string may mean less.
                is_drug = concept.kind is Kind.DRUG
                yield Match(concept, learned.name, How.LEARNED if is_drug else How.LEARNED_WIDER)

    def _contained(self, text: str, kinds: Collection[Kind]) -> Resolution:
        mentions = self.find(text, kinds=kinds)
        concepts = {mention.concept.id: mention for mention in mentions if not mention.ambiguous}
        if len(concepts) != 1:
            return Resolution(text, ())
        (mention,) = concepts.values()
        found = Match(mention.concept, text[mention.start : mention.end], How.CONTAINED)
        return Resolution(text, (found,))

    def _mention(
        self,
        text: str,
        tokens: list[Token],
        words: list[str],
        *,
        at: int,
        kinds: Collection[Kind],
    ) -> tuple[Mention | None, int]:
        for after, key in self._keys_from(words, at):
            start, end = tokens[at].start, tokens[after - 1].end
            written = text[start:end]
            if len(key) <= 2 and not written.isupper():
                continue
            found = self._resolved(written, key, written, kinds=kinds)
            if found:
                return Mention(start, end, found.matches, found.ambiguous), after
        return None, at + 1

    def _keys_from(self, words: Sequence[str], at: int) -> list[tuple[int, str]]:
        """Give the known keys that begin at a word, the longest first."""
        ends = {after for after, _ in self._table.prefixes(words, at)}
        if self._learned is not None:
            ends.update(after for after, _ in self._learned.table.prefixes(words, at))
        return [(after, " ".join(words[at:after])) for after in sorted(ends, reverse=True)]

    def _concept(self, line: int) -> Concept:
        known = self._concepts.get(line)
        if known is None:
            if len(self._concepts) >= _CACHED_CONCEPTS:
                self._concepts.clear()
            known = self._concepts[line] = self._read_concept(line)
        return known

    def _read_concept(self, line: int) -> Concept:
        ids, kind, sources, trees, related, listed = self._table.line(line).split("\t")
        identifier = ids.split("|")[0]
        marked = listed.split("|")
        usable = [
            name.lstrip(MARKS)
            for number, name in enumerate(marked)
            if self._is_synonym(name, line, preferred=number == 0)
        ]
        names = [name.lstrip(MARKS) for name in marked]
        extra = self._learned_names(identifier)
        return Concept(
            id=identifier,
            kind=KINDS[kind],
            names=(*names, *extra),
            synonyms=() if kind == "g" else (*usable, *extra),
            sources=(*sources.split(","), *(["learned"] if extra else [])),
            trees=tuple(filter(None, trees.split("|"))),
            related=tuple(filter(None, related.split("|"))),
        )

    def _is_synonym(self, marked: str, line: int, *, preferred: bool) -> bool:
        name = marked.lstrip(MARKS)
        marks = marked[: len(marked) - len(name)]
        # Looked at first: most names of some concepts are foreign, and folding takes longer.
        if not _NO_SYNONYM.isdisjoint(marks):
            return False
        key = fold_phrase(name)
        if key.replace(" ", "").isdigit():
            return False
        if len(key) < 2 or (len(key) <= _SHORT and not preferred and "+" not in marks):
            return False
        hits = self._hits(key, None, _ALL_KINDS)
        return bool(hits) and hits[0].line == line and not is_ambiguous(hits)

    def _learned_names(self, concept_id: str) -> list[str]:
        if self._learned is None:
            return []
        return [item.name for item in self._learned.names_of(concept_id, before=self._before)]

    def _learned_concept(self, concept_id: str) -> Concept | None:
        if self._learned is None:
            return None
        learned = self._learned.names_of(concept_id, before=self._before)
        if not learned:
            return None
        names = tuple(dict.fromkeys((learned[0].preferred, *(item.name for item in learned))))
        return Concept(concept_id, Kind(learned[0].kind), names, names, ("learned",))

    def _distinct(self, places: Iterator[Place]) -> tuple[Concept, ...]:
        return tuple(map(self._concept, dict.fromkeys(place.line for place in places)))


def open_vocabulary(home: Path, *, asset: Path = ASSET) -> Vocabulary:
    """Open the shipped vocabulary, unpacking it under `home` the first time."""
    return Vocabulary(open_asset(home, asset=asset))


@cache
def empty_vocabulary() -> Vocabulary:
    """Give a vocabulary that knows no name."""
    from trialyst.vocabulary.table import Table, table_bytes

    return Vocabulary(Table(table_bytes([], ())))


def _keys_of(text: str) -> Iterator[str]:
    """Give the folded spellings of a text, the written one first."""
    yield fold_phrase(text)
    if _RESPELT.search(text):
        yield from (" ".join(tokens) for tokens in phrase_variants(text)[1:])


def _told(text: str, found: Resolution, how: How) -> Resolution:
    matches = tuple(
        Match(match.concept, match.name, match.how if not match.how.exact else how)
        for match in found.matches
    )
    return Resolution(text, matches, found.ambiguous)


def _id_spellings(concept_id: str) -> list[str]:
    prefix, _, local = concept_id.rpartition(":")
    if prefix not in ("", "MESH") or not local[1:].isdigit():
        return [concept_id]
    number = int(local[1:])
    return [f"MESH:{local}", f"MESH:{local[0]}{number:06d}", f"MESH:{local[0]}{number:09d}"]
