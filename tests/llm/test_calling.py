"""Adapters over real HTTP: both protocols, failures, repeats, and what is never told."""

from __future__ import annotations

import asyncio
import logging

import pytest

from tests.llm.asking import QUESTION, ask, with_adapter
from tests.llm.providers import Answer, Asked, Calls, Drops, Fails, ModelServer, Raw, Silent
from tests.transport.scripted import ScriptedClock
from trialyst.errors import InvalidInput, ModelError
from trialyst.llm import (
    Adapter,
    CallLimits,
    ModelRequest,
    ModelResponse,
    ToolAnswer,
    ToolAnswers,
    ToolCall,
    ToolSpec,
    UserText,
    open_adapter,
)
from trialyst.settings import Settings

BOTH = pytest.mark.parametrize("provider", ["google", "openai", "anthropic", "vllm"])
SECRET = "key-4711-secret"
LOOKUP = ToolSpec(
    "look_up", "Look a word up.", {"type": "object", "properties": {"word": {"type": "string"}}}
)


@BOTH
def test_an_answer_comes_with_its_tokens(server: ModelServer, provider: str) -> None:
    server.script(Answer("Yes.", tokens=(7, 3)))
    told = ask(server.model(provider))
    assert (told.text, told.input_tokens, told.output_tokens) == ("Yes.", 7, 3)


@BOTH
def test_instructions_go_as_system_text(server: ModelServer, provider: str) -> None:
    server.script(Answer("Yes."))
    ask(server.model(provider))
    assert (server.asked[0].system, server.asked[0].user) == ("Answer briefly.", "Is water wet?")


@BOTH
def test_a_tool_is_called_and_its_answer_goes_back(server: ModelServer, provider: str) -> None:
    server.script(Calls((("look_up", {"word": "wet"}),)), Answer("Wet."))

    async def converse(adapter: Adapter) -> tuple[ModelResponse, ModelResponse]:
        asked = ModelRequest("Use the tool.", (UserText("What is wet?"),), tools=(LOOKUP,))
        first = await adapter.generate(asked)
        answers = ToolAnswers(tuple(ToolAnswer(c, {"means": "damp"}) for c in first.tool_calls))
        return first, await adapter.generate(
            ModelRequest(asked.system, (*asked.messages, first, answers), tools=(LOOKUP,))
        )

    first, second = with_adapter(server.model(provider), converse)
    assert [(c.name, c.arguments) for c in first.tool_calls] == [("look_up", {"word": "wet"})]
    assert second.text == "Wet."
    assert server.asked[1].tool_answers == [{"means": "damp"}]


def test_gemini_is_shown_its_signatures_again(server: ModelServer) -> None:
    server.script(Calls((("look_up", {"word": "wet"}),)), Answer("Wet."))

    async def converse(adapter: Adapter) -> None:
        asked = ModelRequest("Use the tool.", (UserText("What is wet?"),), tools=(LOOKUP,))
        first = await adapter.generate(asked)
        answers = ToolAnswers(tuple(ToolAnswer(c, {}) for c in first.tool_calls))
        await adapter.generate(ModelRequest("", (*asked.messages, first, answers), tools=(LOOKUP,)))

    with_adapter(server.model("google"), converse)
    assert "c2lnbmVk" in str(server.asked[1].body["contents"])


def test_arguments_that_are_no_object_are_none(server: ModelServer) -> None:
    server.script(Calls((("look_up", "{nonsense"),)))
    told = ask(server.model(), ModelRequest("", (UserText("?"),), tools=(LOOKUP,)))
    assert told.tool_calls == (ToolCall("call_0", "look_up", None),)


@BOTH
def test_a_schema_is_sent_to_hold_the_model_to_it(server: ModelServer, provider: str) -> None:
    server.script(Answer('{"wet": true}'))
    schema = {"type": "object", "properties": {"wet": {"type": "boolean"}}, "required": ["wet"]}
    model = "claude-sonnet-5" if provider == "anthropic" else "tiny"
    ask(server.model(provider, model), ModelRequest("", (UserText("?"),), schema=schema))
    assert "boolean" in str(server.asked[0].body).lower()


def test_a_model_that_knows_no_schema_is_asked_without_one(server: ModelServer) -> None:
    server.script(Answer("{}"))
    request = ModelRequest("", (UserText("?"),), schema={"type": "object", "properties": {}})
    assert ask(server.model("anthropic", "claude-3-haiku"), request).text == "{}"


