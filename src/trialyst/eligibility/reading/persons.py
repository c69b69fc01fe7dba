"""Who the patient is: age, sex, pregnancy, and where and how the patient lives and is treated."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from trialyst.ctgov.ages import AgeUnit
from trialyst.eligibility.chart import Assertion, PatientAge, PersonFact, SexCode
from trialyst.eligibility.numbers import COUNTS
from trialyst.eligibility.tables import read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trialyst.eligibility.reading.passage import Passage

__all__ = ["Demographics", "read_demographics", "read_person"]

_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_WORDS = rf"(?:{_TENS})(?:[-\s](?:{_ONES}))?|{'|'.join(COUNTS)}"
_AGES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?P<n>[0-9]{1,2})[-\s]*(?P<unit>years?|yrs?)[-\s,]*(?:and[-\s]+)?"
        r"(?P<months>[0-9]{1,2})[-\s]*(?:months?|mos?)[-\s]*old\b",
        rf"\b(?P<n>[0-9]{{1,3}}(?:\.[0-9])?|{_WORDS})[-\s]*"
        r"(?P<unit>years?|yrs?|y|months?|mos?|m(?=\.?/?o\b)|weeks?|wks?|w(?=/?o\b)|days?)\.?[-\s]*"
        r"(?:old\b|/?o\b\.?|of[-\s]age\b)",
        r"\b(?:age|aged)\s*(?:is|:|=)?\s*(?P<n>[0-9]{1,3})\b(?!\s*(?:%|to\b|-|,?\s*diagnos))"
        r"(?:\s*(?P<unit>years?|yrs?|months?|weeks?|days?|y)\b)?",
        r"(?:^|[:;.,)\]]\s*|\b(?:patient|pt)\s+is\s+)(?:an?\s+|the\s+)?(?P<n>[0-9]{1,3})"
        r"(?=\s*(?-i:[MF])(?:\b|[,.]))",
        r"\b(?:Mr|Mrs|Ms|Miss|Mx)\.?\s+[\w'-]{1,20},\s*(?:age\s+)?(?P<n>[0-9]{1,3})(?=\s*[,;.]|\s+(?:is|was|has)\b)",
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
_LOOK_BACK = 40
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

_SEXES = (
    re.compile(
        r"\b[0-9]{1,3}\s*(?:-?\s*(?:year|yr)s?[-\s]old|[yY]/?\.?[oO]\.?|yrs?|y)?\s*(?:(F)|(M))(?=\b|[,.])"
        r"|\b(?i:sex|gender)\s*[:=]?\s*(?:(?i:(female|f)|(male|m))\b)"
    ),
    re.compile(
        r"\b(?:(woman|female|lady|girl|housewife|primigravida|multigravida)|(man|male|gentleman|boy))\b"
        r"(?!\s*(?:partner|sex|condom|pattern|contact|infertil|in the family|breast|friend))",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?:(Mrs|Ms|Miss)|(Mr))\.?\s+[A-Z]"),
)
_PRONOUNS = re.compile(r"\b(?:(she|her|hers|herself)|(he|his|him|himself))\b", re.IGNORECASE)
_IMPLIED = re.compile(
    r"\b(?:(pregnant|post-?menopausal|pre-?menopausal|menses|menstrual|menarche|gravida|ovarian"
    r"|uterine|vaginal|hysterectomy|cervical cancer|endometri\w+|G[0-9]P[0-9]+)"
    r"|(prostate|prostatectomy|prostatitis|testes|testicular|testicle|penile|penis))\b",
    re.IGNORECASE,
)
_MOTHER = re.compile(
    r"\b(?:born|delivered)\b[^.]{0,40}\bto (?:an?|the)\b[^.]{0,25}$", re.IGNORECASE
)

_PREGNANT = re.compile(
    r"\b(?:pregnant|gravid|intrauterine pregnancy|pregnancy|weeks['\u2019]?\s+(?:of\s+)?gestation"
    r"|(?:first|second|third) trimester"
    r"|G[0-9]+\s?P[0-9]+(?:[0-9]{3})?\s+at\s+[0-9]+(?:w[0-9]*d?)?)\b",
    re.IGNORECASE,
)
_NOT_NOW = re.compile(
    r"\b(?:prior|previous|past|last|first|her|after|during|during her|of|ectopic|history of|avoid"
    r"|became|plan\w*|desir\w*|wants?|wish\w*|hop(?:es?|ing)|intend\w*|consider\w*|contemplat\w*"
    r"|discuss\w*|if|become|get|getting|trying|attempt\w*|born|in)\b[^.;]{0,40}$|\btests?\b",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"\s*(?:test|next\b|is (?:planned|desired)|in the future|planning|prevention|wish|loss)", re.I
)
"""What follows a pregnancy that is not there, or not yet."""
_TEST = re.compile(
    r"\b(?:pregnancy test|urine hcg|beta-?hcg|hcg)\b[^.;]{0,25}\b(negative|positive)\b"
    r"|\b(negative|positive)\s+(?:urine\s+|serum\s+)?pregnancy test\b",
    re.IGNORECASE,
)
_NOT_PREGNANT = re.compile(
    r"\b(?:not|non|isn't|denies being)[-\s]+(?:currently\s+)?pregnant\b"
    r"|\bnot breastfeeding or pregnant\b"
    r"|\bdenies (?:any\s+)?(?:current\s+)?pregnancy\b|\bpregnan(?:t|cy)\s*(?:status)?:\s*no\b",
    re.IGNORECASE,
)
_BEYOND = re.compile(
    r"\b(?:post-?menopausal|hysterectomy|bilateral oophorectomy|surgically sterile)\b", re.I
)


class Demographics(NamedTuple):
    """Age, sex and pregnancy, and the words that tell them."""

    age: PatientAge | None
    sex: SexCode | None
    pregnant: bool | None
    told: tuple[PersonFact, ...]


def read_demographics(passages: Sequence[Passage]) -> Demographics:
    """Give the first age, the plainest sex, and whether the patient is pregnant."""
    aged, sexed = _read_age(passages), _read_sex(passages)
    sex = None if sexed is None else sexed[0]
    bearing = _read_pregnancy(passages)
    pregnant = None if bearing is None else bearing[0]
    if bearing is None and sex is SexCode.MALE:
        pregnant = False
    told = (each[1] for each in (aged, sexed, bearing) if each is not None)
    return Demographics(None if aged is None else aged[0], sex, pregnant, tuple(told))


def _read_age(passages: Sequence[Passage]) -> tuple[PatientAge, PersonFact] | None:
    for read in (_exact, _decade, _newborn):
        for passage in passages:
            for age, start, end in read(passage.text):
                if "family" not in passage.effects(start, end):
                    return age, PersonFact(
                        **passage.stated(start, end), role="age", detail=str(age)
                    )
    return None


def _exact(text: str) -> Iterator[tuple[PatientAge, int, int]]:
    for pattern in _AGES:
        for match in pattern.finditer(text):
            near = max(0, match.start() - _LOOK_BACK)
            if _EVENT.search(text, near, match.start()) or _RELATIVE.match(text, match.end()):
                continue
            groups = match.groupdict()
            number = _number(groups["n"])
            unit = _UNITS[(groups.get("unit") or "y")[0].lower()]
            if groups.get("months"):
                number, unit = number * 12 + int(groups["months"]), AgeUnit.MONTH
            if number * unit.days <= _OLDEST * AgeUnit.YEAR.days:
                yield PatientAge(number, unit), match.start("n"), match.end()


def _decade(text: str) -> Iterator[tuple[PatientAge, int, int]]:
    for match in _DECADE.finditer(text):
        begin = _DECADES[match["word"].lower()] if match["word"] else int(match["n"])
        low, high = _PARTS[match["part"] and match["part"].lower()]
        yield PatientAge(begin + low, upper=begin + high), *match.span()


def _newborn(text: str) -> Iterator[tuple[PatientAge, int, int]]:
    for match in _NEWBORN.finditer(text):
        yield PatientAge(0, AgeUnit.DAY, upper=28), *match.span()


def _number(text: str) -> float:
    if text[0].isdigit():
        return float(text)
    return float(sum(COUNTS[word] for word in re.split(r"[-\s]+", text.lower())))


def _read_sex(passages: Sequence[Passage]) -> tuple[SexCode, PersonFact] | None:
    """Give the sex the note tells, from the plainest words to the faintest."""
    for pattern in _SEXES:
        for passage in passages:
            for match in pattern.finditer(passage.text):
                of_mother = _MOTHER.search(
                    passage.text, max(0, match.start() - 2 * _LOOK_BACK), match.start()
                )
                if of_mother is None and "family" not in passage.effects(*match.span()):
                    return _sex(match), _told_sex(passage, match)
    return _by_majority(passages, _PRONOUNS) or _by_majority(passages, _IMPLIED)


def _sex(match: re.Match[str]) -> SexCode:
    # Odd groups speak of women, even ones of men.
    return SexCode.FEMALE if match.lastindex and match.lastindex % 2 else SexCode.MALE


def _told_sex(passage: Passage, match: re.Match[str]) -> PersonFact:
    return PersonFact(**passage.stated(*match.span()), role="sex", detail=_sex(match).value)


def _by_majority(
    passages: Sequence[Passage], pattern: re.Pattern[str]
) -> tuple[SexCode, PersonFact] | None:
    counts: Counter[SexCode] = Counter()
    first: dict[SexCode, PersonFact] = {}
    for passage in passages:
        for match in pattern.finditer(passage.text):
            sex = _sex(match)
            if "family" not in passage.effects(*match.span()):
                counts[sex] += 1
                first.setdefault(sex, _told_sex(passage, match))
    if not counts or counts[SexCode.FEMALE] == counts[SexCode.MALE]:
        return None
    sex = counts.most_common(1)[0][0]
    return sex, first[sex]


def _read_pregnancy(passages: Sequence[Passage]) -> tuple[bool, PersonFact] | None:
    for read in (_tested, _denied, _stated, _beyond):
        for passage in passages:
            told = read(passage)
            if told is not None:
                pregnant, match = told
                assertion = Assertion.PRESENT if pregnant else Assertion.ABSENT
                fields = passage.entry(*match.span(), assertion=assertion, negated=not pregnant)
                return pregnant, PersonFact(**fields, role="pregnancy")
    return None


def _tested(passage: Passage) -> tuple[bool, re.Match[str]] | None:
    match = _TEST.search(passage.text)
    if match is None:
        return None
    return (match.group(1) or match.group(2)).lower() == "positive", match


def _denied(passage: Passage) -> tuple[bool, re.Match[str]] | None:
    match = _NOT_PREGNANT.search(passage.text)
    return None if match is None else (False, match)


def _stated(passage: Passage) -> tuple[bool, re.Match[str]] | None:
    for match in _PREGNANT.finditer(passage.text):
        near = passage.text[max(0, match.start() - 2 * _LOOK_BACK) : match.start()]
        if passage.effects(*match.span()) or _NOT_NOW.search(near):
            continue
        if not _LATER.match(passage.text, match.end()):
            return True, match
    return None


def _beyond(passage: Passage) -> tuple[bool, re.Match[str]] | None:
    match = _BEYOND.search(passage.text)
    if match is None or passage.effects(*match.span()) & {"family", "negated", "hypothetical"}:
        return None
    return False, match


class _Fact(NamedTuple):
    role: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]


@cache
def _facts() -> tuple[tuple[_Fact, ...], re.Pattern[str]]:
    """Give what a note may say of a person, and what a sentence with any of it holds."""
    found = []
    for line in read_lines("person.txt"):
        role, hints, pattern = (part.strip() for part in line.split("|", 2))
        listed = tuple(hint.strip() for hint in hints.split(";"))
        found.append(_Fact(role, listed, re.compile(pattern, re.IGNORECASE)))
    words = sorted({re.escape(hint) for fact in found for hint in fact.hints})
    return tuple(found), re.compile("|".join(words))


_PLACE = re.compile(
    r"\b(?:[Ll]ives?|[Ll]iving|[Rr]esides?|[Rr]esiding|[Rr]esident|[Bb]ased)\s+(?:alone\s+|currently\s+"
    r"|(?:with|at)\s+\w+\s+\w+\s+)?(?:in|of|near)\s+"
    r"([A-Z][\w'.-]+(?:\s+(?:(?:de|of|la|los|el|am|upon)\s+)?[A-Z][\w'-]+){0,2}(?:,\s*[A-Z]{2}\b)?)"
    r"|\b(?:(?:wo)?man|(?:fe)?male|boy|girl|gentleman|lady|patient|child|infant)\s+from\s+"
    r"([A-Z][\w'-]+(?:\s+[A-Z][\w'-]+){0,2}(?:,\s*[A-Z]{2}\b)?)"
)


def _told(passage: Passage, fact: _Fact) -> Iterator[PersonFact]:
    match = fact.pattern.search(passage.text)
    if match is None:
        return
    effects = passage.effects(*match.span())
    if effects.isdisjoint(("family", "hypothetical")) and (
        fact.role in _DENYING or "negated" not in effects
    ):
        detail = next((group for group in match.groups() if group), "")
        yield PersonFact(**passage.stated(*match.span()), role=fact.role, detail=detail)


def read_person(passage: Passage) -> Iterator[PersonFact]:
    """Find what is told of the person, one fact a role and sentence."""
    lowered = passage.text.lower()
    facts, hint = _facts()
    for fact in facts if hint.search(lowered) else ():
        if any(word in lowered for word in fact.hints):
            yield from _told(passage, fact)
    for match in _PLACE.finditer(passage.text):
        group = 1 if match.group(1) else 2
        start, end = match.span(group)
        if "family" not in passage.effects(start, end):
            end -= passage.text[end - 1] == "."
            yield PersonFact(
                **passage.stated(start, end), role="place", detail=passage.text[start:end]
            )


_DENYING = frozenset(("no medications", "no history", "no allergies", "consent"))
