"""Text to tokens with positions. Knows the spelling of Essie, nothing of its meaning.

A context operator (`AREA[...]` and its kin) is one token with its bracket; its argument stays raw.
Refuses control characters, open quotes, open brackets and texts beyond the limits.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from trialyst.essie.errors import EssieError, clip
from trialyst.essie.limits import MAX_CLAUSES, MAX_LENGTH

__all__ = ["CONTEXT_KEYWORDS", "KEYWORDS", "REFUSED", "Token", "TokenKind", "tokenize"]

CONTEXT_KEYWORDS = frozenset(
    {"AREA", "SEARCH", "RANGE", "DISTANCE", "COVERAGE", "COVER", "EXPANSION", "TILT"}
)


class TokenKind(Enum):
    """What a token is to the parser."""

    WORD = "word"
    PHRASE = "phrase"
    COMMA = ","
    OPEN = "("
    CLOSE = ")"
    BRACKET_OPEN = "["
    BRACKET_CLOSE = "]"
    AND = "AND"
    OR = "OR"
    NOT = "NOT"
    ALL = "ALL"
    MISSING = "MISSING"
    CONTEXT = "context"
    END = "end"


_MARKS = {kind.value: kind for kind in TokenKind if kind.value in "()[],"}
_OPERATORS = {kind.value: kind for kind in TokenKind if kind.value.isupper()}
_OPERANDS = {TokenKind.WORD, TokenKind.ALL, TokenKind.MISSING, TokenKind.CONTEXT}
KEYWORDS = CONTEXT_KEYWORDS | {"AND", "OR", "NOT", "ALL", "MISSING", "MIN", "MAX"}

# Control characters but whitespace, and lone surrogates, which no UTF-8 consumer can take.
REFUSED = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | "(?P<phrase>[^"\\]*(?:\\.[^"\\]*)*)"
  | (?P<mark>[()\[\],])
  | (?P<context>AREA|SEARCH|RANGE|DISTANCE|COVERAGE|COVER|EXPANSION|TILT)\[(?P<argument>[^\[\]]*)\]
  | (?P<word>[^\s"()\[\],]+)
    """,
    re.VERBOSE | re.DOTALL,
)
_BRACKET = re.compile(r"[\[\]]")
_ESCAPED = re.compile(r'\\(["\\])')


class Token(NamedTuple):
    """A token; `value` is the word, the phrase without quotes, or the bracket's raw argument."""

    kind: TokenKind
    value: str
    start: int
    end: int
    keyword: str = ""
    """The context operator's own name."""


def tokenize(text: str) -> list[Token]:
    """Split a text into tokens, the last of which is the end.

    >>> [token.value for token in tokenize('AREA[Phase] "a b" OR \\\\NOT')][:-1]
    ['Phase', 'a b', 'OR', 'NOT']
    """
    _check_characters(text)
    tokens: list[Token] = []
    clauses = position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise EssieError(
                f"token recognition error at: '{clip(text[position:])}'",
                text=text,
                position=position,
                hint='Close the quoted phrase with ", or write \\" for a quote inside it.',
            )
        token = _to_token(match)
        position = match.end()
        if token is None:
            continue
        tokens.append(token)
        clauses += _count_clauses(token)
        if clauses > MAX_CLAUSES:
            raise EssieError(
                f"The query has more than {MAX_CLAUSES:,} terms",
                text=text,
                position=token.start,
                hint="Ask with fewer terms, or in several queries.",
            )
    tokens.append(Token(TokenKind.END, "<EOF>", len(text), len(text)))
    return tokens


def _check_characters(text: str) -> None:
    if len(text) > MAX_LENGTH:
        raise EssieError(
            f"The query is longer than {MAX_LENGTH:,} characters",
            text=text,
            position=MAX_LENGTH,
            hint="Ask with fewer terms, or in several queries.",
        )
    refused = REFUSED.search(text)
    if refused:
        raise EssieError(
            f"token recognition error at: {refused.group()!a}",
            text=text,
            position=refused.start(),
            hint="Remove the control character.",
        )


def _to_token(match: re.Match[str]) -> Token | None:
    start, end = match.span()
    match match.lastgroup:
        case "phrase":
            return Token(TokenKind.PHRASE, _ESCAPED.sub(r"\1", match["phrase"]), start, end)
        case "mark":
            return Token(_MARKS[match["mark"]], match["mark"], start, end)
        case "argument":
            return Token(TokenKind.CONTEXT, match["argument"], start, end, match["context"])
        case "word":
            return _to_word(match.string, start, end)
        case _:
            return None


def _to_word(text: str, start: int, end: int) -> Token | None:
    word = text[start:end]
    if word in CONTEXT_KEYWORDS and text[end : end + 1] in ("[", "("):
        raise _bad_bracket(text, word, end)
    if word.startswith("\\"):
        return Token(TokenKind.WORD, word[1:], start, end) if len(word) > 1 else None
    return Token(_OPERATORS.get(word, TokenKind.WORD), word, start, end)


def _bad_bracket(text: str, keyword: str, opening: int) -> EssieError:
    if text[opening] == "(":
        return EssieError(
            "mismatched input '(' expecting '['",
            text=text,
            position=opening,
            hint=f"Write square brackets after {keyword}, or \\{keyword} to search for the word.",
        )
    found = _BRACKET.search(text, opening + 1)
    return EssieError(
        f"missing ']' at '{found.group() if found else '<EOF>'}'",
        text=text,
        position=found.start() if found else len(text),
        hint=f"Close the bracket after {keyword}.",
    )


def _count_clauses(token: Token) -> int:
    if token.kind is TokenKind.PHRASE:
        return len(token.value.split())
    return token.kind in _OPERANDS
