"""How two terms stand to each other: same, narrower, wider, sibling or unrelated.

MeSH trees tell most of it, `data/relations.txt` what they leave out, `classes.txt` which drug
belongs to which class. Judging, matching and repurposing all ask here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cache
from importlib import resources
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from trialyst.folding import fold_phrase
from trialyst.vocabulary.classes import all_classes, classes_of, drug_class
from trialyst.vocabulary.concept import Kind
from trialyst.vocabulary.term import Term

if TYPE_CHECKING:
    from trialyst.vocabulary.lookup import Vocabulary

__all__ = ["Marks", "Regimen", "Relation", "Relations", "regimens"]

_REMEMBERED = 200_000
_BY_SITE = "C04.588"
_BY_TISSUE = "C04.557"
_BLOOD = ("C04.557.337", "C04.557.386", "C04.557.595")
_NEAR = 2
"""Dots in the tree number of the widest parent that siblings may share."""


class Relation(StrEnum):
    """How one term stands to another."""

    SAME = "same"
    NARROWER = "narrower"
    """The first is a kind of the second: whoever has the first has the second."""
    WIDER = "wider"
    """The second is a kind of the first."""
    SIBLING = "sibling"
    """Kinds of the same near thing: who has the one is known not to have the other by it."""
    UNRELATED = "unrelated"


class Regimen(NamedTuple):
    """Drugs given together under one name."""

    name: str
    members: tuple[str, ...]
    names: tuple[str, ...]
    """Every spelling, the name first."""


class Marks(NamedTuple):
    """Terms are unrelated where none of the own marks of one is among the likely of the other."""

    own: frozenset[str]
    likely: frozenset[str]


class _Above(NamedTuple):
    """What a term is, and everything that is wider."""

    ids: frozenset[str]
    trees: frozenset[str]


class _Facts(NamedTuple):
    wider: dict[str, tuple[Term, ...]]
    """By id or tree number."""
    cut: dict[str, tuple[Term, ...]]
    rivals: dict[str, frozenset[str]]
    likely: dict[str, frozenset[str]]


class Relations:
    """Tells relations with one vocabulary; keep one for many questions."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._facts: _Facts | None = None
        self._above: dict[str, _Above] = {}
        self._known: dict[tuple[str, str], Relation] = {}
        self._marks: dict[tuple[str, tuple[str, ...]], Marks] = {}

    def relate(self, one: Term, other: Term) -> Relation:
        """Say how the first term stands to the second."""
        pair = one.id, other.id
        known = self._known.get(pair)
        if known is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            known = self._known[pair] = self._relate(one, other)
        return known

    def marks(self, term: Term) -> Marks:
        """Give what tells at once whether a term is related to any of many others."""
        key = term.id, term.others
        known = self._marks.get(key)
        if known is None:
            if len(self._marks) >= _REMEMBERED // 4:
                self._marks.clear()
            known = self._marks[key] = self._mark(term)
        return known

    def _mark(self, term: Term) -> Marks:
        """Give the marks of a term: every way in which `_relate` finds a relation has its own."""
        group = _as_class(term)
        above = self._up(group)
        ids = {term.id, group.id, *term.others}
        trees = {*group.trees, *(f"^{each}" for each in above.ids | above.trees)}
        parents = {f"/{tree.rpartition('.')[0]}" for tree in group.trees if _has_near_parent(tree)}
        rivals = self._read_facts().rivals
        others = (rivals[each] for each in above.ids if each in rivals)
        by_site, by_tissue = _BY_SITE in above.trees, _BY_TISSUE in above.trees
        of_blood = not above.trees.isdisjoint(_BLOOD)
        own = {"+site"} if by_site else set()
        like = {"+site", "+blood"} if by_site else set()
        if by_tissue:
            own.add("+tissue")
            like.add("+tissue")
        if of_blood:
            own.add("+blood")
            like.add("+site")
        return Marks(
            frozenset(ids | trees | parents | own),
            frozenset(
                ids | above.ids | above.trees | parents | like
                | {f"^{each}" for each in (group.id, *group.trees)}
                | {f"^{each}" for listed in others for each in listed}
            ),
        )  # fmt: skip

    def lineage(self, term: Term) -> frozenset[str]:
        """Give the ids and tree numbers of a term and of everything it is a kind of."""
        above = self._up(_as_class(term))
        return above.ids | above.trees

    def suggests(self, finding: Term, condition: Term) -> bool:
        """Whether the condition, or a kind of it, may well stand behind a finding."""
        likely = self._read_facts().likely
        causes = [cause for each in self._up(finding).ids for cause in likely.get(each, ())]
        above, up = self._up(condition), self._by_id
        return any(cause in above.ids or condition.id in up(cause).ids for cause in causes)

    def field(self, term: Term) -> tuple[str, ...]:
        """Give the fields of medicine a term belongs to, in the order of the table."""
        trees = self._up(term).trees
        return tuple(name for name, tops in _lines().fields if not trees.isdisjoint(tops))

    def members(self, term: Term) -> tuple[Term, ...]:
        """Give the drugs of a regimen; none of anything else."""
        regimen = _regimens_by_id().get(term.id)
        return () if regimen is None else tuple(map(self._term, regimen.members))

    def _relate(self, one: Term, other: Term) -> Relation:
        if one.id == other.id or one.id in other.others or other.id in one.others:
            return Relation.SAME
        one, other = _as_class(one), _as_class(other)
        if one.id == other.id:
            return Relation.SAME
        first, second = self._up(one), self._up(other)
        if _holds(first, other):
            return Relation.NARROWER
        if _holds(second, one):
            return Relation.WIDER
        if self._are_rivals(first, second) or _are_other_tumors(first, second):
            return Relation.SIBLING
        if _share_parent(one, other):
            return Relation.SIBLING
        return Relation.UNRELATED

    def _are_rivals(self, first: _Above, second: _Above) -> bool:
        rivals = self._read_facts().rivals
        return any(not rivals[each].isdisjoint(second.ids) for each in first.ids if each in rivals)

    def _by_id(self, term_id: str) -> _Above:
        known = self._above.get(term_id)
        if known is None:
            concept = self._vocabulary.get(term_id)
            trees = () if concept is None else concept.trees
            known = self._up(Term(term_id, concept.preferred if concept else term_id, trees))
        return known

    def _up(self, term: Term) -> _Above:
        known = self._above.get(term.id)
        if known is None:
            if len(self._above) >= _REMEMBERED // 4:
                self._above.clear()
            known = self._above[term.id] = self._climb(term)
        return known

    def _climb(self, term: Term) -> _Above:
        facts = self._read_facts()
        ids: set[str] = set()
        trees: set[str] = set()
        waiting = [term]
        while waiting:
            each = waiting.pop()
            if each.id in ids:
                continue
            ids.add(each.id)
            passed = {prefix for tree in each.trees for prefix in _prefixes(tree)} - trees
            trees |= passed
            for key in (each.id, *passed):
                waiting.extend(facts.wider.get(key, ()))
            waiting.extend(self._parents(each))
        for key in (*ids, *trees):
            for wrong in facts.cut.get(key, ()):
                ids.discard(wrong.id)
                trees.difference_update(wrong.trees)
        return _Above(frozenset(ids), frozenset(trees))

    def _parents(self, term: Term) -> Iterator[Term]:
        """Yield what a supplementary record, a drug, a class or a regimen is under."""
        if term.id.startswith("class:"):
            group = drug_class(term.name)
            yield from map(_class_term, () if group is None else group.wider)
        elif term.id.startswith("regimen:"):
            yield from self.members(term)
        elif not term.id.startswith("term:") and not term.trees:
            concept = self._vocabulary.get(term.id)
            if concept is not None:
                for related in map(self._vocabulary.get, concept.related):
                    if related is not None and concept.kind is related.kind:
                        yield Term(related.id, related.preferred, related.trees)
                yield from _classes(term.name, *concept.names[:20])
        elif any(tree.startswith("D") for tree in term.trees):
            # The heading may name a salt, of which the classes know the drug: imatinib mesylate.
            concept = self._vocabulary.get(term.id)
            yield from _classes(term.name, *(concept.names[:20] if concept else ()))

    def _term(self, name: str) -> Term:
        """Give the term of a name of the table: a class, a concept, or one of our own."""
        if name in _class_names():
            return _class_term(name)
        key = fold_phrase(name)
        found = self._vocabulary.read_name(key, name, kinds=_KINDS)
        if found is not None and found.how.exact:
            return _as_class(Term(found.id, found.preferred, found.trees))
        return Term(f"term:{key}", name)

    def _read_facts(self) -> _Facts:
        if self._facts is None:
            self._facts = self._link(_lines().pairs)
        return self._facts

    def _link(self, pairs: Iterable[tuple[str, str, str]]) -> _Facts:
        facts = _Facts({}, {}, {}, {})
        for left, sign, right in pairs:
            one, other = self._term(left), self._term(right)
            if sign in ("<", "!<"):
                table = facts.wider if sign == "<" else facts.cut
                # By tree number too, so that it holds of all that is below.
                for key in (one.id, *one.trees):
                    table[key] = (*table.get(key, ()), other)
            elif sign == "><":
                for this, that in ((one, other), (other, one)):
                    facts.rivals[this.id] = facts.rivals.get(this.id, frozenset()) | {that.id}
            else:
                facts.likely[one.id] = facts.likely.get(one.id, frozenset()) | {other.id}
        return facts


