"""What a trial sets out to do: design, arms, outcomes, eligibility, papers."""

from __future__ import annotations

from pydantic import Field

from trialyst.ctgov.ages import Age
from trialyst.ctgov.dates import PartialDate
from trialyst.ctgov.model import Known, Part
from trialyst.ctgov.vocab import (
    Allocation,
    ArmGroupType,
    BioSpecRetention,
    DateType,
    EnrollmentType,
    ExpandedAccessStatus,
    InterventionModel,
    IpdSharing,
    IpdSharingInfoType,
    Masking,
    ObservationalModel,
    PrimaryPurpose,
    ReferenceType,
    SamplingMethod,
    SecondaryIdType,
    Sex,
    StandardAge,
    TimePerspective,
    WhoMasked,
)

__all__ = [
    "Arm",
    "AvailableData",
    "DatedEvent",
    "Design",
    "Document",
    "Eligibility",
    "Enrollment",
    "ExpandedAccess",
    "IpdStatement",
    "Link",
    "MeshTerm",
    "Outcome",
    "Oversight",
    "Reference",
    "Retraction",
    "SecondaryId",
]


class SecondaryId(Part):
    """A number the trial has elsewhere: a grant, another registry."""

    id: str
    type: Known[SecondaryIdType] | None = None
    domain: str | None = None
    """The registry or funder the number belongs to."""
    link: str | None = None


class DatedEvent(Part):
    """When something happened or is expected to."""

    date: PartialDate
    type: Known[DateType] | None = None
    """ACTUAL or ESTIMATED; often absent on old records, never given for submissions."""


class Enrollment(Part):
    """How many people take part."""

    count: int | None = Field(default=None, ge=0)
    """None when unknown, which the registry writes as 99999999."""
    type: Known[EnrollmentType] | None = None


class Design(Part):
    """How the study is built."""

    allocation: Known[Allocation] | None = None
    intervention_model: Known[InterventionModel] | None = None
    intervention_model_description: str | None = None
    primary_purpose: Known[PrimaryPurpose] | None = None
    masking: Known[Masking] | None = None
    masking_description: str | None = None
    who_masked: tuple[Known[WhoMasked], ...] = ()
    observational_model: Known[ObservationalModel] | None = None
    time_perspective: Known[TimePerspective] | None = None
    patient_registry: bool | None = None
    target_duration: Age | None = None
    """How long each participant of a patient registry is followed."""
    biospecimen_retention: Known[BioSpecRetention] | None = None
    biospecimen_description: str | None = None


class Arm(Part):
    """A group of participants."""

    label: str
    type: Known[ArmGroupType] | None = None
    description: str | None = None
    intervention_names: tuple[str, ...] = ()
    """Written `Drug: Name`."""


class Outcome(Part):
    """Something the trial measures."""

    measure: str
    time_frame: str | None = None
    description: str | None = None


class Eligibility(Part):
    """Who may take part."""

    criteria: str | None = Field(default=None, validation_alias="eligibilityCriteria")
    """Inclusion and exclusion criteria as one text."""
    minimum_age: Age | None = None
    maximum_age: Age | None = None
    sex: Known[Sex] | None = None
    gender_based: bool | None = None
    gender_description: str | None = None
    healthy_volunteers: bool | None = None
    """None when the record does not say."""
    std_ages: tuple[Known[StandardAge], ...] = ()
    study_population: str | None = None
    sampling_method: Known[SamplingMethod] | None = None


class Retraction(Part):
    """The notice that withdrew a paper."""

    pmid: str | None = None
    source: str | None = None


class Reference(Part):
    """A paper the record cites."""

    pmid: str | None = None
    type: Known[ReferenceType] | None = None
    """BACKGROUND papers do not report on this trial; RESULT and DERIVED ones do."""
    citation: str | None = None
    retractions: tuple[Retraction, ...] = ()


class Link(Part):
    """A page the record points to."""

    url: str
    label: str | None = None


class AvailableData(Part):
    """A data set or document available on request."""

    id: str | None = None
    type: str | None = None
    url: str | None = None
    comment: str | None = None


class IpdStatement(Part):
    """Whether and how individual participant data will be shared."""

    ipd_sharing: Known[IpdSharing] | None = None
    description: str | None = None
    info_types: tuple[Known[IpdSharingInfoType], ...] = ()
    time_frame: str | None = None
    access_criteria: str | None = None
    url: str | None = None


class MeshTerm(Part):
    """A MeSH heading; converted records give the term without its id."""

    term: str
    id: str | None = None


class Document(Part):
    """A document posted with the record."""

    type_abbrev: str | None = None
    has_protocol: bool = False
    has_sap: bool = False
    """Whether it holds the statistical analysis plan."""
    has_icf: bool = False
    """Whether it holds the informed consent form."""
    label: str | None = None
    date: PartialDate | None = None
    upload_date: str | None = None
    """Date and minute of the upload, `yyyy-MM-ddTHH:mm`."""
    filename: str | None = None
    size: int | None = None
    """In bytes."""
    url: str | None = None
    """Where the registry serves it."""


class ExpandedAccess(Part):
    """Whether patients outside the trial can get the product, and through which record."""

    has_expanded_access: bool | None = None
    nct_id: str | None = None
    status: Known[ExpandedAccessStatus] | None = Field(
        default=None, validation_alias="statusForNctId"
    )
    individual: bool | None = None
    intermediate: bool | None = None
    treatment: bool | None = None


class Oversight(Part):
    """Regulation and monitoring; None where the record does not say."""

    has_dmc: bool | None = Field(default=None, validation_alias="oversightHasDmc")
    """Whether a data monitoring committee watches the trial."""
    is_fda_regulated_drug: bool | None = None
    is_fda_regulated_device: bool | None = None
    is_unapproved_device: bool | None = None
    is_ppsd: bool | None = None
    """Whether this is a pediatric postmarket surveillance study of a device."""
    is_us_export: bool | None = None
    fdaaa801_violation: bool | None = Field(default=None, validation_alias="fdaaa801Violation")
