"""Calculates the positions and colour groups of the graph's concepts, their sizes, and the widths of edges.

The layout is calculated here and not in the browser, so that a large graph appears immediately and the same graph
always looks the same. Small graphs use a force-directed layout; large ones are laid out community by community, which
keeps the force matrices small.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import networkx as nx
import numpy as np
import numpy.typing as npt

from core.knowledge.views import Colour, Edge, GraphView
from core.lru_cache import LruCache
from core.messages import message
from core.resilience.worker_processes import WorkerProcesses

COLOURS: Mapping[Colour, str] = {"routing": "#3b82f6", "content": "#22c55e", "both": "#a855f7", "action": "#f97316"}
SEED = 7
BY_FORCES = 120
"""Maximum number of concepts placed by one force-directed layout."""
LARGEST = 150
"""Maximum number of concepts of one community that are placed by forces; the community's other concepts are placed
around them."""
STEPS = 16
SPACING = 64.0
"""Average distance between neighbours in pixels."""
ROOM = 1.5
"""Factor for the distances in a small graph, where all concepts have a label."""
WIDE = 1.45
"""Ratio of the layout's width to its height: wider than high, because labels are horizontal."""
MARGIN = 1.15
GOLDEN = 2.399963
"""Golden angle in radians: points placed one after another at this angle fill a disc evenly."""
KEPT = 32
IN_WORKER = 500
"""Minimum number of concepts for which the layout is calculated in a worker process."""
_NAME = message("view.knowledge_layout")

Points = npt.NDArray[np.float64]
Positions = Mapping[str, tuple[float, float]]


@dataclass(frozen=True)
class Group:
    """A community: indices of its concepts, their positions around its middle, and its radius (pixels)."""

    ids: Sequence[int]
    points: Points
    radius: float


class Layouts:
    """Calculates layouts, and caches them as long as the graph does not change."""

    def __init__(self) -> None:
        self._kept: LruCache[tuple[str, int], Positions] = LruCache(KEPT)

    async def of(self, user_id: str, view: GraphView, workers: WorkerProcesses) -> Positions:
        """Positions by concept id, in pixels from the middle; large graphs are laid out in a worker process.

        Raises:
            PalimpsestError: it took too long ("timeout").
        """
        drawn = (tuple(node.id for node in view.nodes), tuple((edge.a, edge.b, edge.strength) for edge in view.edges))
        key = (f"{user_id}/{view.version}", hash(drawn))
        found = self._kept.use(key)
        if found is None:
            ids = [node.id for node in view.nodes]
            if len(ids) < IN_WORKER:
                found = await asyncio.to_thread(layout, ids, view.edges)
            else:
                found = await workers.run(_NAME, layout, ids, view.edges)
            self._kept[key] = found
        return found


def node_size(importance: float) -> float:
    """A concept's radius in pixels."""
    return round(7 + 17 * sqrt(max(0.0, min(importance, 1.0))), 1)


def edge_width(strength: float) -> float:
    """An edge's width in pixels."""
    return round(0.6 + 4 * max(0.0, min(strength, 1.0)), 2)


def layout(ids: Sequence[str], edges: Iterable[Edge]) -> Positions:
    """The layout of a graph. The same ids and edges always give the same positions, in every process."""
    graph = _graph(ids, edges)
    alone = [each for each in graph if graph.degree(each) == 0]
    joined = [each for each in graph if graph.degree(each) > 0]
    if len(joined) <= BY_FORCES:
        groups = [_group(graph, joined)] if joined else []
        room = ROOM
    else:
        groups = [_group(graph, each) for each in _communities(graph.subgraph(joined))]
        room = 1.0
    placed = _positions(groups, _middles(graph, groups), alone)
    return {ids[each]: (round(x * room * WIDE, 1), round(y * room, 1)) for each, (x, y) in placed.items()}


def _graph(ids: Sequence[str], edges: Iterable[Edge]) -> nx.Graph[int]:
    """The graph with indices into ``ids`` as nodes. Sets of strings have a different order in each process, so nodes
    that are strings would give different layouts."""
    places = {each: place for place, each in enumerate(ids)}
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(len(ids)))
    for edge in edges:
        a, b = places.get(edge.a), places.get(edge.b)
        if a is not None and b is not None and a != b:
            before = graph.edges[a, b]["weight"] if graph.has_edge(a, b) else 0.0
            graph.add_edge(a, b, weight=before + 0.1 + edge.strength)
    return graph


