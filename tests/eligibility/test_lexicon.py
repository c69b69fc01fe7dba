"""Names in criteria and notes: the longest wins, organ and histology stay together."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from itertools import pairwise

from tests.each_case import on_each_case
from tests.shipped import shipped_vocabulary
from trialyst.eligibility.anatomy import organ_terms
from trialyst.eligibility.lexicon import Lexicon
from trialyst.eligibility.names import read_names
from trialyst.vocabulary import empty_vocabulary
from trialyst.vocabulary.term import TermKind

FOUND = """
high-grade serous ovarian carcinoma => Carcinoma, Ovarian Epithelial
adenocarcinoma of the colon => Colonic Neoplasms
invasive ductal carcinoma => Breast Neoplasms
squamous cell carcinoma of the lung => Carcinoma, Non-Small-Cell Lung
metastatic castration-resistant prostate cancer => Prostatic Neoplasms, Castration-Resistant
stage IV lung adenocarcinoma => Adenocarcinoma of Lung
ca of the ovary => Ovarian Neoplasms
colon ca => Colonic Neoplasms
triple-negative breast cancer => Triple Negative Breast Neoplasms
colon and prostate adenocarcinoma => Colonic Neoplasms; Prostatic Neoplasms
cancer of the breast, colon or lung => Breast Neoplasms; Colonic Neoplasms; Lung Neoplasms
breast or ovarian cancer => Breast Neoplasms; Ovarian Neoplasms
hepatitis B or C => Hepatitis B; Hepatitis C
liver and lung metastases => Liver metastases; Lung metastases
type 1 or 2 diabetes => Diabetes Mellitus, Type 1; Diabetes Mellitus, Type 2
liver, kidney or heart disease => Liver Diseases; Kidney Diseases; Heart Diseases
ocular or pulmonary hypertension => Ocular Hypertension; Hypertension, Pulmonary
bacterial, viral or fungal infection => Bacterial Infections; Virus Diseases; Mycoses
anti-TNF agents and statins => TNF inhibitor; statin
oral anticoagulants, SGLT2 inhibitors => anticoagulant; SGLT2 inhibitor
corticosteroids or immunosuppressants => corticosteroid; immunosuppressant
chemotherapy, radiotherapy => cytotoxic chemotherapy; Radiotherapy
NSAIDs and antidepressants => NSAID; antidepressant
cardiac disease or hepatic impairment => Heart Diseases; Hepatic Insufficiency
psychiatric disorder, autoimmune disease => Mental Disorders; Autoimmune Diseases
hematologic malignancy => Hematologic Neoplasms
diabetic, hypertensive and asthmatic => Diabetes Mellitus; Hypertension; Asthma
epileptic, cirrhotic, obese => Epilepsy; Liver Cirrhosis; Obesity
HIV-positive, anaemic, neutropenic => HIV Infections; Anemia; Neutropenia
wears hearing aids => Hearing Aids
SpO2 97% RA =>
RA on methotrexate => Arthritis, Rheumatoid; Methotrexate
PT scheduled, PT 12 s, TSAT 15 % =>
meets ALL of the following =>
relapsed ALL in a child => Precursor Cell Lymphoblastic Leukemia-Lymphoma
PD on letrozole => Letrozole
ASA class III =>
CAD and prior MI => Coronary Artery Disease; Myocardial Infarction
creatinine 1.2 mg/dL, glucose 100 =>
testosterone replacement therapy => androgen
serum testosterone =>
Disease, Syndrome, Patients =>
influenza vaccine => Influenza Vaccines
R-CHOP for six cycles => R-CHOP
Dravet syndrome => Dravet syndrome
NASH => Nonalcoholic steatohepatitis
cutaneous lupus => Lupus Erythematosus, Cutaneous
Gastro-oesophageal reflux disease => Gastroesophageal Reflux
atrial fibrillation (AF), then AF => Atrial Fibrillation; Atrial Fibrillation
C. difficile infection => Clostridium Infections
Terbinafine HCl => Terbinafine
AML, FLT3 negative => Leukemia, Myeloid, Acute
pleuritic chest pain => Pleuritic chest pain
"""


@cache
def lexicon() -> Lexicon:
    return Lexicon(shipped_vocabulary())


@on_each_case("line", [line for line in FOUND.splitlines() if line])
def test_names_are_found_as_one_term_each(line: str) -> None:
    text, _, wanted = (part.strip() for part in line.partition("=>"))
    found = lexicon().find(text)
    assert [each.what.name for each in found] == [
        name.strip() for name in wanted.split(";") if name
    ]
    assert all(each.start < each.end for each in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


def test_shared_heads_span_their_own_words_and_abbreviations_their_name() -> None:
    text = "breast or ovarian cancer"
    assert [text[each.start : each.end] for each in lexicon().find(text)] == [
        "breast",
        "ovarian cancer",
    ]
    text = "atrial fibrillation (AF)"
    assert [text[each.start : each.end] for each in lexicon().find(text)] == [text]


def test_every_name_of_the_tables_is_known_or_below_something_known() -> None:
    names = read_names()
    things = {name.thing for listed in names.by_key.values() for name in listed}
    own = {thing for thing in things if not thing.startswith(("class:", "regimen:"))}
    unknown = [each for each in (*own, *organ_terms()) if not lexicon().term(each).trees]
    assert not unknown


def test_every_name_is_read_where_the_vocabulary_knows_none() -> None:
    bare = Lexicon(empty_vocabulary())
    things = {name.thing for listed in read_names().by_key.values() for name in listed}
    assert all(bare.term(thing).name for thing in (*things, *read_names().findings))


def test_kinds_tell_drugs_classes_and_procedures_apart() -> None:
    kinds = {
        each.what.name: each.kind
        for each in lexicon().find(
            "metformin, statins, appendectomy, pacemaker, radiotherapy, cough"
        )
    }
    assert list(kinds.values()) == [
        TermKind.DRUG,
        TermKind.DRUG_CLASS,
        TermKind.PROCEDURE,
        TermKind.DEVICE,
        TermKind.THERAPY,
        TermKind.SYMPTOM,
    ]


def test_every_process_names_things_alike() -> None:
    """Two forms of a name fold alike; which one names the thing must not hang on hashing."""
    told = [
        subprocess.run(
            [sys.executable, "-c", _TELL_FINDINGS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert told[0] == told[1] != b""


_TELL_FINDINGS = """
from trialyst.eligibility.names import read_names
print(sorted((key, name.thing) for key, name in read_names().findings.items()))
"""
