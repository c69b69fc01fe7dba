"""What a name means, as names to search for: drugs, conditions and drug classes to concepts.

Every name of a concept gives the same search, so a brand finds what the generic name finds. A name
that may mean several things, or nothing known, is searched as it is written, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from trialyst.errors import InvalidInput
from trialyst.essie.ast import Coverage, CoverageKind, Expansion, ExpansionLevel, Node
from trialyst.essie.build import any_of, area, phrase
from trialyst.essie.render import text_node
from trialyst.folding import fold_phrase
from trialyst.questions.cutting import cut_names
from trialyst.questions.describing import agent_of, kinds_named_after, noun_of
from trialyst.questions.headings import is_thing, meant_kind
from trialyst.questions.readings import ArgumentReading
from trialyst.questions.searched_names import (
    SHORTEST,
    Part,
    codes_of,
    distinct_names,
    drug_spellings,
    fitting_names,
    names_with,
    usable_names,
)
from trialyst.vocabulary.classes import drug_class
from trialyst.vocabulary.concept import Concept, How, Kind, Resolution
from trialyst.vocabulary.doses import strip_dose

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = [
    "Part",
    "Term",
    "read_class",
    "read_condition",
    "read_drug",
    "read_plain",
    "to_class_term",
    "to_node",
]


_SAME_MEANING = frozenset({How.REWORDED, How.PARENTHESIS})
"""Steps that change the words but hardly the meaning: neoplasm for cancer, `(NASH)` dropped."""
_EITHER_WAY = "either"
_DESCRIBED = "described"
_BY_WORDS = "words"
_EITHER = re.compile(r"\s*/\s*|\s+or\s+", re.IGNORECASE)
_LISTED = re.compile(r"\s*[,;]\s*")
_JOINED = re.compile(r"\s*[-\u2010-\u2014]\s*")
_BOTH = re.compile(r"\s*[/+&]\s*|\s+(?:and|plus|with)\s+", re.IGNORECASE)
_METASTATIC = re.compile(r"m(?=[A-Z]{2})")
"""How abbreviations of metastatic cancers begin: mCRPC, mRCC."""
_EITHER_WORD = ("relapsed", "refractory", "recurrent")
_WORDS_FOR = dict.fromkeys(("r/r", "relapsed/refractory", "refractory/relapsed"), _EITHER_WORD)
"""Words that stand for several."""


@dataclass(frozen=True)
class Term:
    """A name as it is searched for: all of its parts must be found."""

    kind: str
    parts: tuple[Part, ...]
    reading: ArgumentReading
    notes: tuple[str, ...] = ()
    concepts: tuple[Concept, ...] = field(default=(), compare=False)

    @property
    def is_name(self) -> bool:
        """Whether the whole text is known as a name, not only some words of it."""
        return self.reading.known and self.reading.how != _BY_WORDS


def read_drug(vocabulary: Vocabulary, text: str) -> Term:
    """Read the name of a drug: brand, code, generic name, salt, with or without a dose.

    The name of a class stands for its members.
    """
    written = _checked(text, "a drug by its generic name, brand or code, or a drug class")
    if (group := read_class(vocabulary, text)) and not _is_substance(vocabulary, written):
        return group
    for spelling in drug_spellings(written):
        found = vocabulary.resolve(spelling, kinds=(Kind.DRUG,))
        if _is_certain(found):
            return _known(vocabulary, text, "drug", found)
        if found.ambiguous:
            return _ambiguous(text, "drug", found)
    mixed = _combined(vocabulary, text, written) or _heading(vocabulary, text, "drug")
    return mixed or _by_segments(vocabulary, text, "drug")


def read_condition(vocabulary: Vocabulary, text: str) -> Term:
    """Read the name of a condition, through MeSH where it is known."""
    written = _checked(text, "a condition, such as melanoma")
    found = vocabulary.resolve(written, kinds=(Kind.CONDITION,))
    if _is_certain(found):
        return _known(vocabulary, text, "condition", found)
    if found.ambiguous:
        return _ambiguous(text, "condition", found)
    return (
        _alternatives(vocabulary, text, written)
        or _described(vocabulary, text, written)
        or _heading(vocabulary, text, "condition")
        or _metastatic(vocabulary, text, written)
        or _by_segments(vocabulary, text, "condition")
    )


def _metastatic(vocabulary: Vocabulary, text: str, written: str) -> Term | None:
    """Read `mCRPC` as CRPC, whatever its stage: better too many trials than a gap by a letter."""
    rest = _METASTATIC.sub("", written, count=1)
    if rest == written or len(written.split()) > 1:
        return None
    found = vocabulary.resolve(rest, kinds=(Kind.CONDITION,))
    if not _is_certain(found):
        return None
    term = _known(vocabulary, text, "condition", found)
    part = Part(distinct_names((written, *term.parts[0].names)), written)
    note = f"{text!r} is counted as {term.reading.name}, metastatic or not."
    return replace(term, parts=(part,), notes=(note, *term.notes[1:]))


def read_class(vocabulary: Vocabulary, text: str) -> Term | None:
    """Read the name of a drug class as its own names and those of its members, or None."""
    known = drug_class(_checked(text))
    if known is None:
        return None
    own = (known.name, *known.aliases, *known.headings)
    return to_class_term(vocabulary, text, known.name, own, known.members)


def to_class_term(
    vocabulary: Vocabulary, text: str, name: str, own: Sequence[str], members: Sequence[str]
) -> Term:
    """Give the term that finds a group of drugs by its own names and those of its members."""
    listed = [each for member in members for each in _member_names(vocabulary, member)]
    listed += [code for member in members for code in _codes(vocabulary, member)]
    names, left_out = fitting_names(distinct_names([text, *own, *listed]), "class")
    return Term(
        "class",
        (Part(names, text),),
        ArgumentReading(
            asked=text,
            kind="class",
            known=True,
            name=name,
            how="class",
            searched=names,
            members=tuple(members),
        ),
        (
            f"{text!r} is the class {name}, searched by its names and its {len(members)} members.",
            *_left_out(text, left_out),
        ),
    )


def read_plain(text: str) -> Term:
    """Take a text as it is written."""
    written = _checked(text)
    reading = ArgumentReading(asked=text, kind="term", known=False, searched=(written,))
    return Term("term", (Part((written,), text),), reading)


def to_node(term: Term) -> Node:
    """Give the expression that finds a name, as its source expands it; a class by its members."""
    if term.kind == "class":
        members = any_of(*(phrase(name) for part in term.parts for name in part.names))
        return any_of(text_node(term.reading.asked), Expansion(ExpansionLevel.TERM, members))
    if term.reading.how in (How.TRANSLATED, _EITHER_WAY):
        return any_of(*(text_node(concept.preferred) for concept in term.concepts))
    if term.reading.how == _DESCRIBED:
        return any_of(text_node(term.concepts[0].preferred), text_node(term.parts[0].asked))
    if term.concepts and len(term.parts) == 1:
        # Without what the name was found without: a dose, a parenthesis.
        kinds = (phrase(kind) for kind in term.reading.members or ())
        return any_of(text_node(term.parts[0].asked), *kinds, *_acronyms(term))
    return text_node(term.reading.asked)


def _acronyms(term: Term) -> Iterator[Node]:
    """Give the acronyms of a condition, where they are all that stands in its place: CML.

    A short word, which is no acronym, may have others beside it: Winter Colds and Flu.
    """
    (concept,) = term.concepts
    short = [name for name in concept.synonyms if len(name) < SHORTEST]
    if concept.kind is Kind.CONDITION and short:
        words = map(phrase, filter(str.islower, short))
        acronyms = [phrase(name) for name in short if not name.islower()]
        alone = [Coverage(CoverageKind.FULL_MATCH, any_of(*acronyms))] if acronyms else []
        named = any_of(*words, *alone)
        yield from (area(piece, named) for piece in ("Condition", "Keyword"))


def _checked(text: str, wanted: str = "a drug, a drug class or a condition") -> str:
    """Refuse what cannot be searched for, as every search does."""
    if not isinstance(text, str):
        given: object = text
        raise InvalidInput(
            f"The name is {given!r}, not a text", hint=f"Name {wanted}.", invalid_input=str(given)
        )
    if not text.strip():
        raise InvalidInput("The name is empty", hint=f"Name {wanted}.", invalid_input=text)
    text_node(text)
    return " ".join(text.replace('"', " ").split()) or text


def _is_certain(found: Resolution) -> bool:
    if not found or found.ambiguous:
        return False
    return found.exact or found.matches[0].how in _SAME_MEANING


def _is_substance(vocabulary: Vocabulary, text: str) -> bool:
    """Whether a name that a class has too means one drug: insulin; MeSH names groups in plural."""
    found = vocabulary.resolve(text, kinds=(Kind.DRUG,))
    return _is_certain(found) and not found.matches[0].concept.preferred.split(",")[0].endswith("s")


def _known(vocabulary: Vocabulary, text: str, kind: str, found: Resolution) -> Term:
    match = found.matches[0]
    concept = match.concept
    kinds = (*kinds_named_after(vocabulary, concept), *_pieces(vocabulary, match.name, kind))
    names, left_out = fitting_names(names_with(match.name, concept), kind)
    reading = ArgumentReading(
        asked=text,
        kind=kind,
        known=True,
        name=concept.preferred,
        concept_id=concept.id,
        how=match.how.value,
        searched=names,
        members=kinds or None,
    )
    same = fold_phrase(text) == fold_phrase(concept.preferred)
    told = () if same else (f"{text!r} is understood as {concept.preferred}.",)
    notes = (*told, *_left_out(text, left_out))
    return Term(kind, (Part(names, match.name),), reading, notes, (concept,))


def _ambiguous(text: str, kind: str, found: Resolution) -> Term:
    may_mean = tuple(dict.fromkeys(concept.preferred for concept in found.concepts))
    reading = ArgumentReading(
        asked=text, kind=kind, known=True, ambiguous=True, may_mean=may_mean, searched=(text,)
    )
    note = (
        f"{text!r} may mean {', '.join(may_mean)}; it is searched as it is written. Give the full "
        "name for one of them."
    )
    return Term(kind, (Part((text,), text),), reading, (note,))


def _heading(vocabulary: Vocabulary, text: str, kind: str) -> Term | None:
    """Read the name of something that is filed under neither drugs nor diseases: exercise."""
    found = vocabulary.resolve(_checked(text), kinds=(Kind.OTHER,))
    if not found.exact or found.ambiguous or not is_thing(found.matches[0].concept):
        return None
    if kind == "drug" and meant_kind(found.matches[0].concept) is Kind.CONDITION:
        return None
    term = _known(vocabulary, text, kind, found)
    told = "intervention" if kind == "drug" else kind
    return replace(term, reading=term.reading.model_copy(update={"kind": told}))


def _pieces(vocabulary: Vocabulary, name: str, kind: str) -> Iterator[str]:
    """Give the conditions that a name joins: trials of `HIV/AIDS` mostly name one of them."""
    pieces = name.split("/") if kind == "condition" else ()
    found = [vocabulary.resolve(piece, kinds=(Kind.CONDITION,)) for piece in pieces]
    if len(pieces) > 1 and all(map(_is_certain, found)):
        yield from pieces


def _described(vocabulary: Vocabulary, text: str, written: str) -> Term | None:
    """Read `diabetic`, a word for those who have a condition, as the condition or the word.

    So is the infection with an organism, where it has no name of its own.
    """
    if (found := noun_of(vocabulary, written) or agent_of(vocabulary, written)) is None:
        return None
    term = _known(vocabulary, written, "condition", found)
    (part,) = term.parts
    note = f"Trials of {term.reading.name} are looked for, and those that say {written!r}."
    told = {"asked": text, "how": _DESCRIBED, "note": note, "members": None}
    return replace(
        term,
        parts=(Part((*part.names, written), written),),
        reading=term.reading.model_copy(update=told),
        notes=(f"{text!r} is understood as {term.reading.name}.",),
    )


def _alternatives(vocabulary: Vocabulary, text: str, written: str) -> Term | None:
    """Read `NAFLD/NASH` or `asthma, COPD`: conditions of which any will do, if each is known."""
    for separator in (_EITHER, _JOINED, _LISTED):
        pieces = [piece for piece in separator.split(written) if piece]
        found = [vocabulary.resolve(piece, kinds=(Kind.CONDITION,)) for piece in pieces]
        if len(pieces) > 1 and all(map(_is_certain, found)):
            break
    else:
        return None
    concepts = tuple(dict.fromkeys(each.matches[0].concept for each in found))
    usable = distinct_names(name for concept in concepts for name in usable_names(concept))
    names, left_out = fitting_names(usable or tuple(pieces), "condition")
    reading = ArgumentReading(
        asked=text,
        kind="condition",
        known=True,
        name=" or ".join(concept.preferred for concept in concepts),
        concept_id=concepts[0].id if len(concepts) == 1 else None,
        how=_EITHER_WAY,
        searched=names,
    )
    note = f"{text!r} is understood as {reading.name}."
    notes = (note, *_left_out(text, left_out))
    return Term("condition", (Part(names, text),), reading, notes, concepts)


def _combined(vocabulary: Vocabulary, text: str, written: str) -> Term | None:
    """Read `nivolumab + ipilimumab`: drugs that are given together, if each is known."""
    pieces = [piece for piece in _BOTH.split(written) if piece]
    if len(pieces) < 2:
        return None
    found = [vocabulary.resolve(strip_dose(piece), kinds=(Kind.DRUG,)) for piece in pieces]
    if not all(map(_is_certain, found)):
        return None
    concepts = [each.matches[0].concept for each in found]
    parts = tuple(
        Part(fitting_names(usable_names(concept) or (piece,), "drug", len(pieces))[0], piece)
        for concept, piece in zip(concepts, pieces, strict=True)
    )
    reading = ArgumentReading(
        asked=text,
        kind="drug",
        known=True,
        name=" and ".join(concept.preferred for concept in concepts),
        how="together",
        searched=tuple(name for part in parts for name in part.names),
    )
    note = f"{text!r} is understood as {reading.name}, all of them in one trial."
    return Term("drug", parts, reading, (note,), tuple(concepts))


def _by_segments(vocabulary: Vocabulary, text: str, kind: str) -> Term:
    """Cut a text that is no known name into known names and words, each of which must be found."""
    written = _checked(text)
    cut = list(cut_names(vocabulary, written))
    if not any(concept for _, concept in cut):
        # Words of a name that nothing knows must stand together: a code is not its digits.
        cut = [(written, None)]
    parts = tuple(
        Part(fitting_names(names_with(words, concept), kind, len(cut))[0], words)
        if concept
        else Part((words, *_WORDS_FOR.get(words.lower(), ())), words)
        for words, concept in cut
    )
    known = [concept for _, concept in cut if concept]
    reading = ArgumentReading(
        asked=text,
        kind=kind,
        known=bool(known),
        name=" + ".join(concept.preferred for concept in known) or None,
        how=_BY_WORDS if known else None,
        searched=tuple(name for part in parts for name in part.names),
    )
    note = f"{text!r} is no name the vocabulary knows; it is searched " + (
        f"by its parts: {', '.join(part.asked for part in parts)}." if known else "as written."
    )
    return Term(kind, parts, reading, (note,), tuple(known))


def _member_names(vocabulary: Vocabulary, member: str) -> Sequence[str]:
    found = vocabulary.resolve(member, kinds=(Kind.DRUG,))
    if not _is_certain(found):
        return (member,)
    # Brands of a member find few trials that its generic name does not.
    return (member, found.matches[0].concept.preferred)


def _codes(vocabulary: Vocabulary, member: str) -> Sequence[str]:
    found = vocabulary.resolve(member, kinds=(Kind.DRUG,))
    return codes_of(found.matches[0].concept) if _is_certain(found) else ()


def _left_out(text: str, number: int) -> tuple[str, ...]:
    if not number:
        return ()
    return (f"{number} rarer names of {text!r} were not searched for: a request holds no more.",)
