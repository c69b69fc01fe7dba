"""The plan of a study: what it is about and how it stands, before any text is written.

Every module of a record is rendered from one plan, so that the modules agree with each other.
"""

from __future__ import annotations

from dataclasses import dataclass

from trialyst.starter.cases import Case
from trialyst.starter.draw import Draw, Weighted
from trialyst.starter.tables import Condition, Remedy, Tables
from trialyst.starter.timeline import Timeline, draw_timeline

__all__ = ["Ages", "Plan", "Sponsor", "draw_plan", "nct_id"]

_TYPES = Weighted({"INTERVENTIONAL": 76.0, "OBSERVATIONAL": 20.2, "EXPANDED_ACCESS": 2.6, "": 1.2})
_STATUSES = Weighted(
    {
        "COMPLETED": 45.0,
        "RECRUITING": 19.0,
        "UNKNOWN": 8.0,
        "TERMINATED": 9.0,
        "ACTIVE_NOT_RECRUITING": 7.0,
        "NOT_YET_RECRUITING": 4.0,
        "WITHDRAWN": 4.0,
        "ENROLLING_BY_INVITATION": 2.0,
        "SUSPENDED": 2.0,
    }
)
_ACCESS = Weighted(
    {
        "AVAILABLE": 4.0,
        "NO_LONGER_AVAILABLE": 3.0,
        "APPROVED_FOR_MARKETING": 3.0,
        "TEMPORARILY_NOT_AVAILABLE": 2.0,
    }
)
_LAST_KNOWN = Weighted(
    {
        "RECRUITING": 6.0,
        "NOT_YET_RECRUITING": 2.0,
        "ACTIVE_NOT_RECRUITING": 1.0,
        "ENROLLING_BY_INVITATION": 0.5,
    }
)
_PHASES = Weighted(
    {
        ("PHASE2",): 24.0,
        ("PHASE3",): 24.0,
        ("PHASE1",): 15.0,
        ("PHASE4",): 14.0,
        ("PHASE1", "PHASE2"): 9.0,
        ("PHASE2", "PHASE3"): 6.0,
        ("EARLY_PHASE1",): 3.0,
        ("NA",): 5.0,
    }
)
_SPONSOR_CLASSES = Weighted(
    {
        "OTHER": 56.0,
        "INDUSTRY": 33.0,
        "NETWORK": 3.0,
        "OTHER_GOV": 2.5,
        "NIH": 2.0,
        "FED": 1.5,
        "INDIV": 1.0,
        "UNKNOWN": 0.5,
        "AMBIG": 0.5,
    }
)
_PURPOSES = {
    "vaccine": "PREVENTION",
    "diagnostic": "DIAGNOSTIC",
    "behavioral": "SUPPORTIVE_CARE",
}
_RARER_PURPOSES = (
    "BASIC_SCIENCE",
    "SCREENING",
    "DEVICE_FEASIBILITY",
    "ECT",
    "OTHER",
    "PREVENTION",
    "HEALTH_SERVICES_RESEARCH",
)
MEDICINE_TYPES = frozenset({"DRUG", "BIOLOGICAL", "GENETIC"})


@dataclass(frozen=True, slots=True)
class Sponsor:
    """The invented lead sponsor."""

    name: str
    agency: str


@dataclass(frozen=True, slots=True)
class Ages:
    """Age limits as the registry writes them, with their value in years."""

    minimum: str | None
    maximum: str | None
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything the modules of one record must agree on."""

    number: int
    study_type: str
    """Empty for a withheld record."""
    status: str
    last_known: str | None
    conditions: tuple[Condition, ...]
    remedies: tuple[Remedy, ...]
    phases: tuple[str, ...]
    purpose: str
    sponsor: Sponsor
    timeline: Timeline
    results: bool
    ages: Ages
    sex: str
    healthy: bool
    case: Case | None = None

    @property
    def condition(self) -> Condition:
        return self.conditions[0]


def nct_id(number: int) -> str:
    """Give the id of a study; the range from NCT90000001 was never issued."""
    return f"NCT{90_000_000 + number:08d}"


def draw_plan(draw: Draw, number: int, *, content: Tables, case: Case | None = None) -> Plan:
    """Draw one plan; a case fixes what its patient's verdict depends on."""
    study_type = "INTERVENTIONAL" if case else draw.weighted(_TYPES)
    status = case.status if case else _draw_status(draw, study_type)
    last_known = draw.weighted(_LAST_KNOWN) if status == "UNKNOWN" else None
    results = study_type == "INTERVENTIONAL" and status in _WITH_RESULTS and draw.chance(0.3)
    condition = content.conditions[
        case.condition if case else _condition_key(draw, number, content)
    ]
    remedies = _draw_remedies(draw, condition, content=content, case=case, study_type=study_type)
    healthy = case is None and _takes_healthy(draw, study_type, remedies)
    return Plan(
        number=number,
        study_type=study_type,
        status=status,
        last_known=last_known,
        conditions=_with_related(draw, condition, content=content, case=case),
        remedies=remedies,
        phases=case.phases if case else _draw_phases(draw, study_type, remedies, healthy=healthy),
        purpose=_purpose(draw, remedies) if case is None else "TREATMENT",
        sponsor=_draw_sponsor(draw, content),
        timeline=draw_timeline(draw, status, last_known=last_known, results=results),
        results=results,
        ages=_case_ages(case) if case else _draw_ages(draw, condition.population, healthy=healthy),
        sex=case.sex if case else _draw_sex(draw, condition),
        healthy=healthy,
        case=case,
    )


