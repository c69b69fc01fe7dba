"""Exclusions a silent note leaves open: what a note tells of only if it was measured or asked.

A note would tell of a disease, a drug or an operation. It need not tell of a value, of the result
of a test, of the language the patient speaks, or of how often and since when the patient has had
what it does tell of.
"""

from __future__ import annotations

import re

from trialyst.matching.judging.case import Case, Decision
from trialyst.matching.judging.gates import gated
from trialyst.matching.judging.result import Applicability, Verdict
from trialyst.matching.judging.statement import ReadStatement

__all__ = ["NOT_NOTED", "judge_silence"]

_NO_CRITERION = re.compile(
    r"\W*(?:n/?a|none|general|not (?:applicable|specified)|see (?:above|below).*"
    r"|(?:there (?:are|were) )?no(?:ne)? (?:specific |other |particular )?exclusion criteri\w+.*"
    r"|for [^.;]*:|[^.;]*\bexcluded (?:under|in|for) (?:the )?(?:below|following)[^.;]*:"
    r"|[^.;(]{0,60}\b(?:are|is) (?:allowed|permitted) (?:into|in|to)\b[^.;]*)"
    r"\W*"
)
NOT_NOTED = gated(
    r"\bemployees?\b"
    r"|\b(?:study|site|research|investigat\w+|sponsor\w*)(?:'s)? (?:staff|personnel)\b"
    r"|\b(?:relatives?|children|spouses?|family members?|members?) of (?:the |an? )?(?:study|site"
    r"|investigat|sponsor|research|staff)|\b(?:left|right)[- ]hand(?:ed|ers?)\b"
    r"|\bresid(?:e|es|ing|ents?|ence) (?:\w+ )?(?:outside|in|within|of)\b"
    r"(?! (?:an? )?(?:nursing|care|institution|long))|\bopted out\b"
)
"""Where patients work and live, and which hand they use."""
_OPENING = re.compile(
    r"[^.;]{0,60}\b(?:not (?:be )?(?:eligible|included|enrolled|admitted)|excluded|ineligible"
    r"|exclusion criteria)\b(?: (?:if|when|for|with|who|are|is|they|any|the|following|below|have|of"
    r"|one|had|on|basis|reasons?|from|study|participation|either|these|conditions|meet|under))*\s*:"
    r"\W*"
    r"|\W*(?:as long as )?any (?:one )?of the following [^.;:,]{0,30}\b(?:excluded?|exclusion)\W*"
    r"|\W*the above (?:information|list|criteria) [^;]*"
)
"""Words that open a list or tell of it."""
_OPENING_WORDS = 1
_FAILS = gated(
    r"\W*(?:[\w/]+ ){0,4}?(?:(?:do|does|did|who|that|are|is) )*(?:not (?:meet|fulfil|satisfy)\w*"
    r"|failure to (?:meet|fulfil)\w*|failing to meet|not meeting) [^.;,]{0,30}\binclusion criteri"
)
_OF_CHILDREN = gated(
    r"\W*(?:\d+[.)]\s*)?(?:an? |all |any )?(?:early puberty )?"
    r"(?:child(?:ren)?|infants?|neonates?|newborns?|toddlers?)\b(?! of )"
)
_GROWN_UP = 18.0
_CHILD = 2.0
_BIRTH = re.compile(r"\bpremature(?:ly)?\b|\bpreterm\b|\bgestational age\b|\bbirth ?weight\b")
_BORN = re.compile(
    r"\bgestation|\bpremature|\bpreterm|\b(?:full[- ])?term\b|\bborn at\b|\bweeks old\b"
)
_COMPARED = gated(
    r"(?:[<>\u2264\u2265]|\b(?:less|greater|more|lower|higher) than|\bat least|\babove|\bbelow"
    r"|\bexceeding|\bover|\bunder)\s*(?:or equal to\s*)?=?\s*\d"
)
_MEASURE = re.compile(
    r"\b(?:level|concentration|count|ratio|index|clearance|filtration|bmi|body-mass|weight|height"
    r"|hgb|hba?1?c?|hemoglobin|haemoglobin|hematocrit|platelets?|creatinine|bilirubin|albumin|alt"
    r"|ast|wbc|anc|neutrophils?|leu[ck]ocytes?|lymphocytes?|cd4|glucose|cholesterol|ldl|hdl|psa"
    r"|inr|sodium|potassium|calcium|ferritin|pa?co2|pa?o2|fev1?|fvc|dlco|ejection fraction|lvef"
    r"|ef|gfr|egfr|troponin|tsh|vitamin|antigen|viral load|titer|titre)s?\b"
)
_PLAIN_WORDS = frozenset({"level", "count", "weight", "height", "ratio", "index", "concentration"})
_STATE = re.compile(
    r"\b(?:known|history|use of|taking|treatment|therap\w*|medication\w*|severe|hiv|inadequate"
    r"|abnormal|inability|allerg\w*)\b|\w(?:emia|aemia|itis|osis|penia|uria|opathy)\b|impair"
    r"|insufficien|failure|disease|dysfunction|disorder|syndrome|hypertens|hypotens|obes|diabet"
    r"|\b(?:loss|gain|change|drop)\b|shock|anemi|anaemi|cancer|tumou?r|hemoly|haemoly|function\b"
)
_RESULT = gated(
    r"\W*(?:\d+[.)]\s*)?(?:(?:the |any )?(?:patient|subject|participant|child|individual)s?\s+)?"
    r"(?:(?:who|with|has|have|having|are|is|a|an|any|true|known)\s+)*"
    r"(?:positive\b(?! (?:urine |serum )*(?:pregnan|hcg|beta)).{0,60}\b(?:antibod|antigen|hbsag"
    r"|screen|serolog|questionnaire|test|pcr)"
    r"|(?:abnormal )?(?:screening |clinical )?laborator\w+ (?:tests?|values?|results?|abnormal)"
    r"|sero(?:positiv|negativ)"
    r"|(?:chest |brain |abdominal |cardiac )?(?:ct|mri|echocardiogra\w*|ultraso\w*|angiogra\w*)\b"
    r".{0,20}\b(?:show|evidence|reveal|demonstrat)"
    r"|screening \w+ *[<>\u2264\u2265])"
    r"|.*\b(?:on|during|by|at) (?:the |an? )?(?:screening|baseline|exercise|stress)"
    r" (?:ecg|ekg|test\w*|electrocardio\w*|echo\w*)"
)
_TESTED = (
    (re.compile(r"\bct\b"), re.compile(r"\bct\b|computed tomog")),
    (re.compile(r"\bmri?\b"), re.compile(r"\bmri?\b|magnetic")),
    (re.compile(r"echocardio|\becho"), re.compile(r"echocardio|\becho")),
    (re.compile(r"ultraso"), re.compile(r"ultraso|sonogra")),
    (re.compile(r"angiogra"), re.compile(r"angiogra")),
    (re.compile(r"\be[ck]g\b|electrocardio"), re.compile(r"\be[ck]g\b|electrocardio")),
)
_SPOKEN = gated(
    r"\b(?:speak\w*|understand\w*|read\w*|fluen\w*|command|knowledge|language|literate)\b"
)
_SINCE = gated(
    r"\b(?:less|more|greater|shorter|longer|fewer|within|[<>\u2264\u2265]).{0,40}\b(?:from|since"
    r"|after)"
    r" (?:the )?(?:first |initial )?(?:diagnos|onset|confirm)|\btime (?:from|since)\b"
)
_HOW_OFTEN = gated(
    r"[^(]{0,30}\b(?:more|greater|fewer|less) than (?:\d+|two|three|four|five|ten) (?:\w+ ){0,2}"
    r"(?:admissions?|hospitali[sz]ations?|visits)\b"
)


