"""The composition root: the only code that knows which source stands behind an interface."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from trialyst.errors import InvalidInput, RegistryMissing
from trialyst.hints import Command, Hint, Option
from trialyst.settings import Settings, SourceName

if TYPE_CHECKING:
    from trialyst.ctgov.source import OpenSource, TrialSource
    from trialyst.discovery.bridging import Bridge
    from trialyst.discovery.pathways import Pathways
    from trialyst.eligibility.parse import CriterionParser
    from trialyst.llm import Meter
    from trialyst.matching.agent import PrescreenAgent
    from trialyst.matching.facade import Matching
    from trialyst.matching.judging import Judge
    from trialyst.matching.judging.judge import RulesJudge
    from trialyst.pathways import PathwaySource
    from trialyst.pathways.gene_names import SymbolsOf
    from trialyst.registry import RegistrySource
    from trialyst.registry.trial_reader import TrialReader
    from trialyst.repurposing import RepurposingClient

__all__ = [
    "WhenAsked",
    "describe_agent",
    "describe_judge",
    "has_registry",
    "is_sample_note",
    "open_agent",
    "open_bridge",
    "open_judge",
    "open_matching",
    "open_parser",
    "open_pathways",
    "open_reader",
    "open_registry",
    "open_repurposing",
    "open_source",
    "refuse_own_note",
]


_RULES = "rules"
_STAGES = 2


class WhenAsked:
    """A source that the first question opens: what cannot be asked does not wait for it."""

    def __init__(self, open_it: Callable[[], Any]) -> None:
        self._open_it = open_it

    @cached_property
    def _opened(self) -> Any:
        return self._open_it()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._opened, name)

    async def aclose(self) -> None:
        """Close the source, if it was opened."""
        if "_opened" in vars(self):
            await self._opened.aclose()


def open_source(
    settings: Settings,
    *,
    source: SourceName | str | None = None,
    registry: Path | None = None,
) -> OpenSource:
    """Open the source the user asked for; arguments win over settings.

    `auto` is the local registry if there is one, else the starter, which is built on first use.
    A registry somebody named must exist: it never falls back to invented records. `live` is the
    service at `settings.ctgov_url`; nothing is sent before something is asked.

    Raises:
        RegistryMissing: there is no registry in the named directory.
        InvalidInput: the source is unknown, or contradicts a named registry.
    """
    chosen = settings.source if source is None else SourceName.parse(source)
    if chosen is SourceName.LIVE:
        _refuse_registry(chosen, registry)
        return _open_live(settings)
    return open_registry(settings, source=chosen, registry=registry)


def open_registry(
    settings: Settings,
    *,
    source: SourceName | str | None = None,
    registry: Path | None = None,
) -> RegistrySource:
    """Open a source that is a registry on this machine; as `open_source`, `live` is refused."""
    chosen = settings.source if source is None else SourceName.parse(source)
    if chosen is SourceName.LIVE:
        raise InvalidInput(
            "The source 'live' is no registry on this machine",
            hint=Hint(
                "Use the source auto, local or starter; to make a local one, {sync}.",
                sync=Command("trialyst registry sync"),
            ),
            invalid_input="live",
        )
    if chosen is SourceName.STARTER:
        _refuse_registry(chosen, registry)
        return _open_starter(settings)
    directory = settings.registry if registry is None else registry
    by_default = registry is None and directory == settings.home / "registry"
    if chosen is SourceName.AUTO and by_default:
        try:
            return _open(settings, directory, SourceName.LOCAL)
        except RegistryMissing:
            return _open_starter(settings, fallback=True)
    return _open(settings, directory, SourceName.LOCAL)


def open_judge(name: str, *, settings: Settings | None = None, meter: Meter | None = None) -> Judge:
    """Open who judges criteria; a model's judge is to be closed.

    Args:
        name: `rules`, which needs nothing but this machine; `rules+provider:model`, which asks the
            model once a trial for what the rules do not settle surely; `provider:model`, which
            asks it for every criterion; or two models joined by `+`: the first reasons, the second
            gives the verdict.
        meter: the account of a budget, which others may share.

    Raises:
        InvalidInput: there is no such judge, or its key is not set.
    """
    chosen = Settings.from_environment() if settings is None else settings
    names = _judge_names(name)
    if names == [_RULES]:
        return _open_rules(chosen)
    from trialyst.llm import Meter, open_adapter
    from trialyst.matching.judging.model import ModelJudge, TwoStageJudge

    account = Meter() if meter is None else meter
    models = [each for each in names if each != _RULES]
    adapters = [open_adapter(each, chosen, meter=account) for each in models]
    if len(models) < len(names):
        from trialyst.matching.judging.combined import CombinedJudge

        return CombinedJudge(_open_rules(chosen), adapters[0])
    return ModelJudge(adapters[0]) if len(adapters) == 1 else TwoStageJudge(*adapters)


def _open_rules(settings: Settings) -> RulesJudge:
    from trialyst.matching.judging.judge import RulesJudge
    from trialyst.vocabulary import open_vocabulary

    return RulesJudge(open_vocabulary(settings.home)).prepare()


def open_agent(name: str, *, settings: Settings, meter: Meter) -> PrescreenAgent:
    """Open a model that searches for trials, to be closed; of two joined by `+` the first reasons.

    Raises:
        InvalidInput: there is no such model, or its key is not set.
    """
    from trialyst.llm import open_adapter
    from trialyst.matching.agent import PrescreenAgent

    names = _model_names(name, kind="model to search with")
    adapters = [open_adapter(each, settings, meter=meter) for each in names]
    return PrescreenAgent(*reversed(adapters))


def describe_agent(name: str, *, settings: Settings) -> tuple[str, ...]:
    """Say what a searching model is sent, one sentence a model."""
    from trialyst.llm import describe_sending, parse_model_name

    return tuple(
        describe_sending(parse_model_name(each, url=settings.llm_url))
        for each in _model_names(name, kind="model to search with")
    )


def describe_judge(name: str, *, settings: Settings) -> tuple[str, ...]:
    """Say what a judge sends where, one sentence a model; nothing for the rules."""
    models = [each for each in _judge_names(name) if each != _RULES]
    if not models:
        return ()
    from trialyst.llm import describe_sending, parse_model_name

    told = ("the patient note", "what the first model writes of the patient")
    return tuple(
        describe_sending(parse_model_name(each, url=settings.llm_url), what)
        for each, what in zip(models, told, strict=False)
    )


def _judge_names(asked: str) -> list[str]:
    """Give who judges, `rules` first where they do."""
    first, plus, rest = asked.partition("+")
    if first.strip().lower() != _RULES:
        return _model_names(asked)
    models = _model_names(rest) if plus else []
    if len(models) > 1:
        raise InvalidInput(
            f"There is no judge {asked!r}",
            hint=f"Behind {_RULES}+ name one model, which is asked for the rest.",
            invalid_input=asked,
        )
    return [_RULES, *models]


def _model_names(asked: str, *, kind: str = "judge") -> list[str]:
    names = asked.split("+")
    if len(names) > _STAGES or not all(":" in each or "medgemma" in each for each in names):
        rules = f"{_RULES}, " if kind == "judge" else ""
        raise InvalidInput(
            f"There is no {kind} {asked!r}",
            hint=f"Use {rules}provider:model, or two models joined by +."
            if not rules
            else f"Use {_RULES}, {_RULES}+provider:model, provider:model, or two models joined "
            "by +.",
            invalid_input=asked,
        )
    return names


def open_parser(home: Path) -> CriterionParser:
    """Open what reads criteria, with the shipped names."""
    from trialyst.eligibility.lexicon import Lexicon
    from trialyst.eligibility.parse import CriterionParser
    from trialyst.vocabulary import open_vocabulary

    return CriterionParser(Lexicon(open_vocabulary(home)))


def open_reader(home: Path) -> TrialReader:
    """Open what reads the records of a registry, with the shipped names."""
    from trialyst.registry.trial_reader import open_trial_reader
    from trialyst.vocabulary import open_vocabulary

    return open_trial_reader(open_vocabulary(home))


def open_repurposing(settings: Settings, source: TrialSource) -> RepurposingClient:
    """Give the repurposing client on a source, with the names its records taught it, if any."""
    from trialyst.repurposing import RepurposingClient

    return RepurposingClient(source)


def open_bridge(source: TrialSource, pathways: PathwaySource) -> Bridge:
    """Give what leads from a drug over its targets' pathways to other conditions' trials."""
    from trialyst.discovery.bridging import Bridge

    return Bridge(source, pathways)


def open_matching(settings: Settings, source: TrialSource) -> Matching:
    """Give the matching of patients on a source; the first note opens the shipped names.

    What a live service is asked is not kept on disk, and holds no word that could name somebody.
    Invented records that nobody asked for are matched with the sample notes only.
    """
    from trialyst.matching.facade import Matching
    from trialyst.vocabulary import open_vocabulary

    def check_note(text: str) -> None:
        if source.is_fallback and not is_sample_note(text):
            raise refuse_own_note()

    return Matching(
        source.privately(),
        vocabulary=lambda: open_vocabulary(settings.home),
        check_note=check_note,
        sent_to=settings.ctgov_url.rstrip("/") if source.is_remote else None,
    )


def is_sample_note(text: str) -> bool:
    """Whether a note is one of those that come with the starter registry."""
    from trialyst.starter import sample_patients

    return text.strip() in {patient.note.strip() for patient in sample_patients()}


def refuse_own_note() -> InvalidInput:
    """Give the refusal to match somebody's own note with invented records."""
    return InvalidInput(
        "There is no registry of real trials here, only the synthetic starter",
        hint=Hint(
            "To get real records, {sync}; to ask the live service, {live}; to try things out on "
            "invented records, {starter}.",
            sync=Command("trialyst registry sync"),
            live=Option("--source live"),
            starter=Option("--source starter"),
        ),
    )


