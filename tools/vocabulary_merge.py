"""Merge the sources' records into one concept a thing, and write them as lines.

Two records are one concept when the preferred name of one is a name of the other; an
abbreviation or a code of a few letters never merges anything. MeSH wins a contested name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trialyst.folding import fold_phrase
from trialyst.vocabulary.asset import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vocabulary_sources import CuratedLine, Record

__all__ = ["Merger"]

_SALT = re.compile(
    r"(?<!sodium)(?<!potassium)(?<!calcium)(?<!magnesium)(?<!zinc)(?<!lithium)(?<!aluminum)"
    r"(?<!ammonium)(?<!copper)(?<!silver)(?<!iron)(?<!ferrous)(?<!ferric)(?<!barium)(?<!bismuth)"
    r" (hydrochloride|hcl|sodium|potassium|calcium|mesylate|mesilate|maleate|tartrate|citrate"
    r"|phosphate|sulfate|acetate|succinate|fumarate|besylate|tosylate|bromide|hydrobromide"
    r"|dihydrochloride|disodium|malate|furoate|monohydrate|dihydrate|hemihydrate|anhydrous)$"
)
# Monographs for patients split a drug by use and form: "Goserelin Implant", "Tolvaptan (kidney
# disease)". A carrier such as albumin makes another drug.
_MONOGRAPH = re.compile(
    r"[ ,]+(?:\((?!with albumin)[^()]*\)|buccal|implant|inhalation|intramuscular"
    r"|intrauterine system|nasal(?: (?:gel|powder|solution))?|ophthalmic|oral|otic|patch|rectal"
    r"|subcutaneous|sublingual(?: and buccal)?|topical|vaginal|viscous)$",
    re.IGNORECASE,
)
_METAL_FIRST = re.compile(r"(sodium|disodium|potassium|calcium|magnesium) (\w+)")
_KINDS = {"condition": "c", "drug": "d", "gene": "g", "other": "o"}
_MARKS = {"": "+", "?": "~", "<": "<"}
# Fewer letters than these are an abbreviation or a code; equal preferred names may be shorter.
_MIN_MERGING = 6
_MIN_PREFERRED = 4


@dataclass(eq=False)
class _Entry:
    id: str
    kind: str
    sources: list[str]
    trees: list[str]
    mapped: list[str]
    names: dict[str, str] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)
    other_ids: list[str] = field(default_factory=list)

    @property
    def preferred(self) -> str:
        return next(iter(self.names))


class Merger:
    """Collects records in order of authority; `lines` gives the result."""

    def __init__(self, common_words: frozenset[str]) -> None:
        self._common = common_words
        self._entries: list[_Entry] = []
        self._by_key: dict[str, list[_Entry]] = defaultdict(list)
        self._salts: dict[str, list[_Entry]] = defaultdict(list)
        self.unresolved: list[str] = []

    def add_concepts(self, records: Iterable[Record]) -> None:
        """Take records as concepts of their own."""
        for record in records:
            self._create(record)

    def add_or_merge(self, records: Iterable[Record]) -> None:
        """Take records, merging each into the one concept that already has its name."""
        for record in records:
            entry = self._same_thing(record)
            if entry is None:
                if not self._is_no_drug(record):
                    self._create(record)
                continue
            if record.source not in entry.sources:
                entry.sources.append(record.source)
            for name in record.names:
                if not self._owned_elsewhere(name, entry):
                    self._name(entry, name)

    def add_genes(self, records: Iterable[Record]) -> None:
        """Take genes; a full name some other concept has already counts among genes only."""
        for record in records:
            taken = {
                name
                for name in record.names
                if name not in record.cased and self._by_key.get(fold_phrase(name))
            }
            record.names = [name for name in record.names if name not in taken]
            self._create(record)
            for name in sorted(taken):
                self._name(self._entries[-1], name, mark="%")

    def add_gene_names(self, lines: Iterable[CuratedLine]) -> None:
        """Give genes more names, which count among genes only."""
        genes = {
            entry.names[entry.preferred]: entry for entry in self._entries if entry.kind == "gene"
        }
        for line in lines:
            for symbol in line.target.split(", "):
                if symbol not in genes:
                    self.unresolved.append(symbol)
                    continue
                for name in line.names:
                    self._name_gene(genes[symbol], name)

    def add_curated(self, lines: Iterable[CuratedLine], *, create: str = "") -> None:
        """Give the named concepts more names; `create` is the kind of those not yet known."""
        for line in lines:
            entry = self._target(line.target)
            if entry is None and create:
                entry = self._create_curated(line.target, create)
            if entry is not None and create:
                entry = self._united(entry, line.names)
            if entry is None:
                self.unresolved.append(line.target)
                continue
            for name in line.names:
                self._name_curated(entry, name, _MARKS[line.marker])
            for member in line.members:
                found = self._target(member)
                if found is None:
                    self.unresolved.append(member)
                elif found.id not in entry.mapped:
                    entry.mapped.append(found.id)

    def add_foreign(self, lines: Iterable[CuratedLine]) -> None:
        """Give the named concepts names in other languages; none may mean another thing already."""
        for line in lines:
            entry = self._target(line.target)
            if entry is None:
                self.unresolved.append(line.target)
                continue
            for name in line.names:
                if self._owned_elsewhere(name, entry):
                    self.unresolved.append(f"{name}, which means something else")
                else:
                    self._name_foreign(entry, name)

    def add_natural_order(self) -> None:
        """Name conditions in natural order too: `Leukemia, Myeloid` as `Myeloid Leukemia`."""
        for entry in self._entries:
            if entry.kind != "condition" or not entry.trees:
                continue
            for name in [name for name in entry.names.values() if ", " in name]:
                natural = _reversed(name)
                if not self._by_key.get(fold_phrase(natural)):
                    self._name(entry, natural)

    def lines(self) -> list[str]:
        """Give one line a concept: ids, kind, sources, tree numbers, mapped-to, marked names."""
        return [_line(entry, self._written(entry)) for entry in self._entries]

    def _written(self, entry: _Entry) -> list[str]:
        kept = []
        for key, name in entry.names.items():
            mark = entry.marks.get(key, "")
            inverted = ", " in name and not mark and key != entry.preferred
            if inverted and fold_phrase(_reversed(name)) in entry.names:
                continue
            if key in self._common and key != entry.preferred:
                if name.islower():
                    continue
                mark = f"={mark.replace('=', '')}"
            kept.append(f"{mark}{name}")
        return kept

    def _create(self, record: Record) -> None:
        entry = _Entry(record.id, record.kind, [record.source], record.trees, record.mapped)
        self._entries.append(entry)
        for name in record.names:
            self._name(entry, name, mark="=" if name in record.cased else "")
        if record.kind == "drug":
            self._salts[_SALT.sub("", entry.preferred)].append(entry)

    def _create_curated(self, name: str, kind: str) -> _Entry:
        slug = fold_phrase(name).replace(" ", "-")
        entry = _Entry(f"{kind.upper()}:{slug}", kind, ["curated"], [], [])
        self._entries.append(entry)
        self._name(entry, name)
        return entry

    def _united(self, entry: _Entry, names: list[str]) -> _Entry:
        """Make one concept of all that one of our lines calls one drug."""
        keys = {entry.preferred, *map(fold_phrase, names)}
        same = [other for key in sorted(keys) for other in self._drugs(key)]
        same = [other for other in same if other is not entry and other.preferred in keys]
        if entry.kind != "drug" or sum(bool(other.trees) for other in (entry, *same)) > 1:
            return entry
        ranked = sorted({entry, *same}, key=lambda one: (not one.trees, one is not entry, one.id))
        main = ranked[0]
        for other in ranked[1:]:
            self._absorb(main, other)
        return main

    def _absorb(self, main: _Entry, other: _Entry) -> None:
        self._entries.remove(other)
        main.other_ids += [other.id, *other.other_ids]
        main.sources += [source for source in other.sources if source not in main.sources]
        main.mapped += [target for target in other.mapped if target not in main.mapped]
        for key, name in other.names.items():
            self._by_key[key].remove(other)
            self._name(main, name, mark=other.marks.get(key, ""))

    def _name(self, entry: _Entry, name: str, *, mark: str = "") -> None:
        clean = " ".join(name.split()).lstrip(MARKS)
        key = fold_phrase(clean)
        if not key or key in entry.names or "|" in clean or (len(key) < 2 and entry.names):
            return
        entry.names[key] = clean
        if mark:
            entry.marks[key] = mark
        self._by_key[key].append(entry)

    def _name_curated(self, entry: _Entry, name: str, mark: str) -> None:
        key = fold_phrase(name)
        if key != entry.preferred:
            self._name(entry, name)
            entry.marks[key] = mark
            if entry.names[key].islower():
                entry.names[key] = name
            if "curated" not in entry.sources:
                entry.sources.append("curated")

    def _name_gene(self, entry: _Entry, name: str) -> None:
        key = fold_phrase(name)
        if key != entry.preferred:
            self._name(entry, name, mark="%")
            entry.marks[key] = entry.marks.get(key, "") + "+"

    def _name_foreign(self, entry: _Entry, name: str) -> None:
        key = fold_phrase(name)
        self._name(entry, name, mark="^")
        if ", " in entry.names[key] and key != entry.preferred:
            # An inverted name is left out where its natural order stands; this one is natural.
            entry.names[key], entry.marks[key] = name, "^"

    def _owned_elsewhere(self, name: str, entry: _Entry) -> bool:
        return any(other is not entry for other in self._by_key.get(fold_phrase(name), ()))

    def _same_thing(self, record: Record) -> _Entry | None:
        found = self._same_name(record)
        return found if found or record.source != "drug-names" else self._same_bare(record)

    def _same_bare(self, record: Record) -> _Entry | None:
        """Find the drug of a monograph by its name without use and form, or with the metal last."""
        name = record.names[0]
        while (bare := _MONOGRAPH.sub("", name)) != name:
            name = bare
        key = fold_phrase(name)
        if metal := _METAL_FIRST.fullmatch(key):
            key = f"{metal[2]} {metal[1]}"
        if len(key) < _MIN_MERGING or record.id.startswith("DRUG:DB"):
            return None
        named = self._drugs(key)
        named = [entry for entry in named if entry.preferred == key] or named
        return named[0] if len(named) == 1 and key != fold_phrase(record.names[0]) else None

    def _same_name(self, record: Record) -> _Entry | None:
        key = fold_phrase(record.names[0])
        if record.kind != "drug":
            found = self._by_key.get(key, [])
            return found[0] if len(found) == 1 and len(key) >= _MIN_MERGING else None
        for candidates in (
            [entry for entry in self._drugs(key) if entry.preferred == key],
            self._drugs(key),
            self._drugs(_SALT.sub("", key)),
            self._salts.get(key, []),
        ):
            literal = [entry for entry in candidates if _is_literal(entry, record.names[0])]
            chosen = literal if len(literal) == 1 else candidates
            if len(chosen) == 1 and len(key) >= (_MIN_PREFERRED if literal else _MIN_MERGING):
                return chosen[0]
        # Only a preferred name is proof: sources list related substances among the synonyms.
        keys = {fold_phrase(name) for name in record.names[1:]}
        agreed = {
            entry
            for name in keys
            if len(name) >= _MIN_MERGING
            for entry in self._drugs(name)
            if entry.preferred in keys
        }
        return agreed.pop() if len(agreed) == 1 else None

    def _is_no_drug(self, record: Record) -> bool:
        """Say whether a "drug" is a food, a microbe or an organ that MeSH knows as such."""
        known = self._by_key.get(fold_phrase(record.names[0]), ())
        return record.kind == "drug" and any(entry.kind != "drug" for entry in known)

    def _drugs(self, key: str) -> list[_Entry]:
        return [entry for entry in self._by_key.get(key, ()) if entry.kind == "drug"]

    def _target(self, name: str) -> _Entry | None:
        key = fold_phrase(name)
        found = self._by_key.get(key, []) or self._by_key.get(fold_phrase(_reversed(name)), [])
        found = [entry for entry in found if entry.kind != "gene"]
        preferred = [entry for entry in found if entry.preferred == key]
        chosen = preferred or [entry for entry in found if entry.trees] or found
        return chosen[0] if chosen else None


def _reversed(name: str) -> str:
    return " ".join(reversed(name.split(", ")))


def _is_literal(entry: _Entry, name: str) -> bool:
    return entry.names[entry.preferred].lower() == name.lower()


def _line(entry: _Entry, names: list[str]) -> str:
    fields = (
        "|".join([entry.id, *entry.other_ids]),
        _KINDS[entry.kind],
        ",".join(entry.sources),
        "|".join(entry.trees),
        "|".join(entry.mapped),
        "|".join(names),
    )
    return "\t".join(fields)
