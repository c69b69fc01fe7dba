"""The facts that would decide a criterion the chart leaves open, named as one would ask for them.

"Platelet count", "date of last chemotherapy", "EGFR status": made of the parts of the requirement
that are open, never the criterion again. Consent and words that were not understood name no fact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from trialyst.eligibility.analytes import get_analyte
from trialyst.eligibility.answer import Answer, Basis, Verdict
from trialyst.eligibility.requirement import (
    Age,
    Allergy,
    Childbearing,
    Habit,
    Has,
    Leaf,
    Marker,
    Measured,
    Person,
    Requirement,
    Sex,
    Tense,
    Took,
    Underwent,
    leaves,
)
from trialyst.eligibility.scales import get_scale
from trialyst.matching.judging.spoken_names import spoken_name

if TYPE_CHECKING:
    from trialyst.vocabulary.term import Term

__all__ = ["fact_name", "open_facts"]

_CHILDBEARING: Mapping[str, str] = {
    "pregnant": "pregnancy",
    "breastfeeding": "breastfeeding",
    "able": "child-bearing potential",
    "postmenopausal": "menopausal status",
    "contraception": "contraception",
    "pregnancy_test": "pregnancy test",
    "fathering": "plans to father a child",
    "intends": "plans of pregnancy",
}
_DISEASES: Mapping[str, str] = {
    "disease": "other diseases",
    "chronic disease": "chronic diseases",
    "significant disease": "other significant diseases",
    "infection": "infections",
    "malignancy": "other cancers",
    "psychiatric": "psychiatric history",
    "organ dysfunction": "organ function",
    "surgery needed": "planned surgery",
    "contraindication": "contraindications to the study treatment",
    "symptoms": "duration of symptoms",
}
_TREATMENTS: Mapping[str, str] = {
    "any drug": "current medication",
    "any chronic drug": "current medication",
    "investigational drug": "use of investigational drugs",
    "other trial": "participation in other trials",
    "anticancer therapy": "prior anticancer therapy",
    "systemic therapy": "prior systemic therapy",
    "prior therapy": "prior treatment",
    "vaccine": "vaccinations",
    "blood product": "transfusions",
    "supplement": "supplements taken",
}
_GENERAL: Mapping[type, Mapping[str, str]] = {Has: _DISEASES, Took: _TREATMENTS}
_HABITS: Mapping[str, str] = {
    "smoking": "smoking",
    "alcohol": "alcohol use",
    "drugs": "drug use",
}
_PERSONS: Mapping[str, str] = {
    "healthy volunteer": "state of health",
    "speaks": "language",
    "literate": "ability to read",
    "insured": "insurance",
    "resident": "place of residence",
    "ambulatory": "ability to walk",
    "emergency": "emergency admission",
    "relative": "relatives",
}
_MOST_WORDS = 3
"""Words that tell a kind; more are a sentence."""


def open_facts(requirement: Requirement, compare: Callable[[Leaf], Answer]) -> tuple[str, ...]:
    """Give the facts that the open parts of a requirement ask for, each once, in their order.

    Args:
        compare: gives the answer of the chart to one part.
    """
    return tuple(dict.fromkeys(_facts(requirement, compare)))


def _facts(requirement: Requirement, compare: Callable[[Leaf], Answer]) -> Iterator[str]:
    for leaf in leaves(requirement):
        answer = compare(leaf)
        if answer.verdict is Verdict.UNKNOWN and answer.asked:
            name = fact_name(leaf, there=answer.basis is Basis.DETAIL)
            if name:
                yield name


def fact_name(leaf: Leaf, *, there: bool = False) -> str:
    """Name the fact that a part asks for; empty where it asks for none.

    Args:
        there: whether the chart has the thing itself, so that a detail of it is asked for.
    """
    match leaf:
        case Has() | Took() | Underwent() | Allergy():
            general = getattr(leaf, "general", "")
            name = _GENERAL[type(leaf)].get(general) if general else None
            return _thing(leaf, name or _name(leaf.what, leaf.words), there=there)
        case Measured(analyte=analyte, words=words):
            known = get_analyte(analyte) or get_scale(analyte)
            return spoken_name(known.name if known else words)
        case Marker(name=name):
            return f"{name} status"
        case _:
            return _of_person(leaf)


def _thing(leaf: Has | Took | Underwent | Allergy, name: str, *, there: bool) -> str:
    if not name:
        return ""
    match leaf:
        case Has():
            return _condition(leaf, name, there=there)
        case Took():
            return _treatment(leaf, name, there=there)
        case Underwent():
            return f"date of {name}" if leaf.when is not None and there else name
        case _:
            return f"allergy to {name}"


def _of_person(leaf: Leaf) -> str:
    match leaf:
        case Age(gestational=gestational):
            return "gestational age" if gestational else "age"
        case Sex():
            return "sex"
        case Childbearing(state=state):
            return _CHILDBEARING.get(state, state)
        case Habit(what=what):
            return _HABITS.get(what, what)
        case Person(role=role, words=words):
            return _PERSONS.get(role, role if role != "other" else spoken_name(words))
        case _:
            return ""


def _condition(leaf: Has, name: str, *, there: bool) -> str:
    if leaf.general:
        return name
    if there:
        details = (
            (bool(leaf.stage), "stage of"),
            (bool(leaf.severity), "severity of"),
            (leaf.when is not None, "date of"),
            (bool(leaf.activity), "course of"),
            (bool(leaf.cause), "cause of"),
        )
        detail = next((word for asked, word in details if asked), "")
        return f"{detail} {name}" if detail else _kind(name, leaf.modifiers)
    if leaf.family:
        return f"family history of {name}"
    return f"history of {name}" if leaf.tense is Tense.EVER else name


def _kind(name: str, modifiers: str) -> str:
    """Name the kind that is asked for; without words for it, the thing itself is the kind."""
    words = modifiers.split()
    told = f" ({modifiers})" if len(words) <= _MOST_WORDS else ""
    return f"kind of {name}{told}" if words else name


def _treatment(leaf: Took, name: str, *, there: bool) -> str:
    if there:
        details = (
            (leaf.when is not None, "date of last"),
            (leaf.lines is not None, "number of lines of"),
            (bool(leaf.response), "response to"),
            (leaf.stable or bool(leaf.dose), "dose of"),
        )
        return f"{next((word for asked, word in details if asked), 'details of')} {name}"
    return name if leaf.general else f"treatment with {name}"


def _name(term: Term | None, words: str) -> str:
    return spoken_name(words if term is None else term.name)
