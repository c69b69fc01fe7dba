"""A criterion as the rules read it: what it speaks of, its words of content, its demands.

Reading is pure and remembered, because the same criteria come back for every patient.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from trialyst.folding import fold
from trialyst.matching.judging.ages import AgeRange, find_age_ranges
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.lexicon import (
    Syndrome,
    find_kinds,
    find_syndromes,
    meaning,
)
from trialyst.matching.judging.limits import Limit, find_limits

__all__ = ["ReadStatement", "WantedSex", "read_statement"]

_REMEMBERED = 20_000
_BOTH = gated(
    r"\b(?:males? (?:and|or|&) (?:non-pregnant )?females?|females? (?:and|or|&) males?"
    r"|both (?:genders?|sex(?:es)?)|either (?:gender|sex)|any (?:gender|sex)|all (?:genders|sexes)"
    r"|m[ae]n (?:and|or|&) wom[ae]n|wom[ae]n (?:and|or|&) m[ae]n|male/female|female/male)\b"
)
_FEMALE = gated(r"\b(?:females?|wom[ae]n|girls?|mothers?)\b")
_MALE = gated(r"\b(?:males?|m[ae]n|boys?)\b")
_DENIAL = gated(
    r"^\W*(?:\d+[.)]\s*)?(?:(?:the )?(?:patients?|subjects?|participants?|individuals?|those|they)"
    r"\s+)?(?:(?:who|with|has|have|had|is|are|must|should|were|do|does)\s+)*"
    r"(?:no|not|never|neither|without|absence of|lack of|free of|negative for|none|been never"
    r"|missing|failure to(?! thrive)|refus\w*|unable|unwilling|inability|cannot|can ?not|can't"
    r"|exclusion of)\b"
)
_SEPARATOR = re.compile(
    r"\s*(?:;|,|:|§|\band/or\b|\bor\b|\bsuch as\b|\be\.?g\.?,?|\bi{1,3}\)|/(?=[a-z]{3}))\s*"
)
_SHORTEST = 2
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")
"""What no text has; records are free to hold it all the same."""
_ASIDE = re.compile(r"\([^()]*\)")
_PURPOSE = re.compile(
    r"(?:,\s*)?\b(?:in order )?to (?:rule out|avoid|exclude|ensure|minimi[sz]e|reduce|prevent"
    r"|limit)\b.*$|\b(?:on|at) (?:the )?(?:day|date|time|start|moment) of (?:the )?"
    r"[\w-]+(?: [\w-]+){0,2}(?=\s*(?:[.;,)]|$))",
    re.IGNORECASE,
)
"""Why an age is asked for, and when the patient must have it."""
_OF_GROUP = re.compile(r"\s*for (?:the )?[\w-]+(?: [\w-]+)?(?=\s*(?:[.;,]|$))")
_AGE_WORDS = frozenset(
    fold(
        "maternal newborn neonate "
        "adult child pediatric geriatric toddlers minors young adults only "
        "years months days weeks elderly man woman boy girl genders race "
        "inclusive sexes eligible weighing male female sex onward signing form yrs equal teens "
        "teenagers adolescent infant enrollment visit old older younger above over under both "
        "volunteers gender men women range between least"
    )
)


class WantedSex(StrEnum):
    """Whom a criterion speaks of."""

    NOT_SAID = ""
    ANY = "any"
    FEMALE = "FEMALE"
    MALE = "MALE"


class ReadStatement(NamedTuple):
    """A criterion read once for all patients."""

    text: str
    lowered: str
    kinds: frozenset[str]
    tokens: tuple[str, ...]
    contents: tuple[str, ...]
    """The meanings of its words, generic ones left out, each once."""
    ages: tuple[AgeRange, ...]
    sex: WantedSex
    syndromes: tuple[tuple[Syndrome, frozenset[str]], ...]
    """The conditions it names, and the meanings of the words by which it does."""
    limits: tuple[Limit, ...]
    denies: bool
    """It begins by denying: `no history of`, `unable to`."""
    demographic: bool
    """It asks for age or sex and nothing else."""

    @property
    def parts(self) -> tuple[ReadStatement, ...]:
        """The alternatives it lists, each read by itself; only itself if it lists none."""
        if not _SEPARATOR.search(self.lowered):
            return (self,)
        pieces = (piece.strip() for piece in _SEPARATOR.split(self.lowered))
        return tuple(read_statement(piece) for piece in pieces if len(piece) > _SHORTEST)

    def speaks_of(self, *kinds: str) -> bool:
        """Whether one of the kinds is among those of the criterion."""
        return not self.kinds.isdisjoint(kinds)


@lru_cache(maxsize=_REMEMBERED)
def read_statement(text: str) -> ReadStatement:
    """Read a criterion."""
    if not text.isprintable():
        text = _CONTROL.sub(" ", text)
    lowered = text.lower()
    tokens = tuple(fold(text))
    contents = tuple([found for found in dict.fromkeys(map(meaning, tokens)) if found is not None])
    ages = find_age_ranges(text)
    sex = _wanted_sex(lowered)
    asks = bool(ages) or (sex is not WantedSex.NOT_SAID)
    return ReadStatement(
        text=text,
        lowered=lowered,
        kinds=find_kinds(lowered),
        tokens=tokens,
        contents=contents,
        ages=ages,
        sex=sex,
        syndromes=tuple([(found, _named(found, lowered)) for found in find_syndromes(lowered)]),
        limits=find_limits(lowered),
        denies=_DENIAL.match(lowered) is not None,
        demographic=asks and not _asks_beyond(text, ages),
    )


def _asks_beyond(text: str, ages: tuple[AgeRange, ...]) -> bool:
    """Whether a criterion has words, outside of parentheses, that tell of more than age and sex."""
    outside = fold(_PURPOSE.sub(" ", _ASIDE.sub(" ", _without(text, ages))))
    return any(meaning(token) and token not in _AGE_WORDS for token in outside)


def _without(text: str, ages: tuple[AgeRange, ...]) -> str:
    """Give a criterion without the words that tell an age."""
    for found in reversed(ages):
        group = _OF_GROUP.match(text, found.end) if len(ages) > 1 else None
        text = f"{text[: found.start]} {text[group.end() if group else found.end :]}"
    return text


def _named(syndrome: Syndrome, lowered: str) -> frozenset[str]:
    words: set[str | None] = set()
    for match in syndrome.named.finditer(lowered):
        start = lowered.rfind(" ", 0, match.start()) + 1
        end = lowered.find(" ", match.end())
        words.update(map(meaning, fold(lowered[start : end if end >= 0 else None])))
    return frozenset(word for word in words if word is not None)


def _wanted_sex(lowered: str) -> WantedSex:
    if _BOTH.search(lowered):
        return WantedSex.ANY
    female = _FEMALE.search(lowered) is not None
    male = _MALE.search(lowered) is not None
    if female == male:
        return WantedSex.NOT_SAID
    return WantedSex.FEMALE if female else WantedSex.MALE
