"""How lists of a trial changed, in words: names, outcomes, arms and interventions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from trialyst.ctgov.protocol import Outcome
from trialyst.ctgov.trial import Trial
from trialyst.ctgov.vocab import label_of

__all__ = ["clip", "in_words", "revised_arms", "revised_names", "revised_outcomes"]

LONGEST = 160
"""Characters of a text that is repeated."""
MOST_NAMED = 5
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def clip(text: str) -> str:
    """Give a text on one line, cut where it is long.

    >>> clip("Slow\\n  accrual")
    'Slow accrual'
    """
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3].rstrip()}..."


def in_words(number: int, noun: str) -> str:
    """Give a number with its noun.

    >>> in_words(2, "site"), in_words(1, "site"), in_words(25, "site")
    ('two sites', 'one site', '25 sites')
    """
    told = _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"
    return f"{told} {noun}" + ("" if number == 1 else "s")


def revised_names(noun: str, before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """Tell which names came and went."""
    old, new = dict.fromkeys(before), dict.fromkeys(after)
    for names, what in (
        ([name for name in new if name not in old], "added"),
        ([name for name in old if name not in new], "removed"),
    ):
        if names:
            yield f"{noun if len(names) == 1 else f'{noun}s'} {what}: {_named(names)}"
    if old.keys() == new.keys():
        yield f"{noun}s written anew"


def _named(names: Sequence[str]) -> str:
    shown = "; ".join(clip(name) for name in names[:MOST_NAMED])
    left = len(names) - MOST_NAMED
    return shown + (f"; and {left} more" if left > 0 else "")


def revised_outcomes(field: str) -> Callable[[Trial, Trial], Iterator[str]]:
    """Make what tells how the outcomes of a kind changed."""
    noun = field.removesuffix("s").replace("_", " ")

    def tell(before: Trial, after: Trial) -> Iterator[str]:
        old: Sequence[Outcome] = getattr(before, field)
        new: Sequence[Outcome] = getattr(after, field)
        measured = {_key(each.measure): each for each in old}
        kept = {_key(each.measure) for each in new} & measured.keys()
        gone = [each for each in old if _key(each.measure) not in kept]
        come = [each for each in new if _key(each.measure) not in kept]
        told = list(_replaced(noun, gone, come))
        for each in new:
            known = measured.get(_key(each.measure))
            if known is not None and known.time_frame != each.time_frame:
                frames = f"{known.time_frame or 'none'} -> {each.time_frame or 'none'}"
                told.append(f"{noun} at another time: {clip(each.measure)} ({clip(frames)})")
            elif known is not None and known != each:
                told.append(f"{noun} described anew: {clip(each.measure)}")
        yield from told or [f"{noun}s in another order"]

    return tell


def _replaced(noun: str, gone: Sequence[Outcome], come: Sequence[Outcome]) -> Iterator[str]:
    if len(gone) == len(come):
        for old, new in zip(gone, come, strict=True):
            yield f"{noun} changed: {clip(old.measure)} -> {clip(new.measure)}"
        return
    if come:
        yield f"{in_words(len(come), noun)} added: {_named([each.measure for each in come])}"
    if gone:
        yield f"{in_words(len(gone), noun)} removed: {_named([each.measure for each in gone])}"


def _key(text: str) -> str:
    return " ".join(text.lower().split())


def revised_arms(before: Trial, after: Trial) -> Iterator[str]:
    """Tell how arms and interventions changed."""
    told: list[str] = []
    arms = ({each.label: each for each in before.arms}, {each.label: each for each in after.arms})
    if arms[0].keys() != arms[1].keys():
        told.extend(revised_names("arm", list(arms[0]), list(arms[1])))
    given = [
        {f"{label_of(each.type or 'Other')}: {each.name}": each for each in trial}
        for trial in (before.interventions, after.interventions)
    ]
    if given[0].keys() != given[1].keys():
        told.extend(revised_names("intervention", list(given[0]), list(given[1])))
    described = [
        f"arm {clip(label)} described anew"
        for label in arms[1]
        if label in arms[0] and arms[0][label] != arms[1][label]
    ] + [
        f"intervention {clip(name)} described anew"
        for name in given[1]
        if name in given[0] and given[0][name] != given[1][name]
    ]
    told.extend(described[:MOST_NAMED])
    if len(described) > MOST_NAMED:
        told.append(f"{len(described) - MOST_NAMED} more arms or interventions described anew")
    yield from told or ["arms or interventions in another order"]
