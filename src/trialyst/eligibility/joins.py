"""How parts of a requirement are joined: what a comma means, and what the parts of a list share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from trialyst.eligibility.analytes import get_analyte
from trialyst.eligibility.requirement import (
    Administrative,
    Age,
    All,
    Allergy,
    AnyOf,
    Bound,
    Childbearing,
    Except,
    Habit,
    Has,
    Interval,
    Marker,
    Measured,
    Not,
    Opaque,
    Person,
    Requirement,
    Sex,
    Span,
    Took,
    Underwent,
    leaves,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "Parts",
    "are_alternatives",
    "as_alternatives",
    "combine",
    "join_all",
    "join_any",
    "share_reason",
    "share_time_since",
    "share_windows",
    "span_of",
]

Parts = list[tuple[str, Requirement]]
"""Operands, each with the word that joins it to the one before."""
_LISTED = (Has, Took, Underwent, Allergy, Habit, Marker, Childbearing, Opaque, Person)
"""Leaves of which a list without "and" or "or" names alternatives."""
_TIMED = (Has, Took, Underwent)


def as_alternatives(node: Requirement) -> Requirement:
    """Give a list of things as alternatives, however it was joined."""
    if isinstance(node, All) and all(_is_listed(part) for part in node.parts):
        return join_any(node.parts)
    return node


def combine(parts: Parts, *, excludes: bool = False) -> Requirement | None:
    """Join operands: "and" binds before "or", a comma joins as the next word does."""
    if not parts:
        return None
    if len(parts) == 1:
        return parts[0][1]
    parts = _with_shared_states(parts)
    joins = _resolve([join for join, _ in parts], [node for _, node in parts], excludes=excludes)
    groups: list[tuple[str, Parts]] = [("and", [])]
    for join, (_, node) in zip(joins, parts, strict=True):
        if join == ",and" and groups[-1][1]:
            groups.append(("and", [("with", node)]))
        else:
            groups[-1][1].append((join, node))
    return join_all([_alternatives(group) for _, group in groups])


def _with_shared_states(parts: Parts) -> Parts:
    """Let "abnormal lipase or amylase" speak of an abnormal amylase."""
    shared: Parts = []
    state = ""
    for join, node in parts:
        if isinstance(node, Measured) and node.interval is None and not node.values:
            state = node.state or state
            node = msgspec.structs.replace(node, state=state)
        else:
            state = ""
        shared.append((join, node))
    return shared


def _alternatives(parts: Parts) -> Requirement:
    terms: list[list[Requirement]] = []
    for join, node in parts:
        if not terms or join == "or":
            terms.append([node])
        else:
            terms[-1].append(node)
    if len(terms) > 1 and all(map(_is_normal, (node for group in terms for node in group))):
        # "Adequate hepatic or renal function" asks for both.
        return join_all([node for group in terms for node in group])
    if len(terms) > 1:
        flat = [group[-1] for group in terms]
        share_windows(flat)
        for group, node in zip(terms, flat, strict=True):
            group[-1] = node
    either = [join_all(group) for group in terms]
    return share_reason(either) or join_any(either)


def _is_normal(node: Requirement) -> bool:
    bare = isinstance(node, Measured) and node.interval is None and not node.values
    return bare and getattr(node, "state", "") == "normal"


def _resolve(joins: list[str], nodes: list[Requirement], *, excludes: bool) -> list[str]:
    """Give every comma the sense of the list it stands in."""
    explicit = [join.lstrip(",;") for join in joins[1:] if join.lstrip(",;")]
    commas = any(join in (",", ";") for join in joins[1:])
    listed = all(_is_listed(node) for node in nodes) or (
        excludes and are_alternatives(nodes, excludes=True)
    )
    if excludes and set(explicit) == {"and"} and all(map(_is_named_condition, nodes)):
        # "History of A and B": whoever has either is left out.
        return ["or"] * len(joins)
    if commas and listed and len(nodes) > 2 and (set(explicit) <= {"and"} or len(nodes) > 4):
        return ["or"] * len(joins)
    default = "or" if are_alternatives(nodes, excludes=excludes) else "and"
    resolved: list[str] = []
    following = default if not explicit else ""
    for join, node in zip(reversed(joins), reversed(nodes), strict=True):
        if join == "," and isinstance(node, Age) and "or" in explicit and not excludes:
            # "Male or nonpregnant female, 18 to 75 years": the age is of both.
            resolved.append(",and")
            continue
        if join in (",", ";"):
            resolved.append(following or default)
            continue
        if join in ("or", ",or"):
            following = "or"
            resolved.append("or")
        elif join in ("and", ",and"):
            mixed = join == ",and" and "or" in explicit and following != "and"
            following = "and"
            resolved.append(",and" if mixed and not commas else "and")
        else:
            resolved.append("and")
    return resolved[::-1]


def _is_named_condition(node: Requirement) -> bool:
    return isinstance(node, Has) and node.what is not None


def _is_listed(node: Requirement) -> bool:
    return all(isinstance(leaf, _LISTED) for leaf in leaves(node)) and not isinstance(node, Not)


def are_alternatives(nodes: list[Requirement], *, excludes: bool = False) -> bool:
    """Tell whether a list without "and" or "or" names things of which one suffices.

    A disease and a value beside each other, among what includes, are asked for together.
    """
    if excludes:
        return not any(map(_goes_with_others, nodes))
    measured = sum(isinstance(node, Measured) for node in nodes)
    women = sum(isinstance(next(leaves(node)), Childbearing) for node in nodes)
    if women not in (0, len(nodes)):
        # "HIV-positive, pregnant women".
        return False
    return measured in (0, len(nodes)) and all(_is_adverse(node) for node in nodes)


def _goes_with_others(node: Requirement) -> bool:
    """Tell whether a part of an exclusion only tells more of what stands beside it."""
    if isinstance(node, Not):
        return not node.left_out and not isinstance(node.part, Administrative)
    return isinstance(node, Sex)


def _is_adverse(node: Requirement) -> bool:
    match node:
        case Measured(interval=interval, analyte=analyte, bound=bound):
            return _is_away_from_normal(interval, analyte, bound)
        case Not() | Age() | Administrative() | Sex() | Marker():
            return False
        case AnyOf(parts=parts) | All(parts=parts):
            return all(_is_adverse(part) for part in parts)
        case Except(of=of):
            return _is_adverse(of)
        case Person(role=role):
            return role != "healthy volunteer"
        case _:
            return isinstance(node, _LISTED)


def _is_away_from_normal(interval: Interval | None, analyte: str, bound: Bound) -> bool:
    if interval is None:
        return False
    if bound in (Bound.UPPER_LIMIT, Bound.BASELINE):
        return interval.low is not None
    if bound is Bound.LOWER_LIMIT:
        return interval.high is not None
    known = get_analyte(analyte)
    if known is None or known.low is None or known.high is None:
        return False
    return not interval.contains((known.low + known.high) / 2)


def share_windows(parts: list[Requirement]) -> None:
    """Give a list's last window to those of its kind before it that have none."""
    last = parts[-1] if parts else None
    if isinstance(last, AnyOf):
        # "Chemotherapy or radiotherapy within 4 weeks (6 weeks for nitrosoureas)".
        last = last.parts[0]
    if not isinstance(last, _TIMED) or last.when is None or last.when.within is None:
        # "..., or a cancer treated more than 5 years ago": the last alone is so long ago.
        return
    for at in range(len(parts) - 2, -1, -1):
        node = parts[at]
        if not isinstance(node, _TIMED) or type(node) is not type(last):
            return
        if node.when is not None or node.tense is not last.tense:
            return
        parts[at] = msgspec.structs.replace(node, when=last.when)


