"""As of a past day a dossier shows nothing that was not known then."""

from __future__ import annotations

import copy
import datetime
import re
from pathlib import Path
from typing import Any

import pytest

from tests.agents.conftest import client_on
from tests.agents.rendered import ask, shown_text
from trialyst.agents import Question
from trialyst.agents.scout import run_scout
from trialyst.ctgov.dates import PartialDate
from trialyst.ctgov.parse import parse_trial
from trialyst.registry import Registry, RegistrySource, build_from_studies
from trialyst.repurposing import RepurposingClient
from trialyst.vocabulary import open_vocabulary

pytestmark = pytest.mark.slow

CUTOFF = "2022-06-30"
DAY = datetime.date(2022, 6, 30)
PAIRS = [
    ("pembrolizumab", "NSCLC"),
    ("empagliflozin", "heart failure"),
]
DATE = re.compile(r"\b((?:19|20)\d\d-\d\d(?:-\d\d)?)\b")
YEAR_LINE = re.compile(r"^((?:19|20)\d\d)(?:  |$)", re.M)


def _question(drug: str, condition: str) -> Question:
    return Question(drug=drug, condition=condition, date_before=CUTOFF, point_in_time=True)


def _changed_since(study: dict[str, Any]) -> bool:
    """Whether a record was updated after the cutoff and was not over by then."""
    trial = parse_trial(study)
    updated, done = trial.last_update_posted, trial.completion or trial.primary_completion
    over = done is not None and done.type == "ACTUAL" and done.date.last_day <= DAY
    return (updated is None or updated.date.last_day > DAY) and not over


@pytest.mark.parametrize(("drug", "condition"), PAIRS)
def test_no_date_is_later_than_the_cutoff(
    real_client: RepurposingClient, drug: str, condition: str
) -> None:
    text = shown_text(ask(real_client, _question(drug, condition)), drawn=True)
    assert "NCT" in text
    later = [found for found in DATE.findall(text) if PartialDate.parse(found).first_day > DAY] + [
        year for year in YEAR_LINE.findall(text) if int(year) > DAY.year
    ]
    assert later == []


@pytest.mark.parametrize(("drug", "condition"), PAIRS)
def test_no_trial_is_shown_that_was_posted_later(
    real_client: RepurposingClient, real_studies: list[dict[str, Any]], drug: str, condition: str
) -> None:
    posted = {
        trial.nct_id: trial.first_posted.date.last_day
        for trial in map(parse_trial, real_studies)
        if trial.first_posted
    }
    shown = set(re.findall(r"NCT\d{8}", shown_text(ask(real_client, _question(drug, condition)))))
    assert shown
    assert [nct_id for nct_id in shown if posted[nct_id] > DAY] == []


@pytest.mark.parametrize(("drug", "condition"), PAIRS)
def test_no_reason_is_shown_that_was_given_later(
    real_client: RepurposingClient, real_studies: list[dict[str, Any]], drug: str, condition: str
) -> None:
    text = shown_text(ask(real_client, _question(drug, condition)))
    reasons = [
        " ".join(reason.split())
        for study in real_studies
        if _changed_since(study) and (reason := parse_trial(study).why_stopped)
    ]
    assert reasons
    known = {
        " ".join(reason.split())
        for study in real_studies
        if not _changed_since(study) and (reason := parse_trial(study).why_stopped)
    }
    assert [reason for reason in reasons if reason not in known and reason[:60] in text] == []


def test_no_paper_is_shown_that_pubmed_did_not_date(real_client: RepurposingClient) -> None:
    dossier = ask(real_client, _question("pembrolizumab", "NSCLC"))
    assert dossier.literature is not None
    assert dossier.literature.papers == ()
    assert not any(sentence.pmids for sentence in dossier.sentences)


def _with_another_future(study: dict[str, Any]) -> dict[str, Any]:
    """Give a study that went another way after the cutoff."""
    other = copy.deepcopy(study)
    protocol = other["protocolSection"]
    status = protocol["statusModule"]
    if not _changed_since(study):
        return other
    status["overallStatus"] = "TERMINATED"
    status["whyStopped"] = "Unexpected toxicity in the year after"
    for name in ("primaryCompletionDateStruct", "completionDateStruct"):
        status[name] = {"date": "2023-05-01", "type": "ACTUAL"}
    status["lastUpdatePostDateStruct"] = {"date": "2026-01-01", "type": "ACTUAL"}
    protocol.setdefault("designModule", {})["enrollmentInfo"] = {"count": 7, "type": "ACTUAL"}
    protocol["referencesModule"] = {"references": [{"pmid": "39999999", "type": "RESULT"}]}
    return other


def _opened(studies: list[dict[str, Any]], directory: Path, home: Path) -> Registry:
    build_from_studies(studies, directory)
    return Registry.open(directory, vocabulary=open_vocabulary(home))


@pytest.fixture(scope="module")
def two_futures(
    real_studies: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> Any:
    """Clients on the same past: what became of it, and what might have become of it."""
    home = tmp_path_factory.getbasetemp() / "home"
    other = [_with_another_future(study) for study in real_studies]
    assert sum(one != two for one, two in zip(real_studies, other, strict=True)) > 10
    folder = tmp_path_factory.mktemp("futures")
    registries = [
        _opened(studies, folder / name, home)
        for name, studies in (("a", real_studies), ("b", other))
    ]
    yield [client_on(RegistrySource(each), open_vocabulary(home)) for each in registries]
    for registry in registries:
        registry.close()


@pytest.mark.parametrize(("drug", "condition"), PAIRS)
def test_another_future_gives_the_same_dossier(
    two_futures: list[RepurposingClient], drug: str, condition: str
) -> None:
    one, other = (shown_text(ask(client, _question(drug, condition))) for client in two_futures)
    assert one == other


def test_another_future_gives_the_same_scouting(two_futures: list[RepurposingClient]) -> None:
    import asyncio

    reports = [
        asyncio.run(run_scout(client, "pembrolizumab", date_before=CUTOFF, point_in_time=True))
        for client in two_futures
    ]
    assert reports[0].indications
    assert reports[0].indications == reports[1].indications
