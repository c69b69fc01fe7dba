"""What may be learned from the records: other names of interventions, strings for MeSH terms.

* An other name is learned for an intervention seen with it in two studies, or in one when it is
  one word or a code, the shipped names do not know it, and they know the intervention. Never
  learned: placebo and care as usual, doses and dosage forms, combinations, ordinary words, what a
  drug does instead of its name ("anti-VEGF", "PD-1 inhibitor"), a name the shipped names already
  have or contest, a name of which no one intervention has four fifths of the studies.
* A code beside a known drug is learned for it: its other name, or in parentheses after or before
  it in a title, a summary or a name ("TMC278 (rilpivirine)").
* A condition string is learned for a MeSH term from studies with exactly one of each, seen twice,
  when other terms have at most a fifth of such studies and the shipped names do not know it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from trialyst.folding import fold_phrase
from trialyst.vocabulary.concept import Concept, Kind
from trialyst.vocabulary.doses import strip_dose
from trialyst.vocabulary.learned import LearnedName, LearnedNames
from trialyst.vocabulary.resolved import ResolvedNames, Standing
from trialyst.vocabulary.table import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from trialyst.vocabulary.lookup import Vocabulary

__all__ = ["NameCollector"]

_SEEN_TWICE = 2
_MAX_COMPETING = 0.2
_MIN_LENGTH, _MAX_LENGTH = 3, 80
_BETWEEN = "\x1f"
_BESIDE = "\x1e"
"""Before a pair that a parenthesis tells."""
_NO_DATE = "9999-12-31"
_COMBINED = re.compile(r"[+/;,&|]|\b(and|or|plus|with|vs|versus|followed|then)\b", re.IGNORECASE)
_DOSE = re.compile(
    r"\d\s*(mg|mcg|ug|µg|μg|g|kg|ml|iu|units?|%|mmol|gy|mci|cm|hours?|days?|weeks?)\b",
    re.IGNORECASE,
)
_ACTION = re.compile(
    r"\banti[- ]|^(?!.*\d{3}).*(?:antibod(?:y|ies)|\bmo?abs?|inhibitors?|agonists?"
    r"|antagonists?|blockers?|modulators?)\b",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"(?=.*\d)(?=.*[^\W\d_]{2})[^\W_][\w.-]{3,}(?: ?\d[\w.-]*)?|[A-Z]{1,5} \d{3}[\w.-]*"
)
_EXPLAINED = re.compile(
    r"((?:\b[A-Z]{1,5} (?=\d))?[^\W_][\w.-]{3,})[®™]?\s*[(\[]([^()\[\]]{4,60})[)\]]"
)
_LISTED = re.compile(r"\s*[,;/]\s*")
_WORD_OR_CODE = re.compile(r"^[^\W\d_]{5,}[®™]?$|^(?=.*\d)[\w.-]+( [\w.-]+)?$")
_GENERIC_WORDS = """
    placebo sham control comparator standard of care usual treatment as soc best supportive drug
    study investigational product ip imp medication therapy chemotherapy radiotherapy radiation
    immunotherapy surgery injection infusion tablet capsule cream gel ointment solution oral iv
    intravenous subcutaneous topical inhaled arm group cohort experimental active dose high low
    medium no none na not applicable other saline normal vehicle water vaccine antibody monoclonal
    device questionnaire survey exercise training education intervention program diet blood sample
    test testing generic brand single double first second the for to in on by from part phase
    regimen combination matching dummy inactive routine management combined conventional regular
    daily new type level chemo steroid antibiotic app online remote phone text message web based a b
    c d e i ii iii iv v 1 2 3 4 5 6 7 8 9 10
