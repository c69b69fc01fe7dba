"""Values as people and models send them: lists as text, numbers as strings, labels, nothing at all.

What is not understood raises InvalidInput and names the valid values. Text to search for is not
touched here.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from trialyst.ctgov.suggest import unknown_value
from trialyst.errors import InvalidInput
from trialyst.essie.enums import Enumeration, enums
from trialyst.hints import Argument, Hint
from trialyst.questions.arguments import ALIASES
from trialyst.questions.phrasing import STATUS_WORDS

__all__ = [
    "Given",
    "read_choices",
    "read_flag",
    "read_km",
    "read_list",
    "read_page_size",
    "read_phases",
    "read_place",
    "read_several",
    "read_sex",
    "read_statuses",
    "read_text",
    "take_arguments",
]

KM_PER_MILE = 1.609344

_SEPARATOR = re.compile(
    r"\s+OR\s+|\s*&\s*|\s+and\s+(?!later|above|up\b)|\s*[,;|\n]\s*", re.IGNORECASE
)
_ALTERNATIVE = re.compile(r'("[^"]*")|\s+OR\s+|\s*\|+\s*')
_MISSPELT = 0.8
"""How alike a name of an argument must be to be a slip of it; others only share letters."""
_LABEL_PARTS = 4
"""The most parts that the commas of one label make; a bound keeps long lists quick."""
_LENGTH = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(km|kms|kilomet(?:er|re)s?|mi|miles?)?", re.I)
_STAGE = re.compile(r"(?:phase)?[\s_-]*(iv|i{1,3}|[0-4])[abc]?", re.I)
_STAGES = {
    "0": "EARLY_PHASE1",
    **{number: f"PHASE{number}" for number in "1234"},
    "i": "PHASE1",
    "ii": "PHASE2",
    "iii": "PHASE3",
    "iv": "PHASE4",
}
_FROM_TO = re.compile(r"(?:phases?[\s_-]*)?([1-4])\s*(?:-|to)\s*(?:phase[\s_-]*)?([1-4])", re.I)
_AND_LATER = re.compile(r"(?:phase[\s_-]*)?([1-4])\s*(?:\+|and (?:later|above|up)|or later)", re.I)
_POINT_KEYS = (("lat", "latitude"), ("lon", "lng", "long", "longitude"))
_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_UNSAID = frozenset({"", "null", "none", "undefined", "nil", "n/a"})
_EVERYTHING = frozenset({"all", "any", "*"})
_WORDS = frozenset({"query", "title", "outcome", "eligibility", "advanced"})
"""Arguments whose text is searched for: only a blank one says nothing."""
_CLOSED = frozenset({"status", "phase", "study_type", "location", "near", "country"})
"""Arguments in which `all` asks for no restriction."""
_ADDRESS = ("city", "state", "country")
_PHASE_NA = frozenset({"n/a"})
_SEXES = {
    **dict.fromkeys(("f", "female", "females", "woman", "women", "girl", "girls"), "FEMALE"),
    **dict.fromkeys(("m", "male", "males", "man", "men", "boy", "boys"), "MALE"),
    **dict.fromkeys(("all", "any", "both"), "ALL"),
}


class Given(NamedTuple):
    """The arguments of a call by their own names, without those that say nothing."""

    arguments: dict[str, Any]
    renamed: Mapping[str, str]
    """What an argument was called instead of its own name."""


def take_arguments(given: Mapping[str, Any], known: Sequence[str]) -> Given:
    """Take what a call gives: other names of arguments are mapped, empty values left out.

    >>> take_arguments({"drug": "aspirin", "phase": ""}, ("intervention", "phase")).arguments
    {'intervention': 'aspirin'}

    Raises:
        InvalidInput: the tool takes no such argument, or one is given twice.
    """
    arguments: dict[str, Any] = {}
    renamed: dict[str, str] = {}
    for name, value in _with_whole_address(given, known).items():
        own = name if name in known else _own_name(name, known)
        if own not in known:
            raise _unknown_argument(name, known)
        if _says_nothing(own, value):
            continue
        if own in arguments:
            raise InvalidInput(
                Hint("{both} say the same", both=(Argument(name), Argument(renamed.get(own, own)))),
                hint=Hint("Give one of the two, as {own}.", own=Argument(own)),
                invalid_input=name,
            )
        arguments[own] = value
        if own != name:
            renamed[own] = name
    return Given(arguments, renamed)


def _with_whole_address(given: Mapping[str, Any], known: Sequence[str]) -> Mapping[str, Any]:
    """Give a city, its state and its country as the one place that they are together."""
    parts = {
        name: value
        for name in _ADDRESS
        if isinstance(value := given.get(name), str) and not _says_nothing("location", value)
    }
    if len(parts) < 2 or "location" not in known or not parts.keys().isdisjoint(known):
        return given
    rest = {name: value for name, value in given.items() if name not in _ADDRESS}
    return {**rest, "location": ", ".join(parts.values())} if "location" not in given else given


def _own_name(name: str, known: Sequence[str]) -> str:
    """Give what a tool calls an argument that others call so; the name itself if nothing."""
    folded = name.lower().replace("-", "_")
    meant = ALIASES.get(folded, folded)
    if meant in known:
        return meant
    return next((each for each in known if ALIASES.get(each) == meant), name)


def _says_nothing(name: str, value: Any) -> bool:
    if isinstance(value, list | tuple | set):
        return all(_says_nothing(name, each) for each in value)
    if value is None or value == {}:
        return True
    if not isinstance(value, str):
        return False
    text = value.strip().lower()
    if name in _WORDS or (name == "phase" and text in _PHASE_NA):
        return not text
    return text in _UNSAID or (name in _CLOSED and text in _EVERYTHING)


def _unknown_argument(name: str, known: Sequence[str]) -> InvalidInput:
    close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=_MISSPELT)
    advice = "Leave it out, or give one of the arguments named in the message."
    return InvalidInput(
        f"Unknown argument {name!r}. Must be one of: {', '.join(known)}",
        hint=Hint("Did you mean {near}? " + advice, near=Argument(close[0])) if close else advice,
        invalid_input=name,
    )


def read_text(name: str, value: Any) -> str | None:
    """Give a text argument as it is; numbers become text."""
    if value is None:
        return value
    if isinstance(value, str):
        return _whole(name, value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, Sequence) and len(value) == 1:
        return read_text(name, value[0])
    raise InvalidInput(
        Hint("{name} is {value}, not a text", name=Argument(name), value=repr(value)),
        hint=Hint("Give {name} as one string.", name=Argument(name)),
        invalid_input=str(value),
    )


def _whole(name: str, text: str) -> str:
    """Give a text that is one: half a character can be neither stored nor sent."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidInput(
            Hint("{name} holds bytes that are no text", name=Argument(name)),
            hint=Hint(
                "Give {name} as Unicode text; in a file or a terminal, as UTF-8.",
                name=Argument(name),
            ),
            invalid_input=text.encode("ascii", "backslashreplace").decode(),
        ) from None
    return text


