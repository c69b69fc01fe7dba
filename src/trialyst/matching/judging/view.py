"""A note as the rules see it: its words with how it speaks of them, its names and its values.

Read once a note; what no criterion asks for is not read. Everything leads back to a sentence.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from trialyst.eligibility.analytes import get_analyte, to_common_unit
from trialyst.eligibility.reading.note import Note, Sentence, parse_note
from trialyst.folding import fold
from trialyst.matching.context import Effect
from trialyst.matching.judging.chart import Chart, read_chart
from trialyst.matching.judging.lexicon import Syndrome, compiled, meaning
from trialyst.matching.judging.limits import Reading, find_readings
from trialyst.matching.judging.pictures import Picture, find_picture
from trialyst.matching.judging.topics import Told, told_in
from trialyst.matching.patient import Assertion, Fact, FactKind, Sex
from trialyst.matching.reading.ages import read_age
from trialyst.matching.reading.biomarkers import MARKER, read_biomarkers
from trialyst.matching.reading.grades import read_classes, read_performance
from trialyst.matching.reading.habits import read_habits
from trialyst.matching.reading.measured import read_measured
from trialyst.matching.reading.passage import Passage, passages
from trialyst.matching.reading.sexes import read_pregnancy, read_sex
from trialyst.vocabulary.classes import classes_of
from trialyst.vocabulary.concept import Kind

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = ["Named", "NoteView", "Sighting", "Standing", "read_view"]

Standing = str
"""How the note speaks of a thing: `has`, `denied`, `family`."""

_WORD = re.compile(r"[^\W\d_]+(?:['’]s)?")
_CONSENT = re.compile(r"\binformed consent\b|\bwilling to participate\b|\bcomply with\b")
_NO_DRUGS = re.compile(
    r"\b(?:takes|on|taking|is on|currently on|reports|uses)?\s*no (?:\w+ ){0,2}medications?\b"
    r"|\bnot (?:taking|on) any medications?\b|\bdenies (?:\w+ ){0,3}medications?\b"
)
_TAKES = re.compile(
    r"\b(?:takes?|taking|took|on|treated|treatment|receiv\w+|prescri\w+|medications?|daily|mg|mcg"
    r"|started|uses?|using|given|therapy|inhaler)\b",
    re.IGNORECASE,
)
_NUMBER_NAME = re.compile(r"[aA]n? \d")
_TOO_WIDE = frozenset(
    {"Disease", "Emergencies", "Patients", "Proteins", "Syndrome", "Chronic Disease"}
)
_MEASURES = (read_measured, read_performance, read_classes, read_biomarkers)
_NOT_OWN = (Assertion.FAMILY, Assertion.HYPOTHETICAL)
_UNTOLD = re.compile(
    r"\W*(?:(?:infection|test|serolog\w+|antibod\w+)\s+)?(?:status|result)s?"
    r"(?:\s+(?:is|are|was|were))?\W*(?:unknown|not known|pending|unavailable|not available)"
)
_TOP = 1
"""Dots in the tree number of the widest concept that still says something."""


class Sighting(NamedTuple):
    """A thing in a sentence and how the note speaks of it."""

    sentence: int
    start: int
    end: int
    standing: Standing


class Named(NamedTuple):
    """A sighting of a name; `wider` where the criterion's name means more than the note's."""

    sighting: Sighting
    wider: bool
    taken: bool
    """A drug in a sentence that speaks of taking it."""


@dataclass(slots=True)
class NoteView:
    """A note prepared for judging."""

    note: Note
    lowered: str
    """The text in lower case, of the same length."""
    body: tuple[Sentence, ...]
    """The sentences that tell of the patient, without the one on consent."""
    consent: Sentence | None
    years: float | None
    age_place: Sighting | None
    sex: Sex | None
    sex_place: Sighting | None
    no_drugs: Sighting | None
    """Where the note says that the patient takes no medication."""
    pregnant: bool | None
    pregnancy_place: Sighting | None
    words: dict[str, list[Sighting]]
    """By meaning."""
    names: dict[str, dict[tuple[str, ...], list[Named]]]
    """Names of the note's concepts and of wider ones, by first token."""
    readings: dict[str, list[Reading]]
    vocabulary: Vocabulary
    _passages: dict[int, Passage]
    _shown: dict[str, list[Sighting]] = field(default_factory=dict)
    _measured: dict[str, list[Fact]] | None = None
    _chart: Chart | None = None
    _picture: Picture | None = None
    _told: tuple[Told, ...] | None = None

    @property
    def chart(self) -> Chart:
        """The conditions, treatments and stages of the note, to be found by a criterion's words."""
        if self._chart is None:
            told = [self._passages[sentence.number] for sentence in self.body]
            self._chart = read_chart(told, self.vocabulary)
        return self._chart

    @property
    def told(self) -> tuple[Told, ...]:
        """What every sentence tells of, in their order."""
        if self._told is None:
            self._told = told_in(self)
        return self._told

    @property
    def picture(self) -> Picture:
        """The condition of which the note makes a plain picture without naming it."""
        if self._picture is None:
            self._picture = find_picture(self.note, self.vocabulary)
        return self._picture

    def standing(self, sentence: Sentence, start: int, end: int) -> Standing:
        """Say how a sentence speaks of what stands at a place of the note."""
        effects = self._passages[sentence.number].effects(start, end)
        if Effect.FAMILY in effects or self._is_untold(sentence, end):
            return "family"
        return "denied" if Effect.NEGATED in effects else "has"

    def _is_untold(self, sentence: Sentence, end: int) -> bool:
        """Whether the note says that it is not known."""
        return _UNTOLD.match(self.lowered, end, sentence.end) is not None

    def measured(self, concept: str) -> Sequence[Fact]:
        """Give what the note says of a laboratory value, score, class or biomarker, in order."""
        return self._all_measured().get(concept, ())

    def has_markers(self) -> bool:
        """Whether the note tells of any biomarker."""
        return any(concept.startswith(MARKER) for concept in self._all_measured())

    def _all_measured(self) -> dict[str, list[Fact]]:
        if self._measured is None:
            measured = defaultdict(list)
            for sentence in self.body:
                passage = self._passages[sentence.number]
                for fact in chain.from_iterable(read(passage) for read in _MEASURES):
                    if fact.concept is not None and fact.assertion not in _NOT_OWN:
                        measured[fact.concept.id].append(fact)
            self._measured = measured
        return self._measured

    @property
    def smoking(self) -> Fact | None:
        """What the note says of the patient's smoking."""
        if "smok" not in self.lowered and "tobacco" not in self.lowered:
            return None
        for sentence in self.body:
            for fact in read_habits(self._passages[sentence.number]):
                if fact.kind is FactKind.SMOKING and fact.status:
                    return fact
        return None

    def findings(self, syndrome: Syndrome) -> list[tuple[Sighting, bool]]:
        """Give the findings of a syndrome the note holds, the flag telling those that prove it."""
        found: list[tuple[Sighting, bool]] = []
        for pattern, sure in syndrome.findings:
            sightings = self.sightings(pattern)
            found.extend((sighting, sure) for sighting in sightings)
        return found

    def groups(self, syndrome: Syndrome) -> tuple[int, bool, bool]:
        """Count the findings present, and say whether one proves or one denies the syndrome."""
        count, sure, denied = 0, False, False
        for pattern, proves in syndrome.findings:
            standings = {sighting.standing for sighting in self.sightings(pattern)}
            if "has" in standings:
                count += 1
                sure = sure or proves
            elif "denied" in standings:
                denied = denied or proves
        return count, sure, denied

    def sightings(self, pattern: str) -> list[Sighting]:
        """Give where a pattern over the lower-cased note holds, and how the note speaks of it."""
        found = self._shown.get(pattern)
        if found is None:
            found = self._shown[pattern] = self._search(pattern)
        return found

    def _search(self, pattern: str) -> list[Sighting]:
        found = []
        for match in compiled(pattern).finditer(self.lowered):
            start, end = match.span()
            sentence = self.note.sentence_at(start)
            if sentence is not self.consent and end <= sentence.end:
                standing = self.standing(sentence, start, end)
                found.append(Sighting(sentence.number, start, end, standing))
        if "@" in pattern:
            for name, sign, bound in _DERIVES.findall(pattern):
                found.extend(
                    self._beyond(name, sign, float(bound)) if sign else self._derived(name)
                )
        return found

    def _beyond(self, name: str, sign: str, bound: float) -> Iterator[Sighting]:
        """Give the latest value of an analyte where it lies beyond a bound."""
        analyte = get_analyte(f"lab:{name}")
        for fact in self.measured(f"lab:{name}")[-1:]:
            value = None
            if analyte is not None and fact.value is not None:
                value = to_common_unit(fact.value, analyte)
            if value is not None and (
                value.number < bound if sign == "<" else value.number > bound
            ):
                yield Sighting(fact.sentence, fact.start, fact.end, "has")

    def _derived(self, name: str) -> list[Sighting]:
        quantity, low, high = _DERIVED[name]
        return [
            Sighting(reading.sentence, reading.start, reading.end, "has")
            for reading in self.readings.get(quantity, ())
            if not low <= reading.value <= high
        ]


