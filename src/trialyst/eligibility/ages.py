"""Ages that a criterion speaks of, in years or in weeks of gestation."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from trialyst.eligibility.amounts import Amount, find_amounts
from trialyst.eligibility.measures import PERIODS
from trialyst.eligibility.requirement import Interval
from trialyst.eligibility.signs import to_plain

__all__ = ["AgePhrase", "find_ages"]

_YEAR = PERIODS["year"]
_PEOPLE = (
    r"(?:patients?|subjects?|participants?|individuals?|persons?|people|volunteers?|adults?"
    r"|child(?:ren)?|teens?|teenagers?|adolescents?|infants?|newborns?|neonates?|toddlers?|m[ae]n"
    r"|wom[ae]n"
    r"|males?|females?|boys?|girls?|genders?|sex(?:es)?|those|veterans|outpatients?|inpatients?"
    r"|residents?|students?)"
)
_SMALL = (
    r"(?:child(?:ren)?|infants?|newborns?|neonates?|toddlers?|boys?|girls?|babies|baby|preterms?)"
)
_LINK = (
    r"(?:[\s:=,;(\[-]|\b(?:of|is|are|was|be|must|should|range|ranges|ranging|groups?|limits?"
    r"|between|from|at|the|time|aged?|ages"
    r"|enroll?ment|screening|entry|inclusion|consent|study|randomi[sz]ation|years?|in|patients?"
    r"|subjects?|both|to|baseline"
    r"|eligible|who|which|visit|least|or|male|female|informed|signing|when|has|have|not|yet"
    r"|chronological|on|day|"
    r"for|registration|criteria|requirement|minimum|maximum|participants?|within|inclusive|a|an)\b)"
)
_AGE_BEFORE = re.compile(rf"\b(?:age[ds]?|ages|aging)\b{_LINK}{{0,14}}$")
_PEOPLE_BEFORE = re.compile(
    rf"\b{_PEOPLE}\b(?:[\s,:(\[-]|\b(?:who|are|must|be|is|should|aged|of|between|from|at|least|and"
    rf"|with)\b){{0,6}}$"
)
_SMALL_BEFORE = re.compile(
    rf"\b{_SMALL}\b(?:[\s,:(\[-]|\b(?:who|are|aged|of|between|from|at|least)\b){{0,6}}$"
)
_OPENS = re.compile(
    r"\W{0,4}(?:[0-9a-z]{1,2}[.)]\s{0,3})?(?:(?:male|female|m[ae]n|wom[ae]n|males|females|either"
    r"|sex|gender|all|and|or|any|both|must|be|is|are)[\s/,-]{1,3}){0,6}$"
)
_OLD = re.compile(
    r"[\s,(\[-]{0,3}(?:inclusive(?:ly)?[\s,)]{0,3})?(?:(?:of\s|in\s)?(?:age[ds]?\b|ages\b)"
    r"|old(?:er)?\b|olds\b|\(?(?:and|or|&) (?:older|younger)\b|of life\b)"
)
_AND_OVER = re.compile(r"\s(?:and|or) (?:over|under|above|below|up)\b")
_WRITTEN_OLD = re.compile(r"y\.?/?o\b")
_COMPARED_AGE = re.compile(r"\b(?:older|younger|age[ds]?)\b")
_NO_AGE = re.compile(
    r"[\s,()\[\]-]{0,3}(?:ago|prior|before|earlier|previous|preced|after|since|from|follow|post"
    r"|histor|duration|apart|interval|surviv"
    r"|later|of\b(?! age)|free|without|with no|or (?:more|longer) (?:of|from|since|after|prior"
    r"|before|ago)|in duration|long\b|disease|smok|pack|post-?menop|beyond|past|menop|amenorr"
    r"|on (?!the da)|x\b"
    r"|kg|%|mg|mm|cm|ml|points|kilo|lbs|pounds|cigar|drinks|times|episodes"
    r"|weeks? (?:of )?(?:gestation|pregn)|at (?:diagnosis|onset)|into)"
)
_NO_AGE_BEFORE = re.compile(
    r"\b(?:within|past|last|previous|prior|preceding|for|during|lasting|every|expectancy|duration"
    r"|history|after|since|survival|follow-?up|per|next|first|over the|onset|diagnos\w{1,4}"
    r"|menopaus\w{0,4}|interval|stable|amenorrh\w{1,5}|each|prognosis|treatment|smok\w{1,4}"
    r"|experience)"
    r"(?:[\s:=(,]|\b(?:the|of|at|least|more|than|is|for|a|an|past|last|been|disease|before|or|equal"
    r"|to|age|greater|must|be)\b){0,7}$"
)
_OTHERS_AGE = re.compile(
    r"\b(?:onset|diagnos\w{1,4})\b[^.;:,]{0,24}$"
    r"|\b(?:menarche|menopause|caregivers?|guardians?|parents?|partners?"
    r"|spouses?|bone|skeletal|mental|developmental"
    r"|paternal|maternal|vascular|mother'?s?|father|donors?|relatives?|equivalent|transfusion"
    r"|symptoms began|first)\b[^.;:]{0,24}$"
    rf"|\b(?:mothers?|fathers?|parents?|caregivers?|guardians?|wom[ae]n|famil(?:y|ies))\s{{1,2}}(?:of|with"
    rf"|who (?:have|has)|having)\s{{1,2}}(?:[a-z]+\s{{1,2}}){{0,5}}{_SMALL}\b[^.;:,]{{0,24}}$"
)
_AT_ONSET = re.compile(
    r"[^.;,]{0,14}\bat (?:the time of )?(?:first |initial |disease )?(?:onset|diagnosis|menarche)"
)
_GESTATION = re.compile(
    r"[\s('-]{0,3}(?:completed\s)?(?:of\s|in\s)?(?:gestation(?:al)?|pregnan|ga\b|post-?\s?menstrual"
    r"|pma\b|post-?conception|corrected gestation|amenorrh)"
)
_GESTATION_BEFORE = re.compile(
    rf"\b(?:gestation(?:al)?(?: age)?s?|post-?\s?menstrual age|ga|pma|pregnan(?:cy|cies|t)"
    rf"|post-?conceptional age)\b{_LINK}{{0,10}}$"
)
_WINDOW_CUE = re.compile(r"\b(?:within|after|prior|before|for)\b")
"""Words that make a time of the weeks behind "pregnant"."""
_GESTATION_WORDS = re.compile(rf"{_GESTATION.pattern}[a-z]{{0,6}}(?:\s{{1,2}}age)?")
_WORDED = (
    ("young adult", 16.0, 46.0), ("older adult", 60.0, None), ("adult", 18.0, None),
    ("child", 0.0, 18.0), ("paediatric", 0.0, 18.0), ("pediatric", 0.0, 18.0),
    ("infant", 0.0, 2.0), ("newborn", 0.0, 29 / _YEAR), ("neonat", 0.0, 29 / _YEAR),
    ("toddler", 1.0, 4.0), ("elderly", 60.0, None), ("geriatric", 60.0, None),
    ("adolescent", 10.0, 20.0), ("teen", 12.0, 20.0), ("minor", 0.0, 18.0), ("preschool", 2.0, 6.0),
)  # fmt: skip
"""What a word stands for, in years up to but without the last: wide where usage differs."""
_STARTS = "|".join(word for word, _, _ in _WORDED)
_AGE_WORD = re.compile(
    rf"(?<![\w-])(?P<word>{_STARTS})(?:s|ren|es|al|e|agers?)?(?![\w])(?P<who>\s{{1,2}}(?:(?:male"
    rf"|female|hospitali[sz]ed|surgical|icu|emergency|cancer|critically ill)\s{{1,2}})?"
    r"(?:patients?|subjects?|participants?|volunteers?|in-?patients|out-?patients|m[ae]n|wom[ae]n"
    r"|males?|females?|individuals|population|age|people|persons?)\b)?"
)
_NOT_THEM = re.compile(
    r"\b(?:number of|have|has|having|with|of|by|responsible|parents?|accompan\w{1,5}"
    r"|breast-?feeding|nursing|their|an|more|own|bear|conceive|father|an? )\s{1,2}$"
)
_NO_PEOPLE = re.compile(
    r"\s{0,2}[-/](?![\s])|\s(?:of|bearing|pugh|onset|care|formula|dose|respiratory|type|acute"
    r"|still|depression|hospital|t-cell|t cell|form|growth)\b|'s? (?:hospital|oncology|depression"
    r"|global)|-"
)
_WORD_OPENS = re.compile(
    r"\W{0,4}(?:[0-9a-z]{1,2}[.)]\s{0,3})?(?:(?:all|any|an?|male|female|and|or|hospitali[sz]ed"
    r"|healthy|consenting|outpatient|ambulatory|the|must|be|patients?|subjects?|participants?|is"
    r"|are|who|pregnant|preterm|term|full-term|premature|obese|english-speaking|critically|ill"
    r"|either|both|only|competent)[\s/,:-]{1,3}){0,6}$"
)
_TIMING = ("within", "within the", "first", "throughout the", "during", "during the", "for the")
_BARE = re.compile(r"[\s.;,:)]{0,6}$")
_LEAST_BARE = 12.0
_MOST_YEARS = 120.0


class AgePhrase(NamedTuple):
    """Ages at `text[start:end]`."""

    start: int
    end: int
    interval: Interval
    """In years, months and days as fractions; in weeks where `gestational`. Ages are in completed
    units, so that "75 years" ends below 76."""
    gestational: bool = False


def find_ages(text: str) -> list[AgePhrase]:
    """Find the ages in a criterion, in its order; never a score, a duration or a time since.

    >>> [found] = find_ages("Men and women aged 18-75")
    >>> found.interval.low, found.interval.high, found.interval.high_included
    (18.0, 76.0, False)
    >>> find_ages("Stroke within 5 years")
    []
    """
    return list(_find(text))


@lru_cache(maxsize=16)
def _find(text: str) -> tuple[AgePhrase, ...]:
    plain = to_plain(text)
    found: list[AgePhrase] = []
    for amount in find_amounts(plain):
        if amount.unit and amount.unit not in PERIODS:
            continue
        before = plain[max(0, amount.start - 90) : amount.start]
        gestational = _is_gestation(plain, before, amount)
        if gestational or _is_age(plain, before, amount, found):
            cue = (_GESTATION_BEFORE if gestational else _AGE_BEFORE).search(before)
            start = amount.start - (len(before) - cue.start() if cue else 0)
            found.append(_phrase(plain, amount, start, gestational=gestational))
    found = _merged(plain, found)
    return tuple(found) or _worded(plain)


def _is_gestation(plain: str, before: str, amount: Amount) -> bool:
    if amount.unit not in ("week", "") or not 3 <= amount.number <= 46:
        return False
    if amount.unit == "week" and _GESTATION.match(plain, amount.end):
        return True
    cued = _GESTATION_BEFORE.search(before)
    if cued is not None and _WINDOW_CUE.search(cued.group()):
        return False
    return cued is not None and (amount.unit == "week" or "age" in cued.group())


def _is_age(plain: str, before: str, amount: Amount, found: list[AgePhrase]) -> bool:
    number = amount.number if amount.last is None else amount.last
    if (number > _MOST_YEARS and amount.unit in ("year", "")) or amount.over is not None:
        return False
    if _OTHERS_AGE.search(before) or _AT_ONSET.match(plain, amount.end):
        return False
    if amount.unit and (_OLD.match(plain, amount.end) or _is_written_old(plain, amount)):
        return not (_is_time_since(plain, amount) or _is_time_of_life(plain, before, amount))
    if amount.unit == "year" and _AND_OVER.search(plain, amount.number_end, amount.end + 10):
        return _NO_AGE_BEFORE.search(before) is None
    if _AGE_BEFORE.search(before) and not _NO_AGE.match(plain, amount.end):
        return True
    if found and amount.join and before.rstrip().endswith(("and", "or", "but", ",")):
        # "> 18 years old and < 75 years": the second is as the first.
        return found[-1].end >= amount.start - 8 and not found[-1].gestational
    if _NO_AGE.match(plain, amount.end) or _NO_AGE_BEFORE.search(before):
        return False
    if amount.unit in ("year", ""):
        return _is_years(plain, before, amount, number)
    return _SMALL_BEFORE.search(before) is not None


def _is_written_old(plain: str, amount: Amount) -> bool:
    written = plain[amount.number_end : amount.end]
    return (
        _WRITTEN_OLD.search(written) is not None
        or _COMPARED_AGE.search(plain, amount.start, amount.end) is not None
    )


def _is_time_since(plain: str, amount: Amount) -> bool:
    """Say whether "older than 6 months ago" and the like is meant."""
    return re.compile(r"[\s,]{0,2}(?:ago|prior to|before)\b").match(plain, amount.end) is not None


def _is_time_of_life(plain: str, before: str, amount: Amount) -> bool:
    """Say whether "within the first 48 hours of life" is meant."""
    within = before.rstrip().endswith(_TIMING) or plain.startswith("within", amount.start)
    return within and plain[amount.end :].lstrip().startswith("of life")


def _is_years(plain: str, before: str, amount: Amount, number: float) -> bool:
    bare = amount.unit == ""
    over = _AND_OVER.search(plain, amount.number_end, amount.end + 10)
    if bare and over and amount.number >= _LEAST_BARE and _OPENS.match(before):
        return True
    if bare and (_OLD.match(plain, amount.end) and amount.number >= _LEAST_BARE):
        return True
    if bare and (number < _LEAST_BARE or amount.listed or not float(number).is_integer()):
        return False
    if bare and _COMPARED_AGE.search(plain, amount.start, amount.end):
        return True
    ends = _BARE.match(plain, amount.end) is not None
    if _OPENS.match(before) and len(before) < 60:
        # A criterion that begins with years, or is nothing but a number, is one of age.
        return not bare or (ends and (amount.compared or amount.last is not None))
    if _PEOPLE_BEFORE.search(before) is None:
        return False
    follows = plain[amount.end : amount.end + 3].strip()[:1]
    return not bare or (amount.compared and not follows.isalnum())


def _phrase(plain: str, amount: Amount, start: int, *, gestational: bool) -> AgePhrase:
    unit = amount.unit or ("week" if gestational else "year")
    size = 1.0 if gestational else PERIODS[unit] / _YEAR
    told = amount.interval
    low, high, included = told.low, told.high, told.high_included
    if high is not None and included and high.is_integer():
        high, included = high + 1, False
    old = _OLD.match(plain, amount.end)
    interval = Interval(
        None if low is None else _rounded(low * size),
        None if high is None else _rounded(high * size),
        told.low_included,
        included,
    )
    if amount.comparator in ("=", "~") and amount.last is None and old is not None:
        interval = _posted(old.group(), interval)
        if plain.startswith("from", amount.start):
            interval = Interval(low=interval.low)
    if gestational:
        old = _GESTATION_WORDS.match(plain, amount.end)
    end = old.end() if old else amount.end
    if plain[end - 1] == ")" and "(" not in plain[start:end]:
        end -= 1
    return AgePhrase(start, end, interval, gestational)


def _rounded(years: float) -> float:
    return float(f"{years:.10g}")


def _posted(words: str, interval: Interval) -> Interval:
    """Read "18 years of age or older", where the comparator follows the word for age."""
    if "younger" in words:
        return Interval(high=interval.high, high_included=False)
    return Interval(low=interval.low) if "older" in words else interval


_LATER = re.compile(
    r"[\s,(]{0,3}(?:(?:and|or|&)\s{1,2}(?P<way>older|over|above|up|upwards?|more|greater|younger"
    r"|under|below|less)\b(?!\s{1,2}(?:than|the|[0-9]))|(?P<plus>\+))"
)


def _merged(plain: str, found: list[AgePhrase]) -> list[AgePhrase]:
    """Read what follows an age, and make one of two bounds that belong together."""
    merged: list[AgePhrase] = []
    for phrase in found:
        later = _LATER.match(plain, phrase.end)
        told = phrase.interval
        if later is not None and told.low is not None and told.high is not None:
            younger = later["way"] in ("younger", "under", "below", "less")
            interval = (
                Interval(high=told.high, high_included=False) if younger else Interval(low=told.low)
            )
            phrase = AgePhrase(phrase.start, later.end(), interval, phrase.gestational)
        if merged and (both := _both(plain, merged[-1], phrase)) is not None:
            merged[-1] = both
        else:
            merged.append(phrase)
    return merged


def _both(plain: str, one: AgePhrase, two: AgePhrase) -> AgePhrase | None:
    first, second = one.interval, two.interval
    gap = plain[one.end : two.start].strip(" ,;()")
    if (
        gap not in ("and", "but", "", "to", "or", "and is", "and/or", "and age")
        or one.gestational is not two.gestational
    ):
        return None
    if first.high is not None or second.low is not None or first.low is None or second.high is None:
        return None
    if first.low >= second.high:
        return None
    interval = Interval(first.low, second.high, first.low_included, second.high_included)
    return AgePhrase(one.start, two.end, interval, one.gestational)


def _worded(plain: str) -> tuple[AgePhrase, ...]:
    """Read "adults with", "pediatric patients", where the text gives no age in numbers."""
    found: list[AgePhrase] = []
    for match in _AGE_WORD.finditer(plain):
        if _NO_PEOPLE.match(
            plain, match.end("word") + len(match.group().split()[0]) - len(match["word"])
        ):
            continue
        before = plain[max(0, match.start() - 60) : match.start()]
        opens = match.start() < 60 and _WORD_OPENS.match(before) is not None
        joined = found and plain[found[-1].end : match.start()].strip(" ,") in (
            "and",
            "or",
            "and/or",
            "",
            "/",
        )
        if not (opens or joined) and (match["who"] is None or _NOT_THEM.search(before)):
            continue
        low, high = next(
            (low, high) for word, low, high in _WORDED if match["word"].startswith(word)
        )
        found.append(
            AgePhrase(
                *match.span(),
                Interval(
                    low or None,
                    None if high is None else _rounded(high),
                    high_included=high is None,
                ),
            )
        )
    # Adults beside children are everybody.
    return tuple(found) if len({each.interval for each in found}) == 1 else ()
