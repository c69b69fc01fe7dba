"""The one compiled module; everything else about the project is in pyproject.toml."""

from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

NATIVE = Path("src/native")


class BuildNative(build_ext):
    """Builds at the level the speed was measured at; to MSVC setuptools gives its own flags."""

    def build_extensions(self) -> None:
        if self.compiler.compiler_type != "msvc":
            for extension in self.extensions:
                extension.extra_compile_args.append("-O3")
        super().build_extensions()


setup(
    cmdclass={"build_ext": BuildNative},
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
