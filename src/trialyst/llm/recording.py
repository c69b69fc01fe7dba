"""Answers kept on disk, so that a run can be repeated for nothing. For benchmarks only.

A recording is found by a digest of the model and the whole request; the request itself is not
kept. Answers may quote a note: the directory is readable by its owner alone.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trialyst.errors import ModelError
from trialyst.llm.adapter import ModelRequest, ModelResponse, ToolCall

if TYPE_CHECKING:
    from trialyst.llm.adapter import Adapter
    from trialyst.llm.endpoint import Endpoint
    from trialyst.llm.pricing import Price

__all__ = ["RecordMode", "RecordingAdapter", "request_digest"]

_FORMAT = 1


class RecordMode(StrEnum):
    """What is done with what is not recorded yet."""

    RECORD = "record"
    """The model is asked, and its answer kept."""
    REPLAY = "replay"
    """It is an error; the model is never asked."""


class RecordingAdapter:
    """An adapter whose answers are kept in a directory and read from there."""

    def __init__(self, adapter: Adapter, directory: Path, *, mode: RecordMode) -> None:
        self._adapter = adapter
        self._directory = directory
        self._mode = mode
        self.hits = 0
        """Answers read from the directory."""

    @property
    def name(self) -> str:
        """The model's own name: a replayed run reads like the one it repeats."""
        return self._adapter.name

    @property
    def endpoint(self) -> Endpoint:
        """Where the model answers."""
        return self._adapter.endpoint

    @property
    def price(self) -> Price | None:
        """What the model costs."""
        return self._adapter.price

    async def generate(self, request: ModelRequest) -> ModelResponse:
        """Give the recorded answer, or ask and keep the answer."""
        digest = request_digest(self.name, request)
        path = self._directory / digest[:2] / f"{digest}.json"
        kept = _load(path)
        if kept is not None:
            self.hits += 1
            return kept
        if self._mode is RecordMode.REPLAY:
            raise ModelError(
                f"{self.name} has no recorded answer to this request",
                hint="Record the run once with the model before replaying it; a changed prompt, "
                "note or model is another request.",
            )
        response = await self._adapter.generate(request)
        _save(path, response, prompt=request.prompt)
        return response

    async def aclose(self) -> None:
        """Let go of the model's connections."""
        await self._adapter.aclose()


def request_digest(name: str, request: ModelRequest) -> str:
    """Give the digest under which an answer is kept."""
    told = json.dumps([name, _plain(request)], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(told.encode()).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, ModelResponse):
        # What an answer took does not change what comes next.
        return {"text": value.text, "calls": [_plain(call) for call in value.tool_calls]}
    if is_dataclass(value) and not isinstance(value, type):
        names = (name for name in value.__dataclass_fields__ if name != "prompt")
        return {name: _plain(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value


def _load(path: Path) -> ModelResponse | None:
    try:
        kept = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except ValueError:
        raise _damaged(path) from None
    if not isinstance(kept, dict) or kept.get("format") != _FORMAT:
        raise _damaged(path)
    calls = tuple(ToolCall(**call) for call in kept["tool_calls"])
    return ModelResponse(
        text=kept["text"],
        tool_calls=calls,
        input_tokens=kept["input_tokens"],
        output_tokens=kept["output_tokens"],
        cost_usd=0.0,
        replayed=True,
        original=_load_original(kept["original"]),
    )


def _load_original(kept: Any) -> Any:
    if kept is None:
        return None
    from trialyst.llm.wire import load_original

    try:
        return load_original(kept)
    except ImportError:
        # A replay needs no library: what it would be shown again is recorded too.
        return None


def _save(path: Path, response: ModelResponse, *, prompt: str) -> None:
    from trialyst.llm.wire import dump_original

    record = {
        "format": _FORMAT,
        "prompt": prompt,
        "text": response.text,
        "tool_calls": [
            {**asdict(call), "arguments": call.arguments and dict(call.arguments)}
            for call in response.tool_calls
        ],
        "input_tokens": response.input_tokens,
        "output_tokens": response.output_tokens,
        "cost_usd": response.cost_usd,
        "latency_seconds": response.latency_seconds,
        # Only a conversation that goes on shows a provider its own answer again.
        "original": dump_original(response) if response.tool_calls else None,
    }
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.parent.parent.chmod(0o700)
    aside = path.with_suffix(f".{os.getpid()}.part")
    aside.touch(mode=0o600)
    aside.write_text(json.dumps(record, ensure_ascii=False, indent=1), "utf-8")
    aside.replace(path)


def _damaged(path: Path) -> ModelError:
    return ModelError(
        f"The recorded answer {path.name} cannot be read",
        hint="Delete the file and record the run again.",
    )
