"""By whose book a diagnosis is made: words of a criterion that nobody writes into a note."""

from __future__ import annotations

from trialyst.matching.judging.gates import gated

__all__ = ["BY_BOOK", "without_books"]

_BOOK = (
    r"(?:criteria|criterion|guidelines?|classifications?|definitions?|diagnosis|protocol|dsm\S*"
    r"|icd\S*"
    r"|gold|college|association|society|organi[sz]ation|league|academy|federation|rheumatology"
    r"|institutes?)"
)
BY_BOOK = gated(
    r"(?:\b(?:according to|as (?:defined|determined|diagnosed|assessed|described|specified)"
    r"(?: by| in| per)?|as per|per|based (?:up)?on|using|ful?fil\w*|meet(?:s|ing)?|by|following"
    r"|defined (?:by|as per)|in accordance with)\s+)(?:[^,;.<>=\d]|\b(?:19|20)[0-9]{2}\b"
    rf"|(?<=-)[0-9]+){{0,80}}?\b{_BOOK}\b(?:\s+of\s+\w+)?(?:\s*\([a-z/ -]+\))?(?:\s+criteria)?"
    r"(?:\s+[\w-]*\d[\w-]*)?"
)


def without_books(lowered: str) -> str:
    """Give a criterion in lower case without the books it goes by.

    >>> without_books("asthma according to gina guidelines")
    'asthma  '
    """
    if BY_BOOK.search(lowered) is None:
        return lowered
    return BY_BOOK.sub(" ", lowered)
