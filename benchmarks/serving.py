"""`trialyst serve` and `trialyst search` as separate processes, as users run them."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from urllib.parse import urlencode

from benchmarks.memory import Memory, tree_memory

__all__ = ["Server", "time_cold_search"]

START_SECONDS = 60
_MAIN = "from trialyst.interfaces.cli import main; main()"


def _command(*arguments: str) -> list[str]:
    """Use the installed command, else the same entry point through the interpreter."""
    script = Path(sys.executable).with_name("trialyst")
    return (
        [str(script), *arguments] if script.exists() else [sys.executable, "-c", _MAIN, *arguments]
    )


class Server:
    """A served registry and one client that keeps its connection."""

    def __init__(self, registry: Path) -> None:
        self._port = _free_port()
        arguments = ("--port", str(self._port), "--registry", str(registry), "--source", "local")
        self._process = subprocess.Popen(
            _command("serve", *arguments), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._client = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)

    def __enter__(self) -> Server:
        give_up = time.monotonic() + START_SECONDS
        while True:
            try:
                self.get("/version", {})
            except (OSError, http.client.HTTPException):
                self._client.close()
                if time.monotonic() > give_up or self._process.poll() is not None:
                    self._process.kill()
                    raise RuntimeError("trialyst serve did not start") from None
                time.sleep(0.05)
            else:
                return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._client.close()
        self._process.terminate()
        self._process.wait()

    def get(self, path: str, params: dict[str, str], *, encoding: str = "identity") -> bytes:
        """Read one whole answer; raises for any status but 200."""
        headers = {"Accept-Encoding": encoding}
        self._client.request("GET", f"/api/v2{path}?{urlencode(params)}", headers=headers)
        response = self._client.getresponse()
        body = response.read()
        if response.status != 200:
            raise RuntimeError(f"{response.status} for {params}: {body[:200]!r}")
        return body

    def memory(self) -> Memory | None:
        return tree_memory(self._process.pid)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


def time_cold_search(registry: Path, words: Sequence[str]) -> float:
    """Give the seconds from starting the command to its end, answer written."""
    environment = os.environ | {"TRIALYST_REGISTRY": str(registry), "TRIALYST_SOURCE": "local"}
    began = time.perf_counter()
    subprocess.run(_command("search", *words), env=environment, check=True, capture_output=True)
    return time.perf_counter() - began
