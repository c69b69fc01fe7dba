"""How many real names are corrected, and how many rare ones are turned into another.

Thresholds were chosen on the other half of these names.
"""

from __future__ import annotations

import asyncio
import random
import re
import sys
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.questions.misspelling import misspell
from tests.registry.oracle.corpus import iter_studies
from trialyst.ctgov.query import TrialQuery
from trialyst.folding import fold_phrase
from trialyst.questions.spelling import correct_name, is_known_name
from trialyst.registry import Registry, RegistrySource, build_from_studies
from trialyst.vocabulary import Kind, Vocabulary
from trialyst.vocabulary.spelling import Correction

STUDIES = 6_000
SLIPS = 200
RARE = 200
KINDS = {"cond": (Kind.CONDITION,), "intr": (Kind.DRUG,)}


class Case(NamedTuple):
    """A misspelt name and the name that was meant."""

    written: str
    meant: str
    param: str


@dataclass
class Tally:
    """How corrections turned out."""

    clear: int = 0
    right: int = 0
    among_three: int = 0
    cases: int = 0
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.cases} misspelt, {self.clear} corrected, {self.right} of them rightly, "
            f"{self.among_three} right among the first three"
        )


@pytest.fixture(scope="module")
def studies(data_dir: Path) -> list[dict[str, Any]]:
    """Real studies with nothing but names and titles."""
    return [_names_only(study) for study in islice(iter_studies(data_dir), STUDIES)]


def _names_only(study: dict[str, Any]) -> dict[str, Any]:
    protocol = study["protocolSection"]
    kept = ("identificationModule", "conditionsModule", "armsInterventionsModule")
    return {"protocolSection": {name: protocol[name] for name in kept if name in protocol}}


@pytest.fixture(scope="module")
def source(
    studies: list[dict[str, Any]],
    tmp_path_factory: pytest.TempPathFactory,
    vocabulary: Vocabulary,
) -> Iterator[RegistrySource]:
    directory = tmp_path_factory.mktemp("names")
    build_from_studies(studies, directory, vocabulary=vocabulary)
    with Registry.open(directory, vocabulary=vocabulary) as registry:
        yield RegistrySource(registry)


def names_of(studies: Iterable[dict[str, Any]]) -> dict[str, Counter[str]]:
    """Count the studies that name each condition and each drug."""
    counts: dict[str, Counter[str]] = {"cond": Counter(), "intr": Counter()}
    for study in studies:
        protocol = study["protocolSection"]
        counts["cond"].update(set(protocol.get("conditionsModule", {}).get("conditions", ())))
        arms = protocol.get("armsInterventionsModule", {}).get("interventions", ())
        drugs = (each for each in arms if each.get("type") in ("DRUG", "BIOLOGICAL"))
        counts["intr"].update({each["name"] for each in drugs})
    return counts


def is_for_reporting(name: str) -> bool:
    return zlib.crc32(name.lower().encode()) % 2 == 1


def generated(studies: list[dict[str, Any]], vocabulary: Vocabulary) -> list[Case]:
    frequent = [
        (name, param)
        for param, counts in names_of(studies).items()
        for name, count in sorted(counts.items())
        if count >= 8
        and is_for_reporting(name)
        and re.fullmatch(r"[a-z ]{5,}( \d)?", fold_phrase(name))
        and vocabulary.resolve(name, kinds=KINDS[param]).exact
    ]
    rng = random.Random(8)
    cases: list[Case] = []
    while len(cases) < SLIPS:
        name, param = rng.choice(frequent)
        slips = 2 if rng.random() < 0.2 and len(name) >= 9 else 1
        written = misspell(rng, name, slips=slips)
        if written and fold_phrase(written) != fold_phrase(name):
            cases.append(Case(written, name, param))
    return cases


