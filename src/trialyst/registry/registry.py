"""The embedded registry: one generation, opened for reading, that answers trial queries.

Synchronous and safe to share between threads. `RegistrySource` makes a `TrialSource` of it.
"""

from __future__ import annotations

import os
import weakref
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trialyst.ctgov.countries import country_code
from trialyst.ctgov.query import TrialQuery, query_digest
from trialyst.ctgov.suggest import known_piece
from trialyst.ctgov.values import row_values, values_at
from trialyst.deadlines import check_deadline
from trialyst.errors import RegistryError
from trialyst.essie import resolve
from trialyst.essie.annotated import OWN_AREAS
from trialyst.essie.areas import areas, find_param
from trialyst.essie.ast import Node
from trialyst.essie.pieces import Kind, Piece, pieces
from trialyst.essie.resolved import MatchText, Resolved, Target, searched_pieces
from trialyst.registry import generation as layout
from trialyst.registry.checksums import check_files
from trialyst.registry.compile import Compiler, Lookups
from trialyst.registry.expansion import Expander
from trialyst.registry.generation import Manifest
from trialyst.registry.history.reading import History
from trialyst.registry.index import Searcher, open_index
from trialyst.registry.leafquery import column_of
from trialyst.registry.matches import BATCH, Matches, by_frequency
from trialyst.registry.numbers import Numbers
from trialyst.registry.ordering import Ordering, Scored, is_ranked
from trialyst.registry.phrases import Queries
from trialyst.registry.readings import Readings
from trialyst.registry.records import RecordReader
from trialyst.registry.remembered import Remembered
from trialyst.registry.residence import Residence
from trialyst.registry.rows import place_counted, row_reader, unpack_row
from trialyst.registry.schema import ALIAS, FACETS, NUMBER
from trialyst.registry.sites import SiteIndex
from trialyst.registry.textquery import name_fields

if TYPE_CHECKING:
    import tantivy

    from trialyst.vocabulary import Vocabulary
    from trialyst.vocabulary.learned import LearnedNames
    from trialyst.vocabulary.term import Term

__all__ = ["Hits", "Registry"]

_REMEMBERED = 32
"""Questions about accepting trials whose answers are kept for their next pages."""
MOST_FILTERS = 128


class Hits(NamedTuple):
    """A window of the matches of a query, as NCT numbers in order, and their exact total."""

    numbers: list[int]
    total: int


