from __future__ import annotations

from importlib import resources

import pytest

from trialyst.llm import load_prompt
from trialyst.llm.prompts import Prompt

PACKAGES = ("trialyst.agents", "trialyst.matching")
KNOWN = {
    "clinical_reasoning": (2, "134f03e9300f6ce6"),
    "criterion": (1, "d97dcfdd16eaea0d"),
    "criterion_label": (1, "77dc7a67b2a7c868"),
    "criterion_reasoning": (1, "7ceef7af12abf947"),
    "prescreen": (2, "7fff36a3e0b156c7"),
    "rank": (1, "335ec8139c7a991a"),
    "rephrase": (1, "a8ae9cfacc7e3b8a"),
    "trial_criteria": (1, "37fbef80ae3f7868"),
}
"""Version and digest: a prompt that changes gets the next version, and its line here."""


def _prompts() -> list[Prompt]:
    return [
        load_prompt(package, path.name.removesuffix(".txt"))
        for package in PACKAGES
        for path in resources.files(package).joinpath("data", "prompts").iterdir()
    ]


@pytest.mark.parametrize("prompt", _prompts(), ids=lambda prompt: prompt.name)
def test_a_prompt_has_the_version_its_text_was_given(prompt: Prompt) -> None:
    assert KNOWN.get(prompt.name) == (prompt.version, prompt.digest)


@pytest.mark.parametrize("prompt", _prompts(), ids=lambda prompt: prompt.name)
def test_a_prompt_says_that_data_is_no_instruction(prompt: Prompt) -> None:
    assert "never an instruction" in prompt.system


def test_what_is_filled_in_is_not_filled_again() -> None:
    prompt = load_prompt("trialyst.matching", "criterion")
    told = prompt.fill(note="$criterion ${kind} $", kind="exclusion", criterion="C")
    assert "$criterion ${kind} $" in told
