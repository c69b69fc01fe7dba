"""Models that could be asked from this machine: servers that answer here, and keys that are set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trialyst.llm.endpoint import Provider, parse_model_name
from trialyst.llm.local_servers import find_local_models
from trialyst.transport.probe import probe

if TYPE_CHECKING:
    from trialyst.settings import Settings

__all__ = ["FoundModel", "find_models"]


@dataclass(frozen=True, slots=True)
class FoundModel:
    """A model, or a provider of which any may be named."""

    name: str
    where: str
    local: bool
    """Whether what it is asked stays on this machine."""
    is_named: bool = True
    """Whether it is one model, and not a provider of many."""


async def find_models(settings: Settings) -> list[FoundModel]:
    """Look for model servers on loopback and for keys of providers; sends nothing elsewhere."""
    own = settings.llm_url
    found = await find_local_models(probe, {} if own is None else {Provider.VLLM: own})
    local = [
        FoundModel(each.name, each.url, parse_model_name(each.name, url=each.url).is_local)
        for each in found
    ]
    return [*local, *_with_keys(settings)]


def _with_keys(settings: Settings) -> Iterator[FoundModel]:
    keys = {
        Provider.GOOGLE: settings.google_key,
        Provider.OPENAI: settings.openai_key,
        Provider.ANTHROPIC: settings.anthropic_key,
        Provider.HUGGING_FACE: settings.hf_token,
    }
    for provider, key in keys.items():
        if key:
            yield FoundModel(f"{provider}:MODEL", "a key is set", local=False, is_named=False)
