"""One registry in several shards: actors of a Ray cluster, each for a range of NCT ids.

Questions are scattered and answers gathered: totals are sums, lists are merged by score. Relevance
depends on how often words occur in all records, so every shard searches with the index of the
whole and scores its own range; records, rows and criteria are read by their shard alone. An order
that needs more than scores is asked of one shard. An actor whose node dies starts on another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from trialyst.ctgov.query import RELEVANCE, TrialQuery
from trialyst.ids import NctId
from trialyst.registry.matches import by_frequency
from trialyst.registry.ordering import Scored, steady
from trialyst.registry.registry import Hits, Registry
from trialyst.registry.source import RegistrySource
from trialyst.scale.ray_engine import join_cluster

if TYPE_CHECKING:
    from trialyst.scale.matcher import Workplace

__all__ = ["RegistryShard", "ShardedRegistry", "merge_scored", "open_shards", "split_numbers"]

_BEYOND = 50
"""Matches asked of a shard beyond the window, so that equals at its end are seen."""
_MORE = 4
_PROCESSORS = 0.1
"""Share of a processor an actor asks for: whole ones would starve the tasks of cohorts."""


class RegistryShard:
    """What an actor answers: questions about one range of the registry's numbers."""

    def __init__(self, place: Workplace, within: range) -> None:
        from trialyst.vocabulary import open_vocabulary

        self._registry = Registry.open(place.registry, vocabulary=open_vocabulary(place.home))
        self._within = within

    def find_scored(self, query: TrialQuery, limit: int) -> Scored:
        """Give the best matches of the range."""
        return self._registry.find_scored(query, within=self._within, limit=limit)

    def numbers(self, query: TrialQuery) -> list[int]:
        """Give the matches of the range in ascending order."""
        return self._registry.numbers_within(query, self._within)

    def count(self, query: TrialQuery) -> int:
        """Count the matches of the range."""
        return len(self.numbers(query))

    def count_by(self, query: TrialQuery, piece: str) -> Mapping[str, int]:
        """Count the matches of the range per value of a piece."""
        own = tuple(NctId(number) for number in self.numbers(query))
        return self._registry.count_by(TrialQuery(ids=own), piece) if own else {}

    def read(self, method: str, numbers: Sequence[int], *given: Any) -> dict[int, Any]:
        """Give, by number, what is stored of studies of the range."""
        asked = getattr(self._registry, method)
        if method in ("kept_criteria", "kept_annotations"):
            kept: dict[int, Any] = asked(numbers)
            return kept
        found = asked(numbers, *given)
        if len(found) == len(numbers):
            return dict(zip(numbers, found, strict=True))
        # Some are not there: which, only asking one by one tells.
        return {n: value for n in numbers for value in asked([n], *given)}

    def ask(self, method: str, *given: Any, **named: Any) -> Any:
        """Answer as the registry does, for all of its records."""
        return getattr(self._registry, method)(*given, **named)


