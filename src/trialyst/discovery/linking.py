"""From a drug over its targets and their pathways to other drugs, each with every link between.

Facts about targets are the project's own; pathways are a source's. What is not known is told, and
so is what was left out to bound the cost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trialyst.folding import fold_phrase
from trialyst.pathways.targets import Target, drugs_on, targets_of
from trialyst.questions.readings import ArgumentReading, to_understood
from trialyst.vocabulary.concept import How, Kind
from trialyst.vocabulary.spelling import nearest_names

if TYPE_CHECKING:
    from trialyst.pathways.source import GeneSet, PathwaySource, PathwaySummary
    from trialyst.vocabulary import Vocabulary

__all__ = ["Link", "LinkedDrug", "NamedDrug", "TargetPathways", "link_drugs", "name_drug"]

ORGANISM = "Homo sapiens"
LOOSE = frozenset({How.CONTAINED, How.BROADER})
"""Steps that lead from a name to something it may only have to do with."""


@dataclass(frozen=True, slots=True)
class NamedDrug:
    """A drug as it was asked for, and what is known of it."""

    asked: str
    name: str
    """The name its targets are listed under, else the vocabulary's, else as asked for."""
    targets: tuple[Target, ...]
    known: bool
    """Whether the vocabulary or the facts about targets know it."""
    ambiguous: tuple[str, ...] = ()
    """Other drugs that the text may mean."""
    like: tuple[str, ...] = ()
    """Known names written like one that nothing knows."""

    def to_reading(self) -> dict[str, Any]:
        """Say how the name was understood."""
        reading = ArgumentReading(
            asked=self.asked,
            kind="drug",
            known=self.known,
            name=self.name,
            may_mean=self.ambiguous,
            nearest=self.like,
        )
        return to_understood("drug", reading)


@dataclass(frozen=True, slots=True)
class TargetPathways:
    """A target and the pathways it stands on."""

    target: Target
    pathways: tuple[PathwaySummary, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """One way from the drug to another: the drug's target, a pathway, the other's target."""

    target: Target
    other: Target
    pathway: PathwaySummary | None
    """None where both act on one gene that stands on no pathway here."""


@dataclass(frozen=True, slots=True, eq=False)
class LinkedDrug:
    """Another drug and every way that leads to it, the nearest first."""

    name: str
    links: tuple[Link, ...]

    @property
    def shares_target(self) -> bool:
        """Whether it acts on a gene that the drug acts on."""
        return any(link.target.gene == link.other.gene for link in self.links)

    @property
    def smallest_pathway(self) -> int:
        """The number of genes on the smallest pathway between; the smaller, the more it says."""
        sizes = (link.pathway.genes or 0 for link in self.links if link.pathway)
        return min(sizes, default=0)


def name_drug(drug: str, vocabulary: Vocabulary) -> NamedDrug:
    """Find out what a drug is, by any of its names."""
    asked = " ".join(drug.split())
    direct = targets_of(asked)
    if direct:
        return NamedDrug(asked, direct[0].drug, direct, known=True)
    found = vocabulary.resolve(asked, kinds={Kind.DRUG})
    concept = found.concept
    targets = targets_of(concept.preferred, *concept.synonyms) if concept else ()
    # A drug with a dose is the drug; a class with a drug's word in its name is not.
    if concept is None or (not targets and found.matches[0].how in LOOSE):
        like = nearest_names(vocabulary, asked, kind=Kind.DRUG)
        return NamedDrug(asked, asked, (), known=False, like=like)
    others = [each.preferred for each in found.concepts[1:]] if found.ambiguous else []
    return NamedDrug(
        asked,
        targets[0].drug if targets else concept.preferred,
        targets,
        known=True,
        ambiguous=tuple(dict.fromkeys(others)),
    )


async def link_drugs(
    source: PathwaySource, targets: Sequence[Target]
) -> tuple[tuple[TargetPathways, ...], tuple[LinkedDrug, ...]]:
    """Give the pathways of some targets, and the other drugs that act on those.

    Drugs that share a target come first, then those on the most pathways together, then those on
    the smallest, then by name.
    """
    sets = await source.get_gene_sets(ORGANISM)
    held = tuple(
        TargetPathways(
            target, tuple(each.pathway for each in sets if target.gene.upper() in each.genes)
        )
        for target in targets
    )
    genes = {each.pathway.id: each for each in sets}
    own = {fold_phrase(target.drug) for target in targets}
    links: defaultdict[str, list[Link]] = defaultdict(list)
    for link in _links(held, genes):
        if fold_phrase(link.other.drug) not in own:
            links[link.other.drug].append(link)
    drugs = [LinkedDrug(name, tuple(sorted(found, key=_nearness))) for name, found in links.items()]
    return held, tuple(sorted(drugs, key=_closeness))


def _links(held: Sequence[TargetPathways], sets: dict[str, GeneSet]) -> Iterator[Link]:
    for each in held:
        if not each.pathways:
            yield from (Link(each.target, other, None) for other in drugs_on(each.target.gene))
        for pathway in each.pathways:
            for gene in sorted(sets[pathway.id].genes):
                yield from (Link(each.target, other, pathway) for other in drugs_on(gene))


def _nearness(link: Link) -> tuple[bool, int, int, str, str]:
    pathway = link.pathway
    number = int(pathway.id[2:]) if pathway else 0
    genes = (pathway.genes or 0) if pathway else 0
    return link.target.gene != link.other.gene, genes, number, link.target.gene, link.other.gene


def _closeness(drug: LinkedDrug) -> tuple[bool, int, int, str]:
    together = {link.pathway.id for link in drug.links if link.pathway}
    return not drug.shares_target, -len(together), drug.smallest_pathway, drug.name
