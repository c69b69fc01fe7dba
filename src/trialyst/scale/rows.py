"""What is kept of a match: a row a candidate and a row a patient, without the patient's words.

Criteria and names of facts are the registry's and ours. Quotes of the note are kept only where the
user asked for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from trialyst.matching.verdict import TrialVerdict

if TYPE_CHECKING:
    from trialyst.matching.judging.result import CriterionResult
    from trialyst.matching.report import MatchedTrial, MatchReport
    from trialyst.scale.patients import BadRow, PatientText

__all__ = ["CANDIDATES", "PATIENTS", "QUOTES", "to_bad_row", "to_candidate_rows", "to_patient_row"]

CANDIDATES: Mapping[str, str] = {
    "patient": "string",
    "rank": "int32",
    "nct_id": "string",
    "verdict": "string",
    "score": "double",
    "confidence": "double",
    "search_score": "double",
    "on_topic": "bool",
    "primary": "bool",
    "deciding": "list<string>",
    "missing": "list<string>",
    "clears_in_days": "int32",
    "problem": "string",
}
QUOTES: Mapping[str, str] = {"quotes": "list<string>"}
PATIENTS: Mapping[str, str] = {
    "place": "string",
    "patient": "string",
    "found": "int32",
    "judged": "int32",
    **{verdict.value.lower(): "int32" for verdict in TrialVerdict},
    "other_status": "int32",
    "other_type": "int32",
    "error": "string",
}


def to_candidate_rows(
    patient: str, report: MatchReport, *, top: int | None, quotes: bool
) -> Iterator[dict[str, Any]]:
    """Yield the first trials of a match in their order."""
    for rank, trial in enumerate(report.trials[:top], start=1):
        yield {"patient": patient, "rank": rank, **_to_row(trial, quotes=quotes)}


def _to_row(trial: MatchedTrial, *, quotes: bool) -> dict[str, Any]:
    assessment = trial.assessment
    return {
        "nct_id": trial.nct_id,
        "verdict": assessment.verdict.value,
        "score": trial.fit.score,
        "confidence": assessment.confidence,
        "search_score": trial.candidate.score,
        "on_topic": trial.on_topic,
        "primary": trial.primary,
        "deciding": [_told(each) for each in assessment.deciding],
        "missing": list(assessment.missing),
        "clears_in_days": assessment.clears_in_days,
        "problem": trial.problem,
        **({"quotes": _quotes(assessment.deciding)} if quotes else {}),
    }


def _told(result: CriterionResult) -> str:
    return f"{result.criterion_type.value}: {result.criterion}"


def _quotes(results: tuple[CriterionResult, ...]) -> list[str]:
    return list(dict.fromkeys(quote.text for each in results for quote in each.quotes))


def to_patient_row(patient: PatientText, report: MatchReport) -> dict[str, Any]:
    """Give what a match of one patient came to."""
    counts = {verdict.lower(): number for verdict, number in report.counts.items()}
    return {
        "place": patient.place,
        "patient": patient.id,
        "found": report.found,
        "judged": len(report.trials),
        **counts,
        "other_status": report.left_out.get("status"),
        "other_type": report.left_out.get("study_type"),
    }


def to_bad_row(row: PatientText | BadRow, message: str) -> dict[str, Any]:
    """Give what is told of a row that is no patient, or whose note cannot be read."""
    patient = getattr(row, "id", None)
    return {"place": row.place, "patient": patient, "error": message}
