"""What is said beside a thing: how it is defined, what causes it, what is excepted from it."""

from __future__ import annotations

import msgspec

from trialyst.eligibility.analytes import get_analyte
from trialyst.eligibility.joins import join_all, join_any, span_of
from trialyst.eligibility.requirement import (
    Age,
    All,
    Allergy,
    AnyOf,
    Childbearing,
    Except,
    Given,
    Habit,
    Has,
    Leaf,
    Measured,
    Not,
    Opaque,
    Person,
    Requirement,
    Sex,
    Took,
    Underwent,
    leaves,
)
from trialyst.eligibility.tokens import is_abbreviation

__all__ = [
    "caused",
    "defined",
    "excepted",
    "headed",
    "is_listing",
    "is_method",
    "linked",
    "names_kind",
    "with_aside",
]

_ANY_MEASURE = frozenset(("score", "level", "value", "scale", "count", "rate", "index"))
"""Words for a measure that is named before them."""
_LABORATORY_FINDINGS = ("emia", "penia", "cytosi", "uria")
"""Endings of conditions that are a laboratory value out of range."""
_KINDS_OF_LISTS = ("any drug", "prior therapy", "disease")
_NAMED = (Has, Took, Underwent, Allergy)
_VAGUE = ("normal", "abnormal", "")


def caused(one: Requirement, cause: Requirement) -> Requirement:
    """Give a thing with what it is due to."""
    named = next(leaves(cause), None)
    if isinstance(one, Has) and named is not None:
        one = msgspec.structs.replace(one, cause=getattr(named, "words", "") or one.cause)
        if isinstance(cause, Opaque):
            return one
    return join_all([one, cause])


def with_aside(node: Requirement, aside: Requirement, opening: str) -> Requirement:
    """Give a thing with what stands in parentheses behind it."""
    if opening in ("except", "unless"):
        return Except(of=node, but=aside, span=span_of((node, aside)))
    if opening == "examples":
        return join_any([node, aside])
    if _says_no_more(node, aside):
        return node
    if isinstance(node, Opaque) and (is_listing(aside) or isinstance(aside, Measured)):
        return aside
    if isinstance(node, Habit):
        return linked(node, aside)
    if isinstance(node, Measured) and isinstance(aside, Sex | Age):
        if isinstance(aside, Sex):
            return join_all([aside, node])
        return Given(who=aside, then=node, span=span_of((node, aside)))
    if _measures(node) & _measures(aside):
        return _valued_again(node, aside)
    if isinstance(node, Has | Took | Underwent | Allergy) and is_listing(aside):
        return join_any([node, aside])
    return defined(node, aside)


def _valued_again(node: Requirement, aside: Requirement) -> Requirement:
    """Give a value with another of the same in parentheses: "< 3 x ULN (5 x ULN if ...)"."""
    if _is_bare(node):
        # "Hemoglobin (Hb < 9 g/dL)".
        return aside
    other = join_all([aside.who, aside.then]) if isinstance(aside, Given) else aside
    return join_any([node, other])


def _says_no_more(node: Requirement, aside: Requirement) -> bool:
    """Tell whether a parenthesis only names once more what stands before it."""
    if isinstance(aside, Opaque):
        return is_abbreviation(aside.words) or len(aside.words) < 4
    if isinstance(node, Childbearing):
        return isinstance(aside, Childbearing | Sex)
    same = isinstance(node, Has) and isinstance(aside, Has) and aside.what == node.what
    return same or (isinstance(node, Has) and node.family)


def _measures(node: Requirement) -> set[str]:
    return {leaf.analyte for leaf in leaves(node) if isinstance(leaf, Measured)}


def is_listing(aside: Requirement) -> bool:
    """Tell whether it names nothing but conditions, treatments and procedures."""
    if isinstance(aside, AnyOf | All) and any(isinstance(part, Not) for part in aside.parts):
        return False
    if isinstance(aside, Not | Given):
        return False
    told = list(leaves(aside))
    named = [leaf for leaf in told if isinstance(leaf, Has | Took | Underwent | Allergy)]
    return bool(named) and all(leaf in named or isinstance(leaf, Opaque) for leaf in told)


