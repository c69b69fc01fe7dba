"""Generated Essie trees: leaves, operators, and the groups that join them.

Every part can be replaced, so that other tests can draw queries from their own words and fields.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from trialyst.essie import ast, build
from trialyst.essie.areas import areas
from trialyst.essie.pieces import pieces
from trialyst.essie.tokens import KEYWORDS, REFUSED

Trees = st.SearchStrategy[ast.Node]
Operator = Callable[[ast.Node], ast.Node]

_SPECIAL = set('"()[],')
NAMES: tuple[str, ...] = (*pieces(), *areas(), "NCT-ID", "protocolSection.designModule.phases")


def _is_word(text: str) -> bool:
    return bool(text) and not (
        _SPECIAL & set(text) or any(map(str.isspace, text)) or REFUSED.search(text)
    )


_letters = st.characters(exclude_categories=("Cs", "Cc"))
plain_words = st.one_of(
    st.sampled_from(["a", "heart", "COVID-19", "HER2+", "Alzheimer's", "&", "\\", "\\\\a", "b\\"]),
    st.sampled_from(sorted(KEYWORDS)),
    st.text(_letters, min_size=1, max_size=8).filter(_is_word),
)
phrase_texts = st.one_of(
    st.sampled_from(["heart attack", 'a "b"', "back\\slash", 'end\\"', "NOT", "AREA[x]", "a, b"]),
    st.text(_letters, min_size=1, max_size=20).filter(lambda text: bool(text.strip())),
)
bounds = st.one_of(
    st.none(),
    st.dates().map(str),
    st.integers(-(10**9), 10**9).map(str),
    st.sampled_from(["18 Years", "6 months", "18d", "2022", "2022-03", "01/15/2015"]),
)


def word_runs(words: st.SearchStrategy[str] = plain_words) -> Trees:
    """Draw one to four words, with commas between some of them."""

    def with_commas(run: list[str], commas: list[bool]) -> ast.Node:
        parts: list[str] = []
        for number, word in enumerate(run):
            parts += [","] * (number > 0 and commas[number]) + [word]
        return ast.Words(tuple(parts))

    runs = st.lists(words, min_size=1, max_size=4)
    return st.builds(with_commas, runs, st.lists(st.booleans(), min_size=4, max_size=4))


def phrases(texts: st.SearchStrategy[str] = phrase_texts) -> Trees:
    """Draw quoted phrases."""
    return texts.map(ast.Phrase)


def ranges(ends: st.SearchStrategy[str | None] = bounds) -> Trees:
    """Draw closed and open intervals."""
    return st.builds(ast.Range, ends, ends)


def circles(max_radius: float = 500) -> Trees:
    """Draw circles on the globe."""
    return st.builds(
        ast.Distance,
        st.floats(-90, 90),
        st.floats(-180, 180),
        st.floats(1, max_radius),
        st.sampled_from(["mi", "km"]),
    )


def leaves() -> Trees:
    """Draw any operand, whether or not it makes sense where it comes to stand."""
    constants: Sequence[ast.Node] = (ast.All(), ast.Missing())
    return st.one_of(word_runs(), phrases(), ranges(), circles(), st.sampled_from(constants))


def operators(names: Sequence[str] = NAMES) -> st.SearchStrategy[Operator]:
    """Draw a prefix operator, as a function that wraps its operand."""

    def in_area(name: str, size: bool) -> Operator:
        return lambda child: ast.Area(name, child, size=size)

    def in_document(name: str) -> Operator:
        return lambda child: ast.Search(name, child)

    def covered(kind: ast.CoverageKind) -> Operator:
        return lambda child: ast.Coverage(kind, child)

    def expanded(level: ast.ExpansionLevel) -> Operator:
        return lambda child: ast.Expansion(level, child)

    def tilted(name: str) -> Operator:
        return lambda child: ast.Tilt(name, child)

    return st.one_of(
        st.just(ast.Not),
        st.builds(in_area, st.sampled_from(names), st.booleans()),
        st.sampled_from(["Study", "Location"]).map(in_document),
        st.sampled_from(list(ast.CoverageKind)).map(covered),
        st.sampled_from(list(ast.ExpansionLevel)).map(expanded),
        st.sampled_from(names).map(tilted),
    )


def trees(
    leaf: Trees | None = None,
    *,
    operator: st.SearchStrategy[Operator] | None = None,
    max_leaves: int = 12,
) -> Trees:
    """Draw trees in canonical shape: groups flat and of at least two."""
    wrap = operators() if operator is None else operator

    def grow(children: Trees) -> Trees:
        several = st.lists(children, min_size=2, max_size=4)
        return st.one_of(
            several.map(lambda parts: build.all_of(*parts)),
            several.map(lambda parts: build.any_of(*parts)),
            st.builds(lambda function, child: function(child), wrap, children),
        )

    return st.recursive(leaves() if leaf is None else leaf, grow, max_leaves=max_leaves)