def share_time_since(parts: list[Requirement]) -> None:
    """Give the time of "4 weeks since chemotherapy or radiotherapy" to all that it is counted from.

    Such a window has no words of its own.
    """
    first = parts[0]
    if not isinstance(first, _TIMED) or first.when is None or first.when.words:
        return
    for at, node in enumerate(parts):
        if isinstance(node, _TIMED) and node.when is None:
            parts[at] = msgspec.structs.replace(node, when=first.when)


def share_reason(nodes: list[Requirement]) -> Requirement | None:
    """Give "chemotherapy or radiotherapy for lung cancer" as either, for that; else None."""
    last = nodes[-1]
    if len(nodes) < 2 or not isinstance(last, All) or len(last.parts) != 2:
        return None
    treated, reason = last.parts
    before = [*nodes[:-1], treated]
    if not isinstance(reason, Has) or not all(
        isinstance(each, Took | Underwent) for each in before
    ):
        return None
    return join_all([join_any(before), reason])


def span_of(nodes: Sequence[Requirement]) -> Span:
    """Give the place from the first to the last of some nodes."""
    spans = [node.span for node in nodes]
    return min(spans)[0], max([end for _, end in spans])


def _flattened(nodes: Sequence[Requirement], kind: type[All] | type[AnyOf]) -> list[Requirement]:
    parts: list[Requirement] = []
    for node in nodes:
        if isinstance(node, kind) and (len(nodes) == 1 or not _is_of_one_sex(node)):
            parts.extend(node.parts)
        else:
            parts.append(node)
    return list(dict.fromkeys(parts)) if len(parts) > 1 else parts


