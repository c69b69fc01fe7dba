"""What the wording of a question asks for besides its names: phases, statuses, ages, dates, places.

Pure text to arguments: "recruiting phase 3 trials in Germany" asks for a status, a phase and a
place. Only wordings that can hardly mean anything else are taken; the rest stays words.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from trialyst.questions.foreign import (
    FOREIGN_ARTICLE,
    FOREIGN_CHILDREN,
    FOREIGN_FILLER,
    FOREIGN_IN,
    FOREIGN_TRIALS,
)

__all__ = [
    "FILLER",
    "STATUS_WORDS",
    "Wish",
    "fillers",
    "find_denials",
    "find_wishes",
    "merge_wishes",
]

_QUESTION_WORDS = """
    a about after against all am among an and any anybody anyone anything approach approaches
    are as assess assessed assesses assessing at available be been before being benefit benefits
    best better between by can carried compare compared compares comparing comparison concerning
    conduct conducted conducting could currently did do does doing done during effective
    evaluate evaluated evaluates evaluating every examine examined examines examining exist
    existing exists explore explored explores exploring fetch find finding focus focused focuses
    focusing following for from get getting give given go going good got had happening has have
    having he hello help helpful helps her hi him his how i if in include included includes
    including into investigate investigated investigates investigating involve involved involves
    involving is it its join joining know let like list look looked looking many may me might
    more most much must my need needs no now of offer offered offering offers on one ones or our
    out over participate participating perform performed please possible qualify recent recently
    regarding related relevant same search see seek seeking she should show so some something
    soon still suffer suffering suffers tell test tested testing tests than thank thanks that
    the their them there these they thing things this those to too treat treated treating treats
    tried try trying two under underway up us use used useful uses using very via want wanted
    wants was way ways we were what what's when where whether which who whom whose why will with
    wonder wondering would yet you your
"""
_REGISTRY_WORDS = """
    clinical clinicaltrials diagnosed drug drugs eligible enroll enrolling enrollment gov
    individuals interventional latest medication medications medicine medicines new open option
    options participant participants patient patients people person persons registered registry
    research someone studies study subject subjects therapies therapy treatment treatments trial
    trials
