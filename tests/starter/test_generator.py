from __future__ import annotations

import json
from typing import Any

from trialyst.ctgov.parse import parse_trial
from trialyst.starter import STARTER_NOTICE, generate_studies

Study = dict[str, Any]


def test_two_runs_give_the_same_bytes() -> None:
    first, second = (json.dumps(list(generate_studies(300))) for _ in range(2))
    assert first == second


def test_another_seed_gives_other_studies() -> None:
    assert list(generate_studies(20)) != list(generate_studies(20, seed=1))


def test_a_study_does_not_depend_on_how_many_are_generated(studies: list[Study]) -> None:
    assert list(generate_studies(40)) == studies[:40]


def test_ids_count_up_from_the_first_of_the_range(studies: list[Study]) -> None:
    ids = [study["protocolSection"]["identificationModule"]["nctId"] for study in studies]
    assert ids == [f"NCT{number}" for number in range(90_000_001, 90_002_001)]


def test_aliases_are_nobody_elses_ids(studies: list[Study]) -> None:
    modules = [study["protocolSection"]["identificationModule"] for study in studies]
    aliases = [alias for module in modules for alias in module.get("nctIdAliases", ())]
    assert aliases
    assert not {*aliases} & {module["nctId"] for module in modules}


def test_every_title_says_synthetic(studies: list[Study]) -> None:
    for study in studies:
        module = study["protocolSection"]["identificationModule"]
        titles = [module["briefTitle"], module.get("officialTitle", module["briefTitle"])]
        assert all(title.startswith("[SYNTHETIC] ") for title in titles)


def test_every_summary_opens_with_the_warning(full: list[Study]) -> None:
    for study in full:
        summary = study["protocolSection"]["descriptionModule"]["briefSummary"]
        assert "synthetic" in summary.split(".")[0]


def test_no_two_studies_are_alike_but_for_their_id(full: list[Study]) -> None:
    texts = {json.dumps(study["protocolSection"]["statusModule"]) for study in full}
    assert len(texts) > 0.99 * len(full)


def test_references_cannot_name_a_real_paper(studies: list[Study]) -> None:
    references = [
        reference
        for study in studies
        for reference in study["protocolSection"].get("referencesModule", {}).get("references", ())
    ]
    assert references
    assert all(int(r["pmid"]) > 90_000_000 for r in references if "pmid" in r)
    assert {r["type"] for r in references} == {"BACKGROUND", "RESULT", "DERIVED"}


def test_every_study_parses(studies: list[Study]) -> None:
    trials = [parse_trial(study) for study in studies]
    assert len({str(trial.nct_id) for trial in trials}) == len(studies)


def test_notice_says_that_nothing_is_real() -> None:
    assert "synthetic" in STARTER_NOTICE
