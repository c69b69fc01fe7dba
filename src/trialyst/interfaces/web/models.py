"""Models that could be asked from this machine: servers that answer here, and keys that are set."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from trialyst.errors import TrialystError
from trialyst.llm.endpoint import Provider, parse_model_name

if TYPE_CHECKING:
    from trialyst.settings import Settings
    from trialyst.transport import Transport

__all__ = ["FoundModel", "find_models"]

_SECONDS = 0.4
"""A server of this machine answers at once, or there is none."""
_MOST_OF_ONE = 20
_SERVERS = (Provider.OLLAMA, Provider.VLLM, Provider.LLAMA_CPP)


@dataclass(frozen=True, slots=True)
class FoundModel:
    """A model, or a provider of which any may be named."""

    name: str
    where: str
    local: bool
    """Whether what it is asked stays on this machine."""


async def find_models(settings: Settings) -> list[FoundModel]:
    """Look for model servers on loopback and for keys of providers; sends nothing elsewhere."""
    from trialyst.transport import Limits, Transport

    limits = Limits(tries=1, connect=_SECONDS, read=_SECONDS, total=2 * _SECONDS)
    transport = Transport(limits=limits)
    try:
        served = await asyncio.gather(*(_ask(transport, each) for each in _SERVERS))
    finally:
        await transport.aclose()
    return [*(model for models in served for model in models), *_with_keys(settings)]


async def _ask(transport: Transport, provider: Provider) -> list[FoundModel]:
    url = parse_model_name(f"{provider}:any").url
    try:
        answer = await transport.get(f"{url}/models", read=_names)
    except (TrialystError, OSError):
        return []
    return [FoundModel(f"{provider}:{name}", url, local=True) for name in answer.value]


def _names(body: bytes) -> list[str]:
    try:
        listed: Any = msgspec.json.decode(body)
        return [str(each["id"]) for each in listed["data"]][:_MOST_OF_ONE]
    except (msgspec.DecodeError, KeyError, TypeError):
        return []


def _with_keys(settings: Settings) -> Iterator[FoundModel]:
    if settings.llm_url:
        local = parse_model_name("vllm:any", url=settings.llm_url).is_local
        yield FoundModel("vllm:MODEL", "TRIALYST_LLM_URL", local=local)
    keys = {
        Provider.GOOGLE: settings.google_key,
        Provider.OPENAI: settings.openai_key,
        Provider.ANTHROPIC: settings.anthropic_key,
        Provider.HUGGING_FACE: settings.hf_token,
    }
    for provider, key in keys.items():
        if key:
            yield FoundModel(f"{provider}:MODEL", "a key is set", local=False)
