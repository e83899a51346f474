"""Determines the level of each heading: headings in reading order → levels and parents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.language.vocabulary import phrase_of
from core.library.structure.labels import RANKS
from core.library.structure.roles import title_role
from core.library.structure.titles import TitleCandidate
from core.library.structure.words import bare

_CONTINUED = phrase_of("library/structure.tree.continued")
_DEEPEST = 12
_ENDINGS = frozenset(("signatures", "exhibits"))
_SMALLEST = 99


@dataclass(frozen=True)
class Node:
    """A section: its start, and the index of its parent section (-1: none)."""

    place: int
    head: TitleCandidate
    level: int
    parent: int


def tree_of(heads: Mapping[int, TitleCandidate]) -> list[Node]:
    """The sections in order. A heading repeated inside its own section ("continued") starts no new one."""
    nodes: list[Node] = []
    open_: list[int] = []
    for place, head in heads.items():
        if any(_is_same(nodes[number].head, head) for number in open_):
            continue
        kept = _still_open(head, [nodes[number] for number in open_])
        open_ = open_[:kept]
        above = nodes[open_[-1]] if open_ else None
        level = head.level if head.level and not _is_nested(head, above) else (above.level if above else 0) + 1
        nodes.append(Node(place, head, min(level, _DEEPEST), open_[-1] if open_ else -1))
        open_.append(len(nodes) - 1)
    return nodes


def _is_same(one: TitleCandidate, other: TitleCandidate) -> bool:
    return bool(other.label and other.label.is_named) and bare(one.title) == _continued(bare(other.title))


def _continued(title: str) -> str:
    return title.removesuffix(" continued").removesuffix(_CONTINUED)


def _is_nested(head: TitleCandidate, above: Node | None) -> bool:
    """Whether the format gives "5.1" the same level as the "5" above it."""
    if above is None or head.fixed:
        return False
    return bool(head.label and above.head.label and head.label.is_within(above.head.label))


def _still_open(head: TitleCandidate, open_: list[Node]) -> int:
    """How many of the open sections continue around a section that begins with ``head``."""
    if head.level:
        return _by_level(head, open_)
    rank = _skeleton_rank(head)
    if rank is not None:
        return _open_count(open_, lambda node: _is_outranked(rank, node, head.fixed))
    if head.label and head.label.scheme != "paren":
        return _by_number(head, open_)
    return _by_size(head, open_)


def _by_level(head: TitleCandidate, open_: list[Node]) -> int:
    for depth in range(len(open_) - 1, -1, -1):
        node = open_[depth]
        if _is_nested(head, node):
            return depth + 1
    return _open_count(open_, lambda node: node.level >= head.level)


def _skeleton_rank(head: TitleCandidate) -> int | None:
    """The rank of a heading that is a part, annex, chapter or item, or begins the signatures or a list of exhibits. It
    ends every open section except those ranked above it."""
    if head.label and head.label.is_named:
        return head.label.rank if head.label.rank < RANKS["section"] * 10 else None
    return 0 if head.label is None and title_role(head.title) in _ENDINGS else None


def _is_outranked(rank: int, node: Node, by_outline: bool) -> bool:
    label = node.head.label
    if node.head.fixed and not by_outline:
        return label is not None and label.rank >= rank
    return label is None or not label.is_named or label.rank >= rank


def _by_number(head: TitleCandidate, open_: list[Node]) -> int:
    """ "5.1" goes inside "5"; "3" ends "2"; a first number starts inside the section above it."""
    label = head.label
    assert label is not None
    for depth in range(len(open_) - 1, -1, -1):
        other = open_[depth].head.label
        if other and label.is_within(other):
            return depth + 1
        if other and other.key == label.key:
            return depth
        if other and other.rank > label.rank:
            continue
        if other and other.is_named:
            break
    if label.number[-1] == 1 and (not open_ or open_[-1].head.label is None):
        return len(open_)
    return _by_size(head, open_)


def _by_size(head: TitleCandidate, open_: list[Node]) -> int:
    """Type of the same or larger size ends the open sections, but never those kept open by an outline or a label."""

    def ends(node: Node) -> bool:
        if node.head.fixed:
            return head.fixed
        if node.head.label is None or node.head.level:
            return (head.size or _SMALLEST) <= (node.head.size or node.head.level or _SMALLEST)
        if head.label is not None:
            return node.head.label.rank >= head.label.rank
        return not node.head.label.is_named and 0 < head.size < node.head.size

    kept = len(open_)
    while kept and ends(open_[kept - 1]):
        kept -= 1
    return kept


def _open_count(open_: list[Node], ends: Callable[[Node], bool]) -> int:
    """How many stay open: all before the first one that ends."""
    return next((depth for depth, node in enumerate(open_) if ends(node)), len(open_))
