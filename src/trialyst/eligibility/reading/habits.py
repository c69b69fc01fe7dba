"""Smoking, alcohol and other substances: never, former or current, and how much."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from trialyst.eligibility.chart import Assertion, HabitEntry
from trialyst.eligibility.quantity import Quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trialyst.eligibility.reading.passage import Passage

__all__ = ["find_habit_places", "read_habits"]

_HABITS = {
    "smoking": re.compile(
        r"\b(?:(?:non|never|ex|current|former|active|heavy|lifelong|social)[-\s]*)*"
        r"(?:smok(?:ers?|es|ed|ing|e)\b|tobacco(?:\s+(?:use|abuse|products?))?|cigarettes?|nicotine"
        r"|[0-9.]+\s*[-\s]?(?:pack[-\s]?(?:years?|yrs?)|ppd|packs?\s+(?:per|a)\s+day))\b",
        re.IGNORECASE,
    ),
    "alcohol": re.compile(
        r"(?<!non-)(?<!rubbing )\b(?:alcohol(?:ism|ics?)?"
        r"(?:\s+(?:use|abuse|consumption|dependence|intake))?"
        r"|et-?oh|sober|drinks|drinker|drinking|beers?|wine|liquor|vodka|whiske?y"
        r"|units\s+(?:a|per)\s+(?:day|week))\b"
        r"(?!\s*(?:free|water|hepatitis|cirrhosis|liver|steato|fatty|coffee|fluids|milk|tea|plenty"
        r"|withdrawal))",
        re.IGNORECASE,
    ),
    "drugs": re.compile(
        r"\b(?:cocaine|heroin|marijuana|cannabis|methamphetamines?|amphetamine abuse|IVDU|IVDA|IDU"
        r"|(?:iv|intravenous|illicit|recreational|injection|street)\s+drugs?(?:\s+(?:use|abuse))?"
        r"|(?:drug|substance|opioid|opiate)\s+(?:use|abuse|misuse|dependence)|drugs of abuse"
        r"|(?<=or )drugs\b(?=\s*(?:[.,;]|$)))\b",
        re.IGNORECASE,
    ),
}
_HINT = re.compile(
    r"\b(?:(?:non|ex)?-?smok|tobacco|cigar|nicotine|[0-9.]*-?\s?pack|[0-9.]*ppd|alcohol|et-?oh|sober|drink"
    r"|beer|wine|liquor|vodka|whisk|units|cocaine|heroin|marijuana|cannabis|meth|amphet|ivd|idu|drug"
    r"|substance|opioid|opiate)",
    re.IGNORECASE,
)
"""What a sentence about habits holds; most hold nothing of it."""
_MOST = 8
"""Mentions of one habit in a sentence that are read."""
_NEVER = re.compile(
    r"\b(?:never|non-?\s?smok|non-?\s?drink|life-?long non|teetotal|abstain)|\bneg\b|\b0\s*pack",
    re.IGNORECASE,
)
_FORMER = re.compile(
    r"\b(?:ex-|ex\s|former|formerly|quit|stopped|stopping|gave up|used to|no longer|remote"
    r"|previous(?:ly)?|prior|past (?=smok|tobacco|use|alcohol|drug|drink)"
    r"|in the past\b(?!\s+(?:\w+\s+)?(?:year|month|week)s?)|until|sober|abstinent"
    r"|in recovery|recovering|off\s+et-?oh|(?:history|h/o|hx) of)",
    re.IGNORECASE,
)
_CURRENT = re.compile(r"\b(?:current|currently|active|ongoing|still|continues|smokes|now)\b", re.I)
_AGAIN = re.compile(
    r"\b(?:back to|resumed|restarted|went back to|started)\s+(?:smok|drink|us)ing\b", re.I
)
_OCCASIONAL = re.compile(
    r"\b(?:occasional(?:ly)?|social(?:ly)?|rare(?:ly)?|sometimes|minimal)\b", re.I
)
_ABUSE = re.compile(r"abuse|dependence|misuse|alcoholi|heavy|IVD|IDU|binge", re.IGNORECASE)
_PASSIVE = re.compile(r"\b(?:second-?\s?hand|passive|exposure to (?:cigarette )?smoke)", re.I)
_ADVICE = re.compile(r"\s+(?:cessation|counsel)", re.IGNORECASE)
_NEXT = re.compile(
    r";|\.\s|\bbut\b|,(?=\s*(?:and\s+)?(?:drinks|smokes|uses|does|he|she|occasional|never|former|denies|no)\b)"
    r"|\band\s+(?=(?:drinks|smokes|uses|does|he|she)\b)",
    re.IGNORECASE,
)
_PACK_YEARS = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*[-\s]?pack[-\s]?(?:years?|yrs?)", re.IGNORECASE)
_PER_DAY = re.compile(
    r"([0-9]+(?:\.[0-9]+)?)\s*(?:[-\u2013]\s*[0-9]+\s*)?"
    r"(ppd|packs?|cigarettes?|beers?|drinks?|glasses(?: of wine)?|units?)\s*(?:/|per|a|each)?\s*"
    r"(day|week|daily|weekly)?",
    re.IGNORECASE,
)


def find_habit_places(text: str) -> list[tuple[int, int]]:
    """Give where a text speaks of habits."""
    if _HINT.search(text) is None:
        return []
    return [match.span() for pattern in _HABITS.values() for match in pattern.finditer(text)]


def read_habits(passage: Passage) -> Iterator[HabitEntry]:
    """Find what the note says of smoking, drinking and drugs, one entry a sentence and habit."""
    if _HINT.search(passage.text) is None:
        return
    for what, pattern in _HABITS.items():
        matches = islice(pattern.finditer(passage.text), _MOST)
        told = [_habit(passage, what, match) for match in matches]
        found = [habit for habit in told if habit is not None]
        if found:
            usual = found[-1] if _AGAIN.search(passage.text) else found[0]
            yield next((habit for habit in found if habit.negated), usual)


def _habit(passage: Passage, what: str, match: re.Match[str]) -> HabitEntry | None:
    start, end = match.span()
    effects = passage.effects(start, end)
    clause = _clause_around(passage.text, match)
    advised = _ADVICE.match(passage.text, end) is not None
    if advised or effects & {"family", "hypothetical"} or _PASSIVE.search(clause):
        return None
    state = _state(clause, effects, match.group())
    assertion = {"never": Assertion.ABSENT, "former": Assertion.HISTORICAL}.get(
        state, Assertion.PRESENT
    )
    fields = passage.entry(start, end, assertion=assertion, negated=state == "never")
    return HabitEntry(**fields, what=what, state=state, amount=_amount(clause))


def _state(clause: str, effects: frozenset[str], written: str) -> str:
    if re.search(r"\bno longer\b", clause, re.IGNORECASE):
        return "former"
    if _AGAIN.search(clause):
        return "current"
    if _FORMER.search(clause) and not _CURRENT.search(clause) and "negated" not in effects:
        return "former"
    if "negated" in effects or _NEVER.search(clause):
        return "never"
    if _OCCASIONAL.search(clause):
        return "occasional"
    return "abuse" if _ABUSE.search(written) else "current"


def _amount(clause: str) -> Quantity | None:
    years = _PACK_YEARS.search(clause)
    if years is not None:
        return Quantity(float(years.group(1)), "pack-years")
    daily = _PER_DAY.search(clause)
    if daily is None:
        return None
    thing = "packs" if daily.group(2).lower() == "ppd" else daily.group(2).lower().rstrip("s") + "s"
    every = "week" if (daily.group(3) or "day").lower().startswith("week") else "day"
    return Quantity(float(daily.group(1)), f"{thing} a {every}")


def _clause_around(text: str, match: re.Match[str]) -> str:
    """Give the part of a sentence that speaks of the habit."""
    begin = 0
    for cut in _NEXT.finditer(text):
        if cut.end() <= match.start():
            begin = cut.end()
        elif cut.start() >= match.end():
            return text[begin : cut.start()]
    return text[begin:]
