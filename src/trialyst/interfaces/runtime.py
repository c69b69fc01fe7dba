"""The composition root: the only code that knows which source stands behind an interface."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from trialyst.errors import InvalidInput, RegistryMissing
from trialyst.settings import Settings, SourceName

if TYPE_CHECKING:
    from trialyst.registry import RegistrySource

__all__ = ["open_source"]


def open_source(
    settings: Settings,
    *,
    source: SourceName | str | None = None,
    registry: Path | None = None,
) -> RegistrySource:
    """Open the source the user asked for; arguments win over settings.

    `auto` is the local registry if there is one, else the starter, which is built on first use.
    A registry somebody named must exist: it never falls back to invented records.

    Raises:
        RegistryMissing: there is no registry in the named directory.
        InvalidInput: the source is unknown or not available.
    """
    chosen = settings.source if source is None else SourceName.parse(source)
    if chosen is SourceName.LIVE:
        raise InvalidInput(
            "The source 'live' is not available in this version",
            hint="Use auto, local or starter; `trialyst registry build PATH` makes a local one.",
            invalid_input="live",
        )
    if chosen is SourceName.STARTER:
        if registry is not None:
            raise InvalidInput(
                f"The source 'starter' and the registry '{registry}' contradict each other",
                hint="Give one of the two.",
                invalid_input=str(registry),
            )
        return _open_starter(settings)
    directory = settings.registry if registry is None else registry
    by_default = registry is None and directory == settings.home / "registry"
    if chosen is SourceName.AUTO and by_default:
        try:
            return _open(settings, directory, SourceName.LOCAL)
        except RegistryMissing:
            return _open_starter(settings)
    return _open(settings, directory, SourceName.LOCAL)


def _open_starter(settings: Settings) -> RegistrySource:
    from trialyst.starter import ensure_starter

    return _open(settings, ensure_starter(settings.home), SourceName.STARTER)


def _open(settings: Settings, directory: Path, name: SourceName) -> RegistrySource:
    from trialyst.registry.registry import Registry
    from trialyst.registry.source import RegistrySource
    from trialyst.vocabulary import open_vocabulary

    vocabulary = open_vocabulary(settings.home)
    return RegistrySource(Registry.open(directory, vocabulary=vocabulary), name=name.value)
