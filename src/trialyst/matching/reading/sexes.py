"""The patient's sex and, of women, whether they are pregnant."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from trialyst.matching.context import Effect
from trialyst.matching.patient import Assertion, Fact, FactKind, Sex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trialyst.matching.reading.passage import Passage

__all__ = ["read_pregnancy", "read_sex"]

_OTHERS = r"(?!\s*(?:partner|sex|condom|pattern|contact|infertil|in the family|breast|friend))"
_NOUNS = re.compile(
    r"\b(?:(woman|female|lady|girl|housewife|primigravida|multigravida)|(man|male|gentleman|boy))\b"
    + _OTHERS,
    re.IGNORECASE,
)
_LETTERS = re.compile(
    r"\b[0-9]{1,3}\s*(?:-?\s*(?:year|yr)s?[-\s]old|[yY]/?\.?[oO]\.?|yrs?|y)?\s*(?:(F)|(M))(?=\b|[,.])"
    r"|\b(?i:sex|gender)\s*[:=]?\s*(?:(?i:(female|f)|(male|m))\b)"
)
_TITLES = re.compile(r"\b(?:(Mrs|Ms|Miss)|(Mr))\.?\s+[A-Z]")
_IMPLIED = re.compile(
    r"\b(?:(pregnant|post-?menopausal|pre-?menopausal|menses|menstrual|menarche|gravida|ovarian"
    r"|uterine|vaginal|hysterectomy|cervical cancer|endometri\w+|G[0-9]P[0-9])"
    r"|(prostate|prostatectomy|prostatitis|testes|testicular|testicle|penile|penis))\b",
    re.IGNORECASE,
)
_MOTHER = re.compile(
    r"\b(?:born|delivered)\b[^.]{0,40}\bto (?:an?|the)\b[^.]{0,25}$", re.IGNORECASE
)
_PRONOUNS = re.compile(r"\b(?:(she|her|hers|herself)|(he|his|him|himself))\b", re.IGNORECASE)

_PREGNANT = re.compile(
    r"\b(?:pregnant|gravid|intrauterine pregnancy|pregnancy|weeks['\u2019]?\s+(?:of\s+)?gestation"
    r"|(?:first|second|third) trimester|G[0-9]+\s?P[0-9]+(?:[0-9]{3})?\s+at\s+[0-9]+)\b",
    re.IGNORECASE,
)
_NOT_NOW = re.compile(
    r"\b(?:prior|previous|past|last|first|her|after|during|during her|of|ectopic|history of|avoid"
    r"|became|planning|desires?|wants?|become|get|getting|trying|attempt\w*|born|in)\b[^.;]{0,40}$"
    r"|\btests?\b",
    re.IGNORECASE,
)
_TEST = re.compile(
    r"\b(?:pregnancy test|urine hcg|beta-?hcg|hcg)\b[^.;]{0,25}\b(negative|positive)\b"
    r"|\b(negative|positive)\s+(?:urine\s+|serum\s+)?pregnancy test\b",
    re.IGNORECASE,
)
_BEYOND = re.compile(
    r"\b(?:post-?menopausal|hysterectomy|bilateral oophorectomy|surgically sterile)\b", re.I
)
_NOT_PREGNANT = re.compile(
    r"\b(?:not|non|isn't|denies being)[-\s]+(?:currently\s+)?pregnant\b"
    r"|\bnot breastfeeding or pregnant\b"
    r"|\bdenies (?:any\s+)?(?:current\s+)?pregnancy\b",
    re.IGNORECASE,
)


def read_sex(passages: Sequence[Passage]) -> tuple[Sex, Fact] | None:
    """Give the sex the note tells, from the plainest words to the faintest."""
    for pattern in (_LETTERS, _NOUNS, _TITLES):
        for passage in passages:
            for match in pattern.finditer(passage.text):
                start, end = match.start() + passage.start, match.end() + passage.start
                of_mother = _MOTHER.search(passage.text, 0, match.start())
                if of_mother is None and Effect.FAMILY not in passage.effects(start, end):
                    return _told(passage, match)
    return _by_majority(passages, _PRONOUNS) or _by_majority(passages, _IMPLIED)


def _told(passage: Passage, match: re.Match[str]) -> tuple[Sex, Fact]:
    # Odd groups speak of women, even ones of men.
    sex = Sex.FEMALE if match.lastindex and match.lastindex % 2 else Sex.MALE
    start, end = match.start() + passage.start, match.end() + passage.start
    return sex, passage.fact(
        FactKind.SEX, start, end, status=sex.value, assertion=Assertion.PRESENT
    )


def _by_majority(passages: Sequence[Passage], pattern: re.Pattern[str]) -> tuple[Sex, Fact] | None:
    counts: Counter[Sex] = Counter()
    first: dict[Sex, Fact] = {}
    for passage in passages:
        for match in pattern.finditer(passage.text):
            sex, fact = _told(passage, match)
            if Effect.FAMILY not in passage.effects(fact.start, fact.end):
                counts[sex] += 1
                first.setdefault(sex, fact)
    if not counts or counts[Sex.FEMALE] == counts[Sex.MALE]:
        return None
    sex = counts.most_common(1)[0][0]
    return sex, first[sex]


def read_pregnancy(passages: Sequence[Passage], sex: Sex | None) -> tuple[bool | None, list[Fact]]:
    """Say whether the patient is pregnant, None if the note does not tell, and by which words."""
    if sex is Sex.MALE:
        return False, []
    for passage in passages:
        told = _test_result(passage) or _denied(passage) or _stated(passage)
        if told is not None:
            return told[0], [told[1]]
    for passage in passages:
        match = _BEYOND.search(passage.text)
        if match is not None:
            told = _pregnancy(passage, match, pregnant=False)
            if not passage.effects(told[1].start, told[1].end) & {Effect.FAMILY, Effect.NEGATED}:
                return False, [told[1]]
    return None, []


def _test_result(passage: Passage) -> tuple[bool, Fact] | None:
    match = _TEST.search(passage.text)
    if match is None:
        return None
    result = (match.group(1) or match.group(2)).lower()
    return _pregnancy(passage, match, pregnant=result == "positive")


def _denied(passage: Passage) -> tuple[bool, Fact] | None:
    match = _NOT_PREGNANT.search(passage.text)
    return None if match is None else _pregnancy(passage, match, pregnant=False)


def _stated(passage: Passage) -> tuple[bool, Fact] | None:
    for match in _PREGNANT.finditer(passage.text):
        start, end = match.start() + passage.start, match.end() + passage.start
        if passage.effects(start, end) or _NOT_NOW.search(passage.text[: match.start()]):
            continue
        if passage.text[match.end() :].lstrip().lower().startswith("test"):
            continue
        return _pregnancy(passage, match, pregnant=True)
    return None


def _pregnancy(passage: Passage, match: re.Match[str], *, pregnant: bool) -> tuple[bool, Fact]:
    start, end = match.start() + passage.start, match.end() + passage.start
    assertion = Assertion.PRESENT if pregnant else Assertion.ABSENT
    fact = passage.fact(FactKind.PREGNANCY, start, end, assertion=assertion, negated=not pregnant)
    return pregnant, fact
