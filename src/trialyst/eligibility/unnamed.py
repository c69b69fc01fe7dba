"""Values without a name of the tables: "97% RA", "G3P1011", "gallbladder wall > 3 mm"."""

from __future__ import annotations

import re

from trialyst.eligibility.amounts import Amount
from trialyst.eligibility.analytes import AnalyteName, get_analyte
from trialyst.eligibility.measures import PERIODS
from trialyst.eligibility.mentions import Mention
from trialyst.eligibility.quantity import Quantity
from trialyst.eligibility.requirement import Interval
from trialyst.eligibility.value_phrases import ValuePhrase, build_phrases, build_valued

__all__ = ["HABIT_UNITS", "read_by_unit", "read_pregnancies", "read_rank", "read_unknown"]

_DOSES = frozenset("mg g ug Gy cGy mg/24h g/24h mg/kg mL L pack-years".split())
_ROOM_AIR = re.compile(
    r"\s{0,2}(?:on\s{1,2}|in\s{1,2})?(RA\b|room air|[0-9]{1,2} ?L(?:PM|/min)?\b|NC\b|nasal cannula)"
)
_PREGNANCIES = re.compile(r"\b[Gg]\s?([0-9]{1,2})\s?,?\s?[Pp]\s?([0-9])([0-9])?([0-9])?([0-9])?\b")
_MEASURES = re.compile(
    r"(?:scores?|scale|index|test|questionnaire|inventory|rating|ratio|level|levels|count|grade"
    r"|thickness|diameter|volume|pressure|gradient|velocity|area|length|width|angle|rate)$"
)
_STOPPED = (
    "patients? subjects? participants? with without have has had having and or of the a an in if "
    "who whose is are was were be "
    "than to for that known any other history no not must should by on at as from between least "
    "most equal defined "
    "criteria each per every all those these this such including include includes either women men "
    "male female taking takes receiving received currently using used failed prior previous"
).replace(" ", "|")
_NOUNS = re.compile(
    rf"(?<![\w'-])((?:(?!(?:{_STOPPED})\b)[a-z][\w'/-]{{0,30}}[ ]){{0,4}}?(?!"
    rf"(?:{_STOPPED})\b)[a-z][\w'/-]{{2,30}})"
    r"(?:[\s:=,]|\([^()]{0,30}\)|\b(?:of|is|are|was|be|must|should|level|levels|value|values"
    r"|a)\b){0,6}$"
)
HABIT_UNITS = {
    "pack-years": ("smoking", "ever"),
    "cigarettes a day": ("smoking", "current"),
    "packs a day": ("smoking", "current"),
    "drinks a week": ("alcohol", "current"),
    "drinks a day": ("alcohol", "current"),
    "units a week": ("alcohol", "current"),
    "units a day": ("alcohol", "current"),
}
"""Units in which only a habit is measured, and which."""
_RANK = "percentile"
_SYMBOLS = "<>\u2264\u2265="
_REACH = 60


def read_by_unit(text: str, amount: Amount) -> list[ValuePhrase]:
    """Read "97% RA", an oxygen saturation, and "160/100 mmHg", a blood pressure, without a name."""
    pressure = get_analyte("blood_pressure")
    if amount.over is not None and amount.unit == "mmHg" and pressure is not None:
        mention = Mention(amount.start, amount.end, amount.end, (AnalyteName(pressure),))
        return list(build_phrases(text, mention, amount))
    if amount.unit in HABIT_UNITS and amount.compared:
        return [_unnamed(text, amount.start, amount.end, amount)]
    match = _ROOM_AIR.match(text, amount.end) if amount.unit == "%" else None
    spo2 = get_analyte("spo2")
    if match is None or spo2 is None:
        return []
    mention = Mention(*match.span(1), match.end(1), (AnalyteName(spo2),))
    return list(build_phrases(text, mention, amount))


def read_unknown(text: str, plain: str, begin: int, amount: Amount) -> list[ValuePhrase]:
    """Read a value of something that no table names, whose name begins after a place."""
    symbol = plain[amount.start] in _SYMBOLS
    if amount.unit in _DOSES or amount.unit in PERIODS or not (symbol or amount.compared):
        return []
    match = _NOUNS.search(plain, max(begin, amount.start - _REACH), amount.start)
    if match is None or not (amount.unit or symbol or _MEASURES.search(match[1])):
        return []
    start, end = match.span(1)
    return [_unnamed(text, start, end, amount)]


def read_rank(text: str, mention: Mention, amount: Amount) -> list[ValuePhrase]:
    """Read "BMI >= 85th percentile", which is no BMI of 85."""
    if amount.unit != _RANK:
        return []
    return [_unnamed(text, mention.start, mention.end, amount)]


def _unnamed(text: str, start: int, end: int, amount: Amount) -> ValuePhrase:
    """Give a value of what stands at `text[start:end]`, known by its words alone."""
    words = text[start:end]
    ranked = f" {_RANK}" if amount.unit == _RANK else ""
    return ValuePhrase(
        analyte=f"{words.lower()}{ranked}",
        name=words,
        words=words,
        start=start,
        end=amount.end,
        name_start=start,
        name_end=end,
        interval=amount.interval,
        quantity=Quantity(amount.number, amount.unit, amount.comparator, amount.last),
        unit=amount.unit,
        bound=amount.bound,
    )


def read_pregnancies(text: str) -> list[ValuePhrase]:
    """Read G3P1011: three pregnancies; one term and no preterm birth."""
    found = []
    for match in _PREGNANCIES.finditer(text):
        births = match.group(2, 3) if match.group(5) else match.group(2)
        numbers = {"gravidity": float(match[1]), "parity": float(sum(map(int, births)))}
        for key, number in numbers.items():
            analyte = get_analyte(key)
            if analyte is not None:
                mention = Mention(*match.span(), match.end())
                amount = Amount(*match.span(), Interval(number, number), number=number)
                found.append(build_valued(text, mention, analyte, amount))
    return found