def has_registry(settings: Settings) -> bool:
    """Whether there is a registry where the settings say; what is damaged counts as one."""
    from trialyst.registry.generation import current_generation

    try:
        current_generation(settings.registry)
    except RegistryMissing:
        return False
    return True


def open_pathways(settings: Settings, *, source: SourceName | str | None = None) -> Pathways:
    """Give the pathway tools on the source the user asked for, which the first question opens.

    `auto` is what was loaded under the home directory if anything was, else the starter set.
    `local` never falls back to it. `live` is the site at `settings.wikipathways_url`.
    """
    from trialyst.discovery.pathways import Pathways
    from trialyst.pathways.gene_names import gene_symbols

    chosen = settings.source if source is None else SourceName.parse(source)

    symbols_of = gene_symbols(settings.home)
    asked = WhenAsked(lambda: _open_pathways(settings, chosen, symbols_of))
    return Pathways(cast("PathwaySource", asked), symbols_of=symbols_of)


def _open_pathways(settings: Settings, source: SourceName, symbols_of: SymbolsOf) -> PathwaySource:
    from trialyst.pathways import PathwaysMissing, open_pathways, open_starter

    if source is SourceName.LIVE:
        from trialyst.pathways import LivePathways
        from trialyst.transport import open_transport

        return LivePathways(
            open_transport(settings),
            settings.wikipathways_url,
            home=settings.home,
            symbols_of=symbols_of,
        )
    if source is SourceName.STARTER:
        return open_starter(symbols_of=symbols_of)
    try:
        return open_pathways(settings.home, symbols_of=symbols_of)
    except PathwaysMissing:
        if source is SourceName.LOCAL:
            raise
        return open_starter(symbols_of=symbols_of)


