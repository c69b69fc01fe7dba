"""Measure `search_trials` over stdio beside a tool that does nothing: `python benchmarks/mcp.py`.

The floor is a bare tool of the same SDK that answers with a text of the same size, so that what
is above it is ours. Client and server are two processes, as with any host.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["main"]

TARGET_MS = 15.0
"""The median of a search on the starter registry may not be above it."""
WARM_UP = 10
SEARCHES: tuple[Mapping[str, Any], ...] = (
    {"condition": "asthma", "status": "RECRUITING"},
    {"query": "breast cancer immunotherapy", "page_size": 10},
    {"condition": "cancer"},
    {"near": "Boston, MA", "age": 63, "sex": "FEMALE"},
    {"phase": "PHASE3", "slim": True},
)
_FLOOR = """
import sys
from mcp.server.mcpserver import MCPServer
server = MCPServer("floor", log_level="WARNING")
@server.tool(structured_output=False)
async def echo(size: int) -> str:
    return "x" * size
server.run("stdio")
"""


def main() -> None:
    """Print the times; the exit code is 1 when the target is missed."""
    # As a script this file's folder leads the path, where it would hide the SDK by its name.
    sys.path[0] = str(Path(__file__).resolve().parents[1])
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=200, help="how many of each (200)")
    parser.add_argument("--json", type=Path, help="write the times to this file too")
    given = parser.parse_args()
    rows = asyncio.run(_measure(given.calls))
    if given.json:
        given.json.write_text(json.dumps(rows, indent=2) + "\n")
    worst = max(row["median_ms"] for row in rows)
    print(f"\nslowest median {worst:.1f} ms, target {TARGET_MS:g} ms")
    sys.exit(worst > TARGET_MS)


async def _measure(calls: int) -> list[dict[str, Any]]:
    ours = ["-m", "trialyst", "mcp", "--source", "starter"]
    print(f"{'':56}{'ours ms':>18}{'floor ms':>18}{'bytes':>9}")
    print(f"{'search_trials':56}{'median':>9}{'p95':>9}{'median':>9}{'p95':>9}")
    rows = []
    async with _client(ours) as searching, _client(["-c", _FLOOR]) as floor:
        await searching.list_tools()
        await floor.list_tools()
        for arguments in SEARCHES:
            rows.append(await _row(searching, floor, arguments, calls))
    return rows


def _client(arguments: Sequence[str]) -> Any:
    from mcp import Client, StdioServerParameters, stdio_client

    command = StdioServerParameters(
        command=sys.executable, args=list(arguments), env=dict(os.environ)
    )
    return Client(stdio_client(command))


async def _row(
    searching: Any, floor: Any, arguments: Mapping[str, Any], calls: int
) -> dict[str, Any]:
    from benchmarks.race import Times

    found = await searching.call_tool("search_trials", dict(arguments))
    assert not found.is_error, found
    size = len(found.content[0].text)
    # In turn, so that what else the machine does falls on both alike.
    taken: tuple[list[float], list[float]] = ([], [])
    for number in range(WARM_UP + calls):
        times = (
            await _time(searching, "search_trials", arguments),
            await _time(floor, "echo", {"size": 2 * size}),
        )
        if number >= WARM_UP:
            for kept, taken_now in zip(taken, times, strict=True):
                kept.append(taken_now)
    ours, least = (Times(tuple(each), (0,) * len(each)) for each in taken)
    shown = json.dumps(arguments)
    print(
        f"{shown:56}{ours.median:9.2f}{ours.p95:9.2f}{least.median:9.2f}{least.p95:9.2f}{size:9,}",
        flush=True,
    )
    return {
        "arguments": dict(arguments),
        "median_ms": ours.median,
        "p95_ms": ours.p95,
        "floor_median_ms": least.median,
        "floor_p95_ms": least.p95,
        "bytes": size,
    }


async def _time(client: Any, tool: str, arguments: Mapping[str, Any]) -> float:
    began = time.perf_counter()
    await client.call_tool(tool, dict(arguments))
    return (time.perf_counter() - began) * 1e3


if __name__ == "__main__":
    main()
