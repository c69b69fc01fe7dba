"""A registry that this account may only read answers like any other."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.registry.invented import many
from trialyst.registry import build_from_studies

ASKING = """
import os, sys
from pathlib import Path
import tantivy
from trialyst.ctgov.query import TrialQuery
from trialyst.registry import Registry

# Only now: the account may not be allowed to read the modules.
os.setresgid(65534, 65534, 65534)
os.setresuid(65534, 65534, 65534)
with Registry.open(Path(sys.argv[1])) as registry:
    print(registry.count(TrialQuery()))
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can ask as another account")
def test_another_account_reads_a_registry_it_may_not_write(tmp_path: Path) -> None:
    registry = tmp_path / "registry"
    build_from_studies(many(20), registry)
    # The folders above, which only this account may enter, are left behind.
    open_to_all = Path("/tmp") / f"trialyst-read-only-{os.getpid()}"
    shutil.copytree(registry, open_to_all)
    try:
        for path in (open_to_all, *open_to_all.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        child = subprocess.run(
            [sys.executable, "-c", ASKING, str(open_to_all)],
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        shutil.rmtree(open_to_all)
    assert child.stderr == ""
    assert child.stdout == "20\n"
