"""Models by name: `provider:model`, with `@URL` where the provider does not say the address.

Also says in a sentence what leaves this machine and to where; an address on loopback is this
machine.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from trialyst.errors import InvalidInput
from trialyst.paging import digest

__all__ = ["Endpoint", "Provider", "describe_sending", "parse_model_name", "usual_address"]


class Provider(StrEnum):
    """Who answers, or which program does."""

    GOOGLE = "google"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    HUGGING_FACE = "hf"
    VLLM = "vllm"
    OLLAMA = "ollama"
    LM_STUDIO = "lmstudio"
    LLAMA_CPP = "llamacpp"
    MEDGEMMA = "medgemma"

    @property
    def hosted(self) -> bool:
        """Whether it is a service of its own, whose address a setting does not change."""
        return self in (Provider.GOOGLE, Provider.OPENAI, Provider.ANTHROPIC)


_URLS = {
    Provider.GOOGLE: "https://generativelanguage.googleapis.com",
    Provider.OPENAI: "https://api.openai.com/v1",
    Provider.ANTHROPIC: "https://api.anthropic.com",
    Provider.HUGGING_FACE: "https://router.huggingface.co/v1",
    Provider.VLLM: "http://127.0.0.1:8000/v1",
    Provider.OLLAMA: "http://127.0.0.1:11434/v1",
    Provider.LM_STUDIO: "http://127.0.0.1:1234/v1",
    Provider.LLAMA_CPP: "http://127.0.0.1:8080/v1",
    Provider.MEDGEMMA: "http://127.0.0.1:8000/v1",
}
_DEFAULT_MODELS = {Provider.MEDGEMMA: "google/medgemma-4b-it"}
_EXAMPLES = "google:gemini-2.5-flash, ollama:llama3.1 or vllm:NAME@http://127.0.0.1:8000/v1"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One model at one address."""

    provider: Provider
    model: str
    url: str

    @property
    def name(self) -> str:
        """What to call it in reports."""
        return f"{self.provider}:{self.model}"

    @property
    def digest(self) -> str:
        """The model and its address in short, which tells nothing of either.

        >>> names = ("vllm:m@http://a/v1", "vllm:m@http://A:80/v1/", "vllm:m@http://b/v1")
        >>> len({parse_model_name(name).digest for name in names})
        2
        """
        parts = urlsplit(self.url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
        address = [parts.scheme, parts.hostname, port, parts.path.rstrip("/"), parts.query]
        return digest([self.name, *address])

    @property
    def host(self) -> str:
        """The host it answers on."""
        return urlsplit(self.url).hostname or ""

    @property
    def is_local(self) -> bool:
        """Whether it is this machine."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def is_encrypted(self) -> bool:
        """Whether nobody on the way can read what is sent."""
        return urlsplit(self.url).scheme == "https"


def parse_model_name(text: str, *, url: str | None = None) -> Endpoint:
    """Read `provider:model` or `provider:model@URL`; `url` serves the providers without their own.

    >>> parse_model_name("google:gemini-2.5-flash").host
    'generativelanguage.googleapis.com'
    >>> parse_model_name("vllm:org/model@http://10.0.0.5:8000/v1").model
    'org/model'

    Raises:
        InvalidInput: no such provider, no model, or an address that cannot be one.
    """
    named, given = _split_address(text.strip())
    before, colon, model = named.partition(":")
    try:
        provider = Provider(before.strip().lower())
    except ValueError:
        raise InvalidInput(
            f"{text!r} does not name a model",
            hint=f"Write provider:model with one of {', '.join(Provider)}, such as {_EXAMPLES}.",
            invalid_input=text,
        ) from None
    model = model.strip() or ("" if colon else _DEFAULT_MODELS.get(provider, ""))
    if not model:
        raise InvalidInput(
            f"{text!r} names a provider and no model",
            hint=f"Write provider:model, such as {_EXAMPLES}.",
            invalid_input=text,
        )
    chosen = given or (None if provider.hosted else url) or _URLS[provider]
    return Endpoint(provider, model, _checked_address(chosen))


def usual_address(provider: Provider) -> str:
    """Give the address at which a provider answers unless another is named."""
    return _URLS[provider]


def _split_address(text: str) -> tuple[str, str | None]:
    at = max(text.find("@http://"), text.find("@https://"))
    return (text, None) if at < 0 else (text[:at], text[at + 1 :])


def _checked_address(url: str) -> str:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname)
        usable = usable and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
    if not usable or "@" in urlsplit(url).netloc:
        # A name and password in an address would show up wherever the address is told.
        raise InvalidInput(
            "The address of the model is not an http or https URL without name and password",
            hint="Write it as http://HOST:PORT/v1; keys go into TRIALYST_LLM_KEY.",
        )
    return url.rstrip("/")


def describe_sending(endpoint: Endpoint, what: str = "the patient note") -> str:
    """Say in one sentence what leaves this machine and to where.

    >>> describe_sending(parse_model_name("ollama:llama3.1"))
    'The patient note stays on this machine: ollama:llama3.1 answers at 127.0.0.1.'
    """
    told = what[:1].upper() + what[1:]
    verb = ("stay", "leave") if what.endswith("s") else ("stays", "leaves")
    if endpoint.is_local:
        return f"{told} {verb[0]} on this machine: {endpoint.name} answers at {endpoint.host}."
    how = "" if endpoint.is_encrypted else ", over a connection that is not encrypted"
    return f"{told} {verb[1]} this machine: sent to {endpoint.name} at {endpoint.host}{how}."
