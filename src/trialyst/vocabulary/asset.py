"""The shipped names: unpacked once under the home directory, then only mapped.

What is shipped is a packed table. Where the folding has changed since it was packed its keys are
made anew from its lines, which takes some seconds; a damaged unpacked file is unpacked again.
"""

from __future__ import annotations

import lzma
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from trialyst import folding
from trialyst.folding import fold_phrase, phrase_variants
from trialyst.vocabulary.table import DamagedTable, Place, Table, replace_file, table_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ASSET", "MARKS", "lay_out", "open_asset"]

ASSET = Path(__file__).parent / "data" / "names.table.xz"
MARKS = "+~<=^%"
"""A name's marks: curated, ambiguous, narrower than the concept, only as written, foreign, only
where nothing but genes is asked for."""

_JOINABLE = ("-", "non", "anti", "post", "pre", "multi", "intra", "peri", "neo")
_SHORT = 8
_PROBES = 2_000


def open_asset(home: Path, *, asset: Path = ASSET) -> Table:
    """Map the unpacked vocabulary under `home`, unpacking it when it is missing or damaged."""
    path = home / "vocabulary" / _version(asset) / "names.table"
    try:
        return Table.open(path)
    except (FileNotFoundError, DamagedTable):
        replace_file(path, lzma.decompress(asset.read_bytes()))
    table = Table.open(path)
    if _is_folded_as_today(table):
        return table
    replace_file(path, lay_out([table.line(number) for number in range(table.lines)]))
    return Table.open(path)


def lay_out(lines: list[str]) -> bytes:
    """Give the table of the concepts' lines: keys for every name, id and tree number."""
    return table_bytes(lines, _keys(lines))


def _version(asset: Path) -> str:
    shipped = zlib.crc32(asset.read_bytes())
    spelling = zlib.crc32(Path(folding.__file__).read_bytes())
    return f"{shipped:08x}-{spelling:08x}"


def _is_folded_as_today(table: Table) -> bool:
    for number in range(0, table.lines, max(1, table.lines // _PROBES)):
        for name in _names(table.line(number)):
            if all(place.line != number for place in table.places(fold_phrase(name))):
                return False
    return True


def _names(line: str) -> list[str]:
    return [name.lstrip(MARKS) for name in line.rsplit("\t", 1)[1].split("|")]


def _keys(lines: list[str]) -> Iterator[tuple[str, Place]]:
    for number, line in enumerate(lines):
        ids, kind, _, trees, _, _ = line.split("\t")
        for identifier in ids.split("|"):
            yield f"#{identifier}", Place(number, 0)
        for tree in filter(None, trees.split("|")):
            yield f"@{tree}", Place(number, 0)
        seen: set[str] = set()
        for place, name in enumerate(_names(line)):
            for key in _spellings(name, condition=kind == "c"):
                if key not in seen:
                    seen.add(key)
                    yield key, Place(number, place)


def _spellings(name: str, *, condition: bool) -> list[str]:
    # Hyphens and prefixes vary in the names of conditions; in drugs and abbreviations they tell
    # apart: RED-S is not "reds".
    if condition and len(name) > _SHORT and any(part in name.lower() for part in _JOINABLE):
        return [" ".join(tokens) for tokens in phrase_variants(name)]
    return [fold_phrase(name)]
