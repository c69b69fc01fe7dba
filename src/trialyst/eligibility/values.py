"""Measured values in a text, criterion or note alike: what is measured, and between which numbers.

One engine for laboratory values, vital signs, scores and classes such as NYHA III. Names and
amounts are found each by itself; an amount belongs to the name before it, or else behind it, if
only words stand between them that say nothing else.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from trialyst.eligibility.amounts import Amount, find_amounts, interval_of, outside
from trialyst.eligibility.fitting import fit_amount
from trialyst.eligibility.gaps import ASIDE, WORD, is_far, says_nothing
from trialyst.eligibility.mentions import (
    Mention,
    NamePhrase,
    find_mentions,
    find_name_phrases,
    mask_figures,
)
from trialyst.eligibility.quantity import Quantity
from trialyst.eligibility.requirement import Bound, Interval
from trialyst.eligibility.scales import read_grades
from trialyst.eligibility.signs import to_plain
from trialyst.eligibility.states import read_state, state_follows
from trialyst.eligibility.units import find_unit
from trialyst.eligibility.unnamed import read_by_unit, read_pregnancies, read_rank, read_unknown
from trialyst.eligibility.value_phrases import (
    ValuePhrase,
    build_bare,
    build_graded,
    build_phrases,
    is_repeated,
    join_of_bound,
    share_amount,
)

__all__ = ["ValuePhrase", "find_values"]


_CHANGES = frozenset(
    "rose increased fell dropped decreased improved worsened declined went trended rising up "
    "down".split()
)
_BETWEEN_NAMES = re.compile(
    r"\s{0,3}(?:,\s{0,2})?(and/or|and|or|&|/|,|plus|as well as|;)?\s{0,3}"
    r"(?:(?:the|a|an|serum|plasma|total|either|both|also|blood|levels? of|resting)\s{1,2}){0,3}"
)
_BEFORE_NAME = frozenset(
    "of on in the for a an by score scores scale at your total using as measured according to "
    "rating serum blood with per is baseline points point and/or (s) ( level levels part".split()
)
_LONGEST_GAP = 90
_GIVEN = re.compile(
    r"\s{0,2}(?:is\s|are\s|or\s|acceptable\s|allowed\s|permitted\s){0,3}(?:if|in case of"
    r"|in cases? of|for|in|when|with|in the presence of|allowed (?:for|if"
    r"|in))\s{1,2}([^()\[\];.]{3,80})"
)
_DIGIT = re.compile("[0-9]")
_CELL = re.compile(r"\s{0,3}\|\s{0,3}|\s{0,2}\(")
_SCORED = re.compile(r"\b(?:scores?|points?|on|stage|status)\b")
_MIRRORED = {
    "<": ">", "\u2264": ">=", "<=": ">=", "=<": ">=",
    ">": "<", "\u2265": "<=", ">=": "<=", "=": "=",
}  # fmt: skip
"""What "18 < BMI" asks of the BMI."""
_ASIDES = frozenset(("(", "[", ", (", "or (", "(or", ", or", "or", ";", ",", "; or", "and (", ":"))
_BY_SEX = re.compile(
    r"\(?(?:for |in |if )?(?:adult )?(?:m[ae]n|wom[ae]n|(?:fe)?males?|boys|girls)"
    r"(?: patients| subjects| participants)?\)?\s?[,;/]?\s?(?:and|or|and/or)?\s?\(?"
)
"""What stands between the value for one sex and that for the other."""
_SHORT_GAP = 14


def find_values(text: str, *, names: bool = False) -> list[ValuePhrase]:
    """Find the measured values in a text, in its order.

    Args:
        names: also give names of which no value is told.

    >>> [found] = find_values("ANC of at least 1,500/mm3")
    >>> found.analyte, found.interval.low, found.unit, str(found.quantity)
    ('neutrophils', 1.5, '10^9/L', '>= 1500 /uL')
    """
    phrases = find_name_phrases(text)
    if not phrases and _DIGIT.search(text) is None:
        return []
    return _Finder(text, phrases).find(names=names)


class _Finder:
    """One text being read."""

    def __init__(self, text: str, phrases: Sequence[NamePhrase]) -> None:
        self.text = text
        self.plain = to_plain(text)
        self.names = find_mentions(text, self.plain, phrases)
        self.found: list[ValuePhrase] = []
        self.told: set[int] = set()

    def find(self, *, names: bool) -> list[ValuePhrase]:
        """Give every phrase, in the order of the text."""
        graded = self._read_scales()
        self._attach(outside(find_amounts(mask_figures(self.plain, self.names)), sorted(graded)))
        self.found += read_pregnancies(self.text)
        for place, name in enumerate(self.names):
            if place not in self.told:
                self._read_state(place, name)
        if names:
            for place, name in enumerate(self.names):
                if place not in self.told:
                    self.found += build_bare(self.text, name)
        return sorted(self.found, key=lambda each: (each.start, each.name_start))

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
                phrase = build_graded(self.text, name, entry.scale.id, entry.scale.name, grades)
                self.found.append(_spread(phrase, start, end))
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
            begin = self.names[left].after if left >= 0 else 0
            self.found += read_by_unit(self.text, amount) or read_unknown(
                self.text, self.plain, begin, amount
            )

    def _attach_behind(self, place: int, amount: Amount, before: Amount | None) -> bool:
        """Give an amount to the name on its left."""
        if place < 0:
            return False
        name = self.names[place]
        if ranked := read_rank(self.text, name, amount):
            self.told.add(place)
            self.found += ranked
            return True
        pressure = bool(name.analytes) and name.analytes[0].analyte.id == "blood_pressure"
        if (name.last is not None or pressure) and self._is_owned(place + 1, amount):
            return False
        if name.last is not None:
            follows = before is not None and name.last.start == before.start
            return follows and self._continue(name, amount)
        gap = self.plain[name.after : amount.start]
        if len(gap.strip()) > _LONGEST_GAP:
            return False
        if not says_nothing(gap) and not is_far(name, gap, amount):
            return False
        if gap == "-" and not amount.compared and not amount.unit:
            # "PHQ-2", "scale-17": part of the name.
            name.after = amount.end
            return True
        amount = self._with_unit_of(name, amount)
        if amount.last is not None and not _CHANGES.isdisjoint(WORD.findall(gap)):
            latest = Interval(amount.last, amount.last)
            amount = amount._replace(interval=latest, number=amount.last, last=None, compared=False)
        return self._give(place, amount)

    def _is_owned(self, place: int, amount: Amount) -> bool:
        """Say whether an amount stands right before a name that fits it."""
        if place >= len(self.names):
            return False
        name = self.names[place]
        if name.start - amount.end > _SHORT_GAP:
            return False
        gap = self.plain[amount.end : name.start].strip()
        if gap in _MIRRORED and not amount.compared:
            return True
        if gap not in ("", "of") or not (amount.unit or amount.compared):
            return False
        return any(fit_amount(each.analyte, amount) is not None for each in name.analytes)

    def _with_unit_of(self, name: Mention, amount: Amount) -> Amount:
        """Take the unit from before the number, or from the next cell of a table."""
        if amount.unit or amount.bound is not Bound.UNIT:
            return amount
        opening = self.plain.find("(", name.end - 1, amount.start)
        unit = find_unit(self.plain, opening + 1) if opening >= 0 else None
        if unit is not None and self.plain[unit[1] : unit[1] + 1] == ")":
            return amount._replace(unit=unit[0])
        cell = _CELL.match(self.plain, amount.number_end)
        unit = find_unit(self.plain, cell.end()) if cell else None
        return amount if unit is None else amount._replace(unit=unit[0], end=unit[1])

    def _give(self, place: int, amount: Amount) -> bool:
        """Make the phrases of a name and of those joined with it; False where nothing fits."""
        chain = self._chain(place)
        join = self._chain_join(chain, amount)
        made = False
        for number, (member, share) in enumerate(share_amount(chain, amount)):
            name = self.names[member]
            phrases = self._narrowed(name, list(build_phrases(self.text, name, share)))
            if phrases and number and made:
                phrases[0] = replace(phrases[0], join=join)
            if phrases:
                made = True
                name.last = amount
                self.told.add(member)
                self.found += phrases
        return made

    def _narrowed(self, name: Mention, phrases: list[ValuePhrase]) -> list[ValuePhrase]:
        """Make one of the two bounds of "18 < BMI < 30"."""
        if not name.mirror or len(phrases) != 1:
            return phrases
        [phrase], first = phrases, self.found[-1]
        one, two = first.interval, phrase.interval
        if first.name_start != name.start or one is None or two is None:
            return phrases
        if one.low is None or two.high is None:
            return phrases
        self.found.pop()
        whole = Interval(one.low, two.high, one.low_included, two.high_included)
        shown = Quantity(one.low, phrase.unit, upper=two.high)
        return [replace(phrase, interval=whole, start=first.start, quantity=shown)]

    def _chain(self, place: int) -> list[int]:
        """Give the places of a name and of those before it that share its value."""
        first = place
        while first > 0 and first - 1 not in self.told and self.names[first - 1].last is None:
            gap = self.plain[self.names[first - 1].after : self.names[first].start]
            if len(gap) > _LONGEST_GAP or _BETWEEN_NAMES.fullmatch(ASIDE.sub(" ", gap)) is None:
                break
            first -= 1
        return list(range(first, place + 1))

    def _chain_join(self, chain: list[int], amount: Amount) -> str:
        if len(chain) == 1:
            return ""
        one, other = self.names[chain[-2]], self.names[chain[-1]]
        words = WORD.findall(self.plain[one.after : other.start])
        if "and" in words or "plus" in words:
            return "and"
        if "or" in words or "and/or" in words:
            return "or"
        return join_of_bound(amount)

    def _continue(self, name: Mention, amount: Amount) -> bool:
        """Give a further amount to a name: "< 3.5 or > 5.1", "(5 x ULN if liver metastases)"."""
        last = name.last
        given = _GIVEN.match(self.plain, amount.end)
        if last is None or not self._goes_on(last, amount, given=given is not None):
            return False
        members = self._sharing(name)
        apart = given or self._is_by_sex(last, amount)
        if not amount.compared or amount.comparator == "=":
            amount = _like(amount, last)
        words = self.text[slice(*given.span(1))].strip() if given else ""
        join = amount.join or ("or" if given else "and")
        made = False
        for place in members:
            for phrase in build_phrases(self.text, self.names[place], amount):
                made = True
                if apart or not is_repeated(phrase, self.found):
                    told = replace(phrase, start=amount.start, join=join, given=words)
                    self.found.append(told)
        if made:
            for place in members:
                self.names[place].last = amount
        return made

    def _is_by_sex(self, last: Amount, amount: Amount) -> bool:
        """Say whether one value is of men, the other of women."""
        gap = self.plain[last.end : amount.start].strip()
        return _BY_SEX.fullmatch(gap) is not None

    def _goes_on(self, last: Amount, amount: Amount, *, given: bool) -> bool:
        if amount.join:
            return amount.compared or amount.unit != ""
        gap = self.plain[last.end : amount.start].strip()
        if self._is_by_sex(last, amount):
            return amount.compared
        aside = gap in _ASIDES and (amount.bound is not Bound.UNIT or amount.unit != "")
        return aside and (given or gap[:1] in ("(", "["))

    def _sharing(self, name: Mention) -> list[int]:
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
        if name.start - amount.end > _LONGEST_GAP // 2:
            return False
        gap = self.plain[amount.end : name.start]
        sign = _MIRRORED.get(gap.strip()) if len(gap) < _SHORT_GAP else None
        if sign is not None and not amount.compared:
            amount = amount._replace(
                comparator=sign, compared=True, interval=interval_of(sign, amount.number)
            )
            name.mirror = True
        elif not self._leads_to(gap, amount, name):
            return False
        made = list(build_phrases(self.text, name, amount))
        self.found += [_spread(phrase, amount.start, amount.end) for phrase in made]
        if made and not name.mirror:
            self.told.add(place)
            name.last = amount
        return bool(made)

    def _leads_to(self, gap: str, amount: Amount, name: Mention) -> bool:
        if "\n" in gap or any(word not in _BEFORE_NAME for word in WORD.findall(gap)):
            return False
        around = self.plain[max(0, amount.start - _SHORT_GAP) : name.start]
        return amount.compared or amount.unit != "" or _SCORED.search(around) is not None

    def _read_state(self, place: int, name: Mention) -> None:
        read = read_state(self.plain, name.start, name.after)
        if read is None:
            return
        state, start, end = read
        members = self._chain(place) if end > name.after else self._following(place)
        for number, member in enumerate(members):
            self.told.add(member)
            for phrase in build_bare(self.text, self.names[member]):
                told = replace(phrase, state=state, join="and" if number else "")
                self.found.append(_spread(told, start, end))

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


def _spread(phrase: ValuePhrase, start: int, end: int) -> ValuePhrase:
    return replace(phrase, start=min(start, phrase.start), end=max(end, phrase.end))


def _like(amount: Amount, before: Amount) -> Amount:
    """Give an amount the comparator of the one before it: "< 3 x ULN (5 x ULN if ...)"."""
    if amount.last is not None or before.last is not None or before.comparator in ("=", "~"):
        return amount
    interval = interval_of(before.comparator, amount.number)
    return amount._replace(comparator=before.comparator, interval=interval, compared=True)
