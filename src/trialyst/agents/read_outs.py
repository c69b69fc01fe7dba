"""What reads out next in a condition, and the end points that its late trials use."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from trialyst.agents.findings import EndPointUse, ReadOut
from trialyst.agents.wording import ONGOING, last_day, rank_of, shorten
from trialyst.ids import NctId
from trialyst.questions.names import read_condition
from trialyst.repurposing.queries import LATER_PHASES, build_query, phases_among
from trialyst.repurposing.views import DRUG_TYPES

if TYPE_CHECKING:
    from trialyst.agents.findings import Question
    from trialyst.ctgov import trial as registered
    from trialyst.repurposing.client import RepurposingClient
    from trialyst.repurposing.rows import TrialRow

__all__ = ["find_read_outs"]

MOST_READ_OUTS = 12
MOST_END_POINTS = 10
RECORDS_READ = 60
"""Late trials under way whose end points are counted, those that read out first."""
_LONGEST = 90
_CONTROL = re.compile(r"placebo|sham|standard[- ]of[- ]care|usual care", re.IGNORECASE)


async def find_read_outs(
    client: RepurposingClient, question: Question
) -> tuple[tuple[ReadOut, ...], tuple[EndPointUse, ...]]:
    """Give expected read-outs of drug trials under way, the next first, and end points in use.

    As of a past day nothing that is expected is known.
    """
    asking = client.asking(question.date_before, point_in_time=question.point_in_time)
    query = build_query(
        read_condition(asking.vocabulary, question.condition),
        filters=(phases_among(LATER_PHASES),),
        cutoff=asking.cutoff,
    )
    rows = [row for row in await asking.rows(query) if _is_under_way(row)]
    dated = [(day, row) for row in rows if (day := last_day(row.first("PrimaryCompletionDate")))]
    ahead = sorted(
        ((day, row) for day, row in dated if day >= asking.today),
        key=lambda each: (each[0], -rank_of(each[1].phase), each[1].nct_id),
    )
    chosen = [row for _, row in ahead[:RECORDS_READ]]
    records = await client.source.get_many([NctId.parse(row.nct_id) for row in chosen])
    by_id = {record.nct_id: record for record in records}
    read_outs = tuple(
        _read_out(row, by_id[row.nct_id]) for row in chosen[:MOST_READ_OUTS] if row.nct_id in by_id
    )
    return read_outs, _end_points(records)


def _is_under_way(row: TrialRow) -> bool:
    return row.status in ONGOING and any(kind in DRUG_TYPES for kind in row.intervention_types)


def _read_out(row: TrialRow, record: registered.Trial) -> ReadOut:
    given = [each.name for each in record.interventions if each.type in DRUG_TYPES]
    drugs = [name for name in given if not _CONTROL.search(name)] or given
    measure = record.primary_outcomes[0].measure if record.primary_outcomes else ""
    return ReadOut(
        date=str(row.first("PrimaryCompletionDate")),
        nct_id=row.nct_id,
        sponsor=row.sponsor,
        drugs=", ".join(dict.fromkeys(drugs[:3])),
        phase=row.phase,
        end_point=shorten(measure, _LONGEST),
    )


def _end_points(records: Iterable[registered.Trial]) -> tuple[EndPointUse, ...]:
    counts: Counter[str] = Counter()
    written: dict[str, str] = {}
    trials: dict[str, list[str]] = {}
    for record in records:
        for outcome in record.primary_outcomes[:1]:
            name = shorten(outcome.measure, _LONGEST)
            key = name.casefold().rstrip(". ")
            counts[key] += 1
            written.setdefault(key, name)
            trials.setdefault(key, []).append(record.nct_id)
    ordered = sorted(counts, key=lambda key: (-counts[key], key))
    return tuple(
        EndPointUse(name=written[key], trial_count=counts[key], nct_ids=tuple(trials[key]))
        for key in ordered[:MOST_END_POINTS]
    )
