"""Half a million study records of real size and shape, made from the real ones at hand.

A new record takes its title and conditions from one real record, its interventions, eligibility,
outcomes, sites and sponsor from others of the same therapeutic area, mixes their sentences and
resamples dates, status, phase and enrollment. Deterministic by seed; nothing of it is committed.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from benchmarks.shapes import GROUPS, Pool, Shape, load_pool

__all__ = ["DEFAULT_COUNT", "Made", "default_data", "iter_records", "make_records"]

DEFAULT_COUNT = 500_000
RECORDS_PER_FILE = 50_000
FORMAT = 1
"""Raised when the same seed would give other records."""
FIRST_NUMBER = 10_000_001
"""Above every id issued so far, below the starter registry's range."""
NEWEST_MONTH = 2026 * 12 + 9
"""No update is dated later than October 2026."""

_DATE = re.compile(rb'"(\d{4})-(\d\d)(?:-(\d\d))?"')
# Rounded shares of the real registry, in hundredths.
_RUNNING = (
    (b"COMPLETED", 61),
    (b"UNKNOWN", 16),
    (b"RECRUITING", 13),
    (b"NOT_YET_RECRUITING", 5),
    (b"ACTIVE_NOT_RECRUITING", 4),
    (b"ENROLLING_BY_INVITATION", 1),
)
_STOPPED = ((b"TERMINATED", 66), (b"WITHDRAWN", 31), (b"SUSPENDED", 3))
_PHASES = (
    (b'["PHASE2"]', 30),
    (b'["PHASE1"]', 22),
    (b'["PHASE3"]', 20),
    (b'["PHASE4"]', 16),
    (b'["PHASE1","PHASE2"]', 7),
    (b'["PHASE2","PHASE3"]', 3),
    (b'["EARLY_PHASE1"]', 2),
)


def _deck(shares: Sequence[tuple[bytes, int]]) -> Sequence[bytes]:
    return [value for value, share in shares for _ in range(share)]


_RUNNING_DECK, _STOPPED_DECK, _PHASE_DECK = _deck(_RUNNING), _deck(_STOPPED), _deck(_PHASES)


@dataclass(frozen=True, slots=True)
class Made:
    """What was written, and with which parameters."""

    count: int
    seed: int
    format: int
    bytes: int
    files: tuple[str, ...]

    @property
    def mean_bytes(self) -> float:
        return self.bytes / self.count


def default_data() -> Path:
    """Give the directory of real records: `TRIALYST_DATA`, or beside the checkout."""
    given = os.environ.get("TRIALYST_DATA")
    return Path(given) if given else Path(__file__).resolve().parents[2] / "shared" / "data"


def default_work() -> Path:
    """Give the directory for everything a run makes."""
    return Path(tempfile.gettempdir()) / "trialyst-benchmark"


