"""The registry's vocabularies: one StrEnum a type, with the API's own values.

Labels come from the enumeration table of `trialyst.essie`. A record may hold a value that is not
listed here; it is kept as the plain string it is (see `trialyst.ctgov.model.Known`).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache

from trialyst.essie.enums import enums

__all__ = [
    "AgencyClass",
    "Allocation",
    "ArmGroupType",
    "BioSpecRetention",
    "ContactRole",
    "DateType",
    "EnrollmentType",
    "ExpandedAccessStatus",
    "InterventionModel",
    "InterventionType",
    "IpdSharing",
    "IpdSharingInfoType",
    "Masking",
    "ObservationalModel",
    "OfficialRole",
    "OutcomeMeasureType",
    "Phase",
    "PrimaryPurpose",
    "RecruitmentStatus",
    "ReferenceType",
    "ResponsiblePartyType",
    "SamplingMethod",
    "SecondaryIdType",
    "Sex",
    "StandardAge",
    "Status",
    "StudyType",
    "TimePerspective",
    "Vocabulary",
    "WhoMasked",
    "label_of",
]

# Four of our names are plainer than the API's type names.
_API_TYPES = {
    "Allocation": "DesignAllocation",
    "InterventionModel": "InterventionalAssignment",
    "Masking": "DesignMasking",
    "TimePerspective": "DesignTimePerspective",
}


class Vocabulary(StrEnum):
    """A set of values the registry allows in some field."""

    @property
    def label(self) -> str:
        """The label that older interfaces showed: `Active, not recruiting`.

        >>> Status.ACTIVE_NOT_RECRUITING.label
        'Active, not recruiting'
        """
        return _labels(self.api_type())[self.value]

    @classmethod
    def api_type(cls) -> str:
        """Give the API's name of this enumeration.

        >>> Masking.api_type()
        'DesignMasking'
        """
        return _API_TYPES.get(cls.__name__, cls.__name__)


@cache
def _labels(api_type: str) -> Mapping[str, str]:
    return {value.value: value.label for value in enums()[api_type].values}


def label_of(value: str) -> str:
    """Give the label of a known value, and an unknown one as it is.

    >>> label_of(Sex.ALL), label_of("NEW_VALUE")
    ('All', 'NEW_VALUE')
    """
    return value.label if isinstance(value, Vocabulary) else value


class SecondaryIdType(Vocabulary):
    """What kind of number a secondary id is."""

    NIH = "NIH"
    FDA = "FDA"
    VA = "VA"
    CDC = "CDC"
    AHRQ = "AHRQ"
    SAMHSA = "SAMHSA"
    OTHER_GRANT = "OTHER_GRANT"
    EUDRACT_NUMBER = "EUDRACT_NUMBER"
    CTIS = "CTIS"
    REGISTRY = "REGISTRY"
    OTHER = "OTHER"


class AgencyClass(Vocabulary):
    """What kind of organization a sponsor is."""

    NIH = "NIH"
    FED = "FED"
    OTHER_GOV = "OTHER_GOV"
    INDIV = "INDIV"
    INDUSTRY = "INDUSTRY"
    NETWORK = "NETWORK"
    AMBIG = "AMBIG"
    OTHER = "OTHER"
    UNKNOWN = "UNKNOWN"


class Status(Vocabulary):
    """Where a study stands as a whole; the last five are for expanded access and withheld ones."""

    ACTIVE_NOT_RECRUITING = "ACTIVE_NOT_RECRUITING"
    COMPLETED = "COMPLETED"
    ENROLLING_BY_INVITATION = "ENROLLING_BY_INVITATION"
    NOT_YET_RECRUITING = "NOT_YET_RECRUITING"
    RECRUITING = "RECRUITING"
    SUSPENDED = "SUSPENDED"
    TERMINATED = "TERMINATED"
    WITHDRAWN = "WITHDRAWN"
    AVAILABLE = "AVAILABLE"
    NO_LONGER_AVAILABLE = "NO_LONGER_AVAILABLE"
    TEMPORARILY_NOT_AVAILABLE = "TEMPORARILY_NOT_AVAILABLE"
    APPROVED_FOR_MARKETING = "APPROVED_FOR_MARKETING"
    WITHHELD = "WITHHELD"
    UNKNOWN = "UNKNOWN"


class ExpandedAccessStatus(Vocabulary):
    """Where an expanded access study stands."""

    AVAILABLE = "AVAILABLE"
    NO_LONGER_AVAILABLE = "NO_LONGER_AVAILABLE"
    TEMPORARILY_NOT_AVAILABLE = "TEMPORARILY_NOT_AVAILABLE"
    APPROVED_FOR_MARKETING = "APPROVED_FOR_MARKETING"


class DateType(Vocabulary):
    """Whether a date has come to pass."""

    ACTUAL = "ACTUAL"
    ESTIMATED = "ESTIMATED"


class ResponsiblePartyType(Vocabulary):
    """Who answers for the record."""

    SPONSOR = "SPONSOR"
    PRINCIPAL_INVESTIGATOR = "PRINCIPAL_INVESTIGATOR"
    SPONSOR_INVESTIGATOR = "SPONSOR_INVESTIGATOR"


class StudyType(Vocabulary):
    """The three kinds of study."""

    EXPANDED_ACCESS = "EXPANDED_ACCESS"
    INTERVENTIONAL = "INTERVENTIONAL"
    OBSERVATIONAL = "OBSERVATIONAL"


class Phase(Vocabulary):
    """Drug development phases; a study may have two."""

    NA = "NA"
    EARLY_PHASE1 = "EARLY_PHASE1"
    PHASE1 = "PHASE1"
    PHASE2 = "PHASE2"
    PHASE3 = "PHASE3"
    PHASE4 = "PHASE4"


class Allocation(Vocabulary):
    """How participants come to their arms."""

    RANDOMIZED = "RANDOMIZED"
    NON_RANDOMIZED = "NON_RANDOMIZED"
    NA = "NA"


class InterventionModel(Vocabulary):
    """How the arms of an interventional study relate."""

    SINGLE_GROUP = "SINGLE_GROUP"
    PARALLEL = "PARALLEL"
    CROSSOVER = "CROSSOVER"
    FACTORIAL = "FACTORIAL"
    SEQUENTIAL = "SEQUENTIAL"


class PrimaryPurpose(Vocabulary):
    """What an interventional study is for."""

    TREATMENT = "TREATMENT"
    PREVENTION = "PREVENTION"
    DIAGNOSTIC = "DIAGNOSTIC"
    ECT = "ECT"
    SUPPORTIVE_CARE = "SUPPORTIVE_CARE"
    SCREENING = "SCREENING"
    HEALTH_SERVICES_RESEARCH = "HEALTH_SERVICES_RESEARCH"
    BASIC_SCIENCE = "BASIC_SCIENCE"
    DEVICE_FEASIBILITY = "DEVICE_FEASIBILITY"
    OTHER = "OTHER"


class ObservationalModel(Vocabulary):
    """How an observational study picks its groups."""

    COHORT = "COHORT"
    CASE_CONTROL = "CASE_CONTROL"
    CASE_ONLY = "CASE_ONLY"
    CASE_CROSSOVER = "CASE_CROSSOVER"
    ECOLOGIC_OR_COMMUNITY = "ECOLOGIC_OR_COMMUNITY"
    FAMILY_BASED = "FAMILY_BASED"
    DEFINED_POPULATION = "DEFINED_POPULATION"
    NATURAL_HISTORY = "NATURAL_HISTORY"
    OTHER = "OTHER"


class TimePerspective(Vocabulary):
    """When an observational study looks at its participants."""

    RETROSPECTIVE = "RETROSPECTIVE"
    PROSPECTIVE = "PROSPECTIVE"
    CROSS_SECTIONAL = "CROSS_SECTIONAL"
    OTHER = "OTHER"


class Masking(Vocabulary):
    """How many parties are kept unaware of the assignment."""

    NONE = "NONE"
    SINGLE = "SINGLE"
    DOUBLE = "DOUBLE"
    TRIPLE = "TRIPLE"
    QUADRUPLE = "QUADRUPLE"


class WhoMasked(Vocabulary):
    """Who is kept unaware of the assignment."""

    PARTICIPANT = "PARTICIPANT"
    CARE_PROVIDER = "CARE_PROVIDER"
    INVESTIGATOR = "INVESTIGATOR"
    OUTCOMES_ASSESSOR = "OUTCOMES_ASSESSOR"


class BioSpecRetention(Vocabulary):
    """Whether samples are kept, and of which kind."""

    NONE_RETAINED = "NONE_RETAINED"
    SAMPLES_WITH_DNA = "SAMPLES_WITH_DNA"
    SAMPLES_WITHOUT_DNA = "SAMPLES_WITHOUT_DNA"


class EnrollmentType(Vocabulary):
    """Whether the number of participants is final."""

    ACTUAL = "ACTUAL"
    ESTIMATED = "ESTIMATED"


class ArmGroupType(Vocabulary):
    """The role of an arm."""

    EXPERIMENTAL = "EXPERIMENTAL"
    ACTIVE_COMPARATOR = "ACTIVE_COMPARATOR"
    PLACEBO_COMPARATOR = "PLACEBO_COMPARATOR"
    SHAM_COMPARATOR = "SHAM_COMPARATOR"
    NO_INTERVENTION = "NO_INTERVENTION"
    OTHER = "OTHER"


class InterventionType(Vocabulary):
    """What kind of thing an intervention is."""

    BEHAVIORAL = "BEHAVIORAL"
    BIOLOGICAL = "BIOLOGICAL"
    COMBINATION_PRODUCT = "COMBINATION_PRODUCT"
    DEVICE = "DEVICE"
    DIAGNOSTIC_TEST = "DIAGNOSTIC_TEST"
    DIETARY_SUPPLEMENT = "DIETARY_SUPPLEMENT"
    DRUG = "DRUG"
    GENETIC = "GENETIC"
    PROCEDURE = "PROCEDURE"
    RADIATION = "RADIATION"
    OTHER = "OTHER"


class Sex(Vocabulary):
    """Which sexes may take part."""

    FEMALE = "FEMALE"
    MALE = "MALE"
    ALL = "ALL"


class StandardAge(Vocabulary):
    """The registry's three age groups."""

    CHILD = "CHILD"
    ADULT = "ADULT"
    OLDER_ADULT = "OLDER_ADULT"


