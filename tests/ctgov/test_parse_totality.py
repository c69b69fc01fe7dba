"""Whatever a record holds, parsing gives a trial or a DamagedRecord."""

from __future__ import annotations

import copy
import gzip
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ctgov.studies import load_study
from trialyst.ctgov.parse import DamagedRecord, parse_trial, parse_trials
from trialyst.ctgov.trial import Trial

ORDINARY = load_study("ordinary")
SCALARS: st.SearchStrategy[Any] = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["", "2020-99", "NA", "99999999", "str", "NCT1", "\ud800"])
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["date", "type", "id", "name", "x"]), inner, max_size=3)
    ),
    max_leaves=5,
)


def _places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in keys:
        yield (*place, key)
        yield from _places(value[key], (*place, key))


PLACES = list(_places(ORDINARY))
CHANGES = st.lists(
    st.tuples(st.sampled_from(PLACES), st.just("drop") | VALUES), min_size=1, max_size=12
)


def change(study: dict[str, Any], place: tuple[Any, ...], value: Any) -> None:
    container: Any = study
    for key in place[:-1]:
        if not _holds(container, key):
            return
        container = container[key]
    if not _holds(container, place[-1]):
        return
    if value == "drop":
        del container[place[-1]]
    else:
        container[place[-1]] = value


def _holds(container: Any, key: Any) -> bool:
    if isinstance(container, list):
        return isinstance(key, int) and key < len(container)
    return isinstance(container, dict) and key in container


@given(CHANGES)
def test_a_changed_study_gives_a_trial_or_is_damaged(
    changes: list[tuple[tuple[Any, ...], Any]],
) -> None:
    study = copy.deepcopy(ORDINARY)
    for place, value in changes:
        change(study, place, value)

    (parsed,) = parse_trials([study])

    if isinstance(parsed, DamagedRecord):
        assert "nctId" in parsed.reason
    else:
        assert Trial.model_validate_json(parsed.model_dump_json()) == parsed


@given(st.sampled_from([place for place in PLACES if "nctId" not in place and len(place) > 2]))
def test_no_single_value_of_another_type_spoils_the_rest(place: tuple[Any, ...]) -> None:
    study = copy.deepcopy(ORDINARY)
    change(study, place, {"unexpected": ["value"]})

    trial = parse_trial(study)

    assert trial.nct_id == "NCT90001001"
    assert len(trial.problems) <= 2


@given(VALUES)
def test_any_value_gives_a_trial_or_is_damaged(value: Any) -> None:
    with pytest.raises(DamagedRecord):
        parse_trial(value)


@given(st.binary(max_size=40))
def test_any_bytes_are_damaged(text: bytes) -> None:
    with pytest.raises(DamagedRecord):
        parse_trial(text)


def read_lines(path: Path) -> Iterator[bytes]:
    if path.suffix == ".xz":
        with lzma.open(path) as packed:
            yield from packed
    elif path.suffix == ".gz":
        with gzip.open(path) as packed_by_gzip:
            yield from packed_by_gzip
    else:
        with path.open("rb") as plain:
            yield from plain


def _read(paths: list[Path]) -> tuple[int, list[DamagedRecord]]:
    count, damaged = 0, []
    for path in paths:
        for parsed in parse_trials(read_lines(path)):
            count += 1
            if isinstance(parsed, DamagedRecord):
                damaged.append(parsed)
    return count, damaged


@pytest.mark.slow
@pytest.mark.parametrize(
    ("folder", "records"),
    [("ctgov_v2_native", 4_024), ("ctgov_v2_from_xml", 23_908), ("ctgov_v2_partial", 877)],
)
def test_every_real_record_parses(data_dir: Path, folder: str, records: int) -> None:
    assert _read(sorted((data_dir / folder).glob("*.jsonl.*"))) == (records, [])


def test_every_sample_record_parses_without_a_problem(facts_dir: Path) -> None:
    parsed = list(parse_trials(read_lines(facts_dir / "ctgov" / "sample_studies.jsonl")))

    assert len(parsed) == 279
    assert [item for item in parsed if isinstance(item, DamagedRecord) or item.problems] == []
