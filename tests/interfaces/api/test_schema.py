"""Answers against the service's own OpenAPI file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.interfaces.api.invented import FIRST


@pytest.fixture(scope="module")
def schemas(facts_dir: Path) -> Any:
    yaml = pytest.importorskip("yaml")
    path = facts_dir / "ctgov" / "ctg-oas-v2_2.0.5.yaml"
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    # JSON Schema wants strings where YAML reads dates.
    return json.loads(json.dumps(yaml.load(path.read_text("utf-8"), loader), default=str))


def validate(schemas: Any, name: str, value: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = {"$ref": f"#/components/schemas/{name}", "components": schemas["components"]}
    jsonschema.Draft7Validator(schema).validate(value)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/version", "Version"),
        ("/studies?pageSize=100&countTotal=true", "PagedStudies"),
        ("/studies?query.cond=nothingatall", "PagedStudies"),
        (f"/studies/NCT{FIRST}", "Study"),
        ("/studies/metadata?includeIndexedOnly=true", "FieldNodeList"),
        ("/studies/search-areas", "SearchDocumentList"),
        ("/studies/enums", "EnumInfoList"),
        ("/stats/size", "GzipStats"),
        ("/stats/field/values", "FieldValuesStatsList"),
        ("/stats/field/sizes", "ListSizesList"),
    ],
)
def test_answer_follows_the_published_schema(
    api: httpx2.Client, schemas: Any, path: str, name: str
) -> None:
    validate(schemas, name, api.get(path).json())


def test_every_published_path_is_served(api: httpx2.Client, schemas: Any) -> None:
    for path in schemas["paths"]:
        assert api.get(path.replace("{nctId}", f"NCT{FIRST}")).status_code == 200


def test_every_published_parameter_is_taken(api: httpx2.Client, schemas: Any) -> None:
    for path, operations in schemas["paths"].items():
        for parameter in operations["get"]["parameters"]:
            if parameter["in"] == "query":
                url = path.replace("{nctId}", f"NCT{FIRST}")
                response = api.get(url, params={parameter["name"]: "\x00"})
                assert "unknown parameter" not in response.text
                assert "prefix" not in response.text
