"""What a client can read: trials and pathways, vocabularies, the guide and the contracts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any, TypeVar

import msgspec
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.resources import FunctionResource, Resource, TextResource
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS

from trialyst.ctgov.vocab import Phase, Status, Vocabulary
from trialyst.discovery import Answer, to_error_envelope
from trialyst.errors import InvalidInput, NotFound, TrialystError
from trialyst.interfaces.mcp.contracts import contract_names, contract_text
from trialyst.interfaces.mcp.progress import bounded
from trialyst.interfaces.mcp.published import essie_guide
from trialyst.interfaces.served import Served

__all__ = ["CRITERIA_URI", "PATHWAY_URI", "TRIAL_URI", "add_resources"]

TRIAL_URI = "trialyst://trial/{nct_id}"
CRITERIA_URI = "trialyst://trial/{nct_id}/criteria"
PATHWAY_URI = "trialyst://pathway/{pathway_id}"

_JSON = "application/json"

Facade = TypeVar("Facade")


def add_resources(server: MCPServer[Any], served: Served) -> None:
    """Give a server everything there is to read."""
    read = partial(_read, seconds=served.call_seconds)
    for resource in (*_vocabularies(), _guide(), *_contracts()):
        server.add_resource(resource)

    @server.resource(TRIAL_URI, title="Trial", mime_type=_JSON)
    async def trial(nct_id: str) -> str:
        """A trial by its NCT id, as get_trial answers."""
        return await read(served.discovery, lambda trials: trials.get_trial(nct_id))

    @server.resource(CRITERIA_URI, title="Eligibility criteria", mime_type=_JSON)
    async def criteria(nct_id: str) -> str:
        """Who may take part in a trial: its criteria one by one."""
        return await read(
            served.discovery, lambda trials: trials.get_trial(nct_id, sections="eligibility")
        )

    @server.resource(PATHWAY_URI, title="Pathway", mime_type=_JSON)
    async def pathway(pathway_id: str) -> str:
        """A pathway by its WikiPathways id, as get_pathway answers."""
        return await read(served.pathways, lambda pathways: pathways.get_pathway(pathway_id))


async def _read(
    newest: Callable[[], Facade], ask: Callable[[Facade], Awaitable[Answer]], *, seconds: float
) -> str:
    """Give an answer as JSON; an error of ours is a protocol error that carries its envelope."""
    try:
        async with bounded(seconds):
            facade = await asyncio.to_thread(newest)
            return _as_json((await ask(facade)).to_dict())
    except TrialystError as error:
        code = INVALID_PARAMS if isinstance(error, InvalidInput | NotFound) else INTERNAL_ERROR
        raise MCPError(code, error.message, to_error_envelope(error)) from error


def _vocabularies() -> Iterator[Resource]:
    vocabularies: tuple[tuple[str, type[Vocabulary]], ...] = (("status", Status), ("phase", Phase))
    for name, vocabulary in vocabularies:
        yield TextResource(
            uri=f"trialyst://vocabulary/{name}",
            name=f"vocabulary_{name}",
            title=f"Values of {name}",
            description=f"Every {name} of the registry: the code, and its label.",
            mime_type=_JSON,
            text=_as_json([{"value": each.value, "label": each.label} for each in vocabulary]),
        )


def _guide() -> Resource:
    return TextResource(
        uri="trialyst://guide/essie",
        name="guide_essie",
        title="Guide to Essie",
        description="The query language of the argument `advanced`.",
        mime_type="text/markdown",
        text=essie_guide(),
    )


def _contracts() -> Iterator[Resource]:
    for name in contract_names():
        # Made when it is read: a server starts without them.
        yield FunctionResource(
            uri=f"trialyst://contracts/{name}",
            name=f"contract_{name}",
            title=f"Contract of {name}",
            description=f"The JSON Schema of {name}.",
            mime_type="application/schema+json",
            fn=partial(contract_text, name),
        )


def _as_json(value: object) -> str:
    return msgspec.json.encode(value).decode()
