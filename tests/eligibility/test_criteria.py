"""Criteria as read: what binds them, what they come to together, and how they are kept."""

from __future__ import annotations

import pytest

from trialyst.eligibility.criteria import (
    decode_criteria,
    encode_criteria,
    read_eligibility,
    to_demands,
)
from trialyst.eligibility.requirement import (
    All,
    AnyOf,
    AtLeast,
    Except,
    Opaque,
    Requirement,
)


class WordParser:
    """Takes every criterion for words."""

    def parse(
        self, text: str, *, opening: str | None = None, excludes: bool = False
    ) -> Requirement:
        return Opaque(words=text)


def show(requirement: Requirement) -> str:
    match requirement:
        case All(parts=parts) | AnyOf(parts=parts) | AtLeast(parts=parts):
            count = requirement.count if isinstance(requirement, AtLeast) else ""
            return f"{type(requirement).__name__}{count}({', '.join(map(show, parts))})"
        case Except(of=of, but=but):
            return f"Except({show(of)}, {show(but)})"
        case Opaque(words=words):
            return words
    raise AssertionError(requirement)


@pytest.mark.parametrize(
    ("text", "demands"),
    [
        ("Inclusion:\n* adult\n* asthma", ["adult", "asthma"]),
        ("Inclusion:\n* Any of:\n  * a\n  * b", ["AnyOf(a, b)"]),
        ("Inclusion:\n* Two of the following:\n  * a\n  * b\n  * c", ["AtLeast2(a, b, c)"]),
        ("Inclusion:\n* Cancer with:\n  * a\n  * b", ["All(Cancer with:, All(a, b))"]),
        ("Inclusion:\n* a; or\n* b\n* c", ["AnyOf(a, b)", "c"]),
        ("Inclusion:\n* All of:\n  * a; or\n  * b\n  * c", ["All(AnyOf(a, b), c)"]),
        ("Inclusion:\n* No more than one of:\n  * a", ["No more than one of:"]),
        ("Inclusion:\n* Any of:\n  * All of:\n    * a\n    * b\n  * c", ["AnyOf(All(a, b), c)"]),
        ("Exclusion:\n* Any of the following:\n  * a\n  * b", ["AnyOf(a, b)"]),
        ("Exclusion:\n* All of the following:\n  * a\n  * b", ["All(a, b)"]),
        ("Exclusion:\n* Cancer except:\n  * a\n  * b", ["Except(Cancer except:, AnyOf(a, b))"]),
        ("Exclusion:\n* Asthma, e.g.:\n  * a\n  * b", ["AnyOf(Asthma, e.g.:, AnyOf(a, b))"]),
        ("Exclusion:\n* Known allergy to any of:\n  * a\n  * b", ["AnyOf(a, b)"]),
        ("Please contact the site for more\n\nInclusion:\n* a", ["a"]),
    ],
)
def test_lists_and_alternatives_become_whole_demands(text: str, demands: list[str]) -> None:
    read = read_eligibility(text, WordParser())
    assert [show(each.requirement) for each in to_demands(read)] == demands
    assert decode_criteria(encode_criteria(read), text) == read


@pytest.mark.parametrize(
    ("opening", "bound"),
    [
        ("Any of the following within 6 months:", True),
        ("No history of:", True),
        ("Malignancy except:", False),
        ("No more than one of:", False),
    ],
)
def test_an_opening_binds_its_members_unless_it_lists_exceptions(opening: str, bound: bool) -> None:
    (_, member) = read_eligibility(f"Inclusion:\n* {opening}\n  * stroke", WordParser())
    assert member.opening == (opening if bound else None)
