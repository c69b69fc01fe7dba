"""The rival: SQLite FTS5 on the same records, as somebody who knows it would build it.

A contentless index of twelve columns (nothing is stored twice), a narrow table for filters, sites
with an R*Tree, records compressed apart; one transaction, merged into one b-tree at the end.
"""

from __future__ import annotations

import math
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.ours import TOP, Found
from benchmarks.questions import Question

__all__ = ["Rival", "build_rival"]

PHASES = ("EARLY_PHASE1", "PHASE1", "PHASE2", "PHASE3", "PHASE4", "NA")
BATCH = 2_000
KM_PER_DEGREE = 111.195
EARTH_KM = 6371.0088

# The column and its bm25 weight; the order is the order of the values in `_texts`.
_COLUMNS = {
    "titles": 9.0,
    "conditions": 9.0,
    "keywords": 6.0,
    "condition_mesh": 4.0,
    "interventions": 8.0,
    "arms": 4.5,
    "intervention_mesh": 4.0,
    "summary": 6.0,
    "outcomes": 5.0,
    "sponsors": 4.0,
    "sites": 3.5,
    "people": 3.0,
}
_FIELDS = {
    "cond": "{titles conditions keywords condition_mesh} : ",
    "intr": "{titles keywords interventions arms intervention_mesh} : ",
    "term": "",
}
_SCHEMA = f"""
CREATE VIRTUAL TABLE words USING fts5({", ".join(_COLUMNS)},
  content='', detail=full, tokenize='porter unicode61 remove_diacritics 2');
INSERT INTO words(words, rank) VALUES ('rank', 'bm25({", ".join(map(str, _COLUMNS.values()))})');
INSERT INTO words(words, rank) VALUES ('automerge', 0);
INSERT INTO words(words, rank) VALUES ('crisismerge', 64);
INSERT INTO words(words, rank) VALUES ('hashsize', 134217728);
CREATE TABLE study (id INTEGER PRIMARY KEY, nct_id TEXT, status TEXT, phases INT, started TEXT);
CREATE TABLE record (id INTEGER PRIMARY KEY, body BLOB);
CREATE TABLE site (id INTEGER PRIMARY KEY, study INT, city TEXT, status TEXT);
CREATE VIRTUAL TABLE spot USING rtree(id, south, north, west, east, +lat REAL, +lon REAL);
"""
_INDEXES = """
CREATE UNIQUE INDEX study_nct_id ON study (nct_id);
CREATE INDEX study_started ON study (started);
CREATE INDEX site_place ON site (city, status, study);
INSERT INTO words(words) VALUES ('optimize');
ANALYZE;
"""


def build_rival(paths: Sequence[Path], database: Path) -> None:
    """Index every record, from nothing."""
    database.unlink(missing_ok=True)
    connection = sqlite3.connect(database, isolation_level=None)
    connection.executescript(
        "PRAGMA page_size=8192; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
        "PRAGMA cache_size=-262144; PRAGMA locking_mode=EXCLUSIVE;"
    )
    connection.executescript(_SCHEMA)
    connection.execute("BEGIN")
    number = 0
    for batch in _iter_batches(paths):
        _insert(connection, batch, first=number + 1)
        number += len(batch)
    connection.execute("COMMIT")
    connection.executescript(_INDEXES)
    connection.close()


def _iter_batches(paths: Sequence[Path]) -> Iterator[list[bytes]]:
    batch: list[bytes] = []
    for path in paths:
        with path.open("rb") as lines:
            for line in lines:
                batch.append(line)
                if len(batch) == BATCH:
                    yield batch
                    batch = []
    if batch:
        yield batch


def _insert(connection: sqlite3.Connection, batch: Sequence[bytes], *, first: int) -> None:
    studies = [(first + n, msgspec.json.decode(line)) for n, line in enumerate(batch)]
    bodies = ((first + n, zlib.compress(line, 1)) for n, line in enumerate(batch))
    marks = ",".join("?" * len(_COLUMNS))
    columns = ", ".join(_COLUMNS)
    connection.executemany(
        f"INSERT INTO words (rowid, {columns}) VALUES (?, {marks})",
        ((number, *_texts(study)) for number, study in studies),
    )
    connection.executemany(
        "INSERT INTO study VALUES (?, ?, ?, ?, ?)",
        ((number, *_facts(study)) for number, study in studies),
    )
    connection.executemany("INSERT INTO record VALUES (?, ?)", bodies)
    for number, study in studies:
        _insert_sites(connection, number, study)


def _insert_sites(connection: sqlite3.Connection, number: int, study: dict[str, Any]) -> None:
    for place in _module(study, "contactsLocationsModule").get("locations", []):
        added = connection.execute(
            "INSERT INTO site (study, city, status) VALUES (?, ?, ?)",
            (number, place.get("city", "").lower(), place.get("status")),
        )
        if point := place.get("geoPoint"):
            lat, lon = point["lat"], point["lon"]
            connection.execute(
                "INSERT INTO spot VALUES (?, ?, ?, ?, ?, ?, ?)",
                (added.lastrowid, lat, lat, lon, lon, lat, lon),
            )


def _module(study: dict[str, Any], name: str) -> dict[str, Any]:
    module: dict[str, Any] = study["protocolSection"].get(name, {})
    return module


def _facts(study: dict[str, Any]) -> tuple[str, str, int, str | None]:
    status = _module(study, "statusModule")
    phases = _module(study, "designModule").get("phases", [])
    return (
        _module(study, "identificationModule")["nctId"],
        status.get("overallStatus", ""),
        sum(1 << PHASES.index(phase) for phase in phases),
        status.get("startDateStruct", {}).get("date"),
    )


