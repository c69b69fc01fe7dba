"""Write the pages of the three journeys to a folder: `python tools/save_pages.py URL FOLDER`."""

from __future__ import annotations

import re
import sys
import time
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

__all__ = ["main"]

PAGES = {
    "1-home": "/",
    "1-search": "/search?query=recruiting+phase+3+asthma",
    "1-trial": "/trial/NCT90001530",
    "2-repurposing": "/repurposing?drug=albuterol&condition=asthma",
    "2-landscape": "/repurposing/landscape?condition=asthma",
    "2-dossier": "/repurposing/dossier?drug=albuterol&condition=asthma",
    "3-pathway": "/pathways/WP534?highlight=HK1,PKM",
}
ASSETS = ("site.css", "mark.svg")
PATIENCE = 60
_SEAL = re.compile(r'name="csrf" value="([^"]+)"')


def main() -> None:
    """Fetch and write."""
    site, folder = sys.argv[1], Path(sys.argv[2])
    (folder / "static").mkdir(parents=True, exist_ok=True)
    visitor = build_opener(HTTPCookieProcessor(CookieJar()))
    _wait(visitor, site)
    for name in ASSETS:
        (folder / "static" / name).write_bytes(_get(visitor, f"{site}/static/{name}"))
    (folder / "world.svg").write_bytes(_get(visitor, f"{site}/world.svg"))
    for name, path in PAGES.items():
        _save(folder, name, _get(visitor, site + path))
    _save(folder, "3-match", _match(visitor, site))
    (folder / "3-report.html").write_bytes(_get(visitor, f"{site}/match/report.html"))
    print(f"  {folder / '3-report.html'}")


def _get(visitor: OpenerDirector, url: str, **fields: str) -> bytes:
    data = urlencode(fields).encode() if fields else None
    with visitor.open(url, data, timeout=PATIENCE) as answer:
        body: bytes = answer.read()
        return body


def _wait(visitor: OpenerDirector, site: str) -> None:
    for _ in range(10 * PATIENCE):
        try:
            _get(visitor, f"{site}/health")
        except URLError:
            time.sleep(0.1)
        else:
            return
    sys.exit(f"Nothing answers at {site}")


def _match(visitor: OpenerDirector, site: str) -> bytes:
    """Read a sample patient, find trials, and wait for them."""
    for path, fields in (
        ("/match/read", {"sample": "melanoma_braf"}),
        ("/match/find", {"near": "Sydney"}),
    ):
        found = _SEAL.search(_get(visitor, f"{site}/match").decode())
        assert found
        _get(visitor, site + path, csrf=found[1], **fields)
    for _ in range(10 * PATIENCE):
        page = _get(visitor, f"{site}/match")
        if b"Trials in their order" in page:
            return page
        time.sleep(0.1)
    sys.exit("The match did not end")


def _save(folder: Path, name: str, page: bytes) -> None:
    """Write a page so that it can be looked at without the server."""
    text = re.sub(r"<script.*?</script>", "", page.decode(), flags=re.S)
    text = text.replace('"/static/', '"static/').replace('"/world.svg"', '"world.svg"')
    path = folder / f"{name}.html"
    path.write_text(text, "utf-8")
    print(f"  {path}")


if __name__ == "__main__":
    main()
