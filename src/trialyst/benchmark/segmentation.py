"""How many criteria that people took out of eligibility texts are one of ours, whole.

Two forms: TrialGPT's annotations with their trials, and Chia's texts, whose lines are criteria.
Texts count as the same apart from case, white space, a leading mark, a final `or` and punctuation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trialyst.benchmark.annotations import load_annotations_from_file
from trialyst.benchmark.rows import read_rows
from trialyst.ctgov.criteria import Criterion, CriterionKind, split_criteria
from trialyst.errors import InvalidInput
from trialyst.hints import Hint

__all__ = ["Wanted", "load_wanted", "measure_segmentation"]

_LEADING = re.compile(r"^\s*(?:\(?\d{1,2}[.)]|-+|\(?[A-Za-z][.)]|[*•])\s*")
_TRAILING = re.compile(r"[\s,;]+(?:and/)?or$|[.;,\s]+$")
_WORD = re.compile(r"\w")
_MOST_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Wanted:
    """A criterion as people took it out, and the eligibility text it stands in."""

    record: str
    kind: CriterionKind
    criterion: str
    text: str


def load_wanted(data: Path, trials: Path | None = None) -> list[Wanted]:
    """Read annotated criteria with the texts they stand in.

    Args:
        data: Chia's texts; or annotations, with `trials` the file of their trials.

    Raises:
        InvalidInput: a file cannot be read, is of no known form, or they do not belong together.
    """
    wanted = _load_lines(data) if trials is None else _load_annotated(data, trials)
    if not wanted:
        raise InvalidInput(
            f"{data.name} holds no criterion whose eligibility text is known",
            hint=Hint("Give annotations with {trials}, the file of their trials, or Chia's texts."),
            invalid_input=str(data),
        )
    return wanted


def measure_segmentation(wanted: Sequence[Wanted]) -> dict[str, Any]:
    """Say how many are one of our criteria, alone or with the items below it."""
    ours = {each.text: split_criteria(each.text) for each in wanted}
    normal = {
        text: {(each.kind, _normal(each.plain)) for each in split} for text, split in ours.items()
    }
    whole = [(each.kind, _normal(each.criterion)) in normal[each.text] for each in wanted]
    together = [
        found or _with_items(each, ours[each.text])
        for each, found in zip(wanted, whole, strict=True)
    ]
    missed = [each for each, found in zip(wanted, whole, strict=True) if not found]
    return {
        "n": len(wanted),
        "records": len({each.record for each in wanted}),
        "found": sum(whole),
        "share": sum(whole) / len(wanted),
        "found_with_items": sum(together),
        "share_with_items": sum(together) / len(wanted),
        "per_kind": {
            kind.value: _of_kind(wanted, whole, kind)
            for kind in (CriterionKind.INCLUSION, CriterionKind.EXCLUSION)
        },
        "missed": [
            {"record": each.record, "kind": each.kind.value, "criterion": each.criterion}
            for each in missed[:_MOST_SHOWN]
        ],
    }


def _of_kind(
    wanted: Sequence[Wanted], whole: Sequence[bool], kind: CriterionKind
) -> dict[str, Any]:
    held = [found for each, found in zip(wanted, whole, strict=True) if each.kind is kind]
    return {"n": len(held), "found": sum(held), "share": sum(held) / len(held) if held else 0.0}


def _with_items(wanted: Wanted, split: Sequence[Criterion]) -> bool:
    """Whether a statement and items of its list, read on, are the criterion."""
    sought = _normal(wanted.criterion)
    for index, stem in enumerate(split):
        if stem.kind is not wanted.kind or not sought.startswith(_normal(stem.plain)[:20]):
            continue
        below = {index}
        for place in range(index + 1, len(split)):
            if split[place].parent not in below:
                break
            below.add(place)
            if _normal(wanted.text[stem.start : split[place].end]) == sought:
                return True
    return False


def _normal(text: str) -> str:
    bare = " ".join(_LEADING.sub("", text).split()).lower()
    return _TRAILING.sub("", _TRAILING.sub("", bare))


def _load_annotated(data: Path, trials: Path) -> list[Wanted]:
    texts = {}
    for number, row in read_rows(trials):
        trial = row.get("trial", row)
        try:
            texts[str(trial["nct_id"])] = _whole_text(trial)
        except (KeyError, TypeError) as error:
            raise InvalidInput(
                f"Line {number} of {trials.name} is not a trial: {error!r}",
                hint="Each line needs nct_id, inclusion_criteria and exclusion_criteria.",
            ) from None
    return [
        Wanted(row.trial_id, row.kind, row.criterion, texts[row.trial_id])
        for row in load_annotations_from_file(data).rows
        if row.trial_id in texts
    ]


def _whole_text(trial: Mapping[str, Any]) -> str:
    """Put the two halves, which the file keeps apart and without headings, into one text."""
    first = str(trial["inclusion_criteria"]).strip()
    second = str(trial["exclusion_criteria"]).strip(" :\n")
    if not first.lower().startswith("inclusion"):
        first = f"Inclusion Criteria: {first.lstrip(': ')}"
    return f"{first}\n\nExclusion Criteria:\n\n{second}"


def _load_lines(data: Path) -> list[Wanted]:
    wanted: list[Wanted] = []
    for number, row in read_rows(data):
        try:
            kind = CriterionKind(str(row["section"]).lower())
            lines = [line.strip() for line in str(row["text"]).splitlines() if _WORD.search(line)]
        except (KeyError, ValueError) as error:
            raise InvalidInput(
                f"Line {number} of {data.name} is not an eligibility text: {error!r}",
                hint=Hint(
                    "Each line needs section and text; annotations need {trials}, the file of "
                    "their trials."
                ),
            ) from None
        # Chia left out the marks of lists; as paragraphs its lines stand apart as they did.
        text = "\n\n".join((f"{kind.value.capitalize()} Criteria:", *lines))
        record = str(row.get("nct_id", number))
        wanted += [Wanted(record, kind, line, text) for line in lines]
    return wanted
