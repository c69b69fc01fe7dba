"""Every layout a study file comes in gives the same records; damage is told, never passed over."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from tests.registry.invented import FIRST, as_line, many, study
from trialyst.errors import InvalidInput
from trialyst.registry.inputs import RawRecord, RecordStream, find_inputs
from trialyst.registry.jsontext import LONGEST_RECORD

STUDIES = many(5)
COMPACT = json.dumps(STUDIES, separators=(",", ":")).encode()
LINES = b"".join(as_line(record) + b"\n" for record in STUDIES)

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": lambda data: gzip.compress(data, mtime=0),
    ".xz": lzma.compress,
    ".zst": zstandard.ZstdCompressor().compress,
}
LAYOUTS = {
    "compact array": COMPACT,
    "indented array": json.dumps(STUDIES, indent=2).encode(),
    "array with a study a line": b"[\n" + b",\n".join(map(as_line, STUDIES)) + b"\n]\n",
    "array in much white space": b"\n \t" * 600_000 + COMPACT.replace(b"},{", b"}\n\n , \r\n{"),
    "array behind a byte order mark": b"\xef\xbb\xbf" + COMPACT,
    "page": b'{"studies":' + COMPACT + b"}",
    "page with a token": b'{"studies":' + COMPACT + b',"nextPageToken":"abc"}',
    "page with its total first": b'{"totalCount":5,"studies":' + COMPACT + b"}",
    "indented page": json.dumps({"totalCount": 5, "studies": STUDIES}, indent=1).encode(),
    "page a line": b"".join(b'{"studies":[' + as_line(s) + b"]}\n" for s in STUDIES),
    "indented objects": b"\n".join(json.dumps(s, indent=1).encode() for s in STUDIES),
    "arrays one after another": b"".join(b"[" + as_line(s) + b"]\n" for s in STUDIES),
    "lines": LINES,
    "lines without a last end": LINES.rstrip(),
    "lines behind a byte order mark": b"\xef\xbb\xbf" + LINES,
    "lines with blank ones": b"\n \n" + LINES.replace(b"\n", b"\n\n\t\n"),
    "lines with carriage returns": LINES.replace(b"\n", b"\r\n"),
}


def read(*paths: Path) -> list[RawRecord]:
    return list(RecordStream(find_inputs(paths)))


def decoded(records: list[RawRecord]) -> list[object]:
    return [json.loads(record.data) for record in records]


def read_bytes(directory: Path, content: bytes, name: str = "studies.json") -> list[RawRecord]:
    (directory / name).write_bytes(content)
    return read(directory / name)


def zipped(members: dict[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return held.getvalue()


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_the_same_studies(tmp_path: Path, layout: str, suffix: str) -> None:
    packed = PACKERS[suffix](LAYOUTS[layout])
    assert decoded(read_bytes(tmp_path, packed, f"studies.json{suffix}")) == STUDIES


def test_one_indented_object_is_one_study(tmp_path: Path) -> None:
    content = json.dumps(STUDIES[0], indent=4).encode()
    assert decoded(read_bytes(tmp_path, content)) == STUDIES[:1]


def test_official_archive_holds_a_study_a_member(tmp_path: Path) -> None:
    members = {f"{n // 100_000}/NCT{n}.json": as_line(s) for n, s in enumerate(STUDIES, FIRST)}
    members["README.txt"] = b"not a study"
    records = read_bytes(tmp_path, zipped(members), "ctg-studies.json.zip")
    assert decoded(records) == STUDIES
    assert records[0].place == f"ctg-studies.json.zip/{FIRST // 100_000}/NCT{FIRST}.json:1"


def test_a_directory_stands_for_the_study_files_below_it(tmp_path: Path) -> None:
    (tmp_path / "a" / "deep").mkdir(parents=True)
    (tmp_path / "a" / "deep" / "1.json").write_bytes(as_line(STUDIES[0]))
    (tmp_path / "a" / "2.jsonl.gz").write_bytes(gzip.compress(as_line(STUDIES[1])))
    (tmp_path / "b.zip").write_bytes(zipped({"3.json": as_line(STUDIES[2])}))
    (tmp_path / "c.ndjson").write_bytes(as_line(STUDIES[3]))
    (tmp_path / "d.json.zst").write_bytes(PACKERS[".zst"](b"[" + as_line(STUDIES[4]) + b"]"))
    (tmp_path / "notes.txt").write_text("not a study")
    (tmp_path / "table.csv.gz").write_bytes(b"not a study")
    records = read(tmp_path)
    assert sorted(map(as_line, decoded(records))) == sorted(map(as_line, STUDIES))  # type: ignore[arg-type]


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    read_bytes(tmp_path, LINES)
    assert len(read(tmp_path, tmp_path / "studies.json")) == len(STUDIES)


def test_a_directory_without_study_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no study files"):
        find_inputs([tmp_path])


def test_a_path_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no file or directory") as refusal:
        find_inputs([tmp_path / "absent.json"])
    assert refusal.value.invalid_input == str(tmp_path / "absent.json")


def test_a_file_that_went_away_is_named(tmp_path: Path) -> None:
    path = tmp_path / "studies.json"
    path.write_bytes(LINES)
    files = find_inputs([path])
    path.unlink()
    with pytest.raises(InvalidInput, match=r"studies\.json"):
        list(RecordStream(files))


@pytest.mark.parametrize(
    "content",
    [b"<!DOCTYPE html><html>", b"\x1f\x8b\x08\x00", b"\x89PNG\r\n", b"NCTId,Title\n", b"null"],
    ids=["html", "unnamed gzip", "picture", "table", "null"],
)
def test_what_is_not_json_is_refused_with_its_name(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(InvalidInput, match="does not hold studies") as refusal:
        read_bytes(tmp_path, content)
    assert refusal.value.invalid_input == "studies.json"


@pytest.mark.parametrize("content", [b"", b"\n\n  \n", b"\xef\xbb\xbf"])
def test_an_empty_file_of_lines_holds_nothing(tmp_path: Path, content: bytes) -> None:
    assert read_bytes(tmp_path, content, "studies.jsonl") == []


def test_an_empty_study_file_is_a_damaged_record(tmp_path: Path) -> None:
    assert read_bytes(tmp_path, b"", "NCT90000001.json") == [RawRecord(b"", "NCT90000001.json")]


def test_a_line_says_where_it_stood(tmp_path: Path) -> None:
    content = b"\n" + as_line(STUDIES[0]) + b"\n\n" + as_line(STUDIES[1])
    places = [record.place for record in read_bytes(tmp_path, content, "studies.jsonl")]
    assert places == ["studies.jsonl:2", "studies.jsonl:4"]


def test_a_record_of_an_array_says_which_it_is(tmp_path: Path) -> None:
    places = [record.place for record in read_bytes(tmp_path, COMPACT)]
    assert places == [f"studies.json[{n}]" for n in range(1, 6)]


def test_a_line_keeps_its_bytes(tmp_path: Path) -> None:
    line = b'{"protocolSection" : {"x": "\\u00e9 \xc3\xa9", "n": 1.50}}'
    assert read_bytes(tmp_path, line + b"\n" + line)[1].data == line


@pytest.mark.parametrize("broken", [0, 1, 4])
def test_a_damaged_line_does_not_end_the_lines(tmp_path: Path, broken: int) -> None:
    lines = LINES.splitlines()
    lines[broken] = lines[broken][:40]
    content = b"".join(line + b"\n" for line in lines)
    assert [record.data for record in read_bytes(tmp_path, content)] == lines


@pytest.mark.parametrize("suffix", PACKERS)
def test_lines_that_break_off_in_a_record_are_refused(tmp_path: Path, suffix: str) -> None:
    packed = PACKERS[suffix](LINES[:-50])
    with pytest.raises(InvalidInput, match="line 5 breaks off in the middle of a record"):
        read_bytes(tmp_path, packed, f"studies.jsonl{suffix}")


def test_a_damaged_last_line_is_one_record(tmp_path: Path) -> None:
    content = LINES + b'{"protocolSection":}'
    assert len(read_bytes(tmp_path, content)) == 6


def test_endings_are_known_in_any_case(tmp_path: Path) -> None:
    (tmp_path / "A.JSONL").write_bytes(as_line(STUDIES[0]))
    (tmp_path / "B.Json.GZ").write_bytes(PACKERS[".gz"](as_line(STUDIES[1])))
    (tmp_path / "C.ZIP").write_bytes(zipped({"X.JSON": as_line(STUDIES[2])}))
    assert decoded(read(tmp_path)) == STUDIES[:3]
    assert decoded(
        [record for name in ("C.ZIP", "A.JSONL") for record in read(tmp_path / name)]
    ) == [
        STUDIES[2],
        STUDIES[0],
    ]


def test_what_macos_puts_beside_files_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(
        zipped({"a.json": as_line(STUDIES[0]), "__MACOSX/._a.json": b"\x00\x05\x16\x07"})
    )
    (tmp_path / "._b.json").write_bytes(b"\x00\x05\x16\x07")
    assert decoded(read(tmp_path)) == STUDIES[:1]


def test_a_pipe_is_refused_for_what_it_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    with pytest.raises(InvalidInput, match="is neither a file nor a directory"):
        read(tmp_path / "pipe.jsonl")


def test_a_damaged_only_study_of_a_file_is_one_record(tmp_path: Path) -> None:
    cut = json.dumps(STUDIES[0], indent=1).encode()[:-30]
    assert [record.data for record in read_bytes(tmp_path, cut)] == [cut]


def test_bytes_that_are_not_utf8_stay_in_their_own_record(tmp_path: Path) -> None:
    content = COMPACT.replace(b"Study", b"Stu\xff\xfedy").replace(b"asthma", b"asth\xe9ma", 1)
    records = read_bytes(tmp_path, content)
    assert b"[" + b",".join(record.data for record in records) + b"]" == content


@pytest.mark.parametrize("opening", [b'{"a":', b"["], ids=["objects", "arrays"])
def test_deep_nesting_is_cut_out_whole(tmp_path: Path, opening: bytes) -> None:
    closing = b"}" if opening.startswith(b"{") else b"]"
    deep = b'{"x":' + opening * 30_000 + b"1" + closing * 30_000 + b"}"
    content = b"[" + as_line(STUDIES[0]) + b"," + deep + b"," + as_line(STUDIES[1]) + b"]"
    assert [record.data for record in read_bytes(tmp_path, content)][1:2] == [deep]
    lines = deep + b"\n" + as_line(STUDIES[1])
    assert [record.data for record in read_bytes(tmp_path, lines)] == lines.split(b"\n")


@pytest.mark.parametrize("layout", ["[%b,%b]", "%b\n%b\n", '{"studies":[%b,%b]}'])
def test_a_record_of_five_megabytes_is_one_record(tmp_path: Path, layout: str) -> None:
    large = as_line(study(FIRST, description={"briefSummary": 'long \\" } ] words ' * 250_000}))
    content = layout.encode() % (large, as_line(STUDIES[1]))
    assert [r.data for r in read_bytes(tmp_path, content)] == [large, as_line(STUDIES[1])]


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".zst"])
@pytest.mark.parametrize("content", [LINES, COMPACT], ids=["lines", "array"])
def test_a_compressed_file_cut_anywhere_is_refused(
    tmp_path: Path, content: bytes, suffix: str
) -> None:
    packed = PACKERS[suffix](content)
    for size in {
        *range(12),
        *range(12, len(packed) - 12, 29),
        *range(len(packed) - 12, len(packed)),
    }:
        with pytest.raises(InvalidInput) as refusal:
            read_bytes(tmp_path, packed[:size], f"studies.json{suffix}")
        assert f"studies.json{suffix}" in refusal.value.message


@pytest.mark.parametrize("layout", ["compact array", "indented array", "page", "indented page"])
def test_an_array_cut_anywhere_is_refused(tmp_path: Path, layout: str) -> None:
    content = LAYOUTS[layout].rstrip()
    begun = content.index(b"[") + 1
    for size in {*range(begun, begun + 40), *range(begun, len(content), 37), len(content) - 1}:
        with pytest.raises(InvalidInput, match=r"studies\.json' cannot be read to its end"):
            read_bytes(tmp_path, content[:size])


def test_an_archive_cut_anywhere_is_refused(tmp_path: Path) -> None:
    content = zipped({f"{n}.json": as_line(s) for n, s in enumerate(STUDIES)})
    for size in range(0, len(content), 23):
        with pytest.raises(InvalidInput, match=r"bulk\.zip' cannot be read to its end"):
            read_bytes(tmp_path, content[:size], "bulk.zip")


def test_a_changed_byte_in_an_archive_is_refused(tmp_path: Path) -> None:
    content = bytearray(zipped({"1.json": as_line(STUDIES[0])}))
    content[100] ^= 0xFF
    with pytest.raises(InvalidInput, match=r"bulk\.zip' cannot be read to its end"):
        read_bytes(tmp_path, bytes(content), "bulk.zip")


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_changed_byte_in_a_compressed_file_is_refused(tmp_path: Path, suffix: str) -> None:
    content = bytearray(PACKERS[suffix](LINES) if suffix == ".gz" else checked_zst(LINES))
    content[len(content) // 2] ^= 0xFF
    with pytest.raises(InvalidInput, match="cannot be read to its end"):
        read_bytes(tmp_path, bytes(content), f"studies.jsonl{suffix}")


def checked_zst(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


def test_text_after_an_array_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="begins no record"):
        read_bytes(tmp_path, COMPACT + b" and more")


def test_several_frames_of_zstd_are_one_file(tmp_path: Path) -> None:
    frames = b"".join(PACKERS[".zst"](line + b"\n") for line in LINES.splitlines())
    assert decoded(read_bytes(tmp_path, frames, "studies.jsonl.zst")) == STUDIES


def test_the_bytes_read_reach_the_size_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(LINES)
    (tmp_path / "b.jsonl.xz").write_bytes(lzma.compress(LINES))
    stream = RecordStream(find_inputs([tmp_path]))
    assert stream.bytes_read == 0
    seen = [stream.bytes_read for _ in stream]
    assert seen == sorted(seen)
    assert stream.bytes_read == stream.bytes_total > 0


@pytest.mark.parametrize("before", [b'{"protocolSection":{"a":"', LINES + b'{"a":"', b'[{"a":"'])
def test_a_small_archive_of_one_huge_record_is_refused(tmp_path: Path, before: bytes) -> None:
    path = tmp_path / "bomb.zip"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("studies.json", "w") as member,
    ):
        member.write(before)
        for _ in range(LONGEST_RECORD // (1 << 20) + 2):
            member.write(b"x" * (1 << 20))
        member.write(b'"}')
    with pytest.raises(InvalidInput, match="more than 64 MB"):
        list(RecordStream(find_inputs([path])))
