"""Ages in criteria."""

from __future__ import annotations

from trialyst.eligibility.ages import AgePhrase, find_ages

AGES = {
    "18 years or older": "[18,]",
    "aged 18-75": "[18,76)",
    "Age \u2265 18 years and \u2264 75 years": "[18,76)",
    "between 6 months and 5 years": "[0.5,6)",
    "Adults with asthma": "[18,]",
    "Children with asthma": "[,18)",
    "over the age of 65": "(65,]",
    "> 21": "(21,]",
    "at least 50 yo": "[50,]",
    "18 and over": "[18,]",
    "Patients must be 18 years of age or older": "[18,]",
    "not older than 70": "[,71)",
    "no younger than 18 years": "[18,]",
    "<= 28 days old": "[,0.0793977)",
    "infants under 12 months": "[,1)",
    "elderly patients": "[60,]",
    "pediatric patients": "[,18)",
    "Age >/= 18": "[18,]",
    "Patients over 60 years with hip fracture": "(60,]",
    "36-42 weeks gestational age": "[36,43) weeks",
    "Gestational age between 24 and 36 weeks": "[24,37) weeks",
    "adults and children": "",
    "postmenarchal": "",
    "Score of 18 to 30 on MMSE": "",
    "smoking history > 20 pack-years": "",
    "history of stroke more than 5 years ago": "",
    "Diabetes for at least 5 years": "",
    "Life expectancy > 3 months": "",
    "disease onset before age 40": "",
    "women of child-bearing potential": "",
    "Child-Pugh A": "",
    "hospitalized within 30 days": "",
    "postmenopausal for > 2 years": "",
}


def _shown(phrase: AgePhrase) -> str:
    told = phrase.interval
    low = "" if told.low is None else f"{told.low:g}"
    high = "" if told.high is None else f"{told.high:g}"
    ends = f"{'[' if told.low_included else '('}{low},{high}{']' if told.high_included else ')'}"
    return f"{ends} weeks" if phrase.gestational else ends


def test_ages_are_read_in_completed_units() -> None:
    assert {text: "; ".join(map(_shown, find_ages(text))) for text in AGES} == AGES
