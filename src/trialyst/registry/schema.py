"""The index: which field answers for which piece, and the fields that serve whole areas fast.

Text pieces have a field of folded words with positions, enumerations and flags a field of raw
values, numbers, dates and ages a column of integers. Change `SCHEMA_VERSION` with any of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from trialyst.essie.areas import areas
from trialyst.essie.pieces import Kind, Piece, pieces

if TYPE_CHECKING:
    import tantivy

__all__ = [
    "AGE_UNITS_PER_DAY",
    "ALIAS",
    "EDGE",
    "FACETS",
    "FILTERED",
    "GRAIN",
    "GROUPS",
    "NO_VALUE",
    "NUMBER",
    "PLAIN_WORDS",
    "POINT",
    "PRINT",
    "SCHEMA_VERSION",
    "SEPARATOR",
    "SITE",
    "UNUSUAL",
    "USUAL",
    "VALUE_GAP",
    "WIDEST_AREA",
    "WORDS",
    "WORDS_BETWEEN_VALUES",
    "Grain",
    "build_site_schema",
    "build_study_schema",
    "columns_from_zero",
    "grains",
    "is_column",
    "is_raw",
    "listed_by",
    "register_tokenizers",
    "site_pieces",
    "size_field",
    "whole_field",
    "word_lists",
]

SCHEMA_VERSION = 9

NUMBER = "nct"
ALIAS = "alias"
SITE = "site"
GRAIN = "grain"
POINT = "point"
"""A point as text, so that the terms of the field are the list of all points."""
UNUSUAL = "unusual"
"""The pieces of `USUAL` that a study lacks, and the others that it has: a third of what it has."""
PRINT = "print"
"""A hash of everything a study gave to the index, so that `verify` can tell."""
_FOLDED = "whitespace"
"""The engine's tokenizer: text arrives folded, so white space is all that separates."""
_VALUES = "values"
"""The same for a text of several values; what is put between them takes room and is no word."""
_NO_WORD = "|"
WORDS_BETWEEN_VALUES = 4
"""Room for so many words is left between two values, and the engine leaves room for one more."""
VALUE_GAP = f"{_NO_WORD} " * WORDS_BETWEEN_VALUES
"""What a value that follows another begins with; `src/native/found.h` has the same."""
EDGE = "^"
"""Stands before the first value of some pieces, between values, and after the last."""
EDGE_DISTANCE = 3
"""Positions from an edge to the word after it, and from the last word of a value to its edge."""
EDGE_BEFORE, EDGE_BETWEEN, EDGE_AFTER = "^ | | ", "| ^ | | ", " | | ^"
"""How a first value begins, any other, and how the last ends; `src/native/found.h` has the same."""
IRREGULAR = "irregular"
"""The pieces of which the words as written leave a value out."""

