"""The bridge from a drug to other conditions: exact counts, whole chains, gaps that are told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.discovery.asking import TODAY
from tests.registry.invented import study
from trialyst.ctgov.query import TrialQuery
from trialyst.ctgov.source import TrialSource
from trialyst.discovery.bridge import BridgeLimits, bridge_drug
from trialyst.discovery.envelope import Answer
from trialyst.discovery.linking import name_drug
from trialyst.errors import InvalidInput
from trialyst.essie.render import text_node
from trialyst.pathways import Pathway, PathwayProvenance, PathwaySource, embed_pathways
from trialyst.pathways import open_starter as open_starter_pathways
from trialyst.pathways.starter import parse_starter
from trialyst.pathways.targets import drugs_on, targets_of
from trialyst.registry import Registry, RegistrySource, build_from_studies
from trialyst.vocabulary import Vocabulary

Builder = Callable[..., TrialSource]


def bridged(
    trials: TrialSource,
    drug: str,
    *,
    vocabulary: Vocabulary,
    pathways: PathwaySource | None = None,
    limits: BridgeLimits | None = None,
) -> Answer:
    return asyncio.run(
        bridge_drug(
            trials,
            pathways or open_starter_pathways(),
            drug,
            vocabulary=vocabulary,
            limits=limits,
            clock=lambda: TODAY,
        )
    )


def trial(number: int, drug: str, *conditions: str) -> dict[str, Any]:
    """A study of one drug."""
    return study(
        90_000_000 + number,
        conditions={"conditions": list(conditions)},
        armsInterventions={"interventions": [{"type": "DRUG", "name": drug}]},
    )


@pytest.fixture
def built(tmp_path: Path, vocabulary: Vocabulary) -> Iterator[Builder]:
    """Give a source of the studies of one test."""
    registries: list[Registry] = []

    def build(*studies: dict[str, Any]) -> TrialSource:
        directory = tmp_path / f"registry{len(registries)}"
        build_from_studies(studies, directory)
        registries.append(Registry.open(directory, vocabulary=vocabulary))
        return RegistrySource(registries[-1])

    yield build
    for registry in registries:
        registry.close()


def small_pathways() -> PathwaySource:
    """One pathway with EGFR and KRAS, and nothing else."""
    text = "id: WP9\nname: Small\norganism: Homo sapiens\nabout: Told.\n\ngenes:\n  EGFR KRAS\n"
    pathway: Pathway = parse_starter(text)
    return embed_pathways([pathway], PathwayProvenance("local", synthetic=True, records=1))


def test_a_condition_of_a_drug_on_the_same_target_is_a_candidate_with_its_whole_chain(
    built: Builder, vocabulary: Vocabulary
) -> None:
    trials = built(
        trial(1, "Gefitinib", "Lung Cancer"),
        trial(2, "Erlotinib", "Pancreatic Cancer"),
        trial(3, "Tarceva", "Cancer of Pancreas", "Lung Cancer"),
        trial(4, "Sotorasib", "Pancreatic Cancer"),
        trial(5, "Aspirin", "Headache"),
    )
    answer = bridged(trials, "Iressa", vocabulary=vocabulary, pathways=small_pathways())
    assert (answer["drug"], answer["own_trial_count"]) == ("gefitinib", 1)
    assert answer["targets"] == [
        {
            "gene": "EGFR",
            "action": "inhibitor",
            "pathway_count": 1,
            "pathways": [{"id": "WP:WP9", "title": "Small"}],
        }
    ]
    (candidate,) = answer["candidates"]
    assert candidate["condition"] == "Pancreatic Neoplasms"
    assert candidate["condition_id"].startswith("MESH:")
    assert (candidate["trial_count"], candidate["drug_count"]) == (3, 2)
    assert candidate["shared_target_drug_count"] == 1
    erlotinib, sotorasib = candidate["drugs"]
    assert erlotinib == {
        "drug": "erlotinib",
        "shares_target": True,
        "links": [
            {
                "target": "EGFR",
                "target_action": "inhibitor",
                "pathway": {"id": "WP:WP9", "title": "Small"},
                "gene": "EGFR",
                "action": "inhibitor",
            }
        ],
        "link_count": 1,
        "trial_count": 2,
        "nct_ids": ["NCT:90000002", "NCT:90000003"],
    }
    assert sotorasib["links"][0]["gene"] == "KRAS"
    assert not sotorasib["shares_target"]


def test_conditions_the_drug_is_in_are_left_out_with_their_narrower_ones(
    built: Builder, vocabulary: Vocabulary
) -> None:
    trials = built(
        trial(1, "Gefitinib", "Non-Small Cell Lung Cancer"),
        trial(2, "Erlotinib", "NSCLC"),
        trial(3, "Erlotinib", "Lung Cancer"),
        trial(4, "Erlotinib", "Healthy Volunteers"),
        trial(5, "Erlotinib", "Asthma"),
    )
    answer = bridged(trials, "gefitinib", vocabulary=vocabulary, pathways=small_pathways())
    assert [each["condition"] for each in answer["candidates"]] == ["Asthma"]


def test_an_unknown_name_of_a_condition_is_what_its_mesh_term_says(
    built: Builder, vocabulary: Vocabulary
) -> None:
    strange = trial(2, "Erlotinib", "qzCRC")
    strange["derivedSection"] = {
        "conditionBrowseModule": {"meshes": [{"id": "D015179", "term": "Colorectal Neoplasms"}]}
    }
    trials = built(trial(1, "Gefitinib", "Colorectal Cancer"), strange)
    answer = bridged(trials, "gefitinib", vocabulary=vocabulary, pathways=small_pathways())
    assert answer["candidates"] == []


def test_more_drugs_of_the_same_target_rank_higher(built: Builder, vocabulary: Vocabulary) -> None:
    trials = built(
        *(trial(number, "Sotorasib", "Asthma") for number in range(1, 6)),
        trial(6, "Erlotinib", "Psoriasis"),
        trial(7, "Erlotinib", "Gout"),
        trial(8, "Cetuximab", "Gout"),
    )
    answer = bridged(trials, "gefitinib", vocabulary=vocabulary, pathways=small_pathways())
    assert [each["condition"] for each in answer["candidates"]] == ["Gout", "Psoriasis", "Asthma"]
    assert any("No trial here names gefitinib" in gap for gap in answer["unknown"])


def test_drugs_of_a_target_on_no_pathway_are_linked_by_the_target_alone(
    built: Builder, vocabulary: Vocabulary
) -> None:
    trials = built(trial(1, "Dapagliflozin", "Heart Failure"))
    answer = bridged(trials, "empagliflozin", vocabulary=vocabulary, pathways=small_pathways())
    (candidate,) = answer["candidates"]
    (link,) = candidate["drugs"][0]["links"]
    assert "pathway" not in link
    assert (link["target"], link["gene"]) == ("SLC5A2", "SLC5A2")
    assert any("On no human pathway here: SLC5A2" in gap for gap in answer["unknown"])


@pytest.mark.parametrize(
    ("drug", "gap"),
    [
        ("nosuchdrug", "'nosuchdrug' is no drug that is known here"),
        ("nosuchdrug", "No target of nosuchdrug is known here"),
        ("imatanib", "'imatanib' is no drug that is known here; names like it: Imatinib"),
        ("kinase inhibitor", "'kinase inhibitor' is no drug that is known here"),
        ("paracetamol", "No target of Acetaminophen is known here"),
        ("belzutifan", "No trial here names belzutifan"),
    ],
)
def test_what_is_not_known_is_said_plainly(
    built: Builder, vocabulary: Vocabulary, drug: str, gap: str
) -> None:
    answer = bridged(built(trial(1, "Aspirin", "Headache")), drug, vocabulary=vocabulary)
    assert answer["candidates"] == []
    assert any(gap in each for each in answer["unknown"])


@pytest.mark.parametrize("drug", ["", "  ", "---"])
def test_no_drug_is_refused(built: Builder, vocabulary: Vocabulary, drug: str) -> None:
    with pytest.raises(InvalidInput, match="No drug"):
        bridged(built(trial(1, "Aspirin", "Headache")), drug, vocabulary=vocabulary)


def test_text_is_never_run_as_an_expression(built: Builder, vocabulary: Vocabulary) -> None:
    trials = built(trial(1, "Aspirin", "Headache"))
    answer = bridged(trials, 'x" OR ALL OR "y', vocabulary=vocabulary)
    assert answer["own_trial_count"] == 0


def test_what_is_cut_off_is_told(built: Builder, vocabulary: Vocabulary) -> None:
    trials = built(
        trial(1, "Erlotinib", "Asthma"),
        trial(2, "Erlotinib", "Gout"),
        trial(3, "Cetuximab", "Psoriasis"),
        trial(4, "Cetuximab", "Gout"),
    )
    limits = BridgeLimits(drugs=1, candidates=1)
    answer = bridged(
        trials, "gefitinib", vocabulary=vocabulary, pathways=small_pathways(), limits=limits
    )
    assert answer["read_drug_count"] == len(answer["candidates"]) == 1
    assert any("were looked up" in note for note in answer.notes)
    assert any("1 more conditions were not looked at" in note for note in answer.notes)


def test_both_sources_say_what_they_are(built: Builder, vocabulary: Vocabulary) -> None:
    answer = bridged(built(trial(1, "Aspirin", "Headache")), "aspirin", vocabulary=vocabulary)
    assert answer["provenance"]["source"] == "local"
    assert answer["pathway_provenance"]["source"] == "starter"
    assert any("a question to ask" in note for note in answer.notes)


@pytest.mark.parametrize("drug", ["Keytruda", "tofacitinib", "Cozaar"])
def test_counts_on_the_starter_are_those_of_the_records(
    starter_source: RegistrySource, vocabulary: Vocabulary, drug: str
) -> None:
    answer = bridged(starter_source, drug, vocabulary=vocabulary)
    assert answer["candidates"]
    own = {target.gene for target in targets_of(answer["drug"])}
    for candidate in answer["candidates"][:3]:
        for each in candidate["drugs"]:
            query = TrialQuery(queries=(("intr", text_node(each["drug"])),))

            async def ids(query: Any = query) -> set[str]:
                rows = starter_source.iter_rows(query, ["NCTId"])
                return {row[0][0] async for row in rows}

            known = asyncio.run(ids())
            assert {id.replace("NCT:", "NCT") for id in each["nct_ids"]} <= known
            assert each["trial_count"] <= len(known)
            for link in each["links"]:
                assert link["target"] in own
                assert each["drug"] in {target.drug for target in drugs_on(link["gene"])}


def test_a_brand_is_the_drug_whose_targets_are_known(vocabulary: Vocabulary) -> None:
    named = name_drug(" Gleevec ", vocabulary)
    assert (named.asked, named.name, named.known) == ("Gleevec", "imatinib", True)
    assert {target.gene for target in named.targets} >= {"ABL1", "KIT"}
