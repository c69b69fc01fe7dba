"""What is read of criteria is kept beside the records, whatever interrupts the pass."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.registry.invented import FIRST, study
from tests.shipped import shipped_vocabulary
from trialyst.annotation import decode_annotation
from trialyst.ctgov.query import TrialQuery
from trialyst.eligibility.criteria import decode_criteria, read_eligibility
from trialyst.eligibility.lexicon import Lexicon
from trialyst.eligibility.requirement import Opaque, Requirement
from trialyst.errors import RegistryError
from trialyst.essie.build import matching, missing
from trialyst.ids import NctId
from trialyst.registry import (
    ReadingProgress,
    Registry,
    add_studies,
    build_from_studies,
    read_requirements,
    registry_status,
    remove_records,
    verify_registry,
)
from trialyst.registry import generation as layout
from trialyst.registry.trial_reader import TrialReader

COUNT = 200
REPOSITORY = Path(__file__).parent.parent.parent


class WordParser:
    """Takes every criterion for words."""

    def parse(
        self, text: str, *, opening: str | None = None, excludes: bool = False
    ) -> Requirement:
        return Opaque(words=f"{opening}: {text}" if opening else text)


def word_reader() -> TrialReader:
    """Reads words for criteria."""
    return TrialReader(WordParser())


def text_of(number: int, *, version: int = 1) -> str:
    return (
        f"Inclusion Criteria:\n\n* Any of the following:\n  * finding {number}\n  * asthma\n\n"
        f"Exclusion Criteria:\n\n* Pregnant, version {version}\n"
    )


def with_text(number: int, text: str) -> dict[str, object]:
    return study(number, eligibility={"eligibilityCriteria": text})


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    texts = {number: text_of(number) for number in range(FIRST, FIRST + COUNT)}
    build_from_studies([with_text(*each) for each in texts.items()], tmp_path / "registry")
    return tmp_path / "registry"


def kept(directory: Path) -> Mapping[int, bytes]:
    with Registry.open(directory) as opened:
        return opened.kept_criteria(range(FIRST, FIRST + COUNT + 10))


def assert_whole(directory: Path) -> None:
    assert verify_registry(directory).problems == ()
    assert registry_status(directory).requirements == len(kept(directory))


def test_what_is_kept_is_what_reading_the_text_gives(directory: Path) -> None:
    with Registry.open(directory) as opened:
        assert opened.kept_criteria([FIRST]) == {}
        report = read_requirements(directory, word_reader)
        assert (report.trials, report.read, report.criteria) == (COUNT, COUNT, 4 * COUNT)
        for number, encoded in opened.kept_criteria(range(FIRST, FIRST + COUNT)).items():
            text = text_of(number)
            assert decode_criteria(encoded, text) == read_eligibility(text, WordParser())
    again = read_requirements(directory, word_reader)
    assert (again.read, again.reused) == (0, COUNT)
    assert_whole(directory)


def test_several_processes_keep_the_same_as_one(directory: Path) -> None:
    read_requirements(directory, word_reader, processes=2)
    two = dict(kept(directory))
    (layout.current_generation(directory) / layout.REQUIREMENTS).unlink()
    read_requirements(directory, word_reader)
    assert kept(directory) == two


def test_after_a_change_only_what_changed_is_read_again(directory: Path) -> None:
    read_requirements(directory, word_reader)
    same = with_text(FIRST + 1, text_of(FIRST + 1)) | {"hasResults": True}
    changed = with_text(FIRST, text_of(FIRST, version=2))
    new = with_text(FIRST + COUNT, text_of(FIRST + COUNT))
    add_studies([changed, same, new], directory)
    remove_records([NctId(FIRST + 2)], directory)
    assert kept(directory).keys() == set(range(FIRST + 3, FIRST + COUNT))
    assert_whole(directory)
    report = read_requirements(directory, word_reader)
    assert (report.read, report.reused) == (2, COUNT - 2)
    assert len(kept(directory)) == COUNT
    assert b"version 2" in kept(directory)[FIRST]
    assert_whole(directory)


def test_a_registry_built_anew_keeps_what_has_the_same_text(directory: Path) -> None:
    read_requirements(directory, word_reader)
    texts = {number: text_of(number) for number in range(FIRST + 1, FIRST + COUNT)}
    texts[FIRST + 1] = text_of(FIRST + 1, version=2)
    build_from_studies([with_text(*each) for each in texts.items()], directory)
    assert kept(directory) == {}
    assert read_requirements(directory, word_reader).read == 1
    assert_whole(directory)


def test_an_interrupted_pass_leaves_all_as_it_was_and_goes_on(directory: Path) -> None:
    def stop(told: ReadingProgress) -> None:
        if told.trials > COUNT // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_requirements(directory, word_reader, progress=stop, commit_seconds=0)
    assert kept(directory) == {}
    assert_whole(directory)
    report = read_requirements(directory, word_reader)
    assert 0 < report.read < COUNT // 2 < report.reused
    assert_whole(directory)


def test_a_pass_killed_with_its_processes_running_goes_on(directory: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path\n"
        "from tests.registry.test_requirements import word_reader\n"
        "from trialyst.registry import read_requirements\n"
        "if __name__ == '__main__':\n"
        "    read_requirements(Path(sys.argv[1]), word_reader, processes=2, commit_seconds=0,\n"
        "        progress=lambda told: told.trials > 99 and os.kill(os.getpid(), signal.SIGKILL))\n"
    )
    path = f"{REPOSITORY / 'src'}{os.pathsep}{REPOSITORY}"
    script = directory.parent / "killed.py"
    script.write_text(code)
    ended = subprocess.run(
        [sys.executable, str(script), str(directory)],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL
    assert kept(directory) == {}
    assert 0 < read_requirements(directory, word_reader).read < COUNT
    assert_whole(directory)


def test_damage_and_other_versions_are_read_over(directory: Path) -> None:
    read_requirements(directory, word_reader)
    file = layout.current_generation(directory) / layout.REQUIREMENTS
    with sqlite3.connect(file) as db:
        db.execute("UPDATE trials SET hash = 0 WHERE nct = ?", (FIRST,))
        db.execute("UPDATE trials SET criteria = x'00' WHERE nct = ?", (FIRST + 1,))
        db.execute("DELETE FROM trials WHERE nct = ?", (FIRST + 2,))
    problems = " ".join(verify_registry(directory).problems)
    for told in ("read from another text", "cannot be read", "were not read"):
        assert told in problems
    with Registry.open(directory) as opened:
        assert opened.kept_criteria([FIRST + 1]) == {}
    with sqlite3.connect(file) as db:
        db.execute("UPDATE about SET value = 'older' WHERE name = 'version'")
    assert kept(directory) == {}
    assert read_requirements(directory, word_reader).read == COUNT
    assert_whole(directory)
    file.write_bytes(b"no database")
    assert kept(directory) == {}
    assert verify_registry(directory).problems
    assert read_requirements(directory, word_reader).read == COUNT
    assert_whole(directory)


def test_a_parser_that_fails_ends_the_pass_and_harms_nothing(directory: Path) -> None:
    def full() -> TrialReader:
        raise OSError(28, "No space left on device")

    with pytest.raises(RegistryError, match="no space left"):
        read_requirements(directory, full)
    assert_whole(directory)
    assert read_requirements(directory, word_reader).read == COUNT


def test_trials_about_a_condition_or_a_narrower_one_are_found(tmp_path: Path) -> None:
    named = {
        0: "Asthma",
        1: "Status Asthmaticus",
        2: "Pulmonary Hypertension",
        3: "Hypertension",
        4: "Lung Diseases",
    }
    listed = [
        study(FIRST + place, conditions={"conditions": [name]}) for place, name in named.items()
    ]
    vocabulary = shipped_vocabulary()
    build_from_studies(listed, tmp_path, vocabulary=vocabulary)
    lexicon = Lexicon(vocabulary)

    def about(opened: Registry, name: str, *, focus: bool = True) -> set[str] | None:
        found = opened.numbers_about(lexicon.term(name), focus=focus)
        return None if found is None else {named[number - FIRST] for number in found}

    def counted(opened: Registry) -> dict[str, int]:
        """Count by annotated condition, and by the filter of each, which must agree."""
        counts = opened.count_by(TrialQuery(), "AnnotatedCondition")
        filters = {name: matching("AnnotatedCondition", name) for name in ("Asthma", "Gout")}
        found = {n: opened.count(TrialQuery(filters=(node,))) for n, node in filters.items()}
        assert found == {name: counts.get(name, 0) for name in found}
        assert opened.count(TrialQuery(filters=(missing("AnnotatedCondition"),))) == 0
        assert opened.count(TrialQuery(filters=(missing("TestedDrug"),))) == len(named)
        return found

    with Registry.open(tmp_path, vocabulary=vocabulary) as opened:
        assert about(opened, "Asthma") == {"Asthma", "Status Asthmaticus"}
        assert about(opened, "Hypertension", focus=False) == {"Hypertension"}
        assert about(opened, "Lung Diseases") == set(named.values()) - {"Hypertension"}
        annotation = decode_annotation(opened.kept_annotations([FIRST])[FIRST])
        assert [term.name for term in annotation.conditions.focus] == ["Asthma"]
        assert counted(opened) == {"Asthma": 1, "Gout": 0}
    named[0] = "Gout"
    add_studies([study(FIRST, conditions={"conditions": ["Gout"]})], tmp_path)
    with Registry.open(tmp_path, vocabulary=vocabulary) as opened:
        assert about(opened, "Asthma") == {"Status Asthmaticus"}
        assert about(opened, "Gout") == {"Gout"}
        assert counted(opened) == {"Asthma": 0, "Gout": 1}