_KINDS = frozenset((Kind.CONDITION, Kind.DRUG, Kind.OTHER))


def _prefixes(tree: str) -> Iterator[str]:
    yield tree
    while "." in tree:
        tree = tree.rpartition(".")[0]
        yield tree


def _holds(above: _Above, wide: Term) -> bool:
    return wide.id in above.ids or any(tree in above.trees for tree in wide.trees)


def _are_other_tumors(first: _Above, second: _Above) -> bool:
    """Whether two tumours grow in different places, or from different tissue."""
    if any(tree in first.trees and tree in second.trees for tree in (_BY_SITE, _BY_TISSUE)):
        return True
    return any(
        _BY_SITE in one.trees and not two.trees.isdisjoint(_BLOOD)
        for one, two in ((first, second), (second, first))
    )


def _share_parent(one: Term, other: Term) -> bool:
    """Whether two conditions have a near parent in common, or two drugs their narrowest class."""
    return any(
        _has_near_parent(left) and left.rpartition(".")[0] == right.rpartition(".")[0]
        for left, right in product(one.trees, other.trees)
    )


def _has_near_parent(tree: str) -> bool:
    return tree.count(".") > _NEAR and tree.startswith(("C", "F"))


def _as_class(term: Term) -> Term:
    """Give the class that a MeSH heading stands for, else the term itself."""
    group = _headings().get(term.name)
    return term if group is None else _class_term(group)


