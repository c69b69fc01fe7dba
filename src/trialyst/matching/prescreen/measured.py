"""Values out of their usual range, said in words: `sodium 118` is heard as `sodium low`.

The ranges are those of adults in `analytes.txt`, a rough guide; what children have otherwise is
left out. Values of other fluids than blood say nothing of the blood's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from trialyst.eligibility.analytes import Analyte, get_analyte, to_common_unit
from trialyst.matching.patient import Fact, FactKind, PatientProfile, Sex
from trialyst.matching.prescreen.patterns import Heard

__all__ = ["hear_values"]

FAR = 2.0
"""How many times beyond a bound a value is very high or very low."""
GROWN = 13
_OF_GROWN = frozenset(
    "heart_rate respiratory_rate systolic diastolic alp creatinine phosphate bmi hemoglobin "
    "hematocrit testosterone estradiol fsh lh igf1 lymphocytes".split()
)
_OF_MEN = frozenset({"testosterone"})
# As the table of presentations names them, where it does not use the analyte's own name.
_NAMES: Mapping[str, str] = {
    "systolic": "blood pressure",
    "wbc": "white blood cell",
    "lvef": "ejection fraction",
    "temperature": "temperature",
    "ck": "creatine kinase",
    "alp": "alkaline phosphatase",
    "hcg": "hcg",
    "fev1_fvc": "fev1 fvc",
    "complement_c3": "c3",
    "complement_c4": "c4",
    "iop": "intraocular pressure",
    "qtc": "qtc",
    "afp": "alpha fetoprotein",
    "phq9": "depression score",
    "gad7": "anxiety score",
    "mmse": "cognitive score",
    "moca": "cognitive score",
}
_SAID = {"high": "high", "low": "low"}
_OTHER_FLUIDS = re.compile(
    r"\b(?:csf|cerebrospinal|lumbar puncture|urin\w+|pleural|ascit\w+|synovial|joint fluid|sweat"
    r"|peritoneal|saliva\w*)\b",
    re.IGNORECASE,
)


def hear_values(profile: PatientProfile) -> Iterator[Heard]:
    """Give what the values of a patient come to, each at its place in the note."""
    years = profile.age.years if profile.age else None
    for fact in profile.of(FactKind.MEASUREMENT):
        analyte = get_analyte(fact.concept.id) if fact.concept else None
        if analyte is None or not fact.holds or _means_otherwise(analyte, years, profile.sex):
            continue
        sentence = profile.note.sentence_at(fact.start)
        if _OTHER_FLUIDS.search(profile.note.text[sentence.start : fact.end]):
            continue
        level = _level(fact, analyte)
        if level:
            names = {_NAMES.get(analyte.id, analyte.name), analyte.id.replace("_", " ")}
            said = "; ".join(f"{name} {level}" for name in sorted(names))
            yield Heard(fact.sentence, fact.start, said, fact.end)


def _means_otherwise(analyte: Analyte, years: float | None, sex: Sex | None) -> bool:
    is_child = years is not None and years < GROWN
    return (is_child and analyte.id in _OF_GROWN) or (sex is Sex.FEMALE and analyte.id in _OF_MEN)


def _level(fact: Fact, analyte: Analyte) -> str:
    if fact.value is None:
        return _SAID.get(fact.status, "")
    value = to_common_unit(fact.value, analyte)
    if value is None:
        return ""
    if analyte.low is not None and value.number < analyte.low and value.comparator != ">":
        return "very low" if value.number * FAR < analyte.low else "low"
    if analyte.high is not None and value.number > analyte.high and value.comparator != "<":
        return "very high" if value.number > FAR * analyte.high else "high"
    return ""
