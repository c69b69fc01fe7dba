"""What is learned from the records, and what is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from trialyst.vocabulary import How, LearnedNames, NameCollector, Vocabulary
from trialyst.vocabulary.table import DamagedTable

if TYPE_CHECKING:
    from pathlib import Path


def learn_drug(
    vocabulary: Vocabulary, *pairs: tuple[str, str], dates: tuple[str, ...] = ()
) -> LearnedNames:
    """Learn from one study a pair of (intervention, other name)."""
    collector = NameCollector()
    for at, (name, other) in enumerate(pairs):
        collector.add_study(
            interventions=[(name, [other])],
            conditions=["Asthma", "Gout"],
            mesh_conditions=[],
            first_posted=dates[at] if dates else "2020-01-01",
        )
    return collector.finish(vocabulary)


def learn_condition(vocabulary: Vocabulary, *pairs: tuple[str, str]) -> LearnedNames:
    collector = NameCollector()
    for condition, mesh_id in pairs:
        collector.add_study(
            interventions=[],
            conditions=[condition],
            mesh_conditions=[(mesh_id, "")],
            first_posted="2020-01-01",
        )
    return collector.finish(vocabulary)


def test_a_new_code_of_a_known_drug_is_learned_from_one_study(vocabulary: Vocabulary) -> None:
    (learned,) = learn_drug(vocabulary, ("Pembrolizumab", "XQ-99871"))
    assert learned.target == "MESH:C582435"
    assert learned.count == 1


def test_a_phrase_needs_two_studies(vocabulary: Vocabulary) -> None:
    pair = ("Pembrolizumab", "Zorblax quix")
    assert len(learn_drug(vocabulary, pair)) == 0
    assert len(learn_drug(vocabulary, pair, pair)) == 1


def test_an_unknown_intervention_becomes_a_concept_after_two_studies(
    vocabulary: Vocabulary,
) -> None:
    pair = ("Zorblaximab", "ZBX-0001")
    assert len(learn_drug(vocabulary, pair)) == 0
    more = vocabulary.with_learned(learn_drug(vocabulary, pair, pair))
    for name in ("Zorblaximab", "zbx 0001"):
        concept = more.resolve(name).concept
        assert concept is not None
        assert concept.synonyms == ("Zorblaximab", "ZBX-0001")
        assert concept.sources == ("learned",)


@pytest.mark.parametrize(
    "other",
    [
        "placebo",
        "standard of care",
        "study drug",
        "200 mg",
        "Zorblax 5 mg",
        "Zorblax + Quix",
        "arm A",
        "X",
        "Keytruda",
        "metformin",
        "AD",
    ],
)
def test_generic_known_and_combined_names_are_not_learned(
    vocabulary: Vocabulary, other: str
) -> None:
    pair = ("Pembrolizumab", other)
    assert len(learn_drug(vocabulary, pair, pair, pair)) == 0


def test_a_name_claimed_by_two_drugs_is_not_learned(vocabulary: Vocabulary) -> None:
    pairs = [("Pembrolizumab", "XQ-99871"), ("Metformin", "XQ-99871")]
    assert len(learn_drug(vocabulary, *pairs, *pairs)) == 0


def test_one_stray_claim_in_five_does_no_harm(vocabulary: Vocabulary) -> None:
    pairs = [("Pembrolizumab", "XQ-99871")] * 4 + [("Metformin", "XQ-99871")]
    assert [item.target for item in learn_drug(vocabulary, *pairs)] == ["MESH:C582435"]


def test_a_condition_string_is_learned_when_seen_twice(vocabulary: Vocabulary) -> None:
    pair = ("Wheezy Quibbles", "D001249")
    assert len(learn_condition(vocabulary, pair)) == 0
    (learned,) = learn_condition(vocabulary, pair, pair)
    assert (learned.preferred, learned.kind, learned.count) == ("Asthma", "condition", 2)


def test_a_condition_string_with_a_competing_term_is_not_learned(vocabulary: Vocabulary) -> None:
    pairs = [("Wheezy Quibbles", "D001249")] * 3 + [("Wheezy Quibbles", "D006333")]
    assert len(learn_condition(vocabulary, *pairs)) == 0


def test_a_study_with_two_conditions_teaches_none(vocabulary: Vocabulary) -> None:
    collector = NameCollector()
    for _ in range(3):
        collector.add_study(
            interventions=[],
            conditions=["Wheezy Quibbles", "Asthma"],
            mesh_conditions=[("D001249", "Asthma")],
            first_posted=None,
        )
    assert len(collector.finish(vocabulary)) == 0


def test_learned_names_are_marked_and_join_the_synonyms(vocabulary: Vocabulary) -> None:
    more = vocabulary.with_learned(learn_drug(vocabulary, ("Pembrolizumab", "XQ-99871")))
    found = more.resolve("xq99871")
    assert found.matches[0].how is How.LEARNED
    assert found.concept is not None
    assert "XQ-99871" in found.concept.synonyms
    assert "learned" in found.concept.sources
    assert not vocabulary.resolve("xq99871")


def test_a_learned_condition_string_does_not_stand_for_the_term(vocabulary: Vocabulary) -> None:
    pair = ("Wheezy Quibbles", "D001249")
    found = vocabulary.with_learned(learn_condition(vocabulary, pair, pair)).resolve(pair[0])
    assert found.matches[0].how is How.LEARNED_WIDER
    assert not found.exact


def test_names_first_seen_later_are_not_used(vocabulary: Vocabulary) -> None:
    pair = ("Pembrolizumab", "XQ-99871")
    learned = learn_drug(vocabulary, pair, pair, dates=("2021-05-01", "2019-03-01"))
    assert [item.first_seen for item in learned] == ["2019-03-01"]
    assert vocabulary.with_learned(learned, before="2019-03-01").resolve("XQ-99871")
    assert not vocabulary.with_learned(learned, before="2019-02-28").resolve("XQ-99871")


def test_learned_names_are_found_in_texts(vocabulary: Vocabulary) -> None:
    more = vocabulary.with_learned(learn_drug(vocabulary, ("Pembrolizumab", "XQ-99871")))
    (mention,) = more.find("Given XQ-99871 twice.")
    assert (mention.start, mention.end) == (6, 14)


def test_the_order_of_studies_does_not_matter(vocabulary: Vocabulary) -> None:
    pairs = [("Pembrolizumab", "XQ-99871"), ("Metformin", "XQ-12345")]
    one, other = learn_drug(vocabulary, *pairs), learn_drug(vocabulary, *reversed(pairs))
    assert list(one) == list(other)


def test_learned_names_survive_being_saved(vocabulary: Vocabulary, tmp_path: Path) -> None:
    learned = learn_drug(vocabulary, ("Pembrolizumab", "XQ-99871"))
    learned.save(tmp_path / "names")
    assert list(LearnedNames.load(tmp_path / "names")) == list(learned)


def test_a_damaged_file_of_learned_names_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "names").write_bytes(b"not a table")
    with pytest.raises(DamagedTable):
        LearnedNames.load(tmp_path / "names")


def test_what_was_seen_can_be_saved_and_added_to(vocabulary: Vocabulary, tmp_path: Path) -> None:
    collector = NameCollector()
    for _ in range(2):
        collector.add_study(
            interventions=[("Pembrolizumab", ["Zorblax quix"])],
            conditions=[],
            mesh_conditions=[],
            first_posted="2020-01-01",
        )
        collector.save(tmp_path / "evidence")
        collector = NameCollector.load(tmp_path / "evidence")
    assert [item.count for item in collector.finish(vocabulary)] == [2]


def test_what_was_seen_earlier_is_kept_and_not_counted_twice(vocabulary: Vocabulary) -> None:
    earlier, now = NameCollector(), NameCollector()
    for collector, name, date in (
        (earlier, "Zorblax quix", "2019-01-01"),
        (earlier, "Zorblax quix", "2020-01-01"),
        (earlier, "Quixim gone", "2018-01-01"),
        (earlier, "Quixim gone", "2018-01-01"),
        (now, "Zorblax quix", "2020-01-01"),
    ):
        collector.add_study(
            interventions=[("Pembrolizumab", [name])],
            conditions=[],
            mesh_conditions=[],
            first_posted=date,
        )
    now.keep(earlier)
    learned = {item.name: (item.count, item.first_seen) for item in now.finish(vocabulary)}
    assert learned == {"Zorblax quix": (2, "2019-01-01"), "Quixim gone": (2, "2018-01-01")}


@pytest.mark.parametrize(
    "action",
    ["Anti-VEGF", "anti-p185-HER2", "HER2 Monoclonal Antibody", "VEGF inhibitor", "B-cell blocker"],
)
def test_what_a_drug_does_is_no_name_of_it(vocabulary: Vocabulary, action: str) -> None:
    pair = ("Bevacizumab", action)
    assert len(learn_drug(vocabulary, pair, pair, pair)) == 0


def test_an_antibody_with_a_code_may_be_learned(vocabulary: Vocabulary) -> None:
    pair = ("Bevacizumab", "Monoclonal antibody XQ-9987")
    assert len(learn_drug(vocabulary, pair, pair)) == 1


def test_a_short_word_seen_once_is_not_learned(vocabulary: Vocabulary) -> None:
    assert len(learn_drug(vocabulary, ("Rituximab", "Qerz"))) == 0
