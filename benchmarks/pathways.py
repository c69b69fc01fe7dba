"""Measure the search over all pathways beside SQLite FTS5: `python benchmarks/pathways.py`.

The rival indexes the same texts of the same pathways in four weighted columns and gives the same:
the number of matches and the best 50 with title, organism and description.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import sqlite3
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trialyst.pathways.catalog import Catalog

__all__ = ["main"]

TARGET_MS = 5.0
"""The median of a search over the whole collection may not be above it."""
PAGE = 50
HUMAN = "Homo sapiens"
Question = tuple[str, str | None]
"""A text, and an organism or none."""
TOPICS = (
    "glycolysis|apoptosis|breast cancer|IL-6 signaling|metabolism|signaling pathway|TNF|EGFR|p53|"
    "insulin|cholesterol biosynthesis|cell cycle|oxidative stress|T cell receptor|Wnt|autophagy|"
    "DNA damage response|fatty acid oxidation|COVID-19|Alzheimer disease|MAPK|vitamin D|heart|"
    "angiogenesis|circadian rhythm|interferon|serotonin|tryptophan|estrogen|kidney|PI3K Akt mTOR"
)
_COLUMNS = ("Ensembl", "NCBI gene", "HGNC", "UniProt", "ChEBI", "InChI", "HMDB", "KEGG")


def main() -> None:
    """Print the times; the exit code is 1 when the target is missed."""
    sys.path[0] = str(Path(__file__).resolve().parents[1])
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="pathways that were loaded already")
    parser.add_argument("--json", type=Path, help="write the times to this file too")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measured = _measure(given.home or _load(Path(folder)), Path(folder))
    if given.json:
        given.json.write_text(json.dumps(measured, indent=2) + "\n")
    median = measured["ours"]["median_ms"]
    print(f"\nmedian {median:.2f} ms, target {TARGET_MS:g} ms")
    sys.exit(median > TARGET_MS)


def _load(folder: Path) -> Path:
    """Load the lists of nodes of the whole collection."""
    from trialyst.pathways import load_pathways

    data = Path(os.environ.get("TRIALYST_DATA", "../shared/data"))
    collection = data / "wikipathways" / "wikipathways_2026-08.jsonl.xz"
    path = folder / "all.zip"
    with (
        lzma.open(collection, "rt", encoding="utf-8") as lines,
        zipfile.ZipFile(path, "w") as archive,
    ):
        for line in lines:
            for name, text in _files(json.loads(line)):
                archive.writestr(name, text)
    load_pathways(path, folder)
    return folder


def _files(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    id = record["id"]
    rows = ["\t".join(["Label", "Type", "Identifier", *_COLUMNS])]
    for node in record["datanodes"]:
        own = [node.get("label", ""), node.get("type", ""), node.get("xref", "")]
        rows.append("\t".join([*own, *(node.get(column, "") for column in _COLUMNS)]))
    yield f"{id}-datanodes.tsv", "\n".join(rows)
    info = {name: record[name] for name in ("title", "organisms", "description")}
    info |= {"wpid": id, "last-edited": record["last_edited"]}
    yield f"{id}-info.json", json.dumps(info)


def _measure(home: Path, folder: Path) -> dict[str, Any]:
    from benchmarks.race import race
    from trialyst.pathways import PathwayQuery
    from trialyst.pathways.catalog import Catalog
    from trialyst.pathways.loading import store_path

    catalog = Catalog.open(store_path(home))
    rival = _Rival(catalog, folder / "rival.sqlite")
    questions = _questions(catalog)

    def ours(question: Question) -> int:
        return catalog.search(PathwayQuery(*question, PAGE)).total or 0

    times = race(questions, {"ours": ours, "FTS5": rival.search})
    print(f"{len(catalog):,} pathways, {len(questions)} questions")
    print(f"{'':8}{'median ms':>12}{'p95 ms':>12}{'matches':>10}")
    for name, each in times.items():
        mean = sum(each.hits) / len(each.hits)
        print(f"{name:8}{each.median:12.2f}{each.p95:12.2f}{mean:10.1f}")
    ratio = times["FTS5"].median / times["ours"].median
    print(f"FTS5 takes {ratio:.2f} times as long (medians)")
    return {
        "pathways": len(catalog),
        "questions": len(questions),
        "ratio": ratio,
        **{n: {"median_ms": each.median, "p95_ms": each.p95} for n, each in times.items()},
    }


def _questions(catalog: Catalog) -> list[Question]:
    """Give topics, titles and genes, of any organism and of humans."""
    from trialyst.pathways.ids import PathwayId

    texts = TOPICS.split("|")
    for number in catalog.numbers()[::8]:
        pathway = catalog.get(PathwayId(number))
        texts.append(pathway.name)
        texts += [node.label for node in list(pathway.genes())[:1]]
    usable = [text for text in texts if len(text) > 1 and any(map(str.isalnum, text))]
    return [(text, organism) for text in usable for organism in (None, HUMAN)]


class _Rival:
    """FTS5 as somebody who knows it would use it: weighted bm25, one merged b-tree."""

    def __init__(self, catalog: Catalog, path: Path) -> None:
        self._connection = sqlite3.connect(path)
        self._connection.executescript(
            "CREATE TABLE pathway (id INTEGER PRIMARY KEY, name TEXT, organism TEXT, about TEXT);"
            "CREATE VIRTUAL TABLE words USING fts5(title, labels, terms, description, content='',"
            " tokenize='porter unicode61 remove_diacritics 2');"
            "INSERT INTO words(words, rank) VALUES ('rank', 'bm25(8.0, 4.0, 2.0, 1.0)');"
        )
        self._fill(catalog)

    def _fill(self, catalog: Catalog) -> None:
        from trialyst.pathways.ids import PathwayId
        from trialyst.pathways.store import to_entry

        put = self._connection.execute
        for number in catalog.numbers():
            entry = to_entry(catalog.get(PathwayId(number)))
            summary, text = entry.summary, entry.text
            row: Sequence[Any] = (number, summary.name, summary.organism, summary.description)
            put("INSERT INTO pathway VALUES (?, ?, ?, ?)", row)
            words = (" ; ".join(text.labels), " ; ".join(text.annotations), text.description)
            put(
                "INSERT INTO words(rowid, title, labels, terms, description) "
                "VALUES (?, ?, ?, ?, ?)",
                (number, text.title, *words),
            )
        put("INSERT INTO words(words) VALUES ('optimize')")
        self._connection.commit()

    def search(self, question: Question) -> int:
        """Give the number of matches, and read the best of them."""
        text, organism = question
        cleaned = "".join(c if c.isalnum() else " " for c in text)
        match = " ".join(f'"{word}"' for word in cleaned.split())
        joined = "FROM words JOIN pathway ON pathway.id = words.rowid WHERE words MATCH ?"
        values: list[Any] = [match]
        if organism:
            joined += " AND organism = ?"
            values.append(organism)
        count = self._connection.execute(f"SELECT count(*) {joined}", values).fetchone()[0]
        self._connection.execute(
            f"SELECT id, name, organism, about, rank {joined} ORDER BY rank LIMIT {PAGE}", values
        ).fetchall()
        return int(count)


if __name__ == "__main__":
    main()
