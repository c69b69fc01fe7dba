"""Observations of a record: measurements, markers, scores, stages and habits by their codes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from trialyst.eligibility.analytes import analyte_names, get_analyte
from trialyst.eligibility.quantity import Quantity
from trialyst.eligibility.reading.headings import Section
from trialyst.eligibility.tables import read_lines
from trialyst.eligibility.units import to_unit
from trialyst.eligibility.words import split_words
from trialyst.matching.fhir.bundle import Code, codes_of, date_of, parts_of, text_of
from trialyst.matching.fhir.writer import Stated
from trialyst.matching.patient import Assertion, ConceptRef, FactKind
from trialyst.matching.reading.biomarkers import MARKER

if TYPE_CHECKING:
    from trialyst.eligibility.analytes import Analyte
    from trialyst.matching.fhir.bundle import Resource
    from trialyst.matching.fhir.writer import RecordWriter

__all__ = ["stage_name", "write_observation"]

_SMOKING = frozenset(("72166-2", "11367-0", "63638-1"))
_STAGES = frozenset(("21908-9", "21902-2", "21914-7", "399504009", "399534004", "399387003"))
_NAMES = {
    "21908-9": "Stage group, clinical",
    "21902-2": "Stage group, pathological",
    "21914-7": "Stage group",
    "89247-1": "ECOG performance status",
    "89243-0": "Karnofsky performance status",
}
_STAGE = re.compile(r"\b(?:stage\s*|AJCC:)?([0-4]|IV|I{1,3})([A-D][1-3]?)?$", re.IGNORECASE)
_CATEGORY = re.compile(r"\b[cpy]{0,2}[TNM](?:[0-4][a-d]?|is|x)\b")
_PERFORMANCE = {"89247-1": "ECOG", "42800-3": "ECOG", "89243-0": "KPS", "89245-5": "Lansky"}
_SCALES = {"ECOG": (0, 5), "KPS": (0, 100), "Lansky": (0, 100)}
_VARIANT = "69548-6"
_GENE = "48018-6"
_PREGNANCY = "82810-3"
_VOID = frozenset(("entered-in-error", "cancelled"))
_UCUM = {
    "mm[hg]": "mmHg",
    "cel": "C",
    "[degf]": "F",
    "[lb_av]": "lb",
    "[in_i]": "in",
    "ml/min/{1.73_m2}": "mL/min/1.73m2",
    "{score}": "score",
    "(score)": "score",
    "score": "score",
    "{inr}": "",
    "{ratio}": "",
    "mm/h": "mm/h",
    "[iu]/l": "U/L",
    "[iu]/ml": "U/mL",
    "m[iu]/l": "mU/L",
    "u[iu]/ml": "mU/L",
}
_STATUS = (
    ("never", ("never",)),
    ("former", ("former", "ex-", "quit", "stopped")),
    ("current", ("current", "smoker", "smokes", "every day", "some day", "heavy", "light")),
)
_RESULTS = (
    ("negative", ("negative", "absent", "not detected", "wild type", "non-reactive", "stable")),
    ("positive", ("positive", "present", "detected", "reactive", "high", "amplified", "unstable")),
    ("low", ("low",)),
)
_CHANGES = (("amplification", "amplified"), ("fusion", "rearranged"), ("rearrange", "rearranged"))


@cache
def _by_loinc() -> dict[str, str]:
    found = {}
    for line in read_lines("loinc.txt", package="trialyst.matching"):
        name, _, codes = line.rpartition(":")
        found.update(dict.fromkeys(codes.split(), name.strip()))
    return found


def write_observation(writer: RecordWriter, resource: Resource) -> None:
    """Write an observation and its components as one sentence."""
    day = date_of(resource)
    fields = {"when": day} | _validity(resource)
    codes = codes_of(resource.get("code"))
    if any(code.code == _VARIANT for code in codes):
        words, stated = _variant(writer, resource, fields)
    else:
        words, stated = _observed(resource, fields)
        for component in parts_of(resource, "component"):
            more, facts = _observed(component, fields)
            words, stated = f"{words}; {more}", [*stated, *facts]
    writer.add(f"Observation: {words}{f', {day}' if day else ''}.", stated, section=Section.RESULTS)


def _validity(resource: Resource) -> dict[str, Any]:
    # A record that is void says nothing of the patient.
    return {"assertion": Assertion.HYPOTHETICAL} if str(resource.get("status")) in _VOID else {}


def _observed(part: Resource, fields: Mapping[str, Any]) -> tuple[str, list[Stated]]:
    """Give the words and facts of an observation or one of its components."""
    codes = codes_of(part.get("code"))
    known = next((code.code for code in codes), "")
    name = text_of(part.get("code"), fallback=_NAMES.get(known, "")) or "unnamed observation"
    value = _value_text(part)
    words = f"{name} {value}".strip()
    kind = _kind(known, codes)
    common = {**fields, "code": str(codes[0]) if codes else ""}
    if kind is FactKind.PERFORMANCE:
        return words, [_performance(known, words, part, common)]
    if kind is FactKind.SMOKING:
        return words, [_smoking(words, value, common)]
    if kind is FactKind.STAGE:
        return words, [Stated(kind, words, detail=stage_name(value), **common)]
    if kind is FactKind.PREGNANCY:
        absent = "not" in value.lower() or "negative" in value.lower()
        told = {"assertion": Assertion.ABSENT, "negated": True} if absent else {}
        return words, [Stated(kind, words, **{**common, **told})]
    if kind is FactKind.BIOMARKER:
        return words, [_marker(known, words, part, common)]
    return words, [_measured(codes, name, words, part, common)]


def _kind(known: str, codes: list[Code]) -> FactKind:
    if known in _PERFORMANCE:
        return FactKind.PERFORMANCE
    if known in _SMOKING:
        return FactKind.SMOKING
    if known in _STAGES:
        return FactKind.STAGE
    if known == _PREGNANCY:
        return FactKind.PREGNANCY
    if _by_loinc().get(known, "").startswith(MARKER):
        return FactKind.BIOMARKER
    return FactKind.MEASUREMENT


_LARGEST = 1e15
"""No measurement is so large; comparing with it is false of what is no number."""


def _quantity(part: Resource) -> Quantity | None:
    given = part.get("valueQuantity")
    number = _number(given.get("value")) if isinstance(given, Mapping) else None
    if isinstance(given, Mapping) and number is not None:
        unit = str(given.get("unit") or given.get("code") or "")
        comparator = str(given.get("comparator") or "=")
        return Quantity(number, _unit(unit, str(given.get("code") or "")), comparator)
    number = _number(part.get("valueInteger", part.get("valueDecimal")))
    return None if number is None else Quantity(number)


def _number(given: object) -> float | None:
    """Read a number that something can be; true, infinity and the like are none."""
    if not isinstance(given, int | float) or isinstance(given, bool):
        return None
    return float(given) if abs(given) < _LARGEST else None


def _unit(unit: str, code: str) -> str:
    for written in (unit, code):
        if written.lower() in _UCUM:
            return _UCUM[written.lower()]
        if known := to_unit(written):
            return known
    return unit


def _value_text(part: Resource) -> str:
    """Give an observation's value in words."""
    quantity = _quantity(part)
    if quantity is not None:
        shown = Quantity(round(quantity.number, 4), quantity.unit, quantity.comparator)
        return str(shown)
    if "valueCodeableConcept" in part:
        return text_of(part["valueCodeableConcept"])
    for name in ("valueString", "valueBoolean", "valueDateTime", "valueTime"):
        if name in part:
            return " ".join(str(part[name]).split())
    if isinstance(part.get("valueRatio"), Mapping):
        return "/".join(
            _side(part["valueRatio"].get(side)) for side in ("numerator", "denominator")
        )
    if isinstance(part.get("valueRange"), Mapping):
        return "-".join(_side(part["valueRange"].get(side)) for side in ("low", "high"))
    return f"not known ({text_of(part['dataAbsentReason'])})" if "dataAbsentReason" in part else ""


