"""The interventions of a trial as drugs, each with its role."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from trialyst.annotation.controls import is_control, keep_alternative
from trialyst.annotation.drugs import Drug
from trialyst.annotation.roles import Role, arm_roles, arms_of, kind_of
from trialyst.vocabulary.concept import Kind
from trialyst.vocabulary.doses import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trialyst.annotation.drugs import DrugNames
    from trialyst.ctgov.parse_readable import InterventionText, ReadableTexts

__all__ = [
    "GivenDrug",
    "InterventionAnnotation",
    "annotate_interventions",
    "compared_with",
    "given_everywhere",
    "is_support",
]

_RANKS = {role: rank for rank, role in enumerate(Role)}
_LONGEST_TITLE = 300
_SHORT_FORM = re.compile(r"[A-Z][A-Za-z0-9-]{1,6}(?:/[A-Z][A-Za-z0-9-]{1,6})?")
"""How an abbreviation of a drug is written: BRV, GEn, UMEC/VI."""
_PROBED = re.compile(
    r"\beffects?\s+of\s+(.+?)\s+on\s+(?:the\s+)?(?:(?:single|multiple|steady|state|dose|oral"
    r"|plasma|systemic|and|safety|tolerability)[\s,-]+)*(?:pharmacokinetics?|pk|metabolism|exposure"
    r"|clearance)\b(.+)",
)
"""Titles of trials that measure a drug Y to learn what X does: X is tested, Y a probe."""
_COMPARED = re.compile(
    r"[ ,](?:(versus|vs\.?|against)|compar(?:ed|ing) (?:to|with)|in comparison (?:to|with)"
    r"|with that of)\s",
)
_SUPPORT = frozenset(
    """filgrastim pegfilgrastim lenograstim sargramostim mesna dexrazoxane ondansetron granisetron
    palonosetron diphenhydramine rasburicase plerixafor""".split()
)
"""Drugs that make others bearable: growth factors, protectants, antiemetics."""
_SUPPORT_KEYS = frozenset({"MESH:D016179", "MESH:D016178"})
"""G-CSF and GM-CSF, as MeSH has them."""


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
    drugs = [_read(each, texts, names) for each in listed]
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
    roles |= _beside(texts, drugs, names)
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


def given_everywhere(texts: ReadableTexts, names: DrugNames) -> frozenset[str]:
    """Give the keys of drugs that each of several arms gives: they are compared with nothing."""
    arms = arms_of(texts.interventions, texts.arms)
    if len(texts.arms) < 2:
        return frozenset()
    given: dict[str, frozenset[int]] = {}
    for written, at in zip(texts.interventions, arms, strict=True):
        for drug in _read(written, texts, names):
            given[drug.key] = given.get(drug.key, frozenset()) | at
    return frozenset(key for key, at in given.items() if len(at) == len(texts.arms))


def _read(written: InterventionText, texts: ReadableTexts, names: DrugNames) -> tuple[Drug, ...]:
    """Give the drugs of an intervention; what a short form means, a title may tell in brackets."""
    found = names.read_any((written.name, *written.other_names))
    if len(found) != 1 or found[0].known or not _SHORT_FORM.fullmatch(found[0].name):
        return found
    for title in (texts.title, texts.official_title):
        before, told, _ = title.partition(f"({found[0].name})")
        mentions = (
            names.vocabulary.find(before[-_LONGEST_TITLE:], kinds=(Kind.DRUG,)) if told else []
        )
        if told and "/" in found[0].name and (joined := before.split()[-1:]):
            meant = names.read(joined[0])
            if len(meant) > 1 and all(drug.known for drug in meant):
                return meant
        if mentions and not before[-_LONGEST_TITLE:][mentions[-1].end :].strip():
            meant = names.read(before[-_LONGEST_TITLE:][mentions[-1].start :].strip())
            if meant and all(drug.known for drug in meant):
                return meant
    return found


def _beside(
    texts: ReadableTexts, drugs: Sequence[tuple[Drug, ...]], names: DrugNames
) -> dict[str, Role]:
    """Give the roles of drugs that only serve another: support of a treatment, and probes."""
    given = {drug.key: drug for each in drugs for drug in each}
    if len(given) == 1:
        return {}
    titles = (texts.title, texts.official_title)
    support = {key for key, drug in given.items() if is_support(drug)}
    roles: dict[str, Role] = {}
    # Without arms a record does not say it.
    if texts.arms and support and support != given.keys():
        titled = (drug for title in titles for drug in _drugs_in(title, names).values())
        roles = {} if any(map(is_support, titled)) else dict.fromkeys(support, Role.BACKGROUND)
    for title in titles:
        if probed := _PROBED.search(plain(title)):
            acting, measured = (_drugs_in(part, names).keys() for part in probed.groups())
            roles |= {key: Role.DIAGNOSTIC for key in measured - acting if key in given}
    return roles


def is_support(drug: Drug) -> bool:
    """Whether a drug commonly only makes others bearable: a growth factor, an antiemetic."""
    return drug.key in _SUPPORT_KEYS or drug.name.lower() in _SUPPORT


def _drugs_in(text: str, names: DrugNames) -> dict[str, Drug]:
    return {
        drug.key: drug
        for mention in names.vocabulary.find(text[: 2 * _LONGEST_TITLE], kinds=(Kind.DRUG,))
        for drug in names.read(text[mention.start : mention.end])
    }


def compared_with(texts: ReadableTexts, names: DrugNames) -> tuple[str, ...]:
    """Give the drugs that a title names as what another is compared with.

    Where no arm is experimental, of "X versus Y" neither is the tested one.
    """
    if (cut := _COMPARED.search(plain(texts.title))) is None:
        return ()
    if texts.arms and not any(arm.type == "EXPERIMENTAL" for arm in texts.arms) and cut[1]:
        return ()
    before = _drugs_in(texts.title[: cut.start()], names).keys()
    after = _drugs_in(texts.title[cut.end() :], names).keys()
    return tuple(after - before) if before and before - after else ()


def _drug_roles(
    texts: ReadableTexts,
    drugs: Sequence[tuple[Drug, ...]],
    kinds: Sequence[Role | None],
    names: DrugNames,
) -> dict[str, Role]:
    """Give the role of each drug, and of each intervention that names none, by the arms."""
    given: dict[str, frozenset[int]] = {}
    own_words: dict[str, str] = {}
    placebo_arms: frozenset[int] = frozenset()
    for at, arms in enumerate(arms_of(texts.interventions, texts.arms)):
        if kinds[at] is Role.PLACEBO:
            placebo_arms |= arms
        if kinds[at] in (Role.DIAGNOSTIC, Role.PLACEBO):
            continue
        keys = [drug.key for drug in drugs[at]] or [_own_key(at)]
        for key in keys:
            given[key] = given.get(key, frozenset()) | arms
            written = texts.interventions[at]
            own_words[key] = own_words.get(key) or f"{written.name}. {written.description}"
    return arm_roles(
        given,
        texts.arms,
        own_words=own_words,
        beside_placebo=0 < len(placebo_arms) < len(texts.arms),
        first_in_title=lambda: _first_in_title(texts, drugs, names),
    )


def _own_key(at: int) -> str:
    """Give what stands for an intervention that names no drug."""
    return f"#{at}"


def _first_in_title(
    texts: ReadableTexts, drugs: Sequence[tuple[Drug, ...]], names: DrugNames
) -> str | None:
    """Give the drug that the title names first, none where that is one that nothing knows."""
    letters = plain(texts.title)
    unknown = {plain(drug.name) for each in drugs for drug in each if not drug.known}
    nearest = min((at for name in unknown if (at := letters.find(name)) >= 0), default=len(letters))
    for mention in names.vocabulary.find(texts.title[:_LONGEST_TITLE], kinds=(Kind.DRUG,)):
        found = names.read(texts.title[mention.start : mention.end])
        if found:
            return found[0].key if mention.start < nearest else None
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
