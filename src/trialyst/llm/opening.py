"""From a model's name to an adapter; the libraries of providers are loaded here and not before."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from trialyst.errors import InvalidInput, ModelError
from trialyst.llm.endpoint import Endpoint, Provider, parse_model_name

if TYPE_CHECKING:
    from pydantic_ai.models import Model

    from trialyst.clock import Clock
    from trialyst.llm.budget import Meter
    from trialyst.llm.calling import CallLimits, ProviderAdapter
    from trialyst.settings import Settings

__all__ = ["open_adapter"]

_KEYS = {
    Provider.GOOGLE: ("GOOGLE_API_KEY", "google_key"),
    Provider.OPENAI: ("OPENAI_API_KEY", "openai_key"),
    Provider.ANTHROPIC: ("ANTHROPIC_API_KEY", "anthropic_key"),
    Provider.HUGGING_FACE: ("HF_TOKEN", "hf_token"),
}
_OWN_KEY = ("TRIALYST_LLM_KEY", "llm_key")
_NO_KEY = "none"
"""Sent to servers that ask for no key, because the libraries want one."""
_CONNECT_SECONDS = 10.0


def open_adapter(
    name: str,
    settings: Settings,
    *,
    meter: Meter | None = None,
    limits: CallLimits | None = None,
    clock: Clock | None = None,
) -> ProviderAdapter:
    """Give the adapter of a model; nothing is sent yet. Close it when done.

    Args:
        meter: the account of a budget; several adapters may share one.
        limits: how patiently to ask; from the settings if not given.

    Raises:
        InvalidInput: the name names no model, or its key is not set.
        ModelError: the libraries that speak to models are not installed.
    """
    endpoint = parse_model_name(name, url=settings.llm_url)
    key = _find_key(endpoint, settings)
    try:
        from trialyst.llm.calling import CallLimits, ProviderAdapter

        model, close = _connect(endpoint, key)
    except ImportError:
        raise ModelError(
            "Models need libraries that are not installed",
            hint="Install them with: pip install 'trialyst[llm]'",
        ) from None
    chosen = limits or CallLimits(
        timeout=settings.llm_timeout, concurrency=settings.llm_concurrency
    )
    adapter = ProviderAdapter(endpoint, model, limits=chosen, meter=meter, clock=clock)
    adapter.call_when_closed(close)
    return adapter


def _find_key(endpoint: Endpoint, settings: Settings) -> str:
    variable, field = _KEYS.get(endpoint.provider, _OWN_KEY)
    key: str | None = getattr(settings, field)
    if key is not None and not (key.isascii() and key.isprintable()):
        raise InvalidInput(
            f"{variable} holds letters that no key has",
            hint=f"Copy your key into the environment variable {variable} again.",
        )
    if key is None and endpoint.provider in _KEYS and not endpoint.is_local:
        raise InvalidInput(
            f"{endpoint.name} needs a key, and {variable} is not set",
            hint=f"Set the environment variable {variable} to your key of the provider.",
        )
    return key or _NO_KEY


def _connect(endpoint: Endpoint, key: str) -> tuple[Model, object]:
    from openai import DefaultAsyncHttpxClient, Timeout

    # The SDKs' own clients follow redirects, which would carry a note to a host nobody named, and
    # send what is meant for this machine through a proxy of the environment.
    client = DefaultAsyncHttpxClient(
        follow_redirects=False,
        trust_env=not endpoint.is_local,
        timeout=Timeout(None, connect=_CONNECT_SECONDS),
    )
    if endpoint.provider is Provider.GOOGLE:
        from pydantic_ai.models.google import GoogleModel
        from pydantic_ai.providers.google import GoogleProvider

        google = GoogleProvider(api_key=key, http_client=client, base_url=endpoint.url)
        return GoogleModel(endpoint.model, provider=google), client.aclose
    if endpoint.provider is Provider.ANTHROPIC:
        # The library logs whole requests, and with them the note.
        log = logging.getLogger("anthropic")
        if log.level == logging.NOTSET:
            log.setLevel(logging.WARNING)
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        anthropic = AnthropicProvider(api_key=key, http_client=client, base_url=endpoint.url)
        return AnthropicModel(endpoint.model, provider=anthropic), client.aclose
    from pydantic_ai.models.openai import OpenAIChatModel

    if endpoint.provider is Provider.OPENAI:
        from pydantic_ai.providers.openai import OpenAIProvider

        own = OpenAIProvider(api_key=key, http_client=client, base_url=endpoint.url)
        return OpenAIChatModel(endpoint.model, provider=own), client.aclose
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    other = OpenAICompatibleProvider(
        endpoint.provider.value, api_key=key, http_client=client, base_url=endpoint.url
    )
    return OpenAIChatModel(endpoint.model, provider=other), client.aclose
