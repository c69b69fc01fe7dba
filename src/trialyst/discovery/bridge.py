"""From a drug to conditions it is not in: over its targets, their pathways and other drugs' trials.

A candidate is a question and no answer: it says that drugs which act on the same target or pathway
are in trials of a condition, and that the drug itself is in none here. Every step is in the answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trialyst.ctgov.answers import to_next
from trialyst.ctgov.plain import PlainQuery, to_trial_query
from trialyst.ctgov.query import TrialQuery
from trialyst.discovery.envelope import Answer, Clock, to_provenance, utc_now
from trialyst.discovery.inquiry import Inquiry
from trialyst.discovery.linking import (
    LOOSE,
    Link,
    LinkedDrug,
    NamedDrug,
    TargetPathways,
    link_drugs,
    name_drug,
)
from trialyst.discovery.next_calls import after_bridge
from trialyst.discovery.pathways.origin import tell_origin
from trialyst.discovery.views import present
from trialyst.errors import InvalidInput
from trialyst.essie.build import any_of, area, phrase
from trialyst.folding import fold_phrase
from trialyst.hints import Argument, Hint
from trialyst.ids import NctId
from trialyst.pathways.ids import PathwayId
from trialyst.vocabulary.concept import Kind

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.pathways.source import PathwaySource, PathwaySummary
    from trialyst.vocabulary import Vocabulary

__all__ = ["BridgeLimits", "bridge_drug"]

_NAMES = ("InterventionName", "InterventionOtherName", "InterventionMeshTerm")
_PIECES = ("NCTId", "Condition", "ConditionMeshTerm")
_HEALTHY = frozenset(
    map(fold_phrase, ("healthy", "healthy volunteers", "healthy subjects", "healthy participants"))
)
_CAUTION = (
    "A candidate is a question to ask, not evidence that the drug works: it rests on drugs that "
    "act on the same target or pathway, which may act the other way; compare the actions."
)
_COUNTED = (
    "A drug counts in a trial wherever it is named as an intervention, comparators too; a "
    "condition counts under the concept it is or narrows, such as Melanoma for advanced melanoma."
)


@dataclass(frozen=True, slots=True)
class BridgeLimits:
    """How far to look; what is left out is told."""

    drugs: int = 25
    """Other drugs with trials whose trials are read, the nearest first."""
    lookups: int = 75
    """Other drugs that are looked up to find those."""
    candidates: int = 20
    drugs_shown: int = 5
    """Of each candidate; counts are of all."""
    links_shown: int = 3
    """Of each of those drugs."""
    trials_shown: int = 5
    """Ids of each of those drugs; counts are of all."""
    own_shown: int = 50
    """Conditions of the drug's own trials."""


@dataclass(frozen=True, slots=True)
class _Condition:
    key: str
    """The vocabulary's id, else the folded name."""
    name: str
    id: str | None


@dataclass(slots=True)
class _Candidate:
    condition: _Condition
    trials: dict[LinkedDrug, Sequence[str]]
    """Ids of trials by drug."""

    @property
    def distinct(self) -> set[str]:
        return {id for ids in self.trials.values() for id in ids}


_ByCondition = Mapping[_Condition, Sequence[str]]


async def bridge_drug(
    trials: TrialSource,
    pathways: PathwaySource,
    drug: str,
    *,
    vocabulary: Vocabulary | None = None,
    limits: BridgeLimits | None = None,
    clock: Clock = utc_now,
) -> Answer:
    """Find conditions in which drugs of the same targets and pathways are in trials.

    An unknown drug, a target on no pathway and a drug without trials are no errors: the answer
    says under `unknown` what it does not know.

    Raises:
        InvalidInput: no drug is named.
    """
    if not fold_phrase(drug):
        raise InvalidInput(
            "No drug is named",
            hint=Hint("Give the name of a drug: {example}.", example=Argument("drug", "imatinib")),
            invalid_input=drug,
        )
    names = vocabulary or trials.names
    return await _Bridge(trials, pathways, names, limits or BridgeLimits()).answer(
        name_drug(drug, names), clock
    )


