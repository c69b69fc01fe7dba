"""Drugs as interventions name them: dose, form, salt and punctuation gone, combinations split.

Placebo, sham, saline and standard of care are no drugs here, nor is a kind of treatment that names
no drug ("chemotherapy"). Two names of one drug get one key, through the
vocabulary where it knows them, else through their folded words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from trialyst.folding import fold_phrase
from trialyst.vocabulary.concept import Kind

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = ["Drug", "DrugNames", "is_control", "split_combination", "strip_dose", "strip_salt"]

_PARENTHESES = re.compile(r"\s*[(\[{][^()\[\]{}]*[)\]}]\s*")
_UNIT = (
    r"(?:mg|mcg|[µμu]g|ng|g|kg|ml|l|iu|ui|mu|u|units?|mmol|meq|mci|gbq|mbq|gy|cgy|cfu|pfu|vg|ppm"
    r"|cells?|copies|milligrams?|micrograms?|grams?)"
)
_DOSE = re.compile(
    rf"(?<![\w-])\d[\d.,]*\s*(?:x\s*10\^?\d+\s*)?(?:(?:-|–|to|/)\s*\d[\d.,]*\s*)?(?:{_UNIT}\b|%)"
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
_SPLIT = re.compile(
    r"(?=[\s+;&/,])(?:\s*[+;&]\s*"
    r"|\s+(?:plus|and|followed by|combined with|in combination with|together with|with)\s+"
    r"|(?<!her2)(?<!her-2)\s*/\s*(?=[^\W\d_]{3}|[^\W\d_]{2}-?\d{3})|,\s+(?=[^\W\d_]{3}))",
)
_WHOLE_CONTROL = re.compile(
    r"(?:observation(?:al)?|watchful waiting|controls?|(?:active )?comparators?|vehicle|soc|tau|bsc"
    r"|no (?:treatment|intervention|drug|therapy)|none|n/?a|(?:study|test|investigational) drug"
    r"|investigational product|sugar pills?|(?:medical|room) air"
    r"|(?:(?:sterile|deioni[sz]ed|distilled) )?water(?: for injection)?"
    r"|(?:(?:0\.9 ?%|normal|isotonic|physiologic(?:al)?|sterile|buffered|phosphate[- ]buffered) )*"
    r"saline(?: (?:solution|infusion|injection|flush|0\.9 ?%))*"
    r"|0\.9 ?% sodium chloride(?: (?:solution|infusion|injection))?"
    r"|sodium chloride(?: (?:solution|infusion|injection))?,? 0\.9 ?%)"
    r"(?: (?:arm|group|only|alone|control))?",
)
_NAMES_NO_DRUG = re.compile(
    r"(?:(?:standard|conventional|combination|combined|systemic|(?:neo-?)?adjuvant|induction"
    r"|consolidation|maintenance|salvage|palliative|rescue|intrathecal|intensive|concurrent|cytotoxic"
    r"|optimi[sz]ed|background|current|continuation|additional|other|medical|biological|targeted"
    r"|first|second|third|line|single|multi|agent|high|low|dose|dense|cancer|platinum|based|doublet|triplet)"
    r"[- ])*"
    r"(?:chemo|(?:poly|immuno)?chemotherapy|chemoradiotherapy|radiotherapy|radiation(?: therapy)?"
    r"|immunotherapy|pharmacotherapy|(?:drug )?therapy|treatments?|medications?|medicines?|drugs?"
    r"|regimens?|surgery)(?: (?:drugs?|agents?|regimens?|therapy))?",
)
_EVEN_WITHIN = re.compile(
    r"\b(?:placebos?|sham|dummy|vehicle|standard(?:[- ]of[- ]|\s+)(?:care|treatment|therapy)"
    r"|usual care"
    r"|care as usual|treatment as usual|routine care|best (?:supportive|available) (?:care|therapy"
    r"|treatment)|supportive care)\b",
)
_DIGIT = re.compile("[0-9]")
_MARKED = re.compile(r"[0-9(\[{]")
_EDGES = " \t\n.,;:-–—®™*'\"/"
_REMEMBERED = 200_000
_MOST_JOINED = 4
_CONTROLS = frozenset({"MESH:D010919", "MESH:D059039", "MESH:D000077330"})
"""Placebos, standard of care and saline, as MeSH has them."""
_ODD_LETTERS = str.maketrans("İıſ", "iis")


def _plain(text: str) -> str:
    """Give a text in small letters, one for each of its own.

    The patterns here are written for it: folding case inside a pattern takes three times as long.
    """
    return text.lower() if text.isascii() else text.translate(_ODD_LETTERS).lower()


def _blank(pattern: re.Pattern[str], text: str) -> str:
    """Put a space in the place of everything a pattern finds."""
    kept, at = [], 0
    for found in pattern.finditer(_plain(text)):
        kept.append(text[at : found.start()])
        at = found.end()
    return " ".join((*kept, text[at:])) if kept else text


@dataclass(frozen=True, slots=True)
class Drug:
    """One drug: `key` is equal for all its names."""

    key: str
    name: str
    """The name to show."""


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
    while (role := _ROLE.match(_plain(bare))) and role.end() < len(bare):
        bare = bare[role.end() :]
    if "(" in bare or "[" in bare or "{" in bare:
        bare = _PARENTHESES.sub(" ", bare)
    if _DIGIT.search(bare):
        bare = _blank(_DOSE, bare)
    bare = _blank(_HOW_GIVEN, bare)
    return " ".join(bare.split()).strip(_EDGES) or name.strip()


def strip_salt(name: str) -> str:
    """Give a name without its salt, unless nothing else is left.

    >>> strip_salt("Metformin HCl"), strip_salt("sodium phosphate"), strip_salt("Potassium")
    ('Metformin', 'sodium phosphate', 'Potassium')
    """
    salt = _SALT.search(_plain(name))
    if salt is None:
        return name
    bare = name[: salt.start()] + name[salt.end() :]
    return name if _SALT.match(f" {_plain(bare)}") else bare


def is_control(name: str) -> bool:
    """Whether an intervention is placebo, sham, saline, standard of care or nothing at all.

    >>> [is_control(name) for name in ("Matching placebo", "SoC", "Control", "Glycaemic control")]
    [True, True, True, False]
    >>> is_control("0.9% normal saline"), is_control("Hypertonic saline")
    (True, False)
    """
    plain = _plain(name)
    return bool(_EVEN_WITHIN.search(plain) or _WHOLE_CONTROL.fullmatch(plain.strip(_EDGES)))


def _is_no_drug(name: str) -> bool:
    """Whether a name is a control, or a kind of treatment, and nothing else."""
    bare = _plain(name).strip(_EDGES)
    return bool(_WHOLE_CONTROL.fullmatch(bare) or _NAMES_NO_DRUG.fullmatch(bare))


def split_combination(name: str) -> tuple[str, ...]:
    """Give the drugs that a name joins, not cutting inside parentheses or a dose.

    >>> split_combination("Nivolumab 3 mg/kg/day + Ipilimumab"), split_combination("HER2/neu E75")
    (('Nivolumab', 'Ipilimumab'), ('HER2/neu E75',))
    >>> split_combination("Cells (washed and cooled)")
    ('Cells (washed and cooled)',)
    """
    bare = _blank(_DOSE, name) if _DIGIT.search(name) else name
    parts, start = [], 0
    for cut in _SPLIT.finditer(_plain(bare)):
        before = bare[: cut.start()]
        if all(before.count(left) <= before.count(right) for left, right in ("()", "[]")):
            parts.append(bare[start : cut.start()])
            start = cut.end()
    parts.append(bare[start:])
    kept = (part.strip(_EDGES) for part in parts)
    return tuple(part for part in kept if part)


@dataclass(slots=True)
class DrugNames:
    """Reads intervention names with a vocabulary; what was read once is remembered."""

    vocabulary: Vocabulary
    _read: dict[str, tuple[Drug, ...]] = field(default_factory=dict)
    _keyed: dict[str, Drug] = field(default_factory=dict)
    _recognized: dict[str, Drug | None] = field(default_factory=dict)

    def read(self, name: str) -> tuple[Drug, ...]:
        """Give the drugs in the name of an intervention, each once; none for a control."""
        known = self._read.get(name)
        if known is None:
            if len(self._read) >= _REMEMBERED:
                self._read.clear()
                self._keyed.clear()
                self._recognized.clear()
            known = self._read[name] = tuple(self._find(name))
        return known

    def _find(self, name: str) -> Iterator[Drug]:
        if _is_no_drug(name):
            return
        # A name with a dose is hardly known as it stands; one with a form may be.
        marked = _MARKED.search(name) and strip_dose(name) != name
        whole = None if marked else self._known(name)
        if whole is None and (bare := strip_dose(name)) != name and not is_control(name):
            whole = self._known(bare)
        if whole is not None:
            if whole.key not in _CONTROLS:
                yield whole
            return
        seen = set()
        for part in self._parts(name):
            bare = strip_dose(part)
            if is_control(part) or _is_no_drug(part) or _is_no_drug(bare):
                continue
            drug = self._drug(bare)
            if drug and drug.key not in seen and drug.key not in _CONTROLS:
                seen.add(drug.key)
                yield drug

    def _parts(self, name: str) -> Iterator[str]:
        """Cut a combination; at a hyphen only where every part is known: budesonide-formoterol."""
        for part in split_combination(name):
            pieces = strip_dose(part).split("-")
            if 1 < len(pieces) <= _MOST_JOINED and all(map(self._known, pieces)):
                yield from pieces
            else:
                yield part

    def _drug(self, text: str) -> Drug | None:
        bare = strip_salt(text)
        key = fold_phrase(bare)
        if not any(map(str.isalpha, key)):
            return None
        return self._known(text) or self._keyed.setdefault(key, Drug(key, bare))

    def _known(self, text: str) -> Drug | None:
        if text in self._recognized:
            return self._recognized[text]
        found = None
        bare = strip_salt(text)
        for spelling in (text,) if bare == text else (text, bare):
            read = self.vocabulary.identify(spelling, kinds=(Kind.DRUG,))
            if read is not None:
                found = Drug(read[0], _titled(read[1]))
                break
        self._recognized[text] = found
        return found


def _titled(name: str) -> str:
    return name[:1].upper() + name[1:] if name.islower() else name
