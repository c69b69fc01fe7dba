"""Tree to text: the only place where Essie is written.

`parse(render(tree)) == tree` for every tree the grammar can express. Also the only way in for
text typed by people: `text_node` makes a tree that cannot contain an operator.
"""

from __future__ import annotations

import re
from decimal import Decimal

from trialyst.errors import InvalidInput
from trialyst.essie import ast
from trialyst.essie.build import all_of
from trialyst.essie.limits import MAX_CLAUSES, MAX_LENGTH, check_depth
from trialyst.essie.tokens import KEYWORDS, REFUSED

__all__ = ["render", "text_node"]

# Escapes can double a text, and what comes out must still be short enough to parse.
MAX_USER_TEXT = MAX_LENGTH // 2

_CURLY_QUOTES = str.maketrans("“”„«»", '"""""')
_QUOTED_PART = re.compile(r'(?<![^\s(\[,;])"([^"]+)"(?![^\s)\],;.])')
_NOT_IN_WORDS = re.compile(r'["()\[\]\\]')
_WORD_OR_COMMA = re.compile(r"[^\s,]+|,")
_WORD = re.compile(r'[^\s"()\[\],]+|,')
_NOT_IN_NAMES = re.compile(r"[\[\]]")
_NOT_IN_BOUNDS = re.compile(r'["\[\],]')


def render(node: ast.Node) -> str:
    """Write a tree as canonical text.

    >>> render(ast.And((ast.Words(("NOT", "pain")), ast.Area("Sex", ast.Phrase("ALL")))))
    '\\\\NOT pain AND AREA[Sex]"ALL"'

    Raises:
        InvalidInput: no text stands for the tree (an empty phrase, a bracket in a name).
    """
    check_depth(node)
    return _render(node)


def _render(node: ast.Node) -> str:
    match node:
        case ast.Or():
            return " OR ".join(_enclose(child, ast.Or) for child in node.children)
        case ast.And():
            return " AND ".join(_operand(child) for child in node.children)
        case ast.Not():
            return f"NOT {_operand(node.child)}"
        case ast.Words():
            return _render_words(node.words)
        case ast.Phrase():
            return _render_phrase(node.text)
        case ast.Missing():
            return "MISSING"
        case ast.All():
            return "ALL"
        case _:
            return _render_context(node)


def _render_context(node: ast.Node) -> str:
    match node:
        case ast.Area():
            return f"AREA[{_area(node)}]{_operand(node.child)}"
        case ast.Search():
            return f"SEARCH[{_name(node.document)}]{_operand(node.child)}"
        case ast.Coverage():
            return f"COVERAGE[{node.kind}]{_operand(node.child)}"
        case ast.Expansion():
            return f"EXPANSION[{node.level}]{_operand(node.child)}"
        case ast.Tilt():
            return f"TILT[{_name(node.name)}]{_operand(node.child)}"
        case ast.Range():
            return f"RANGE[{_bound(node.low, 'MIN')}, {_bound(node.high, 'MAX')}]"
        case ast.Distance():
            point = f"{_decimal(node.latitude)}, {_decimal(node.longitude)}"
            return f"DISTANCE[{point}, {_decimal(node.radius)} {node.unit}]"
        case _:
            raise TypeError(f"{type(node).__name__} is no node of an expression")


def _operand(node: ast.Node) -> str:
    return _enclose(node, ast.And, ast.Or)


def _enclose(node: ast.Node, *looser: type[ast.Node]) -> str:
    text = _render(node)
    return f"({text})" if isinstance(node, looser) else text


def _render_words(words: tuple[str, ...]) -> str:
    if not words or not all(map(_WORD.fullmatch, words)) or "," in (words[0], words[-1]):
        raise _unwritable(" ".join(words), "Use text_node to turn text into words.")
    written = (f"\\{word}" if word in KEYWORDS or word[0] == "\\" else word for word in words)
    return _checked(" ".join(written).replace(" ,", ","))


def _render_phrase(text: str) -> str:
    if not text.strip():
        raise _unwritable(text, "A phrase needs at least one word.")
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return _checked(f'"{escaped}"')


def _area(node: ast.Area) -> str:
    if ":" in node.name:
        raise _unwritable(node.name, "Name the piece only; its size is a flag of the node.")
    return _name(node.name) + (":size" if node.size else "")


def _name(text: str) -> str:
    if not text or text != text.strip() or _NOT_IN_NAMES.search(text):
        raise _unwritable(text, "Leave out brackets and outer spaces.")
    return _checked(text)


def _bound(text: str | None, keyword: str) -> str:
    if text is None:
        return keyword
    if text == keyword:
        raise _unwritable(text, "An open end of a range is None.")
    if not text or text != text.strip() or _NOT_IN_BOUNDS.search(text):
        raise _unwritable(text, "Leave out brackets, quotes, commas and outer spaces.")
    return _checked(text)


def _checked(text: str) -> str:
    if REFUSED.search(text):
        raise _unwritable(text, "Remove the control character.")
    return text


def _decimal(number: float) -> str:
    # repr would switch to 1e-07 for small numbers, which Essie cannot read.
    return format(Decimal(repr(number)), "f").removesuffix(".0")


def _unwritable(text: str, hint: str) -> InvalidInput:
    return InvalidInput(f"{text!r} cannot be written in Essie", hint=hint, invalid_input=text)


def text_node(text: str) -> ast.Node:
    """Turn text typed by a person into a tree of words and phrases, never operators.

    Quoted parts become phrases; brackets, parentheses, backslashes and odd quotes become spaces.

    >>> render(text_node("NOT (COVID-19) or AREA[x]"))
    '\\\\NOT COVID-19 or \\\\AREA x'
    >>> text_node('"non-small cell" HER2+')
    And(children=(Phrase(text='non-small cell'), Words(words=('HER2+',))))

    Raises:
        InvalidInput: the text is blank, too long, or has control characters.
    """
    _check_user_text(text)
    parts: list[ast.Node] = []
    # The pattern has one group, so the odd items of the split are the quoted parts.
    for number, part in enumerate(_QUOTED_PART.split(text.translate(_CURLY_QUOTES))):
        if number % 2 and part.strip():
            parts.append(ast.Phrase(" ".join(part.split())))
        elif words := _split_words(part):
            parts.append(ast.Words(words))
    if not parts:
        raise InvalidInput(
            f"{text!r} has no words to search for", hint="Write a term.", invalid_input=text
        )
    return all_of(*parts)


def _check_user_text(text: str) -> None:
    if REFUSED.search(text):
        raise InvalidInput(
            f"{text!a} contains control characters",
            hint="Remove the control characters.",
            invalid_input=text,
        )
    if len(text) > MAX_USER_TEXT or len(_WORD_OR_COMMA.findall(text)) > MAX_CLAUSES:
        raise InvalidInput(
            f"The text is too long to search for: {len(text):,} characters",
            hint=f"Use at most {MAX_USER_TEXT:,} characters and {MAX_CLAUSES:,} words.",
            invalid_input=text,
        )


def _split_words(text: str) -> tuple[str, ...]:
    words = _WORD_OR_COMMA.findall(_NOT_IN_WORDS.sub(" ", text))
    while words and words[0] == ",":
        del words[0]
    while words and words[-1] == ",":
        words.pop()
    return tuple(words)