class _Bridge:
    """One question."""

    def __init__(
        self,
        trials: TrialSource,
        pathways: PathwaySource,
        vocabulary: Vocabulary,
        limits: BridgeLimits,
    ) -> None:
        self._inquiry = Inquiry(trials)
        self._pathways = pathways
        self._vocabulary = vocabulary
        self._limits = limits
        self._conditions: dict[str, _Condition] = {}
        self._notes: list[str] = [_CAUTION, _COUNTED]
        self._unknown: list[str] = []

    async def answer(self, drug: NamedDrug, clock: Clock) -> Answer:
        held, others = await link_drugs(self._pathways, drug.targets) if drug.targets else ((), ())
        own = await self._read(drug.name)
        read = await self._read_nearest(others)
        found = _candidates(read, own)
        kept = await self._untried(drug, found, wider=self._wider(own))
        self._tell(drug, held, others, own=own)
        items = [_to_item(each, self._limits) for each in kept]
        conditions = sorted(condition.name for condition in own)
        provenance = await self._inquiry.provenance()
        absence = () if items else provenance.absence_notes()
        body = {
            **present({"drug": drug.name, "asked": drug.asked}),
            "targets": [_to_target(each) for each in held],
            "own_trial_count": len({id for ids in own.values() for id in ids}),
            "own_condition_count": len(conditions),
            "own_conditions": conditions[: self._limits.own_shown],
            "linked_drug_count": len(others),
            "read_drug_count": len(read),
            "candidates": items,
            "unknown": self._unknown,
            "pathway_provenance": await tell_origin(self._pathways, (), clock=clock),
            "understood": {"drug": drug.to_reading()},
            "provenance": to_provenance(provenance, (*absence, *self._notes), now=clock()),
            "next": list(to_next(after_bridge(drug, items))),
        }
        return Answer(body, items)

    async def _read(self, drug: str) -> _ByCondition:
        """Give the ids of all trials of a drug by condition."""
        found: defaultdict[_Condition, list[str]] = defaultdict(list)
        rows = self._inquiry.source.iter_rows(_query(drug), _PIECES)
        async for ids, conditions, terms in rows:
            for condition in self._named(conditions or (), terms or ()):
                found[condition].append(str(ids[0]))
        # Asking what the source is keeps the notes on what was just read.
        await self._inquiry.ask(self._inquiry.source.provenance())
        return {condition: sorted(ids) for condition, ids in found.items()}

    async def _read_nearest(self, others: Sequence[LinkedDrug]) -> dict[LinkedDrug, _ByCondition]:
        """Give the trials of the nearest drugs that have any."""
        read: dict[LinkedDrug, _ByCondition] = {}
        without = []
        for other in others[: self._limits.lookups]:
            if len(read) == self._limits.drugs:
                break
            found = await self._read(other.name)
            if found:
                read[other] = found
            else:
                without.append(other.name)
        looked_up = len(read) + len(without)
        if without:
            self._unknown.append(
                f"No trial here names {len(without)} of the {looked_up} drugs that were looked "
                f"up: {_several(without)}."
            )
        if looked_up < len(others):
            self._notes.append(
                f"{len(others)} drugs act on the same targets or pathways; the nearest "
                f"{looked_up} were looked up."
            )
        return read

    def _named(self, texts: Sequence[str], terms: Sequence[str]) -> set[_Condition]:
        """Give a trial's conditions; one that is unknown is what the one MeSH term left says."""
        found = {self._condition(text) for text in texts}
        unknown = [each for each in found if each.id is None]
        left = {self._condition(term) for term in terms} - found
        if len(unknown) == len(left) == 1:
            return found - set(unknown) | left
        return found

    def _condition(self, text: str) -> _Condition:
        """Give one name to the spellings of a condition; what only resembles one stays itself."""
        known = self._conditions.get(text)
        if known is None:
            found = self._vocabulary.resolve(text, kinds={Kind.CONDITION})
            sure = found and not found.ambiguous and found.matches[0].how not in LOOSE
            concept = found.concept if sure else None
            name = concept.preferred if concept else _printable(text)
            id = concept.id if concept else None
            known = _Condition(id or f"={fold_phrase(text)}", name, id)
            # One folded name has one spelling, the first that was met.
            known = self._conditions.setdefault(known.key, known)
            self._conditions[text] = known
        return known

    def _wider(self, own: _ByCondition) -> frozenset[str]:
        """Give the ids of what is above the drug's own conditions: it is in trials of those too."""
        concepts = (self._vocabulary.get(each.id) for each in own if each.id)
        return frozenset(
            wider.id for each in concepts if each for wider in self._vocabulary.broader(each)
        )

    async def _untried(
        self, drug: NamedDrug, found: Sequence[_Candidate], *, wider: frozenset[str]
    ) -> list[_Candidate]:
        """Keep the first candidates that a search for the drug and the condition does not find."""
        kept: list[_Candidate] = []
        tried = checked = 0
        for candidate in found:
            if len(kept) == self._limits.candidates:
                break
            checked += 1
            if candidate.condition.id in wider or await self._is_tried(drug, candidate.condition):
                tried += 1
            else:
                kept.append(candidate)
        if tried:
            self._notes.append(
                f"Conditions left out because the drug is in trials of a narrower or otherwise "
                f"matching condition: {tried}."
            )
        if len(found) > checked:
            self._notes.append(
                f"The first {len(kept)} candidates are given; {len(found) - checked} more "
                "conditions were not looked at."
            )
        return kept

    async def _is_tried(self, drug: NamedDrug, condition: _Condition) -> bool:
        query = TrialQuery(
            queries=to_trial_query(PlainQuery(condition=condition.name)).queries,
            filters=_query(drug.name).filters,
        )
        return bool(await self._inquiry.ask(self._inquiry.source.count(query)))

    def _tell(
        self,
        drug: NamedDrug,
        held: Sequence[TargetPathways],
        others: Sequence[LinkedDrug],
        *,
        own: _ByCondition,
    ) -> None:
        self._unknown[:0] = _gaps(drug, held, others, own)
        if drug.ambiguous:
            self._notes.append(
                f"{drug.asked!r} may also mean {_several(drug.ambiguous)}; {drug.name} was taken."
            )


