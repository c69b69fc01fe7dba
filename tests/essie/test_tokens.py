"""Tokens: what is an operator, what is a word, and where each stands."""

from __future__ import annotations

import pytest

from trialyst.essie.errors import EssieError
from trialyst.essie.tokens import TokenKind, tokenize


def _kinds(text: str) -> list[TokenKind]:
    return [token.kind for token in tokenize(text)[:-1]]


@pytest.mark.parametrize("word", ["AND", "OR", "NOT", "ALL", "MISSING"])
def test_operator_words_are_operators_in_upper_case_only(word: str) -> None:
    assert _kinds(f"{word} {word.lower()} {word.title()} x{word}") == [
        TokenKind(word),
        *[TokenKind.WORD] * 3,
    ]


@pytest.mark.parametrize("word", ["AND", "ALL", "AREA", "COVER", "MIN"])
def test_a_backslash_makes_an_operator_word_a_term(word: str) -> None:
    token = tokenize(f"\\{word}")[0]
    assert (token.kind, token.value) == (TokenKind.WORD, word)


@pytest.mark.parametrize("keyword", ["AREA", "SEARCH", "COVERAGE", "COVER", "EXPANSION", "TILT"])
def test_context_keywords_need_their_bracket(keyword: str) -> None:
    assert _kinds(f"{keyword} {keyword}[x] y") == [
        TokenKind.WORD,
        TokenKind.CONTEXT,
        TokenKind.WORD,
    ]


def test_words_keep_the_characters_of_names() -> None:
    text = "Alzheimer's R&D NS-065/NCNP-01 HER2+ 0.5% wild* a:b café_x ½"
    assert [token.value for token in tokenize(text)[:-1]] == text.split()


def test_escapes_in_quotes_are_undone() -> None:
    assert tokenize(r'"a \"b\" \\ c\d"')[0].value == r'a "b" \ c\d'


def test_tokens_know_their_place() -> None:
    text = 'ab  "c d" AREA[x],'
    spans = [text[token.start : token.end] for token in tokenize(text)[:-1]]
    assert spans == ["ab", '"c d"', "AREA[x]", ","]


def test_an_open_quote_is_refused_where_it_opens() -> None:
    with pytest.raises(EssieError) as caught:
        tokenize('heart "attack')
    assert caught.value.position == 6
