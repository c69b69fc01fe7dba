"""Observations of a record: measurements, markers, scores, stages and habits by their codes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from trialyst.eligibility.analytes import analyte_names, get_analyte
from trialyst.eligibility.chart import Assertion, HabitEntry, LabValue, MarkerEntry, PersonFact
from trialyst.eligibility.fhir.bundle import Code, codes_of, parts_of, text_of
from trialyst.eligibility.fhir.dates import date_of, point_in_time
from trialyst.eligibility.fhir.stages import stage_name
from trialyst.eligibility.fhir.values import (
    interpretation_of,
    quantity_of,
    state_of,
    value_words,
)
from trialyst.eligibility.fhir.writer import Stated
from trialyst.eligibility.fitting import is_impossible
from trialyst.eligibility.reading.headings import Section
from trialyst.eligibility.scales import scale_names
from trialyst.eligibility.tables import read_lines
from trialyst.eligibility.words import PhraseTable, split_words

if TYPE_CHECKING:
    from trialyst.eligibility.analytes import Analyte
    from trialyst.eligibility.fhir.bundle import Resource
    from trialyst.eligibility.fhir.writer import RecordWriter
    from trialyst.eligibility.scales import Scale

__all__ = ["write_observation"]

_MARKER = "marker:"
_NAMES = {
    "21908-9": "Stage group, clinical",
    "21902-2": "Stage group, pathological",
    "21914-7": "Stage group",
    "89247-1": "ECOG performance status",
    "89243-0": "Karnofsky performance status",
}
_STAGES = frozenset(("399504009", "399534004", "399387003"))
"""SNOMED codes of the T, N and M categories."""
_VARIANT = "69548-6"
_GENE = "48018-6"
_CHANGES_OF = ("48005-3", "48004-6", "81252-9", "47998-0")
"""Codes of a variant's change: in the protein, in the DNA, its identity, its name."""
_GENE_TEST = re.compile(r"\b([A-Z][A-Z0-9]{1,7}) gene\b")
_OTHER_FLUIDS = frozenset(
    "urine stool feces cerebral cerebrospinal spinal fluid sweat saliva semen sputum".split()
)
"""Where a value says nothing of the blood's."""
_VOID = frozenset(("entered-in-error", "cancelled"))
_SMOKING = (
    ("never", ("never", "non-smoker", "nonsmoker")),
    ("former", ("former", "ex-", "quit", "stopped")),
    ("current", ("current", "smoker", "smokes", "every day", "some day", "heavy", "light")),
)
_ALCOHOL = (
    ("never", ("never", "none", "no alcohol", "non-drinker", "lifetime non", "teetotal")),
    ("former", ("former", "ex-", "stopped")),
    ("abuse", ("abuse", "dependen", "heavy", "alcoholic")),
    ("current", ("current", "drink", "social", "occasional")),
)
_CHANGES = (("amplification", "amplified"), ("fusion", "rearranged"), ("rearrange", "rearranged"))


@cache
def _by_loinc() -> dict[str, str]:
    found = {}
    for line in read_lines("loinc.txt"):
        name, _, codes = line.partition(" | ")
        found.update(dict.fromkeys(codes.split("; "), name.strip()))
    return found


def write_observation(writer: RecordWriter, resource: Resource) -> None:
    """Write an observation and its components as one sentence."""
    day = date_of(resource)
    fields: dict[str, Any] = {"when": point_in_time(day, writer.as_of)}
    codes = codes_of(resource.get("code"))
    components = parts_of(resource, "component")
    if any(code.code == _VARIANT for code in codes):
        words, stated = _variant(writer, resource, fields)
    else:
        words, stated = _observed(writer, resource, fields)
        if components and not value_words(resource):
            # A panel such as blood pressure has no value but those of its parts.
            stated = []
        for component in components:
            more, entries = _observed(writer, component, fields)
            words, stated = f"{words}; {more}", [*stated, *entries]
    if str(resource.get("status")) in _VOID:
        # What is void says nothing of the patient, and a value would be taken for one.
        words, stated = f"{words} ({resource['status']})", []
    writer.add(f"Observation: {words}{f', {day}' if day else ''}.", stated, section=Section.RESULTS)


