"""What the readers find in a text against what experts marked: things, and how they are spoken of.

Three forms of labelled files are known by their columns: Chia (`text`, `entities`), the clinical
trial parser's (`text`, `spans`, places from 1), both criteria, read as requirements line by line;
and ConText (`sentence`, `concept`, `negation`), sentences of notes.
A thing counts as found where a leaf of the same field overlaps it; nothing is asked of its edges.
"""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trialyst.benchmark.rows import read_rows
from trialyst.eligibility.lexicon import Lexicon
from trialyst.eligibility.parse import CriterionParser
from trialyst.eligibility.reading.scope import read_scope
from trialyst.eligibility.requirement import (
    Age,
    Allergy,
    Childbearing,
    Habit,
    Has,
    Leaf,
    Marker,
    Measured,
    Person,
    Took,
    Underwent,
    leaves,
)
from trialyst.errors import InvalidInput
from trialyst.vocabulary import Vocabulary

__all__ = ["Tally", "measure_extraction"]

RESAMPLES = 1000
SEED = 42

Span = tuple[int, int]


CHIA = {
    "condition": "Condition",
    "treatment": "Drug Procedure Device",
    "measurement": "Measurement",
}
PARSER = {
    "condition": "chronic_disease cancer",
    "treatment": "treatment contraception_consent",
    "allergy": "allergy_name",
    "pregnancy": "pregnancy",
}
"""Field: what the file calls it. Not the second file's measurements: numbers stand in it as
`@NUMBER`, which nothing can read."""
EFFECTS = {
    "negation": ("negation", "Negated", "negated"),
    "history": ("temporality", "Historical", "historical"),
    "experiencer": ("experiencer", "", "family"),
}


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of one text and one field."""

    gold: int
    found: int
    told: int
    right: int


_Row = Mapping[str, Tally]


def measure_extraction(path: Path, vocabulary: Vocabulary) -> dict[str, Any]:
    """Read the texts of a labelled file and compare.

    Raises:
        InvalidInput: the file cannot be read, or is of no known form.
    """
    started = time.perf_counter()
    rows = list(read_rows(path))
    form, measure = _form(rows, path, vocabulary)
    tallies: list[_Row] = []
    for number, row in rows:
        try:
            tallies.append(measure(row))
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidInput(
                f"Line {number} of {path.name} is not a row of the form {form}: {error!r}",
                hint="Give one file in one form.",
            ) from None
    fields = list(dict.fromkeys(field for row in tallies for field in row))
    per_field = {name: _rates([row[name] for row in tallies if name in row]) for name in fields}
    flat = [tally for row in tallies for tally in row.values()]
    figures = _rates(flat)
    return {
        "form": form,
        "texts": len(tallies),
        **figures,
        "per_field": per_field,
        "intervals": _intervals(tallies),
        "seconds": time.perf_counter() - started,
    }


def _form(
    rows: Sequence[tuple[int, Mapping[str, Any]]], path: Path, vocabulary: Vocabulary
) -> tuple[str, Callable[[Mapping[str, Any]], _Row]]:
    first = rows[0][1] if rows else {}
    parser = CriterionParser(Lexicon(vocabulary))
    if "entities" in first and "text" in first:
        return "chia", lambda row: _things(parser, str(row["text"]), _chia(row), CHIA)
    if "spans" in first and "text" in first:
        return "parser", lambda row: _things(parser, str(row["text"]), _parser(row), PARSER)
    if {"sentence", "concept", "negation"} <= set(first):
        return "context", _context
    raise InvalidInput(
        f"{path.name} is in no form that extraction is measured on",
        hint="Give JSON lines with text and entities, text and spans, or sentence, concept and "
        "negation.",
        invalid_input=str(path),
    )


def _chia(row: Mapping[str, Any]) -> Iterator[tuple[str, list[Span]]]:
    for entity in row["entities"]:
        yield str(entity["type"]), [(int(start), int(end)) for start, end in entity["spans"]]


def _parser(row: Mapping[str, Any]) -> Iterator[tuple[str, list[Span]]]:
    for span in row["spans"]:
        yield str(span["type"]), [(int(span["start"]) - 1, int(span["end"]) - 1)]


def _things(
    parser: CriterionParser,
    text: str,
    marked: Iterable[tuple[str, list[Span]]],
    fields: Mapping[str, str],
) -> _Row:
    told: dict[str, set[Span]] = {name: set() for name in fields}
    for leaf, span in _leaves(parser, text):
        for name in _fields_of(leaf):
            if name in told:
                told[name].add(span)
    listed = list(marked)
    return {
        name: _overlaps(
            [spans for label, spans in listed if label in labels.split()], sorted(told[name])
        )
        for name, labels in fields.items()
    }


def _leaves(parser: CriterionParser, text: str) -> Iterator[tuple[Leaf, Span]]:
    """Yield the leaves of every line with their place in the whole text."""
    start = 0
    for line in text.splitlines(keepends=True):
        if line.strip():
            for leaf in leaves(parser.parse(line)):
                yield leaf, (leaf.span[0] + start, leaf.span[1] + start)
        start += len(line)


def _fields_of(leaf: Leaf) -> tuple[str, ...]:
    """Give the fields in which experts mark what a leaf speaks of."""
    match leaf:
        case Has(general="contraindication", what=what) if what is not None:
            return "condition", "treatment"
        case Has() | Habit(state="abuse") | Person(role="healthy volunteer"):
            return ("condition",)
        case Allergy(span=span, words=words):
            # The word for the allergy is marked as a condition; the span holds it with the first.
            named = span[1] - span[0] > len(words) or words == "study drug"
            return ("condition", "treatment", "allergy") if named else ("treatment", "allergy")
        case Childbearing(state=state):
            return _CHILDBEARING.get(state, ("condition", "pregnancy"))
        case Took(general=general):
            # Taking part in trials is marked as an observation.
            return () if general in ("other trial", "investigational drug") else ("treatment",)
        case Underwent():
            return ("treatment",)
        case Measured() | Marker() | Age(gestational=True):
            return ("measurement",)
        case _:
            return ()


_CHILDBEARING = {"contraception": (), "pregnancy_test": ("pregnancy",)}


def _overlaps(gold: Sequence[Sequence[Span]], told: Sequence[Span]) -> Tally:
    found = sum(any(_meet(one, other) for one in spans for other in told) for spans in gold)
    right = sum(any(_meet(one, other) for spans in gold for one in spans) for other in told)
    return Tally(len(gold), found, len(told), right)


def _meet(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _context(row: Mapping[str, Any]) -> _Row:
    """Compare how a sentence speaks of a concept in it; one it does not hold is left out."""
    sentence = str(row["sentence"])
    words = r"\s+".join(map(re.escape, str(row["concept"]).split()))
    places = list(re.finditer(words, sentence, re.IGNORECASE)) if words else []
    if not places:
        return {}
    # The kit writes the concept in capitals where it is meant.
    place = next((each for each in places if each.group().isupper()), places[0])
    effects = read_scope(sentence).effects(*place.span())
    tallies = {}
    for name, (column, value, effect) in EFFECTS.items():
        holds = row[column] == value if value else row[column] != "Patient"
        said = effect in effects
        tallies[name] = Tally(int(holds), int(holds and said), int(said), int(holds and said))
    return tallies


def _rates(tallies: Sequence[Tally]) -> dict[str, Any]:
    gold, found = sum(each.gold for each in tallies), sum(each.found for each in tallies)
    told, right = sum(each.told for each in tallies), sum(each.right for each in tallies)
    precision, recall = _rate(right, told), _rate(found, gold)
    f1 = _rate(2 * precision * recall, precision + recall)
    return {"n": gold, "told": told, "precision": precision, "recall": recall, "f1": f1}


def _rate(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _intervals(rows: Sequence[_Row]) -> dict[str, tuple[float, float]]:
    """Give 95 % bounds, bootstrapped over texts."""
    summed = [_sum(row.values()) for row in rows]
    draw = random.Random(SEED)
    drawn = []
    for _ in range(RESAMPLES):
        # Drawing a text several times is counting it several times.
        times = Counter(draw.choices(range(len(summed)), k=len(summed)))
        drawn.append(_rates([_times(summed[place], n) for place, n in times.items()]))
    last = RESAMPLES - 1
    bounds = {}
    for name in ("precision", "recall", "f1"):
        ordered = sorted(float(each[name]) for each in drawn)
        bounds[name] = ordered[round(0.025 * last)], ordered[round(0.975 * last)]
    return bounds


def _sum(tallies: Iterable[Tally]) -> Tally:
    held = list(tallies)
    return Tally(
        sum(each.gold for each in held),
        sum(each.found for each in held),
        sum(each.told for each in held),
        sum(each.right for each in held),
    )


def _times(tally: Tally, n: int) -> Tally:
    return Tally(tally.gold * n, tally.found * n, tally.told * n, tally.right * n)
