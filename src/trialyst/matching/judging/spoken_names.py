"""How a fact is called when one asks for it: headings in the order and the words of speech."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["spoken_name"]

_SPOKEN: Mapping[str, str] = {
    "absolute neutrophils": "neutrophil count",
    "biological products": "biologics",
    "brain neoplasms": "brain tumor",
    "breast neoplasms": "breast cancer",
    "colonic neoplasms": "colon cancer",
    "colorectal neoplasms": "colorectal cancer",
    "contraceptive agents": "contraceptives",
    "cytotoxic chemotherapy": "chemotherapy",
    "diagnostic imaging": "imaging",
    "electrocardiography": "ECG",
    "endocrine therapy of cancer": "endocrine therapy",
    "endometrial neoplasms": "endometrial cancer",
    "esophageal neoplasms": "esophageal cancer",
    "fertilization in vitro": "in vitro fertilization",
    "head and neck neoplasms": "head and neck cancer",
    "highly active antiretroviral therapy": "antiretroviral therapy",
    "kidney neoplasms": "kidney cancer",
    "lesion": "measurable lesions",
    "lesions": "measurable lesions",
    "leukocytes": "white cell count",
    "liver neoplasms": "liver cancer",
    "lung neoplasms": "lung cancer",
    "lymphocytes": "lymphocyte count",
    "magnetic resonance imaging": "MRI",
    "molecular targeted therapy": "targeted therapy",
    "natural family planning methods": "natural family planning",
    "neoplasm metastasis": "metastases",
    "neoplasms": "cancer",
    "non-small-cell lung carcinoma": "non-small cell lung cancer",
    "operative surgical procedures": "surgery",
    "ovarian neoplasms": "ovarian cancer",
    "pancreatic neoplasms": "pancreatic cancer",
    "physical therapy modalities": "physical therapy",
    "platelets": "platelet count",
    "positron emission tomography computed tomography": "PET-CT",
    "positron-emission tomography": "PET",
    "prostatic neoplasms": "prostate cancer",
    "rectal neoplasms": "rectal cancer",
    "skin neoplasms": "skin cancer",
    "small cell lung carcinoma": "small cell lung cancer",
    "stomach neoplasms": "stomach cancer",
    "thyroid neoplasms": "thyroid cancer",
    "triple negative breast neoplasms": "triple-negative breast cancer",
    "ultrasonography": "ultrasound",
    "urinary bladder neoplasms": "bladder cancer",
    "uterine cervical neoplasms": "cervical cancer",
    "x-ray computed tomography": "CT",
}
_EPONYMS = frozenset(
    """addison alzheimer barrett behcet burkitt chagas child crohn cushing down duchenne ebola
    epstein ewing fabry fallot gaucher gilbert glasgow graves guillain barre hashimoto hodgkin
    huntington kaposi karnofsky lynch marfan merkel mohs parkinson pompe pugh raynaud rett sjogren
    turner waldenstrom wilms wilson zollinger""".split()
)
_SHORT = 5
"""Letters up to which capitals are an abbreviation, which keeps them."""
_MOST_PARTS = 3
"""Parts of a heading that stand in reverse; more are a list."""
_MOST_WORDS = 5
"""Words of a name; of more, what stands before the first word that begins a clause."""
_CLAUSE = re.compile(
    r"\s+(?:of at (?:least|most)|and not|at|for|in|that|which|who|with|performed|measured"
    r"|assessed|as|within|during|will|due|after|before|according|outside)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_LEADING = re.compile(r"(?:(?:the|an?|any|which|whose|their|his|her|its|in|of)\s+)+", re.IGNORECASE)
_SAYS_NOTHING = frozenset(
    "attempts changes effects findings issues level procedures signs testing tests values".split()
)
_BRACKETS = re.compile(r"\s*\([^)]*\)")


def spoken_name(name: str) -> str:
    """Give a heading in the order of speech, without capitals that are no abbreviation.

    Empty where the words say nothing that could be asked for.

    >>> spoken_name("Diabetes Mellitus, Type 2"), spoken_name("HIV Infections")
    ('type 2 diabetes mellitus', 'HIV infections')
    >>> spoken_name("Arthroplasty, Replacement, Knee"), spoken_name("Lymphoma, B-Cell")
    ('knee replacement arthroplasty', 'B-cell lymphoma')
    >>> spoken_name("Surgical Procedures, Operative"), spoken_name("testing")
    ('surgery', '')
    """
    parts = [] if "(" in name or " and " in name else name.split(", ")
    turned = " ".join(reversed(parts)) if len(parts) <= _MOST_PARTS else name
    lowered = " ".join(map(_lower, (turned or name).split()))
    told = _LEADING.sub("", lowered, count=1) if _LEADING.match(lowered) else lowered
    known = _SPOKEN.get(_BRACKETS.sub("", told).casefold())
    if known is not None:
        return known
    if len(told.split()) > _MOST_WORDS:
        told = _CLAUSE.sub("", told) or told
    return "" if told in _SAYS_NOTHING else told


def _lower(word: str) -> str:
    return "-".join(map(_lower_part, word.split("-")))


def _lower_part(part: str) -> str:
    capitals = sum(letter.isupper() or letter.isdigit() for letter in part)
    if capitals > 1 or (len(part) <= _SHORT and part.isupper()):
        return part
    stem = part.strip("()'").removesuffix("'s").removesuffix("\u2019s").casefold()
    return part if stem in _EPONYMS else part.lower()
