"""`trialyst pathways bridge`: from a drug over its targets' pathways to other conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trialyst.interfaces.cli.asking import Question, asks
from trialyst.interfaces.cli.layout import Screen, Table
from trialyst.interfaces.cli.options import Format, examples
from trialyst.interfaces.cli.views import TableView, as_field
from trialyst.settings import Settings

if TYPE_CHECKING:
    from trialyst.discovery import Answer

__all__ = ["add_to", "bridge"]

_DRUG: Mapping[str, Any] = {
    "drug": Annotated[
        list[str], typer.Argument(metavar="DRUG...", help="A drug, by any of its names.")
    ]
}


def add_to(app: typer.Typer) -> None:
    """Add the command to the commands of pathways."""
    app.command(
        epilog=examples(
            "trialyst pathways bridge imatinib", "trialyst pathways bridge Gleevec --json"
        )
    )(bridge)


async def _ask(question: Question, source: str | None, registry: Path | None) -> Answer:
    from trialyst.interfaces.runtime import open_bridge, open_pathways, open_source

    settings = Settings.from_environment()
    directory = registry and registry.expanduser().absolute()
    trials = open_source(settings, source=source, registry=directory)
    pathways = open_pathways(settings, source=source)
    try:
        opened = open_bridge(trials, pathways.source)
        return await opened.bridge_drug(drug=question.arguments["drug"])
    finally:
        await trials.aclose()
        await pathways.aclose()


def _candidates(answer: Answer) -> Table:
    rows = [
        [
            item["condition"],
            f"{item['trial_count']:,}",
            f"{item['drug_count']} ({item['shared_target_drug_count']} of the same target)",
            "; ".join(_way(each) for each in item["drugs"]),
        ]
        for item in answer["candidates"]
    ]
    return Table(("Condition", "Trials", "Drugs", "Such as"), rows, firm=0)


def _way(drug: Mapping[str, Any]) -> str:
    (link, *_) = drug["links"]
    over = f" on {link['pathway']['id'].removeprefix('WP:')}" if "pathway" in link else ""
    return f"{drug['drug']} ({link['gene']} {link['action']}{over})"


def _sheet(answer: Answer) -> Table:
    """Give one row a condition and drug."""
    rows = []
    for item in answer["candidates"]:
        for each in item["drugs"]:
            link = each["links"][0]
            values = (
                item["condition"],
                item.get("condition_id"),
                item["trial_count"],
                each["drug"],
                each["shares_target"],
                *(link["target"], link["target_action"], link["gene"], link["action"]),
                link.get("pathway", {}).get("id"),
                each["trial_count"],
                each["nct_ids"],
            )
            rows.append([as_field(value) for value in values])
    names = (
        *("condition", "condition_id", "trial_count", "drug", "shares_target", "target"),
        *("target_action", "gene", "action", "pathway_id", "drug_trial_count", "nct_ids"),
    )
    return Table(names, rows)


def _closing(answer: Answer) -> Iterator[str]:
    yield f"{len(answer['candidates'])} conditions to look into for {answer['drug']}."
    yield from (f"Not known: {line}" for line in answer["unknown"])
    origin = answer["pathway_provenance"]
    yield f"Pathways: {origin['source']}, {origin.get('records', 0):,} records."
    yield from origin["notes"]


class _BridgeView(TableView):
    """The drug's targets, then the conditions."""

    __slots__ = ()

    def text(self, answer: Answer, screen: Screen) -> str:
        targets = (
            f"{each['gene']} ({each['action']}, pathways: {each['pathway_count']})"
            for each in answer["targets"]
        )
        head = f"{answer['drug']}: {', '.join(targets) or 'no target is known here'}"
        return "\n\n".join(filter(None, (head, TableView.text(self, answer, screen))))


_VIEW = _BridgeView(_candidates, _sheet, _closing)


@asks(_DRUG, ask=_ask)
def bridge(given: Mapping[str, Any], form: Format) -> Question:
    """Find conditions in which drugs of the same targets and pathways are in trials.

    Leads from the drug to its targets, their pathways, other drugs on those, and the conditions of
    their trials in which this drug is not. A candidate is a question, not evidence; where nothing
    is known, it says so.
    """
    return Question("bridge_drug", {"drug": " ".join(given["drug"])}, _VIEW)
