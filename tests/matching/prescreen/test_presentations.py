"""Findings point to conditions that the note does not name; denied ones and relatives' do not."""

from __future__ import annotations

import pytest

from trialyst.matching.note import parse_note
from trialyst.matching.patient import Sex
from trialyst.matching.prescreen.presentations import guess_conditions
from trialyst.vocabulary import Vocabulary

VIGNETTES = {
    "Pain began around the umbilicus and moved to the right lower quadrant, with rebound "
    "tenderness and loss of appetite.": "Appendicitis",
    "She has heat intolerance, a tremor and weight loss. TSH is undetectable.": "Hyperthyroidism",
    "A resting tremor of the right hand, cogwheel rigidity and a shuffling gait.": (
        "Parkinson Disease"
    ),
    "His big toe is red and swollen. Needle shaped crystals were seen.": "Gout",
    "Tearing chest pain radiates to the back; there is a widened mediastinum.": "Aortic Dissection",
}


def _names(text: str, **who: object) -> list[str]:
    return [guess.name for guess in guess_conditions(parse_note(text), **who)]  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "condition"), VIGNETTES.items(), ids=VIGNETTES.values())
def test_findings_point_to_a_condition(text: str, condition: str) -> None:
    assert _names(text)[0] == condition


def test_denied_findings_point_nowhere() -> None:
    assert "Gout" not in _names("No red or swollen toe. No history of gout. Uric acid not high.")


def test_findings_of_relatives_point_nowhere() -> None:
    assert not _names("His father had a resting tremor and cogwheel rigidity.")


def test_a_lack_may_be_a_finding() -> None:
    text = "Vaginal spotting. β-hCG rises slowly. Ultrasound shows no gestational sac."
    assert _names(text, sex=Sex.FEMALE, years=30.0)[0] == "Pregnancy, Ectopic"


def test_conditions_of_the_other_sex_are_not_guessed() -> None:
    text = "Irregular menses, hirsutism and acne; polycystic ovaries on ultrasound."
    assert "Polycystic Ovary Syndrome" in _names(text, sex=Sex.FEMALE)
    assert "Polycystic Ovary Syndrome" not in _names(text, sex=Sex.MALE)


def test_conditions_of_another_age_are_not_guessed() -> None:
    text = "Delayed passage of meconium, constipation since birth, absent ganglion cells."
    assert "Hirschsprung Disease" in _names(text, years=0.5)
    assert "Hirschsprung Disease" not in _names(text, years=60.0)


def test_a_guess_quotes_its_sentences() -> None:
    (guess, *_) = guess_conditions(parse_note("He is well. Barking cough. Stridor at rest."))
    assert (guess.name, guess.sentences) == ("Croup", (1, 2))


def test_an_ordinary_note_gives_no_guess() -> None:
    assert not _names("A 30-year-old man comes for a routine check. He feels well.")


def test_nearly_every_condition_is_known_to_the_vocabulary(vocabulary: Vocabulary) -> None:
    from trialyst.matching.prescreen.presentations import _presentations

    names = [name for item in _presentations() for name in item.names]
    unknown = [name for name in names if not vocabulary.resolve(name)]
    assert len(names) > 400
    assert len(unknown) <= 3, unknown
