"""What may stand between the name of something measured and its amount."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trialyst.eligibility.amounts import Amount
    from trialyst.eligibility.mentions import Mention

__all__ = ["ASIDE", "WORD", "is_far", "says_nothing"]

WORD = re.compile(r"[a-z]+(?:[./-][a-z]+)*|[^\sa-z]")
ASIDE = re.compile(r"[(\[][^()\[\]0-9]{0,60}[)\]]")
_FILLERS = frozenset(
    "level levels elevation elevations increase count counts value values concentration "
    "concentrations of is was were are at = : ; - ~ | about "
    "to be being measured found today now currently on admission score scores result results "
    "remained ( ) [ ] , which only just a an the initial peak last recent reported as showed shows "
    "revealed showing estimated from improved increased decreased rose fell dropped worsened "
    "declined rising elevated high low normal raised reduced mildly slightly markedly stays "
    "significantly very total baseline stable had has have been by in test tests "
    "blood serum plasma up down * her his went trended peaked range ranged ranging still "
    "must should defined calculated greater obtained known documented remains screening status "
    "performance scale rating who with that and/or total visit corrected or mean resting seated "
    "sitting supine assessed confirmed determined using absolute index ratio rate time equal "
    "institutional local laboratory persistently sustained consistently either least one any not "
    "grade required need needs needed will having has persistent i.e e.g since remain return "
    "returned recover recovered fasting current exam examination reading readings both "
    "within predicted post-bronchodilator post pre bronchodilator bedside overall most latest "
    "per central below above outside range ranges hip spine lumbar femoral neck femur".split()
)
_BREAKS = re.compile(r"[.;\n()]|\b(?:and|or|with|without|who|if|unless|but|than)\b")
_REACH = 60


def is_far(name: Mention, gap: str, amount: Amount) -> bool:
    """Say whether an amount behind other words is told by its unit: "QRS on ECG < 120 ms"."""
    gap = ASIDE.sub(" ", gap)
    if len(gap) > _REACH or not amount.unit or not amount.compared or _BREAKS.search(gap):
        return False
    return any(unit == amount.unit for each in name.analytes for unit, _, _ in each.analyte.units)


def says_nothing(gap: str) -> bool:
    """Say whether only fillers stand between a name and an amount."""
    if not gap.strip():
        return True
    if "\n" in gap.strip():
        return False
    return all(word in _FILLERS for word in WORD.findall(ASIDE.sub(" ", gap)))
