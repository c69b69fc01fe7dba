"""Rules of doubt: what the note tells of, or suspects, is not settled by silence.

A disease that is only suspected is not had. And where the note tells of the very thing that an
exclusion criterion names, and no rule could decide it, nobody may say that it is not there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from trialyst.folding import fold
from trialyst.matching.judging.apart import is_idle, take_apart
from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.chart import Link
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.kin import Relation
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.view import Sighting
from trialyst.matching.patient import Assertion, Fact, FactKind

__all__ = ["judge_suspected", "judge_touched", "judge_treated"]

_MOST_LEFT = 1
"""Words of a criterion beside a thing the note tells of that leave it the same thing."""
_SEVERAL = 2
_ANY_TREATMENT = gated(
    r"\b(?:systemic|anti-?cancer|antineoplastic|anti-?tumou?r|cytotoxic|prior"
    r"|previous)\s+(?:\w+\s+)?"
    r"(?:therap|treatment|regimen)|\bchemotherap|\btreatment[- ]na(?:i|\u00ef)ve"
)
_BY_EFFECT = gated(
    r"\bcyp\s*\d\w*|\bp-?gp\b|\bp-?glycoprotein|\binduc(?:er|tor)s?\b"
    r"|\bprolong\w*\b.{0,12}\bqtc?\b|\bqtc?[- ](?:interval )?prolong\w*"
)
"""Drugs told by what they do, of which no list is known."""
_ANTICANCER = re.compile(
    r"chemo|platin\b|taxel\b|rubicin\b|bine\b|trexed\b|poside\b|tecan\b|uracil\b|mustine\b"
    r"|zolomide\b"
    r"|(?:lizu|volu|tuxi|tuzu|cizu|limu)mab\b|\wnib\b|ciclib\b|parib\b|vedotin\b|immunotherap",
    re.IGNORECASE,
)
_SUPPRESSION = gated(r"\bimmun[oe]-?suppress\w*\s+(?:\w+\s+)?(?:therap|drug|agent|medic|treat)")
_SUPPRESSES = re.compile(
    r"\b(?:methyl)?predniso|\bdexameth|\bcortico|\bsteroid|\btacrolimus|\bc[iy]closporin"
    r"|\bmycophenol"
    r"|\bazathioprin|\bmethotrexat|\b(?:siro|evero)limus|\bcyclophosph|\w(?:cept|limumab|liximab"
    r"|citinib)\b",
    re.IGNORECASE,
)
_OPENLY = gated(r"\b(?:suspect\w*|suspicion|possible|probable|presum\w*|likely|risk|signs?)\b")


def judge_suspected(case: Case) -> Decision | None:
    """A condition the note only suspects."""
    statement = case.statement
    if statement.denies or _OPENLY.search(statement.lowered):
        return None
    links = [link for link in _links(case) if link.relation is Relation.SAME]
    if not links or any(link.fact.assertion is not Assertion.POSSIBLE for link in links):
        return None
    if case.matches.residue:
        return None
    thing = links[0].fact.text
    return Decision(
        "suspected",
        Verdict.UNKNOWN,
        f"The note only suspects {thing!r}.",
        _places(links),
        missing=f"whether it is certain: {thing}",
    )


def judge_treated(case: Case) -> Decision | None:
    """No treatment asked for, of a kind that any the note tells of may be."""
    statement = case.statement
    if case.exclusion or not statement.denies or not _ANY_TREATMENT.search(statement.lowered):
        return None
    drugs = [fact for fact in _told_drugs(case) if _ANTICANCER.search(fact.text)]
    return _of_drugs(case, drugs, "whether it was such a treatment")


def _told_drugs(case: Case) -> list[Fact]:
    return [fact for fact in case.view.chart.of(FactKind.THERAPY) if fact.holds]


def _of_drugs(case: Case, drugs: list[Fact], missing: str) -> Decision | None:
    if not drugs:
        return None
    return Decision(
        "treated",
        Verdict.UNKNOWN,
        f"The note tells of {drugs[0].text!r}, but not {missing}.",
        tuple(Sighting(fact.sentence, fact.start, fact.end, "has") for fact in drugs),
        missing=f"{missing}: {drugs[0].text}",
    )


def judge_touched(case: Case) -> Decision | None:
    """An exclusion of what the note tells of, which no rule could decide."""
    if not case.exclusion or case.statement.denies:
        return None
    if case.statement.speaks_of("allergy") and not _is_allergy_told(case):
        return None
    links = [link for link in _links(case) if _speaks_for(link)]
    places = _places(links) if links and _says_little_else(case) else _said_whole(case)
    if not places:
        return _of_drugs(case, _suspects(case), "whether it is such a drug")
    thing = case.view.note.text[places[0].start : places[0].end]
    return Decision(
        "touched",
        Verdict.UNKNOWN,
        f"The note tells of {thing!r}, but not whether it is what the criterion means.",
        places,
        missing=f"when, how long or how much: {thing}",
    )


def _is_allergy_told(case: Case) -> bool:
    """Whether the note tells of an allergy to what the criterion names."""
    asked = set(fold(case.statement.text))
    allergies = (fact for fact in case.view.chart.of(FactKind.ALLERGY) if fact.holds)
    return any(not asked.isdisjoint(fold(fact.text)) for fact in allergies)


def _suspects(case: Case) -> list[Fact]:
    """Give the drugs of the note that may do what the criterion says of drugs."""
    if _BY_EFFECT.search(case.statement.lowered):
        return _told_drugs(case)
    if _SUPPRESSION.search(case.statement.lowered):
        return [fact for fact in _told_drugs(case) if _SUPPRESSES.search(fact.text)]
    return []


def _links(case: Case) -> Iterator[Link]:
    for hit in case.view.chart.find(case.statement.text):
        yield from hit.links


def _speaks_for(link: Link) -> bool:
    return link.fact.holds and link.relation in (Relation.SAME, Relation.WIDER)


def _says_little_else(case: Case) -> bool:
    reading = take_apart(case)
    if reading is None:
        return False
    left = [
        token
        for token in reading.tokens
        if not reading.covers(token) and not is_idle(token.folded) and token.folded != "or"
    ]
    # "Asthma exacerbation" is another thing than asthma.
    ends = {group.end for group in reading.groups}
    text = case.statement.text
    headed = any(
        not text[end : token.start].strip(" -")
        for token in left
        for end in ends
        if end <= token.start
    )
    return len(left) <= _MOST_LEFT and not headed


def _said_whole(case: Case) -> tuple[Sighting, ...]:
    """Give the words of the criterion where one sentence affirms all of them."""
    contents = set(case.statement.contents)
    said: dict[int, dict[str, Sighting]] = {}
    for content, sighting in case.matches.words:
        if sighting.standing == "has":
            said.setdefault(sighting.sentence, {}).setdefault(content, sighting)
    for held in said.values():
        if len(contents) >= _SEVERAL and contents == set(held):
            return tuple(held.values())
    return ()


def _places(links: list[Link]) -> tuple[Sighting, ...]:
    found = (Sighting(link.fact.sentence, link.fact.start, link.fact.end, "has") for link in links)
    return tuple(dict.fromkeys(found))
