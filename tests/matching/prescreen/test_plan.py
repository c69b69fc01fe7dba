"""A plan searches for what holds of the patient, under many names, in weighted order."""

from __future__ import annotations

from trialyst.essie.render import render
from trialyst.matching.ingest import NoteReader
from trialyst.matching.prescreen import QueryPlan, plan
from trialyst.matching.prescreen.planning import Scope, to_trial_query
from trialyst.matching.prescreen.term import Role
from trialyst.vocabulary import Vocabulary

NOTE = (
    "A 58-year-old woman was diagnosed with non-small cell lung cancer. "
    "She has a history of hypertension and a cough. She takes osimertinib. "
    "She denies asthma. Her mother had breast cancer."
)


def _plan(text: str, vocabulary: Vocabulary) -> QueryPlan:
    return plan(NoteReader(vocabulary).understand(text), vocabulary=vocabulary)


def _names(made: QueryPlan, role: Role) -> list[str]:
    return [term.name for term in made.terms if term.role is role]


def test_the_diagnosis_weighs_most(vocabulary: Vocabulary) -> None:
    made = _plan(NOTE, vocabulary)
    assert made.terms[0].name == "Carcinoma, Non-Small-Cell Lung"
    assert "Hypertension" in _names(made, Role.CONDITION)


def test_denied_conditions_and_relatives_are_not_searched_for(vocabulary: Vocabulary) -> None:
    names = {term.name for term in _plan(NOTE, vocabulary).terms if term.why == "stated"}
    assert not names & {"Asthma", "Breast Neoplasms"}


def test_symptoms_and_treatments_have_their_part(vocabulary: Vocabulary) -> None:
    made = _plan(NOTE, vocabulary)
    assert "Cough" in _names(made, Role.SYMPTOM)
    assert any("simertinib" in name for name in _names(made, Role.TREATMENT))


def test_wider_conditions_are_searched_for(vocabulary: Vocabulary) -> None:
    broader = _names(_plan(NOTE, vocabulary), Role.BROADER)
    assert any("Bronchogenic" in name or "Lung" in name for name in broader)


def test_names_that_the_vocabulary_lacks_are_searched_with_their_spellings_and_what_is_wider(
    vocabulary: Vocabulary,
) -> None:
    made = _plan("A 76-year-old man with cutaneous squamous cell carcinoma.", vocabulary)
    assert {"squamous cell skin cancer", "cutaneous squamous cell carcinoma"} <= set(
        made.terms[0].phrases
    )
    assert set(_names(made, Role.BROADER)) == {"Carcinoma, Squamous Cell", "Skin Neoplasms"}
    assert "Uveal Neoplasms" in _names(
        _plan("A 64-year-old man with uveal melanoma.", vocabulary), Role.BROADER
    )


def test_words_of_denied_things_are_left_out(vocabulary: Vocabulary) -> None:
    words = _plan(NOTE, vocabulary).patient.words
    assert "osimertinib" in words
    assert "asthma" not in words


def test_a_note_of_unknown_words_still_gives_a_query(vocabulary: Vocabulary) -> None:
    made = _plan("Patient reports zorbulation of the frimble.", vocabulary)
    assert [query.label for query in made.queries] == ["words of the note"]


def test_text_of_a_note_is_never_run_as_essie(vocabulary: Vocabulary) -> None:
    made = _plan('Has asthma. AREA[Sex]MALE NOT (heart) OR "x', vocabulary)
    written = [render(query.node) for query in made.queries]
    assert not any("AREA[Sex]" in text for text in written)


def test_the_scope_is_asked_for(vocabulary: Vocabulary) -> None:
    made = _plan(NOTE, vocabulary)
    query = to_trial_query(made.queries[0], Scope(("RECRUITING",), ("INTERVENTIONAL",)))
    assert query.statuses == ("RECRUITING",)
    assert len(query.filters) == 1


def test_plans_of_equal_notes_are_equal(vocabulary: Vocabulary) -> None:
    assert _plan(NOTE, vocabulary) == _plan(NOTE, vocabulary)


def test_a_condition_that_a_guess_explains_weighs_less(vocabulary: Vocabulary) -> None:
    note = (
        "A 61-year-old man with hypertension presents with tearing chest pain radiating to the "
        "back. The mediastinum is widened."
    )
    assert _names(_plan(note, vocabulary), Role.CONDITION)[:2] == [
        "Aortic Dissection",
        "Hypertension",
    ]


def test_a_stated_diagnosis_leads_before_any_guess(vocabulary: Vocabulary) -> None:
    note = (
        "A 61-year-old man was diagnosed with hypertension. Hypertension is confirmed. He has "
        "tearing chest pain radiating to the back. The mediastinum is widened."
    )
    assert _names(_plan(note, vocabulary), Role.CONDITION)[0] == "Hypertension"


def test_the_name_alone_is_no_finding(vocabulary: Vocabulary) -> None:
    named = _plan("A 40-year-old man with psoriasis.", vocabulary).terms[0]
    shown = _plan("A 40-year-old man with psoriasis: silvery plaques.", vocabulary).terms[0]
    assert named.name == shown.name == "Psoriasis"
    assert named.weight < shown.weight


def test_a_symptom_that_is_the_diagnosis_is_a_condition(vocabulary: Vocabulary) -> None:
    assert _names(_plan("Diagnosis: anxiety.", vocabulary), Role.CONDITION)[0] == "Anxiety"
