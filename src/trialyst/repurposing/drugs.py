"""Drugs as interventions name them: dose, form, salt and punctuation gone, combinations split.

Placebo, sham, saline and standard of care are no drugs here, nor is a kind of treatment that names
no drug ("chemotherapy"). Two names of one drug get one key, through the
vocabulary where it knows them, else through their folded words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trialyst.folding import fold_phrase
from trialyst.vocabulary.concept import Kind
from trialyst.vocabulary.doses import DIGIT, DOSE, EDGES, blank, plain, strip_dose, strip_salt

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = ["Drug", "DrugNames", "is_control", "split_combination"]

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
_MARKED = re.compile(r"[0-9(\[{]")
_REMEMBERED = 200_000
_MOST_JOINED = 4
_CONTROLS = frozenset({"MESH:D010919", "MESH:D059039", "MESH:D000077330"})
"""Placebos, standard of care and saline, as MeSH has them."""


@dataclass(frozen=True, slots=True)
class Drug:
    """One drug: `key` is equal for all its names."""

    key: str
    name: str
    """The name to show."""


def is_control(name: str) -> bool:
    """Whether an intervention is placebo, sham, saline, standard of care or nothing at all.

    >>> [is_control(name) for name in ("Matching placebo", "SoC", "Control", "Glycaemic control")]
    [True, True, True, False]
    >>> is_control("0.9% normal saline"), is_control("Hypertonic saline")
    (True, False)
    """
    letters = plain(name)
    return bool(_EVEN_WITHIN.search(letters) or _WHOLE_CONTROL.fullmatch(letters.strip(EDGES)))


def _is_no_drug(name: str) -> bool:
    """Whether a name is a control, or a kind of treatment, and nothing else."""
    bare = plain(name).strip(EDGES)
    return bool(_WHOLE_CONTROL.fullmatch(bare) or _NAMES_NO_DRUG.fullmatch(bare))


def split_combination(name: str) -> tuple[str, ...]:
    """Give the drugs that a name joins, not cutting inside parentheses or a dose.

    >>> split_combination("Nivolumab 3 mg/kg/day + Ipilimumab"), split_combination("HER2/neu E75")
    (('Nivolumab', 'Ipilimumab'), ('HER2/neu E75',))
    >>> split_combination("Cells (washed and cooled)")
    ('Cells (washed and cooled)',)
    """
    bare = blank(DOSE, name) if DIGIT.search(name) else name
    parts, start = [], 0
    for cut in _SPLIT.finditer(plain(bare)):
        before = bare[: cut.start()]
        if all(before.count(left) <= before.count(right) for left, right in ("()", "[]")):
            parts.append(bare[start : cut.start()])
            start = cut.end()
    parts.append(bare[start:])
    kept = (part.strip(EDGES) for part in parts)
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
