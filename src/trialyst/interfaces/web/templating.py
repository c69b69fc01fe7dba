"""Templates, and how values of records become text of a page.

Everything is escaped; nothing of a record is ever taken for markup. Characters that could change
how the rest of a page is shown (controls, overrides of the writing direction) are left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape
from starlette.requests import Request

from trialyst import __version__
from trialyst.ctgov.criteria import without_escapes
from trialyst.interfaces.web.links import link_to, path_of, trial_path
from trialyst.unseen import without_unseen

__all__ = [
    "clean",
    "codes",
    "number",
    "paragraphs",
    "record",
    "render_template",
    "share",
    "ticks",
    "web_link",
    "words",
]

_HERE = Path(__file__).parent
_TICKS = re.compile(r"`([^`\n]+)`")
_CODE = re.compile(r"\(([A-Z]+(?:_[A-Z]+)*)\)$")
_BLANK_LINE = re.compile(r"\n\s*\n")


def clean(value: Any) -> Any:
    """Leave out of a text what is not meant to be seen.

    >>> clean("a\\x07b\\u202ec")
    'abc'
    """
    return without_unseen(value) if type(value) is str else value


def words(code: object) -> str:
    """Give a code of the registry as a person reads it.

    >>> words("NOT_YET_RECRUITING"), words("PHASE2"), words("NA")
    ('Not yet recruiting', 'Phase 2', 'Not applicable')
    """
    text = str(code or "")
    if text == "NA":
        return "Not applicable"
    spaced = re.sub(r"PHASE(\d)", r"PHASE \1", text).replace("_", " ").replace("/", " / ")
    return spaced[:1] + spaced[1:].lower().replace(" / p", " / P") if text.isupper() else text


def codes(text: str) -> str:
    """Give a value with the code behind it as a person reads it.

    >>> codes("Placebo (PLACEBO_COMPARATOR)")
    'Placebo (placebo comparator)'
    """
    return _CODE.sub(lambda found: f"({words(found[1]).lower()})", text)


def record(text: str | None) -> str:
    """Give a text of a record without the escapes of its markup."""
    return without_escapes(clean(text or ""))


def ticks(text: str) -> Markup:
    """Give a sentence with what stands in backticks set as code."""
    return Markup(_TICKS.sub(r"<code>\1</code>", str(escape(clean(text)))))


def paragraphs(text: str | None) -> Markup:
    """Give a long text in its paragraphs, with its line breaks."""
    blocks = _BLANK_LINE.split(record(text).strip())
    lines = (Markup("<br>").join(block.strip().splitlines()) for block in blocks if block.strip())
    return Markup("").join(Markup("<p>{}</p>").format(block) for block in lines)


def web_link(text: str | None) -> str | None:
    """Give an address of a record that may be followed, else None.

    >>> web_link("javascript:alert(1)") is None, web_link("https://a.test/b")
    (True, 'https://a.test/b')
    """
    try:
        parts = urlsplit(clean(text or "").strip())
    except ValueError:
        return None
    return parts.geturl() if parts.scheme in ("http", "https") and parts.netloc else None


def number(value: float | int | None) -> str:
    """Give a number with its thousands apart."""
    return "" if value is None else f"{value:,}"


def share(part: float, whole: float) -> int:
    """Give a part of a whole in percent, at least 1 where there is something."""
    return max(1, round(100 * part / whole)) if part and whole else 0


def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=clean,
    )
    made.filters.update(
        words=words,
        codes=codes,
        ticks=ticks,
        record=record,
        paragraphs=paragraphs,
        web_link=web_link,
        number=number,
    )
    made.globals.update(
        version=__version__,
        share=share,
        link_to=link_to,
        path_of=path_of,
        trial_path=trial_path,
        pages=PAGES,
    )
    return made


PAGES: Sequence[tuple[str, str]] = (
    ("/search", "Search"),
    ("/match", "Match"),
    ("/repurposing", "Repurposing"),
    ("/pathways", "Pathways"),
    ("/registry", "Registry"),
)
"""The main pages, in the order of their use."""
_TEMPLATES = _environment()


def render_template(template: str, request: Request, values: Mapping[str, Any]) -> str:
    """Give the text of a page."""
    here = request.url.path
    return _TEMPLATES.get_template(template).render(request=request, here=here, **values)
