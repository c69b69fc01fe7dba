"""How a build spreads its work and how often it makes it safe."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Pace"]


@dataclass(frozen=True, slots=True)
class Pace:
    """Numbers that change how long a build takes, never what it makes."""

    workers: int | None = None
    """Processes that prepare records; None is one for each processor, 0 none."""
    inline_records: int = 2_500
    """Below this a child process costs more to start than it saves."""
    checkpoint_records: int = 100_000
    """Work an interrupted build may lose; each checkpoint writes a segment of the index."""
