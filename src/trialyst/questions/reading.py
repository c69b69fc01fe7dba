"""The arguments of a search to one question: each read once, in its own way, by one module."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from trialyst.ctgov.plain import distance_alone
from trialyst.ctgov.query import TrialQuery
from trialyst.essie.ast import Node
from trialyst.essie.build import any_of, area, phrase
from trialyst.essie.render import text_node
from trialyst.ids import NctId
from trialyst.questions.accepting import read_accepts
from trialyst.questions.arguments import TermArguments
from trialyst.questions.clauses import Clause, Element, combine, denying, text_clause
from trialyst.questions.filters import FILTERS, read_status_codes
from trialyst.questions.free_text import ESSIE, FreeText, Segment, read_free_text
from trialyst.questions.names import read_condition, read_drug, to_node
from trialyst.questions.phrasing import find_wishes, merge_wishes
from trialyst.questions.places import is_known_place, read_locations, read_near
from trialyst.questions.readings import ArgumentReading, to_understood
from trialyst.questions.spelling import correct_name, correct_words
from trialyst.questions.values import read_several, read_text

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.vocabulary import Vocabulary
    from trialyst.vocabulary.spelling import Correction

__all__ = ["Question", "read_question"]

_PARAMS = {"condition": "cond", "intervention": "intr"}
_QUOTED = re.compile(r'"[^"]*"')
_ESSIE_NOTE = "Operators are words in a text; only an Essie expression, given as one, is run."
_UNREAD = ArgumentReading(asked="", kind="words", known=True)
_READERS = {"condition": read_condition, "intervention": read_drug}


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, argument by argument."""

    clauses: tuple[Clause, ...]

    def to_query(self, *, without: str | None = None) -> TrialQuery:
        """Give the query of all clauses, or of all but those of one argument."""
        return combine(each.part for each in self.clauses if each.argument != without)

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments that ask for something."""
        return tuple(dict.fromkeys(each.argument for each in self.clauses))

    def understood(self) -> dict[str, Any]:
        """Say how each argument was read."""
        return {each.argument: to_understood(each.argument, each.reading) for each in self.clauses}

    def replacing(self, clause: Clause) -> Question:
        """Give the question with another clause for the same argument."""
        return replace(
            self,
            clauses=tuple(
                clause if each.argument == clause.argument else each for each in self.clauses
            ),
        )


async def read_question(
    source: TrialSource, arguments: Mapping[str, Any], renamed: Mapping[str, str] | None = None
) -> Question:
    """Read the arguments of a search, or raise InvalidInput.

    Args:
        renamed: what an argument was called instead of its own name.
    """
    names = await asyncio.to_thread(lambda: source.names)
    return await _QuestionReader(source, names).read(arguments, renamed or {})


@dataclass(frozen=True, slots=True)
class _Respelt:
    """A free text as it was probably meant."""

    text: str
    corrected: bool
    offered: tuple[str, ...]
    """What a word may have been meant to be where that is not clear."""
    note: str = ""


class _QuestionReader:
    """Reads one question to one source."""

    def __init__(self, source: TrialSource, names: Vocabulary) -> None:
        self._source = source
        self._names = names

    async def read(self, arguments: Mapping[str, Any], renamed: Mapping[str, str]) -> Question:
        known = TermArguments.__annotations__
        wanted = {name: arguments[name] for name in known if name in arguments}
        _check_within(wanted)
        clauses: list[Clause] = []
        wished: dict[str, str] = {}
        if "query" in wanted:
            text = read_text("query", wanted.pop("query")) or ""
            clause, wished = await self._query(text, given=frozenset(wanted))
            clauses.append(clause)
        asked = {**wanted, **wished}
        for argument in known:
            if argument in asked and argument != "within":
                clause = await self._clause(argument, asked)
                if argument in wished:
                    clause = _told(clause, note="Read from the words of the query.")
                clauses.append(clause)
        return Question(
            tuple(
                _told(each, given_as=renamed[each.argument]) if each.argument in renamed else each
                for each in clauses
            )
        )

    async def _clause(self, argument: str, asked: Mapping[str, Any]) -> Clause:
        value = asked[argument]
        if argument in _PARAMS:
            return await self._named(argument, read_several(argument, value))
        if argument == "location":
            statuses = read_status_codes(asked.get("status"))
            places = read_several(argument, value)
            return await read_locations(self._source, places, statuses=statuses)
        if argument == "near":
            statuses = read_status_codes(asked.get("status"))
            return await read_near(
                self._source, value, within=asked.get("within"), statuses=statuses
            )
        if argument == "accepts":
            return await asyncio.to_thread(read_accepts, self._names, value)
        return FILTERS[argument](argument, value)

    async def _named(self, argument: str, texts: Sequence[str]) -> Clause:
        """Read names of which any will do."""
        param = _PARAMS[argument]
        names = [await self._name(argument, text) for text in texts]
        reading = _merged([reading for _, reading in names])
        node = any_of(*(node for node, _ in names))
        elements = self._elements(reading.corrected or texts[0], param) if len(texts) == 1 else ()
        return Clause(argument, reading, TrialQuery(queries=((param, node),)), elements)

    async def _name(self, argument: str, text: str) -> tuple[Node, ArgumentReading]:
        """Read a name; one that no record holds is read as what was clearly meant."""
        read = _READERS[argument]
        term = read(self._names, text)
        if term.is_name or '"' in text:
            return to_node(term), term.reading
        free = read_free_text(self._names, text)
        told: dict[str, Any] = {"asked": text}
        if free.left_out and free.segments and not (free.denied or free.wishes):
            told["dropped"] = free.left_out
            text = " ".join(segment.text for segment in free.segments)
            term = read(self._names, text)
        found = await correct_name(self._source, self._names, text, param=_PARAMS[argument])
        if found.best and found.clear:
            term = read(self._names, found.best.text)
            told["corrected"] = found.best.text
        elif found.best:
            told["nearest"] = tuple(each.text for each in (found.best, *found.others))
        if not found.beside or found.best is None:
            return to_node(term), term.reading.model_copy(update=told)
        meant = read(self._names, found.best.text)
        told |= {"misspelt": True, "note": _beside_note(found), "name": meant.reading.name}
        node = any_of(to_node(term), to_node(meant))
        return node, term.reading.model_copy(update=told)

    def _elements(self, text: str, param: str) -> tuple[Element, ...]:
        """Cut a name into parts that could be left out, all searched where the name is."""
        free = read_free_text(self._names, text)
        segments = () if free.denied or free.wishes else free.segments
        return tuple(
            Element(each.text, param, None if each.kind == "word" else text_node(each.text))
            for each in segments
        )

    async def _query(self, text: str, *, given: frozenset[str]) -> tuple[Clause, dict[str, str]]:
        """Read a free text, and what its wording asks for besides words."""
        asked = read_several("query", text)
        spelt = [each for text in asked for each in await self._respell(text)]
        parts = [read_free_text(self._names, each.text, is_place=is_known_place) for each in spelt]
        wishes = parts[0].wishes if len(asked) == 1 else ()
        left_out = tuple(dict.fromkeys(word for part in parts for word in part.left_out))
        is_essie = bool(ESSIE.search(text))
        notes = dict.fromkeys(each.note for each in spelt)
        reading = ArgumentReading(
            asked=text,
            kind="words",
            known=True,
            name=" or ".join(filter(None, map(_summary, parts))) or None,
            corrected=" OR ".join(each.text for each in spelt if each.corrected) or None,
            nearest=tuple(dict.fromkeys(name for each in spelt for name in each.offered)),
            misspelt=any(each.note for each in spelt),
            dropped=left_out or None,
            note=" ".join(filter(None, [_ESSIE_NOTE if is_essie else None, *notes])) or None,
        )
        denied = [await self._denied(part) for part in parts]
        filters = tuple(dict.fromkeys(node for each in denied for node in each))
        filters = filters if len(asked) == 1 else ()
        alternatives = [[self._element(each) for each in part.segments] for part in parts]
        filled = [each for each in alternatives if each]
        wished = merge_wishes(each for each in wishes if each.argument not in given)
        if not filled:
            return Clause("query", reading, TrialQuery(filters=filters)), wished
        clause = text_clause("query", reading, filled)
        # Of an expression no word is left out until something else is found.
        elements = () if is_essie else clause.elements
        part = replace(clause.part, filters=filters)
        return replace(clause, part=part, elements=elements), wished

    async def _denied(self, text: FreeText) -> list[Node]:
        """Give what a text asks not to have."""
        groups = ([self._element(each) for each in group] for group in text.denied)
        parts = [text_clause("query", _UNREAD, [elements]).part for elements in groups]
        for wish in text.unwished:
            parts.append((await self._clause(wish.argument, {wish.argument: wish.value})).part)
        return [denying(part) for part in parts]

    async def _respell(self, text: str) -> list[_Respelt]:
        """Put right the words of a text that no trial has, where it is clear what was meant.

        A text with a slip that stands in a few records is given as it is, and put right beside it.
        """
        found = await correct_words(self._source, self._names, _without_wishes(text))
        clear = [each for each in found if each.clear and each.best]
        respelt = text
        for each in clear:
            assert each.best is not None
            respelt = respelt.replace(each.asked, each.best.text, 1)
        offered = tuple(each.best.text for each in found if each.best and not each.clear)
        given = _Respelt(respelt, bool(clear), offered)
        beside = [each for each in found if each.beside and each.best]
        for each in beside:
            assert each.best is not None
            respelt = respelt.replace(each.asked, each.best.text, 1)
        note = " ".join(map(_beside_note, beside))
        return [given, replace(given, text=respelt, note=note)] if beside else [given]

    def _element(self, segment: Segment) -> Element:
        match segment.kind:
            case "condition" | "intervention":
                read = _READERS[segment.kind]
                names = segment.either or (segment.text,)
                node = any_of(*(to_node(read(self._names, name)) for name in names))
                return Element(segment.text, _PARAMS[segment.kind], node)
            case "phrase":
                return Element(segment.text, "term", phrase(segment.text))
            case "id":
                node = area("NCTIdSearch", phrase(str(NctId.parse(segment.text))))
                return Element(segment.text, "term", node)
            case _:
                return Element(segment.text, "term")


def _without_wishes(text: str) -> str:
    """Blank what is quoted, and what is no name: a place, a phase, a date."""
    text = _QUOTED.sub(lambda found: " " * len(found[0]), text)
    for wish in find_wishes(text, is_place=is_known_place):
        text = f"{text[: wish.start]}{' ' * (wish.end - wish.start)}{text[wish.end :]}"
    return text


def _beside_note(found: Correction) -> str:
    """Say that a slip is searched for together with the name that it is a slip of."""
    assert found.best is not None
    trials = "1 trial says" if found.held == 1 else f"{found.held} trials say"
    return (
        f"{trials} {found.asked!r}, probably a slip: trials of {found.best.text!r} are found with "
        "them. Quoted, it is searched as it is written."
    )


def _summary(text: FreeText) -> str:
    """Say in a few words what is looked for."""
    kinds: dict[str, list[str]] = {}
    for segment in text.segments:
        kinds.setdefault(segment.kind, []).append(segment.text)
    told = [
        f"{kind}{'s' if kind == 'word' and len(texts) > 1 else ''} {', '.join(texts)}"
        for kind, texts in kinds.items()
    ]
    told += [f"not {' '.join(each.text for each in group)}" for group in text.denied]
    told += [f"not {wish.argument} {wish.value}" for wish in text.unwished]
    return "; ".join(told)


def _merged(readings: Sequence[ArgumentReading]) -> ArgumentReading:
    """Give the reading of alternatives."""
    if len(readings) == 1:
        return readings[0]
    corrected = [each.corrected or each.asked for each in readings]
    return ArgumentReading(
        asked=" OR ".join(each.asked for each in readings),
        kind=readings[0].kind,
        known=all(each.known for each in readings),
        name=" or ".join(each.name or each.asked for each in readings),
        corrected=" OR ".join(corrected) if any(each.corrected for each in readings) else None,
        nearest=tuple(name for each in readings for name in each.nearest),
        members=tuple(name for each in readings for name in each.members or ()) or None,
        misspelt=any(each.misspelt for each in readings),
        dropped=tuple(word for each in readings for word in each.dropped or ()) or None,
        note=" ".join(dict.fromkeys(each.note for each in readings if each.note)) or None,
    )


def _told(clause: Clause, **update: str) -> Clause:
    return replace(clause, reading=clause.reading.model_copy(update=update))


def _check_within(wanted: Mapping[str, Any]) -> None:
    if "within" in wanted and "near" not in wanted:
        raise distance_alone(wanted["within"])
