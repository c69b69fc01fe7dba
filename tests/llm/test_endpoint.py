from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialyst.errors import InvalidInput
from trialyst.llm import describe_sending, parse_model_name
from trialyst.llm.endpoint import Provider

ELSEWHERE = "http://10.0.0.5:8000/v1"


@pytest.mark.parametrize(
    ("text", "name", "host"),
    [
        ("google:gemini-2.5-flash", "google:gemini-2.5-flash", "generativelanguage.googleapis.com"),
        ("openai:gpt-5-mini", "openai:gpt-5-mini", "api.openai.com"),
        ("anthropic:claude-sonnet-5", "anthropic:claude-sonnet-5", "api.anthropic.com"),
        ("hf:org/model:fast", "hf:org/model:fast", "router.huggingface.co"),
        (" Ollama:llama3.1:8b ", "ollama:llama3.1:8b", "127.0.0.1"),
        (f"vllm:org/model@{ELSEWHERE}", "vllm:org/model", "10.0.0.5"),
        ("llamacpp:m@v2@http://[::1]:9/v1", "llamacpp:m@v2", "::1"),
        ("medgemma", "medgemma:google/medgemma-4b-it", "127.0.0.1"),
    ],
)
def test_a_name_says_model_and_host(text: str, name: str, host: str) -> None:
    endpoint = parse_model_name(text)
    assert (endpoint.name, endpoint.host) == (name, host)


def test_a_setting_moves_servers_of_the_openai_kind() -> None:
    assert parse_model_name("vllm:m", url=ELSEWHERE).url == ELSEWHERE


@pytest.mark.parametrize("name", ["google:m", "openai:m", "anthropic:m"])
def test_a_setting_does_not_move_a_service(name: str) -> None:
    assert parse_model_name(name, url=ELSEWHERE).host != "10.0.0.5"


@pytest.mark.parametrize("text", ["", "gpt-5", "google:", "vllm", "nobody:m", ":m", "google: "])
def test_what_names_no_model_is_refused_with_a_way_out(text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_model_name(text)
    assert "google:gemini" in caught.value.hint


@pytest.mark.parametrize("url", ["http://", "http://u:secret@h/v1", "http://h:x/v1", "http://[/v1"])
def test_an_address_that_cannot_be_one_is_refused_unrepeated(url: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_model_name(f"vllm:m@{url}")
    assert "secret" not in f"{caught.value}{caught.value.hint}{caught.value.invalid_input}"


@given(st.sampled_from(Provider), st.text("abc/-.:", min_size=1).filter(lambda t: t.strip()))
def test_a_name_is_read_back_as_it_is_told(provider: Provider, model: str) -> None:
    endpoint = parse_model_name(f"{provider}:{model}")
    assert parse_model_name(endpoint.name) == endpoint


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.8.8.8", "[::1]"])
def test_loopback_is_this_machine(host: str) -> None:
    told = describe_sending(parse_model_name(f"vllm:m@http://{host}:1/v1"))
    assert "stays on this machine" in told


@pytest.mark.parametrize("host", ["10.0.0.5", "localhost.example.org", "0.0.0.0", "192.168.1.2"])
def test_any_other_host_is_told(host: str) -> None:
    told = describe_sending(parse_model_name(f"vllm:m@http://{host}/v1"))
    assert f"leaves this machine: sent to vllm:m at {host}" in told
    assert "not encrypted" in told


def test_an_encrypted_connection_needs_no_warning() -> None:
    told = describe_sending(parse_model_name("google:gemini-2.5-flash"), "the note's sentences")
    assert told == (
        "The note's sentences leave this machine: sent to google:gemini-2.5-flash at "
        "generativelanguage.googleapis.com."
    )
