"""Questions to stored pathways: text, gene and id. Blocking, and safe to share between threads."""

from __future__ import annotations

import math
import sqlite3
import threading
import weakref
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from trialyst.errors import AmbiguousQuery, InvalidInput, NotFound
from trialyst.folding import fold_phrase
from trialyst.hints import Argument, Hint
from trialyst.paging import Page, decode_cursor, digest, encode_cursor
from trialyst.pathways.errors import FIND_BY_NAME
from trialyst.pathways.gene_index import Held, HeldGene
from trialyst.pathways.gene_names import SymbolsOf, no_symbols
from trialyst.pathways.gene_reading import GeneReading, read_gene
from trialyst.pathways.genes import GeneName
from trialyst.pathways.ids import PathwayId
from trialyst.pathways.organisms import HUMAN, parse_organism
from trialyst.pathways.pathway import Pathway
from trialyst.pathways.respelling import respell
from trialyst.pathways.scoring import normalize_scores
from trialyst.pathways.source import (
    GeneSet,
    PathwayHit,
    PathwayQuery,
    PathwaySummary,
    SearchPage,
)
from trialyst.pathways.store import Entry, StoreWriter, open_store, read_body
from trialyst.pathways.words import HUMAN_FIRST, WHOLE_LABEL, Title, query_words, to_phrase, whole

__all__ = ["MAX_PAGE_SIZE", "Catalog", "check_page_size", "check_text"]

MAX_PAGE_SIZE = 100
MIN_QUERY = 2
_ALL_PATHWAYS = 2_000
"""Of WikiPathways, about: a word of one pathway among few is no rarity."""

_SUMMARY = (
    "SELECT ordinal, number, name, organism, description, last_modified, genes, metabolites, "
    "interactions FROM pathways"
)


class _Known(NamedTuple):
    """What every search needs of a pathway."""

    number: int
    organism: str
    title: Title


class _Found(NamedTuple):
    """A match of a search, before it is cut into pages."""

    ordinal: int
    relevance: float
    missing: tuple[str, ...] = ()


def check_text(text: str) -> str:
    """Give a query with its spaces tidied, or raise AmbiguousQuery where it cannot be searched."""
    tidy = " ".join(text.split())
    if len(tidy) < MIN_QUERY:
        raise AmbiguousQuery(
            f"Query {text!r} is too short (minimum {MIN_QUERY} characters required)",
            hint=Hint(
                "Use a more specific search term with at least 2 characters, as in {example}.",
                example=Argument("query", "glycolysis"),
            ),
            invalid_input=text,
        )
    if not query_words(tidy):
        raise AmbiguousQuery(
            f"Query {text!r} has no letters or digits to search for",
            hint="Use the name of a pathway, a process, a gene or a disease.",
            invalid_input=text,
        )
    return tidy


def check_page_size(page_size: int) -> int:
    """Give a size of page back, or raise InvalidInput outside 1 to 100."""
    if not 1 <= page_size <= MAX_PAGE_SIZE:
        most = str(MAX_PAGE_SIZE)
        raise InvalidInput(
            Hint("{page_size} is {given}, outside 1 to {most}", given=str(page_size), most=most),
            hint=Hint("Give {page_size} from 1 to {most}.", most=most),
            invalid_input=str(page_size),
        )
    return page_size


