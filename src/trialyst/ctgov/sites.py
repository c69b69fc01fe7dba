"""Who runs a trial and where: sponsors, officials, contacts, sites."""

from __future__ import annotations

from pydantic import Field

from trialyst.ctgov.model import Known, Part
from trialyst.ctgov.vocab import (
    AgencyClass,
    ContactRole,
    OfficialRole,
    RecruitmentStatus,
    ResponsiblePartyType,
)

__all__ = ["Contact", "GeoPoint", "Official", "ResponsibleParty", "Site", "Sponsor"]


class Sponsor(Part):
    """An organization behind a trial."""

    name: str
    agency_class: Known[AgencyClass] | None = Field(default=None, validation_alias="class")
    """What kind of organization it is."""


class ResponsibleParty(Part):
    """Who answers for the record."""

    type: Known[ResponsiblePartyType] | None = None
    investigator_full_name: str | None = None
    investigator_title: str | None = None
    investigator_affiliation: str | None = None
    old_name_title: str | None = None
    """Name and title as records before 2011 gave them."""
    old_organization: str | None = None


class Contact(Part):
    """Someone to ask."""

    name: str | None = None
    role: Known[ContactRole] | None = None
    phone: str | None = None
    phone_ext: str | None = None
    email: str | None = None


class Official(Part):
    """Someone responsible for the science of a trial."""

    name: str
    affiliation: str | None = None
    role: Known[OfficialRole] | None = None


class GeoPoint(Part):
    """A point on the globe, in degrees."""

    latitude: float = Field(validation_alias="lat", ge=-90, le=90)
    longitude: float = Field(validation_alias="lon", ge=-180, le=180)


class Site(Part):
    """One place where a trial runs."""

    facility: str | None = None
    status: Known[RecruitmentStatus] | None = None
    """Where the trial stands at this site; the registry fills it only while recruiting."""
    city: str | None = None
    state: str | None = None
    zip: str | None = None
    country: str | None = None
    """The registry's own spelling, not an ISO name."""
    geo_point: GeoPoint | None = None
    contacts: tuple[Contact, ...] = ()
