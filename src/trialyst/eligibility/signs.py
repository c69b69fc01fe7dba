"""Comparators and numbers of a text, as tokens: the lexer of amounts.

Every repetition in the patterns is bounded, so that reading takes time in proportion to the text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from trialyst.eligibility.numbers import COUNTS, to_number

__all__ = ["NUMBER_WORDS", "Token", "read_sign", "read_way", "split_tokens", "to_plain"]

_SIGNS = {
    **dict.fromkeys("\u2264\u2a7d\u2266\u2272", "\u2264"),
    **dict.fromkeys("\u2265\u2a7e\u2267\u2273", "\u2265"),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\u00ad", "-"),
    **dict.fromkeys("\u2019\u2018\u02bc\u00b4`", "'"),
    **dict.fromkeys("\u00a0\u2009\u202f\u2003", " "),
    **dict(zip("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "0123456789")),  # noqa: B905
    "\uff1c": "<", "\uff1e": ">", "\uff1d": "=", "\u00d7": "x", "\u2715": "x", "\u00b5": "u",
    "\u03bc": "u", "\u2248": "~", "\u00ba": "\u00b0",
}  # fmt: skip
_PLAIN = str.maketrans(_SIGNS)
NUMBER_WORDS = {"once": 1, "twice": 2, "double": 2, "thrice": 3, "triple": 3} | COUNTS
_NUMBER = (
    r"(?<![a-z0-9.])(?:[0-9]{1,3}(?:,[0-9]{3}){1,3}(?![0-9])(?:\.[0-9]{1,6})?"
    r"|[0-9]{1,3}(?: [0-9]{3}){1,2}(?=\s?(?:/|cells|per\b|platelets|copies|i?u/))"
    r"|[0-9]{1,12}(?:\.[0-9]{1,9}|,[0-9]{1,2}(?![0-9,]))?|\.[0-9]{1,9})(?![0-9])"
)
_MORE = (
    r"greater|more|higher|larger|bigger|above|over|exceed(?:s|ing|ed)?|in excess|superior|older"
    r"|longer|beyond"
)
_LESS = r"less|lower|smaller|fewer|below|under|inferior|younger|shorter"
_EQUAL = r"(?:=|equals?(?:\s{1,3}(?:to|than))?|equivalent\s(?:to)?|the same as)"
_COMPARATOR = (
    r"(?P<neg>(?<![a-z])(?:not?|cannot|never)\s{1,3}(?:be\s{1,3}|aged\s{1,3})?)?(?:"
    rf"(?P<eq1>{_EQUAL}\s{{0,3}}(?:,\s{{0,2}})?(?:(?:or|and)\b|/)?\s{{0,3}})?"
    rf"(?P<dir>[<>\u2264\u2265]|(?<![a-z])(?:{_MORE}|{_LESS})(?![a-z]))(?:\s{{1,3}}(?:than|then|of"
    rf"|to)\b)?(?:\s?\([<>=\u2264\u2265]{{1,2}}\))?"
    rf"(?P<eq2>\s{{0,3}}[,/(]?\s{{0,2}}(?:(?:or|and)\s{{0,3}})?(?:is\s{{1,3}})?(?:{_EQUAL}|_)\)?)?"
    r"(?:\s{1,3}(?:than|to)\b)?"
    r"|(?P<least>(?<![a-z])(?:at\s(?:the\s)?least|(?:a\s)?min(?:imum|imal|\.)?(?:\s(?:of"
    r"|is))?(?![a-z])|starting\s(?:at|from)))"
    r"|(?P<most>(?<![a-z])(?:at\s(?:the\s)?most|up\sto|(?:a\s)?max(?:imum|imal|\.)?(?:\s(?:of"
    r"|is))?(?![a-z])|as\s(?:much|high)\sas))"
    r"|(?P<same>[=~]|(?<![a-z])(?:equals?(?:\sto)?|about|approximately|approx\.?|around|exactly"
    r"|nearly)(?![a-z])))"
)
_SIGN = re.compile(_COMPARATOR)
_SUM = r"(?<![\w.])([1-5])\s?\+\s?([1-5])(?![0-9])(?:\s?=\s?[0-9]{1,2}(?![0-9]))?"
_FEET = (
    r"(?<![\w.])([3-8])\s?(?:'|ft\.?|feet|foot)\s?([0-9]{1,2})(?![0-9])\s?(?:\"|''"
    r"|in(?:ch(?:es)?)?\b)?"
)
_TOKEN = re.compile(
    # What a token can begin with is looked at first, since most places begin none.
    rf"(?=[0-9.])(?:(?P<sum>{_SUM})|(?P<feet>{_FEET})|(?P<num>{_NUMBER}))|(?P<arrow>-+>|\u2192)"
    rf"|(?:(?=[<>=~\u2264\u2265])|(?<![a-z])(?=[abcefghilmnostuy]))(?P<cmp>{_COMPARATOR})"
    r"|(?<![a-z])(?=[bdefnorstzw])(?:(?P<between>(?:between|from|ranging|ranges?)(?![a-z]))"
    rf"|(?P<word>(?:{'|'.join(NUMBER_WORDS)})(?![a-z])))"
)
_POST = re.compile(
    r"[\s,(]{0,3}(?:or|and|&)\s{1,2}(?:(?:is|be)\s)?(?P<way>greater|more|higher|above|over|older"
    r"|upwards?|up|larger|longer|better"
    r"|worse|less|lower|below|under|fewer|younger|smaller|shorter)\b\)?(?!\s{1,2}(?:than|the"
    r"|[0-9<>\u2264\u2265]))"
    r"|\s?(?P<plus>\+)(?![\w/+])|[\s(]{1,2}(?P<end>minimum|maximum|max\b|min\b)\)?"
)
_NEAR = 14
"""How far a number may stand behind another for a dash between them to be a range's."""


