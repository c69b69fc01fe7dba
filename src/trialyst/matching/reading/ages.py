"""The patient's age: in years, months, weeks or days, exact or as a decade."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trialyst.ctgov.ages import AgeUnit
from trialyst.eligibility.numbers import COUNTS
from trialyst.eligibility.quantity import Quantity
from trialyst.matching.context import Effect
from trialyst.matching.patient import Assertion, Fact, FactKind, PatientAge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trialyst.matching.reading.passage import Passage

__all__ = ["read_age"]

_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_WORDS = rf"(?:{_TENS})(?:[-\s](?:{_ONES}))?|{'|'.join(COUNTS)}"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?P<n>[0-9]{1,2})[-\s]*(?P<unit>years?|yrs?)[-\s,]*(?:and[-\s]+)?"
        r"(?P<months>[0-9]{1,2})[-\s]*(?:months?|mos?)[-\s]*old\b",
        rf"\b(?P<n>[0-9]{{1,3}}(?:\.[0-9])?|{_WORDS})[-\s]*"
        r"(?P<unit>years?|yrs?|y|months?|mos?|m(?=\.?/?o\b)|weeks?|wks?|w(?=/?o\b)|days?)\.?[-\s]*"
        r"(?:old\b|/?o\b\.?|of[-\s]age\b)",
        r"\b(?:age|aged)\s*(?:is|:|=)?\s*(?P<n>[0-9]{1,3})\b(?!\s*(?:%|to\b|-|,?\s*diagnos))"
        r"(?:\s*(?P<unit>years?|yrs?|months?|weeks?|days?|y)\b)?",
        r"(?:^|[:.,]\s*|\b(?:patient|pt)\s+is\s+)(?:an?\s+|the\s+)?(?P<n>[0-9]{1,3})"
        r"(?=\s*(?-i:[MF])(?:\b|[,.]))",
        r"(?:^|\bis\s+|:\s*)(?:an?\s+)?(?P<n>[0-9]{1,3})(?=\s+(?:male|female|man|woman|boy|girl)\b)",
        r"\b(?P<n>[0-9]{1,2})\s*(?P<unit>mo|mos|months?|wks?)\b(?=\s+(?:male|female|boy|girl|infant))",
        r"(?:^|\b(?:patient|pt|male|female|man|woman|he|she)\b)[\s,.:]*(?:is\s+|an?\s+)*"
        r"(?P<n>[0-9]{1,3})[-\s]*(?P<unit>yrs?|years?|y)\b\.?"
        r"(?=\s*(?:$|[,;)]|\.\s|\.$|(?:male|female|man|woman|m|f|with|who|presents?|presented"
        r"|presenting|has|had|known|diagnosed|came|seen|referred)\b))",
    )
)
_DECADE = re.compile(
    r"\bin\s+(?:(?:his|her|their|the)\s+)?(?P<part>early|mid|late)?[-\s]*"
    r"(?:(?P<n>[1-9]0)'?s|(?P<word>twent|thirt|fort|fift|sixt|sevent|eight|ninet)ies)\b",
    re.IGNORECASE,
)
_EVENT = re.compile(r"\b(?:at|since|from|until|by|after|before|to)\s+(?:the\s+)?(?:an?\s+)?$", re.I)
_RELATIVE = re.compile(
    r"\s+(?:\w+\s+)?(?:son|daughter|brother|sister|mother|father|husband|wife|boyfriend|girlfriend"
    r"|partner|grandson|granddaughter|nephew|niece|cousin|uncle|aunt|twins)\b",
    re.IGNORECASE,
)
_NEWBORN = re.compile(
    r"\b(?:newborn|neonate)\b(?!\s+(?:screen|period|son|daughter))", re.IGNORECASE
)
_UNITS = {"y": AgeUnit.YEAR, "m": AgeUnit.MONTH, "w": AgeUnit.WEEK, "d": AgeUnit.DAY}
_DECADES = {
    word: (number + 2) * 10
    for number, word in enumerate("twent thirt fort fift sixt sevent eight ninet".split())
}
_PARTS = {"early": (0, 3), "mid": (4, 6), "late": (7, 9), None: (0, 9)}
_OLDEST = 125


def read_age(passages: Sequence[Passage]) -> tuple[PatientAge, Fact] | None:
    """Give the first age the note tells of the patient; an exact one before a decade."""
    for read in (_exact, _decade, _newborn):
        for passage in passages:
            for age, span in read(passage.text):
                start, end = span[0] + passage.start, span[1] + passage.start
                if Effect.FAMILY not in passage.effects(start, end):
                    return age, _fact(passage, age, start, end)
    return None


def _fact(passage: Passage, age: PatientAge, start: int, end: int) -> Fact:
    value = Quantity(age.value, str(age.unit), upper=age.upper)
    return passage.fact(FactKind.AGE, start, end, value=value, assertion=Assertion.PRESENT)


def _exact(text: str) -> Iterator[tuple[PatientAge, tuple[int, int]]]:
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if _EVENT.search(text, 0, match.start()) or _RELATIVE.match(text, match.end()):
                continue
            groups = match.groupdict()
            number = _number(groups["n"])
            unit = _UNITS[(groups.get("unit") or "y")[0].lower()]
            if groups.get("months"):
                number, unit = number * 12 + int(groups["months"]), AgeUnit.MONTH
            if number * unit.days <= _OLDEST * AgeUnit.YEAR.days:
                yield PatientAge(number, unit), (match.start("n"), match.end())


def _decade(text: str) -> Iterator[tuple[PatientAge, tuple[int, int]]]:
    for match in _DECADE.finditer(text):
        begin = _DECADES[match["word"].lower()] if match["word"] else int(match["n"])
        low, high = _PARTS[match["part"] and match["part"].lower()]
        yield PatientAge(begin + low, upper=begin + high), match.span()


def _newborn(text: str) -> Iterator[tuple[PatientAge, tuple[int, int]]]:
    for match in _NEWBORN.finditer(text):
        yield PatientAge(0, AgeUnit.DAY, upper=28), match.span()


def _number(text: str) -> float:
    if text[0].isdigit():
        return float(text)
    return float(sum(COUNTS[word] for word in re.split(r"[-\s]+", text.lower())))
