"""The names that the project wrote itself, read from `data/names.txt` and the drug classes.

They win over the vocabulary, which reads abbreviations as gene symbols and knows no clinic's
shorthand. Keys are folded words, as everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from trialyst.eligibility.findings import finding_names
from trialyst.eligibility.tables import read_lines
from trialyst.folding import fold_phrase
from trialyst.vocabulary.classes import all_classes
from trialyst.vocabulary.relations import regimens
from trialyst.vocabulary.term import TermKind

__all__ = ["Name", "Names", "is_short", "read_names"]

_SHORT = 3
_ACRONYM = 6
_CANCER = frozenset(
    "chemo cycle regimen cancer carcinoma sarcoma lymphoma myeloma leukemia tumor line".split()
)
"""Words one of which stands beside the short name of a regimen; else AC, CVP or MAP is no drug."""
_MEDICINES = ("drug", "agent", "medication", "therapy", "treatment", "medicine")
"""What a class is called by, one as good as the other: urate-lowering drug, agent, therapy."""
_BLOCKERS = ("inhibitor", "antagonist", "blocker")


class Name(NamedTuple):
    """A name of a thing: `thing` is what to look up, `written` the only spelling that counts."""

    kind: TermKind
    thing: str
    written: str | None = None


@dataclass(frozen=True, slots=True)
class Names:
    """Everything that `names.txt` tells."""

    by_key: dict[str, tuple[Name, ...]]
    wider: dict[str, tuple[str, ...]]
    """What our own things are kinds of, by the folded name."""
    findings: dict[str, Name]
    """Findings by the folded forms of their names, for what the vocabulary does not know."""
    needs: dict[str, frozenset[str]]
    unless: dict[str, tuple[frozenset[str], frozenset[str]]]
    """What must not stand right before and right after a short form."""
    ignored: frozenset[str]
    ignored_written: frozenset[str]
    substances: frozenset[str]


def is_short(text: str) -> bool:
    """Whether a name counts only as it is written.

    >>> is_short("MI"), is_short("COPD"), is_short("afib")
    (True, True, False)
    """
    letters = text.rstrip("s") if text[:-1].isupper() else text
    capitals = letters.isupper() or (
        " " not in text and sum(map(str.isupper, text)) > len(text) / 2
    )
    return len(text) <= _SHORT or (len(letters) <= _ACRONYM and capitals)


@cache
def read_names() -> Names:
    """Read the table once."""
    names: list[tuple[str, Name]] = []
    wider: dict[str, tuple[str, ...]] = {}
    unless: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
    words: dict[tuple[str, str], frozenset[str]] = {}
    for line in read_lines("names.txt"):
        kind, thing, listed = (part.strip() for part in line.split("|"))
        if kind == "unless":
            before, _, after = listed.partition("...")
            unless[thing] = frozenset(before.split()), frozenset(after.split())
            continue
        if kind in _WORDS:
            words[kind, thing] = words.get((kind, thing), frozenset()) | set(_list(listed))
            continue
        thing, _, above = (part.strip() for part in thing.partition("<"))
        if above:
            wider[fold_phrase(thing)] = _list(above)
        if kind == TermKind.DRUG_CLASS and any(one.name == thing for one in all_classes()):
            thing = f"class:{thing}"
        for text in (thing.removeprefix("class:"), *_list(listed)):
            written = text if is_short(text) else None
            names.append((text, Name(TermKind(kind), thing, written)))
    by_key: dict[str, list[Name]] = {}
    for text, name in (*names, *_class_names(), *_regimen_names()):
        by_key.setdefault(fold_phrase(text), []).append(name)
    return Names(
        {key: tuple(dict.fromkeys(found)) for key, found in by_key.items()},
        wider,
        dict(_finding_names()),
        dict.fromkeys(_short_regimens(), _CANCER)
        | {short: found for (kind, short), found in words.items() if kind == "needs"},
        unless,
        words["ignore", ""],
        words["ignore written", ""],
        words["substance", ""],
    )


_WORDS = frozenset({"needs", "ignore", "ignore written", "substance"})


_WHOSE = ("the", "his", "her")


def _list(text: str) -> tuple[str, ...]:
    listed = filter(None, (part.strip() for part in text.split(";")))
    return tuple(form for each in listed for form in _forms(each))


def _forms(text: str) -> Iterator[str]:
    if "@" not in text:
        yield text
    else:
        yield from (text.replace("@", word) for word in _WHOSE)


def _finding_names() -> Iterator[tuple[str, Name]]:
    """Give what examinations show by all its names; what shows a condition stands for itself."""
    for line in read_lines("findings.txt"):
        thing, listed = (part.strip() for part in line.split("|"))
        for text in (thing, *_list(listed)):
            name = Name(TermKind.SYMPTOM, thing, text if is_short(text) else None)
            yield fold_phrase(text), name
    # The last of a key counts: in every process the same, the singular before its plural.
    for thing in sorted(finding_names(), reverse=True):
        yield fold_phrase(thing), Name(TermKind.SYMPTOM, thing)


def _class_names() -> Iterator[tuple[str, Name]]:
    for one in all_classes():
        name = Name(TermKind.DRUG_CLASS, f"class:{one.name}")
        for text in (one.name, *one.aliases):
            yield text, name._replace(written=text if is_short(text) else None)
            against, _, what = text.rpartition(" ")
            if what in _MEDICINES:
                yield from ((f"{against} {other}", name) for other in _MEDICINES)
            elif what in _BLOCKERS:
                yield f"anti-{against}", name
                yield from ((f"{against} {other}", name) for other in _BLOCKERS)
            elif what == "antibody":
                yield f"anti-{against}", name
        for heading in one.headings:
            yield heading, name


def _short_regimens() -> Iterator[str]:
    return (text for each in regimens() for text in each.names if len(text) <= _SHORT)


def _regimen_names() -> Iterator[tuple[str, Name]]:
    for regimen in regimens():
        for text in regimen.names:
            written = text if is_short(text) else None
            yield text, Name(TermKind.THERAPY, f"regimen:{regimen.name}", written)