"""
_GENERIC = frozenset(_GENERIC_WORDS.split())


Evidence = dict[str, tuple[int, str]]
"""Pairs of names with the studies that use them together, and the first date."""


class _Claims(NamedTuple):
    """What one folded name was said to stand for: each target with its studies and first date."""

    written: str
    targets: dict[str, tuple[int, str]]


class NameCollector:
    """Gathers names study by study, cheaply; everything is weighed in `finish`."""

    def __init__(self) -> None:
        self._interventions: Evidence = {}
        self._conditions: Evidence = {}

    def add_study(
        self,
        *,
        interventions: Sequence[tuple[str, Sequence[str]]],
        conditions: Sequence[str],
        mesh_conditions: Sequence[tuple[str, str]],
        first_posted: str | None,
        explained: Sequence[str] = (),
    ) -> None:
        """Take the names of one study: (name, other names), strings, (MeSH id, term), its date.

        Args:
            explained: texts in which a parenthesis may tell another name of a drug.
        """
        date = first_posted or _NO_DATE
        for pair in {
            f"{name}{_BETWEEN}{other}" for name, others in interventions for other in others
        }:
            _count(self._interventions, pair, date)
        for pair in {
            pair for text in explained if "(" in text or "[" in text for pair in _pairs(text)
        }:
            _count(self._interventions, pair, date)
        if len(conditions) == 1 and len(mesh_conditions) == 1:
            _count(self._conditions, f"{conditions[0]}{_BETWEEN}{mesh_conditions[0][0]}", date)

    def keep(self, earlier: NameCollector) -> None:
        """Keep what was seen earlier in the same studies, or in some that are gone."""
        for seen, before in (
            (self._interventions, earlier._interventions),
            (self._conditions, earlier._conditions),
        ):
            for pair, (count, date) in before.items():
                now = seen.get(pair, (0, _NO_DATE))
                seen[pair] = (max(count, now[0]), min(date, now[1]))

    def finish(self, vocabulary: Vocabulary, resolved: ResolvedNames | None = None) -> LearnedNames:
        """Weigh what was seen; the order of the studies does not matter.

        Args:
            resolved: What the vocabulary is known to say of names; what it says of others is added.
        """
        known = ResolvedNames() if resolved is None else resolved
        weighing = _Weighing(vocabulary, self._interventions, self._conditions, known)
        return LearnedNames.build([*weighing.other_names(), *weighing.condition_names()])

    def to_bytes(self) -> bytes:
        """Give what was seen, so that later studies can be added to it."""
        return msgspec.msgpack.encode((self._interventions, self._conditions))

    @classmethod
    def from_bytes(cls, content: bytes) -> NameCollector:
        """Go on from what `to_bytes` gave."""
        collector = cls()
        seen = msgspec.msgpack.decode(content, type=tuple[Evidence, Evidence])
        collector._interventions, collector._conditions = seen
        return collector

    def save(self, path: Path) -> None:
        """Write what was seen to a file."""
        replace_file(path, self.to_bytes())

    @classmethod
    def load(cls, path: Path) -> NameCollector:
        """Go on from what `save` wrote."""
        return cls.from_bytes(path.read_bytes())


class _Weighing:
    """Decides, with the shipped names at hand, what the evidence is enough for."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        interventions: Evidence,
        conditions: Evidence,
        resolved: ResolvedNames,
    ) -> None:
        self._vocabulary = vocabulary
        self._resolved = resolved
        self._interventions = interventions
        self._conditions = conditions

    def other_names(self) -> list[LearnedName]:
        concepts: dict[str, tuple[str, str]] = {}
        claims: dict[str, _Claims] = {}
        for pair, evidence in sorted(self._interventions.items()):
            name, _, other = pair.removeprefix(_BESIDE).partition(_BETWEEN)
            if not (_is_name(name) and _is_name(other)):
                continue
            for each in (name, other):
                if each not in concepts:
                    concepts[each] = self._resolved.concept(each, self._concept_of)
            if _is_learned(concepts[name]) and not _is_learned(concepts[other]):
                # The name is a code, and the other name says of what.
                name, other = other, name
                if not _CODE.fullmatch(other):
                    continue
            elif pair.startswith(_BESIDE) and (
                _is_learned(concepts[name]) or not _CODE.fullmatch(other)
            ):
                continue
            if not _ACTION.search(other):
                _claim(claims, other, _BETWEEN.join(concepts[name]), evidence)
        found = (self._other_name(key, claim) for key, claim in claims.items())
        return [learned for learned in found if learned is not None]

    def _other_name(self, key: str, claims: _Claims) -> LearnedName | None:
        target, count, date = _leading(claims)
        concept_id, _, preferred = target.partition(_BETWEEN)
        known = self._resolved.standing(claims.written, self._vocabulary.resolve)
        settled = known & (Standing.EXACT | Standing.AMBIGUOUS)
        if not target or settled or key == fold_phrase(preferred):
            return None
        is_new_word = not known & Standing.FOUND and _WORD_OR_CODE.match(claims.written)
        if count < _SEEN_TWICE and (not is_new_word or concept_id.startswith("LEARNED:")):
            return None
        return LearnedName(claims.written, concept_id, preferred, Kind.DRUG, count, date)

    def _concept_of(self, name: str) -> tuple[str, str]:
        known = self._vocabulary.resolve(name, kinds=(Kind.DRUG,))
        if not known.exact:
            known = self._vocabulary.resolve(strip_dose(name), kinds=(Kind.DRUG,))
        if known.exact:
            return known.matches[0].concept.id, known.matches[0].concept.preferred
        return f"LEARNED:{fold_phrase(name).replace(' ', '-')}", name

    def condition_names(self) -> list[LearnedName]:
        concepts: dict[str, Concept] = {}
        claims: dict[str, _Claims] = {}
        for pair, evidence in sorted(self._conditions.items()):
            written, _, mesh_id = pair.partition(_BETWEEN)
            concept = self._vocabulary.get(f"MESH:{mesh_id}")
            if concept is not None and _MIN_LENGTH <= len(written) <= _MAX_LENGTH:
                concepts[concept.id] = concept
                _claim(claims, written, concept.id, evidence)
        learned = []
        for claim in claims.values():
            target, count, date = _leading(claim)
            if target and count >= _SEEN_TWICE and not self._is_exact(claim.written):
                concept = concepts[target]
                learned.append(
                    LearnedName(
                        claim.written, concept.id, concept.preferred, concept.kind, count, date
                    )
                )
        return learned

    def _is_exact(self, name: str) -> bool:
        known = self._resolved.standing(name, self._vocabulary.resolve)
        return Standing.EXACT in known