def defined(node: Requirement, definition: Requirement) -> Requirement:
    """Join a thing with the words that say how it is told."""
    if isinstance(node, All) and isinstance(node.parts[-1], Has):
        return join_all([*node.parts[:-1], defined(node.parts[-1], definition)])
    told = list(leaves(definition))
    measured = [leaf for leaf in told if isinstance(leaf, Measured)]
    if isinstance(node, Measured) and node.interval is None and node.state in _VAGUE and measured:
        if definition is measured[0] and get_analyte(measured[0].analyte) is None:
            # "T-score according to DXA: < -2.5".
            span = span_of((node, definition))
            return msgspec.structs.replace(
                measured[0], analyte=node.analyte, words=node.words, span=span
            )
        return definition
    shown = all(map(is_method, told))
    if isinstance(node, Measured) and not measured and not isinstance(definition, Not):
        # How a value is measured is not asked of the patient.
        return node
    if not isinstance(node, Has):
        named = shown and not isinstance(node, Opaque)
        return node if named else join_all([node, definition])
    if shown:
        words = (getattr(leaf, "words", "") for leaf in told)
        proof = ", ".join(filter(None, (node.proof, *words)))
        return msgspec.structs.replace(node, proof=proof)
    if measured and len(measured) == len(told) and _is_laboratory_finding(node):
        return definition
    if node.what is None or any(isinstance(leaf, Measured | Took) for leaf in told):
        return join_all([node, definition])
    return node


def _is_laboratory_finding(node: Has) -> bool:
    """Tell whether a value alone makes the condition: "hyponatremia defined as sodium < 135"."""
    return node.words.lower().rstrip("s").endswith(_LABORATORY_FINDINGS)


def is_method(node: Requirement) -> bool:
    """Tell whether it names but an examination, by which something is shown."""
    return isinstance(node, Underwent | Opaque) or _is_bare(node)


def linked(one: Requirement, other: Requirement) -> Requirement:
    """Join two things said one right behind the other; a measure waits for its value."""
    if isinstance(one, Habit) and isinstance(other, Habit) and one.what == other.what:
        # "A smoking history of at least 10 pack years".
        return other if other.amount is not None else one
    if _is_bare(one) and isinstance(one, Measured) and isinstance(other, Measured):
        told = {"analyte": one.analyte} if other.analyte in _ANY_MEASURE else {}
        return msgspec.structs.replace(other, span=(one.span[0], other.span[1]), **told)
    if isinstance(one, Childbearing) and one.state == "contraception":
        general = isinstance(other, Took) and other.general
        if general or isinstance(other, Childbearing):
            # With whom, and during which treatment, contraception is used.
            return one
    return join_all([one, other])


def _is_bare(node: Requirement) -> bool:
    """Tell whether it names something measured and says nothing of its value."""
    return (
        isinstance(node, Measured)
        and node.interval is None
        and node.state in _VAGUE
        and not node.values
    )


def headed(heading: Requirement, body: Requirement) -> Requirement:
    """Join what stands before a colon with the statement behind it, which may say it again."""
    told = {_subject(leaf) for leaf in leaves(body)}
    if all(_subject(leaf) in told for leaf in leaves(heading)) or names_kind(heading, body):
        return body
    if isinstance(heading, _NAMED) and heading.what is not None and is_listing(body):
        return join_any([heading, body])
    unvalued = isinstance(heading, Measured) and heading.interval is None and not heading.values
    if unvalued and _measures(body):
        return body
    return join_all([heading, body])


def names_kind(heading: Requirement, body: Requirement) -> bool:
    """Tell whether a heading but says of what kind the list below it is: "these drugs:"."""
    general = isinstance(heading, Has | Took) and heading.what is None and heading.general
    return general in _KINDS_OF_LISTS and all(type(leaf) is type(heading) for leaf in leaves(body))


def _subject(leaf: Leaf) -> tuple[object, ...]:
    """Give what a leaf is about, however it is told."""
    match leaf:
        case Has(what=what, general=general) | Took(what=what, general=general):
            return (type(leaf), what and what.id, general) if what or general else (leaf,)
        case Underwent(what=what) | Allergy(what=what) if what is not None:
            return type(leaf), what.id
        case Childbearing(state=state):
            return Childbearing, state
        case Person(role=role):
            return Person, role
        case _:
            return (leaf,)


def excepted(of: Requirement | None, but: Requirement | None) -> Requirement | None:
    """Give a thing without what is excepted from it; a denial stays outside."""
    if of is None or but is None:
        return of or (None if but is None else Not(part=but, span=but.span))
    if isinstance(of, Not) and not of.left_out:
        inner = Except(of=of.part, but=but, span=span_of((of, but)))
        return Not(part=inner, span=inner.span)
    return Except(of=of, but=but, span=span_of((of, but)))
