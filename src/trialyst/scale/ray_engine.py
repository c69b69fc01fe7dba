"""Parts of a cohort as tasks of a Ray cluster, and how the cluster is reached.

Nodes may die or join: a task whose node is gone runs again on another, and only the process that
started the job writes its directory, so that no part is lost or written twice. Needs the extra
`cluster`; every node needs the registry and the home directory at the same place.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from trialyst.errors import InvalidInput, TrialystError
from trialyst.hints import Command, Hint
from trialyst.scale.matcher import CohortOptions, MatchedPart, Matcher, Workplace

if TYPE_CHECKING:
    from trialyst.scale.patients import Part

__all__ = ["RayEngine", "join_cluster"]

AHEAD = 2
"""Parts handed out for every processor of the cluster."""


def join_cluster(address: str | None) -> Any:
    """Give Ray, joined to a cluster; without an address one is started on this machine.

    Raises:
        InvalidInput: Ray is not installed, or nobody answers at the address.
    """
    try:
        import ray
    except ImportError as problem:
        raise InvalidInput(
            "The engine 'ray' needs the library ray, which is not installed",
            hint=Hint("To get it, {install}.", install=Command("pip install 'trialyst[cluster]'")),
        ) from problem
    if not ray.is_initialized():
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, ValueError, RuntimeError) as problem:
            raise InvalidInput(
                f"No Ray cluster answers at {address!r}: {problem}",
                hint=Hint(
                    "To start one, {start}, and name its address.",
                    start=Command("ray start --head"),
                ),
                invalid_input=str(address),
            ) from problem
    return ray


class RayEngine:
    """Tasks of a cluster, one processor each."""

    name = "ray"

    def __init__(
        self,
        place: Workplace,
        options: CohortOptions,
        *,
        address: str | None = None,
        workers: int | None = None,
    ) -> None:
        self._place, self._options = place, options
        self._address, self._workers = address, workers

    def run(self, parts: Iterable[Part]) -> Iterator[MatchedPart]:
        """Yield every part once, as each is done."""
        ray = join_cluster(self._address)
        # For ever: nodes come and go, and a part that cannot be matched is an answer, not an error.
        task = ray.remote(num_cpus=1, max_retries=-1)(_match_part)
        waiting = iter(parts)
        running: list[Any] = []
        while True:
            room = self._room(ray) - len(running)
            for part in islice(waiting, max(room, 0)):
                running.append(task.remote(self._place, self._options, part))
            if not running:
                return
            done, running = ray.wait(running, num_returns=1, timeout=10)
            for each in done:
                yield self._get(ray, each)

    def _room(self, ray: Any) -> int:
        """Give how many parts may be under way; nodes that join make it more."""
        if self._workers is not None:
            return self._workers
        return AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))

    def _get(self, ray: Any, done: Any) -> MatchedPart:
        try:
            matched: MatchedPart = ray.get(done)
        except ray.exceptions.RayError as problem:
            raise TrialystError(
                f"The cluster could not match a part: {str(problem).splitlines()[-1]}",
                hint="Run the same command again: it goes on from the last part that was written.",
            ) from problem
        return matched


_matchers: dict[tuple[Workplace, CohortOptions], Matcher] = {}
"""Of this process, which does one task after the other."""


def _match_part(place: Workplace, options: CohortOptions, part: Part) -> MatchedPart:
    asked = place, options
    if asked not in _matchers:
        _matchers.clear()
        _matchers[asked] = Matcher(place, options)
    return _matchers[asked].match_part(part)
