"""What the wording of a question asks for besides names."""

from __future__ import annotations

import pytest

from tests.each_case import on_each_case
from trialyst.questions.phrasing import find_wishes, merge_wishes

PLACES = {"germany", "boston", "new york", "the netherlands", "netherlands", "canada"}
PLACES |= {"brasil", "españa", "polsce", "milano", "sverige"}


def wishes(text: str) -> dict[str, str]:
    found = find_wishes(text, is_place=lambda name: name.lower() in PLACES)
    return merge_wishes(found)


@on_each_case(
    ("text", "wished"),
    [
        ("phase 3 asthma", {"phase": "PHASE3"}),
        ("Phase II/III trials", {"phase": "PHASE2/PHASE3"}),
        ("phase 2 or 3", {"phase": "PHASE2 OR PHASE3"}),
        ("phases 1, 2 and 3", {"phase": "PHASE1 OR PHASE2 OR PHASE3"}),
        ("phase 1b", {"phase": "PHASE1"}),
        ("early phase 1", {"phase": "EARLY_PHASE1"}),
        ("phase 2 and later", {"phase": "2+"}),
        ("recruiting trials", {"status": "RECRUITING"}),
        ("trials that are currently recruiting", {"status": "RECRUITING"}),
        ("not yet recruiting", {"status": "NOT_YET_RECRUITING"}),
        ("active, not recruiting", {"status": "ACTIVE_NOT_RECRUITING"}),
        ("completed asthma studies", {"status": "COMPLETED"}),
        ("trials that were terminated", {"status": "TERMINATED"}),
        ("a 63-year-old woman", {"age": "63 years", "sex": "FEMALE"}),
        ("a child aged 6 months", {"age": "6 months"}),
        ("55yo male", {"age": "55 years", "sex": "MALE"}),
        ("a 5 year old boy", {"age": "5 years", "sex": "MALE"}),
        ("my mother is 68 and has gout", {"age": "68 years", "sex": "FEMALE"}),
        ("my 6-year-old son", {"age": "6 years", "sex": "MALE"}),
        ("I am 45, which trials can I join?", {"age": "45 years"}),
        ("my wife and my son", {}),
        ("I'm 3 months pregnant", {}),
        ("mother to child transmission", {}),
        ("observational asthma studies", {"study_type": "OBSERVATIONAL"}),
        ("interventional studies", {"study_type": "INTERVENTIONAL"}),
        ("interventional radiology trials", {}),
        ("expanded access programs", {"study_type": "EXPANDED_ACCESS"}),
        ("What was terminated in asthma?", {"status": "TERMINATED"}),
        ("which trials of aspirin were stopped", {"status": "TERMINATED"}),
        ("what is current care", {}),
        ("started between 2010 and 2012", {"start_from": "2010", "start_to": "2012"}),
        ("trials from 2010-03 to 2011", {"start_from": "2010-03", "start_to": "2011"}),
        ("posted in 2019", {"posted_from": "2019", "posted_to": "2019"}),
        ("updated since 2020-05", {"updated_from": "2020-05"}),
        ("first registered before 2005", {"posted_to": "2004"}),
        ("withdrawn or suspended asthma trials", {"status": "WITHDRAWN OR SUSPENDED"}),
        ("gout colchicine completed?", {"status": "COMPLETED"}),
        ("treated for between 2 and 4 weeks", {}),
        ("studies in Germany", {"location": "Germany"}),
        (
            "studies in Germany, Boston or the Netherlands",
            {"location": "Germany OR Boston OR Netherlands"},
        ),
        ("estudios en Germany", {"location": "Germany"}),
        ("diabetes no Brasil", {"location": "Brasil"}),
        ("no Canada", {}),
        ("phase I Germany", {"phase": "PHASE1"}),
        ("cáncer en España", {"location": "España"}),
        ("rak w Polsce", {"location": "Polsce"}),
        ("diabète au Canada", {"location": "Canada"}),
        ("tumore a Milano", {"location": "Milano"}),
        ("astma i Sverige", {"location": "Sverige"}),
        ("Asthma in den Netherlands", {"location": "Netherlands"}),
        ("obese children", {"age": "children"}),
        ("asthme chez les enfants", {"age": "children"}),
        ("adults and older adults", {"age": "adults or older adults"}),
        ("5 year old children", {"age": "5 years"}),
        ("near New York", {"near": "New York"}),
        ("in the Netherlands", {"location": "Netherlands"}),
        ("trials with posted results", {"has_results": "true"}),
        ("in healthy volunteers", {"healthy_volunteers": "true"}),
        ("started after 2020-05", {"start_from": "2020-05"}),
        ("registered since 2019", {"posted_from": "2019"}),
    ],
)
def test_wordings_ask_for_arguments(text: str, wished: dict[str, str]) -> None:
    assert wishes(text) == wished


@pytest.mark.parametrize(
    "text",
    [
        "active ulcerative colitis",
        "open-label extension",
        "completed suicide",
        "second phase of labor",
        "men and women with asthma",
        "in pregnancy",
        "5 years of follow-up",
        "chronic phase leukemia",
        "withdrawn from opioids",
        "current smokers",
        "parents of obese children",
        "children's hospital",
    ],
)
def test_words_that_mean_something_else_stay_words(text: str) -> None:
    assert wishes(text) == {}
