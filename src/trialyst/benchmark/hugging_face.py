"""Annotations by the name of a data set on Hugging Face, read page by page as JSON.

Only whoever names a data set asks for this; nothing but the name leaves the machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from trialyst.benchmark.annotations import Annotations, parse_annotations
from trialyst.errors import InvalidInput, RateLimited, UpstreamError

if TYPE_CHECKING:
    from trialyst.transport import Transport

__all__ = ["DATASETS_URL", "load_annotations"]

DATASETS_URL = "https://datasets-server.huggingface.co"
PAGE = 100
"""The most rows the service gives at once."""
_MOST_ROWS = 100_000


async def load_annotations(
    name: str, transport: Transport, *, url: str = DATASETS_URL
) -> Annotations:
    """Read the annotations of a data set such as `ncbi/TrialGPT-Criterion-Annotations`.

    Raises:
        InvalidInput: there is no such data set, or its rows are no annotations.
        RateLimited, UpstreamError: the service failed.
    """
    from trialyst.transport import Refused

    rows: list[dict[str, Any]] = []
    total = 1
    while len(rows) < total:
        params = {
            "dataset": name,
            "config": "default",
            "split": "train",
            "offset": str(len(rows)),
            "length": str(PAGE),
        }
        try:
            answer = await transport.get(f"{url}/rows", _read_page, params=params)
        except Refused as refused:
            raise InvalidInput(
                f"Hugging Face gives no rows of {name!r}: {refused.message}",
                hint="Check data.source, or give a file as data.path.",
                invalid_input=name,
            ) from None
        except (RateLimited, UpstreamError) as failed:
            hint = "Try again later, or download the data set and give the file as data.path."
            raise type(failed)(failed.message, hint=hint) from None
        page, total = answer.value
        if total > _MOST_ROWS:
            raise InvalidInput(
                f"{name} has {total:,} rows", hint="Download it and give the file as data.path."
            )
        if not page and len(rows) < total:
            raise UpstreamError(f"Hugging Face gave {len(rows):,} of {total:,} rows of {name}")
        rows += page
    return parse_annotations(_numbered(rows), name=name)


def _read_page(body: bytes) -> tuple[list[dict[str, Any]], int]:
    value = json.loads(body)
    try:
        return [dict(row["row"]) for row in value["rows"]], int(value["num_rows_total"])
    except (KeyError, TypeError) as error:
        raise ValueError(f"no page of rows: {error}") from None


def _numbered(rows: list[dict[str, Any]]) -> Iterator[tuple[int, dict[str, Any]]]:
    yield from enumerate(rows, 1)
