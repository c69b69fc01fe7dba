"""Names as analysts type them: what is misspelt is told, never a gap and never counted."""

from __future__ import annotations

import asyncio

from tests.repurposing.conftest import MakeClient
from tests.repurposing.invented import trial
from trialyst.annotation import DrugNames
from trialyst.vocabulary import Vocabulary

RECORDS = (
    trial(1, drugs=["Metformin"], conditions=["Type 2 Diabetes Mellitus"]),
    trial(2, drugs=["Tiotropium"], conditions=["Chronic Obstructive Pulmonary Disease"]),
    trial(3, drugs=["Insulin glargine"], conditions=["Type 1 Diabetes"]),
    trial(4, drugs=["Octreotide acetate"], conditions=["Acromegaly"]),
    trial(5, drugs=["Abiraterone"], conditions=["Metastatic Castration-Resistant Prostate Cancer"]),
    trial(6, drugs=["Abiraterone"], conditions=["Prostate Cancer"]),
)
MISSPELT = {
    ("metformin", "diabetes melitus type 2"): "mellitus",
    ("tiotropium", "chronic obstructive pulmonry disease"): "pulmonary",
    ("insulin glargin", "type 1 diabetes"): "glargine",
    ("octrotide acetate", "asthma"): "octreotide",
    ("octrotide", "acromegaly"): "octreotide",
    ("metformin hydrochlorid", "type 2 diabetes"): "hydrochloride",
}


def test_a_misspelt_name_is_unknown_with_the_nearest(make_client: MakeClient) -> None:
    client = make_client(*RECORDS)
    wrong = []
    for (drug, condition), meant in MISSPELT.items():
        found = asyncio.run(client.detect_whitespace(drug, condition))
        near = " ".join((*found.drug.nearest, *found.condition.nearest)).lower()
        if found.grade.value != "unknown_name" or found.is_whitespace or meant not in near:
            wrong.append((drug, condition, found.grade.value, near))
        assert found.exact_match_count == 0
    assert not wrong


def test_other_spellings_of_a_drug_are_no_slips(make_client: MakeClient) -> None:
    client = make_client(*RECORDS)
    for name in ("octreotide acetate", "Sandostatin", "octreotida"):
        assert asyncio.run(client.detect_whitespace(name, "acromegaly")).exact_match_count == 1


def test_every_word_of_a_long_condition_counts(make_client: MakeClient) -> None:
    client = make_client(*RECORDS)
    for resistant in ("metastatic castration-resistant prostate cancer", "CRPC", "mCRPC"):
        found = asyncio.run(client.detect_whitespace("abiraterone", resistant))
        assert [hit.nct_id for hit in found.hits] == ["NCT00000005"], resistant
    plain = asyncio.run(client.detect_whitespace("abiraterone", "prostate cancer"))
    assert (plain.exact_match_count, plain.narrower_match_count) == (1, 1)


def test_kinds_of_a_head_word_are_told_apart(make_client: MakeClient) -> None:
    client = make_client(
        trial(1, drugs=["Latanoprost"], conditions=["Glaucoma"], title="In Ocular Hypertensives"),
        trial(2, drugs=["Bosentan"], conditions=["Pulmonary Arterial Hypertension"]),
        trial(3, drugs=["Pioglitazone"], conditions=["Non-alcoholic Fatty Liver Disease"]),
        trial(4, drugs=["Pioglitazone"], conditions=["Nonalcoholic Steatohepatitis"]),
        trial(5, drugs=["Imiquimod"], conditions=["Breast Cancer", "Skin Metastases"]),
        trial(6, drugs=["Glipizide"], conditions=["Diabetes Mellitus, Non-Insulin-Dependent"]),
        trial(7, drugs=["Glipizide"], conditions=["Diabetes Mellitus, Type II"]),
        trial(8, drugs=["Pregabalin"], conditions=["Generalized Anxiety Disorder"]),
        trial(9, drugs=["Pregabalin"], conditions=["Social Anxiety Disorder"]),
    )
    expected = {
        ("latanoprost", "hypertension"): (0, 0),
        ("latanoprost", "ocular hypertension"): (1, 0),
        ("bosentan", "pulmonary hypertension"): (0, 1),
        ("bosentan", "hypertension"): (0, 0),
        ("pioglitazone", "NASH"): (1, 0),
        ("pioglitazone", "NAFLD"): (1, 1),
        ("imiquimod", "skin cancer"): (0, 0),
        ("glipizide", "type 2 diabetes"): (2, 0),
        ("glipizide", "type 1 diabetes"): (0, 0),
        ("pregabalin", "generalized anxiety disorder"): (1, 0),
        ("pregabalin", "anxiety disorder"): (0, 2),
    }
    counted = {}
    for drug, condition in expected:
        found = asyncio.run(client.detect_whitespace(drug, condition))
        counted[drug, condition] = (found.exact_match_count, found.narrower_match_count)
    assert counted == expected


def test_a_code_is_its_drug_where_a_record_says_so(make_client: MakeClient) -> None:
    told = trial(1, drugs=["Vemurafenib"], conditions=["Melanoma"])
    given = told["protocolSection"]["armsInterventionsModule"]["interventions"][0]
    given["otherNames"] = ["RO5185426"]
    again = trial(2, drugs=["Vemurafenib"], conditions=["Melanoma"])
    again["protocolSection"]["armsInterventionsModule"]["interventions"][0] = given
    client = make_client(
        told, again, trial(3, drugs=["RO5185426"], conditions=["Melanoma"]), learn=True
    )
    for name in ("vemurafenib", "RO5185426"):
        assert asyncio.run(client.detect_whitespace(name, "melanoma")).exact_match_count == 3


def test_a_sealant_does_not_lead_a_cancer(make_client: MakeClient) -> None:
    client = make_client(
        trial(
            1,
            drugs=[("BIOLOGICAL", "Fibrin sealant")],
            conditions=["Melanoma"],
            phases=["PHASE4"],
            purpose="TREATMENT",
            title="Fibrin sealant for drainage after lymph node dissection",
        ),
        trial(2, drugs=["Dabrafenib"], conditions=["Melanoma"], purpose="TREATMENT"),
    )
    found = asyncio.run(client.get_landscape("melanoma"))
    assert [each.drug_name.lower() for each in found.competitors] == ["dabrafenib"]


def test_what_names_no_drug_leaves_none(vocabulary: Vocabulary) -> None:
    names = DrugNames(vocabulary)
    expected = {
        "D": [],
        "double-blind": [],
        "time": [],
        "10 cm^2": [],
        "omalizumab at a of": ["omalizumab"],
        "Budesonide/formoterol": ["budesonide", "formoterol"],
        "Semaglutide or Placebo": ["semaglutide"],
        "Placebo MDPI": [],
        "NaCl": [],
        "Lactose": [],
    }
    found = {written: [each.name.lower() for each in names.read(written)] for written in expected}
    assert found == expected
