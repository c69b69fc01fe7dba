"""The one compiled module; everything else about the project is in pyproject.toml."""

from pathlib import Path

from setuptools import Extension, setup

NATIVE = Path("src/native")

setup(
    ext_modules=[
        Extension(
            "trialyst._native",
            sources=sorted(path.as_posix() for path in NATIVE.glob("*.c")),
            depends=sorted(path.as_posix() for path in NATIVE.glob("*.h")),
            # Without a compiler the same work is done in Python, more slowly.
            optional=True,
        )
    ],
)
