"""A note is cut into numbered sentences whose places are true, whatever it looks like."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.eligibility.reading.headings import Section
from trialyst.eligibility.reading.note import LONGEST_NOTE, decode_note, parse_note
from trialyst.errors import InvalidInput


def sentences(text: str) -> list[str]:
    return [sentence.text for sentence in parse_note(text).sentences]


def test_numbered_sentences_keep_their_numbers() -> None:
    note = parse_note("0. A 58-year-old woman.\n1. BP 120/80. HR 70.\n2. No fever.")
    assert note.numbered
    assert [(each.number, each.text) for each in note.sentences] == [
        (0, "A 58-year-old woman."),
        (1, "BP 120/80. HR 70."),
        (2, "No fever."),
    ]


def test_numbered_sentences_on_one_line_are_read_too() -> None:
    note = parse_note("0. A man with asthma. 1. He smokes. 2. Age 40.")
    assert [each.text for each in note.sentences] == ["A man with asthma.", "He smokes.", "Age 40."]


def test_a_list_that_counts_from_one_is_plain_text() -> None:
    note = parse_note("Problems:\n1. Hypertension\n2. Gout")
    assert not note.numbered
    assert [each.number for each in note.sentences] == [0, 1, 2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Seen by Dr. Ito. No fever.", ["Seen by Dr. Ito.", "No fever."]),
        ("Creatinine 1.2. Stable.", ["Creatinine 1.2.", "Stable."]),
        ("Takes aspirin 81 mg p.o. He smokes.", ["Takes aspirin 81 mg p.o.", "He smokes."]),
        ("Given drugs, e.g. Lasix daily.", ["Given drugs, e.g. Lasix daily."]),
        ("- HTN\n- DM2\n- Gout", ["- HTN", "- DM2", "- Gout"]),
        ("HTN\nDM2\nGout", ["HTN", "DM2", "Gout"]),
        (
            "A long line that was broken by the width of a page and goes\non here. Next.",
            ["A long line that was broken by the width of a page and goes\non here.", "Next."],
        ),
        ("He fell. he was taken home.", ["He fell.", "he was taken home."]),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_a_heading_on_its_own_line_holds_until_the_next() -> None:
    note = parse_note("Past Medical History:\nHTN\nGout\nMedications:\nasa")
    assert [each.section for each in note.sentences] == [
        Section.PAST,
        Section.PAST,
        Section.PAST,
        Section.MEDICATION,
        Section.MEDICATION,
    ]


def test_a_heading_with_words_holds_for_its_line() -> None:
    note = parse_note("FHx: father MI. Mother well.\nShe lives in Rome.")
    assert [each.section for each in note.sentences] == [
        Section.FAMILY,
        Section.FAMILY,
        Section.NONE,
    ]


@pytest.mark.parametrize(
    "text", ["", "  \n\t ", "\x00\x01\x02\x03\x04\x05\x06", "x" * (LONGEST_NOTE + 1)]
)
def test_what_is_no_note_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_note(text)


def test_stray_control_characters_become_spaces() -> None:
    note = parse_note("No\x07 fever.\x0cStable.")
    assert note.text == "No  fever. Stable."


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=300))
def test_places_are_true_for_any_text(text: str) -> None:
    try:
        note = parse_note(text)
    except InvalidInput:
        return
    assert len(note.text) == len(text)
    for sentence in note.sentences:
        assert note.text[sentence.start : sentence.end] == sentence.text
        assert note.sentence(sentence.number) == sentence
        assert note.sentence_at(sentence.start) == sentence


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252"]
)
def test_files_in_usual_encodings_are_text(encoding: str) -> None:
    assert decode_note("Naïve patient".encode(encoding)) == "Naïve patient"


def test_a_binary_file_is_refused() -> None:
    with pytest.raises(InvalidInput, match="not text"):
        decode_note(b"\x7fELF\x00\x00\x01")
