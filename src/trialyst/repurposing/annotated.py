"""Trials as rows with their annotation, and whether one gives a drug or is about a condition.

A registry keeps annotations; of a live service, the texts to read come with the rows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from trialyst.annotation import Role, TrialAnnotation, decode_annotation
from trialyst.ctgov.parse_readable import READABLE_PIECES, row_readable, to_readable
from trialyst.folding import fold_phrase
from trialyst.ids import NctId
from trialyst.registry.trial_reader import open_annotator
from trialyst.repurposing.rows import PIECES, TrialRow
from trialyst.vocabulary.relations import Relation, Relations
from trialyst.vocabulary.term import Term as Meaning

if TYPE_CHECKING:
    from trialyst.annotation import DrugNames
    from trialyst.ctgov.query import TrialQuery
    from trialyst.questions.names import Part, Term
    from trialyst.repurposing.asking import Asking
    from trialyst.vocabulary.concept import Concept

__all__ = [
    "GIVEN",
    "AnnotatedTrial",
    "Matched",
    "Nearness",
    "SoughtCondition",
    "SoughtDrug",
    "load_annotated",
]

GIVEN = (Role.TESTED, Role.UNSTATED, Role.COMPARATOR, Role.BACKGROUND, Role.DIAGNOSTIC)
"""Roles in which a trial gives a drug, those that say most of it first."""
_ORDER = {role: place for place, role in enumerate(GIVEN)}

_TUMORS_BY_SITE = "C04.588"


class AnnotatedTrial(NamedTuple):
    """A trial with what was read of it."""

    row: TrialRow
    annotation: TrialAnnotation


class Nearness(StrEnum):
    """How a trial's conditions stand to one that is asked about."""

    SAME = "same"
    NARROWER = "narrower"


class Matched(NamedTuple):
    """How a trial stands to a condition that is asked about."""

    nearness: Nearness
    in_focus: bool = True
    """Whether the trial is chiefly about it."""
    in_title: bool = True


async def load_annotated(
    asking: Asking, query: TrialQuery, pieces: Sequence[str] = PIECES
) -> list[AnnotatedTrial]:
    """Give every match as a row, without what was not yet known, with its annotation."""
    annotate = open_annotator(asking.vocabulary, asking.drugs).annotate
    if asking.source.is_remote:
        rows = await asking.rows(query, pieces, beside=READABLE_PIECES)
        texts = slice(-len(READABLE_PIECES), None)

        def read_all() -> list[AnnotatedTrial]:
            return [AnnotatedTrial(row, annotate(row_readable(row.values[texts]))) for row in rows]

        return await asyncio.to_thread(read_all)
    rows = await asking.rows(query, pieces)
    kept = await asking.source.kept_annotations([NctId.parse(row.nct_id) for row in rows])
    missing = [NctId.parse(row.nct_id) for row in rows if row.nct_id not in kept]
    read = {
        trial.nct_id: annotate(to_readable(trial))
        for trial in (await asking.source.get_many(missing) if missing else ())
    }
    return await asyncio.to_thread(
        lambda: [
            AnnotatedTrial(
                row,
                read[row.nct_id] if row.nct_id in read else decode_annotation(kept[row.nct_id]),
            )
            for row in rows
        ]
    )


class SoughtDrug:
    """A drug that is asked for: which role it has in a trial."""

    def __init__(self, term: Term, names: DrugNames) -> None:
        self._parts = [_SoughtPart(part, term, names) for part in term.parts]

    def is_one_of(self, keys: frozenset[str]) -> bool:
        """Whether some drugs are all that is asked for."""
        return all(part.is_one_of(keys) for part in self._parts)

    def role_in(self, annotation: TrialAnnotation) -> Role | None:
        """Give the role, of a combination the most telling one; None where it is not given."""
        roles = [part.role_in(annotation) for part in self._parts]
        known = [role for role in roles if role is not None]
        return min(known, key=_ORDER.__getitem__) if len(known) == len(roles) and known else None


class _SoughtPart:
    def __init__(self, part: Part, term: Term, names: DrugNames) -> None:
        members = term.reading.members or ()
        self._any_of = [{drug.key for drug in names.read(name)} for name in (*members, part.asked)]
        self._any_of += [{concept.id} for concept in term.concepts if part.asked in concept.names]
        self._phrases = tuple(f" {phrase} " for phrase, _ in part.phrases)

    def is_one_of(self, given: frozenset[str]) -> bool:
        return any(keys and keys <= given for keys in self._any_of)

    def role_in(self, annotation: TrialAnnotation) -> Role | None:
        roles: dict[str, Role] = {}
        for intervention in annotation.interventions:
            for each in intervention.drugs:
                known = roles.get(each.drug.key)
                if each.role in _ORDER and (known is None or _ORDER[each.role] < _ORDER[known]):
                    roles[each.drug.key] = each.role
        found = [
            min((roles[key] for key in keys), key=_ORDER.__getitem__)
            for keys in self._any_of
            if keys and keys <= roles.keys()
        ]
        found += [
            intervention.role
            for intervention in annotation.interventions
            if intervention.role in _ORDER and self._is_named(intervention.name)
        ]
        return min(found, key=_ORDER.__getitem__) if found else None

    def _is_named(self, name: str) -> bool:
        padded = f" {fold_phrase(name)} "
        return any(phrase in padded for phrase in self._phrases)