"""
FILLER = frozenset(f"{_QUESTION_WORDS} {_REGISTRY_WORDS}".split())
"""Words that say that something is asked, or that trials are, and not which."""


def fillers(text: str) -> frozenset[str]:
    """Give the words of a question that only ask; those of other languages where it speaks one.

    >>> "sur" in fillers("essais sur le mélanome"), "sur" in fillers("sur operation")
    (True, False)
    """
    if (FOREIGN_TRIALS | FOREIGN_CHILDREN).isdisjoint(re.findall(r"\w+", text.lower())):
        return FILLER
    return FILLER | FOREIGN_TRIALS | FOREIGN_FILLER


_TRIALS = r"(?:clinical\s+)?(?:trials?|stud(?:y|ies))"
_NUMERAL = r"(?:[0-4]|i{1,3}|iv)[ab]?"
_ONGOING = "RECRUITING OR NOT_YET_RECRUITING OR ACTIVE_NOT_RECRUITING OR ENROLLING_BY_INVITATION"
_STATUS_WORDINGS: Mapping[str, str] = {
    "NOT_YET_RECRUITING": r"not\s+yet\s+(?:recruiting|enrolling)",
    "ACTIVE_NOT_RECRUITING": r"active,?\s+(?:but\s+)?not\s+recruiting",
    "RECRUITING": (
        r"(?:(?:currently|actively|now|still)\s+)?(?:recruiting|enrolling|accepting\s+patients)"
    ),
}
"""Of each status the wordings that always mean it."""
STATUS_WORDS: Mapping[str, str] = {
    "open": "RECRUITING",
    "enrolling": "RECRUITING",
    "upcoming": "NOT_YET_RECRUITING",
    "planned": "NOT_YET_RECRUITING",
    "completed": "COMPLETED",
    "finished": "COMPLETED",
    "terminated": "TERMINATED",
    "stopped": "TERMINATED",
    "discontinued": "TERMINATED",
    "suspended": "SUSPENDED",
    "paused": "SUSPENDED",
    "withdrawn": "WITHDRAWN",
    **dict.fromkeys(("ongoing", "on-going", "running", "current", "active"), _ONGOING),
}
"""Words that mean a status where they are said of a trial, or given as one."""
_ANY_WILL_DO = frozenset({"status", "phase", "study_type"})
_SEXES = {
    "FEMALE": r"women|females?|girls?|woman|lady|ladies",
    "MALE": r"(?<!trans)men|males?|boys?|man|gentlem[ae]n",
}
_KIN = {
    "FEMALE": "mother|mom|mum|wife|daughter|sister|grandmother|grandma|aunt|niece|girlfriend",
    "MALE": "father|dad|husband|son|brother|grandfather|grandpa|uncle|nephew|boyfriend",
}
"""People of somebody's own; mothers in general may be what a trial is about."""
_AGE_GROUPS = {
    "children": "|".join(("children", "kids", *FOREIGN_CHILDREN)),
    "adults": r"(?<!older )(?<!elderly )adults",
    "older adults": r"(?:older|elderly)\s+(?:adults|people|patients|persons)",
}
_NOT_AS_GROUP = re.compile(
    r"(?:(?:parents?|mothers?|fathers?|famil(?:y|ies)|siblings|offspring|guardians|(?:care)?givers"
    r"|carers|teachers)\s+of\s+(?:[\w-]+\s+){0,2}|(?:mother|parent)\s*[\s-]to[\s-]\s*)$",
    re.IGNORECASE,
)
"""Before a group that only others are told by: parents of obese children."""
_TYPE_WORDINGS: Mapping[str, str] = {
    "OBSERVATIONAL": r"(?:observational|non-?interventional)(?=(?:\s+[\w-]+){0,3}?\s+@\b)",
    "INTERVENTIONAL": r"interventional(?=\s+@\b)",
    "EXPANDED_ACCESS": r"expanded[\s-]+access(?:\s+(?:programs?|protocols?))?",
}
"""Of each type the wordings that mean it, @ for trials."""
_REGISTERED_AS = "completed|terminated|suspended|withdrawn"
"""Statuses in the registry's own words, which mean them at the end of a question too."""
_ENDED = "completed|finished|terminated|stopped|discontinued|suspended|paused|withdrawn"
_UNIT = r"(years?|yrs?|months?|weeks?|days?)"
_SOMEBODY = rf"i\s+am|i['’]m|(?:he|she|who|patient|person|{'|'.join(_KIN.values())})\s+is|s?he['’]s"
_AGES = (
    rf"(\d{{1,3}})[\s-]*{_UNIT}[\s-]*(?:olds?|of[\s-]*age)",
    rf"aged?\s+(\d{{1,3}})(?:\s+{_UNIT})?",
    r"(\d{1,3})[\s-]*(y/?o)",
    rf"(?:{_SOMEBODY})\s+(\d{{1,3}})()(?=\s+(?:and|with|who|has|have|had)\b|\s*(?:[,.;?!]|$))",
)
"""Wordings of a person's age: the number, and the unit, which is years where it is not told."""
_PLACE_BEHIND = re.compile(
    r"(?<![\w-])(in|en|at|outside(?:\s+of)?|except(?:\s+for)?|excluding|near|around|close\s+to"
    rf"|{FOREIGN_IN})\s+(?:the\s+)?(?:{FOREIGN_ARTICLE})?",
    re.IGNORECASE,
)
_ALSO = r"(?:or|and|oder|und|ou|et|o|y|en|lub|i|och|eller)\s+"
_AND_PLACE = re.compile(
    rf"(?:\s*,\s*(?:{_ALSO})?|\s+{_ALSO})(?:(?:in|{FOREIGN_IN})\s+)?"
    rf"(?:the\s+)?(?:{FOREIGN_ARTICLE})?",
    re.IGNORECASE,
)
_OR = re.compile(r"\s(?:or|oder|ou|o)\s", re.IGNORECASE)
_NEAR = ("near", "around", "close")
_DATE = r"((?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?)"
_EVENTS: Mapping[str, str] = {
    "start": r"(?:first\s+)?(?:start(?:ed|ing)|begun|began|beginning)\s+",
    "posted": r"(?:first\s+)?(?:posted|registered)\s+",
    "updated": r"(?:last\s+)?updated\s+",
}


_DENYING = re.compile(
    r"(?<![\w-])(?:(?:but\s+)?not|without|except(?:\s+for)?|excluding|outside(?:\s+of)?)"
    r"\s+(?:(?:in|at|near|with|for|the|a|an|any)\s+)*|(?<![\w-])-(?=[^\W\d_]{3})",
    re.IGNORECASE,
)
"""Words that say that something is not wanted, before what it is."""
_NOT_DENYING = re.compile(r"not\s+(?:yet\s+)?(?:recruiting|enrolling)", re.IGNORECASE)


def find_denials(text: str) -> list[tuple[int, int]]:
    """Give where a question says that it does not want what follows.

    >>> find_denials("asthma not in Germany"), find_denials("active, not recruiting")
    ([(7, 14)], [])
    """
    return [
        found.span()
        for found in _DENYING.finditer(text)
        if not _NOT_DENYING.match(text, found.start())
    ]