_DERIVES = re.compile(r"@(\w+)(?:([<>])([\d.]+))?")
_INFINITE = float("inf")
_DERIVED = {
    "hypotension": ("systolic blood pressure", 90, _INFINITE),
    "hypertension": ("systolic blood pressure", 0, 139),
    "tachycardia": ("heart rate", 0, 100),
    "tachypnea": ("respiratory rate", 0, 20),
    "fever": ("temperature", 0, 37.9),
    "hypoxia": ("oxygen saturation", 92, _INFINITE),
}
"""What a value outside of its bounds shows."""


def read_view(text: str | Note, vocabulary: Vocabulary) -> NoteView:
    """Read a note for judging."""
    note = parse_note(text) if isinstance(text, str) else text
    consent = next((s for s in note.sentences if _CONSENT.search(s.text.lower())), None)
    body = tuple(sentence for sentence in note.sentences if sentence is not consent)
    lowered = note.text.lower()
    if len(lowered) != len(note.text):
        # A letter whose lower case is longer would shift every place behind it.
        lowered = "".join(c.lower() if len(c.lower()) == 1 else c for c in note.text)
    read = {passage.sentence.number: passage for passage in passages(note)}
    told = [read[sentence.number] for sentence in body]
    age, sex = read_age(told), read_sex(told)
    pregnant, by_words = read_pregnancy(told, sex[0] if sex else None)
    view = NoteView(
        note=note,
        lowered=lowered,
        body=body,
        consent=consent,
        years=age[0].years if age else None,
        age_place=_sighting(age[1]) if age else None,
        sex=sex[0] if sex else None,
        sex_place=_sighting(sex[1]) if sex else None,
        no_drugs=None,
        pregnant=pregnant,
        pregnancy_place=_sighting(by_words[0]) if by_words else None,
        words=defaultdict(list),
        names=defaultdict(dict),
        readings=defaultdict(list),
        vocabulary=vocabulary,
        _passages=read,
    )
    for sentence in body:
        _read_words(view, sentence)
        _read_names(view, sentence, vocabulary)
        _read_no_drugs(view, sentence)
        for reading in find_readings(
            lowered[sentence.start : sentence.end], sentence=sentence.number, offset=sentence.start
        ):
            view.readings[reading.quantity].append(reading)
    return view


