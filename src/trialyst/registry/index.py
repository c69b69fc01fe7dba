"""Opening the two tantivy indexes of a generation, for reading or writing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from trialyst.errors import RegistryError
from trialyst.registry.schema import FOLDED, SITE, build_site_schema, build_study_schema

if TYPE_CHECKING:
    import tantivy

__all__ = ["IndexWriters", "all_addresses", "count_matches", "open_index"]

# Text waits in memory until a segment is written; more means fewer segments to merge later.
STUDY_HEAP_BYTES = 600_000_000
SITE_HEAP_BYTES = 60_000_000


def _register(index: tantivy.Index) -> tantivy.Index:
    import tantivy

    analyzer = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer(FOLDED, analyzer)
    return index


def open_index(path: Path) -> tantivy.Index:
    """Open an index for reading; it keeps the state it has now."""
    import tantivy

    try:
        index = tantivy.Index.open(str(path))
        index.config_reader(reload_policy="manual")
    except (ValueError, OSError) as problem:
        raise RegistryError(f"The index in {str(path)!r} cannot be opened: {problem}") from problem
    return _register(index)


def count_matches(searcher: tantivy.Searcher, query: tantivy.Query) -> int:
    """Count the matches exactly."""
    result: Any = searcher.search(query, limit=1, count=True)
    return int(result.count)


def all_addresses(searcher: tantivy.Searcher, query: tantivy.Query) -> list[tantivy.DocAddress]:
    """Give every match, in the order of its score and then of the index."""
    total = count_matches(searcher, query)
    if not total:
        return []
    return [address for _, address in searcher.search(query, limit=total, count=False).hits]


class IndexWriters:
    """The writers of studies and of sites, which commit together."""

    def __init__(self, studies: Path, sites: Path, *, threads: int) -> None:
        import tantivy

        studies.mkdir(exist_ok=True)
        sites.mkdir(exist_ok=True)
        self._studies = _register(tantivy.Index(build_study_schema(), path=str(studies)))
        self._sites = _register(tantivy.Index(build_site_schema(), path=str(sites)))
        self.studies = self._studies.writer(heap_size=STUDY_HEAP_BYTES, num_threads=threads)
        self.sites = self._sites.writer(heap_size=SITE_HEAP_BYTES, num_threads=1)

    def commit(self) -> None:
        self.studies.commit()
        self.sites.commit()

    def close(self) -> None:
        """Wait for merges, so that no thread writes after the generation is switched in."""
        self.studies.wait_merging_threads()
        self.sites.wait_merging_threads()

    def known_sites(self) -> set[int]:
        """Give the ids of all sites already indexed."""
        import tantivy

        self._sites.reload()
        searcher = self._sites.searcher()
        addresses = all_addresses(searcher, tantivy.Query.all_query())
        ids = searcher.fast_field_values(SITE, addresses)
        return {int(site) for site in ids if site is not None}
