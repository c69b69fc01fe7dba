"""The facts about drugs and their targets are well formed, distinct and in known words."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from trialyst.folding import fold_phrase
from trialyst.pathways.targets import (
    Action,
    Target,
    drugs_on,
    load_targets,
    parse_targets,
    targets_of,
)
from trialyst.vocabulary import Kind, Vocabulary, open_vocabulary

AREAS = {
    "oncology": ("pembrolizumab", "PDCD1", Action.ANTIBODY),
    "haematology": ("ibrutinib", "BTK", Action.INHIBITOR),
    "cardiology": ("sacubitril", "MME", Action.INHIBITOR),
    "hypertension": ("lisinopril", "ACE", Action.INHIBITOR),
    "lipids": ("atorvastatin", "HMGCR", Action.INHIBITOR),
    "thrombosis": ("apixaban", "F10", Action.INHIBITOR),
    "diabetes": ("semaglutide", "GLP1R", Action.AGONIST),
    "nephrology": ("finerenone", "NR3C2", Action.ANTAGONIST),
    "rheumatology": ("adalimumab", "TNF", Action.ANTIBODY),
    "dermatology": ("dupilumab", "IL4R", Action.ANTIBODY),
    "gastroenterology": ("omeprazole", "ATP4A", Action.INHIBITOR),
    "respiratory": ("montelukast", "CYSLTR1", Action.ANTAGONIST),
    "cystic fibrosis": ("ivacaftor", "CFTR", Action.POTENTIATOR),
    "neurology": ("erenumab", "CALCRL", Action.ANTIBODY),
    "dementia": ("donepezil", "ACHE", Action.INHIBITOR),
    "psychiatry": ("sertraline", "SLC6A4", Action.INHIBITOR),
    "pain": ("morphine", "OPRM1", Action.AGONIST),
    "anaesthesia": ("propofol", "GABRA1", Action.POSITIVE_MODULATOR),
    "ophthalmology": ("ranibizumab", "VEGFA", Action.ANTIBODY),
    "bone": ("denosumab", "TNFSF11", Action.ANTIBODY),
    "women's health": ("letrozole", "CYP19A1", Action.INHIBITOR),
    "urology": ("finasteride", "SRD5A2", Action.INHIBITOR),
    "transplantation": ("tacrolimus", "PPP3CA", Action.INHIBITOR),
    "rare disease": ("nusinersen", "SMN2", Action.MODULATOR),
}


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Vocabulary:
    home: Path = tmp_path_factory.mktemp("names")
    return open_vocabulary(home)


def test_there_are_more_than_fifteen_hundred_facts() -> None:
    assert len(load_targets()) > 1_500


def test_facts_are_sorted() -> None:
    assert list(load_targets()) == sorted(load_targets())


def test_no_drug_acts_twice_on_one_gene() -> None:
    counts = Counter((fold_phrase(target.drug), target.gene) for target in load_targets())
    assert [pair for pair, count in counts.items() if count > 1] == []


def test_every_action_is_used() -> None:
    assert {target.action for target in load_targets()} == set(Action)


@pytest.mark.slow
def test_every_gene_is_the_symbol_of_a_known_gene(vocabulary: Vocabulary) -> None:
    genes = {target.gene for target in load_targets()}
    unknown = {
        gene
        for gene in genes
        if gene not in {c.preferred for c in vocabulary.resolve(gene, kinds={Kind.GENE}).concepts}
    }
    assert unknown == set()


@pytest.mark.slow
def test_every_drug_is_a_known_drug_under_one_name(vocabulary: Vocabulary) -> None:
    names: dict[str, set[str]] = {}
    unknown = []
    for drug in {target.drug for target in load_targets()}:
        found = vocabulary.resolve(drug, kinds={Kind.DRUG})
        if found.concept is None or not found.exact:
            unknown.append(drug)
        else:
            names.setdefault(found.concept.id, set()).add(drug)
    assert unknown == []
    assert [drugs for drugs in names.values() if len(drugs) > 1] == []


@pytest.mark.parametrize(("drug", "gene", "action"), AREAS.values(), ids=AREAS)
def test_a_well_known_drug_has_its_target(drug: str, gene: str, action: Action) -> None:
    assert Target(drug, gene, action) in targets_of(drug)
    assert Target(drug, gene, action) in drugs_on(gene)


@pytest.mark.parametrize("name", ["Trastuzumab Deruxtecan", "trastuzumab-deruxtecan"])
def test_spelling_does_not_matter(name: str) -> None:
    assert [target.gene for target in targets_of(name)] == ["ERBB2"]


def test_any_name_of_the_drug_will_do() -> None:
    assert targets_of("Keytruda", "pembrolizumab") == targets_of("pembrolizumab")
    assert len(targets_of("pembrolizumab", "Pembrolizumab")) == 1


def test_what_is_not_known_is_empty() -> None:
    assert targets_of("sugar pill") == ()
    assert targets_of("") == ()
    assert drugs_on("NOSUCHGENE") == ()


def test_a_symbol_is_found_in_any_case() -> None:
    assert drugs_on(" egfr ") == drugs_on("EGFR")
    assert "gefitinib" in {target.drug for target in drugs_on("EGFR")}


@pytest.mark.parametrize("drug", ["trimethoprim", "terbinafine", "doxycycline", "amoxicillin"])
def test_a_drug_against_microbes_has_no_human_target(drug: str) -> None:
    assert targets_of(drug) == ()


@pytest.mark.parametrize("line", ["gefitinib | EGFR", "gefitinib | EGFR | friend", "gefitinib"])
def test_a_line_that_is_no_fact_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"not enough values|not a valid Action"):
        list(parse_targets(line))
