"""Findings point to conditions that the note does not name; denied ones and relatives' do not."""

from __future__ import annotations

import pytest

from trialyst.eligibility.chart import Chart
from trialyst.eligibility.reading.note import parse_note
from trialyst.matching.ingest import NoteReader
from trialyst.matching.patient import PatientAge, PatientProfile, Sex
from trialyst.matching.prescreen.patterns import parse_group
from trialyst.matching.prescreen.presentations import Guess, guess_conditions
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
    "His legs got weak within days, beginning in the feet and spreading up. Ankle "
    "reflexes are absent.": "Guillain-Barre Syndrome",
    "Foul smelling greasy stools. He drank from a stream while camping. There is flatulence.": (
        "Giardiasis"
    ),
}


def _guess(text: str, *, years: float | None = None, sex: Sex | None = None) -> tuple[Guess, ...]:
    age = None if years is None else PatientAge(years)
    note = parse_note(text)
    return guess_conditions(PatientProfile(note, (), Chart(note), age=age, sex=sex))


def _names(text: str, *, years: float | None = None, sex: Sex | None = None) -> list[str]:
    return [guess.name for guess in _guess(text, years=years, sex=sex)]


def _names_read(text: str, vocabulary: Vocabulary) -> list[str]:
    """Guess as from a note whose values are read."""
    return [guess.name for guess in guess_conditions(NoteReader(vocabulary).understand(text))]


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
    (guess, *_) = _guess("He is well. Barking cough. Stridor at rest.")
    assert (guess.name, guess.sentences) == ("Croup", (1, 2))


def test_an_ordinary_note_gives_no_guess() -> None:
    assert not _names("A 30-year-old man comes for a routine check. He feels well.")


VALUES = {
    "A 40-year-old woman is tired and craves salt. Sodium 122 mmol/L, potassium 6.1 mmol/L.": (
        "Adrenal Insufficiency"
    ),
    "A 30-year-old man has bruises and petechiae. Platelets 9,000/uL. He is otherwise well.": (
        "Purpura, Thrombocytopenic, Idiopathic"
    ),
    "A 60-year-old man is tired and feels cold. TSH 45 mU/L.": "Hypothyroidism",
}


@pytest.mark.parametrize(("text", "condition"), VALUES.items(), ids=VALUES.values())
def test_values_out_of_range_are_findings(
    text: str, condition: str, vocabulary: Vocabulary
) -> None:
    assert _names_read(text, vocabulary)[0] == condition


def test_values_within_their_range_point_nowhere(vocabulary: Vocabulary) -> None:
    text = "A 60-year-old man is tired. TSH 2 mU/L, sodium 140 mmol/L, platelets 250,000/uL."
    assert not _names_read(text, vocabulary)


def test_values_of_other_fluids_are_not_the_bloods(vocabulary: Vocabulary) -> None:
    text = "A 30-year-old man is sweating and confused after fasting. CSF glucose 20 mg/dL."
    assert "Hypoglycemia" not in _names_read(text, vocabulary)
    assert "Hypoglycemia" in _names_read(text.replace("CSF", "Blood"), vocabulary)


def test_few_findings_are_worth_a_guess_where_no_condition_has_enough() -> None:
    (guess,) = _guess("She always feels cold and is tired.")
    assert (guess.name, guess.points) == ("Hypothyroidism", 3)


def test_a_denied_finding_speaks_against_a_condition() -> None:
    told = "Barking cough. A steeple sign is seen."
    assert _guess(told)[0].points > _guess(f"{told} There is no stridor.")[0].points


def test_parts_told_in_neighbouring_sentences_count_half() -> None:
    (together, *_) = _guess("Silvery plaques of the elbow. Nail pitting. Auspitz sign.")
    (apart, *_) = _guess("The sheen is silvery. Plaques of the elbow. Nail pitting. Auspitz sign.")
    assert (together.name, apart.name) == ("Psoriasis", "Psoriasis")
    assert together.points > apart.points


@pytest.mark.parametrize("said", ["short of breath", "breathlessness", "trouble breathing"])
def test_a_finding_is_known_by_every_way_to_say_it(said: str) -> None:
    (guess, *_) = _guess(f"Orthopnea, ankle swelling and {said}.")
    assert guess.name == "Heart Failure"
    assert len(guess.spans) >= 3


def test_the_same_alternatives_are_one_group() -> None:
    assert parse_group("dyspnea|cough") is parse_group("dyspnea|cough")


def test_every_condition_has_one_line_of_findings() -> None:
    from trialyst.matching.prescreen.presentations import _presentations

    names = [item.names[0] for item in _presentations()]
    assert len(names) == len(set(names)) > 1000


def test_a_condition_the_vocabulary_does_not_know_is_named_as_people_write_it(
    vocabulary: Vocabulary,
) -> None:
    from trialyst.matching.prescreen.presentations import _presentations

    names = {name for item in _presentations() for name in item.names}
    unknown = {name for name in names if not vocabulary.resolve(name).exact}
    assert not [name for name in unknown if "," in name]
    assert len(unknown) < 0.06 * len(names), sorted(unknown)
