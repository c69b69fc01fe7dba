"""Two spellings of a word are the same word, whichever code tells it."""

from __future__ import annotations

import gc
import itertools
import weakref
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.folding import PlainFolder, fold_phrase, fold_word, native

WORDS = st.sampled_from(
    [
        "Tumours",
        "patient's",
        "Crohn’s",
        "MK-3475",
        "IL2Rα",
        "naïve",
        "≥18",
        "µg",
        "é",
        "a_b",
        "x" * 63,
        "Y" * 65,
        "3" * 70,
        "COVID19",
        "'s",
        "’",
        "½kg",
        "ﬁbrosis",
        "İ",
        "中文",
        "\xa0",
        "Sjögren`s",
    ]
)
TEXTS = st.lists(st.one_of(st.text(max_size=8), WORDS)).flatmap(
    lambda words: st.sampled_from(["", " ", "-", "\n"]).map(lambda mark: mark.join(words))
)


# More words than the first table of the compiled folder has places.
MANY = " ".join(map("".join, itertools.product("abcdefghijklmnop", repeat=3)))


def is_compiled() -> bool:
    return native is not None


compiled = pytest.mark.skipif(not is_compiled(), reason="installed without a C compiler")


@compiled
@given(TEXTS)
def test_the_compiled_folder_says_what_the_one_in_python_says(text: str) -> None:
    assert native is not None
    assert native.Folder(fold_word)(text) == PlainFolder()(text)


@compiled
@given(st.text(st.characters(), max_size=200))
def test_no_text_is_too_odd_to_fold(text: str) -> None:
    assert fold_phrase(text) == PlainFolder()(text)


@compiled
def test_an_error_of_the_rules_comes_through() -> None:
    def fail(word: str) -> str:
        raise KeyError(word)

    assert native is not None
    with pytest.raises(KeyError, match="asthma"):
        native.Folder(fail)("12 Asthma")


@compiled
def test_the_rules_are_asked_once_for_a_word() -> None:
    asked: list[str] = []

    def note(word: str) -> str:
        asked.append(word)
        return word

    assert native is not None
    folder = native.Folder(note)
    assert folder("Asthma, asthma (ASTHMA) 7mg") == "asthma asthma asthma 7 mg"
    assert folder("mg asthma") == "mg asthma"
    assert asked == ["asthma", "mg"]


@compiled
def test_a_rule_may_use_its_own_folder_while_its_table_grows() -> None:
    def learn_more(word: str) -> str:
        return str(len(folder(MANY))) if word == "asthma" else word

    assert native is not None
    folder: Callable[[str], str] = native.Folder(learn_more)
    assert folder("an asthma") == f"an {len(MANY)}"
    assert folder("zz asthma").endswith(str(len(MANY)))


@compiled
def test_a_rule_answers_with_a_plain_string() -> None:
    class Clinging(str):
        __slots__ = ()

        def __del__(self) -> None:
            folder(MANY)

    assert native is not None
    folder: Callable[[str], str] = native.Folder(
        lambda word: Clinging(word) if word == "asthma" else word
    )
    with pytest.raises(TypeError, match="string"):
        folder("asthma")
    with pytest.raises(TypeError, match="string"):
        native.Folder(len)("asthma")


@compiled
def test_a_folder_that_its_rule_holds_is_let_go() -> None:
    class Rule:
        folder: Callable[[str], str]

        def __call__(self, word: str) -> str:
            return word

    assert native is not None
    rule = Rule()
    rule.folder = native.Folder(rule)
    seen = weakref.ref(rule)
    del rule
    gc.collect()
    assert seen() is None


@pytest.mark.parametrize("text", ["Sjögren`s", "é-Crohn`s", "Crohn`s"])
def test_a_backtick_is_no_apostrophe_whatever_stands_beside_it(text: str) -> None:
    assert fold_phrase(text) == PlainFolder()(text)
    assert fold_phrase(text).endswith(" s")


def test_more_words_than_are_remembered_fold_the_same() -> None:
    class Small(PlainFolder):
        LIMIT = 3

    assert (
        Small()("tumours mice children women feet tumours") == "tumor mouse child woman foot tumor"
    )
