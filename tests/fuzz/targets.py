"""Everything that reads text from outside, as functions of bytes that return or refuse.

`test_readers.py` feeds them changed samples in CI; `python -m tests.fuzz TARGET` searches for
hours, led by coverage. Whatever they raise besides an error of ours is a fault.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.shipped import shipped_vocabulary
from trialyst.ctgov.criteria import split_criteria
from trialyst.ctgov.parse import DamagedRecord, parse_trials
from trialyst.eligibility.fhir.record import read_bundle
from trialyst.eligibility.lexicon import Lexicon
from trialyst.eligibility.parse import CriterionParser
from trialyst.eligibility.reading.note import decode_note
from trialyst.eligibility.reading.reader import NoteReader
from trialyst.eligibility.render import render_requirement
from trialyst.errors import TrialystError
from trialyst.essie import parse, render, resolve
from trialyst.essie.areas import areas
from trialyst.folding import native
from trialyst.interfaces.api.tokens import decode_token, encode_token
from trialyst.paging import decode_continuation, decode_cursor, encode_cursor
from trialyst.pathways.gpml import parse_gpml
from trialyst.registry.sitebook import SiteBook
from trialyst.registry.walking import NativeWalker

__all__ = ["TARGETS", "Target"]

_FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"


class Target(NamedTuple):
    """A reader with samples of what it is made for."""

    read: Callable[[bytes], object]
    samples: Sequence[bytes]


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _refusable(read: Callable[[bytes], object]) -> Callable[[bytes], None]:
    """Let a reader refuse with an error of ours."""

    def call(data: bytes) -> None:
        with contextlib.suppress(TrialystError):
            read(data)

    return call


@cache
def _lexicon() -> Lexicon:
    return Lexicon(shipped_vocabulary())


@cache
def _criterion_parser() -> CriterionParser:
    return CriterionParser(_lexicon())


@cache
def _note_reader() -> NoteReader:
    return NoteReader(_lexicon())


@cache
def _walker() -> NativeWalker:
    return NativeWalker(SiteBook())


def _read_essie(data: bytes) -> None:
    tree = parse(_text(data))
    assert parse(render(tree)) == tree
    resolve(tree, areas()["BasicSearch"])


def _read_study(data: bytes) -> None:
    (found,) = parse_trials([data])
    assert isinstance(found, DamagedRecord) or found.nct_id


def _read_criterion(data: bytes) -> None:
    text = _text(data)
    render_requirement(_criterion_parser().parse(text, excludes=len(text) % 2 == 0))


def _read_note(data: bytes) -> None:
    _note_reader().read(decode_note(data))


def _read_cursor(data: bytes) -> None:
    text = _text(data)
    for decode in (
        lambda: decode_cursor(text, "query"),
        lambda: decode_continuation(text, "search_trials", {}),
        lambda: decode_token(text, "generation"),
    ):
        with contextlib.suppress(TrialystError):
            decode()


def _lines(*parts: str) -> list[bytes]:
    return [line for line in _FIXTURES.joinpath(*parts).read_bytes().splitlines() if line]


def _paragraphs(*parts: str) -> list[bytes]:
    text = _FIXTURES.joinpath(*parts).read_text("utf-8")
    return [part.encode() for part in text.split("\n\n") if part]


_NOTE = (
    b"A 58-year-old woman with metastatic breast cancer, ER positive, HER2 negative. PMH: asthma, "
    b"no diabetes. On letrozole 2.5 mg daily since 2021; stopped warfarin (bleeding). BP 118/72, "
    b"Hb 10.2 g/dL, creatinine 1.1 mg/dL. G3P1011. Mother had colon cancer. Denies tobacco."
)
_BUNDLE = (
    b'{"resourceType":"Bundle","type":"collection","entry":[{"resource":{"resourceType":"Patient",'
    b'"id":"p","gender":"female","birthDate":"1980-05-01"}},{"resource":{"resourceType":"Condition"'
    b',"subject":{"reference":"Patient/p"},"code":{"text":"Asthma","coding":[{"system":'
    b'"http://snomed.info/sct","code":"195967001"}]},"onsetDateTime":"2019-03"}},{"resource":{'
    b'"resourceType":"Observation","status":"final","code":{"coding":[{"system":"http://loinc.org",'
    b'"code":"718-7"}]},"valueQuantity":{"value":10.2,"unit":"g/dL"},"effectiveDateTime":'
    b'"2024-02-01"}}]}'
)
_GPML = (
    b'<Pathway xmlns="http://pathvisio.org/GPML/2013a" Name="A" Organism="Homo sapiens"><DataNode '
    b'TextLabel="TP53" GraphId="a1" Type="GeneProduct"><Graphics CenterX="10" CenterY="20" '
    b'Width="8" Height="2"/><Xref Database="Ensembl" ID="ENSG00000141510"/></DataNode><Interaction>'
    b'<Graphics><Point X="1" Y="2" GraphRef="a1"/><Point X="3" Y="4" ArrowHead="Arrow"/></Graphics>'
    b"</Interaction></Pathway>"
)
_ELIGIBILITY = (
    b"Inclusion Criteria:\n\n* Age >= 18 years\n* One of the following:\n   1. Asthma\n   2. COPD, "
    b"unless mild\n\nExclusion Criteria:\n\n- Pregnant women (or nursing); HIV\n- ALT > 3 x ULN"
)
_STUDIES = [path.read_bytes() for path in sorted((_FIXTURES / "ctgov").glob("*.json"))]

TARGETS: dict[str, Target] = {
    "essie": Target(_refusable(_read_essie), _lines("essie", "roundtrip.txt")),
    "study": Target(_read_study, _STUDIES),
    "criterion": Target(_read_criterion, _paragraphs("eligibility", "criteria.txt")),
    "eligibility text": Target(lambda data: split_criteria(_text(data)), [_ELIGIBILITY]),
    "note": Target(_refusable(_read_note), [_NOTE]),
    "bundle": Target(_refusable(lambda data: read_bundle(data, _lexicon())), [_BUNDLE]),
    "gpml": Target(_refusable(parse_gpml), [_GPML]),
    "cursor": Target(
        _read_cursor,
        [encode_cursor("query", offset=50).encode(), encode_token("generation", 50).encode()],
    ),
}
if native is not None:
    TARGETS["walker"] = Target(lambda data: _walker()([data]), _STUDIES)
