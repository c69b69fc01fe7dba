"""A server on loopback that speaks as Gemini, OpenAI and Anthropic do, and follows a script.

Each request takes the next step of the script, or the last one again; what was asked is kept. A
step is an answer, told in the protocol of the request, or something no good server does.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.types import Receive, Scope, Send

from tests.serving import serving

__all__ = ["Answer", "Asked", "Calls", "Drops", "Fails", "ModelServer", "Raw", "Silent", "serve"]


@dataclass(frozen=True)
class Answer:
    """Text a model says."""

    text: str
    tokens: tuple[int, int] | None = (100, 20)
    """Input and output; None leaves the usage out."""


@dataclass(frozen=True)
class Calls:
    """Tools a model asks for, by name and arguments."""

    calls: tuple[tuple[str, Any], ...]
    text: str = ""
    tokens: tuple[int, int] = (100, 20)


@dataclass(frozen=True)
class Fails:
    """A status, with whatever a server writes beside it."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: str = '{"error": {"message": "no", "code": "x"}}'


@dataclass(frozen=True)
class Raw:
    """A body sent as it is, with a 200."""

    body: str
    kind: str = "application/json"


class Silent:
    """No answer until the client leaves."""


class Drops:
    """A connection that ends in the middle of an answer."""


@dataclass(frozen=True)
class Asked:
    """What a client sent."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def system(self) -> str:
        if "contents" in self.body:
            return "".join(part["text"] for part in self.body["systemInstruction"]["parts"])
        told = self.body.get("system")
        if told is not None:
            return told if isinstance(told, str) else "".join(part["text"] for part in told)
        return "".join(m["content"] for m in self.body["messages"] if m["role"] == "system")

    @property
    def user(self) -> str:
        """The first thing asked."""
        if "contents" in self.body:
            return "".join(part.get("text", "") for part in self.body["contents"][0]["parts"])
        told = next(m["content"] for m in self.body["messages"] if m["role"] == "user")
        return told if isinstance(told, str) else "".join(part["text"] for part in told)

    @property
    def tool_answers(self) -> list[Any]:
        """What the tools gave, in their order."""
        if "contents" in self.body:
            parts = [part for told in self.body["contents"] for part in told["parts"]]
            return [p["functionResponse"]["response"] for p in parts if "functionResponse" in p]
        if self.path.endswith("/messages"):
            lists = [m["content"] for m in self.body["messages"] if isinstance(m["content"], list)]
            returned = [p for parts in lists for p in parts if p["type"] == "tool_result"]
            return [json.loads(_text_of(part["content"])) for part in returned]
        told = [m["content"] for m in self.body["messages"] if m["role"] == "tool"]
        return [json.loads(text) for text in told]


Step = Answer | Calls | Fails | Raw | Silent | Drops | Callable[[Asked], Any]


class ModelServer:
    """The app, its script and what it was asked."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.asked: list[Asked] = []
        self.url = ""

    def script(self, *steps: Step) -> None:
        self.steps = list(steps)

    def model(self, provider: str = "vllm", model: str = "tiny") -> str:
        """The name of a model served here."""
        address = self.url if provider in ("google", "anthropic") else f"{self.url}/v1"
        return f"{provider}:{model}@{address}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = await _read(scope, receive)
        self.asked.append(asked)
        step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        if callable(step):
            step = step(asked)
        if isinstance(step, Silent):
            while (await receive())["type"] != "http.disconnect":
                pass
        elif isinstance(step, Drops):
            await _send(send, 200, b'{"choices"', {"content-length": "1000"})
        elif isinstance(step, Fails):
            await _send(send, step.status, step.body.encode(), step.headers)
        elif isinstance(step, Raw):
            await _send(send, 200, step.body.encode(), {"content-type": step.kind})
        else:
            await _send(send, 200, json.dumps(_told(step, asked.path)).encode(), {})


async def _read(scope: Scope, receive: Receive) -> Asked:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    headers = {name.decode(): value.decode() for name, value in scope["headers"]}
    return Asked(scope["path"], headers, json.loads(body or b"{}"))


async def _send(send: Send, status: int, body: bytes, headers: dict[str, str]) -> None:
    told = {"content-type": "application/json", **headers}
    listed = [(name.encode(), value.encode()) for name, value in told.items()]
    await send({"type": "http.response.start", "status": status, "headers": listed})
    await send({"type": "http.response.body", "body": body})


def _text_of(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def _told(step: Answer | Calls, path: str) -> dict[str, Any]:
    """Give a step in the protocol of a request."""
    if ":generateContent" in path:
        return _gemini(step)
    return _anthropic(step) if path.endswith("/messages") else _openai(step)


def _anthropic(step: Answer | Calls) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": step.text}] if step.text else []
    if isinstance(step, Calls):
        content += [
            {"type": "tool_use", "id": f"toolu_{place}", "name": name, "input": args}
            for place, (name, args) in enumerate(step.calls)
        ]
    used = step.tokens or (0, 0)
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "tiny",
        "content": content,
        "stop_reason": "tool_use" if isinstance(step, Calls) else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": used[0], "output_tokens": used[1]},
    }


def _gemini(step: Answer | Calls) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"text": step.text}] if step.text else []
    if isinstance(step, Calls):
        parts += [
            {"functionCall": {"name": name, "args": args}, "thoughtSignature": "c2lnbmVk"}
            for name, args in step.calls
        ]
    told: dict[str, Any] = {
        "candidates": [
            {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
        ],
        "modelVersion": "gemini",
        "responseId": "r1",
    }
    if step.tokens is not None:
        told["usageMetadata"] = {
            "promptTokenCount": step.tokens[0],
            "candidatesTokenCount": step.tokens[1],
            "totalTokenCount": sum(step.tokens),
        }
    return told


def _openai(step: Answer | Calls) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": step.text or None}
    if isinstance(step, Calls):
        message["tool_calls"] = [
            {
                "id": f"call_{place}",
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": args if isinstance(args, str) else json.dumps(args),
                },
            }
            for place, (name, args) in enumerate(step.calls)
        ]
    told: dict[str, Any] = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1_800_000_000,
        "model": "tiny",
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": "tool_calls" if isinstance(step, Calls) else "stop",
            }
        ],
    }
    if step.tokens is not None:
        told["usage"] = {
            "prompt_tokens": step.tokens[0],
            "completion_tokens": step.tokens[1],
            "total_tokens": sum(step.tokens),
        }
    return told


@contextmanager
def serve() -> Iterator[ModelServer]:
    """Serve a script on a free port of loopback."""
    server = ModelServer()
    with serving(server) as address:
        server.url = address
        yield server
