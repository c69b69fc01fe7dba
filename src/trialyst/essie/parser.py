"""Tokens to tree, by recursive descent: OR, AND and juxtaposition, prefixes, sources.

Refuses with the live service's wording where it is known, always with the place in the text.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NoReturn

from trialyst.essie import ast
from trialyst.essie.build import all_of, any_of
from trialyst.essie.errors import EssieError, MissingOperand, clip
from trialyst.essie.limits import MAX_DEPTH
from trialyst.essie.operators import apply_operator, read_source
from trialyst.essie.tokens import Token, TokenKind, tokenize

__all__ = ["parse"]

_OPERANDS = (
    "'SEARCH', 'AREA', 'RANGE', 'DISTANCE', Coverage, Expansion, 'TILT', 'ALL', 'MISSING', 'MIN', "
    "'MAX', EscapedKeyword, BooleanLiteral, DecimalLiteral, DateLiteral, TimeLiteral, "
    "RadiusLiteral, StringLiteral, Term"
)
_EXPECTED_FIRST = "{'(', ',', 'NOT', " + _OPERANDS + "}"
_EXPECTED_NEXT = "{<EOF>, '(', ',', 'NOT', 'AND', 'OR', " + _OPERANDS + "}"
_BRACKETS = (TokenKind.BRACKET_OPEN, TokenKind.BRACKET_CLOSE)
_AFTER_OPERAND = (TokenKind.END, TokenKind.CLOSE, TokenKind.OR, *_BRACKETS)
_SOURCE_KEYWORDS = ("RANGE", "DISTANCE")
LONGEST_REMEMBERED = 300


def parse(text: str) -> ast.Node:
    """Read an expression.

    >>> parse("heart attack AND NOT AREA[Phase](PHASE1 OR PHASE2)").children[0]
    Words(words=('heart', 'attack'))

    Raises:
        EssieError: the text is not an expression; `position` and `caret` say where.
    """
    if not text.strip():
        raise EssieError("The query is empty", text=text, position=0, hint="Write a term.")
    return _Parser(text).parse() if len(text) > LONGEST_REMEMBERED else _remembered(text)


# The same filters come with question after question.
@lru_cache(512)
def _remembered(text: str) -> ast.Node:
    return _Parser(text).parse()


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokenize(text)
        self._at = 0
        self._depth = 0
        self._pending: Token | None = None
        """The operator last read that has no operand yet."""

    def parse(self) -> ast.Node:
        tree = self._parse_or()
        if not self._at_kind(TokenKind.END):
            self._refuse_next()
        return tree

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _at_kind(self, *kinds: TokenKind) -> bool:
        return self._next.kind in kinds

    def _take(self) -> Token:
        token = self._next
        self._at += 1
        return token

    def _take_operator(self) -> Token:
        self._pending = self._take()
        return self._pending

    def _parse_or(self) -> ast.Node:
        children = [self._parse_and()]
        while self._at_kind(TokenKind.OR):
            self._take_operator()
            children.append(self._parse_and())
        return any_of(*children)

    def _parse_and(self) -> ast.Node:
        children = [self._parse_prefixed()]
        self._skip_commas()
        while not self._at_kind(*_AFTER_OPERAND):
            if self._at_kind(TokenKind.AND):
                self._take_operator()
            children.append(self._parse_prefixed())
            self._skip_commas()
        return all_of(*children)

    def _parse_prefixed(self) -> ast.Node:
        operators: list[Token] = []
        self._skip_commas()
        while self._at_prefix():
            operators.append(self._take_operator())
            self._deepen(operators[-1])
            self._skip_commas()
        node = self._parse_source()
        for operator in reversed(operators):
            node = apply_operator(operator, node, text=self._text)
        self._depth -= len(operators)
        return node

    def _at_prefix(self) -> bool:
        token = self._next
        if token.kind is TokenKind.CONTEXT:
            return token.keyword not in _SOURCE_KEYWORDS
        return token.kind is TokenKind.NOT

    def _parse_source(self) -> ast.Node:
        token = self._next
        span = ast.Span(token.start, token.end)
        match token.kind:
            case TokenKind.WORD:
                node = self._parse_words()
            case TokenKind.OPEN:
                node = self._parse_group()
            case TokenKind.PHRASE if token.value.strip():
                node = ast.Phrase(self._take().value, span=span)
            case TokenKind.ALL:
                self._take()
                node = ast.All(span=span)
            case TokenKind.MISSING:
                self._take()
                node = ast.Missing(span=span)
            case TokenKind.CONTEXT:
                node = read_source(self._take(), text=self._text)
            case _:
                self._refuse_operand(token)
        self._pending = None
        return node

    def _parse_words(self) -> ast.Node:
        run: list[Token] = []
        while self._at_kind(TokenKind.WORD, TokenKind.COMMA):
            run.append(self._take())
        while run[-1].kind is TokenKind.COMMA:
            run.pop()
        span = ast.Span(run[0].start, run[-1].end)
        return ast.Words(tuple(token.value for token in run), span=span)

    def _parse_group(self) -> ast.Node:
        opening = self._take()
        self._pending = None
        self._deepen(opening)
        if self._at_kind(TokenKind.CLOSE):
            raise EssieError(
                "no viable alternative at input '()'",
                text=self._text,
                position=opening.start,
                hint="Write something between the parentheses.",
            )
        node = self._parse_or()
        if not self._at_kind(TokenKind.CLOSE):
            raise EssieError(
                f"missing ')' at '{self._next.value}'",
                text=self._text,
                position=self._next.start,
                hint=f"Close the parenthesis opened at column {opening.start + 1}.",
            )
        self._take()
        self._depth -= 1
        return node

    def _skip_commas(self) -> None:
        while self._at_kind(TokenKind.COMMA):
            self._at += 1

    def _deepen(self, token: Token) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise EssieError(
                f"The query is nested more than {MAX_DEPTH} levels deep",
                text=self._text,
                position=token.start,
                hint="Join the parts with fewer parentheses and operators.",
            )

    def _refuse_operand(self, token: Token) -> NoReturn:
        if token.kind is TokenKind.PHRASE:
            raise EssieError(
                "no viable alternative at input '\"\"'",
                text=self._text,
                position=token.start,
                hint="Write something between the quotes.",
            )
        if token.kind in (TokenKind.AND, TokenKind.OR):
            raise MissingOperand(text=self._text, position=(self._pending or token).start)
        if self._pending and token.kind not in _BRACKETS:
            raise MissingOperand(text=self._text, position=self._pending.start)
        raise EssieError(
            f"mismatched input '{token.value}' expecting {_EXPECTED_FIRST}",
            text=self._text,
            position=token.start,
            hint="Write a term here; brackets and parentheses in a term need quotes.",
        )

    def _refuse_next(self) -> NoReturn:
        token = self._next
        first = self._at
        while first and self._tokens[first - 1].kind is TokenKind.WORD:
            first -= 1
        if token.kind in _BRACKETS and self._at - first > 1:
            written = self._text[self._tokens[first].start : token.end]
            message = f"no viable alternative at input '{clip(written)}'"
        else:
            message = f"mismatched input '{token.value}' expecting {_EXPECTED_NEXT}"
        raise EssieError(
            message,
            text=self._text,
            position=token.start,
            hint=f"Remove the '{token.value}', or quote the text it belongs to.",
        )
