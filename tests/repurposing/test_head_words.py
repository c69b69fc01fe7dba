"""Conditions that share a head word, on real records: counts against a naive reading of raw JSON.

A trial is of a pair at least if it gives the drug by name and lists the condition by one of a few
names; at most if its interventions speak of the drug and its texts hold the words of the condition
outside those of others.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.registry.oracle.corpus import load_lines, nct_number
from tests.repurposing.invented import client_on
from trialyst.vocabulary import Vocabulary

FOLDERS = {"ctgov_v2_native": 5, "ctgov_v2_from_xml": 3}
"""How many files of each are read."""
PER_DRUG = 40
SHARE = 0.9
"""Of the trials that surely belong to a pair, those that must be counted."""
PLACEBO = re.compile(r"placebo|vehicle|sham", re.IGNORECASE)
HEADS = "pulmonary|pulmonary arterial|pulmonary artery|ocular|intraocular|portal|intracranial"

CONDITIONS = {
    # As asked: the names of the list, the words of the texts, the words of other conditions.
    "hypertension": (
        "(arterial |essential )?hypertension|high blood pressure",
        r"hypertensi(on|ve)|high blood pressure|blood pressure, high",
        rf"({HEADS})[ -]+hypertensi\w+|hypertension, (pulmonary|ocular|portal)",
    ),
    "pulmonary hypertension": (
        "pulmonary hypertension|hypertension, pulmonary",
        r"pulmonary (arter\w+ )?hypertensi|hypertension, pulmonary|\bcteph|\bpah\b|pulmonary heart",
        "",
    ),
    "ocular hypertension": (
        "ocular hypertension|hypertension, ocular",
        r"ocular hypertensi|hypertension, ocular|intraocular pressure",
        "",
    ),
    "NASH": (
        "nash|non-? ?alcoholic steatohepatitis",
        r"\bnash\b|steatohepatitis",
        r"(?<!non)(?<!non-)(?<!non )alcoholic steatohepatitis",
    ),
    "NAFLD": (
        "nafld|non-? ?alcoholic fatty liver disease",
        r"\bnafld|fatty liver|\bnash\b|steatohepatitis|steatosis|m[ae]?[sf]?ld\b",
        "",
    ),
    "Dravet syndrome": ("dravet syndrome", "dravet|severe myoclonic epilepsy", ""),
    "Lennox-Gastaut syndrome": ("lennox[- ]gastaut syndrome", "lennox", ""),
    "SLE": (
        "sle|systemic lupus erythematosus|lupus erythematosus, systemic",
        r"\bsle\b|lupus",
        "(cutaneous|discoid) lupus|lupus erythematosus, (cutaneous|discoid)",
    ),
    "lupus nephritis": ("lupus nephritis", "lupus.{0,4}nephritis|lupus glomerulo", ""),
    "melanoma": ("(malignant )?melanoma", "melanoma|lentigo maligna", "non-? ?melanoma"),
    "skin cancer": (
        "skin cancer|skin neoplasms",
        "skin (cancer|neoplasm)|melanoma|lentigo maligna|basal cell",
        "",
    ),
    "type 1 diabetes": (
        "type (1|i) diabetes( mellitus)?|diabetes mellitus,? type (1|i)|t1dm?",
        r"type[ -]?(1|i)\b|t1dm?\b|insulin[- ]dependent|iddm",
        "non-? ?insulin[- ]dependent|niddm",
    ),
    "type 2 diabetes": (
        "type (2|ii) diabetes( mellitus)?|diabetes mellitus,? type (2|ii)|t2dm?",
        r"type[ -]?(2|ii)\b|t2dm?\b|non-? ?insulin[- ]dependent|niddm",
        "",
    ),
    "NSCLC": (
        "nsclc|non-? ?small[- ]cell lung (cancer|carcinoma)|carcinoma, non-small-cell lung",
        "nsclc|non-? ?small|(squamous|adeno).{0,30}lung|lung.{0,9}(squamous|adeno)",
        "",
    ),
    "small cell lung cancer": (
        "sclc|small[- ]cell lung (cancer|carcinoma)",
        r"\bsclc|small[- ]cell",
        "non-? ?small[- ]cell|nsclc",
    ),
    "lung cancer": ("lung cancers?|lung neoplasms", "lung|nsclc|sclc|bronch|thora", ""),
    "metastatic castration-resistant prostate cancer": (
        "metastatic castration[- ]resistant prostate cancer|mcrpc",
        "castrat|crpc|(hormone|androgen)[- ](refractory|resistant|independent)",
        "",
    ),
    "prostate cancer": (
        "prostate cancer|prostatic neoplasms?",
        "prostat",
        "prostatic (hyperplasia|hypertrophy)|prostatitis",
    ),
    "benign prostatic hyperplasia": (
        "bph|(benign )?prostatic hyperplasia",
        r"\bbph\b|prostatic hyper|prostate enlarge",
        "",
    ),
    "cystic fibrosis": ("cystic fibrosis", "cystic fibrosis", ""),
    "psoriasis": ("psoriasis", "psoria", "psoriatic arthritis|arthritis, psoriatic"),
    "psoriatic arthritis": ("psoriatic arthritis", "psoriatic arthritis|arthritis, psoriatic", ""),
    "rheumatoid arthritis": ("rheumatoid arthritis|arthritis, rheumatoid", "rheumatoid", ""),
    "acute myeloid leukemia": (
        "aml|acute my[a-z]+ leuka?emia|leukemia, myeloid, acute",
        r"\baml\b|acute \w*(myel|mono|erythr|mega|baso)|leukemia, (my|promy|mono|eryth|mega)",
        "",
    ),
    "chronic myeloid leukemia": (
        "cml|chronic my[a-z]+ leuka?emia",
        r"\bcml\b|chronic (phase )?(my|granulo)|myelo\w+, chronic|philadelphia|blast",
        "",
    ),
    "hepatitis B": ("hepatitis b|hbv", r"hepatitis[ -]b\b|hbv|\bchb\b", ""),
    "hepatitis C": ("hepatitis c|hcv", r"hepatitis[ -]c\b|hcv|\bchc\b", ""),
}

PAIRS = {
    "latanoprost|xalatan": ("hypertension", "ocular hypertension"),
    "timolol": ("hypertension", "ocular hypertension"),
    "sildenafil|revatio": ("hypertension", "pulmonary hypertension"),
    "bosentan|tracleer": ("hypertension", "pulmonary hypertension"),
    "valsartan|diovan": ("hypertension", "pulmonary hypertension"),
    "pioglitazone|actos": ("NASH", "NAFLD", "type 2 diabetes", "type 1 diabetes"),
    "obeticholic acid|int-?747": ("NASH", "NAFLD"),
    "rufinamide": ("Dravet syndrome", "Lennox-Gastaut syndrome"),
    "belimumab|benlysta": ("SLE", "lupus nephritis"),
    "mycophenolate mofetil|mycophenol|cellcept|mmf": ("lupus nephritis", "SLE"),
    "imiquimod|aldara": ("melanoma", "skin cancer"),
    "insulin glargine|glargine|lantus": ("type 1 diabetes", "type 2 diabetes"),
    "sitagliptin|januvia|mk-?0?431": ("type 1 diabetes", "type 2 diabetes"),
    "erlotinib|tarceva": ("small cell lung cancer", "NSCLC", "lung cancer"),
    "topotecan|hycamtin": ("small cell lung cancer", "NSCLC"),
    "abiraterone|zytiga": ("metastatic castration-resistant prostate cancer", "prostate cancer"),
    "dutasteride|avodart": ("prostate cancer", "benign prostatic hyperplasia"),
    "apremilast": ("psoriasis", "psoriatic arthritis", "rheumatoid arthritis"),
    "entecavir|baraclude": ("hepatitis B", "hepatitis C"),
}
assert sum(map(len, PAIRS.values())) >= 40

pytestmark = pytest.mark.slow
Study = dict[str, Any]


def interventions(study: Study) -> list[Study]:
    module = study["protocolSection"].get("armsInterventionsModule", {})
    return list(module.get("interventions", []))


def gives(study: Study, drug: str) -> bool:
    names = [each.get("name") or "" for each in interventions(study)]
    return any(re.search(drug, name, re.I) and not PLACEBO.search(name) for name in names)


def speaks_of(study: Study, drug: str) -> bool:
    module = study["protocolSection"].get("armsInterventionsModule", {})
    return re.search(drug, msgspec.json.encode(module).decode(), re.I) is not None


def listed(study: Study) -> list[str]:
    module = study["protocolSection"].get("conditionsModule", {})
    return list(module.get("conditions", []))


def texts(study: Study, others: str) -> list[str]:
    """Give what may name a condition; headings of a word of another condition name none."""
    about = study["protocolSection"]["identificationModule"]
    keywords = study["protocolSection"].get("conditionsModule", {}).get("keywords", [])
    own = [*listed(study), about.get("briefTitle", ""), about.get("officialTitle", ""), *keywords]
    if others and re.search(others, " | ".join(own), re.I):
        return own
    browse = study.get("derivedSection", {}).get("conditionBrowseModule", {})
    return [*own, *(each.get("term", "") for each in browse.get("meshes", []))]


def is_listed(study: Study, names: str) -> bool:
    return any(re.fullmatch(names, each.strip(), re.I) for each in listed(study))


def holds(written: Iterable[str], words: str, others: str) -> bool:
    """Whether a text has the words of a condition outside those of others."""
    kept = (re.sub(others, " ", each, flags=re.I) if others else each for each in written)
    return any(re.search(words, each, re.I) for each in kept)


def load_trials(data_dir: Path) -> list[Study]:
    """Load some trials of each drug."""
    counts = dict.fromkeys(PAIRS, 0)
    chosen: dict[int, Study] = {}
    first_names = [drug.split("|")[0].encode() for drug in PAIRS]
    for folder, files in FOLDERS.items():
        for path in sorted((data_dir / folder).glob("*.jsonl.*"))[:files]:
            for line in load_lines(path):
                lowered = line.lower()
                if not any(name in lowered for name in first_names):
                    continue
                study = msgspec.json.decode(line)
                study.pop("resultsSection", None)
                for drug in PAIRS:
                    if counts[drug] < PER_DRUG and speaks_of(study, drug):
                        counts[drug] += 1
                        chosen.setdefault(nct_number(study), study)
    return list(chosen.values())


def bounds(trials: Iterable[Study], drug: str, condition: str) -> tuple[int, int, int]:
    """Give how many trials surely are of a pair, with narrower conditions, and how many may be."""
    names, words, others = CONDITIONS[condition]
    given = [each for each in trials if gives(each, drug)]
    return (
        sum(is_listed(each, names) for each in given),
        sum(holds(listed(each), words, others) for each in given),
        sum(holds(texts(each, others), words, others) for each in trials if speaks_of(each, drug)),
    )


def test_conditions_of_one_head_word_are_told_apart(data_dir: Path, vocabulary: Vocabulary) -> None:
    trials = load_trials(data_dir)
    wrong, found_any = [], 0
    with client_on(trials, vocabulary, learn=True) as client:
        for drug, conditions in PAIRS.items():
            for condition in conditions:
                least, wider, most = bounds(trials, drug, condition)
                name = drug.split("|")[0]
                found = asyncio.run(client.detect_whitespace(name, condition))
                exact, narrower = found.exact_match_count, found.narrower_match_count
                found_any += exact > 0
                both = exact + narrower
                if not (SHARE * least <= exact and SHARE * wider <= both <= most):
                    wrong.append((name, condition, (least, wider, most), exact, narrower))
    assert found_any >= 20
    assert not wrong
