"""What the live service refuses, and the words it does it with."""

from __future__ import annotations

import httpx2
import pytest

from tests.interfaces.api.invented import FIRST

PHASES = "`NA`, `EARLY_PHASE1`, `PHASE1`, `PHASE2`, `PHASE3`, `PHASE4`"
VERBATIM = [
    ("/studies?filter.phase=PHASE1", "`filter.phase` is unknown parameter"),
    ("/studies?fmt=json", "`fmt` is unknown parameter"),
    ("/studies/NCT90000001?pageSize=1", "`pageSize` is unknown parameter"),
    ("/stats/size?aggFilters=phase:3", "`aggFilters` is unknown parameter"),
    ("/stats/field/values?query.cond=x", "Invalid prefix in parameter name: query.cond"),
    ("/studies/metadata?filter.ids=x", "Invalid prefix in parameter name: filter.ids"),
    (
        "/studies/download?format=json.zip&filter.advanced=x",
        "Invalid prefix in parameter name: filter.advanced",
    ),
    (
        "/studies?filter.overallStatus=BADSTATUS",
        "Invalid value in parameter `overallStatus`: `BADSTATUS`",
    ),
    (
        "/studies?fields=StudyDesign",
        "Parameter 'fields' contains invalid field name: 'StudyDesign'",
    ),
    (
        f"/studies/NCT{FIRST}?fields=NCTId,ConditionList",
        "Parameter 'fields' contains invalid field name: 'ConditionList'",
    ),
    (
        f"/studies/NCT{FIRST}?fields=@query",
        "Parameter 'fields' contains invalid field name: '@query'",
    ),
    (
        "/studies?format=csv&fields=NCTId",
        "Parameter 'fields' contains invalid CSV column name: 'NCTId'",
    ),
    ("/studies?sort=LastUpdatePostDate:up", "Item 1 in parameter `sort` has incorrect format"),
    ("/studies?sort=BriefTitle", "Unsupported sort field type: text"),
    (
        "/studies?filter.advanced=AREA[NotARealField]x",
        "Error parsing query in advanced filter: Unknown area name: `NotARealField`",
    ),
    (
        "/studies?filter.advanced=AREA[Phase]PHASE9",
        "Error parsing query in advanced filter: Allowed values for enum field "
        f"`protocolSection.designModule.phases` are {PHASES}",
    ),
    (
        "/studies?query.term=(a",
        "Error parsing query in Other terms: missing ')' at '<EOF>'",
    ),
    (
        "/studies?filter.advanced=COVERAGE[FullMatc]x",
        "Error parsing query in advanced filter: Invalid coverage: FullMatc",
    ),
    ("/studies?query.cond=NOT", "inner bool query clause cannot be null"),
    ("/studies?countTotal=maybe", "Invalid value in parameter `countTotal`: `maybe`"),
    ("/studies?format=xml", "Invalid value in parameter `format`: `xml`"),
    ("/studies?format=json.zip", "Invalid value in parameter `format`: `json.zip`"),
    ("/studies?markupFormat=html", "Invalid value in parameter `markupFormat`: `html`"),
    ("/studies/download?format=csv", "Invalid value in parameter `format`: `csv`"),
    ("/stats/field/values?types=TEXT", "Invalid value in parameter `types`: `TEXT`"),
    ("/studies?fields=", "Parameter `fields` must be a non-empty list"),
    ("/studies?fields=,|", "Parameter `fields` must be a non-empty list"),
    ("/studies?query.cond=a&query.cond=b", "Parameter `query.cond` is specified more than once"),
]


@pytest.mark.parametrize(("path", "text"), VERBATIM)
def test_refusal_has_the_live_words(api: httpx2.Client, path: str, text: str) -> None:
    response = api.get(path)
    assert (response.status_code, response.text) == (400, text)
    assert response.headers["content-type"].startswith("text/plain")


@pytest.mark.parametrize(
    "path",
    [
        "/studies/NCT00000000",
        "/studies/NCT123456789",
        "/studies/12345678",
        "/studies/NCT١٢٣٤٥٦٧٨",
        "/studies?filter.ids=NCT90000001,XYZ",
        "/studies?filter.ids=NCT00000000",
    ],
)
def test_bad_number_has_incorrect_format(api: httpx2.Client, path: str) -> None:
    response = api.get(path)
    assert response.status_code == 400
    assert "incorrect format" in response.text


@pytest.mark.parametrize(
    "path",
    [
        "/studies?pageSize=bad",
        "/studies?pageSize=-1",
        "/studies?aggFilters=phase:1,2",
        "/studies?aggFilters=colour:red",
        "/studies?filter.geo=near(me)",
        "/studies?query.term=foo bar [",
        "/studies?query.locn=AREA[LocationGeoPoint]DISTANCE(1,2,3mi)",
        "/studies/download",
        "/studies/download?format=json.zip&fields=NCTId",
    ],
)
def test_what_cannot_be_understood_is_400(api: httpx2.Client, path: str) -> None:
    response = api.get(path)
    assert response.status_code == 400
    assert response.headers["content-type"].startswith("text/plain")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/studies/NCT99999999", "NCT number NCT99999999 not found"),
        ("/studies/nct5", "NCT number NCT00000005 not found"),
        ("/stats/field/values?fields=Phase,X,Y", "Unknown piece name of field path: X"),
        ("/stats/field/sizes?fields=X", "Unknown piece name of field path: X"),
        ("/stats/fieldValues/X", "Unknown piece name of field path: X"),
        ("/stats/fieldValues/ProtocolSection", "Unknown piece name of field path: ProtocolSection"),
    ],
)
def test_what_is_not_there_is_404(api: httpx2.Client, path: str, text: str) -> None:
    response = api.get(path)
    assert (response.status_code, response.text) == (404, text)
