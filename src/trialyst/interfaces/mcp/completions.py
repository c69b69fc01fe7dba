"""Completion of arguments with a closed list of values; ids are found by searching."""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp_types import (
    Completion,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    ResourceTemplateReference,
)

from trialyst.ctgov.vocab import Phase, Sex, Status, Vocabulary
from trialyst.essie.enums import fold_label

__all__ = ["add_completions"]

_VALUES: dict[str, type[Vocabulary]] = {"status": Status, "phase": Phase, "sex": Sex}


def add_completions(server: MCPServer[Any]) -> None:
    """Let a server complete the codes of statuses, phases and sexes."""

    @server.completion()  # type: ignore[no-untyped-call, untyped-decorator]
    async def complete(
        reference: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,
    ) -> Completion | None:
        vocabulary = _VALUES.get(argument.name)
        if vocabulary is None:
            return None
        begun = fold_label(argument.value)
        values = [
            each.value
            for each in vocabulary
            if fold_label(each.value).startswith(begun) or fold_label(each.label).startswith(begun)
        ]
        return Completion(values=values, total=len(values), has_more=False)