def make_records(data: Path, work: Path, *, count: int = DEFAULT_COUNT, seed: int = 1) -> Made:
    """Write `count` records as JSON lines under `work`, or find them already there."""
    folder = work / "records"
    folder.mkdir(parents=True, exist_ok=True)
    note = folder / "made.json"
    names = [f"{number:03d}.jsonl" for number in range(-(-count // RECORDS_PER_FILE))]
    if note.exists():
        made = msgspec.json.decode(note.read_bytes(), type=Made)
        if (made.count, made.seed, made.format) == (count, seed, FORMAT):
            return made
    note.unlink(missing_ok=True)
    for stale in folder.glob("*.jsonl"):
        stale.unlink()
    size = 0
    for group in range(min(GROUPS, len(names))):
        pool = load_pool(data, group)
        for number in range(group, len(names), GROUPS):
            first = number * RECORDS_PER_FILE
            total = min(RECORDS_PER_FILE, count - first)
            lines = iter_records(pool, first=first, count=total, seed=seed)
            with (folder / names[number]).open("wb", buffering=1 << 20) as file:
                file.writelines(lines)
                size += file.tell()
    made = Made(count, seed, FORMAT, size, tuple(names))
    note.write_bytes(msgspec.json.encode(made))
    return made


def iter_records(pool: Pool, *, first: int, count: int, seed: int) -> Iterator[bytes]:
    """Yield JSON lines; the same pool, seed and range always give the same bytes."""
    rng = random.Random(f"{seed}/{first}")
    for number in range(first, first + count):
        yield _assemble(pool, rng, number)


def _assemble(pool: Pool, rng: random.Random, number: int) -> bytes:
    chance = rng.random
    drawn = pool.rich if chance() < pool.rich_share else pool.plain
    subject = drawn[int(chance() * len(drawn))]
    kin = pool.groups[subject.area, subject.rich]
    treatment = subject if chance() < 0.5 else kin[int(chance() * len(kin))]
    protocol, criteria, sites, sponsor, prose = (kin[int(chance() * len(kin))] for _ in range(5))
    summary = _mix(rng, subject.summary, prose.summary)
    detail = _mix(rng, subject.detail, prose.detail)
    rules = _mix(rng, criteria.criteria, protocol.criteria)
    locations = _mix(rng, sites.locations, sponsor.locations)
    return b"".join(
        (
            b'{"protocolSection":{"identificationModule":{',
            _identification(rng, number, (subject, treatment, sponsor)),
            b'},"statusModule":',
            _status(rng, protocol),
            sponsor.sponsors,
            b',"descriptionModule":',
            _object((_text(b"briefSummary", summary), _text(b"detailedDescription", detail))),
            subject.conditions,
            _design(rng, subject),
            treatment.arms,
            protocol.outcomes,
            b',"eligibilityModule":',
            _object((_text(b"eligibilityCriteria", rules), criteria.eligibility)),
            b',"contactsLocationsModule":',
            _object((sites.contacts, _array(b"locations", locations))),
            subject.passed_on,
            b"}",
            protocol.attached,
            b',"derivedSection":{"miscInfoModule":{"versionHolder":"2026-10-01"}',
            subject.condition_browse,
            treatment.intervention_browse,
            b'},"hasResults":',
            protocol.has_results,
            b"}\n",
        )
    )


def _object(members: Sequence[bytes]) -> bytes:
    """Enclose members that each begin with a comma."""
    return b"{%b}" % b"".join(members)[1:]


def _text(key: bytes, pieces: Sequence[bytes]) -> bytes:
    return b',"%b":"%b"' % (key, b"".join(pieces).rstrip()) if pieces else b""


def _array(key: bytes, elements: Sequence[bytes]) -> bytes:
    return b',"%b":[%b]' % (key, b",".join(elements)) if elements else b""


def _identification(rng: random.Random, number: int, drawn: tuple[Shape, Shape, Shape]) -> bytes:
    subject, treatment, sponsor = drawn
    chance = rng.random()
    official = treatment.official_title if chance < 0.4 else subject.official_title
    letters = bytes(65 + (number // 26**place + number * 7) % 26 for place in range(3))
    code = b"%b-%04d" % (letters, number * 7919 % 10_000)
    # Codes in titles give the index the long tail of rare terms that real records have.
    suffix = b" (%b)" % code if official and chance > 0.6 else b""
    return b'"nctId":"NCT%08d","orgStudyIdInfo":{"id":"%b/%d"}%b%b,"officialTitle":"%b%b"' % (
        FIRST_NUMBER + number,
        code,
        number,
        sponsor.organization,
        subject.titles,
        official or b"Study",
        suffix,
    )


def _status(rng: random.Random, shape: Shape) -> bytes:
    shift = rng.randint(-36, max(min(48, NEWEST_MONTH - shape.updated_month), -36))
    status = _DATE.sub(lambda found: _shifted(found, shift), shape.status)
    deck: Sequence[bytes] = (shape.overall_status,)
    if any(shape.overall_status == value for value, _ in _RUNNING):
        deck = _RUNNING_DECK
    elif any(shape.overall_status == value for value, _ in _STOPPED):
        deck = _STOPPED_DECK
    old = b'"overallStatus":"%b"' % shape.overall_status
    return status.replace(old, b'"overallStatus":"%b"' % deck[int(rng.random() * len(deck))], 1)


def _shifted(found: re.Match[bytes], shift: int) -> bytes:
    year, month, day = found.groups()
    months = int(year) * 12 + int(month) - 1 + shift
    if day is None:
        return b'"%04d-%02d"' % (months // 12, months % 12 + 1)
    return b'"%04d-%02d-%02d"' % (months // 12, months % 12 + 1, min(int(day), 28))


def _design(rng: random.Random, shape: Shape) -> bytes:
    design = shape.design
    if shape.phases and b"NA" not in shape.phases and rng.random() < 0.5:
        design = design.replace(shape.phases, rng.choice(_PHASE_DECK), 1)
    if shape.enrollment:
        count = max(1, int(shape.enrollment * rng.uniform(0.5, 2.0)))
        design = design.replace(b'"count":%d' % shape.enrollment, b'"count":%d' % count, 1)
    return design


def _mix(rng: random.Random, own: Sequence[bytes], other: Sequence[bytes]) -> Sequence[bytes]:
    """Replace up to half of the pieces of one text by a run of another's."""
    if not own or not other:
        return own
    start = int(rng.random() * len(other))
    run = other[start : start + 1 + int(rng.random() * len(own) / 2)]
    cut = int(rng.random() * len(own))
    return [*own[:cut], *run, *own[cut + len(run) :]]


def main() -> None:
    """Write the records and say how fast and how large."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--records", type=int, default=DEFAULT_COUNT)
    parser.add_argument("--work", type=Path, default=default_work())
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began = time.perf_counter()
    made = make_records(default_data(), given.work, count=given.records, seed=given.seed)
    seconds = time.perf_counter() - began
    print(f"{made.count:,} records, {made.mean_bytes:,.0f} bytes on average, in {seconds:.1f} s")


if __name__ == "__main__":
    main()
