"""A FHIR bundle as resources: what it holds of one patient, its codes and its dates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from trialyst.eligibility.fhir.dates import date_of
from trialyst.errors import InvalidInput

__all__ = [
    "Bundle",
    "Code",
    "codes_of",
    "looks_like_fhir",
    "one_line",
    "parse_bundle",
    "parts_of",
    "plain_words",
    "tag_of",
    "text_of",
]

Resource = Mapping[str, Any]

_SYSTEMS = {
    "http://snomed.info/sct": "SNOMED",
    "http://loinc.org": "LOINC",
    "http://www.nlm.nih.gov/research/umls/rxnorm": "RXNORM",
    "http://hl7.org/fhir/sid/icd-10-cm": "ICD10CM",
    "http://hl7.org/fhir/sid/icd-10": "ICD10",
    "http://hl7.org/fhir/sid/icd-9-cm": "ICD9CM",
    "http://hl7.org/fhir/sid/cvx": "CVX",
    "http://hl7.org/fhir/sid/ndc": "NDC",
    "http://www.ama-assn.org/go/cpt": "CPT",
    "http://cancerstaging.org": "AJCC",
    "http://www.genenames.org/geneId": "HGNC",
    "http://www.genenames.org": "HGNC",
}
_QUALIFIER = re.compile(
    r"\s*\((?:disorder|finding|procedure|qualifier value|situation|substance|product|event"
    r"|regime/therapy"
    r"|observable entity|morphologic abnormality|body structure|person|physical object)\)\s*$",
    re.IGNORECASE,
)
_ADDRESS = "fullUrl"
"""Of an entry, kept with its resource: others refer to it by this or by its id."""
_OF_PATIENT = ("subject", "patient", "individual")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_LONGEST = 500
"""Characters; no name or value of a record is longer, and a longer one is cut."""
_START = re.compile(r"\s*[{\[]")
_XML = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<[A-Za-z]+[^>]*http://hl7\.org/fhir")


class Code(NamedTuple):
    """A code with its system in short, and the words that go with it."""

    system: str
    code: str
    display: str

    def __str__(self) -> str:
        return (
            self.code if self.code.startswith(f"{self.system}:") else f"{self.system}:{self.code}"
        )


@dataclass(frozen=True)
class Bundle:
    """The resources of one patient's record."""

    resources: tuple[Resource, ...]
    problems: tuple[str, ...] = ()
    """What of the record could not be read."""

    def of(self, *kinds: str) -> list[Resource]:
        """Give the resources of some types, the oldest first."""
        found = [each for each in self.resources if each.get("resourceType") in kinds]
        return sorted(found, key=date_of)

    def besides(self, kinds: Collection[str]) -> str:
        """List how many resources are of other types than these, empty if none."""
        return _listed(each for each in self.resources if each.get("resourceType") not in kinds)

    def referred(self, reference: object, within: Resource) -> Resource | None:
        """Give the resource a reference points to, contained or in the bundle."""
        target = reference.get("reference") if isinstance(reference, Mapping) else None
        local = _local(str(target or ""))
        if not local:
            return None
        held = (each for each in parts_of(within, "contained") if each.get("id") == local)
        return next(held, self._by_name.get(local))

    @cached_property
    def _by_name(self) -> dict[str, Resource]:
        return {
            _local(str(each[name])): each
            for name in (_ADDRESS, "id")
            for each in self.resources
            if each.get(name)
        }


def looks_like_fhir(text: str) -> bool:
    """Say whether a text is a FHIR record rather than a note.

    Raises:
        InvalidInput: it is FHIR as XML, which would read as a strange note.
    """
    if _XML.match(text):
        raise InvalidInput(
            "FHIR in XML is not read", hint="Export the record as FHIR R4 in JSON, and give that."
        )
    return _START.match(text) is not None and '"resourceType"' in text


def parse_bundle(text: str | bytes) -> Bundle:
    """Read a bundle, a list of resources, or one resource.

    Raises:
        InvalidInput: it is no JSON, no FHIR, or holds several patients.
    """
    passed_over: list[object] = []
    try:
        resources = tuple(_resources(msgspec.json.decode(text), passed_over))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidInput(
            f"The record is not JSON: {error}", hint="Give a FHIR R4 bundle, or a note as text."
        ) from None
    if passed_over and not resources:
        raise InvalidInput(
            f"None of the bundle's {len(passed_over):,} entries holds a resource",
            hint='Give a FHIR R4 bundle whose entries are {"resource": {"resourceType": ...}}.',
        )
    problems = []
    if passed_over:
        count = len(passed_over)
        entries = "1 entry holds" if count == 1 else f"{count:,} entries hold"
        problems.append(f"{entries} no resource and cannot be read.")
    own, others = _of_one_patient(resources)
    if others:
        problems.append(f"Not read, since of another patient: {_listed(others)}.")
    return Bundle(own, tuple(problems))


