"""Names of what is measured in a text, each with all that it may stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from trialyst.eligibility.analytes import AnalyteName, measured_entries
from trialyst.eligibility.scales import ScaleName, scale_names
from trialyst.eligibility.words import Phrase, PhraseTable, find_places, split_texts

if TYPE_CHECKING:
    from trialyst.eligibility.amounts import Amount

__all__ = ["Mention", "NamePhrase", "find_mentions", "find_name_phrases", "mask_figures"]

NamePhrase: TypeAlias = "Phrase[tuple[AnalyteName | ScaleName, ...]]"

_INSIDE = re.compile(r"[^()\[\]0-9]{0,40}[)\]]")
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
            mentions[-1].after = inside.end() if inside else end
            if not mentions[-1].scales or not any(each.needs_kind for each in mention.scales):
                # "cirrhosis, Child-Pugh B" needs no word such as class, though cirrhosis would.
                mentions[-1].scales = mention.scales or mentions[-1].scales
        else:
            mentions.append(mention)
    return mentions


def _is_short_form(plain: str, before: Mention, mention: Mention) -> bool:
    """Say whether a name repeats the one before it in brackets: "hemoglobin (Hb)"."""
    gap = plain[before.after : mention.start].strip()
    bracket = gap[:1] in _OPENINGS
    if gap not in ("", ",", "-") and not (bracket and _INSIDE.match(plain, mention.end)):
        return False
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
        if _FIGURE.search(plain, mention.start, mention.end):
            pieces += [plain[at : mention.start], "_" * (mention.end - mention.start)]
            at = mention.end
    return "".join([*pieces, plain[at:]]) if pieces else plain
