"""How far a disease has come: stages and extents that criteria ask for and notes tell.

`stage IIIB or IV`, `unresectable or metastatic`, `fibrosis stage F2 or F3`, `CKD stage 3 to 4`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from trialyst.matching.judging.gates import gated
from trialyst.matching.patient import Assertion, Fact, FactKind

if TYPE_CHECKING:
    from trialyst.matching.judging.chart import Chart

__all__ = ["AskedExtent", "find_extents", "judge_extents"]

_STAGE = r"(?:iv|iii|ii|i|[0-5])(?:\s?[abc](?:[1-3])?)?"
_LIST = rf"{_STAGE}(?:\s*(?:,\s*or|,|/|or|and|to|through|-|\u2013)\s*(?:stages?\s*)?{_STAGE}\b)*"
_STAGES = gated(
    rf"(?P<of>\b(?:ckd|chronic kidney disease(?:\s*\(ckd\))?|gold),?\s*)?"
    rf"\b(?:clinical |pathologic(?:al)? |ajcc |figo )?stages?\s+(?P<list>{_LIST})\b"
    r"(?P<after>\s*(?:ckd|chronic kidney disease|kidney disease))?"
)
_FIBROSIS = re.compile(
    r"\b(?:liver\s+)?(?:fibrosis\s*,?\s*)?(?:(?:stages?|score|grade)\s+)?f\s?([0-4])"
    r"((?:\s*(?:,|or|to|and|-|\u2013|/)\s*f?\s?[0-4])*)(?:\s+(?:liver\s+)?fibrosis)?\b"
)
_EXTENT = gated(
    r"\b(metastatic|unresectable|inoperable|non-?resectable|locally[- ]advanced|advanced"
    r"|extensive[- ]stage|limited[- ]stage|recurrent|relapsed|refractory)\b(?:\s+disease\b)?"
)
_ONE = re.compile(_STAGE)
_GRADED = re.compile(r"f\s?[0-4]")
"""What every fibrosis score has, to pass most criteria by."""
_RANGE = re.compile(r"to|through|-|\u2013")
_NUMERALS = {"i": 1, "ii": 2, "iii": 3, "iv": 4}
_OR = re.compile(r"\bor\b|,|/")
_CLOSE = 12
_METASTASIS = "metasta"


class AskedExtent(NamedTuple):
    """A stage or extent in a criterion; `of` is `stage`, `extent` or the id of a class."""

    start: int
    end: int
    of: str
    wanted: tuple[str, ...]
    """Stages such as `3b`, or one extent."""


@lru_cache(maxsize=20_000)
def find_extents(lowered: str) -> tuple[AskedExtent, ...]:
    """Find the stages and extents a criterion in lower case asks for.

    >>> [(asked.of, asked.wanted) for asked in find_extents("stage iiib or iv melanoma")]
    [('stage', ('3b', '4'))]
    """
    found = []
    for match in _STAGES.finditer(lowered):
        of = match.group("of") or match.group("after") or ""
        key = "score:gold" if "gold" in of else "score:ckd_stage" if of else "stage"
        found.append(AskedExtent(*match.span(), key, _listed(match.group("list"))))
    for match in _FIBROSIS.finditer(lowered) if _GRADED.search(lowered) else ():
        listed = _listed(f"{match.group(1)}{match.group(2).replace('f', '')}")
        found.append(AskedExtent(*match.span(), "score:fibrosis", listed))
    for match in _EXTENT.finditer(lowered):
        extent = re.sub(r"[- ]", " ", match.group(1))
        found.append(AskedExtent(*match.span(), "extent", (extent,)))
    return tuple(sorted(found))


def _listed(text: str) -> tuple[str, ...]:
    """Give the stages of a list, those between the ends of a range too."""
    stages = list(_ONE.finditer(text))
    found: list[str] = []
    for at, match in enumerate(stages):
        stage = _plain(match.group())
        gap = text[stages[at - 1].end() : match.start()] if at else ""
        if at and _RANGE.search(gap):
            found += [str(n) for n in range(int(found[-1][0]) + 1, int(stage[0]))]
        found.append(stage)
    return tuple(found)


def _plain(stage: str) -> str:
    """Write a stage with a digit.

    >>> _plain("IIIB"), _plain("2")
    ('3b', '2')
    """
    text = stage.lower().replace(" ", "")
    numeral = re.match(r"iv|i{1,3}", text)
    return text if numeral is None else f"{_NUMERALS[numeral.group()]}{text[numeral.end() :]}"


def judge_extents(
    asked: Sequence[AskedExtent], lowered: str, chart: Chart
) -> tuple[bool | None, tuple[Fact, ...]]:
    """Say whether the note's stage is what is asked; those joined by `or` are alternatives."""
    if not asked:
        return True, ()
    alternatives: list[list[AskedExtent]] = [[asked[0]]]
    for one, other in pairwise(asked):
        gap = lowered[one.end : other.start]
        if _OR.search(gap) and len(gap) <= _CLOSE:
            alternatives.append([other])
        else:
            alternatives[-1].append(other)
    told = [_all(alternative, chart) for alternative in alternatives]
    for truth, facts in told:
        if truth:
            return True, facts
    if all(truth is False for truth, _ in told):
        return False, told[0][1]
    return None, ()


