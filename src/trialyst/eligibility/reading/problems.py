"""Conditions, symptoms and findings, each with its severity, stage, activity and site."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from trialyst.eligibility.chart import Assertion, Problem
from trialyst.eligibility.reading.headings import Section
from trialyst.eligibility.tables import read_lines
from trialyst.eligibility.words import PhraseTable
from trialyst.vocabulary.term import TermKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trialyst.eligibility.chart import TimePoint
    from trialyst.eligibility.lexicon import Lexicon, Named
    from trialyst.eligibility.reading.passage import Passage

__all__ = ["PROBLEMS", "date_complaints", "find_stages", "read_problems"]

PROBLEMS = frozenset((TermKind.CONDITION, TermKind.SYMPTOM))
_AROUND = 4
"""Words before and behind a name among which its modifiers are looked for."""
_APART = frozenset((";", ".", "but", "who", "which", "no", "denies", "without"))
_STAGE = re.compile(
    r"\b(?:(?:clinical|pathologic(?:al)?|AJCC|FIGO|Dukes['\u2019]?|TNM|Ann Arbor|INSS|INRG|ISS"
    r"|R-ISS|Rai|Hurley|GOLD|BCLC)\s+)?(?:stage[sd]?|BCLC)\s*[:=]?\s*"
    r"((?:IV|I{1,3}|[0-5]|(?<=BCLC )[A-D])(?:\s?[A-E](?:[1-3]|S|E)?)?)"
    r"(?:\s*[-/\u2013]\s*(?:IV|I{1,3}|[1-5])[A-C]?)?\b",
    re.IGNORECASE,
)
_TNM = re.compile(
    r"\b([pcyr]{0,2}T(?:[0-4][a-d]?|is|x)\s*,?\s*[pcy]?N(?:[0-3][a-c]?|x)\s*,?\s*"
    r"(?:[pcy]?M(?:[01][a-c]?|x))?)\b"
)
_SIDE = (
    r"(?:left|right|bilateral|upper|lower|middle|anterior|posterior|lateral|medial|distal|proximal"
    r"|midline|central|temporal|frontal|parietal|occipital|inferior|superior)(?:-sided)?"
)
_PART = (
    r"(?:[a-z]+(?:\s(?:lobe|joint|artery|breast|quadrant|valve|extremity|ventricle|chest|hip))?)"
)
_SITE_BEFORE = re.compile(rf"\b((?:{_SIDE}\s+)+(?:[a-z]+\s+)?)$", re.IGNORECASE)
_SITE_AFTER = re.compile(
    r"(?:\s+(?:is|was|became|on|to|palpation))*\s+(?:locali[sz]\w+ |located )?"
    rf"(?:of|in|involving|over|to|at|on)\s+(?:the\s+|his\s+|her\s+|both\s+)?"
    rf"(?:(?:(?P<side>{_SIDE})\s+(?:side|aspect|part|surface)|(?:in|out)side|back|front|tip|top)"
    r"\s+of\s+(?:the\s+|his\s+|her\s+)?)?"
    rf"(?P<part>(?:{_SIDE}\s+)*{_PART})",
    re.IGNORECASE,
)
_SERVICE = re.compile(
    r"\s+(?:doctor|physician|specialist|clinic|consult\w*|service|nurse|ward|unit|cent(?:er|re)|team"
    r"|department|institute|educat\w+)s?\b|\s+(?:asleep\b|of (?:19|20)[0-9]{2})",
    re.IGNORECASE,
)
"""What stands behind a word that names no problem: who treats the disease, or another sense."""
_NO_PROBLEM = frozenset(("allergy", "allergies", "allergic"))
"""Words told as allergies, not as problems."""
_YEAR = re.compile(
    r"(?: in situ)?,?\s*\(?(?:in )?(?:early |late |mid-?)?(?:19|20)[0-9]{2}\b(?!\s*:)"
)
_DIAGNOSED = re.compile(
    r",?\s*\(?(?:which )?(?:was |were )?(?:first |initially )?(?:diagnosed|dx)\b", re.I
)
"""What is said of a disease that goes on, though it tells of the past."""
_WAS_DIAGNOSED = re.compile(r"\bdiagnosed with (?:an? )?(?:[\w-]+ ){0,3}$", re.IGNORECASE)
_GOING_ON = ("diagnos", "dx", "since", "known")
_LOOK_BACK = 40
_ONSET = re.compile(
    r"\b(?:(?:onset of )?(?:the|this|his|her|these) (?:pain|symptoms?|complaints?) "
    r"(?:\w+ )?(?:began|started|appeared)"
    r"|(?:the |his |her )?symptoms? (?:have |has )?(?:began|started|been present))\b",
    re.IGNORECASE,
)
_ONSET_WITHIN = 3
"""Sentences behind a complaint in which its beginning may be told."""
_VISIT = "today"
"""When a patient is seen, which does not say since when anything is."""
_SPREAD = "Neoplasm Metastasis"
_IMAGED = re.compile(
    r"\b(?:(brain|bone|liver)\s+(?:MRI|CT|scan|imaging)"
    r"|(?:MRI|CT)\s+(?:scan\s+)?(?:of\s+)?(?:the\s+)?(brain|head|liver))\b",
    re.IGNORECASE,
)
_IMAGED_PARTS = {"head": "brain"}
_WEIGHED = re.compile(
    r"\b(lost|losing|loses|gained|gaining)\s+(?:(?:about|around|almost|over|approximately|some)\s+)?"
    r"[0-9]{1,3}(?:\.[0-9])?\s?-?(?:kgs?|kilo(?:gram)?s?|lbs?|pounds?)\b",
    re.IGNORECASE,
)
_SHORTEST = 4
"""Letters of names that are short forms, which no organ stands before."""
_NUMERALS = ("0", "I", "II", "III", "IV", "V")


class _Modifier(NamedTuple):
    field: str
    place: str
    value: str


@cache
def _modifiers() -> PhraseTable[tuple[_Modifier, ...]]:
    told: dict[str, list[_Modifier]] = {}
    for line in read_lines("modifiers.txt"):
        field, place, value, phrases = (part.strip() for part in line.split("|"))
        for phrase in phrases.split(";"):
            told.setdefault(phrase.strip(), []).append(_Modifier(field, place, value))
    return PhraseTable((phrase, tuple(modifiers)) for phrase, modifiers in told.items())


def read_problems(passage: Passage, lexicon: Lexicon) -> Iterator[Problem]:
    """Give the conditions, symptoms and findings of a sentence."""
    names = [each for each in passage.names if each.kind in PROBLEMS and each.start >= passage.body]
    yield from _changes_of_weight(passage, lexicon)
    if not names or passage.section is Section.ALLERGY:
        return
    modifiers = list(_modifiers().find(passage.words))
    stages = find_stages(passage.text)
    for number, name in enumerate(names):
        if _is_no_problem(passage, name):
            continue
        limits = (
            names[number - 1].end if number else 0,
            names[number + 1].start if number + 1 < len(names) else len(passage.text),
        )
        fields = _modified(passage, name, limits, modifiers)
        if fields.get("activity") == "recurrent" and "negated" in passage.effects(*name[2:]):
            # No recurrent infections does not say that there is none now.
            continue
        fields["stage"] = _stage(passage, name, names, stages)
        fields["site"] = _site(passage.text, name)
        yield _problem(passage, _placed(passage.text, name, fields["site"], lexicon), fields)


def _changes_of_weight(passage: Passage, lexicon: Lexicon) -> Iterator[Problem]:
    """Give weight that was lost or gained, told by how much."""
    for match in _WEIGHED.finditer(passage.text):
        what = lexicon.term("weight loss" if match.group(1).lower()[0] == "l" else "weight gain")
        yield Problem(**passage.entry(*match.span()), what=what, kind=TermKind.SYMPTOM)


def _is_no_problem(passage: Passage, name: Named) -> bool:
    """Whether a name is told as an allergy or a marker, or means something else."""
    return (
        passage.text[name.start : name.end].lower() in _NO_PROBLEM
        or _SERVICE.match(passage.text, name.end) is not None
        or any(each.start <= name.start and name.end <= each.end for each in passage.markers)
    )


def _problem(passage: Passage, name: Named, fields: dict[str, Any]) -> Problem:
    entry = passage.entry(name.start, name.end)
    if entry["when"] is not None and entry["when"].words.lower().strip(" .") == _VISIT:
        entry["when"] = None
    over = fields.get("activity") == "resolved" or _YEAR.match(passage.text, name.end)
    if over and entry["assertion"] is Assertion.PRESENT:
        near = passage.text[max(0, name.start - _LOOK_BACK) : name.start].lower()
        if not any(word in near for word in _GOING_ON):
            entry["assertion"] = Assertion.HISTORICAL
    if entry["assertion"] is Assertion.HISTORICAL and _goes_on(passage, name):
        entry["assertion"] = Assertion.PRESENT
    if entry["assertion"] is Assertion.FAMILY:
        fields["relative"] = _relative(passage, name)
    return Problem(**entry, what=name.what, kind=name.kind, **fields)


def _goes_on(passage: Passage, name: Named) -> bool:
    """Whether a time that lies back is that of the diagnosis of a disease that goes on."""
    if _DIAGNOSED.match(passage.text, name.end):
        return True
    cues = {passage.text[slice(*each.cue)].lower() for each in passage.scope.at(*name[2:])}
    if passage.section is Section.PAST or any("ago" not in cue for cue in cues):
        return False
    return _WAS_DIAGNOSED.search(passage.text, 0, name.start) is not None


def _relative(passage: Passage, name: Named) -> str:
    """Give who of the family is spoken of, where a word tells."""
    for reach in passage.scope.at(name.start, name.end):
        word = passage.text[slice(*reach.cue)].lower()
        if reach.effect == "family" and "family" not in word:
            return word
    return ""


def _modified(
    passage: Passage, name: Named, limits: tuple[int, int], modifiers: list[Any]
) -> dict[str, Any]:
    """Give severity and activity from the words beside a name and within it."""
    found: dict[str, Any] = {}
    within: dict[str, Any] = {}
    words = passage.words
    for phrase in modifiers:
        start, end = words[phrase.first].start, words[phrase.last - 1].end
        if start < limits[0] or end > limits[1] or (start == name.start and end == name.end):
            continue
        between = (
            passage.text[end : name.start] if end <= name.start else passage.text[name.end : start]
        )
        place = "after" if start >= name.end else "before"
        following = passage.text[end : limits[1]] if limits[1] < len(passage.text) else "."
        if not _is_beside(between, place) or (place == "after" and not following.strip()):
            # A word right before the next name is said of that one: "nausea and mild dyspnea".
            continue
        for modifier in phrase.value:
            if modifier.place in (place, "beside"):
                # What is part of a name, as in acute leukemia, tells less than what is beside it.
                inside = name.start <= start and end <= name.end
                (within if inside else found).setdefault(modifier.field, modifier.value)
    return within | found


def _is_beside(between: str, place: str) -> bool:
    words = between.lower().split()
    most = _AROUND if place == "before" else _AROUND - 1
    if len(words) > most or not _APART.isdisjoint(words):
        return False
    return not (";" in between or ". " in between or between.count(",") > (place == "after"))


def find_stages(text: str) -> list[tuple[str, int, int]]:
    """Give the stages a text tells, each in one spelling with its place.

    >>> find_stages("stage 3b NSCLC")
    [('IIIB', 0, 8)]
    """
    if "tage" not in text and "TAGE" not in text and "N" not in text:
        return []
    found = [(_stage_name(match.group(1)), *match.span()) for match in _STAGE.finditer(text)]
    return found + [(match.group(1), *match.span()) for match in _TNM.finditer(text)]


def _stage_name(text: str) -> str:
    plain = text.replace(" ", "").upper()
    return _NUMERALS[int(plain[0])] + plain[1:] if plain[0].isdigit() else plain


def _stage(
    passage: Passage, name: Named, names: list[Named], stages: list[tuple[str, int, int]]
) -> str:
    """Give the stage told of a condition: the one nearest to it of all conditions."""
    for stage, start, end in stages:
        nearest = min(
            (each for each in names if _has_stage(each) or each is name),
            key=lambda each: (
                each.start - end if each.start >= end else max(0, start - each.end) + 1
            ),
        )
        between = passage.text[min(end, name.end) : max(start, name.start)]
        if nearest is name and _has_stage(name) and ";" not in between and ". " not in between:
            return stage
    return ""


def _has_stage(name: Named) -> bool:
    return name.kind is TermKind.CONDITION and name.what.name != _SPREAD


def date_complaints(problems: list[Problem], read: Sequence[Passage]) -> list[Problem]:
    """Give a complaint the time that a later sentence tells of it: "the pain began 3 weeks ago"."""
    told: dict[int, tuple[str, TimePoint]] = {}
    for passage in read:
        match = _ONSET.search(passage.text) if passage.times else None
        if match is not None and not passage.effects(*match.span()):
            when = passage.when(match.start(), match.end())
            if when is not None:
                what = "pain" if "pain" in match.group().lower() else ""
                told[passage.sentence.number] = (what, when)
    if not told:
        return problems
    dated = []
    for each in problems:
        for number in range(each.sentence + 1, each.sentence + 1 + _ONSET_WITHIN):
            what, when = told.get(number, ("", None))
            named = each.what.name.lower()
            if when is not None and _is_complaint(each) and what in named:
                dated.append(replace(each, when=when))
                break
        else:
            dated.append(each)
    return dated


def _is_complaint(problem: Problem) -> bool:
    complained = problem.kind is TermKind.SYMPTOM or "pain" in problem.what.name.lower()
    return complained and problem.when is None and problem.assertion is Assertion.PRESENT


def _placed(text: str, name: Named, site: str, lexicon: Lexicon) -> Named:
    """Read "osteoarthritis of the right hip" as that of the hip, where there is a name for it."""
    written, sites = text[name.start : name.end], [site, *site.split()[-1:]]
    if name.what.name == _SPREAD:
        match = _IMAGED.search(text, 0, name.start)
        imaged = "" if match is None else next(filter(None, match.groups())).lower()
        written, sites = "metastases", [_IMAGED_PARTS.get(imaged, imaged)]
    if len(written) < _SHORTEST:
        return name
    for place in filter(None, sites):
        whole = f"{place} {written}"
        found = [each for each in lexicon.find(whole) if (each.start, each.end) == (0, len(whole))]
        if found and found[0].kind in PROBLEMS:
            return name._replace(what=found[0].what, kind=found[0].kind)
    return name


def _site(text: str, name: Named) -> str:
    after = _SITE_AFTER.match(text, name.end)
    if after is not None:
        return " ".join(filter(None, (after["side"], after["part"].strip())))
    before = _SITE_BEFORE.search(text, max(0, name.start - 40), name.start)
    return before.group(1).strip() if before is not None else ""