_TURN = 8
"""Every eighth study takes the next condition in turn, so that even the rarest is there."""
_WITH_RESULTS = frozenset({"COMPLETED", "TERMINATED"})


def _condition_key(draw: Draw, number: int, content: Tables) -> str:
    if number % _TURN == 0:
        keys = content.condition_weights.values
        return keys[number // _TURN % len(keys)]
    return draw.weighted(content.condition_weights)


def _draw_status(draw: Draw, study_type: str) -> str:
    if not study_type:
        return "WITHHELD"
    return draw.weighted(_ACCESS if study_type == "EXPANDED_ACCESS" else _STATUSES)


def _draw_remedies(
    draw: Draw, condition: Condition, *, content: Tables, case: Case | None, study_type: str
) -> tuple[Remedy, ...]:
    usual = content.remedies_by_condition[condition.key]
    if case:
        named = {r.name: r for r in (*content.medicines, *content.treatments)}
        return tuple(named[name] for name in case.remedies)
    if study_type == "OBSERVATIONAL":
        everyday = [r for r in content.treatments if "*" in r.uses]
        return tuple(draw.some((*usual, *everyday), 1)) if draw.chance(0.7) else ()
    if study_type == "EXPANDED_ACCESS":
        usual = tuple(r for r in usual if r.type in MEDICINE_TYPES) or content.medicines
        return (draw.pick(usual),)
    if draw.chance(0.07):
        # A few medicines are tried outside their field: repurposing needs such pairs.
        return (draw.pick(content.medicines),)
    return tuple(draw.some(usual, 2 if draw.chance(0.25) else 1))


def _takes_healthy(draw: Draw, study_type: str, remedies: tuple[Remedy, ...]) -> bool:
    if study_type == "EXPANDED_ACCESS":
        return False
    vaccine = any(remedy.group == "vaccine" for remedy in remedies)
    return draw.chance(0.8 if vaccine else 0.06)


def _with_related(
    draw: Draw, condition: Condition, *, content: Tables, case: Case | None
) -> tuple[Condition, ...]:
    kin = content.kin[condition.key]
    if case or not kin or not draw.chance(0.2):
        return (condition,)
    return (condition, content.conditions[draw.pick(kin)])


def _draw_phases(
    draw: Draw, study_type: str, remedies: tuple[Remedy, ...], *, healthy: bool
) -> tuple[str, ...]:
    if study_type != "INTERVENTIONAL":
        return ()
    if not any(remedy.type in MEDICINE_TYPES for remedy in remedies):
        return ("NA",)
    if healthy and all(remedy.group != "vaccine" for remedy in remedies):
        return ("PHASE1",)
    return draw.weighted(_PHASES)


def _purpose(draw: Draw, remedies: tuple[Remedy, ...]) -> str:
    if draw.chance(0.05):
        return draw.pick(_RARER_PURPOSES)
    return next((_PURPOSES[r.group] for r in remedies if r.group in _PURPOSES), "TREATMENT")


def _draw_sponsor(draw: Draw, content: Tables) -> Sponsor:
    agency = draw.weighted(_SPONSOR_CLASSES)
    return Sponsor(draw.pick(content.sponsors[agency]), agency)


def _draw_sex(draw: Draw, condition: Condition) -> str:
    if condition.sex != "ALL":
        return condition.sex if draw.chance(0.85) else "ALL"
    return draw.pick(("FEMALE", "MALE")) if draw.chance(0.03) else "ALL"


def _draw_ages(draw: Draw, population: str, *, healthy: bool) -> Ages:
    if healthy and population == "adult":
        return _in_years(18, draw.pick((45, 55, 65)))
    if population == "infant":
        low, high = draw.pick(_INFANTS)
        return Ages(low, high, 0.0, 2.0)
    if population == "child":
        return _in_years(draw.between(1, 6), draw.pick((12, 17, 17, 21)))
    if population == "any" and draw.chance(0.5):
        return _in_years(draw.pick((6, 12, 12)), draw.pick((None, 17, 75)))
    if population == "older" and draw.chance(0.7):
        return _in_years(draw.pick((50, 55, 60, 65)), draw.pick((None, 80, 85, 90)))
    if draw.chance(0.04):
        return Ages(None, None, 0.0, 200.0)
    low_years = draw.pick((18, 18, 18, 19, 20, 21, 30, 40))
    return _in_years(low_years, draw.pick((None, None, 65, 70, 75, 80)))


_INFANTS = (("0 Days", "28 Days"), ("1 Day", "12 Months"), ("6 Weeks", "24 Months"))


def _case_ages(case: Case) -> Ages:
    return _in_years(case.min_age, case.max_age)


def _in_years(low: int, high: int | None) -> Ages:
    maximum = f"{high} Years" if high is not None else None
    return Ages(
        f"{low} Year{'s' if low > 1 else ''}", maximum, low, 200.0 if high is None else high + 0.99
    )
