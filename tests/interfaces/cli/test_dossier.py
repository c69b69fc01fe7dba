from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.contracts.contracts import check
from tests.interfaces.cli.conftest import Ended
from tests.pubmed.eutils import Eutils, answering, article

pytestmark = pytest.mark.slow

PAIR = ("metformin", "type 2 diabetes")
Trialyst = Callable[..., Ended]


@pytest.fixture
def eutils(monkeypatch: pytest.MonkeyPatch) -> Iterator[Eutils]:
    """A PubMed of ours that knows any paper."""

    class AnyPaper(dict[str, str]):
        def __missing__(self, pmid: str) -> str:
            return article(pmid, title=f"Paper {pmid}")

        def __contains__(self, pmid: object) -> bool:
            return True

    with answering({}) as started:
        started.articles = AnyPaper()
        monkeypatch.setenv("TRIALYST_PUBMED_URL", started.url)
        yield started


def _dossier(trialyst: Trialyst, *arguments: str) -> Ended:
    return trialyst("dossier", *PAIR, "--source", "starter", *arguments)


def test_without_a_file_the_text_goes_to_standard_output(trialyst: Trialyst) -> None:
    ended = _dossier(trialyst)
    assert ended.code == 0
    assert ended.out.startswith("# metformin in type 2 diabetes\n")
    assert "SYNTHETIC" in ended.out
    assert "synthetic" in ended.err


def test_json_is_what_the_tool_returns(trialyst: Trialyst) -> None:
    ended = _dossier(trialyst, "--json")
    check("write_dossier", ended.value)
    assert ended.value["text"] == _dossier(trialyst).out


@pytest.mark.parametrize(
    ("name", "begin"),
    [
        ("d.html", b"<!DOCTYPE html>"),
        ("d.md", b"# metformin"),
        ("d.json", b"{"),
        ("D.PDF", b"%PDF"),
    ],
)
def test_a_file_is_written_whole_and_alone(
    trialyst: Trialyst, tmp_path: Path, name: str, begin: bytes
) -> None:
    out = tmp_path / name
    ended = _dossier(trialyst, "--out", str(out))
    assert ended.code == 0
    assert ended.out == ""
    assert out.read_bytes().startswith(begin)
    assert list(tmp_path.iterdir()) == [out]


def test_a_file_that_is_there_is_replaced(trialyst: Trialyst, tmp_path: Path) -> None:
    out = tmp_path / "d.json"
    out.write_text("old")
    assert _dossier(trialyst, "--out", str(out)).code == 0
    assert json.loads(out.read_text())["question"]["drug"] == "metformin"


@pytest.mark.parametrize("name", ["d.docx", "dossier", "missing/d.html", "."])
def test_a_file_that_cannot_be_is_refused_before_anything_is_asked(
    trialyst: Trialyst, tmp_path: Path, name: str
) -> None:
    ended = _dossier(trialyst, "--out", str(tmp_path / name))
    assert ended.code == 2
    assert "Hint:" in ended.err
    assert list(tmp_path.iterdir()) == []


def test_pubmed_is_asked_only_when_allowed(trialyst: Trialyst, eutils: Eutils) -> None:
    assert _dossier(trialyst).code == 0
    assert eutils.asked == []
    ended = _dossier(trialyst, "--pubmed")
    assert ended.code == 0
    assert len(eutils.asked) == 1
    assert '"Paper ' in ended.out


def test_a_wrong_date_is_told(trialyst: Trialyst) -> None:
    ended = _dossier(trialyst, "--date-before", "soon")
    assert (ended.code, "not a date" in ended.err) == (2, True)


def test_point_in_time_needs_a_date(trialyst: Trialyst) -> None:
    assert _dossier(trialyst, "--point-in-time").code == 2


def test_scouting_gives_a_table_with_ids(trialyst: Trialyst) -> None:
    ended = trialyst("scout", "semaglutide", "--source", "starter", "--limit", "3")
    assert ended.code == 0
    head, *rows = ended.out.splitlines()
    assert head.startswith("Score  Condition")
    assert len(rows) == 3
    assert all("NCT9" in row for row in rows)


def test_scouting_as_json_has_the_terms_and_curies(trialyst: Trialyst) -> None:
    value = trialyst("scout", "semaglutide", "--source", "starter", "--json").value
    first = value["indications"][0]
    assert first["nct_ids"][0].startswith("NCT:")
    assert {term["name"] for term in first["score_terms"]} >= {"openness", "phase", "activity"}
    assert value["provenance"]["synthetic"] is True


def test_scouting_as_csv_has_a_column_for_each_term(trialyst: Trialyst) -> None:
    ended = trialyst("scout", "semaglutide", "--source", "starter", "--format", "csv")
    assert "openness" in ended.out.splitlines()[0]
