"""Annotations as they are kept, and those of trials: what a source keeps first, else read now."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from trialyst.annotation.trials import TrialAnnotation
from trialyst.ctgov.parse_readable import to_readable
from trialyst.ids import NctId

if TYPE_CHECKING:
    from trialyst.ctgov.parse_readable import ReadableTexts
    from trialyst.ctgov.source import TrialSource
    from trialyst.ctgov.trial import Trial

__all__ = ["Annotate", "decode_annotation", "encode_annotation", "read_annotations"]

Annotate = Callable[["ReadableTexts"], TrialAnnotation]

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(TrialAnnotation)


def encode_annotation(annotation: TrialAnnotation) -> bytes:
    """Give an annotation as it is stored."""
    return _encoder.encode(annotation)


def decode_annotation(data: bytes) -> TrialAnnotation:
    """Read a stored annotation; raises `msgspec.MsgspecError` for anything else."""
    return _decoder.decode(data)


_decode = lru_cache(4_000)(decode_annotation)
"""Patients are matched with the same trials."""


async def read_annotations(
    source: TrialSource, trials: Sequence[Trial], annotate: Annotate
) -> list[TrialAnnotation]:
    """Give trials as read; `annotate` reads those that are not kept."""
    kept = await source.kept_annotations([NctId.parse(trial.nct_id) for trial in trials])

    def read() -> list[TrialAnnotation]:
        return [
            _decode(kept[trial.nct_id]) if trial.nct_id in kept else annotate(to_readable(trial))
            for trial in trials
        ]

    return await asyncio.to_thread(read)