@dataclass(frozen=True, slots=True)
class Wish:
    """A part of a question that asks for an argument, and where it stands."""

    argument: str
    value: str
    start: int
    end: int


def find_wishes(text: str, *, is_place: Callable[[str], bool]) -> list[Wish]:
    """Give what a question asks for by its wording, first in the text first, none overlapping.

    >>> [(w.argument, w.value) for w in find_wishes("phase 2/3 asthma", is_place=lambda _: False)]
    [('phase', 'PHASE2/PHASE3')]
    """
    found: list[Wish] = []
    for wish in _candidates(text, is_place):
        if not any(wish.start < other.end and other.start < wish.end for other in found):
            found.append(wish)
    return sorted(found, key=lambda wish: wish.start)


def merge_wishes(wishes: Iterable[Wish]) -> dict[str, str]:
    """Give the value of each argument; of several phases, statuses or types any will do."""
    merged: dict[str, str] = {}
    for wish in wishes:
        known = merged.get(wish.argument, wish.value)
        is_other = wish.argument in _ANY_WILL_DO and wish.value != known
        merged[wish.argument] = f"{known} OR {wish.value}" if is_other else wish.value
    return merged


def _candidates(text: str, is_place: Callable[[str], bool]) -> Iterator[Wish]:
    yield from _phases(text)
    yield from _statuses(text)
    yield from _types(text)
    yield from _people(text)
    yield from _dates(text)
    yield from _places(text, is_place)


def _matches(pattern: str, text: str) -> Iterator[re.Match[str]]:
    return re.finditer(rf"(?<![\w-])(?:{pattern})(?![\w-])", text, re.IGNORECASE)


def _phases(text: str) -> Iterator[Wish]:
    listed = rf"phases?[\s-]*({_NUMERAL}(?:\s*(?:/|,|or|and|to|-|\+)\s*(?:phase\s*)?{_NUMERAL})*)"
    for found in _matches(rf"(early\s+)?{listed}(\s*\+|\s+(?:or|and)\s+(?:later|above))?", text):
        numerals = re.findall(_NUMERAL, found[2], re.IGNORECASE)
        if found[1]:
            value = "EARLY_PHASE1"
        elif found[3]:
            value = f"{_phase(numerals[0]).removeprefix('PHASE')}+"
        else:
            joint = "/" if "/" in found[2] else " OR "
            value = joint.join(dict.fromkeys(map(_phase, numerals)))
        yield Wish("phase", value, *found.span())


def _phase(numeral: str) -> str:
    roman = {"i": "1", "ii": "2", "iii": "3", "iv": "4"}
    bare = numeral.lower().rstrip("ab")
    return f"PHASE{roman.get(bare, bare)}" if bare != "0" else "EARLY_PHASE1"


def _statuses(text: str) -> Iterator[Wish]:
    for status, wording in _STATUS_WORDINGS.items():
        for found in _matches(wording, text):
            yield Wish("status", status, *found.span())
    words = rf"({'|'.join(STATUS_WORDS)})(?:\s+early)?"
    between = r"(?:\s+[\w-]+){0,3}?\s+"
    said = rf"{_TRIALS}\s+(?:that\s+(?:are|were|have\s+been)\s+|were\s+){words}"
    asked = rf"(?:what|which)\s+(?:[\w-]+\s+){{0,4}}?(?:was|were|(?:has|have)\s+been)\s+({_ENDED})"
    last = rf"(?<=\w\s)({_REGISTERED_AS})(?=\s*[.?!]?\s*$)"
    for pattern in (rf"{words}(?={between}{_TRIALS}\b)", said, asked, last):
        for found in _matches(pattern, text):
            yield Wish("status", STATUS_WORDS[found[1].lower()], found.start(1), found.end())
    for found in _matches(
        r"(?:with|(?:that\s+)?ha(?:ve|s)|having)\s+(?:posted\s+)?results(?:\s+posted)?", text
    ):
        yield Wish("has_results", "true", *found.span())


def _types(text: str) -> Iterator[Wish]:
    for code, wording in _TYPE_WORDINGS.items():
        for found in _matches(wording.replace("@", _TRIALS), text):
            yield Wish("study_type", code, *found.span())


