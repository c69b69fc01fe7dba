"""What the pathway tools answer: the keys, and which of them may be absent."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from trialyst.ctgov.answers import Count, Pagination, Told, Words

__all__ = [
    "AmbiguousGene",
    "ComponentCounts",
    "ComponentsAnswer",
    "EnrichAnswer",
    "EnrichedPathway",
    "FoundPathway",
    "GeneBackground",
    "GenesUsed",
    "Heading",
    "InteractionEnd",
    "OntologyTerm",
    "PathwayAnswer",
    "PathwayComponent",
    "PathwayCounts",
    "PathwayInteraction",
    "PathwayPaper",
    "PathwayReferences",
    "PathwaysAnswer",
    "RenamedGene",
    "SlimPathway",
]

PathwayIdText = Annotated[str, Field(pattern="^WP:WP[1-9][0-9]*$")]
Score = Annotated[float, Field(ge=0, le=1)]
Probability = Annotated[float, Field(gt=0, le=1)]
ParticipantKind = Literal[
    "gene",
    "protein",
    "rna",
    "metabolite",
    "complex",
    "pathway",
    "other",
    "group",
    "interaction",
    "state",
    "label",
]


class Heading(TypedDict):
    """Which pathway it is."""

    id: PathwayIdText
    title: Words
    organism: Words


class SlimPathway(Heading):
    """A pathway to choose by its title; with slim."""

    score: Score


class PathwayCounts(TypedDict, total=False):
    """What the pathway is made of; a number that is not known is left out."""

    genes: Count
    metabolites: Count
    interactions: Count


class FoundPathway(SlimPathway):
    """A pathway that was found."""

    description: NotRequired[Words]
    component_counts: NotRequired[PathwayCounts]


class PathwaysAnswer(Told):
    """Pathways, best first."""

    items: list[FoundPathway | SlimPathway]
    pagination: Pagination


class OntologyTerm(TypedDict):
    """A term that the pathway is tagged with."""

    id: Words
    name: NotRequired[Words]
    ontology: NotRequired[Words]


class PathwayPaper(TypedDict, total=False):
    """A paper on the pathway."""

    pmid: Annotated[str, Field(pattern="^[0-9]+$")]
    title: Words
    source: Words
    year: Words
    authors: list[Words]
    xrefs: list[Words]


class ComponentCounts(TypedDict):
    """Distinct components; interactions is left out where they are not known."""

    genes: Count
    proteins: Count
    metabolites: Count
    complexes: Count
    others: Count
    interactions: NotRequired[Count]


class PathwayReferences(TypedDict):
    """Ids elsewhere: the page, its papers and terms, its genes and metabolites."""

    url: Words
    pubmed: NotRequired[list[Words]]
    ontologies: NotRequired[list[Words]]
    ncbigene: NotRequired[list[Words]]
    ensembl: NotRequired[list[Words]]
    uniprot: NotRequired[list[Words]]
    chebi: NotRequired[list[Words]]


class PathwayAnswer(Told, Heading):
    """A pathway."""

    description: NotRequired[Words]
    last_modified: NotRequired[Annotated[Words, Field(description="`yyyy-MM-dd`.")]]
    revision: NotRequired[
        Annotated[Words, Field(description="Of its file; `starter` for the starter set.")]
    ]
    authors: NotRequired[list[Words]]
    genes: Annotated[
        list[Words], Field(description="Symbols of its genes and proteins, each once.")
    ]
    metabolites: Annotated[list[Words], Field(description="Names of its metabolites, each once.")]
    ontology_terms: NotRequired[list[OntologyTerm]]
    literature_count: Annotated[Count, Field(description="Its papers.")]
    literature: NotRequired[
        Annotated[list[PathwayPaper], Field(description="With literature=true.")]
    ]
    component_counts: ComponentCounts
    cross_references: PathwayReferences


class PathwayComponent(TypedDict):
    """A thing that may be drawn several times and named in several databases."""

    id: Annotated[
        Words, Field(description="As its author gave it, `prefix:identifier`; else the label.")
    ]
    label: NotRequired[Words]
    type: Annotated[
        Words,
        Field(
            description="GPML's word: `GeneProduct`, `Protein`, `Rna`, `Metabolite`, `Complex`, "
            "`Pathway` or `Other`."
        ),
    ]
    symbol: NotRequired[Annotated[Words, Field(description="Of a gene or protein.")]]
    xrefs: NotRequired[
        Annotated[dict[str, list[Words]], Field(description="Ids by Bioregistry prefix.")]
    ]
    members: NotRequired[
        Annotated[list[Words], Field(description="Of a complex: ids of its components.")]
    ]


class InteractionEnd(TypedDict):
    """What an end of an interaction touches; `interaction` is another one, by its id."""

    kind: ParticipantKind
    id: Words
    label: NotRequired[Words]
    members: NotRequired[
        Annotated[list[Words], Field(description="Of a group or complex: ids of its components.")]
    ]


class PathwayInteraction(TypedDict):
    """An interaction with both ends connected."""

    id: Words
    source: InteractionEnd
    target: InteractionEnd
    type: Annotated[
        Words,
        Field(
            description="What it does to its target, in GPML's words: `Conversion`, "
            "`Inhibition`, `Catalysis` ..."
        ),
    ]
    direction: Literal["forward", "both", "none"]
    pmids: NotRequired[list[Words]]


class ComponentsAnswer(Told, Heading):
    """What a pathway is made of: one page of its parts, in the order of these lists."""

    genes: list[PathwayComponent]
    proteins: list[PathwayComponent]
    metabolites: list[PathwayComponent]
    complexes: list[PathwayComponent]
    others: list[PathwayComponent]
    interactions: list[PathwayInteraction]
    interactions_known: Annotated[
        bool,
        Field(description="False where only a list of nodes was at hand: none says nothing then."),
    ]
    unconnected: Annotated[
        Count, Field(description="Lines of the drawing with an end that touches nothing.")
    ]
    component_counts: ComponentCounts
    pagination: NotRequired[
        Annotated[Pagination, Field(description="Where not all parts are given at once.")]
    ]


class EnrichedPathway(Heading):
    """A pathway with some of the genes."""

    p_value: Annotated[
        Probability, Field(description="Probability of so many genes or more by chance.")
    ]
    adjusted_p_value: Annotated[
        Probability,
        Field(description="After Benjamini and Hochberg, over every pathway tested."),
    ]
    overlap: Annotated[
        list[Words], Field(description="The genes asked for that it holds, by symbol.")
    ]
    overlap_count: Annotated[int, Field(ge=1)]
    gene_count: Annotated[int, Field(ge=1, description="Its genes that are in the background.")]
    expected: Annotated[float, Field(ge=0, description="How many chance would give.")]


class GeneBackground(TypedDict):
    """What chance draws from."""

    count: Count
    given: bool
    description: Words


class RenamedGene(TypedDict):
    """A gene under another symbol."""

    given: Words
    symbol: Words


class AmbiguousGene(TypedDict):
    """An id of several genes."""

    given: Words
    symbols: list[Words]


class GenesUsed(TypedDict):
    """What became of each gene."""

    used: Annotated[list[Words], Field(description="Distinct genes that count, by symbol.")]
    renamed: Annotated[
        list[RenamedGene],
        Field(description="Genes that go by another symbol than they were written."),
    ]
    repeated: Annotated[
        list[RenamedGene], Field(description="Second names of a gene that counts already.")
    ]
    ambiguous: Annotated[
        list[AmbiguousGene], Field(description="Ids of several genes; none counts.")
    ]
    unrecognised: Annotated[
        list[Words], Field(description="In no pathway of the organism here; they do not count.")
    ]
    outside_background: list[Words]


class EnrichAnswer(Told):
    """Pathways that hold more of the genes than chance would, the least likely first."""

    items: list[EnrichedPathway]
    organism: Words
    tested_count: Annotated[
        Count, Field(description="Pathways tested, with or without one of the genes.")
    ]
    background: GeneBackground
    genes: GenesUsed
    pagination: Pagination
