"""Measured values of a criterion against what experts marked: comparator, value and unit together.

The marked text of a value is read here by a small reader of its own, which shares nothing with
the engine: a sign, one or two numbers, what is left is the unit. Values without a figure ("normal",
"class B") are counted apart.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from trialyst.eligibility.requirement import Bound
from trialyst.eligibility.values import ValuePhrase, find_values

__all__ = ["MarkedValue", "iter_marked", "judge_marked", "measure_values"]


class MarkedValue(NamedTuple):
    """A measurement and its value, as marked, in the line they stand in."""

    text: str
    name: tuple[int, int]
    value: tuple[int, int]
    nct_id: str = ""


_UP, _DOWN = "greater|more|higher|above|over", "less|lower|below|under|fewer"
_SIGNS = (
    (rf"not? (?:{_DOWN}) than|at least|minimum|(?:or|and) (?:{_UP}|older)|\+$", ">="),
    (rf"not? (?:{_UP}) than|at most|up to|maximum|not exceed|or (?:{_DOWN})", "<="),
    (rf"[≥⩾≧]|>\s*/?\s*(?:or\s*)?=|>_|=\s*>|(?:{_UP})\b.{{0,9}}\bequal", ">="),
    (rf"equal\b.{{0,8}}\b(?:{_UP})", ">="),
    (rf"[≤⩽≦]|<\s*/?\s*(?:or\s*)?=|<_|=\s*<|(?:{_DOWN})\b.{{0,9}}\bequal", "<="),
    (rf"equal\b.{{0,8}}\b(?:{_DOWN})", "<="),
    (r">|greater|more than|higher|above|over\b|exceed|superior", ">"),
    (r"<|less|lower than|below|under\b|smaller|inferior", "<"),
)
_FIGURE = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?|\.[0-9]+")
_POWER = re.compile(r"[x×*]?\s*10\s*(?:\^|\*\*|e|E)?\s*[0-9⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}(?=\s*(?:cells)?\s*/)")
_LIMIT = re.compile(
    r"uln\b|\bunl\b|upper|times normal|x normal|limits? of normal|\blln\b|lower limit",
    re.IGNORECASE,
)
_COUNTS = {"twice": "2", "two": "2", "three": "3", "one": "1", "five": "5", "four": "4", "six": "6"}
_SPELLINGS = (
    (r"×|\*", "x"), (r"[µμ]|mc(?=g|l|mol)", "u"), (r"\s+", ""), (r"percent", "%"),
    (r"deciliters?|decilitres?|100ml", "dl"), (r"milliliters?|cc\b|ccs\b", "ml"),
    (r"microliters?", "ul"), (r"liters?|litres?", "l"),
    (r"cubicmillimet(?:er|re)s?|cubicmm|mm\^3|mm3|mm³|mmc|cumm|cmm", "ul"),
    (r"milligrams?", "mg"), (r"kilograms?|kgs\b", "kg"), (r"grams?|gms?", "g"),
    (r"pounds|lbs", "lb"), (r"minutes?", "min"), (r"hours?|hr\b", "h"), (r"per", "/"),
    (r"cells?|platelets|neutrophils", ""), (r"i\.?u\b|units?", "u"),
    (r"milliseconds?|msecs?", "ms"), (r"mmofhg", "mmhg"),
    (r"x?10\^?9/l|x?10⁹/l|x?109/l|x?10\^?3/ul|k/ul|x?103/ul|x?10e9/l", "g/l#"),
    (r"²|\^2", "2"), (r"\(.*?\)", ""),
    (r"points?|scores?|[-.,;:()\[\]]|years?|bpm|beats/min", ""),
    (r"1\.?73m2|1\.?73", "173m2"), (r"173m2m", "173m2"),
)  # fmt: skip
_WIDE = str.maketrans("＞＜＝", "><=")
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6}


class _Read(NamedTuple):
    low: float | None
    high: float | None
    strict: bool
    unit: str
    limit: bool


def iter_marked(rows: Iterable[Mapping[str, Any]]) -> Iterator[MarkedValue]:
    """Yield the pairs of measurement and value that rows of Chia mark, each in its own line."""
    for row in rows:
        text = str(row["text"])
        entities = {entity["id"]: entity for entity in row["entities"]}
        for relation in row["relations"]:
            one, two = entities.get(relation["arg1"]), entities.get(relation["arg2"])
            if str(relation["type"]).lower() != "has_value" or one is None or two is None:
                continue
            if one["type"] != "Measurement" or two["type"] != "Value":
                continue
            spans = [span for entity in (one, two) for span in entity["spans"]]
            start = text.rfind("\n", 0, min(span[0] for span in spans)) + 1
            end = text.find("\n", max(span[1] for span in spans))
            line = text[start : end if end >= 0 else len(text)]
            name, value = (
                (entity["spans"][0][0] - start, entity["spans"][-1][1] - start)
                for entity in (one, two)
            )
            yield MarkedValue(line, name, value, str(row["nct_id"]))


def measure_values(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Give how often comparator, value and unit are right together, over values with a figure."""
    tally = Counter(judge_marked(marked) for marked in iter_marked(rows))
    told = {name: tally[name] for name in ("right", "wrong", "missed")}
    count = sum(told.values())
    states = tally["state right"] + tally["state wrong"]
    return {
        "n": count,
        **told,
        "share": told["right"] / count if count else 0.0,
        "states": states,
        "state_share": tally["state right"] / states if states else 0.0,
        "unread": tally["unread"],
    }


