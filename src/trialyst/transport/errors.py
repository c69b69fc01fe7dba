"""What an upstream service says no to, and what there is no time for; of `trialyst.errors`."""

from __future__ import annotations

from trialyst.errors import RateLimited, UpstreamError

__all__ = ["Refused", "TurnTooLate"]


class Refused(UpstreamError):
    """A 4xx answer: asking the same again cannot help. `text` is the service's own words."""

    hint = "Correct the request; the service's own words are in the message."

    def __init__(self, status: int, text: str, *, host: str) -> None:
        super().__init__(f"{host} answered {status}: {text}")
        self.status = status
        self.text = text


class TurnTooLate(RateLimited):
    """A request whose turn would come in so many seconds, when the time of its call is up."""

    def __init__(self, message: str, *, hint: str, seconds: int) -> None:
        super().__init__(message, hint=hint)
        self.seconds = seconds
