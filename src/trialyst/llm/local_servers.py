"""Model servers on this machine: looked for on their usual ports, never used unasked.

Only loopback addresses are asked, and only for the list of their models. Nothing of a patient is
sent.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from trialyst.llm.endpoint import Endpoint, Provider, parse_model_name, usual_address

__all__ = ["LOCAL_SERVERS", "LocalModel", "find_local_models"]

LOCAL_SERVERS: Mapping[Provider, str] = {
    Provider.OLLAMA: "Ollama",
    Provider.LM_STUDIO: "LM Studio",
    Provider.LLAMA_CPP: "llama.cpp",
    Provider.VLLM: "vLLM",
}
"""The programs that are looked for, by provider."""
_MOST = 200

Fetch = Callable[[str], Awaitable[bytes | None]]
"""Gives what an address answers, or None."""


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model that a server on this machine offers."""

    name: str
    """What to give as the name of a judge or an agent: `ollama:llama3.1:8b`."""
    server: str
    url: str


async def find_local_models(
    fetch: Fetch, addresses: Mapping[Provider, str] | None = None
) -> tuple[LocalModel, ...]:
    """Ask the usual ports of this machine which models are served there.

    Args:
        addresses: where each provider would answer instead of its usual port.
    """
    asked = {each: usual_address(each) for each in LOCAL_SERVERS} | dict(addresses or {})
    local = {each: url for each, url in asked.items() if Endpoint(each, "any", url).is_local}
    bodies = await asyncio.gather(*(fetch(f"{url.rstrip('/')}/models") for url in local.values()))
    found = zip(local.items(), bodies, strict=True)
    return tuple(model for (each, url), body in found for model in _models(each, url, body))


def _models(provider: Provider, url: str, body: bytes | None) -> list[LocalModel]:
    usual = url == usual_address(provider)
    return [
        LocalModel(
            f"{provider}:{name}" if usual else f"{provider}:{name}@{url}",
            LOCAL_SERVERS.get(provider, provider.value),
            url,
        )
        for name in _names(body or b"")
        if parse_model_name(f"{provider}:{name}").model == name
    ]


def _names(body: bytes) -> list[str]:
    """Give the names in an OpenAI list of models; whatever else answers there lists none."""
    try:
        value: Any = json.loads(body)
    except (ValueError, RecursionError):
        return []
    data = value.get("data") if isinstance(value, Mapping) else None
    listed = data[:_MOST] if isinstance(data, list) else []
    ids = (each.get("id") for each in listed if isinstance(each, Mapping))
    return [each for each in ids if isinstance(each, str) and each.isprintable() and each.strip()]
