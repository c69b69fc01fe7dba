"""A configuration is read strictly: what is wrong is named, with its place and the way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from trialyst.benchmark.config import load_config, parse_config
from trialyst.errors import InvalidInput

WHOLE = """
data:
  path: rows.jsonl
models:
  - name: rules
"""


def refused(text: str) -> InvalidInput:
    with pytest.raises(InvalidInput) as raised:
        parse_config(text, name="a.yaml")
    return raised.value


def test_defaults_are_those_of_the_seed() -> None:
    config = parse_config(WHOLE)
    assert (config.data.n_pairs, config.data.seed) == (20, 42)
    assert (config.models[0].max_concurrent, config.output) == (1, Path("runs"))
    assert config.budget.max_cost_usd is None


def test_every_key_is_read() -> None:
    config = parse_config(
        "data: {source: a/b, n_pairs: 5, seed: 1, keyword_filter: asthma, balance: equal}\n"
        "models: [{name: rules, max_concurrent: 3, max_tokens: 100}]\n"
        "budget: {max_cost_usd: 1.5, max_calls: 10}\noutput: here\n"
    )
    assert config.data.keyword_filter == ("asthma",)
    assert config.data.balance == "equal"
    assert (config.budget.max_cost_usd, config.budget.max_calls) == (1.5, 10)


@pytest.mark.parametrize(
    ("text", "key", "known"),
    [
        (WHOLE + "outputs: x\n", "'outputs'", "Did you mean 'output'?"),
        (WHOLE.replace("path:", "n_pair: 3\n  path:"), "'data.n_pair'", "n_pairs, seed"),
        (WHOLE + "    max_token: 5\n", "'models.0.max_token'", "max_concurrent"),
        (WHOLE + "budget: {usd: 1}\n", "'budget.usd'", "max_cost_usd, max_calls"),
    ],
)
def test_an_unknown_key_is_named_beside_the_known_ones(text: str, key: str, known: str) -> None:
    error = refused(text)
    assert f"unknown key {key}" in error.message
    assert known in error.hint


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("data: {path: a}\n", "'models' is missing"),
        ("models: [{name: rules}]\n", "'data' is missing"),
        (WHOLE.replace("name: rules", "max_tokens: 99"), "'models.0.name' is missing"),
        (WHOLE.replace("path: rows.jsonl", "seed: 1"), "either `source` or `path`"),
        (WHOLE.replace("path:", "source: a/b\n  path:"), "either `source` or `path`"),
        (WHOLE.replace("path:", "n_pairs: 0\n  path:"), "'data.n_pairs'"),
        (WHOLE.replace("path:", "balance: half\n  path:"), "balance"),
        (WHOLE.replace("path:", "balance: {MET: 0}\n  path:"), "share of nothing"),
        (WHOLE + "  - name: rules\n", "'rules' stands twice"),
        (WHOLE + "budget: {max_cost_usd: -1}\n", "'budget.max_cost_usd'"),
        ("models: []\ndata: {path: a}\n", "'models'"),
        ("data: {path: a}\nmodels: rules\n", "'models' is not a list"),
        ("data: {path: a}\nmodels: [rules]\n", "'models.0' is not a section with keys"),
        (WHOLE.replace("path:", "balance: {PERHAPS: 1}\n  path:"), "'data.balance.PERHAPS'"),
        ("? {a: b}\n: c\n", "is not YAML at line 1, column 3"),
        ("data: &a {path: *a}\nmodels: [{name: rules}]\n", "'data.path'"),
        ("- a\n", "holds no keys"),
        ("", "holds no keys"),
    ],
)
def test_what_cannot_work_is_told(text: str, told: str) -> None:
    assert told in refused(text).message


@pytest.mark.parametrize(
    ("text", "place"),
    [("data:\n  path: [a\nb: c", "line 3, column 2"), ("a: b: c\n", "line 1, column 5")],
)
def test_what_is_no_yaml_is_told_with_line_and_column(text: str, place: str) -> None:
    assert f"a.yaml is not YAML at {place}: " in refused(text).message


def test_a_character_that_yaml_forbids_is_told() -> None:
    assert "a.yaml is not YAML" in refused("a: \x00\n").message


def test_a_key_that_stands_twice_is_told_with_its_line() -> None:
    error = refused("data:\n  path: a\n  path: b\nmodels: [{name: rules}]\n")
    assert "the key 'path' twice, again at line 3, column 3" in error.message


def test_a_path_starts_at_the_directory_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "a.yaml"
    file.parent.mkdir()
    file.write_text(WHOLE, "utf-8")
    assert load_config(file).data.path == file.parent / "rows.jsonl"


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="No such file"):
        load_config(tmp_path / "none.yaml")
