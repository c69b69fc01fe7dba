"""Measure the web site on a registry: `python benchmarks/web.py --registry DIRECTORY`.

Prints the processor time of search pages, the bytes a first visit needs, and what 50 people who
each ask every five seconds wait, with the server in a process of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import httpx2

if TYPE_CHECKING:
    from starlette.applications import Starlette

__all__ = ["main"]

USERS, EVERY_SECONDS, LAST_SECONDS = 50, 5.0, 60.0
MOST_MILLISECONDS, MOST_BYTES, MOST_P95 = 80.0, 60_000, 300.0
_ASSET = re.compile(r'(?:href|src)="(/static/[^"]+\.(?:css|js)[^"]*)"')
_IMPORTED = ("suggest.js", "progress.js", "match.js")


def main() -> None:
    """Measure all; the exit code is 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--registry", type=Path, required=True, help="a registry on this machine")
    parser.add_argument("--seconds", type=float, default=LAST_SECONDS, help="of the load (60)")
    given = parser.parse_args()
    missed = 0
    paths = asyncio.run(_search_paths(given.registry))
    missed += asyncio.run(_measure_pages(given.registry, paths)) > MOST_MILLISECONDS
    with _Server(given.registry) as server:
        missed += _measure_bytes(server.url, paths[0]) > MOST_BYTES
        before = server.processor_seconds()
        late, failed = asyncio.run(_measure_load(server.url, paths, given.seconds))
        busy = (server.processor_seconds() - before) / given.seconds
        print(f"the server was busy with it for {busy:.0%} of one core")
        missed += late > MOST_P95 or failed > 0
    print(f"{missed} of the targets missed")
    sys.exit(bool(missed))


def _site(registry: Path) -> Starlette:
    from trialyst.interfaces.served import Served, follow_pathways, follow_registry
    from trialyst.interfaces.web import create_site
    from trialyst.settings import Settings

    settings = Settings.from_environment()
    current = follow_registry(settings, registry=registry, source="local")
    return create_site(Served(settings, current, follow_pathways(settings)), settings)


async def _search_paths(registry: Path) -> list[str]:
    """Give searches for what the registry has, frequent and rare, plain and narrowed down."""
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(_site(registry)), base_url="http://127.0.0.1"
    ) as client:
        names = []
        for letters in ("as", "br", "di", "he", "lu", "me", "pa", "ca", "st", "in"):
            answer = await client.get("/suggest", params={"q": letters})
            names += [each["text"] for each in answer.json() if each["trials"]]
    chosen = random.Random(7)
    chosen.shuffle(names)
    queries = [httpx2.QueryParams({"query": name}) for name in names]
    queries += [httpx2.QueryParams({"condition": name, "f.phase": "PHASE2"}) for name in names]
    queries += [httpx2.QueryParams({"query": f"recruiting {name} in Boston"}) for name in names]
    paths = [f"/search?{query}" for query in queries]
    chosen.shuffle(paths)
    return paths


async def _measure_pages(registry: Path, paths: Sequence[str]) -> float:
    times = []
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(_site(registry)), base_url="http://127.0.0.1"
    ) as client:
        await client.get("/")
        for path in paths[:10]:
            await client.get(path)
        for path in paths[10:]:
            before = time.process_time()
            answer = await client.get(path)
            times.append((time.process_time() - before) * 1e3)
            assert answer.status_code == 200, path
    middle, slow = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    print(
        f"search pages: {len(times)} different ones, processor time median {middle:.0f} ms, "
        f"95th percentile {slow:.0f} ms (target: median under {MOST_MILLISECONDS:.0f})"
    )
    return middle


class _Server:
    """The server as a process of its own."""

    def __init__(self, registry: Path) -> None:
        command = [sys.executable, "-m", "trialyst", "serve", "--port", "0", "--json"]
        self.url = ""
        self._process = subprocess.Popen(
            [*command, "--registry", str(registry)], stdout=subprocess.PIPE, text=True
        )

    def processor_seconds(self) -> float:
        """Give what the process took so far, which other programs do not change."""
        stat = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")

    def __enter__(self) -> _Server:
        assert self._process.stdout
        told = ""
        for line in self._process.stdout:
            told += line
            if line.rstrip() == "}":
                break
        self.url = str(json.loads(told)["site_url"]).rstrip("/")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(2)
        self._process.wait(30)


def _measure_bytes(url: str, path: str) -> int:
    """Give what the heavier of two first pages needs before it is painted, as sent."""
    sizes = {}
    with httpx2.Client(base_url=url, headers={"Accept-Encoding": "gzip"}) as client:
        for page in ("/", path):
            answer = client.get(page)
            assets = [*_ASSET.findall(answer.text), *(f"/static/{name}" for name in _IMPORTED)]
            sent = [answer, *(client.get(asset) for asset in assets)]
            sizes[page] = sum(int(each.headers.get("content-length", 0)) for each in sent)
    for page, size in sizes.items():
        print(f"first paint of {page}: {size:,} bytes (target: at most {MOST_BYTES:,})")
    return max(sizes.values())


async def _measure_load(url: str, paths: Sequence[str], seconds: float) -> tuple[float, int]:
    waits: list[float] = []
    failures: list[str] = []
    ends = time.monotonic() + seconds
    following = cycle(paths)

    async def visit(place: int) -> None:
        async with httpx2.AsyncClient(base_url=url, timeout=30) as client:
            await asyncio.sleep(EVERY_SECONDS * place / USERS)
            while time.monotonic() < ends:
                began = time.monotonic()
                answer = await client.get(next(following))
                waits.append((time.monotonic() - began) * 1e3)
                if answer.status_code != 200:
                    failures.append(f"{answer.status_code} {answer.url}")
                await asyncio.sleep(max(0.0, EVERY_SECONDS - (time.monotonic() - began)))

    await asyncio.gather(*(visit(place) for place in range(USERS)))
    late = statistics.quantiles(waits, n=20)[-1]
    print(
        f"{USERS} users, each every {EVERY_SECONDS:.0f} s, {len(waits)} requests: median "
        f"{statistics.median(waits):.0f} ms, 95th percentile {late:.0f} ms, {len(failures)} errors "
        f"(target: 95th percentile under {MOST_P95:.0f} ms, no error)"
    )
    print(*failures[:5], sep="\n", end="" if not failures else "\n")
    return late, len(failures)


if __name__ == "__main__":
    main()
