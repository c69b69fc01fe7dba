"""Nouns that the phrases of a list share: "breast or ovarian cancer", "hepatitis B or C"."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from trialyst.eligibility.elements import CONNECTORS, Element
from trialyst.eligibility.joins import join_any, share_windows
from trialyst.eligibility.modifiers import describe, has_state
from trialyst.eligibility.phrases import field_words
from trialyst.eligibility.requirement import (
    Allergy,
    Has,
    Measured,
    Opaque,
    Person,
    Requirement,
    Tense,
    Took,
    Underwent,
)
from trialyst.eligibility.timing import before_parenthesis
from trialyst.eligibility.tokens import is_adjective

if TYPE_CHECKING:
    from trialyst.eligibility.lexicon import Lexicon
    from trialyst.eligibility.phrases import Item

__all__ = ["NounSharing"]

_SHARING = CONNECTORS - {";", "but"}
_SHOWN = frozenset(("on", "by", "at", "in", "upon", "from"))
"""Words between a finding and the examination that shows it."""
_SAYING_MORE = frozenset("leaf link cause window".split())
"""What may follow a list of which it says more."""
_MOST_NAME = 3
"""Words of a name that nothing knows."""
_DASHES = "-\u2013\u2014"
_VACCINES = ("vaccine", "vaccines", "vaccination", "vaccinations", "immunization")
_SITE_WORDS = 7
"""Most words of a phrase that only tells where a thing is: "of the left knee"."""


class NounSharing:
    """Completes leaves of a text by the words before and behind them."""

    def __init__(self, text: str, lexicon: Lexicon, out: list[Element]) -> None:
        self.text, self.lexicon, self.out = text, lexicon, out

    def with_state(self, chunk: list[Item]) -> list[Item]:
        """Let "adequate hepatic, cardiac and renal function" ask for an adequate renal function."""
        at = len(self.out)
        while at >= 2 and self.out[at - 1].kind in _SHARING and self.out[at - 2].bare:
            at -= 2
        told = (
            [item for item in self.out[at].chunk if item.kind == "state"] if self.out[at:] else []
        )
        if not told or has_state(chunk):
            return chunk
        start = chunk[0].start
        return [told[0]._replace(start=start, end=start), *chunk]

    def extend(self, prep: str, chunk: list[Item]) -> bool:
        """Let a phrase that only tells where or of what sort lengthen the leaf before it."""
        last = self.out[-1] if self.out else None
        if last is None or len(chunk) > _SITE_WORDS:
            return False
        if last.kind == ")":
            # "Headache (migraine or cluster) from any provider".
            return True
        node = last.node
        if not isinstance(node, Has | Took | Underwent | Measured | Person | Allergy):
            return False
        start, end = node.span[0], chunk[-1].end
        fields = [item.value for item in chunk if item.kind == "field"]
        if isinstance(node, Has) and node.general and fields and node.what is None:
            node = msgspec.structs.replace(node, what=self.lexicon.term(fields[-1]))
        elif isinstance(node, Has) and prep in ("of", "in") and len(chunk) <= 3:
            node = self._reordered(node, chunk)
        elif isinstance(node, Person):
            node = msgspec.structs.replace(node, detail=self.text[chunk[0].start : end])
        last.node = msgspec.structs.replace(node, words=self.text[start:end], span=(start, end))
        last.end = end
        last.placed = True
        return True

    def _reordered(self, node: Has, chunk: list[Item]) -> Has:
        """Look for "breast carcinoma" where the text has "carcinoma of the breast"."""
        site = self.text[chunk[0].start : chunk[-1].end]
        sought = f"{site} {node.words}"
        found = self.lexicon.find(sought)
        if len(found) == 1 and found[0].end - found[0].start == len(sought):
            return msgspec.structs.replace(node, what=found[0].what, kind=found[0].kind)
        return node

    def specify(self, prep: str, leaf: Requirement) -> bool:
        """Let "symptoms of asthma" name asthma."""
        said = before_parenthesis(self.out)
        last = said[-1] if said else None
        if last is None or last.kind != "leaf":
            return False
        node = last.node
        if isinstance(node, Took) and node.general == "other trial":
            # What another trial is about is not asked of the patient.
            last.placed = True
            return True
        if last is not self.out[-1]:
            return False
        if isinstance(node, Took) and self._is_narrowed(node, prep, leaf):
            return True
        if isinstance(node, Has) and isinstance(leaf, Underwent) and prep in _SHOWN:
            proof = ", ".join(filter(None, (node.proof, leaf.words)))
            last.node = msgspec.structs.replace(node, proof=proof)
            return True
        if prep not in ("of", "from", "in"):
            return False
        if isinstance(node, Allergy) and isinstance(leaf, Allergy) and node.what is None:
            # "Components of turmeric".
            last.node = msgspec.structs.replace(leaf, span=(node.span[0], leaf.span[1]))
            last.end = leaf.span[1]
            return True
        if not (isinstance(node, Has) and isinstance(leaf, Has) and node.what is None):
            return False
        span = (node.span[0], leaf.span[1])
        words = self.text[span[0] : span[1]]
        last.node = msgspec.structs.replace(
            node, what=leaf.what, kind=leaf.kind, words=words, general=leaf.general, span=span
        )
        last.end = span[1]
        return True

    def _is_narrowed(self, node: Took, prep: str, leaf: Requirement) -> bool:
        """Tell whether "lines of chemotherapy", "vaccine against measles" were made one."""
        last = self.out[-1]
        if node.general == "prior therapy" and prep == "of" and isinstance(leaf, Took):
            counted = msgspec.structs.replace(leaf, lines=node.lines, tense=Tense.EVER)
        elif isinstance(leaf, Has) and prep in ("against", "for", "to") and _is_vaccine(node):
            sought = f"{leaf.words} vaccine"
            found = self.lexicon.find(sought)
            what = found[-1].what if found and found[-1].end == len(sought) else node.what
            words = self.text[node.span[0] : leaf.span[1]]
            counted = msgspec.structs.replace(node, what=what, words=words)
            last.placed = True
        else:
            return False
        last.node = msgspec.structs.replace(counted, span=(node.span[0], leaf.span[1]))
        last.end = leaf.span[1]
        return True

    def borrow_prefix(self, leaf: Requirement) -> bool:
        """Read "hepatitis B or C" as if "hepatitis" stood twice."""
        if len(self.out) < 2 or self.out[-1].kind not in CONNECTORS or self.out[-2].kind != "leaf":
            return False
        node, (start, end) = self.out[-2].node, leaf.span
        if end - start > 3 or not isinstance(node, Has | Took) or node.what is None:
            return False
        stem, _, last = node.words.rpartition(" ")
        if not stem or len(last) > 3:
            return False
        sought = f"{stem} {self.text[start:end]}"
        found = self.lexicon.find(sought)
        if len(found) != 1 or found[0].end - found[0].start < len(sought):
            return False
        same = msgspec.structs.replace(node, what=found[0].what, words=sought, span=(start, end))
        self.out.append(Element("leaf", start, end, same))
        return True

    def lend_head(self) -> None:
        """Give the noun just read to the phrases before it that lack one."""
        at = len(self.out) - 1
        node = self.out[at].node
        if not isinstance(node, Has | Took | Underwent | Measured):
            return
        heads = node.words.split()
        alone = len(heads) == 1 and (not getattr(node, "general", "") or is_adjective(heads[0]))
        if alone:
            return
        while at >= 2 and self.out[at - 1].kind in _SHARING:
            lacking = self.out[at - 2]
            if lacking.kind != "leaf" or self.out[at].fresh:
                return
            if not lacking.bare and is_adjective(getattr(lacking.node, "words", " ")):
                # "Hormonal" of "renal, hormonal or mental disorders" has its noun already.
                at -= 2
                continue
            if not lacking.bare and not (isinstance(lacking.node, Has) and _is_vaccine(node)):
                return
            if not isinstance(lacking.node, Opaque | Has | Took):
                return
            whole = self._completed(lacking, node, heads)
            if whole is None:
                return
            lacking.node = self._described(whole, lacking)
            lacking.bare, lacking.shared = False, True
            at -= 2

    def _described(self, whole: Requirement, lacking: Element) -> Requirement:
        """Give "severe aortic or mitral disease" its severity."""
        if not isinstance(whole, Has):
            return whole
        plain = msgspec.structs.replace(whole, severity="", activity="", proof="", stage=())
        return describe(plain, list(lacking.chunk), self.text)

    def _completed(
        self, lacking: Element, node: Has | Took | Underwent | Measured, heads: list[str]
    ) -> Requirement | None:
        own = getattr(lacking.node, "words", "") or self.text[lacking.start : lacking.end]
        change = msgspec.structs.replace
        for size in range(1, min(3, len(heads)) + 1):
            sought = f"{own} {' '.join(heads[-size:])}"
            found = self.lexicon.find(sought)
            if isinstance(node, Measured) or not found or found[-1].start >= len(own):
                continue
            if found[-1].end == len(sought):
                named = found[-1]
                same = change(
                    node,
                    words=sought,
                    what=named.what,
                    modifiers="",
                    span=(lacking.start, lacking.end),
                )
                return change(same, kind=named.kind) if isinstance(node, Has) else same
        words, span = f"{own} {heads[-1]}", (lacking.start, lacking.end)
        unknown = isinstance(lacking.node, Opaque) and " " not in own and len(heads) > 1
        unknown = unknown or _is_vaccine(node)
        if not is_adjective(own.split()[-1]) and not lacking.field and not unknown:
            return None
        if isinstance(node, Measured):
            return change(node, words=words, analyte=words.lower(), span=span)
        return change(node, words=words, what=None, modifiers="", span=span)

    def finish(self) -> None:
        """Complete the lists of a text that was read to its end."""
        if any(each.kind in _SHARING for each in self.out):
            self.drop_places()
            self.name_unknown()
            self.lend_time()
            self.join_siblings()

    def name_unknown(self) -> None:
        """Let an unknown word among drugs be one: "ibuprofen, xyzol or naproxen"."""
        for at in range(2, len(self.out)):
            unknown, before = self.out[at], self.out[at - 2].node
            if not (isinstance(unknown.node, Opaque) and isinstance(before, Took)):
                continue
            following = self._next_of_list(at)
            beside = self.out[following or max(0, at - 4)].node
            if (
                len(unknown.node.words.split()) <= _MOST_NAME
                and not (unknown.field or unknown.fresh)
                and self.out[at - 1].kind in _SHARING
                and isinstance(beside, Took)
                and None not in (before.what, beside.what)
            ):
                unknown.node = msgspec.structs.replace(
                    before,
                    what=None,
                    modifiers="",
                    words=unknown.node.words,
                    span=unknown.node.span,
                )
                unknown.bare = False

    def lend_time(self) -> None:
        """Give the time before a list to all of it: "in the last year, use of A or B"."""
        for at, first in enumerate(self.out):
            timed_first = first.leading and getattr(first.node, "when", None) is not None
            place = self._next_of_list(at) if timed_first else 0
            while place:
                following = self.out[place]
                timed = _timed_as(first, following)
                if timed is None:
                    break
                following.node = timed
                place = self._next_of_list(place)

    def _next_of_list(self, at: int) -> int:
        """Give the place of what stands behind the next connectors; 0 where none do."""
        following = at + 1
        while following < len(self.out) and self.out[following].kind in _SHARING:
            following += 1
        return 0 if following in (at + 1, len(self.out)) else following

    def join_siblings(self) -> None:
        """Make one of "breast or lung cancer" where more is said of both: "... after surgery"."""
        out, at = self.out, 0
        while at + 1 < len(out):
            end = self._last_sibling(at) if out[at + 1].kind in _SHARING else -1
            follows = out[end + 1].kind if end + 1 < len(out) else "stop"
            if end > at and follows in _SAYING_MORE:
                nodes = [each.node for each in out[at : end + 1] if each.node is not None]
                share_windows(nodes)
                node = join_any(nodes)
                out[at : end + 1] = [Element("leaf", *node.span, node, fresh=out[at].fresh)]
            at += 1

    def _last_sibling(self, at: int) -> int:
        """Give the place of the last of the leaves that share a noun and an "or"."""
        joins: set[str] = set()
        while (following := self._next_of_list(at)) and _lacks_noun(
            self.out[at], self.out[following]
        ):
            joins.update(each.kind for each in self.out[at + 1 : following])
            at = following
        return at if joins & {"or", "/"} and "and" not in joins else -1

    def drop_places(self) -> None:
        """Leave out the other places of a thing: "pain in the neck, back or shoulder"."""
        out, at = self.out, 0
        while at + 2 < len(out):
            following = out[at + 2]
            if (
                out[at].placed
                and out[at + 1].kind in _SHARING
                and (
                    (following.bare and isinstance(following.node, Opaque))
                    or (isinstance(following.node, Has) and isinstance(out[at].node, Took))
                )
            ):
                out[at].node = _with_time_of(out[at].node, following.node)
                del out[at + 1 : at + 3]
            else:
                at += 1

    def trail(self, chunk: list[Item], *, fresh: bool) -> None:
        """Give modifiers without a noun to the leaf before them: "hypertension, uncontrolled"."""
        last = self.out[-1] if self.out else None
        if last is not None and last.kind == "except" and len(self.out) > 1:
            self._except_kind(chunk)
            return
        dashed = last is not None and last.kind == ";" and self.text[last.start] in _DASHES
        if last is not None and (dashed or last.kind in (",", "(")) and len(self.out) > 1:
            last = self.out[-2]
        if last is not None and last.kind == "leaf" and isinstance(last.node, Has):
            last.node = describe(last.node, chunk, self.text)
            return
        node = _course_leaf(chunk, self.text)
        if node is not None and (last is None or last.kind != "leaf"):
            self.out.append(Element("leaf", *node.span, node, fresh=fresh, bare=True))

    def _except_kind(self, chunk: list[Item]) -> None:
        """Give "chemotherapy except adjuvant" the noun of what it is excepted from."""
        node, (start, end) = self.out[-2].node, (chunk[0].start, chunk[-1].end)
        if isinstance(node, Has | Took | Underwent):
            told = self.text[start:end].lower()
            words = f"{told} {node.words}"
            kind = msgspec.structs.replace(node, words=words, modifiers=told, span=(start, end))
            self.out.append(Element("leaf", start, end, kind))


def _lacks_noun(one: Element, other: Element) -> bool:
    """Tell whether a leaf is named by the noun of the one behind the next connector."""
    node = one.node
    if one.shared or type(node) is not type(other.node) or other.fresh:
        return one.shared
    if not isinstance(node, Has | Took | Underwent) or node.what is None:
        return False
    words = node.words.lower()
    return words in field_words() or (" " not in words and is_adjective(words))


def _timed_as(first: Element, following: Element) -> Requirement | None:
    """Give what a list goes on with in the time before the list; None where it has its own."""
    one, other = first.node, following.node
    if following.fresh or not isinstance(one, Has | Took | Underwent):
        return None
    if not isinstance(other, Has | Took | Underwent) or type(one) is not type(other):
        return None
    if other.when is not None or other.tense is not one.tense:
        return None
    return msgspec.structs.replace(other, when=one.when)


def _with_time_of(node: Requirement | None, last: Requirement | None) -> Requirement | None:
    """Give a treatment the time told behind the last of the places left out."""
    if isinstance(node, Took) and node.when is None and isinstance(last, Has) and last.when:
        return msgspec.structs.replace(node, when=last.when)
    return node


def _is_vaccine(node: Requirement) -> bool:
    return isinstance(node, Took) and node.words.lower().endswith(_VACCINES)


def _course_leaf(chunk: list[Item], text: str) -> Has | None:
    """Give words that tell only a course or stage, "recurrent", as those of a disease."""
    told = [item for item in chunk if item.kind in ("activity", "stage", "severity")]
    if not told:
        return None
    span = told[0].start, told[-1].end
    return describe(Has(words=text[slice(*span)], general="disease", span=span), chunk, text)