def typical() -> list[Case]:
    """Give the misspellings that people make, as far as their names are for reporting."""
    cases = []
    for line in Path(__file__).with_name("misspellings.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            written, _, meant = line.partition(" = ")
            meant, _, is_drug = meant.partition(" | ")
            cases.append(Case(written, meant, "intr" if is_drug else "cond"))
    return [case for case in cases if is_for_reporting(case.meant)]


def tally(source: RegistrySource, vocabulary: Vocabulary, cases: Iterable[Case]) -> Tally:
    found = Tally()
    for case in cases:
        if is_known_name(vocabulary, case.written, param=case.param):
            continue
        correction = asyncio.run(correct_name(source, vocabulary, case.written, param=case.param))
        offered = [correction.best, *correction.others] if correction.best else []
        right = [_means(vocabulary, each.text, case) for each in offered]
        found.cases += 1
        found.among_three += any(right[:3])
        found.clear += correction.clear
        found.right += correction.clear and right[0]
        if correction.clear and not right[0]:
            found.wrong.append(f"{case.written}: {offered[0].text}, not {case.meant}")
    return found


def _means(vocabulary: Vocabulary, text: str, case: Case) -> bool:
    if fold_phrase(text) == fold_phrase(case.meant):
        return True
    meant = [vocabulary.resolve(each, kinds=KINDS[case.param]) for each in (text, case.meant)]
    return meant[0].exact and meant[0].concept == meant[1].concept


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["generated", "typical"])
def test_slips_are_corrected_to_the_name_that_was_meant(
    source: RegistrySource,
    vocabulary: Vocabulary,
    studies: list[dict[str, Any]],
    kind: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    cases = typical() if kind == "typical" else generated(studies, vocabulary)
    found = tally(source, vocabulary, cases)
    with capsys.disabled():
        sys.stdout.write(f"\n{kind} slips: {found}\n")
    assert found.right >= 0.99 * found.clear, found.wrong
    assert found.clear >= 0.75 * found.cases
    assert found.among_three >= 0.9 * found.cases


class VocabularyWithout(Vocabulary):
    """A vocabulary that some concepts were taken out of."""

    gone: frozenset[int] = frozenset()

    def _hits(self, key: str, written: str | None, kinds: Collection[Kind]) -> list[Any]:
        return [hit for hit in super()._hits(key, written, kinds) if hit.line not in self.gone]

    def take_out(self, name: str) -> None:
        self.gone = frozenset(place.line for place in self._table.places(fold_phrase(name)))
        self._concepts.clear()


class SourceWithout(RegistrySource):
    """A registry that a name was taken out of, and those of its words that few studies hold."""

    name = ""

    async def words_starting(self, beginnings: Sequence[str], param: str) -> Mapping[str, int]:
        words = fold_phrase(self.name).split()
        found = await super().words_starting(beginnings, param)
        gone = {word for word in words if len(words) == 1 or found.get(word, 0) <= 5}
        gone.add("".join(words))
        return {word: count for word, count in found.items() if word not in gone}

    async def count(self, query: TrialQuery) -> int:
        texts = [getattr(node, "text", "") for _, node in query.queries]
        is_name = any(fold_phrase(text) == fold_phrase(self.name) for text in texts)
        return 0 if is_name else await super().count(query)


def rare_names(studies: list[dict[str, Any]], vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    """Give drugs and diseases of the vocabulary, and names that one study has."""
    rng = random.Random(16)
    lines = [vocabulary._table.line(at).split("\t") for at in range(vocabulary._table.lines)]
    drugs = [line[5] for line in lines if line[1] == "d" and "drug-names" in line[2]]
    codes = [line[5] for line in lines if line[1] == "d" and re.match(r"[A-Z]+ ?\d+\|", line[5])]
    diseases = [line[5] for line in lines if line[1] == "c" and "supplementary" in line[2]]
    counts = names_of(studies)
    once = {
        param: sorted(
            name for name, count in counts[param].items() if count == 1 and len(name) < 50
        )
        for param in counts
    }
    for param, names in (("intr", drugs), ("intr", codes), ("cond", diseases), *once.items()):
        chosen = (name.split("|")[0].lstrip("+~<=") for name in names)
        reported = [name for name in chosen if is_for_reporting(name)]
        yield from ((name, param) for name in rng.sample(reported, min(len(reported), RARE // 5)))


@pytest.mark.slow
def test_a_rare_name_is_not_turned_into_another(
    source: RegistrySource,
    vocabulary: Vocabulary,
    studies: list[dict[str, Any]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each was taken out of the vocabulary and out of the records, or only out of the first."""
    names = list(rare_names(studies, vocabulary))
    known = VocabularyWithout(vocabulary._table)
    held = SourceWithout(source.registry)
    turned, widened = [], []
    for name, param in names:
        known.take_out(name)
        held.name = name
        correction = asyncio.run(correct_name(held, known, name, param=param))
        if correction.clear and not _is_itself(vocabulary, name, correction):
            turned.append((name, correction.best))
        beside = asyncio.run(correct_name(source, known, name, param=param))
        if beside.beside and not _is_itself(vocabulary, name, beside):
            widened.append((name, beside.best))
    with capsys.disabled():
        told = f"{len(turned)} turned into another, {len(widened)} held and searched with another"
        sys.stdout.write(f"\nof {len(names)} rare names {told}: {widened}\n")
    assert len(names) >= 0.9 * RARE
    assert len(turned) <= 0.01 * len(names), turned
    assert len(widened) <= 0.02 * len(names), widened


def _is_itself(vocabulary: Vocabulary, name: str, correction: Correction) -> bool:
    assert correction.best is not None
    known = vocabulary.resolve(name)
    return known.exact and known.concept == vocabulary.resolve(correction.best.text).concept