AGE_UNITS_PER_DAY = 1440
"""Ages are stored in minutes, the smallest unit the registry knows."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "group_titles": ("BriefTitle", "OfficialTitle", "Keyword"),
    "group_conditions": ("Condition", "ConditionMeshTerm"),
    "group_interventions": (
        "InterventionName",
        "InterventionOtherName",
        "ArmGroupLabel",
        "InterventionMeshTerm",
    ),
    "group_ancestors": ("ConditionAncestorTerm", "InterventionAncestorTerm"),
    "group_people": (
        "BioSpecDescription",
        "ResponsiblePartyInvestigatorFullName",
        "ResponsiblePartyInvestigatorTitle",
        "ResponsiblePartyInvestigatorAffiliation",
        "ResponsiblePartyOldNameTitle",
        "ResponsiblePartyOldOrganization",
        "OverallOfficialAffiliation",
        "OverallOfficialName",
        "CentralContactName",
        "OtherOutcomeMeasure",
    ),
    "group_sponsors": (
        "LeadSponsorName",
        "OrgStudyId",
        "SecondaryId",
        "NCTIdAlias",
        "CollaboratorName",
        "LocationContactName",
    ),
}
"""Short pieces indexed a second time together. An area that has all the pieces of a group, and
expands synonyms in all of them or in none, looks words up there: every field more makes a search
slower. No piece is in two groups, so that no word counts twice. Long pieces stay on their own."""


_SEARCHED_AS_WRITTEN = (
    *("NCTId", "Acronym", "LeadSponsorName", "CollaboratorName", "OrgFullName"),
    *("OrgStudyId", "SecondaryId", "NCTIdAlias"),
    *GROUPS["group_titles"],
    *GROUPS["group_conditions"],
    *GROUPS["group_interventions"],
    *GROUPS["group_ancestors"],
)


WORDS = "words"
"""Every word of the text pieces of the widest area, as often as it counts."""
PLAIN_WORDS = "words_plain"
"""The distinct words among them that stand only in pieces in which synonyms do not count."""
WIDEST_AREA = "BasicSearch"
_NAMING = (
    ("Acronym",),
    GROUPS["group_titles"],
    GROUPS["group_conditions"],
    GROUPS["group_interventions"],
)
"""What a study is about stands here: a word counts for each of them that has it."""
_TIMES_NAMED = 3


@cache
def word_lists() -> Sequence[tuple[str, tuple[str, ...]]]:
    """Give lists of pieces whose distinct words are written, and the field each belongs to.

    All are written to the first field, one after the other. What the last list has besides the one
    before it is written to its own field too. So a word of the widest area is found and scored in
    one field, not in 22.
    """
    texts = {
        piece.name: part.synonyms
        for part in areas()[WIDEST_AREA].parts
        for piece in part.pieces
        if piece.kind is Kind.TEXT
    }
    expanded = tuple(name for name, synonyms in texts.items() if synonyms)
    plain = tuple(name for name, synonyms in texts.items() if not synonyms)
    counted = (*_NAMING * _TIMES_NAMED, ("BriefSummary",), expanded)
    return (*((WORDS, each) for each in counted), (PLAIN_WORDS, plain))


_USUAL_NAMES = """
    ProtocolSection IdentificationModule NCTId OrgStudyIdInfo OrgStudyId BriefTitle OfficialTitle
    Organization OrgFullName OrgClass StatusModule StatusVerifiedDate OverallStatus
    ExpandedAccessInfo HasExpandedAccess StartDateStruct StartDate PrimaryCompletionDateStruct
    PrimaryCompletionDate PrimaryCompletionDateType CompletionDateStruct CompletionDate
    CompletionDateType StudyFirstSubmitDate StudyFirstSubmitQCDate StudyFirstPostDateStruct
    StudyFirstPostDate StudyFirstPostDateType StudyFirstPostYear LastUpdateSubmitDate
    LastUpdatePostDateStruct LastUpdatePostDate LastUpdatePostDateType LastUpdatePostYear
    StudyFirstSubmitYear LastUpdateSubmitYear SponsorCollaboratorsModule ResponsibleParty
    ResponsiblePartyType LeadSponsor LeadSponsorName LeadSponsorClass OversightModule
    OversightHasDMC DescriptionModule BriefSummary DetailedDescription ConditionsModule Condition
    Keyword DesignModule StudyType Phase DesignInfo DesignAllocation DesignInterventionModel
    DesignPrimaryPurpose DesignMaskingInfo DesignMasking EnrollmentInfo EnrollmentCount
    EnrollmentType ArmsInterventionsModule ArmGroup ArmGroupLabel ArmGroupType ArmGroupDescription
    ArmGroupInterventionName Intervention InterventionType InterventionName InterventionDescription
    InterventionArmGroupLabel OutcomesModule PrimaryOutcome PrimaryOutcomeMeasure
    PrimaryOutcomeDescription PrimaryOutcomeTimeFrame SecondaryOutcome SecondaryOutcomeMeasure
    SecondaryOutcomeDescription SecondaryOutcomeTimeFrame EligibilityModule EligibilityCriteria
    HealthyVolunteers Sex MinimumAge StdAge ContactsLocationsModule OverallOfficial
    OverallOfficialName OverallOfficialAffiliation OverallOfficialRole Location LocationFacility
    LocationCity LocationState LocationZip LocationCountry LocationCountryCode DerivedSection
    MiscInfoModule VersionHolder ConditionBrowseModule ConditionMesh ConditionMeshId
    ConditionMeshTerm InterventionBrowseModule InterventionMesh InterventionMeshId
    InterventionMeshTerm HasResults