def judge_marked(marked: MarkedValue) -> str:
    """Say `right`, `wrong` or `missed` of a value with a figure; `unread` where none is told."""
    written = marked.text[slice(*marked.value)]
    found = [each for each in find_values(marked.text) if _speaks_of(each, marked)]
    gold = _read_value(written)
    if gold is not None:
        if not found:
            return "missed"
        return "right" if any(_agrees(gold, each) for each in found) else "wrong"
    state = _read_state(written)
    if state:
        return "state right" if any(each.state in state for each in found) else "state wrong"
    return "unread"


def _speaks_of(phrase: ValuePhrase, marked: MarkedValue) -> bool:
    def meets(start: int, end: int, span: tuple[int, int]) -> bool:
        return start < span[1] and span[0] < end

    named = meets(phrase.name_start, phrase.name_end, marked.name)
    return named and meets(phrase.start, phrase.end, marked.value)


def _read_value(written: str) -> _Read | None:
    text = f" {written.lower().strip()} ".translate(_WIDE)
    for word, figure in _COUNTS.items():
        text = re.sub(rf"\b{word}\b(?=.*(?:times|upper|limit|fold|normal))", figure, text)
    plain = _POWER.sub(lambda power: "@" * len(power.group()), text)
    plain = re.sub(
        r"1[.,]73\s*m|24\s*-?\s*h|m2|m 2|mm3|h2o|log10|co2", lambda m: "@" * len(m.group()), plain
    )
    figures = list(_FIGURE.finditer(plain))
    if not figures or re.search(
        r"\d/\d|percentile|grade|class|stage|@log|day|week|month|hour(?!/)", plain
    ):
        return None
    between = plain[figures[0].end() : figures[-1].start()]
    listed = (
        figures
        if not re.search(r"[a-z<>(]{3}", between.replace("and", "").replace("or", ""))
        else figures[:2]
    )
    numbers = [
        _number(figure.group()) * _sign_of(plain, figure.start())
        for figure in (listed[0], listed[-1])
    ]
    if re.search(r"\d,\d{1,2}\b(?!,)", plain):
        return None
    unit = _unit(text[figures[min(1, len(figures) - 1)].end() :]) or _unit(
        text[figures[0].end() : figures[-1].start()]
    )
    limit = _LIMIT.search(text) is not None
    between = plain[figures[0].end() : figures[1].start()] if len(figures) > 1 else ""
    if (
        len(figures) > 1
        and re.search(r"<|less|below", text[: figures[0].start()])
        and re.search(r">|greater|above", between)
    ):
        # Outside of a range: each bound is read by itself.
        return _Read(None, numbers[0], strict=True, unit=unit, limit=limit)
    if len(figures) > 1 and "(" in between:
        unit = _unit(text[figures[0].end() : figures[1].start()])
        between = ""
    if len(figures) > 1 and re.search(r"-|–|to\b|and|,|or|through", between):
        return _Read(
            min(numbers), max(numbers), strict=">" in text or "<" in text, unit=unit, limit=limit
        )
    sign = next((sign for pattern, sign in _SIGNS if re.search(pattern, text)), "=")
    low = numbers[0] if sign[0] in ">=" else None
    high = numbers[0] if sign[0] in "<=" else None
    return _Read(low, high, strict=sign in ("<", ">"), unit=unit, limit=limit)