class Catalog:
    """The pathways of one file, or of a list."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        # A connection refers to itself: dropped, it would keep its file open until the next search
        # for cycles.
        self._let_go = weakref.finalize(self, connection.close)
        self._lock = threading.Lock()
        self.meta: dict[str, str] = dict(self._rows("SELECT key, value FROM meta"))

    @classmethod
    def open(cls, path: Path) -> Catalog:
        """Open a file, or raise PathwaysMissing or PathwayStoreDamaged."""
        return cls(open_store(path))

    @classmethod
    def of(cls, entries: Iterable[Entry], *, stamp: str = "") -> Catalog:
        """Hold some pathways in memory."""
        connection = sqlite3.connect(":memory:", check_same_thread=False)
        writer = StoreWriter(connection)
        for entry in sorted(entries, key=lambda entry: PathwayId.parse(entry.summary.id)):
            writer.add(entry)
        writer.finish({"stamp": stamp})
        return cls(connection)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._let_go()

    def __len__(self) -> int:
        return len(self._known)

    @cached_property
    def organisms(self) -> dict[str, int]:
        """The number of pathways of each organism, the most first."""
        counted = "SELECT organism, count(*) FROM pathways GROUP BY 1 ORDER BY 2 DESC, 1"
        return dict(self._rows(counted))

    def search(self, query: PathwayQuery, cursor: str | None = None) -> SearchPage:
        """Give one page of the pathways that match a text, the best first.

        A pathway must have every word; where none has, those with the most are given, and each
        hit names the words it lacks. A word that no pathway has is read as the one that is clearly
        meant. Without an organism human pathways come before equals of others.
        """
        asked = check_text(query.text)
        organism = self._organism(query.organism)
        text, respelt = respell(asked, self._has_word, lambda: self._counts)
        page = self._page(
            lambda: self._match(query_words(text), to_phrase(text), organism),
            digest(["search", fold_phrase(asked), organism]),
            page_size=query.page_size,
            cursor=cursor,
        )
        return SearchPage(page.items, page.cursor, page.total, text, respelt)

    def read_genes(
        self, names: Iterable[GeneName], symbols_of: SymbolsOf = no_symbols
    ) -> list[GeneReading]:
        """Say of each which gene was meant, and what of it the pathways here hold."""
        return [read_gene(name, self._held, symbols_of) for name in names]

    def search_gene(
        self,
        name: GeneName,
        *,
        organism: str | None = None,
        page_size: int = 50,
        cursor: str | None = None,
        symbols_of: SymbolsOf = no_symbols,
    ) -> Page[PathwayHit]:
        """Give one page of the pathways that hold this gene under any of its ids.

        Human pathways come first, then the others, in order of id.
        """
        wanted = self._organism(organism)

        def find() -> list[_Found]:
            held = read_gene(name, self._held, symbols_of).ordinals(wanted)
            ordinals = [each for each in held if self._is_of(each, wanted)]
            return [_Found(each, 1.0) for each in sorted(ordinals, key=self._human_first)]

        bound_to = digest(["gene", sorted(name.keys), wanted])
        return self._page(find, bound_to, page_size=page_size, cursor=cursor, ranked=False)

    def get(self, pathway_id: PathwayId) -> Pathway:
        """Give one pathway, or raise NotFound."""
        rows = self._rows("SELECT body FROM pathways WHERE number = ?", pathway_id.number)
        if not rows or rows[0][0] is None:
            raise NotFound(
                f"{pathway_id} is not among the pathways here",
                hint=FIND_BY_NAME,
                invalid_input=str(pathway_id),
            )
        return read_body(rows[0][0])

    def holds(self, pathway_id: PathwayId) -> bool:
        """Whether a pathway is listed here, with its record or without."""
        return bool(self._rows("SELECT 1 FROM pathways WHERE number = ?", pathway_id.number))

    def numbers(self) -> list[int]:
        """Give the numbers of the pathways whose whole record is here, in order."""
        rows = self._rows("SELECT number FROM pathways WHERE body IS NOT NULL ORDER BY number")
        return [row[0] for row in rows]

    def gene_sets(self, organism: str) -> list[GeneSet]:
        """Give the genes of every pathway of an organism whose genes are known."""
        rows = self._rows(
            _SUMMARY.replace(" FROM", ", symbols FROM")
            + " WHERE organism = ? AND symbols IS NOT NULL ORDER BY ordinal",
            organism,
        )
        return [
            GeneSet(_summary(row[:-1]), frozenset(filter(None, row[-1].split("\t"))))
            for row in rows
        ]

    @cached_property
    def _known(self) -> list[_Known]:
        rows = self._rows("SELECT number, organism, name FROM pathways ORDER BY ordinal")
        return [_Known(number, organism, Title(name)) for number, organism, name in rows]

    @cached_property
    def _counts(self) -> dict[str, int]:
        """Every word with the number of pathways that would have it among all of WikiPathways."""
        scale = max(1, _ALL_PATHWAYS // max(len(self), 1))
        counted = "SELECT word, ? * length(ordinals) / 4 FROM words WHERE word NOT LIKE '=%'"
        return dict(self._rows(counted, scale))

    def _has_word(self, word: str) -> bool:
        return bool(self._rows("SELECT 1 FROM words WHERE word = ?", word))

    def _organism(self, text: str | None) -> str | None:
        if text is None or not text.strip():
            return None
        name = parse_organism(text)
        if name not in self.organisms:
            several = ", ".join(list(self.organisms)[:5])
            raise InvalidInput(
                f"There are no pathways of {name!r} here",
                hint=f"Use one of the organisms there are, such as {several}.",
                invalid_input=text,
            )
        return name

    def _human_first(self, ordinal: int) -> tuple[bool, int]:
        return self._known[ordinal].organism != HUMAN, ordinal

    def _is_of(self, ordinal: int, organism: str | None) -> bool:
        return organism is None or self._known[ordinal].organism == organism

    def _match(self, words: list[str], phrase: str, organism: str | None) -> list[_Found]:
        weights = [self._postings(word) for word in words]
        rarity = sum(math.log1p(len(self) / max(len(each), 1)) for each in weights)
        named = self._postings(whole(phrase))

        def find(ordinal: int) -> _Found:
            known = self._known[ordinal]
            bonus = known.title.weigh(phrase)
            bonus += WHOLE_LABEL if ordinal in named else 0.0
            bonus += HUMAN_FIRST if organism is None and known.organism == HUMAN else 0.0
            relevance = sum(each.get(ordinal, 0.0) for each in weights) + rarity * bonus
            lacking = (
                word for word, each in zip(words, weights, strict=True) if ordinal not in each
            )
            return _Found(ordinal, relevance, tuple(lacking))

        found = map(find, self._having_most(weights, organism))
        return sorted(found, key=lambda each: (-each.relevance, each.ordinal))

    def _having_most(
        self, weights: Sequence[Mapping[int, float]], organism: str | None
    ) -> list[int]:
        """Give the pathways with all the words, else those with the most."""
        rarest, *others = sorted(weights, key=len)
        all_words = [
            each
            for each in rarest
            if all(each in other for other in others) and self._is_of(each, organism)
        ]
        if all_words:
            return all_words
        counts = Counter(ordinal for each in weights for ordinal in each)
        candidates = [each for each in counts if self._is_of(each, organism)]
        most = max((counts[each] for each in candidates), default=0)
        return [each for each in candidates if counts[each] == most]

    def _postings(self, word: str) -> dict[int, float]:
        rows = self._rows("SELECT ordinals, weights FROM words WHERE word = ?", word)
        if not rows:
            return {}
        return dict(zip(array("I", rows[0][0]), array("f", rows[0][1]), strict=True))

    def _held(self, key: str) -> list[HeldGene]:
        rows = self._rows("SELECT genes FROM gene_keys WHERE key = ?", key)
        numbers = array("I", rows[0][0]) if rows else array("I")
        marks = ",".join("?" * len(numbers))
        rows = self._rows(
            f"SELECT kind, symbol, organism, ordinals FROM genes WHERE gene IN ({marks})", *numbers
        )
        return [
            HeldGene(Held(kind), symbol, organism, array("I", ordinals))
            for kind, symbol, organism, ordinals in rows
        ]

    def _page(
        self,
        find: Callable[[], list[_Found]],
        bound_to: str,
        *,
        page_size: int,
        cursor: str | None,
        ranked: bool = True,
    ) -> Page[PathwayHit]:
        check_page_size(page_size)
        offset = self._offset(cursor, bound_to) if cursor else 0
        found = find()
        scores = normalize_scores([each.relevance for each in found]) if ranked else None
        part = found[offset : offset + page_size]
        summaries = self._summaries([each.ordinal for each in part])
        hits = [
            PathwayHit(
                summaries[each.ordinal], scores[offset + at] if scores else 1.0, each.missing
            )
            for at, each in enumerate(part)
        ]
        after = offset + page_size
        following = None
        if after < len(found):
            following = encode_cursor(bound_to, offset=after, stamp=self.meta.get("stamp", ""))
        return Page(hits, following, len(found))

    def _offset(self, cursor: str, bound_to: str) -> int:
        state = decode_cursor(cursor, bound_to)
        offset = state.get("offset")
        if not isinstance(offset, int) or isinstance(offset, bool) or offset < 0:
            raise InvalidInput(
                "The cursor comes from another source",
                hint="Repeat the query without the cursor, or use the source that gave it.",
                invalid_input=cursor,
            )
        if state.get("stamp") != self.meta.get("stamp", ""):
            raise InvalidInput(
                "The cursor has expired: the pathways have been loaded anew",
                hint="Omit the cursor to begin again on the new data.",
                invalid_input=cursor,
            )
        return offset

    def _summaries(self, ordinals: Sequence[int]) -> dict[int, PathwaySummary]:
        marks = ",".join("?" * len(ordinals))
        rows = self._rows(f"{_SUMMARY} WHERE ordinal IN ({marks})", *ordinals)
        return {row[0]: _summary(row) for row in rows}

    def _rows(self, statement: str, *values: object) -> list[Any]:
        with self._lock:
            return self._connection.execute(statement, values).fetchall()


def _summary(row: Sequence[Any]) -> PathwaySummary:
    _, number, name, organism, description, last_modified, genes, metabolites, edges = row
    return PathwaySummary(
        id=str(PathwayId(number)),
        name=name,
        organism=organism,
        description=description,
        last_modified=last_modified,
        genes=genes,
        metabolites=metabolites,
        interactions=edges,
    )