def test_a_server_that_knows_no_schema_is_asked_without_one(server: ModelServer) -> None:
    def refuse(asked: Asked) -> Fails | Answer:
        return Fails(400) if "response_format" in asked.body else Answer("{}")

    server.script(refuse)
    schema = {"type": "object", "properties": {}}
    request = ModelRequest("", (UserText("?"),), schema=schema)

    async def twice(adapter: Adapter) -> None:
        await adapter.generate(request)
        await adapter.generate(request)

    with_adapter(server.model(), twice)
    assert ["response_format" in asked.body for asked in server.asked] == [True, False, False]


@BOTH
@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_may_pass_is_tried_again(
    server: ModelServer, clock: ScriptedClock, provider: str, status: int
) -> None:
    server.script(Fails(status), Fails(status), Answer("Yes."))
    assert ask(server.model(provider), clock=clock).text == "Yes."
    assert clock.waits == [0.5, 1.0]


def test_a_wait_that_is_asked_for_is_kept(server: ModelServer, clock: ScriptedClock) -> None:
    server.script(Fails(429, {"retry-after": "7"}), Answer("Yes."))
    ask(server.model(), clock=clock)
    assert clock.waits == [7.0]


def test_who_asks_to_wait_too_long_is_given_up(server: ModelServer, clock: ScriptedClock) -> None:
    server.script(Fails(429, {"retry-after": "3600"}))
    with pytest.raises(ModelError, match="slow down"):
        ask(server.model(), clock=clock)
    assert (clock.waits, len(server.asked)) == ([], 1)


@BOTH
def test_a_dropped_connection_is_tried_again(server: ModelServer, provider: str) -> None:
    server.script(Drops(), Answer("Yes."))
    assert ask(server.model(provider)).text == "Yes."


@BOTH
def test_a_model_that_does_not_answer_in_time_is_an_error(
    server: ModelServer, provider: str
) -> None:
    server.script(Silent())
    with pytest.raises(ModelError, match="in time"):
        ask(server.model(provider), limits=CallLimits(timeout=0.05, tries=1))


@BOTH
@pytest.mark.parametrize("body", ["", "<html>", "[]", '"hm"', "{}", '{"choices": 3}', "null"])
def test_garbage_is_a_model_error(server: ModelServer, provider: str, body: str) -> None:
    server.script(Raw(body))
    try:
        told = ask(server.model(provider))
    except ModelError:
        return
    assert told.text == ""


def test_text_in_place_of_json_is_a_model_error(server: ModelServer) -> None:
    server.script(Raw("I am a gateway", kind="text/plain"))
    with pytest.raises(ModelError, match="cannot be read"):
        ask(server.model())


def test_a_model_that_cannot_be_reached_is_an_error(libraries: None) -> None:
    with pytest.raises(ModelError, match="cannot be reached"):
        ask("vllm:tiny@http://127.0.0.1:9/v1")


@pytest.mark.parametrize(("status", "reason"), [(401, "key"), (403, "key"), (404, "no such model")])
def test_what_cannot_pass_is_not_tried_again(server: ModelServer, status: int, reason: str) -> None:
    server.script(Fails(status))

    async def twice(adapter: Adapter) -> None:
        for _ in range(2):
            with pytest.raises(ModelError, match=reason):
                await adapter.generate(QUESTION)

    with_adapter(server.model(), twice)
    assert len(server.asked) == 1


def test_after_several_failures_the_model_is_not_asked_again(server: ModelServer) -> None:
    server.script(Fails(500))

    async def often(adapter: Adapter) -> None:
        for _ in range(6):
            with pytest.raises(ModelError):
                await adapter.generate(QUESTION)

    with_adapter(server.model(), often, limits=CallLimits(tries=1, failures=3))
    assert len(server.asked) == 3


def test_a_success_forgives_the_failures_before(server: ModelServer) -> None:
    steps: list[Fails | Answer] = [Fails(500), Answer("Yes.")] * 3
    server.script(*steps)

    async def often(adapter: Adapter) -> None:
        for step in steps:
            if isinstance(step, Answer):
                await adapter.generate(QUESTION)
            else:
                with pytest.raises(ModelError):
                    await adapter.generate(QUESTION)

    with_adapter(server.model(), often, limits=CallLimits(tries=1, failures=2))
    assert len(server.asked) == 6


