"""What texts mean, and which names stand in a text."""

from __future__ import annotations

import pytest

from tests.each_case import on_each_case
from trialyst.folding import fold
from trialyst.vocabulary import How, Kind, Vocabulary

ONE_CONCEPT = {
    "MESH:D003924": ["type 2 diabetes", "T2DM", "Diabetes Mellitus, Type 2", "type II diabetes"],
    "MESH:D065626": [
        "NASH",
        "MASH",
        "NAFLD",
        "MASLD",
        "non-alcoholic steatohepatitis",
        "nonalcoholic steatohepatitis",
        "nonalcoholic steatohepatitides",
        "Non Alcoholic Fatty Liver Disease",
    ],
    "MESH:D002289": [
        "NSCLC",
        "non small cell lung cancer",
        "Non-Small-Cell Lung Carcinoma",
        "nonsmall cell lung cancer",
    ],
    "MESH:D009203": ["heart attack", "Myocardial Infarction", "Infarction, Myocardial"],
    "MESH:D006973": ["high blood pressure", "Hypertension", "arterial hypertension"],
    "MESH:D029424": ["COPD", "copd", "Chronic Obstructive Pulmonary Disease"],
    "MESH:C582435": ["pembrolizumab", "Keytruda", "MK-3475", "MK3475", "mk 3475", "lambrolizumab"],
    "MESH:C000591245": ["wegovy", "Ozempic", "Rybelsus", "semaglutide"],
    "MESH:D008687": ["metformin", "metformin hydrochloride", "Metformin HCl", "Glucophage"],
    "MESH:D000068877": ["imatinib", "Imatinib Mesylate", "Gleevec", "STI-571"],
    "MESH:D000082": ["paracetamol", "acetaminophen", "Tylenol"],
    "MESH:D009369": ["cancer", "Neoplasms", "malignancy"],
    "HGNC:3236": ["EGFR", "ERBB1"],
}


@on_each_case(
    ("concept_id", "text"),
    [(concept_id, text) for concept_id, texts in ONE_CONCEPT.items() for text in texts],
)
def test_names_of_one_thing_resolve_to_one_concept(
    vocabulary: Vocabulary, concept_id: str, text: str
) -> None:
    found = vocabulary.resolve(text)
    assert found.concept is not None
    assert found.concept.id == concept_id
    assert not found.ambiguous
    assert found.exact


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("Myocardial Infarction", How.NAME),
        ("heart attack", How.SYNONYM),
        ("NSCLC", How.ABBREVIATION),
        ("Heart Failure (HFpEF)", How.PARENTHESIS),
        ("Advanced Breast Cancer", How.MODIFIER),
        ("solid tumors", How.BROADER),
    ],
)
def test_a_match_tells_how_it_was_found(vocabulary: Vocabulary, text: str, how: How) -> None:
    assert vocabulary.resolve(text).matches[0].how is how


@pytest.mark.parametrize(
    "text", ["solid tumors", "Advanced Breast Cancer", "Heart Failure (HFpEF)"]
)
def test_a_text_that_means_less_than_the_concept_is_not_exact(
    vocabulary: Vocabulary, text: str
) -> None:
    assert not vocabulary.resolve(text).exact


@pytest.mark.parametrize("text", ["ALL", "AD", "MS", "PE", "CAT", "UC", "HD"])
def test_abbreviations_of_several_things_are_ambiguous(vocabulary: Vocabulary, text: str) -> None:
    found = vocabulary.resolve(text)
    assert found.ambiguous
    assert not found.exact


def test_every_reading_of_an_ambiguous_name_is_given(vocabulary: Vocabulary) -> None:
    names = {concept.preferred for concept in vocabulary.resolve("AD").concepts}
    assert {"Alzheimer Disease", "Dermatitis, Atopic"} <= names


@pytest.mark.parametrize("text", ["all", "was", "rest", "mice", "met", "set", "cat", "impact"])
def test_ordinary_words_are_no_genes(vocabulary: Vocabulary, text: str) -> None:
    assert all(concept.kind is not Kind.GENE for concept in vocabulary.resolve(text).concepts)


@pytest.mark.parametrize("text", ["REST", "WAS", "KRAS", "PD-L1"])
def test_a_gene_resolves_as_it_is_written(vocabulary: Vocabulary, text: str) -> None:
    assert Kind.GENE in {concept.kind for concept in vocabulary.resolve(text).concepts}


def test_genes_have_no_synonyms_to_search_with(vocabulary: Vocabulary) -> None:
    concept = vocabulary.resolve("EGFR").concept
    assert concept is not None
    assert concept.synonyms == ()


def test_only_the_kinds_asked_for_are_given(vocabulary: Vocabulary) -> None:
    assert not vocabulary.resolve("wegovy", kinds=(Kind.CONDITION,))


def test_an_unknown_text_resolves_to_nothing(vocabulary: Vocabulary) -> None:
    found = vocabulary.resolve("xyzzy plugh")
    assert not found
    assert found.concept is None


@pytest.mark.parametrize("text", ["", "   ", "()", ","])
def test_a_text_without_words_means_nothing(vocabulary: Vocabulary, text: str) -> None:
    assert not vocabulary.resolve(text)


@pytest.mark.parametrize("text", ["", "   ", "()", "+", "\x00", "a" * 5000, "cancer " * 500])
def test_odd_texts_do_no_harm(vocabulary: Vocabulary, text: str) -> None:
    vocabulary.resolve(text)
    vocabulary.find(text)


def test_synonyms_leave_out_what_means_other_things_too(vocabulary: Vocabulary) -> None:
    concept = vocabulary.get("MESH:D000544")
    assert concept is not None
    assert "AD" in concept.names
    assert "AD" not in concept.synonyms


