"""The rule of a closed past: a note that says nothing was given denies all treatment of before."""

from __future__ import annotations

import re

from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.result import Verdict
from trialyst.matching.judging.view import NoteView, Sighting

__all__ = ["judge_untreated"]

_KIND = r"(?:systemic |anti-?cancer |specific )*(?:treatments?|therapy|therapies)"
_NOTHING = re.compile(
    r"\b(?:has|have|had) not (?:yet )?(?:received|had|undergone) (?:any |prior |previous )*"
    rf"{_KIND}\b"
    rf"|\bno (?:prior|previous) {_KIND}\b|\b(?:never|not) (?:been )?treated (?:for|systemically)\b"
    r"|\btreatment[- ]na(?:i|\u00ef)ve\b|\bpreviously untreated\b"
    r"|\bno (?:systemic|anti-?cancer) (?:treatment|therapy) (?:so far|to date|yet)\b"
)
_BEFORE = re.compile(
    r"\b(?:prior|previous(?:ly)?|earlier|pre-?treated|received|after|following|progress\w*|failed"
    r"|failure|refractory|resistant|relapsed|completed|cycles|lines? of|response)\b"
)
_ANTICANCER = gated(
    r"\b(?:chemotherap\w*|chemoradi\w*|platinum\w*|immunotherap\w*|systemic (?:therap\w+|treatment)"
    r"|targeted therap\w*|checkpoint|tyrosine kinase|\w+(?:platin|taxel|rubicin|tinib|limab|lumab"
    r"|lizumab|zumab|tuximab|citabine|tecan|poside|ciclib|parib|rafenib|metinib)|anti-?pd-?l?1"
    r"|pemetrexed"
    r"|lines? of (?:therap\w+|treatment))\b"
)
_OPEN_ENDED = re.compile(
    r"\b(?:no|not|never|without|na(?:i|\u00ef)ve|untreated|allowed|permitted|may|if|unless"
    r"|candidates?"
    r"|eligible|should|must|will|start\w*|planned|suitable|appropriate|except\w*|or)\b"
)


_NONE_ASKED = re.compile(
    r"\W*(?:(?:the )?(?:patients?|subjects?|participants?) )?"
    r"(?:(?:have|has|had|must|should|with|who) )*(?:no|not|never|without)\b(?: have)?(?: received)?"
)
_SOME = re.compile(r"\b(?:one|two|three|[1-3])\s+or\s+(?:more|two|three|four|[2-4])\b")


def judge_untreated(case: Case) -> Decision | None:
    """A treatment of before, for a patient whose note says that none was given."""
    lowered = case.statement.lowered
    if _ANTICANCER.search(lowered) is None or _BEFORE.search(lowered) is None:
        return None
    none_asked = _NONE_ASKED.match(lowered) is not None and not case.exclusion
    said = _SOME.sub("", _NONE_ASKED.sub("", lowered) if none_asked else lowered)
    if _OPEN_ENDED.search(said):
        return None
    place = _nothing(case.view)
    if place is None:
        return None
    verdict = Verdict.MET if none_asked else Verdict.NOT_MET
    reason = "The note says that the patient has not been treated before."
    return Decision("untreated", verdict, reason, (place,))


def _nothing(view: NoteView) -> Sighting | None:
    match = _NOTHING.search(view.lowered)
    if match is None:
        return None
    sentence = view.note.sentence_at(match.start())
    return Sighting(sentence.number, match.start(), min(match.end(), sentence.end), "has")