def test_no_more_calls_are_under_way_than_allowed(server: ModelServer) -> None:
    server.script(Silent())

    async def crowd(adapter: Adapter) -> int:
        tasks = [asyncio.create_task(adapter.generate(QUESTION)) for _ in range(5)]
        await asyncio.wait(tasks, timeout=0.3)
        reached = len(server.asked)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return reached

    limits = CallLimits(concurrency=2)
    assert with_adapter(server.model(), crowd, limits=limits, clock=ScriptedClock()) == 2


def test_a_redirect_is_not_followed(server: ModelServer) -> None:
    server.script(Fails(307, {"location": f"{server.url}/elsewhere"}))
    with pytest.raises(ModelError):
        ask(server.model(), limits=CallLimits(tries=1))
    assert [asked.path for asked in server.asked] == ["/v1/chat/completions"]


def test_this_machine_is_reached_without_the_proxy_of_the_environment(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    server.script(Answer("Yes."))
    assert ask(server.model()).text == "Yes."


@pytest.mark.parametrize(
    ("provider", "variable", "header"),
    [
        ("google", "GEMINI_API_KEY", "x-goog-api-key"),
        ("openai", "OPENAI_API_KEY", "authorization"),
        ("anthropic", "ANTHROPIC_API_KEY", "authorization"),
        ("hf", "HF_TOKEN", "authorization"),
        ("vllm", "TRIALYST_LLM_KEY", "authorization"),
    ],
)
def test_the_key_of_the_provider_is_sent(
    server: ModelServer, provider: str, variable: str, header: str
) -> None:
    server.script(Answer("Yes."))
    ask(server.model(provider), environ={variable: SECRET})
    assert SECRET in server.asked[0].headers[header]


def test_another_providers_key_is_not_sent(server: ModelServer) -> None:
    server.script(Answer("Yes."))
    ask(server.model("vllm"), environ={"OPENAI_API_KEY": SECRET, "GOOGLE_API_KEY": SECRET})
    assert SECRET not in str(server.asked[0])


@BOTH
def test_an_error_repeats_neither_the_key_nor_what_was_sent(
    server: ModelServer, provider: str
) -> None:
    server.script(Fails(400, body=f'{{"error": {{"message": "{SECRET} Is water wet?"}}}}'))
    keys = {"GOOGLE_API_KEY": SECRET, "OPENAI_API_KEY": SECRET, "TRIALYST_LLM_KEY": SECRET}
    with pytest.raises(ModelError) as caught:
        ask(server.model(provider), environ=keys)
    told = f"{caught.value} {caught.value.hint} {caught.value.__cause__}"
    assert "water" not in told
    assert SECRET not in told
    assert caught.value.__context__ is None


@BOTH
def test_nothing_of_a_call_is_logged(
    server: ModelServer, provider: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.script(Fails(503), Answer("Certainly."))
    keys = ("GOOGLE_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY")
    ask(server.model(provider), environ=dict.fromkeys(keys, SECRET))
    assert all(word not in caplog.text for word in ("water", "Certainly", SECRET))


@pytest.mark.parametrize(
    "name", ["google:gemini-2.5-flash", "openai:gpt-5-mini", "anthropic:claude-sonnet-5", "hf:a/b"]
)
def test_a_missing_key_is_told_before_anything_is_sent(name: str) -> None:
    with pytest.raises(InvalidInput, match=r"is not set") as caught:
        open_adapter(name, Settings.from_environment({}))
    assert "environment variable" in caught.value.hint


def test_a_key_no_header_can_hold_is_told_unrepeated() -> None:
    with pytest.raises(InvalidInput, match="OPENAI_API_KEY") as caught:
        open_adapter("openai:gpt-5", Settings.from_environment({"OPENAI_API_KEY": "ключ\n1"}))
    assert "ключ" not in f"{caught.value}{caught.value.hint}{caught.value.invalid_input}"


def test_a_model_that_thinks_is_asked_without_temperature(server: ModelServer) -> None:
    server.script(Answer("Yes."))
    ask(server.model("openai", "gpt-5-mini"))
    assert "temperature" not in server.asked[0].body


def test_other_models_are_asked_for_their_likeliest_answer(server: ModelServer) -> None:
    server.script(Answer("Yes."))
    ask(server.model())
    assert server.asked[0].body["temperature"] == 0
