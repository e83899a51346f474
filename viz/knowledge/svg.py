"""Draws the graph as SVG, with the colours, sizes and names of the page; no name covers another one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.words import Language
from viz.knowledge.graph import DrawnGraph, DrawnNode
from viz.knowledge.layout import COLOURS
from viz.templating import render

MARGIN = 130.0
FONT = 13.0
"""Size of names in pixels."""
LETTER = 0.58
"""Average width of a letter, relative to the size of the font."""
LONGEST = 34
GAP = 4.0


@dataclass(frozen=True)
class Name:
    """A name of a concept and the middle of its box; ``above``: it is above its dot."""

    id: str
    text: str
    above: bool
    x: float
    y: float


_CONTROLS = dict.fromkeys((*range(9), 11, 12, *range(14, 32)))

Box = tuple[float, float, float, float]


def as_svg(drawn: DrawnGraph, legend: Sequence[tuple[str, str]], language: Language) -> str:
    """The linked concepts as a drawing without other files; ``legend`` has colours and their words."""
    nodes = [node for node in drawn.nodes if node.linked] or drawn.nodes
    places = {node.id: node for node in nodes}
    edges = [(places[each.a], places[each.b], each) for each in drawn.edges if each.a in places and each.b in places]
    left = min((node.x for node in nodes), default=0.0) - MARGIN
    top = min((node.y for node in nodes), default=0.0) - MARGIN
    width = max((node.x for node in nodes), default=0.0) + MARGIN - left
    height = max((node.y for node in nodes), default=0.0) + MARGIN - top
    written = str(
        render(
            "graph_svg",
            box=(round(left, 1), round(top, 1), round(width, 1), round(height, 1)),
            edges=edges,
            nodes=nodes,
            names=placed_names(nodes),
            colours=COLOURS,
            legend=legend,
            font=FONT,
            language=language,
        )
    )
    return without_controls(written)


def without_controls(text: str) -> str:
    """The text without the control characters that XML does not allow."""
    return text.translate(_CONTROLS)


def placed_names(nodes: Sequence[DrawnNode], sides: int = 4) -> list[Name]:
    """The names that have room, the most important first: below the dot, above it, to its right or to its left, or only
    on the first ``sides`` of these."""
    taken: list[Box] = [(n.x - n.size, n.y - n.size, n.x + n.size, n.y + n.size) for n in nodes]
    placed = []
    for node in sorted(nodes, key=lambda each: -each.importance):
        text = node.label if len(node.label) <= LONGEST else f"{node.label[: LONGEST - 2]}…"
        for x, y, box in _places(node, len(text) * FONT * LETTER)[:sides]:
            if not any(_overlap(box, other) for other in taken):
                taken.append(box)
                placed.append(Name(node.id, text, y < node.y, round(x, 1), round(y, 1)))
                break
    return placed


def _places(node: DrawnNode, width: float) -> list[tuple[float, float, Box]]:
    high = FONT * 1.3
    away, aside = node.size + GAP + high / 2, node.size + GAP + width / 2
    middles = [(node.x, node.y + away), (node.x, node.y - away), (node.x + aside, node.y), (node.x - aside, node.y)]
    return [(x, y, (x - width / 2, y - high / 2, x + width / 2, y + high / 2)) for x, y in middles]


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