def read_flag(name: str, value: Any, *, default: bool) -> bool:
    """Read true or false, also as text."""
    if value is None:
        return default
    found = _FLAGS.get(str(value).strip().lower())
    if found is None:
        raise InvalidInput(
            f"Invalid {name} value {value!r}. Must be one of: true, false",
            hint=Hint("Give {name} as true or false.", name=Argument(name)),
            invalid_input=str(value),
        )
    return found


def read_page_size(value: Any, *, default: int, at_most: int = 200) -> int:
    """Read a whole number, also as text; its range is checked where pages are made."""
    if value is None:
        return default
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if re.fullmatch(r"\s*[+-]?[0-9]{1,9}(?:\.0*)?\s*", str(value)):
        return int(float(str(value)))
    raise InvalidInput(
        Hint("{page_size} is {value}, not a whole number", value=repr(value)),
        hint=f"Give a number from 1 to {at_most}; the default is {default}.",
        invalid_input=str(value),
    )


def read_km(name: str, value: Any) -> float | None:
    """Read a length in km; miles are understood."""
    if value is None:
        return None
    shape = _LENGTH.fullmatch(str(value).strip())
    if shape is None or isinstance(value, bool):
        raise InvalidInput(
            Hint("{name} is {value}, not a distance", name=Argument(name), value=repr(value)),
            hint=Hint(
                "Give {km} in km, or miles as in {miles}.",
                km=Argument(name, 80),
                miles=Argument(name, "50 mi"),
            ),
            invalid_input=str(value),
        )
    miles = (shape[2] or "km").lower().startswith("mi")
    return float(shape[1]) * (KM_PER_MILE if miles else 1.0)


