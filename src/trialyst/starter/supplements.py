"""The lesser parts of a record: references, data sharing, documents and annotations."""

from __future__ import annotations

from typing import Any

from trialyst.starter.draw import Draw
from trialyst.starter.plan import Plan
from trialyst.starter.timeline import TODAY, Timeline, iso

__all__ = ["annotation_section", "document_section", "ipd_module", "references_module"]

_PMID_FLOOR = 98_000_000
"""PubMed has not issued ids this high: an invented reference cannot name a real paper."""
_DOCUMENTS = {
    "Prot_SAP": "Study Protocol and Statistical Analysis Plan",
    "Prot": "Study Protocol",
    "SAP": "Statistical Analysis Plan",
    "ICF": "Informed Consent Form",
}


def references_module(draw: Draw, plan: Plan) -> dict[str, Any] | None:
    """Render invented references and links; None for most records."""
    module: dict[str, Any] = {}
    if draw.chance(0.3):
        ended = plan.status in {"COMPLETED", "TERMINATED"}
        types = ("BACKGROUND", "RESULT", "DERIVED") if ended else ("BACKGROUND",)
        module["references"] = [
            _reference(draw, plan, i, draw.pick(types)) for i in range(draw.between(1, 4))
        ]
    if draw.chance(0.06):
        url = f"https://example.org/synthetic/{plan.number}"
        module["seeAlsoLinks"] = [{"label": "Invented study page", "url": url}]
    if draw.chance(0.02):
        kind = "Individual Participant Data Set"
        module["availIpds"] = [{"id": f"IPD-{plan.number}", "type": kind}]
    return module or None


def _reference(draw: Draw, plan: Plan, index: int, kind: str) -> dict[str, Any]:
    year = draw.between(2005, 2026)
    topic = plan.condition.name
    entry: dict[str, Any] = {}
    if draw.chance(0.92):
        entry["pmid"] = str(_PMID_FLOOR + plan.number * 10 + index)
    entry["type"] = kind
    entry["citation"] = f"Invented A, Synthetic B. A made-up paper on {topic}. J Fict Med. {year}."
    if draw.chance(0.02):
        pmid = str(_PMID_FLOOR + 500_000 + plan.number)
        entry["retractions"] = [{"pmid": pmid, "source": f"J Fict Med. {year} (invented)"}]
    return entry


def ipd_module(draw: Draw, plan: Plan) -> dict[str, Any] | None:
    """Render the data sharing statement; None where the record has none."""
    if not draw.chance(0.45):
        return None
    choice = draw.pick(("NO", "NO", "UNDECIDED", "YES"))
    if choice != "YES":
        return {"ipdSharing": choice}
    return {
        "ipdSharing": choice,
        "description": "Synthetic records have no participants, so there is nothing to share.",
        "infoTypes": draw.some(("STUDY_PROTOCOL", "SAP", "ICF", "CSR", "ANALYTIC_CODE"), 2),
        "timeFrame": "After publication",
        "accessCriteria": f"On request to {plan.sponsor.name}",
    }


def document_section(draw: Draw, plan: Plan, line: Timeline) -> dict[str, Any] | None:
    """Render uploaded documents; most studies with results have them."""
    if not draw.chance(0.6 if plan.results else 0.03):
        return None
    kinds = draw.pick((("Prot_SAP",), ("Prot", "SAP"), ("Prot_SAP", "ICF"), ("ICF",)))
    written = line.first_submit
    docs = [
        {
            "typeAbbrev": kind,
            "hasProtocol": "Prot" in kind,
            "hasSap": "SAP" in kind,
            "hasIcf": "ICF" in kind,
            "label": _DOCUMENTS[kind],
            "date": iso(written),
            "uploadDate": f"{iso(line.last_submit)}T{draw.between(0, 23):02d}:30",
            "filename": f"{kind}_{i:03d}.pdf",
            "size": draw.between(90_000, 4_000_000),
        }
        for i, kind in enumerate(kinds)
    ]
    return {"largeDocumentModule": {"largeDocs": docs}}


def annotation_section(draw: Draw, plan: Plan, line: Timeline) -> dict[str, Any] | None:
    """Render the trail of results that were submitted and sent back; rare."""
    waiting = plan.status == "COMPLETED" and not plan.results and line.completion is not None
    if not (waiting and draw.chance(0.02)) or line.completion is None:
        return None
    released = min(line.completion + draw.between(30, 50), TODAY)
    annotation = {
        "unpostedResponsibleParty": plan.sponsor.name,
        "unpostedEvents": [
            {"type": "RELEASE", "date": iso(released)},
            {"type": "RESET", "date": iso(min(released + 5, TODAY))},
        ],
    }
    return {"annotationModule": {"unpostedAnnotation": annotation}}
