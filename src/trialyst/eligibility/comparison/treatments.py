"""`Took`, `Underwent` and `Allergy`: what was given, done or not tolerated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from trialyst.eligibility.answer import Answer, Basis, Verdict
from trialyst.eligibility.chart import Assertion, Procedure, Therapy
from trialyst.eligibility.comparison.qualifiers import tells_kind
from trialyst.eligibility.comparison.windows import fits_window
from trialyst.eligibility.requirement import Allergy, Tense, Took, Underwent
from trialyst.vocabulary.relations import Relation
from trialyst.vocabulary.term import Term, TermKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trialyst.eligibility.comparison.case import Case
    from trialyst.eligibility.requirement import Interval

__all__ = ["answer_allergy", "answer_took", "answer_underwent", "is_asked_of_therapies"]

_WITHIN = frozenset({Relation.SAME, Relation.NARROWER})
_DENYING = frozenset({Relation.SAME, Relation.WIDER})
_NOTHING = ("no medications", "no history")
"""Statements of a chart that nothing is taken, or that nothing was wrong before."""
_MEDICINES = frozenset({TermKind.DRUG, TermKind.DRUG_CLASS})
_ANY_DRUG = frozenset({"any drug", "any chronic drug"})
_FAILED = frozenset({"failed", "refractory", "progressed", "intolerant", "resistant", "relapsed"})
_SUPPLEMENT = "vitamin"
"""What a name holds that protocols do not count among medications."""
_EXAMINATIONS = "E01"
"""MeSH branch of diagnostic procedures."""
_SYSTEMIC = "systemic therapy"
_ANTICANCER = frozenset({"anticancer therapy", _SYSTEMIC})
_LOCAL = ("E02.815", "E02.186")
_ANTINEOPLASTIC = (
    *("D27.505.954.248", "E02.319.170", "E02.319.574", "E02.095.465.425"),
    *_LOCAL,
)
_TUMOR = "C04"
_ANTICANCER_CLASSES = frozenset(
    f"class:{name}"
    for name in (
        "antineoplastic drug", "chemotherapy", "angiogenesis inhibitor", "antibody-drug conjugate",
        "BCL2 inhibitor", "BCMA-directed therapy", "bispecific antibody", "CAR-T cell therapy",
        "CD19-directed therapy", "CD20 antibody", "CD38 antibody", "checkpoint inhibitor",
        "cytotoxic chemotherapy", "EGFR inhibitor", "endocrine therapy of cancer",
        "epigenetic drug", "HER2-directed therapy", "hedgehog inhibitor", "hypomethylating agent",
        "immunomodulatory drug", "kinase inhibitor", "mTOR inhibitor", "oncolytic virus",
        "PARP inhibitor", "proteasome inhibitor", "radioligand therapy",
    )
)  # fmt: skip
"""Some are given for other diseases too: they count for who has a tumour."""


def answer_took(leaf: Took, case: Case, *, wanted: bool) -> Answer:
    """Say whether a drug or therapy is, was or will be given as a leaf asks."""
    found = [each for each in case.chart.therapies if _is_meant(leaf, each, case)]
    held = [each for each in found if each.holds or each.assertion is Assertion.HYPOTHETICAL]
    if leaf.lines is not None and held:
        return _counted(leaf, leaf.lines, held, case)
    answers = [_check(leaf, each) for each in _nearest(held, case)]
    for verdict in (Verdict.MET, Verdict.UNKNOWN, Verdict.NOT_MET):
        for answer in answers:
            if answer.verdict is verdict:
                return answer
    denied = [each for each in case.chart.therapies if each.negated and _denies(leaf, each, case)]
    if denied:
        return Answer(
            Verdict.NOT_MET, Basis.DENIED, "Took", tuple(denied[:1]), "The chart denies it."
        )
    return _not_taken(leaf, case, wanted=wanted)


def _nearest(held: Sequence[Therapy], case: Case) -> list[Therapy]:
    """Leave out what only names the kind of a dated one: "chemotherapy (paclitaxel) in May"."""
    dated = [each for each in held if each.when is not None]
    return [
        each
        for each in held
        if each.when is not None
        or not any(case.relate(other.what, each.what) is Relation.NARROWER for other in dated)
    ]


def is_asked_of_therapies(leaf: Took) -> bool:
    """Whether therapies of the chart may answer a leaf in general words."""
    return leaf.general in _ANY_DRUG or leaf.general in _ANTICANCER


def _denies(leaf: Took, therapy: Therapy, case: Case) -> bool:
    """Whether who does without a therapy does without what a leaf asks."""
    return (
        therapy.assertion is not Assertion.FAMILY
        and leaf.what is not None
        and case.relate(therapy.what, leaf.what) in _DENYING
    )


def _counted(leaf: Took, lines: Interval, held: Sequence[Therapy], case: Case) -> Answer:
    """Count the therapies that are as the leaf asks them; some may not be told."""
    plain = msgspec.structs.replace(leaf, lines=None)
    fitting = [each for each in held if _check(plain, each).verdict is Verdict.MET]
    count = len({each.what.id for each in fitting})
    evidence = tuple({each.what.id: each for each in fitting or held}.values())
    why = f"The chart tells of {count}."
    complete = case.chart.lists_medications and leaf.tense is Tense.NOW
    beyond = lines.high is not None and count > lines.high
    enough = lines.high is None and lines.contains(count)
    if count and (complete or beyond or enough):
        verdict = Verdict.MET if lines.contains(count) else Verdict.NOT_MET
        return Answer(verdict, Basis.STATED, "Took/count", evidence, why)
    return Answer(Verdict.UNKNOWN, Basis.DETAIL, "Took", evidence, why, f"number of {leaf.words}")


def _is_meant(leaf: Took, therapy: Therapy, case: Case) -> bool:
    if therapy.assertion is Assertion.FAMILY:
        return False
    if leaf.what is not None:
        terms = (therapy.what, *therapy.members)
        return any(case.relate(term, leaf.what) in _WITHIN for term in terms)
    if leaf.general in _ANY_DRUG:
        named = any(word in leaf.words.lower() for word in ("medic", "drug"))
        # What is only mentioned, such as caffeine or a vaccine, is no medication of the patient's.
        medicine = therapy.kind in _MEDICINES and _SUPPLEMENT not in therapy.what.name.lower()
        return named and bool(therapy.status) and medicine
    if leaf.general in _ANTICANCER and _has_tumor(case):
        terms = (therapy.what, *therapy.members)
        return any(_is_anticancer(term, case) for term in terms) and not (
            leaf.general == _SYSTEMIC and _is_under(therapy.what, _LOCAL)
        )
    return False


def _has_tumor(case: Case) -> bool:
    """Whether the patient has or had a tumour, against which drugs of some classes are given."""
    return any(
        each.is_there and any(map(_of_tumors, case.relations.lineage(each.what)))
        for each in case.chart.problems
    )


def _of_tumors(tree: str) -> bool:
    return tree == _TUMOR or tree.startswith(f"{_TUMOR}.")


def _is_anticancer(term: Term, case: Case) -> bool:
    lineage = case.relations.lineage(term)
    return _is_under(term, _ANTINEOPLASTIC) or not lineage.isdisjoint(_ANTICANCER_CLASSES)


def _is_under(term: Term, trees: tuple[str, ...]) -> bool:
    return any(tree.startswith(trees) for tree in term.trees)


def _check(leaf: Took, therapy: Therapy) -> Answer:
    """Say whether a therapy that is told of is as the leaf asks it."""
    checks = (_at_time(leaf, therapy), _with_response(leaf, therapy), _over_window(leaf, therapy))
    if False in checks:
        why = f"{therapy.what.name} is told of, but not as asked."
        return Answer(Verdict.NOT_MET, Basis.STATED, "Took/detail", (therapy,), why)
    if None in checks or leaf.dose or leaf.modifiers:
        why = f"{therapy.what.name} is told of; a detail is not."
        missing = f"details of {leaf.words}"
        return Answer(Verdict.UNKNOWN, Basis.DETAIL, "Took", (therapy,), why, missing)
    return Answer(Verdict.MET, Basis.STATED, "Took", (therapy,), f"The chart has {therapy.text}.")


def _at_time(leaf: Took, therapy: Therapy) -> bool | None:
    if therapy.status == "refused":
        return False
    planned = therapy.status == "planned"
    if leaf.tense is Tense.PLANNED:
        return True if planned or therapy.status == "current" else None
    if planned:
        return False
    if leaf.tense is Tense.EVER or leaf.when is not None or leaf.response:
        return True
    return therapy.status != "prior"


def _with_response(leaf: Took, therapy: Therapy) -> bool | None:
    if not leaf.response:
        return True
    if not therapy.response:
        return None
    failed = therapy.response in _FAILED
    return failed == (leaf.response in _FAILED)


def _over_window(leaf: Took, therapy: Therapy) -> bool | None:
    if leaf.when is None:
        return True
    return fits_window(leaf.when, therapy.when, current=therapy.status in ("current", ""))


def _not_taken(leaf: Took, case: Case, *, wanted: bool) -> Answer:
    nothing = tuple(fact for fact in case.chart.person if fact.role in _NOTHING)
    drug = leaf.kind in _MEDICINES and leaf.tense is Tense.NOW
    takes_none = any(fact.role == _NOTHING[0] for fact in nothing)
    untreated = tuple(fact for fact in case.chart.person if fact.role == "no treatment")
    if untreated or (nothing and (takes_none if drug else not wanted)):
        nothing = untreated or nothing
        why = "The chart says there is no such thing."
        return Answer(Verdict.NOT_MET, Basis.DENIED, "Took", nothing[:2], why)
    about = leaf.general or leaf.kind.value
    listed = "listed" if case.chart.lists_medications else "not listed"
    return case.silent("Took", f"{about}, drugs {listed}", wanted=wanted, missing=leaf.words)


def answer_underwent(leaf: Underwent, case: Case, *, wanted: bool) -> Answer:
    """Say whether an operation or another procedure was or will be done."""
    if leaf.what is None:
        return case.silent("Underwent", "unknown words", wanted=wanted, missing=leaf.words)
    what = leaf.what
    done: Sequence[Procedure | Therapy] = (*case.chart.procedures, *case.chart.therapies)
    found = [
        each
        for each in done
        if each.assertion is not Assertion.FAMILY
        and case.relate(each.what, what) in _WITHIN
        and tells_kind(leaf.modifiers, f"{case.chart.around(each)} {each.what.name}")
    ]
    if case.exclusion and not wanted and leaf.when is None and _is_examination(what):
        # Nobody is left out for having been examined, but for what the examination showed.
        found = [each for each in found if each.negated]
    for entry in found:
        verdict = _done(leaf, entry)
        if verdict is not None:
            return Answer(
                verdict, Basis.STATED, "Underwent", (entry,), f"The chart has {entry.text}."
            )
    if found:
        return Answer(Verdict.UNKNOWN, Basis.DETAIL, "Underwent", (found[0],), "", leaf.words)
    main = case.chart.main
    if leaf.tense is Tense.PLANNED and main is not None and _defines_group(case, wanted=wanted):
        why = f"The patient has {main.what.name.lower()}; nothing of the kind is planned."
        return Answer(Verdict.NOT_MET, Basis.OTHER_GROUP, "Underwent", (main,), why)
    about = "planned" if leaf.tense is Tense.PLANNED else "done"
    if leaf.when is not None:
        about = "recent"
    return case.silent("Underwent", about, wanted=wanted, missing=leaf.words)


def _is_examination(what: Term) -> bool:
    return bool(what.trees) and all(tree.startswith(_EXAMINATIONS) for tree in what.trees)


def _defines_group(case: Case, *, wanted: bool) -> bool:
    """Whether an operation that is asked for is what tells the wanted group apart."""
    return wanted and not case.exclusion and not case.stated_only and case.topic != "own"


def _done(leaf: Underwent, entry: Procedure | Therapy) -> Verdict | None:
    if entry.negated or entry.status == "refused":
        return Verdict.NOT_MET
    planned = entry.status == "planned" or entry.assertion is Assertion.HYPOTHETICAL
    if leaf.tense is Tense.PLANNED:
        return Verdict.MET if planned or entry.status == "current" else None
    if planned:
        return Verdict.NOT_MET
    if leaf.when is None:
        return Verdict.MET
    fits = fits_window(leaf.when, entry.when, current=entry.status == "current")
    return None if fits is None else (Verdict.MET if fits else Verdict.NOT_MET)


def answer_allergy(leaf: Allergy, case: Case, *, wanted: bool) -> Answer:
    """Say whether the patient is allergic to something."""
    for entry in case.chart.allergies:
        everything = entry.what.id == "term:allergy"
        if everything or (leaf.what is not None and case.relate(entry.what, leaf.what) in _WITHIN):
            verdict = Verdict.NOT_MET if entry.negated else Verdict.MET
            basis = Basis.DENIED if entry.negated else Basis.STATED
            return Answer(verdict, basis, "Allergy", (entry,), f"The chart says: {entry.text}.")
    taken = [
        each
        for each in case.chart.therapies
        if leaf.what is not None and each.holds and case.relate(each.what, leaf.what) in _WITHIN
    ]
    if taken and taken[0].response != "intolerant":
        why = f"{taken[0].what.name} is taken."
        return Answer(Verdict.NOT_MET, Basis.INFERRED, "Allergy", tuple(taken[:1]), why)
    about = "named" if leaf.what is not None else "study drug"
    return case.silent("Allergy", about, wanted=wanted, missing=f"allergy to {leaf.words}")