"""
USUAL = frozenset(_USUAL_NAMES.split())
"""Pieces that most studies have."""

FACETS = frozenset(
    {"OverallStatus", "StudyType", "Phase", "Sex", "StdAge", "LeadSponsorClass", "HasResults"}
    | {"InterventionType", "DesignPrimaryPurpose", "LocationStatus", "HealthyVolunteers"}
)
"""Pieces often counted by value, which therefore have a column besides their terms."""

FILTERED = ("OverallStatus", "Phase")
"""Pieces by which nearly every search is filtered."""
SEPARATOR = "\x1f"
"""Between the values of such a piece, where they stand as one."""
NO_VALUE = "-"
"""Where a study has none."""


def is_raw(piece: Piece) -> bool:
    """Whether the piece's field holds whole values."""
    return piece.kind in (Kind.ENUM, Kind.BOOLEAN)


def is_column(piece: Piece) -> bool:
    """Whether the piece is a column of integers."""
    return piece.kind in (Kind.NUMBER, Kind.DATE, Kind.AGE)


_IRREGULAR_PLURALS = {
    "NumNCTAliases": "NCTIdAlias",
    "NumSecondaryIds": "SecondaryIdInfo",
    "NumRetractionsForRef": "Retraction",
}
_PLURALS = (("Categories", "Category"), ("Analyses", "Analysis"), ("Countries", "Country"))


@cache
def listed_by() -> Mapping[str, str]:
    """Give the list piece that each plain `Num*` piece counts.

    >>> listed_by()["NumArmGroups"]
    'ArmGroup'
    """
    table = {}
    for piece in pieces().values():
        if piece.indexed_only and piece.name.startswith("Num"):
            counted = _IRREGULAR_PLURALS.get(piece.name) or _singular(piece.name[3:])
            if counted in pieces():
                table[piece.name] = counted
    return table


def _singular(name: str) -> str:
    for plural, singular in _PLURALS:
        if name.endswith(plural):
            return name.removesuffix(plural) + singular
    for suffix in ("es", "s"):
        stem = name.removesuffix(suffix)
        if stem in pieces() and stem != name:
            return stem
    return name


def size_field(piece: Piece) -> str:
    """Name the column that holds how many values a list piece has."""
    return f"size_{piece.name}"


def whole_field(name: str) -> str:
    """Name the field in which all values of a filtered piece are one value, never none."""
    return f"whole_{name}"


@cache
def columns_from_zero() -> frozenset[str]:
    """Name the sizes of lists that a study has once: most are empty, and then nothing is written.

    Of a list inside others nothing means that there is none, which is no size.
    """
    lists = (piece for piece in pieces().values() if piece.is_list and piece.list_depth == 1)
    return frozenset(map(size_field, lists))


@cache
def edged_pieces() -> frozenset[str]:
    """Name the pieces whose values have edges: text of the search areas, but not of sites."""
    searched = (piece for area in areas().values() for part in area.parts for piece in part.pieces)
    return frozenset(
        piece.name
        for piece in searched
        if piece.kind is Kind.TEXT and not piece.name.startswith("Location")
    )


@cache
def written_fields() -> Mapping[str, str]:
    """Give the field of words as written of each piece that has one: short ones, which are names.

    Long texts would take as much room again; of them the stored record is read.
    """
    return {name: f"written_{name}" for name in _SEARCHED_AS_WRITTEN}


