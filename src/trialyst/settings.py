"""What a user can set from the environment, read when asked for and never at import.

Owns the `TRIALYST_*` variables and their defaults, and reads the usual variables that hold keys of
model providers; a key is never shown. A blank variable counts as unset; a value that
cannot work raises and names its variable.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from trialyst.errors import InvalidInput

__all__ = ["Settings", "SourceName"]

CTGOV_URL = "https://clinicaltrials.gov/api/v2"
WIKIPATHWAYS_URL = "https://www.wikipathways.org"
PUBMED_URL = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
CACHE_MEGABYTES = 256
MCP_SECONDS = 50.0
"""Most hosts give up on a call after 60 s, and then nobody hears what came of it."""
SERVE_SECONDS = 50.0
"""Clients commonly wait for a minute; a matrix of many pairs takes half of it."""
LLM_SECONDS = 120.0
LLM_CONCURRENCY = 4


class SourceName(StrEnum):
    """Where trials come from; `auto` is the local registry if there is one, else the starter."""

    AUTO = "auto"
    LIVE = "live"
    LOCAL = "local"
    STARTER = "starter"

    @classmethod
    def parse(cls, text: str, *, name: str = "source") -> SourceName:
        """Read a source by name, blind to case; `name` says in the error where the text stood."""
        try:
            return cls(text.strip().lower())
        except ValueError:
            raise InvalidInput(
                f"{name} is {text!r}, which is not a source",
                hint=f"Use one of {', '.join(cls)}.",
                invalid_input=text,
            ) from None


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that is set once for a process."""

    home: Path
    """Where all that is kept lives."""
    registry: Path
    """The directory of the local registry."""
    source: SourceName = SourceName.AUTO
    ctgov_url: str = CTGOV_URL
    ctgov_rate: float | None = None
    """Requests a second to the live registry; None is the default pace, 0 unlimited."""
    wikipathways_url: str = WIKIPATHWAYS_URL
    pubmed_url: str = PUBMED_URL
    pubmed_key: str | None = field(default=None, repr=False)
    """The user's own key of the E-utilities, which allows a faster pace."""
    pubmed_email: str | None = None
    """Whom the service may write to before it blocks an address."""
    cache_bytes: int = CACHE_MEGABYTES * 10**6
    """How much of the live services' answers is kept on disk; 0 is nothing."""
    token: str | None = field(default=None, repr=False)
    """What requests to `trialyst serve` have to bring; off loopback one is made up if not set."""
    mcp_seconds: float = MCP_SECONDS
    """Seconds a call over MCP may ask a live service."""
    serve_seconds: float = SERVE_SECONDS
    """Seconds within which `trialyst serve` must have begun to answer a request."""
    llm_url: str | None = None
    """Where a model of the OpenAI kind answers, unless its name says so."""
    llm_key: str | None = field(default=None, repr=False)
    """The key of that server, if it wants one."""
    llm_timeout: float = LLM_SECONDS
    """Seconds one try of a model may take."""
    llm_concurrency: int = LLM_CONCURRENCY
    """Calls to a model that may be under way at the same time."""
    google_key: str | None = field(default=None, repr=False)
    openai_key: str | None = field(default=None, repr=False)
    anthropic_key: str | None = field(default=None, repr=False)
    hf_token: str | None = field(default=None, repr=False)

    @property
    def runs(self) -> Path:
        """Where matches keep what they searched and judged."""
        return self.home / "runs"

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> Settings:
        """Read the settings; raises InvalidInput for a value that cannot work."""
        values = os.environ if environ is None else environ
        home = _directory(values, "TRIALYST_HOME") or _default_home()
        return cls(
            home=home,
            registry=_directory(values, "TRIALYST_REGISTRY") or home / "registry",
            source=SourceName.parse(
                values.get("TRIALYST_SOURCE", "").strip() or SourceName.AUTO,
                name="TRIALYST_SOURCE",
            ),
            ctgov_url=_url(values, "TRIALYST_CTGOV_URL") or CTGOV_URL,
            ctgov_rate=_number(values, "TRIALYST_CTGOV_RATE"),
            wikipathways_url=_url(values, "TRIALYST_WIKIPATHWAYS_URL") or WIKIPATHWAYS_URL,
            pubmed_url=_url(values, "TRIALYST_PUBMED_URL") or PUBMED_URL,
            pubmed_key=_text(values, "TRIALYST_PUBMED_KEY"),
            pubmed_email=_text(values, "TRIALYST_PUBMED_EMAIL"),
            cache_bytes=_cache_bytes(values),
            token=_text(values, "TRIALYST_TOKEN"),
            mcp_seconds=_positive(values, "TRIALYST_MCP_SECONDS", MCP_SECONDS),
            serve_seconds=_positive(values, "TRIALYST_SERVE_SECONDS", SERVE_SECONDS),
            llm_url=_url(values, "TRIALYST_LLM_URL"),
            llm_key=_text(values, "TRIALYST_LLM_KEY"),
            llm_timeout=_positive(values, "TRIALYST_LLM_TIMEOUT", LLM_SECONDS),
            llm_concurrency=math.ceil(
                _positive(values, "TRIALYST_LLM_CONCURRENCY", LLM_CONCURRENCY)
            ),
            google_key=_text(values, "GOOGLE_API_KEY") or _text(values, "GEMINI_API_KEY"),
            openai_key=_text(values, "OPENAI_API_KEY"),
            anthropic_key=_text(values, "ANTHROPIC_API_KEY"),
            hf_token=_text(values, "HF_TOKEN"),
        )


def _default_home() -> Path:
    from platformdirs import user_data_path

    return user_data_path("trialyst", appauthor=False)


def _text(values: Mapping[str, str], name: str) -> str | None:
    return values.get(name, "").strip() or None


def _directory(values: Mapping[str, str], name: str) -> Path | None:
    text = values.get(name, "").strip()
    if not text:
        return None
    try:
        path = Path(text).expanduser().absolute()
        is_other = path.exists() and not path.is_dir()
    except (OSError, RuntimeError, ValueError) as error:
        raise _bad(name, text, f"cannot be used: {error}") from None
    if is_other:
        raise _bad(name, text, "is not a directory")
    return path


def _url(values: Mapping[str, str], name: str) -> str | None:
    text = values.get(name, "").strip()
    if not text:
        return None
    try:
        parts = urlsplit(text)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        usable = False
    if not usable:
        raise _bad(name, text, "is not an http or https URL")
    return text.rstrip("/")


def _number(values: Mapping[str, str], name: str) -> float | None:
    text = values.get(name, "").strip()
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        raise _bad(name, text, "is not a number") from None
    if not 0 <= number < math.inf:
        raise _bad(name, text, "is not a number from 0 up")
    return number


def _positive(values: Mapping[str, str], name: str, default: float) -> float:
    number = _number(values, name)
    if number == 0:
        raise _bad(name, values[name].strip(), "is not a number above 0")
    return default if number is None else number


def _cache_bytes(values: Mapping[str, str]) -> int:
    megabytes = _number(values, "TRIALYST_CACHE_MB")
    return int((CACHE_MEGABYTES if megabytes is None else megabytes) * 10**6)


def _bad(name: str, text: str, problem: str) -> InvalidInput:
    return InvalidInput(
        f"{name} is {text!r}, which {problem}",
        hint=f"Correct the environment variable {name}, or unset it to use the default.",
        invalid_input=text,
    )
