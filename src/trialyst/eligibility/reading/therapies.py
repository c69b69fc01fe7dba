"""Treatments and procedures: taken now, before or planned, with what result, line, dose and drugs.

The status is told item by item: a cue works on the list it opens, a closing one on its own item.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from trialyst.eligibility.chart import AllergyEntry, Assertion, Procedure, Therapy, TimePoint
from trialyst.eligibility.reading.headings import Section
from trialyst.eligibility.reading.scope import Scope, read_scope
from trialyst.vocabulary.relations import regimens
from trialyst.vocabulary.term import Term, TermKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from trialyst.eligibility.chart import PersonFact
    from trialyst.eligibility.lexicon import Lexicon, Named
    from trialyst.eligibility.reading.passage import Passage

__all__ = ["deny_allergies", "read_allergies", "read_therapies", "settle_statuses", "tell_progress"]

_DRUGS = frozenset((TermKind.DRUG, TermKind.DRUG_CLASS, TermKind.THERAPY))
_OPERATIONS = frozenset((TermKind.PROCEDURE, TermKind.DEVICE))
_RESPONSES = ("failed", "progressed", "intolerant", "responded")
_DOSE = re.compile(
    r"\s*(?:at\s+)?([0-9][0-9.,/]*\s*(?:mg|mcg|ug|\u00b5g|g|units?|IU|mL|mEq|puffs?|%|tablets?|Gy|cGy)"
    r"(?:/(?:kg|m2|day|d|h|hr|min|dose|week))*(?:\s+(?:once|twice|three times|daily|weekly|monthly"
    r"|BID|TID|QID|QD|QHS|PRN|nightly|every\s+\w+|per\s+\w+|a\s+(?:day|week)))*)",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"\s*:\s*[0-9]")
_ROUTE = re.compile(
    r"\b(oral|intravenous|IV|inhaled|topical|subcutaneous|intramuscular|intrathecal|intravitreal"
    r"|systemic|intranasal|rectal|transdermal|PO|SC|IM)\b"
)
_LINE = re.compile(
    r"\b(?:(first|second|third|fourth|fifth)|([1-9])(?:st|nd|rd|th)|([1-5])L)(?:[-\s]*line)\b"
    r"|\b([1-5])L(?=\s+(?:therapy|treatment|setting|regimen))",
    re.IGNORECASE,
)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
_LONG_AGO = 60.0
"""Days from which on "treated with ... ago" is no longer going on."""
_SHORTEST = 3
_CHEMOTHERAPY = frozenset(
    "chemo chemotherapy cycle cycles regimen neoadjuvant adjuvant c1 c2 line progressed x received "
    "progression completed relapsed induction lymphoma leukemia myeloma cancer carcinoma sarcoma"
    "".split()
)
_ALLERGIC = re.compile(
    r"\b(?:allerg(?:y|ies|ic)|anaphyla\w+|hypersensitiv\w+)\s*(?:reactions?\s+)?(?:to|:|include[sd]?)\s*"
    r"(?:an?\s+|the\s+)?([^.;]{2,80})|\b([A-Za-z-]{4,})\s+allerg(?:y|ies)\b",
    re.IGNORECASE,
)
_SAID_NEXT = re.compile(
    r"\b(?:takes?|taking|uses?|on|but|who|which|currently|has|had|denies|was|is|with|she|he)\b",
    re.I,
)
_PROGRESSED = re.compile(
    r"\b(?:(?:disease|cancer|tumou?r|lymphoma|melanoma|myeloma|leukemia|carcinoma|patient|she|he)\s+"
    r"(?:has |had |have |then |subsequently |later |again )*(?:progressed|recurred|relapsed)"
    r"|disease progression|progressive disease|progression of (?:the |her |his )?(?:disease|cancer)"
    r"|scans? show(?:s|ed|ing)? progression)\b",
    re.IGNORECASE,
)
_ADJECTIVES = frozenset(("surgical", "operative", "surgically", "procedures", "postoperative"))
"""Words of headings and margins, which tell of no operation by themselves."""
_OF_PAIN = re.compile(
    r"\s+(?:of (?:the |his |her )?pain|down|(?:in)?to (?:the|his|her) (?:left |right )?"
    r"(?:arm|jaw|leg|groin|shoulder|thigh|buttock|calf|flank|foot|hand))\b",
    re.IGNORECASE,
)
_ENHANCING = re.compile(r"[-\s]?(?:enhanc|contrast)", re.IGNORECASE)
_NO_ALLERGEN = frozenset(
    "drug food seasonal environmental known medication medications no any other family his her has "
    "with multiple allergic severe nasal skin pollen none nkda nka nil from which "
    "denies denied any reported that because and".split()
)


@cache
def _members() -> dict[str, tuple[str, ...]]:
    return {f"regimen:{each.name}": each.members for each in regimens()}


class _Found(NamedTuple):
    what: Term
    kind: TermKind
    start: int
    end: int
    members: tuple[Term, ...] = ()


def read_therapies(passage: Passage, lexicon: Lexicon) -> Iterator[Therapy | Procedure]:
    """Give the treatments and procedures of a sentence."""
    found = list(_find(passage, lexicon))
    if not found or passage.section is Section.ALLERGY:
        return
    scope = read_scope(passage.words, table="therapy.txt")
    lines = _lines(passage.text)
    for each in found:
        told = _told(passage, scope, each)
        if each.kind in _OPERATIONS:
            yield _procedure(passage, each, told)
        else:
            yield _therapy(passage, each, told, lines)


def _find(passage: Passage, lexicon: Lexicon) -> Iterator[_Found]:
    measured = [(each.name_start, each.name_end) for each in passage.values]
    measured += [(each.start, each.name_end) for each in passage.markers]
    measured += _allergen_places(passage)
    for each in passage.names:
        if each.kind not in _DRUGS | _OPERATIONS or each.start < passage.body:
            continue
        written = passage.text[each.start : each.end].lower()
        if written in _ADJECTIVES or _ENHANCING.match(passage.text, each.end):
            continue
        if written == "radiation" and _OF_PAIN.match(passage.text, each.end):
            continue
        if each.kind in _DRUGS and _overlaps(each, measured):
            continue
        drugs = _members().get(each.what.id, ())
        if drugs and not _is_regimen(passage, each):
            continue
        members = tuple(lexicon.term(drug) for drug in drugs)
        yield _Found(each.what, each.kind, each.start, each.end, members)


def _is_regimen(passage: Passage, name: Named) -> bool:
    """Whether two or three capitals are a regimen: where chemotherapy is spoken of."""
    written = passage.text[name.start : name.end]
    short = len(written) <= _SHORTEST and written.isalpha()
    return not short or not passage.vocabulary.isdisjoint(_CHEMOTHERAPY)


def _overlaps(name: Named, spans: Iterable[tuple[int, int]]) -> bool:
    return any(name.start < end and start < name.end for start, end in spans)


def _told(passage: Passage, scope: Scope, each: _Found) -> dict[str, str]:
    """Give status and response; what closes an item tells more than what opens its list."""
    told: dict[str, str] = {}
    reaches = sorted(
        scope.at(each.start, each.end), key=lambda reach: (not reach.forward, reach.cue)
    )
    # "PD on levodopa": a short form that names a disease here tells of no progress.
    named = {name.start for name in passage.names if name.end - name.start <= _SHORTEST}
    for reach in reaches:
        if reach.cue[0] in named:
            told["status"] = "current"
            continue
        if reach.effect in _RESPONSES:
            told["response"] = reach.effect
            if reach.effect != "responded":
                told["status"] = "prior"
        elif reach.effect == "ago":
            told.setdefault("status", "prior")
        elif not (reach.effect == "current" and told.get("response") == "failed"):
            told["status"] = reach.effect
    return told


def _therapy(
    passage: Passage, each: _Found, told: dict[str, str], lines: list[tuple[int, int, int]]
) -> Therapy:
    entry = passage.entry(each.start, each.end)
    status = _status(told.get("status", ""), entry["when"])
    if not status:
        status = _by_section(passage) or _as_item(passage, each)
    if entry["assertion"] is Assertion.HISTORICAL:
        entry["assertion"] = Assertion.PRESENT
        status = status or "prior"
    if told.get("status") == "refused":
        entry |= {"assertion": Assertion.ABSENT, "negated": True}
    dose = _DOSE.match(passage.text, each.end)
    near = passage.text[max(0, each.start - 20) : each.end + 30]
    route = _ROUTE.search(near)
    return Therapy(
        **entry,
        what=each.what,
        kind=each.kind,
        status=status,
        dose="" if dose is None else dose.group(1).strip(),
        route="" if route is None else route.group(1).lower(),
        line=_line_of(lines, each.start),
        response=told.get("response", ""),
        members=each.members,
    )


def _procedure(passage: Passage, each: _Found, told: dict[str, str]) -> Procedure:
    entry = passage.entry(each.start, each.end)
    status = told.get("status", "")
    status = status if status in ("planned", "refused") else "done"
    if entry["assertion"] is Assertion.HISTORICAL:
        entry["assertion"] = Assertion.PRESENT
    if passage.section is Section.PLAN and not told and entry["when"] is None:
        status = "planned"
    return Procedure(**entry, what=each.what, kind=each.kind, status=status)


def _status(told: str, when: TimePoint | None) -> str:
    if told == "treated":
        back = when is not None and when.days_ago is not None and when.days_ago[0] > _LONG_AGO
        return "prior" if back else "current"
    return "prior" if told == "stopped" else told


def _as_item(passage: Passage, each: _Found) -> str:
    """Give "metformin: 500 mg", a line of a list with its amount, as taken."""
    amount = _AMOUNT.match(passage.text, each.end)
    return "current" if amount and not passage.text[: each.start].strip("-*\u2022 ") else ""


def _by_section(passage: Passage) -> str:
    return {Section.MEDICATION: "current", Section.PLAN: "planned"}.get(passage.section, "")


def _lines(text: str) -> list[tuple[int, int, int]]:
    return [
        (
            _ORDINALS.get((match.group(1) or "").lower())
            or int(match.group(2) or match.group(3) or match.group(4)),
            *match.span(),
        )
        for match in _LINE.finditer(text)
    ]


def _line_of(lines: list[tuple[int, int, int]], start: int) -> int | None:
    """Give the line named last before a treatment, or the only one of the sentence."""
    before = [line for line, _, end in lines if end <= start]
    if before:
        return before[-1]
    return lines[0][0] if len(lines) == 1 else None


def settle_statuses(therapies: list[Therapy]) -> list[Therapy]:
    """Make a drug that is later said to be stopped prior throughout, and lines before the last."""
    last = max((each.line for each in therapies if each.line is not None), default=None)
    stopped = {
        each.what.id: each.start
        for each in therapies
        if each.status == "prior" and each.assertion is Assertion.PRESENT
    }
    settled = []
    for each in therapies:
        status = each.status
        if status == "current" and stopped.get(each.what.id, -1) > each.start:
            status = "prior"
        elif status in ("", "current") and each.line is not None:
            status = "current" if each.line == last else "prior"
        settled.append(each if status == each.status else replace(each, status=status))
    return settled


def tell_progress(therapies: list[Therapy], read: Sequence[Passage]) -> list[Therapy]:
    """Give treatments of a cancer as failed where it is said alone that the disease progressed.

    It is said of what stands before it in the sentence, else of what the sentence before tells.
    """
    progressed: set[int] = set()
    for passage in read:
        match = _PROGRESSED.search(passage.text)
        if match is None or "negated" in passage.effects(*match.span()):
            continue
        told = passage.sentence.start + match.start()
        before = [each for each in therapies if each.end <= told and _is_over(each)]
        within = [each for each in before if each.start >= passage.sentence.start]
        last = [each for each in before if each.sentence == passage.sentence.number - 1]
        progressed.update(each.start for each in within or last)
    return [
        replace(each, response="progressed", status="prior")
        if each.start in progressed and not each.response
        else each
        for each in therapies
    ]


def _is_over(therapy: Therapy) -> bool:
    return therapy.holds and therapy.status in ("prior", "current", "")


def read_allergies(passage: Passage, lexicon: Lexicon) -> Iterator[AllergyEntry]:
    """Give what the patient is allergic to."""
    for start, end in _allergen_places(passage):
        named = [
            each
            for each in passage.names
            if start <= each.start and each.end <= end and each.kind in _DRUGS
        ]
        for each in named:
            yield AllergyEntry(**_allergy(passage, each.start, each.end), what=each.what)
        word = passage.text[start:end].split(",")[0].strip(" .").lower()
        if not named and word.isalpha() and word not in _NO_ALLERGEN:
            at = passage.text.lower().index(word, start)
            fields = _allergy(passage, at, at + len(word))
            yield AllergyEntry(**fields, what=lexicon.term(word))


def _allergen_places(passage: Passage) -> list[tuple[int, int]]:
    """Give where a sentence names what somebody is allergic to, up to what is said next."""
    if passage.section is Section.ALLERGY:
        return [(passage.body, len(passage.text))]
    if not any(word.startswith(("allerg", "anaphyla", "hypersens")) for word in passage.vocabulary):
        return []
    places = []
    for match in _ALLERGIC.finditer(passage.text):
        start, end = match.span(1 if match.group(1) else 2)
        following = _SAID_NEXT.search(passage.text, start, end)
        places.append((start, end if following is None else following.start()))
    return places


def deny_allergies(facts: Iterable[PersonFact]) -> Iterator[AllergyEntry]:
    """Give "no known allergies" as an allergy to everything, denied."""
    for fact in facts:
        if fact.role == "no allergies":
            yield AllergyEntry(
                text=fact.text,
                sentence=fact.sentence,
                start=fact.start,
                end=fact.end,
                assertion=Assertion.ABSENT,
                negated=True,
                what=Term("term:allergy", "Allergy"),
            )


def _allergy(passage: Passage, start: int, end: int) -> dict[str, Any]:
    entry = passage.entry(start, end)
    if entry["assertion"] in (Assertion.HISTORICAL, Assertion.HYPOTHETICAL):
        entry["assertion"] = Assertion.PRESENT
    return entry