@cache
def site_pieces() -> tuple[Piece, ...]:
    """Give the pieces that make a site what it is; contacts belong to a study's use of it."""
    names = ("Facility", "Status", "City", "State", "Zip", "Country", "CountryCode", "GeoPoint")
    return tuple(pieces()[f"Location{name}"] for name in names)


@cache
def grains() -> Mapping[Grain, frozenset[str]]:
    """Name the pieces that tell documents of a grain apart, the coarsest grain first."""
    site = frozenset(piece.name for piece in site_pieces())
    place = site - {"LocationFacility", "LocationZip"}
    state = place - {"LocationCity", "LocationGeoPoint"}
    return {Grain.STATE: state, Grain.PLACE: place, Grain.SITE: site}


def build_study_schema() -> tantivy.Schema:
    """Make the schema of the index of studies."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    # Signed, because the binding deletes by signed terms only (tantivy-py 0.27).
    builder.add_integer_field(NUMBER, indexed=True, fast=True)
    builder.add_integer_field(ALIAS, indexed=True)
    builder.add_integer_field(SITE, indexed=True)
    builder.add_integer_field(PRINT, fast=True)
    builder.add_text_field(UNUSUAL, tokenizer_name=_FOLDED, index_option="basic")
    builder.add_text_field(IRREGULAR, tokenizer_name=_FOLDED, index_option="basic")
    for field in (*GROUPS, *written_fields().values()):
        builder.add_text_field(field, tokenizer_name=_VALUES)
    builder.add_text_field(WORDS, tokenizer_name=_FOLDED, index_option="freq")
    builder.add_text_field(PLAIN_WORDS, tokenizer_name=_FOLDED, index_option="basic")
    for name in FILTERED:
        builder.add_text_field(whole_field(name), tokenizer_name="raw", index_option="basic")
    counted = set(listed_by())
    for piece in pieces().values():
        if piece.name not in counted:
            _add_piece(builder, piece)
        if piece.is_list:
            builder.add_integer_field(size_field(piece), fast=True)
    return builder.build()


def _add_piece(builder: tantivy.SchemaBuilder, piece: Piece) -> None:
    if piece.kind is Kind.TEXT:
        is_listed = piece.is_list or piece.list_depth
        is_one_value = not is_listed and piece.name not in edged_pieces()
        builder.add_text_field(piece.name, tokenizer_name=_FOLDED if is_one_value else _VALUES)
    elif is_raw(piece):
        builder.add_text_field(
            piece.name, tokenizer_name="raw", index_option="basic", fast=piece.name in FACETS
        )
    elif is_column(piece):
        builder.add_integer_field(piece.name, fast=True)


class Grain(StrEnum):
    """What a document of the index of sites stands for, and what else studies hold the ids of."""

    SITE = "site"
    PLACE = "place"
    """Sites that differ in facility and postal code at most: a few for thousands of sites."""
    STATE = "state"
    """Places that differ in city and point at most: a few for a whole country."""
    POINT = "point"
    """Where sites lie, whatever else is said of them; has an id and no document."""


def register_tokenizers(index: tantivy.Index) -> None:
    """Tell an index how to read texts of several values, before any is written."""
    import tantivy

    analyzer = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace())
    index.register_tokenizer(
        _VALUES, analyzer.filter(tantivy.Filter.custom_stopword([_NO_WORD])).build()
    )


def build_site_schema() -> tantivy.Schema:
    """Make the schema of the index of distinct sites, places and states."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_integer_field(SITE, indexed=True, fast=True)
    builder.add_text_field(GRAIN, tokenizer_name="raw", index_option="basic")
    builder.add_text_field(POINT, tokenizer_name="raw", index_option="basic")
    builder.add_text_field(UNUSUAL, tokenizer_name=_FOLDED, index_option="basic")
    for piece in site_pieces():
        _add_piece(builder, piece)
    return builder.build()
