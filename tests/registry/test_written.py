"""Words as written: the index and the stored text say the same of every text that is asked for."""

from __future__ import annotations

import random
from pathlib import Path

from tests.registry.invented import study
from tests.registry.oracle.evaluator import predicate
from tests.registry.oracle.records import Record
from trialyst.ctgov.query import TrialQuery
from trialyst.essie import parse
from trialyst.folding import fold
from trialyst.registry import Registry, build_from_studies
from trialyst.registry.written import SEPARATORS, holds_as_folded, is_irregular, written_tokens

PARTS = (
    *("a", "A", "b", "ab", "s", "'s", "’s", "x2", "2", "é", "e\u0301", "™", "²", "β", "Å", "ß"),
    *(" ", " ", " ", "  ", "\u00a0", "-", "–", "/", "(", ")", "_", '"', "\\", "|", "^", "\u2028"),
    *(*SEPARATORS,),
)
VALUES, ASKED, SEED = 250, 350, 7


def test_separators_end_words_when_they_are_folded() -> None:
    assert [mark for mark in SEPARATORS if fold(f"ab{mark}cd") != ["ab", "cd"]] == []


def test_the_same_tokens_mean_the_same_text_but_for_spaces() -> None:
    rng = random.Random(SEED)
    seen: dict[tuple[str, ...], str] = {}
    for _ in range(3000):
        text = "".join(rng.choices(PARTS, k=rng.randint(1, 5)))
        collapsed = " ".join(text.split())
        assert seen.setdefault(tuple(written_tokens(text)), collapsed) == collapsed


def test_what_is_folded_differently_is_irregular() -> None:
    assert [is_irregular(text) for text in ("Xeljanz™", "e\u0301", "x\x7f")] == [True] * 3
    assert not is_irregular("Sjögren’s “syndrome” – 5 µg/m²")
    assert not holds_as_folded("s disease")
    assert not holds_as_folded("(mild)")
    assert holds_as_folded(" COVID-19 ")


def test_engine_and_oracle_agree_on_texts_of_difficult_characters(tmp_path: Path) -> None:
    rng = random.Random(SEED)
    values = ["".join(rng.choices(PARTS, k=rng.randint(1, 9))) for _ in range(VALUES)]
    studies = [
        study(number, conditions={"conditions": values[at : at + 2]})
        for number, at in enumerate(range(0, VALUES, 2), start=1)
    ]
    build_from_studies(studies, tmp_path / "registry")
    registry = Registry.open(tmp_path / "registry")
    records = [Record(each) for each in studies]
    differences = []
    for _ in range(ASKED):
        value = rng.choice(values)
        start = rng.randrange(len(value))
        text = value[start : start + rng.randint(1, 8)].replace("\\", "").replace('"', "").strip()
        if not any(map(str.isalnum, text)):
            continue
        level = rng.choice(("None", "None", "Term"))
        coverage = rng.choice(("Contains", "StartsWith", "EndsWith", "FullMatch"))
        asked = f'AREA[Condition]EXPANSION[{level}]COVERAGE[{coverage}]"{text}"'
        node = parse(asked)
        found = registry.match_numbers(TrialQuery(filters=(node,)))
        holds = predicate(node)
        right = {number for number, record in enumerate(records, 1) if holds(record)}
        if found != right:
            differences.append((asked, found, right))
    assert not differences