class SamplingMethod(Vocabulary):
    """How an observational study draws its sample."""

    PROBABILITY_SAMPLE = "PROBABILITY_SAMPLE"
    NON_PROBABILITY_SAMPLE = "NON_PROBABILITY_SAMPLE"


class ContactRole(Vocabulary):
    """The role of a contact person."""

    STUDY_CHAIR = "STUDY_CHAIR"
    STUDY_DIRECTOR = "STUDY_DIRECTOR"
    PRINCIPAL_INVESTIGATOR = "PRINCIPAL_INVESTIGATOR"
    SUB_INVESTIGATOR = "SUB_INVESTIGATOR"
    CONTACT = "CONTACT"


class OfficialRole(Vocabulary):
    """The role of a study official."""

    STUDY_CHAIR = "STUDY_CHAIR"
    STUDY_DIRECTOR = "STUDY_DIRECTOR"
    PRINCIPAL_INVESTIGATOR = "PRINCIPAL_INVESTIGATOR"
    SUB_INVESTIGATOR = "SUB_INVESTIGATOR"


class RecruitmentStatus(Vocabulary):
    """Where a study stands at one site."""

    ACTIVE_NOT_RECRUITING = "ACTIVE_NOT_RECRUITING"
    COMPLETED = "COMPLETED"
    ENROLLING_BY_INVITATION = "ENROLLING_BY_INVITATION"
    NOT_YET_RECRUITING = "NOT_YET_RECRUITING"
    RECRUITING = "RECRUITING"
    SUSPENDED = "SUSPENDED"
    TERMINATED = "TERMINATED"
    WITHDRAWN = "WITHDRAWN"
    AVAILABLE = "AVAILABLE"


class ReferenceType(Vocabulary):
    """How a paper relates to the study; only RESULT and DERIVED report on it."""

    BACKGROUND = "BACKGROUND"
    RESULT = "RESULT"
    DERIVED = "DERIVED"


class IpdSharing(Vocabulary):
    """Whether participants' data will be shared."""

    YES = "YES"
    NO = "NO"
    UNDECIDED = "UNDECIDED"


class IpdSharingInfoType(Vocabulary):
    """Which documents come with shared data."""

    STUDY_PROTOCOL = "STUDY_PROTOCOL"
    SAP = "SAP"
    ICF = "ICF"
    CSR = "CSR"
    ANALYTIC_CODE = "ANALYTIC_CODE"


class OutcomeMeasureType(Vocabulary):
    """The rank of a reported outcome."""

    PRIMARY = "PRIMARY"
    SECONDARY = "SECONDARY"
    OTHER_PRE_SPECIFIED = "OTHER_PRE_SPECIFIED"
    POST_HOC = "POST_HOC"
