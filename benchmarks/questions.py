"""What is asked: questions made of words that stand together in the records, drawn by seed.

A question is free of any engine; `ours.py` and `fts5.py` each say it in their own language.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import msgspec

__all__ = ["BROAD", "THREE_WORDS", "Question", "build_questions"]

SAMPLE = 6_000
"""Records read to learn which words are common and which stand together."""
PER_SET = 75
"""Questions a set; a fifth warms up, the rest is measured once each."""
BROAD = ("3 words, fielded, broad", "3 words, any field, broad")
SELECTIVE = ("3 words, fielded, selective", "3 words, any field, selective")
THREE_WORDS = (*BROAD, *SELECTIVE)
UNORDERED = "3 words, fielded, broad, in any order"
"""As the v2 API answers unless an order is asked for."""
DEEP = 5_000

_WORD = re.compile(r"[A-Za-z]{4,}")
_CITY = re.compile(r"[A-Za-z ]{3,}")
_BROAD_FILTERS = (
    (("COMPLETED",), ("PHASE2", "PHASE3")),
    (("COMPLETED", "RECRUITING", "UNKNOWN"), ("PHASE1", "PHASE2", "PHASE3", "PHASE4")),
    (("RECRUITING", "NOT_YET_RECRUITING", "COMPLETED"), ("PHASE2",)),
)


@dataclass(frozen=True, slots=True)
class Question:
    """Words by `query.*` suffix, and what else must hold; the top 50 and the total are wanted."""

    words: tuple[tuple[str, str], ...]
    phrase: bool = False
    statuses: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    started: tuple[str, str] | None = None
    order: Literal["relevance", "newest", "any"] = "relevance"
    near: tuple[float, float, float] | None = None
    """Latitude, longitude and kilometres."""
    site: tuple[str, str] | None = None
    """City and recruiting status of one and the same site."""
    offset: int = 0


@dataclass(frozen=True, slots=True)
class _Seen:
    """What one sampled record can be asked for."""

    pairs: tuple[str, ...]
    """Two neighbouring words of a condition."""
    drugs: tuple[str, ...]
    status: str
    phases: tuple[str, ...]
    sites: tuple[tuple[str, str], ...]
    points: tuple[tuple[float, float], ...]


def build_questions(paths: Sequence[Path], *, seed: int = 1) -> Mapping[str, Sequence[Question]]:
    """Give the sets of questions by name, the same for the same records and seed."""
    rng = random.Random(seed)
    seen = [_look(record) for record in _iter_sample(paths)]
    broad = _broad_triples(seen)
    selective = _selective_triples(seen, rng)
    words = [word for word, _ in _count(record.drugs for record in seen)[:20]]
    words += [pair.split()[-1] for pair, _ in _count(record.pairs for record in seen)[:80]]
    common = [Question((("term", word),)) for word in dict.fromkeys(words)][:PER_SET]
    return {
        BROAD[0]: broad,
        BROAD[1]: [_in_any_field(question) for question in broad],
        UNORDERED: [replace(question, order="any") for question in broad],
        SELECTIVE[0]: selective,
        SELECTIVE[1]: [_in_any_field(question) for question in selective],
        "1 broad word": common,
        "phrase": _phrases(seen, rng),
        "start date range, newest first": [_dated(question, rng) for question in common],
        "word near a place": _near(seen, rng),
        "word and one site's city and status": _at_site(seen, rng),
        f"1 broad word, from {DEEP:,} on": [replace(q, offset=DEEP) for q in common[:25]],
    }


def _iter_sample(paths: Sequence[Path]) -> Iterator[dict[str, Any]]:
    share = max(SAMPLE // len(paths), 1)
    for path in paths:
        with path.open("rb") as lines:
            for line, _ in zip(lines, range(share), strict=False):
                yield msgspec.json.decode(line)


def _look(record: dict[str, Any]) -> _Seen:
    protocol = record["protocolSection"]
    design = protocol.get("designModule", {})
    arms = protocol.get("armsInterventionsModule", {})
    locations = protocol.get("contactsLocationsModule", {}).get("locations", [])
    conditions = protocol.get("conditionsModule", {}).get("conditions", [])
    names = [intervention.get("name", "") for intervention in arms.get("interventions", [])]
    return _Seen(
        pairs=tuple(pair for text in conditions for pair in _pairs(text)),
        drugs=tuple(dict.fromkeys(word.lower() for n in names for word in _WORD.findall(n))),
        status=protocol["statusModule"]["overallStatus"],
        phases=tuple(phase for phase in design.get("phases", []) if phase != "NA"),
        sites=tuple(
            (place["city"], place["status"])
            for place in locations
            if "status" in place and _CITY.fullmatch(place.get("city", ""))
        ),
        points=tuple((p["lat"], p["lon"]) for place in locations if (p := place.get("geoPoint"))),
    )


def _pairs(text: str) -> Iterator[str]:
    words = text.lower().split()
    for first, second in pairwise(words):
        if _WORD.fullmatch(first) and _WORD.fullmatch(second):
            yield f"{first} {second}"


def _count(lists: Iterator[tuple[str, ...]]) -> list[tuple[str, int]]:
    counts = Counter(value for values in lists for value in set(values))
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _triple(pair: str, drug: str) -> tuple[tuple[str, str], ...]:
    return (("cond", pair), ("intr", drug))


def _broad_triples(seen: Sequence[_Seen]) -> list[Question]:
    together: Counter[tuple[str, str]] = Counter()
    for record in seen:
        together.update((p, d) for p in set(record.pairs) for d in record.drugs if d not in p)
    ranked = sorted(together.items(), key=lambda item: (-item[1], item[0]))[:PER_SET]
    return [
        Question(_triple(*words), statuses=statuses, phases=phases)
        for number, (words, _) in enumerate(ranked)
        for statuses, phases in [_BROAD_FILTERS[number % len(_BROAD_FILTERS)]]
    ]


def _selective_triples(seen: Sequence[_Seen], rng: random.Random) -> list[Question]:
    usable = [record for record in seen if record.pairs and record.drugs and record.phases]
    made = {
        Question(
            _triple(rng.choice(record.pairs), rng.choice(record.drugs)),
            statuses=(record.status,),
            phases=record.phases,
        ): None
        for record in rng.sample(usable, min(PER_SET, len(usable)))
    }
    return list(made)


def _in_any_field(question: Question) -> Question:
    text = " ".join(words for _, words in question.words)
    return replace(question, words=(("term", text),))


def _phrases(seen: Sequence[_Seen], rng: random.Random) -> list[Question]:
    ranked = [pair for pair, _ in _count(record.pairs for record in seen)]
    half = PER_SET // 2
    rare = rng.sample(ranked[half:], min(half, len(ranked[half:])))
    made = [Question((("cond", pair),), phrase=True) for pair in [*ranked[:half], *rare]]
    rng.shuffle(made)
    return made


def _dated(question: Question, rng: random.Random) -> Question:
    year = rng.randint(2004, 2018)
    return replace(question, started=(f"{year}-01-01", f"{year + 3}-12-31"), order="newest")


def _near(seen: Sequence[_Seen], rng: random.Random) -> list[Question]:
    usable = [record for record in seen if record.points and record.drugs]
    return [
        Question((("term", rng.choice(record.drugs)),), near=(*rng.choice(record.points), 80.0))
        for record in rng.sample(usable, min(PER_SET, len(usable)))
    ]


def _at_site(seen: Sequence[_Seen], rng: random.Random) -> list[Question]:
    usable = [record for record in seen if record.sites and record.drugs]
    return [
        Question((("term", rng.choice(record.drugs)),), site=rng.choice(record.sites))
        for record in rng.sample(usable, min(PER_SET, len(usable)))
    ]