def _number(figure: str) -> float:
    return float(
        figure.replace(".", "")
        if re.fullmatch(r"[0-9]{1,3}\.000", figure)
        else figure.replace(",", "")
    )


def _sign_of(plain: str, at: int) -> int:
    return -1 if re.search(r"[<>= (]-$", plain[:at]) else 1


def _unit(rest: str) -> str:
    rest = re.split(r"\bor\b|\band\b|\(|;|\bto\b|-\s*\d|–|,", rest, maxsplit=1)[0]
    for pattern, spelling in _SPELLINGS:
        rest = re.sub(pattern, spelling, rest)
    return rest if re.search(r"[a-z%°]", rest) else ""


def _agrees(gold: _Read, phrase: ValuePhrase) -> bool:
    quantity = phrase.quantity
    if phrase.grades:
        return _agrees_grades(gold, phrase.grades)
    if gold.limit:
        if phrase.bound is Bound.UNIT or phrase.interval is None:
            return False
    elif phrase.bound not in (Bound.UNIT, Bound.PREDICTED) or quantity is None:
        return False
    interval = phrase.interval
    if interval is None or quantity is None:
        return False
    ends = {None if end is None else round(end, 4) for end in (gold.low, gold.high)}
    told = _ends(phrase)
    if {round(end, 4) for end in told if end is not None} != ends - {None}:
        return False
    if (interval.low is None) != (gold.low is None) or (interval.high is None) != (
        gold.high is None
    ):
        return False
    if gold.low != gold.high and gold.low is None and gold.strict == interval.high_included:
        return False
    if gold.low != gold.high and gold.high is None and gold.strict == interval.low_included:
        return False
    return (
        gold.limit or not gold.unit or phrase.assumed_unit or _same_unit(gold.unit, quantity.unit)
    )


def _agrees_grades(gold: _Read, grades: tuple[str, ...]) -> bool:
    plain = [re.sub(r"^[fgc](?=[0-9])", "", grade.lower()) for grade in grades]
    numbers = [
        float(_ROMAN.get(grade, 0)) or float(re.sub("[^0-9.]", "", grade) or -1) for grade in plain
    ]
    low_fits = gold.low is None or numbers[0] == gold.low + (gold.strict and gold.high is None)
    high_fits = (
        gold.high is None
        or numbers[-1] == gold.high
        or (gold.low is None and gold.strict and numbers[-1] < gold.high)
    )
    return low_fits and high_fits


def _ends(phrase: ValuePhrase) -> list[float | None]:
    """Give the numbers as written, since the interval is in the analyte's own unit."""
    quantity, interval = phrase.quantity, phrase.interval
    assert quantity is not None
    assert interval is not None
    if phrase.bound is not Bound.UNIT or quantity.unit == phrase.unit:
        return [interval.low, interval.high]
    return [quantity.number, quantity.number if quantity.upper is None else quantity.upper]


def _same_unit(written: str, unit: str) -> bool:
    if unit == "score":
        return True
    ours = _unit(" " + unit.lower())
    plain = re.sub(r"[^a-z0-9%#]", "", written)
    return bool(ours) and re.sub(r"[^a-z0-9%#]", "", ours) in (
        plain,
        plain[: len(ours)],
        plain.removesuffix("predicted"),
    )


def _read_state(written: str) -> tuple[str, ...]:
    plain = written.lower().strip(" .,;:-")
    for pattern, states in (
        (r"(?:within )?(?:the )?normal(?: limits?| range)?", ("normal",)),
        (r"positive|reactive", ("positive",)),
        (r"negative|non-?reactive", ("negative",)),
        (r"elevated|raised|increased|high", ("high",)),
        (r"low|decreased|reduced", ("low",)),
        (r"abnormal|abnormalit(?:y|ies)", ("abnormal",)),
    ):
        if re.fullmatch(pattern, plain):
            return states
    return ()
