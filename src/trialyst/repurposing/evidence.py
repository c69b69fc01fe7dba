"""Why a trial matches a term: the words of its own record that say so, found again here.

The same spelling rules as in the search; what they do not find is told as the source's own reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from trialyst.folding import fold_phrase
from trialyst.questions.names import Part, Term
from trialyst.repurposing.answers import HowMatched, Match

if TYPE_CHECKING:
    from trialyst.ctgov.trial import Trial

__all__ = ["explain", "is_narrower", "names_any"]

_Reader = Callable[["Trial"], Iterable[str | None]]

_TITLES: Mapping[str, _Reader] = {
    "BriefTitle": lambda trial: (trial.brief_title,),
    "OfficialTitle": lambda trial: (trial.official_title,),
    "Keyword": lambda trial: trial.keywords,
}
_CONDITION: Mapping[str, _Reader] = {
    "Condition": lambda trial: trial.conditions,
    **_TITLES,
    "ConditionMeshTerm": lambda trial: (mesh.term for mesh in trial.condition_mesh),
    "ConditionAncestorTerm": lambda trial: (mesh.term for mesh in trial.condition_ancestors),
}
_DRUG: Mapping[str, _Reader] = {
    "InterventionName": lambda trial: (each.name for each in trial.interventions),
    "InterventionOtherName": lambda trial: (
        name for each in trial.interventions for name in each.other_names
    ),
    **_TITLES,
    "ArmGroupLabel": lambda trial: (arm.label for arm in trial.arms),
    "InterventionDescription": lambda trial: (each.description for each in trial.interventions),
    "ArmGroupDescription": lambda trial: (arm.description for arm in trial.arms),
    "InterventionMeshTerm": lambda trial: (mesh.term for mesh in trial.intervention_mesh),
    "InterventionAncestorTerm": lambda trial: (mesh.term for mesh in trial.intervention_ancestors),
}
_ANYWHERE: Mapping[str, _Reader] = {
    **_DRUG,
    **_CONDITION,
    "BriefSummary": lambda trial: (trial.brief_summary,),
}
_PIECES = {"drug": _DRUG, "class": _DRUG, "condition": _CONDITION, "term": _ANYWHERE}
_ORDER = {how: place for place, how in enumerate(HowMatched)}


def explain(trial: Trial, *terms: Term | None) -> tuple[Match, ...]:
    """Say for every part of every term how the trial matches it, as closely as it does."""
    return tuple(_explain(trial, part, term.kind) for term in terms if term for part in term.parts)


def is_narrower(matches: Sequence[Match]) -> bool:
    """Whether a trial studies a narrower condition: found through a MeSH ancestor only."""
    return any(match.of == "condition" and match.how is HowMatched.ANCESTOR for match in matches)


def names_any(text: str, term: Term) -> bool:
    """Whether a text holds a name of each part of a term."""
    padded = f" {fold_phrase(text)} "
    return all(any(f" {phrase} " in padded for phrase, _ in part.phrases) for part in term.parts)


def _explain(trial: Trial, part: Part, kind: str) -> Match:
    best: Match | None = None
    for piece, read in _PIECES[kind].items():
        for text in read(trial):
            found = _in_text(text, part) if text else None
            if found is None:
                continue
            phrase, name = found
            match = Match(of=kind, how=_how(piece, own=phrase in part.own), found=name, piece=piece)
            if match.how is HowMatched.NAME:
                return match
            if best is None or _ORDER[match.how] < _ORDER[best.how]:
                best = match
    return best or Match(of=kind, how=HowMatched.SOURCE)


def _in_text(text: str, part: Part) -> tuple[str, str] | None:
    padded = f" {fold_phrase(text)} "
    return next(((p, name) for p, name in part.phrases if f" {p} " in padded), None)


def _how(piece: str, *, own: bool) -> HowMatched:
    if piece.endswith("AncestorTerm"):
        return HowMatched.ANCESTOR
    if piece.endswith("MeshTerm"):
        return HowMatched.MESH_TERM
    return HowMatched.NAME if own else HowMatched.SYNONYM
