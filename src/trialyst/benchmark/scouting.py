"""Scouting against known indications: how often the suggestions down to a rank are true uses.

Only conditions in which the drug had no trial by the cutoff count, for the scout and for the
baseline, which suggests to every drug the conditions with most trials. The scout's own table of
known uses is not consulted, since it would hide what is looked for.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trialyst.agents.conditions import ConditionNames
from trialyst.agents.relatives import find_relatives
from trialyst.agents.scout import run_scout
from trialyst.annotation import DrugNames
from trialyst.benchmark.rows import read_rows
from trialyst.ctgov.query import TrialQuery
from trialyst.errors import InvalidInput
from trialyst.questions.names import read_drug
from trialyst.repurposing.annotated import load_annotated
from trialyst.repurposing.asking import Asking
from trialyst.repurposing.queries import build_query, posted_by, read_cutoff
from trialyst.vocabulary.concept import Kind

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from trialyst.repurposing.client import RepurposingClient
    from trialyst.vocabulary import Vocabulary

__all__ = ["RANKS", "load_indications", "score_scouting"]

RANKS = (1, 3, 5, 10)
_COLUMNS = (("drug_name", "ind_name", "status", "Approved"), ("drug", "disease", "category", "DM"))
"""Drug, condition, label and the label that means a true use, in repoDB and PharmacotherapyDB."""


@dataclass(frozen=True, slots=True)
class _Lists:
    """What was suggested for one drug, best first, and what is true of it."""

    drug: str
    scout: tuple[str, ...]
    popular: tuple[str, ...]
    true: frozenset[str]


def load_indications(paths: Sequence[Path], vocabulary: Vocabulary) -> dict[str, set[str]]:
    """Read true uses: by the preferred name of a drug, the ids of its conditions.

    Raises:
        InvalidInput: a file cannot be read, or no line of it has the columns of either source.
    """
    conditions = ConditionNames(vocabulary)
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in paths:
        rows = [row for _, row in read_rows(path)]
        columns = next((each for each in _COLUMNS if rows and set(each[:3]) <= set(rows[0])), None)
        if columns is None:
            raise InvalidInput(
                f"{path.name} has neither the columns of repoDB nor those of PharmacotherapyDB",
                hint="Each line needs drug_name, ind_name and status, or drug, disease and "
                "category.",
                invalid_input=str(path),
            )
        drug, condition, label, true = columns
        for row in rows:
            meant = vocabulary.resolve(str(row[drug]), kinds=(Kind.DRUG,))
            known = conditions.read(str(row[condition]))
            if row[label] == true and meant.exact and meant.concept and known:
                found[meant.concept.preferred].add(known.key)
    return dict(found)


async def score_scouting(
    client: RepurposingClient,
    truth: Mapping[str, set[str]],
    *,
    cutoff: str,
    drugs: int,
    seed: int = 42,
    on_drug: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Scout for drugs drawn by seed as of a cutoff, and give the precision by rank.

    A drug is drawn if it has relatives, trials by the cutoff, and a true use in which it had none.
    """
    day = read_cutoff(cutoff)
    assert day is not None
    popular, names = await _popularity(client, day)
    known = sorted(drug for drug in truth if find_relatives(client.vocabulary, drug))
    random.Random(seed).shuffle(known)
    lists: list[_Lists] = []
    for drug in known:
        if len(lists) == drugs:
            break
        own = await _own_conditions(client, drug, day)
        true = {key for key in truth[drug] if key in names and key not in own}
        if own and true:
            lists.append(await _suggest(client, drug, cutoff, popular=popular, own=own, true=true))
            if on_drug:
                on_drug(len(lists), drugs)
    return _figures(lists, cutoff=day.isoformat(), seed=seed)


async def _suggest(
    client: RepurposingClient,
    drug: str,
    cutoff: str,
    *,
    popular: Sequence[str],
    own: set[str],
    true: set[str],
) -> _Lists:
    most = max(RANKS)
    report = await run_scout(
        client,
        drug,
        date_before=cutoff,
        point_in_time=True,
        limit=2 * most,
        consult_uses=False,
    )
    conditions = ConditionNames(client.vocabulary)
    named = (conditions.read(each.condition) for each in report.indications if not each.own_trials)
    scouted = [each.key for each in named if each and each.key not in own]
    return _Lists(
        drug=drug,
        scout=tuple(scouted[:most]),
        popular=tuple(key for key in popular if key not in own)[:most],
        true=frozenset(true),
    )


async def _popularity(client: RepurposingClient, day: date) -> tuple[list[str], set[str]]:
    """Give all conditions seen by a day, those with most trials first."""
    query = TrialQuery(filters=(posted_by(day),))
    counts = Counter(key for found in await _conditions(client, query, day) for key in found)
    return sorted(counts, key=lambda key: (-counts[key], key)), set(counts)


async def _own_conditions(client: RepurposingClient, drug: str, day: date) -> set[str]:
    query = build_query(read_drug(client.vocabulary, drug), cutoff=day)
    return {key for found in await _conditions(client, query, day) for key in found}


async def _conditions(client: RepurposingClient, query: TrialQuery, day: date) -> list[set[str]]:
    """Give what each trial is about."""
    asking = Asking(client.source, DrugNames(client.vocabulary), client.clock(), day)
    names = ConditionNames(client.vocabulary)
    return [
        {each.key for each in names.read_all(annotation.conditions)}
        for _, annotation in await load_annotated(asking, query)
    ]


def _figures(lists: Sequence[_Lists], *, cutoff: str, seed: int) -> dict[str, Any]:
    return {
        "cutoff": cutoff,
        "seed": seed,
        "drugs": len(lists),
        "suggested": sum(len(each.scout) for each in lists),
        "true_uses": sum(len(each.true) for each in lists),
        "precision": {
            name: {str(rank): _precision(lists, name, rank) for rank in RANKS}
            for name in ("scout", "popular")
        },
        "drugs_with_a_hit": {
            name: sum(any(key in each.true for key in getattr(each, name)) for each in lists)
            for name in ("scout", "popular")
        },
    }


def _precision(lists: Sequence[_Lists], name: str, rank: int) -> float | None:
    """Give the share of true uses among what was suggested down to a rank, over all drugs."""
    shown = [(key, each.true) for each in lists for key in getattr(each, name)[:rank]]
    return round(sum(key in true for key, true in shown) / len(shown), 4) if shown else None
