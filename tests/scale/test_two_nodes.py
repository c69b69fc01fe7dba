"""A real cluster of two nodes on this machine: nothing is lost or doubled when one dies."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.scale import two_nodes
from trialyst.scale.cohort import run_cohort
from trialyst.scale.engine import LocalEngine
from trialyst.scale.matcher import CohortOptions, Workplace
from trialyst.starter import ensure_starter, sample_patients


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="ray is not installed")
def test_a_cluster_that_loses_a_node_gives_what_one_machine_gives(
    starter_home: Path, tmp_path: Path
) -> None:
    patients = tmp_path / "patients.jsonl"
    lines = [json.dumps({"id": each.name, "text": each.note}) for each in sample_patients()[:5]]
    patients.write_text("\n".join([*lines, "{broken"]))
    registry = ensure_starter(starter_home)
    options = CohortOptions(candidates=8, part=1)
    local = LocalEngine(Workplace(starter_home, registry, "starter"), options, workers=1)
    expected = run_cohort(
        patients, tmp_path / "local", local, options=options,
        registry={"generation": "g", "records": 1},
    )  # fmt: skip
    done = subprocess.run(
        [sys.executable, two_nodes.__file__, starter_home, registry, patients, tmp_path / "ray"],
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    # Lines of the cluster's own log may stand around the answer.
    told = json.loads(next(line for line in done.stdout.splitlines() if line.startswith("{")))
    assert told["summary"] == expected
    assert told["same"] == [True] * len(told["same"])
    names = {each.name for each in (tmp_path / "local").iterdir()}
    for name in names:
        ours, theirs = (tmp_path / where / name for where in ("local", "ray"))
        assert ours.read_bytes() == theirs.read_bytes(), name
