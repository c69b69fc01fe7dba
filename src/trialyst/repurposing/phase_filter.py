"""The phase filter: one phase, or an AND/OR/NOT expression of phases and nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trialyst.ctgov.suggest import enum_value
from trialyst.errors import InvalidInput
from trialyst.essie.ast import And, Node, Not, Or, Phrase, Words
from trialyst.essie.build import all_of, any_of, matching, negate
from trialyst.essie.parser import parse
from trialyst.hints import Hint

__all__ = ["parse_phase_filter"]

_BARE_NUMBER = re.compile(r"[1-4]")


def parse_phase_filter(given: str | Sequence[str] | None) -> Node | None:
    """Give the filter that an expression of phases stands for; a phase means "contains it".

    Of several expressions in a list any will do.

    >>> parse_phase_filter("PHASE3")
    Area(name='Phase', child=Phrase(text='PHASE3'), size=False)

    Raises:
        EssieError: the expression cannot be read; says where.
        InvalidInput: it holds something other than phases, AND, OR and NOT.
    """
    if given is None:
        return None
    text = given if isinstance(given, str) else " OR ".join(f"({each})" for each in given)
    if not text.strip():
        raise InvalidInput(
            Hint("{phase_filter} is empty"),
            hint="Leave it out for all phases, or give some: PHASE3, or (PHASE2 OR PHASE3).",
            invalid_input=text,
        )
    return _to_filter(parse(text), text)


def _to_filter(node: Node, text: str) -> Node:
    match node:
        case And():
            return all_of(*(_to_filter(child, text) for child in node.children))
        case Or():
            return any_of(*(_to_filter(child, text) for child in node.children))
        case Not():
            return negate(_to_filter(node.child, text))
        case Words():
            return _phase(" ".join(node.words))
        case Phrase():
            return _phase(node.text)
        case _:
            raise InvalidInput(
                Hint("{phase_filter} {given} holds something other than phases", given=repr(text)),
                hint="Join phases by AND, OR, NOT and parentheses: (PHASE2 OR PHASE3).",
                invalid_input=text,
            )


def _phase(text: str) -> Node:
    """Match one phase, or all of `PHASE1/PHASE2`; the label N/A is one phase."""
    parts = [text] if text.upper() == "N/A" else [part.strip() for part in text.split("/")]
    codes = (f"PHASE{part}" if _BARE_NUMBER.fullmatch(part) else part for part in parts)
    return all_of(*(matching("Phase", enum_value("Phase", code)) for code in codes))
