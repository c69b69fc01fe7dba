"""Small invented trials of drugs, and clients on registries that hold them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tests.registry.invented import study
from trialyst.registry import Registry, RegistrySource, build_from_studies
from trialyst.repurposing import RepurposingClient

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trialyst.vocabulary import Vocabulary

TODAY = datetime(2026, 11, 16, tzinfo=UTC)


def trial(
    number: int,
    *,
    drugs: Iterable[str | tuple[str, str]] = ("Semaglutide",),
    conditions: Sequence[str] = ("Heart Failure",),
    phases: Sequence[str] = ("PHASE2",),
    **more: Any,
) -> dict[str, Any]:
    """Give a trial; drugs are names, or types and names.

    More: status, why_stopped, sponsor, enrollment, start, completion, posted, updated, purpose,
    mesh, ancestors, title; dates are texts, or texts and types.
    """
    status: dict[str, Any] = {"overallStatus": more.get("status", "COMPLETED")}
    if "why_stopped" in more:
        status["whyStopped"] = more["why_stopped"]
    for key, name in (("start", "start"), ("completion", "completion")):
        if key in more:
            status[f"{name}DateStruct"] = _dated(more[key])
    if "primary_completion" in more:
        status["primaryCompletionDateStruct"] = _dated(more["primary_completion"])
    status["studyFirstPostDateStruct"] = {"date": more.get("posted", "2015-05-05")}
    interventions = [
        {"type": kind, "name": name}
        for kind, name in (("DRUG", each) if isinstance(each, str) else each for each in drugs)
    ]
    design: dict[str, Any] = {"studyType": "INTERVENTIONAL", "phases": list(phases)}
    if "enrollment" in more:
        count, kind = more["enrollment"]
        design["enrollmentInfo"] = {"count": count, "type": kind}
    if "purpose" in more:
        design["designInfo"] = {"primaryPurpose": more["purpose"]}
    made = study(
        number,
        updated=more.get("updated", "2020-01-01"),
        identification={"briefTitle": more.get("title", f"Study {number}")},
        status=status,
        sponsorCollaborators={
            "leadSponsor": {"name": more.get("sponsor", "Acme"), "class": "OTHER"}
        },
        conditions={"conditions": list(conditions)},
        design=design,
        armsInterventions={"interventions": interventions},
        **({"references": more["references"]} if "references" in more else {}),
    )
    if "mesh" in more or "ancestors" in more:
        made["derivedSection"] = {
            "conditionBrowseModule": {
                "meshes": [{"id": "D1", "term": term} for term in more.get("mesh", ())],
                "ancestors": [{"id": "D2", "term": term} for term in more.get("ancestors", ())],
            }
        }
    return made


def _dated(value: Any) -> dict[str, str]:
    if isinstance(value, str):
        return {"date": value, "type": "ACTUAL"}
    return {"date": value[0], "type": value[1]}


@contextmanager
def client_on(
    studies: Iterable[dict[str, Any]], vocabulary: Vocabulary, *, learn: bool = False
) -> Iterator[RepurposingClient]:
    """Give a client on a registry of these studies."""
    with TemporaryDirectory() as folder:
        directory = Path(folder) / "registry"
        build_from_studies(studies, directory, vocabulary=vocabulary if learn else None)
        with opened_client(directory, vocabulary) as client:
            yield client


@contextmanager
def opened_client(directory: Path, vocabulary: Vocabulary) -> Iterator[RepurposingClient]:
    """Give a client on a registry."""
    with Registry.open(directory, vocabulary=vocabulary) as registry:
        source = RegistrySource(registry)
        assert source.names is not None
        yield RepurposingClient(source, vocabulary=source.names, clock=lambda: TODAY)
