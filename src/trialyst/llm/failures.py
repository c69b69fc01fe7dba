"""What a failed call means: whether to try again, to give up on it, or to give up on the model.

A message is made of our own words and the status alone. What a provider writes back may hold the
note or the key, so it is never repeated.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Failure", "classify_failure"]

_BAD_REQUEST = (400, 422)


@dataclass(frozen=True, slots=True)
class Failure:
    """A call that came to nothing."""

    reason: str
    retry: bool = False
    retry_after: float | None = None
    hopeless: bool = False
    """Whether no other call to this model can succeed either."""
    maybe_billed: bool = False
    """Whether the provider may have done the work all the same."""
    refused_request: bool = False
    """Whether the provider did not take the request as it was put."""
    hint: str | None = None


def classify_failure(error: Exception) -> Failure:
    """Say what an error of the library means."""
    from pydantic_ai import exceptions as wire

    status = getattr(error, "status_code", None)
    shown = "" if status is None else f" (status {status})"
    if isinstance(error, wire.ModelRequestRejectedError):
        return _rejected(error, status, shown)
    if isinstance(error, wire.ModelQuotaExceededError):
        hint = "Top up the account with the provider, or name another model."
        return Failure(f"the quota of the account is spent{shown}", hopeless=True, hint=hint)
    if isinstance(error, wire.ModelRateLimitError):
        after = error.retry_after
        return Failure(f"it asked to slow down{shown}", retry=True, retry_after=after)
    if isinstance(error, wire.ModelUnavailableError | wire.ModelServerError):
        after = error.retry_after
        return Failure(f"its server failed{shown}", retry=True, retry_after=after)
    if isinstance(error, wire.ModelRequestTimeout | wire.ModelTimeoutError):
        return Failure("it did not answer in time", retry=True, maybe_billed=True)
    if isinstance(error, wire.ModelConnectionError):
        sent = error.phase not in ("pool", "connect")
        reason = "the connection was lost" if sent else "it cannot be reached"
        return Failure(reason, retry=True, maybe_billed=sent)
    if isinstance(error, wire.ContentFilterError):
        return Failure("the provider's content filter held the answer back", maybe_billed=True)
    if isinstance(error, wire.ModelHTTPError):
        return Failure(f"it refused the request{shown}")
    return Failure("its answer cannot be read", retry=True, maybe_billed=True)


def _rejected(error: Exception, status: int | None, shown: str) -> Failure:
    from pydantic_ai import exceptions as wire

    if isinstance(error, wire.ModelAuthenticationError):
        hint = "Check the key in the environment variable of the provider."
        return Failure(f"it did not accept the key{shown}", hopeless=True, hint=hint)
    if isinstance(error, wire.ModelNotFoundError):
        hint = "Check the name of the model and the address it answers at."
        return Failure(f"there is no such model or address{shown}", hopeless=True, hint=hint)
    if isinstance(error, wire.ModelContextWindowExceededError):
        hint = "Give a shorter note, or name a model that takes longer texts."
        return Failure(f"the text is too long for it{shown}", hint=hint)
    refused = status in _BAD_REQUEST
    return Failure(f"it refused the request{shown}", refused_request=refused)
