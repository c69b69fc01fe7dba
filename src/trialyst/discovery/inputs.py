"""Arguments as people and models send them, read once: lists as text, numbers as strings, labels.

What is not understood raises InvalidInput and names the nearest valid value. Text to search for is
not touched here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from trialyst.ctgov.suggest import unknown_value
from trialyst.errors import InvalidInput, UnresolvedEntity
from trialyst.essie.enums import enums
from trialyst.ids import NctId

__all__ = [
    "IdKind",
    "check_names",
    "only_one",
    "read_choices",
    "read_flag",
    "read_id",
    "read_id_of",
    "read_ids",
    "read_km",
    "read_list",
    "read_page_size",
    "read_phases",
    "read_place",
    "read_sex",
    "read_statuses",
    "read_text",
]

Id = TypeVar("Id")

KM_PER_MILE = 1.609344

_SEPARATOR = re.compile(r"\s*[,;|\n]\s*")
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
_AND_LATER = re.compile(r"(?:phase[\s_-]*)?([1-4])\s*\+", re.I)
_POINT_KEYS = (("lat", "latitude"), ("lon", "lng", "long", "longitude"))
_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_BLANK = frozenset({""})
_UNSAID = frozenset({"null", "none", "undefined"})
_EVERYTHING = frozenset({"all", "any", "*"})
_NO_VALUE: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("nct_id", "nct_ids", "query", "pathway_id", "gene_id", "genes"), frozenset()),
    **dict.fromkeys(("condition", "intervention", "location", "advanced"), _BLANK),
    **dict.fromkeys(("cursor", "sort"), _UNSAID),
    "sex": _BLANK | _UNSAID,
}
"""What stands for no value by argument; words to search for are words, unless they are blank."""
AROUND_IDS = "\"'`<>()[]{}.,;: \t\r\n\u200b\ufeff"
_SHORT_TEXT = 200
"""What a hint repeats; longer text is no name of a trial."""
_SEXES = {
    **dict.fromkeys(("f", "female", "females", "woman", "women", "girl"), "FEMALE"),
    **dict.fromkeys(("m", "male", "males", "man", "men", "boy"), "MALE"),
    **dict.fromkeys(("all", "any", "both"), "ALL"),
}


def check_names(given: Mapping[str, object], known: Sequence[str]) -> None:
    """Raise InvalidInput for an argument the tool does not take, or one without a value."""
    for name, value in given.items():
        if name not in known:
            raise unknown_value("argument", name, known)
        _check_stated(name, value)


def _check_stated(name: str, value: object) -> None:
    """Raise InvalidInput for a text that says that there is no value.

    The nearest valid value would answer another question: 'None' is not UNKNOWN.
    """
    unsaid = _NO_VALUE.get(name, _BLANK | _UNSAID | _EVERYTHING)
    if isinstance(value, str) and value.strip().lower() in unsaid:
        raise InvalidInput(
            f"{name} is {value!r}, which is no value",
            hint=f"Leave out {name}, or give it a value.",
            invalid_input=value,
        )


def read_text(name: str, value: Any) -> str | None:
    """Give a text argument as it is; numbers become text."""
    if value is None:
        return value
    if isinstance(value, str):
        return _whole(name, value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise InvalidInput(
        f"{name} is {value!r}, not a text",
        hint=f"Give {name} as one string.",
        invalid_input=str(value),
    )


def _whole(name: str, text: str) -> str:
    """Give a text that is one: half a character can be neither stored nor sent."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidInput(
            f"{name} holds bytes that are no text",
            hint=f"Give {name} as Unicode text; in a file or a terminal, as UTF-8.",
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
            f"{name} is {value!r}, neither true nor false",
            hint=f"Give {name} as true or false.",
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
        f"page_size is {value!r}, not a whole number",
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
            f"{name} is {value!r}, not a distance",
            hint=f"Give {name} in km, such as 80, or as '50 mi'.",
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
    """Read statuses; the comma in `Active, not recruiting` separates nothing."""
    known = enums()[type_name]
    return read_list("status", value, lambda text: known.find(text) is not None)


def read_phases(value: Any) -> tuple[str, ...]:
    """Read phases: codes, labels, Roman and plain numbers, `2+` for a phase and all later.

    Phase 2a and 2b are phase 2, and phase 0 is the old name of early phase 1, as in the registry.
    """
    return tuple(phase for text in read_list("phase", value) for phase in _phases(text))


