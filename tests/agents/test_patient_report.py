"""The report of a match: everything in it, safe to open, the same bytes for the same match."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from trialyst.agents.patient_report import ReportForm, lay_out_match, render_match
from trialyst.ctgov.criteria import CriterionKind
from trialyst.ctgov.source import Provenance
from trialyst.matching.judging.result import Applicability, CriterionResult, Quote, Verdict
from trialyst.matching.prescreen.candidates import TrialCandidate
from trialyst.matching.report import FactToAsk, MatchedTrial, MatchReport, NearbySite
from trialyst.matching.verdict import aggregate_to_trial_verdict

HOSTILE = "<script>alert(1)</script> | `x` \x1b[31m"


def result(text: str, verdict: Verdict, kind: CriterionKind) -> CriterionResult:
    quotes = (Quote(3, 0, 4, "gout"),) if verdict is not Verdict.UNKNOWN else ()
    return CriterionResult(
        text, kind, verdict, 0.9, Applicability.APPLIES, (3,), quotes, "For a reason."
    )


def matched(number: int, *results: CriterionResult, **more: Any) -> MatchedTrial:
    on_topic = more.pop("on_topic", True)
    return MatchedTrial(
        candidate=TrialCandidate(
            nct_id=f"NCT{90000000 + number}",
            brief_title=f"Title {number} {HOSTILE}",
            conditions=("Gout",),
            status="RECRUITING",
        ),
        assessment=aggregate_to_trial_verdict(results, has_condition=on_topic),
        on_topic=on_topic,
        **more,
    )


def report(*, synthetic: bool = False, **more: Any) -> MatchReport:
    met = result("Gout", Verdict.MET, CriterionKind.INCLUSION)
    barred = result(f"Kidney stones {HOSTILE}", Verdict.MET, CriterionKind.EXCLUSION)
    unknown = replace(
        result("Uric acid below 6", Verdict.UNKNOWN, CriterionKind.INCLUSION), facts=("Uric acid",)
    )
    site = NearbySite(
        facility="Clinic",
        city="Boston",
        distance_km=12.3,
        approximate=True,
        status="RECRUITING",
        contact="Bo, +1 555 0101",
    )
    trials = (
        matched(1, met, sites=(site,), contacts=("Ann Lee, +1 555 0100, ann@x.org",)),
        matched(2, unknown),
        matched(3, met, barred),
        matched(4, problem="The record states no eligibility criteria."),
        matched(5, met, on_topic=False),
    )
    given: dict[str, Any] = {
        "patient": {"age": "40 Years", "pregnant": False, "conditions": ["Gout"]},
        "trials": trials,
        "judge": "rules",
        "searched": "The note names Gout.",
        "found": 9,
        "provenance": Provenance(
            source="local",
            synthetic=synthetic,
            complete=False,
            records=5,
            data_timestamp="2026-10-30T00:00:00",
        ),
    }
    return MatchReport(**{**given, **more})


def text(form: ReportForm, **more: Any) -> str:
    return render_match(report(**more), form).decode()


@pytest.mark.parametrize("form", ReportForm)
def test_every_trial_and_research_use_are_in_every_form(form: ReportForm) -> None:
    written = text(form)
    assert all(f"NCT9000000{number}" in written for number in range(1, 6))
    assert "research use only" in written


@pytest.mark.parametrize("form", ReportForm)
def test_the_same_match_gives_the_same_bytes(form: ReportForm) -> None:
    assert render_match(report(), form) == render_match(report(), form)


@pytest.mark.parametrize("form", [ReportForm.HTML, ReportForm.MARKDOWN])
def test_a_reader_finds(form: ReportForm) -> None:
    written = text(form).replace("\\", "")
    for expected in (
        "For a reason.",
        "Clinic, Boston (about 12 km)",
        "The record states no eligibility criteria.",
        "not known: Uric acid",
        "40 Years",
        "gout",
    ):
        assert expected in written, expected


def test_the_first_page_says_what_to_do_and_leads_to_the_pages() -> None:
    changed = report(changes=("ecog: 1 instead of 2",))
    page = render_match(changed, ReportForm.HTML).decode()
    first = page[: page.index("</section>")]
    for expected in (
        "Corrected by hand:</b> ecog: 1 instead of 2",
        "meets what could be read",
        "conflict",
        "Has: Kidney stones",
        "Ask: Uric acid",
        "Confirm with the site: Ann Lee, +1 555 0100",
        "12 km",
        'href="#NCT90000001"',
    ):
        assert expected in first, expected
    assert 'id="NCT90000001"' in page
    assert page.count("<tr>") > 5


def test_criteria_stand_in_their_groups_with_the_evidence_beside() -> None:
    page = text(ReportForm.HTML)
    own = page[page.index('id="NCT90000003"') :]
    own = own[: own.index("</section>")]
    assert own.index("Conflicts (1)") < own.rindex("Kidney stones") < own.index("Fine (1)")
    assert "<details" in own[own.rindex("Kidney stones") :]
    assert "<blockquote>gout</blockquote>" in own
    assert "recruiting: Bo, +1 555 0101" in page


def test_facts_to_ask_and_chosen_trials_are_set_out() -> None:
    page = text(ReportForm.HTML, facts_to_ask=(FactToAsk(fact="Uric acid", trials=3, alone=1),))
    assert "(3 trials, 1 by itself)" in page
    asked = page[page.index('id="facts"') :]
    assert "Uric acid" in asked[: asked.index("</section>")]
    chosen = render_match(report(), ReportForm.HTML, chosen=["NCT90000001", "NCT90000003"]).decode()
    side = chosen[chosen.index('id="compared"') :]
    side = side[: side.index("</section>")]
    assert "NCT90000001" in side
    assert "NCT90000003" in side
    assert "NCT90000002" not in side


@pytest.mark.slow
def test_two_hundred_trials_print_on_under_sixty_pages(tmp_path: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("Chromium is not installed")
    kinds = (Verdict.UNKNOWN, Verdict.MET, Verdict.NOT_MET)
    long = "Patients who had at least two prior lines of systemic therapy for the disease. " * 3
    trials = tuple(
        matched(
            number,
            *(
                result(f"{place} {long}", kinds[place % 3], CriterionKind.INCLUSION)
                for place in range(24)
            ),
            on_topic=number % 10 != 0,
        )
        for number in range(200)
    )
    (tmp_path / "report.html").write_bytes(render_match(report(trials=trials), ReportForm.HTML))
    made = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
         f"--user-data-dir={tmp_path / 'profile'}", f"--print-to-pdf={tmp_path / 'report.pdf'}",
         str(tmp_path / "report.html")],
        capture_output=True, timeout=300, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr[-500:]
    pages = len(re.findall(rb"/Type\s*/Page\b", (tmp_path / "report.pdf").read_bytes()))
    assert 20 < pages < 60


def test_markup_in_records_is_text() -> None:
    page = text(ReportForm.HTML)
    assert "<script>" not in page
    assert "\x1b" not in text(ReportForm.MARKDOWN)
    assert "Title 1 \\<script" in text(ReportForm.MARKDOWN)


@pytest.mark.parametrize("form", [ReportForm.HTML, ReportForm.MARKDOWN])
def test_synthetic_records_are_said_to_be_so(form: ReportForm) -> None:
    assert "SYNTHETIC RECORDS" in text(form, synthetic=True)
    assert "SYNTHETIC RECORDS" not in text(form)


def test_invented_ids_are_no_links() -> None:
    assert "clinicaltrials.gov/study/NCT90000001" in text(ReportForm.HTML)
    assert 'href="http' not in text(ReportForm.HTML, synthetic=True)


def test_old_data_and_interruption_are_warnings() -> None:
    old = "The data is 90 days old (of 2026-01-01); statuses and sites may have changed since."
    told = report(interrupted=True).with_note(old)
    warnings = " ".join(lay_out_match(told).warnings)
    assert old in warnings
    assert "Incomplete" in warnings


def test_json_holds_the_criteria_of_every_trial() -> None:
    held = json.loads(text(ReportForm.JSON))
    assert [len(trial["criteria"]) for trial in held["trials"]] == [1, 1, 2, 0, 1]


def test_an_empty_match_is_a_report_too() -> None:
    assert "Trials for a patient" in text(ReportForm.HTML, trials=(), patient={})
