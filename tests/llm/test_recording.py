from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest

from tests.llm.asking import QUESTION, with_adapter
from tests.llm.providers import Answer, Calls, Fails, ModelServer
from trialyst.errors import ModelError
from trialyst.llm import (
    Adapter,
    Meter,
    ModelRequest,
    ModelResponse,
    RecordingAdapter,
    RecordMode,
    ToolAnswer,
    ToolAnswers,
    UserText,
)
from trialyst.llm.recording import request_digest

SECRET = "key-4711-secret"


def _ask(
    server: ModelServer,
    directory: Path,
    request: ModelRequest = QUESTION,
    *,
    mode: RecordMode = RecordMode.RECORD,
    meter: Meter | None = None,
) -> ModelResponse:
    async def use(adapter: Adapter) -> ModelResponse:
        return await RecordingAdapter(adapter, directory, mode=mode).generate(request)

    return with_adapter(
        server.model("google", "gemini-2.5-flash"),
        use,
        meter=meter,
        environ={"GOOGLE_API_KEY": SECRET},
    )


def test_a_recorded_run_is_repeated_for_nothing(server: ModelServer, tmp_path: Path) -> None:
    server.script(Answer("Yes."), Fails(500))
    first = _ask(server, tmp_path)
    meter = Meter()
    again = _ask(server, tmp_path, mode=RecordMode.REPLAY, meter=meter)
    assert (again.text, again.input_tokens, again.replayed) == (
        first.text,
        first.input_tokens,
        True,
    )
    assert (again.cost_usd, meter.calls, len(server.asked)) == (0.0, 0, 1)


def test_what_is_not_recorded_is_not_asked_in_a_replay(server: ModelServer, tmp_path: Path) -> None:
    server.script(Answer("Yes."))
    with pytest.raises(ModelError, match="no recorded answer"):
        _ask(server, tmp_path, mode=RecordMode.REPLAY)
    assert server.asked == []


def test_a_failure_is_not_recorded(server: ModelServer, tmp_path: Path) -> None:
    server.script(Fails(400), Answer("Yes."))
    with pytest.raises(ModelError):
        _ask(server, tmp_path)
    assert _ask(server, tmp_path).text == "Yes."


def test_a_conversation_with_tools_is_repeated(server: ModelServer, tmp_path: Path) -> None:
    server.script(Calls((("look_up", {"word": "wet"}),)), Answer("Wet."), Fails(500))

    def converse() -> str:
        first = _ask(server, tmp_path)
        answers = ToolAnswers(tuple(ToolAnswer(call, {"is": 1}) for call in first.tool_calls))
        messages = (*QUESTION.messages, first, answers)
        return _ask(server, tmp_path, replace(QUESTION, messages=messages)).text

    assert converse() == converse() == "Wet."
    assert len(server.asked) == 2


def test_another_request_or_model_is_another_recording() -> None:
    other = replace(QUESTION, messages=(UserText("Is fire wet?"),))
    digests = {request_digest("a", QUESTION), request_digest("a", other)}
    assert len(digests | {request_digest("b", QUESTION)}) == 3


def test_a_recording_holds_neither_the_key_nor_the_request(
    server: ModelServer, tmp_path: Path
) -> None:
    server.script(Calls((("look_up", {"word": "x"}),)))
    _ask(server, tmp_path)
    (kept,) = tmp_path.rglob("*.json")
    text = kept.read_text("utf-8")
    assert SECRET not in text
    assert "water" not in text


def test_a_recording_is_its_owners_alone(server: ModelServer, tmp_path: Path) -> None:
    server.script(Answer("Yes."))
    _ask(server, tmp_path / "kept")
    (kept,) = tmp_path.rglob("*.json")
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (kept, kept.parent, kept.parent.parent)]
    assert modes == [0o600, 0o700, 0o700]


@pytest.mark.parametrize("damage", ["", "[]", "{", '{"format": 0}'])
def test_a_damaged_recording_is_told(server: ModelServer, tmp_path: Path, damage: str) -> None:
    server.script(Answer("Yes."))
    _ask(server, tmp_path)
    (kept,) = tmp_path.rglob("*.json")
    kept.write_text(damage)
    with pytest.raises(ModelError, match="cannot be read"):
        _ask(server, tmp_path)
