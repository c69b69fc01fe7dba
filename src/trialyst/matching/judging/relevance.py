"""How much a sentence of a note bears on a criterion, as a sum of weights of plain features.

The weights (`data/evidence_weights.json`) are learned from the sentences that experts cite, by
`tools/train_evidence.py`. A feature is a few plain words, such as a criterion about drugs beside a
sentence about drugs. What a feature is told by is kept apart from its name, so that a sum is
worked out once for all sentences that are alike.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.topics import Asked, Told, asked_of

__all__ = ["Weights", "features", "load_weights", "relevant"]

_REMEMBERED = 50_000
_MANY = 3
_SHORT = 3
_LONG = 8
_MUCH = 0.4
_SOME = 0.2
_LONG_NOTE = 60
"""Sentences up to which each is looked at; of longer notes only those that have something of it."""
_SIGNS = {Verdict.MET: "+", Verdict.NOT_MET: "-", Verdict.UNKNOWN: "?"}
_PAIRS = frozenset(
    name.strip()
    for name in (
        "person for pregnancy, first for pregnancy, drugs for drug, past for drug, well for drug,"
        "habits for substance, imaging for imaging, values for measure, values for test,"
        "exam for vital, past for history, well for history, past for illness, well for illness,"
        "person for aged, person for person, complaint for illness, first for illness,"
        "complaint for active, exam for life, awake for life, awake for ability,"
        "complaint for score, complaint for suspected, past for procedure, well for allergy,"
        "first for suspected, past for other, well for other, past for severity,"
        "first for person, first for aged, background for illness, background for history,"
        "background for other, background for severity, awake for severity, awake for active"
    ).split(",")
)
"""What a sentence tells of that may bear on what a criterion is about."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What every feature counts for, and from which sum on a sentence is given."""

    weights: dict[str, float]
    threshold: float


@cache
def load_weights() -> Weights:
    """Read the shipped weights."""
    path = files("trialyst.matching").joinpath("data", "evidence_weights.json")
    held = json.loads(path.read_text("utf-8"))
    return Weights(held["weights"], held["threshold"])


def relevant(case: Case, decision: Decision) -> list[int]:
    """Give the numbers of the sentences that bear on a criterion, in the order of the note."""
    least = load_weights().threshold
    compared = _Comparison(case, decision)
    return [each.number for each in compared.told if compared.weigh(each) >= least]


def features(case: Case, decision: Decision) -> Iterator[tuple[int, list[str]]]:
    """Give every sentence's number and the features of the sentence beside the criterion."""
    compared = _Comparison(case, decision)
    for each in compared.told:
        yield each.number, [name for aspect in compared.aspects(each) for name in aspect.names()]


class _Consent(NamedTuple):
    """The sentence on consent beside a criterion."""

    group: str
    topics: tuple[str, ...]
    decides: bool

    def names(self) -> list[str]:
        names = ["consent sentence", f"consent sentence {self.group}"]
        names += [f"consent sentence for {topic}" for topic in self.topics]
        return [*names, "consent sentence decides"] if self.decides else names


class _Kinds(NamedTuple):
    """What the criterion is about beside what the sentence tells of."""

    group: str
    size: str
    topics: tuple[str, ...]
    traits: tuple[str, ...]

    def names(self) -> list[str]:
        side = self.group[:2]
        pairs = (f"{trait} for {topic}" for trait in self.traits for topic in self.topics)
        return [
            self.group,
            f"{self.size} {side}",
            *(f"about {topic} {side}" for topic in self.topics),
            *(f"{trait} {self.group}" for trait in self.traits),
            *(pair for pair in pairs if pair in _PAIRS),
        ]