def test_synonyms_are_distinct_and_begin_with_the_preferred_name(vocabulary: Vocabulary) -> None:
    concept = vocabulary.resolve("type 2 diabetes").concept
    assert concept is not None
    keys = [tuple(fold(name)) for name in concept.synonyms]
    assert len(keys) == len(set(keys))
    assert concept.synonyms[0] == concept.preferred


def test_narrower_names_do_not_stand_for_the_concept(vocabulary: Vocabulary) -> None:
    concept = vocabulary.resolve("cancer").concept
    assert concept is not None
    assert "solid tumors" not in concept.synonyms


def test_padded_mesh_ids_are_understood(vocabulary: Vocabulary) -> None:
    concept = vocabulary.get("D000001932")
    assert concept is not None
    assert concept.preferred == "Brain Neoplasms"


def test_broader_goes_up_the_tree_nearest_first(vocabulary: Vocabulary) -> None:
    concept = vocabulary.resolve("NSCLC").concept
    assert concept is not None
    names = [broader.preferred for broader in vocabulary.broader(concept)]
    assert names.index("Lung Neoplasms") < names.index("Neoplasms")


def test_narrower_is_the_inverse_of_broader(vocabulary: Vocabulary) -> None:
    lung = vocabulary.resolve("lung cancer").concept
    assert lung is not None
    narrower = vocabulary.narrower(lung)
    assert "Carcinoma, Non-Small-Cell Lung" in {concept.preferred for concept in narrower}
    assert all(lung in vocabulary.broader(concept) for concept in narrower)


def test_a_drug_class_names_its_members(vocabulary: Vocabulary) -> None:
    statins = vocabulary.resolve("statins").concept
    assert statins is not None
    members = [vocabulary.get(concept_id) for concept_id in statins.related]
    assert "Atorvastatin" in {concept.preferred for concept in members if concept}


NOTE = "A 60-year-old man with type-2 diabetes (T2DM) and non-small cell lung cancer on Keytruda."


def test_mentions_give_the_places_of_the_text(vocabulary: Vocabulary) -> None:
    spans = [NOTE[mention.start : mention.end] for mention in vocabulary.find(NOTE)]
    assert spans == ["type-2 diabetes", "T2DM", "non-small cell lung cancer", "Keytruda"]


def test_mentions_have_places_in_texts_with_other_letters(vocabulary: Vocabulary) -> None:
    text = "Patienten: Crohn’s disease – naïve, β-Thalassemia."
    spans = [text[mention.start : mention.end] for mention in vocabulary.find(text)]
    assert spans == ["Crohn’s disease", "β-Thalassemia"]


def test_the_longest_name_wins(vocabulary: Vocabulary) -> None:
    (mention,) = vocabulary.find("small cell lung carcinoma")
    assert mention.concept.preferred == "Small Cell Lung Carcinoma"


def test_two_letters_count_only_in_capitals(vocabulary: Vocabulary) -> None:
    assert vocabulary.find("5 mi away, was rest for all") == []
    assert len(vocabulary.find("History of MI.")) == 1


def segments(vocabulary: Vocabulary, text: str) -> list[str | None]:
    return [
        concept.preferred if concept else None for _, _, concept in vocabulary.segment(fold(text))
    ]


def test_a_query_is_cut_into_concepts_and_words(vocabulary: Vocabulary) -> None:
    assert vocabulary.segment(fold("breast cancer immunotherapy"))[1] == (2, 3, None)
    assert segments(vocabulary, "breast cancer immunotherapy") == ["Breast Neoplasms", None]


def test_segments_cover_every_token_once(vocabulary: Vocabulary) -> None:
    tokens = fold("new non small cell lung cancer drug pembrolizumab for all patients")
    spans = vocabulary.segment(tokens)
    assert [at for start, end, _ in spans for at in range(start, end)] == list(range(len(tokens)))


def test_only_conditions_and_drugs_are_segments(vocabulary: Vocabulary) -> None:
    assert segments(vocabulary, "cat egfr kras radiotherapy") == [None, None, None, None]


def test_ambiguous_names_are_no_segments(vocabulary: Vocabulary) -> None:
    assert segments(vocabulary, "AD") == [None]


def test_no_tokens_give_no_segments(vocabulary: Vocabulary) -> None:
    assert vocabulary.segment([]) == []


@pytest.mark.parametrize(
    ("generic", "others"),
    [
        ("paclitaxel", ["Taxol"]),
        ("nab-paclitaxel", ["Abraxane", "ABI-007", "albumin-bound paclitaxel"]),
        ("interferon beta-1a", ["Avonex", "Rebif"]),
        ("goserelin", ["Zoladex"]),
        ("insulin aspart", ["NovoLog", "NovoRapid"]),
        ("insulin glargine", ["Lantus", "HOE901", "HOE 901"]),
        ("fentanyl", ["Duragesic"]),
        ("valproic acid", ["sodium valproate", "Depakote"]),
        ("cholecalciferol", ["colecalciferol", "vitamin D3"]),
        ("levothyroxine", ["Synthroid", "L-thyroxine"]),
        ("tofacitinib", ["CP-690550", "CP-690,550", "Xeljanz"]),
        ("tacrolimus", ["FK506", "FK-506", "Prograf"]),
    ],
)
def test_brand_code_and_spelling_mean_the_generic_drug(
    vocabulary: Vocabulary, generic: str, others: list[str]
) -> None:
    meant = {vocabulary.resolve(name, kinds=(Kind.DRUG,)).concept for name in (generic, *others)}
    assert len(meant) == 1
    assert None not in meant


def test_a_carrier_makes_another_drug(vocabulary: Vocabulary) -> None:
    found = [vocabulary.resolve(name).concept for name in ("Taxol", "Abraxane")]
    assert found[0] != found[1]
