"""From the words of one noun phrase to one leaf: what kind of thing it names, and how it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from trialyst.eligibility.modifiers import has_state, read_manner, read_route, with_state
from trialyst.eligibility.phrases import Item, fields_of_medicine
from trialyst.eligibility.requirement import (
    Allergy,
    Has,
    Measured,
    Opaque,
    Requirement,
    Tense,
    Took,
    Underwent,
    Window,
)
from trialyst.eligibility.tokens import guess_noun, is_participle
from trialyst.vocabulary.term import Term, TermKind

if TYPE_CHECKING:
    from trialyst.eligibility.lexicon import Lexicon, Named

__all__ = ["MODIFIERS", "NOUNS", "Mood", "build_leaf", "is_bare"]

NOUNS = frozenset(
    "name word number general condition_head therapy_head procedure_head measure_head field "
    "any_drug study_drug analyte risk".split()
)
"""Items that make a noun phrase."""
MODIFIERS = frozenset("severity activity adjective proof route state stage recent naive -".split())
"""Items that stand in a noun phrase and tell how the thing is."""
_VAGUE_HEADS = frozenset(
    "dysfunction dysfunctions impairment impairments insufficiency failure abnormality "
    "abnormalities problem problems involvement complication complications disturbance "
    "disturbances compromise damage decompensation".split()
)
_PLAIN = frozenset("known new definite primary measurable evaluable underlying".split())
"""Adjectives after which no other thing is meant than before."""
_FAILING = ("dysfunction of", "impairment of")
_GENERIC = frozenset(
    ("Surgical Procedures, Operative", "Therapeutics", "Drug Therapy", "Disease", "Syndrome")
)
"""Names that say less than one right before them: "coronary bypass surgery"."""
_NO_TREATMENT = frozenset(
    "intervention interventions component components substance substances dose doses diet".split()
)
"""Words that by themselves do not say that anything was given."""
_ORIGINS = ("related", "induced", "associated")
_SUBSTANCES = frozenset(("therapy_head", "any_drug", "study_drug", "analyte"))
_CONDITIONS = frozenset((TermKind.CONDITION, TermKind.SYMPTOM))
_DRUGS = frozenset((TermKind.DRUG, TermKind.DRUG_CLASS, TermKind.THERAPY))


@dataclass(slots=True)
class Mood:
    """How the words before a noun phrase make it be read."""

    verb: str = ""
    """`has`, `took`, `treats`, `underwent`, `allergy`; or empty."""
    tense: Tense | None = None
    family: bool = False
    stable: bool = False
    response: str = ""
    when: Window | None = None
    direct: bool = False
    """Whether the phrase stands right behind the verb, whose object even an unknown word is."""

    def copy(self) -> Mood:
        """Give the same once more."""
        return Mood(
            self.verb,
            self.tense,
            self.family,
            self.stable,
            self.response,
            self.when,
            self.direct,
        )


def is_bare(chunk: list[Item]) -> bool:
    """Tell whether a noun phrase lacks its noun, as "breast" in "breast or ovarian cancer"."""
    return all(
        item.kind in ("field", "number")
        or item.kind in MODIFIERS
        or (item.kind == "word" and not guess_noun(item.value))
        for item in chunk
    )


def build_leaf(chunk: list[Item], mood: Mood, text: str, lexicon: Lexicon) -> Requirement | None:
    """Make the leaf of a noun phrase; None where it holds nothing but modifiers."""
    nouns = [item for item in chunk if item.kind not in MODIFIERS]
    if len(chunk) > 1 or chunk[0].kind == "number":
        nouns = _without_figures(nouns)
    if not nouns or (len(chunk) == 1 and nouns[0].kind == "measure_head"):
        return None
    start, end = nouns[0].start, nouns[-1].end
    leaf = _leaf(nouns, mood, text[start:end], lexicon)
    if isinstance(leaf, Measured) and nouns[-1].kind == "measure_head" and not has_state(chunk):
        # "Organ function" without a word on how it is says nothing that a chart could hold.
        leaf = Opaque(words=leaf.words)
    if isinstance(leaf, Opaque) and (ill := _ailment(chunk, text, lexicon)) is not None:
        leaf = ill
    given = (
        len(chunk) > 1 and chunk[-2].kind == "route" and (len(chunk) == 2 or chunk[-3].kind != "-")
    )
    if isinstance(leaf, Opaque) and given:
        # "Oral antileukotrienes": what has a route is given, whatever it is.
        leaf = Took(words=leaf.words)
    if len(chunk) == 1:
        return _with_mood(_replace_span(leaf, start, end), chunk, mood, text)
    leaf = _replace_span(_with_modifiers(leaf, chunk, text), *_place(chunk, start, end))
    return with_state(_with_mood(leaf, chunk, mood, text), chunk)


def _ailment(chunk: list[Item], text: str, lexicon: Lexicon) -> Has | None:
    """Give "dysfunction of the autonomic nervous system" as what is wrong with it."""
    said = [item for item in chunk if item.kind == "state"]
    if not said or not text[said[-1].start : said[-1].end].lower().endswith(_FAILING):
        return None
    fields = [item.value for item in chunk if item.kind == "field"]
    what = lexicon.term(fields[-1]) if fields else None
    return Has(what=what, words=text[said[-1].start : chunk[-1].end])


def _without_figures(nouns: list[Item]) -> list[Item]:
    """Leave out numbers at the end, and all that follows a number behind a thing measured."""
    for at, item in enumerate(nouns):
        if item.kind == "number" and at and nouns[at - 1].kind in ("analyte", "measure_head"):
            return nouns[:at]
    while nouns and nouns[-1].kind == "number":
        nouns = nouns[:-1]
    return nouns


def _place(chunk: list[Item], start: int, end: int) -> tuple[int, int]:
    """Give where a noun phrase stands with its stage and severity."""
    told = [item for item in chunk if item.kind in ("stage", "severity", "state")]
    starts, ends = [item.start for item in told], [item.end for item in told]
    return min([start, *starts]), max([end, *ends])


def _with_modifiers(leaf: Requirement, chunk: list[Item], text: str) -> Requirement:
    """Keep the words beside a name that it does not cover."""
    if not isinstance(leaf, Has | Took | Underwent):
        return leaf
    if leaf.what is None:
        return _with_origin(leaf, chunk, text)
    told = [
        text[item.start : item.end].lower()
        for item in chunk
        if item.kind in ("word", "field", "adjective")
    ]
    narrowing = " ".join(word for word in told if word not in _PLAIN)
    return msgspec.structs.replace(leaf, modifiers=narrowing) if narrowing else leaf


def _with_origin(leaf: Has | Took | Underwent, chunk: list[Item], text: str) -> Requirement:
    """Let "HIV-related malignancy" be such a malignancy, not any."""
    origins = [text[item.start : item.end] for item in chunk if item.kind == "adjective"]
    origin = next((words for words in origins if words.lower().endswith(_ORIGINS)), "")
    if not origin or isinstance(leaf, Underwent):
        return leaf
    return msgspec.structs.replace(leaf, words=f"{origin} {leaf.words}", general="")


def _replace_span(node: Requirement, start: int, end: int) -> Requirement:
    """Give a node with another place in the text."""
    return msgspec.structs.replace(node, span=(start, end))


def _leaf(nouns: list[Item], mood: Mood, words: str, lexicon: Lexicon) -> Requirement:
    head = nouns[-1]
    names = [item.value for item in nouns if item.kind == "name"]
    if mood.verb == "allergy" and _is_allergen(nouns, names, mood):
        return _allergy(nouns, names, words)
    if head.kind == "analyte" and (mood.verb == "took" or mood.tense is Tense.EVER):
        found = lexicon.find(f"taking {words}" if mood.verb == "took" else words)
        if found and found[-1].kind in _DRUGS:
            return Took(what=found[-1].what, words=words, kind=found[-1].kind)
    if head.kind == "name" and head.value.what.name in _GENERIC and len(names) > 1:
        head = next(item for item in reversed(nouns[:-1]) if item.kind == "name")
        if (head.value.kind in _CONDITIONS) != (names[-1].kind in _CONDITIONS):
            head = nouns[-1]
    if any(item.kind == "any_drug" and item.value == "other trial" for item in nouns):
        return Took(words=words, general="other trial", kind=TermKind.THERAPY)
    if head.kind == "name":
        return _named(head.value.what, head.value.kind, words)
    build = _HEADS.get(head.kind)
    if build is not None:
        return build(nouns, names, words, lexicon)
    return _unknown(nouns, names, mood, words)


def _is_allergen(nouns: list[Item], names: list[Named], mood: Mood) -> bool:
    if names:
        return names[-1].kind not in _CONDITIONS
    unknown = mood.direct and all(item.kind != "field" for item in nouns)
    return unknown or nouns[-1].kind in _SUBSTANCES


def _allergy(nouns: list[Item], names: list[Named], words: str) -> Requirement:
    if names:
        return Allergy(what=names[-1].what, words=words)
    if nouns[-1].kind == "study_drug":
        return Allergy(words="study drug")
    return Allergy(words=words)


def _named(what: Term, kind: TermKind, words: str) -> Requirement:
    if kind in _DRUGS:
        return Took(what=what, words=words, kind=kind)
    if kind in _CONDITIONS:
        general = "disease" if what.name in fields_of_medicine() else ""
        return Has(what=what, words=words, kind=kind, general=general)
    return Underwent(what=what, words=words, kind=kind)


def _general(nouns: list[Item], names: list[Named], words: str, lexicon: Lexicon) -> Requirement:
    head = nouns[-1]
    for named in reversed(names):
        if named.kind in _CONDITIONS:
            return Has(what=named.what, words=words, kind=named.kind)
    fields = [item.value for item in nouns if item.kind == "field"]
    if fields:
        return Has(what=lexicon.term(fields[-1]), words=words, general=head.value)
    if len(nouns) > 1:
        return Has(words=words)
    return Has(words=words, general=head.value)


def _condition(nouns: list[Item], names: list[Named], words: str, lexicon: Lexicon) -> Requirement:
    for named in reversed(names):
        if named.kind in _CONDITIONS:
            return Has(what=named.what, words=words, kind=named.kind)
    fields = [item.value for item in nouns if item.kind == "field"]
    if fields and nouns[-1].end and words.lower().split()[-1] in _VAGUE_HEADS:
        return Has(what=lexicon.term(fields[-1]), words=words)
    return Has(words=words)


def _therapy(nouns: list[Item], names: list[Named], words: str, lexicon: Lexicon) -> Requirement:
    antibodies = words.lower().endswith(("antibody", "antibodies"))
    for named in reversed(names):
        if antibodies and named.kind in _CONDITIONS:
            return Has(what=named.what, words=words, kind=named.kind)
        if named.kind in _DRUGS:
            return Took(what=named.what, words=words, kind=named.kind)
        if named.kind not in _CONDITIONS:
            return Underwent(what=named.what, words=words, kind=named.kind)
    if len(nouns) > 1:
        return Took(words=words, kind=TermKind.THERAPY)
    if words.lower() in _NO_TREATMENT:
        return Opaque(words=words)
    return Took(words=words, general="any drug", kind=TermKind.THERAPY)


def _any_drug(nouns: list[Item], names: list[Named], words: str, lexicon: Lexicon) -> Requirement:
    for named in reversed(names):
        if named.kind in _DRUGS:
            return Took(what=named.what, words=words, kind=named.kind)
    general = nouns[-1].value if len(nouns) == 1 or nouns[-1].value != "any drug" else ""
    return Took(words=words, general=general, kind=TermKind.THERAPY)


def _procedure(nouns: list[Item], names: list[Named], words: str, lexicon: Lexicon) -> Requirement:
    for named in reversed(names):
        if named.kind not in _CONDITIONS and named.kind not in _DRUGS:
            return Underwent(what=named.what, words=words, kind=named.kind)
    return Underwent(words=words)


def _measure(nouns: list[Item], names: list[Named], words: str, lexicon: Lexicon) -> Requirement:
    return Measured(analyte=words.lower(), words=words)


def _study_drug(nouns: list[Item], names: list[Named], words: str, lexicon: Lexicon) -> Requirement:
    return Took(words=words, general="investigational drug", kind=TermKind.THERAPY)


def _analyte(nouns: list[Item], names: list[Named], words: str, lexicon: Lexicon) -> Requirement:
    return Measured(analyte=nouns[-1].value.analyte, words=nouns[-1].value.words)


_HEADS = {
    "general": _general,
    "condition_head": _condition,
    "risk": _condition,
    "therapy_head": _therapy,
    "procedure_head": _procedure,
    "measure_head": _measure,
    "any_drug": _any_drug,
    "study_drug": _study_drug,
    "analyte": _analyte,
}


def _unknown(nouns: list[Item], names: list[Named], mood: Mood, words: str) -> Requirement:
    guesses = [guess_noun(item.value) for item in nouns if item.kind == "word"]
    guess = guesses[-1] if guesses else ""
    if not guess and names:
        return _named(names[-1].what, names[-1].kind, words)
    guess = guess or next(filter(None, reversed(guesses)), "")
    if guess == "condition":
        return Has(words=words)
    verb = mood.verb if mood.direct and not is_participle(nouns[-1].value) else ""
    if guess == "drug" or verb == "took":
        return Took(words=words)
    if guess == "procedure" or verb == "underwent":
        return Underwent(words=words)
    if mood.verb in ("has", "risks", "treats") and nouns[-1].kind != "number":
        return Has(words=words)
    return Opaque(words=words)


def _with_mood(leaf: Requirement, chunk: list[Item], mood: Mood, text: str) -> Requirement:
    change = msgspec.structs.replace
    if mood.response == "contraindicated" and (mood.direct or getattr(leaf, "what", None)):
        words = getattr(leaf, "words", "")
        what = getattr(leaf, "what", None)
        return Has(what=what, words=words, general="contraindication", span=leaf.span)
    match leaf:
        case Has() if mood.verb == "risks":
            return Has(words=f"risk of {leaf.words}", when=mood.when, span=leaf.span)
        case Has():
            leaf = change(leaf, **read_manner(chunk, text), family=mood.family, when=mood.when)
            planned = mood.tense is Tense.PLANNED
            return change(leaf, tense=mood.tense) if mood.tense and not planned else leaf
        case Took():
            if mood.verb == "underwent" and leaf.what is None and not leaf.general:
                return Underwent(
                    words=leaf.words, tense=mood.tense or Tense.EVER, when=mood.when, span=leaf.span
                )
            before = leaf.general and leaf.words.lower().startswith(("prior", "previous"))
            return change(
                leaf,
                tense=mood.tense or (Tense.EVER if before else Tense.NOW),
                stable=mood.stable,
                response=mood.response,
                route=read_route(chunk, text),
                when=mood.when,
            )
        case Underwent():
            return change(leaf, tense=mood.tense or Tense.EVER, when=mood.when)
        case Measured() if mood.verb == "took" and leaf.words:
            return Took(
                words=leaf.words, tense=mood.tense or Tense.NOW, when=mood.when, span=leaf.span
            )
        case Measured():
            return change(leaf, when=mood.when)
        case _:
            return leaf