class _Fields(NamedTuple):
    """The fields of medicine that both speak of."""

    group: str
    findings: bool
    near: bool
    """Whether the criterion is of a field of the note's first sentence."""
    shared: int | None
    """How many, at most `_MANY`; None where the criterion is of no field."""
    common: str = ""
    """How much of what either speaks of."""
    most: bool = False
    """Whether no sentence of the note shares more."""
    chief: bool = False
    """Whether the first words of the criterion are of one of them."""
    half: bool = False
    """Whether they are most of the criterion's fields."""

    def names(self) -> list[str]:
        side = self.group[:2]
        chief = "near" if self.near else "far from"
        names = [f"finding {chief} the chief {self.group}"] if self.findings else []
        if not self.shared:
            return [*names, f"no field {side}" if self.shared is None else f"other field {side}"]
        names += [
            f"{self.shared} fields shared {side}", f"field shared {self.group}",
            f"{self.common} in common",
        ]  # fmt: skip
        names += [f"most fields shared {side}"] if self.most else []
        names += [f"chief field shared {side}"] if self.chief else []
        names += [f"most of its fields {side}"] if self.half else []
        return [*names, f"finding of the field {self.group}"] if self.findings else names


class _Content(NamedTuple):
    """The criterion's words, names and findings in the sentence."""

    side: str
    decides: bool | None
    """None where no sentence does."""
    words: int | None
    """How many; None where no sentence has one."""
    most: bool
    half: bool
    standings: tuple[str, ...] | None
    """How the sentence speaks of what is named; None where no sentence names it."""
    finding: bool

    def names(self) -> list[str]:
        side, names = self.side, []
        if self.decides is not None:
            names.append(f"decides {side}" if self.decides else "another decides")
        if self.words:
            names.append(f"{min(self.words, _MANY)} words {side}")
            names += [f"most words {side}"] if self.most else []
            names += [f"half of the words {side}"] if self.half else []
        elif self.words is not None:
            names.append(f"words elsewhere {side}")
        if self.standings:
            names += [f"names it as {standing} {side}" for standing in self.standings]
        elif self.standings is not None:
            names.append(f"named elsewhere {side}")
        return [*names, f"finding of it {side}"] if self.finding else names


_Aspect = _Consent | _Kinds | _Fields | _Content


@lru_cache(maxsize=_REMEMBERED)
def _weigh(aspect: _Aspect) -> float:
    weights = load_weights().weights
    return sum([weights.get(name, 0.0) for name in aspect.names()])


class _Comparison:
    """A criterion and the verdict on it beside the sentences of a note."""

    __slots__ = ("_asked", "_by_traits", "_group", "_most", "_near", "_places",
                 "_size", "told")  # fmt: skip

    def __init__(self, case: Case, decision: Decision) -> None:
        asked = self._asked = asked_of(case.statement.text)
        self._group = ("ex" if case.exclusion else "in") + _SIGNS[decision.verdict]
        length = len(case.statement.contents)
        self._size = "short" if length <= _SHORT else "long" if length > _LONG else "middling"
        self._places = _Places(case, decision)
        told = case.view.told
        self.told = self._places.among(told) if len(told) > _LONG_NOTE else told
        self._near = bool(told) and bool(told[0].systems & asked.systems)
        self._most = _most_shared(self.told, asked)
        self._by_traits = _weights_by_traits(self._group, self._size, asked.topics)

    def aspects(self, each: Told) -> tuple[_Aspect, ...]:
        """Give what is to be said of a sentence."""
        if each.consent:
            decides = each.number in self._places.sighted
            return (_Consent(self._group, self._asked.topics, decides),)
        kinds = _Kinds(self._group, self._size, self._asked.topics, each.traits)
        return kinds, self._fields(each), self._places.content(each.number)

    def _fields(self, each: Told) -> _Fields:
        fields, told = self._asked.systems, each.systems
        if not fields:
            return _Fields(self._group, each.findings, self._near, None)
        shared = (fields & told).bit_count()
        if not shared:
            return _Fields(self._group, each.findings, self._near, 0)
        common = shared / (fields | told).bit_count()
        return _Fields(
            self._group, each.findings, self._near, min(shared, _MANY),
            common="much" if common > _MUCH else "some" if common > _SOME else "little",
            most=shared == self._most,
            chief=bool(told & self._asked.lead),
            half=shared * 2 > fields.bit_count(),
        )  # fmt: skip

    def weigh(self, each: Told) -> float:
        """Sum up what is to be said of a sentence; sentences are alike in most of it."""
        if each.consent:
            return sum(map(_weigh, self.aspects(each)))
        content = self._places.weigh(each.number)
        return self._by_traits[each.traits] + _weigh(self._fields(each)) + content


