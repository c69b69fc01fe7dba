"""Rows chosen for a run: by keywords, and by a stratified sample that is the same every time.

No pair of note and criterion is drawn twice, even where a file holds it twice.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trialyst.benchmark.annotations import CriterionAnnotation
from trialyst.benchmark.config import Balance
from trialyst.benchmark.metrics import VERDICTS
from trialyst.errors import InvalidInput
from trialyst.matching.judging.result import Verdict

__all__ = ["Phase0Sample", "filter_by_keywords", "stratified_sample", "take_all"]


@dataclass(frozen=True, slots=True)
class Phase0Sample:
    """The pairs of note and criterion a run judges, in the order of their file."""

    pairs: tuple[CriterionAnnotation, ...]
    notes: tuple[str, ...] = ()
    """What a reader must know of the choice."""

    @property
    def labels(self) -> dict[str, int]:
        """How many pairs have each label of the experts."""
        return dict(sorted(Counter(pair.label for pair in self.pairs).items()))


def filter_by_keywords(
    rows: Sequence[CriterionAnnotation], keywords: Sequence[str]
) -> list[CriterionAnnotation]:
    """Keep the rows whose note, trial title or criterion holds one of the keywords.

    Keywords are whole words or phrases, blind to case; none at all keeps every row.

    Raises:
        InvalidInput: no row is left.
    """
    if not keywords:
        return list(rows)
    words = ("".join(rf"{re.escape(part)}\s+" for part in each.split())[:-3] for each in keywords)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", re.IGNORECASE)
    kept = [
        row
        for row in rows
        if any(pattern.search(text) for text in (row.note, row.trial_title, row.criterion))
    ]
    if not kept:
        raise InvalidInput(
            f"The sample is empty: none of {len(rows):,} rows holds {' or '.join(keywords)}",
            hint="Change or leave out data.keyword_filter.",
        )
    return kept


def take_all(rows: Sequence[CriterionAnnotation]) -> Phase0Sample:
    """Give every row as the sample."""
    return _checked(Phase0Sample(tuple(rows)))


def stratified_sample(
    rows: Sequence[CriterionAnnotation],
    *,
    n_pairs: int,
    seed: int,
    balance: Balance = "proportional",
) -> Phase0Sample:
    """Draw pairs so that the experts' verdicts are balanced as asked.

    Where a verdict has fewer rows than its part, the others fill the place, and the sample says so.

    Raises:
        InvalidInput: there is no row to draw from.
    """
    unique = {(row.patient_id, row.note, row.criterion, row.kind): row for row in reversed(rows)}
    strata: dict[Verdict, list[CriterionAnnotation]] = {verdict: [] for verdict in VERDICTS}
    for row in reversed(unique.values()):
        strata[row.verdict].append(row)
    sizes = {verdict: len(held) for verdict, held in strata.items()}
    asked = _quotas(_weights(balance, sizes), n_pairs)
    given = _fill(asked, sizes)
    draw = random.Random(seed)
    chosen = {
        id(row) for verdict in VERDICTS for row in draw.sample(strata[verdict], given[verdict])
    }
    pairs = tuple(row for row in reversed(unique.values()) if id(row) in chosen)
    return _checked(Phase0Sample(pairs, tuple(_remarks(n_pairs, asked, given))))


def _weights(balance: Balance, sizes: Mapping[Verdict, int]) -> dict[Verdict, float]:
    if balance == "proportional":
        return {verdict: float(size) for verdict, size in sizes.items()}
    if balance == "equal":
        return {verdict: 1.0 if size else 0.0 for verdict, size in sizes.items()}
    return {verdict: balance.get(verdict, 0.0) for verdict in sizes}


def _quotas(weights: Mapping[Verdict, float], n: int) -> dict[Verdict, int]:
    """Part a number by weights, the largest remainders first."""
    whole = sum(weights.values())
    if not whole:
        return dict.fromkeys(weights, 0)
    exact = {verdict: n * weight / whole for verdict, weight in weights.items()}
    quotas = {verdict: int(part) for verdict, part in exact.items()}
    order = sorted(exact, key=lambda verdict: (quotas[verdict] - exact[verdict], verdict))
    for verdict in order[: n - sum(quotas.values())]:
        quotas[verdict] += 1
    return quotas


def _fill(asked: Mapping[Verdict, int], sizes: Mapping[Verdict, int]) -> dict[Verdict, int]:
    """Take what there is, and let those that have more stand in for those that have too few."""
    given = {verdict: min(part, sizes[verdict]) for verdict, part in asked.items()}
    lacking = sum(asked.values()) - sum(given.values())
    while lacking:
        spare = [each for each in given if given[each] < sizes[each] and asked[each]]
        if not spare:
            break
        for verdict in spare[:lacking]:
            given[verdict] += 1
        lacking -= len(spare[:lacking])
    return given


def _remarks(n_pairs: int, asked: Mapping[Verdict, int], given: Mapping[Verdict, int]) -> list[str]:
    remarks = [
        f"Only {given[verdict]} of {part} pairs labelled {verdict.value} exist."
        for verdict, part in asked.items()
        if given[verdict] < part
    ]
    drawn = sum(given.values())
    if drawn < n_pairs:
        remarks.append(f"The sample has {drawn} of {n_pairs} pairs: there are no more.")
    return remarks


def _checked(sample: Phase0Sample) -> Phase0Sample:
    if not sample.pairs:
        raise InvalidInput(
            "The sample is empty", hint="Give data with labelled rows, or another balance."
        )
    return sample
