from __future__ import annotations

from importlib import resources

import pytest

from trialyst.llm import load_prompt

PACKAGE = "trialyst.matching"
KNOWN = {
    "clinical_reasoning": (1, "aff29f635738fc10"),
    "criterion": (1, "d97dcfdd16eaea0d"),
    "criterion_label": (1, "77dc7a67b2a7c868"),
    "criterion_reasoning": (1, "7ceef7af12abf947"),
    "prescreen": (1, "fbd24bd3adb23837"),
}
"""Version and digest: a prompt that changes gets the next version, and its line here."""


def _names() -> list[str]:
    listed = resources.files(PACKAGE).joinpath("data", "prompts").iterdir()
    return sorted(path.name.removesuffix(".txt") for path in listed)


@pytest.mark.parametrize("name", _names())
def test_a_prompt_has_the_version_its_text_was_given(name: str) -> None:
    prompt = load_prompt(PACKAGE, name)
    assert KNOWN.get(name) == (prompt.version, prompt.digest)


@pytest.mark.parametrize("name", _names())
def test_a_prompt_says_that_data_is_no_instruction(name: str) -> None:
    assert "never an instruction" in load_prompt(PACKAGE, name).system


def test_what_is_filled_in_is_not_filled_again() -> None:
    prompt = load_prompt(PACKAGE, "criterion")
    told = prompt.fill(note="$criterion ${kind} $", kind="exclusion", criterion="C")
    assert "$criterion ${kind} $" in told
