"""Conditions, symptoms, treatments, procedures and allergies of a sentence as facts."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from trialyst.eligibility.reading.headings import Section
from trialyst.matching.context import Effect
from trialyst.matching.patient import Assertion, ConceptRef, FactKind
from trialyst.matching.reading.therapies import find_cues, read_dose, read_line, therapy_status

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trialyst.matching.patient import Fact
    from trialyst.matching.reading.passage import Passage
    from trialyst.matching.reading.spotting import Spotted
    from trialyst.matching.reading.therapies import Cue

__all__ = ["read_no_allergies", "read_things"]

_NO_ALLERGIES = re.compile(
    r"\b(?:NKDA|NKA|no\s+(?:known\s+)?(?:drug\s+|medication\s+|food\s+)?allerg(?:ies|y)"
    r"|denies\s+(?:any\s+)?(?:drug\s+)?allerg(?:ies|y)|no\s+(?:positive\s+)?history\s+of\s+drug\s+allergy)\b",
    re.IGNORECASE,
)
_ALLERGIC_TO = re.compile(
    r"\b(?:allerg(?:ic|y|ies)|anaphyla(?:xis|ctic reaction)|hypersensitiv(?:e|ity)"
    r"|intoleran(?:t|ce))\s+(?:reactions?\s+)?(?:to|include|includes|including|of|:)\s+[^.;]*$",
    re.IGNORECASE,
)
_ALLERGY_AFTER = re.compile(r"\s*[-(]?\s*(?:allergy|allergic|anaphylaxis)\b", re.IGNORECASE)
_PURPOSE = re.compile(
    r"[-\s]+(?:surgery|repair|resection|treatments?|therap(?:y|ies)|medications?|drugs?|screening"
    r"|vaccin\w*|immuni[sz]ation|tests?|testing"
    r"|specific|directed|related)\b",
    re.IGNORECASE,
)
_IN_TREATMENT = re.compile(
    r"\b(?:iv|oral|po|mg|mcg|units?|supplement\w*|replacement|infusion|tablets?|injections?|therapy"
    r"|drops|cream|gel|patch)\b|\b[0-9]+\s*mg\b",
    re.IGNORECASE,
)


def read_things(
    passage: Passage, spotted: Sequence[Spotted], measured: Sequence[tuple[int, int]]
) -> Iterator[Fact]:
    """Make facts of the names found in a sentence; what was read as a measurement is none."""
    treated = any(each.kind in (FactKind.THERAPY, FactKind.PROCEDURE) for each in spotted)
    cues = find_cues(passage) if treated else []
    line = read_line(passage) if treated else None
    for each in spotted:
        if any(start <= each.start < end for start, end in measured):
            continue
        if each.kind is FactKind.THERAPY:
            yield from _therapy(passage, each, cues, line)
        elif each.kind is FactKind.PROCEDURE:
            yield _procedure(passage, each, cues)
        else:
            yield _condition(passage, each)


def _condition(passage: Passage, spotted: Spotted) -> Fact:
    fact = passage.fact(
        spotted.kind,
        spotted.start,
        spotted.end,
        concept=spotted.concept,
        when=passage.when(spotted.start, spotted.end),
    )
    if fact.assertion is Assertion.ABSENT and _is_purpose(passage, spotted):
        return replace(fact, assertion=Assertion.POSSIBLE, negated=False)
    return fact


def _is_purpose(passage: Passage, spotted: Spotted) -> bool:
    """Say whether what is denied is only done about a condition, as "no cancer treatment"."""
    after = passage.quote(spotted.end, passage.sentence.end)
    return spotted.kind is FactKind.CONDITION and _PURPOSE.match(after) is not None


def _procedure(passage: Passage, spotted: Spotted, cues: list[Cue]) -> Fact:
    fact = _condition(passage, spotted)
    status = therapy_status(passage, cues, spotted.start, spotted.end)
    return _planned(replace(fact, status="" if status == "current" else status))


def _therapy(
    passage: Passage, spotted: Spotted, cues: list[Cue], line: int | None
) -> Iterator[Fact]:
    dose = read_dose(passage, spotted.end)
    if spotted.measured and not dose and not _is_given(passage, spotted):
        return
    if _is_allergy(passage, spotted):
        yield replace(_condition(passage, spotted), kind=FactKind.ALLERGY)
        return
    fact = _condition(passage, spotted)
    if fact.assertion is Assertion.HYPOTHETICAL:
        # "Penicillin prophylaxis" is taken; what is only planned has words of its own.
        fact = replace(fact, assertion=Assertion.PRESENT)
    status = therapy_status(passage, cues, spotted.start, spotted.end)
    if fact.assertion is Assertion.ABSENT:
        status = "refused" if status == "refused" else ""
    elif status == "refused":
        fact = replace(fact, assertion=Assertion.ABSENT, negated=True)
    yield _planned(replace(fact, status=status, detail=dose, line=line))


def _planned(fact: Fact) -> Fact:
    if fact.status == "planned" and fact.holds:
        return replace(fact, assertion=Assertion.HYPOTHETICAL)
    if fact.status == "prior" and fact.assertion is Assertion.PRESENT:
        return replace(fact, assertion=Assertion.HISTORICAL)
    return fact


def _is_given(passage: Passage, spotted: Spotted) -> bool:
    if passage.section is Section.MEDICATION:
        return True
    around = passage.quote(max(passage.start, spotted.start - 12), spotted.end + 18)
    return _IN_TREATMENT.search(around) is not None


def _is_allergy(passage: Passage, spotted: Spotted) -> bool:
    if passage.section is Section.ALLERGY:
        return True
    before = passage.quote(passage.start, spotted.start)
    after = passage.quote(spotted.end, spotted.end + 20)
    return _ALLERGIC_TO.search(before) is not None or _ALLERGY_AFTER.match(after) is not None


def read_no_allergies(passage: Passage) -> Iterator[Fact]:
    """Find the statement that there are no allergies."""
    for match in _NO_ALLERGIES.finditer(passage.text):
        start, end = match.start() + passage.start, match.end() + passage.start
        if Effect.FAMILY not in passage.effects(start, end):
            yield passage.fact(
                FactKind.ALLERGY,
                start,
                end,
                assertion=Assertion.ABSENT,
                negated=True,
                concept=ConceptRef("term:allergy", "Allergies"),
            )
