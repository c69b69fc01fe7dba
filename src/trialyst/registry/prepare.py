"""Raw records to rows and documents: the part of an ingest that needs no index, so any process
can do it. Run as a module it is such a process, fed over standard input.
"""

from __future__ import annotations

import gc
import pickle
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import IO, TYPE_CHECKING, Any

import msgspec

from trialyst.essie.pieces import pieces
from trialyst.registry.extract import Extract, extract_study, values_at
from trialyst.registry.inputs import RawRecord
from trialyst.registry.records import compressor_for

if TYPE_CHECKING:
    import zstandard

__all__ = ["Damage", "Names", "Prepared", "Preparer", "read_frame", "write_frame"]

_NCT_ID = re.compile(r"NCT([0-9]{8})", re.IGNORECASE)
_WRITTEN_ID = re.compile(rb'"nctId"\s*:\s*"(NCT[0-9]{8})"')


@dataclass(frozen=True, slots=True)
class Names:
    """The names a study uses, from which the registry learns synonyms."""

    interventions: tuple[tuple[str, tuple[str, ...]], ...]
    conditions: tuple[str, ...]
    mesh_conditions: tuple[tuple[str, str], ...]
    first_posted: str


@dataclass(frozen=True, slots=True)
class Damage:
    """A record that was left out, or read in part, and why."""

    place: str
    nct_id: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """A study ready to be stored and indexed, with the sites that were not given before."""

    number: int
    blob: bytes
    extract: Extract
    names: Names
    flaw: Damage | None = None
    """What of a record that was kept could not be read."""


class Preparer:
    """Turns raw records into prepared studies with one compression dictionary."""

    def __init__(self, dictionary: bytes) -> None:
        self._compressor: zstandard.ZstdCompressor = compressor_for(dictionary)
        self._given: set[int] = set()
        """Sites given out before; their documents need not be sent again."""

    def __call__(self, records: Sequence[RawRecord]) -> list[Prepared | Damage]:
        return [self._prepare(record) for record in records]

    def _prepare(self, record: RawRecord) -> Prepared | Damage:
        try:
            study = msgspec.json.decode(record.data)
            if type(study) is not dict:
                return Damage(record.place, None, "not a JSON object")
            nct_id = next(iter(values_at(study, pieces()["NCTId"])), None)
            match = _NCT_ID.fullmatch(nct_id) if type(nct_id) is str else None
            if match is None or not int(match[1]):
                return Damage(record.place, str(nct_id) if nct_id else None, "no valid NCT id")
            number = int(match[1])
            extract = extract_study(study, number)
        except (msgspec.DecodeError, UnicodeDecodeError) as problem:
            return Damage(record.place, _written_id(record.data), f"not valid JSON: {problem}")
        except RecursionError:
            return Damage(record.place, _written_id(record.data), "nested too deeply")
        sites = tuple(site for site in extract.sites if site.id not in self._given)
        self._given.update(site.id for site in sites)
        blob = self._compressor.compress(_one_line(record.data))
        flaw = None
        if extract.unreadable:
            reason = f"cannot be read: {', '.join(extract.unreadable)}"
            flaw = Damage(record.place, nct_id, reason)
        return Prepared(number, blob, replace(extract, sites=sites), _names(study), flaw)


def _written_id(data: bytes) -> str | None:
    """Find the id in a record that cannot be decoded."""
    written = _WRITTEN_ID.search(data)
    return written[1].decode() if written else None


def _one_line(data: bytes) -> bytes:
    """Keep the record as it came, but on one line, as the API serves it."""
    return msgspec.json.format(data, indent=-1) if b"\n" in data or b"\r" in data else data


def _names(study: Any) -> Names:
    table = pieces()
    interventions = values_at(study, table["Intervention"])
    meshes = values_at(study, table["ConditionMesh"])
    posted = values_at(study, table["StudyFirstPostDate"])
    return Names(
        tuple(
            (str(item["name"]), tuple(map(str, _listed(item.get("otherNames")))))
            for item in interventions
            if type(item) is dict and item.get("name")
        ),
        tuple(map(str, values_at(study, table["Condition"]))),
        tuple(
            (str(mesh["id"]), str(mesh["term"]))
            for mesh in meshes
            if type(mesh) is dict and "id" in mesh and "term" in mesh
        ),
        str(posted[0]) if posted else "",
    )


def _listed(value: Any) -> list[Any]:
    return value if type(value) is list else []


def write_frame(stream: IO[bytes], value: object) -> None:
    """Send a value as its length and its pickle."""
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(len(data).to_bytes(8, "big"))
    stream.write(data)
    stream.flush()


def read_frame(stream: IO[bytes]) -> Any:
    """Receive what `write_frame` sent, or raise EOFError when the other side is gone."""
    head = stream.read(8)
    if len(head) < 8:
        raise EOFError
    size = int.from_bytes(head, "big")
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    # Only our own child processes are at the other end of the pipe.
    return pickle.loads(data)


def _serve(source: IO[bytes], target: IO[bytes]) -> None:
    gc.disable()
    prepare: Callable[[Sequence[RawRecord]], list[Prepared | Damage]] | None = None
    while True:
        try:
            message = read_frame(source)
        except EOFError:
            return
        if prepare is None:
            prepare = Preparer(message)
        else:
            write_frame(target, prepare(message))


if __name__ == "__main__":
    # Pickles must name the importable module, not __main__.
    from trialyst.registry import prepare as _module

    _module._serve(sys.stdin.buffer, sys.stdout.buffer)
