"""What can go wrong with files of pathways; branches of `trialyst.errors`."""

from __future__ import annotations

from trialyst.errors import InvalidInput, RegistryError
from trialyst.hints import Call, Command, Hint

__all__ = ["DamagedPathway", "PathwayStoreDamaged", "PathwaysMissing", "PathwaysNotWritten"]

FIND_BY_NAME = Hint(
    "Check the id, or find the pathway by name with {search}.", search=Call("search_pathways")
)
"""What to do about an id that names no pathway here."""


class DamagedPathway(InvalidInput):
    """A file that cannot become a pathway; `reason` says why, `name` which."""

    hint = "Fetch the file again from WikiPathways, or leave it out."

    def __init__(self, reason: str, *, name: str | None = None) -> None:
        super().__init__(f"{name or 'A pathway file'} is damaged: {reason}", invalid_input=name)
        self.reason = reason
        self.name = name


class PathwaysMissing(RegistryError, LookupError):
    """No pathways have been loaded on this machine."""

    code = "ENTITY_NOT_FOUND"
    hint = Hint(
        "To load a WikiPathways download, {load}; to fetch it, {sync}.",
        load=Command("trialyst pathways load PATH"),
        sync=Command("trialyst pathways sync"),
    )
    exit_code = 3


class PathwayStoreDamaged(RegistryError):
    """The local pathways cannot be used as they are on disk."""

    hint = Hint("To load the download again, {load}.", load=Command("trialyst pathways load PATH"))


class PathwaysNotWritten(RegistryError):
    """The disk refused; the pathways in use are as they were."""

    hint = (
        "Make room on the disk and where temporary files go, or check the directory, then run the "
        "same command again; the pathways in use are unchanged."
    )