def _all(asked: Iterable[AskedExtent], chart: Chart) -> tuple[bool | None, tuple[Fact, ...]]:
    told = [_one(each, chart) for each in asked]
    for truth, fact in told:
        if truth is False:
            return False, (fact,) if fact else ()
    facts = tuple(fact for _, fact in told if fact)
    return (True if all(truth for truth, _ in told) else None), facts


def _one(asked: AskedExtent, chart: Chart) -> tuple[bool | None, Fact | None]:
    if asked.of.startswith("score:"):
        return _class(asked, chart)
    if asked.of == "stage":
        fact = _stage(chart)
        return (None, None) if fact is None else (_fits(asked.wanted, _plain(fact.detail)), fact)
    return _extent(asked.wanted[0], chart)


def _class(asked: AskedExtent, chart: Chart) -> tuple[bool | None, Fact | None]:
    for fact in reversed(list(chart.of(FactKind.MEASUREMENT))):
        if fact.concept is not None and fact.concept.id == asked.of and fact.detail:
            return _fits(asked.wanted, _plain(fact.detail)), fact
    return None, None


def _fits(wanted: Sequence[str], stage: str) -> bool | None:
    """Whether a stage is one of those wanted: IIIB is III; whether III is IIIB is not known."""
    if any(stage.startswith(each) for each in wanted):
        return True
    return None if any(each.startswith(stage) for each in wanted) else False


def _stage(chart: Chart) -> Fact | None:
    """Give the numbered stage told last."""
    told = [
        fact
        for fact in chart.of(FactKind.STAGE)
        if fact.assertion is Assertion.PRESENT and re.match(r"(?:IV|I{1,3}|0)", fact.detail)
    ]
    return told[-1] if told else None


def _extent(wanted: str, chart: Chart) -> tuple[bool | None, Fact | None]:
    told = {fact.detail.replace("-", " "): fact for fact in chart.of(FactKind.STAGE) if fact.holds}
    if wanted in told:
        return True, told[wanted]
    stage = _stage(chart)
    number = 0 if stage is None else int(_plain(stage.detail)[0])
    spread = next((fact for fact in chart.of(FactKind.CONDITION) if _is_spread(fact)), None)
    if wanted in ("extensive stage", "limited stage"):
        other = "limited stage" if wanted == "extensive stage" else "extensive stage"
        return (False, told[other]) if other in told else (None, None)
    if wanted in ("recurrent", "relapsed", "refractory"):
        return None, None
    far = spread or told.get("metastatic") or (stage if number >= 4 else None)
    if far is not None:
        return (None, None) if wanted == "locally advanced" else (True, far)
    return _not_spread(wanted, told, stage, number)


def _not_spread(
    wanted: str, told: dict[str, Fact], stage: Fact | None, number: int
) -> tuple[bool | None, Fact | None]:
    local = told.get("locally advanced") or told.get("unresectable")
    if wanted == "metastatic":
        return (None, None) if stage is None else (False, stage)
    if wanted == "advanced" and (local is not None or number == 3):
        return True, local or stage
    if wanted == "locally advanced" and number == 3:
        return True, stage
    return (False, stage) if stage is not None and number < 3 else (None, None)


def _is_spread(fact: Fact) -> bool:
    return fact.holds and _METASTASIS in fact.name.lower() and "lymph node" not in fact.name.lower()
