"""The rule of what the note states: the things a criterion names, looked for in every way.

Asked last, where no rule knew an answer. Wrapping is taken off a criterion (`established diagnosis
of`, an aside, `according to`), alternatives are looked at one by one, and a thing counts as stated
where the note names it, names a kind of it, or says the same in one place with other words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from trialyst.folding import fold
from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.chart import Link
from trialyst.matching.judging.kin import Relation
from trialyst.matching.judging.lexicon import compiled, meaning
from trialyst.matching.judging.matches import find_matches
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.statement import ReadStatement, read_statement
from trialyst.matching.judging.view import Sighting
from trialyst.matching.patient import Assertion
from trialyst.matching.reading.tables import read_lines

__all__ = ["judge_stated"]

_REMEMBERED = 20_000
_LONGEST = 30
_BLOCKED = (
    "consent", "willing", "ability", "understand", "language", "opinion", "practical", "study",
    "enrolled", "contraindication", "allergy", "contraception", "score", "laboratory",
    "lung_function", "vital", "heart_rhythm", "negated", "except", "comparison", "healthy",
    "birth", "body_size", "life",
)  # fmt: skip
"""Kinds of things a criterion asks for that no name in a note states."""


_BINDS = re.compile(
    r"\b(?:care-?givers?|relatives?|siblings?|parents?|spouses?|donors?|family members?|normal"
    r"|abnormal|stable|unless|except\w*|isolated|never|(?:defined|characteri[sz]ed) (?:as|by)\b.*"
    r"(?:\d|following)|within (?:the )?(?:\w+ )?\d)"
)
"""Words that ask for another person, for a state, a definition or a time."""


class _Found(NamedTuple):
    strong: bool
    places: tuple[Sighting, ...]


def judge_stated(case: Case) -> Decision | None:
    """What a criterion asks for, stated by the note in its own words."""
    statement = case.statement
    if statement.denies or case.exclusion or not 0 < len(statement.contents) <= _LONGEST:
        return None
    if _BINDS.search(statement.lowered):
        return None
    for text in core_alternatives(statement.text):
        part = read_statement(text)
        if not part.contents or part.speaks_of(*_BLOCKED):
            continue
        found = _find(Case(part, case.exclusion, case.view, find_matches(part, case.view)))
        if found is not None:
            return _decision(case, found)
    return None


_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_TAIL = re.compile(
    r"[,;]?\s+(?:as\s+)?(?:defined|evidenced|determined|demonstrated|assessed|diagnosed|established"
    r"|confirmed|documented|indicated)\s+(?:as|by|in|per|according|on|using|with|through)\b"
    r"(?:(?!\s(?:with|who|and|that)\s).)*"
    r"|[,;]?\s+(?:according to|based on|on the basis of|in accordance with|as per|per the)\b"
    r"(?:(?!\s(?:with|who|and|that)\s).)*"
    r"|[,;]?\s+i\.?\s?e\.?[,:\s].*|[,;]?\s+e\.?\s?g\.?[,:\s].*"
    r"|\.\s+[A-Z].*",
    re.DOTALL,
)
_OR = re.compile(r"\s*(?:;|\band/or\b|\bor\b|\s/\s|,)\s*", re.IGNORECASE)
_HAS_OR = re.compile(r"\bor\b|\band/or\b|\s/\s|\bincluding\b|\bsuch as\b", re.IGNORECASE)


@lru_cache(maxsize=_REMEMBERED)
def core_alternatives(text: str) -> tuple[str, ...]:
    """Give a criterion without its wrapping, and the alternatives it lists."""
    plain = _TAIL.sub("", _ASIDE.sub(" ", text)).strip(" .;:,")
    found = [plain]
    if _HAS_OR.search(plain):
        found += [piece for piece in _OR.split(plain) if len(piece) > 3]
    return tuple(dict.fromkeys(found))


def _find(case: Case) -> _Found | None:
    statement, matches, view = case.statement, case.matches, case.view
    links = list(_links(case))
    covered = {content for content, _ in links}
    stated = list(_stated(case))
    covered |= {content for content, _ in stated}
    left = [word for word in matches.residue if word not in covered and word not in _idle()]
    if left:
        return None
    named = [each.sighting for each in matches.named if each.sighting.standing == "has"]
    shown = [
        place
        for each in matches.held
        if not each.syndrome.general
        for place, _ in view.findings(each.syndrome)
    ]
    of_links = [Sighting(link.fact.sentence, link.fact.start, link.fact.end, "has") for _, link in links]
    of_table = [place for _, place in stated]
    places = [*named, *of_links, *of_table, *shown]
    contents = [word for word in statement.contents if word not in _idle()]
    by_word = _together(case, [word for word in contents if word not in covered])
    if by_word is None and not places:
        return None
    if not contents:
        return None
    if not places and len(contents) < 2:
        return None
    return _Found(bool(places), tuple(dict.fromkeys([*places, *(by_word or ())])))


def _links(case: Case) -> Iterator[tuple[str, Link]]:
    text = case.statement.text
    for hit in case.view.chart.find(text):
        for link in hit.links:
            if link.fact.holds and link.relation in (Relation.SAME, Relation.WIDER):
                for word in fold(text[hit.start : hit.end]):
                    content = meaning(word)
                    if content:
                        yield content, link


def _stated(case: Case) -> Iterator[tuple[str, Sighting]]:
    """Give the words of the criterion that the note writes otherwise, and where it does."""
    tokens, table = case.statement.tokens, _wordings()
    for at, token in enumerate(tokens):
        for name, pattern in table.get(token, ()):
            if tokens[at : at + len(name)] != name:
                continue
            for place in case.view.sightings(pattern):
                if place.standing == "has":
                    yield from ((content, place) for content in map(meaning, name) if content)
                    break


@cache
def _wordings() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    table: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for line in read_lines("wordings.txt"):
        names, _, pattern = line.partition(" <= ")
        for name in names.split(";"):
            folded = tuple(fold(name))
            table.setdefault(folded[0], []).append((folded, pattern.strip()))
    return table


def _together(case: Case, contents: list[str]) -> tuple[Sighting, ...] | None:
    """Give the words where a sentence, or two next to each other, affirm all of them."""
    by: dict[int, dict[str, Sighting]] = {}
    for content, sighting in case.matches.words:
        if sighting.standing == "has" and content in contents:
            by.setdefault(sighting.sentence, {}).setdefault(content, sighting)
    for number, held in by.items():
        both = {**by.get(number + 1, {}), **held}
        if set(contents) <= set(both):
            return tuple(both.values())
    return None


@cache
def _idle() -> frozenset[str]:
    words = (
        "episode period having place evaluation evaluate potential diagnostic plan initial phase "
        "finding compatible characteristic characterized underlying consecutive experience "
        "experiencing suffer suffering complaint complain onset established exist existing "
        "definite proven verified detected identified identify"
    )
    return frozenset(filter(None, (meaning(word) for word in fold(words))))


def _decision(case: Case, found: _Found) -> Decision:
    first = found.places[0]
    said = case.view.note.text[first.start : first.end]
    return Decision("stated", Verdict.MET, f"The note states it: {said!r}.", found.places)
