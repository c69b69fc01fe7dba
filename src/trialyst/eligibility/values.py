"""Measured values in a text, criterion or note alike: what is measured, and between which numbers.

One engine for laboratory values, vital signs, scores and classes such as NYHA III. Names and
amounts are found each by itself; an amount belongs to the name before it, or else behind it, if
only words stand between them that say nothing else.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeAlias, TypeVar

from trialyst.eligibility.amounts import PERIODS, Amount, find_amounts, outside
from trialyst.eligibility.analytes import Analyte, AnalyteName, get_analyte, measured_entries
from trialyst.eligibility.fitting import Fit, fit_amount, moved_to, to_interval
from trialyst.eligibility.quantity import Quantity
from trialyst.eligibility.requirement import Bound, Interval
from trialyst.eligibility.scales import ScaleName, read_grades, scale_names
from trialyst.eligibility.signs import to_plain
from trialyst.eligibility.states import read_state, state_follows
from trialyst.eligibility.units import find_unit
from trialyst.eligibility.words import Phrase, PhraseTable, find_places, split_texts

__all__ = ["ValuePhrase", "find_values"]

Taker = TypeVar("Taker")
_Found: TypeAlias = "Phrase[tuple[AnalyteName | ScaleName, ...]]"

_FILLERS = frozenset(
    "level levels count counts value values concentration concentrations of is was were are at = : "
    "; - ~ | about "
    "to be being measured found today now currently on admission score scores result results "
    "remained ( ) [ ] , which only just a an the initial peak last recent reported as showed shows "
    "revealed showing estimated from improved increased decreased rose fell dropped worsened "
    "declined rising elevated high low normal raised reduced mildly slightly markedly stays "
    "significantly very total baseline stable had has have been by in test tests "
    "blood serum plasma up down * her his went trended peaked range ranged ranging still "
    "must should defined calculated greater obtained known documented remains screening status "
    "performance scale rating who with that and/or total visit corrected or mean resting seated "
    "sitting supine assessed confirmed determined using absolute index ratio rate time equal "
    "institutional local laboratory persistently sustained consistently either least one any not "
    "grade required need needs needed will having has persistent i.e e.g since remain return "
    "returned recover recovered fasting current exam examination reading readings both "
    "within predicted post-bronchodilator post pre bronchodilator bedside overall most latest per central".split()
)
_CHANGES = frozenset(
    "rose increased fell dropped decreased improved worsened declined went trended rising up down".split()
)
_BETWEEN_NAMES = re.compile(
    r"\s{0,3}(?:,\s{0,2})?(and/or|and|or|&|/|,|plus|as well as|;)?\s{0,3}"
    r"(?:(?:the|a|an|serum|plasma|total|either|both|also|blood|levels? of|resting)\s{1,2}){0,3}"
)
_BEFORE_NAME = frozenset(
    "of on in the for a an by score scores scale at your total using as measured according to "
    "rating serum blood with per is baseline points point and/or (s) ( level levels part".split()
)
_WORD = re.compile(r"[a-z]+(?:[./-][a-z]+)*|[^\sa-z]")
_ASIDE = re.compile(r"[(\[][^()\[\]0-9]{0,60}[)\]]")
_LONGEST_GAP = 90
_DOSES = frozenset("mg g ug Gy cGy mg/24h g/24h mg/kg mL L pack-years".split())
_ROOM_AIR = re.compile(
    r"\s{0,2}(?:on\s{1,2}|in\s{1,2})?(RA\b|room air|[0-9]{1,2} ?L(?:PM|/min)?\b|NC\b|nasal cannula)"
)
_PREGNANCIES = re.compile(r"\b[Gg]\s?([0-9]{1,2})\s?,?\s?[Pp]\s?([0-9])([0-9])?([0-9])?([0-9])?\b")
_GIVEN = re.compile(
    r"\s{0,2}(?:is\s|are\s|or\s|acceptable\s|allowed\s|permitted\s){0,3}(?:if|in case of"
    r"|in cases? of|for|in|when|with|in the presence of|allowed (?:for|if"
    r"|in))\s{1,2}([^()\[\];.]{3,80})"
)
_DIGIT = re.compile("[0-9]")
_INSIDE = re.compile(r"[^()\[\]0-9]{0,40}[)\]]")
_BREAKS = re.compile(r"[.;\n()]|\b(?:and|or|with|without|who|if|unless|but|than)\b")
_MEASURES = re.compile(
    r"(?:scores?|scale|index|test|questionnaire|inventory|rating|ratio|level|levels|count|grade"
    r"|thickness|diameter|volume|pressure|gradient|velocity|area|length|width|angle|rate)$"
)
_CELL = re.compile(r"\s{0,3}\|\s{0,3}|\s{0,2}\(")
_SCORED = re.compile(r"\b(?:scores?|points?|on|stage|status)\b")
_MIRRORED = {
    "<": ">", "\u2264": ">=", "<=": ">=", "=<": ">=", ">": "<", "\u2265": "<=", ">=": "<=", "=": "=",
}  # fmt: skip
"""What "18 < BMI" asks of the BMI."""
_STOPPED = (
    "patients? subjects? participants? with without have has had having and or of the a an in if "
    "who whose is are was were be "
    "than to for that known any other history no not must should by on at as from between least "
    "most equal defined "
    "criteria each per every all those these this such including include includes either women men "
    "male female"
).replace(" ", "|")
_NOUNS = re.compile(
    rf"(?<![\w'-])((?:(?!(?:{_STOPPED})\b)[a-z][\w'/-]{{0,30}}[ ]){{0,4}}?(?!"
    rf"(?:{_STOPPED})\b)[a-z][\w'/-]{{2,30}})"
    r"(?:[\s:=,]|\([^()]{0,30}\)|\b(?:of|is|are|was|be|must|should|level|levels|value|values"
    r"|a)\b){0,6}$"
)
_SYMBOLS = "<>\u2264\u2265="
_SHORT_GAP = 14
_REACH = 60
_PAIR = 2
_LEAST_SYSTOLIC = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuePhrase:
    """A measured thing at `text[start:end]` with what is said of its value."""

    analyte: str
    """Id of `analytes.txt` or `scales.txt`, or the words in lower case where it is in neither."""
    name: str
    words: str
    """The words that name it, `text[name_start:name_end]`."""
    start: int
    end: int
    name_start: int
    name_end: int
    interval: Interval | None = None
    """In the analyte's own unit where `bound` is `UNIT` and the unit is known; a note's value is
    an interval of one number."""
    quantity: Quantity | None = None
    """The value as written, with the unit as written or assumed."""
    unit: str = ""
    """The unit of `interval`."""
    bound: Bound = Bound.UNIT
    state: str = ""
    """`normal`, `abnormal`, `high`, `low`, `positive`, `negative`, `detectable`, `undetectable`;
    empty where there is a number, a class, or nothing but the name."""
    grades: tuple[str, ...] = ()
    """Classes that count, each in the spelling of `scales.txt`."""
    assumed_unit: bool = False
    impossible: bool = False
    """Whether no living patient can have the value."""
    join: str = ""
    """How it stands to the phrase before it where the two share a value or a name: `and`, `or`."""
    given: str = ""
    """For whom it holds, where the text says so: `liver metastases` of "(5 x ULN if ...)"."""


@dataclass(slots=True)
class _Name:
    """Where a name stands, and what it may be of."""

    start: int
    end: int
    after: int
    """Where its value is looked for: behind a short form in brackets."""
    analytes: tuple[AnalyteName, ...]
    scales: tuple[ScaleName, ...]
    last: Amount | None = None
    """The amount it was given last."""
    mirror: bool = False
    """Whether a bound stands before it: "18 < BMI < 30"."""


def find_values(text: str, *, names: bool = False) -> list[ValuePhrase]:
    """Find the measured values in a text, in its order.

    Args:
        names: also give names of which no value is told.

    >>> [found] = find_values("ANC of at least 1,500/mm3")
    >>> found.analyte, found.interval.low, found.unit, str(found.quantity)
    ('neutrophils', 1.5, '10^9/L', '>= 1500 /uL')
    """
    phrases = list(_names_table().find_texts(split_texts(text)))
    if not phrases and _DIGIT.search(text) is None:
        return []
    return _Finder(text, phrases).find(names=names)


@cache
def _names_table() -> PhraseTable[tuple[AnalyteName | ScaleName, ...]]:
    together: dict[str, list[AnalyteName | ScaleName]] = {}
    for name, entry in (*measured_entries(), *scale_names()):
        together.setdefault(" ".join(split_texts(name)), []).append(entry)
    return PhraseTable((name, tuple(listed)) for name, listed in together.items())


class _Finder:
    """One text being read."""

    def __init__(self, text: str, phrases: Sequence[_Found]) -> None:
        self.text = text
        self.plain = to_plain(text)
        self.names = self._find_names(phrases) if phrases else []
        self.found: list[ValuePhrase] = []
        self.told: set[int] = set()

    def find(self, *, names: bool) -> list[ValuePhrase]:
        """Give every phrase, in the order of the text."""
        graded = self._read_scales()
        self._attach(outside(find_amounts(self._masked()), sorted(graded)))
        self._read_pregnancies()
        for place, name in enumerate(self.names):
            if place not in self.told:
                self._read_state(place, name)
        if names:
            for place, name in enumerate(self.names):
                if place not in self.told:
                    self.found += self._bare(name)
        return sorted(self.found, key=lambda each: (each.start, each.name_start))

    def _find_names(self, phrases: Sequence[_Found]) -> list[_Name]:
        places = find_places(self.text)
        names: list[_Name] = []
        for phrase in phrases:
            start, end = places[phrase.first][0], places[phrase.last - 1][1]
            written = self.text[start:end]
            entries = [each for each in phrase.value if each.written in (None, written)]
            if not entries:
                continue
            name = _Name(
                start, end, end,
                tuple(each for each in entries if isinstance(each, AnalyteName)),
                tuple(each for each in entries if isinstance(each, ScaleName)),
            )  # fmt: skip
            if names and self._is_short_form(names[-1], name):
                inside = _INSIDE.match(self.plain, end)
                names[-1].after = inside.end() if inside else end
                names[-1].scales = names[-1].scales or name.scales
            else:
                names.append(name)
        return names

    def _is_short_form(self, before: _Name, name: _Name) -> bool:
        """Say whether a name repeats the one before it in brackets: "hemoglobin (Hb)"."""
        gap = self.plain[before.after : name.start]
        bracket = gap.lstrip()[:1] in ("(", "[")
        if gap.strip() not in ("", ",", "-") and not (
            bracket and _INSIDE.match(self.plain, name.end)
        ):
            return False
        same = {each.analyte.id for each in before.analytes} & {
            each.analyte.id for each in name.analytes
        }
        if bracket and gap.strip() not in ("(", "["):
            return bool(same) and _DIGIT.search(gap) is None
        scales = {each.scale.id for each in before.scales} & {each.scale.id for each in name.scales}
        return bool(same or scales)

    def _masked(self) -> str:
        """Give the text without the figures of names, as in CA 19-9."""
        pieces, at = [], 0
        for name in self.names:
            if any(letter.isdigit() for letter in self.plain[name.start : name.end]):
                pieces += [self.plain[at : name.start], "_" * (name.end - name.start)]
                at = name.end
        return "".join([*pieces, self.plain[at:]]) if pieces else self.plain

    def _read_scales(self) -> list[tuple[int, int]]:
        spans = []
        for place, name in enumerate(self.names):
            for entry in name.scales:
                read = read_grades(self.text, self.plain, (name.start, name.after), entry)
                if read is None or (name.analytes and entry.scale.classes[0] == "0"):
                    continue
                grades, start, end = read
                self.told.add(place)
                spans.append((start, end))
                self.found.append(
                    ValuePhrase(
                        analyte=entry.scale.id, name=entry.scale.name,
                        words=self.text[name.start : name.end], start=min(start, name.start),
                        end=max(end, name.end), name_start=name.start, name_end=name.end,
                        grades=grades,
                    )
                )  # fmt: skip
                break
        return spans

    def _attach(self, amounts: Sequence[Amount]) -> None:
        left = -1
        for place, amount in enumerate(amounts):
            while left + 1 < len(self.names) and self.names[left + 1].end <= amount.start:
                left += 1
            before = amounts[place - 1] if place else None
            if self._attach_behind(left, amount, before) or self._attach_before(left + 1, amount):
                continue
            if not self._read_room_air(amount):
                self._read_unknown(left, amount)

    def _attach_behind(self, place: int, amount: Amount, before: Amount | None) -> bool:
        """Give an amount to the name on its left."""
        if place < 0:
            return False
        name = self.names[place]
        follower = self.names[place + 1] if place + 1 < len(self.names) else None
        if follower is not None and name.last is not None and self._owns(follower, amount):
            return False
        if name.last is not None:
            return name.last is before and self._continue(name, amount)
        gap = self.plain[name.after : amount.start]
        if not _says_nothing(gap) and not self._is_far(name, gap, amount):
            return False
        if gap == "-" and not amount.compared and not amount.unit:
            # "PHQ-2", "scale-17": part of the name.
            name.after = amount.end
            return True
        if (
            follower is not None
            and name.analytes
            and name.analytes[0].analyte.id == "blood_pressure"
            and self._owns(follower, amount)
        ):
            return False
        amount = self._with_unit_of(name, gap, amount)
        if not _CHANGES.isdisjoint(_WORD.findall(gap)) and amount.last is not None:
            amount = replace(
                amount,
                interval=Interval(amount.last, amount.last),
                number=amount.last,
                last=None,
                compared=False,
            )
        return self._give(place, amount)

    def _is_far(self, name: _Name, gap: str, amount: Amount) -> bool:
        """Say whether an amount behind other words is told by its unit: "QRS width on ECG < 120 ms"."""
        if len(gap) > _REACH or not amount.unit or not amount.compared or _BREAKS.search(gap):
            return False
        return any(
            amount.unit in {unit for unit, _, _ in each.analyte.units} for each in name.analytes
        )

    def _owns(self, name: _Name, amount: Amount) -> bool:
        """Say whether an amount stands right before a name that fits it."""
        gap = self.plain[amount.end : name.start]
        if gap.strip() in _MIRRORED and len(gap) < _SHORT_GAP and not amount.compared:
            return True
        return (
            gap.strip() in ("", "of")
            and any(fit_amount(each.analyte, amount) is not None for each in name.analytes)
            and bool(amount.unit or amount.compared)
        )

    def _with_unit_of(self, name: _Name, gap: str, amount: Amount) -> Amount:
        """Take the unit from before the number, or from the next cell of a table."""
        if amount.unit or amount.bound is not Bound.UNIT:
            return amount
        opening = self.plain.find("(", name.end - 1, amount.start)
        unit = find_unit(self.plain, opening + 1) if opening >= 0 else None
        if unit is not None and self.plain[unit[1] : unit[1] + 1] == ")":
            return replace(amount, unit=unit[0])
        cell = _CELL.match(self.plain, amount.number_end)
        unit = find_unit(self.plain, cell.end()) if cell else None
        return amount if unit is None else replace(amount, unit=unit[0], end=unit[1])

    def _give(self, place: int, amount: Amount) -> bool:
        """Make the phrases of a name and of those joined with it; False where nothing fits."""
        chain = self._chain(place)
        join = self._chain_join(chain, amount)
        made = False
        for number, (member, share) in enumerate(_shares(chain, amount)):
            name = self.names[member]
            phrases = self._narrowed(name, list(self._phrases(name, share)))
            if phrases and number and made:
                phrases[0] = replace(phrases[0], join=join)
            if phrases:
                made = True
                name.last = amount
                self.told.add(member)
                self.found += phrases
        return made

    def _narrowed(self, name: _Name, phrases: list[ValuePhrase]) -> list[ValuePhrase]:
        """Make one of the two bounds of "18 < BMI < 30"."""
        if not name.mirror or len(phrases) != 1:
            return phrases
        [phrase], first = phrases, self.found[-1]
        one, two = first.interval, phrase.interval
        if (
            first.name_start != name.start
            or one is None
            or two is None
            or one.low is None
            or two.high is None
        ):
            return phrases
        self.found.pop()
        whole = Interval(one.low, two.high, one.low_included, two.high_included)
        shown = Quantity(one.low, phrase.unit, upper=two.high)
        return [replace(phrase, interval=whole, start=first.start, quantity=shown)]

    def _chain(self, place: int) -> list[int]:
        chain = [place]
        while (
            chain[0] > 0 and chain[0] - 1 not in self.told and self.names[chain[0] - 1].last is None
        ):
            before = self.names[chain[0] - 1]
            gap = _ASIDE.sub(" ", self.plain[before.after : self.names[chain[0]].start])
            if len(gap) > 40 or _BETWEEN_NAMES.fullmatch(gap) is None:
                break
            chain.insert(0, chain[0] - 1)
        return chain

    def _chain_join(self, chain: list[int], amount: Amount) -> str:
        if len(chain) < 2:
            return ""
        one, other = self.names[chain[-2]], self.names[chain[-1]]
        words = _WORD.findall(self.plain[one.after : other.start])
        if "and" in words or "plus" in words:
            return "and"
        if "or" in words or "and/or" in words:
            return "or"
        return _both(amount)

    def _continue(self, name: _Name, amount: Amount) -> bool:
        """Give a further amount to a name: "< 3.5 or > 5.1", "(5 x ULN if liver metastases)"."""
        assert name.last is not None
        gap = self.plain[name.last.end : amount.start]
        aside = gap.strip() in (
            "(",
            "[",
            ", (",
            "or (",
            "(or",
            ", or",
            "or",
            ";",
            ",",
            "(<",
            "; or",
            "and (",
            ":",
        ) and (amount.bound is not Bound.UNIT or amount.unit != "")
        given = _GIVEN.match(self.plain, amount.end)
        if not (amount.join or (aside and (given or gap.strip()[:1] in ("(", "[")))):
            return False
        if amount.join and not (amount.compared or amount.unit):
            return False
        members = self._sharing(name)
        if not amount.compared or amount.comparator == "=":
            amount = _like(amount, name.last)
        made = False
        for place in members:
            for phrase in self._phrases(self.names[place], amount):
                if not given and _is_same(phrase, self.found):
                    made = True
                    continue
                words = self.text[given.start(1) : given.end(1)].strip() if given else ""
                join = amount.join or ("or" if given else "and")
                self.found.append(replace(phrase, start=amount.start, join=join, given=words))
                made = True
        if made:
            for place in members:
                self.names[place].last = amount
        return made

    def _sharing(self, name: _Name) -> list[int]:
        """Give the places of the names that share the last amount of one."""
        place = bisect_left(self.names, name.start, key=lambda each: each.start)
        first = place
        while first > 0 and self.names[first - 1].last is name.last:
            first -= 1
        return list(range(first, place + 1))

    def _attach_before(self, place: int, amount: Amount) -> bool:
        """Give an amount to the name on its right: "at least 18 on the HAM-D"."""
        if place >= len(self.names) or place in self.told:
            return False
        name = self.names[place]
        gap = self.plain[amount.end : name.start]
        sign = _MIRRORED.get(gap.strip()) if len(gap) < _SHORT_GAP else None
        if sign is not None and not amount.compared:
            amount = replace(
                amount, comparator=sign, compared=True, interval=_bounded(sign, amount.number)
            )
            name.mirror = True
        elif not self._leads_to(gap, amount, name):
            return False
        made = list(self._phrases(name, amount))
        for phrase in made:
            end = max(amount.end, name.end)
            self.found.append(replace(phrase, start=min(amount.start, name.start), end=end))
        if made and not name.mirror:
            self.told.add(place)
            name.last = amount
        return bool(made)

    def _leads_to(self, gap: str, amount: Amount, name: _Name) -> bool:
        if len(gap) > _LONGEST_GAP // 2 or "\n" in gap:
            return False
        if any(word not in _BEFORE_NAME for word in _WORD.findall(gap)):
            return False
        around = self.plain[max(0, amount.start - _SHORT_GAP) : name.start]
        return amount.compared or amount.unit != "" or _SCORED.search(around) is not None

    def _phrases(self, name: _Name, amount: Amount) -> Iterator[ValuePhrase]:
        """Give the phrases of a name and an amount: none where the amount is not of its kind."""
        if name.analytes and name.analytes[0].analyte.id == "blood_pressure":
            yield from self._pressures(name, amount)
            return
        fitting = [each for each in name.analytes if self._takes(each, name, amount)]
        shared = [each.analyte for each in fitting if each.shared]
        if not shared:
            if fitting:
                yield self._valued(name, fitting[0].analyte, amount)
            return
        written = self.plain[name.start : name.end]
        shared.sort(key=lambda analyte: written.find(analyte.id[:2]))
        for number, (analyte, share) in enumerate(_shares(shared, amount)):
            phrase = self._valued(name, analyte, share)
            yield replace(phrase, join=_both(amount)) if number else phrase

    def _takes(self, entry: AnalyteName, name: _Name, amount: Amount) -> bool:
        fit = fit_amount(entry.analyte, amount)
        if fit is None:
            return False
        if entry.needs_unit and self.text[name.start : name.end].isupper():
            return amount.unit != "" or amount.bound is not Bound.UNIT
        if entry.written is not None:
            return fit.plausible and not fit.impossible
        return not entry.needs_value or (fit.plausible and not fit.assumed)

    def _pressures(self, name: _Name, amount: Amount) -> Iterator[ValuePhrase]:
        systolic, diastolic = get_analyte("systolic"), get_analyte("diastolic")
        if systolic is None or diastolic is None or fit_amount(systolic, amount) is None:
            return
        if amount.over is not None:
            yield self._valued(name, systolic, replace(amount, over=None))
            below = self._valued(name, diastolic, moved_to(amount, amount.over))
            yield replace(below, join=_both(amount))
        elif amount.compared and amount.number >= _LEAST_SYSTOLIC:
            yield self._valued(name, systolic, amount)

    def _valued(self, name: _Name, analyte: Analyte, amount: Amount) -> ValuePhrase:
        fit = fit_amount(analyte, amount) or Fit("")
        amount, interval, unit = to_interval(analyte, amount, fit)
        end = amount.number_end if fit.weak and amount.unit else amount.end
        return ValuePhrase(
            analyte=analyte.id, name=analyte.name, words=self.text[name.start : name.end],
            start=min(name.start, amount.start), end=max(end, name.end),
            name_start=name.start, name_end=name.end, interval=interval,
            quantity=Quantity(amount.number, fit.unit, amount.comparator, amount.last),
            unit=unit, bound=amount.bound, assumed_unit=fit.assumed, impossible=fit.impossible,
        )  # fmt: skip

    def _read_room_air(self, amount: Amount) -> bool:
        """Read "97% RA", an oxygen saturation without its name."""
        match = _ROOM_AIR.match(self.text, amount.end) if amount.unit == "%" else None
        spo2 = get_analyte("spo2")
        if match is None or spo2 is None:
            return False
        name = _Name(match.start(1), match.end(1), match.end(1), (AnalyteName(spo2),), ())
        self.found += self._phrases(name, amount)
        return True

    def _read_unknown(self, left: int, amount: Amount) -> None:
        """Read a value of something that no table names: "gallbladder wall > 3 mm"."""
        signed = amount.compared or self.plain[amount.start] == "="
        if amount.unit in _DOSES or amount.unit in PERIODS or not signed:
            return
        begin = max(0, amount.start - _REACH)
        if left >= 0:
            begin = max(begin, self.names[left].after)
        match = _NOUNS.search(self.plain, begin, amount.start)
        if match is None:
            return
        start, end = match.span(1)
        words = self.text[start:end]
        symbol = self.plain[amount.start] in _SYMBOLS
        if not amount.unit and not symbol and _MEASURES.search(match[1]) is None:
            return
        self.found.append(
            ValuePhrase(
                analyte=words.lower(), name=words, words=words, start=start, end=amount.end,
                name_start=start, name_end=end, interval=amount.interval, unit=amount.unit,
                quantity=Quantity(amount.number, amount.unit, amount.comparator, amount.last),
                bound=amount.bound,
            )
        )  # fmt: skip

    def _read_pregnancies(self) -> None:
        """Read G3P1011: three pregnancies; one term and no preterm birth."""
        for match in _PREGNANCIES.finditer(self.text):
            births = match.group(2, 3) if match.group(5) else match.group(2)
            numbers = {"gravidity": float(match[1]), "parity": float(sum(map(int, births)))}
            for key, number in numbers.items():
                analyte = get_analyte(key)
                if analyte is not None:
                    name = _Name(*match.span(), match.end(), (), ())
                    amount = Amount(*match.span(), Interval(number, number), number=number)
                    self.found.append(self._valued(name, analyte, amount))

    def _read_state(self, place: int, name: _Name) -> None:
        read = read_state(self.plain, name.start, name.after)
        if read is None:
            return
        state, start, end = read
        members = self._chain(place) if end > name.after else self._following(place)
        for number, member in enumerate(members):
            self.told.add(member)
            for phrase in self._bare(self.names[member]):
                spread = replace(
                    phrase, state=state, start=min(start, phrase.start), end=max(end, phrase.end)
                )
                self.found.append(replace(spread, join="and") if number else spread)

    def _following(self, place: int) -> list[int]:
        """Give a name and those behind it that share the word before it: "abnormal ALT or AST"."""
        chain = [place]
        while chain[-1] + 1 < len(self.names) and chain[-1] + 1 not in self.told:
            one, two = self.names[chain[-1]], self.names[chain[-1] + 1]
            gap = self.plain[one.after : two.start]
            if len(gap) > _SHORT_GAP or not gap.strip() or _BETWEEN_NAMES.fullmatch(gap) is None:
                break
            if state_follows(self.plain, two.after):
                break
            chain.append(chain[-1] + 1)
        return chain

    def _bare(self, name: _Name) -> list[ValuePhrase]:
        """Give the phrases of a name alone."""
        entries = [each for each in name.analytes if not each.needs_value and not each.needs_unit]
        shared = [each for each in entries if each.shared]
        found = [(each.analyte.id, each.analyte.name) for each in (shared or entries[:1])]
        if not found:
            found = [
                (each.scale.id, each.scale.name) for each in name.scales[:1] if not each.needs_kind
            ]
        return [
            ValuePhrase(
                analyte=key, name=shown, words=self.text[name.start : name.end], start=name.start,
                end=name.end, name_start=name.start, name_end=name.end,
            )
            for key, shown in found
        ]  # fmt: skip


def _shares(takers: Sequence[Taker], amount: Amount) -> list[tuple[Taker, Amount]]:
    """Give each of several its share: of "AST/ALT 45/52" one number each, else the whole."""
    if amount.over is not None and len(takers) == _PAIR:
        first, second = takers
        return [(first, replace(amount, over=None)), (second, moved_to(amount, amount.over))]
    return [(taker, amount) for taker in takers]


def _like(amount: Amount, before: Amount) -> Amount:
    """Give an amount the comparator of the one before it: "< 3 x ULN (5 x ULN if ...)"."""
    if amount.last is not None or before.last is not None or before.comparator in ("=", "~"):
        return amount
    interval = _bounded(before.comparator, amount.number)
    return replace(amount, comparator=before.comparator, interval=interval, compared=True)


def _both(amount: Amount) -> str:
    """Say how two join that share a bound: "AST/ALT < 3" is asked of both, "> 3" of either."""
    return "or" if amount.comparator.startswith(">") else "and"


def _bounded(sign: str, number: float) -> Interval:
    if sign.startswith(">"):
        return Interval(low=number, low_included=sign == ">=")
    return (
        Interval(high=number, high_included=sign == "<=")
        if sign != "="
        else Interval(number, number)
    )


def _says_nothing(gap: str) -> bool:
    """Say whether only fillers stand between a name and an amount."""
    if len(gap) > _LONGEST_GAP:
        return False
    if not gap.strip():
        return True
    if "\n" in gap.strip():
        return False
    return all(word in _FILLERS for word in _WORD.findall(_ASIDE.sub(" ", gap)))


def _is_same(phrase: ValuePhrase, found: Sequence[ValuePhrase]) -> bool:
    """Say whether a value repeats the one before it in another unit: "9 g/dL (90 g/L)"."""
    for other in reversed(found[-6:]):
        if other.analyte == phrase.analyte and other.name_start == phrase.name_start:
            one, two = other.interval, phrase.interval
            if one is None or two is None or other.bound is not phrase.bound:
                return False
            ends = [(one.low, two.low), (one.high, two.high)]
            known = [(a, b) for a, b in ends if a is not None and b is not None]
            return any(math.isclose(a, b, rel_tol=0.06) for a, b in known)
    return False