def _phases(text: str) -> tuple[str, ...]:
    later = _AND_LATER.fullmatch(text.strip())
    if later:
        return tuple(f"PHASE{number}" for number in range(int(later[1]), 5))
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


@dataclass(frozen=True, slots=True)
class IdKind(Generic[Id]):
    """One kind of id: how it is read, and how to come by one."""

    argument: str
    parse: Callable[[str], Id]
    called: str
    example: str
    wrong: str
    """The hint for what only looks like one."""
    search: str
    bare: re.Pattern[str]
    """An id of this kind without its letters."""
    letters: str


_NCT = IdKind(
    argument="nct_id",
    parse=NctId.parse,
    called="NCT id",
    example="NCT:00461032",
    wrong="An NCT id is 'NCT' and eight digits; search_trials finds ids by title or condition.",
    search="search_trials",
    bare=re.compile("[0-9]{8}"),
    letters="NCT",
)


def read_id(value: Any) -> NctId:
    """Read one NCT id; free text is an error that says how to get an id."""
    return read_id_of(_NCT, value)


def read_id_of(kind: IdKind[Id], value: Any) -> Id:
    """Read one id of a kind; free text is an error that says how to get an id."""
    text = read_text(kind.argument, only_one(kind.argument, value))
    if text is None or not text.strip():
        raise InvalidInput(
            f"No {kind.called} is given",
            hint=f"Give an id as {kind.argument}, such as {kind.example}; {kind.search} finds ids "
            "by words.",
            invalid_input=text,
        )
    try:
        return kind.parse(text.strip(AROUND_IDS))
    except UnresolvedEntity as error:
        hint = _way_to_id(kind, text.strip())
        raise UnresolvedEntity(error.message, hint=hint, invalid_input=text) from None
    except InvalidInput as error:
        raise InvalidInput(error.message, hint=kind.wrong, invalid_input=text) from None


def _way_to_id(kind: IdKind[Id], words: str) -> str:
    if len(words) > _SHORT_TEXT:
        return f"Call {kind.search} with a few words as query and pass an `id` of its items."
    if kind.bare.fullmatch(words):
        return f"Give {kind.letters}{words} if that is meant; {kind.search} finds ids by words."
    return f"Call {kind.search} with query={words!r} and pass an `id` of its items."


def only_one(name: str, value: Any) -> Any:
    """Give the one value of a list of one."""
    if isinstance(value, str) and not value.strip().startswith("["):
        return value
    listed = read_list(name, value) if isinstance(value, str | list | tuple) else ()
    return listed[0] if len(listed) == 1 else value


def read_ids(value: Any, *, at_most: int, at_least: int = 1) -> tuple[NctId, ...]:
    """Read ids, each once, in the order given."""
    texts = [text for text in read_list("nct_id", value) if text.strip()]
    ids = tuple(dict.fromkeys(map(read_id, texts))) if texts else (read_id(None),)
    if at_least <= len(ids) <= at_most:
        return ids
    wanted = f"{at_least} to {at_most}" if at_least > 1 else f"up to {at_most}"
    raise InvalidInput(
        f"{len(ids)} different ids are given, not {wanted}",
        hint=f"Give {wanted} different NCT ids in one call.",
        invalid_input=str(value),
    )


def read_list(
    name: str, value: Any, is_value: Callable[[str], bool] = lambda _: False
) -> tuple[str, ...]:
    """Give a list however it was sent: as one, as JSON in a string, separated by commas."""
    if value is None:
        return ()
    if isinstance(value, str):
        return _split(_whole(name, value), is_value)
    if isinstance(value, Sequence | set | frozenset):
        return tuple(part for item in _flat(value) for part in _split(_whole(name, item), is_value))
    return (read_text(name, value) or "",)


def _split(text: str, is_value: Callable[[str], bool]) -> tuple[str, ...]:
    stripped = text.strip()
    if stripped.startswith("["):
        try:
            return tuple(_flat(json.loads(stripped)))
        except (ValueError, RecursionError):
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


def _flat(value: Any) -> Iterator[str]:
    """Give the items of lists in lists as text; null in a list is nothing."""
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, str):
        for item in value:
            yield from _flat(item)
    elif value is not None:
        yield str(value)
