from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.annotation.controls import is_control
from trialyst.annotation.drugs import DrugNames, split_combination
from trialyst.ctgov.query import TrialQuery
from trialyst.registry import Registry
from trialyst.starter.home import starter_directory
from trialyst.vocabulary import Vocabulary
from trialyst.vocabulary.doses import strip_dose, strip_salt

SPELLINGS = {
    "metformin": [
        "METFORMIN",
        "Metformin HCl",
        "metformin hydrochloride",
        "Metformin 500 mg",
        "Metformin, 1000mg twice daily",
        "Glucophage",
        "metformin extended-release tablets",
    ],
    "pembrolizumab": ["Keytruda", "MK-3475", "MK3475", "Pembrolizumab 200 mg IV Q3W"],
    "zorbacitin": [
        "Zorbacitin",
        "ZORBACITIN 5 mg/kg",
        "zorbacitin sodium",
        "Zorbacitin (low dose)",
    ],
}


@pytest.mark.parametrize("drug", SPELLINGS)
def test_case_dose_salt_and_brand_make_no_other_drug(vocabulary: Vocabulary, drug: str) -> None:
    names = DrugNames(vocabulary)
    assert {names.read(written) for written in SPELLINGS[drug]} == {names.read(drug)}


@pytest.mark.parametrize(
    "name",
    [
        "Placebo",
        "Matching placebo for semaglutide",
        "Semaglutide placebo",
        "Sham procedure",
        "Standard of care",
        "standard-of-care",
        "SOC",
        "Usual Care",
        "Best Supportive Care",
        "Control",
        "No intervention",
        "Placebos",
        "Comparator: Placebo (unspecified)",
        "Saline Solution",
        "0.9% normal saline",
        "Sodium chloride 0.9%",
        "Vehicle gel",
        "Sugar pill",
        "Sterile water for injection",
    ],
)
def test_controls_are_no_drugs(vocabulary: Vocabulary, name: str) -> None:
    assert DrugNames(vocabulary).read(name) == ()


@pytest.mark.parametrize("name", ["Glycemic control", "Hormone therapy", "Standardized extract"])
def test_what_only_sounds_like_a_control_is_kept(name: str) -> None:
    assert not is_control(name)


@pytest.mark.parametrize(
    ("name", "drugs"),
    [
        ("Nivolumab + Ipilimumab", ["Nivolumab", "Ipilimumab"]),
        ("carboplatin and paclitaxel", ["Carboplatin", "Paclitaxel"]),
        ("Zorbacitin plus placebo", ["Zorbacitin"]),
        ("Dabrafenib-Trametinib", ["Dabrafenib", "Trametinib"]),
    ],
)
def test_combinations_are_split(vocabulary: Vocabulary, name: str, drugs: list[str]) -> None:
    assert [drug.name for drug in DrugNames(vocabulary).read(name)] == drugs


def test_a_fixed_combination_is_split_too(vocabulary: Vocabulary) -> None:
    names = DrugNames(vocabulary)
    for written, drugs in {
        "Sacubitril/Valsartan 97/103 mg": ["sacubitril", "valsartan"],
        "Budesonide/formoterol": ["budesonide", "formoterol"],
        "Symbicort Turbuhaler": ["budesonide", "formoterol"],
    }.items():
        expected = [drug.key for name in drugs for drug in names.read(name)]
        assert [drug.key for drug in names.read(written)] == expected, written


@given(st.text(max_size=60))
def test_any_name_can_be_read(vocabulary: Vocabulary, name: str) -> None:
    drugs = DrugNames(vocabulary).read(name)
    assert len({drug.key for drug in drugs}) == len(drugs)
    assert all(drug.name.strip() for drug in drugs)


@given(st.from_regex(r"[A-Z][a-z]{5,10}mab", fullmatch=True), st.integers(1, 999))
def test_a_dose_leaves_the_name(name: str, milligrams: int) -> None:
    assert strip_dose(f"{name} {milligrams} mg/kg") == name


@pytest.mark.parametrize(
    "name",
    [
        "Chemotherapy",
        "Neoadjuvant chemotherapy",
        "platinum-based chemotherapy",
        "First-line chemotherapy agents",
        "Rescue medication",
        "Sublingual immunotherapy",
        "Epicutaneous immunotherapy",
        "Placebo ACCUHALER/DISKUS",
        "Isolated perfusion",
        "Unrelated Umbilical Cord Blood Transplant",
        "Low calorie meal replacement plan",
        "Autologous",
        "Optimized background therapy",
        "Study drug",
    ],
)
def test_a_kind_of_treatment_that_names_no_drug_is_none(vocabulary: Vocabulary, name: str) -> None:
    assert DrugNames(vocabulary).read(name) == ()


@pytest.mark.parametrize(
    ("written", "drugs"),
    [
        ("Comparator: Pioglitazone", ["pioglitazone"]),
        ("Trastuzumab + chemotherapy", ["trastuzumab"]),
        ("Docetaxel chemotherapy", ["docetaxel"]),
        ("Therapeutic hydrocortisone", ["hydrocortisone"]),
        ("Metformin IR", ["metformin"]),
        ("Mometasone furoate dry powder inhaler", ["mometasone furoate"]),
        ("Hypertonic saline", ["hypertonic saline"]),
        ("Zorbacitin 5 mg/kg/day", ["zorbacitin"]),
        ("Zorbacitin/GW642444", ["zorbacitin", "GW642444"]),
        ("Zorbacitin (washed + cooled)", ["zorbacitin"]),
        ("Zorbacitin-High", ["zorbacitin"]),
        ("Zorbacitin 18200SU", ["zorbacitin"]),
        ("Intratumoral zorbacitin 2800 BAU", ["zorbacitin"]),
        ("HER-2/neu peptide vaccine", ["HER-2/neu peptide vaccine"]),
    ],
)
def test_role_form_and_dose_make_no_other_drug(
    vocabulary: Vocabulary, written: str, drugs: list[str]
) -> None:
    names = DrugNames(vocabulary)
    expected = [drug.key for name in drugs for drug in names.read(name)]
    assert [drug.key for drug in names.read(written)] == expected
    assert len(expected) == len(drugs)


def test_capitals_and_odd_letters_change_nothing_that_is_cut(starter_home: Path) -> None:
    """Names are cut by patterns in small letters, on real spellings as on small ones."""
    with Registry.open(starter_directory(starter_home)) as registry:
        rows = registry.rows(list(registry.iter_numbers(TrialQuery())), ["InterventionName"])
    for name in {name for (names,) in rows for name in names}:
        for written in (name.upper(), name.title()):
            assert strip_dose(written).lower() == strip_dose(name.lower())
            assert strip_salt(written).lower() == strip_salt(name.lower())
            assert is_control(written) == is_control(name.lower())
            assert [part.lower() for part in split_combination(written)] == [
                *split_combination(name.lower())
            ]
    assert strip_dose("METFORMİN 5 MG TABLETS ORALLY") == "METFORMİN"
    assert strip_salt("METFORMİN SODİUM") == "METFORMİN"
