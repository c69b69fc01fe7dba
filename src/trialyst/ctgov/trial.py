"""The one model of a trial: every facade's shape is a view of it.

Values a record does not hold are None or empty; nothing is guessed. `trialyst.ctgov.parse` makes
trials from studies, and is the only place that knows the API's JSON.
"""

from __future__ import annotations

from trialyst.ctgov.model import Known
from trialyst.ctgov.outline import TrialOutline
from trialyst.ctgov.protocol import (
    Arm,
    AvailableData,
    DatedEvent,
    Design,
    Document,
    Eligibility,
    Enrollment,
    ExpandedAccess,
    IpdStatement,
    Link,
    MeshTerm,
    Outcome,
    Oversight,
    Reference,
    SecondaryId,
)
from trialyst.ctgov.results import ResultsSummary
from trialyst.ctgov.sites import Contact, Official, ResponsibleParty, Site, Sponsor
from trialyst.ctgov.vocab import Status, StudyType

__all__ = ["Trial"]


class Trial(TrialOutline):
    """A clinical trial as the registry describes it."""

    aliases: tuple[str, ...] = ()
    """Ids under which the trial was registered before."""
    org_study_id: str | None = None
    organization: Sponsor | None = None
    """The organization that entered the record."""
    secondary_ids: tuple[SecondaryId, ...] = ()
    acronym: str | None = None

    last_known_status: Known[Status] | None = None
    """What the status was before it became UNKNOWN."""
    why_stopped: str | None = None
    delayed_posting: bool | None = None
    expanded_access: ExpandedAccess | None = None

    start: DatedEvent | None = None
    primary_completion: DatedEvent | None = None
    completion: DatedEvent | None = None
    first_submitted: DatedEvent | None = None
    first_posted: DatedEvent | None = None
    results_first_submitted: DatedEvent | None = None
    results_first_posted: DatedEvent | None = None
    last_update_submitted: DatedEvent | None = None
    last_update_posted: DatedEvent | None = None
    verified: DatedEvent | None = None
    version: DatedEvent | None = None
    """The date of the data this record was taken from."""

    lead_sponsor: Sponsor | None = None
    collaborators: tuple[Sponsor, ...] = ()
    responsible_party: ResponsibleParty | None = None
    oversight: Oversight = Oversight()

    detailed_description: str | None = None
    keywords: tuple[str, ...] = ()

    study_type: Known[StudyType] | None = None
    design: Design = Design()
    enrollment: Enrollment = Enrollment()
    arms: tuple[Arm, ...] = ()
    primary_outcomes: tuple[Outcome, ...] = ()
    secondary_outcomes: tuple[Outcome, ...] = ()
    other_outcomes: tuple[Outcome, ...] = ()
    eligibility: Eligibility = Eligibility()

    central_contacts: tuple[Contact, ...] = ()
    officials: tuple[Official, ...] = ()
    sites: tuple[Site, ...] = ()
    removed_countries: tuple[str, ...] = ()
    """Countries whose sites were taken from the record."""

    references: tuple[Reference, ...] = ()
    links: tuple[Link, ...] = ()
    available_data: tuple[AvailableData, ...] = ()
    ipd_statement: IpdStatement | None = None
    documents: tuple[Document, ...] = ()

    condition_mesh: tuple[MeshTerm, ...] = ()
    condition_ancestors: tuple[MeshTerm, ...] = ()
    """Broader headings of `condition_mesh`."""
    intervention_mesh: tuple[MeshTerm, ...] = ()
    intervention_ancestors: tuple[MeshTerm, ...] = ()
    """Broader headings and pharmacologic classes of `intervention_mesh`."""

    has_results: bool = False
    results: ResultsSummary | None = None
    """None when no results are posted."""

    problems: tuple[str, ...] = ()
    """What the record held that could not be read: path, reason and value."""

    @property
    def pmids(self) -> tuple[str, ...]:
        """The papers the record cites, each once, in its order."""
        return tuple(dict.fromkeys(ref.pmid for ref in self.references if ref.pmid))

    @property
    def countries(self) -> tuple[str, ...]:
        """The countries of the sites, each once, in the record's order."""
        return tuple(dict.fromkeys(site.country for site in self.sites if site.country))