def _gaps(
    drug: NamedDrug,
    held: Sequence[TargetPathways],
    others: Sequence[LinkedDrug],
    own: _ByCondition,
) -> Iterator[str]:
    """Say what is not known; what is missing here may well be known elsewhere."""
    if not drug.known:
        like = f"names like it: {_several(drug.like)}" if drug.like else "check the spelling"
        yield f"{drug.asked!r} is no drug that is known here; {like}."
    if not drug.targets:
        yield f"No target of {drug.name} is known here, which says nothing about what it acts on."
    if bare := [each.target.gene for each in held if not each.pathways]:
        yield f"On no human pathway here: {_several(bare)}."
    if held and not others:
        yield f"No other drug is known here that acts on a target or pathway of {drug.name}."
    if not own:
        yield f"No trial here names {drug.name}."


def _several(names: Sequence[str], at_most: int = 8) -> str:
    shown = ", ".join(names[:at_most])
    return f"{shown} and {len(names) - at_most} more" if len(names) > at_most else shown


def _printable(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _query(drug: str) -> TrialQuery:
    """Ask for the trials that name a drug, under any of its names, as an intervention."""
    return TrialQuery(filters=(any_of(*(area(piece, phrase(drug)) for piece in _NAMES)),))


def _candidates(read: Mapping[LinkedDrug, _ByCondition], own: _ByCondition) -> list[_Candidate]:
    found: dict[_Condition, _Candidate] = {}
    for other, conditions in read.items():
        for condition, ids in conditions.items():
            if condition not in own and fold_phrase(condition.name) not in _HEALTHY:
                found.setdefault(condition, _Candidate(condition, {})).trials[other] = ids
    return sorted(found.values(), key=_rank)


def _rank(candidate: _Candidate) -> tuple[int, int, int, str]:
    """Put first what most drugs of the same target are tried in, then of the same pathways."""
    return (
        -sum(drug.shares_target for drug in candidate.trials),
        -len(candidate.trials),
        -len(candidate.distinct),
        candidate.condition.name.casefold(),
    )


def _to_target(each: TargetPathways) -> dict[str, Any]:
    return {
        "gene": each.target.gene,
        "action": each.target.action.value,
        "pathway_count": len(each.pathways),
        "pathways": [_to_pathway(pathway) for pathway in each.pathways],
    }


def _to_pathway(pathway: PathwaySummary) -> dict[str, Any]:
    return {"id": PathwayId.parse(pathway.id).curie, "title": pathway.name}


def _to_item(candidate: _Candidate, limits: BridgeLimits) -> dict[str, Any]:
    drugs = sorted(
        candidate.trials,
        key=lambda each: (not each.shares_target, -len(candidate.trials[each]), each.name),
    )
    return present(
        {
            "condition": candidate.condition.name,
            "condition_id": candidate.condition.id,
            "trial_count": len(candidate.distinct),
            "drug_count": len(drugs),
            "shared_target_drug_count": sum(each.shares_target for each in drugs),
            "drugs": [
                _to_drug(each, candidate.trials[each], limits)
                for each in drugs[: limits.drugs_shown]
            ],
        }
    )


def _to_drug(drug: LinkedDrug, ids: Sequence[str], limits: BridgeLimits) -> dict[str, Any]:
    return {
        "drug": drug.name,
        "shares_target": drug.shares_target,
        "links": [_to_link(link) for link in drug.links[: limits.links_shown]],
        "link_count": len(drug.links),
        "trial_count": len(ids),
        "nct_ids": [NctId.parse(id).curie for id in ids[: limits.trials_shown]],
    }


def _to_link(link: Link) -> dict[str, Any]:
    return present(
        {
            "target": link.target.gene,
            "target_action": link.target.action.value,
            "pathway": _to_pathway(link.pathway) if link.pathway else None,
            "gene": link.other.gene,
            "action": link.other.action.value,
        }
    )
