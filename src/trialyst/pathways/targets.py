"""Which genes' products a drug acts on, and how: facts that the project wrote itself.

Only direct, well-established targets of human genes are listed. A drug or a gene that is not here
is not known here, which says nothing about what it does: the caller has to tell its reader so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources

from trialyst.folding import fold_phrase

__all__ = ["Action", "Target", "drugs_on", "load_targets", "parse_targets", "targets_of"]


class Action(StrEnum):
    """What a drug does to the product of a gene."""

    ACTIVATOR = "activator"
    AGONIST = "agonist"
    ANTAGONIST = "antagonist"
    ANTIBODY = "antibody"
    """Binds the product and blocks it, or marks the cell that bears it."""
    ANTIBODY_CONJUGATE = "antibody conjugate"
    BINDER = "binder"
    BISPECIFIC = "bispecific"
    BLOCKER = "blocker"
    """Of a channel."""
    CELL_THERAPY = "cell therapy"
    CHAPERONE = "chaperone"
    CORRECTOR = "corrector"
    DEGRADER = "degrader"
    INHIBITOR = "inhibitor"
    INVERSE_AGONIST = "inverse agonist"
    MODULATOR = "modulator"
    OPENER = "opener"
    """Of a channel."""
    PARTIAL_AGONIST = "partial agonist"
    POSITIVE_MODULATOR = "positive modulator"
    POTENTIATOR = "potentiator"
    RADIOLIGAND = "radioligand"
    RELEASER = "releaser"
    REPLACEMENT = "replacement"
    """Is the product itself, given where it is missing."""
    SILENCER = "silencer"
    """Stops the gene's messenger."""
    STABILIZER = "stabilizer"
    TRAP = "trap"
    """A decoy receptor that catches the product."""


@dataclass(frozen=True, slots=True, order=True)
class Target:
    """A drug acts on the product of a gene."""

    drug: str
    """The generic name, in lower case."""
    gene: str
    """The HGNC symbol."""
    action: Action


@cache
def load_targets() -> tuple[Target, ...]:
    """Give every fact, by drug and then by gene."""
    data = resources.files("trialyst.pathways") / "data"
    return tuple(parse_targets((data / "targets.txt").read_text("utf-8")))


def parse_targets(text: str) -> Iterator[Target]:
    """Read one fact a line, `drug | gene | action`; raise ValueError where a line is not one.

    >>> list(parse_targets("gefitinib | EGFR | inhibitor"))
    [Target(drug='gefitinib', gene='EGFR', action=<Action.INHIBITOR: 'inhibitor'>)]
    """
    for line in text.splitlines():
        if line and not line.startswith("#"):
            drug, gene, action = line.split(" | ")
            yield Target(drug, gene, Action(action))


def targets_of(drug: str, *other_names: str) -> tuple[Target, ...]:
    """Give what a drug acts on, by any of its names; empty where none is known.

    Only generic names are listed: for a brand or a code pass the names of the vocabulary's concept.

    >>> [target.gene for target in targets_of("Palbociclib")]
    ['CDK4', 'CDK6']
    >>> targets_of("water")
    ()
    """
    known = _by_drug()
    found = {target for name in (drug, *other_names) for target in known.get(fold_phrase(name), ())}
    return tuple(sorted(found))


def drugs_on(gene: str) -> tuple[Target, ...]:
    """Give the drugs that act on a gene's product, by name; empty where none is known.

    >>> [target.drug for target in drugs_on("EPAS1")]
    ['belzutifan']
    """
    return _by_gene().get(gene.strip().upper(), ())


@cache
def _by_drug() -> Mapping[str, tuple[Target, ...]]:
    return _grouped((fold_phrase(target.drug), target) for target in load_targets())


@cache
def _by_gene() -> Mapping[str, tuple[Target, ...]]:
    return _grouped((target.gene.upper(), target) for target in load_targets())


def _grouped(pairs: Iterator[tuple[str, Target]]) -> Mapping[str, tuple[Target, ...]]:
    groups: defaultdict[str, list[Target]] = defaultdict(list)
    for key, target in pairs:
        groups[key].append(target)
    return {key: tuple(group) for key, group in groups.items()}
