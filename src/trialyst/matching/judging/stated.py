"""The rule of what the note states: the things a criterion names, looked for in every way.

Asked last, where no rule knew an answer. Wrapping is taken off a criterion (`established diagnosis
of`, an aside, `according to`), alternatives are looked at one by one, and a thing counts as stated
where the note names it, names a kind of it, or says the same in one place with other words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from trialyst.eligibility.tables import read_lines
from trialyst.folding import fold
from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.chart import Link
from trialyst.matching.judging.conditions import is_of_another_type
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.kin import Relation
from trialyst.matching.judging.lexicon import meaning
from trialyst.matching.judging.matches import find_matches
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.statement import ReadStatement, read_statement
from trialyst.matching.judging.treatments import is_so_given
from trialyst.matching.judging.view import Sighting
from trialyst.matching.patient import FactKind

__all__ = ["judge_stated"]

_REMEMBERED = 20_000
_LONGEST = 30
_SHORTEST = 3
_EDGES = " .;:,"
_BLOCKED = (
    "consent", "willing", "ability", "understand", "language", "opinion", "practical", "study",
    "enrolled", "contraindication", "allergy", "contraception", "score", "laboratory",
    "lung_function", "vital", "heart_rhythm", "negated", "except", "comparison", "healthy",
    "birth", "body_size", "life", "planned",
)  # fmt: skip
"""Kinds of things a criterion asks for that no name in a note states."""
_BINDS = re.compile(
    r"\b(?:care-?givers?|relatives?|siblings?|parents?|spouses?|donors?|family members?|normal"
    r"|abnormal|stable|unless|except\w*|but not?|isolated|never|may|withdrawn|since|volume|diameter"
    r"|density|duration|interval|response|criteria|eligible|excluding|indications|negative|status"
    r"|positive(?! (?:airway|pressure))|(?:prior to|before|after) (?:the )?age"
    r"|solid|metasta\w*|unresectable|resectable|advanced|recurrent|relapsed|refractory"
    r"|(?:defined|characteri[sz]ed) (?:as|by)\b.*(?:\d|following))\b|:$"
)
"""Words that ask for another person, for a state, a measure, a definition or a time."""
_QUALIFIED = ("severity", "other", "chronic", "window", "planned", "list", "suspected", "negated")
_CAUSED = gated(
    r"\b(?:secondary|requir\w+|due to|caused|that|which|interfer\w*|beyond|past|causes?|if|resting"
    r"|distress|other|distant|any|affect|concurrent|concomitant|current(?:ly)?|ongoing)\b"
)
"""What makes of a thing that excludes one of a degree, a cause or an effect."""
_SAME = (Relation.SAME,)
_HOLDS = (Relation.SAME, Relation.WIDER)
_THINGS = (FactKind.CONDITION, FactKind.THERAPY, FactKind.PROCEDURE)
_SEVERAL = 2
_WINDOW = re.compile(
    r"\b(?:within|past|last|previous|preceding|prior|for|over|during|next|before|after|in|every)\b"
    r"[^.;,]{0,18}(?:\d+|\bone|two|three|four|five|six|eight|ten|twelve|few)[-\s]*(?:\w+\s)?"
    r"(?:hours?|hrs?|h|days?|d|weeks?|wks?|months?|mos?|years?|yrs?)\b(?! of age| old)"
)
_BOUND = re.compile(r"[<>=\u2264\u2265]\s*\d|\b(?:at least|than|score of|class)\s+\d")
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_REST = r"(?:(?!\s(?:with|who|and|that)\s).)*"
_TAIL = re.compile(
    r"[,;]?\s+(?:as\s+)?(?:defined|evidenced|determined|demonstrated|assessed|diagnosed|established"
    rf"|confirmed|documented|indicated)\s+(?:as|by|in|per|according|on|using|through)\b{_REST}"
    r"|[,;]?\s+(?:according to|based on|on the basis of|in accordance with|as per|per the)\b"
    rf"{_REST}"
    r"|[,;]?\s+(?:i\.?\s?e|e\.?\s?g)\.?[,:\s].*",
    re.DOTALL,
)
_WRAPPING = re.compile(
    r"\b(?:(?:clinical|established|confirmed|documented|known|definite|suspected|previous|prior)\s+)*"
    r"(?:diagnos[ie]s|history|presence|evidence|signs?|symptoms?|cases?)"
    r"(?:\s+(?:and|or|and/or)\s+(?:signs?|symptoms?|history))?\s+of\b"
    r"|\b(?:diagnosed|presenting|suffering|patients?|subjects?|participants?|adults?|children"
    r"|individuals?)\s+(?:with|from)\b",
    re.IGNORECASE,
)
_OR = re.compile(r"\s*(?:;|\band/or\b|\bor\b|\s/\s|,)\s*", re.IGNORECASE)
_HAS_OR = re.compile(r"\bor\b|\band/or\b|\s/\s", re.IGNORECASE)
_HEADED = re.compile(
    r"\b(?:due|by|at|of|for|with|on|after|from|in|to|than|who|must|includ\w+|such|without|between)\b"
    r"|:",
    re.IGNORECASE,
)
"""Words by which what follows hangs on what stands before: not alternatives by themselves."""


def judge_stated(case: Case) -> Decision | None:
    """What a criterion asks for, stated by the note in its own words."""
    statement = case.statement
    if statement.denies or not 0 < len(statement.contents) <= _LONGEST:
        return None
    if case.exclusion and not _is_plain(statement):
        return None
    plain, *pieces = core_alternatives(statement.text)
    whole = case if plain == statement.text.strip(_EDGES) else _beside(case, read_statement(plain))
    if whole.statement.speaks_of(*_BLOCKED) or _is_bound(statement, whole.statement):
        return None
    if is_of_another_type(case):
        return None
    if statement.speaks_of("drug_name") and not _takes(case):
        return None
    found = _find(whole) or (() if case.exclusion else _find_piece(case, pieces))
    return _decision(case, found) if found else None


def _takes(case: Case) -> bool:
    """Whether the note tells of a treatment the criterion names; an allergy to it is none."""
    if case.matches.taken:
        lowered, view = case.statement.lowered, case.view
        return any(is_so_given(lowered, place, view) for place in case.matches.taken)
    return any(link.fact.kind is not FactKind.CONDITION for _, link in _links(case))


def _is_bound(statement: ReadStatement, whole: ReadStatement) -> bool:
    """Whether a criterion asks for a state, a time or a value that a name does not state."""
    outside = _ASIDE.sub(" ", statement.lowered).strip()
    return bool(
        _BINDS.search(outside) or _WINDOW.search(whole.lowered) or _has_bound(statement.text)
    )


def _is_plain(statement: ReadStatement) -> bool:
    """Whether an exclusion criterion names a thing without a degree, a cause or a time."""
    return not statement.speaks_of(*_QUALIFIED) and not _CAUSED.search(statement.lowered)


def _find_piece(case: Case, pieces: Sequence[str]) -> tuple[Sighting, ...]:
    parts = (_beside(case, read_statement(piece)) for piece in pieces)
    return next((found for part in parts if _is_own(part) and (found := _find(part))), ())


def _beside(case: Case, part: ReadStatement) -> Case:
    return Case(part, case.exclusion, case.view, find_matches(part, case.view))


def _has_bound(text: str) -> bool:
    """Whether what is taken off a criterion bounds a value, which is then essential."""
    asides = _ASIDE.findall(text)
    tails = (match.group() for match in _TAIL.finditer(_ASIDE.sub(" ", text)))
    return any(_BOUND.search(each) for each in (*asides, *tails))


@lru_cache(maxsize=_REMEMBERED)
def core_alternatives(text: str) -> tuple[str, ...]:
    """Give a criterion without its wrapping, then the alternatives it lists.

    >>> core_alternatives("Documented diagnosis of asthma or COPD (any stage)")
    ('Documented diagnosis of asthma or COPD', 'asthma', 'COPD')
    """
    plain = _TAIL.sub("", _ASIDE.sub(" ", text)).strip(_EDGES)
    bare = _WRAPPING.sub(" ", plain).strip(_EDGES)
    found = [plain]
    if _HAS_OR.search(bare):
        pieces = _OR.split(bare)
        kept = pieces[:1] if _HEADED.search(pieces[0]) else pieces
        found += [piece.strip() for piece in kept if len(piece) >= _SHORTEST]
    members = _MEMBERS.search(text)
    if members is not None:
        found += [
            each
            for piece in _MEMBER.split(text[members.end() :])
            if len(each := piece.strip(" .")) > 3
        ]
    return tuple(dict.fromkeys(found))


_MEMBERS = gated(
    r"\b(?:disorders?|diseases?|conditions?|illness(?:es)?|cancers?|malignanc(?:y|ies)|tumou?rs?"
    r"|patholog(?:y|ies)|infections?|abnormalit(?:y|ies)|comorbidit(?:y|ies))[,;:]?\s*\(?"
    r"(?:including|such as|e\.?\s?g\.?|like|for example)[,:]?\s(?!but not)",
    re.IGNORECASE,
)
_MEMBER = re.compile(r"\s*(?:[;,()]|\band/or\b|\bor\b|\band\b)\s*", re.IGNORECASE)


def _is_own(case: Case) -> bool:
    """Whether a piece of a list ends with a thing that the note tells the patient has."""
    text = case.statement.text
    return any(
        hit.end >= len(text.rstrip(" .)")) - 1
        and any(
            link.fact.holds and link.relation in _HOLDS and link.fact.kind in _THINGS
            for link in hit.links
        )
        for hit in case.view.chart.find(text)
    )


def _find(case: Case) -> tuple[Sighting, ...]:
    """Give where the note states all that a criterion names; nothing where it does not."""
    if not case.statement.contents:
        return ()
    links, written = list(_links(case)), list(_written(case))
    covered = {content for content, _ in links} | {content for content, _ in written}
    idle = _idle()
    contents = [word for word in case.statement.contents if word not in idle]
    if not contents or any(w not in covered and w not in idle for w in case.matches.residue):
        return ()
    places = [
        Sighting(link.fact.sentence, link.fact.start, link.fact.end, "has") for _, link in links
    ]
    places += [place for _, place in written]
    rest = [word for word in contents if word not in covered]
    # A lung and a cancer in a note are no lung cancer.
    wide = bool(links) and all(link.relation is Relation.WIDER for _, link in links)
    if rest and (case.exclusion or (wide and not written)):
        return ()
    if case.exclusion:
        return tuple(dict.fromkeys(places))
    places += [each.sighting for each in case.matches.named if each.sighting.standing == "has"]
    for shown in case.matches.held:
        if not shown.syndrome.general:
            places += [place for place, _ in case.view.findings(shown.syndrome)]
    together = _together(case, rest)
    if not places and (together is None or len(contents) < _SEVERAL):
        return ()
    return tuple(dict.fromkeys([*places, *(together or ())]))


def _links(case: Case) -> Iterator[tuple[str, Link]]:
    """Give the words of the criterion by which it names what the note tells, and the fact."""
    text = case.statement.text
    for hit in case.view.chart.find(text):
        for link in hit.links:
            if link.relation in (_SAME if case.exclusion else _HOLDS) and link.fact.holds:
                contents = map(meaning, fold(text[hit.start : hit.end]))
                yield from ((content, link) for content in contents if content)


def _written(case: Case) -> Iterator[tuple[str, Sighting]]:
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
    for line in read_lines("wordings.txt", package="trialyst.matching"):
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
        "definite proven verified detected identified identify clinically newly detectable "
        "placed placement otherwise specified continually thereafter demonstration demonstrate "
        "demonstrated initiated recruit recruited performed completed persistent "
        "histologically pathologically cytologically radiologically radiographically persistently "
        "determination verified confirmation detectable selected eligible potentially eligible "
        "regularly frequently actual appropriate typically obvious apparent accompany accompanied "
        "objective subjective visit attend attending seek seeking seen outpatients record records "
        "total overall certain sure type kind form subtype most recent recently area region "
        "category categorized referable attributable sample available"
    )
    return frozenset(filter(None, (meaning(word) for word in fold(words))))


def _decision(case: Case, found: tuple[Sighting, ...]) -> Decision:
    said = case.view.note.text[found[0].start : found[0].end]
    return Decision("stated", Verdict.MET, f"The note states it as {said!r}.", found)
