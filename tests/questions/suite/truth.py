"""What is true of a raw study, told naively: no folding, vocabulary, index or parser of ours.

Every function gives a test of one study in the registry's own JSON. Words are compared in small
letters, without accents and punctuation, a plural counting as its singular.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

__all__ = [
    "Study",
    "Test",
    "admits",
    "all_of",
    "any_of",
    "condition",
    "country",
    "criteria",
    "criteria_words",
    "date",
    "drug",
    "flag",
    "in_title",
    "none_of",
    "phase",
    "place",
    "site_near",
    "sponsor",
    "status",
    "study_type",
    "words",
]

Study = dict[str, Any]
Test = Callable[[Study], bool]

EARTH_KM = 6371.0088


def _module(study: Study, name: str) -> dict[str, Any]:
    found: dict[str, Any] = study.get("protocolSection", {}).get(name, {})
    return found


def _browse(study: Study, kind: str, key: str) -> list[str]:
    terms = study.get("derivedSection", {}).get(f"{kind}BrowseModule", {}).get(key, [])
    return [each.get("term", "") for each in terms]


@lru_cache(200_000)
def spelt(text: str) -> str:
    """Give a text as words in small letters between single spaces, and around them."""
    plain = unicodedata.normalize("NFKD", text.lower())
    letters = "".join(each for each in plain if not unicodedata.combining(each))
    found = re.findall(r"[^\W_]+", letters.replace("'s", "").replace("’s", ""))
    singular = (word[:-1] if len(word) > 3 and word.endswith("s") else word for word in found)
    return f" {' '.join(singular)} "


def _holds(texts: Iterable[str | None], names: Iterable[str]) -> bool:
    sought = [spelt(name) for name in names]
    return any(name in spelt(text) for text in texts if text for name in sought)


def _titles(study: Study) -> list[str]:
    named = _module(study, "identificationModule")
    return [named.get("briefTitle", ""), named.get("officialTitle", "")]


def condition(*names: str, wider: tuple[str, ...] = ()) -> Test:
    """The study names a condition: by one of these names, or a heading above its own."""

    def holds(study: Study) -> bool:
        listed = _module(study, "conditionsModule")
        texts = [
            *listed.get("conditions", ()),
            *listed.get("keywords", ()),
            *_titles(study),
            *_browse(study, "condition", "meshes"),
        ]
        above = [spelt(term) for term in _browse(study, "condition", "ancestors")]
        return _holds(texts, names) or any(spelt(name) in above for name in (*names, *wider))

    return holds


def drug(*names: str) -> Test:
    """The study names a drug where interventions, arms and titles are."""

    def holds(study: Study) -> bool:
        arms = _module(study, "armsInterventionsModule")
        texts = [*_titles(study), *_browse(study, "intervention", "meshes")]
        texts += _module(study, "conditionsModule").get("keywords", [])
        for each in arms.get("interventions", ()):
            texts += [each.get("name"), each.get("description"), *each.get("otherNames", ())]
        for each in arms.get("armGroups", ()):
            texts += [each.get("label"), each.get("description")]
        above = [spelt(term) for term in _browse(study, "intervention", "ancestors")]
        return _holds(texts, names) or any(spelt(name) in above for name in names)

    return holds


def words(*each: str) -> Test:
    """Every word stands somewhere in the study's titles, summaries, conditions or arms."""

    def holds(study: Study) -> bool:
        texts = spelt(repr([study.get("protocolSection"), study.get("derivedSection")]))
        return all(spelt(word) in texts for word in each)

    return holds


def in_title(*names: str) -> Test:
    """A title or the acronym holds one of the names."""

    def holds(study: Study) -> bool:
        acronym = _module(study, "identificationModule").get("acronym", "")
        return _holds([*_titles(study), acronym], names)

    return holds


def criteria(*names: str) -> Test:
    """The eligibility text holds one of the names."""
    return lambda study: _holds(
        [_module(study, "eligibilityModule").get("eligibilityCriteria")], names
    )


def criteria_words(*each: str) -> Test:
    """The eligibility text holds every word, wherever it stands."""

    def holds(study: Study) -> bool:
        text = spelt(_module(study, "eligibilityModule").get("eligibilityCriteria", ""))
        return all(spelt(word) in text for word in each)

    return holds


def status(*codes: str) -> Test:
    """The overall status is one of these."""
    return lambda study: _module(study, "statusModule").get("overallStatus") in codes


def phase(*codes: str) -> Test:
    """One of the phases is among these."""
    return lambda study: bool(set(codes) & set(_module(study, "designModule").get("phases", ())))


