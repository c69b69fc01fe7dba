"""A second backtest, written to be obvious: pair by pair over whole records, with sets and loops.

Shares with the first only the names of drugs and conditions and the facts of drug classes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from trialyst.annotation.drugs import DrugNames
from trialyst.folding import fold_phrase
from trialyst.repurposing.stop_reasons import classify_stop_reason
from trialyst.vocabulary import Kind, Vocabulary, classes_of

STOPPED = {"TERMINATED", "WITHDRAWN", "SUSPENDED"}
ENDED = {"COMPLETED", "TERMINATED", "WITHDRAWN"}
ONGOING = {"RECRUITING", "ENROLLING_BY_INVITATION", "ACTIVE_NOT_RECRUITING", "NOT_YET_RECRUITING"}

Counts = dict[tuple[str, str], tuple[int, int, int, int]]
"""By scope and name: pairs, and those followed by a new trial, a phase 3, a stop."""


@dataclass(frozen=True)
class Record:
    """One study, dates as whole days."""

    posted: str | None
    updated: str
    status: str
    reason: str | None
    phases: tuple[str, ...]
    ended: str | None
    drugs: dict[str, str]
    conditions: set[str]

    def known_status(self, cutoff: str) -> str | None:
        if self.updated <= cutoff:
            return self.status
        over = self.status in ENDED and self.ended is not None and self.ended <= cutoff
        return self.status if over else None


class Trees:
    """MeSH tree numbers of conditions by their key."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.trees: dict[str, tuple[str, ...]] = {}

    def key(self, term: str) -> str:
        found = self.vocabulary.resolve(term, kinds=(Kind.CONDITION, Kind.OTHER))
        key = found.matches[0].concept.id if found.exact else fold_phrase(term)
        self.trees[key] = found.matches[0].concept.trees if found.exact else ()
        return key

    def is_below(self, narrow: str, wide: str) -> bool:
        return any(
            tree.startswith(f"{above}.")
            for tree in self.trees[narrow]
            for above in self.trees[wide]
        )

    def are_sisters(self, one: str, other: str) -> bool:
        parents = [
            {tree.rsplit(".", 1)[0] for tree in self.trees[key] if "." in tree}
            for key in (one, other)
        ]
        return one != other and bool(parents[0] & parents[1])


def last_day(written: str) -> str:
    days = {"02": "28", "04": "30", "06": "30", "09": "30", "11": "30"}
    if len(written) == 4:
        return f"{written}-12-31"
    if len(written) == 7:
        year, month = written.split("-")
        leap = month == "02" and int(year) % 4 == 0
        return f"{written}-{'29' if leap else days.get(month, '31')}"
    return written


def read(study: dict[str, Any], names: DrugNames, trees: Trees) -> Record:
    protocol = study["protocolSection"]
    status = protocol["statusModule"]
    ended = status.get("completionDateStruct") or status.get("primaryCompletionDateStruct") or {}
    given = protocol.get("armsInterventionsModule", {}).get("interventions", [])
    meshes = study.get("derivedSection", {}).get("conditionBrowseModule", {}).get("meshes", [])
    return Record(
        posted=status.get("studyFirstPostDateStruct", {}).get("date"),
        updated=status.get("lastUpdatePostDateStruct", {}).get("date", "9999-12-31"),
        status=status.get("overallStatus", ""),
        reason=status.get("whyStopped"),
        phases=tuple(protocol.get("designModule", {}).get("phases", ())),
        ended=last_day(ended["date"]) if ended.get("type") == "ACTUAL" else None,
        drugs={
            drug.key: drug.name
            for each in given
            if each.get("type") in ("DRUG", "BIOLOGICAL")
            for drug in names.read(each["name"])
        },
        conditions={trees.key(mesh["term"]) for mesh in meshes},
    )


def is_phase_2(phases: Sequence[str]) -> bool:
    return any(phase in ("PHASE2", "PHASE3", "PHASE4") for phase in phases)


def is_late(record: Record) -> bool:
    return bool({"PHASE3", "PHASE4"} & set(record.phases))


def grade(trials: Sequence[Record], cutoff: str) -> str:
    known = [(trial.known_status(cutoff), trial) for trial in trials]
    if not known:
        return "untested"
    if any(status == "COMPLETED" and is_late(trial) for status, trial in known):
        return "established"
    if any(status in ONGOING and is_phase_2(trial.phases) for status, trial in known):
        return "active"
    return "stopped" if all(status in STOPPED for status, _ in known) else "early"


def count_naively(
    studies: Iterable[dict[str, Any]], vocabulary: Vocabulary, *, cutoff: str, until: str
) -> Counts:
    """Give the counts of every line of the report."""
    trees = Trees(vocabulary)
    names = DrugNames(vocabulary)
    dated = [each for each in (read(study, names, trees) for study in studies) if each.posted]
    past = [each for each in dated if (each.posted or "") <= cutoff]
    counts: Counter[tuple[str, str, str]] = Counter()
    for lines, outcomes in _pairs(_Then(past, trees, cutoff), dated, until):
        for scope, name in lines:
            counts[scope, name, "pairs"] += 1
            for outcome in outcomes:
                counts[scope, name, outcome] += 1
    keys = {(scope, name) for scope, name, _ in counts}
    found = {}
    for scope, name in keys:
        pairs, new, late, stop = (
            counts[scope, name, what] for what in ("pairs", "new_trial", "phase_3", "stop")
        )
        found[scope, name] = (pairs, new, late, stop)
    return found


