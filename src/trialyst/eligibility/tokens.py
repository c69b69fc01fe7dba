"""The lexer of criteria: words, marks between them, and the few patterns that need letters.

Every regular expression of the criterion side stands here.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from trialyst.eligibility.numbers import COUNTS
from trialyst.eligibility.requirement import Interval
from trialyst.eligibility.words import Word, split_words

__all__ = [
    "LONGEST",
    "StagePhrase",
    "cut_text",
    "find_counts",
    "find_stages",
    "guess_noun",
    "is_abbreviation",
    "is_adjective",
    "is_participle",
    "is_short_for",
    "plain_marks",
    "read_mark",
    "since_when",
    "split_words",
    "trim_window",
]

LONGEST = 12_000
"""Letters of a criterion that are read; what stands behind them is one opaque leaf. The longest of
half a million records has 9,800."""

_ABBREVIATED = frozenset(
    "e g eg ie etc vs dr no st mr ms approx incl resp inc max min ca spp sp esp wk yr mo".split()
)
_CONDITION = re.compile(
    r".{2,}(?:itis|itides|osis|oses|oma|omas|omata|emia|emias|aemia|pathy|pathies|algia|algias|plegia"
    r"|uria|rrhea|rrhoea|rrhage|rrhages|penia|trophy|plasia|plasias|ectasia|phobia|megaly|cele|oedema"
    r"|edema|phrenia|spasm|spasms|esthesia|aesthesia|somnia|phagia|kinesia|tonia|taxia|opia|ptosis"
    r"|stenosis|lithiasis|sclerosis|genesis|virus|cytosis|philia|philias|oxia|capnia|pnea|pnoea|icity)$"
)
_PROCEDURE = re.compile(
    r".{2,}(?:ectomy|ectomies|ostomy|otomy|otomies|plasty|plasties|scopy|scopies|graphy|graphies|desis"
    r"|pexy|centesis|transplant|transplantation|implant|bypass|metry|gram|grams|stent|stents)$"
)
_DRUG = re.compile(
    r".{3,}(?:mab|mabs|nib|nibs|ciclib|statin|statins|pril|sartan|sartans|olol|azole|azoles|mycin|cillin"
    r"|cillins|vir|virs|tidine|prazole|gliptin|gliptins|gliflozin|parin|xaban|gatran|platin|taxel"
    r"|taxels|rubicin|lukast|setron|triptan|triptans|dipine|sone|olone|caine|caines|oxacin|cycline"
    r"|cyclines|cept|steroid|steroids|zepam|zolam|barbital|pramine|triptyline|oxetine|azine|azines"
    r"|idone|apine|amide|therapy|therapies|vaccine|vaccines|inhibitor|inhibitors|blocker|blockers"
    r"|agonist|agonists|antagonist|antagonists|ostim|poetin|glutide|formin|afil|dronate|oids"
    r"|lytics|leptics|biotics|coagulants?|depressants?|psychotics?|platelets|hypertensives?"
    r"|convulsants?|histamines?|spasmodics?|emetics?|virals?|retrovirals?|fungals?|malarials?)$"
)
_ROMAN = {"0": 0, "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5}
_NAMES = ("0", "I", "II", "III", "IV", "V")
_ONE_STAGE = r"(?:iv|v|i{1,3}|[0-5])(?:\s?[abcde][1-3]?)?"
_STAGE = re.compile(
    rf"\b(?:stages?|staged)\s+(?:of\s+)?({_ONE_STAGE}(?:\s*(?:,|/|-|\u2013|to|or|and|through|,\s*(?:or|and))\s*"
    rf"(?:stages?\s+)?{_ONE_STAGE})*)(?![\w.%])(\s+or\s+(?:higher|greater|above|worse|more))?",
    re.IGNORECASE,
)
_TNM = re.compile(
    r"\b[cpy]{0,2}(T[0-4][a-d]?(?:\s?[-/]\s?T?[0-4][a-d]?)?(?:\s?N[0-3x])?(?:\s?M[01x])?)\b"
)
_GRADE = re.compile(
    r"\bgrades?\s+(?:(?:>=|>|<=|<|\u2265|\u2264|of|at least)\s*)?(?:[0-5]|iv|i{1,3})"
    r"(?:\s*(?:,|/|-|\u2013|to|or|and)\s*(?:grades?\s+)?(?:[0-5]|iv|i{1,3})\b)*"
    r"(?:\s+or\s+(?:higher|greater|above|worse|more|less|lower))?",
    re.IGNORECASE,
)
_PART = re.compile(rf"{_ONE_STAGE}|-|\u2013|\bto\b|\bthrough\b", re.IGNORECASE)
_RUN_ON = re.compile(r"(?<=[a-z]) (?:No|Not|At least|Must|Patients?|Subjects?|More than) ")
"""Where a statement begins without a mark before it."""
_KILOGRAM = r"(?:kg|kilograms?)(?:\s?\(kg\))?"
_KILOGRAMS = rf"(?:\s?(?:in\s)?(?:[\[(]\s?{_KILOGRAM}[\])]|{_KILOGRAM}))?"
_METER = r"(?:m|cm|meters?|metres?)(?![a-z])[2\u00b2]?(?:\s?squared?)?(?:\s?\(m\^?[2\u00b2]?\))?"
_METERS = (
    r"(?:\s?(?:\*\*|\^)?[2\u00b2](?!\d)|\s?squared"
    rf"|\s?(?:in\s)?(?:[\[(]\s?{_METER}[\])]|{_METER})){{0,4}}"
)
_FORMULA = re.compile(
    r"(?:[;,=:]\s?)?(?:(?:calculated|defined|expressed|computed)\s)?(?:(?:as|is|=)\s)?"
    rf"(?:the\s|body\s)?\bweight{_KILOGRAMS}\s?(?:/|\u00f7|divided by)\s?(?:the\s)?"
    rf"(?:square of\s)?(?:the\s)?[\[(]?height{_METERS}",
    re.IGNORECASE,
)
"""A body mass index as it is calculated."""
_LOST_APOSTROPHE = re.compile(r"(?<=[a-z]) (?=s [A-Za-z]{3})")
"""Where "Crohn s disease" has lost its mark."""
_EMPTY = re.compile(r"\(\s{2,120}\)")
_NUMBER = r"[0-9]{1,2}|" + "|".join(list(COUNTS)[1:13])
_COUNT = re.compile(
    r"(?<![\w.,/(-])(?:(at least|no more than|not more than|no fewer than|no less than|more than"
    r"|greater than|fewer than|less than|up to|(?:an? )?maximum of|at most|(?:an? )?minimum of|only"
    r"|exactly|>=|<=|\u2265|\u2264|>|<|=)\s{0,2})?"
    rf"({_NUMBER})(?:\s?\([0-9]{{1,2}}\))?(?:\s?(?:-|to|or|\u2013)\s?({_NUMBER}))?"
    r"(\s(?:or|and) (?:more|greater|fewer|less)|\+)?"
    r"(?=\s{1,2}(?:other |different |or more )?(?!(?:year|yr|month|week|wk|day|hour|minute|min"
    r"|second|point|time|unit|degree|percent|letter|cell|drink|cigarette|pack|beat|gram|kilo|pound"
    r"|inch|feet|foot|met|mile|step|word|digit|of|on|in|at|and|or|to|for|by|with|who|is|are|as|if"
    r"|but|than|the|hr|mo|cm|mm|kg|mg|ml|g|l|m|x|eye|knee|h|s|iu|mcg|uln|lln|standard|log|fold"
    r"|risk|out|each|per|not|must|when|sd)(?:s|es|ers)?\b)[a-z])",
    re.IGNORECASE,
)
_ANY_NUMBER = re.compile(rf"\b(?:{_NUMBER})\b", re.IGNORECASE)
_COUNTED = re.compile(
    r"\s{1,2}(?:[\w-]{1,20}\s{1,2}){0,2}(?:prior|previous|lines?|regimens?|courses?|cycles?)\b",
    re.IGNORECASE,
)
_AT_MOST = ("no more than", "not more than", "up to", "at most", "<=", "\u2264")
_MARKS = str.maketrans(
    "\uff08\uff09\uff1b\uff1a\uff0c\u3002\u3001\u3010\u3011\u00a0\u2002\u2003\u2009",
    "();:,.,[]    ",
)
_SINCE = re.compile(
    r"(\S{1,12})\s(\S{1,12}(?:\s\S{1,12}){0,5}?\ssince)\s(?!.{0,30}\b(?:diagnos|onset|symptom|relaps|injur"
    r"|birth|stroke|infarct|transplant|randomi|event|enrol|exacerb|deliver|start|begin))",
    re.IGNORECASE | re.DOTALL,
)
_EVENT_OF = re.compile(
    r".{4,40}?\s(?:since|after|from|following|of) (?:the )?(?:first |initial )?"
    r"(?:diagnosis|onset|occurrence) of\b",
    re.IGNORECASE,
)
"""A time since something began, whose name follows: "6 months since diagnosis of"."""
_CLAUSE_START = re.compile(r"(?:^|[.;:,(]|\band|\bor|\bbe|\bhave)\W*$", re.IGNORECASE)
_TRIAL_THING = re.compile(
    r"\s+(?:drugs?|treatments?|medications?|medicines?|products?|agents?|vaccines?|therapy|visit|entry"
    r"|interventions?|procedures?|start|enrol\w+|inclusion|day|participation|period)\b",
    re.IGNORECASE,
)
_ADJECTIVE = re.compile(r"[a-z-]{2,}(?:al|ic|ive|ary|ar|ous|ory|oid|ine|ane|ed|tic|ral|nal|ian)$")
_PARTICIPLE = re.compile(r".*(?:ing|ed|ly|tion|ment|[0-9]+)$")
_LETTERS = re.compile(r"[a-z0-9]+")
_CAPITALS = re.compile(r"[A-Z][A-Za-z0-9]*[A-Z0-9][A-Za-z0-9]{0,6}(?:-[A-Z0-9]+)?s?$")


def is_short_for(short: str, written: str) -> bool:
    """Tell whether a short form stands for the words right before it.

    >>> is_short_for("ACR", "meets American College of Rheumatology")
    True
    >>> is_short_for("ATP", "no antitachycardia pacing")
    True
    """
    if not is_abbreviation(short):
        return False
    letters = [letter for letter in short.lower().rstrip("s") if letter.isalpha()]
    words = _LETTERS.findall(written.lower())[-2 * len(letters) - 1 :]
    for first, word in enumerate(words):
        if letters and word[0] == letters[0] and len(words) - first <= len(letters) + 2:
            rest = iter("".join(words[first:]))
            if all(letter in rest for letter in letters):
                return True
    return False


class StagePhrase(NamedTuple):
    """Stages or a grade at `text[start:end]`."""

    stages: tuple[str, ...]
    grade: str
    start: int
    end: int


def plain_marks(text: str) -> str:
    """Give a text with wide punctuation marks in plain ones, each in its place.

    How a body mass index is calculated is blanked: its figures are of nobody.

    >>> plain_marks("BMI (weight in kg/height in m2) < 30")
    'BMI                             < 30'
    """
    text = text if text.isascii() else text.translate(_MARKS)
    if " s " in text:
        text = _LOST_APOSTROPHE.sub("'", text)
    if "eight" in text and "height" in text.lower() and _FORMULA.search(text):
        text = _FORMULA.sub(lambda found: " " * len(found.group()), text)
        return _EMPTY.sub(lambda found: " " * len(found.group()), text)
    return text


def trim_window(text: str, start: int, end: int) -> int:
    """Give where the words of a time end: not in the next clause, but with "of the study drug".

    >>> text = "within 5 years, history of stroke"
    >>> text[: trim_window(text, 0, 23)]
    'within 5 years'
    """
    run_on = _RUN_ON.search(text, start, end)
    if run_on is not None:
        end = run_on.start()
    event = _EVENT_OF.match(text, start, end)
    if event is not None:
        return event.end()
    written = text[start:end]
    if ")" in written and "(" not in written:
        # "History (within 6 months) of stroke": the stroke is not what time is counted from.
        written = written[: written.index(")")]
    for mark in (", ", " post", "-post"):
        at = written.find(mark)
        if at > 0 and (mark == ", " or "menopaus" in written):
            written = written[:at]
    written = written.rstrip(" .,;:")
    end = start + len(written)
    if written.endswith(("study", "trial", "investigational", "test")):
        more = _TRIAL_THING.match(text, end)
        end = end if more is None else more.end()
    return end


def since_when(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Give where the second word begins and the "since" ends of a time that opens a clause.

    None where it is counted from something that has to have been, such as a diagnosis.

    >>> text = "At least 4 weeks since prior chemotherapy"
    >>> text[slice(*since_when(text, 0, 41))]
    'least 4 weeks since'
    """
    match = _SINCE.match(text, start, end)
    opens = text[start].isupper() or _CLAUSE_START.search(text, max(0, start - 8), start)
    return (match.start(2), match.end(2)) if match is not None and opens else None