def _texts(study: dict[str, Any]) -> tuple[str, ...]:
    """Give the text of each column."""
    titles = _module(study, "identificationModule")
    conditions = _module(study, "conditionsModule")
    arms = _module(study, "armsInterventionsModule")
    sponsors = _module(study, "sponsorCollaboratorsModule")
    places = _module(study, "contactsLocationsModule")
    interventions = arms.get("interventions", [])
    groups = arms.get("armGroups", [])
    derived = study.get("derivedSection", {})
    return (
        _text([titles], "nctId", "acronym", "briefTitle", "officialTitle"),
        "\n".join(conditions.get("conditions", [])),
        "\n".join(conditions.get("keywords", [])),
        _mesh(derived.get("conditionBrowseModule", {})),
        _text(interventions, "type", "name", "otherNames"),
        _text([*interventions, *groups], "label", "type", "description"),
        _mesh(derived.get("interventionBrowseModule", {})),
        _module(study, "descriptionModule").get("briefSummary", ""),
        _outcomes(study),
        _text([sponsors.get("leadSponsor", {}), *sponsors.get("collaborators", [])], "name"),
        _text(places.get("locations", []), "facility", "city", "state", "country"),
        _text(places.get("overallOfficials", []), "name", "affiliation"),
    )


def _text(objects: Sequence[dict[str, Any]], *keys: str) -> str:
    found = (value for each in objects for key in keys if (value := each.get(key)))
    return "\n".join(value if isinstance(value, str) else "\n".join(value) for value in found)


def _mesh(module: dict[str, Any]) -> str:
    return _text([*module.get("meshes", []), *module.get("ancestors", [])], "term")


def _outcomes(study: dict[str, Any]) -> str:
    module = _module(study, "outcomesModule")
    measured = study.get("resultsSection", {}).get("outcomeMeasuresModule", {})
    lists = chain.from_iterable(value for value in module.values() if isinstance(value, list))
    return _text([*lists, *measured.get("outcomeMeasures", [])], "measure", "title", "description")


_ORDERS = {"relevance": "ORDER BY rank", "newest": "ORDER BY study.started DESC", "any": ""}


class Rival:
    """An open FTS5 database, answering the same questions."""

    def __init__(self, database: Path) -> None:
        self._connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
        self._connection.execute("PRAGMA mmap_size=2147418112")
        self._connection.execute("PRAGMA cache_size=-262144")
        self._connection.execute("PRAGMA temp_store=MEMORY")

    def search(self, question: Question) -> Found:
        """Find the top hits and count all in one pass, which beats a second statement."""
        source, values = _to_sql(question)
        page = f"{_ORDERS[question.order]} LIMIT {TOP} OFFSET {question.offset}"
        rows = self._connection.execute(
            f"SELECT study.id, count(*) OVER () {source} {page}", values
        ).fetchall()
        if rows or not question.offset:
            return Found([number for number, _ in rows], rows[0][1] if rows else 0)
        (total,) = self._connection.execute(f"SELECT count(*) {source}", values).fetchone()
        return Found([], total)

    def count_by_status(self, question: Question) -> Mapping[str, int]:
        source, values = _to_sql(question)
        counts = f"SELECT study.status, count(*) {source} GROUP BY study.status"
        return dict(self._connection.execute(counts, values))

    def fetch(self, numbers: Sequence[int]) -> int:
        """Read whole records; give their size in bytes."""
        marks = ",".join("?" * len(numbers))
        rows = self._connection.execute(f"SELECT body FROM record WHERE id IN ({marks})", numbers)
        return sum(len(zlib.decompress(body)) for (body,) in rows)


def _to_sql(question: Question) -> tuple[str, list[Any]]:
    source = "FROM words JOIN study ON study.id = words.rowid WHERE words MATCH ?"
    values: list[Any] = [" AND ".join(_to_match(question))]
    for clause, bound in _clauses(question):
        source += f" AND {clause}"
        values += bound
    return source, values


def _to_match(question: Question) -> Iterator[str]:
    for param, text in question.words:
        inner = f'"{text}"' if question.phrase else " AND ".join(text.split())
        yield f"{_FIELDS[param]}({inner})"


def _clauses(question: Question) -> Iterator[tuple[str, Sequence[Any]]]:
    if question.statuses:
        marks = ",".join("?" * len(question.statuses))
        yield f"study.status IN ({marks})", question.statuses
    if question.phases:
        yield "study.phases & ?", [sum(1 << PHASES.index(phase) for phase in question.phases)]
    if question.started:
        yield "study.started BETWEEN ? AND ?", question.started
    if question.site:
        city, status = question.site
        inner = "SELECT study FROM site WHERE city = ? AND status = ?"
        yield f"study.id IN ({inner})", (city.lower(), status)
    if question.near:
        yield _circle(*question.near)


def _circle(lat: float, lon: float, km: float) -> tuple[str, Sequence[Any]]:
    """Take the box from the R*Tree, then the exact great-circle distance."""
    high = km / KM_PER_DEGREE
    wide = high / max(math.cos(math.radians(lat)), 0.01)
    cosine = (
        "sin(radians(?)) * sin(radians(lat))"
        " + cos(radians(?)) * cos(radians(lat)) * cos(radians(lon - ?))"
    )
    inner = (
        "SELECT site.study FROM spot JOIN site ON site.id = spot.id"
        " WHERE south >= ? AND north <= ? AND west >= ? AND east <= ?"
        f" AND acos(min(1.0, {cosine})) * {EARTH_KM} <= ?"
    )
    box = (lat - high, lat + high, lon - wide, lon + wide)
    return f"study.id IN ({inner})", (*box, lat, lat, lon, km)
