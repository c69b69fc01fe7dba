"""A cohort and a sharded registry on two nodes of one machine, one of which is killed midway.

Run as a program: its sockets are no test's. Prints one JSON value.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from trialyst.ctgov.query import RELEVANCE, SortKey, TrialQuery
from trialyst.essie.build import any_of, words
from trialyst.registry.registry import Registry
from trialyst.registry.source import RegistrySource
from trialyst.scale.cohort import run_cohort
from trialyst.scale.matcher import CohortOptions, MatchedPart, Workplace
from trialyst.scale.patients import Part
from trialyst.scale.ray_engine import RayEngine
from trialyst.scale.shards import open_shards
from trialyst.vocabulary import open_vocabulary

ASKED = ("melanoma", "diabetes", "cancer", "treatment of asthma", "placebo")


class Losing(RayEngine):
    """Loses a node after the first part, and gets another one."""

    def __init__(self, cluster: Any, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._cluster = cluster

    def run(self, parts: Iterable[Part]) -> Iterator[MatchedPart]:
        for number, done in enumerate(super().run(parts)):
            if number == 0:
                nodes = [each for each in self._cluster.list_all_nodes() if not each.head]
                self._cluster.remove_node(nodes[0], allow_graceful=False)
                self._cluster.add_node(num_cpus=1)
            yield done


async def compare(sharded: RegistrySource, whole: RegistrySource) -> list[bool]:
    """Ask both for the same things."""
    same = []
    for text in ASKED:
        ranked = TrialQuery(
            queries=(("term", any_of(words(text))),),
            sort=(SortKey(RELEVANCE, descending=True),),
            page_size=7,
        )
        pages = [await source.search(ranked) for source in (sharded, whole)]
        same.append(pages[0] == pages[1] and pages[0].total == pages[1].total)
        follows = [
            await source.search(ranked, page.cursor) if page.cursor else None
            for source, page in zip((sharded, whole), pages, strict=True)
        ]
        same.append(follows[0] == follows[1])
        rows = [
            [row async for row in source.iter_rows(ranked, ["NCTId", "BriefTitle", "Phase"])]
            for source in (sharded, whole)
        ]
        same.append(rows[0] == rows[1])
        by_date = TrialQuery(queries=ranked.queries, sort=(SortKey("StartDate", descending=True),))
        for query in (ranked, TrialQuery(queries=ranked.queries), by_date):
            counts = [await source.count(query) for source in (sharded, whole)]
            by = [await source.count_by(query, "OverallStatus") for source in (sharded, whole)]
            found = [await source.search(query) for source in (sharded, whole)]
            same += [counts[0] == counts[1], by[0] == by[1], found[0] == found[1]]
    return same


def main(home: Path, registry: Path, patients: Path, out: Path) -> None:
    import ray
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    place = Workplace(home, registry, "starter")
    options = CohortOptions(candidates=8, part=1)
    engine = Losing(cluster, place, options, address=cluster.address)
    summary = run_cohort(
        patients, out, engine, options=options, registry={"generation": "g", "records": 1}
    )
    sharded = open_shards(place, shards=3, address=cluster.address)
    whole = RegistrySource(
        Registry.open(registry, vocabulary=open_vocabulary(home)), name="starter"
    )
    same = asyncio.run(compare(sharded, whole))
    sys.stdout.write(json.dumps({"summary": summary, "same": same}) + "\n")
    sharded.close()
    ray.shutdown()
    cluster.shutdown()  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
