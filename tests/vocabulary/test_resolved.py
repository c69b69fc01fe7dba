"""What is known of names met before leads to the same learned names as looking all of them up."""

from __future__ import annotations

from pathlib import Path

from trialyst.vocabulary import NameCollector, Vocabulary
from trialyst.vocabulary.resolved import ResolvedNames

STUDIES = [
    ("rilpivirine", ("TMC278", "Edurant"), "HIV infection"),
    ("semaglutide", ("NNC0113-0217", "Ozempic", "sema"), "type 2 diabetes"),
    ("velorimab", ("VLR-101", "anti-VEGF"), "wheezy lungs"),
]


def collect(times: int, *, beyond: bool = False) -> NameCollector:
    collector = NameCollector()
    for name, others, condition in STUDIES * times + ([("aspirin", ("ASA-77",), "pain")] * beyond):
        collector.add_study(
            interventions=[(name, others)],
            conditions=[condition],
            mesh_conditions=[("D001249", "Asthma")],
            first_posted="2020-01-01",
        )
    return collector


def learned(
    collector: NameCollector, names: Vocabulary, path: Path, *known: ResolvedNames
) -> bytes:
    collector.finish(names, *known).save(path)
    return path.read_bytes()


def test_names_met_before_are_learned_as_if_met_first(
    tmp_path: Path, vocabulary: Vocabulary
) -> None:
    known = ResolvedNames("1")
    first = learned(collect(2), vocabulary, tmp_path / "learned", known)
    assert first == learned(collect(2), vocabulary, tmp_path / "learned")
    known.save(tmp_path / "resolved")
    kept = ResolvedNames.load(tmp_path / "resolved", "1")
    assert kept.concepts == known.concepts
    assert kept.standings
    later = collect(3, beyond=True)
    told = learned(later, vocabulary, tmp_path / "learned", kept)
    assert told == learned(later, vocabulary, tmp_path / "learned")
    assert told != first
    assert ResolvedNames.load(tmp_path / "resolved", "2") == ResolvedNames("2")
    (tmp_path / "resolved").write_bytes(b"\xc1")
    assert ResolvedNames.load(tmp_path / "resolved", "1") == ResolvedNames("1")
