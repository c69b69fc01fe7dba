"""The `aggFilters` parameter: facets of option keys, as Essie trees.

Facets are ANDed, the keys of a facet ORed. As on the live service, a key that is not known finds
nothing and a facet that is not known is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from trialyst.ctgov.errors import BadParameter
from trialyst.essie import build
from trialyst.essie.ast import Node

__all__ = ["NOTHING", "parse_facets"]

NOTHING = build.negate(build.everything())
"""Matches no study."""

_PARAMETER = "aggFilters"

_FLAG = {"y": "true"}
_SIMPLE: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "status": (
        "OverallStatus",
        {
            "not": "NOT_YET_RECRUITING",
            "rec": "RECRUITING",
            "enr": "ENROLLING_BY_INVITATION",
            "act": "ACTIVE_NOT_RECRUITING",
            "com": "COMPLETED",
            "ter": "TERMINATED",
            "sus": "SUSPENDED",
            "wit": "WITHDRAWN",
            "unk": "UNKNOWN",
            "ava": "AVAILABLE",
            "nla": "NO_LONGER_AVAILABLE",
            "tna": "TEMPORARILY_NOT_AVAILABLE",
            "afm": "APPROVED_FOR_MARKETING",
        },
    ),
    "phase": (
        "Phase",
        {
            "NA": "NA",
            "0": "EARLY_PHASE1",
            "1": "PHASE1",
            "2": "PHASE2",
            "3": "PHASE3",
            "4": "PHASE4",
        },
    ),
    "ages": ("StdAge", {"child": "CHILD", "adult": "ADULT", "older": "OLDER_ADULT"}),
    "sex": ("Sex", {"f": "FEMALE", "m": "MALE"}),
    "results": ("HasResults", {"with": "true", "without": "false"}),
    "healthy": ("HealthyVolunteers", _FLAG),
    "violation": ("FDAAA801Violation", _FLAG),
}

_true = partial(build.matching, value="true")
_MIXED: Mapping[str, Mapping[str, Node]] = {
    "studyType": {
        "int": build.matching("StudyType", "INTERVENTIONAL"),
        "obs": build.matching("StudyType", "OBSERVATIONAL"),
        "obs_patreg": _true("PatientRegistry"),
        "exp": build.matching("StudyType", "EXPANDED_ACCESS"),
        "exp_indiv": _true("ExpAccTypeIndividual"),
        "exp_inter": _true("ExpAccTypeIntermediate"),
        "exp_treat": _true("ExpAccTypeTreatment"),
    },
    "docs": {
        "prot": _true("LargeDocHasProtocol"),
        "sap": _true("LargeDocHasSAP"),
        "icf": _true("LargeDocHasICF"),
    },
    # The area holds the classes of the lead sponsor and of the collaborators.
    "funderType": {
        "nih": build.matching("FunderTypeSearch", "NIH"),
        "fed": build.matching("FunderTypeSearch", "FED"),
        "industry": build.matching("FunderTypeSearch", "INDUSTRY"),
        "other": build.one_of(
            "FunderTypeSearch", "OTHER", "OTHER_GOV", "INDIV", "NETWORK", "AMBIG", "UNKNOWN"
        ),
    },
}

_HINT = f"Write facets as facet:key, of {', '.join(sorted({*_SIMPLE, *_MIXED}))}."


def parse_facets(text: str) -> tuple[Node, ...]:
    """Read a list of facets into one expression a facet; a repeated facet adds its keys.

    >>> from trialyst.essie import render
    >>> [render(node) for node in parse_facets("phase:2 3,sex:f")]
    ['AREA[Phase]("PHASE2" OR "PHASE3")', 'AREA[Sex]"FEMALE"']

    Raises:
        BadParameter: a facet is not known, or has no colon.
    """
    chosen: dict[str, list[str]] = {}
    for item in re.split(r"[,|]", text):
        if not item.strip():
            continue
        facet, colon, keys = item.strip().partition(":")
        if not colon or (facet not in _SIMPLE and facet not in _MIXED):
            raise BadParameter.of_value(_PARAMETER, item.strip(), hint=_HINT)
        chosen.setdefault(facet, []).extend(keys.split())
    return tuple(_build_facet(facet, keys) for facet, keys in chosen.items() if keys)


def _build_facet(facet: str, keys: list[str]) -> Node:
    distinct = dict.fromkeys(keys)
    if facet in _SIMPLE:
        piece, values = _SIMPLE[facet]
        known = [values[key] for key in distinct if key in values]
        return build.one_of(piece, *known) if known else NOTHING
    options = [_MIXED[facet][key] for key in distinct if key in _MIXED[facet]]
    return build.any_of(*options) if options else NOTHING
