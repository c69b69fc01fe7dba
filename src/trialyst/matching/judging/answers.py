"""What a model said of a criterion, read strictly: a verdict, or why there is none.

A quote counts where it stands in the note, apart from case, white space and the kind of quotation
marks and dashes; what is kept is always the note's own text.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from trialyst.eligibility.reading.note import Note, Sentence
from trialyst.llm.parsing import parse_objects
from trialyst.matching.judging.result import Applicability, Quote, Verdict

__all__ = [
    "ANSWERS_SCHEMA",
    "ANSWER_SCHEMA",
    "ReadAnswer",
    "find_quotes",
    "read_answer",
    "read_answers",
]

ANSWER_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string"},
        "evidence": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"sentence": {"type": "integer"}, "quote": {"type": "string"}},
                "required": ["sentence", "quote"],
                "additionalProperties": False,
            },
        },
        "applicability": {"type": "string", "enum": [each.value for each in Applicability]},
        "verdict": {"type": "string", "enum": [each.value for each in Verdict]},
        "confidence": {"type": "number"},
        "missing": {"type": "string"},
    },
    "required": ["reasoning", "evidence", "applicability", "verdict", "confidence", "missing"],
    "additionalProperties": False,
}

_ONE: dict[str, Any] = {
    **ANSWER_SCHEMA,
    "properties": {"criterion": {"type": "integer"}, **ANSWER_SCHEMA["properties"]},
    "required": ["criterion", *ANSWER_SCHEMA["required"]],
}
ANSWERS_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"answers": {"type": "array", "items": _ONE}},
    "required": ["answers"],
    "additionalProperties": False,
}
"""One answer a criterion, by its number."""

_LONGEST_REASON = 600
_MOST_EVIDENCE = 50
_UNSURE = 0.5
_ALIKE = str.maketrans("‘’‚‛“”„‟‐‑‒–—−\u00a0\u202f", "''''\"\"\"\"------  ")
"""One letter for one, so that places stay the same."""
_ELLIPSIS = re.compile(r"\[?(?:\.{3,}|…)\]?")
_NUMBER = re.compile(r"^\s*\[?\d{1,4}[.:)\]]\s+")
_WORD = re.compile(r"\w+")
_RETOLD = 0.6
_EDGES = " \t\n\"'.,;:"


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """An answer after everything that cannot be trusted was taken out."""

    verdict: Verdict
    reasoning: str
    confidence: float = 0.0
    applicability: Applicability = Applicability.APPLIES
    sentences: tuple[int, ...] = ()
    quotes: tuple[Quote, ...] = ()
    fabricated: int = 0
    failed: bool = False
    """Whether nothing that was said can be taken as a verdict."""
    missing: str | None = None


def read_answer(text: str, note: Note) -> ReadAnswer:
    """Read what a model wrote; nonsense is UNKNOWN with the reason."""
    told = [each for each in parse_objects(text) if "verdict" in each]
    if not told and not text.strip():
        return _failed("gave an empty answer")
    return _read_one(told, note)


def read_answers(text: str, note: Note, count: int) -> list[ReadAnswer]:
    """Read what a model wrote of several criteria, numbered from 1; one answer each.

    An answer that breaks off midway keeps what stands before the break.
    """
    told: dict[int, list[dict[str, Any]]] = {}
    for each in parse_objects(text):
        listed = each.get("answers")
        for item in listed if isinstance(listed, list) else [each]:
            number = item.get("criterion") if isinstance(item, dict) else None
            if isinstance(number, str) and number.strip().isdecimal():
                number = int(number)
            if isinstance(number, int) and "verdict" in item:
                told.setdefault(number, []).append(item)
    if not told and not text.strip():
        return [_failed("gave an empty answer")] * count
    return [_read_one(told.get(number, []), note) for number in range(1, count + 1)]


def _read_one(told: list[dict[str, Any]], note: Note) -> ReadAnswer:
    if not told:
        return _failed("gave no verdict")
    verdicts = {_read_verdict(each["verdict"]) for each in told}
    verdict = verdicts.pop()
    if verdict is None or verdicts:
        return _failed("gave several verdicts" if verdicts else "gave a verdict that is none")
    return _checked(verdict, told[-1], note)


def _failed(problem: str, fabricated: int = 0) -> ReadAnswer:
    return ReadAnswer(Verdict.UNKNOWN, f"The model {problem}.", fabricated=fabricated, failed=True)


def _checked(verdict: Verdict, told: dict[str, Any], note: Note) -> ReadAnswer:
    quotes: list[Quote] = []
    sentences: set[int] = set()
    fabricated = 0
    for number, quote in _evidence(told.get("evidence")):
        known = None if number is None else note.sentence(number)
        found = find_quotes(note, quote, near=None if known is None else known.number)
        fabricated += bool(quote) and not found
        quotes += found
        sentences |= {each.sentence for each in found}
        if known is not None and not found and _speaks_of(known, quote):
            sentences.add(known.number)
    reasoning = _one_line(told.get("reasoning"))
    if fabricated and not sentences and verdict is not Verdict.UNKNOWN:
        return _failed(f"said {verdict} on quotes that do not stand in the note", fabricated)
    return ReadAnswer(
        verdict=verdict,
        reasoning=reasoning or "The model gave no reason.",
        confidence=_read_confidence(told.get("confidence")),
        applicability=_read_applicability(told.get("applicability")),
        sentences=tuple(sorted(sentences)),
        quotes=tuple(dict.fromkeys(sorted(quotes, key=lambda each: (each.start, each.end)))),
        fabricated=fabricated,
        missing=_one_line(told.get("missing")) or None,
    )


def _speaks_of(sentence: Sentence, quote: str) -> bool:
    """Tell whether words that are no quote at least retell the sentence they are said to be of."""
    words = set(_WORD.findall(quote.lower()))
    held = words & set(_WORD.findall(sentence.text.lower()))
    return len(held) >= _RETOLD * len(words)


def _read_verdict(given: Any) -> Verdict | None:
    if not isinstance(given, str):
        return None
    said = re.sub(r"[\s_-]+", "_", given.strip().upper())
    return Verdict(said) if said in set(Verdict) else None


def _read_applicability(given: Any) -> Applicability:
    said = given.strip().lower() if isinstance(given, str) else ""
    return Applicability(said) if said in set(Applicability) else Applicability.APPLIES


def _read_confidence(given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float):
        return _UNSURE
    value = given / 100 if 1 < given <= 100 else given
    return round(float(value), 3) if math.isfinite(value) and 0 <= value <= 1 else _UNSURE


def _one_line(given: Any) -> str:
    words = " ".join(given.split()) if isinstance(given, str) else ""
    plain = "".join(letter for letter in words if letter.isprintable())
    return textwrap.shorten(plain, _LONGEST_REASON, placeholder=" ...")


def _evidence(given: Any) -> Iterator[tuple[int | None, str]]:
    """Give sentence numbers and quotes, in whatever form the model wrote them."""
    for each in (given if isinstance(given, list) else [given])[:_MOST_EVIDENCE]:
        told = each if isinstance(each, dict) else {}
        number = told.get("sentence", each)
        quote = told.get("quote", each)
        is_number = isinstance(number, int) and not isinstance(number, bool)
        yield (number if is_number else None), (quote.strip() if isinstance(quote, str) else "")


def find_quotes(note: Note, quote: str, *, near: int | None = None) -> list[Quote]:
    """Give where a quote stands in the note, in the sentence `near` if it does; else nothing.

    A quote with dots for what it leaves out stands in the note where all of its pieces do.
    """
    pieces = [piece.strip(_EDGES) for piece in _ELLIPSIS.split(_NUMBER.sub("", quote))]
    found = [_find(note, piece, near) for piece in pieces if piece]
    return [each for each in found if each is not None] if all(found) else []


def _find(note: Note, piece: str, near: int | None) -> Quote | None:
    words = piece.translate(_ALIKE).split()
    if not any(letter.isalnum() for letter in piece):
        return None
    body = r"\s+".join(map(re.escape, words))
    pattern = re.compile(rf"(?<!\w){body}(?!\w)", re.IGNORECASE)
    text = note.text.translate(_ALIKE)
    sentence = None if near is None else note.sentence(near)
    match = sentence and pattern.search(text, sentence.start, sentence.end)
    match = match or pattern.search(text)
    if match is None:
        return None
    start, end = match.span()
    return Quote(note.sentence_at(start).number, start, end, note.text[start:end])
