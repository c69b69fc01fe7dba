"""Where nothing is found, words go; where little is, the cost of each argument is told."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from tests.registry.invented import FIRST, study
from trialyst.questions.easing import count_without_each, leave_out_words
from trialyst.questions.reading import Question, read_question
from trialyst.registry import Registry, RegistrySource, build_from_studies
from trialyst.vocabulary import Vocabulary


def read(source: RegistrySource, **arguments: Any) -> Question:
    return asyncio.run(read_question(source, arguments))


def eased(source: RegistrySource, **arguments: Any) -> Question:
    return asyncio.run(leave_out_words(source, read(source, **arguments)))


def test_words_that_no_trial_has_are_left_out_and_named(starter_source: RegistrySource) -> None:
    question = eased(starter_source, query="asthma xylophone quixotry")
    assert question.understood()["query"]["dropped"] == ["xylophone", "quixotry"]
    assert question.to_query() == read(starter_source, query="asthma").to_query()


def test_names_stay_while_words_can_go(starter_source: RegistrySource) -> None:
    question = eased(starter_source, query="melanoma asthma randomized zzgl")
    dropped = question.understood()["query"]["dropped"]
    assert "zzgl" in dropped
    assert asyncio.run(starter_source.count(question.to_query())) > 0


def test_what_was_not_in_the_way_comes_back(starter_source: RegistrySource) -> None:
    question = eased(starter_source, query="asthma randomized xylophone")
    assert question.understood()["query"]["dropped"] == ["xylophone"]


def test_a_slip_that_a_record_holds_is_found_with_its_name(
    tmp_path: Path, vocabulary: Vocabulary
) -> None:
    names = ["Brest cancer", *["Breast cancer"] * 30]
    studies = [
        study(
            FIRST + at,
            conditions={"conditions": [name]},
            design={"phases": ["PHASE1" if at == 0 else "PHASE2"]},
        )
        for at, name in enumerate(names)
    ]
    build_from_studies(studies, tmp_path / "registry", vocabulary=vocabulary)
    source = RegistrySource(Registry.open(tmp_path / "registry", vocabulary=vocabulary))
    for asked in ({"condition": "brest cancer"}, {"query": "trials in brest cancer"}):
        question = eased(source, **asked, phase="PHASE2")
        (understood,) = (question.understood()[name] for name in asked)
        assert understood["misspelt"]
        assert "probably a slip" in understood["note"]
        assert asyncio.run(source.count(question.to_query())) == 30
        assert asyncio.run(source.count(read(source, **asked).to_query())) == 31
    quoted = read(source, condition='"brest cancer"')
    assert asyncio.run(source.count(quoted.to_query())) == 1


def test_a_question_that_nothing_helps_stays_as_it_is(starter_source: RegistrySource) -> None:
    question = read(starter_source, query="xylophone")
    assert asyncio.run(leave_out_words(starter_source, question)) is question


def test_each_argument_tells_how_many_trials_it_costs(starter_source: RegistrySource) -> None:
    asked = {"condition": "asthma", "phase": "EARLY_PHASE1", "status": "SUSPENDED"}
    question = asyncio.run(count_without_each(starter_source, read(starter_source, **asked)))
    for argument, reading in question.understood().items():
        rest = {name: value for name, value in asked.items() if name != argument}
        without = asyncio.run(starter_source.count(read(starter_source, **rest).to_query()))
        assert reading["count_without"] == without
