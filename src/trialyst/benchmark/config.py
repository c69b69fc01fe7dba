"""The configuration of a Phase 0 run: a YAML file, read strictly.

A key that is not known, stands twice or has a value that cannot work is an error that names it;
nothing is guessed, and nothing is opened or asked here.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from trialyst.errors import InvalidInput
from trialyst.matching.judging.result import Verdict

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

__all__ = [
    "BudgetConfig",
    "DataConfig",
    "ModelConfig",
    "Phase0Config",
    "load_config",
    "parse_config",
]

N_PAIRS = 20
SEED = 42


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


def _to_balance(value: Any) -> Any:
    if isinstance(value, bool):
        return "equal" if value else "proportional"
    return value.strip().lower() if isinstance(value, str) else value


def _to_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Share = Annotated[float, Field(ge=0)]
Balance = Annotated[
    Literal["proportional", "equal"] | dict[Verdict, Share], BeforeValidator(_to_balance)
]
Keyword = Annotated[str, Field(min_length=1, pattern=r"\S")]


class DataConfig(_Strict):
    """Which rows are judged."""

    source: str | None = None
    """The name of a data set on Hugging Face."""
    path: Path | None = None
    """A file of annotations."""
    n_pairs: Annotated[int, Field(ge=1)] = N_PAIRS
    seed: int = SEED
    keyword_filter: Annotated[tuple[Keyword, ...], BeforeValidator(_to_list)] = ()
    """Rows whose note, trial title or criterion holds one of these; empty is every row."""
    balance: Balance = "proportional"
    """`proportional` to the labels of the rows, `equal` numbers of each, or shares by verdict."""

    @model_validator(mode="after")
    def _one_place(self) -> DataConfig:
        if (self.source is None) == (self.path is None):
            raise ValueError("give either `source` or `path`, and one of them only")
        if isinstance(self.balance, dict) and not sum(self.balance.values()):
            raise ValueError("`balance` gives every label a share of nothing")
        return self


class ModelConfig(_Strict):
    """A judge: `rules`, `provider:model`, or two models joined by `+`."""

    name: Annotated[str, Field(min_length=1)]
    max_concurrent: Annotated[int, Field(ge=1, le=64)] = 1
    max_tokens: Annotated[int, Field(ge=16)] | None = None
    """The most a model may write in one answer; None is what the prompt asks for."""


class BudgetConfig(_Strict):
    """What all models of a run may use together; None is no limit."""

    max_cost_usd: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    max_calls: Annotated[int, Field(ge=0)] | None = None


class Phase0Config(_Strict):
    """A whole configuration."""

    data: DataConfig
    models: Annotated[tuple[ModelConfig, ...], Field(min_length=1)]
    budget: BudgetConfig = BudgetConfig()
    output: Path = Path("runs")
    """The directory in which each run gets its own."""

    @model_validator(mode="after")
    def _each_model_once(self) -> Phase0Config:
        names = [model.name for model in self.models]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"model {twice[0]!r} stands twice")
        return self


def load_config(path: Path) -> Phase0Config:
    """Read a configuration; a relative `data.path` starts at the file's own directory.

    Raises:
        InvalidInput: there is no such file, it is no YAML, or a value in it cannot work.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else "it is no text"
        raise InvalidInput(
            f"The configuration {str(path)!r} cannot be read: {why}",
            hint="Give the path of a YAML file.",
            invalid_input=str(path),
        ) from None
    config = parse_config(text, name=path.name)
    given = config.data.path
    if given is None or given.is_absolute():
        return config
    beside = path.absolute().parent / given.expanduser()
    data = config.data.model_copy(update={"path": beside})
    return config.model_copy(update={"data": data})


def parse_config(text: str, *, name: str = "the configuration") -> Phase0Config:
    """Read a configuration from YAML; see `load_config`."""
    values = _read_yaml(text, name)
    if not isinstance(values, dict):
        raise InvalidInput(
            f"{name} holds no keys",
            hint=f"Give the keys {', '.join(Phase0Config.model_fields)}.",
        )
    try:
        return Phase0Config.model_validate(values)
    except ValidationError as problem:
        told = list(dict.fromkeys(_tell(error) for error in _outermost(problem.errors())))
        raise InvalidInput(
            f"{name} cannot be used: {'; '.join(message for message, _ in told)}",
            hint=" ".join(dict.fromkeys(hint for _, hint in told)),
        ) from None


def _read_yaml(text: str, name: str) -> Any:
    import yaml

    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        if node is not None:
            _refuse_twins(node, name)
        return yaml.safe_load(text)
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        place = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        why = getattr(problem, "problem", None) or "it holds characters that YAML does not allow"
        raise InvalidInput(
            f"{name} is not YAML{place}: {why}", hint="Correct the file at that place."
        ) from None


def _refuse_twins(root: Any, name: str) -> None:
    """Refuse a key that stands twice, of which YAML would silently take the last."""
    for node in _mappings(root, set()):
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key.value, str):
                continue
            if key.value in seen:
                mark = key.start_mark
                raise InvalidInput(
                    f"{name} has the key {key.value!r} twice, again at line {mark.line + 1}, "
                    f"column {mark.column + 1}",
                    hint="Keep one of them.",
                    invalid_input=str(key.value),
                )
            seen.add(key.value)


def _mappings(node: Any, seen: set[int]) -> Iterator[Any]:
    # An alias may lead back to what holds it.
    if id(node) in seen:
        return
    seen.add(id(node))
    if node.id == "mapping":
        yield node
        for pair in node.value:
            for each in pair:
                yield from _mappings(each, seen)
    elif node.id == "sequence":
        for each in node.value:
            yield from _mappings(each, seen)


_INNER = re.compile(r"literal\[|dict\[|\[key\]$")
"""Parts of a place that name a branch of ours and no key of the file."""
_SHAPES = {"tuple_type": "a list", "model_type": "a section with keys"}


def _outermost(errors: list[ErrorDetails]) -> Iterator[ErrorDetails]:
    """Leave out what is wrong only because something within is."""
    within = any(error["loc"][:1] == ("models",) and len(error["loc"]) > 1 for error in errors)
    for error in errors:
        if not (within and error["type"] == "too_short"):
            yield error


def _tell(error: ErrorDetails) -> tuple[str, str]:
    """Put one problem into a sentence and a way out."""
    named = [str(part) for part in error["loc"] if not _INNER.match(str(part))]
    place = ".".join(named)
    if error["type"] == "extra_forbidden":
        known = list(_keys_at(error["loc"][:-1]))
        near = difflib.get_close_matches(str(error["loc"][-1]), known, n=1)
        meant = f" Did you mean {near[0]!r}?" if near else ""
        return f"unknown key {place!r}", f"Known keys there: {', '.join(known)}.{meant}"
    if error["type"] == "missing":
        return f"{place!r} is missing", f"Give {place!r}."
    if error["type"] in _SHAPES:
        keys = ", ".join(_keys_at(error["loc"]))
        return f"{place!r} is not {_SHAPES[error['type']]}", f"Keys there: {keys}."
    message = error["msg"].removeprefix("Value error, ")
    said = f"{place!r}: {message[:1].lower()}{message[1:]}" if place else message
    return said, "Correct the values named."


def _keys_at(place: tuple[int | str, ...]) -> Iterator[str]:
    sections: dict[str, type[BaseModel]] = {
        "data": DataConfig,
        "models": ModelConfig,
        "budget": BudgetConfig,
    }
    yield from sections.get(str(place[0]) if place else "", Phase0Config).model_fields