def cut_text(text: str) -> int:
    """Give where reading ends: at the text's end, or at a space before the longest length."""
    if len(text) <= LONGEST:
        return len(text)
    space = text.rfind(" ", LONGEST - 200, LONGEST)
    return LONGEST if space < 0 else space


def read_mark(text: str, words: list[Word], at: int) -> str:
    """Tell what a mark between words does: `stop`, `;`, `,`, `/`, `(`, `)`, `:`, `-` or nothing."""
    mark, start, end = words[at]
    after = text[end : end + 1]
    before = text[start - 1 : start]
    if mark in "([{":
        return "("
    if mark in ")]}":
        return ")"
    if mark in ",;":
        return mark
    if mark == ".":
        return _read_point(text, words, at)
    if mark == ":":
        return ":" if not after.isdigit() else ""
    if mark == "/":
        return "" if before.isdigit() and after.isdigit() else "/"
    if mark in "-\u2022*\u00b7\u2013\u2014":
        return ";" if before.isspace() and after.isspace() else "-"
    return "?" if mark in "?!" else ""


def _read_point(text: str, words: list[Word], at: int) -> str:
    _, start, end = words[at]
    after = text[end : end + 2]
    if after and not after[0].isspace():
        return ""
    if at and words[at - 1].end == start and words[at - 1].text in _ABBREVIATED:
        return ""
    return "stop"