class _TraitWeights(dict[tuple[str, ...], float]):
    """What the traits of a sentence count for beside one sort of criteria."""

    def __init__(self, group: str, size: str, topics: tuple[str, ...]) -> None:
        self._group, self._topics = group, topics
        self._plain = _weigh(_Kinds(group, size, topics, ()))

    def __missing__(self, traits: tuple[str, ...]) -> float:
        weight = self._plain
        for trait in traits:
            of_group, of_topics = _weights_of_trait(trait, self._group)
            weight += of_group + sum([of_topics.get(topic, 0.0) for topic in self._topics])
        self[traits] = weight
        return weight


@cache
def _weights_of_trait(trait: str, group: str) -> tuple[float, dict[str, float]]:
    """Give what a trait counts for by itself, and beside each topic."""
    weights = load_weights().weights
    pairs = (pair.split(" for ") for pair in _PAIRS)
    topics = {topic: weights.get(f"{trait} for {topic}", 0.0) for of, topic in pairs if of == trait}
    return weights.get(f"{trait} {group}", 0.0), topics


@lru_cache(maxsize=_REMEMBERED)
def _weights_by_traits(group: str, size: str, topics: tuple[str, ...]) -> _TraitWeights:
    return _TraitWeights(group, size, topics)


def _most_shared(told: Iterable[Told], asked: Asked) -> int:
    fields = asked.systems
    return max([(each.systems & fields).bit_count() for each in told if not each.consent] or [0])


class _Places:
    """Where the note has something of the criterion, by sentence."""

    __slots__ = (
        "_contents", "_findings", "_held", "_most", "_names", "_nothing", "_side", "_unheld",
        "_words", "sighted",
    )  # fmt: skip

    def __init__(self, case: Case, decision: Decision) -> None:
        self.sighted = {sighting.sentence for sighting in decision.sightings}
        self._side = "ex" if case.exclusion else "in"
        self._contents = len(case.statement.contents)
        self._words: dict[int, set[str]] = {}
        for content, sighting in case.matches.words:
            self._words.setdefault(sighting.sentence, set()).add(content)
        self._most = max(map(len, self._words.values()), default=0)
        self._names: dict[int, set[str]] = {}
        for named in case.matches.named:
            place = named.sighting
            self._names.setdefault(place.sentence, set()).add(place.standing)
        self._findings = {
            sighting.sentence
            for shown in case.matches.shown
            if shown.count
            for sighting, _ in case.view.findings(shown.syndrome)
            if sighting.standing == "has"
        }
        self._held = self.sighted | self._words.keys() | self._names.keys() | self._findings
        self._nothing = self._content(-1)
        self._unheld = _weigh(self._nothing)

    def among(self, told: tuple[Told, ...]) -> tuple[Told, ...]:
        """Give the first sentence and those that have something of the criterion."""
        first = told[0]
        return tuple(
            each for each in told if each.number in self._held or each.consent or each is first
        )  # fmt: skip

    def content(self, number: int) -> _Content:
        """Give what a sentence has of the criterion."""
        return self._content(number) if number in self._held else self._nothing

    def weigh(self, number: int) -> float:
        """Say what it counts for that a sentence has what it has of the criterion."""
        return _weigh(self._content(number)) if number in self._held else self._unheld

    def _content(self, number: int) -> _Content:
        count = len(self._words.get(number, ()))
        standings = self._names.get(number)
        return _Content(
            self._side,
            number in self.sighted if self.sighted else None,
            count if self._words else None,
            most=count == self._most,
            half=count * 2 >= self._contents,
            standings=tuple(sorted(standings or ())) if self._names else None,
            finding=number in self._findings,
        )
