"""HTTP: the only code that speaks it. One client, one pace per host, retries, a cache on disk.

`open_transport(settings)` gives a `Transport`. `get(url, read)` answers with a value, or raises
`RateLimited`, `UpstreamError`, or `Refused` (a 4xx with the service's own words).
`download(url, target)` fetches a file of any size and resumes it after a cut. Names are loaded
when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.transport.allowance import Allowance, allowing, current_allowance
    from trialyst.transport.cache import Cache
    from trialyst.transport.client import Answer, CacheUse, Transport, open_transport
    from trialyst.transport.download import Downloaded, DownloadProgress
    from trialyst.transport.errors import Refused, TurnTooLate
    from trialyst.transport.hosts import Hosts
    from trialyst.transport.limits import Limits
    from trialyst.transport.watchers import watching

__all__ = [
    "Allowance",
    "Answer",
    "Cache",
    "CacheUse",
    "DownloadProgress",
    "Downloaded",
    "Hosts",
    "Limits",
    "Refused",
    "Transport",
    "TurnTooLate",
    "allowing",
    "current_allowance",
    "open_transport",
    "watching",
]

_HOMES = {
    "allowance": ("Allowance", "allowing", "current_allowance"),
    "cache": ("Cache",),
    "client": ("Answer", "CacheUse", "Transport", "open_transport"),
    "download": ("DownloadProgress", "Downloaded"),
    "errors": ("Refused", "TurnTooLate"),
    "hosts": ("Hosts",),
    "limits": ("Limits",),
    "watchers": ("watching",),
}

__getattr__ = lazy_names(__name__, _HOMES)
