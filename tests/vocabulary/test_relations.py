"""How terms stand to each other; near names are kept apart."""

from __future__ import annotations

import re
from functools import cache

from tests.each_case import on_each_case
from tests.shipped import shipped_vocabulary
from trialyst.eligibility.lexicon import Lexicon
from trialyst.vocabulary.relations import Relation, Relations, regimens

RELATED = """
pulmonary hypertension unrelated hypertension
ocular hypertension unrelated hypertension
choroidal melanoma same intraocular melanoma
uveal melanoma narrower melanoma
NASH narrower NAFLD
SLE sibling cutaneous lupus
melanoma narrower skin cancer
melanoma sibling non-melanoma skin cancer
basal cell carcinoma narrower non-melanoma skin cancer
breast cancer sibling lung cancer
breast cancer narrower malignancy
leiomyoma unrelated malignancy
lung adenocarcinoma narrower NSCLC
lung cancer wider NSCLC
SCLC sibling NSCLC
lung cancer sibling lymphoma
AML sibling relapsed ALL in a child
type 1 diabetes sibling type 2 diabetes
type 2 diabetes narrower diabetes
Dravet syndrome narrower epilepsy
asthma narrower lung disease
asthma sibling COPD
myocardial infarction narrower coronary artery disease
cirrhosis narrower hepatic impairment
brain metastases narrower metastases
pneumonia narrower infection
empagliflozin narrower SGLT2 inhibitor
empagliflozin narrower glucose-lowering drug
R-CHOP narrower rituximab
R-CHOP narrower chemotherapy
pembrolizumab narrower immunotherapy
adalimumab narrower biologics
prednisone narrower immunosuppressants
warfarin narrower oral anticoagulants
kidney transplant narrower organ transplant
appendectomy narrower surgery
hypertension same high blood pressure
heart failure unrelated metformin
"""


@cache
def tools() -> tuple[Lexicon, Relations]:
    vocabulary = shipped_vocabulary()
    return Lexicon(vocabulary), Relations(vocabulary)


@on_each_case("line", [line for line in RELATED.splitlines() if line])
def test_relations_hold_both_ways(line: str) -> None:
    lexicon, relations = tools()
    wanted = next(word for word in line.split() if word in set(Relation))
    left, _, right = line.partition(f" {wanted} ")
    one, other = lexicon.find(left)[0].what, lexicon.find(right)[0].what
    mirrored = {Relation.NARROWER: Relation.WIDER, Relation.WIDER: Relation.NARROWER}
    relation = relations.relate(one, other)
    assert relation == wanted
    assert relations.relate(other, one) is mirrored.get(relation, relation)


def test_terms_are_unrelated_where_their_marks_are_apart() -> None:
    lexicon, relations = tools()
    parts = (
        part
        for line in RELATED.splitlines()
        for part in re.split(rf" ({'|'.join(Relation)}) ", line)
    )
    terms = [lexicon.find(name)[0].what for name in parts if name and name not in set(Relation)]
    for one in terms:
        for other in terms:
            apart = relations.marks(one).own.isdisjoint(relations.marks(other).likely)
            assert apart is (relations.relate(one, other) is Relation.UNRELATED), (one, other)


def test_fields_suggestions_and_members() -> None:
    lexicon, relations = tools()
    assert relations.field(lexicon.term("heart failure")) == ("heart",)
    assert "liver" in relations.field(lexicon.term("cirrhosis"))
    assert relations.suggests(lexicon.term("hypoxia"), lexicon.term("respiratory failure"))
    assert not relations.suggests(lexicon.term("hypoxia"), lexicon.term("gout"))
    members = [each.name for each in relations.members(lexicon.term("R-CHOP"))]
    assert members[:2] == ["Rituximab", "Cyclophosphamide"]
    assert all(each.members for each in regimens())
