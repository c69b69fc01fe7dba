from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.agents.rephrasing import Rephrased, keeps_to, rephrase
from trialyst.agents.sentences import Sentence, finding, method

ORIGINAL = (
    "12 trials of semaglutide in NASH stopped early, 3 for safety; "
    'the record says "Sponsor decision".'
)


class Scripted:
    """A model that says what it is told to say."""

    def __init__(
        self,
        say: Callable[[str], str] = str,
        order: Callable[[int], Sequence[int]] = lambda number: range(number),
    ) -> None:
        self._say, self._order = say, order
        self.seen: list[str] = []

    async def rephrase(self, texts: Sequence[str]) -> Sequence[str]:
        self.seen.extend(texts)
        return [self._say(text) for text in texts]

    async def rank(self, texts: Sequence[str]) -> Sequence[int]:
        return self._order(len(texts))


def _told(model: Scripted, *sentences: Sentence) -> Rephrased:
    return asyncio.run(rephrase(model, sentences))


@pytest.mark.parametrize(
    "said",
    [
        'Early stops: 12 trials of semaglutide in NASH, 3 for safety; reason "Sponsor decision".',
        ORIGINAL,
    ],
)
def test_other_words_for_the_same_facts_are_taken(said: str) -> None:
    assert keeps_to(ORIGINAL, said)


@pytest.mark.parametrize(
    "said",
    [
        ORIGINAL.replace("12", "13"),
        ORIGINAL.replace("12", "Twelve"),
        ORIGINAL.replace("3 for safety", "3 for efficacy"),
        ORIGINAL.replace("stopped early", "never stopped early"),
        ORIGINAL.replace("semaglutide", "semaglutide and Tirzepatide"),
        ORIGINAL.replace("early", "early (NCT01234567)"),
        ORIGINAL.replace("Sponsor decision", "Safety decision"),
        ORIGINAL.replace("12 trials", "Most trials"),
        ORIGINAL + " 95%",
        "",
        ORIGINAL + "\nAnd more.",
    ],
)
def test_what_the_original_does_not_say_is_refused(said: str) -> None:
    assert not keeps_to(ORIGINAL, said)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_no_number_can_be_added(one: int, other: int) -> None:
    assert keeps_to(f"It had {one} people.", f"It had {other} people.") == (one == other)


def test_the_original_stands_where_a_rephrasing_is_refused() -> None:
    told = _told(
        Scripted(lambda text: text + " 99% benefit"), finding("It stopped.", ["NCT00000001"])
    )
    assert (told.sentences[0].text, told.refused) == ("It stopped.", 1)


def test_sources_stay_whatever_the_model_says() -> None:
    sentence = finding("It stopped.", ["NCT00000001"], ["7"])
    model = Scripted(lambda text: "stopped it did.")
    told = _told(model, sentence)
    assert told.sentences[0].cited == "stopped it did (NCT00000001; PMID 7)."
    assert model.seen == ["It stopped."]


def test_sentences_may_be_put_in_another_order() -> None:
    first, second = finding("A.", ["NCT00000001"]), finding("B.", ["NCT00000002"])
    told = _told(Scripted(order=lambda number: [1, 0]), first, second, method("How."))
    assert [each.text for each in told.sentences] == ["B.", "A.", "How."]


@pytest.mark.parametrize("order", [[0], [0, 0], [1, 2], [0, 1, 1]])
def test_an_order_that_loses_or_doubles_a_sentence_is_refused(order: list[int]) -> None:
    first, second = finding("A.", ["NCT00000001"]), finding("B.", ["NCT00000002"])
    told = _told(Scripted(order=lambda number: order), first, second)
    assert [each.text for each in told.sentences] == ["A.", "B."]
    assert told.refused == 1


def test_a_model_that_loses_a_sentence_changes_nothing() -> None:
    class Short(Scripted):
        async def rephrase(self, texts: Sequence[str]) -> Sequence[str]:
            return texts[:-1]

    told = _told(Short(), finding("A.", ["NCT00000001"]), finding("B.", ["NCT00000002"]))
    assert [each.text for each in told.sentences] == ["A.", "B."]
    assert told.refused == 2
