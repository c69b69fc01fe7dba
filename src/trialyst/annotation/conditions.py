"""The conditions of a trial as terms, and which of them are its focus.

Sponsors list "Lung Cancer" where the title says "non-small cell lung cancer", and "Disease" beside
the disease: the nearest name counts, from the list and the title together. What says nothing of a
condition ("Healthy", "Quality of Life") gives no term.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trialyst.vocabulary.relations import Relation, Relations
from trialyst.vocabulary.term import Term, TermKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from trialyst.eligibility.lexicon import Lexicon, Named

__all__ = ["ConditionAnnotation", "annotate_texts", "whole_term"]

_CONDITIONS = (TermKind.CONDITION, TermKind.SYMPTOM)
_LONGEST_READ = 400
"""Letters of a listed condition that are read; some sponsors write a summary there."""
_GENERAL = frozenset(
    {"Neoplasms", "Infections", "Pain", "Neoplasm Metastasis", "Wounds and Injuries"}
)
"""What a title says of nearly anything, and a list only where it is meant."""
_FEW = 2
"""Listed conditions that are all in focus; of more, the first and those in the title."""
_LONGEST_NAME = 6
_DENIED = re.compile(r"\bnon[- ]?$", re.IGNORECASE)
"""What makes the contrary of the name after it: non-insulin-dependent diabetes."""
_TECHNIQUE = re.compile(
    r"bipolar[- ](?:androgen|electro|cauter|coagul|diatherm|radiofreq|resect|seal|ablat)",
    re.IGNORECASE,
)
"""What is done by two poles, which is no state of mind."""
_ADJECTIVE = re.compile(r"\b(\w+)[ -](hyper|hypo)tensives?\b", re.IGNORECASE)
_INVERTED = re.compile(r"([^,]+),\s*([^,]+)")
"""How indexes write a name: Hypertension, Ocular."""
_QUALIFIED = re.compile(r"([^()]+)\(([^()]+)\)")
"""How registries write a kind: Melanoma (Skin)."""
_DISEASES = (
    "itis", "osis", "oses", "pathy", "emia", "aemia", "oma", "plasia", "trophy", "syndrome",
    "deficiency", "disease", "disorder", "atresia", "palsy", "plegia", "stenosis", "failure",
    "lesion", "lesions", "algia", "uria", "penia", "cele", "pressure", "dystonia", "ataxia",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ConditionAnnotation:
    """The conditions of a trial."""

    concepts: tuple[Term, ...] = ()
    """Every condition, the nearest names, in the order of the record."""
    focus: tuple[Term, ...] = ()
    """Those of the concepts that the trial is chiefly about."""
    titled: tuple[str, ...] = ()
    """The ids of those that its title names."""


def annotate_texts(
    title: str,
    conditions: Sequence[str],
    keywords: Sequence[str] = (),
    *,
    lexicon: Lexicon,
    relations: Relations,
) -> ConditionAnnotation:
    """Read the conditions of a row of which only these texts are known."""
    listed = _terms(conditions, lexicon) or _unknown(conditions, lexicon)
    titled = _terms((title,), lexicon, only_conditions=bool(listed))
    if listed:
        titled = {
            key: term
            for key, term in titled.items()
            if key in listed or not (term.name in _GENERAL or _is_wider(term, listed, relations))
        }
    everything = listed | titled or _terms(keywords, lexicon)
    concepts = [
        term for term in everything.values() if not _is_refined(term, listed, titled, relations)
    ]
    nearest = _nearest(concepts, relations)
    first = next((term for term in nearest if term.id in listed), None)
    focus = [
        term
        for term in concepts
        if term.id in titled or term is first or (len(listed) <= _FEW and term in nearest)
    ]
    # A title that names none of them is about all: "in patients with blood cancer".
    return ConditionAnnotation(tuple(concepts), tuple(focus if titled else nearest), tuple(titled))


def _terms(
    texts: Iterable[str], lexicon: Lexicon, *, only_conditions: bool = False
) -> dict[str, Term]:
    kinds = _CONDITIONS[:1] if only_conditions else _CONDITIONS
    return {
        named.what.id: named.what
        for text in texts
        for named in _find(text[:_LONGEST_READ], lexicon)
        if named.kind in kinds
    }


def whole_term(text: str, lexicon: Lexicon) -> Term | None:
    """Give the condition that a text is the name of, from its first letter to its last."""
    written = text.strip()
    found = lexicon.find(written)
    if len(found) != 1 or found[0].kind not in _CONDITIONS:
        return None
    return found[0].what if found[0].end - found[0].start == len(written) else None


def _find(text: str, lexicon: Lexicon) -> Iterator[Named]:
    """Find names, those whose words stand in another order or form too, none that is denied."""
    inverted = _INVERTED.fullmatch(text) or _QUALIFIED.fullmatch(text.strip())
    if inverted and whole_term(text, lexicon) is None:
        turned = f"{inverted[2].strip()} {inverted[1].strip()}"
        if whole_term(turned, lexicon) is not None:
            text = turned
    if "tensive" in text.lower():
        text = _ADJECTIVE.sub(lambda found: _with_noun(found, lexicon), text)
    for named in lexicon.find(text):
        if not (_DENIED.search(text[: named.start]) or _TECHNIQUE.match(text[named.start :])):
            yield named


def _with_noun(found: re.Match[str], lexicon: Lexicon) -> str:
    """Give "ocular hypertension" for "ocular hypertensive", where that is one name."""
    noun = f"{found[1]} {found[2]}tension"
    return found[0] if whole_term(noun, lexicon) is None else noun


def _nearest(terms: Iterable[Term], relations: Relations) -> list[Term]:
    """Leave out what is only wider than another."""
    found = list(terms)
    by_id = {each.id: each for each in found}
    return [each for each in found if not _is_wider(each, by_id, relations)]


def _is_refined(
    term: Term, listed: dict[str, Term], titled: dict[str, Term], relations: Relations
) -> bool:
    """Whether the title alone says more nearly what is meant: MCL where lymphoma is listed."""
    added = {key: other for key, other in titled.items() if key not in listed}
    return term.id not in titled and _is_wider(term, added, relations)


def _is_wider(term: Term, others: dict[str, Term], relations: Relations) -> bool:
    return any(relations.relate(term, other) is Relation.WIDER for other in others.values())


def _unknown(texts: Iterable[str], lexicon: Lexicon) -> dict[str, Term]:
    """Make terms of listed conditions that no vocabulary knows but that end as diseases do."""
    found = {}
    for text in texts:
        words = text.lower().rstrip(" .").split()
        if words and len(words) <= _LONGEST_NAME and words[-1].endswith(_DISEASES):
            term = lexicon.term(text)
            found[term.id] = term
    return found
