"""What the trials nearest to a note's words study: conditions the note may mean without naming.

A note without a diagnosis still speaks as the criteria of its trials do. What many of the trials
that share its words are about is searched for in a second round.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from trialyst.matching.prescreen.rows import TrialRow
from trialyst.matching.prescreen.term import (
    SHALLOWEST,
    Role,
    SearchTerm,
    concept_phrases,
    is_too_wide,
)
from trialyst.vocabulary.concept import Kind

if TYPE_CHECKING:
    from trialyst.vocabulary import Concept, Vocabulary

__all__ = ["LOOKED_AT", "similar_terms"]

LOOKED_AT = 40
LEAST_SHARE = 0.2
"""Of the trials looked at, weighed by rank, that must study a condition."""
MOST_TERMS = 4
_KINDS = frozenset({Kind.CONDITION})


def similar_terms(
    nearest: Sequence[TrialRow], known: Collection[str], vocabulary: Vocabulary
) -> tuple[SearchTerm, ...]:
    """Give the conditions that many of the nearest trials study, those known left out.

    Args:
        nearest: trials in the order of how many of the note's words they share.
        known: ids of concepts that are searched for anyway.
    """
    shares: defaultdict[str, float] = defaultdict(float)
    concepts: dict[str, Concept] = {}
    total = 0.0
    for rank, row in enumerate(nearest[:LOOKED_AT]):
        total += 1 / (20 + rank)
        for concept in _studied(row.conditions, row.mesh_terms, vocabulary):
            concepts[concept.id] = concept
            shares[concept.id] += 1 / (20 + rank)
    common = [key for key, share in shares.items() if share >= LEAST_SHARE * total]
    wanted = sorted((key for key in common if key not in known), key=lambda k: (-shares[k], k))
    return tuple(_to_term(concepts[key], shares[key] / total) for key in wanted[:MOST_TERMS])


@lru_cache(4_000)
def _studied(
    named: tuple[str, ...], mesh_terms: tuple[str, ...], vocabulary: Vocabulary
) -> frozenset[Concept]:
    found = (vocabulary.resolve(text, kinds=_KINDS) for text in {*named, *mesh_terms})
    meant = (match.concept for match in found if match.exact)
    return frozenset(concept for concept in meant if concept is not None and _is_narrow(concept))


def _is_narrow(concept: Concept) -> bool:
    deepest = max((tree.count(".") for tree in concept.trees), default=SHALLOWEST)
    return deepest >= SHALLOWEST and not is_too_wide(concept.preferred)


def _to_term(concept: Concept, share: float) -> SearchTerm:
    phrases = concept_phrases(concept)
    return SearchTerm(
        concept.preferred, Role.SIMILAR, share, phrases, "studied by similar trials", concept.id
    )
