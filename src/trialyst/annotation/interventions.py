"""The interventions of a trial as drugs, each with its role."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from trialyst.annotation.controls import is_control, keep_alternative
from trialyst.annotation.drugs import Drug
from trialyst.annotation.roles import Role, arm_roles, arms_of, kind_of
from trialyst.vocabulary.concept import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trialyst.annotation.drugs import DrugNames
    from trialyst.ctgov.parse_readable import InterventionText, ReadableTexts

__all__ = ["GivenDrug", "InterventionAnnotation", "annotate_interventions"]

_RANKS = {role: rank for rank, role in enumerate(Role)}
_LONGEST_TITLE = 300


class GivenDrug(msgspec.Struct, frozen=True, array_like=True):
    """A drug as an intervention gives it."""

    drug: Drug
    role: Role


class InterventionAnnotation(msgspec.Struct, frozen=True, array_like=True):
    """An intervention as read."""

    name: str
    """As the record writes it."""
    type: str
    role: Role
    drugs: tuple[GivenDrug, ...] = ()
    """What it gives; a placebo or a procedure may give something beside it."""


def annotate_interventions(
    texts: ReadableTexts, names: DrugNames
) -> tuple[InterventionAnnotation, ...]:
    """Read the interventions of a record: what drugs they are, and in which role."""
    listed = texts.interventions
    drugs = [names.read_any((each.name, *each.other_names)) for each in listed]
    kinds = [
        kind_of(
            each,
            has_drugs=bool(found),
            is_known=any(drug.known for drug in found),
            purpose=texts.purpose,
        )
        for each, found in zip(listed, drugs, strict=True)
    ]
    roles = _drug_roles(texts, drugs, kinds, names) if texts.arms else {}
    return tuple(
        InterventionAnnotation(
            each.name,
            each.type,
            role := kind or _intervention_role(each, at, drugs[at], roles),
            tuple(
                GivenDrug(drug, _given_role(role, roles.get(drug.key, Role.UNSTATED)))
                for drug in drugs[at]
            ),
        )
        for at, (each, kind) in enumerate(zip(listed, kinds, strict=True))
    )


def _drug_roles(
    texts: ReadableTexts,
    drugs: Sequence[tuple[Drug, ...]],
    kinds: Sequence[Role | None],
    names: DrugNames,
) -> dict[str, Role]:
    """Give the role of each drug, and of each intervention that names none, by the arms."""
    given: dict[str, frozenset[int]] = {}
    own_words: dict[str, str] = {}
    for at, arms in enumerate(arms_of(texts.interventions, texts.arms)):
        if kinds[at] in (Role.DIAGNOSTIC, Role.PLACEBO):
            continue
        keys = [drug.key for drug in drugs[at]] or [_own_key(at)]
        for key in keys:
            given[key] = given.get(key, frozenset()) | arms
            own_words[key] = own_words.get(key, "") or texts.interventions[at].description
    return arm_roles(
        given,
        texts.arms,
        own_words=own_words,
        first_in_title=lambda: _first_in_title(texts, names),
    )


def _own_key(at: int) -> str:
    """Give what stands for an intervention that names no drug."""
    return f"#{at}"


def _first_in_title(texts: ReadableTexts, names: DrugNames) -> str | None:
    for mention in names.vocabulary.find(texts.title[:_LONGEST_TITLE], kinds=(Kind.DRUG,)):
        found = names.read(texts.title[mention.start : mention.end])
        if found:
            return found[0].key
    return None


def _intervention_role(
    written: InterventionText, at: int, drugs: tuple[Drug, ...], roles: dict[str, Role]
) -> Role:
    """Give the most telling role among its drugs; `Placebo + X` is a placebo."""
    if is_control(keep_alternative(written.name).split("+")[0]):
        return Role.PLACEBO
    keys = [drug.key for drug in drugs] or [_own_key(at)]
    return min((roles.get(key, Role.UNSTATED) for key in keys), key=_RANKS.__getitem__)


def _given_role(role: Role, by_arms: Role) -> Role:
    """Give the role of a drug within an intervention; a probe stays one.

    A device or procedure that names a drug, such as a coated stent, gives it as its arms say.
    """
    return role if role is Role.DIAGNOSTIC else by_arms