class Token(NamedTuple):
    """A number, a comparator, an arrow or a word that opens a range."""

    kind: str
    start: int
    end: int
    number: float = 0.0
    sign: str = ""
    unit: str = ""


def to_plain(text: str) -> str:
    """Give a text in lower case with one spelling of signs, every place kept."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return lowered if text.isascii() else lowered.translate(_PLAIN)


def read_sign(plain: str, at: int) -> tuple[str, int]:
    """Give the comparator that stands at a place, empty if none does, and where it ends."""
    match = _SIGN.match(plain, at)
    if match is None:
        return "", at
    end = match.end()
    while plain[end : end + 1] == " ":
        end += 1
    sign = _sign(match)
    return ("" if sign in ("=", "~") else sign), end


def read_way(plain: str, at: int) -> tuple[str, int]:
    """Give the comparator or `better` of an "or higher" at a place, and where it ends."""
    post = _POST.match(plain, at)
    if post is None:
        return "", at
    way = post["way"] or ""
    if way in ("better", "worse"):
        return way, post.end()
    if post["end"]:
        return ("<=" if post["end"].startswith("max") else ">="), post.end()
    more = post["plus"] or way.startswith("up") or re.fullmatch(_MORE, way)
    return (">=" if more else "<="), post.end()


def split_tokens(plain: str) -> list[Token]:
    """Give the tokens of a text that `to_plain` gave."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(plain):
        start, end = match.span()
        if match["sum"]:
            # A Gleason score is told by its two patterns.
            tokens.append(
                Token(
                    "num",
                    start,
                    end,
                    sum(
                        float(n) for n in match["sum"].replace(" ", "").partition("=")[0].split("+")
                    ),
                )
            )
        elif match["feet"]:
            feet, inches = re.findall("[0-9]+", match["feet"])[:2]
            tokens.append(Token("num", start, end, int(feet) * 12.0 + int(inches), unit="in"))
        elif match["arrow"]:
            tokens.append(Token("arrow", start, end))
        elif match["num"]:
            number = to_number(match["num"].replace(" ", ""))
            negative = _is_negative(plain, start, tokens)
            token = Token("num", start - negative, end, -number if negative else number)
            tokens[-1:] = _told_twice(plain, tokens[-1:], token)
        elif match["word"]:
            token = Token("word", start, end, float(NUMBER_WORDS[match["word"]]))
            tokens[-1:] = _tens(tokens[-1:], token)
        elif match["between"]:
            tokens.append(Token("between", start, end))
        else:
            tokens.append(Token("cmp", start, end, sign=_sign(match)))
    return tokens


def _told_twice(plain: str, last: list[Token], token: Token) -> list[Token]:
    """Make one of "six (6)"."""
    if last and last[0].kind == "word" and last[0].number == token.number:
        opening, closing = (
            plain[last[0].end : token.start].strip(),
            plain[token.end : token.end + 1],
        )
        if opening in ("(", "[") and closing in (")", "]"):
            return [Token("num", last[0].start, token.end + 1, token.number)]
    return [*last, token]


def _tens(last: list[Token], token: Token) -> list[Token]:
    """Make one of "twenty-one"."""
    if (
        last
        and last[0].kind == "word"
        and last[0].number >= 20
        and token.number < 10
        and token.start == last[0].end + 1
    ):
        return [Token("word", last[0].start, token.end, last[0].number + token.number)]
    return [*last, token]


def _is_negative(plain: str, start: int, tokens: list[Token]) -> bool:
    """Say whether the dash before a number is its sign and not a range's."""
    if (
        start == 0
        or plain[start - 1] != "-"
        or (start > 1 and plain[start - 2] not in " (<>=\u2264\u2265:\t")
    ):
        return False
    last = tokens[-1] if tokens else None
    return (
        last is None
        or last.kind != "num"
        or start - last.end > _NEAR
        or "to" in plain[last.end : start]
    )


def _sign(match: re.Match[str]) -> str:
    if match["same"]:
        return "~" if match["same"] not in ("=",) and not match["same"].startswith("eq") else "="
    if match["least"] or match["most"]:
        return ">=" if match["least"] else "<="
    way = match["dir"]
    up = way in ">\u2265" or (way not in "<\u2264" and re.fullmatch(_MORE, way) is not None)
    equal = bool(match["eq1"] or match["eq2"] or way in "\u2264\u2265")
    if match["neg"]:
        up, equal = not up, not equal
    return (">" if up else "<") + ("=" if equal else "")
