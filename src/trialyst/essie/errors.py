"""What an Essie expression can get wrong: the live service's words, and where in the text."""

from __future__ import annotations

from trialyst.errors import InvalidInput

__all__ = ["EssieError", "MissingOperand", "clip"]

# A terminal line; a longer query is shown as a window around the fault.
WINDOW = 80
_MESSAGE_LIMIT = 60
_CUT = "..."


class EssieError(InvalidInput):
    """An expression that cannot be read, or that asks for what its fields cannot answer."""

    hint = "Correct the expression there and send it again."

    def __init__(self, message: str, *, text: str, position: int, hint: str | None = None) -> None:
        advice = type(self).hint if hint is None else hint
        super().__init__(message, hint=f"Column {position + 1}: {advice}", invalid_input=text)
        self.text = text
        self.position = position

    @property
    def caret(self) -> str:
        """Two lines: the text, cut to a window if long, and a `^` under the column.

        >>> print(EssieError("missing", text="a AND", position=2).caret)
        a AND
          ^
        """
        start = max(0, min(self.position - WINDOW // 2, len(self.text) - WINDOW))
        shown = [c if c.isprintable() else " " for c in self.text[start : start + WINDOW]]
        if start:
            shown[: len(_CUT)] = _CUT
        if start + WINDOW < len(self.text):
            shown[-len(_CUT) :] = _CUT
        return "".join(shown) + "\n" + " " * (self.position - start) + "^"


class MissingOperand(EssieError):
    """An operator with nothing to work on; the service answers it without naming the parameter."""

    hint = "Put a term or a group beside the operator, or escape it to search for it: \\NOT."

    def __init__(self, *, text: str, position: int) -> None:
        super().__init__("inner bool query clause cannot be null", text=text, position=position)


def clip(text: str) -> str:
    """Shorten a quotation from a query to what a message can hold."""
    if len(text) <= _MESSAGE_LIMIT:
        return text
    return text[: _MESSAGE_LIMIT - len(_CUT)] + _CUT