def read_place(value: Any) -> str | None:
    """Read a place name or a point, which may come as two numbers."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        value = ",".join(str(part) for part in value)
    if isinstance(value, Mapping):
        given = {str(key).lower(): part for key, part in value.items()}
        found = [[given[key] for key in keys if key in given] for keys in _POINT_KEYS]
        if all(found):
            value = ",".join(str(parts[0]) for parts in found)
    text = read_text("near", value)
    return text.strip().strip("[]()") if text else text


def read_statuses(value: Any, *, type_name: str = "Status") -> tuple[str, ...]:
    """Read statuses, in common words too; the comma in `Active, not recruiting` separates nothing.

    >>> read_statuses("open or Active, not recruiting")
    ('RECRUITING', 'Active, not recruiting')
    """
    known = enums()[type_name]
    listed = read_list("status", value, lambda text: known.find(text) is not None)
    return tuple(code for text in listed for code in _statuses(text, known))


def _statuses(text: str, known: Enumeration) -> tuple[str, ...]:
    if known.find(text) is not None:
        return (text,)
    if "/" in text:
        return tuple(code for part in text.split("/") for code in _statuses(part.strip(), known))
    meant = STATUS_WORDS.get(text.strip().lower(), "")
    codes = tuple(code for code in meant.split(" OR ") if known.find(code))
    return codes or (text,)


def read_phases(value: Any) -> tuple[str, ...]:
    """Read phases: codes, labels, Roman and plain numbers, `2+` for a phase and all later.

    Phase 2a and 2b are phase 2, and phase 0 is the old name of early phase 1, as in the registry.
    """
    return tuple(phase for text in read_list("phase", value) for phase in _phases(text))


def _phases(text: str) -> tuple[str, ...]:
    later = _AND_LATER.fullmatch(text.strip())
    if later:
        return tuple(f"PHASE{number}" for number in range(int(later[1]), 5))
    between = _FROM_TO.fullmatch(text.strip())
    if between and between[1] < between[2]:
        return tuple(f"PHASE{number}" for number in range(int(between[1]), int(between[2]) + 1))
    # The label N/A is one value, not two.
    whole = enums()["Phase"].find(text) if "/" in text else None
    if whole:
        return (whole.value,)
    return ("/".join(_stage(part.strip()) for part in text.split("/")),)


def _stage(phase: str) -> str:
    shape = _STAGE.fullmatch(phase)
    return _STAGES[shape[1].lower()] if shape else phase


def read_sex(value: Any) -> str | None:
    """Read a patient's sex, in common words."""
    text = read_text("sex", value)
    return None if text is None else _SEXES.get(text.strip().lower(), text)


def read_choices(what: str, value: Any, known: Sequence[str]) -> tuple[str, ...]:
    """Read names of a closed list, each once; spaces and case do not matter."""
    chosen = []
    for text in read_list(what, value):
        name = re.sub(r"[\s-]+", "_", text.strip().lower())
        if name not in known:
            raise unknown_value(what, text, known)
        chosen.append(name)
    return tuple(dict.fromkeys(chosen))


def read_several(name: str, value: Any) -> tuple[str, ...]:
    """Give alternatives to search for: a list, JSON in a string, or joined by ` OR ` or `|`.

    Commas belong to names, as in "Leukemia, Myeloid", and so does `or` in small letters.

    >>> read_several("condition", 'asthma OR "Leukemia | Myeloid"')
    ('asthma', '"Leukemia | Myeloid"')
    """
    if isinstance(value, Sequence) and not isinstance(value, str):
        texts = tuple(_flat(value))
    else:
        text = read_text(name, value) or ""
        texts = _json_list(text) or (text,)
    parts = (part for text in texts for part in _alternatives(_whole(name, text)))
    return tuple(dict.fromkeys(parts))


def _alternatives(text: str) -> Iterator[str]:
    """Split where alternatives are told apart, but never inside quotes."""
    begun = 0
    for found in _ALTERNATIVE.finditer(text):
        if found[1] is None:
            yield from filter(None, (text[begun : found.start()].strip(),))
            begun = found.end()
    yield from filter(None, (text[begun:].strip(),))


def read_list(
    name: str, value: Any, is_value: Callable[[str], bool] = lambda _: False
) -> tuple[str, ...]:
    """Give codes or ids however they were sent: a list, JSON in a string, with commas or OR."""
    if value is None:
        return ()
    if isinstance(value, str):
        return _split(_whole(name, value), is_value)
    if isinstance(value, Sequence | set | frozenset):
        items = (item for item in _flat(value) if item.strip())
        return tuple(part for item in items for part in _split(_whole(name, item), is_value))
    return (read_text(name, value) or "",)


def _split(text: str, is_value: Callable[[str], bool]) -> tuple[str, ...]:
    stripped = text.strip()
    if stripped.startswith("["):
        listed = _json_list(stripped)
        if listed is not None:
            return listed
        stripped = stripped.strip("[]").replace("'", "").replace('"', "")
    parts = _SEPARATOR.split(stripped)
    found: list[str] = []
    at = 0
    while at < len(parts):
        # The longest run of parts that is one value: some labels hold a comma themselves.
        last = min(at + _LABEL_PARTS, len(parts))
        runs = (end for end in range(last, at + 1, -1) if is_value(", ".join(parts[at:end])))
        end = next(runs, at + 1)
        found.append(", ".join(parts[at:end]))
        at = end
    return tuple(found)


def _json_list(text: str) -> tuple[str, ...] | None:
    if not text.strip().startswith("["):
        return None
    try:
        return tuple(_flat(json.loads(text)))
    except (ValueError, RecursionError):
        return None


def _flat(value: Any) -> Iterator[str]:
    """Give the items of lists in lists as text; null in a list is nothing."""
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, str):
        for item in value:
            yield from _flat(item)
    elif value is not None:
        yield str(value)
