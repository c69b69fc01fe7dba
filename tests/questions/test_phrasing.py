"""What the wording of a question asks for besides names."""

from __future__ import annotations

import pytest

from trialyst.questions.phrasing import find_wishes

PLACES = {"germany", "boston", "new york", "the netherlands", "netherlands"}


def wishes(text: str) -> dict[str, str]:
    found = find_wishes(text, is_place=lambda name: name.lower() in PLACES)
    return {wish.argument: wish.value for wish in found}


@pytest.mark.parametrize(
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
        ("studies in Germany", {"location": "Germany"}),
        (
            "studies in Germany, Boston or the Netherlands",
            {"location": "Germany OR Boston OR Netherlands"},
        ),
        ("estudios en Germany", {"location": "Germany"}),
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
    ],
)
def test_words_that_mean_something_else_stay_words(text: str) -> None:
    assert wishes(text) == {}
