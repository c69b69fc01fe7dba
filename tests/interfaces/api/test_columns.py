from __future__ import annotations

import csv
import io
import json
import lzma
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.each_case import on_each_case
from tests.interfaces.api.invented import FIRST, studies, study, to_bytes
from trialyst.interfaces.api.columns import choose_columns, render_table

CELLS = {
    "NCT Number": "NCT90000001",
    "Study Title": "Invented study 1",
    "Study URL": "https://clinicaltrials.gov/study/NCT90000001",
    "Acronym": "FULL",
    "Study Status": "RECRUITING",
    "Brief Summary": "Age \\> 18, \\[see\\] below:\n\n* one\n* two",
    "Study Results": "YES",
    "Conditions": "Asthma|Hay Fever",
    "Interventions": "DRUG: X|DRUG|BEHAVIORAL: Y, twice",
    "Primary Outcome Measures": "FEV1, in litres, 1 year|Death, 2 years",
    "Secondary Outcome Measures": "",
    "Other Outcome Measures": "",
    "Sponsor": "Invented Clinic",
    "Collaborators": "Aid A|Aid B",
    "Sex": "ALL",
    "Age": "ADULT, OLDER_ADULT",
    "Phases": "PHASE1|PHASE2",
    "Enrollment": "120",
    "Funder Type": "OTHER",
    "Study Type": "INTERVENTIONAL",
    "Study Design": "Allocation: RANDOMIZED | Intervention Model: PARALLEL | "
    "Masking: DOUBLE (PARTICIPANT, INVESTIGATOR) | Primary Purpose: TREATMENT",
    "Other IDs": "INV-1|2020-000000-00",
    "Start Date": "2020-02",
    "Primary Completion Date": "2021-02-03",
    "Completion Date": "2021-06",
    "First Posted": "2020-01-02",
    "Results First Posted": "2021-03-01",
    "Last Update Posted": "2021-03-04",
    "Locations": "Clinic, West, Boston, Massachusetts, 02101, United States|Lyon, France",
    "Study Documents": "Study Protocol, "
    "https://cdn.clinicaltrials.gov/large-docs/01/NCT90000001/Prot_000.pdf|"
    "Statistical Analysis Plan, "
    "https://cdn.clinicaltrials.gov/large-docs/01/NCT90000001/SAP_001.pdf",
}


def row_of(value: Any) -> dict[str, str]:
    table = render_table([to_bytes(value)], choose_columns(None), header=True).decode()
    return next(csv.DictReader(io.StringIO(table, newline="")))


