"""What can go wrong, drawn as a tree; code and recovery hint live on the class.

* TrialystError
  - InvalidInput (a ValueError too)
    x AmbiguousQuery
    x UnresolvedEntity
    x InvalidCrossReference
  - NotFound (a LookupError too)
  - RateLimited
    x Overloaded
  - UpstreamError
  - BudgetExhausted
    x DeadlinePassed
  - ModelError
  - RegistryError
    x RegistryMissing
    x RegistryOutdated
    x RegistryLocked

The library raises; only an interface turns an error into an envelope, an exit code or a page.
"""

from __future__ import annotations

from trialyst.hints import Command, Hint, Option, Wording, word

__all__ = [
    "AmbiguousQuery",
    "BudgetExhausted",
    "DeadlinePassed",
    "InvalidCrossReference",
    "InvalidInput",
    "ModelError",
    "NotFound",
    "Overloaded",
    "RateLimited",
    "RegistryError",
    "RegistryLocked",
    "RegistryMissing",
    "RegistryOutdated",
    "TrialystError",
    "UnresolvedEntity",
    "UpstreamError",
]


class TrialystError(Exception):
    """Something a caller can understand and act on."""

    code = "UPSTREAM_ERROR"
    hint: Hint | str = "Try again."
    exit_code = 4

    def __init__(
        self,
        message: Hint | str,
        *,
        hint: Hint | str | None = None,
        invalid_input: str | None = None,
    ) -> None:
        super().__init__(str(message))
        self.message = str(message)
        self.hint = hint if hint is not None else type(self).hint
        self.invalid_input = invalid_input
        self._stated = message

    def worded(self, wording: Wording) -> tuple[str, str]:
        """Give message and hint in the words of an interface."""
        return word(self._stated, wording), word(self.hint, wording)


class InvalidInput(TrialystError, ValueError):
    """An argument that can never work as it stands."""

    code = "INVALID_INPUT"
    hint = "Correct the argument named in the message and call again."
    exit_code = 2


class AmbiguousQuery(InvalidInput):
    """A query too short or too vague to search with."""

    code = "AMBIGUOUS_QUERY"
    hint = "Use a more specific search term with at least 2 characters."


class UnresolvedEntity(InvalidInput):
    """Free text where an id belongs."""

    code = "UNRESOLVED_ENTITY"
    hint = "Search first, then pass an id from the results."


class InvalidCrossReference(InvalidInput):
    """A prefixed identifier whose local part is malformed."""

    code = "INVALID_CROSS_REFERENCE"
    hint = "Use the identifier as its own database writes it."


class NotFound(TrialystError, LookupError):
    """A well-formed id that names nothing here."""

    code = "ENTITY_NOT_FOUND"
    hint = "Check the id, or search for it by name."
    exit_code = 3


class RateLimited(TrialystError):
    """The upstream service asked us to slow down, for longer than we may wait."""

    code = "RATE_LIMITED"
    hint = "Wait 60 s, then ask again, for fewer things at once."


class Overloaded(RateLimited):
    """More expensive questions are under way than this machine answers at a time."""

    hint = "Ask again in a few seconds, or ask for less: words without EXPANSION[None] or COVERAGE."

    def __init__(self, message: Hint | str, *, retry_after: float = 5.0) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds after which asking again is worth it."""


class UpstreamError(TrialystError):
    """The upstream service failed or answered with something unusable."""

    code = "UPSTREAM_ERROR"
    hint = "Ask again in 30 s. A local registry, once there is one, needs no service."


class BudgetExhausted(TrialystError):
    """A limit on calls, tokens, money or seconds is spent."""

    code = "BUDGET_EXHAUSTED"
    hint = "Raise the budget, or ask for less."
    exit_code = 5


class DeadlinePassed(BudgetExhausted):
    """A question was not answered in the time it had, or whoever asked called it off."""

    hint = "Ask for less: add a filter, name an area, or leave EXPANSION[None] or COVERAGE out."


class ModelError(TrialystError):
    """A language model failed or answered with something unusable."""

    code = "MODEL_ERROR"
    hint = "Retry, name another model, or run without one."


class RegistryError(TrialystError):
    """The local registry cannot be used as it is on disk."""

    code = "UPSTREAM_ERROR"
    hint: Hint | str = Hint(
        "To find what is wrong, {verify}; building the registry again mends it.",
        verify=Command("trialyst registry verify"),
    )


class RegistryMissing(RegistryError, LookupError):
    """There is no registry in that directory."""

    code = "ENTITY_NOT_FOUND"
    hint = Hint(
        "To fetch real studies, {sync}; to build from files, {build}; for searches in synthetic "
        "ones, {starter}.",
        sync=Command("trialyst registry sync"),
        build=Command("trialyst registry build PATH..."),
        starter=Option("--source starter"),
    )
    exit_code = 3


class RegistryOutdated(RegistryError):
    """An earlier version of this program wrote the registry; its records can be read."""

    hint = Hint(
        "To make the registry anew from its own records, {upgrade}.",
        upgrade=Command("trialyst registry upgrade"),
    )


class RegistryLocked(RegistryError):
    """Another process is writing this registry."""

    hint = "Wait until the other build has ended; readers are not affected."
