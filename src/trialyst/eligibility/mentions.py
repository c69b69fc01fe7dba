"""Names of what is measured in a text, each with all that it may stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from trialyst.eligibility.analytes import AnalyteName, measured_entries
from trialyst.eligibility.scales import ScaleName, scale_names
from trialyst.eligibility.tokens import is_short_for
from trialyst.eligibility.words import Phrase, PhraseTable, find_places, split_texts

if TYPE_CHECKING:
    from trialyst.eligibility.amounts import Amount

__all__ = ["Mention", "NamePhrase", "find_mentions", "find_name_phrases", "mask_figures"]

NamePhrase: TypeAlias = "Phrase[tuple[AnalyteName | ScaleName, ...]]"

_INSIDE = re.compile(r"[^()\[\]0-9]{0,40}[)\]]")
_GRADED = re.compile(r"\b(?:class(?:es)?|[iv]{1,3})\b")
"""What tells a class within brackets: "New York Heart Association (NYHA class III or IV)"."""
_FIGURE = re.compile("[0-9]")
_OPENINGS = ("(", "[")


@dataclass(slots=True)
class Mention:
    """Where a name stands, and what it may be of."""

    start: int
    end: int
    after: int
    """Where its value is looked for: behind a short form in brackets."""
    analytes: tuple[AnalyteName, ...] = ()
    scales: tuple[ScaleName, ...] = ()
    last: Amount | None = None
    """The amount it was given last."""
    mirror: bool = False
    """Whether a bound stands before it: "18 < BMI < 30"."""


@cache
def _names() -> PhraseTable[tuple[AnalyteName | ScaleName, ...]]:
    together: dict[str, list[AnalyteName | ScaleName]] = {}
    entries: list[tuple[str, AnalyteName | ScaleName]] = [*measured_entries(), *scale_names()]
    for name, entry in entries:
        together.setdefault(" ".join(split_texts(name)), []).append(entry)
    return PhraseTable((name, tuple(listed)) for name, listed in together.items())


def find_name_phrases(text: str) -> list[NamePhrase]:
    """Find names by their words alone, which costs little where there are none."""
    return list(_names().find_texts(split_texts(text)))


def find_mentions(text: str, plain: str, phrases: Sequence[NamePhrase]) -> list[Mention]:
    """Give where names stand, those left out that are not written as they must be."""
    places = find_places(text) if phrases else []
    mentions: list[Mention] = []
    for phrase in phrases:
        start, end = places[phrase.first][0], places[phrase.last - 1][1]
        entries = [each for each in phrase.value if each.written in (None, text[start:end])]
        if not entries:
            continue
        mention = Mention(
            start,
            end,
            end,
            tuple(each for each in entries if isinstance(each, AnalyteName)),
            tuple(each for each in entries if isinstance(each, ScaleName)),
        )
        if mentions and _is_short_form(plain, mentions[-1], mention):
            inside = _INSIDE.match(plain, end)
            graded = inside is not None and _GRADED.search(inside.group())
            mentions[-1].after = inside.end() if inside and not graded else end
            if not mentions[-1].scales or not any(each.needs_kind for each in mention.scales):
                # "cirrhosis, Child-Pugh B" needs no word such as class, though cirrhosis would.
                mentions[-1].scales = mention.scales or mentions[-1].scales
        elif not (mentions and _make_ratio(plain, mentions[-1], mention)):
            mentions.append(mention)
    return mentions


@cache
def _ratio_names() -> dict[tuple[str, str], AnalyteName]:
    """Give the analytes named by two others with a stroke between them: FEV1/FVC."""
    known = {entry.analyte.id: entry for _, entry in measured_entries()}
    pairs = (key.partition("_") for key in known)
    return {(one, two): known[f"{one}_{two}"] for one, _, two in pairs if {one, two} <= set(known)}


def _make_ratio(plain: str, before: Mention, mention: Mention) -> bool:
    """Make one of "forced expiratory volume in 1 second (FEV1)/forced vital capacity (FVC)"."""
    if not (before.analytes and mention.analytes):
        return False
    if plain[before.after : mention.start].strip() not in ("/", "to"):
        return False
    pair = before.analytes[0].analyte.id, mention.analytes[0].analyte.id
    ratio = _ratio_names().get(pair)
    if ratio is None:
        return False
    before.end = before.after = mention.end
    before.analytes = (ratio,)
    return True


def _is_short_form(plain: str, before: Mention, mention: Mention) -> bool:
    """Say whether a name repeats the one before it in brackets: "hemoglobin (Hb)"."""
    gap = plain[before.after : mention.start].strip()
    bracket = gap[:1] in _OPENINGS
    if gap not in ("", ",", "-") and not (bracket and _INSIDE.match(plain, mention.end)):
        return False
    if gap in _OPENINGS and is_short_for(
        plain[mention.start : mention.end].upper(), plain[before.start : before.after]
    ):
        # "Serum alkaline phosphatase (SAP)", whatever else the letters stand for.
        return True
    same = {each.analyte.id for each in before.analytes} & {
        each.analyte.id for each in mention.analytes
    }
    if bracket and gap not in _OPENINGS:
        return bool(same) and _FIGURE.search(gap) is None
    scales = {each.scale.id for each in before.scales} & {each.scale.id for each in mention.scales}
    return bool(same or scales)


def mask_figures(plain: str, mentions: Sequence[Mention]) -> str:
    """Give a text without the figures of its names, as in CA 19-9."""
    pieces, at = [], 0
    for mention in mentions:
        end = mention.after if plain[mention.end : mention.after].endswith(")") else mention.end
        if _FIGURE.search(plain, mention.start, end):
            pieces += [plain[at : mention.start], "_" * (end - mention.start)]
            at = end
    return "".join([*pieces, plain[at:]]) if pieces else plain
