"""Drugs as interventions name them: dose, form, salt and punctuation gone, combinations split.

Placebo, sham, saline and standard of care are no drugs here, nor is a kind of treatment that names
no drug ("chemotherapy"). Two names of one drug get one key, through the vocabulary where it knows
them, else through their folded words; a name that nothing knows is marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from trialyst.annotation.controls import (
    FILLER,
    has_name,
    is_control,
    keep_alternative,
    names_no_drug,
)
from trialyst.folding import fold_phrase
from trialyst.vocabulary.classes import drug_class
from trialyst.vocabulary.concept import Kind
from trialyst.vocabulary.doses import (
    DIGIT,
    DOSE,
    EDGES,
    blank,
    is_salt,
    plain,
    strip_dose,
    strip_salt,
)

if TYPE_CHECKING:
    from trialyst.vocabulary import Mention, Vocabulary

__all__ = ["Drug", "DrugNames", "split_combination"]

_SPLIT = re.compile(
    r"(?=[\s+;；&/,])(?:(?<!cd\d)(?<!cd\d\d)(?<!cd\d\d\d)(?<!her2)\s*\+\s*|\s*[;；&]\s*"
    r"|\s+(?:plus|and|or|then|followed by|combined with|in combination with|together with|with"
    r"|and/or|versus|vs\.?)\s+"
    r"|(?<!her2)(?<!her-2)\s*/\s*(?=[^\W\d_]{3}|[^\W\d_]{2}-?\d{3})|,\s+(?=[^\W\d_]{3}))",
)
_AIMED = re.compile(
    r"\b(?:targeting|against|directed (?:at|to|against)|specific for|antibod(?:y|ies) (?:for|to))\b"
)
"""What follows are targets, not drugs."""
_JOINED = re.compile(r",\s+|\s+and\s+|\s*/\s*|(?<=[a-z])-(?=[A-Z])")
_COMBINATION = re.compile(r",?\s+(?:drug\s+)?combination$", re.IGNORECASE)
"""How MeSH ends the name of a fixed combination."""
_INSIDE = re.compile(r"[(\[{]([^()\[\]{}]+)[)\]}]")
_GLUED_SALT = re.compile(r"(?<=[a-z]{4})H[Cc][Ll]\b")
_MARKED = re.compile(r"[0-9(\[{]")
_PLACEBO_OF = re.compile(
    r"^(?:\w+[- ])?(?:placebos?|vehicle|sham|dummy)\b[- ]*(?:\([^)]*\)\s*)?"
    r"(?:match(?:ing|ed|es)?|for|to|of|with|that|which|identical|comparable|resembling|mdpi)\b",
)
"""`Placebo matching with X`, which gives no X."""
_GROUPS = re.compile(
    r"(?:inhibitor|agent|agonist|antagonist|blocker|modulator|steroid|antibod|antibiotic|diuretic"
    r"|statin|opioid|contraceptive|analgesic|anesthetic|anaesthetic|stimulant"
    r"|suppressant|analog(?:ue)?|compound)(?:s|ies|y)?$",
)
"""How the name of a group of drugs ends."""
_DONE = re.compile(
    r"\b(?:transplant(?:ation)?|(?:trans|per)fusion|surgery|plan|program(?:me)?|diet|training|ratio"
    r"|algorithm|eradication|strategy|strategie|approach|education|monitoring)s?$"
    r"|\b(?:drugs?|agents?|medications?) (?:other than|except)\b"
)
"""How the name of something ends that is done, or eaten as a plan."""
_TARGET = re.compile(r"^(?!.*(?:chimeric|soluble|fusion|decoy|anti|-)).* receptors?$")
"""How the name of what a drug acts on ends."""
_GENERAL = re.compile(
    r"(?:vaccines?|liposomes?|cytokines?|antibod(?:y|ies)|(?:stem )?cells?|peptides?|proteins?"
    r"|hormones?|enzymes?|antigens?|globulins?|lymphocytes?|growth factors?|interleukins?"
    r"|plasma|blood|oils?"
    r"|vitamins?|minerals?|probiotics?|herbs?|gases|water|salts?|electrolytes?|autologous|allogen(?:e?ic))",
)
"""Names of which every drug is one kind or other."""
_IDENTITY = re.compile(
    r"vaccin|antibod|\bcells?\b|lymphocyt|\bcar\b|conjugat|peptide|protein|gene\b|virus|viral|antigen"
    r"|extract|toxi[nd]|receptor|plasmid|vector|pulsed|transduced|transfected|-specific|targeting"
    r"|derived|allerg|pollen|analog|anti-|resist|naive|refractory|\d{3}|[^\W\d_]\d|\d[^\W\d_]",
)
"""Words beside the name of a drug with which it means something else."""
_STRENGTH = re.compile(r"\d+(?:\.\d+)?(?:/\d+(?:\.\d+)?)+|\d+\.\d+|\d{1,3}(?:,\d{3})+")
"""A strength after a name: 160/4.5, or 25,000 units."""
_ASIDE = re.compile(r"(?<=\w)\([^()]*\)$")
_TIMES = re.compile(r"\d+x|x\d+")
_SHORT_CODE = re.compile(r"[a-z] ?[0-9]{4,}")
"""A code of one letter, as it is folded: E10030."""
_CODE = re.compile(r"[^\W\d_]{1,5}[- ]?\d{3}")
_REMEMBERED = 200_000
_MOST_JOINED = 4
_MOST_WORDS = 7
"""Words of a name; what is longer describes."""
_CONTROLS = frozenset(
    """MESH:D010919 MESH:D059039 MESH:D000077330 MESH:D007785 MESH:D006851 MESH:D012972
    MESH:D002210""".split()
)
"""Placebos, standard of care, saline, lactose, an acid, a base and caprylate, as MeSH has them."""
_NO_DRUGS = (Kind.CONDITION, Kind.OTHER)


class Drug(msgspec.Struct, frozen=True, array_like=True):
    """One drug: `key` is equal for all its names."""

    key: str
    name: str
    """The name to show."""
    known: bool = True
    """Whether the vocabulary knows it; else the name is as records write it."""


def split_combination(name: str) -> tuple[str, ...]:
    """Give the drugs that a name joins, not cutting inside parentheses or a dose.

    >>> split_combination("Nivolumab 3 mg/kg/day + Ipilimumab"), split_combination("HER2/neu E75")
    (('Nivolumab', 'Ipilimumab'), ('HER2/neu E75',))
    >>> split_combination("Cells (washed and cooled)")
    ('Cells (washed and cooled)',)
    """
    bare = blank(DOSE, name) if DIGIT.search(name) else name
    parts, start = [], 0
    letters = plain(bare)
    aimed = _AIMED.search(letters)
    for cut in _SPLIT.finditer(letters, 0, aimed.start() if aimed else len(letters)):
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
    _recognized: dict[str, tuple[Drug, ...]] = field(default_factory=dict)

    def read(self, name: str) -> tuple[Drug, ...]:
        """Give the drugs in the name of an intervention, each once; none for a control."""
        known = self._read.get(name)
        if known is None:
            if len(self._read) >= _REMEMBERED:
                self._read.clear()
                self._keyed.clear()
                self._recognized.clear()
            found = {drug.key: drug for drug in self._find(name) if drug.key not in _CONTROLS}
            known = self._read[name] = tuple(found.values())
        return known

    def read_any(self, names: Sequence[str]) -> tuple[Drug, ...]:
        """Give the drugs of a name and, where nothing knows them, of its other names.

        Those tell what a code stands for, or what a name without a drug gives ("study drug").
        """
        first, *others = names
        own = self.read(first)
        if not others or any(drug.known for drug in own) or (not own and is_control(first)):
            return own
        told = {drug.key: drug for name in others for drug in self.read(name) if drug.known}
        # Several other drugs of one code are a list of something else.
        return tuple(told.values()) if told and (not own or len(told) == 1 == len(own)) else own

    def _find(self, name: str) -> Iterator[Drug]:
        name = _GLUED_SALT.sub(" HCl", keep_alternative(name))
        if names_no_drug(name) or _PLACEBO_OF.match(plain(name)):
            return
        # A name with a dose is hardly known as it stands; one with a form may be.
        marked = _MARKED.search(name) and strip_dose(name) != name
        whole = () if marked else self._known(name)
        if not whole and (bare := strip_dose(name)) != name and not is_control(name):
            whole = self._known(bare)
        if whole:
            yield from whole
            return
        for part in self._parts(name):
            yield from self._of_part(part)

    def _of_part(self, part: str) -> Iterator[Drug]:
        bare = strip_dose(part)
        if is_control(part) or names_no_drug(part) or names_no_drug(bare):
            return
        words = _trimmed(bare)
        if not has_name(words):
            return
        name = " ".join(words).strip(EDGES)
        if names_no_drug(name) or is_control(name):
            return
        if self._is_heading(bare):
            return
        known = self._known(bare) or self._known(name) or tuple(self._inside(part))
        if known or (known := self._contained(strip_salt(name))):
            yield from known
        elif len(words) <= _MOST_WORDS and not self._is_other(name):
            yield from self._unknown(name)

    def _parts(self, name: str) -> Iterator[str]:
        """Cut a combination; at a hyphen only where every part is known: budesonide-formoterol."""
        for part in split_combination(name):
            pieces = strip_dose(part).split("-")
            if 1 < len(pieces) <= _MOST_JOINED and all(map(self._known, pieces)):
                yield from pieces
            else:
                yield part

    def _inside(self, part: str) -> Iterator[Drug]:
        """Give what a parenthesis after a name that nothing knows says it is."""
        for inside in _INSIDE.findall(part):
            for piece in split_combination(inside):
                if not is_control(piece):
                    yield from self._known(strip_dose(piece))

    def _contained(self, name: str) -> tuple[Drug, ...]:
        """Give the known drugs in a text, unless its other words make something else of them."""
        mentions = [
            each
            for each in self.vocabulary.find(name, kinds=(Kind.DRUG,))
            if not each.ambiguous
            and each.matches[0].how.exact
            and _stands_alone(name, each)
            and not _is_kind(each)
            and not is_salt(name[each.start : each.end])
        ]
        rest: list[str] = []
        found: list[Drug] = []
        at = 0
        for mention in mentions:
            rest.append(name[at : mention.start])
            at = mention.end
            found.extend(self._known(name[mention.start : mention.end]))
        rest.append(name[at:])
        beside = plain(" ".join(rest))
        return () if _IDENTITY.search(beside) or _GENERAL.search(beside) else tuple(found)

    def _is_other(self, name: str) -> bool:
        """Whether a name means a disease, a procedure or a group of drugs."""
        letters = plain(name)
        if _GENERAL.fullmatch(letters) or _DONE.search(letters) or _TARGET.search(letters):
            return True
        if not DIGIT.search(name) and self._ends_in_condition(name):
            return True
        if drug_class(name) or _GROUPS.search(letters):
            return not _CODE.search(name)
        return self._is_heading(name)

    def _ends_in_condition(self, name: str) -> bool:
        """Whether a text says what is treated, and not with what: empiric heart failure."""
        words = name.split()
        rests = (" ".join(words[at:]) for at in range(1, len(words)))
        return any(self.vocabulary.identify(rest, kinds=(Kind.CONDITION,)) for rest in rests)

    def _is_heading(self, name: str) -> bool:
        """Whether a name is known to mean something that is no drug: photodynamic therapy."""
        return self.vocabulary.identify(name, kinds=_NO_DRUGS) is not None

    def _unknown(self, name: str) -> Iterator[Drug]:
        bare = strip_salt(name)
        key = fold_phrase(bare)
        if sum(map(str.isalpha, key)) > 1 or _SHORT_CODE.fullmatch(key):
            yield self._keyed.setdefault(key, Drug(key, bare, known=False))

    def _known(self, text: str) -> tuple[Drug, ...]:
        found = self._recognized.get(text)
        if found is None:
            found = self._recognized[text] = tuple(self._recognize(text))
        return found

    def _recognize(self, text: str) -> Iterator[Drug]:
        bare = strip_salt(text)
        for spelling in (text,) if bare == text else (text, bare):
            read = self.vocabulary.identify(spelling, kinds=(Kind.DRUG,))
            if read is None:
                continue
            key, name = read
            if _is_group(name) or name.startswith("Receptors,") or _GENERAL.fullmatch(plain(name)):
                return
            if key.startswith("LEARNED:") and self._is_other(name):
                return
            yield from self._components(name) or (self._drug(key, name),)
            return

    def _drug(self, key: str, name: str) -> Drug:
        """Show a drug without its salt where that is another name of the same."""
        bare = strip_salt(name)
        same = bare != name and self.vocabulary.identify(bare, kinds=(Kind.DRUG,))
        return Drug(key, _titled(bare if same and same[0] == key else name))

    def _components(self, name: str) -> tuple[Drug, ...]:
        """Give the drugs of a fixed combination, if each is known."""
        joined = _COMBINATION.sub("", name)
        if joined == name and "/" not in name and " and " not in name:
            return ()
        pieces = [piece for piece in _JOINED.split(joined) if piece]
        found = [self.vocabulary.identify(piece, kinds=(Kind.DRUG,)) for piece in pieces]
        if len(pieces) < 2 or not all(found):
            return ()
        return tuple(self._drug(*each) for each in found if each)


def _stands_alone(text: str, mention: Mention) -> bool:
    """Whether a name is not a part of a longer word: IL-2 in P-IL-2."""
    around = text[mention.start - 1 : mention.start] + text[mention.end : mention.end + 1]
    return not around.strip(EDGES.replace("-", "") + "()[]=®™")


def _is_kind(mention: Mention) -> bool:
    """Whether MeSH names many things so, as a word in the plural: liposome of Liposomes."""
    preferred = mention.concept.preferred
    return preferred.endswith("s") and fold_phrase(preferred) == fold_phrase(
        mention.matches[0].name
    )


def _is_group(name: str) -> bool:
    """Whether MeSH means a group of drugs: it names those in the plural."""
    first = name.split(",")[0]
    return first.endswith("s") and bool(_GROUPS.search(plain(first)))


def _trimmed(text: str) -> list[str]:
    """Give the words of a text without those at its ends that say how something is given."""
    words = text.split()
    while words and _is_filler(words[-1]):
        del words[-1]
    if len(words) > 1 and _STRENGTH.fullmatch(words[-1]):
        del words[-1]
    while words and _is_filler(words[0]):
        del words[0]
    return words


def _is_filler(word: str) -> bool:
    bare = _ASIDE.sub("", word).strip(EDGES + "()[]").lower()
    return not bare or bare in FILLER or bool(_TIMES.fullmatch(bare))


def _titled(name: str) -> str:
    return name[:1].upper() + name[1:] if name.islower() else name
