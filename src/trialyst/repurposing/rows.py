"""Trials as light rows: what counts, grades and overviews look at, without building trials."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from trialyst.ctgov.phases import phase_label, phase_rank
from trialyst.ctgov.vocab import Phase
from trialyst.ids import NctId

if TYPE_CHECKING:
    from trialyst.ctgov.query import TrialQuery
    from trialyst.ctgov.source import TrialSource

__all__ = [
    "PIECES",
    "SURVEYED",
    "Columns",
    "TrialRow",
    "Values",
    "label_phases",
    "load_rows",
    "pair_interventions",
]

SURVEYED = (
    "NCTId",
    "OverallStatus",
    "Phase",
    "DesignPrimaryPurpose",
    "EnrollmentCount",
    "StartDate",
    "PrimaryCompletionDate",
    "LeadSponsorName",
    "LeadSponsorClass",
    "InterventionType",
    "InterventionName",
    "LocationCountry",
    "Condition",
)
"""What an overview of today looks at."""
PIECES = (
    *SURVEYED,
    "WhyStopped",
    "EnrollmentType",
    "StartDateType",
    "PrimaryCompletionDateType",
    "CompletionDate",
    "CompletionDateType",
    "StudyFirstPostDate",
    "LastUpdatePostDate",
)
"""What a row is made of; a registry keeps all of it ready."""

_PLACE = {name: place for place, name in enumerate(PIECES)}
_STATUS, _PHASE, _PURPOSE = (
    _PLACE[name] for name in ("OverallStatus", "Phase", "DesignPrimaryPurpose")
)
_COUNT, _START, _SPONSOR = (
    _PLACE[name] for name in ("EnrollmentCount", "StartDate", "LeadSponsorName")
)
_TYPES, _NAMES = _PLACE["InterventionType"], _PLACE["InterventionName"]
_CONDITIONS = _PLACE["Condition"]
UNKNOWN_COUNT = 99_999_999
"""How the registry writes an enrollment that is not known."""

Values = tuple[tuple[Any, ...], ...]


class TrialRow:
    """One trial; values are read when asked for."""

    __slots__ = ("values",)

    def __init__(self, values: Values) -> None:
        self.values = values

    def first(self, piece: str) -> Any:
        """Give the first value of a piece, or None."""
        found = self.values[_PLACE[piece]]
        return found[0] if found else None

    def without(self, *pieces: str) -> TrialRow:
        """Give the same trial with nothing known of some pieces."""
        gone = {_PLACE[piece] for piece in pieces}
        return TrialRow(tuple(() if at in gone else v for at, v in enumerate(self.values)))

    @property
    def nct_id(self) -> str:
        return str(self.values[0][0])

    @property
    def status(self) -> str | None:
        found = self.values[_STATUS]
        return found[0] if found else None

    @property
    def phases(self) -> tuple[str, ...]:
        return self.values[_PHASE]

    @property
    def phase(self) -> str:
        """The label of the phases taken together."""
        return label_phases(self.values[_PHASE])

    @property
    def rank(self) -> int:
        """0 without a phase, 8 for phase 4."""
        return _rank(self.values[_PHASE])

    @property
    def purpose(self) -> str | None:
        found = self.values[_PURPOSE]
        return found[0] if found else None

    @property
    def enrollment(self) -> int | None:
        found = self.values[_COUNT]
        count = found[0] if found else None
        return count if isinstance(count, int) and 0 <= count < UNKNOWN_COUNT else None

    @property
    def start(self) -> str | None:
        """The start date as written: yyyy, yyyy-MM or yyyy-MM-dd."""
        found = self.values[_START]
        return found[0] if found else None

    @property
    def sponsor(self) -> str:
        found = self.values[_SPONSOR]
        return found[0] if found else ""

    @property
    def conditions(self) -> tuple[str, ...]:
        return self.values[_CONDITIONS]

    @property
    def interventions(self) -> Iterable[tuple[str, str]]:
        """Types and names; none where the record does not pair them."""
        types, names = self.values[_TYPES], self.values[_NAMES]
        return zip(types, names, strict=True) if len(types) == len(names) else ()

    @property
    def intervention_names(self) -> tuple[str, ...]:
        """The names alone, also where the record does not pair them with types."""
        return self.values[_NAMES]

    @property
    def intervention_types(self) -> tuple[str, ...]:
        """The types alone, as codes."""
        return self.values[_TYPES]

    @property
    def is_paired(self) -> bool:
        """Whether every intervention has a type and a name."""
        return len(self.values[_TYPES]) == len(self.values[_NAMES])


_rank = lru_cache(256)(phase_rank)


@lru_cache(256)
def label_phases(phases: tuple[str, ...]) -> str:
    """Write phases given as plain codes as one label."""
    known = set(Phase)
    return phase_label([Phase(phase) if phase in known else phase for phase in phases])


class Columns:
    """Many trials, piece by piece: what is counted over all of them is counted at once."""

    def __init__(self, rows: Sequence[TrialRow]) -> None:
        self._columns = list(zip(*(row.values for row in rows), strict=True)) or [()] * len(
            SURVEYED
        )

    def of(self, piece: str) -> tuple[tuple[Any, ...], ...]:
        """Give the values of a piece, a tuple for each trial."""
        return self._columns[_PLACE[piece]]

    def pairs(self, one: str, other: str) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...]]]:
        """Yield the values of two pieces of each trial."""
        return zip(self.of(one), self.of(other), strict=True)

    def count(self, piece: str) -> Counter[tuple[Any, ...]]:
        """Count trials by what a piece holds."""
        return Counter(self.of(piece))


async def load_rows(
    source: TrialSource, query: TrialQuery, pieces: Sequence[str] = PIECES
) -> list[TrialRow]:
    """Give every match as a row; with fewer pieces, nothing may be asked of the others."""
    return [TrialRow(values) async for values in source.iter_rows(query, pieces)]


async def pair_interventions(
    source: TrialSource, rows: Iterable[TrialRow]
) -> dict[str, list[tuple[str, str]]]:
    """Look up the trials of which a row cannot tell which type belongs to which intervention."""
    odd = [NctId.parse(row.nct_id) for row in rows if not row.is_paired]
    if not odd:
        return {}
    return {
        trial.nct_id: [(each.type or "", each.name) for each in trial.interventions]
        for trial in await source.get_many(odd)
    }