class ShardedRegistry:
    """A registry whose questions are answered by shards; see `Registry` for what they mean."""

    def __init__(self, local: Registry, shards: Sequence[tuple[range, Any]], ray: Any) -> None:
        self._local = local
        self._shards = shards
        self._ray = ray
        self.vocabulary = local.vocabulary
        self.directory = local.directory

    def __len__(self) -> int:
        return len(self._local)

    @property
    def generation(self) -> str:
        return self._local.generation

    @property
    def data_timestamp(self) -> str:
        return self._local.data_timestamp

    @property
    def synthetic(self) -> bool:
        return self._local.synthetic

    def is_expensive(self, query: TrialQuery) -> bool:
        """Whether stored records have to be read to tell what matches."""
        return self._local.is_expensive(query)

    def close(self) -> None:
        """End the actors."""
        for _, actor in self._shards:
            self._ray.kill(actor)
        self._local.close()

    def find(self, query: TrialQuery, *, offset: int = 0, limit: int | None = None) -> Hits:
        """Give a window of the matches in the query's order, and their exact total."""
        size = query.page_size if limit is None else limit
        end = offset + size
        if not query.sort:
            numbers = sorted(n for found in self._scatter("numbers", query) for n in found)
            return Hits(numbers[offset:end], len(numbers))
        by_score = len(query.sort) == 1 and query.sort[0].piece == RELEVANCE
        if not (by_score and query.sort[0].descending and query.queries and not query.circle):
            return cast("Hits", self._any("find", query, offset=offset, limit=size))
        found = self._scatter("find_scored", query, end + _BEYOND)
        numbers = self._merge(query, list(found), end)
        return Hits(numbers[offset:end], sum(each.total for each in found))

    def _merge(self, query: TrialQuery, found: list[Scored], end: int) -> list[int]:
        """Merge lists, asking a shard for more while what it left out might come before the end."""
        while True:
            numbers, short = merge_scored(found, end)
            if not short:
                return numbers
            asked = {
                place: self._call(place, "find_scored", query, _MORE * len(found[place].hits))
                for place in short
            }
            for place, answer in asked.items():
                found[place] = self._ray.get(answer)

    def iter_numbers(self, query: TrialQuery) -> Iterator[int]:
        """Yield the numbers of all matches in the query's order."""
        yield from self.find(query, limit=max(len(self), 1)).numbers

    def count(self, query: TrialQuery) -> int:
        """Count the matches exactly."""
        return sum(self._scatter("count", query))

    def count_by(self, query: TrialQuery, piece: str) -> Mapping[str, int]:
        """Count the matches per value of a piece."""
        counted = (each.items() for each in self._scatter("count_by", query, piece))
        total: Counter[str] = Counter()
        for value, count in chain.from_iterable(counted):
            total[value] += count
        return by_frequency(total)

    def raw(self, numbers: Sequence[int]) -> list[bytes]:
        """Give stored records as they came, in this order; absent ones are left out."""
        found = self._by_shard("raw", numbers)
        return [found[number] for number in numbers if number in found]

    def rows(self, numbers: Sequence[int], names: Sequence[str]) -> list[tuple[Any, ...]]:
        """Give the values of some pieces of studies, in this order; absent ones are left out."""
        found = self._by_shard("rows", numbers, tuple(names))
        return [found[number] for number in numbers if number in found]

    def kept_criteria(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Give what is kept of the criteria of trials."""
        return self._by_shard("kept_criteria", numbers)

    def kept_annotations(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Give what is kept of trials as annotated."""
        return self._by_shard("kept_annotations", numbers)

    def __getattr__(self, name: str) -> Any:
        """Ask one shard for what has no order and no records: words, names, conditions."""
        if name not in ("words_starting", "numbers_about", "resolve_number"):
            raise AttributeError(name)
        return lambda *given, **named: self._any(name, *given, **named)

    def _call(self, place: int, method: str, *given: Any) -> Any:
        return getattr(self._shards[place][1], method).remote(*given)

    def _scatter(self, method: str, *given: Any) -> list[Any]:
        asked = [self._call(place, method, *given) for place in range(len(self._shards))]
        answers: list[Any] = self._ray.get(asked)
        return answers

    def _any(self, method: str, *given: Any, **named: Any) -> Any:
        return self._ray.get(self._shards[0][1].ask.remote(method, *given, **named))

    def _by_shard(self, method: str, numbers: Sequence[int], *given: Any) -> dict[int, Any]:
        """Ask each shard for its own, and put the answers together."""
        asked = []
        for within, actor in self._shards:
            own = [number for number in numbers if number in within]
            if own:
                asked.append(actor.read.remote(method, own, *given))
        return {number: value for each in self._ray.get(asked) for number, value in each.items()}


def merge_scored(found: Sequence[Scored], end: int) -> tuple[list[int], list[int]]:
    """Merge the best of several shards; also gives the shards that must be asked for more.

    >>> merge_scored([Scored([(2.0, 7), (1.0, 9)], 2), Scored([(2.0, 3)], 1)], 2)
    ([3, 7, 9], [])
    """
    listed = [(score, number, place) for place, each in enumerate(found)
              for score, number in each.hits]  # fmt: skip
    scores = steady([score for score, _, _ in listed])
    merged = sorted((-score, number, place)
                    for score, (_, number, place) in zip(scores, listed, strict=True))  # fmt: skip
    last: dict[int, float] = {}
    for score, _, place in merged:
        last[place] = score
    cut = merged[end - 1][0] if len(merged) >= end > 0 else float("inf")
    short = [
        place
        for place, each in enumerate(found)
        if len(each.hits) < each.total and last.get(place, cut) <= cut
    ]
    return [number for _, number, _ in merged], short


def split_numbers(numbers: Sequence[int], shards: int) -> list[range]:
    """Cut numbers into ranges that hold equally many each; together they hold every number.

    >>> split_numbers([1, 2, 5, 9], 2)
    [range(0, 5), range(5, 100000000)]
    """
    ordered = sorted(numbers)
    cuts = (
        [ordered[len(ordered) * place // shards] for place in range(1, shards)] if ordered else []
    )
    edges = [0, *dict.fromkeys(cuts), 100_000_000]
    return [range(low, high) for low, high in pairwise(edges)]


def open_shards(place: Workplace, *, shards: int, address: str | None = None) -> RegistrySource:
    """Open a registry as actors of a cluster, behind the same `TrialSource`."""
    from trialyst.vocabulary import open_vocabulary

    ray = join_cluster(address)
    local = Registry.open(Path(place.registry), vocabulary=open_vocabulary(place.home))
    actor = ray.remote(
        num_cpus=_PROCESSORS, max_restarts=-1, max_task_retries=-1, scheduling_strategy="SPREAD"
    )(RegistryShard)
    numbers = [number for number, _ in local.iter_raw()]
    ranges = split_numbers(numbers, shards)
    opened = [(within, actor.remote(place, within)) for within in ranges]
    registry = ShardedRegistry(local, opened, ray)
    return RegistrySource(cast("Registry", registry), name=place.name)