def _refuse_registry(source: SourceName, registry: Path | None) -> None:
    if registry is not None:
        raise InvalidInput(
            f"The source '{source}' and the registry '{registry}' contradict each other",
            hint="Give one of the two.",
            invalid_input=str(registry),
        )


def _open_live(settings: Settings) -> OpenSource:
    from trialyst.ctgov.client import LiveSource
    from trialyst.eligibility.live import AcceptingSource
    from trialyst.transport import open_transport
    from trialyst.vocabulary import open_vocabulary

    live = LiveSource(
        open_transport(settings),
        settings.ctgov_url,
        names=lambda: open_vocabulary(settings.home),
    )
    return cast("OpenSource", AcceptingSource(live))


def _open_starter(settings: Settings, *, fallback: bool = False) -> RegistrySource:
    from trialyst.starter import ensure_starter

    directory = ensure_starter(settings.home)
    return _open(settings, directory, SourceName.STARTER, fallback=fallback)


def _open(
    settings: Settings, directory: Path, name: SourceName, *, fallback: bool = False
) -> RegistrySource:
    from trialyst.registry.generation import current_generation
    from trialyst.registry.registry import Registry
    from trialyst.registry.source import RegistrySource
    from trialyst.vocabulary import open_vocabulary

    # Before the vocabulary is unpacked, which takes a second the first time.
    current_generation(directory)
    vocabulary = open_vocabulary(settings.home)
    opened = Registry.open(directory, vocabulary=vocabulary)
    return RegistrySource(opened, name=name.value, fallback=fallback)
