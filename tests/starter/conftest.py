from __future__ import annotations

from typing import Any

import pytest

from trialyst.starter import generate_studies

Study = dict[str, Any]


@pytest.fixture(scope="session")
def studies() -> list[Study]:
    """The whole starter registry."""
    return list(generate_studies())


@pytest.fixture(scope="session")
def full(studies: list[Study]) -> list[Study]:
    """Every study but the withheld ones, which hold next to nothing."""
    return [study for study in studies if "designModule" in study["protocolSection"]]
