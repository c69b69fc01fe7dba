from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from trialyst.ctgov.source import Provenance
from trialyst.discovery.envelope import Answer, to_error_envelope, to_provenance
from trialyst.errors import InvalidInput, NotFound
from trialyst.essie import EssieError, parse

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)


def told(days: int) -> list[str]:
    timestamp = (NOW - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%S")
    provenance = Provenance(
        source="local", synthetic=False, complete=True, data_timestamp=timestamp
    )
    notes: list[str] = to_provenance(provenance, now=NOW)["notes"]
    return notes


def test_data_of_30_days_is_fresh() -> None:
    assert told(30) == []


def test_data_older_than_30_days_gets_a_warning() -> None:
    (warning,) = told(31)
    assert "31 days old" in warning


@pytest.mark.parametrize("timestamp", [None, "2026-11-01", "2026-11-01T00:00:00Z"])
def test_no_time_a_date_and_a_zone_are_understood(timestamp: str | None) -> None:
    provenance = Provenance(source="live", synthetic=False, complete=True, data_timestamp=timestamp)
    assert to_provenance(provenance, now=NOW)["notes"] == []


def test_absent_values_of_the_provenance_are_left_out() -> None:
    values = to_provenance(Provenance(source="live", synthetic=False, complete=True), now=NOW)
    assert values == {"source": "live", "synthetic": False, "complete": True, "notes": []}


def test_notes_of_the_source_come_first_and_each_once() -> None:
    provenance = Provenance(source="local", synthetic=True, complete=True, notes=("a",))
    assert to_provenance(provenance, ["b", "a", "b"], now=NOW)["notes"] == ["a", "b"]


def test_an_error_has_four_keys_and_one_may_be_null() -> None:
    assert to_error_envelope(NotFound("It is not here")) == {
        "success": False,
        "error": {
            "code": "ENTITY_NOT_FOUND",
            "message": "It is not here",
            "recovery_hint": NotFound.hint,
            "invalid_input": None,
        },
    }


def test_a_syntax_error_shows_column_and_caret() -> None:
    with pytest.raises(EssieError) as caught:
        parse("asthma AND )")
    error = to_error_envelope(caught.value)["error"]
    assert error["message"].endswith("asthma AND )\n       ^")
    assert error["recovery_hint"].startswith("Column 8:")


def test_an_answer_is_a_mapping_with_rows() -> None:
    answer = Answer({"items": [{"id": 1}], "provenance": {"notes": ["n"]}}, [{"id": 1}])
    assert dict(answer) == answer.to_dict()
    assert (answer["items"], len(answer), answer.cursor) == ([{"id": 1}], 2, None)
    assert answer.to_dicts() == [{"id": 1}]
    assert answer.notes == ("n",)


def test_invalid_input_is_kept() -> None:
    error = InvalidInput("Wrong", invalid_input="x")
    assert to_error_envelope(error)["error"]["invalid_input"] == "x"
