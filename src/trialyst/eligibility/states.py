"""Words for a value: `normal`, `high`, `low`, `positive`, as they stand behind or before a name."""

from __future__ import annotations

import re

__all__ = ["read_state", "state_follows"]

_STATES = {
    word: state
    for state, words in {
        "normal": "normal unremarkable wnl",
        "high": "elevated raised increased high elevation elevations increase hypernormal",
        "low": "low decreased reduced depressed diminished impaired decrease reduction",
        "abnormal": "abnormal abnormality abnormalities altered",
        "positive": "positive reactive",
        "negative": "negative non-reactive nonreactive",
        "undetectable": "undetectable unmeasurable",
        "detectable": "detectable measurable",
    }.items()
    for word in words.split()
}
_STATE = "|".join(sorted(_STATES, key=len, reverse=True))
_SKIPPED = (
    r"(?:levels?|counts?|values?|results?|tests?|is|was|were|are|be|must|should|has|have|been|to"
    r"|remains?|remained"
    r"|found|concentrations?|currently|today|again|mildly|slightly|markedly|significantly"
    r"|moderately|very|still|of"
    r"|came|back|both|all|persistently|clinically|also|studies|the|a|for|status|serum)"
)
_STATE_AFTER = re.compile(
    rf"[\s:=()|-]{{0,3}}(?:{_SKIPPED}\b[\s:=()|-]{{0,3}}){{0,6}}"
    r"(?P<within>(?:with)?in\s{1,2}(?:the\s{1,2})?(?:\w{1,14}\s{1,2}){0,2}?(?:normal"
    r"|reference)(?:\s{1,2}(?:limits?|ranges?|values?))?"
    r"|(?P<out>outside|out|above"
    r"|below)\s{1,2}(?:of\s{1,2})?(?:the\s{1,2})?(?:\w{1,14}\s{1,2}){0,2}?(?:normal"
    r"|reference)(?:\s{1,2}(?:limits?|ranges?|values?))?"
    rf"|(?P<state>{_STATE})(?![a-z]))"
)
_STATE_BEFORE = re.compile(
    rf"(?<![a-z])(?P<state>{_STATE})\s{{1,2}}(?:(?:levels?|of|in|serum|blood|plasma|the|a|an|her"
    rf"|his|total|baseline|screening|fasting|test|for|clinically|resting)\s{{1,2}}){{0,4}}$"
)
_RANGES = {
    "within": "normal",
    "in": "normal",
    "outside": "abnormal",
    "out": "abnormal",
    "above": "high",
    "below": "low",
}
_REACH = 60


def state_follows(plain: str, at: int) -> bool:
    """Say whether a word for a value stands behind a name that ends at a place."""
    return _STATE_AFTER.match(plain, at) is not None


def read_state(plain: str, start: int, end: int) -> tuple[str, int, int] | None:
    """Give the word for the value of a name at `plain[start:end]`, and the span of both.

    >>> read_state("elevated lipase", 9, 15)
    ('high', 0, 15)
    """
    after = _STATE_AFTER.match(plain, end)
    if after is not None:
        word = after["within"].split()[0]
        return _RANGES.get(word) or _STATES.get(word, ""), start, after.end()
    before = _STATE_BEFORE.search(plain, max(0, start - _REACH), start)
    return None if before is None else (_STATES[before["state"]], before.start(), end)
