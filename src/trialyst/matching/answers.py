"""What the tools of matching answer: the keys, and which of them may be absent."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from trialyst.ctgov.answers import Count, Share, Told, TrialId, Words
from trialyst.ctgov.headings import CriterionKind
from trialyst.matching.judging.result import Applicability, Verdict
from trialyst.matching.patient import Assertion, FactKind, Sex
from trialyst.matching.report import NearbySite
from trialyst.matching.verdict import TrialVerdict

__all__ = [
    "AgeView",
    "ConceptView",
    "CriterionAnswer",
    "FactToAskView",
    "FactView",
    "FitView",
    "KeyFactsView",
    "MatchAnswer",
    "MatchCosts",
    "MatchView",
    "ProfileAnswer",
    "QuantityView",
    "QuoteView",
    "VerdictCounts",
    "VerdictView",
]

Several = Annotated[list[Words], Field(min_length=1)]


class AgeView(TypedDict):
    """How old the patient is."""

    value: Annotated[float, Field(ge=0)]
    unit: Literal["Year", "Month", "Week", "Day"]
    upper: NotRequired[
        Annotated[float, Field(description="The end of a range, such as that of a decade.")]
    ]


class ConceptView(TypedDict):
    """What a span of the note means."""

    id: Words
    name: Words


class QuantityView(TypedDict):
    """A number with its unit."""

    number: float
    upper: NotRequired[float]
    unit: NotRequired[Words]
    comparator: Literal["=", "<", "<=", ">", ">=", "~"]


class FactView(TypedDict):
    """One thing the note says, with where it says so."""

    kind: FactKind
    text: Annotated[Words, Field(description="The quoted span.")]
    sentence: Count
    start: Annotated[Count, Field(description="Where the span begins in the note, in characters.")]
    end: Annotated[int, Field(ge=1)]
    assertion: Assertion
    negated: NotRequired[
        Annotated[Literal[True], Field(description="Denied, of the patient or of a relative.")]
    ]
    concept: NotRequired[ConceptView]
    value: NotRequired[QuantityView]
    status: NotRequired[
        Annotated[
            Words,
            Field(
                description="Biomarkers: positive, negative, mutated and so on. Therapies: "
                "current, prior, planned, refused. Habits: never, former, current."
            ),
        ]
    ]
    detail: NotRequired[Annotated[Words, Field(description="The variant, stage or dose.")]]
    line: NotRequired[Annotated[int, Field(ge=1, description="The line of treatment.")]]
    when: NotRequired[Annotated[Words, Field(description="The time as written.")]]
    code: NotRequired[
        Annotated[Words, Field(description="The code a record gave, such as SNOMED:44054006.")]
    ]


class KeyFactsView(TypedDict, total=False):
    """The patient in a few plain words each."""

    age: Words
    sex: Words
    pregnant: bool
    primary_diagnosis: Words
    stage: Words
    conditions: Several
    symptoms: Several
    absent: Annotated[Several, Field(description="What the patient does not have.")]
    biomarkers: Several
    prior_therapies: Several
    current_therapies: Several
    measurements: Several
    performance_status: Words
    allergies: Several
    smoking: Words
    alcohol: Words
    procedures: Several
    family_history: Several
    place: Words
    missing_information: Several


class ProfileAnswer(Told):
    """What a note says of a patient."""

    age: NotRequired[AgeView]
    sex: NotRequired[Sex]
    pregnant: NotRequired[
        Annotated[bool, Field(description="Left out where the note does not say.")]
    ]
    primary_diagnosis: NotRequired[FactView]
    stage: NotRequired[Words]
    key_facts: KeyFactsView
    missing_information: Annotated[
        list[Words],
        Field(description="What a search for trials would want to know and the note does not say."),
    ]
    warnings: NotRequired[
        Annotated[
            Several,
            Field(
                description="What to know before using it: contradictions, impossible values, "
                "another language, what of a record was not read."
            ),
        ]
    ]
    fact_count: Count
    form: NotRequired[
        Annotated[Words, Field(description="The profile to edit, as YAML; with form.")]
    ]
    facts: NotRequired[
        Annotated[
            list[FactView], Field(description="In the order of the note; left out with slim.")
        ]
    ]
    sentences: NotRequired[
        Annotated[
            list[Words],
            Field(
                description="The sentences that facts refer to, where the note did not number "
                "them; left out with slim."
            ),
        ]
    ]


class QuoteView(TypedDict):
    """Words of the note."""

    sentence: Count
    text: Words


class VerdictView(TypedDict):
    """A criterion as judged."""

    criterion: Words
    criterion_type: CriterionKind
    reading: NotRequired[
        Annotated[Words, Field(description="What it demands, as the rules understand it.")]
    ]
    verdict: Annotated[
        Verdict,
        Field(description="Whether the statement holds; MET on an exclusion criterion excludes."),
    ]
    confidence: Annotated[
        Share,
        Field(description="How often such verdicts were right on labelled patients, at least."),
    ]
    applicability: Applicability
    disqualifies: Annotated[bool, Field(description="Whether this alone keeps the patient out.")]
    possible: NotRequired[
        Annotated[bool, Field(description="It would, but is not sure enough to exclude.")]
    ]
    reasoning: Words
    missing: NotRequired[
        Annotated[Words, Field(description="With UNKNOWN: what the note would have to tell.")]
    ]
    failure: NotRequired[
        Annotated[Words, Field(description="Why a model that was asked gave no verdict.")]
    ]
    evidence_sentences: Annotated[list[Count], Field(description="Numbers of sentences, from 0.")]
    evidence: list[QuoteView]


class CriterionAnswer(Told, VerdictView):
    """One criterion, judged."""

    judge: Words


class FitView(TypedDict):
    """How well a trial fits."""

    score: Annotated[float, Field(description="Comparable within one answer only.")]
    terms: Annotated[dict[str, float], Field(description="What each measure adds.")]


class FactToAskView(TypedDict):
    """A fact that would decide open trials."""

    fact: Words
    trials: Annotated[Count, Field(description="Open trials that hang on it.")]
    alone: Annotated[Count, Field(description="Those that hang on nothing else.")]


class MatchView(TypedDict):
    """A trial as judged."""

    rank: Annotated[int, Field(ge=1)]
    id: TrialId
    brief_title: Words
    status: NotRequired[Words]
    phase: NotRequired[Words]
    conditions: list[Words]
    interventions: list[Words]
    sponsor: NotRequired[Words]
    verdict: TrialVerdict
    verdict_words: Annotated[Words, Field(description="What to call the verdict.")]
    confidence: Annotated[Share, Field(description="The chance that the verdict stands.")]
    fit: Annotated[FitView, Field(description="What its rank rests on.")]
    score: Annotated[float, Field(description="Of the search; comparable within one answer only.")]
    on_topic: NotRequired[
        Annotated[
            bool,
            Field(description="About something the patient has; absent where that is not known."),
        ]
    ]
    primary: Annotated[bool, Field(description="Whether it is about the main problem.")]
    missing: Annotated[
        list[Words], Field(description="Up to six facts that would decide an uncertain trial.")
    ]
    clears_in_days: NotRequired[
        Annotated[Count, Field(description="Days after the note when only washouts end.")]
    ]
    eligible_from: NotRequired[Annotated[Words, Field(description="That day, of a dated note.")]]
    criteria_count: Annotated[Count, Field(description="How many criteria were judged.")]
    criteria: Annotated[list[VerdictView], Field(description="The most telling ones first.")]
    problem: NotRequired[
        Annotated[Words, Field(description="Why its criteria could not be judged.")]
    ]
    contacts: NotRequired[Annotated[Several, Field(description="Whom to call or write to.")]]
    sites: NotRequired[
        Annotated[list[NearbySite], Field(description="The nearest that recruit; with near.")]
    ]


class VerdictCounts(TypedDict):
    """How many judged trials got each verdict."""

    ELIGIBLE: Count
    UNCERTAIN: Count
    EXCLUDED: Count
    NOT_RELEVANT: Count


class MatchCosts(TypedDict):
    """What the judging took."""

    criteria: Count
    usd: Annotated[float, Field(ge=0)]
    failures: Annotated[Count, Field(description="Criteria a model gave no verdict on.")]
    fabricated_quotes: Count


class MatchAnswer(Told):
    """Trials for a patient, the fitting ones first. For research use only."""

    patient: KeyFactsView
    changes: NotRequired[Annotated[Several, Field(description="What was corrected by hand.")]]
    trials: Annotated[list[MatchView], Field(description="From rank `first` on.")]
    facts_to_ask: Annotated[
        list[FactToAskView], Field(description="The most telling first, over all trials.")
    ]
    counts: VerdictCounts
    found: Annotated[
        Count,
        Field(description="Distinct trials found before the list was cut to the candidates."),
    ]
    left_out: Annotated[
        dict[str, Count],
        Field(description="Trials of the same conditions not looked at, by what kept them out."),
    ]
    judge: Words
    searched: Annotated[str, Field(description="What was searched for.")]
    costs: MatchCosts
    interrupted: Annotated[bool, Field(description="Whether some candidates were not judged.")]
    research_use: Words
    run_directory: NotRequired[
        Annotated[Words, Field(description="Where a run is kept; of the command only.")]
    ]
