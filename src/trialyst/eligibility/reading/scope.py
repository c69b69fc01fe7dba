"""How a sentence speaks of the things in it: denied, possible, past, of a relative, or only if.

A sentence is a sequence of items: clauses, items of lists, parentheses. A cue (`data/context.txt`,
and for treatments `data/therapy.txt`) works within its item or over the list it opens. What a
marker, a measured value or a habit is said to be binds to that thing and reaches no further.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from trialyst.eligibility.chart import Assertion
from trialyst.eligibility.tables import read_lines
from trialyst.eligibility.words import Phrase, PhraseTable, Word, split_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Reach", "Scope", "read_scope", "to_assertion"]

_NEAR = 6
"""Words a near cue reaches over."""
_BARE = 5
"""Most words of an item that a list may hold behind a denial."""
_REPORT = 4
"""Words among which a relative's verb of telling is looked for."""
_MARKS = frozenset(";.!?-")
_JOINING = frozenset(("and", "or", "nor", "&", "/"))
_FINITE = frozenset("is are was were has have had with showed shows reveals revealed".split())
_TELLING = frozenset("stage grade status since on for diagnosed known positive currently".split())
_AFTERWARDS = frozenset(
    "one two three four five six seven eight nine ten twelve several about a few "
    "and or in on at by for since x so today bilaterally throughout currently then with per to "
    "this last now during also ( ) . , ; but january february march april may june july august "
    "september october november december".split()
)
_REASONS = frozenset(("for", "because", "due", "after", "secondary", "owing", "given"))
_VERBS = frozenset(
    "has had received started developed develops reports reported remains remained admits endorses "
    "endorsed that".split()
)
_REPORTING = frozenset(
    "reports report reported states state stated says say said notes noticed noted denies brought "
    "describes described called thinks believes feels felt complains mentions explains told gave "
    "concerned deny denied bring brings describe tell thought noticing worried".split()
)
_COMPANY = frozenset("with by per to from".split())
_POSSESSIVE = frozenset("his her their the a".split())
_AUXILIARIES = ("is", "was", "are", "were", "does", "did", "do", "has", "have", "had", "could")

Role: TypeAlias = tuple[str, str]
_Cue: TypeAlias = Phrase[tuple[Role, ...]]


class Reach(NamedTuple):
    """A part of a text and what holds of the things in it; `cue` is where the phrase stands."""

    effect: str
    start: int
    end: int
    cue: tuple[int, int]
    forward: bool


@dataclass(frozen=True, slots=True)
class Scope:
    """The reaches in a text."""

    reaches: tuple[Reach, ...]

    def at(self, start: int, end: int) -> list[Reach]:
        """Give the reaches over the thing at a place; phrases within the thing do not count."""
        return [
            reach
            for reach in self.reaches
            if reach.start <= start
            and end <= reach.end
            and not (start <= reach.cue[0] and reach.cue[1] <= end)
        ]

    def effects(self, start: int, end: int) -> frozenset[str]:
        """Give what holds of the thing at a place."""
        return frozenset(reach.effect for reach in self.at(start, end))


_ORDER = {
    "family": Assertion.FAMILY,
    "prevented": Assertion.HYPOTHETICAL,
    "negated": Assertion.ABSENT,
    "hypothetical": Assertion.HYPOTHETICAL,
    "possible": Assertion.POSSIBLE,
    "historical": Assertion.HISTORICAL,
}


def to_assertion(effects: frozenset[str]) -> tuple[Assertion, bool]:
    """Weigh effects that hold together: a relative's, then denied, if, possible, past."""
    for effect, assertion in _ORDER.items():
        if effect in effects:
            return assertion, "negated" in effects and effect != "prevented"
    return Assertion.PRESENT, False


@cache
def _phrases(table: str, *, stops: bool) -> PhraseTable[tuple[Role, ...]]:
    """Give the cues or the stops of a table, apart since a stop may begin within a cue."""
    roles: dict[str, dict[Role, None]] = {}
    for line in read_lines(table):
        effect, direction, listed = (part.strip() for part in line.split("|", 2))
        if (direction == "stop") is not stops:
            continue
        for name in filter(None, (part.strip() for part in listed.split(";"))):
            for spelled in _spellings(name, direction):
                roles.setdefault(spelled, {})[effect, direction] = None
    if stops:
        # The longest phrase is found, and ends what any phrase within it ends: "who", "who has".
        for name, told in roles.items():
            for other, more in roles.items():
                if f" {other} " in f" {name} ":
                    told |= more
    return PhraseTable((name, tuple(told)) for name, told in roles.items())


