from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import httpx2

from tests.interfaces.api.invented import number_of, studies
from trialyst.interfaces.api.archive import iter_zip

MOMENT = datetime(2026, 8, 14, 9, 0, 4)


def test_archive_holds_every_study_in_folders_by_last_digits(api: httpx2.Client) -> None:
    response = api.get("/studies/download?format=json.zip")
    assert response.headers["content-type"] == "application/zip"
    assert "ctg-studies.json.zip" in response.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        assert archive.testzip() is None
        found = {name: json.loads(archive.read(name)) for name in archive.namelist()}
    numbers = {number_of(study): study for study in studies()}
    assert found == {f"{n % 100:02d}/NCT{n}.json": study for n, study in numbers.items()}


def test_entries_carry_the_time_of_the_data() -> None:
    content = b"".join(iter_zip([("a.json", b"{}")], MOMENT))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.getinfo("a.json").date_time == (2026, 8, 14, 9, 0, 4)


def test_archive_of_nothing_is_valid() -> None:
    with zipfile.ZipFile(io.BytesIO(b"".join(iter_zip([], MOMENT)))) as archive:
        assert archive.namelist() == []


def test_archive_may_have_more_entries_than_sixteen_bits_count(tmp_path: Path) -> None:
    path = tmp_path / "many.zip"
    with path.open("wb") as file:
        file.writelines(iter_zip(((f"{i}.json", b"{}") for i in range(66_000)), MOMENT))
    with zipfile.ZipFile(path) as archive:
        assert len(archive.namelist()) == 66_000
        assert archive.read("65999.json") == b"{}"


def test_archive_may_reach_beyond_four_gigabytes(tmp_path: Path) -> None:
    path, hole = tmp_path / "large.zip", 0x1_0000_0000 + 5
    with path.open("wb") as file:
        file.seek(hole)
        file.writelines(iter_zip([("a.json", b"{}"), ("b.json", b"[]")], MOMENT, position=hole))
    with zipfile.ZipFile(path) as archive:
        assert archive.read("b.json") == b"[]"


def test_archive_comes_in_pieces() -> None:
    seen: list[int] = []

    def files() -> Iterator[tuple[str, bytes]]:
        for index in range(200):
            seen.append(index)
            yield f"{index}.json", random.Random(index).randbytes(20_000)

    first = next(iter_zip(files(), MOMENT))
    assert first.startswith(b"PK")
    assert len(seen) < 200
