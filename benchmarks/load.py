"""Mixed traffic while the registry changes: `python benchmarks/load.py --registry DIRECTORY`.

A copy of the registry is served by several workers. API, web and MCP clients ask, some of them
expensive things, some leave before the answer; meanwhile studies are taken out and put back, so
that generation follows generation. Prints errors, waits, memory and file handles before and after;
the exit code is 1 if anything failed or leaked.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx2

__all__ = ["main"]

MOST_GROWTH = 150.0
"""Megabytes that all processes may hold more at the end than after warming up."""
MOST_HANDLES = 64
CONDITIONS = ("asthma", "breast cancer", "melanoma", "type 2 diabetes", "stroke", "psoriasis")
DRUGS = ("metformin", "aspirin", "sildenafil", "dupilumab", "budesonide", "pembrolizumab")
EXPENSIVE = 'EXPANSION[None]"and"'
ACCEPTED = {200, 304, 503}
"""A refusal with a time to come again is an answer."""


class _Server:
    """`trialyst serve` in processes of its own."""

    def __init__(self, registry: Path, workers: int) -> None:
        command = [sys.executable, "-m", "trialyst", "serve", "--port", "0", "--json"]
        self._process = subprocess.Popen(
            [*command, "--registry", str(registry), "--workers", str(workers)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        told = ""
        while not told.rstrip().endswith("\n}"):
            told += self._process.stdout.readline()
        self.url = json.loads(told)["site_url"].rstrip("/")

    def _processes(self) -> list[int]:
        main = self._process.pid
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        return [main, *map(int, children)]

    def megabytes(self) -> list[float]:
        """Give what each process holds of its own and shares."""
        return [_resident(each) for each in self._processes()]

    def handles(self) -> int:
        """Count the open files of all processes."""
        return sum(len(list(Path(f"/proc/{each}/fd").iterdir())) for each in self._processes())

    def stop(self) -> None:
        """End it in order."""
        self._process.send_signal(signal.SIGTERM)
        self._process.communicate(timeout=60)


def _resident(process: int) -> float:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    found = [int(line.split()[1]) for line in lines if line.startswith("VmRSS:")]
    return found[0] / 1024 if found else 0.0


class _Traffic:
    """Clients of all kinds, each as fast as it is answered."""

    def __init__(self, url: str, seconds: float, seed: int) -> None:
        self._url = url
        self._until = time.monotonic() + seconds
        self._chosen = random.Random(seed)
        self.statuses: Counter[str] = Counter()
        self.waits: dict[str, list[float]] = {}
        self.failures: list[str] = []

    async def run(self, clients: int) -> None:
        """Ask until the time is over."""
        kinds = [self._api, self._web, self._mcp, self._api, self._web, self._leaver]
        async with asyncio.TaskGroup() as group:
            for number in range(clients):
                group.create_task(self._keep_on(kinds[number % len(kinds)]))
            group.create_task(self._keep_on(self._expensive))

    async def _keep_on(self, ask: Any) -> None:
        async with httpx2.AsyncClient(base_url=self._url, timeout=70) as client:
            while time.monotonic() < self._until:
                await ask(client)
                await asyncio.sleep(self._chosen.uniform(0, 0.2))

    async def _ask(self, kind: str, client: httpx2.AsyncClient, **request: Any) -> None:
        begun = time.monotonic()
        try:
            answer = await client.request(**request)
        except httpx2.HTTPError as error:
            self.failures.append(f"{kind} {request['url']}: {type(error).__name__} {error}")
            return
        self.waits.setdefault(kind, []).append(time.monotonic() - begun)
        self.statuses[f"{kind} {answer.status_code}"] += 1
        if answer.status_code not in ACCEPTED:
            self.failures.append(
                f"{kind} {request['url']}: {answer.status_code} {answer.text[:90]}"
            )

    async def _api(self, client: httpx2.AsyncClient) -> None:
        asked = {
            "query.cond": self._chosen.choice(CONDITIONS),
            "pageSize": 20,
            "countTotal": "true",
        }
        await self._ask("api", client, method="GET", url="/api/v2/studies", params=asked)

    async def _web(self, client: httpx2.AsyncClient) -> None:
        condition, drug = self._chosen.choice(CONDITIONS), self._chosen.choice(DRUGS)
        url, asked = self._chosen.choice(
            [
                ("/", {}),
                ("/search", {"condition": condition}),
                ("/search", {"query": f"recruiting {condition} in Boston"}),
                ("/repurposing", {"drug": drug, "condition": condition}),
                ("/match", {}),
                ("/registry", {}),
            ]
        )
        await self._ask("web", client, method="GET", url=url, params=asked)

    async def _mcp(self, client: httpx2.AsyncClient) -> None:
        arguments = {"condition": self._chosen.choice(CONDITIONS), "page_size": 5}
        call = {"name": "search_trials", "arguments": arguments}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        headers = {"Accept": "application/json, text/event-stream"}
        await self._ask("mcp", client, method="POST", url="/mcp", json=body, headers=headers)

    async def _leaver(self, client: httpx2.AsyncClient) -> None:
        """Ask for something expensive, and do not wait for it."""
        size = self._chosen.randint(1, 1000)
        asked: dict[str, Any] = {"query.term": EXPENSIVE, "pageSize": size}
        try:
            await client.get("/api/v2/studies", params=asked, timeout=0.5)
        except httpx2.TimeoutException:
            self.statuses["left"] += 1

    async def _expensive(self, client: httpx2.AsyncClient) -> None:
        asked = {"query.term": EXPENSIVE, "pageSize": 1}
        await self._ask("expensive", client, method="GET", url="/api/v2/studies", params=asked)


async def _change(registry: Path, url: str, until: float) -> int:
    """Take a study out and put it back, again and again; gives how many generations that made."""
    made = 0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "study.json"
        async with httpx2.AsyncClient(base_url=url, timeout=60) as client:
            found = await client.get("/api/v2/studies", params={"query.cond": "asthma"})
            study = found.json()["studies"][0]
        file.write_text(json.dumps(study), "utf-8")
        number = study["protocolSection"]["identificationModule"]["nctId"]
        while time.monotonic() < until:
            for command in (["remove", number], ["add", str(file)]):
                process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "trialyst", "registry", *command),
                    *("--registry", str(registry)),
                    stdout=asyncio.subprocess.DEVNULL,
                    stderr=asyncio.subprocess.DEVNULL,
                )
                made += await process.wait() == 0
    return made


async def _load(
    server: _Server, registry: Path, given: argparse.Namespace
) -> tuple[_Traffic, bool]:
    """Give the traffic, and whether memory or file handles did not come back."""
    await _Traffic(server.url, min(30.0, given.seconds / 3), 1).run(given.clients)
    warm, handles = sum(server.megabytes()), server.handles()
    print(f"warm: {_sizes(server)}, {handles} file handles")
    traffic = _Traffic(server.url, given.seconds, 2)
    until = time.monotonic() + given.seconds * 0.8
    _, made = await asyncio.gather(traffic.run(given.clients), _change(registry, server.url, until))
    print(f"{made} generations were made meanwhile")
    # Clients have closed; what rests is let go of.
    await asyncio.sleep(5)
    grown, more = sum(server.megabytes()) - warm, server.handles() - handles
    print(f"afterwards: {_sizes(server)}, {server.handles()} file handles")
    return traffic, grown > MOST_GROWTH or more > MOST_HANDLES


def _sizes(server: _Server) -> str:
    return " + ".join(f"{each:.0f}" for each in server.megabytes()) + " MB"


def _report(traffic: _Traffic) -> None:
    print(", ".join(f"{name}: {count}" for name, count in sorted(traffic.statuses.items())))
    for kind, waits in sorted(traffic.waits.items()):
        ordered = sorted(waits)
        late = ordered[int(len(ordered) * 0.95)]
        middle = statistics.median(ordered)
        print(f"{kind}: median {middle * 1000:.0f} ms, p95 {late * 1000:.0f} ms of {len(ordered)}")
    for told in traffic.failures[:10]:
        print(f"failed: {told}")


def main() -> None:
    """Put a server under load; the exit code is 1 if anything failed or leaked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--registry", type=Path, required=True, help="is copied, not changed")
    parser.add_argument("--seconds", type=float, default=180.0)
    parser.add_argument("--clients", type=int, default=24)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        registry = Path(folder) / "registry"
        shutil.copytree(given.registry, registry, symlinks=True)
        server = _Server(registry, given.workers)
        try:
            traffic, leaked = asyncio.run(_load(server, registry, given))
        finally:
            server.stop()
    _report(traffic)
    sys.exit(bool(traffic.failures or leaked))


if __name__ == "__main__":
    main()
