"""Search one reader for inputs that break it: `python -m tests.fuzz note -max_total_time=3600`.

Needs atheris (`pip install atheris`). Options behind the target go to libFuzzer; what breaks the
reader is written to the current directory, to be made a case of the reader's own tests.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path


def main() -> None:
    import atheris

    os.environ.setdefault("TRIALYST_HOME", tempfile.mkdtemp())
    with atheris.instrument_imports(include=["trialyst"]):
        from tests.fuzz.targets import TARGETS
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"Name one of: {', '.join(TARGETS)}")
    target = TARGETS[sys.argv.pop(1)]
    corpus = Path(tempfile.mkdtemp())
    for number, sample in enumerate(target.samples):
        (corpus / str(number)).write_bytes(sample)
    atheris.Setup([*sys.argv, str(corpus)], target.read)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