def _observed(
    writer: RecordWriter, part: Resource, fields: Mapping[str, Any]
) -> tuple[str, list[Stated]]:
    """Give the words and entries of an observation or one of its components."""
    codes = codes_of(part.get("code"))
    fallback = next((_NAMES[code.code] for code in codes if code.code in _NAMES), "")
    name = text_of(part.get("code"), fallback=fallback) or "unnamed observation"
    value = value_words(part)
    words = f"{name} {value}".strip()
    common = {**fields, "code": str(codes[0]) if codes else ""}
    key = _key(codes)
    if key in ("smoking", "alcohol"):
        stated = _habit(key, words, value, common)
    elif key == "stage":
        grade = {"analyte": "stage", "name": "Stage", "grade": stage_name(value)}
        stated = Stated(LabValue, words, {**common, **grade})
    elif key == "pregnancy":
        stated = _pregnancy(words, value, common)
    elif key.startswith(_MARKER):
        stated = _marker(key.removeprefix(_MARKER), words, part, common)
    elif (match := _GENE_TEST.search(name)) and (symbol := writer.terms.symbol(match.group(1))):
        stated = _marker(symbol, words, part, common)
    else:
        stated = _measured(writer, codes, name, words=words, part=part, common=common)
    return words, [stated]


def _key(codes: list[Code]) -> str:
    """Give what we know an observation by; of several codes the first that we know."""
    for code in codes:
        if code.code in _STAGES:
            return "stage"
        if code.code in _by_loinc():
            return _by_loinc()[code.code]
    return ""


def _analyte(codes: list[Code], name: str) -> Analyte | None:
    found = get_analyte(_key(codes))
    if found is not None:
        return found
    words = split_words(name)
    first = next(iter(analyte_names().find(words)), None)
    # "Platelets [#/volume] in Blood" begins with its analyte; "Platelet mean volume" is another.
    bracket = next((at for at, word in enumerate(words) if word.text == "["), -1)
    if any(word.text in _OTHER_FLUIDS for word in words):
        return None
    whole = first is not None and first.first == 0 and first.last in (len(words), bracket)
    return first.value.analyte if first is not None and whole else None


def _measured(
    writer: RecordWriter,
    codes: list[Code],
    name: str,
    *,
    words: str,
    part: Resource,
    common: Mapping[str, Any],
) -> Stated:
    analyte = _analyte(codes, name)
    value, quantity = value_words(part), quantity_of(part)
    graded = _graded(name, value) if analyte is None else None
    if graded is not None:
        return Stated(LabValue, words, {**common, **graded})
    status = _flag(part)
    if quantity is None:
        status = state_of(value) or status or value.lower()
    elif analyte is not None:
        if not quantity.unit:
            quantity = replace(quantity, unit=analyte.guess_unit(quantity.number) or analyte.unit)
        if is_impossible(analyte, quantity.unit, quantity.number):
            writer.warnings.append(f"{analyte.name} {quantity} cannot be: the value was left out.")
            quantity, status = None, "not possible"
    own = str(codes[0]) if codes else f"term:{name.lower()}"
    named = (own, name) if analyte is None else (analyte.id, analyte.name)
    fields = {"analyte": named[0], "name": named[1], "value": quantity, "status": status}
    return Stated(LabValue, words, {**common, **fields})


def _graded(name: str, value: str) -> dict[str, Any] | None:
    """Read a class such as NYHA III: the scale by its name, the class as the value's last word."""
    words = split_words(name)
    for phrase in _scales().find(words):
        scale = phrase.value
        place = scale.spellings.get(value.rpartition(" ")[2].lower())
        if place is not None:
            return {"analyte": scale.id, "name": scale.name, "grade": scale.classes[place]}
    return None