def _communities(graph: nx.Graph[int]) -> list[list[int]]:
    """Communities, the largest first; the members of each are in the order of importance."""
    ordered: nx.Graph[int] = nx.Graph()
    ordered.add_nodes_from(graph)
    ordered.add_weighted_edges_from((a, b, data["weight"]) for a, b, data in graph.edges(data=True))
    found = nx.community.louvain_communities(ordered, weight="weight", threshold=1e-2, max_level=2, seed=SEED)
    groups = [sorted(each) for each in found]
    return sorted(groups, key=lambda group: (-len(group), group[0]))


def _group(graph: nx.Graph[int], ids: Sequence[int]) -> Group:
    inner = graph.subgraph(ids[:LARGEST])
    by_force = nx.spring_layout(inner, iterations=STEPS, seed=SEED, method="force", k=1.6 / sqrt(len(inner)))
    points = np.array([by_force[each] for each in ids[:LARGEST]], dtype=float).reshape(-1, 2)
    radius = SPACING * sqrt(len(points)) / 1.6
    points = _scaled_and_apart(points - points.mean(axis=0), radius)
    if len(ids) > LARGEST:
        points = np.vstack([points, _disc(len(ids) - LARGEST, radius * MARGIN)])
    reach = float(np.hypot(points[:, 0], points[:, 1]).max(initial=0.0))
    return Group(ids, points, reach + SPACING / 2)


def _scaled_and_apart(points: Points, radius: float) -> Points:
    """Points scaled to the radius, and separated if two overlap."""
    furthest = float(np.hypot(points[:, 0], points[:, 1]).max(initial=0.0))
    if furthest == 0.0:
        return points
    return _pushed_apart(points * (radius / furthest), np.full(len(points), SPACING / 2.2), steps=6)


def _disc(count: int, inside: float) -> Points:
    """Points that fill the ring around a circle evenly."""
    numbers = np.arange(count)
    distances = np.sqrt(inside**2 + SPACING**2 * (numbers + 1) / np.pi * 1.2)
    return np.column_stack([distances * np.cos(numbers * GOLDEN), distances * np.sin(numbers * GOLDEN)])


def _pushed_apart(points: Points, radii: Points, steps: int) -> Points:
    """Discs moved apart until few of them touch."""
    points = points.copy()
    for _ in range(steps):
        between = points[:, None, :] - points[None, :, :]
        distances = np.hypot(between[..., 0], between[..., 1])
        np.fill_diagonal(distances, np.inf)
        overlap = np.clip(radii[:, None] + radii[None, :] - distances, 0.0, None)
        if not overlap.any():
            break
        points += 0.5 * (between / np.maximum(distances, 1e-6)[..., None] * overlap[..., None]).sum(axis=1)
    return points


def _middles(graph: nx.Graph[int], groups: Sequence[Group]) -> Points:
    """Each community's position: near related communities, without overlap."""
    if len(groups) < 2:
        return np.zeros((len(groups), 2))
    of = {each: place for place, group in enumerate(groups) for each in group.ids}
    between: nx.Graph[int] = nx.Graph()
    between.add_nodes_from(range(len(groups)))
    for a, b, data in graph.edges(data=True):
        one, other = of[a], of[b]
        if one != other:
            before = between.edges[one, other]["weight"] if between.has_edge(one, other) else 0.0
            between.add_edge(one, other, weight=before + data["weight"])
    radii = np.array([group.radius for group in groups])
    near = between.subgraph(range(min(len(groups), LARGEST)))
    by_force = nx.spring_layout(near, iterations=STEPS, seed=SEED, method="force")
    start = np.array([by_force[place] for place in near])
    start = np.vstack([start, _disc(len(groups) - len(start), 1.0) / SPACING])
    return _pushed_apart(start * float(np.sqrt((radii**2).sum())), radii * MARGIN, steps=40)


def _positions(groups: Sequence[Group], middles: Points, alone: Sequence[int]) -> dict[int, tuple[float, float]]:
    positions: dict[int, tuple[float, float]] = {}
    for group, middle in zip(groups, middles, strict=True):
        for each, point in zip(group.ids, group.points + middle, strict=True):
            positions[each] = (float(point[0]), float(point[1]))
    reach = max((sqrt(x * x + y * y) for x, y in positions.values()), default=0.0)
    around = _disc(len(alone), reach * MARGIN if reach else 0.0)
    for each, point in zip(alone, around, strict=True):
        positions[each] = (float(point[0]), float(point[1]))
    return positions
