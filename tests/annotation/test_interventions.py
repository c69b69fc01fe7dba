"""Interventions as drugs with a role, by arms and titles."""

from __future__ import annotations

from functools import cache

from tests.shipped import shipped_vocabulary
from trialyst.annotation import DrugNames
from trialyst.annotation.end_points import end_point_name
from trialyst.annotation.interventions import (
    annotate_interventions,
    compared_with,
    given_everywhere,
)
from trialyst.annotation.sponsors import read_sponsor
from trialyst.ctgov.parse_readable import ArmText, InterventionText, ReadableTexts

EXPERIMENTAL, ACTIVE, PLACEBO = "EXPERIMENTAL", "ACTIVE_COMPARATOR", "PLACEBO_COMPARATOR"


@cache
def names() -> DrugNames:
    return DrugNames(shipped_vocabulary())


def roles_of(
    *given: str | tuple[str, str],
    arms: tuple[tuple[str, str], ...] = (),
    title: str = "",
    purpose: str | None = "TREATMENT",
) -> list[str]:
    """Read interventions; an arm is its type and the names of what it gives, joined by `|`."""
    listed = [("DRUG", each) if isinstance(each, str) else each for each in given]
    texts = ReadableTexts(
        title=title,
        purpose=purpose,
        interventions=tuple(InterventionText(name, kind) for kind, name in listed),
        arms=tuple(
            ArmText(f"Arm {at}", kind, tuple(f"Drug: {name}" for name in held.split("|")))
            for at, (kind, held) in enumerate(arms)
        ),
    )
    return [each.role.value for each in annotate_interventions(texts, names())]


def test_arms_tell_what_is_tested_compared_and_given_to_all() -> None:
    both = ((EXPERIMENTAL, "Sitagliptin|Metformin"), (PLACEBO, "Placebo|Metformin"))
    assert roles_of("Sitagliptin", "Metformin", "Placebo", arms=both) == [
        "tested",
        "background",
        "placebo",
    ]
    typed = ((EXPERIMENTAL, "Adefovir|Carnitine"), (EXPERIMENTAL, "Placebo|Carnitine"))
    given = ("Adefovir", "Carnitine", "Placebo")
    assert roles_of(*given, arms=typed) == ["tested", "background", "placebo"]
    named = (("OTHER", "Niacin"), (ACTIVE, "Comparator: simvastatin"))
    assert roles_of("Niacin", "Comparator: simvastatin", arms=named) == ["tested", "comparator"]
    for title in ("Dovitinib versus sorafenib", "Efficacy of dovitinib with that of sorafenib"):
        texts = ReadableTexts(title=title)
        assert compared_with(texts, names()) == (names().read("sorafenib")[0].key,)
    versus = ((EXPERIMENTAL, "Sacubitril"), (ACTIVE, "Enalapril"))
    arms = tuple(ArmText(kind, kind, tuple(held.split("|"))) for kind, held in both)
    listed = tuple(InterventionText(name, "DRUG") for name in ("Sitagliptin", "Metformin"))
    everywhere = given_everywhere(ReadableTexts(interventions=listed, arms=arms), names())
    assert everywhere == {names().read("Metformin")[0].key}
    assert roles_of("Sacubitril", "Enalapril", arms=versus) == ["tested", "comparator"]


def test_without_an_experimental_arm_all_that_is_compared_is_tested() -> None:
    assert roles_of("Bosentan", "Placebo", arms=((ACTIVE, "Bosentan"), (PLACEBO, "Placebo"))) == [
        "tested",
        "placebo",
    ]
    assert roles_of(
        "Desflurane", "Sevoflurane", arms=((ACTIVE, "Desflurane"), (ACTIVE, "Sevoflurane"))
    ) == [
        "tested",
        "tested",
    ]


def test_without_arms_nothing_is_stated() -> None:
    assert roles_of("Fluconazole", "Placebo", ("PROCEDURE", "Biopsy")) == [
        "unstated",
        "placebo",
        "procedure",
    ]


def test_a_drug_that_the_title_names_first_is_no_background() -> None:
    arms = (
        (EXPERIMENTAL, "Adefovir|Peginterferon alfa-2a"),
        (PLACEBO, "Placebo|Peginterferon alfa-2a"),
    )
    code = ((EXPERIMENTAL, "E10030|Lucentis"), (ACTIVE, "Lucentis"))
    title = "E10030 plus Lucentis in macular degeneration"
    assert roles_of("E10030", "Lucentis", arms=code, title=title) == ["tested", "background"]
    title = "Peginterferon alfa-2a in Combination With Adefovir"
    given = ("Adefovir", "Placebo", "Peginterferon alfa-2a")
    assert roles_of(*given, arms=arms) == ["tested", "placebo", "background"]
    assert roles_of(*given, arms=arms, title=title) == ["tested", "placebo", "tested"]


def test_what_is_given_to_see_is_diagnostic() -> None:
    arms = ((EXPERIMENTAL, "Gadobutrol|68Ga-FAPI"),)
    assert roles_of("Gadobutrol", "68Ga-FAPI", arms=arms) == ["diagnostic", "diagnostic"]
    assert roles_of("Regadenoson", arms=(("OTHER", "Regadenoson"),), purpose="DIAGNOSTIC") == [
        "diagnostic"
    ]