def _is_of_one_sex(node: All | AnyOf) -> bool:
    """Tell whether it is a value that is asked of women or of men: "(> 470 ms in women)"."""
    return isinstance(node.parts[0], Sex) and isinstance(node.parts[-1], Measured)


def join_all(nodes: Sequence[Requirement]) -> Requirement:
    """Give nodes as one that asks for every one of them."""
    parts = _with_either_end(_without_idle_sex(_flattened(nodes, All)))
    parts = _with_opaque_merged(parts)
    return parts[0] if len(parts) == 1 else All(parts=tuple(parts), span=span_of(parts))


def _with_either_end(parts: list[Requirement]) -> list[Requirement]:
    """Read "below 18 and above 80 years", which nobody is, as one or the other."""
    kept: list[Requirement] = []
    for part in parts:
        last = kept[-1] if kept else None
        if last is not None and _are_apart(last, part):
            kept[-1] = AnyOf(parts=(last, part), span=span_of((last, part)))
        else:
            kept.append(part)
    return kept


def _are_apart(one: Requirement, other: Requirement) -> bool:
    """Tell whether no number lies in both of two intervals of the same thing."""
    if isinstance(one, All) and isinstance(other, All):
        sexes = {part.sex for part in (one.parts[0], other.parts[0]) if isinstance(part, Sex)}
        return len(sexes) > 1
    if isinstance(one, Age) and isinstance(other, Age):
        return one.gestational is other.gestational and _no_overlap(one.years, other.years)
    if not (isinstance(one, Measured) and isinstance(other, Measured)):
        return False
    same = (one.analyte, one.bound, one.unit) == (other.analyte, other.bound, other.unit)
    if not same or one.interval is None or other.interval is None:
        return False
    return _no_overlap(one.interval, other.interval)


def _no_overlap(one: Interval, other: Interval) -> bool:
    for low, high in ((one.low, other.high), (other.low, one.high)):
        if low is not None and high is not None and low > high:
            return True
    touching = ((one.high, other.low, other.low_included), (other.high, one.low, one.low_included))
    return any(high is not None and high == low and not held for high, low, held in touching)


def _with_opaque_merged(parts: list[Requirement]) -> list[Requirement]:
    """Give words not understood that stand side by side as one leaf."""
    kept: list[Requirement] = []
    for part in parts:
        last = kept[-1] if kept else None
        if isinstance(part, Opaque) and isinstance(last, Opaque):
            words = f"{last.words} {part.words}"
            kept[-1] = Opaque(words=words, span=span_of((last, part)))
        else:
            kept.append(part)
    return kept


def _without_idle_sex(parts: list[Requirement]) -> list[Requirement]:
    sexes = {part.sex for part in parts if isinstance(part, Sex)}
    if not sexes or all(isinstance(part, Sex) for part in parts):
        return parts
    bearing = any(isinstance(part, Childbearing) and part.state != "fathering" for part in parts)
    # "Men and non-pregnant women" are everybody but the pregnant.
    spared = any(
        isinstance(part, Not) and all(isinstance(leaf, Childbearing) for leaf in leaves(part))
        for part in parts
    )
    if len(sexes) > 1 or bearing or spared:
        return [part for part in parts if not isinstance(part, Sex)]
    return parts


def join_any(nodes: Sequence[Requirement]) -> Requirement:
    """Give nodes as one that asks for any of them."""
    parts = _flattened(nodes, AnyOf)
    return parts[0] if len(parts) == 1 else AnyOf(parts=tuple(parts), span=span_of(parts))