class SoughtCondition:
    """A condition that is asked for: whether a trial is about it or a narrower one."""

    def __init__(self, term: Term, asking: Asking) -> None:
        self._relations = Relations(asking.vocabulary)
        self._annotator = open_annotator(asking.vocabulary, asking.drugs)
        self._meant = [_meaning(concept) for concept in term.concepts]
        self._either = len(term.parts) == 1
        # A search needs fewer names: lupus finds systemic lupus erythematosus.
        self._phrases = frozenset(
            (
                *(phrase for part in term.parts for phrase, _ in part.phrases),
                *(fold_phrase(name) for concept in term.concepts for name in concept.names),
            )
        )
        self._related: dict[str, list[Relation]] = {}
        self.note: str | None = None
        """What is meant, where the vocabulary has one concept for it and something wider."""
        if len(self._meant) == 1:
            self._narrow(term)

    def _narrow(self, term: Term) -> None:
        """Mean what trials mean by the name: NASH, which MeSH has as a name of NAFLD."""
        (concept,), asked = self._meant, term.reading.asked
        meant = self._annotator.read_condition(asked)
        if meant is not None and self._relations.relate(meant, concept) is Relation.NARROWER:
            self._meant = [meant]
            self.note = f"{asked!r} is counted as {meant.name}, a kind of {concept.name}."

    @property
    def is_understood(self) -> bool:
        """Whether trials can be told by what they are about, whatever their words."""
        return bool(self._meant)

    def match(self, annotation: TrialAnnotation, listed: Sequence[str] = ()) -> Matched | None:
        """Say how near a trial that the search found is to the condition.

        None where the words stand in the name of another condition: ocular hypertension. A trial
        whose conditions cannot be read, or a condition that nothing knows, is taken by its words.

        Args:
            listed: the conditions as the record lists them.
        """
        concepts = annotation.conditions.concepts
        if not self._meant or not concepts:
            return Matched(Nearness.SAME)
        near = self._nearness(concepts)
        is_listed = near is not Nearness.SAME and any(map(self._is_name, listed))
        if near is None and not is_listed:
            return None
        titled = [term for term in concepts if term.id in annotation.conditions.titled]
        return Matched(
            Nearness.SAME if is_listed or near is None else near,
            in_focus=near is None or self._nearness(annotation.conditions.focus) is not None,
            in_title=self._nearness(titled) is not None,
        )

    def _is_name(self, text: str) -> bool:
        """Whether a text is a name of what is meant, and none of a narrower thing."""
        if fold_phrase(text) not in self._phrases:
            return False
        read = self._annotator.read_condition(text)
        return read is None or Relation.SAME in self._relate(read)

    def _nearness(self, terms: Sequence[Meaning]) -> Nearness | None:
        """Give how near the nearest of some terms is to what is meant, to all parts of it."""
        each = [self._relate(term) for term in terms]
        best = []
        for place in range(len(self._meant)):
            found = {relations[place] for relations in each}
            best.append(
                Nearness.SAME
                if Relation.SAME in found
                else Nearness.NARROWER
                if Relation.NARROWER in found
                else None
            )
        if self._either:
            known = [near for near in best if near is not None]
            return (Nearness.SAME if Nearness.SAME in known else known[0]) if known else None
        if None in best:
            return None
        return Nearness.NARROWER if Nearness.NARROWER in best else Nearness.SAME

    def _relate(self, term: Meaning) -> list[Relation]:
        known = self._related.get(term.id)
        if known is None:
            known = [
                Relation.UNRELATED
                if _is_spread(term) and _is_of_site(meant)
                else self._relations.relate(term, meant)
                for meant in self._meant
            ]
            self._related[term.id] = known
        return known


def _is_spread(term: Meaning) -> bool:
    """Whether a term means metastases in an organ, which are no cancer of that organ."""
    return term.id.startswith("term:") and term.id.endswith(" metastasis")


def _is_of_site(term: Meaning) -> bool:
    """Whether a term means the tumours of an organ."""
    return any(tree.startswith(_TUMORS_BY_SITE) for tree in term.trees) and not _is_spread(term)


def _meaning(concept: Concept) -> Meaning:
    return Meaning(concept.id, concept.preferred, concept.trees)