@cache
def _scales() -> PhraseTable[Scale]:
    return PhraseTable((name, named.scale) for name, named in scale_names())


def _habit(key: str, words: str, value: str, common: Mapping[str, Any]) -> Stated:
    plain = value.lower()
    cues = _SMOKING if key == "smoking" else _ALCOHOL
    state = next((name for name, told in cues if any(cue in plain for cue in told)), "")
    asserted: dict[str, Any] = {}
    if state == "never":
        asserted = {"assertion": Assertion.ABSENT, "negated": True}
    elif state == "former":
        asserted = {"assertion": Assertion.HISTORICAL}
    return Stated(HabitEntry, words, {**asserted, **common, "what": key, "state": state})


def _pregnancy(words: str, value: str, common: Mapping[str, Any]) -> Stated:
    plain = value.lower()
    absent = "not" in plain.split() or state_of(plain) == "negative"
    asserted = {"assertion": Assertion.ABSENT, "negated": True} if absent else {}
    if not absent and "pregnan" not in plain and state_of(plain) != "positive":
        asserted = {"assertion": Assertion.HYPOTHETICAL}
    return Stated(PersonFact, words, {**asserted, **common, "role": "pregnancy"})


def _marker(key: str, words: str, part: Resource, common: Mapping[str, Any]) -> Stated:
    # The codes of a marker's result tell more than its number, where both are given.
    told = text_of(part["valueCodeableConcept"]) if "valueCodeableConcept" in part else ""
    state = _marker_state(key, told) or _flag(part)
    return _marker_entry(key, words, state, {**common, "value": quantity_of(part)})


def _flag(part: Resource) -> str:
    flags = [code.code for each in parts_of(part, "interpretation") for code in codes_of(each)]
    return interpretation_of(flags)


def _marker_state(key: str, told: str) -> str:
    plain = told.lower()
    if key == "MSI":
        # Stable is no instability; low counts as stable, as laboratories have it.
        for cue, state in (("stable", "negative"), ("mss", "negative"), ("low", "negative")):
            if cue in plain and "unstable" not in plain:
                return state
        return "positive" if "instab" in plain or "unstable" in plain else state_of(told)
    return state_of(told)


def _marker_entry(key: str, words: str, state: str, fields: Mapping[str, Any]) -> Stated:
    negative = state in ("negative", "wild type")
    asserted = {"assertion": Assertion.ABSENT, "negated": True} if negative else {}
    return Stated(MarkerEntry, words, {**asserted, **fields, "name": key, "state": state})


def _variant(
    writer: RecordWriter, resource: Resource, fields: Mapping[str, Any]
) -> tuple[str, list[Stated]]:
    """Read a genetic variant: the gene and its change are in components."""
    symbol, changes = "", {}
    for component in parts_of(resource, "component"):
        for code in codes_of(component.get("code")):
            if code.code == _GENE:
                symbol = _symbol(writer, component.get("valueCodeableConcept"))
            elif code.code in _CHANGES_OF:
                changes[code.code] = value_words(component)
    variant = next((changes[code] for code in _CHANGES_OF if changes.get(code)), "")
    change = text_of(next(iter(parts_of(resource, "interpretation")), None))
    told = text_of(resource.get("valueCodeableConcept"))
    state = "negative" if state_of(told) == "negative" else _change(f"{change} {variant}")
    words = " ".join(
        filter(None, ("Genetic variant", symbol or "of an unnamed gene", variant, change, told))
    )
    codes = codes_of(resource.get("code"))
    common = {**fields, "code": str(codes[0]), "variant": variant}
    return words, [_marker_entry(symbol or "Genetic variant", words, state, common)]


def _change(text: str) -> str:
    plain = text.lower()
    return next((state for cue, state in _CHANGES if cue in plain), "mutated")


def _symbol(writer: RecordWriter, concept: object) -> str:
    for code in codes_of(concept):
        if symbol := writer.terms.gene(f"HGNC:{code.code.removeprefix('HGNC:')}"):
            return symbol
    return text_of(concept)