def _read_words(view: NoteView, sentence: Sentence) -> None:
    for match in _WORD.finditer(sentence.text):
        for token in fold(match.group()):
            found = meaning(token)
            if found is not None:
                start, end = match.start() + sentence.start, match.end() + sentence.start
                standing = view.standing(sentence, start, end)
                view.words[found].append(Sighting(sentence.number, start, end, standing))


def _read_no_drugs(view: NoteView, sentence: Sentence) -> None:
    match = _NO_DRUGS.search(view.lowered, sentence.start, sentence.end)
    if match is not None:
        view.no_drugs = Sighting(sentence.number, match.start(), match.end(), "has")


def _read_names(view: NoteView, sentence: Sentence, vocabulary: Vocabulary) -> None:
    for mention in vocabulary.find(sentence.text, kinds=(Kind.CONDITION, Kind.DRUG)):
        concept = mention.concept
        written = sentence.text[mention.start : mention.end]
        if concept.preferred in _TOO_WIDE or _NUMBER_NAME.match(written):
            continue
        start, end = mention.start + sentence.start, mention.end + sentence.start
        sighting = Sighting(sentence.number, start, end, view.standing(sentence, start, end))
        taken = concept.kind is Kind.DRUG and _TAKES.search(sentence.text) is not None
        for name, wider in _names(concept.id, vocabulary):
            held = view.names[name[0]].setdefault(name, [])
            held.append(Named(sighting, wider, taken))


@lru_cache(maxsize=20_000)
def _names(concept_id: str, vocabulary: Vocabulary) -> tuple[tuple[tuple[str, ...], bool], ...]:
    concept = vocabulary.get(concept_id)
    if concept is None:
        return ()
    named: dict[tuple[str, ...], bool] = {}
    for name in concept.names:
        named.setdefault(tuple(fold(name)), False)
    # Above a drug stand chemical families: norepinephrine is an alcohol, which says nothing here.
    above = vocabulary.broader(concept) if concept.kind is Kind.CONDITION else ()
    for wider in above:
        if all(tree.count(".") >= _TOP for tree in wider.trees):
            for name in wider.names:
                named.setdefault(tuple(fold(name)), True)
    if concept.kind is Kind.DRUG:
        for group in classes_of(*concept.names):
            for name in (group.name, *group.aliases):
                named.setdefault(tuple(fold(name)), True)
    named.pop((), None)
    return tuple(named.items())


def _sighting(fact: Fact) -> Sighting:
    return Sighting(fact.sentence, fact.start, fact.end, "has")