def _side(given: object) -> str:
    if not isinstance(given, Mapping):
        return "?"
    number = f"{given.get('comparator') or ''}{given.get('value', '?')}"
    return f"{number} {given.get('unit') or ''}".strip()


def _analyte(codes: list[Code], name: str) -> Analyte | None:
    for code in codes:
        found = get_analyte(_by_loinc().get(code.code, ""))
        if found is not None:
            return found
    words = split_words(name)
    first = next(iter(analyte_names().find(words)), None)
    # "Platelets [#/volume] in Blood" begins with its analyte; "Platelet mean volume" is another.
    whole = first is not None and first.first == 0 and first.last in (len(words), _bracket(words))
    return first.value.analyte if first is not None and whole else None


def _bracket(words: list[Any]) -> int:
    return next((at for at, word in enumerate(words) if word.text == "["), -1)


def _measured(
    codes: list[Code], name: str, words: str, part: Resource, common: Mapping[str, Any]
) -> Stated:
    analyte = _analyte(codes, name)
    own = ConceptRef(str(codes[0]) if codes else f"term:{name.lower()}", name)
    quantity = _quantity(part)
    return Stated(
        FactKind.MEASUREMENT,
        words,
        concept=own if analyte is None else analyte.concept,
        value=quantity,
        status="" if quantity is not None else _value_text(part).lower(),
        **common,
    )


