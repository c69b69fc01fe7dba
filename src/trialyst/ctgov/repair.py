"""Build a trial, or its outline, from fields of which some may be damaged.

A damaged value is dropped and told in `Trial.problems`; a value outside its vocabulary is told
and kept; a null is dropped without a word, since it says nothing.
"""

from __future__ import annotations

import copy
import reprlib
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from trialyst.ctgov.model import REPORT_UNKNOWN, UNKNOWN_VALUE
from trialyst.ctgov.outline import TrialOutline

__all__ = ["build_trial"]

Place = tuple[Any, ...]
Model = TypeVar("Model", bound=TrialOutline)


def build_trial(
    model: type[Model],
    fields: dict[str, Any],
    *,
    paths: Mapping[Place, str],
    problems: Sequence[str],
) -> Model:
    """Validate fields into a trial or an outline, without those that cannot be read.

    Args:
        model: what to build; a model without `problems` tells none.
        fields: the values by field of the model; parts may use the API's own keys.
        paths: where in the study a field, or a key of a field, comes from.
        problems: what is already known to be wrong.
    """
    try:
        return model.model_validate(
            {**fields, "problems": problems}, extra="ignore", context=REPORT_UNKNOWN
        )
    except ValidationError as error:
        return _Repair(model, copy.deepcopy(fields), paths, list(problems)).run(error)


class _Repair(Generic[Model]):
    def __init__(
        self,
        model: type[Model],
        fields: dict[str, Any],
        paths: Mapping[Place, str],
        problems: list[str],
    ) -> None:
        self.model = model
        self.fields = fields
        self.paths = paths
        self.problems = problems
        self.origins: dict[int, list[int]] = {}

    def run(self, error: ValidationError) -> Model:
        while self.absorb(error):
            try:
                return self.model.model_validate(
                    {**self.fields, "problems": self.problems}, extra="ignore"
                )
            except ValidationError as next_error:
                error = next_error
        raise error

    def absorb(self, error: ValidationError) -> bool:
        """Take the places in error out of the fields; say whether there were any."""
        found: dict[Place, list[ErrorDetails]] = {}
        for detail in error.errors(include_url=False, include_context=False):
            place = self.find_place(detail["loc"])
            if place:
                found.setdefault(place, []).append(detail)
        # Told in the study's order, dropped from the end so that positions stay true.
        order = sorted(found)
        for place in order:
            self.tell(place, found[place][-1])
        for place in reversed(order):
            if found[place][-1]["type"] != UNKNOWN_VALUE:
                self.drop(place)
        return bool(found)

    def find_place(self, location: Place) -> Place:
        """Give the deepest part of an error's location that exists in the fields."""
        value: Any = self.fields
        for depth, key in enumerate(location):
            if not _has(value, key):
                return location[:depth]
            value = value[key]
        return location

    def tell(self, place: Place, detail: ErrorDetails) -> None:
        value = self.value_at(place)
        if value is None or value == {}:
            return
        kind, message = detail["type"], detail["msg"]
        reason = f"no {detail['loc'][-1]}" if kind == "missing" else message.lower()
        self.problems.append(f"{self.describe(place)}: {reason}, found {reprlib.repr(value)}")

    def drop(self, place: Place) -> None:
        container, key = self.value_at(place[:-1]), place[-1]
        if isinstance(container, list):
            del self.origin(container)[key]
        del container[key]

    def value_at(self, place: Place) -> Any:
        value: Any = self.fields
        for key in place:
            value = value[key]
        return value

    def origin(self, items: list[Any]) -> list[int]:
        """Give the positions a list's remaining items had in the study."""
        return self.origins.setdefault(id(items), list(range(len(items))))

    def describe(self, place: Place) -> str:
        known = 2 if place[:2] in self.paths else 1
        text = self.paths.get(place[:known], str(place[0]))
        container = self.value_at(place[:known])
        for key in place[known:]:
            text += f"[{self.origin(container)[key]}]" if isinstance(key, int) else f".{key}"
            container = container[key]
        return text


def _has(container: Any, key: Any) -> bool:
    if isinstance(container, list):
        return isinstance(key, int) and key < len(container)
    return isinstance(container, dict) and key in container
