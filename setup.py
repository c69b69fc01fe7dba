"""The one compiled module; everything else about the project is in pyproject.toml."""

import shutil
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

NATIVE = Path("src/native")


class BuildPython(build_py):
    """Builds from the source alone: a module deleted since the last build is in no wheel."""

    def run(self) -> None:
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


class BuildNative(build_ext):
    """Builds at the level the speed was measured at; to MSVC setuptools gives its own flags."""

    def build_extensions(self) -> None:
        if self.compiler.compiler_type != "msvc":
            for extension in self.extensions:
                extension.extra_compile_args.append("-O3")
        super().build_extensions()


setup(
    cmdclass={"build_py": BuildPython, "build_ext": BuildNative},
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
