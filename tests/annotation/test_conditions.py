"""What a trial is about: the nearest names of its list and its title."""

from __future__ import annotations

from functools import cache

import pytest

from tests.shipped import shipped_vocabulary
from trialyst.annotation import DrugNames, TrialAnnotator, annotate_texts
from trialyst.ctgov.parse_readable import to_readable
from trialyst.ctgov.trial import Trial
from trialyst.eligibility.lexicon import Lexicon
from trialyst.vocabulary.relations import Relations

ROWS = """
In Mantle Cell Lymphoma (MCL) | Lymphoma | Lymphoma, Mantle-Cell |
Drops | Glaucoma; Ocular Hypertension; Uveitis | Glaucoma; Ocular Hypertension; Uveitis |
A vaccine trial | Healthy; Quality of Life | |
Stiripentol in Dravet Syndrome | Dravet Syndrome | Dravet syndrome |
Radiotherapy in rectal cancer | Colorectal Cancer | Rectal Neoplasms |
A vaccine in the clinic | Melanoma (Skin) | Melanoma of skin |
Lupus study | Lupus Nephritis; Anemia | Lupus Nephritis; Anemia |
In Gout | Anemia; Gout; Heart Diseases | Anemia; Gout; Heart Diseases | Anemia; Gout
"""


@cache
def tools() -> tuple[Lexicon, Relations]:
    vocabulary = shipped_vocabulary()
    return Lexicon(vocabulary), Relations(vocabulary)


@pytest.mark.parametrize("row", [row for row in ROWS.splitlines() if row])
def test_concepts_and_focus_of_a_row(row: str) -> None:
    lexicon, relations = tools()
    title, listed, concepts, focus = (part.strip() for part in row.split("|"))
    found = annotate_texts(title, listed.split("; "), lexicon=lexicon, relations=relations)
    assert "; ".join(term.name for term in found.concepts) == concepts
    assert "; ".join(term.name for term in found.focus) == (focus or concepts)


def test_headings_stand_in_where_the_texts_name_nothing() -> None:
    lexicon, relations = tools()
    trial = Trial.model_validate(
        {
            "nct_id": "NCT00000001",
            "brief_title": "A study",
            "conditions": ("Airway trouble of an unknown sort",),
            "condition_mesh": ({"term": "Asthma"},),
        }
    )
    annotator = TrialAnnotator(lexicon, relations, DrugNames(shipped_vocabulary()))
    found = annotator.annotate_conditions(to_readable(trial))
    assert [term.name for term in found.focus] == ["Asthma"]
