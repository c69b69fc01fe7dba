"""More than a hundred and twenty plain needs, each with what is true of the trials that meet it.

Names of conditions and drugs are given as a textbook has them. Where a need names none, counts
must be exact; where it does, every trial that holds a name must be found, and few others: words of
a name that stand apart find some more, as on the live service.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.questions.suite.truth import (
    Test,
    admits,
    all_of,
    any_of,
    condition,
    country,
    criteria,
    criteria_words,
    date,
    drug,
    flag,
    in_title,
    none_of,
    phase,
    place,
    site_near,
    sponsor,
    status,
    study_type,
)

__all__ = ["QUESTIONS", "Need"]


class Need(NamedTuple):
    """What somebody wants to find, how they ask, and what is true of the answer."""

    asked: dict[str, Any]
    truth: Test
    exact: bool = False
    """Whether no name is in it, so that the count must be right to the trial."""
    placed: bool = False
    """Whether it asks for sites near a point, so that only sites with a point are known truly."""


ASTHMA = condition("asthma", "asthmatic")
BREAST = condition("breast cancer", "breast neoplasms", "breast carcinoma", "breast tumor")
LUNG = condition("lung cancer", "lung neoplasms", "cancer of the lung", "pulmonary neoplasms")
DIABETES_2 = condition(
    "type 2 diabetes",
    "diabetes mellitus type 2",
    "T2DM",
    "type II diabetes",
    "NIDDM",
    "Diabetes Mellitus, Type 2",
    "type 2 diabetes mellitus",
    "diabetes type 2",
)
DEPRESSION = condition("depression", "depressive disorder", "depressive disorders")
MELANOMA = condition("melanoma")
COPD = condition(
    "COPD", "chronic obstructive pulmonary disease", "pulmonary disease, chronic obstructive"
)
HIV = condition("HIV", "HIV infections", "human immunodeficiency virus")
STROKE = condition("stroke", "cerebrovascular accident", "cerebral stroke")
HEART_FAILURE = condition("heart failure", "cardiac failure")
PSORIASIS = condition("psoriasis")
ALZHEIMER = condition("alzheimer", "alzheimer disease")
PARKINSON = condition("parkinson", "parkinson disease")
EPILEPSY = condition("epilepsy")
PNEUMONIA = condition("pneumonia")
PROSTATE = condition(
    "prostate cancer", "prostatic neoplasms", "prostate carcinoma", "cancer of the prostate"
)
SCHIZOPHRENIA = condition("schizophrenia")
LEUKEMIA = condition("leukemia", "leukaemia")
CROHN = condition("crohn", "crohn disease")
OBESITY = condition("obesity")
TUBERCULOSIS = condition("tuberculosis")
MALARIA = condition("malaria")
MIGRAINE = condition("migraine", "migraine disorders")
HYPERTENSION = condition("hypertension", "high blood pressure")
ARTHRITIS = condition("rheumatoid arthritis", "arthritis, rheumatoid")

METFORMIN = drug("metformin", "glucophage")
PEMBROLIZUMAB = drug("pembrolizumab", "keytruda", "MK-3475")
INSULIN = drug("insulin")
ASPIRIN = drug("aspirin", "acetylsalicylic acid")
SEMAGLUTIDE = drug("semaglutide", "ozempic", "wegovy", "rybelsus")

EUROPE = country(
    "Albania",
    "Andorra",
    "Armenia",
    "Austria",
    "Azerbaijan",
    "Belarus",
    "Belgium",
    "Bosnia and Herzegovina",
    "Bulgaria",
    "Croatia",
    "Cyprus",
    "Czechia",
    "Czech Republic",
    "Denmark",
    "Estonia",
    "Finland",
    "France",
    "Georgia",
    "Germany",
    "Greece",
    "Hungary",
    "Iceland",
    "Ireland",
    "Italy",
    "Kosovo",
    "Latvia",
    "Liechtenstein",
    "Lithuania",
    "Luxembourg",
    "Malta",
    "Moldova",
    "Moldova, Republic of",
    "Monaco",
    "Montenegro",
    "Netherlands",
    "North Macedonia",
    "Norway",
    "Macedonia, The Former Yugoslav Republic of",
    "Poland",
    "Portugal",
    "Romania",
    "Russia",
    "Russian Federation",
    "San Marino",
    "Serbia",
    "Slovakia",
    "Slovenia",
    "Spain",
    "Sweden",
    "Switzerland",
    "Ukraine",
    "United Kingdom",
    "Former Serbia and Montenegro",
    "Gibraltar",
    "Jersey",
    "Guernsey",
    "Isle of Man",
    "Faroe Islands",
)
SCANDINAVIA = country("Denmark", "Norway", "Sweden")
KOREA = country("South Korea", "Korea, Republic of")
TURKEY = country("Turkey", "Turkey (Türkiye)", "Türkiye")
CZECHIA = country("Czechia", "Czech Republic")
RUSSIA = country("Russia", "Russian Federation")

PLACES = [
    Need({"location": "US", "condition": "asthma"}, all_of(ASTHMA, country("United States"))),
    Need({"location": "DE"}, country("Germany"), exact=True),
    Need({"location": "Korea, Republic of"}, KOREA, exact=True),
    Need({"location": "South Korea"}, KOREA, exact=True),
    Need({"location": "Czech Republic"}, CZECHIA, exact=True),
    Need({"location": "Turkey"}, TURKEY, exact=True),
    Need({"location": "Russian Federation"}, RUSSIA, exact=True),
    Need({"location": "UK"}, country("United Kingdom"), exact=True),
    Need({"location": "Holland"}, country("Netherlands"), exact=True),
    Need({"location": "FRA"}, country("France"), exact=True),
    Need(
        {"location": "New York, NY"},
        any_of(
            place("New York", state="New York"),
            place("New York City", state="New York"),
            place("New York", state="NY"),
        ),
    ),
    Need({"location": "Boston, MA"}, place("Boston", state="Massachusetts"), exact=True),
    Need(
        {"location": "Houston, Texas, United States"}, place("Houston", state="Texas"), exact=True
    ),
    Need({"location": "Paris, France"}, place("Paris", country="France")),
    Need({"location": "Scandinavia"}, SCANDINAVIA, exact=True),
    Need({"location": "Europe", "condition": "melanoma"}, all_of(MELANOMA, EUROPE)),
    Need(
        {"location": "California"},
        lambda study: any(
            each.get("state") == "California" and each.get("country") == "United States"
            for each in study["protocolSection"]
            .get("contactsLocationsModule", {})
            .get("locations", ())
        ),
        exact=True,
    ),
    Need({"near": "Boston", "within": 50}, site_near(42.36, -71.06, 50), placed=True),
    Need({"near": "48.86,2.35", "within": 20}, site_near(48.86, 2.35, 20), placed=True),
    Need(
        {"near": "Chicago", "status": "RECRUITING"},
        all_of(
            status("RECRUITING"),
            site_near(41.85, -87.65, 80, statuses=("RECRUITING",)),
        ),
        placed=True,
    ),
    Need({"location": "Brasil"}, country("Brazil"), exact=True),
    Need({"country": "Canada", "disease": "epilepsy"}, all_of(EPILEPSY, country("Canada"))),
]

MISSPELLINGS = [
    Need({"condition": "brest cancer"}, BREAST),
    Need({"condition": "alzhiemers"}, ALZHEIMER),
    Need({"condition": "astma"}, ASTHMA),
    Need({"condition": "parkinsons diseese"}, PARKINSON),
    Need({"condition": "pnuemonia"}, PNEUMONIA),
    Need({"condition": "schizophenia"}, SCHIZOPHRENIA),
    Need({"condition": "psoriasys"}, PSORIASIS),
    Need({"condition": "tuberculossis"}, TUBERCULOSIS),
    Need({"condition": "diabetis type 2"}, DIABETES_2),
    Need({"condition": "hypertention"}, HYPERTENSION),
    Need({"condition": "melenoma"}, MELANOMA),
    Need({"intervention": "pembrolizumb"}, PEMBROLIZUMAB),
    Need({"intervention": "metformine"}, METFORMIN),
    Need({"intervention": "asprin"}, ASPIRIN),
    Need({"intervention": "atorvastatine"}, drug("atorvastatin", "lipitor")),
    Need({"intervention": "bevacizumba"}, drug("bevacizumab", "avastin")),
    Need({"intervention": "paclitaxol"}, drug("paclitaxel", "taxol")),
    Need({"query": "lung cancr"}, LUNG),
    Need({"query": "migrane"}, MIGRAINE),
    Need({"query": "leukemai"}, LEUKEMIA),
]

FREE_QUESTIONS = [
    Need(
        {
            "query": "What clinical trials are there for patients with type 2 diabetes who want to "
            "try metformin?"
        },
        all_of(DIABETES_2, METFORMIN),
    ),
    Need(
        {"query": "Are there any recruiting trials for psoriasis?"},
        all_of(PSORIASIS, status("RECRUITING")),
    ),
    Need({"query": "phase 3 melanoma trials"}, all_of(MELANOMA, phase("PHASE3"))),
    Need(
        {"query": "Which studies of aspirin in stroke have been completed trials?"},
        all_of(STROKE, ASPIRIN, status("COMPLETED")),
    ),
    Need({"query": "show me completed studies of insulin"}, all_of(INSULIN, status("COMPLETED"))),
    Need({"query": "asthma trials in Germany"}, all_of(ASTHMA, country("Germany"))),
    Need(
        {"query": "Is anybody testing pembrolizumab for lung cancer?"}, all_of(LUNG, PEMBROLIZUMAB)
    ),
    Need(
        {"query": "trials for a 70-year-old man with prostate cancer"},
        all_of(PROSTATE, admits(years=70, sex="MALE")),
    ),
    Need({"query": "studies for women with depression"}, all_of(DEPRESSION, admits(sex="FEMALE"))),
    Need(
        {"query": "schizophrenia studies with posted results"},
        all_of(SCHIZOPHRENIA, flag("results", wanted=True)),
    ),
    Need(
        {"query": "COPD trials started after 2015"}, all_of(COPD, date("start", since="2015-01-01"))
    ),
    Need(
        {"query": "What drugs have been tried for malaria in phase 2 or phase 3?"},
        all_of(MALARIA, phase("PHASE2", "PHASE3")),
    ),
    Need({"query": "I have Crohn's disease, what can I try?"}, CROHN),
    Need(
        {"query": "terminated trials of rheumatoid arthritis"},
        all_of(ARTHRITIS, status("TERMINATED")),
    ),
    Need({"query": "epilepsy"}, EPILEPSY),
    Need(
        {"query": "please find tuberculosis research in India"},
        all_of(TUBERCULOSIS, country("India")),
    ),
    Need({"query": "obesity and metformin"}, all_of(OBESITY, METFORMIN)),
    Need(
        {"query": "heart failure recruiting in the United States"},
        all_of(HEART_FAILURE, status("RECRUITING"), country("United States")),
    ),
    Need(
        {"query": "HIV trials registered since 2018"},
        all_of(HIV, date("posted", since="2018-01-01")),
    ),
]

FREE_QUESTIONS += [
    Need(
        {"query": "psoriasis trials not in the US"},
        all_of(PSORIASIS, none_of(country("United States"))),
    ),
    Need({"query": "asthma but not phase 4"}, all_of(ASTHMA, none_of(phase("PHASE4")))),
    Need(
        {"query": "COPD or asthma trials in Canada"},
        all_of(any_of(COPD, ASTHMA), country("Canada")),
    ),
    Need(
        {"query": "asthma in Germany, France or the UK"},
        all_of(ASTHMA, country("Germany", "France", "United Kingdom")),
    ),
    Need({"query": "ensayos clínicos de asma en España"}, all_of(ASTHMA, country("Spain"))),
]

ALTERNATIVES = [
    Need({"condition": "asthma, COPD"}, any_of(ASTHMA, COPD)),
    Need({"phase": "3 or 4"}, phase("PHASE3", "PHASE4"), exact=True),
    Need({"condition": "asthma OR COPD"}, any_of(ASTHMA, COPD)),
    Need({"condition": "asthma|COPD"}, any_of(ASTHMA, COPD)),
    Need({"condition": ["malaria", "tuberculosis"]}, any_of(MALARIA, TUBERCULOSIS)),
    Need({"intervention": "metformin OR insulin"}, any_of(METFORMIN, INSULIN)),
    Need(
        {"status": "RECRUITING OR NOT_YET_RECRUITING"},
        status("RECRUITING", "NOT_YET_RECRUITING"),
        exact=True,
    ),
    Need(
        {"status": ["COMPLETED", "TERMINATED"], "phase": "PHASE4"},
        all_of(status("COMPLETED", "TERMINATED"), phase("PHASE4")),
        exact=True,
    ),
    Need({"phase": "PHASE2|PHASE3"}, phase("PHASE2", "PHASE3"), exact=True),
    Need({"location": "France OR Germany"}, country("France", "Germany"), exact=True),
    Need({"location": ["Japan", "China"]}, country("Japan", "China"), exact=True),
    Need({"query": "psoriasis OR melanoma"}, any_of(PSORIASIS, MELANOMA)),
    Need({"condition": '["epilepsy", "migraine"]'}, any_of(EPILEPSY, MIGRAINE)),
    Need(
        {"study_type": "OBSERVATIONAL OR EXPANDED_ACCESS"},
        study_type("OBSERVATIONAL", "EXPANDED_ACCESS"),
        exact=True,
    ),
]

CLASSES = [
    Need(
        {"intervention": "SGLT2 inhibitor"},
        drug(
            "SGLT2 inhibitor",
            "empagliflozin",
            "dapagliflozin",
            "canagliflozin",
            "ertugliflozin",
            "sotagliflozin",
            "ipragliflozin",
            "luseogliflozin",
            "tofogliflozin",
            "henagliflozin",
            "enavogliflozin",
            "BI 10773",
            "BMS-512148",
            "JNJ-28431754",
            "ASP1941",
        ),
    ),
    Need(
        {"intervention": "PARP inhibitors"},
        drug("PARP inhibitor", "olaparib", "niraparib", "rucaparib", "talazoparib", "veliparib"),
    ),
    Need(
        {"intervention": "proton pump inhibitors"},
        drug(
            "proton pump inhibitor",
            "omeprazole",
            "esomeprazole",
            "lansoprazole",
            "pantoprazole",
            "rabeprazole",
            "dexlansoprazole",
        ),
    ),
    Need(
        {"intervention": "CDK4/6 inhibitor"},
        drug("CDK4/6 inhibitor", "palbociclib", "ribociclib", "abemaciclib"),
    ),
    Need(
        {"intervention": "TNF inhibitor", "condition": "rheumatoid arthritis"},
        all_of(
            ARTHRITIS,
            drug(
                "TNF inhibitor",
                "anti-TNF",
                "TNF blocker",
                "adalimumab",
                "etanercept",
                "infliximab",
                "golimumab",
                "certolizumab pegol",
            ),
        ),
    ),
    Need(
        {"intervention": "JAK inhibitors"},
        drug(
            "JAK inhibitor",
            "tofacitinib",
            "baricitinib",
            "upadacitinib",
            "ruxolitinib",
            "filgotinib",
        ),
    ),
    Need(
        {"intervention": "GLP-1 agonists"},
        drug(
            "GLP-1 agonist",
            "GLP-1 receptor agonist",
            "GLP-1RA",
            "GLP-1 analogue",
            "GLP-1 analog",
            "glucagon-like peptide-1 receptor agonist",
            "glucagon-like peptide 1 receptor agonist",
            "glucagon-like peptide-1 agonist",
            "incretin mimetic",
            "semaglutide",
            "liraglutide",
            "exenatide",
            "dulaglutide",
            "albiglutide",
            "lixisenatide",
            "tirzepatide",
            "taspoglutide",
            "efpeglenatide",
            "orforglipron",
            "retatrutide",
            "cotadutide",
            "danuglipron",
            "beinaglutide",
        ),
    ),
    Need(
        {"query": "statins in stroke"},
        all_of(
            STROKE,
            drug(
                "statin",
                "atorvastatin",
                "simvastatin",
                "rosuvastatin",
                "pravastatin",
                "lovastatin",
                "fluvastatin",
                "pitavastatin",
            ),
        ),
    ),
    Need(
        {"drug": "DPP-4 inhibitor", "condition": "type 2 diabetes"},
        all_of(
            DIABETES_2,
            drug(
                "DPP-4 inhibitor",
                "sitagliptin",
                "vildagliptin",
                "saxagliptin",
                "linagliptin",
                "alogliptin",
            ),
        ),
    ),
]

FILTERS = [
    Need({"sponsor": "Pfizer"}, sponsor("Pfizer"), exact=True),
    Need({"sponsor": "Novartis", "condition": "psoriasis"}, all_of(sponsor("Novartis"), PSORIASIS)),
    Need({"study_type": "observational"}, study_type("OBSERVATIONAL"), exact=True),
    Need({"has_results": True}, flag("results", wanted=True), exact=True),
    Need(
        {"has_results": "no", "phase": 3},
        all_of(flag("results", wanted=False), phase("PHASE3")),
        exact=True,
    ),
    Need({"healthy_volunteers": "yes"}, flag("healthy", wanted=True), exact=True),
    Need({"start_from": "2020"}, date("start", since="2020-01-01"), exact=True),
    Need(
        {"start_from": "2018-03", "start_to": "2018-06"},
        date("start", since="2018-03-01", until="2018-06-30"),
        exact=True,
    ),
    Need(
        {"posted_from": "2021-01-01", "posted_to": "2021-12-31"},
        date("posted", since="2021-01-01", until="2021-12-31"),
        exact=True,
    ),
    Need({"updated_from": "2023"}, date("updated", since="2023-01-01"), exact=True),
    Need({"since": "2022-06"}, date("posted", since="2022-06-01"), exact=True),
    Need({"date_before": "2005"}, date("posted", until="2005-12-31"), exact=True),
    Need(
        {"biomarker": "HER2", "condition": "breast cancer"},
        all_of(BREAST, criteria("HER2", "HER-2", "HER2/neu")),
    ),
    Need({"prior_therapy": "trastuzumab"}, criteria("trastuzumab", "herceptin")),
    Need(
        {"line_of_therapy": "first-line"},
        criteria("first line", "1st line", "frontline", "front line"),
    ),
    Need({"eligibility": '"measurable disease"'}, criteria("measurable disease")),
    Need(
        {"eligibility": "prior platinum chemotherapy"},
        criteria_words("prior", "platinum", "chemotherapy"),
    ),
    Need({"title": "SPRINT"}, in_title("SPRINT")),
    Need({"age": 7, "condition": "asthma"}, all_of(ASTHMA, admits(years=7))),
    Need({"sex": "female", "age": "82"}, admits(years=82, sex="FEMALE"), exact=True),
    Need({"gender": "M", "phase": "1"}, all_of(admits(sex="MALE"), phase("PHASE1")), exact=True),
]

SLOPPY = [
    Need({"status": "open"}, status("RECRUITING"), exact=True),
    Need({"status": ["SUSPENDED", None, ""]}, status("SUSPENDED"), exact=True),
    Need({"city": "Houston", "state": "TX"}, place("Houston", state="Texas"), exact=True),
    Need({"phase": "Phase II"}, phase("PHASE2"), exact=True),
    Need({"phase": "2+"}, phase("PHASE2", "PHASE3", "PHASE4"), exact=True),
    Need({"status": "Active, not recruiting"}, status("ACTIVE_NOT_RECRUITING"), exact=True),
    Need(
        {"status": "recruiting, completed", "limit": "3"},
        status("RECRUITING", "COMPLETED"),
        exact=True,
    ),
    Need({"condition": "", "status": "SUSPENDED", "phase": None}, status("SUSPENDED"), exact=True),
    Need({"status": "all", "phase": "EARLY_PHASE1"}, phase("EARLY_PHASE1"), exact=True),
    Need({"condition": "  Asthma "}, ASTHMA),
    Need({"condition": "patients with asthma"}, ASTHMA),
    Need({"intervention": "Metformin 500 mg tablets"}, METFORMIN),
    Need({"condition": "MELANOMA", "disease": None}, MELANOMA),
    Need(
        {"start_from": "March 2019", "start_to": "2019/05/15"},
        date("start", since="2019-03-01", until="2019-05-15"),
        exact=True,
    ),
    Need(
        {"condition": "null", "sponsor": "GlaxoSmithKline"}, sponsor("GlaxoSmithKline"), exact=True
    ),
    Need({"query": "diabetes unicornology"}, condition("diabetes", "diabetes mellitus")),
]

OTHER_LANGUAGES = [
    Need({"condition": "Brustkrebs"}, BREAST),
    Need({"condition": "cáncer de mama"}, BREAST),
    Need({"condition": "cancer du sein"}, BREAST),
    Need({"condition": "Lungenkrebs"}, LUNG),
    Need({"condition": "asma"}, ASTHMA),
    Need({"condition": "Bluthochdruck"}, HYPERTENSION),
    Need({"condition": "esquizofrenia"}, SCHIZOPHRENIA),
    Need({"condition": "insuffisance cardiaque"}, HEART_FAILURE),
    Need({"location": "Deutschland"}, country("Germany"), exact=True),
    Need({"location": "España"}, country("Spain"), exact=True),
]

QUESTIONS: dict[str, list[Need]] = {
    "places": PLACES,
    "misspellings": MISSPELLINGS,
    "questions": FREE_QUESTIONS,
    "alternatives": ALTERNATIVES,
    "classes": CLASSES,
    "filters": FILTERS,
    "sloppy values": SLOPPY,
    "other languages": OTHER_LANGUAGES,
}