def _performance(known: str, words: str, part: Resource, common: Mapping[str, Any]) -> Stated:
    scale = _PERFORMANCE[known]
    quantity = _quantity(part)
    low, high = _SCALES[scale]
    sound = quantity is not None and low <= quantity.number <= high
    return Stated(
        FactKind.PERFORMANCE,
        words,
        concept=ConceptRef(f"score:{scale.lower()}", f"{scale} performance status"),
        value=Quantity(quantity.number, scale) if quantity is not None and sound else None,
        status="" if sound else "not a score",
        **common,
    )


def _smoking(words: str, value: str, common: Mapping[str, Any]) -> Stated:
    plain = value.lower()
    status = next((name for name, cues in _STATUS if any(cue in plain for cue in cues)), "")
    asserted: dict[str, Any] = {}
    if status == "never":
        asserted = {"assertion": Assertion.ABSENT, "negated": True}
    elif status == "former":
        asserted = {"assertion": Assertion.HISTORICAL}
    return Stated(FactKind.SMOKING, words, status=status, **{**common, **asserted})


def stage_name(value: str) -> str:
    """Give a stage in one spelling.

    >>> stage_name("3A"), stage_name("AJCC:4"), stage_name("AJCC cT3")
    ('IIIA', 'IV', 'cT3')
    """
    category = _CATEGORY.search(value)
    if category is not None:
        return category.group()
    match = _STAGE.search(value)
    if match is None:
        return value
    numeral = match.group(1).upper()
    roman = ("0", "I", "II", "III", "IV")[int(numeral)] if numeral.isdigit() else numeral
    return roman + (match.group(2) or "").upper()


def _marker(known: str, words: str, part: Resource, common: Mapping[str, Any]) -> Stated:
    key = _by_loinc()[known].removeprefix(MARKER)
    # The codes of a marker's result tell more than its number, where both are given.
    told = text_of(part["valueCodeableConcept"]) if "valueCodeableConcept" in part else ""
    return _marker_fact(
        ConceptRef(f"{MARKER}{key}", key), words, _result(told), common, value=_quantity(part)
    )


def _result(text: str) -> str:
    plain = text.lower()
    return next((name for name, cues in _RESULTS if any(cue in plain for cue in cues)), "")


def _marker_fact(
    concept: ConceptRef,
    words: str,
    status: str,
    common: Mapping[str, Any],
    *,
    value: Quantity | None = None,
) -> Stated:
    negative = status == "negative"
    asserted = {"assertion": Assertion.ABSENT, "negated": True} if negative else {}
    return Stated(
        FactKind.BIOMARKER,
        words,
        concept=concept,
        status=status,
        value=value,
        **{**common, **asserted},
    )


def _variant(
    writer: RecordWriter, resource: Resource, fields: Mapping[str, Any]
) -> tuple[str, list[Stated]]:
    """Read a genetic variant: the gene is in a component, its change in the interpretation."""
    symbol = ""
    for component in parts_of(resource, "component"):
        if any(code.code == _GENE for code in codes_of(component.get("code"))):
            symbol = _symbol(writer, component.get("valueCodeableConcept"))
    change = text_of(next(iter(parts_of(resource, "interpretation")), None))
    told = text_of(resource.get("valueCodeableConcept"))
    status = "negative" if _result(told) == "negative" else _change(change)
    words = " ".join(
        filter(None, ("Genetic variant", symbol or "of an unnamed gene", change, told))
    )
    concept = ConceptRef(f"{MARKER}{symbol}", symbol) if symbol else None
    codes = codes_of(resource.get("code"))
    common = {**fields, "code": str(codes[0])}
    named = concept or ConceptRef(common["code"], "Genetic variant")
    return words, [_marker_fact(named, words, status, common)]


def _change(text: str) -> str:
    plain = text.lower()
    return next((status for cue, status in _CHANGES if cue in plain), "mutated")


def _symbol(writer: RecordWriter, concept: object) -> str:
    codes = codes_of(concept)
    if not codes:
        return ""
    gene = writer.vocabulary.get(f"HGNC:{codes[0].code.removeprefix('HGNC:')}")
    return text_of(concept) if gene is None else gene.preferred
