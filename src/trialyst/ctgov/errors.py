"""What can go wrong with records and request parameters; branches of `trialyst.errors`."""

from __future__ import annotations

from trialyst.errors import InvalidInput

__all__ = ["BadParameter", "DamagedRecord"]


class DamagedRecord(InvalidInput):
    """A record that cannot become a trial at all; `nct_id` is None when it has none."""

    hint = "Take the record from the registry again."

    def __init__(self, reason: str, *, nct_id: str | None = None) -> None:
        super().__init__(f"{nct_id or 'A record without an id'} is damaged: {reason}")
        self.reason = reason
        self.nct_id = nct_id


class BadParameter(InvalidInput):
    """A request parameter the API refuses; the message is the body of its answer, word by word."""

    hint = "Correct the parameter and send the request again."

    @classmethod
    def of_value(cls, name: str, value: str, *, hint: str | None = None) -> BadParameter:
        """Say in the API's words that a parameter does not take a value."""
        message = f"Invalid value in parameter `{name}`: `{value}`"
        return cls(message, hint=hint, invalid_input=value)
