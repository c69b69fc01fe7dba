"""Plain notes of common diseases: how many of the first ten trials study the disease.

    python benchmarks/common_diseases.py --registry DIR [--every 10]

Which trials study it is told by the raw records alone, by phrases in titles, conditions and MeSH
terms (`common_diseases.txt`): nothing that searches or ranks has a part in it. The exit code is 1
when, of a disease that ten records study, fewer than eight of the first ten do.
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["TARGET", "Disease", "count_hits", "iter_studies", "main", "read_diseases", "studies_of"]

TOP = 10
TARGET = 8
"""Of the first ten, where the registry holds ten."""
_NOTES = Path(__file__).with_suffix(".txt")
_FOLDERS = ("ctgov_v2_native", "ctgov_v2_from_xml", "ctgov_v2_partial")


class Disease(NamedTuple):
    """A note, and the phrases by which a record that studies its disease is known."""

    note: str
    pattern: re.Pattern[str]


def read_diseases(path: Path = _NOTES) -> list[Disease]:
    """Read the notes."""
    lines = path.read_text("utf-8").splitlines()
    found = []
    for line in lines:
        if line and line[0] not in "#@":
            note, _, phrases = line.partition(" | ")
            words = "|".join(re.escape(each.strip()) for each in phrases.split(";"))
            found.append(Disease(note, re.compile(rf"\b(?:{words})", re.IGNORECASE)))
    return found


def iter_studies(data: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the raw records of a data directory."""
    for folder in _FOLDERS:
        for path in sorted((data / folder).glob("*.jsonl.*")):
            opener = lzma.open if path.suffix == ".xz" else gzip.open
            with opener(path, "rt", encoding="utf-8") as lines:
                yield from map(json.loads, lines)


def studies_of(studies: Iterable[Mapping[str, Any]], diseases: Sequence[Disease]) -> list[set[str]]:
    """Give, for each disease, the ids of the records that name it."""
    found: list[set[str]] = [set() for _ in diseases]
    for study in studies:
        protocol = study.get("protocolSection", {})
        titles = protocol.get("identificationModule", {})
        mesh = study.get("derivedSection", {}).get("conditionBrowseModule", {})
        text = " | ".join(
            [
                titles.get("briefTitle", ""),
                titles.get("officialTitle", ""),
                *protocol.get("conditionsModule", {}).get("conditions", ()),
                *(each.get("term", "") for each in mesh.get("meshes", ())),
            ]
        )
        for disease, ids in zip(diseases, found, strict=True):
            if disease.pattern.search(text):
                ids.add(titles.get("nctId", ""))
    return found


def count_hits(ranked: Sequence[str], studied: set[str]) -> int:
    """Count the trials of the disease among the first ten."""
    return sum(trial in studied for trial in ranked[:TOP])


def main() -> None:
    """Match every note, print what was found, and fail where too little was."""
    import trialyst

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--registry", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=os.environ.get("TRIALYST_DATA"))
    parser.add_argument("--every", type=int, default=1, help="take each so-and-so-many-th note")
    given = parser.parse_args()
    if given.data is None:
        parser.error("give --data or set TRIALYST_DATA")
    diseases = read_diseases()[:: given.every]
    studied = studies_of(iter_studies(given.data), diseases)
    missed = 0
    with trialyst.connect("local", registry=given.registry) as session:
        for disease, ids in zip(diseases, studied, strict=True):
            report = session.matching.match(disease.note, status=(), study_type=())
            hits = count_hits([trial.nct_id for trial in report.trials], ids)
            short = len(ids) >= TOP and hits < TARGET
            missed += short
            print(f"{hits:2} of {TOP}  {len(ids):5} held  {'!' if short else ' '} {disease.note}",
                  flush=True)  # fmt: skip
    print(f"{len(diseases) - missed} of {len(diseases)} notes reach {TARGET} of the first {TOP}")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
