"""The one compiled module; everything else about the project is in pyproject.toml."""

from pathlib import Path

from setuptools import Extension, setup

NATIVE = Path("src/native")

setup(
    ext_modules=[
        Extension(
            "trialyst._native",
            sources=sorted(str(path) for path in NATIVE.glob("*.c")),
            depends=sorted(str(path) for path in NATIVE.glob("*.h")),
            extra_compile_args=["-O3"],
            # Without a compiler the same work is done in Python, more slowly.
            optional=True,
        )
    ],
)
