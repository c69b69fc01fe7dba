"""What a leaf is compared with: the chart, how terms relate, what the trial is about."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from trialyst.eligibility.answer import Answer, Applicability, Basis, Verdict
from trialyst.eligibility.chart import Problem, Therapy
from trialyst.eligibility.comparison.touched_entries import TouchedEntries
from trialyst.eligibility.silence import Reading, read_silence
from trialyst.vocabulary.relations import Relation, Relations
from trialyst.vocabulary.term import TermKind

if TYPE_CHECKING:
    from trialyst.eligibility.chart import Chart, Entry
    from trialyst.vocabulary.term import Term

__all__ = ["Case", "Focus"]

_NEAR = frozenset({Relation.SAME, Relation.NARROWER, Relation.WIDER})


@dataclass(frozen=True, slots=True)
class Focus:
    """What a trial is about."""

    conditions: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Case:
    """A chart under judgement for the criteria of one side of a trial."""

    chart: Chart
    relations: Relations
    exclusion: bool = field(kw_only=True)
    """Whether they stand among what excludes."""
    focus: Focus | None = field(default=None, kw_only=True)
    """What the trial is about, where that is known."""
    stated_only: bool = field(default=False, kw_only=True)
    """Take silence as unknown throughout, for charts that hold a few facts."""
    found: TouchedEntries | None = field(default=None, kw_only=True, repr=False, compare=False)
    """What of the chart bears on terms, where another case of the same chart has it."""

    @cached_property
    def touched(self) -> TouchedEntries:
        """What of the chart bears on terms."""
        return TouchedEntries(self.chart, self.relations) if self.found is None else self.found

    def relate(self, one: Term, other: Term) -> Relation:
        """Say how the first term stands to the second."""
        return self.relations.relate(one, other)

    def is_focus(self, term: Term) -> bool:
        """Whether a condition is what the trial is about, or a kind of it, or wider."""
        if self.focus is None:
            return False
        return any(self.relate(term, each) in _NEAR for each in self.focus.conditions)

    @cached_property
    def topic(self) -> str:
        """Whether the trial is about something the patient has: `own`, `other` or `open`."""
        if self.focus is None or not self.focus.conditions:
            return "open"
        held = [each.what for each in self.chart.problems if each.is_there]
        return "own" if any(map(self.is_focus, held)) else "other"

    def without(self, entries: tuple[Entry, ...]) -> Case | None:
        """Give the case with a chart that lacks some problems and therapies; None if none goes.

        Entries of the same term go together: a note may name one thing several times.
        """
        gone = {each.what.id for each in entries if isinstance(each, Problem | Therapy)}
        if not gone:
            return None
        main = self.chart.main
        # With the disease the note is about its symptoms go: short stature with achondroplasia.
        all_of_it = main is not None and main.what.id in gone
        chart = replace(
            self.chart,
            problems=tuple(
                each
                for each in self.chart.problems
                if each.what.id not in gone and not (all_of_it and each.kind is TermKind.SYMPTOM)
            ),
            therapies=tuple(each for each in self.chart.therapies if each.what.id not in gone),
        )
        left = len(chart.problems) + len(chart.therapies)
        # The main problem may be none of the list; without it the chart would be the same again.
        same = left == len(self.chart.problems) + len(self.chart.therapies)
        return None if same else replace(self, chart=chart, found=None)

    def silent(
        self,
        kind: str,
        about: str,
        *,
        wanted: bool,
        missing: str = "",
        evidence: tuple[Entry, ...] = (),
        applicability: Applicability = Applicability.APPLIES,
    ) -> Answer:
        """Answer for a leaf the chart does not speak of."""
        reading = Reading.OPEN
        if not self.stated_only:
            reading = read_silence(kind, about, self.topic, exclusion=self.exclusion, wanted=wanted)
        if reading is Reading.UNFAVOURABLE and about in _UNREAD:
            reading = Reading.OPEN
        verdict = _VERDICTS[reading, wanted]
        if not evidence and not wanted and verdict is Verdict.NOT_MET:
            roles = _SUMMARIES.get(kind, ("no history",))
            told = (fact for fact in self.chart.person if fact.role in roles)
            evidence = tuple(islice(told, 1))
        return Answer(
            verdict,
            Basis.SILENCE,
            f"{kind}/{about}/{self.topic}/{'wanted' if wanted else 'unwanted'}",
            evidence,
            "" if verdict is Verdict.UNKNOWN else "The chart does not mention it.",
            missing if verdict is Verdict.UNKNOWN else "",
            applicability,
        )


_UNREAD = frozenset({"words", "unknown words"})
"""What nobody understood is never held against a patient."""
_SUMMARIES = {"Took": ("no medications", "no history"), "Measured": (), "Allergy": ()}
"""Statements of a note that speak against whatever is ruled out, by kind of leaf."""
_VERDICTS = {
    (Reading.OPEN, True): Verdict.UNKNOWN,
    (Reading.OPEN, False): Verdict.UNKNOWN,
    (Reading.FAVOURABLE, True): Verdict.MET,
    (Reading.FAVOURABLE, False): Verdict.NOT_MET,
    (Reading.UNFAVOURABLE, True): Verdict.NOT_MET,
    (Reading.UNFAVOURABLE, False): Verdict.MET,
}