def find_stages(text: str) -> list[StagePhrase]:
    """Find stages and grades; ranges are spelt out.

    >>> [each.stages or each.grade for each in find_stages("stage IIIB-IV, grade 3 or higher")]
    [('III', 'IV'), 'grade 3 or higher']
    """
    lowered = text.lower()
    found = []
    if "stage" in lowered:
        for match in _STAGE.finditer(text):
            stages = _spell_out(match[1], upwards=match[2] is not None)
            found.append(StagePhrase(stages, "", match.start(), match.end()))
    if "grade" in lowered:
        for match in _GRADE.finditer(text):
            grade = " ".join(match.group().lower().split())
            found.append(StagePhrase((), grade, match.start(), match.end()))
    for match in _TNM.finditer(text):
        found.append(StagePhrase((match[1].replace(" ", ""),), "", match.start(), match.end()))
    return found


def _spell_out(written: str, *, upwards: bool) -> tuple[str, ...]:
    numbers: list[int] = []
    letters: dict[int, str] = {}
    ranged = False
    for part in _PART.findall(written):
        plain = part.lower().replace(" ", "")
        if plain in ("-", "\u2013", "to", "through"):
            ranged = True
            continue
        stem = plain.rstrip("abcde123") if plain[0] in "iv" else plain[0]
        number = _ROMAN.get(stem)
        if number is None:
            continue
        if len(plain) > len(stem) and not ranged:
            letters[number] = plain[len(stem) :].upper()
        if ranged and numbers:
            numbers.extend(range(numbers[-1] + 1, number))
        numbers.append(number)
        ranged = False
    if upwards and numbers:
        numbers.extend(range(numbers[-1] + 1, 5))
    wide = len(set(numbers)) > 1
    return tuple(
        dict.fromkeys(
            _NAMES[number] + ("" if wide or upwards else letters.get(number, ""))
            for number in numbers
        )
    )