def study_type(*codes: str) -> Test:
    """The type is one of these."""
    return lambda study: _module(study, "designModule").get("studyType") in codes


def sponsor(*names: str) -> Test:
    """The lead sponsor or a collaborator has one of these names."""

    def holds(study: Study) -> bool:
        module = _module(study, "sponsorCollaboratorsModule")
        listed = [module.get("leadSponsor", {}), *module.get("collaborators", ())]
        named = _module(study, "identificationModule").get("organization", {})
        party = module.get("responsibleParty", {})
        others = [party.get("investigatorAffiliation"), party.get("oldOrganization")]
        return _holds(
            [*(each.get("name") for each in listed), named.get("fullName"), *others], names
        )

    return holds


def _sites(study: Study) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = _module(study, "contactsLocationsModule").get("locations", [])
    return found


def country(*names: str) -> Test:
    """A site is in one of the countries, as records have called them."""
    wanted = {name.lower() for name in names}
    return lambda study: any(each.get("country", "").lower() in wanted for each in _sites(study))


def place(city: str, *, state: str | None = None, country: str | None = None) -> Test:
    """One site is in the city or a district of it, and in the state or country where told."""

    def holds(study: Study) -> bool:
        return any(
            spelt(each.get("city", "")).startswith(spelt(city))
            and (state is None or spelt(each.get("state", "")) == spelt(state))
            and (country is None or each.get("country") == country)
            for each in _sites(study)
        )

    return holds


def site_near(
    latitude: float, longitude: float, km: float, *, statuses: tuple[str, ...] = ()
) -> Test:
    """A site with a recorded point lies in the circle, in one of the statuses or none stated."""

    def holds(study: Study) -> bool:
        return any(
            _distance(each["geoPoint"], latitude, longitude) <= km
            and (not statuses or each.get("status", statuses[0]) in statuses)
            for each in _sites(study)
            if isinstance(each.get("geoPoint"), dict) and "lat" in each["geoPoint"]
        )

    return holds


def _distance(point: dict[str, float], latitude: float, longitude: float) -> float:
    a, b = math.radians(point["lat"]), math.radians(latitude)
    across = math.radians(point["lon"] - longitude)
    chord = math.sin((a - b) / 2) ** 2 + math.cos(a) * math.cos(b) * math.sin(across / 2) ** 2
    return 2 * EARTH_KM * math.asin(math.sqrt(chord))


_DATES = {
    "start": "startDateStruct",
    "posted": "studyFirstPostDateStruct",
    "updated": "lastUpdatePostDateStruct",
}


def date(event: str, *, since: str = "", until: str = "9999") -> Test:
    """The event lies between two days; months and years as long as they are written."""

    def holds(study: Study) -> bool:
        stated = _module(study, "statusModule").get(_DATES[event], {}).get("date", "")
        first, last = f"{stated}-01-01"[:10], f"{stated}-12-31"[:10]
        if len(stated) == 7:
            first, last = f"{stated}-01", f"{stated}-31"
        return bool(stated) and last >= since and first <= until

    return holds


def flag(name: str, *, wanted: bool) -> Test:
    """`results` are posted, or `healthy` volunteers taken, or not."""

    def holds(study: Study) -> bool:
        if name == "results":
            return bool(study.get("hasResults")) is wanted
        return _module(study, "eligibilityModule").get("healthyVolunteers") is wanted

    return holds


_DAYS = {"year": 365.25, "month": 30.4375, "week": 7.0, "day": 1.0, "hour": 1 / 24, "minute": 0.0}


def admits(*, years: float | None = None, sex: str | None = None) -> Test:
    """Somebody of this age and sex is not ruled out by the bounds that are stated."""

    def holds(study: Study) -> bool:
        module = _module(study, "eligibilityModule")
        if sex and module.get("sex") not in (sex, "ALL"):
            return False
        if years is None:
            return True
        low, high = module.get("minimumAge"), module.get("maximumAge")
        old_enough = low is None or _days(low) < (years + 1) * 365.25
        return old_enough and (high is None or _days(high) >= years * 365.25)

    return holds


def _days(age: str) -> float:
    number, unit = age.split()
    return float(number) * _DAYS[unit.lower().rstrip("s")]


def all_of(*tests: Test) -> Test:
    """All of the tests hold."""
    return lambda study: all(test(study) for test in tests)


def any_of(*tests: Test) -> Test:
    """One of the tests holds."""
    return lambda study: any(test(study) for test in tests)


def none_of(*tests: Test) -> Test:
    """None of the tests holds."""
    return lambda study: not any(test(study) for test in tests)