def read_table(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


@on_each_case("column", CELLS)
def test_cell_is_written_as_the_service_writes_it(column: str) -> None:
    assert row_of(studies()[0])[column] == CELLS[column]


def test_columns_stand_in_the_order_of_the_service(facts_dir: Path) -> None:
    sample = facts_dir / "ctgov" / "sample_studies_ui_export.csv"
    with sample.open(encoding="utf-8", newline="") as file:
        assert choose_columns(None) == next(csv.reader(file))


def test_an_observational_design_names_model_and_perspective() -> None:
    expected = "Observational Model: COHORT | Time Perspective: PROSPECTIVE"
    assert row_of(studies()[3])["Study Design"] == expected


def test_masking_stands_alone_where_nobody_is_named() -> None:
    open_label = study(FIRST, design={"designInfo": {"maskingInfo": {"masking": "NONE"}}})
    assert row_of(open_label)["Study Design"] == "Masking: NONE"


def test_a_bare_record_has_empty_cells() -> None:
    row = row_of(studies()[1])
    assert row["Study Results"] == "NO"
    assert not any(row[name] for name in ("Phases", "Locations", "Study Design", "Enrollment"))


def test_header_stands_on_the_first_page_only(api: httpx2.Client) -> None:
    first = api.get("/studies?format=csv&pageSize=20")
    rest = api.get(
        "/studies",
        params={
            "format": "csv",
            "pageSize": 20,
            "pageToken": first.headers["x-next-page-token"],
        },
    )
    assert read_table(first.text)[0][0] == "NCT Number"
    assert len(read_table(first.text)[1:]) == 20
    assert read_table(rest.text)[0][0].startswith("NCT9")
    assert len(read_table(rest.text)) == len(studies()) - 20
    assert "x-next-page-token" not in rest.headers


def test_total_is_a_header_of_the_first_page(api: httpx2.Client) -> None:
    asked = api.get("/studies?format=csv&countTotal=true")
    assert asked.headers["x-total-count"] == str(len(studies()))
    assert "x-total-count" not in api.get("/studies?format=csv").headers


def test_no_hit_gives_the_header_alone(api: httpx2.Client) -> None:
    response = api.get("/studies?format=csv&fields=Sex&query.cond=nothingatall")
    assert response.text == "Sex\r\n"


def test_columns_asked_for_keep_the_order_of_the_service(api: httpx2.Client) -> None:
    response = api.get("/studies?format=csv&fields=Sex,study title|NCT Number&pageSize=1")
    assert read_table(response.text)[0] == ["NCT Number", "Study Title", "Sex"]


def test_markup_format_is_ignored_in_csv(api: httpx2.Client) -> None:
    table = api.get(f"/studies?format=csv&markupFormat=legacy&filter.ids=NCT{FIRST}").text
    assert CELLS["Brief Summary"] in table


# Of the exported studies, one is also among the real records, as it stood ten years earlier
# and without the dates the older format did not have.
SAME_STUDY = "NCT01831466"
NOT_THE_SAME = {
    *("Brief Summary", "Primary Outcome Measures", "Secondary Outcome Measures"),
    *("Locations", "First Posted", "Results First Posted", "Last Update Posted"),
}


@pytest.mark.slow
def test_a_real_record_gives_the_cells_the_service_exported(
    data_dir: Path, facts_dir: Path
) -> None:
    sample = facts_dir / "ctgov" / "sample_studies_ui_export.csv"
    with sample.open(encoding="utf-8", newline="") as file:
        exported = {row["NCT Number"]: row for row in csv.DictReader(file)}[SAME_STUDY]
    ours = row_of(json.loads(find_line(data_dir / "ctgov_v2_from_xml", SAME_STUDY)))
    same = [name for name in exported if name not in NOT_THE_SAME]
    assert {name: ours[name] for name in same} == {name: exported[name] for name in same}


def find_line(directory: Path, nct_id: str) -> str:
    for path in sorted(directory.glob("*.jsonl.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                if nct_id in line[:400]:
                    return line
    pytest.skip(f"{nct_id} is not among the records")


def test_exported_rows_survive_being_read_and_written(facts_dir: Path) -> None:
    """The dialect: quotes only where needed, CRLF ends rows, LF stands inside cells."""
    text = (facts_dir / "ctgov" / "sample_studies_ui_export.csv").read_bytes()
    rows = list(csv.DictReader(io.StringIO(text.decode(), newline="")))
    columns = ["Study Title", "Brief Summary", "Conditions", "Interventions", "Phases"]
    rebuilt = [to_bytes(rebuild(row)) for row in rows]
    ours = csv.DictReader(
        io.StringIO(render_table(rebuilt, columns, header=True).decode(), newline="")
    )
    assert list(ours) == [{name: row[name] for name in columns} for row in rows]


def rebuild(row: dict[str, str]) -> dict[str, Any]:
    """Make a study from cells that can be taken apart again."""
    pairs = [cell.partition(": ") for cell in row["Interventions"].split("|") if cell]
    return study(
        int(row["NCT Number"][3:]),
        identification={"briefTitle": row["Study Title"]},
        description={"briefSummary": row["Brief Summary"]},
        conditions={"conditions": row["Conditions"].split("|")},
        armsInterventions={"interventions": [{"type": t, "name": name} for t, _, name in pairs]},
        design={"phases": [phase for phase in row["Phases"].split("|") if phase]},
    )