def _people(text: str) -> Iterator[Wish]:
    for pattern in _AGES:
        for found in _matches(pattern, text):
            unit = found[2] or "years"
            unit = "years" if unit.lower().startswith("y") else unit
            # Who it is may ask for a sex.
            start = found.start(1) if pattern == _AGES[-1] else found.start()
            yield Wish("age", f"{found[1]} {unit}", start, found.end())
    yield from _age_groups(text)
    named = {sex: [*_of_sex(sex, text)] for sex in _SEXES}
    told = [sex for sex, spans in named.items() if spans]
    if len(told) == 1:
        for span in named[told[0]]:
            yield Wish("sex", told[0], *span)
    for found in _matches(r"healthy\s+(?:volunteers?|subjects?|participants?|people)", text):
        yield Wish("healthy_volunteers", "true", *found.span())


def _age_groups(text: str) -> Iterator[Wish]:
    """Yield the groups of people by age, all of which may be meant, unless an age is told."""
    if any(True for pattern in _AGES for _ in _matches(pattern, text)):
        return
    named = [
        (group, found.span())
        for group, wording in _AGE_GROUPS.items()
        for found in _matches(rf"(?:{wording})(?!['’])", text)
        if not _NOT_AS_GROUP.search(text[: found.start()])
    ]
    value = " or ".join(dict.fromkeys(group for group, _ in named))
    for _, span in named:
        yield Wish("age", value, *span)


def _of_sex(sex: str, text: str) -> Iterator[tuple[int, int]]:
    for found in _matches(_SEXES[sex], text):
        yield found.span()
    own = r"(?:my|our|his|her|their)\s+(?:[\w-]+\s+){0,3}?"
    for found in _matches(rf"{own}({_KIN[sex]})(?:['’]s)?", text):
        yield found.start(1), found.end()


def _dates(text: str) -> Iterator[Wish]:
    for event, said in _EVENTS.items():
        yield from _ranges(text, event, said)
        yield from _bounds(text, f"{event}_from", rf"{said}(?:since|after|from)")
        yield from _bounds(text, f"{event}_to", rf"{said}(?:until|by|up\s+to)")
        for found in _matches(rf"{said}before\s+{_DATE}", text):
            yield Wish(f"{event}_to", _before(found[1]), *found.span())
        for found in _matches(rf"{said}(?:in|during)\s+{_DATE}", text):
            yield Wish(f"{event}_from", found[1], found.start(), found.start(1))
            yield Wish(f"{event}_to", found[1], *found.span(1))
    yield from _ranges(text, "start", "")
    yield from _bounds(text, "start_from", "(?:since|after)")


def _bounds(text: str, argument: str, said: str) -> Iterator[Wish]:
    for found in _matches(rf"{said}\s+{_DATE}", text):
        yield Wish(argument, found[1], *found.span())


def _before(date: str) -> str:
    """Give the year, month or day before one.

    >>> _before("2005"), _before("2005-01"), _before("2005-03-01")
    ('2004', '2004-12', '2005-02-28')
    """
    first = datetime.date.fromisoformat((date + "-01-01")[:10])
    return (first - datetime.timedelta(days=1)).isoformat()[: len(date)]


def _ranges(text: str, event: str, said: str) -> Iterator[Wish]:
    for words in (rf"between\s+{_DATE}\s+and", rf"from\s+{_DATE}\s+(?:to|until|through)"):
        for found in _matches(rf"{said}{words}\s+{_DATE}", text):
            yield Wish(f"{event}_from", found[1], found.start(), found.end(1))
            yield Wish(f"{event}_to", found[2], found.end(1), found.end())


def _places(text: str, is_place: Callable[[str], bool]) -> Iterator[Wish]:
    """Yield the longest known place behind each `in` or `near`, and those listed after it."""
    for found in _PLACE_BEHIND.finditer(text):
        names = list(_listed_places(text, found.end(), is_place))
        if names:
            wish = "near" if found[1].lower().startswith(_NEAR) else "location"
            places = names[:1] if wish == "near" else names
            value = " OR ".join(text[start:end] for start, end in places)
            yield Wish(wish, value, found.start(), places[-1][1])


def _listed_places(
    text: str, start: int, is_place: Callable[[str], bool]
) -> Iterator[tuple[int, int]]:
    """Yield where the places of a list stand: "Germany, France or Spain"."""
    while place := _place_at(text, start, is_place):
        yield place
        joint = _AND_PLACE.match(text, place[1])
        if joint is None:
            return
        start = joint.end()


def _place_at(text: str, start: int, is_place: Callable[[str], bool]) -> tuple[int, int] | None:
    words = list(re.finditer(r"[\w.'’-]+,?", text[start:]))[:5]
    for last in range(len(words), 0, -1):
        name = text[start : start + words[last - 1].end()].rstrip(",. ")
        if name and not _OR.search(name) and is_place(name):
            return start, start + len(name)
    return None
