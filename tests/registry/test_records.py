"""The record store gives back exactly what was put, and nothing that was not committed."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.registry.invented import as_line, many
from trialyst.errors import RegistryError
from trialyst.registry.records import (
    RecordReader,
    RecordWriter,
    StoredRecord,
    stored_mark,
    train_dictionary,
)

RECORDS = {number: as_line(record) for number, record in enumerate(many(1500), 1)}


def write(path: Path, records: dict[int, bytes], dictionary: bytes = b"") -> None:
    writer = RecordWriter(path)
    writer.set_dictionary(dictionary)
    writer.put([StoredRecord(number, 20200101, data, b"[]") for number, data in records.items()])
    writer.close()


@pytest.mark.parametrize("trained", [False, True])
def test_records_come_back_as_they_were(tmp_path: Path, trained: bool) -> None:
    dictionary = train_dictionary(list(RECORDS.values())) if trained else b""
    assert bool(dictionary) == trained
    write(tmp_path / "records.db", RECORDS, dictionary)
    reader = RecordReader(tmp_path / "records.db")
    assert dict(reader.iter()) == RECORDS
    assert reader.get([3, 1, 999_999, 1200]) == {n: RECORDS[n] for n in (3, 1, 1200)}
    assert len(reader) == len(RECORDS)
    reader.close()


def test_more_numbers_than_sqlite_takes_at_once(tmp_path: Path) -> None:
    write(tmp_path / "records.db", RECORDS)
    reader = RecordReader(tmp_path / "records.db")
    assert reader.get(list(reversed(range(1, 1501)))) == RECORDS
    assert reader.get([]) == {}
    reader.close()


def test_records_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    write(tmp_path / "records.db", dict(reversed(RECORDS.items())))
    reader = RecordReader(tmp_path / "records.db")
    assert [number for number, _ in reader.iter()] == sorted(RECORDS)
    reader.close()


def test_a_later_record_replaces_an_earlier_one(tmp_path: Path) -> None:
    writer = RecordWriter(tmp_path / "records.db")
    writer.set_dictionary(b"")
    writer.put([StoredRecord(1, 20200101, b"old", b"[]"), StoredRecord(2, 0, b"other", b"[]")])
    writer.put([StoredRecord(1, 20210101, b"new", b"[]")])
    assert writer.updates() == {1: 20210101, 2: 0}
    assert writer.remove([2, 7]) == 1
    writer.close()
    reader = RecordReader(tmp_path / "records.db")
    assert dict(reader.iter()) == {1: b"new"}
    reader.close()


def test_what_was_not_committed_is_gone_with_its_mark(tmp_path: Path) -> None:
    writer = RecordWriter(tmp_path / "records.db")
    writer.set_dictionary(b"")
    writer.put([StoredRecord(1, 0, b"kept", b"[]")])
    writer.commit(mark=1)
    writer.put([StoredRecord(2, 0, b"lost", b"[]")])
    writer.abandon()
    assert stored_mark(tmp_path / "records.db") == 1
    writer = RecordWriter(tmp_path / "records.db")
    assert writer.dictionary == b""
    assert set(writer.updates()) == {1}
    writer.close()


def test_there_is_no_mark_where_there_are_no_records(tmp_path: Path) -> None:
    assert stored_mark(tmp_path / "absent.db") == 0
    (tmp_path / "other.db").write_bytes(b"not a database" * 100)
    assert stored_mark(tmp_path / "other.db") == 0


def test_few_samples_train_no_dictionary() -> None:
    assert train_dictionary([b"a"] * 150) == b""
    assert train_dictionary([b""] * 500) == b""


def test_threads_share_a_reader(tmp_path: Path) -> None:
    write(tmp_path / "records.db", RECORDS)
    reader = RecordReader(tmp_path / "records.db")
    wrong: list[int] = []

    def read(first: int) -> None:
        for number in range(first, 1501, 4):
            if reader.get([number]) != {number: RECORDS[number]}:
                wrong.append(number)

    threads = [threading.Thread(target=read, args=(first,)) for first in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    reader.close()


def test_a_missing_file_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(RegistryError, match="cannot be read"):
        RecordReader(tmp_path / "absent.db")


def test_a_changed_record_is_a_clear_error(tmp_path: Path) -> None:
    write(tmp_path / "records.db", {1: b"words " * 100})
    db = sqlite3.connect(tmp_path / "records.db")
    (blob,) = db.execute("SELECT blob FROM records").fetchone()
    db.execute("UPDATE records SET blob = ?", (blob[:-6] + b"\xff" + blob[-5:],))
    db.commit()
    db.close()
    reader = RecordReader(tmp_path / "records.db")
    with pytest.raises(RegistryError, match="The record of NCT00000001 is damaged"):
        reader.get([1])
    reader.close()


def test_a_reader_closed_while_others_read_ends_them_with_an_error(tmp_path: Path) -> None:
    path = tmp_path / "records.db"
    write(path, RECORDS, b"")
    reader = RecordReader(path)
    started = threading.Event()

    def read() -> None:
        while True:
            reader.get(list(RECORDS))
            started.set()

    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        assert started.wait(timeout=4)
        reader.close()
        for each in readers:
            with pytest.raises(RegistryError, match="closed while it was read"):
                each.result()
