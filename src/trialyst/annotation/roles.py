"""What an intervention is in its trial: tested, compared with, given to all, or no drug at all.

The arms decide. What only arms that are no control give is tested; what only controls give is a
comparator; what every arm gives while something else differs is background. Where no arm is called
experimental, the drugs of the comparator arms are compared with each other, and all are tested.
Without arms nothing is stated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from trialyst.annotation.controls import is_control, keep_alternative
from trialyst.vocabulary.doses import plain

if TYPE_CHECKING:
    from trialyst.ctgov.parse_readable import ArmText, InterventionText

__all__ = ["Role", "arm_roles", "arms_of", "kind_of"]


class Role(StrEnum):
    """What an intervention is in a trial."""

    TESTED = "tested"
    COMPARATOR = "comparator"
    BACKGROUND = "background"
    DIAGNOSTIC = "diagnostic"
    PLACEBO = "placebo"
    """Placebo, vehicle, sham, or nothing at all."""
    PROCEDURE = "procedure"
    """A device, an operation, radiation, a behaviour: no drug."""
    UNSTATED = "unstated"
    """The record has no arms that tell."""


_DRUG_TYPES = frozenset({"DRUG", "BIOLOGICAL", "GENETIC", "DIETARY_SUPPLEMENT"})
_MAYBE_DRUGS = frozenset({"OTHER", "COMBINATION_PRODUCT", ""})
_CONTROL_ARMS = frozenset({"PLACEBO_COMPARATOR", "SHAM_COMPARATOR", "NO_INTERVENTION"})
_TRACER = re.compile(
    r"(?<![a-z0-9])(?:\[?(?:f 18\]|18-?f|68-?ga|99m-?tc|11-?c|13-?n|15-?o|111-?in|123-?i"
    r"|124-?i|64-?cu|89-?zr|82-?rb|201-?tl)\]?(?![a-z0-9])|(?:f-?18|ga-?68|tc-?99m|c-?11|in-?111|i-?123|i-?124"
    r"|cu-?64|zr-?89|rb-?82|technetium|indium|fluorodeoxyglucose|fdg)(?![a-z0-9]))"
    r"|\bgado[a-z]+|\b(?:contrast|imaging|diagnostic|radiotracer|tracer|probe)\b(?! free)"
    r"|\bendotoxins?\b|\blipopolysaccharides?\b|\bmethacholine\b"
    r"|\bio(?:dixanol|xagl[a-z]+|hexol|pamidol|promide|versol|meprol|thalam[a-z]+|bitridol)\b"
    r"|\bskin (?:prick )?test|\b(?:challenge|provocation)\b|microbubbles?",
)
"""What is given to see or to measure; isotopes that treat are not among them."""
_OWN_BACKGROUND = re.compile(
    r"\b(?:pre-?medicat|rescue (?:medication|therapy)|background (?:therapy|treatment|medication)"
    r"|(?:standard|regular|usual|routine) (?:medical )?(?:care|treatment|practice)"
    r"|to mobili[sz]e|stem cell mobili[sz]ation|supportive care)",
)
_OWN_COMPARATOR = re.compile(r"(?:active )?comparator\s*[:(-]")
"""How some sponsors begin the name of what they compare with."""


def kind_of(
    intervention: InterventionText, *, has_drugs: bool, is_known: bool, purpose: str | None
) -> Role | None:
    """Give the role that an intervention has whatever the arms say, or None for a drug.

    Args:
        has_drugs: whether its name is read as that of a drug.
        is_known: whether the vocabulary knows such a drug.
    """
    written = plain(keep_alternative(intervention.name))
    if not has_drugs and is_control(written):
        return Role.PLACEBO
    if not is_known and any(map(is_control, intervention.other_names)):
        return Role.PLACEBO
    if intervention.type == "DIAGNOSTIC_TEST":
        return Role.DIAGNOSTIC
    if intervention.type not in _DRUG_TYPES and (
        intervention.type not in _MAYBE_DRUGS or not is_known
    ):
        return Role.PROCEDURE
    if not has_drugs and intervention.type == "DIETARY_SUPPLEMENT":
        return None
    if purpose == "DIAGNOSTIC" or _TRACER.search(written):
        return Role.DIAGNOSTIC
    return None


def arms_of(
    interventions: Sequence[InterventionText], arms: Sequence[ArmText]
) -> list[frozenset[int]]:
    """Give for each intervention the arms that give it, by either list of the record."""
    labels: dict[str, set[int]] = {}
    named: dict[str, set[int]] = {}
    for at, arm in enumerate(arms):
        labels.setdefault(arm.label.strip().lower(), set()).add(at)
        for name in arm.interventions:
            for spelling in (name, name.partition(": ")[2]):
                named.setdefault(spelling.strip().lower(), set()).add(at)
    shared = _repeated(each.name.strip().lower() for each in interventions)
    found = []
    for each in interventions:
        name = each.name.strip().lower()
        by_label = {at for label in each.arms for at in labels.get(label.strip().lower(), ())}
        # Of interventions of one name, only their own list tells which arm gives which.
        by_name = set() if name in shared and by_label else named.get(name, set())
        found.append(frozenset(by_label | by_name))
    if len(arms) == 1:
        return [each or frozenset({0}) for each in found]
    return found


def _repeated(names: Iterable[str]) -> frozenset[str]:
    seen: set[str] = set()
    return frozenset(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]


def arm_roles(
    given: Mapping[str, frozenset[int]],
    arms: Sequence[ArmText],
    *,
    own_words: Mapping[str, str],
    beside_placebo: bool,
    first_in_title: Callable[[], str | None],
) -> dict[str, Role]:
    """Give the role of each drug by the arms that give it.

    Args:
        given: the arms that give each drug, by its key.
        own_words: the name and description of what gives it.
        beside_placebo: whether some arm gives a placebo in place of a drug.
        first_in_title: the drug that the title names first, which no list of arms makes background.
    """
    tested, controls = _sides(arms)
    if not tested and not controls:
        return dict.fromkeys(given, Role.UNSTATED)
    giving = frozenset().union(*given.values()) if given else frozenset()
    everywhere = giving & (tested | controls)
    varies = any(everywhere - at for at in given.values() if at)
    types = {arms[at].type for at in everywhere}
    mixed = beside_placebo or len(types) > 1 or "EXPERIMENTAL" not in types
    roles = {}
    for key, at in given.items():
        role = _role(at, tested, controls, arms)
        if role is Role.TESTED and len(everywhere) > 1 and varies and mixed and at >= everywhere:
            role = Role.TESTED if key == first_in_title() else Role.BACKGROUND
        roles[key] = role
    tested_keys = [key for key, role in roles.items() if role is Role.TESTED]
    said = {key: _said_role(own_words.get(key, "")) for key in tested_keys}
    if None in said.values():
        roles |= {key: role for key, role in said.items() if role is not None}
    if given and Role.TESTED not in roles.values():
        # Where a drug is left out, those that stay are tested only if the title says so.
        named = first_in_title() if Role.COMPARATOR in roles.values() else None
        kept = [key for key in given if given[key] & tested and named in (None, key)]
        if named is not None or Role.COMPARATOR not in roles.values():
            roles |= dict.fromkeys(kept, Role.TESTED)
    return roles


def _said_role(words: str) -> Role | None:
    """Give the role that a drug has by its own words, where those of another leave it tested."""
    letters = plain(words)
    if _OWN_COMPARATOR.match(letters):
        return Role.COMPARATOR
    return Role.BACKGROUND if _OWN_BACKGROUND.search(letters) else None


def _sides(arms: Sequence[ArmText]) -> tuple[frozenset[int], frozenset[int]]:
    """Give the arms that test and those that compare."""
    typed = {at: arm.type for at, arm in enumerate(arms) if arm.type}
    tested = {at for at, kind in typed.items() if kind in ("EXPERIMENTAL", "OTHER")}
    if not any(typed[at] == "EXPERIMENTAL" for at in tested):
        tested |= {at for at, kind in typed.items() if kind == "ACTIVE_COMPARATOR"}
    return frozenset(tested), frozenset(typed.keys() - tested)


def _role(
    at: frozenset[int],
    tested: frozenset[int],
    controls: frozenset[int],
    arms: Sequence[ArmText],
) -> Role:
    if not at:
        return Role.UNSTATED
    if at & tested:
        only_other = all(arms[arm].type == "OTHER" for arm in at & tested)
        experimental = any(arms[arm].type == "EXPERIMENTAL" for arm in tested)
        return Role.COMPARATOR if only_other and experimental and at & controls else Role.TESTED
    if any(arms[arm].type not in _CONTROL_ARMS for arm in at) or tested:
        return Role.COMPARATOR
    return Role.TESTED
