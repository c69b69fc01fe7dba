"""One match under way: how far it is, its report, and how it is stopped."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any

from trialyst.errors import TrialystError
from trialyst.interfaces.runtime import open_judge
from trialyst.interfaces.web.failures import to_failure

if TYPE_CHECKING:
    from trialyst.matching.facade import Matching
    from trialyst.matching.patient import PatientProfile
    from trialyst.matching.report import MatchReport
    from trialyst.settings import Settings

__all__ = ["MatchRun"]

_LOOK_SECONDS = 0.3
_RULES = "rules"


class MatchRun:
    """Finds trials for a patient in the background."""

    def __init__(
        self,
        matching: Matching,
        profile: PatientProfile,
        options: Mapping[str, str],
        settings: Settings,
    ) -> None:
        self._matching = matching
        self._profile = profile
        self._options = options
        self._settings = settings
        self._task: asyncio.Task[None] | None = None
        self.done = 0
        self.total = 0
        self.report: MatchReport | None = None
        self.failure: dict[str, Any] | None = None

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._task is not None and not self._task.done()

    def start(self, slots: asyncio.Semaphore) -> MatchRun:
        """Begin, when one of the slots is free."""
        self._task = asyncio.create_task(self._run(slots))
        return self

    def stop(self) -> None:
        """End it; what was judged is dropped."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self, slots: asyncio.Semaphore) -> None:
        async with slots:
            try:
                self.report = await self._match()
            except TrialystError as error:
                self.failure = to_failure(error)

    async def _match(self) -> MatchReport:
        name = self._options.get("judge", _RULES)
        judge = None if name == _RULES else open_judge(name, settings=self._settings)
        try:
            return await self._matching.match(
                self._profile,
                near=self._options.get("near"),
                status=self._options.get("status"),
                judge=judge,
                progress=self._tell,
            )
        finally:
            close = getattr(judge, "aclose", None)
            if close is not None:
                await close()

    def _tell(self, done: int, total: int) -> None:
        self.done, self.total = done, total

    def to_dict(self) -> dict[str, Any]:
        """Give what a page shows of its progress."""
        state = "running" if self.is_running else "done"
        return {
            "stage": "Judging trials" if self.total else "Finding trials",
            "done": self.done,
            "total": self.total,
            "state": state,
        }

    async def watch(self) -> AsyncIterator[dict[str, Any]]:
        """Yield how far it is, whenever that changed, until it ends."""
        before: dict[str, Any] = {}
        while True:
            now = self.to_dict()
            if now != before:
                yield now
                before = now
            if not self.is_running:
                return
            await asyncio.sleep(_LOOK_SECONDS)
