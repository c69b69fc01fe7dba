"""Sites, contacts and officials: invented people and houses in real cities."""

from __future__ import annotations

from typing import Any

from trialyst.starter.draw import Draw, Weighted
from trialyst.starter.plan import Plan
from trialyst.starter.tables import City, Tables

__all__ = ["contacts_module", "person"]

_OPEN = frozenset({"RECRUITING", "NOT_YET_RECRUITING", "ENROLLING_BY_INVITATION", "SUSPENDED"})
_SITE_COUNTS = Weighted({0: 8.0, 1: 46.0, 2: 10.0, 4: 12.0, 8: 10.0, 15: 7.0, 30: 4.0, 60: 1.0})


def person(draw: Draw, content: Tables) -> str:
    """Name an invented investigator."""
    names = content.names
    return f"{draw.pick(names['first'])} {draw.pick(names['last'])}, {draw.pick(names['degree'])}"


def contacts_module(draw: Draw, plan: Plan, content: Tables) -> dict[str, Any] | None:
    """Render contacts, officials and sites; None where a study has none of them."""
    module: dict[str, Any] = {}
    if plan.status in _OPEN and draw.chance(0.8):
        module["centralContacts"] = [_contact(draw, content) for _ in range(draw.between(1, 2))]
    if draw.chance(0.7):
        module["overallOfficials"] = [
            {
                "name": person(draw, content),
                "affiliation": plan.sponsor.name,
                "role": draw.pick(("PRINCIPAL_INVESTIGATOR", "STUDY_DIRECTOR", "STUDY_CHAIR")),
            }
        ]
    locations = [_location(draw, plan, city, content) for city in _draw_cities(draw, plan, content)]
    if locations:
        module["locations"] = locations
    return module or None


def _draw_cities(draw: Draw, plan: Plan, content: Tables) -> list[City]:
    if plan.study_type == "EXPANDED_ACCESS" and draw.chance(0.6):
        return []
    wanted = draw.weighted(_SITE_COUNTS)
    if plan.case:
        home = [city for city in content.cities if city.name == plan.case.city][:1]
        return [*home, *draw.some(content.cities, wanted)]
    if wanted == 1 or draw.chance(0.5):
        country = draw.pick(content.cities).country
        return draw.some(content.cities_by_country[country], wanted)
    return draw.some(content.cities, wanted)


def _location(draw: Draw, plan: Plan, city: City, content: Tables) -> dict[str, Any]:
    place: dict[str, Any] = {"facility": _facility(draw, content)}
    if plan.status in _OPEN:
        place["status"] = _site_status(draw, plan.status)
    place["city"] = city.name
    if city.state:
        place["state"] = city.state
    if city.zip and draw.chance(0.85):
        place["zip"] = city.zip
    place["country"] = city.country
    if place.get("status") == "RECRUITING" and draw.chance(0.4):
        place["contacts"] = [_contact(draw, content)]
    if draw.chance(0.95):
        place["geoPoint"] = {"lat": city.lat, "lon": city.lon}
    return place


def _site_status(draw: Draw, status: str) -> str:
    if status == "RECRUITING":
        return draw.pick(("RECRUITING",) * 7 + ("NOT_YET_RECRUITING", "COMPLETED", "WITHDRAWN"))
    return status


def _facility(draw: Draw, content: Tables) -> str:
    pattern = draw.pick(content.names["facility"])
    place = draw.pick(content.names["place"])
    return pattern.replace("{place}", place).replace("{n}", f"{draw.between(1, 999):03d}")


def _contact(draw: Draw, content: Tables) -> dict[str, Any]:
    # 555-01xx numbers and example.org are set aside for fiction.
    contact: dict[str, Any] = {"name": person(draw, content), "role": "CONTACT"}
    if draw.chance(0.9):
        contact["phone"] = f"{draw.between(201, 989)}-555-01{draw.between(0, 99):02d}"
    if draw.chance(0.15):
        contact["phoneExt"] = str(draw.between(10, 999))
    if draw.chance(0.8):
        contact["email"] = f"study{draw.between(100, 999)}@example.org"
    return contact