def _pairs(text: str) -> Iterator[str]:
    """Give names and what stands in parentheses after them, where either is a code."""
    for name, inside in _EXPLAINED.findall(text):
        for other in _LISTED.split(inside):
            if _CODE.fullmatch(name) or _CODE.fullmatch(other):
                yield f"{_BESIDE}{name}{_BETWEEN}{other}"


def _is_learned(concept: tuple[str, str]) -> bool:
    return concept[0].startswith("LEARNED:")


def _count(seen: Evidence, pair: str, date: str) -> None:
    before = seen.get(pair)
    seen[pair] = (1, date) if before is None else (before[0] + 1, min(before[1], date))


def _claim(
    claims: dict[str, _Claims], written: str, target: str, evidence: tuple[int, str]
) -> None:
    key = fold_phrase(written)
    if not key:
        return
    targets = claims.setdefault(key, _Claims(" ".join(written.split()), {})).targets
    count, date = targets.get(target, (0, _NO_DATE))
    targets[target] = (count + evidence[0], min(date, evidence[1]))


def _leading(claims: _Claims) -> tuple[str, int, str]:
    """Give the target with the most studies, or none where others have more than a fifth."""
    total = sum(count for count, _ in claims.targets.values())
    target = min(claims.targets, key=lambda one: (-claims.targets[one][0], one))
    count, date = claims.targets[target]
    return ("", 0, date) if total - count > total * _MAX_COMPETING else (target, count, date)


def _is_name(text: str) -> bool:
    if not _MIN_LENGTH <= len(text) <= _MAX_LENGTH or _COMBINED.search(text) or _DOSE.search(text):
        return False
    tokens = fold_phrase(text).split()
    return len(tokens) <= 6 and not all(token in _GENERIC or token.isdigit() for token in tokens)
