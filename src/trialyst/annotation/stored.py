"""Annotations as they are kept, and those of trials: what a source keeps first, else read now."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from trialyst.annotation.conditions import ConditionAnnotation
from trialyst.ids import NctId

if TYPE_CHECKING:
    from trialyst.ctgov.source import TrialSource
    from trialyst.ctgov.trial import Trial

__all__ = ["decode_annotation", "encode_annotation", "read_annotations"]

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(ConditionAnnotation)


def encode_annotation(annotation: ConditionAnnotation) -> bytes:
    """Give an annotation as it is stored."""
    return _encoder.encode(annotation)


def decode_annotation(data: bytes) -> ConditionAnnotation:
    """Read a stored annotation; raises `msgspec.MsgspecError` for anything else."""
    return _decoder.decode(data)


async def read_annotations(
    source: TrialSource,
    trials: Sequence[Trial],
    annotate: Callable[[Trial], ConditionAnnotation],
) -> list[ConditionAnnotation]:
    """Give the conditions of trials as terms; `annotate` reads those that are not kept."""
    kept = await source.kept_conditions([NctId.parse(trial.nct_id) for trial in trials])

    def read() -> list[ConditionAnnotation]:
        return [
            decode_annotation(kept[trial.nct_id]) if trial.nct_id in kept else annotate(trial)
            for trial in trials
        ]

    return await asyncio.to_thread(read)