class Registry:
    """A registry opened at its current generation; it keeps that generation until closed."""

    def __init__(self, directory: Path, vocabulary: Vocabulary | None = None) -> None:
        self.directory = directory
        self._vocabulary = vocabulary
        generation, held = layout.hold_current(directory)
        self._let_go = weakref.finalize(self, os.close, held)
        self.manifest: Manifest = layout.open_manifest(generation)
        check_files(generation, self.manifest.checksums)
        self._index = open_index(generation / layout.INDEX)
        self._searcher = Searcher(self._index, Residence(generation / layout.INDEX))
        self._records = RecordReader(generation / layout.RECORDS)
        self._readings = readings = Readings(generation, self._records, vocabulary)
        self.vocabulary = vocabulary
        if vocabulary is not None and layout.LEARNED in self.manifest.checksums:
            self.vocabulary = vocabulary.with_learned(_load_learned(generation / layout.LEARNED))
        """The names it was opened with and those learned from its records."""
        expander = Expander(self.vocabulary)
        self._sites = SiteIndex(generation / layout.SITES, expander)
        self._make = Queries(self._index.schema)
        numbers = Numbers(generation / layout.NUMBERS)
        self._matches = Matches(self._searcher, self._make, self._records, numbers)
        # Nothing below refers to the registry itself: one that nobody uses any more lets go of its
        # generation at once, and not when the interpreter next looks for cycles.
        self._compiler = Compiler(
            self._make,
            self._searcher,
            expander,
            sites=self._sites,
            lookups=Lookups(
                self._matches.verify, lru_cache(self._matches.quantiles), readings.find_annotated
            ),
        )
        # The same few filters are asked for again and again, places among them with many cities.
        self._compiled_filters: Remembered[tuple[Node, bool], tantivy.Query] = Remembered(
            MOST_FILTERS
        )
        self._ordering = Ordering(self._searcher, self._make, self._sites, numbers)
        self._accepting: OrderedDict[str, list[int]] = OrderedDict()
        self._history: History | None = None

    @classmethod
    def open(cls, directory: Path, *, vocabulary: Vocabulary | None = None) -> Registry:
        """Open the generation in use, or raise RegistryMissing."""
        return cls(directory, vocabulary)

    def close(self) -> None:
        if self._history is not None:
            self._history.close()
        self._records.close()
        self._readings.close()
        self._let_go()

    def __enter__(self) -> Registry:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __len__(self) -> int:
        return self.manifest.records

    @property
    def generation(self) -> str:
        return self.manifest.generation

    @property
    def data_timestamp(self) -> str:
        return self.manifest.data_timestamp

    @property
    def synthetic(self) -> bool:
        return self.manifest.synthetic

    @property
    def history(self) -> History:
        """What it held before, with this generation as the newest; opened when first asked for."""
        if self._history is None:
            folder = self.directory / self.generation / layout.HISTORY
            self._history = History(folder, self._records.read)
        return self._history

    def is_current(self) -> bool:
        """Whether no newer generation has been switched in."""
        return layout.current_name(self.directory) == self.generation

    def refreshed(self) -> Registry:
        """Give the registry at its newest generation: this one while there is no newer.

        The old one stays open for whoever still reads from it.
        """
        if self.is_current():
            return self
        try:
            return Registry(self.directory, self._vocabulary)
        except RegistryError:
            return self

    def find(self, query: TrialQuery, *, offset: int = 0, limit: int | None = None) -> Hits:
        """Give a window of the matches in the query's order; no limit means the page size."""
        size = query.page_size if limit is None else limit
        compiled = self._compile(query, ranked=is_ranked(query))
        return Hits(*self._ordering.window(query, compiled, offset=offset, size=size))

    def find_scored(self, query: TrialQuery, *, within: range, limit: int) -> Scored:
        """Give the best matches among some numbers, scored by the statistics of all records."""
        compiled = self._compile(query, ranked=True)
        among = self._make.integers(NUMBER, within.start, within.stop - 1)
        narrowed = self._make.all_of([compiled, self._make.constant(among)])
        return self._ordering.best_scored(narrowed, limit)

    def numbers_within(self, query: TrialQuery, within: range) -> list[int]:
        """Give the matches among some numbers, in ascending order."""
        among = self._make.integers(NUMBER, within.start, within.stop - 1)
        return sorted(self._matches.numbers(self._make.all_of([self._compile(query), among])))

    def count(self, query: TrialQuery) -> int:
        """Count the matches exactly."""
        return self._matches.count(self._compile(query))

    def count_by(self, query: TrialQuery, piece: str) -> Mapping[str, int]:
        """Count the matches per value of an enumerated or yes-no piece, number, year or country.

        A study with several values counts once for each.
        """
        compiled = self._compile(query)
        if piece in OWN_AREAS and (values := self._readings.values.open(piece)) is not None:
            return by_frequency(values.count(self._matches.numbers(compiled)))
        known = known_piece(OWN_AREAS.get(piece, piece))
        if known.name in FACETS or known.kind is Kind.NUMBER:
            return self._matches.count_column(compiled, column_of(known))
        if known.kind in (Kind.ENUM, Kind.BOOLEAN):
            return self._count_terms(compiled, known)
        if known.name == "LocationCountryCode":
            return self._count_values(compiled, pieces()["LocationCountry"], country_code)
        return self._count_values(compiled, known)

    def words_starting(self, beginnings: Sequence[str], param: str) -> Mapping[str, int]:
        """Give the folded words of names and titles that begin so, with the studies of each."""
        area = find_param(param)
        counts: dict[str, int] = {}
        for field in name_fields(Target(area.name, area.parts)) if area else ():
            for beginning in beginnings:
                for word, held in self._searcher.terms_starting(field, beginning):
                    counts[word] = max(held, counts.get(word, 0))
        return counts

    def match_numbers(self, query: TrialQuery) -> set[int]:
        """Give the numbers of all matches."""
        return set(self._matches.numbers(self._compile(query)))

    def iter_numbers(self, query: TrialQuery) -> Iterator[int]:
        """Yield the numbers of all matches in the query's order."""
        yield from self.find(query, limit=max(len(self), 1)).numbers

    def raw(self, numbers: Sequence[int]) -> list[bytes]:
        """Give stored records as they came, in this order; absent ones are left out."""
        found = self._records.get(numbers)
        return [found[number] for number in numbers if number in found]

    def kept_criteria(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Give what is kept of the criteria of trials; what was not read yet is absent."""
        return self._readings.kept.criteria(numbers)

    def kept_annotations(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Give what is kept of trials as annotated; what was not read yet is absent."""
        return self._readings.annotations.get(numbers)

    def numbers_about(self, term: Term, *, focus: bool = True) -> set[int] | None:
        """Give the trials about a condition or a narrower one; None where that is not kept."""
        return self._readings.conditions.find(term, focus=focus)

    def rows(self, numbers: Sequence[int], names: Sequence[str]) -> list[tuple[Any, ...]]:
        """Give the values of some pieces of studies, in this order; absent ones are left out."""
        read_row = row_reader(tuple(names))
        packed = self._records.get_rows(numbers) if read_row else {}
        whole = self._records.get([number for number in numbers if number not in packed])
        found = [pieces()[name] for name in names]
        read: list[tuple[Any, ...]] = []
        for number in numbers:
            if read_row and number in packed:
                read.append(read_row(packed[number]))
            elif number in whole:
                study = msgspec.json.decode(whole[number])
                read.append(tuple(row_values(study, piece) for piece in found))
        return read

    def iter_raw(self) -> Iterator[tuple[int, bytes]]:
        """Yield every record in ascending order of its number."""
        return self._records.iter()

    def resolve_number(self, number: int) -> int | None:
        """Give the number of the study that has this number, now or as an alias."""
        for field in (NUMBER, ALIAS):
            found = self._matches.numbers(self._make.term(field, number))
            if found:
                return min(found)
        return None

    def is_expensive(self, query: TrialQuery) -> bool:
        """Whether stored records have to be read to tell what matches."""
        nodes = [*self._meanings(query), *self._filters(query)]
        return any(map(self._compiler.reads_records, nodes))

    def searched_pieces(self, query: TrialQuery) -> tuple[Piece, ...]:
        """Give the pieces that the query's expressions look at."""
        nodes = [*self._meanings(query), *self._filters(query)]
        return tuple(dict.fromkeys(piece for node in nodes for piece in searched_pieces(node)))

    def _meanings(self, query: TrialQuery) -> list[Resolved]:
        return [resolve(node, _place_of(param)) for param, node in query.queries]

    def _filters(self, query: TrialQuery) -> list[Resolved]:
        return [_meaning_of_filter(node) for node in query.filters]

    def _compile(self, query: TrialQuery, *, ranked: bool = False) -> tantivy.Query:
        make, compiler = self._make, self._compiler
        meanings = self._meanings(query)
        narrowed = _are_several_words(meanings)
        filters = [self._filter(node, narrowed=narrowed) for node in query.filters]
        if query.statuses:
            named = compiler.values.any_of("OverallStatus", query.statuses, narrowed=narrowed)
            filters.append(named)
        clauses = [make.constant(each) for each in filters]
        if query.ids:
            numbers = [nct_id.number for nct_id in query.ids]
            either = [make.terms(NUMBER, numbers), make.terms(ALIAS, numbers)]
            clauses.append(make.constant(make.any_of(either)))
        if query.accepts:
            clauses.append(make.constant(make.terms(NUMBER, self._accepting_numbers(query))))
        if query.circle:
            near = [compiler.near(query.circle)]
            if query.beside_circle:
                near.append(self._filter(query.beside_circle, narrowed=False))
            clauses.append(make.constant(make.any_of(near)))
        within = make.all_of(clauses) if clauses else None
        if not meanings:
            return make.constant(within) if within else make.everything()
        # The words on their own: they rule out more than filters, which are asked about the rest.
        few = len(meanings) > 1 or query.circle is not None
        texts = compiler.compile_texts(meanings, within, narrowed=few)
        if ranked:
            return make.all_of([*texts.found, *clauses, *texts.scored])
        return make.constant(make.all_of([*texts.found, *clauses]))

    def _accepting_numbers(self, query: TrialQuery) -> list[int]:
        """Give the matches that the facts of a query do not rule out; kept for its next pages."""
        asked = query_digest(replace(query, sort=()))
        if asked not in self._accepting:
            found = self._matches.numbers(self._compile(replace(query, accepts=(), sort=())))
            self._accepting[asked] = self._readings.acceptor.keep(found, query.accepts)
            if len(self._accepting) > _REMEMBERED:
                self._accepting.popitem(last=False)
        return self._accepting[asked]

    def _filter(self, node: Node, *, narrowed: bool) -> tantivy.Query:
        known = self._compiled_filters.get((node, narrowed))
        if known is not None:
            return known
        meaning = _meaning_of_filter(node)
        compiled = self._compiler.compile_filter(meaning, narrowed=narrowed)
        # What records were read for is the list of all matches, too long to keep.
        if self._compiler.reads_records(meaning):
            return compiled
        return self._compiled_filters.keep((node, narrowed), compiled)

    def _count_terms(self, compiled: tantivy.Query, piece: Piece) -> Mapping[str, int]:
        is_flag = piece.kind is Kind.BOOLEAN
        values = ("true", "false") if is_flag else self._compiler.values.values(piece)
        terms = {value: self._make.term(piece.name, value) for value in values}
        counts = {
            value: self._matches.count(self._make.all_of([compiled, term]))
            for value, term in terms.items()
        }
        return by_frequency(counts)

    def _count_values(
        self,
        compiled: tantivy.Query,
        piece: Piece,
        to_key: Callable[[str], str | None] = lambda value: value,
    ) -> Mapping[str, int]:
        """Count the matches per value, or per key that several values may share."""
        counts: Counter[str | None] = Counter()
        numbers = self._matches.numbers(compiled)
        for start in range(0, len(numbers), BATCH):
            check_deadline()
            for values in self._values(numbers[start : start + BATCH], piece):
                counts.update({to_key(str(value)) for value in values})
        return by_frequency({key: count for key, count in counts.items() if key is not None})

    def _values(self, numbers: Sequence[int], piece: Piece) -> Iterator[Sequence[Any]]:
        """Yield the values of a piece in each study, from the rows where they hold it."""
        place = place_counted(piece.name)
        stored = {} if place is None else self._records.get_rows(numbers)
        rows = {number: unpack_row(packed) for number, packed in stored.items()}
        known = {} if place is None else {n: row[place] for n, row in rows.items()}
        yield from known.values()
        for data in self.raw([number for number in numbers if number not in known]):
            yield values_at(msgspec.json.decode(data), piece)


def _meaning_of_filter(node: Node) -> Resolved:
    return resolve(node, areas()["BasicSearch"])


def _are_several_words(meanings: Sequence[Resolved]) -> bool:
    """Whether few studies have what is asked for; of one word there may be very many."""
    texts = [meaning.text for meaning in meanings if isinstance(meaning, MatchText)]
    return len(meanings) > 1 or any(len(text.split()) > 1 for text in texts)


def _load_learned(path: Path) -> LearnedNames:
    from trialyst.vocabulary.learned import LearnedNames
    from trialyst.vocabulary.table import DamagedTable

    try:
        return LearnedNames.load(path)
    except (OSError, DamagedTable) as problem:
        raise RegistryError(
            f"The names learned from the records, in {str(path)!r}, cannot be read: {problem}"
        ) from problem


def _place_of(param: str) -> Any:
    area = find_param(param)
    return area if area else pieces()["LeadSponsorName"]
