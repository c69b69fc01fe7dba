"""The models of `trialyst match`: opened within one budget, told about before they are asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from trialyst.errors import InvalidInput
from trialyst.interfaces.cli.output import note

if TYPE_CHECKING:
    from trialyst.llm import Meter
    from trialyst.matching.estimating import Estimate
    from trialyst.settings import Settings

__all__ = ["ModelTask", "open_models", "tell_estimate", "tell_sending"]

_RULES = "rules"


class ModelTask(Protocol):
    """What a user asked of models."""

    judge: str
    agent: str | None
    budget: tuple[int | None, float | None]
    settings: Settings
    meter: Meter | None


def open_models(task: ModelTask) -> dict[str, Any]:
    """Open the models that were named, which send nothing yet; they share one budget."""
    from trialyst.interfaces.runtime import open_agent, open_judge

    calls, usd = task.budget
    judged_by_rules = task.judge.strip().lower() == _RULES
    if judged_by_rules and task.agent is None and calls is usd is None:
        return {}
    from trialyst.llm import Meter, ModelBudget

    meter = task.meter = Meter(ModelBudget(calls=calls, usd=usd))
    models: dict[str, Any] = {}
    if task.agent is not None:
        models["agent"] = open_agent(task.agent, settings=task.settings, meter=meter)
    if not judged_by_rules:
        models["judge"] = open_judge(task.judge, settings=task.settings, meter=meter)
    if usd is not None:
        _refuse_unpriced(models)
    return models


def _refuse_unpriced(models: Mapping[str, Any]) -> None:
    """Refuse a budget in money that would let nothing be asked."""
    adapters = [adapter for model in models.values() for adapter in model.adapters]
    unpriced = [adapter.name for adapter in adapters if adapter.price is None]
    if unpriced:
        raise InvalidInput(
            f"The price of {unpriced[0]} is not known, so a budget in money cannot be kept",
            hint="Leave out --max-usd; --max-calls bounds what is asked.",
            invalid_input=unpriced[0],
        )


def tell_sending(task: ModelTask) -> None:
    """Say what models are sent, before anything is."""
    from trialyst.interfaces.runtime import describe_agent, describe_judge

    told = () if task.agent is None else describe_agent(task.agent, settings=task.settings)
    for line in dict.fromkeys([*told, *describe_judge(task.judge, settings=task.settings)]):
        note(line)


def tell_estimate(task: ModelTask, estimate: Estimate) -> None:
    """Say what models would take, and whether the budget lasts, before any is asked."""
    note(f"{task.judge} takes {estimate}.")
    calls, usd = task.budget
    short = calls is not None and calls < estimate.calls
    if short or (usd is not None and estimate.usd is not None and usd < estimate.usd):
        note("The budget may not last; what it leaves open is judged with --resume.")
