"""What opening a model needs: its libraries, loaded only when one is named."""

from __future__ import annotations

import subprocess
import sys

WITHOUT = """
import sys
for name in ("pydantic_ai", "openai", "google.genai", "anthropic"):
    sys.modules[name] = None
from trialyst.errors import ModelError
from trialyst.llm import open_adapter
from trialyst.settings import Settings
try:
    open_adapter("ollama:llama3.1", Settings.from_environment({}))
except ModelError as error:
    print(error, error.hint)
"""
LOADED = """
import sys
import trialyst.llm, trialyst.matching.judging.model, trialyst.matching.agent
trialyst.llm.parse_model_name("google:gemini-2.5-flash")
print(*sys.modules)
"""


def _run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def test_missing_libraries_are_told_with_how_to_install_them() -> None:
    assert "pip install 'trialyst[llm]'" in _run(WITHOUT)


def test_no_library_of_a_provider_is_loaded_before_a_model_is_opened() -> None:
    assert not {"pydantic_ai", "openai", "google.genai", "anthropic", "httpx2"} & set(
        _run(LOADED).split()
    )
