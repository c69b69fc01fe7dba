"""Other ways to write what a text says, in the order they should be tried.

Pure text to text: dropping a parenthesis, a stage, a modifier, a salt; turning an inverted name
round; saying neoplasm for cancer. Whether a rewording is a known name is not decided here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trialyst.vocabulary.concept import How

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["reword"]

_PARENTHESIS = re.compile(r"\s*[(\[{]([^()\[\]{}]*)[)\]}]\s*")
_SALT = re.compile(
    r"\s+(hydrochloride|hcl|sodium|potassium|calcium|magnesium|mesyla?te|mesila?te|maleate|tartrate"
    r"|citrate|phosphate|sulfate|sulphate|acetate|succinate|fumarate|besyla?te|tosylate|bromide"
    r"|hydrobromide|dihydrochloride|disodium|malate|monohydrate|dihydrate|anhydrous)$",
    re.IGNORECASE,
)
_STAGE = (
    r"(stages?|grades?|types?|class|nyha|gold|figo|ajcc|ecog|who|phase|v\d+)[\s-]*"
    r"((i{1,3}[abc]?|iv[abc]?|v|vi|\d+[abc]?|[abc])\b[\s,/&-]*(and|or|to)?\s*)+(disease\b)?"
)
_STAGED = re.compile(rf"[\s,;:-]*\b{_STAGE}", re.IGNORECASE)
_MODIFIER_WORDS = """
    metastatic advanced recurrent refractory relapsed relapsing resistant progressive persistent
    adult adults childhood pediatric paediatric juvenile elderly infant neonatal female male women
    men children adolescent acute chronic subacute severe moderate mild early late newly diagnosed
    untreated previously treated locally local locoregional unresectable resectable inoperable
    operable resected unresected primary secondary invasive noninvasive localized limited extensive
    malignant stable unstable symptomatic asymptomatic active uncontrolled controlled poorly
    difficult treat to or and suspected confirmed high low intermediate risk grade positive negative
    her2 egfr hormone receptor human mutated mutation mutant sporadic familial hereditary idiopathic
    essential arterial clinical general complicated uncomplicated first second line relapse
    disseminated bilateral unilateral left right end stage terminal eligible ineligible new onset
    non squamous nonsquamous histologically proven the a of in with status post completed
    decompensated compensated established overt pd l1
"""
_MODIFIERS = frozenset(_MODIFIER_WORDS.split())
_CANCER = r"(?:cancers?|carcinomas?|tumou?rs?|neoplasms?|malignan(?:cy|cies)|adenocarcinomas?)"
_CANCER_OF = re.compile(rf"^(.*?)\b{_CANCER}\s+of\s+(?:the\s+)?(.+)$", re.IGNORECASE)
_ENDS_IN_CANCER = re.compile(rf"^(.+?)\s+{_CANCER}$", re.IGNORECASE)
_ENDS_IN_DISEASE = re.compile(
    r"^(.+?)\s+(diseases?|disorders?|syndromes?|infections?|conditions?)$", re.IGNORECASE
)
_NEOPLASM_WORDS = ("neoplasms", "cancer", "carcinoma", "tumor")
_DISEASE_WORDS = ("disease", "disorder", "syndrome")
_CUT = re.compile(
    r"\s*(?:[,;:/|]|\s[-\u2013]\s|\b(?:with|without|in|due to|after|following|secondary to|"
    r"associated with|treated with|during|undergoing|requiring|related to|among|from|who)\b)\s*",
    re.IGNORECASE,
)


LONGEST = 300
"""Characters from which on a text is no name any more, however it is written."""
MOST_CUTS = 12


def reword(text: str) -> Iterator[tuple[str, How]]:
    """Give the rewordings of a text, the ones that keep its meaning first; a long one has none."""
    if len(text) > LONGEST:
        return
    yield from _same_meaning(text)
    yield from ((f"{text} {word}", How.REWORDED) for word in ("disease", "infections"))
    outside = " ".join(_PARENTHESIS.sub(" ", text).split())
    if outside != text:
        yield from _rewordings(outside, How.PARENTHESIS)
        for inside in _PARENTHESIS.findall(text):
            yield from _rewordings(inside.strip(), How.WITHIN)
    staged = " ".join(_STAGED.sub(" ", outside).split()).strip(" ,;:-")
    if staged and staged != outside:
        yield from _rewordings(staged, How.MODIFIER)
    for bare in _without_modifiers(staged or outside):
        yield from _rewordings(bare, How.MODIFIER)
    yield from _cut(outside)


def _rewordings(text: str, how: How) -> Iterator[tuple[str, How]]:
    if not text:
        return
    yield text, how
    for reworded, _ in _same_meaning(text):
        yield reworded, how


def _same_meaning(text: str) -> Iterator[tuple[str, How]]:
    if ", " in text:
        yield " ".join(reversed(text.split(", "))), How.INVERTED
        first, _, rest = text.partition(", ")
        yield f"{rest} {first}", How.INVERTED
    if salted := _SALT.search(text):
        yield text[: salted.start()], How.SALT
    if cancer_of := _CANCER_OF.match(text):
        organ = f"{cancer_of.group(1)}{cancer_of.group(2)}"
        yield from ((f"{organ} {word}", How.REWORDED) for word in _NEOPLASM_WORDS)
    if cancer := _ENDS_IN_CANCER.match(text):
        yield from ((f"{cancer.group(1)} {word}", How.REWORDED) for word in _NEOPLASM_WORDS)
    if disease := _ENDS_IN_DISEASE.match(text):
        yield disease.group(1), How.REWORDED
        if not disease.group(2).lower().startswith("infection"):
            yield from ((f"{disease.group(1)} {word}", How.REWORDED) for word in _DISEASE_WORDS)


def _without_modifiers(text: str) -> Iterator[str]:
    """Drop modifiers one by one, in front and then behind, as long as a word is left."""
    words = text.split()
    for place in (0, -1):
        while len(words) > 1 and _is_modifier(words[place]):
            del words[place]
            yield " ".join(words).strip(" ,;:-")


def _is_modifier(word: str) -> bool:
    parts = re.findall(r"[a-z0-9]+", word.lower())
    return all(part in _MODIFIERS or part.isdigit() for part in parts)


def _cut(text: str) -> Iterator[tuple[str, How]]:
    """Keep what stands before a comma, a dash or `with`, the longest first."""
    ends = [match.start() for match in _CUT.finditer(text) if match.start() > 2]
    for end in reversed(ends[:MOST_CUTS]):
        head = text[:end].strip(" ,;:-")
        yield from _rewordings(head, How.QUALIFIER)
        for bare in _without_modifiers(head):
            yield from _rewordings(bare, How.QUALIFIER)
