"""Syntax to meaning: distributes the context operators and checks every name and value.

Refuses, with the live service's wording where it is known, what the fields cannot answer.
"""

from __future__ import annotations

from trialyst.essie import ast, build
from trialyst.essie.annotated import OWN_AREAS, with_mesh_terms
from trialyst.essie.areas import Area
from trialyst.essie.errors import EssieError, clip
from trialyst.essie.limits import check_depth
from trialyst.essie.parser import parse
from trialyst.essie.pieces import Piece
from trialyst.essie.render import render
from trialyst.essie.resolved import (
    AllOf,
    Annotated,
    AnyOf,
    NoneOf,
    Resolved,
    SameLocation,
    Tilted,
)
from trialyst.essie.scope import Place, Refusal, Scope, find_place
from trialyst.essie.sources import ORDERED, resolve_source

__all__ = ["resolve"]


def resolve(node: ast.Node, area: Place, *, text: str | None = None) -> Resolved:
    """Give the meaning of an expression whose bare words search an area, or one piece.

    >>> from trialyst.essie.areas import find_param
    >>> resolve(parse("AREA[Phase]Phase 2"), find_param("term")).value
    'PHASE2'

    Args:
        text: What the tree was parsed from; errors point into it, otherwise into `render(node)`.

    Raises:
        EssieError: a name, value or combination is not possible.
    """
    check_depth(node)
    scope = Scope(home=area, place=area)
    try:
        return _resolve(node, scope)
    except Refusal as refusal:
        raise _locate(refusal, node, scope, text) from None


def _locate(refusal: Refusal, node: ast.Node, scope: Scope, text: str | None) -> EssieError:
    position = refusal.node.span.start
    if text is None:
        text, position = _place_in_rendered(node, scope)
    return EssieError(refusal.message, text=text, position=position, hint=refusal.hint)


def _place_in_rendered(node: ast.Node, scope: Scope) -> tuple[str, int]:
    """Render a tree and find the refused node there: what was rendered fails at the same node."""
    text = render(node)
    try:
        _resolve(parse(text), scope)
    except Refusal as refusal:
        return text, refusal.node.span.start
    except EssieError:
        # A tree built by a program may render to more text than the parser takes.
        return text, 0
    return text, 0


def _resolve(node: ast.Node, scope: Scope) -> Resolved:
    match node:
        case ast.And():
            return AllOf(tuple(_resolve(child, scope) for child in node.children))
        case ast.Or():
            return AnyOf(tuple(_resolve(child, scope) for child in node.children))
        case ast.Not():
            return NoneOf(_resolve(node.child, scope))
        case ast.Area() if node.name in OWN_AREAS:
            return _resolve_annotated(node, scope)
        case ast.Area():
            return _resolve(node.child, scope.enter_area(node))
        case ast.Coverage() | ast.Expansion():
            return _resolve(node.child, scope.enter_match(node))
        case ast.Tilt():
            return Tilted(_find_ordered(node), _resolve(node.child, scope))
        case ast.Search():
            return _resolve_search(node, scope)
        case _:
            return resolve_source(node, scope)


def _resolve_annotated(node: ast.Area, scope: Scope) -> Resolved:
    child = node.child
    if scope.in_location or not isinstance(child, ast.Phrase | ast.Words | ast.Missing):
        raise Refusal(
            f"AREA[{node.name}] takes one name, outside of SEARCH[Location]",
            node=node,
            hint=f'Write AREA[{node.name}]"...", with a name as a count by it gives them.',
        )
    if isinstance(child, ast.Words):
        child = ast.Phrase(" ".join(child.words))
    value = None if isinstance(child, ast.Missing) else child.text
    return Annotated(node.name, value, _resolve(with_mesh_terms(ast.Area(node.name, child)), scope))


def _find_ordered(node: ast.Tilt) -> Piece:
    place = find_place(node.name, node=node)
    if isinstance(place, Area) or place.kind not in ORDERED:
        raise Refusal(
            f"Unsupported TILT field: `{clip(node.name)}`",
            node=node,
            hint="Tilt by a date, number or age, as in TILT[StudyFirstPostDate].",
        )
    return place


def _resolve_search(node: ast.Search, scope: Scope) -> Resolved:
    if _document_of(node) == "study":
        if scope.in_location:
            raise Refusal(
                "SEARCH[Study] is too deep inside SEARCH[Location]",
                node=node,
                hint="Put it outside, joined by AND or OR.",
            )
        return _resolve(node.child, scope)
    if scope.in_location:
        return _resolve(node.child, scope)
    return _resolve_location(node.child, scope)


def _document_of(node: ast.Search) -> str:
    document = node.document.casefold()
    if document not in ("study", "location"):
        raise Refusal(
            f"Unknown document name: `{clip(node.document)}`",
            node=node,
            hint="Use SEARCH[Location] or SEARCH[Study].",
        )
    return document


def _resolve_location(child: ast.Node, scope: Scope) -> Resolved:
    """Keep what speaks of the study out of the one-site test: it holds at any site or none."""
    if _is_study_search(child):
        return _resolve(child, scope)
    inner = scope.enter_location()
    if not isinstance(child, ast.And | ast.Or):
        return SameLocation(_resolve(child, inner))
    of_site = [part for part in child.children if not _is_study_search(part)]
    of_study = [part for part in child.children if _is_study_search(part)]
    join = build.all_of if isinstance(child, ast.And) else build.any_of
    meanings = [_resolve(part, scope) for part in of_study]
    if of_site:
        meanings.insert(0, SameLocation(_resolve(join(*of_site), inner)))
    if len(meanings) == 1:
        return meanings[0]
    return AllOf(tuple(meanings)) if isinstance(child, ast.And) else AnyOf(tuple(meanings))


def _is_study_search(node: ast.Node) -> bool:
    return isinstance(node, ast.Search) and _document_of(node) == "study"
