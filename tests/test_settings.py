from __future__ import annotations

from pathlib import Path

import pytest

from trialyst.errors import InvalidInput
from trialyst.settings import CTGOV_URL, Settings, SourceName


def test_registry_lives_under_home_by_default(tmp_path: Path) -> None:
    settings = Settings.from_environment({"TRIALYST_HOME": str(tmp_path)})
    assert settings.registry == tmp_path / "registry"


def test_registry_can_be_elsewhere(tmp_path: Path) -> None:
    settings = Settings.from_environment({"TRIALYST_REGISTRY": str(tmp_path)})
    assert settings.registry == tmp_path


def test_home_defaults_to_a_directory_named_after_the_project() -> None:
    home = Settings.from_environment({}).home
    assert home.is_absolute()
    assert home.name == "trialyst"


def test_blank_counts_as_unset() -> None:
    blank = dict.fromkeys(
        ("TRIALYST_HOME", "TRIALYST_REGISTRY", "TRIALYST_SOURCE", "TRIALYST_CTGOV_URL"), " "
    )
    assert Settings.from_environment(blank) == Settings.from_environment({})


def test_relative_home_becomes_absolute() -> None:
    assert Settings.from_environment({"TRIALYST_HOME": "here"}).home == Path("here").absolute()


def test_source_is_read_in_any_case() -> None:
    assert Settings.from_environment({"TRIALYST_SOURCE": "Starter"}).source is SourceName.STARTER


def test_url_loses_its_trailing_slash() -> None:
    url = "http://127.0.0.1:8080/api/v2"
    assert Settings.from_environment({"TRIALYST_CTGOV_URL": url + "/"}).ctgov_url == url


def test_live_url_is_the_official_one_by_default() -> None:
    assert Settings.from_environment({}).ctgov_url == CTGOV_URL


def test_pace_and_cache_have_defaults() -> None:
    settings = Settings.from_environment({})
    assert (settings.ctgov_rate, settings.cache_bytes) == (None, 256_000_000)


def test_pace_and_cache_can_be_set() -> None:
    environ = {"TRIALYST_CTGOV_RATE": "0.5", "TRIALYST_CACHE_MB": "0"}
    settings = Settings.from_environment(environ)
    assert (settings.ctgov_rate, settings.cache_bytes) == (0.5, 0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TRIALYST_CTGOV_RATE", "fast"),
        ("TRIALYST_CTGOV_RATE", "-1"),
        ("TRIALYST_CTGOV_RATE", "nan"),
        ("TRIALYST_CACHE_MB", "inf"),
        ("TRIALYST_SOURCE", "internet"),
        ("TRIALYST_CTGOV_URL", "clinicaltrials.gov"),
        ("TRIALYST_CTGOV_URL", "ftp://clinicaltrials.gov"),
        ("TRIALYST_CTGOV_URL", "http://[broken"),
        ("TRIALYST_WIKIPATHWAYS_URL", "https://"),
        ("TRIALYST_HOME", __file__),
        ("TRIALYST_REGISTRY", __file__),
    ],
)
def test_a_bad_value_names_its_variable(name: str, value: str) -> None:
    with pytest.raises(InvalidInput, match=name) as caught:
        Settings.from_environment({name: value})
    assert caught.value.invalid_input == value


def test_reading_the_environment_is_done_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIALYST_SOURCE", "starter")
    assert Settings.from_environment().source is SourceName.STARTER


@pytest.mark.parametrize("name", ["TRIALYST_LLM_TIMEOUT", "TRIALYST_LLM_CONCURRENCY"])
@pytest.mark.parametrize("value", ["0", "-1", "many"])
def test_models_need_time_and_turns(name: str, value: str) -> None:
    with pytest.raises(InvalidInput, match=name):
        Settings.from_environment({name: value})


def test_models_are_set_from_the_environment() -> None:
    environ = {
        "TRIALYST_LLM_URL": "http://127.0.0.1:8000/v1/",
        "TRIALYST_LLM_TIMEOUT": "2.5",
        "TRIALYST_LLM_CONCURRENCY": "8",
        "GEMINI_API_KEY": "second",
        "GOOGLE_API_KEY": " first ",
    }
    settings = Settings.from_environment(environ)
    assert (settings.llm_url, settings.llm_timeout) == ("http://127.0.0.1:8000/v1", 2.5)
    assert (settings.llm_concurrency, settings.google_key) == (8, "first")


def test_no_key_is_shown() -> None:
    names = (
        "TRIALYST_LLM_KEY",
        "GOOGLE_API_KEY",
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "HF_TOKEN",
    )
    shown = repr(Settings.from_environment(dict.fromkeys(names, "s3cret")))
    assert "s3cret" not in shown
