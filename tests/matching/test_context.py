"""What is denied, possible, past, of a relative or only if is told apart from what is so."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from trialyst.matching.context import Effect, read_context

LINES = """
negated | No [fever], chills or cough.
negated | No fever, chills or [cough].
 | No fever, but he has a [cough].
negated | She denies smoking, [diabetes], or gout.
negated | [Hepatitis] serology negative.
negated | [Chest pain] was not present.
negated | The [rash] is absent.
negated | Without [rash]
 | Not only [asthma].
 | Gram-negative [sepsis]
negated | He has not received [cisplatin].
 | She has not received treatment for the [lung cancer].
 | A woman with no medical history presents with [pain].
 | The [tumor] was HER2-positive and ER negative.
hypothetical | If it does not improve, [surgery].
 | Lack of attention, and [sleepiness]
negated | No evidence for [pulmonary embolism].
negated | Dementia: absent. [Stroke]: no
 | No change in [edema].
 | She is not sure if it is due to [back pain] or not.
possible | Concern for [pneumonia].
possible | Possible [pneumonia], on oxygen.
 | Possible pneumonia, on [oxygen].
possible | [Pneumonia] cannot be excluded.
possible | Rule out [sepsis]
historical | History of [stroke].
historical | s/p [appendectomy] last year
 | Two-week history of [cough].
 | History of stroke, now with [fever].
historical | He had [asthma] as a child.
hypothetical | Return if [fever] develops.
hypothetical | She is at risk for [stroke].
family | Her mother had [breast cancer].
family negated | No family history of [thyroid cancer].
family negated | She denies a family history of [heart disease].
 | Her mother reports that she has a [fever].
 | Brought by his wife with [fever].
 | Her mother died; she has [depression].
family | [Colon cancer] runs in the family.
"""


@pytest.mark.parametrize("line", LINES.strip().splitlines())
def test_context(line: str) -> None:
    told, _, marked = line.partition("|")
    match = re.search(r"\[(.+?)\]", marked)
    assert match is not None
    text = marked.replace("[", "").replace("]", "")
    effects = read_context(text).effects(match.start(), match.end() - 2)
    assert effects == {Effect(name) for name in told.split()}


def _items(data_dir: Path) -> list[dict[str, Any]]:
    path = data_dir / "negation_context" / "negex_context_120.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_negation_in_real_reports(data_dir: Path) -> None:
    """At least 0.92 is asked for; 0.98 was measured on items no rule was written from."""
    hit = false = missed = 0
    for item in _items(data_dir):
        words = r"\s+".join(map(re.escape, item["concept"].split()))
        places = list(re.finditer(words, item["sentence"], re.IGNORECASE))
        if not places:
            continue
        place = next((each for each in places if each.group().isupper()), places[0])
        found = Effect.NEGATED in read_context(item["sentence"]).effects(*place.span())
        truth = item["negation"] == "Negated"
        hit += found and truth
        false += found and not truth
        missed += truth and not found
    assert 2 * hit / (2 * hit + false + missed) >= 0.96
