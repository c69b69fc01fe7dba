"""What was read of a patient, in a form a person can edit, and what the edits come to.

A form shows a chart as lines under headings. A correction takes a line out, puts words in, or both;
words that are put in are read as a note is. Nothing here looks at a trial.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trialyst.lazy import lazy_names

if TYPE_CHECKING:
    from trialyst.matching.correcting.applying import Corrector
    from trialyst.matching.correcting.form import read_form, render_form
    from trialyst.matching.correcting.lines import Correction, FormLine, FormSection, form_lines

__all__ = [
    "Correction",
    "Corrector",
    "FormLine",
    "FormSection",
    "form_lines",
    "read_form",
    "render_form",
]

_HOMES = {
    "applying": ("Corrector",),
    "form": ("read_form", "render_form"),
    "lines": ("Correction", "FormLine", "FormSection", "form_lines"),
}

__getattr__ = lazy_names(__name__, _HOMES)
