"""Real clients of the server over both transports, called like the tools in process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters, stdio_client
from mcp_types import CallToolResult, TextContent


@dataclass(frozen=True, slots=True)
class WireTools:
    """The tools as a client meets them; a stand-in for the tools in process."""

    portal: BlockingPortal
    client: Client

    def call(self, tool: str, arguments: Mapping[str, Any]) -> CallToolResult:
        """Call a tool and give the result as it came."""
        result = self.portal.call(self.client.call_tool, tool, dict(arguments))
        assert isinstance(result, CallToolResult)
        return result

    def wire(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and give its structured content, which its text must repeat."""
        result = self.call(tool, arguments)
        (content,) = result.content
        assert isinstance(content, TextContent)
        sent: dict[str, Any] | None = result.structured_content
        assert sent is not None
        assert json.loads(content.text) == sent
        assert result.is_error == (sent.get("success") is False)
        return sent

    def error(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that fails and give the error."""
        sent = self.wire(tool, **arguments)
        assert sent.get("success") is False, sent
        failed: dict[str, Any] = sent["error"]
        return failed


@contextmanager
def connected(server: Any, *, mode: str = "auto") -> Iterator[WireTools]:
    """Connect a client to a URL or a transport."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(server, mode=mode)) as client,
    ):
        yield WireTools(portal, client)


def environment(home: Path, **variables: str) -> dict[str, str]:
    """Give the environment of a server process: nothing of the project's is inherited."""
    inherited = {name: text for name, text in os.environ.items() if "TRIALYST" not in name}
    return {**inherited, "TRIALYST_HOME": str(home), "PYTHONWARNINGS": "error", **variables}


@contextmanager
def over_stdio(
    home: Path, *, source: str, mode: str = "auto", **variables: str
) -> Iterator[WireTools]:
    """Start `trialyst mcp` as a host does, and connect to it."""
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "trialyst", "mcp", "--source", source],
        env=environment(home, **variables),
    )
    with connected(stdio_client(parameters), mode=mode) as tools:
        yield tools


@contextmanager
def over_http(home: Path, *, source: str) -> Iterator[WireTools]:
    """Start `trialyst serve` and connect to it."""
    with serve_command(home, source=source) as (_, url), connected(url) as tools:
        yield tools


@contextmanager
def serve_command(
    home: Path, *, source: str = "starter"
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start `trialyst serve` on a free port; gives the process and the address of MCP."""
    command = [sys.executable, "-m", "trialyst", "serve", "--port", "0", "--source", source]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env=environment(home)
    ) as process:
        assert process.stderr is not None
        told = next(line for line in process.stderr if line.startswith("Agents connect to "))
        try:
            yield process, told.removeprefix("Agents connect to ").rstrip(".\n")
        finally:
            process.terminate()
