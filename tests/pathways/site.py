"""A WikiPathways site on loopback: files by path, with tags, over real HTTP."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tests.serving import QuietHandler, handling

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

    class Handler(QuietHandler):
        def do_GET(self) -> None:
            status, body, tag = site.respond(self.path, self.headers.get("If-None-Match"))
            site.answers.append((self.path, status))
            self.send_response(status)
            if tag:
                self.send_header("ETag", tag)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with handling(Handler) as site.url:
        yield site
