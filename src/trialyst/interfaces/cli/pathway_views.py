"""How the answers of the pathway tools read: as tables, as text, and as sheets of every value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trialyst.interfaces.cli.layout import (
    Screen,
    Table,
    render_csv,
    render_markdown,
    render_table,
    wrap,
)
from trialyst.interfaces.cli.views import TableView, as_cell, as_field, more, to_label

if TYPE_CHECKING:
    from trialyst.discovery import Answer

__all__ = ["COMPONENTS", "ENRICHED", "HITS", "INTERACTIONS", "PATHWAY", "bare_pathway_id"]

WIDTH = 96
_LABEL = 18
_GROUPS = ("genes", "proteins", "metabolites", "complexes", "others")
_FACTS = ("organism", "last_modified", "revision", "authors", "component_counts")
_LISTS = ("genes", "metabolites", "ontology_terms", "literature")
_SHOWN_IDS = ("ncbigene", "ensembl", "uniprot", "chebi")

Item = Mapping[str, Any]


def bare_pathway_id(curie: str) -> str:
    """Give an id as files spell it.

    >>> bare_pathway_id("WP:WP554")
    'WP554'
    """
    return curie.removeprefix("WP:")


def _hits(answer: Answer) -> Table:
    rows = []
    for item in answer["items"]:
        counts = item.get("component_counts", {})
        numbers = (as_cell(counts.get(name)) for name in ("genes", "metabolites", "interactions"))
        score = f"{item['score']:.2f}"
        rows.append(
            [
                bare_pathway_id(item["id"]),
                *(item["title"], item["organism"], score),
                *numbers,
                item.get("description", ""),
            ]
        )
    names = ("Title", "Organism", "Score", "Genes", "Metabolites", "Interactions", "Description")
    return Table(("WP id", *names), rows)


def _hit_sheet(answer: Answer) -> Table:
    fields = ("title", "organism", "score", "description")
    counted = ("genes", "metabolites", "interactions")
    rows = [
        [
            bare_pathway_id(item["id"]),
            *(as_field(item.get(name)) for name in fields),
            *(as_field(item.get("component_counts", {}).get(name)) for name in counted),
        ]
        for item in answer["items"]
    ]
    return Table(("pathway_id", *fields, *counted), rows)


def _enriched(answer: Answer) -> Table:
    rows = [
        [
            bare_pathway_id(item["id"]),
            *(item["title"], f"{item['p_value']:.2g}", f"{item['adjusted_p_value']:.2g}"),
            f"{item['overlap_count']}/{item['gene_count']}",
            f"{item['expected']:.2g}",
            ", ".join(item["overlap"]),
        ]
        for item in answer["items"]
    ]
    names = ("Title", "p", "Adjusted p", "Overlap", "Expected", "Genes")
    return Table(("WP id", *names), rows)


_ENRICHED_FIELDS = (
    *("title", "organism", "p_value", "adjusted_p_value"),
    *("overlap_count", "gene_count", "expected", "overlap"),
)


def _enriched_sheet(answer: Answer) -> Table:
    rows = [
        [bare_pathway_id(item["id"]), *(as_field(item[name]) for name in _ENRICHED_FIELDS)]
        for item in answer["items"]
    ]
    return Table(("pathway_id", *_ENRICHED_FIELDS), rows)


def _close_enriched(answer: Answer) -> Iterator[str]:
    yield from more(answer, "pathways with one of the genes")
    used, tested = len(answer["genes"]["used"]), answer["tested_count"]
    yield f"{used:,} genes counted; {tested:,} pathways of {answer['organism']} tested."


def _components(answer: Answer) -> Table:
    rows = [
        [each["type"], *(as_cell(each.get(name)) for name in ("label", "symbol")), _ids(each)]
        for each in answer.rows
    ]
    return Table(("Type", "Label", "Symbol", "Ids"), rows, firm=0)


def _ids(component: Item) -> str:
    """Give the ids most people look for; --json and --format csv give them all."""
    xrefs = component.get("xrefs", {})
    known = [f"{name}:{xrefs[name][0]}" for name in _SHOWN_IDS if name in xrefs]
    return ", ".join(known or [f"{name}:{ids[0]}" for name, ids in xrefs.items()][:1])


def _component_sheet(answer: Answer) -> Table:
    pathway = bare_pathway_id(answer["id"])
    rows = []
    for group in _GROUPS:
        for each in answer[group]:
            told = [as_field(each.get(name)) for name in ("id", "label", "type", "symbol")]
            ids = [f"{name}:{id}" for name, found in each.get("xrefs", {}).items() for id in found]
            rows.append([pathway, group, *told, as_field(ids), as_field(each.get("members"))])
    names = ("pathway_id", "group", "id", "label", "type", "symbol", "xrefs", "members")
    return Table(names, rows)


def _interactions(answer: Answer) -> Table:
    named = {
        each["id"]: f"{_end(each['source'])} > {_end(each['target'])}" for each in _all(answer)
    }
    rows = [
        [
            _end(each["source"], named),
            each["type"] + (" (both ways)" if each["direction"] == "both" else ""),
            _end(each["target"], named),
            as_cell(each.get("pmids"), between=", "),
        ]
        for each in _all(answer)
    ]
    return Table(("Source", "Type", "Target", "PMIDs"), rows, firm=0)


def _all(answer: Answer) -> list[Item]:
    found: list[Item] = answer["interactions"]
    return found


def _end(end: Item, named: Mapping[str, str] | None = None) -> str:
    """Name what an end touches; another interaction by its own two ends."""
    if end["kind"] == "interaction":
        return f"({(named or {}).get(end['id'], end['id'])})"
    return str(end.get("label") or end["id"])


def _interaction_sheet(answer: Answer) -> Table:
    pathway = bare_pathway_id(answer["id"])
    sides = ("kind", "id", "label", "members")
    rows = [
        [
            *(pathway, each["id"]),
            *(as_field(each["source"].get(name)) for name in sides),
            *(each["type"], each["direction"]),
            *(as_field(each["target"].get(name)) for name in sides),
            as_field(each.get("pmids")),
        ]
        for each in _all(answer)
    ]
    source, target = ([f"{side}_{name}" for name in sides] for side in ("source", "target"))
    names = ("pathway_id", "id", *source, "type", "direction", *target, "pmids")
    return Table(names, rows)


def _close_components(answer: Answer) -> Iterator[str]:
    counts = [f"{count:,} {kind}" for kind, count in answer["component_counts"].items() if count]
    yield f"{bare_pathway_id(answer['id'])} {answer['title']}: {', '.join(counts) or 'nothing'}."
    if answer["unconnected"]:
        yield f"Lines with a loose end, not counted: {answer['unconnected']:,}."
    if answer.cursor:
        yield f"For the next page add: --cursor {answer.cursor}"


@dataclass(frozen=True, slots=True)
class _Parts(TableView):
    """Components, and below them the interactions; a sheet has one of the two."""

    def text(self, answer: Answer, screen: Screen) -> str:
        tables = (_components(answer).without_empty_columns(), _shown_interactions(answer))
        return "\n\n".join(filter(None, (render_table(table, screen) for table in tables)))

    def markdown(self, answer: Answer) -> str:
        tables = (_components(answer).without_empty_columns(), _shown_interactions(answer))
        return "\n\n".join(render_markdown(table) for table in tables if table.rows)


def _shown_interactions(answer: Answer) -> Table:
    return _interactions(answer).without_empty_columns()


class _PathwayView:
    """One pathway as text."""

    def text(self, answer: Answer, screen: Screen) -> str:
        (item,) = answer.rows
        width = min(screen.width or WIDTH, WIDTH)
        title = wrap(item["title"], width, indent=f"{bare_pathway_id(item['id'])}  ", hanging="")
        facts = "\n".join(
            wrap(text, width, indent=f"{name}: ".ljust(_LABEL), hanging=" " * _LABEL)
            for name, text in _facts(item)
        )
        texts = (f"{name}\n{wrap(text, width)}" for name, text in _texts(item))
        return "\n\n".join([title, facts, *texts])

    def markdown(self, answer: Answer) -> str:
        (item,) = answer.rows
        parts = [f"# {bare_pathway_id(item['id'])} {item['title']}"]
        parts.append(render_markdown(Table(("Field", "Value"), list(_facts(item)))))
        parts.extend(f"## {name}\n\n{text}" for name, text in _texts(item))
        return "\n\n".join(parts)

    def csv(self, answer: Answer) -> str:
        (item,) = answer.rows
        names = ("title", "organism", "last_modified", "revision", "genes", "metabolites")
        values = [as_field(item.get(name)) for name in names]
        references = item["cross_references"]
        told = [as_field(references.get(name)) for name in ("pubmed", "ontologies", "url")]
        row = [bare_pathway_id(item["id"]), *values, *told, item.get("description", "")]
        columns = ("pathway_id", *names, "pubmed", "ontologies", "url", "description")
        return render_csv(Table(columns, [row]))

    def closing(self, answer: Answer) -> Iterable[str]:
        yield f"Its interactions: trialyst pathways components {bare_pathway_id(answer['id'])}"


def _facts(item: Item) -> Iterator[tuple[str, str]]:
    for name in _FACTS:
        value = item.get(name)
        if name == "component_counts":
            value = ", ".join(f"{number} {kind}" for kind, number in item[name].items() if number)
        if text := as_cell(value):
            yield to_label(name), text
    if item["literature_count"]:
        yield "Papers", str(item["literature_count"])
    yield "Page", item["cross_references"]["url"]


def _texts(item: Item) -> Iterator[tuple[str, str]]:
    if description := item.get("description"):
        yield "Description", description
    for name in _LISTS:
        if not item.get(name):
            continue
        values = item[name]
        if name in ("genes", "metabolites"):
            yield f"{to_label(name)} ({len(values)})", ", ".join(values)
        else:
            lines = "\n".join(f"- {as_cell(each)}" for each in values)
            yield f"{to_label(name)} ({len(values)})", lines


HITS = TableView(_hits, _hit_sheet, lambda answer: more(answer, "pathways"))
ENRICHED = TableView(_enriched, _enriched_sheet, _close_enriched)
COMPONENTS = _Parts(_components, _component_sheet, _close_components)
INTERACTIONS = TableView(_interactions, _interaction_sheet, _close_components)
PATHWAY = _PathwayView()
