"""Ages a criterion asks for: `18-70 years of age`, `older than 6 months`, `Age>=40years old`.

A number of years that tells a duration or a window ("within 5 years") is no age.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache, partial

from trialyst.matching.judging.gates import gated

__all__ = ["AgeRange", "find_age_ranges"]

_UNITS = {"y": 1.0, "m": 1 / 12, "w": 7 / 365.25, "d": 1 / 365.25, "h": 1 / 8766}
_ONES = "one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_NUMBERS = {
    **{word: number for number, word in enumerate((*_ONES, *_TEENS), 1)},
    **{word: 10 * number for number, word in enumerate(_TENS, 2)},
}
_NUMBER_WORD = gated(
    rf"\b(?:(?P<ten>{'|'.join(_TENS)})(?:[- ](?P<one>{'|'.join(_ONES)}))?"
    rf"|(?P<small>{'|'.join((*_TEENS, *_ONES))}))\b"
)
_UNIT = r"(?:y(?:ea)?rs?|yo|y|months?|mos?|weeks?|wks?|days?|hours?)\b\.?"
_N = r"(\d{1,3}(?:\.\d+)?)(?!\d)"
_WORDED = r"(?:\([a-z -]+\)\s*)?"
_MORE = (
    r"(?:[>\u2265]|at least|minimum(?: age)?(?: of)?|older than|over|above|greater than"
    r"|higher than|more than|after(?: the)? age of|from|aged?|(?:attained|reached)(?: the age of)?)"
)
_LESS = (
    r"(?:[<\u2264]|at most|maximum(?: age)?(?: of)?|younger than|under|below|less than|lower than"
    r"|up to|before(?: the)? age of|until|not yet)"
)
_RANGE = re.compile(
    rf"([>\u2265])?\s*{_N}\s*-?({_UNIT})?(?: of age| old)?,?\s*(?:-|–|~|to|and|through|until)"
    rf"\s*(?:[<\u2264]|under|less than|up to)?\s*{_N}\s*-?({_UNIT})?"
)
_AROUND = re.compile(rf"{_N}\s*({_UNIT})?\s*([<\u2264])\s*age\s*([<\u2264])\s*{_N}\s*({_UNIT})?")
_LOWER = re.compile(
    rf"({_MORE})\s*(?:the age of |age |an age of )?{_N}\s*-?({_UNIT})?(?!\s*%|\s*/)"
)
_UPPER = re.compile(rf"({_LESS})\s*(?:the age of |age )?{_N}\s*-?({_UNIT})?(?!\s*%|\s*/)")
_AFTER_LOWER = re.compile(
    rf"{_N}\s*{_WORDED}-?({_UNIT})?(?:\s*-?old|\s*of age)?\s*,?\s*(?:\+|(?:and|or|&) "
    r"(?:older|over|above|more|greater|up)\b(?! than| \d)|onward|or \u2265)"
)
_AFTER_UPPER = re.compile(
    rf"{_N}\s*{_WORDED}-?({_UNIT})?(?:\s*-?old|\s*of age)?\s*,?"
    r"(?:and|or|&) (?:younger|under|below|less)\b(?! than| \d)"
)
_STRICT = frozenset({">", "older than", "greater than", "more than", "higher than"})
_PEOPLE = (
    r"(?:patients?|subjects?|participants?|individuals?|persons?|people|volunteers?|adults?"
    r"|child(?:ren)?|teens?|teenagers?|adolescents?|infants?|m[ae]n|wom[ae]n|males?|females?"
    r"|boys?|girls?|genders?|sex(?:es)?|must be|should be|who are|which are|be|are|is)"
)
_OF_PEOPLE = re.compile(rf"(?:^|\b{_PEOPLE}\b|^\W*\d+[.)])[\s,:(\[]*$")
"""What stands before a number of years that is an age without saying so."""
_SPEAKS_OF_AGE = gated(
    r"\bage[ds]?\b|\bage[<>=\u2264\u2265]|(?:year|yr)s?[ -]old|(?:month|day|week)s?[ -]old"
    r"|of age\b|\byo\b"
    r"|\bolder\b"
    r"|\byounger\b|\bnot yet \d+|\badults?,? (?:between|over|aged?|\(?[>\u22650-9])"
    r"|(?:year|yr)s and (?:over|above|older)"
)
_BARE = re.compile(r"\W*\d{1,2}\s*(?:\+|(?:and|or|&) (?:over|above|older|up))\W*")
"""A number that says no more than from where on."""
_OPENS_WITH_YEARS = re.compile(
    rf"\W*(?:(?:{_MORE}|{_LESS}|between)\s*)?\d+\s*-?(?:(?:{_UNIT})?\s*(?:-|–|~|to|and|through)"
    rf"\s*(?:{_LESS})?\s*\d+\s*-?)?(?:years?|yrs?|y)\b"
    r"(?! (?:of|or (?:more|longer) of) (?!age)| (?:prior|before|ago|since|after|duration|from))"
)
_PEOPLE_OF = gated(
    rf"\b{_PEOPLE}\b[\s,:(]*(?:(?:{_MORE}|{_LESS}|between)\s*)?\d{{1,2}}\s*"
    r"(?:-|–|to|and|years?\b|yrs?\b|y\b|$|[.,;])"
)
_SMALL = r"(?:child(?:ren)?|infants?|newborns?|neonates?|toddlers?|boys?|girls?|babies)"
_SMALL_OF = re.compile(
    rf"\b{_SMALL}\b[\s,:(]*(?:(?:{_MORE}|{_LESS}|between)\s*)?\d{{1,2}}\s*-?"
    r"(?:months?|mos?|weeks?|wks?|days?)\b"
)
_OF_SMALL = re.compile(rf"\b{_SMALL}\b[\s,:(]*(?:between\s*)?$")
_NOT_SINCE_BIRTH = re.compile(
    r"(?:prior|before|ago|after|post\b|following|of (?!age)|preced|from|since|corrected|gestation)"
)
"""What makes another time than an age of months behind `children`."""
_SIGNS = (
    (
        r"not?(?: aged)? (?:less than|younger than|below|under)|at or above"
        r"|(?:>|greater than|more than|older than|above|over)\s*(?:,|or|/|and)?\s*"
        r"(?:=|equal(?:ing)?(?: to)?)(?: to)?"
        r"|equal(?: to)?,?(?: or)? (?:greater than|more than|older than|above|over)"
        r"|[\u2265\u2267]|=>",
        "\u2265",
    ),
    (
        r"not?(?: aged)? (?:older than|more than|above|over)|not exceeding|at or below"
        r"|(?:<|less than|lower than|younger than|below|under)\s*(?:,|or|/|and)?\s*"
        r"(?:=|equal(?:ing)?(?: to)?)(?: to)?"
        r"|equal(?: to)?,?(?: or)? (?:less than|lower than|younger than|below|under)"
        r"|[\u2264\u2266\u00a3]|=<",
        "\u2264",
    ),
)
_SIGN_PATTERNS = tuple((gated(pattern), sign) for pattern, sign in _SIGNS)
_AGE_WORD = gated(
    r"(?:\W*|.*,\s+)(?:\d+[.)]\s*)?(?:(?:all|an?|male|female|and|or|hospitali[sz]ed|outpatient"
    r"|patients?|subjects?|any|who|are|is|the|must|be|pregnant)\s+)*"
    r"(adults?|child(?:ren)?|p(?:a)?ediatrics?|infants?|neonates?|newborns?|toddlers?|older adults?"
    r"|young adults?|elderly|geriatric|adolescents?|teenagers?|minors?|boys?|girls?)\b"
    r"(?!\s+(?:of|in|bearing|pugh)\b|[-/])"
)
_ADULT = gated(
    r"\b(adult|pa?ediatric)\s+(?:(?:male|female|hospitali[sz]ed|surgical|critically ill|icu)\s+)?"
    r"(?:patients?|subjects?|participants?|volunteers?|in-?patients|out-?patients|men|women|males?"
    r"|females?)\b"
)
_YOUNG = (
    r"(?:child(?:ren)?|pa?ediatrics?|adolescents?|teen\w*|infants?|minors?|youths?|newborns?|boys?"
    r"|girls?|toddlers?|elderly|young adults?)"
)
_MIXED = gated(
    rf"\b(?:adults?|m[ae]n|wom[ae]n)(?:\s+\w+)?,?\s*(?:and/or|and|or|/|,|&)\s*(?:an? )?{_YOUNG}\b"
    rf"|\b{_YOUNG}(?:\s+\w+)?,?\s*(?:and/or|and|or|/|,|&)\s*(?:an? )?(?:{_YOUNG} )?"
    r"(?:adult|m[ae]n\b|wom[ae]n\b|elderly)"
    r"|\b(?:child\w*|infants?|newborns?|toddlers?),?\s*(?:and/or|and|or|/|,|&)\s*"
    r"(?:adolescents?|teen\w*|child\w*)"
    r"|\b(?:responsible|accompan\w+|by an) adult|consent form"
)
"""Adults beside others, or who are not the patients."""
_AGE_WORDS = (
    ("adult", (18.0, math.inf)),
    ("child", (0.0, 18.0)),
    ("p", (0.0, 18.0)),
    ("infant", (0.0, 2.0)),
    ("n", (0.0, 0.25)),
    ("toddler", (0.5, 6.0)),
    ("older", (50.0, math.inf)),
    ("young", (14.0, 45.0)),
    ("elderly", (50.0, math.inf)),
    ("geriatric", (50.0, math.inf)),
    ("adolescent", (8.0, 25.0)),
    ("teenager", (11.0, 20.0)),
    ("minor", (0.0, 21.0)),
    ("boy", (0.0, 22.0)),
    ("girl", (0.0, 22.0)),
)
"""Ages that a word stands for, wide where usage differs."""
_ADULT_YEARS = re.compile(r"1[2-9]|2[015]|[3-9][05]")
_APART = re.compile(
    rf"(?:^|[,;(]|(?<![0-9] )\band|\bare|\bis|\bbe|\b{_PEOPLE})\s*"
    rf"(?:(?:{_MORE}|{_LESS}|between)\s*)?"
    rf"(?:(?:\d{{1,2}}\s*(?:{_UNIT})?\s*(?:-|–|~|to|and)\s*(?:{_LESS})?\s*)?"
    rf"(?:{_ADULT_YEARS.pattern})\s*(?:\+|(?:years?|yrs?|y)\b(?:[- ]old)?|y\.?o\b\.?)?"
    r"(?:\s*(?:and|or) (?:older|over|above|younger|under|more|up)\b(?! than))?)"
    r"(?=\s*(?:$|[,;.)]|(?:with|without|and|who|but|f?e?males?|wom[ae]n|m[ae]n)\b))"
)
"""An age that stands by itself in a list of demands: `Asthma, 18-65`."""
_TOLD_AGE = re.compile(r"\byounger\b|\bolder than \d+\s*(?:y|$)")
_BETWEEN = re.compile(r"\b(?:between|from|ages?|aged)\b(?: the)?(?: ages?)?(?: of)?\W*$")
_OR_BEYOND = re.compile(r"(?:or|and) (?:>|<|older|younger|over|under|above|below|more|less)")
_OTHERS = gated(
    r"gestation|\b(?:bone|skeletal|mental|developmental|paternal|vascular) age|\bif\b"
    r"|\bfor (?:those|women|men|females|males|child)|caregiver|guardian|parent"
    r"|daughter|\bonset\b|at diagnosis|partner|in case of|\bwho do not\b"
)
_NOT_OF_AGE = gated(
    r".*\bnot? (?:an? )?(?:minors?|child(?:ren)?|adults?|elderly|infants?|adolescents?)\b"
)
_ASIDE = re.compile(r"\([^()]*\)")
_NO_AGE = re.compile(
    r"(?:kg|mg|%|mm|cm|ml|g/|points|kilo|lbs?|pounds|x\b|hours|cigar|packs?|drinks|prior|before"
    r"|ago)"
)
_DIGIT = re.compile(r"[0-9]")
_BIRTH = gated(
    r"\b(?:newborns?|(?:the )?(?:time of )?birth|(?:the )?first days? of life|0 days)"
    r"(?=\s*(?:-|–|to|until|through|up to)\s*\d)"
)
_LEAST_BARE = 12
"""The smallest number that is taken as an age in years without a unit."""
_JUST = 1e-9
"""What an age must be more than a bound that is itself outside."""
_DURATION = re.compile(
    r"(?:within|past|last|previous|prior|preceding|for|during|lasting|least|than|every|over)"
    r"(?: the| at least| more than| past| last)*$"
)


@dataclass(frozen=True, slots=True)
class AgeRange:
    """Ages from `low` up to `high`, in years, and where the criterion says so."""

    low: float
    high: float
    start: int
    end: int

    def holds(self, years: float) -> bool:
        """Whether an age in completed years lies in the range."""
        return self.low <= years < self.high


@lru_cache(maxsize=4096)
def find_age_ranges(text: str) -> tuple[AgeRange, ...]:
    """Find the ages a criterion speaks of.

    >>> [(found.low, found.high) for found in find_age_ranges("Age 25 to 65 years")]
    [(25.0, 66.0)]
    >>> find_age_ranges("Stroke within 5 years")
    ()
    """
    lowered = _plainly(text.lower())
    found = _numbered(lowered) or _worded(lowered)
    return () if found and (_OTHERS.search(lowered) or _NOT_OF_AGE.match(lowered)) else found


def _plainly(lowered: str) -> str:
    """Write numbers and signs plainly, without a shift of places."""
    if _BIRTH.search(lowered):
        lowered = _BIRTH.sub(partial(_padded, "0"), lowered)
    if "year" in lowered or "age" in lowered:
        lowered = _NUMBER_WORD.sub(_in_digits, lowered)
    if _DIGIT.search(lowered) is None:
        return lowered
    for pattern, sign in _SIGN_PATTERNS:
        lowered = pattern.sub(partial(_padded, sign), lowered)
    return lowered


def _padded(sign: str, match: re.Match[str]) -> str:
    return sign.ljust(len(match.group()))


def _in_digits(match: re.Match[str]) -> str:
    words = (match["ten"], match["one"], match["small"])
    number = sum(_NUMBERS[word] for word in words if word)
    return str(number).rjust(len(match.group()))


def _numbered(lowered: str) -> tuple[AgeRange, ...]:
    if _DIGIT.search(lowered) is None or not _speaks_of_age(lowered):
        return ()
    outside = _ASIDE.sub(lambda aside: " " * len(aside.group()), lowered)
    return tuple(_found(outside) or _found(lowered))


def _speaks_of_age(lowered: str) -> bool:
    return bool(
        _SPEAKS_OF_AGE.search(lowered)
        or _OPENS_WITH_YEARS.match(lowered)
        or _PEOPLE_OF.search(lowered)
        or _SMALL_OF.search(lowered)
        or _BARE.fullmatch(lowered)
        or (_ADULT_YEARS.search(lowered) and _APART.search(lowered))
    )


def _worded(lowered: str) -> tuple[AgeRange, ...]:
    """Read `adults with`, `children who` at the beginning of a criterion."""
    match = _AGE_WORD.match(lowered) or _ADULT.search(lowered)
    if match is None or _MIXED.search(lowered):
        return ()
    low, high = next(bounds for word, bounds in _AGE_WORDS if match.group(1).startswith(word))
    return (AgeRange(low, high, match.start(1), match.end(1)),)


def _found(text: str) -> list[AgeRange]:
    around = _AROUND.search(text)
    if around is not None:
        low, low_unit, _, sign, high, high_unit = around.groups()
        lower = _years(low, low_unit or high_unit)
        return [AgeRange(lower, _years(high, high_unit, more=sign == "\u2264"), *around.span())]
    ranges = []
    for match in _RANGE.finditer(text):
        sign, low, low_unit, high, high_unit = match.groups()
        joined = " and " in match.group() and not _BETWEEN.search(text[: match.start()])
        if not joined and _is_age(text, match, high_unit or low_unit):
            lower = _years(low, low_unit or high_unit)
            below = re.search(r"[<\u2264]|less than|under", match.group()) is not None
            exact = "\u2264" in match.group()
            upper = _years(high, high_unit or low_unit, more=not below or exact)
            strict = 1 if sign == ">" else 0
            ranges.append(AgeRange(lower + _JUST * strict, upper, *match.span()))
    return ranges or _one_sided(text)


def _one_sided(text: str) -> list[AgeRange]:
    low, high = 0.0, math.inf
    places: list[tuple[int, int]] = []
    most = [match.span() for match in _UPPER.finditer(text)]
    for pattern, number, unit in ((_LOWER, 2, 3), (_AFTER_LOWER, 1, 2)):
        for match in pattern.finditer(text):
            within = any(start <= match.start() and match.end() <= end for start, end in most)
            if not within and _is_age(text, match, match.group(unit)):
                strict = _JUST if pattern is _LOWER and match.group(1) in _STRICT else 0.0
                low = max(low, _years(match.group(number), match.group(unit)) + strict)
                places.append(match.span())
    for pattern, number, unit in ((_UPPER, 2, 3), (_AFTER_UPPER, 1, 2)):
        for match in pattern.finditer(text):
            if _is_age(text, match, match.group(unit)):
                sign = match.group(1)
                closed = pattern is _AFTER_UPPER or sign in ("\u2264", "up to", "at most")
                closed = closed or "max" in sign
                high = min(high, _years(match.group(number), match.group(unit), more=closed))
                places.append(match.span())
    if not places:
        return []
    span = min(place[0] for place in places), max(place[1] for place in places)
    bounds = [(low, high)] if low < high else [(0.0, high), (low, math.inf)]
    return [AgeRange(*bound, *span) for bound in bounds]


def _is_age(text: str, match: re.Match[str], unit: str | None) -> bool:
    after = text[match.end() : match.end() + 24].lstrip(" ,.)")
    before = text[max(0, match.start() - 30) : match.start()]
    if re.match(r"(?:old|of age|aged?|or older|or younger|and older|\(inclusive)", after):
        return True
    if _NO_AGE.match(after):
        return False
    if _TOLD_AGE.search(match.group()):
        return True
    if any(apart.start() <= match.start() < apart.end() for apart in _APART.finditer(text)):
        return True
    if re.search(r"\bage[ds]?\b[^.;]{0,24}$", before) or re.search(r"\bage[ds]?\b", match.group()):
        return True
    if _OF_PEOPLE.search(before) and (unit is None or unit.startswith("y")):
        return unit is not None or float(re.findall(r"\d+", match.group())[-1]) >= _LEAST_BARE
    if unit is not None and _OF_SMALL.search(before) and not _NOT_SINCE_BIRTH.match(after):
        return True
    if unit is None or not unit.startswith("y"):
        return _OR_BEYOND.match(after) is not None and _speaks_of_age(text[match.end() :])
    if re.match(r"(?:prior|before|ago|after|of (?:treat|follow|diag|sym)|preced|from)", after):
        return False
    told = re.search(r"\b(?:older|younger)\b|^\W*$", f"{match.group()} {before}")
    return told is not None and not _DURATION.search(before.rstrip())


def _years(number: str, unit: str | None, *, more: bool = False) -> float:
    size = _UNITS[(unit or "y")[0]]
    return (float(number) + (1 if more else 0)) * size