def _spellings(name: str, direction: str) -> Iterable[str]:
    """Give a phrase, and of "not improve" what is said of it: "does not improve", "didn't"."""
    yield name
    if direction == "apart" and name.startswith("not "):
        for verb in _AUXILIARIES:
            yield f"{verb} {name}"
            yield f"{verb}n't {name.removeprefix('not ')}"


def read_scope(
    words: Sequence[Word] | str,
    *,
    table: str = "context.txt",
    bound: Sequence[tuple[int, int]] = (),
) -> Scope:
    """Read how a sentence speaks of the things in it.

    Args:
        table: which cues.
        bound: places of markers, values and habits, of which a denial beside them is said.

    >>> scope = read_scope("No fever, but a possible rash")
    >>> sorted(scope.effects(3, 8)), sorted(scope.effects(25, 29))
    (['negated'], ['possible'])
    """
    words = split_words(words) if isinstance(words, str) else words
    cues = list(_phrases(table, stops=False).find(words))
    if not any(direction != "apart" for each in cues for _, direction in each.value):
        return Scope(())
    stops = list(_phrases(table, stops=True).find(words))
    return Scope(tuple(_Reader(words, cues, stops, bound).reaches()))


class _Reader:
    """Lays the reaches of the cues of one sentence."""

    def __init__(
        self,
        words: Sequence[Word],
        cues: list[_Cue],
        stops: list[_Cue],
        bound: Sequence[tuple[int, int]],
    ) -> None:
        self.words = words
        self.texts = [word.text for word in words]
        self.cues, self.stops = cues, stops
        self.bound = _mark(words, bound)
        self.parentheses = _parentheses(self.texts)
        self.joints = [at for at, text in enumerate(self.texts) if text in _JOINING]
        self.alternatives = [at for at in self.joints if self.texts[at] in ("or", "nor")]
        self.ends = [at for at, text in enumerate(self.texts) if text in _MARKS and self._ends(at)]

    def reaches(self) -> Iterable[Reach]:
        stops: dict[str, list[_Cue]] = {}
        for phrase in self.stops:
            for effect, _ in phrase.value:
                stops.setdefault(effect, []).append(phrase)
        for phrase in self.cues:
            for effect, direction in phrase.value:
                if direction == "apart" or (effect == "family" and self._only_company(phrase)):
                    continue
                listed = stops.get("all", []) + stops.get(effect, [])
                first, last = self._span(phrase, effect, direction, listed)
                if first < last:
                    yield Reach(
                        effect,
                        self.words[first].start,
                        self.words[last - 1].end,
                        (self.words[phrase.first].start, self.words[phrase.last - 1].end),
                        direction in ("forward", "near"),
                    )

    def _span(
        self,
        phrase: _Cue,
        effect: str,
        direction: str,
        stops: list[_Cue],
    ) -> tuple[int, int]:
        if direction in ("forward", "near"):
            last = self._end_forward(phrase, stops)
            opens = self._at(phrase.last) == ":" and (
                effect == "negated" or phrase.last > phrase.first + 1
            )
            if not opens:
                last = min(last, self._next(":", phrase.last))
            if direction == "near":
                last = min(last, phrase.last + _NEAR, self._next(",", phrase.last))
            elif effect == "negated":
                last = self._end_of_list(phrase, last)
            return phrase.last, last
        begin = self._start_backward(phrase, stops)
        if direction == "clause":
            return begin, phrase.first
        if direction == "item" and not self._closes(phrase.last):
            return 0, 0
        end = phrase.first
        if effect not in _ORDER and self._at(end - 1) == "," and end - 1 > begin:
            # Behind a comma it is said of the item before: "methotrexate, stopped in May".
            end -= self._closes(phrase.last) or not _REASONS.isdisjoint(
                self.texts[phrase.first : phrase.last + 1]
            )
        return self._start_of_item(begin, end, listed=effect == "negated"), phrase.first

    def _end_forward(self, phrase: _Cue, stops: list[_Cue]) -> int:
        # A verb right behind the phrase is denied with it: "has not received" stops at no word.
        limits = [
            stop.first
            for stop in stops
            if stop.first > phrase.last or (stop.first == phrase.last and not self._is_verb(stop))
        ]
        limits += [end for end in self.ends if end >= phrase.last][:1]
        limits += [close for begin, close in self.parentheses if begin < phrase.first < close]
        return min([*limits, len(self.words)])

    def _end_of_list(self, phrase: _Cue, last: int) -> int:
        """Give where the list ends that a denial opens: "no fever, chills or cough, HTN since"."""
        start, at = phrase.last, self._next(",", phrase.last)
        only_bound = any(self.bound[start:at])
        joined = self._last(self.joints, last)
        linked = self._last(self.alternatives, last)
        while at < last:
            until = min(self._next(",", at + 1), last)
            if only_bound and at > joined and not any(self.bound[at:until]):
                return at
            if at > linked and (self.texts[at - 1] == ")" or not self._is_bare(at + 1, until)):
                return at
            at = until
        return last

    def _last(self, places: list[int], before: int) -> int:
        at = bisect_left(places, before)
        return places[at - 1] if at else -1

    def _is_bare(self, first: int, last: int) -> bool:
        words = [text for text in self.texts[first:last] if text not in _JOINING and text != "-"]
        return len(words) <= _BARE and not any(
            text[0].isdigit() or text in _FINITE or text in _TELLING for text in words
        )

    def _start_backward(self, phrase: _Cue, stops: list[_Cue]) -> int:
        limits = [stop.last for stop in stops if stop.last <= phrase.first]
        limits += [end + 1 for end in self.ends if end < phrase.first][-1:]
        for begin, close in self.parentheses:
            if begin < phrase.first < close and phrase.first > begin + 1:
                limits.append(begin + 1)
        return max([*limits, 0])

    def _start_of_item(self, begin: int, end: int, *, listed: bool) -> int:
        """Give where the words begin that a closing word is said of.

        Args:
            listed: whether it may be said of a whole list: "HIV, hepatitis B and C negative".
        """
        alone = end > begin and self.texts[end - 1] in "(["
        if end > begin and self.texts[end - 1] in ("(", "[", "-", ":"):
            end -= 1
        if end > begin and self.bound[end - 1]:
            while end > begin and self.bound[end - 1]:
                end -= 1
            return end
        at, joined = end, False
        while at > begin:
            text = self.texts[at - 1]
            if text in _FINITE or (text == "(" and self._closing(at - 1) > end):
                return at
            if alone and text in _JOINING:
                return at
            if text == ")":
                at = self._opening(at - 1)
                continue
            if text == "," and not (
                joined and listed and self._is_bare(self._item_before(at - 1, begin), at - 1)
            ):
                return at
            joined = joined or text in _JOINING
            at -= 1
        return at

    def _item_before(self, comma: int, begin: int) -> int:
        at = comma
        while at > begin and self.texts[at - 1] != ",":
            at -= 1
        return at

    def _opening(self, close: int) -> int:
        return next((begin for begin, end in self.parentheses if end == close), close)

    def _closing(self, begin: int) -> int:
        return next((end for start, end in self.parentheses if start == begin), begin)

    def _closes(self, after: int) -> bool:
        """Whether nothing but a time or a place follows in the item."""
        text = self._at(after)
        return text in _AFTERWARDS or text == "" or text.isdigit() or text[:2] in ("19", "20")

    def _only_company(self, phrase: _Cue) -> bool:
        """Whether a relative only tells of the patient or is with the patient."""
        following = self.texts[phrase.last : phrase.last + _REPORT]
        before = phrase.first - 1
        if before > 0 and self.texts[before] in _POSSESSIVE:
            before -= 1
        if "who" in following[:2]:
            return False
        accompanied = before >= 0 and self.texts[before] in _COMPANY
        return accompanied or not _REPORTING.isdisjoint(following)

    def _is_verb(self, stop: _Cue) -> bool:
        return stop.last - stop.first == 1 and self.texts[stop.first] in _VERBS

    def _at(self, place: int) -> str:
        return self.texts[place] if place < len(self.texts) else ""

    def _next(self, text: str, start: int) -> int:
        try:
            return self.texts.index(text, start)
        except ValueError:
            return len(self.texts)

    def _ends(self, at: int) -> bool:
        """Whether a mark ends a clause: a full stop within a number or a name does not."""
        word = self.words[at]
        following = self.words[at + 1].start if at + 1 < len(self.words) else -1
        if word.text == "-":
            return following > word.end and at > 0 and self.words[at - 1].end < word.start
        if word.text == "." and at > 0 and len(self.texts[at - 1]) == 1:
            return not self.texts[at - 1].isalpha() or following < 0
        return word.text == ";" or following != word.end


def _parentheses(texts: Sequence[str]) -> list[tuple[int, int]]:
    opened: list[int] = []
    found = []
    for at, text in enumerate(texts):
        if text in "([":
            opened.append(at)
        elif text in ")]" and opened:
            found.append((opened.pop(), at))
    return found + [(begin, len(texts)) for begin in opened]


def _mark(words: Sequence[Word], spans: Sequence[tuple[int, int]]) -> list[bool]:
    """Say of each word whether it belongs to a thing of which a denial beside it is said."""
    marked = [False] * len(words)
    if spans:
        for at, word in enumerate(words):
            marked[at] = any(start <= word.start and word.end <= end for start, end in spans)
    return marked
