"""Drug classes: found by any of their names, with members that the vocabulary knows."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from trialyst.folding import fold_phrase
from trialyst.vocabulary import Kind, Vocabulary
from trialyst.vocabulary.classes import all_classes, classes_of, drug_class, parse_classes

SPELLINGS = {
    "GLP-1 receptor agonist": (
        "GLP-1 receptor agonists",
        "glp1 agonist",
        "GLP-1RAs",
        "incretin mimetics",
        "Glucagon-Like Peptide-1 Receptor Agonists",
    ),
    "SGLT2 inhibitor": (
        "SGLT-2 inhibitors",
        "gliflozins",
        "sodium-glucose co-transporter 2 inhibitor",
    ),
    "PD-1 antibody": (
        "PD-1 inhibitor",
        "anti-PD1",
        "anti-PD-1 antibodies",
        "PD-1 mAb",
        "PD1 blockade",
    ),
    "checkpoint inhibitor": ("immune checkpoint inhibitors", "Immune checkpoint blockade", "ICI"),
    "statin": ("statins", "HMG-CoA reductase inhibitors", "HMG CoA-reductase inhibitor"),
    "beta blocker": ("beta-blockers", "betablocker", "β-blockers", "beta adrenergic antagonists"),
    "TNF inhibitor": (
        "anti-TNF",
        "TNF-alpha inhibitor",
        "tumour necrosis factor inhibitors",
        "TNFα blocker",
    ),
    "CDK4/6 inhibitor": ("CDK 4/6 inhibitors", "CDK4 and 6 inhibitor"),
    "EGFR tyrosine kinase inhibitor": ("EGFR TKI", "EGFR-TKIs"),
    "CD20 antibody": ("anti-CD20", "anti-CD20 monoclonal antibody", "CD20 antibodies"),
    "CAR-T cell therapy": ("CAR T-cell therapy", "CAR-T", "chimeric antigen receptor T-cell"),
    "NSAID": ("NSAIDs", "non-steroidal anti-inflammatory drugs", "nonsteroidal antiinflammatory"),
    "sulfonylurea": ("sulphonylureas",),
    "estrogen": ("oestrogens",),
    "leukotriene receptor antagonist": ("leucotriene receptor antagonists",),
    "general anesthetic": ("general anaesthetics",),
    "GLP-2 analogue": ("GLP-2 analog", "GLP-2 receptor agonist"),
}
WELL_KNOWN = {
    "BCL2 inhibitor": "venetoclax",
    "BTK inhibitor": "ibrutinib",
    "C5 inhibitor": "eculizumab",
    "DPP-4 inhibitor": "sitagliptin",
    "IL-17 inhibitor": "secukinumab",
    "JAK inhibitor": "tofacitinib",
    "PARP inhibitor": "olaparib",
    "PCSK9 inhibitor": "evolocumab",
    "SSRI": "sertraline",
    "TNF inhibitor": "adalimumab",
    "amyloid antibody": "lecanemab",
    "bisphosphonate": "zoledronic acid",
    "cephalosporin": "ceftriaxone",
    "factor Xa inhibitor": "apixaban",
    "gene therapy": "onasemnogene abeparvovec",
    "platinum chemotherapy": "cisplatin",
    "proteasome inhibitor": "bortezomib",
    "proton pump inhibitor": "omeprazole",
    "triptan": "sumatriptan",
}


def test_there_are_more_than_three_hundred_classes() -> None:
    assert len(all_classes()) > 300


@pytest.mark.parametrize("name", SPELLINGS)
def test_a_class_is_found_by_any_of_its_names(name: str) -> None:
    found = {text: drug_class(text) for text in (name, name.upper(), *SPELLINGS[name])}
    assert {text: one.name if one else None for text, one in found.items()} == dict.fromkeys(
        found, name
    )


@pytest.mark.parametrize("name", WELL_KNOWN)
def test_a_well_known_drug_has_its_class(name: str) -> None:
    assert name in [one.name for one in classes_of(WELL_KNOWN[name])]


@pytest.mark.parametrize(
    "text", ["", "  ", "anti", "semaglutide", "no such inhibitor", "inhibitor"]
)
def test_what_names_no_class_gives_none(text: str) -> None:
    assert drug_class(text) is None


def test_every_class_is_found_by_each_name_it_lists() -> None:
    meant = [(name, one.name) for one in all_classes() for name in (one.name, *one.aliases)]
    found = [(name, getattr(drug_class(name), "name", None)) for name, _ in meant]
    assert found == meant


def test_a_member_belongs_to_the_wider_classes_too() -> None:
    assert [one.name for one in classes_of("pembrolizumab")] == [
        "PD-1 antibody",
        "PD-1/PD-L1 inhibitor",
        "checkpoint inhibitor",
    ]
    checkpoint = drug_class("checkpoint inhibitor")
    assert checkpoint is not None
    assert {"ipilimumab", "atezolizumab", "nivolumab"} <= set(checkpoint.members)


def test_the_wider_classes_exist() -> None:
    names = {one.name for one in all_classes()}
    assert {wider for one in all_classes() for wider in one.wider} <= names


def test_every_class_has_a_member_and_lists_it_once() -> None:
    for one in all_classes():
        counts = Counter(map(fold_phrase, one.members))
        assert counts, one.name
        assert max(counts.values()) == 1, one.name


def test_the_headings_of_a_record_tell_the_class_of_an_unknown_drug() -> None:
    assert classes_of("examplestatin") == ()
    headings = ["Enzyme Inhibitors", "Hydroxymethylglutaryl-CoA Reductase Inhibitors"]
    found = classes_of("examplestatin", headings=headings)
    assert [one.name for one in found] == ["statin", "lipid-lowering drug"]


def test_any_name_of_the_drug_will_do() -> None:
    assert classes_of("Wegovy", "semaglutide") == classes_of("Semaglutide")
    assert classes_of("Wegovy") == ()


@pytest.mark.parametrize("line", ["statin", "statin | | | simvastatin", "a | b | c | d | e | f"])
def test_a_line_that_is_no_class_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="values to unpack"):
        list(parse_classes(line))


@pytest.mark.slow
def test_every_member_is_a_known_drug_under_one_name(vocabulary: Vocabulary) -> None:
    unknown = []
    names: dict[str, set[str]] = defaultdict(set)
    for member in {member for one in all_classes() for member in one.members}:
        found = vocabulary.resolve(member, kinds={Kind.DRUG})
        if found.concept is None or not found.exact:
            unknown.append(member)
        else:
            names[found.concept.id].add(member)
    assert unknown == []
    assert [members for members in names.values() if len(members) > 1] == []


@pytest.mark.slow
def test_every_heading_is_a_heading_of_mesh(vocabulary: Vocabulary) -> None:
    headings = {heading for one in all_classes() for heading in one.headings}
    known = {
        heading
        for heading in headings
        if heading in {concept.preferred for concept in vocabulary.resolve(heading).concepts}
    }
    assert headings - known == set()
