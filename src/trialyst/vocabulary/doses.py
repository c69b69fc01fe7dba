"""Names of drugs without what is said of giving them: dose, frequency, form, route and salt."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["DIGIT", "DOSE", "EDGES", "blank", "is_salt", "plain", "strip_dose", "strip_salt"]

_PARENTHESES = re.compile(r"\s*[(\[{][^()\[\]{}]*[)\]}]\s*")
_UNIT = (
    r"(?:mg|mcg|[µμu]g|ng|g|kg|ml|l|iu|ui|mu|u|su|bau|pnu|units?|mmol|meq|mci|gbq|mbq|gy|cgy|cfu"
    r"|pfu|vg|ppm"
    r"|cells?|copies|milligrams?|micrograms?|grams?)"
)
DOSE = re.compile(
    rf"(?<![\w-])\d[\d.,]*\s*(?:x\s*10\^?\d+\s*)?(?:(?:-|–|to|/)\s*\d[\d.,]*\s*)?-?(?:{_UNIT}\b|%)"
    rf"(?:\s*(?:/|per)\s*(?:\d+\s*)?(?:kg|m2|m²|m\^2|ml|l|day|d|week|wk|dose|h|hr|hour|min|actuation"
    rf"|{_UNIT})\b)*",
)
_FREQUENCY = (
    r"\b(?:once|twice|thrice|three times|four times|\d+ times)\s+(?:a|per)?\s*"
    r"(?:daily|day|weekly|week|monthly|month)\b|\bq\.?\d*\.?[dwmh]\b|\b(?:bid|tid|qid|qd|od|prn)\b"
    r"|\bevery\s+\w+\s+(?:days?|weeks?|months?|hours?)\b|\b(?:daily|weekly|biweekly|monthly)\b"
)
_FORM_WORDS = (
    "tablets?|tabs?|capsules?|caps?|injections?|injectable|infusions?|oral|orally|intravenous(?:ly)?"
    "|iv|i\\.v\\.|sc|s\\.c\\.|im|subcutaneous(?:ly)?|intramuscular(?:ly)?|topical|inhaled"
    "|inhalation|nasal|ophthalmic|intravitreal|transdermal|sublingual|rectal|vaginal|creams?|gels?"
    "|ointments?|lotions?|solutions?|suspensions?|syrups?|drops?|sprays?|patch(?:es)?|pills?"
    "|powders?|pens?|vials?|prefilled|syringes?|autoinjectors?|extended[- ]release"
    "|immediate[- ]release|sustained[- ]release|controlled[- ]release|modified[- ]release"
    "|delayed[- ]release|xr|er|sr|cr|ir|fdc|p?mdi|dpi|hfa|turbuhaler|respimat|diskus|spiromax"
    "|handihaler|breezhaler|ellipta|(?:dry )?(?:powder )?inhalers?"
    "|(?:low|high|medium|mid|standard|single|multiple|loading"
    "|maintenance|first|second|full|half)[- ]doses?|doses?|monotherapy|treatments?"
)
_HOW_GIVEN = re.compile(
    rf"{_FREQUENCY}|(?<![\w-])(?:{_FORM_WORDS})(?![\w-])|(?:[- ]based)?\s+chemotherapy$"
    r"|-(?:high|low)$",
)
_ROLE = re.compile(
    r"^(?:(?:(?:active|placebo) )?comparator|experimental|control|test(?: drug)?|drug|biological"
    r"|(?:arm|group|cohort|part) \w{1,3})\s*[:;]\s*|^therapeutic\s+",
)
"""What a name says of the arm before it names the drug."""
_SALT_WORDS = (
    "hydrochloride|hcl|dihydrochloride|sodium|disodium|potassium|calcium|magnesium|mesyla?te"
    "|mesila?te|maleate|tartrate|bitartrate|citrate|phosphate|diphosphate|sulfate|sulphate|acetate"
    "|succinate|fumarate|hemifumarate|besyla?te|besila?te|tosyla?te|bromide|hydrobromide|malate"
    "|mono?hydrate|dihydrate|anhydrous|trihydrate|hemihydrate|pamoate|nitrate|lactate|gluconate"
    "|propionate|dipropionate|furoate|esylate|ditosylate|medoxomil|proxetil|axetil|trometamol"
    "|tromethamine|meglumine|arginine|lysine|edisylate|camsylate|hyclate"
)
_SALT = re.compile(rf"\s+(?:{_SALT_WORDS})$")
DIGIT = re.compile("[0-9]")
EDGES = " \t\n.,;:-–—®™*'\"/"
_ODD_LETTERS = str.maketrans("İıſ", "iis")


def plain(text: str) -> str:
    """Give a text in small letters, one for each of its own.

    The patterns here are written for it: folding case inside a pattern takes three times as long.
    """
    return text.lower() if text.isascii() else text.translate(_ODD_LETTERS).lower()


def blank(pattern: re.Pattern[str], text: str) -> str:
    """Put a space in the place of everything a pattern finds."""
    kept, at = [], 0
    for found in pattern.finditer(plain(text)):
        kept.append(text[at : found.start()])
        at = found.end()
    return " ".join((*kept, text[at:])) if kept else text


@lru_cache(10_000)
def strip_dose(name: str) -> str:
    """Give a name without doses, frequencies, forms and parentheses.

    >>> strip_dose("Semaglutide (Ozempic) 2.4 mg once weekly s.c.")
    'Semaglutide'
    >>> strip_dose("Metformin HCl 500mg extended-release tablets")
    'Metformin HCl'
    """
    if name.isalpha():
        return name
    bare = name.replace("®", " ").replace("™", " ").strip()
    while (role := _ROLE.match(plain(bare))) and role.end() < len(bare):
        bare = bare[role.end() :]
    if "(" in bare or "[" in bare or "{" in bare:
        bare = _PARENTHESES.sub(" ", bare)
    if DIGIT.search(bare):
        bare = blank(DOSE, bare)
    bare = blank(_HOW_GIVEN, bare)
    return " ".join(bare.split()).strip(EDGES) or name.strip()


def is_salt(text: str) -> bool:
    """Whether a text is but the salt of a drug: the sodium of calcium sodium phosphosilicate."""
    return _SALT.fullmatch(f" {plain(text)}") is not None


def strip_salt(name: str) -> str:
    """Give a name without its salt, unless nothing else is left.

    >>> strip_salt("Metformin HCl"), strip_salt("sodium phosphate"), strip_salt("Potassium")
    ('Metformin', 'sodium phosphate', 'Potassium')
    """
    salt = _SALT.search(plain(name))
    if salt is None:
        return name
    bare = name[: salt.start()] + name[salt.end() :]
    return name if _SALT.match(f" {plain(bare)}") else bare
