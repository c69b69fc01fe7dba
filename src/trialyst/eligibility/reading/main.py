"""The main diagnosis: what a note is about.

A disease presented for, diagnosed or under treatment leads over companions such as hypertension;
what is over, was found by the way or is only suspected stands behind; a symptom leads only where no
disease is named.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from trialyst.eligibility.chart import Assertion, Problem
from trialyst.eligibility.reading.headings import Section
from trialyst.eligibility.tables import read_lines
from trialyst.eligibility.words import split_words
from trialyst.vocabulary.term import TermKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trialyst.eligibility.chart import MarkerEntry, Therapy
    from trialyst.eligibility.lexicon import Lexicon
    from trialyst.eligibility.reading.note import Note

__all__ = ["choose_main", "is_cancer", "leading_kind", "locate", "revive", "spread"]

_CANCER = ("C04", "C15.378.190.625.640")
_PROCESSES = ("C23",)
_SIGNS = "C23.888"
_DISEASES = ("C23.888.144.699", "C23.888.592.742", "C23.888.592.604")
"""Obesity, seizures and disorders of the mind, which stand among the signs and are diseases."""
_LISTED_HISTORY = re.compile(
    r"\b(?:medical history|past history|pmhx?|past medical|comorbidit\w+|hx(?!\s+of))\b",
    re.IGNORECASE,
)
_SECTIONS = {
    Section.ASSESSMENT: 2.5,
    Section.COMPLAINT: 1.5,
    Section.PRESENT: 0.5,
    Section.PAST: -2.0,
    Section.SURGERY: -2.0,
    Section.SOCIAL: -2.0,
    Section.REVIEW: -1.5,
    Section.EXAMINATION: -1.0,
    Section.MEDICATION: -1.5,
    Section.ALLERGY: -3.0,
    Section.PLAN: -0.5,
    Section.FAMILY: -5.0,
}
_DIAGNOSED = re.compile(
    r"(?:diagnos(?:ed|is|es)(?: (?:with|of|is|was|as|to have))?|\bdx:?|consistent with|c/w"
    r"|confirm(?:s|ed|ing)?|known to have|revealed|referred for|follow[- ]up (?:of|for)"
    r"|suffer(?:s|ing) from|meets(?: the)? criteria for|biopsy|pathology|questionnaire:"
    r"|found to have|believe \w+ (?:has|is)|likely due to|evaluation of|management of"
    r"|treatment of|(?:being|undergoing) treat\w+ for"
    r"|\b(?:x-?rays?|radiographs?|ct|mri|scan|ultrasound|imaging|echo\w*|\w+oscopy|angiogra\w+|smear"
    r"|culture)\b[^.;]{0,40}(?:show(?:s|ed|ing)?|:|demonstrat\w+))"
    r"\W*(?:\w+\W+){0,5}$",
    re.IGNORECASE,
)
_PRESENTED = re.compile(
    r"(?:present(?:s|ed|ing)?(?: to [^.]{0,40})? (?:with|for)|admitted (?:with|for)|p/w"
    r"|complain(?:s|ing) of|comes? (?:in )?(?:with|for)|(?:year|yr)s?[- ]old[^.,]{0,60} with"
    r"|^[^.]{0,30}\b(?:with|w/))\W*(?:\w+\W+){0,6}$",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"(?<!likely )(?:due to|secondary to|because of|complicated by|caused by|as well as"
    r"|in the setting of|on the background of|risk factors?:?|treated for|comorbid\w*[^.]{0,40}:)"
    r"\W*(?:\w+\W+){0,3}$",
    re.IGNORECASE,
)
_NEAR, _LONGEST_LIST = 90, 300
_ACTIVE = frozenset(
    (
        *("metastatic", "locally advanced", "newly diagnosed", "relapsed", "refractory", "active"),
        *("relapsed or refractory", "recurrent", "advanced", "acute", "worsening", "end stage"),
    )
)
_OVER = frozenset(("resolved", "incidental", "latent"))


_WEIGHTS = {"ordinary": -2.0, "companion": -0.75, "finding": -0.75, "general": -2.0}
_SIGN = -3.0
_TELLING = ("", "companion", "finding")
_PARTS, _COMPANIONS = ("general", "finding"), ("companion", "ordinary")
_LEAST, _LEAST_ORDINARY = -1.2, 0.75
"""What a disease has to weigh to lead over what findings show, and these over symptoms."""


@cache
def _weights() -> dict[str, str]:
    found = {}
    for line in read_lines("leading.txt"):
        weight, _, names = line.partition("|")
        for name in names.split(";"):
            found[name.strip().lower()] = weight.strip()
    return found


def is_cancer(problem: Problem) -> bool:
    """Say whether a problem is a neoplasm."""
    return any(tree.startswith(_CANCER) for tree in problem.what.trees)


def leading_kind(problem: Problem) -> str:
    """Give why a condition seldom leads, a row of `leading.txt`; empty for most."""
    return _weights().get(problem.what.name.lower(), "")


def choose_main(
    note: Note,
    problems: Sequence[Problem],
    therapies: Sequence[Therapy],
    markers: Sequence[MarkerEntry],
) -> Problem | None:
    """Give the condition the note is most about; a symptom if it names no condition."""
    candidates = [
        problem
        for problem in problems
        if not problem.negated
        and problem.assertion in (Assertion.PRESENT, Assertion.HISTORICAL, Assertion.POSSIBLE)
    ]
    if any(is_cancer(each) and not _is_spread(each) for each in candidates):
        candidates = [each for each in candidates if not _is_spread(each)]
    if not candidates:
        return None
    scorer = _Scorer(note, candidates, therapies, markers)
    scored = [(scorer.score(problem), -problem.start, problem) for problem in candidates]
    shown = any(map(_is_shown, candidates))
    for inferred in (False, True):
        diseases = [
            each
            for each in scored
            if bool(each[2].inferred_from) is inferred
            and not _is_sign(each[2])
            and not (shown and _is_part(each[2]))
            and each[0] >= (_LEAST if inferred else _least(each[2]))
        ]
        if diseases:
            return max(diseases, key=_by_score)[2]
    return max(scored, key=_by_score)[2]


def _is_spread(problem: Problem) -> bool:
    return "metasta" in problem.what.name.lower()


def spread(main: Problem, problems: Sequence[Problem]) -> Problem:
    """Give a cancer as metastatic where the note tells of metastases anywhere."""
    told = any(_is_spread(each) and each.holds for each in problems)
    if not told or not is_cancer(main) or main.activity == "metastatic":
        return main
    return replace(main, activity="metastatic")


def revive(problems: Sequence[Problem]) -> list[Problem]:
    """Give problems with the cancer that has metastases going on, though it was once removed."""
    spreads = [each for each in problems if _is_spread(each) and each.holds]
    cancers = [each for each in problems if is_cancer(each) and not _is_spread(each)]
    cancers = [each for each in cancers if each.holds and not each.inferred_from]
    if not spreads or any(
        each.assertion is Assertion.PRESENT and each.activity not in _OVER for each in cancers
    ):
        return list(problems)
    own = cancers[0].what.id if cancers else ""
    stage = next((each.stage for each in spreads if each.stage), "")
    return [
        replace(
            each,
            assertion=Assertion.PRESENT,
            activity="metastatic",
            stage=each.stage or stage,
        )
        if each.what.id == own and each in cancers
        else each
        for each in problems
    ]


def _is_shown(problem: Problem) -> bool:
    """Whether findings of several sentences together show a disease that has a name of its own."""
    several = len(problem.inferred_from) > 1
    return several and not leading_kind(problem) and not _is_sign(problem)


def _is_part(problem: Problem) -> bool:
    """Whether a named condition may be a finding of another, or one the patient has besides."""
    kind = leading_kind(problem)
    besides = problem.assertion is Assertion.HISTORICAL and kind in _COMPANIONS
    return not problem.inferred_from and (kind in _PARTS or besides)


def _by_score(scored: tuple[float, int, Problem]) -> tuple[float, int]:
    return scored[:2]


def _least(problem: Problem) -> float:
    """Give what a named disease has to weigh to lead; more where it tells little by itself."""
    tells = is_cancer(problem) or leading_kind(problem) in _TELLING
    return _LEAST if tells else _LEAST_ORDINARY


def _is_sign(problem: Problem) -> bool:
    """Whether a problem is rather a sign of one, such as pain or weight loss."""
    trees = problem.what.trees
    if problem.kind is TermKind.SYMPTOM or any(
        tree.startswith(_SIGNS) and not tree.startswith(_DISEASES) for tree in trees
    ):
        return True
    return bool(trees) and all(tree.startswith(_PROCESSES) for tree in trees)


def locate(main: Problem, note: Note, lexicon: Lexicon) -> Problem:
    """Give a cancer named by its tissue alone with the organ that the sentences around it name."""
    if main.what.name not in _TISSUES:
        return main
    at = note.sentences.index(note.sentence_at(main.start))
    for number in (at, at - 1, at + 1, at - 2):
        if not 0 <= number < len(note.sentences):
            continue
        sentence = note.sentences[number]
        words = [word for word in split_words(sentence.text, sentence.start) if word.text.isalpha()]
        words.sort(key=lambda word: abs(word.start - main.start))
        for word in words if "metast" not in sentence.text.lower() else ():
            name = f"{_PARTS_OF.get(word.text, word.text)} {_TISSUES[main.what.name]}"
            found = [
                each for each in lexicon.find(name) if (each.start, each.end) == (0, len(name))
            ]
            if found and is_cancer(replace(main, what=found[0].what)):
                return replace(main, what=found[0].what)
    return main


_PARTS_OF = {"lobe": "lung", "hilum": "lung", "bronchus": "lung", "sigmoid": "colon"}
"""Parts that tell the organ."""
_TISSUES = {
    "Carcinoma": "carcinoma",
    "Adenocarcinoma": "adenocarcinoma",
    "Carcinoma, Squamous Cell": "squamous cell carcinoma",
    "Neoplasms": "cancer",
}
"""Cancers that are named by their tissue alone, as they are called with an organ before them."""


class _Scorer:
    """Weighs the problems of one note against each other."""

    def __init__(
        self,
        note: Note,
        candidates: Sequence[Problem],
        therapies: Sequence[Therapy],
        markers: Sequence[MarkerEntry],
    ) -> None:
        self._note = note
        self._times = Counter(problem.what.id for problem in candidates)
        self._treated = {each.sentence for each in therapies if each.status != "refused"}
        self._marked = {each.sentence for each in markers}
        self._later = _orders(note, candidates)
        trees = {tree for problem in candidates for tree in problem.what.trees}
        self._narrower = {
            problem.what.id
            for problem in {each.what.id: each for each in candidates}.values()
            if any(_has_wider(tree, trees) for tree in problem.what.trees)
        }

    def score(self, problem: Problem) -> float:
        """Give how much the note is about a problem."""
        if problem.inferred_from:
            shown = 0.3 * min(len(problem.inferred_from), 5)
            general = leading_kind(problem) == "general"
            if general or len(problem.inferred_from) == 1:
                shown += self._by_kind(problem)
            return shown + (0.25 if problem.assertion is Assertion.PRESENT else -0.75)
        sentence = self._note.sentence_at(problem.start)
        weight = 1.5 / (1 + sentence.number) + 0.4 * min(self._times[problem.what.id], 5)
        weight += _SECTIONS.get(sentence.section, 0.0) - self._later.get(problem.start, 0.0)
        weight += self._by_words(problem, sentence.start)
        weight += self._by_kind(problem)
        if problem.assertion is Assertion.HISTORICAL:
            weight -= 0.75
        elif problem.assertion is Assertion.POSSIBLE:
            weight -= 0.5
        if problem.activity in _OVER:
            weight -= 3.0
        elif problem.activity in _ACTIVE or problem.severity == "severe":
            weight += 0.5
        return weight

    def _by_words(self, problem: Problem, start: int) -> float:
        before = self._note.text[max(start, problem.start - _NEAR) : problem.start]
        weight = 0.0
        if _DIAGNOSED.search(before):
            weight += 1.5
        historical = problem.assertion is Assertion.HISTORICAL
        if not historical and _PRESENTED.search(before):
            weight += 1.0
        if _CAUSE.search(before):
            weight -= 1.0
        if historical and _LISTED_HISTORY.search(
            self._note.text, max(start, problem.start - _LONGEST_LIST), problem.start
        ):
            weight -= 1.5
        return weight - 0.25 * min(before.count(","), 3)

    def _by_kind(self, problem: Problem) -> float:
        weight = _WEIGHTS.get(leading_kind(problem), 0.0)
        if self._note.sentence_at(problem.start).section is Section.ASSESSMENT:
            weight /= 2
        if is_cancer(problem) and problem.assertion is Assertion.PRESENT:
            weight += 2.0
        if _is_sign(problem):
            weight += _SIGN
        weight += 0.75 * bool(problem.stage)
        if problem.sentence in self._marked and is_cancer(problem):
            weight += 0.5
        if problem.sentence in self._treated:
            weight += 0.25
        return weight + 0.75 * (problem.what.id in self._narrower)


def _orders(note: Note, candidates: Sequence[Problem]) -> dict[int, float]:
    """Give how far behind the first of an assessment each of its problems stands."""
    found: dict[int, float] = {}
    seen: dict[Section, dict[str, int]] = {Section.ASSESSMENT: {}, Section.PLAN: {}}
    for problem in candidates:
        ranks = seen.get(note.sentence_at(problem.start).section)
        if ranks is not None:
            found[problem.start] = 0.4 * min(ranks.setdefault(problem.what.id, len(ranks)), 4)
    return found


def _has_wider(tree: str, trees: set[str]) -> bool:
    """Whether a tree number above this one is among others."""
    while "." in tree:
        tree = tree.rpartition(".")[0]
        if tree in trees:
            return True
    return False
