"""Places groups of concepts: communities near related ones, separate parts around the largest one, the rest in rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np

from viz.knowledge.stress import SEED, SPACING, Points, pushed_apart

LARGEST = 150
"""Maximum number of groups that are placed by forces; the others are placed around them."""
STEPS = 16
MARGIN = 1.15
GOLDEN = 2.399963
"""Golden angle in radians: points placed one after another at this angle fill a disc evenly."""
COLUMN, ROW = 200.0, 60.0
"""Size of a place in the rows of concepts without links, in pixels: a name fits into it."""


@dataclass(frozen=True)
class Group:
    """Concepts that are placed together: their indices, their positions around the group's middle, and its radius
    (pixels)."""

    ids: Sequence[int]
    points: Points
    radius: float


def group_of(ids: Sequence[int], points: Points) -> Group:
    """The group with its radius; its points are moved so that their box is around the middle."""
    points = points - (points.min(axis=0) + points.max(axis=0)) / 2
    return Group(ids, points, float(np.hypot(points[:, 0], points[:, 1]).max(initial=0.0)) + SPACING / 2)


def disc(count: int, inside: float) -> Points:
    """Points that fill the ring around a circle evenly."""
    numbers = np.arange(count)
    distances = np.sqrt(inside**2 + SPACING**2 * (numbers + 1) / np.pi * 1.2)
    return np.column_stack([distances * np.cos(numbers * GOLDEN), distances * np.sin(numbers * GOLDEN)])


def related_middles(graph: nx.Graph[int], groups: Sequence[Group]) -> Points:
    """The middle of each community of one part: near related communities, without overlap."""
    if len(groups) < 2:
        return np.zeros((len(groups), 2))
    of = {each: place for place, group in enumerate(groups) for each in group.ids}
    between: nx.Graph[int] = nx.Graph()
    between.add_nodes_from(range(len(groups)))
    for a, b, data in graph.edges(data=True):
        one, other = of.get(a), of.get(b)
        if one is not None and other is not None and one != other:
            before = between.edges[one, other]["weight"] if between.has_edge(one, other) else 0.0
            between.add_edge(one, other, weight=before + data["weight"])
    radii = np.array([group.radius for group in groups])
    near = between.subgraph(range(min(len(groups), LARGEST)))
    by_force = nx.spring_layout(near, iterations=STEPS, seed=SEED, method="force")
    start = np.array([by_force[place] for place in near])
    start = np.vstack([start, disc(len(groups) - len(start), 1.0) / SPACING])
    return pushed_apart(start * float(np.sqrt((radii**2).sum())), radii, steps=40)


def separate_middles(groups: Sequence[Group]) -> Points:
    """The middle of each separate part, the largest first: the first one is in the middle, each other one as near to
    it as there is room."""
    middles = np.zeros((len(groups), 2))
    radii = np.array([group.radius for group in groups])
    reach, turn = 0.0, 0
    for place in range(1, len(groups)):
        apart = radii[:place] + radii[place]
        reach = max(reach, radii[0] + radii[place]) if place == 1 else reach - radii[place]
        while True:
            point = reach * np.array([np.cos(turn * GOLDEN), np.sin(turn * GOLDEN)])
            turn += 1
            if (np.hypot(*(middles[:place] - point).T) >= apart).all():
                break
            reach += radii[place] / 8
        middles[place] = point
    return middles


def rows(count: int, width: float, below: float) -> Points:
    """Places for concepts without links: rows under the rest."""
    columns = max(1, min(count, round(max(width, 3 * COLUMN) / COLUMN)))
    numbers = np.arange(count)
    across = (numbers % columns - (columns - 1) / 2) * COLUMN
    return np.column_stack([across, below + ROW * (1 + numbers // columns)])
