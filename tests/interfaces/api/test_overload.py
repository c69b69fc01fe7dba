"""What is too much, or takes too long, is refused with 503 and when to come again."""

from __future__ import annotations

from typing import Any

import httpx2

from tests.serving import serving
from trialyst.errors import Overloaded
from trialyst.interfaces.api import API_PREFIX, create_app
from trialyst.interfaces.serving.requests import Requests
from trialyst.registry import Registry


class Busy:
    """A registry that has too much to do to search."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def __getattr__(self, name: str) -> Any:
        return getattr(self._registry, name)

    def __len__(self) -> int:
        return len(self._registry)

    def refreshed(self) -> Busy:
        """Be the newest."""
        return self

    def find(self, *_: object, **__: object) -> None:
        """Refuse."""
        raise Overloaded("Too many expensive questions are being answered", retry_after=7)


def test_too_much_is_refused_with_a_time_to_come_again(registry: Registry) -> None:
    busy: Any = Busy(registry)
    with serving(create_app(busy)) as url:
        refused = httpx2.get(f"{url}{API_PREFIX}/studies")
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "7")
        assert refused.text == "Too many expensive questions are being answered"
        assert httpx2.get(f"{url}{API_PREFIX}/version").status_code == 200


def test_a_question_that_takes_too_long_is_called_off(registry: Registry) -> None:
    app = Requests(create_app(registry), seconds=1e-6)
    with serving(app) as url:
        late = httpx2.get(f"{url}{API_PREFIX}/stats/field/sizes")
        assert (late.status_code, late.headers["retry-after"]) == (503, "10")
        assert "not answered within" in late.text
