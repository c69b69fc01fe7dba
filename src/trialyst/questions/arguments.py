"""What to find, by the names every interface uses; all of it optional.

The types say what is understood, not only what is declared: several values may come as a list,
numbers as strings, codes as labels. The other modules of this package do the reading.
"""

from __future__ import annotations

from typing import Annotated, TypedDict

from trialyst.essie.build import all_of, between, matching, negate
from trialyst.essie.render import render
from trialyst.signatures import Flag, Number, Several, Text, Wire

__all__ = ["ALIASES", "TermArguments"]

_ESSIE = render(all_of(between("StartDate", "2024-01-01"), negate(matching("Phase", "PHASE1"))))


class TermArguments(TypedDict, total=False):
    """What to find; everything given must hold, of several values any."""

    query: Annotated[Text, "Words, or a question in plain words; never operators."]
    condition: Annotated[Several, "Disease or condition; several joined by OR."]
    intervention: Annotated[Several, "Drug, drug class or other treatment; several joined by OR."]
    status: Annotated[
        Several, "RECRUITING, NOT_YET_RECRUITING, COMPLETED, TERMINATED...; several joined by OR."
    ]
    phase: Annotated[
        Several, "PHASE1 to PHASE4, EARLY_PHASE1, NA; 2+ for 2 and later; several joined by OR."
    ]
    location: Annotated[
        Several, "City, state, country or region: `Boston, MA`, Europe; several joined by OR."
    ]
    near: Annotated[
        Text, "Place or `lat,lon`: trials with a site there; a status is asked of that site."
    ]
    within: Annotated[
        Number,
        Wire(type="number", minimum=1, maximum=805, default=80),
        "Radius around near in km.",
    ]
    age: Annotated[Text, "The patient's age: 63, or `6 months`."]
    sex: Annotated[
        Text, Wire(type="string", values=("FEMALE", "MALE", "ALL")), "The patient's sex."
    ]
    healthy_volunteers: Annotated[Flag, "Whether healthy volunteers are accepted."]
    sponsor: Annotated[Several, "Sponsor or collaborator; several joined by OR."]
    study_type: Annotated[
        Several, "INTERVENTIONAL, OBSERVATIONAL or EXPANDED_ACCESS; several joined by OR."
    ]
    has_results: Annotated[Flag, "Whether results are posted."]
    start_from: Annotated[Text, "Started on or after: yyyy, yyyy-MM or yyyy-MM-dd."]
    start_to: Annotated[Text, "Started by this day."]
    posted_from: Annotated[Text, "First posted on or after."]
    posted_to: Annotated[Text, "First posted by this day."]
    updated_from: Annotated[Text, "Last updated on or after."]
    updated_to: Annotated[Text, "Last updated by this day."]
    eligibility: Annotated[Several, "Words of the criteria."]
    biomarker: Annotated[Several, "Gene or marker named in the criteria."]
    prior_therapy: Annotated[Several, "Earlier treatment named in the criteria."]
    line_of_therapy: Annotated[Several, "1, 2, `first-line`... named in the criteria."]
    accepts: Annotated[
        Several, "Facts of a patient not to be ruled out: `ECOG 2; prior nivolumab`."
    ]
    title: Annotated[Several, "Words of a title or acronym."]
    outcome: Annotated[Several, "Words of an outcome measure."]
    ids: Annotated[Several, "NCT ids or other ids of studies; several joined by OR."]
    advanced: Annotated[Text, f"Essie, such as `{_ESSIE}`."]


ALIASES = {
    **dict.fromkeys(("limit", "max_results", "size", "per_page", "top"), "page_size"),
    **dict.fromkeys(("drug", "drugs", "treatment", "therapy", "interventions"), "intervention"),
    **dict.fromkeys(("disease", "diseases", "conditions", "indication", "diagnosis"), "condition"),
    **dict.fromkeys(("gender",), "sex"),
    **dict.fromkeys(("country", "city", "state", "place", "locations"), "location"),
    **dict.fromkeys(("date_after", "since", "posted_after", "from_date"), "posted_from"),
    **dict.fromkeys(("date_before", "until", "posted_before", "to_date"), "posted_to"),
    **dict.fromkeys(("started_after", "start_date_from", "start_after"), "start_from"),
    **dict.fromkeys(("started_before", "start_date_to", "start_before"), "start_to"),
    **dict.fromkeys(("updated_after", "modified_since", "updated_since"), "updated_from"),
    **dict.fromkeys(("updated_before",), "updated_to"),
    **dict.fromkeys(("term", "terms", "keywords", "keyword", "q", "text", "search"), "query"),
    **dict.fromkeys(("statuses", "recruitment_status", "overall_status"), "status"),
    **dict.fromkeys(("phases",), "phase"),
    **dict.fromkeys(("distance", "radius", "distance_km"), "within"),
    **dict.fromkeys(("results", "results_posted", "with_results"), "has_results"),
    **dict.fromkeys(("sponsors", "lead_sponsor", "company"), "sponsor"),
    **dict.fromkeys(("eligibility_criteria", "criteria", "eligibility_keywords"), "eligibility"),
    **dict.fromkeys(
        ("biomarkers", "mutation", "gene", "gene_id", "genes", "symbol", "marker"), "biomarker"
    ),
    **dict.fromkeys(("prior_therapies", "previous_treatment"), "prior_therapy"),
    **dict.fromkeys(("line", "treatment_line"), "line_of_therapy"),
    **dict.fromkeys(("accepting", "patient_facts", "facts"), "accepts"),
    **dict.fromkeys(("essie", "filter_advanced", "advanced_query"), "advanced"),
    **dict.fromkeys(("nct_id", "nct_ids", "id"), "ids"),
    **dict.fromkeys(("order", "order_by", "sort_by"), "sort"),
    **dict.fromkeys(("page_token", "next_cursor"), "cursor"),
    **dict.fromkeys(("group_by", "groupby", "breakdown", "facets"), "by"),
    **dict.fromkeys(("species", "taxon"), "organism"),
    **dict.fromkeys(("pathway", "wikipathways_id"), "pathway_id"),
    **dict.fromkeys(("patient", "patient_note"), "note"),
}
"""What callers also call an argument; mapped where the tool has no argument of that name.

Names of one argument stand for each other: a tool that takes a `drug` takes an `intervention` too.
"""