def _of_one_patient(
    resources: tuple[Resource, ...],
) -> tuple[tuple[Resource, ...], list[Resource]]:
    """Tell what is of the record's patient from what refers to another one."""
    patients = [each for each in resources if each.get("resourceType") == "Patient"]
    identities = {str(each.get("id") or number) for number, each in enumerate(patients)}
    if len(identities) > 1:
        raise _several(len(identities))
    named = {_local(str(each.get(name) or "")) for each in patients for name in ("id", _ADDRESS)}
    spoken_of = {_subject(each) for each in resources} - {""}
    if not spoken_of & named:
        # Exports that rewrite ids still agree among themselves.
        if len(spoken_of) > 1:
            raise _several(len(spoken_of))
        return resources, []
    own = named | {""}
    return (
        tuple(each for each in resources if _subject(each) in own),
        [each for each in resources if _subject(each) not in own],
    )


def _subject(resource: Resource) -> str:
    """Give the local id of the patient a resource is of, empty where it names none."""
    for name in _OF_PATIENT:
        reference = resource.get(name)
        target = reference.get("reference") if isinstance(reference, Mapping) else None
        if isinstance(target, str):
            kind = target.rpartition("/")[0].rpartition("/")[2]
            return _local(target) if kind in ("", "Patient") else ""
    return ""


def _local(reference: str) -> str:
    return reference.removeprefix("#").removeprefix("urn:uuid:").rpartition("/")[2]


def _listed(resources: Iterable[Resource]) -> str:
    counts = Counter(str(each.get("resourceType")) for each in resources)
    return ", ".join(f"{count:,} {kind}" for kind, count in sorted(counts.items()))


def _several(count: int) -> InvalidInput:
    return InvalidInput(
        f"The record holds {count} patients", hint="Give one patient's bundle at a time."
    )


def _resources(value: object, passed_over: list[object]) -> Iterator[Resource]:
    if isinstance(value, list):
        for each in value:
            yield from _resources(each, passed_over)
        return
    if not isinstance(value, Mapping):
        raise _no_fhir()
    kind = value.get("resourceType")
    if kind == "Bundle":
        for entry in _entries(value):
            held = entry if isinstance(entry, Mapping) else {}
            # Some exports list resources without the wrapper of an entry.
            resource = held.get("resource") or held
            if isinstance(resource, Mapping) and isinstance(resource.get("resourceType"), str):
                addressed = {**resource, _ADDRESS: held.get(_ADDRESS)}
                yield from _resources(addressed, passed_over)
            else:
                passed_over.append(entry)
    elif isinstance(kind, str):
        yield value
    elif isinstance(value.get("bundle"), Mapping):
        yield from _resources(value["bundle"], passed_over)
    else:
        raise _no_fhir()


def _entries(bundle: Resource) -> list[object]:
    entries = bundle.get("entry")
    if entries is None:
        return []
    if not isinstance(entries, list):
        raise InvalidInput(
            "The bundle's `entry` is no list",
            hint='Give a FHIR R4 bundle with its resources in a list: "entry": [...].',
        )
    return entries


def _no_fhir() -> InvalidInput:
    return InvalidInput(
        "The JSON is no FHIR record: it has no resourceType",
        hint="Give a FHIR R4 bundle with Patient, Condition and other resources.",
    )


def parts_of(part: Resource, name: str) -> list[Resource]:
    """Give the parts a resource lists under a name; what is no part is passed over."""
    listed = part.get(name)
    given = listed if isinstance(listed, list) else [listed]
    return [each for each in given if isinstance(each, Mapping)]


def codes_of(concept: object) -> list[Code]:
    """Give the codes of a CodeableConcept; words come without SNOMED's qualifier in brackets."""
    if not isinstance(concept, Mapping):
        return []
    return [
        Code(
            _SYSTEMS.get(str(coding.get("system", "")), "CODE"),
            one_line(str(coding["code"])[:_LONGEST]),
            plain_words(str(coding.get("display") or "")),
        )
        for coding in parts_of(concept, "coding")
        if coding.get("code") is not None
    ]


def text_of(concept: object, *, fallback: str = "") -> str:
    """Give the words of a CodeableConcept: a code's display, else its text, else its code."""
    codes = codes_of(concept)
    displayed = next((code.display for code in codes if code.display), "")
    text = concept.get("text") if isinstance(concept, Mapping) else None
    named = displayed or plain_words(str(text or "")) or fallback
    return named or (f"{codes[0]}" if codes else "")


def tag_of(concept: object) -> str:
    """Give the kind of thing that SNOMED's name of a concept ends with, as `finding`; or empty.

    >>> tag_of({"coding": [{"code": "1", "display": "Stress (finding)"}]})
    'finding'
    """
    if not isinstance(concept, Mapping):
        return ""
    for coding in parts_of(concept, "coding"):
        if match := _QUALIFIER.search(str(coding.get("display") or "")):
            return match.group().strip().strip("()").lower()
    return ""


def plain_words(text: str) -> str:
    """Give words on one line, without a qualifier in brackets.

    >>> plain_words("Malignant neoplasm of breast (disorder)")
    'Malignant neoplasm of breast'
    """
    return _QUALIFIER.sub("", one_line(text[:_LONGEST]))


def one_line(text: str) -> str:
    """Give a text on one line, without what no text has."""
    return " ".join(_CONTROL.sub(" ", text).split())
