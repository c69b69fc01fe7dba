"""Drug classes and their members: facts that the project wrote itself.

A class is found by any of its names, in any case, number, hyphenation and British or American
spelling. A drug or a class that is not here is not known here, which says nothing about it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from trialyst.folding import fold, fold_phrase

__all__ = [
    "DrugClass",
    "all_classes",
    "classes_of",
    "drug_class",
    "narrowest_classes",
    "parse_classes",
]

_ABBREVIATIONS = re.compile(r"(?<=[A-Z])s\b")
_INHIBITOR = re.compile("antagonist|blocker|blockade")
_IDLE = frozenset({"agent", "class", "drug", "medication", "medicine", "monoclonal", "therapy"})


@dataclass(frozen=True, slots=True)
class DrugClass:
    """A class of drugs: `name` is the one to show."""

    name: str
    aliases: tuple[str, ...]
    wider: tuple[str, ...]
    """Names of the classes that this one is part of."""
    headings: tuple[str, ...]
    """MeSH headings that stand for the class as an intervention's heading or its ancestor."""
    members: tuple[str, ...]
    """Generic names, those of narrower classes among them, sorted."""


@cache
def all_classes() -> tuple[DrugClass, ...]:
    """Give every class, in the order of the medical fields they are listed under."""
    data = resources.files("trialyst.vocabulary") / "data" / "classes.txt"
    return _with_narrower(tuple(parse_classes(data.read_text("utf-8"))))


def parse_classes(text: str) -> Iterator[DrugClass]:
    """Read one class a line, `name | aliases | wider | headings | members`, lists by semicolons.

    Raises:
        ValueError: a line has other than five fields.

    >>> next(parse_classes("gliflozin | | glucose-lowering drug | | canagliflozin")).members
    ('canagliflozin',)
    """
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, *lists = line.split("|")
            aliases, wider, headings, members = map(_listed, lists)
            yield DrugClass(name.strip(), aliases, wider, headings, members)


def drug_class(text: str) -> DrugClass | None:
    """Give the class that a text names, or None.

    >>> drug_class("GLP1 agonists").name
    'GLP-1 receptor agonist'
    >>> drug_class("anti-TNFα antibodies").name
    'TNF inhibitor'
    >>> drug_class("aspirin") is None
    True
    """
    known = _by_name()
    return next((known[key] for key in _keys(text) if key in known), None)


def classes_of(drug: str, *other_names: str, headings: Iterable[str] = ()) -> tuple[DrugClass, ...]:
    """Give the classes of a drug, the narrow ones first; empty where none is known.

    Args:
        drug: its generic name; of a brand or a code pass the vocabulary's names too.
        other_names: more names of the same drug.
        headings: MeSH headings of the intervention and their ancestors, from a record that has
            no other drug.

    >>> [found.name for found in classes_of("Empagliflozin")]
    ['SGLT2 inhibitor', 'glucose-lowering drug']
    """
    members, meant = _by_member(), _by_heading()
    names = {name for one in (drug, *other_names) for name in members.get(fold_phrase(one), ())} | {
        name for heading in headings for name in meant.get(fold_phrase(heading), ())
    }
    listed = _listed_by_name()
    return tuple(sorted((listed[name] for name in names), key=_narrow_first))


def narrowest_classes(drug: str, *other_names: str) -> tuple[DrugClass, ...]:
    """Give the classes of a drug without those that are wider than another of them.

    >>> [found.name for found in narrowest_classes("Empagliflozin")]
    ['SGLT2 inhibitor']
    """
    found = classes_of(drug, *other_names)
    wider = {name for each in found for name in each.wider}
    return tuple(each for each in found if each.name not in wider)


def _listed(field: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, field.split(";"))))


def _with_narrower(classes: tuple[DrugClass, ...]) -> tuple[DrugClass, ...]:
    listed = {one.name: one for one in classes}
    members: defaultdict[str, set[str]] = defaultdict(set)
    for one in classes:
        for name in _upwards(one.name, listed):
            members[name].update(one.members)
    return tuple(
        DrugClass(one.name, one.aliases, one.wider, one.headings, tuple(sorted(members[one.name])))
        for one in classes
    )


def _upwards(name: str, listed: Mapping[str, DrugClass]) -> dict[str, None]:
    """Give a class and all wider ones, each once."""
    found = {name: None}
    for wider in listed[name].wider:
        found |= _upwards(wider, listed)
    return found


def _narrow_first(one: DrugClass) -> tuple[int, str]:
    return len(one.members), one.name


def _keys(text: str) -> list[str]:
    """Give the keys to try: as written, then what an antibody against something is also called."""
    written = _key(text)
    if not written.startswith("anti"):
        return [written]
    against = written.removeprefix("anti").removesuffix("antibody").removesuffix("inhibitor")
    return [written, f"{against}antibody", f"{against}inhibitor"]


def _key(text: str) -> str:
    # Without spaces, so that "co-transporter" and "beta-blocker" may be written in one word.
    singular = _ABBREVIATIONS.sub("", text)
    words = ["antibody" if word == "mab" else word for word in fold(singular) if word not in _IDLE]
    return _INHIBITOR.sub("inhibitor", "".join(words)).replace("analogue", "analog")


@cache
def _by_name() -> Mapping[str, DrugClass]:
    names = {_key(one.name): one for one in all_classes()}
    for one in all_classes():
        for name in (*one.aliases, *one.headings):
            names.setdefault(_key(name), one)
    return names


@cache
def _listed_by_name() -> Mapping[str, DrugClass]:
    return {one.name: one for one in all_classes()}


@cache
def _by_member() -> Mapping[str, tuple[str, ...]]:
    return _grouped((member, one.name) for one in all_classes() for member in one.members)


@cache
def _by_heading() -> Mapping[str, tuple[str, ...]]:
    listed = _listed_by_name()
    return _grouped(
        (heading, name)
        for one in all_classes()
        for heading in one.headings
        for name in _upwards(one.name, listed)
    )


def _grouped(pairs: Iterator[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for key, name in pairs:
        groups[fold_phrase(key)].append(name)
    return {key: tuple(group) for key, group in groups.items()}
