"""Servers of models on this machine are found by what they answer, and only asked to list."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from tests.interfaces.cli.conftest import Ended, trialyst
from tests.serving import serving
from trialyst.llm.endpoint import Provider, parse_model_name
from trialyst.llm.local_servers import LocalModel, find_local_models
from trialyst.transport.probe import probe

__all__ = ["trialyst"]

LISTS: dict[Provider, dict[str, Any]] = {
    Provider.OLLAMA: {"object": "list", "data": [{"id": "llama3.1:8b", "owned_by": "library"}]},
    Provider.LM_STUDIO: {"data": [{"id": "qwen3-4b", "object": "model"}, {"id": "gemma-3"}]},
    Provider.LLAMA_CPP: {"models": [], "data": [{"id": "model.gguf", "owned_by": "llamacpp"}]},
    Provider.VLLM: {"data": [{"id": "google/medgemma-4b-it", "owned_by": "vllm"}]},
}
ODD = (
    *(b"<html>", b"[]", b'{"data": 3}', b"x" * 2_000_000),
    b'{"data": [3, {"id": 4}, {"id": "a\\nb"}]}',
)


class Server:
    """Answers every request with one body, and keeps what was asked."""

    def __init__(self, body: bytes, status: int = 200, location: str = "") -> None:
        self.body, self.status, self.location = body, status, location
        self.asked: list[tuple[str, str]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked.append((scope["method"], scope["path"]))
        headers = [(b"content-type", b"application/json")]
        headers += [(b"location", self.location.encode())] if self.location else []
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body})


def find(servers: dict[Provider, Server]) -> tuple[tuple[LocalModel, ...], dict[Provider, str]]:
    with ExitStack() as stack:
        urls = {each: f"{stack.enter_context(serving(app))}/v1" for each, app in servers.items()}
        silent = {each: f"http://127.0.0.1:{_closed_port()}/v1" for each in LISTS}
        return asyncio.run(find_local_models(probe, {**silent, **urls})), urls


def _closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_every_server_is_found_and_only_asked_for_its_list() -> None:
    servers = {each: Server(json.dumps(told).encode()) for each, told in LISTS.items()}
    found, urls = find(servers)
    expected = {
        (provider, str(model["id"])) for provider, told in LISTS.items() for model in told["data"]
    }
    endpoints = [parse_model_name(each.name) for each in found]
    assert {(each.provider, each.model) for each in endpoints} == expected
    assert all(each.url == urls[each.provider] and each.is_local for each in endpoints)
    assert all(server.asked == [("GET", "/v1/models")] for server in servers.values())


def test_what_is_no_server_of_models_is_passed_over() -> None:
    assert find({}) == ((), {})
    for body in ODD:
        assert find({Provider.VLLM: Server(body)})[0] == (), body[:40]
    assert find({Provider.VLLM: Server(b"{}", status=500)})[0] == ()
    elsewhere = Server(json.dumps(LISTS[Provider.VLLM]).encode())
    with serving(elsewhere) as url:
        moved = Server(b"", status=302, location=f"{url}/v1/models")
        assert find({Provider.VLLM: moved})[0] == ()
    assert elsewhere.asked == []
    far = asyncio.run(find_local_models(probe, dict.fromkeys(LISTS, "http://192.0.2.1:8000/v1")))
    assert far == ()


def test_the_command_offers_them_by_name(
    trialyst: Callable[..., Ended], monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(Server(json.dumps(LISTS[Provider.VLLM]).encode())) as url:
        monkeypatch.setenv("TRIALYST_LLM_URL", f"{url}/v1")
        listed = trialyst("models", "--json").value["models"]
        told = trialyst("models")
    name = f"vllm:google/medgemma-4b-it@{url}/v1"
    assert name in [each["name"] for each in listed]
    assert name in told.out
    assert "unless you name it" in told.err
