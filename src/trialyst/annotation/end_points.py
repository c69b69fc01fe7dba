"""Primary outcomes by a short name, so that those of many trials can be counted together."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["end_point_name"]

_ASIDE = re.compile(r"\s*[(\[{][^()\[\]{}]*[)\]}]")
_WHO = r"(?:the )?(?:participants?|patients?|subjects?|women|men|children|infants|people|eyes)"
_COUNTED = re.compile(
    rf"^(?:(?:the )?(?:number|percentages?|proportions?|rates?|frequency|incidence|%|percent"
    rf"|occurrence|count)(?: \(?(?:%|percent(?:age)?)\)?)?(?: (?:and|or) (?:percentage|proportion"
    rf"|severity))? of )?(?:{_WHO} )?(?:(?:with|who|achieving|having|reporting|experiencing"
    rf"|showing|in whom) )?"
    rf"(?:(?:achieved?|had|have|experienced?|showed|reported|an?|at least one|any) )*"
)
_CHANGED = re.compile(
    r"^(?:(?:the |mean |median |average |absolute |percent(?:age)? |relative |adjusted )*"
    r"(?:changes?|reductions?|decreases?|increases?|improvements?|differences?)"
    r"(?: from baseline)?(?: (?:to|at|through|after|over) [^,;]{1,25}?)?"
    r"(?: (?:in|of|from|for))+ (?:the )?(?:baseline (?:in|of) )?)"
)
_WHEN = re.compile(
    r"[\s,;:-]*\b(?:(?:at|by|after|during|over|within|until|through(?:out)?|up to|from|in|for"
    r"|between) (?:the )?(?:\d|week|month|day|year|baseline|end|first|study|visit|treatment|one"
    r"|two|three|four|six|twelve)|(?:assessed|measured|defined|based|as measured|as assessed"
    r"|as determined|according|using|per) (?:by|as|on|with|at|to|the)?\b|from baseline|on day"
    r"|compared (?:to|with)|following|post-?\w+|week \d|day \d|month \d).*$"
)
_LEAD = re.compile(
    r"^(?:the|mean|median|average|overall rate of|primary:?|evaluation of|assess(?:ment)? of"
    r"|to (?:evaluate|assess|determine|compare|measure)) (?:the )?"
)
_LONGEST = 60


@lru_cache(20_000)
def end_point_name(measure: str) -> str:
    """Give what an outcome measures, without who, when and how it is counted.

    >>> end_point_name("Change From Baseline in HbA1c (%) at Week 24")
    'hba1c'
    >>> end_point_name("Number of Participants With Adverse Events up to 30 Days")
    'adverse events'
    >>> end_point_name("Progression-Free Survival (PFS), as assessed by the investigator")
    'progression-free survival'
    """
    text = " ".join(_ASIDE.sub(" ", measure).lower().split())
    found = _LEAD.sub("", text)
    found = _COUNTED.sub("", found, count=1)
    found = _CHANGED.sub("", found, count=1)
    found = _WHEN.sub("", found, count=1)
    found = found.strip(" .,;:-–")
    if not any(map(str.isalpha, found)):
        found = text
    if len(found) > _LONGEST:
        found = found[:_LONGEST].rsplit(" ", 1)[0] + " …"
    return found