def judge_silence(case: Case) -> Decision | None:
    """An exclusion that a note without a word on it does not settle."""
    statement, lowered = case.statement, case.statement.lowered
    if _asks_nothing(statement):
        return _not_asked("The text asks nothing of a patient.")
    if NOT_NOTED.search(lowered):
        return _open("circumstance", "Notes do not tell where patients live, work or the like.")
    if _FAILS.match(lowered):
        return _open("inclusion", "Whether the patient meets the other criteria is judged there.")
    years = case.view.years
    if years is not None and years >= _GROWN_UP and _OF_CHILDREN.match(lowered):
        return _not_asked("The criterion speaks of children.")
    if years is not None and years < _CHILD and _is_birth_open(case):
        return _open("birth", "The note does not tell when the child was born.")
    if _is_measure(case):
        return _open("value", "The note does not give the value the criterion asks for.")
    if _RESULT.match(lowered) and not _is_told(case):
        return _open("result", "The note does not give the result the criterion asks for.")
    if statement.speaks_of("language") and _SPOKEN.search(lowered):
        return _open("language", "The note does not tell which languages the patient speaks.")
    if _SINCE.search(lowered) or _HOW_OFTEN.match(lowered):
        return _open("course", "The note does not tell how often it was, or since when.")
    return None


def _asks_nothing(statement: ReadStatement) -> bool:
    if _NO_CRITERION.fullmatch(statement.lowered):
        return True
    few = len(statement.contents) <= _OPENING_WORDS
    return few and _OPENING.fullmatch(statement.lowered) is not None


def _is_measure(case: Case) -> bool:
    """Whether a value is bounded, before any disease is named, of which the note has nothing."""
    lowered = case.statement.lowered
    compared = _COMPARED.search(lowered)
    if compared is None:
        return False
    before = lowered[: compared.start()]
    measure = _MEASURE.search(before)
    if measure is None or _STATE.search(before):
        return False
    return measure.group() in _PLAIN_WORDS or measure.group() not in case.view.lowered


def _is_birth_open(case: Case) -> bool:
    asked = _BIRTH.search(case.statement.lowered)
    return asked is not None and not _BORN.search(case.view.lowered)


def _is_told(case: Case) -> bool:
    """Whether the note tells of a test of the kind the criterion speaks of."""
    return any(
        asked.search(case.statement.lowered) and told.search(case.view.lowered)
        for asked, told in _TESTED
    )


def _not_asked(reason: str) -> Decision:
    return Decision(
        "not concerned", Verdict.UNKNOWN, reason, applicability=Applicability.NOT_APPLICABLE
    )


def _open(missing: str, reason: str) -> Decision:
    return Decision(f"untold {missing}", Verdict.UNKNOWN, reason)
