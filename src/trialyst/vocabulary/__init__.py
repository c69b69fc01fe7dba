"""Drug, condition and gene names to concepts: the shipped names and those learned from records.

`open_vocabulary(home)` opens the shipped names; `Vocabulary` resolves a text, finds names in one
and cuts a query into concepts; `NameCollector` learns more names while records are ingested;
`drug_class` and `classes_of` tell drug classes and their members; `symbol_of_alias` gives the
symbol of a gene.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.vocabulary.classes import DrugClass, all_classes, classes_of, drug_class
    from trialyst.vocabulary.collecting import NameCollector
    from trialyst.vocabulary.concept import Concept, How, Kind, Match, Mention, Resolution
    from trialyst.vocabulary.genes import symbol_of_alias, symbols_of_alias
    from trialyst.vocabulary.learned import LearnedName, LearnedNames
    from trialyst.vocabulary.lookup import Vocabulary, empty_vocabulary, open_vocabulary
    from trialyst.vocabulary.relations import Relation, Relations
    from trialyst.vocabulary.term import Term, TermKind

__all__ = [
    "Concept",
    "DrugClass",
    "How",
    "Kind",
    "LearnedName",
    "LearnedNames",
    "Match",
    "Mention",
    "NameCollector",
    "Relation",
    "Relations",
    "Resolution",
    "Term",
    "TermKind",
    "Vocabulary",
    "all_classes",
    "classes_of",
    "drug_class",
    "empty_vocabulary",
    "open_vocabulary",
    "symbol_of_alias",
    "symbols_of_alias",
]

_HOMES = {
    "classes": ("DrugClass", "all_classes", "classes_of", "drug_class"),
    "collecting": ("NameCollector",),
    "concept": ("Concept", "How", "Kind", "Match", "Mention", "Resolution"),
    "genes": ("symbol_of_alias", "symbols_of_alias"),
    "learned": ("LearnedName", "LearnedNames"),
    "lookup": ("Vocabulary", "empty_vocabulary", "open_vocabulary"),
    "relations": ("Relation", "Relations"),
    "term": ("Term", "TermKind"),
}

__getattr__ = lazy_names(__name__, _HOMES)
