"""The form as a YAML file: written with where each line was read, and read back by what differs.

A heading that the file leaves out is as it was read; under a heading that is there, lines that are
gone are taken out and lines that are new are put in.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

from trialyst.ctgov.suggest import nearest
from trialyst.eligibility.chart import Chart
from trialyst.errors import InvalidInput
from trialyst.hints import Command, Hint
from trialyst.matching.correcting.lines import (
    SINGLE,
    Correction,
    FormLine,
    FormSection,
    form_lines,
)

__all__ = ["LONGEST_FORM", "read_form", "render_form"]

LONGEST_FORM = 1_000_000
"""Characters of a form; a patient's whole record has fewer."""
_DEEPEST = 4
_HEAD = """\
# The patient as read from the note: correct it, then match again with it.
# Change a line, delete it, or add one in the words of a note: "no diabetes", "history of stroke",
# "prior docetaxel", "hemoglobin 10.2 g/dL", "HER2 positive".
# A heading left out stays as it was read. Behind # stand the sentence a line was
# read from, by its number, and its words.
"""


def render_form(chart: Chart) -> str:
    """Write a chart as a form; the same chart gives the same text."""
    return "".join(f"{line}\n" for line in _rendered(form_lines(chart)))


def _rendered(lines: Sequence[FormLine]) -> Iterator[str]:
    yield _HEAD.rstrip("\n")
    for section in FormSection:
        own = [line for line in lines if line.section is section]
        if section in SINGLE:
            told = _scalar(own[0].text) + _remark(own[0]) if own else ""
            yield f"{section}: {told}".rstrip()
            continue
        yield f"{section}:{'' if own else ' []'}"
        yield from (f"  - {_scalar(line.text)}{_remark(line)}" for line in own)


def _scalar(text: str) -> str:
    """Write a text so that it is read back as it is."""
    plain = " ".join(text.split())
    with contextlib.suppress(yaml.YAMLError):
        if yaml.load(f"- {plain}  # [0]", Loader=_Loader) == [plain]:
            return plain
    return (
        yaml.safe_dump(plain, width=float("inf"), allow_unicode=True).removesuffix("...\n").strip()
    )


def _remark(line: FormLine) -> str:
    if not line.entries:
        return ""
    first = line.entries[0]
    numbers = ", ".join(str(each) for each in sorted({each.sentence for each in line.entries})[:5])
    quoted = " ".join(first.text.split())[:80]
    # A line break of any kind would end the remark.
    words = "".join(letter for letter in quoted if letter.isprintable())
    said = "" if words.lower() == line.text.lower() else f" {words}"
    return f"  # [{numbers}]{said}"


def read_form(text: str, chart: Chart) -> list[Correction]:
    """Give what a form changes of a chart.

    Raises:
        InvalidInput: it is no such form; the message names the place.
    """
    given = _headings(_load(text))
    lines = form_lines(chart)
    found = []
    for section, value in given.items():
        before = [line.text for line in lines if line.section is section]
        found += list(_differences(section, before, _values(section, value)))
    return found


def _differences(
    section: FormSection, before: Sequence[str], after: Sequence[str]
) -> Iterator[Correction]:
    gone = [text for text in before if text not in after]
    come = [text for text in after if text not in before]
    if section in SINGLE:
        if gone or come:
            yield Correction(
                section=section, removed=next(iter(gone), None), added=next(iter(come), None)
            )
        return
    yield from (Correction(section=section, removed=text) for text in gone)
    yield from (Correction(section=section, added=text) for text in come)


class _Loader(yaml.SafeLoader):
    """Takes texts as texts: `no` and `2021-03-01` are words here. Refuses references."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("a form refers to no other place")
        return super().compose_node(parent, index)


_Loader.yaml_implicit_resolvers = {
    letter: [(tag, pattern) for tag, pattern in resolvers if tag == "tag:yaml.org,2002:null"]
    for letter, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def _load(text: str) -> Any:
    if len(text) > LONGEST_FORM:
        raise _invalid(f"The profile has {len(text):,} characters, more than {LONGEST_FORM:,}")
    try:
        return yaml.load(text, Loader=_Loader)
    except RecursionError:
        raise _invalid("The profile is nested too deeply") from None
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        place = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        why = getattr(problem, "problem", None) or "it holds what a form does not"
        raise _invalid(f"The profile cannot be read{place}: {why}") from None


def _headings(given: Any) -> dict[FormSection, Any]:
    if not isinstance(given, Mapping):
        raise _invalid("The profile has no headings")
    known = {section.value: section for section in FormSection}
    found = {}
    for name, value in given.items():
        section = known.get(str(name).strip().lower())
        if section is None:
            near = nearest(str(name), known)
            raise InvalidInput(
                f"The profile has no heading {str(name)!r}",
                hint=f"{f'Did you mean {near}? ' if near else ''}Headings are {', '.join(known)}.",
                invalid_input=str(name),
            )
        found[section] = value
    return found


def _values(section: FormSection, value: Any) -> list[str]:
    given = value if isinstance(value, list) else [] if value is None else [value]
    texts = [" ".join(_text(each, section).split()) for each in given if each is not None]
    texts = [each for each in texts if each]
    if section in SINGLE and len(texts) > 1:
        raise _invalid(f"{section} of the profile has {len(texts)} values")
    return list(dict.fromkeys(texts))


def _text(value: Any, section: FormSection, depth: int = 0) -> str:
    """Give a value as the text it was meant to be: `HER2: positive` is one thing to a person."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and depth < _DEEPEST:
        return ", ".join(
            f"{name}: {_text(each, section, depth + 1)}".strip() for name, each in value.items()
        )
    if value is None:
        return ""
    raise _invalid(f"Under {section} of the profile a line is no text")


def _invalid(message: str) -> InvalidInput:
    return InvalidInput(
        message,
        hint=Hint(
            "Edit the form, in YAML, that {form} writes.",
            form=Command("trialyst ingest NOTE --form"),
        ),
    )