class _Then:
    """What was there at the cutoff."""

    def __init__(self, past: list[Record], trees: Trees, cutoff: str) -> None:
        self.past, self.trees, self.cutoff = past, trees, cutoff
        self.since = f"{int(cutoff[:4]) - 2}{cutoff[4:]}"
        self.conditions = sorted({key for each in past for key in each.conditions})
        self.drugs = {key: name for each in past for key, name in each.drugs.items()}
        self._touched: dict[int, set[str]] = {}
        self.of_drug = {
            drug: [each for each in past if drug in each.drugs] for drug in sorted(self.drugs)
        }
        self.of_condition = {
            condition: [each for each in past if each.drugs and self.counts(each, condition)]
            for condition in self.conditions
        }
        self.classes = {}
        for drug, name in self.drugs.items():
            concept = trees.vocabulary.get(drug)
            self.classes[drug] = _narrow(name, *(concept.names if concept else ()))

    def counts(self, record: Record, condition: str) -> bool:
        if id(record) not in self._touched:
            self._touched[id(record)] = {
                wide
                for wide in self.conditions
                for key in record.conditions
                if key == wide or self.trees.is_below(key, wide)
            }
        return condition in self._touched[id(record)]

    def is_recent(self, record: Record) -> bool:
        return (record.posted or "") > self.since

    def signals(self, drug: str, condition: str, own: list[Record]) -> Iterator[str]:
        of_drug, of_condition = self.of_drug[drug], self.of_condition[condition]
        mates = [
            each
            for each in of_condition
            if any(self.classes[other] & self.classes[drug] for other in set(each.drugs) - {drug})
        ]
        holds = {
            "drug_busy": len(of_drug) >= 10,
            "drug_recent": any(map(self.is_recent, of_drug)),
            "drug_late": any(map(is_late, of_drug)),
            "condition_busy": len(of_condition) >= 10,
            "condition_recent": any(map(self.is_recent, of_condition)),
            "both_busy": len(of_drug) >= 10 and len(of_condition) >= 10,
            "near_tested": any(
                self.trees.are_sisters(key, condition)
                for key in set().union(*(each.conditions for each in of_drug))
            ),
            "class_tested": bool(mates),
            "class_late": any(map(is_late, mates)),
            "class_stopped": any(self.stop_known(each) for each in mates),
            "pair_repeated": len(own) >= 2,
            "pair_recent": any(map(self.is_recent, own)),
            "pair_phase_2": any(is_phase_2(each.phases) for each in own),
            "pair_stopped": any(map(self.stop_known, own)),
            "pair_stopped_gravely": any(
                self.stop_known(each)
                and {"safety", "efficacy"} & set(classify_stop_reason(each.reason).categories)
                for each in own
            ),
        }
        yield from (name for name, is_so in holds.items() if is_so)

    def stop_known(self, record: Record) -> bool:
        return record.known_status(self.cutoff) in STOPPED


def _pairs(
    then: _Then, dated: list[Record], until: str
) -> Iterator[tuple[list[tuple[str, str]], list[str]]]:
    """Yield, for each pair, the lines it belongs to and what followed."""
    relevant = {drug: [each for each in dated if drug in each.drugs] for drug in then.drugs}
    for drug in then.drugs:
        for condition in then.conditions:
            own = [each for each in then.of_drug[drug] if then.counts(each, condition)]
            scope = "tested" if own else "untested"
            graded = grade(own, then.cutoff)
            lines = [("all", "all_pairs"), ("all", graded), (scope, f"{scope}_pairs")]
            lines += [(scope, name) for name in then.signals(drug, condition, own)]
            later = [each for each in relevant[drug] if then.counts(each, condition)]
            yield lines, list(_outcomes(later, then.cutoff, until))


def _outcomes(trials: list[Record], cutoff: str, until: str) -> Iterator[str]:
    new = [each for each in trials if cutoff < (each.posted or "") <= until]
    if new:
        yield "new_trial"
    if any("PHASE3" in each.phases for each in new):
        yield "phase_3"
    if any(_stopped_after(each, cutoff, until) for each in trials):
        yield "stop"


def _stopped_after(record: Record, cutoff: str, until: str) -> bool:
    posted = record.posted or ""
    if record.status not in STOPPED:
        return False
    if posted <= cutoff and record.known_status(cutoff) in STOPPED:
        return False
    return max(record.ended or record.updated, posted) <= until


def _narrow(*names: str) -> set[str]:
    found = classes_of(*names)
    wider = {name for each in found for name in each.wider}
    return {each.name for each in found} - wider
