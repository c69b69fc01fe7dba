"""The name of a target, read as the drugs that act on it: PD-1, VEGF, JAK2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.pathways.targets import drugs_on
from trialyst.questions.names import Term, to_class_term
from trialyst.vocabulary.classes import drug_class
from trialyst.vocabulary.concept import Kind
from trialyst.vocabulary.genes import symbols_of_alias

if TYPE_CHECKING:
    from trialyst.vocabulary import Vocabulary

__all__ = ["read_target"]

_ACTIONS = ("inhibitor", "antibody", "antagonist", "receptor agonist", "agonist")
"""What a class of drugs is called by its target, the common ways first."""


def read_target(vocabulary: Vocabulary, text: str) -> Term | None:
    """Read the name of a target as the class of drugs that act on it, or None.

    A protein that is itself given as a drug means its class only where one is named after it: VEGF
    is read as VEGF inhibitors, erythropoietin stays the drug, as does calcium, which is no protein.
    Conditions are none.
    """
    symbols = symbols_of_alias(vocabulary, text)
    is_drug = bool(vocabulary.resolve(text, kinds=(Kind.DRUG,)).exact)
    if (is_drug and not symbols) or vocabulary.resolve(text, kinds=(Kind.CONDITION,)).exact:
        return None
    named = (drug_class(f"{text} {action}") for action in _ACTIONS)
    if known := next(filter(None, named), None):
        own = (known.name, *known.aliases, *known.headings)
        return to_class_term(vocabulary, text, known.name, own, known.members)
    members = sorted({target.drug for symbol in symbols for target in drugs_on(symbol)})
    if is_drug or not members:
        return None
    return to_class_term(vocabulary, text, f"drugs that act on {'/'.join(symbols)}", (), members)
