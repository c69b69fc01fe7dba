"""A WikiPathways site on loopback: files by path, with tags, over real HTTP."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

__all__ = ["Site", "serving"]


class Site:
    """What is served, and what was asked and answered."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = dict(files)
        self.answers: list[tuple[str, int]] = []
        self.url = ""

    def count(self, status: int) -> int:
        return sum(answered == status for _, answered in self.answers)

    def respond(self, path: str, tag: str | None) -> tuple[int, bytes, str]:
        body = self.files.get(path.lstrip("/"))
        if body is None:
            return 404, b"There is nothing here", ""
        own = f'"{hashlib.blake2b(body, digest_size=8).hexdigest()}"'
        return (304, b"", own) if tag == own else (200, body, own)


@contextmanager
def serving(files: Mapping[str, bytes]) -> Iterator[Site]:
    """Serve some files on a free port of loopback."""
    site = Site(files)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body, tag = site.respond(self.path, self.headers.get("If-None-Match"))
            site.answers.append((self.path, status))
            self.send_response(status)
            if tag:
                self.send_header("ETag", tag)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        site.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield site
        finally:
            server.shutdown()
            thread.join()