@lru_cache(maxsize=20_000)
def guess_noun(word: str) -> str:
    """Tell by its ending what an unknown noun names: a condition, drug or procedure; or empty."""
    if len(word) < 5:
        return ""
    if _DRUG.match(word):
        return "drug"
    if _PROCEDURE.match(word):
        return "procedure"
    return "condition" if _CONDITION.match(word) else ""


def find_counts(text: str) -> list[tuple[int, int, Interval]]:
    """Find how many of something are asked for; what is measured in a unit is no count.

    >>> [found for _, _, found in find_counts("at least two prior lines")]
    [Interval(low=2.0, high=None, low_included=True, high_included=True)]
    """
    found: list[tuple[int, int, Interval]] = []
    if _ANY_NUMBER.search(text) is None:
        return found
    for match in _COUNT.finditer(text):
        sign, one, other, more = (part and part.strip().lower() for part in match.groups())
        if sign or other or more or _COUNTED.match(text, match.end()):
            interval = _read_count(sign or "", one or "", other, more)
            found.append((match.start(), match.end(), interval))
    return found


def _read_count(sign: str, one: str, other: str | None, more: str | None) -> Interval:
    low = float(COUNTS.get(one, 0) or one)
    if other:
        return Interval(low=low, high=float(COUNTS.get(other, 0) or other))
    if more:
        return Interval(high=low) if more.endswith(("fewer", "less")) else Interval(low=low)
    if sign in (">", "more than", "greater than"):
        return Interval(low=low, low_included=False)
    if sign in ("<", "fewer than", "less than"):
        return Interval(high=low, high_included=False)
    if sign in _AT_MOST or "maximum" in sign:
        return Interval(high=low)
    return (
        Interval(low=low, high=low) if sign in ("", "=", "only", "exactly") else Interval(low=low)
    )


def is_adjective(word: str) -> bool:
    """Tell by its ending whether a word wants a noun behind it: "pulmonary", "ischemic"."""
    return _ADJECTIVE.match(word.lower()) is not None


def is_participle(word: str) -> bool:
    """Tell by its ending whether a word is of a verb, and names no substance."""
    return _PARTICIPLE.match(word) is not None


def is_abbreviation(text: str) -> bool:
    """Tell whether a word is written as a short form."""
    return _CAPITALS.match(text) is not None
