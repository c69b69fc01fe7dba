"""A real browser: Debian's Chromium through Playwright, looked at by axe, kept in pictures."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["PICTURES", "Watched", "find_chromium", "serious_problems", "visiting"]

PICTURES = Path(__file__).resolve().parents[3] / "build" / "screenshots"
"""Where pictures of the pages are kept after a run."""
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}


def find_chromium() -> str:
    """Give the path of the browser, or skip the test with what is missing."""
    for name in ("playwright", "axe_playwright_python"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"the package {name} is not installed: `make test` installs it")
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path is None:
        pytest.skip("there is no chromium here: `make test` installs Debian's where it may")
    return path


class Watched:
    """A page of a browser whose errors are kept."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self._url = url
        self.errors: list[str] = []
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(f"{message.text} at {message.location}")

    def open(self, path: str) -> Page:
        """Go to a page of the site."""
        self.page.goto(f"{self._url}{path}", wait_until="load")
        return self.page

    def keep(self, name: str, *, whole: bool = False) -> None:
        """Keep a picture of the page."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{name}.png", full_page=whole)


@contextmanager
def visiting(browser: Browser, url: str, **options: Any) -> Iterator[Watched]:
    """Open a fresh context, as somebody who never was here has it."""
    context = browser.new_context(**{"viewport": DESKTOP, "reduced_motion": "reduce", **options})
    context.set_default_timeout(30_000)
    try:
        yield Watched(context.new_page(), url)
    finally:
        context.close()


def serious_problems(page: Page, *, colours_only: bool = False) -> list[str]:
    """Say what axe finds that is serious or critical.

    Args:
        colours_only: Looks at contrast alone, which is all that another colour scheme changes.
    """
    from axe_playwright_python.sync_playwright import Axe

    options: dict[str, Any] = {"resultTypes": ["violations"]}
    options |= {"runOnly": ["color-contrast"]} if colours_only else {}
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{each['id']}: {node['html'][:140]}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"][:3]
    ]
