"""Whether the names of a question are names at all: misspelt, unknown or swapped ones are told."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trialyst.ctgov.query import TrialQuery
from trialyst.essie.ast import Expansion, ExpansionLevel
from trialyst.essie.build import phrase
from trialyst.folding import fold_phrase
from trialyst.questions.spelling import with_nearest
from trialyst.vocabulary.concept import Kind
from trialyst.vocabulary.slips import slip_cost

if TYPE_CHECKING:
    from trialyst.questions.names import Term
    from trialyst.questions.readings import ArgumentReading
    from trialyst.repurposing.asking import Asking

__all__ = ["CheckedNames", "check_names"]

_ENDING = 3
"""Letters at the end of a name in which languages differ."""
_LEAST_SLIP, _ONE_SLIP = 0.8, 1.0
"""What a letter too many or too few costs; letters that sound alike cost less."""
_PARAMS = {"drug": "intr", "class": "intr", "intervention": "intr", "condition": "cond"}


@dataclass(frozen=True, slots=True)
class CheckedNames:
    """The names of a question as they were understood."""

    drug: ArgumentReading
    condition: ArgumentReading
    known: bool
    """Whether every word of both is resolved or literally found, as what it was given for."""
    notes: tuple[str, ...] = ()


async def check_names(asking: Asking, drug: Term, condition: Term) -> CheckedNames:
    """Check the names of a drug and a condition."""
    swapped = _swapped(asking, drug, condition)
    readings = await asyncio.gather(_checked(asking, drug), _checked(asking, condition))
    unknown = [
        word
        for term, reading in zip((drug, condition), readings, strict=True)
        for word in await _unknown_words(asking, term, reading)
    ]
    notes = [
        f"No record holds {word!r} as a part of such a name; it may be misspelt."
        for word in unknown
    ]
    known = not (swapped or unknown or any(reading.misspelt for reading in readings))
    return CheckedNames(*readings, known=known, notes=(*swapped, *notes))


async def _checked(asking: Asking, term: Term) -> ArgumentReading:
    """Add the nearest names to one that is unknown, or known only as a slip of the pen."""
    meant = _slip_of(term)
    if meant is not None:
        param = _PARAMS.get(term.kind, "term")
        # As it is written: a source may add the names that its own list has for it.
        literal = Expansion(ExpansionLevel.TERM, phrase(term.parts[0].asked))
        if not await asking.source.count(TrialQuery(queries=((param, literal),))):
            return term.reading.model_copy(update={"misspelt": True, "nearest": (meant,)})
    return await with_nearest(asking.source, asking.vocabulary, term)


def _slip_of(term: Term) -> str | None:
    """Give the name that a listed one is a slip of: lists of synonyms hold slips too.

    Other spellings by sound or ending, such as sulphate or octreotida, are no slips.
    """
    if not term.is_name or len(term.parts) != 1 or len(term.concepts) != 1:
        return None
    written, known = fold_phrase(term.parts[0].asked), fold_phrase(term.concepts[0].preferred)
    if written.startswith(known[:-_ENDING]):
        return None
    cost = slip_cost(written, known, limit=_ONE_SLIP)
    return term.concepts[0].preferred if _LEAST_SLIP <= cost <= _ONE_SLIP else None


def _swapped(asking: Asking, drug: Term, condition: Term) -> list[str]:
    """Say of a name that it certainly means what the other argument is for."""
    asked = drug.reading.asked, condition.reading.asked
    no_drug = _is_only(asking, asked[0], Kind.CONDITION) and drug.kind != "class"
    no_condition = _is_only(asking, asked[1], Kind.DRUG)
    if no_drug and no_condition:
        return [
            f"{asked[0]!r} is a condition and {asked[1]!r} a drug: the two seem to be swapped; "
            f"give drug {asked[1]!r} and condition {asked[0]!r}."
        ]
    return [
        *([f"{asked[0]!r} is a condition, not a drug."] if no_drug else []),
        *([f"{asked[1]!r} is a drug, not a condition."] if no_condition else []),
    ]


def _is_only(asking: Asking, text: str, kind: Kind) -> bool:
    """Whether a text is the name of one kind of thing and not of the other."""
    other = Kind.DRUG if kind is Kind.CONDITION else Kind.CONDITION
    resolve = asking.vocabulary.resolve
    return resolve(text, kinds=(kind,)).exact and not resolve(text, kinds=(other,)).exact


async def _unknown_words(asking: Asking, term: Term, reading: ArgumentReading) -> list[str]:
    """Give the parts of a name that no vocabulary resolves and no record holds."""
    if term.is_name or reading.misspelt:
        return []
    known = {name for concept in term.concepts for name in concept.names}
    doubtful = [
        part.asked
        for part in term.parts
        if not term.concepts or (len(part.names) == 1 and part.names[0] not in known)
    ]
    param = _PARAMS.get(term.kind, "term")
    counts = await asyncio.gather(
        *(asking.source.count(TrialQuery(queries=((param, phrase(word)),))) for word in doubtful)
    )
    return [word for word, count in zip(doubtful, counts, strict=True) if not count]