def _class_term(name: str) -> Term:
    return Term(f"class:{name}", name)


def _classes(*names: str) -> Iterator[Term]:
    return (_class_term(group.name) for group in classes_of(*names))


@cache
def _headings() -> dict[str, str]:
    return {heading: one.name for one in all_classes() for heading in one.headings}


@cache
def _class_names() -> frozenset[str]:
    return frozenset(one.name for one in all_classes())


class _Lines(NamedTuple):
    pairs: tuple[tuple[str, str, str], ...]
    fields: tuple[tuple[str, frozenset[str]], ...]


@cache
def regimens() -> tuple[Regimen, ...]:
    """Give the named regimens."""
    found = []
    for line in _table("regimens.txt"):
        name, members, others = (part.strip() for part in line.split("|"))
        found.append(Regimen(name, _list(members), (name, *_list(others))))
    return tuple(found)


@cache
def _regimens_by_id() -> dict[str, Regimen]:
    return {f"regimen:{each.name}": each for each in regimens()}


@cache
def _lines() -> _Lines:
    pairs: list[tuple[str, str, str]] = []
    fields: list[tuple[str, frozenset[str]]] = []
    for line in _table("relations.txt"):
        if line.startswith("@"):
            field, _, listed = line[1:].partition("|")
            fields.append((field.strip(), frozenset(_list(listed))))
            continue
        left, sign, right = next(line.partition(sign) for sign in _SIGNS if sign in line)
        pairs.extend((left.strip(), sign.strip(), each) for each in _list(right))
    return _Lines(tuple(pairs), tuple(fields))


_SIGNS = (" !< ", " >< ", " < ", " -> ")


def _table(name: str) -> list[str]:
    text = (resources.files("trialyst.vocabulary") / "data" / name).read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def _list(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (part.strip() for part in text.split(";"))))
