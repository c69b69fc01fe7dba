"""Smoking, alcohol and other substances: never, former or current, and how much."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trialyst.eligibility.quantity import Quantity
from trialyst.matching.context import Effect
from trialyst.matching.patient import Assertion, FactKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trialyst.matching.patient import Fact
    from trialyst.matching.reading.passage import Passage

__all__ = ["read_habits"]

_SMOKING = re.compile(
    r"\b(?:(?:non|never|ex|current|former|active|heavy|lifelong)[-\s]*)*"
    r"(?:smok(?:ers?|es|ed|ing|e)|tobacco(?:\s+(?:use|abuse|products?))?|cigarettes?|nicotine"
    r"|[0-9.]+\s*[-\s]?(?:pack[-\s]?(?:years?|yrs?)|ppd|packs?\s+(?:per|a)\s+day))\b",
    re.IGNORECASE,
)
_ALCOHOL = re.compile(
    r"\b(?<!non-)(?<!rubbing )(?:alcohol(?:ism|ics?)?"
    r"(?:\s+(?:use|abuse|consumption|dependence|intake))?"
    r"|et-?oh|drinks|drinker|drinking|beers?|wine|liquor|vodka|whiske?y"
    r"|units\s+(?:a|per)\s+(?:day|week))\b"
    r"(?!\s*(?:free|water|hepatitis|cirrhosis|liver|steato|fatty|coffee|fluids|milk|tea|plenty))",
    re.IGNORECASE,
)
_SUBSTANCE = re.compile(
    r"\b(?:cocaine|heroin|marijuana|cannabis|methamphetamines?|amphetamine abuse|IVDU|IVDA|IDU"
    r"|(?:iv|intravenous|illicit|recreational|injection|street)\s+drugs?(?:\s+(?:use|abuse))?"
    r"|(?:drug|substance|opioid|opiate)\s+(?:use|abuse|misuse|dependence)|drugs of abuse)\b",
    re.IGNORECASE,
)
_WORDS = {
    FactKind.SMOKING: ("smok", "tobacco", "cigar", "nicotine", "pack", "ppd", "nonsmok", "exsmok"),
    FactKind.ALCOHOL: (
        *("alcohol", "et", "drink", "beer", "wine", "liquor", "vodka", "whisk", "units"),
    ),
    FactKind.SUBSTANCE: (
        *("cocaine", "heroin", "marijuana", "cannabis", "meth", "amphet", "ivd", "idu", "drug"),
        *("substance", "opioid", "opiate"),
    ),
}
_NEVER = re.compile(
    r"\b(?:never|non-?\s?smok|non-?\s?drink|life-?long non|teetotal|abstain)|\bneg\b|\b0\s*pack",
    re.I,
)
_FORMER = re.compile(
    r"\b(?:ex-|ex\s|former|formerly|quit|stopped|gave up|used to|no longer|remote|previous(?:ly)?"
    r"|prior|past(?! medical)|until|sober|abstinent|in recovery|recovering|off\s+et-?oh"
    r"|(?:history|h/o|hx) of)",
    re.IGNORECASE,
)
_CURRENT = re.compile(r"\b(?:current|currently|active|ongoing|still|continues|smokes|now)\b", re.I)
_PASSIVE = re.compile(r"\b(?:second-?\s?hand|passive|exposure to (?:cigarette )?smoke)", re.I)
_ADVICE = re.compile(r"\s+(?:cessation|counsel)", re.IGNORECASE)
_NEXT = re.compile(r";|\bbut\b|\band\s+(?=(?:drinks|smokes|uses|does|he|she)\b)", re.IGNORECASE)
_PACK_YEARS = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*[-\s]?pack[-\s]?(?:years?|yrs?)", re.IGNORECASE)


def read_habits(passage: Passage) -> Iterator[Fact]:
    """Find what the note says of smoking, drinking and drugs, one fact a sentence and habit."""
    for kind, pattern in (
        (FactKind.SMOKING, _SMOKING),
        (FactKind.ALCOHOL, _ALCOHOL),
        (FactKind.SUBSTANCE, _SUBSTANCE),
    ):
        if not any(word.startswith(_WORDS[kind]) for word in passage.vocabulary):
            continue
        told = [_habit(passage, kind, match) for match in pattern.finditer(passage.text)]
        found = [fact for fact in told if fact is not None]
        if found:
            yield next((fact for fact in found if fact.negated), found[0])


def _habit(passage: Passage, kind: FactKind, match: re.Match[str]) -> Fact | None:
    start, end = match.start() + passage.start, match.end() + passage.start
    effects = passage.effects(start, end)
    clause = _clause_around(passage.text, match)
    advised = _ADVICE.match(passage.text, match.end()) is not None
    if advised or effects & {Effect.FAMILY, Effect.HYPOTHETICAL} or _PASSIVE.search(clause):
        return None
    status = _status(clause, effects)
    amount = _PACK_YEARS.search(passage.text) if kind is FactKind.SMOKING else None
    value = None if amount is None else Quantity(float(amount.group(1)), "pack-years")
    assertion = Assertion.ABSENT if status == "never" else Assertion.PRESENT
    if status == "former":
        assertion = Assertion.HISTORICAL
    return passage.fact(
        kind,
        start,
        end,
        assertion=assertion,
        negated=status == "never",
        status=status,
        value=value,
        when=passage.when(start, end),
    )


def _status(clause: str, effects: frozenset[Effect]) -> str:
    if _FORMER.search(clause) and not _CURRENT.search(clause) and Effect.NEGATED not in effects:
        return "former"
    if re.search(r"\bno longer\b", clause, re.IGNORECASE):
        return "former"
    if Effect.NEGATED in effects or _NEVER.search(clause):
        return "never"
    return "current"


def _clause_around(text: str, match: re.Match[str]) -> str:
    """Give the part of a sentence that speaks of the habit."""
    begin = max(
        (found.end() for found in _NEXT.finditer(text) if found.end() <= match.start()), default=0
    )
    closing = _NEXT.search(text, match.end())
    return text[begin : closing.start() if closing else len(text)]