def test_names_are_cleaned() -> None:
    expected = {
        "D": [],
        "double-blind": [],
        "time": [],
        "10 cm^2": [],
        "omalizumab at a of": ["Omalizumab"],
        "Sacubitril Valsartan Sodium Hydrate": ["Sacubitril", "Valsartan"],
        "Budesonide/formoterol": ["Budesonide", "Formoterol"],
        "azelastineHcl / fluticasone propionate": ["Azelastine", "Fluticasone"],
        "1:1:2 Blood Transfusion Ratio": [],
        "Ranibizumab + deferred laser": ["Ranibizumab"],
        "Vascular Endothelial Growth Factor Receptors": [],
        "antihypertensive drugs other than ACE inhibitors": [],
        "V116517 30-mg tablets": ["V116517"],
        "RO5185426": ["Vemurafenib"],
        "TMC278": ["Rilpivirine"],
        "BMS-986036": ["Pegbelfermin"],
        "Semaglutide or Placebo": ["Semaglutide"],
        "Placebo MDPI": [],
        "NaCl": [],
        "Lactose": [],
        "Placebo matching with Dapagliflozin": [],
        "Evolocumab Pre-filled Syringe": ["Evolocumab"],
        "ACE inhibitor Ramipril": ["Ramipril"],
        "Co-administration of Saxagliptin": ["Saxagliptin"],
        "topotecan hydrochloride for injection": ["Topotecan"],
        "SGLT2 inhibitor": [],
        "Irritable Bowel Syndrome with Constipation participants": [],
    }
    found = {name: [drug.name for drug in names().read(name)] for name in expected}
    assert found == expected


def test_what_no_vocabulary_knows_is_marked() -> None:
    (drug,) = names().read("Zorbacitin 5 mg")
    assert not drug.known
    (code,) = names().read_any(("XYZ-1234", "pembrolizumab"))
    assert code.name == "Pembrolizumab"


def test_branches_belong_to_their_company() -> None:
    for one, other in (
        ("Novartis", "Novartis Pharmaceuticals"),
        ("UCB Pharma SA", "UCB BIOSCIENCES, Inc."),
        ("Teva Branded Pharmaceutical Products, R&D Inc.", "Teva Pharmaceutical Industries"),
    ):
        assert read_sponsor(one).key == read_sponsor(other).key, (one, other)
    assert read_sponsor("Merck KGaA").key != read_sponsor("Merck Sharp & Dohme LLC").key
    for written, shown in {
        "National Cancer Institute (NCI)": "National Cancer Institute (NCI)",
        "Novartis Pharmaceuticals": "Novartis",
        "Pfizer's Upjohn has merged with Mylan to form Viatris Inc.": "Viatris",
    }.items():
        assert read_sponsor(written).name == shown


def test_end_points_are_named_without_who_and_when() -> None:
    for written, name in {
        "Change From Baseline to Week 24 in HbA1c": "hba1c",
        "Progression-Free Survival (PFS)": "progression-free survival",
        "Percentage of Participants With Adverse Events": "adverse events",
    }.items():
        assert end_point_name(written) == name


def test_what_only_serves_another_drug_is_not_tested() -> None:
    chemotherapy = ("cisplatin", "filgrastim", "mesna")
    armed = ((EXPERIMENTAL, "|".join(chemotherapy)),)
    title = "Cisplatin in ovarian cancer"
    assert roles_of(*chemotherapy, title=title) == ["unstated"] * 3
    assert roles_of(*chemotherapy, title=title, arms=armed) == [
        "tested",
        "background",
        "background",
    ]
    growth = ((EXPERIMENTAL, "cisplatin|filgrastim"),)
    title = "Cisplatin with or without G-CSF"
    assert roles_of("cisplatin", "filgrastim", title=title, arms=growth) == ["tested", "tested"]
    both = ((EXPERIMENTAL, "Pyronaridine|Metoprolol"), (EXPERIMENTAL, "Metoprolol"))
    title = "The effect of pyronaridine on the pharmacokinetics of metoprolol"
    assert roles_of("Pyronaridine", "Metoprolol", arms=both, title=title) == [
        "tested",
        "diagnostic",
    ]


def test_names_in_brackets_codes_and_combinations_are_the_drug_they_stand_for() -> None:
    title = "Efficacy of Brivaracetam (BRV) in adults"
    texts = ReadableTexts(title=title, interventions=(InterventionText("BRV", "DRUG"),))
    (read,) = annotate_interventions(texts, names())
    assert [each.drug.name for each in read.drugs] == ["Brivaracetam"]
    pairs = {
        "TMC278": "rilpivirine",
        "BMS-986036": "pegbelfermin",
        "RO5185426": "vemurafenib",
        "ABT-450": "paritaprevir",
        "Dorzolamide and Timolol": "dorzolamide / timolol",
        "Panzytrat 25,000": "Panzytrat",
    }
    keys = {
        name: {drug.key for drug in names().read(name)} for each in pairs.items() for name in each
    }
    assert {name: keys[name] for name in pairs} == {name: keys[pairs[name]] for name in pairs}


def test_strengths_salts_targets_and_what_is_treated_are_no_names_of_drugs() -> None:
    read = {
        "CHF 5074 3x": ["CHF 5074"],
        "Ropinirole prolonged release(PR/XR)": ["Ropinirole"],
        "Empiric heart failure therapy": [],
        "Vascular Endothelial Growth Factor Receptor": [],
        "Terbinafine hydrogen chloride (HCl) nail solution": ["Terbinafine"],
        "PP3M eq": ["PP3M"],
    }
    assert {name: [drug.name for drug in names().read(name)] for name in read} == read
