from __future__ import annotations

import pytest

from tests.each_case import on_each_case
from trialyst.ctgov import vocab
from trialyst.ctgov.phases import phase_code, phase_label, phase_rank
from trialyst.ctgov.vocab import DateType, Phase, Status, Vocabulary, label_of
from trialyst.essie.enums import enums

VOCABULARIES = sorted(Vocabulary.__subclasses__(), key=lambda cls: cls.__name__)


@on_each_case("vocabulary", VOCABULARIES, ids=lambda cls: cls.__name__)
def test_values_equal_the_enumeration_table(vocabulary: type[Vocabulary]) -> None:
    table = enums()[vocabulary.api_type()]

    assert [member.value for member in vocabulary] == [value.value for value in table.values]


@on_each_case("vocabulary", VOCABULARIES, ids=lambda cls: cls.__name__)
def test_labels_equal_the_enumeration_table(vocabulary: type[Vocabulary]) -> None:
    table = enums()[vocabulary.api_type()]

    assert [member.label for member in vocabulary] == [value.label for value in table.values]


def test_every_vocabulary_is_exported() -> None:
    assert {cls.__name__ for cls in VOCABULARIES} < set(vocab.__all__)


def test_there_are_fourteen_statuses() -> None:
    assert len(Status) == 14


def test_label_of_an_estimated_date_is_the_general_one() -> None:
    assert DateType.ESTIMATED.label == "Estimated"


def test_label_of_an_unknown_value_is_the_value() -> None:
    assert label_of("PAUSED") == "PAUSED"


@pytest.mark.parametrize(
    ("phases", "code", "label"),
    [
        ((), None, "Not Applicable"),
        ((Phase.NA,), "NA", "Not Applicable"),
        ((Phase.EARLY_PHASE1,), "EARLY_PHASE1", "Early Phase 1"),
        ((Phase.PHASE2,), "PHASE2", "Phase 2"),
        ((Phase.PHASE1, Phase.PHASE2), "PHASE1/PHASE2", "Phase 1/Phase 2"),
        ((Phase.PHASE3, Phase.PHASE2), "PHASE2/PHASE3", "Phase 2/Phase 3"),
        (("PHASE5",), "PHASE5", "PHASE5"),
    ],
)
def test_phases_read_as_one_code_and_label(
    phases: tuple[str, ...], code: str | None, label: str
) -> None:
    assert (phase_code(phases), phase_label(phases)) == (code, label)


def test_phase_ranks_rise_from_not_applicable_to_phase_4() -> None:
    order = ["NA", "EARLY_PHASE1", "PHASE1", "PHASE1 PHASE2", "PHASE2", "PHASE2 PHASE3", "PHASE3"]
    order += ["PHASE3 PHASE4", "PHASE4"]

    assert [phase_rank(text.split()) for text in order] == list(range(9))


def test_no_phase_ranks_with_not_applicable() -> None:
    assert phase_rank(()) == 0
