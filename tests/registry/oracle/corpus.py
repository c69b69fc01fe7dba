"""The real records the oracle works on: all of them, or a fixed mixed sample."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

__all__ = ["iter_studies", "load_lines", "load_sample", "nct_number"]

FOLDERS = ("ctgov_v2_native", "ctgov_v2_from_xml", "ctgov_v2_partial")
SHARE_OF_SAMPLE = {"ctgov_v2_native": 0.5, "ctgov_v2_from_xml": 0.4, "ctgov_v2_partial": 0.1}
SHARDS_OF_SAMPLE = 5
"""How many files of a folder the sample reads: unpacking all of them costs half a minute of CI."""
SHARE_OF_LARGEST = 0.05
RARE_KEYS = (
    b'"retractions":',
    b'"violationEvents":',
    b'"expandedAccessTypes":',
    b'"delayedPosting":',
    b'"fdaaa801Violation":',
    b'"nPtrsToThisExpAccNctId":',
    b'"dateUnknown":',
    b'"typeUnitsAnalyzed":',
)
"""Modules so rare that evenly spaced records would miss them."""
PER_RARE_KEY = 3

Study = dict[str, Any]


def iter_studies(data_dir: Path) -> Iterator[Study]:
    """Yield every real study once; the first record of an id stands."""
    seen = set()
    for folder in FOLDERS:
        for path in sorted((data_dir / folder).glob("*.jsonl.*")):
            for line in load_lines(path):
                study = msgspec.json.decode(line)
                if nct_number(study) not in seen:
                    seen.add(nct_number(study))
                    yield study


def load_sample(data_dir: Path, size: int) -> list[Study]:
    """Load the largest, the rarest and evenly spaced studies of every folder, always the same."""
    chosen: dict[int, Study] = {}
    for folder in FOLDERS:
        paths = sorted((data_dir / folder).glob("*.jsonl.*"))
        spread = paths[:: max(1, len(paths) // SHARDS_OF_SAMPLE)]
        lines = [line for path in spread for line in load_lines(path)]
        wanted = len(chosen) + int(size * SHARE_OF_SAMPLE[folder])
        for line in _by_interest(lines, int(size * SHARE_OF_SAMPLE[folder])):
            if len(chosen) == wanted:
                break
            study = msgspec.json.decode(line)
            chosen.setdefault(nct_number(study), study)
    return list(chosen.values())


def nct_number(study: Study) -> int:
    """Give the number in a study's id."""
    return int(study["protocolSection"]["identificationModule"]["nctId"].removeprefix("NCT"))


def _by_interest(lines: list[bytes], count: int) -> Iterator[bytes]:
    by_size = sorted(lines, key=len, reverse=True)
    yield from by_size[: int(count * SHARE_OF_LARGEST)]
    for key in RARE_KEYS:
        yield from [line for line in lines if key in line][:PER_RARE_KEY]
    step = max(1, len(lines) // count)
    for start in range(step):
        yield from by_size[start::step]


def load_lines(path: Path) -> list[bytes]:
    """Unpack the records of a file, a line each."""
    unpack = lzma.open if path.suffix == ".xz" else gzip.open
    with unpack(path) as file:
        return list(file)
