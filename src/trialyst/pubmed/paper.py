"""A paper as PubMed describes it."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

__all__ = ["AbstractPart", "Paper"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class AbstractPart(_Part):
    """A paragraph of an abstract, with its heading where it has one."""

    text: str
    label: str | None = None


class Paper(_Part):
    """A paper; what PubMed does not say is None or empty."""

    pmid: str
    title: str | None = None
    abstract: tuple[AbstractPart, ...] = ()
    journal: str | None = None
    published: str | None = None
    """The date of the issue as printed: `yyyy`, `yyyy-MM` or `yyyy-MM-dd`."""
    listed: str | None = None
    """The day from which PubMed listed it, `yyyy-MM-dd`."""
    authors: tuple[str, ...] = ()
    doi: str | None = None
    types: tuple[str, ...] = ()
    """Publication types, such as `Randomized Controlled Trial`."""
    retracted: bool = False
    """Whether PubMed says that it was retracted."""

    @property
    def abstract_text(self) -> str:
        """The abstract on one line, each heading before its paragraph."""
        return " ".join(
            f"{part.label}: {part.text}" if part.label else part.text for part in self.abstract
        )
