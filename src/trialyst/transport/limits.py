"""How patient the transport is: tries, waits, time-outs, and the pace for each host."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

__all__ = ["Limits", "host_of", "parse_retry_after"]

REQUESTS_PER_SECOND = 1.0
"""The pace for a host that has none of its own; robots.txt of ClinicalTrials.gov asks for it."""
_OWN_PACE: Mapping[str, float] = {"eutils.ncbi.nlm.nih.gov": 3.0}
"""Hosts that publish a pace; the E-utilities allow three requests a second without a key."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one transport; times are in seconds."""

    tries: int = 4
    longest_wait: float = 16.0
    """The longest single wait between two tries, whoever asks for it."""
    connect: float = 10.0
    read: float = 30.0
    """How long the service may stay silent."""
    total: float = 120.0
    """How long one answer may take, so that a slow drip ends; downloads are exempt."""
    rates: Mapping[str, float] = field(default_factory=dict)
    """Requests a second by host, as `host_of` names it; 0 means unlimited."""

    def interval(self, host: str) -> float:
        """Give the seconds between two requests to a host; loopback is unlimited by default.

        >>> Limits().interval("clinicaltrials.gov"), Limits().interval("127.0.0.1:8080")
        (1.0, 0.0)
        """
        default = 0.0 if _is_loopback(host) else _OWN_PACE.get(host, REQUESTS_PER_SECOND)
        rate = self.rates.get(host, default)
        return 1 / rate if rate else 0.0

    def backoff(self, tries_made: int, chance: float) -> float:
        """Give the wait after some failed tries: 1, 2, 4, ... seconds and up to a quarter more.

        >>> Limits().backoff(1, 0.0), Limits().backoff(3, 1.0), Limits().backoff(9, 1.0)
        (1.0, 5.0, 16.0)
        """
        return min(2.0 ** (tries_made - 1) * (1 + chance / 4), self.longest_wait)


def host_of(url: str) -> str:
    """Name the host that is paced: a port of its own is a host of its own, `www.` is not.

    >>> host_of("https://www.ClinicalTrials.gov/api"), host_of("http://127.0.0.1:8080/api/v2")
    ('clinicaltrials.gov', '127.0.0.1:8080')
    """
    parts = urlsplit(url)
    name = (parts.hostname or "").removeprefix("www.")
    name = f"[{name}]" if ":" in name else name
    standard = {"http": 80, "https": 443}.get(parts.scheme)
    return name if parts.port in (None, standard) else f"{name}:{parts.port}"


def parse_retry_after(text: str | None, now: float) -> float | None:
    """Read a `Retry-After` header, in seconds or as a date, as seconds from now.

    >>> parse_retry_after("7", 0.0)
    7.0
    >>> parse_retry_after("Thu, 01 Jan 1970 00:01:30 GMT", 30.0)
    60.0
    >>> parse_retry_after("soon", 0.0) is None
    True
    """
    stripped = (text or "").strip()
    if stripped.isascii() and stripped.isdigit():
        return float(stripped)
    try:
        return max(parsedate_to_datetime(stripped).timestamp() - now, 0.0)
    except (TypeError, ValueError, OverflowError):
        return None


def _is_loopback(host: str) -> bool:
    name = urlsplit(f"//{host}").hostname or ""
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"
